"""Angles of random directions: nearly perpendicular in many dimensions (notebook 1)."""

from functools import partial

import numpy as np
import traitlets

from lib.widgets.frame import Demo, InClass, Numbers, Step, UnaskedDrawing, slider, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.random_vectors import SIZES, normal_numbers
from lib.widgets.frame.record import Alive

PAIRS = 500
STOPS = (8, 512)  # of the story: 64 would tell the answer
ASKS = "Random arrows in 512 dimensions: how far from 90°?"
DOTS = 100  # pairs that are drawn
KEYS = {"less": -1, "more": 1}  # what the drawing asks for: steps of the slider


def angles_of(cosines):
    return np.degrees(np.arccos(cosines))


class DirectionsDrawing(UnaskedDrawing):
    _esm, _css = sources(__file__)
    angles = traitlets.List(traitlets.Float()).tag(sync=True)  # of some pairs, in degrees
    degrees = traitlets.Float().tag(sync=True)  # the standard deviation of all angles there are
    d = traitlets.Int().tag(sync=True)


class Directions(Demo):
    """The angles of 500 pairs of random directions in d dimensions.

    ``cosines`` (500,) reads what is on the screen.
    """

    title = "Random directions"
    alive = Alive(told=True, messages=tuple(KEYS))
    in_class = InClass(ASKS, 2)
    where = ATTENTION

    def __init__(self, seed=1):
        self.pairs = normal_numbers(seed, (2, PAIRS, SIZES[-1]), np.float64)
        self.d = slider("dimensions d", SIZES[1:])
        self.drawing = DirectionsDrawing()
        super().__init__(ASKS, [self.d], [self.drawing])
        self.tell_story()
        self.drawing.observe(self.offer, "d")
        self.drawing.on_msg(partial(self.attempt, self._hear))

    def coming(self):
        """More dimensions; the answer at the last of them is veiled."""
        more = [size for size in STOPS if size > self.d.value]
        if not more:
            return None
        return Step(f"d = {more[0]}", lambda: self._set(more[0]), veils=more[0] == STOPS[-1])

    def _hear(self, _drawing, content, _buffers):
        place = self.d.index + KEYS.get(content.get("type"), 0)
        self.d.index = min(max(place, 0), len(self.d.options) - 1)

    def _set(self, size):
        self.d.value = size

    def tell(self):
        super().tell()
        self.d.value = SIZES[-1]

    def _cosines(self, size):
        """(500,): of the pairs in so many dimensions."""
        one, other = self.pairs[..., :size]  # (500, d) both
        lengths = np.linalg.norm(one, axis=-1), np.linalg.norm(other, axis=-1)
        return (one * other).sum(-1) / lengths[0] / lengths[1]

    @property
    def _spread(self):
        """The standard deviation in degrees: an angle is as common as its sine to the d - 2."""
        angles = np.linspace(0, 180, 1801)
        common = np.sin(np.radians(angles)) ** (self.d.value - 2)
        return float(np.sqrt(np.average((angles - 90) ** 2, weights=common)))

    def update(self):
        self.cosines = self._cosines(self.d.value)
        angles = angles_of(self.cosines)[:DOTS]
        with self.drawing.hold_sync():
            self.drawing.angles = angles.tolist()
            self.drawing.degrees = self._spread
            self.drawing.d = self.d.value

    def numbers_on_screen(self, shown):
        if self.drawing.veiled:
            return Numbers([], says="Predict first")
        return Numbers([90, 0, 180, self._spread], [self.d.value, 90, self._spread])
