"""A query and one or two keys as arrows in the plane: their dot products, drawn and written out (notebook 1)."""

import numpy as np
import traitlets

from lib import plots
from lib.widgets.frame import Demo, Drawing, sources

RANGE = 4.0


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
                f"{name} = {vector.tolist()}; expected two numbers from -4 to 4, an arrow in the plane."
            )
        return vector.tolist()


class Arrows(Demo):
    """Drag a query and two keys and watch their dot products.

    q, k, k2: two numbers from -4 to 4 each; k2=None leaves the second key out. ``q``, ``k`` and ``k2`` read the
    arrows as arrays (2,), ``scores`` the dot product of q with each key. Raises ValueError for anything else.
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
        question = "Predict: where must k point for the highest score, and where for a score of 0?"
        if arrows["k2"]:
            question = "Predict: which key gets the higher score, the one that points the same way as q or the longer "
            question += "one? Then make k\u2032 win, without turning it."
        super().__init__(
            "The dot product: what score does a key get?", question, [], [self.drawing]
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
    def scores(self):
        """The dot product of q with each key."""
        return np.array([self.q @ key for key in (self.k, self.k2) if key is not None])

    def __repr__(self):
        arrows = ((name, getattr(self, name)) for name in ("q", "k", "k2"))
        told = (
            f"{name}={arrow if arrow is None else tuple(arrow.round(2).tolist())}"
            for name, arrow in arrows
        )
        return f"Arrows({', '.join(told)})"

    def draw(self, figure):
        plane, chart = figure.subplots(1, 2)
        styles = {"q": (plots.QUERY, "-"), "k": (plots.KEY, "-"), "k2": (plots.KEY, "--")}
        for (name, (color, line)), arrow in zip(
            styles.items(), (self.q, self.k, self.k2), strict=True
        ):
            if arrow is None:
                continue
            style = {
                "arrowstyle": "->",
                "color": color,
                "linestyle": line,
                "lw": 2,
                "shrinkA": 0,
                "shrinkB": 0,
            }
            plane.annotate("", arrow, (0, 0), arrowprops=style)
            plane.annotate(
                name.replace("k2", "k'"), arrow, (5, 2), textcoords="offset points", color=color
            )
        if self.q.any():
            foot = self.q * (self.q @ self.k) / (self.q @ self.q)
            plane.plot(*zip((0, 0), foot, strict=True), color=plots.KEY, lw=6, alpha=0.5)
            plane.plot(*zip(foot, self.k, strict=True), color="gray", ls=":")
        plane.set(
            xlim=(-RANGE, RANGE), ylim=(-RANGE, RANGE), aspect="equal", xlabel="x", ylabel="y"
        )
        plane.grid(alpha=0.3)
        plots.bars(
            chart,
            ["k", "k'"][: len(self.scores)],
            self.scores,
            "score: dot product with q",
            plots.KEY,
        )
