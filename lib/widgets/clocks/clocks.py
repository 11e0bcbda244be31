"""Sinusoidal positions as clocks, one for each pair of dimensions (notebook 6)."""

import re

import numpy as np
import traitlets

from lib.positions import sinusoidal_positions
from lib.widgets.frame import Demo, InClass, Numbers, Step, UnaskedDrawing, button, slider, sources
from lib.widgets.frame.places import INPUTS
from lib.widgets.frame.record import ASKED, Alive

WORDS = "the animal didn't cross the street".split()
MOST, FURTHEST = 100, 60  # of p and of k
START = [1, 2]  # p and k at first
SLOTS, BEHIND = 7, 2  # places that are seen, and so many of them before p
LABELLED = 16  # the largest d_model whose clocks all have their angles in digits
TOLD = 8  # and the largest of those that have their cosines, too
STRIDE = 10  # places for one press of the buttons
ASKS = {  # by what has moved last
    "p": "Both places move: does the product change?",
    "k": "Only the dashed place moves: does the product change?",
    "order": "The words move: does the product change?",
}


def riffled(order):
    """Half of the words between the other half, as cards are shuffled: never the same order."""
    half = len(order) // 2
    mixed = list(order)
    mixed[1::2], mixed[0::2] = order[:half], order[half:]
    return mixed


class ClocksDrawing(UnaskedDrawing):
    _esm, _css = sources(__file__)
    state = ("p", "k", "order", "asks")
    d_model = traitlets.Int().tag(sync=True)
    start = traitlets.List(START).tag(sync=True)  # what they are compared with, in a picture
    p = traitlets.Int(START[0], min=0, max=MOST).tag(sync=True)
    k = traitlets.Int(START[1], min=0, max=FURTHEST).tag(sync=True)
    asks = traitlets.Enum(list(ASKS), "p").tag(sync=True)  # what was moved last
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    order = traitlets.List(traitlets.Int()).tag(sync=True)  # which word stands in each place


class Clocks(Demo):
    """Move the places p and p + k: every clock's hands turn, PE(p) · PE(p + k) follows k alone.

    words: two to eight, for the first places, then they begin anew; a button shuffles them. ``p``
    (0 to 100), ``k`` (0 to 60), ``d_model``, ``product`` and ``words``, in their present order,
    read the screen. Raises ValueError for other numbers of words.
    """

    title = "Clocks: where am I?"
    alive = Alive(
        changes=(ASKED, ASKED | {"asks": "p"}, {"asks": "p"}, {"asks": "k"}),
        followed=("d0.asks",),
    )
    in_class = InClass(ASKS["p"], 5)
    where = INPUTS

    def __init__(self, words=WORDS):
        words = list(words)
        if not 2 <= len(words) <= 8 or not all(isinstance(word, str) for word in words):
            raise ValueError(f"words = {words}; expected a list of two to eight words.")
        self.dimensions = slider("d_model", [4, 8, 16, 32], 8)
        order = list(range(len(words)))
        self.drawing = ClocksDrawing(words=words, order=order, d_model=self.d_model)
        self.shuffle = button("shuffle the words", self._shuffle)
        moves = [
            button("both − 10", lambda: self._move(-STRIDE)),
            button("both + 10", lambda: self._move(STRIDE)),
        ]
        super().__init__(ASKS["p"], [*moves, self.shuffle, self.dimensions], [self.drawing])
        self.drawing.observe(self._ask, "asks")
        self.tell_story(
            Step("both + 10", lambda: self._move(STRIDE), ASKS["p"]),
            Step("k + 7", self._move_far, ASKS["k"]),
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
        positions = sinusoidal_positions(self.p + self.k + 1, self.d_model)
        return float(positions[self.p] @ positions[-1])

    def _move(self, places):
        """Both places move on; the first time, what that changes is hidden until it is asked."""
        with self.drawing.hold_sync():
            self.drawing.asks = "p"
            self.drawing.p = min(max(self.p + places, 0), MOST)
            if self.drawing.done == 0:
                self.drawing.done = 1
                self.drawing.veiled = True

    def _move_far(self):
        self.drawing.asks, self.drawing.k = "k", min(self.k + 7, FURTHEST)

    def _shuffle(self):
        with self.drawing.hold_sync():
            self.drawing.asks, self.drawing.order = "order", riffled(self.drawing.order)

    def _ask(self, change):
        """The question follows what has moved, also by the reader's own hand."""
        self.header.question = ASKS[change.new]

    def tell(self):
        """The picture that makes the point: the places are moved on, the product is the same."""
        self.reset()
        super().tell()
        self.drawing.p += STRIDE

    def update(self):
        self.drawing.d_model = self.d_model

    def __repr__(self):
        words = " ".join(self.words)
        return f"Clocks(p={self.p}, k={self.k}, d_model={self.d_model}, words={words!r})"

    def numbers_on_screen(self, shown):
        first, second, d_model = self.p, self.p + self.k, self.d_model
        start = max(0, first - BEHIND)
        texts = list(range(start, start + SLOTS))
        if second > texts[-1]:
            texts[-2:] = [second]
        if not self.drawing.veiled:
            if d_model <= LABELLED:
                for spread in self.k * 10000 ** (np.arange(0, d_model, 2) / -d_model):
                    texts.append(f"{np.degrees(spread) % 360:.0f}")
                    texts += [np.cos(spread)] if d_model <= TOLD else []
            texts.append(self.product)
        found = re.match(r"Dimensions (\d+),", shown["caption"])
        if not found:
            return Numbers(texts)
        even = int(found[1])
        sine, cosine = sinusoidal_positions(first + 1, d_model)[first, even : even + 2]
        period = 2 * np.pi * 10000 ** (even / d_model)
        return Numbers(texts, [even, even + 1, sine, cosine, period])
