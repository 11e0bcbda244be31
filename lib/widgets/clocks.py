"""Sinusoidal positions as clocks, one for each pair of dimensions (notebook 6)."""

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.positions import sinusoidal_positions
from lib.widgets.frame import Demo, Drawing, button, sources

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
    """Move the places p and p + k: the hands of every clock turn, PE(p) · PE(p + k) depends on k alone.

    words: two to eight, for the first places; a button shuffles them. ``p`` (0 to 100), ``k`` (0 to 60), ``d_model``,
    ``product`` and ``words``, in their present order, read the screen. Raises ValueError for other numbers of words.
    """

    p = property(lambda self: self.drawing.p)
    k = property(lambda self: self.drawing.k)
    d_model = property(lambda self: self.dimensions.value)
    words = property(lambda self: [self.drawing.words[word] for word in self.drawing.order])
    product = property(lambda self: float(self._products()[self.k]))

    def __init__(self, words=WORDS, seed=6):
        words = list(words)
        if not 2 <= len(words) <= 8 or not all(isinstance(word, str) for word in words):
            raise ValueError(f"words = {words}; expected a list of two to eight words.")
        self._generator = np.random.default_rng(seed)
        self.dimensions = ipywidgets.SelectionSlider(
            options=[4, 8, 16, 32], value=16, description="d_model"
        )
        self.drawing = ClocksDrawing(
            words=words, order=list(range(len(words))), d_model=self.d_model
        )
        self.shuffle = button("shuffle the words", self._shuffle)
        question = "Predict: move both hands on by 10 places. Does PE(p) · PE(p + k) change?"
        controls = [self.dimensions, self.shuffle, *map(ipywidgets.Label, KEYS)]
        super().__init__("Clocks: where am I?", question, controls, [self.drawing])

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

    def draw(self, figure):
        (faces, chart), clocks = (
            figure.subplots(2, 1, height_ratios=(1, 2)),
            np.arange(self.d_model // 2),
        )
        hands = sinusoidal_positions(self.p + self.k + 1, self.d_model).reshape(-1, len(clocks), 2)
        circle = np.exp(1j * np.linspace(0, 2 * np.pi, 60))[:, None] + 3 * clocks
        faces.plot(circle.real, circle.imag, color="silver", lw=1)
        for place, color, line in (
            (self.p, plots.QUERY, "o-"),
            (self.p + self.k, plots.KEY, "s--"),
        ):
            for clock, (sin, cos) in enumerate(hands[place]):
                faces.plot([3 * clock, 3 * clock + cos], [0, sin], line, color=color, ms=3)
        faces.set(
            aspect="equal",
            title=f"hands for p = {self.p} (solid) and p + k = {self.p + self.k} (dashed)",
        )
        faces.set_axis_off()
        chart.plot(self._products(), color="black")
        chart.plot(self.k, self.product, "o", color=plots.KEY)
        chart.set(
            xlabel="distance k",
            ylabel="PE(p) · PE(p + k)",
            title=f"k = {self.k}: {self.product:.2f}",
        )

    def __repr__(self):
        return f"Clocks(p={self.p}, k={self.k}, d_model={self.d_model}, words={' '.join(self.words)!r})"
