"""Depth: what attention without its residual path does to the tokens (notebook 7)."""

from functools import cache

import ipywidgets
import numpy as np
import traitlets

from lib.attention import MultiHeadParameters, multi_head_attention
from lib.layers import FeedForwardParameters, feed_forward, layer_norm
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, slider, sources
from lib.widgets.frame.record import Alive

TOKENS = "The animal didn't cross the street because it was too tired".split()
D_MODEL, HEADS, D_FF, LAYERS = 32, 4, 64, 12
KNOWN = 9  # digits of a cosine: where words are one, the last ones would choose the nearest

BEGIN = 3  # layers
ALIKE = "After {layers}, how alike are different words?"
WITHOUT = "Without the residual path: how alike after {layers}?"
DEEP = "All parts again, but {layers}: how alike now?"
ALL = "all parts"


class DepthDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("chosen",)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    paths = traitlets.List().tag(sync=True)  # (13, T, 2), before layer 1 and after each layer
    directions = traitlets.Int(D_MODEL).tag(sync=True)  # of which a path shows two
    means = traitlets.List(traitlets.Float()).tag(sync=True)  # before layer 1 and after each layer
    parts = traitlets.Unicode().tag(sync=True)  # what is switched off, in words
    layer = traitlets.Int().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    # For each token: {"token": the nearest other one, "cosine": of the two}.
    nearest = traitlets.List().tag(sync=True)


class Depth(Demo):
    """Twelve post-norm encoder layers, as random as torch.nn makes them, with parts to switch off.

    Each token starts as a random vector, without its place. A dot is a vector's direction, seen
    along the first two principal directions of the start. ``vectors`` (13, T, d_model) are the
    tokens before layer 1 and after each layer, ``cosines`` (13,) the mean cosine of all pairs.
    Raises ValueError if there are not 2 to 16 tokens.
    """

    title = "Depth: do words stay apart?"
    alive = Alive()
    in_class = InClass(ALIKE.format(layers=f"{BEGIN} random layers"), 5)
    where = ("encoder attention", "encoder feed-forward")

    def __init__(self, tokens=TOKENS, seed=0):
        tokens = list(tokens)
        if not 2 <= len(tokens) <= 16 or not all(isinstance(token, str) for token in tokens):
            raise ValueError(f"tokens = {tokens}; expected a list of 2 to 16 words.")
        self._input, self.parameters = _random_start(len(tokens), seed)
        self._axes = np.linalg.svd(_directions(self._input))[2][:2]  # (2, d_model)
        self.drawing = DepthDrawing(tokens=tokens, chosen=min(7, len(tokens) - 1), veiled=True)
        self.layers = slider("layers", range(LAYERS + 1), BEGIN)
        self.residual = _switch("residual path")
        self.norm = _switch("layer norm")
        self.feed_forward = _switch("feed-forward")
        super().__init__(
            self.in_class.ask,
            [self.layers, self.residual, self.norm, self.feed_forward],
            [self.drawing],
        )
        self.tell_story(
            Step("no residual path", lambda: self._set(residual=False, layers=BEGIN)),
            Step("12 layers", lambda: self._set(residual=True, layers=LAYERS)),
        )
        for control in self.settings:
            control.observe(self._ask, "value")
        self.drawing.observe(self._ask, "done")

    def _set(self, residual, layers):
        """Other layers; layer norm and feed-forward are there again."""
        self.layers.value, self.residual.value = layers, residual
        self.norm.value = self.feed_forward.value = True

    def take(self, step, act=None):
        with self.header.hold_sync():  # its question is heard once, when all is set
            super().take(step, act)

    def _ask(self, _change):
        """The question is that of what is shown, whoever chose it."""
        count = self.layers.value
        layers = f"{count} random layer{'' if count == 1 else 's'}"
        ask = ALIKE if self.residual.value else WITHOUT
        if self.drawing.done == len(self.story) and (count, self._parts()) == (LAYERS, ALL):
            ask = DEEP
        self.header.question = ask.format(layers=layers)

    def tell(self):
        """The picture that makes the point: nothing is added back, and all words are one."""
        self.reset()
        self.next_step()
        super().tell()

    def update(self):
        vectors = [self._input]
        for attention, inner in self.parameters:
            vectors.append(self._layer(vectors[-1], attention, inner))
        self.vectors = np.array(vectors)  # (13, T, d_model)
        self.cosines = mean_cosine(self.vectors)
        directions = _directions(self.vectors)
        alike = (directions @ directions.swapaxes(-1, -2)).round(KNOWN)  # (13, T, T)
        itself = np.eye(alike.shape[-1], dtype=bool)
        layer = self.layers.value
        others = np.where(itself, -2, alike[layer])  # (T, T)
        with self.drawing.hold_sync():
            self.drawing.paths = (directions @ self._axes.T).tolist()
            self.drawing.means = self.cosines.tolist()
            self.drawing.parts = self._parts()
            self.drawing.layer = layer
            self.drawing.nearest = [
                {"token": int(row.argmax()), "cosine": float(row.max())} for row in others
            ]

    def _parts(self):
        """What is switched off, as its curve is named."""
        switches = [self.residual, self.norm, self.feed_forward]
        off = [switch.description for switch in switches if not switch.value]
        return f"no {' or '.join(off)}" if off else ALL

    def _layer(self, x, attention, inner):
        """One encoder layer, with the parts that are switched on."""
        x = self._add(x, multi_head_attention(x, x, x, attention, HEADS)[0])
        if self.feed_forward.value:
            x = self._add(x, feed_forward(x, inner))
        return x

    def _add(self, x, y):
        if self.residual.value:
            y = x + y
        return layer_norm(y) if self.norm.value else y

    def numbers_on_screen(self, shown):
        layer, chosen = self.layers.value, self.drawing.chosen
        if self.drawing.veiled:
            return Numbers([], says="Enter plays")
        directions = _directions(self.vectors[layer])
        cosines = (directions @ directions[chosen]).round(KNOWN)  # (T,)
        cosines[chosen] = -2
        nearest = self.drawing.tokens[cosines.argmax()]
        texts = [layer] if layer else []
        texts.append(self.cosines[layer])
        if " with " in shown["caption"]:  # it compares with other parts, not with another word
            return Numbers(texts, [self.cosines[layer]], says=f" with {self.drawing.parts}.")
        return Numbers(texts, [cosines.max()], says=f"\u201c{nearest}\u201d")


def _switch(description):
    return ipywidgets.Checkbox(True, description=description, indent=False)


def mean_cosine(vectors):
    """The mean cosine of all pairs of different tokens: (..., T, d_model) -> (...)."""
    directions = _directions(vectors)
    cosines = directions @ directions.swapaxes(-1, -2)  # (..., T, T)
    return cosines[..., ~np.eye(cosines.shape[-1], dtype=bool)].mean(-1)


def _directions(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@cache
def _random_start(count, seed):
    """Vectors (T, d_model) and layers.

    Made once: Jupyter keeps the demos of all earlier runs of a cell.
    """
    generator = np.random.default_rng(seed)
    vectors = generator.standard_normal((count, D_MODEL))
    return vectors, [_random_layer(generator) for _ in range(LAYERS)]


def _random_layer(generator):
    """Uniform numbers of the ranges that nn.TransformerEncoderLayer starts with."""

    def uniform(variance, *shape):
        return generator.uniform(-1, 1, shape) * (3 * variance) ** 0.5

    attention = MultiHeadParameters(
        query=uniform(1 / (2 * D_MODEL), D_MODEL, D_MODEL),
        key=uniform(1 / (2 * D_MODEL), D_MODEL, D_MODEL),
        value=uniform(1 / (2 * D_MODEL), D_MODEL, D_MODEL),
        output=uniform(1 / (3 * D_MODEL), D_MODEL, D_MODEL),
    )
    feed = FeedForwardParameters(
        inner=uniform(1 / (3 * D_MODEL), D_MODEL, D_FF),
        inner_bias=uniform(1 / (3 * D_MODEL), D_FF),
        outer=uniform(1 / (3 * D_FF), D_FF, D_MODEL),
        outer_bias=uniform(1 / (3 * D_FF), D_MODEL),
    )
    return attention, feed
