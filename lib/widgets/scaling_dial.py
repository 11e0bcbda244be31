"""A dial for d_k: how far the scores spread, and what to divide them by (notebook 3)."""

import ipywidgets
import numpy as np

from lib.attention import scaled_dot_product_attention
from lib.widgets.frame import Demo, Numbers, slider
from lib.widgets.histogram import SIZES, HistogramDrawing, normal_numbers

DIVISORS = ["nothing", "√d_k", "d_k"]
SENTENCES, LENGTH = 64, 16  # each of the 16 words of a sentence is a query and a key
EDGE = 64.0  # of the histogram, to the left and to the right
SATURATED = 0.99  # a row with a weight above this is one key's alone


class ScalingDial(Demo):
    """Turn d_k from 1 to 512, and divide the scores by nothing, by sqrt(d_k) or by d_k.

    64 made-up sentences of 16 queries and 16 keys, every component normal with mean 0 and
    variance 1. ``scores`` and ``weights`` (64, 16, 16) read what is on the screen.
    """

    def __init__(self, seed=14):
        shape = (2, SENTENCES, LENGTH, SIZES[-1])
        self.queries, self.key_vectors = normal_numbers(seed, shape, np.float32)
        self.d_k = slider("d_k", SIZES)
        self.divisor = ipywidgets.Dropdown(options=DIVISORS, description="divide by")
        axis = "score = query · key (the ends hold all beyond)"
        self.drawing = HistogramDrawing(range=[-EDGE, EDGE], axis=axis)
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
        self.saturated = float((self.weights.max(axis=-1) > SATURATED).mean())
        self.typical = self._typical(queries, keys)
        spread = self.scores.std()
        digits = 1 if spread > 0.5 else 2
        with self.drawing.hold_sync():
            self.drawing.count(self.scores, 64)
            self.drawing.scores = self.scores[self.typical].tolist()
            self.drawing.weights = self.weights[self.typical].tolist()
            self.drawing.caption = (
                f"Standard deviation of the scores (grey): {spread:.{digits}f}. Rows with one "
                f"weight above {SATURATED}: {self.saturated:.0%} of {SENTENCES * LENGTH:,}."
            )

    def _typical(self, queries, keys):
        """(sentence, query) of the median largest weight, the same whatever we divide by."""
        undivided = scaled_dot_product_attention(queries, keys, keys, scale=1.0)[1]
        order = undivided.max(axis=-1).ravel().argsort()
        return np.unravel_index(order[len(order) // 2], (SENTENCES, LENGTH))

    def numbers_on_screen(self, shown):
        scores, weights = self.scores[self.typical], self.weights[self.typical]
        if shown["here"]:
            key = shown["here"][0]
            return Numbers([weights.max()], [key + 1, scores[key], weights[key]])
        percent = 100 * np.mean(self.weights.max(axis=-1) > SATURATED)
        rows = self.weights[..., 0].size
        return Numbers([weights.max()], [self.scores.std(), SATURATED, percent, rows])
