"""Bars of scores to drag and the weights that softmax makes of them (notebooks 2 and 3)."""

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.attention import softmax
from lib.widgets.frame import Demo, Drawing, button, sources

TOKENS = ["animal", "didn't", "cross", "street", "it", "was", "too", "tired"]
SCORES = [2.0, -1.0, 0.5, 1.0, -2.0, 0.0, -0.5, 1.5]


class BarsDrawing(Drawing):
    _esm, _css = sources("bars")
    state = ("scores",)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    copies = traitlets.Int(1).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)


class Bars(Demo):
    """Drag a score, watch every weight. The last bar can stand for many equal keys.

    scores: one number for each token, tokens: their names. ``scores`` and ``weights`` read what is on the screen.
    Raises ValueError if there are not as many scores as tokens, or scores that are not finite.
    """

    def __init__(self, scores=SCORES, tokens=TOKENS):
        scores = [float(score) for score in scores]
        if not 2 <= len(scores) == len(tokens) or not np.isfinite(scores).all():
            raise ValueError(
                f"{len(scores)} scores and {len(tokens)} tokens; expected two or more finite scores, one each."
            )
        self.drawing = BarsDrawing(scores=scores, tokens=list(tokens))
        counts = [len(scores), *(2**n for n in range(3, 13) if 2**n > len(scores))]
        self.number = ipywidgets.SelectionSlider(options=counts, description="keys")
        self.temperature = ipywidgets.SelectionSlider(
            options=[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0], value=1.0, description="temperature"
        )
        buttons = [
            ("+ 3 to all", lambda scores: [score + 3 for score in scores]),
            ("× 3", lambda scores: [score * 3 for score in scores]),
            ("one leads by 2", lambda scores: [2.0] + [0.0] * (len(scores) - 1)),
        ]
        super().__init__(
            "Softmax: scores become shares",
            "Predict: add 3 to every score. What happens to the weights?",
            [*(self._button(*each) for each in buttons), self.number, self.temperature],
            [self.drawing],
        )

    def _button(self, description, change):
        def press():
            self.drawing.scores = [
                float(np.clip(score, -1000, 1000)) for score in change(self.drawing.scores)
            ]

        return button(description, press)

    def update(self):
        with self.drawing.hold_sync():
            self.drawing.copies = self.number.value - len(self.drawing.scores) + 1
            self.drawing.temperature = self.temperature.value

    @property
    def scores(self):
        """One score for each bar."""
        return np.array(self.drawing.scores)

    @property
    def weights(self):
        """One weight for each key, the copies of the last one included."""
        scores = np.concatenate([self.scores, np.repeat(self.scores[-1:], self.drawing.copies - 1)])
        return softmax(scores / self.temperature.value)

    def draw(self, figure):
        above, below = figure.subplots(2, 1, sharex=True)
        names = [*self.drawing.tokens]
        if self.drawing.copies > 1:
            names[-1] = f"x{self.drawing.copies}"
        plots.bars(above, names, self.scores, "score", plots.KEY)
        plots.bars(below, names, self.weights[: len(names)], "weight", plots.WEIGHT)
        below.set_ylim(0, 1)
