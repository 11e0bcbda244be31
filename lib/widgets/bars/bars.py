"""Bars of scores to drag and the weights that softmax makes of them (notebook 2)."""

import numpy as np
import traitlets

from lib.attention import softmax
from lib.widgets.frame import Demo, Drawing, Numbers, button, slider, sources

TOKENS = ["animal", "didn't", "cross", "street", "it", "was", "too", "tired"]
SCORES = [2.0, -1.0, 0.5, 1.0, -2.0, 0.0, -0.5, 1.5]
NUMBERS_OF_KEYS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
LARGEST = 1000  # of the scores that a button makes


QUESTIONS = {
    "add": "Add 3 to every score. What happens to the shares?",
    "multiply": "Every score times 3. What happens to the shares?",
    "lead": "One word leads by 2. How large is its share?",
    "keys": "A lead of 2 among 4,096 keys: who wins?",
}


class BarsDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("scores", "done")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    copies = traitlets.Int(1).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)  # how many questions of the story were asked


class Bars(Demo):
    """Drag a score, watch every weight. The last bar can stand for many equal keys.

    scores: one number for each token, tokens: their names. ``scores`` and ``weights`` read what is
    on the screen. Raises ValueError if there are not as many scores as tokens, or scores that are
    not finite.
    """

    where = ("encoder attention", "decoder attention", "cross-attention")

    def __init__(self, scores=SCORES, tokens=TOKENS):
        scores = [float(score) for score in scores]
        if not 2 <= len(scores) == len(tokens) or not np.isfinite(scores).all():
            raise ValueError(
                f"{len(scores)} scores and {len(tokens)} tokens; "
                "expected two or more finite scores, one each."
            )
        self.drawing = BarsDrawing(scores=scores, tokens=list(tokens))
        more = [count for count in NUMBERS_OF_KEYS if count > len(scores)]
        self.first = np.array(scores)
        self.number = slider("keys", [len(scores), *more])
        self.temperature = slider("temperature", [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0], 1.0)
        buttons = [
            button("+ 3 to all", self._add),
            button("× 3", self._multiply),
            button("one leads by 2", self._lead),
        ]
        super().__init__(
            "Softmax: scores become shares",
            QUESTIONS["add"],
            [*buttons, self.number, self.temperature],
            [self.drawing],
        )
        self.follow_story(self._add, self._multiply_first, self._lead, self._most_keys)

    def tell(self):
        """Every score times 3: the leader takes nearly everything."""
        self._multiply_first()
        super().tell()

    def _add(self):
        self._ask("add", self.scores + 3)

    def _multiply(self):
        self._ask("multiply", self.scores * 3)

    def _multiply_first(self):
        """Three times the scores of the start, none of which leaves the axis then."""
        self._ask("multiply", 3 * self.first)

    def _lead(self):
        scores = np.zeros(len(self.scores))
        scores[0] = 2
        self._ask("lead", scores)

    def _most_keys(self):
        self.number.value = NUMBERS_OF_KEYS[-1]
        self._ask("keys", self.scores)

    def _ask(self, question, scores):
        """New scores, their shares hidden until the reader wants to see them."""
        self.header.question = QUESTIONS[question]
        with self.drawing.hold_sync():
            self.drawing.scores = np.clip(scores, -LARGEST, LARGEST).tolist()
            self.drawing.done = 1 + list(QUESTIONS).index(question)
            self.drawing.veiled = True

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
        word = shown["here"][0]
        return Numbers([*self.scores, self.weights[word]])
