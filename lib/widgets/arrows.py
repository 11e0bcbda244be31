"""A query and one or two keys as arrows in the plane, with their dot products (notebook 1)."""

import math

import numpy as np
import traitlets

from lib.widgets.frame import Demo, Drawing, Numbers, sources

RANGE = 4.0
ONE_KEY = "Predict: where must k point for the highest score, and where for a score of 0?"
TWO_KEYS = (
    "Predict: which key gets the higher score, the one that points the same way as q or the longer "
    "one? Then make k\u2032 win, without turning it."
)


class ArrowsDrawing(Drawing):
    _esm, _css = sources("arrows")
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

    def __init__(self, q=(3.0, 1.0), k=(1.2, 0.9), k2=(0.6, 1.6)):
        arrows = {"q": q, "k": k, "k2": [] if k2 is None else k2}
        try:
            arrows = {name: [float(x) for x in vector] for name, vector in arrows.items()}
        except (TypeError, ValueError):
            raise ValueError(
                f"q = {q}, k = {k}, k2 = {k2}; expected two numbers each, such as (1.5, -0.3)."
            ) from None
        self.drawing = ArrowsDrawing(**arrows)
        super().__init__(
            "The dot product: what score does a key get?",
            TWO_KEYS if arrows["k2"] else ONE_KEY,
            [],
            [self.drawing],
        )

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
        q, texts = self.q, [np.hypot(*self.q)]
        for key in self._keys:
            texts.append(np.hypot(*key))
            if q.any() and key.any():
                angle = math.atan2(abs(q[0] * key[1] - q[1] * key[0]), q @ key)
                texts += [math.degrees(angle), math.cos(angle)]
            texts += [q[0], key[0], q[1], key[1], q @ key, q @ key]
        caption = [*[q, self.k, self.k2][self.drawing.chosen]]
        if not q.any():
            return Numbers(texts, [*caption, 0])
        key = self.k2 if "shadow of k\u2032" in shown["caption"] else self.k
        return Numbers(texts, [*caption, q @ key / np.hypot(*q), np.hypot(*q), q @ key])


def _rounded(name, arrow):
    return f"{name}={None if arrow is None else tuple(arrow.round(2).tolist())}"
