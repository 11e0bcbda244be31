"""Sinusoidal positions as clocks, one for each pair of dimensions (notebook 6)."""

import re

import ipywidgets
import numpy as np
import traitlets

from lib.positions import sinusoidal_positions
from lib.widgets.frame import Demo, Drawing, Numbers, button, slider, sources

WORDS = "the animal didn't cross the street".split()
FURTHEST = 60
KEYS = [
    "← →  move p and p + k",
    "↑ ↓  move p + k alone",
    "Enter  next clock",
    "or drag a hand, or the dot",
]


class ClocksDrawing(Drawing):
    _esm, _css = sources("clocks")
    state = ("p", "k", "order")
    d_model = traitlets.Int().tag(sync=True)
    p = traitlets.Int(1, min=0, max=100).tag(sync=True)
    k = traitlets.Int(3, min=0, max=FURTHEST).tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    order = traitlets.List(traitlets.Int()).tag(sync=True)  # which word stands in each place


class Clocks(Demo):
    """Move the places p and p + k: every clock's hands turn, PE(p) · PE(p + k) follows k alone.

    words: two to eight, for the first places; a button shuffles them. ``p`` (0 to 100), ``k`` (0 to
    60), ``d_model``, ``product`` and ``words``, in their present order, read the screen. Raises
    ValueError for other numbers of words.
    """

    def __init__(self, words=WORDS, seed=6):
        words = list(words)
        if not 2 <= len(words) <= 8 or not all(isinstance(word, str) for word in words):
            raise ValueError(f"words = {words}; expected a list of two to eight words.")
        self._generator = np.random.default_rng(seed)
        self.dimensions = slider("d_model", [4, 8, 16, 32], 16)
        order = list(range(len(words)))
        self.drawing = ClocksDrawing(words=words, order=order, d_model=self.d_model)
        self.shuffle = button("shuffle the words", self._shuffle)
        keys = [ipywidgets.Label(text) for text in KEYS]
        super().__init__(
            "Clocks: where am I?",
            "Predict: move both hands on by 10 places. Does PE(p) · PE(p + k) change?",
            [self.dimensions, self.shuffle, *keys],
            [self.drawing],
        )

    @property
    def p(self):
        """The first place."""
        return self.drawing.p

    @property
    def k(self):
        """How far the second place is from the first."""
        return self.drawing.k

    @property
    def d_model(self):
        """How many dimensions there are, two for each clock."""
        return self.dimensions.value

    @property
    def words(self):
        """The words in their present order."""
        return [self.drawing.words[word] for word in self.drawing.order]

    @property
    def product(self):
        """PE(p) · PE(p + k)"""
        return float(self._products()[self.k])

    def _shuffle(self):
        before = self.drawing.order
        while self.drawing.order == before:
            self.drawing.order = self._generator.permutation(before).tolist()

    def update(self):
        self.drawing.d_model = self.d_model

    def _products(self):
        """PE(p) · PE(p + k) for k from 0, (FURTHEST + 1,)"""
        positions = sinusoidal_positions(self.p + FURTHEST + 1, self.d_model)[self.p :]
        return positions @ positions[0]

    def __repr__(self):
        words = " ".join(self.words)
        return f"Clocks(p={self.p}, k={self.k}, d_model={self.d_model}, words={words!r})"

    def numbers_on_screen(self, shown):
        first, second, d_model = self.p, self.p + self.k, self.d_model
        clock = int(re.search(r"Clock (\d+) of", shown["caption"])[1]) - 1
        even, odd = 2 * clock, 2 * clock + 1
        positions = sinusoidal_positions(second + 1, d_model)
        sines = [even, positions[first, even], positions[second, even]]
        cosines = [odd, positions[first, odd], positions[second, odd]]
        period = 2 * np.pi * 10000 ** (even / d_model)
        places = [first, second, self.product]
        return Numbers(
            [*places, *sines, *cosines],
            [*places, clock + 1, d_model // 2, period],
        )
