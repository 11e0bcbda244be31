"""A query and one or two keys as arrows in the plane, with their dot products (notebook 1)."""

import numpy as np
import traitlets

from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import Alive

RANGE = 4.0
ONE_KEY = "Where must k point for the highest score, and for 0?"
TWO_KEYS = "Which key wins: the better aligned or the longer?"
LONGER = "Now k\u2032 is longer, not turned. Does it win?"
RIGHT_ANGLE = "k turns to a right angle with q. Its score?"


class ArrowsDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("q", "k", "k2", "chosen")
    q = traitlets.List(traitlets.Float()).tag(sync=True)
    k = traitlets.List(traitlets.Float()).tag(sync=True)
    k2 = traitlets.List(traitlets.Float()).tag(sync=True)
    chosen = traitlets.Int(1).tag(sync=True)

    @traitlets.validate("q", "k", "k2")
    def _check(self, proposal):
        name, vector = proposal["trait"].name, np.asarray(proposal["value"], float)
        if name == "k2" and vector.size == 0:
            return []
        if vector.shape != (2,) or not np.isfinite(vector).all() or np.abs(vector).max() > RANGE:
            raise ValueError(
                f"{name} = {vector.tolist()}; "
                "expected two numbers from -4 to 4, an arrow in the plane."
            )
        return vector.tolist()


class Arrows(Demo):
    """Drag a query and two keys and watch their dot products.

    q, k, k2: two numbers from -4 to 4 each; k2=None leaves the second key out. ``q``, ``k`` and
    ``k2`` read the arrows as arrays (2,), ``scores`` the dot product of q with each key. Raises
    ValueError for anything else.
    """

    title = "The dot product: what score does a key get?"
    alive = Alive()
    in_class = InClass(TWO_KEYS, 3)
    where = ATTENTION

    def __init__(self, q=(3.5, 1.0), k=(2.0, 1.5), k2=(1.2, 3.2)):
        arrows = {"q": q, "k": k, "k2": [] if k2 is None else k2}
        try:
            arrows = {name: [float(x) for x in vector] for name, vector in arrows.items()}
        except (TypeError, ValueError):
            raise ValueError(
                f"q = {q}, k = {k}, k2 = {k2}; expected two numbers each, such as (1.5, -0.3)."
            ) from None
        has_two = bool(arrows["k2"])
        self.drawing = ArrowsDrawing(**arrows, veiled=has_two)
        question = TWO_KEYS if has_two else ONE_KEY
        super().__init__(question, [], [self.drawing])
        longer = Step("Make k\u2032 longer", self._make_longer, LONGER)
        turned = Step("A right angle", self._turn_k, RIGHT_ANGLE)
        self.tell_story(*([longer] if has_two else []), turned)

    def _make_longer(self):
        """k\u2032 as long as the plane lets it be, in the same direction; who wins is asked."""
        self.drawing.chosen = 2
        self.drawing.k2 = _to_the_edge(self.k2)

    def _turn_k(self):
        """k at a right angle to q, as long as before if there is room; its score is asked."""
        self.drawing.chosen = 1
        across = np.array([-self.q[1], self.q[0]])
        if across.any():
            turned = across * np.hypot(*self.k) / np.hypot(*across)
            if np.abs(turned).max() > RANGE:
                turned = np.array(_to_the_edge(turned))
            self.drawing.k = turned.tolist()

    def tell(self):
        if self.k2 is not None:
            self.next_step()  # at the start k wins: the picture must not answer that question
        super().tell()

    @property
    def q(self):
        """The query, (2,)."""
        return np.array(self.drawing.q)

    @property
    def k(self):
        """The key, (2,)."""
        return np.array(self.drawing.k)

    @property
    def k2(self):
        """The second key, (2,), or None."""
        return np.array(self.drawing.k2) if self.drawing.k2 else None

    @property
    def _keys(self):
        """The keys that there are, one or two."""
        return [self.k] if self.k2 is None else [self.k, self.k2]

    @property
    def scores(self):
        """The dot product of q with each key."""
        return np.array([self.q @ key for key in self._keys])

    def __repr__(self):
        arrows = [_rounded("q", self.q), _rounded("k", self.k), _rounded("k2", self.k2)]
        return f"Arrows({', '.join(arrows)})"

    def numbers_on_screen(self, shown):
        q, texts = self.q, []
        if self.drawing.veiled:
            return Numbers([], says="Predict, then Enter")
        texts += self.scores.tolist()
        if not q.any():
            return Numbers(texts, [0])
        if self.k2 is None or self.drawing.chosen > 0:
            chosen = 0 if self.k2 is None else self.drawing.chosen - 1
            return Numbers(texts, [self.scores[chosen]])
        return Numbers(texts, [np.hypot(*q), *(q @ key / np.hypot(*q) for key in self._keys)])


def _to_the_edge(vector):
    """The same direction, as long as the plane lets it be; a list, as the drawing keeps it."""
    if not vector.any():
        return vector.tolist()
    return (vector * RANGE / np.abs(vector).max()).clip(-RANGE, RANGE).tolist()


def _rounded(name, arrow):
    return f"{name}={None if arrow is None else tuple(arrow.round(2).tolist())}"
