"""Bars of scores to drag and the weights that softmax makes of them (notebook 2)."""

import numpy as np
import traitlets

from lib.attention import softmax
from lib.widgets.frame import Demo, InClass, Numbers, Step, UnaskedDrawing, slider, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import Alive

TOKENS = ["animal", "didn't", "cross", "street", "it", "was", "too", "tired"]
SCORES = [2.0, -1.0, 0.5, 1.0, -2.0, 0.0, -0.5, 1.5]
NUMBERS_OF_KEYS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
LARGEST = 1000  # of the scores that a button makes

ADD = "Add 3 to every score. What happens to the shares?"
MULTIPLY = "The first scores, times 3. How large is the share of “{}”?"
LEAD = "One word leads by 2. How large is its share?"
KEYS = "A lead of 2 among 4,096 keys: how much is left?"


class BarsDrawing(UnaskedDrawing):
    _esm, _css = sources(__file__)
    state = ("scores",)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    copies = traitlets.Int(1).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)


class Bars(Demo):
    """Drag a score, watch every weight. The last bar can stand for many equal keys.

    scores: one number for each token, tokens: their names. ``scores`` and ``weights`` read what is
    on the screen. Raises ValueError if there are not as many scores as tokens, or scores that are
    not finite.
    """

    title = "Softmax: scores become shares"
    in_class = InClass(ADD, 5)
    where = ATTENTION

    def __init__(self, scores=SCORES, tokens=TOKENS):
        scores = [float(score) for score in scores]
        if not 2 <= len(scores) == len(tokens) or not np.isfinite(scores).all():
            raise ValueError(
                f"{len(scores)} scores and {len(tokens)} tokens; "
                "expected two or more finite scores, one each."
            )
        self.drawing = BarsDrawing(scores=scores, tokens=list(tokens))
        more = [count for count in NUMBERS_OF_KEYS if count > len(scores)]
        self.number = slider("keys", [(f"{count:,}", count) for count in [len(scores), *more]])
        self.temperature = slider("temperature", [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0], 1.0)
        super().__init__(ADD, [self.number, self.temperature], [self.drawing])
        multiply = MULTIPLY.format(self.drawing.tokens[0])
        self.tell_story(
            Step("+ 3 to all", lambda: self._set(self.scores + 3), ADD),
            Step("× 3", lambda: self._set(3 * np.array(scores)), multiply),
            Step("one leads by 2", self._lead, LEAD),
            Step("4,096 keys", self._most_keys, KEYS),
        )

    @property
    def alive(self):
        labels = [*(step.label for step in self.story), ""]
        return Alive(computed=("d0.enter",), given=lambda: {"labels": labels})

    def tell(self):
        """The first scores times 3: the leader takes nearly everything."""
        self.take(self.story[1])
        super().tell()

    def _set(self, scores):
        self.drawing.scores = np.clip(scores, -LARGEST, LARGEST).tolist()

    def _lead(self):
        self._set([2, *np.zeros(len(self.scores) - 1)])

    def _most_keys(self):
        self.number.value = NUMBERS_OF_KEYS[-1]

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
        copies = np.repeat(self.scores[-1:], self.drawing.copies - 1)
        return softmax(np.concatenate([self.scores, copies]) / self.temperature.value)

    def numbers_on_screen(self, shown):
        if self.drawing.veiled:
            return Numbers([*self.scores], says="Enter shows it.")
        if not self.drawing.moved:
            return Numbers([*self.scores])
        word = shown["here"][0]
        return Numbers([*self.scores, self.weights[word]])
