"""Histograms with a dial: how scores spread with d_k (notebook 3) and how directions do with d (notebook 1)."""

from functools import cache

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.attention import scaled_dot_product_attention
from lib.widgets.frame import Demo, Drawing, sources

DIVISORS = ["nothing", "√d_k", "d_k"]
SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]


@cache
def _normal(seed, shape, dtype):
    """4 MB of normal numbers, made once: Jupyter keeps the demos of all earlier runs of a cell."""
    numbers = np.random.default_rng(seed).standard_normal(shape, dtype)
    numbers.flags.writeable = False
    return numbers


class HistogramDrawing(Drawing):
    _esm, _css = sources("histogram")
    counts = traitlets.List(traitlets.Int()).tag(sync=True)
    range = traitlets.List(traitlets.Float()).tag(sync=True)
    axis = traitlets.Unicode().tag(sync=True)
    spread = traitlets.Float().tag(sync=True)
    caption = traitlets.Unicode().tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    weights = traitlets.List(traitlets.Float()).tag(sync=True)

    def count(self, values, bins):
        """Put values into equal bins over ``range``; what lies beyond is counted in the outermost ones."""
        low, high = self.range
        self.counts = np.histogram(np.clip(values, low, high), bins, (low, high))[0].tolist()
        self.spread = float(values.std())

    def draw(self, axes, label):
        axes.bar(*self._bars(), color=plots.QUERY)
        axes.set(xlabel=self.axis, ylabel="how many", title=label)

    def _bars(self):
        low, high = self.range
        width = (high - low) / len(self.counts)
        return low + width * (np.arange(len(self.counts)) + 0.5), self.counts, width * 0.94


class ScalingDial(Demo):
    """Turn d_k from 1 to 512, and divide the scores by nothing, by sqrt(d_k) or by d_k.

    64 made-up sentences of 16 queries and 16 keys, every component normal with mean 0 and variance 1.
    ``scores`` and ``weights`` (64, 16, 16) read what is on the screen.
    """

    def __init__(self, seed=14):
        self.queries, self.key_vectors = _normal(seed, (2, 64, 16, SIZES[-1]), np.float32)
        self.d_k = ipywidgets.SelectionSlider(options=SIZES, description="d_k")
        self.divisor = ipywidgets.Dropdown(options=DIVISORS, description="divide by")
        self.drawing = HistogramDrawing(
            range=[-64.0, 64.0], axis="score = query · key (the ends hold all beyond)"
        )
        super().__init__(
            "The scaling dial",
            "Predict: turn d_k up to 64. How much does the largest of 16 weights get?",
            [self.d_k, self.divisor],
            [self.drawing],
        )
        self.add_class("controls-above-full")

    def update(self):
        d_k = self.d_k.value
        self.scale = {"nothing": 1.0, "√d_k": d_k**-0.5, "d_k": 1 / d_k}[self.divisor.value]
        queries, keys = self.queries[..., :d_k], self.key_vectors[..., :d_k]
        self.scores = queries @ keys.swapaxes(-1, -2) * self.scale  # (64, 16, 16)
        self.weights = scaled_dot_product_attention(queries, keys, keys, scale=self.scale)[1]
        self.saturated = float((self.weights.max(axis=-1) > 0.99).mean())
        undivided = (
            scaled_dot_product_attention(queries, keys, keys, scale=1.0)[1].max(axis=-1).ravel()
        )
        typical = np.unravel_index(
            undivided.argsort()[512], (64, 16)
        )  # the same query whatever we divide by
        spread = self.scores.std()
        with self.drawing.hold_sync():
            self.drawing.count(self.scores, 64)
            self.drawing.scores = self.scores[typical].tolist()
            self.drawing.weights = self.weights[typical].tolist()
            self.drawing.caption = (
                f"Standard deviation of the scores (grey): {spread:.{1 if spread > 0.5 else 2}f}. "
                f"Rows with one weight above 0.99: {self.saturated:.0%} of {self.weights[..., 0].size:,}."
            )

    def draw(self, figure):
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        divisor = self.divisor.value.replace("√d_k", "sqrt(d_k)")
        self.drawing.draw(left, f"d_k = {self.d_k.value}, divided by {divisor}")
        right.bar(np.arange(1, 17), self.drawing.weights, color=plots.WEIGHT)
        right.set(xlabel="key", ylabel="weight", ylim=(0, 1), title="weights of a typical query")


class Directions(Demo):
    """The cosine of 500 pairs of random directions in d dimensions; ``cosines`` reads what is on the screen."""

    def __init__(self, seed=1):
        self.pairs = _normal(seed, (2, 500, SIZES[-1]), np.float64)
        self.d = ipywidgets.SelectionSlider(options=SIZES[1:], description="d")
        self.drawing = HistogramDrawing(range=[-1.0, 1.0], axis="cosine of two random directions")
        super().__init__(
            "Random directions",
            "Predict: in 512 dimensions, how alike are two random directions?",
            [self.d],
            [self.drawing],
        )
        self.add_class("controls-above-full")

    def update(self):
        a, b = self.pairs[..., : self.d.value]
        self.cosines = (a * b).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
        with self.drawing.hold_sync():
            self.drawing.count(self.cosines, 40)
            self.drawing.caption = (
                f"d = {self.d.value}: standard deviation (grey) of 500 cosines {self.cosines.std():.3f}; "
                f"1/√d is {self.d.value**-0.5:.3f}. "
                f"Angles: 90° ± {np.degrees(np.arccos(self.cosines)).std():.0f}°."
            )

    def draw(self, figure):
        self.drawing.draw(figure.subplots(), f"500 pairs, d = {self.d.value}")
