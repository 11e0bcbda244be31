"""Depth: what attention without its residual path does to the tokens (notebook 7)."""

from functools import cache

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.attention import MultiHeadParameters, multi_head_attention
from lib.layers import FeedForwardParameters, feed_forward, layer_norm
from lib.widgets.frame import Demo, Drawing, sources

TOKENS = "The animal didn't cross the street because it was too tired".split()
D_MODEL, HEADS, D_FF, LAYERS = 32, 4, 64, 12


class DepthDrawing(Drawing):
    _esm, _css = sources("depth")
    state = ("chosen",)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    points = traitlets.List().tag(sync=True)  # (T, 2)
    means = traitlets.List(traitlets.Float()).tag(sync=True)  # before layer 1 and after each layer
    layer = traitlets.Int().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    nearest = traitlets.List().tag(sync=True)  # for each: {token: the nearest other one, cosine}


class Depth(Demo):
    """Twelve post-norm encoder layers whose parameters are as random as torch.nn makes them; parts to switch off.

    Each token starts as a random vector, without its place. A dot is a vector's direction, seen along the first two
    principal directions of the start. ``vectors`` (13, T, d_model) are the tokens before layer 1 and after each layer,
    ``cosines`` (13,) the mean cosine of all pairs. Raises ValueError if there are not 2 to 16 tokens.
    """

    def __init__(self, tokens=TOKENS, seed=0):
        tokens = list(tokens)
        if not 2 <= len(tokens) <= 16 or not all(isinstance(token, str) for token in tokens):
            raise ValueError(f"tokens = {tokens}; expected a list of 2 to 16 words.")
        self._input, self._parameters = _random_start(len(tokens), seed)
        self._axes = np.linalg.svd(_directions(self._input))[2][:2]  # (2, d_model)
        self.drawing = DepthDrawing(tokens=tokens, chosen=min(7, len(tokens) - 1))
        self.layers = ipywidgets.SelectionSlider(
            options=range(LAYERS + 1), value=3, description="layers"
        )
        self.residual, self.norm, self.feed_forward = self.switches = [
            ipywidgets.Checkbox(True, description=name, indent=False)
            for name in ("residual path", "layer norm", "feed-forward")
        ]
        question = (
            "Predict: without the residual path, how alike are different words after 3 layers?"
        )
        title = "Depth: do words stay apart in layers that are not trained?"
        super().__init__(title, question, [self.layers, *self.switches], [self.drawing])

    def update(self):
        x, vectors = self._input, [self._input]
        residual, norm, feed = (switch.value for switch in self.switches)
        for attention, inner in self._parameters:
            for part in range(1 + feed):
                y = (
                    feed_forward(x, inner)
                    if part
                    else multi_head_attention(x, x, x, attention, HEADS)[0]
                )
                x = x + y if residual else y
                x = layer_norm(x) if norm else x
            vectors.append(x)
        self.vectors, layer, itself = (
            np.array(vectors),
            self.layers.value,
            np.eye(len(x), dtype=bool),
        )
        directions = _directions(self.vectors)
        alike = directions @ directions.swapaxes(-1, -2)  # (13, T, T)
        self.cosines = alike[:, ~itself].mean(-1)
        others = np.where(itself, -2, alike[layer])  # (T, T)
        with self.drawing.hold_sync():
            self.drawing.points = (directions[layer] @ self._axes.T).tolist()
            self.drawing.means, self.drawing.layer = self.cosines.tolist(), layer
            self.drawing.nearest = [
                {"token": int(row.argmax()), "cosine": float(row.max())} for row in others
            ]

    def draw(self, figure):
        (plane, chart), layer, points = (
            figure.subplots(1, 2),
            self.layers.value,
            np.array(self.drawing.points),
        )
        cosine, apart = self.cosines[layer], np.linalg.norm(points[:, None] - points, axis=-1)
        plane.plot(*points.T, "ko")
        for i, nearest in enumerate((apart + 9 * np.eye(len(points))).argmin(-1)):
            right = points[i, 0] > points[nearest, 0]  # names turn away from each other
            style = {
                "ha": "left" if right else "right",
                "textcoords": "offset points",
                "fontsize": 8,
            }
            plane.annotate(
                plots.latin(self.drawing.tokens[i]), points[i], (5 if right else -5, -3), **style
            )
        plane.set(
            xlim=(-1.1, 1.1),
            ylim=(-0.9, 0.9),
            title=f"after layer {layer}, residual: {self.residual.value}",
        )
        chart.plot(self.cosines, color="black")
        chart.plot(layer, cosine, "o", color=plots.KEY)
        chart.set(
            xlabel="layer",
            ylabel="mean cosine",
            ylim=(-0.1, 1.05),
            title=f"mean cosine {cosine:.2f}",
        )


def _directions(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@cache
def _random_start(count, seed):
    """Vectors (T, d_model) and layers, made once: Jupyter keeps the demos of all earlier runs of a cell."""
    generator = np.random.default_rng(seed)
    return generator.standard_normal((count, D_MODEL)), [
        _random_layer(generator) for _ in range(LAYERS)
    ]


def _random_layer(generator):
    """Uniform numbers of the ranges that nn.TransformerEncoderLayer starts with."""

    def uniform(variance, *shape):
        return generator.uniform(-1, 1, shape) * (3 * variance) ** 0.5

    variances = [1 / (2 * D_MODEL)] * 3 + [1 / (3 * D_MODEL)]  # query, key, value, output
    attention = MultiHeadParameters(
        *(uniform(variance, D_MODEL, D_MODEL) for variance in variances)
    )
    shapes = [(D_MODEL, D_MODEL, D_FF), (D_MODEL, D_FF), (D_FF, D_FF, D_MODEL), (D_FF, D_MODEL)]
    return attention, FeedForwardParameters(
        *(uniform(1 / (3 * width), *shape) for width, *shape in shapes)
    )
