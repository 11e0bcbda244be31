"""Cosines of random directions: nearly perpendicular in many dimensions (notebook 1)."""

import numpy as np

from lib.widgets.frame import Demo, Numbers, slider
from lib.widgets.histogram import SIZES, HistogramDrawing, normal_numbers

PAIRS = 500
BINS = 40


class Directions(Demo):
    """The cosine of 500 pairs of random directions in d dimensions.

    ``cosines`` (500,) reads what is on the screen.
    """

    def __init__(self, seed=1):
        self.pairs = normal_numbers(seed, (2, PAIRS, SIZES[-1]), np.float64)
        self.d = slider("d", SIZES[1:])
        self.drawing = HistogramDrawing(range=[-1.0, 1.0], axis="cosine of two random directions")
        super().__init__(
            "Random directions",
            "Predict: in 512 dimensions, how alike are two random directions?",
            [self.d],
            [self.drawing],
        )
        self.add_class("controls-above-full")

    def update(self):
        one, other = self.pairs[..., : self.d.value]  # (500, d) both
        lengths = np.linalg.norm(one, axis=-1), np.linalg.norm(other, axis=-1)
        self.cosines = (one * other).sum(-1) / lengths[0] / lengths[1]
        degrees = np.degrees(np.arccos(self.cosines))
        with self.drawing.hold_sync():
            self.drawing.count(self.cosines, BINS)
            self.drawing.caption = (
                f"d = {self.d.value}: standard deviation (grey) of {PAIRS} cosines "
                f"{self.cosines.std():.3f}; 1/√d is {self.d.value**-0.5:.3f}. "
                f"Angles: 90° ± {degrees.std():.0f}°."
            )

    def numbers_on_screen(self, shown):
        if shown["here"]:
            which = shown["here"][0]
            low, high = np.linspace(-1, 1, BINS + 1)[which : which + 2]
            inside = (self.cosines >= low - 1e-12) & (self.cosines < high - 1e-12)
            return Numbers([], [low, high, inside.sum(), PAIRS])
        d, angles = self.d.value, np.degrees(np.arccos(self.cosines))
        caption = [d, PAIRS, self.cosines.std(), 1, d**-0.5, 90, angles.std()]
        return Numbers([], caption)
