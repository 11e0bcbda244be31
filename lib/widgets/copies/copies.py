"""Random words come twice: what they cost, which heads look there, and those cut (notebook 16)."""

import re

import ipywidgets
import numpy as np
import traitlets

from lib.copying import best
from lib.pretrained import copying
from lib.pretrained.today import ChatModel, texts_of
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.record import Alive

FEW = 4  # heads that are cut
LOT = 2  # the seed that draws as many at random
FEW_WORDS = 10  # below this a share has one digit
POINTED = 3  # the word of the story: its neighbours are whole words too
COST, LOOK = "cost", "look"  # what is asked
AGAIN = "30 random words, then again: how surprised is the model?"
WHERE = "A word comes again: where does this head look?"
QUESTIONS = [
    AGAIN,
    "The four heads that copy most are cut: how surprised now?",
    "Four others cut, drawn at random: how surprised now?",
]
CUTS = ["nothing", "the four that copy", "four at random"]
LOOKS = re.compile(r"^“(\w+)” again: layer (\d+), head (\d+)")
WORD = re.compile(r"^“(\w+)”: ")
LOOKS_AND_CUTS = (("look", 0), ("cost", 0), ("cost", 1))  # a head is asked, four are cut or not


def one_in(bits):
    """The share of a word that costs so many bits, as the screen says it."""
    count = 2**bits
    count = round(count) if count < FEW_WORDS else float(f"{count:.2g}")
    return "no surprise" if count == 1 else f"1 in {count:,.0f}"


class CopiesDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("asks", "cut", "head", "place")
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)  # (N,)
    bits = traitlets.Bytes().tag(sync=True)  # float32 (cuts, 2 N): of each word, both times
    means = traitlets.List().tag(sync=True)  # of each cut: [first time, second time]
    cuts = traitlets.List().tag(sync=True)  # of each cut the heads, layer * heads + head
    shares = traitlets.Bytes().tag(sync=True)  # float32 (layers * heads,): at what came after
    # Of each head and each word of the second time: places and weights, 0 to 255, of the largest.
    looks = traitlets.Bytes().tag(sync=True)  # uint8 (2, layers * heads, N, MOST)
    heads = traitlets.Int().tag(sync=True)  # of each layer
    asks = traitlets.Unicode(COST).tag(sync=True)
    cut = traitlets.Int(0).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    place = traitlets.Int(POINTED).tag(sync=True)  # which of the words asks, from 0


class Copies(Demo):
    """Thirty words drawn at random, then the same again, through a chat model of 270 heads.

    chat: a lib.pretrained.today.ChatModel whose record is that of page 16, which is shown where the
    weights are not; the record alone if not given. cuts: whether Enter goes on to heads that are
    cut. ``bits`` (cuts, 60) and ``cut`` read the screen.
    """

    title = "Who copies?"
    alive = Alive(
        changes=tuple({"asks": asks, "cut": cut} for asks, cut in LOOKS_AND_CUTS),
        followed=("d0.asks", "d0.cut"),
    )
    in_class = InClass(AGAIN, 5)
    where = ("decoder attention",)

    def __init__(self, chat=None, cuts=True):
        chat = chat or ChatModel.recorded(copying.MEASURED)
        self.drawing = CopiesDrawing(veiled=True)
        self._measure(chat)
        self.cut = ipywidgets.Dropdown(options=CUTS, description="cut")
        traitlets.link((self.drawing, "cut"), (self.cut, "index"))
        super().__init__(AGAIN, [self.cut], [self.drawing])
        self.cut.observe(self._ask_cost, "value")
        self.drawing.observe(self._ask, ["asks", "cut"])
        look, *cut = (
            Step("where a head looks", self._look, WHERE),
            Step("cut the four", lambda: self._cut(1), QUESTIONS[1]),
            Step("four at random", lambda: self._cut(2), QUESTIONS[2]),
        )
        self.tell_story(look, *(cut if cuts else ()))

    def _measure(self, chat):
        """All that is shown of the model, or what was recorded of it."""
        N, draw, drawing = copying.LONG, copying.SHOWN, self.drawing
        shares = chat.measured("shares", copying.shares, N, copying.CHOOSING).mean(0)[0]
        four = best(shares, FEW)
        cuts = [[], four, copying.by_lot(shares.shape, FEW, LOT)]
        self.bits = chat.measured("word costs", copying.word_costs, cuts, N, draw)
        self.looks = chat.measured("looks", copying.looks, N, draw)
        words = chat.measured("thirty words", copying.words_drawn, N, draw)
        drawing.words, drawing.heads = texts_of(words), shares.shape[1]
        drawing.bits, drawing.looks = self.bits.tobytes(), self.looks.tobytes()
        drawing.means = [[float(mean) for mean in copying.means_of(row)] for row in self.bits]
        drawing.shares = shares.astype(np.float32).tobytes()
        numbers = [[layer * drawing.heads + head for layer, head in heads] for heads in cuts]
        drawing.cuts, drawing.head = numbers, numbers[1][0]

    def _look(self):
        self.drawing.cut, self.drawing.asks = 0, LOOK

    def _cut(self, number):
        self.drawing.asks, self.drawing.cut = COST, number

    def _ask_cost(self, _change):
        """Who cuts something wants to know what it costs."""
        if self.cut.index > 0:
            self.drawing.asks = COST

    def _ask(self, _change):
        """The question is that of what is shown, whoever chose it."""
        is_look = self.drawing.asks == LOOK
        self.header.question = WHERE if is_look else QUESTIONS[self.drawing.cut]

    def __repr__(self):
        return f"Copies(cut={self.cut.value!r})"

    def numbers_on_screen(self, shown):
        drawing, cut = self.drawing, self.drawing.cut
        if drawing.veiled:
            return Numbers([], says="Enter shows it.")
        if drawing.asks == LOOK:
            return self._look_on_screen(shown["caption"])
        means = [copying.means_of(row) for row in self.bits[: cut + 1]]
        told = [one_in(bits) for bits in [means[0][0], *(again for _, again in means)]]
        found = WORD.match(shown["caption"])
        if not found:
            compared = [one_in(copying.means_of(row)[1]) for row in self.bits]
            return Numbers(told, compared if self.cut.value == CUTS[-1] else [])
        costs = self.bits[cut].reshape(2, -1)[:, drawing.words.index(found[1])]
        return Numbers(told, [one_in(bits) for bits in costs])

    def _look_on_screen(self, caption):
        word, layer, head = LOOKS.match(caption).groups()
        place = self.drawing.words.index(word)
        weight = self.looks[1, int(layer) - 1, int(head) - 1, place, 0] / copying.STEPS
        return Numbers([weight], [weight])
