"""A chat model of today answers, and shows where its heads look (notebook 15)."""

import re

import numpy as np
import traitlets

from lib.pretrained.chat import END
from lib.pretrained.talk import FULL
from lib.widgets.frame import Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox
from lib.widgets.frame.word_by_word import KEYS, WordByWord

FRANCE = "What is the capital of France?"
LAYER, HEAD = 24, 5  # the head that looks most at "France" when the answer begins
PARIS, TOLD = " Paris", 6  # the token that is asked about first, and how many there are with it
QUESTION = "It answers token by token. How sure is it of “{word}”?"
ENDED = "Finished: “end” is the end token."
NO_MORE = "It stops here: {count} tokens are the limit."


class ChatDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("count", "layer", "head")
    places = traitlets.List(traitlets.Unicode()).tag(sync=True)  # those before the answer
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)  # of the answer
    count = traitlets.Int(1)  # of them
    aim = traitlets.Int().tag(sync=True)  # the place of the question that the heads are shown for
    # Of the newest token: the most probable ones, {word, share, digits}, and its own.
    best = traitlets.List(traitlets.Dict()).tag(sync=True)
    share = traitlets.Float().tag(sync=True)
    digits = traitlets.Unicode().tag(sync=True)
    # Where the token before it looked: layers x heads x places, 0 to 255.
    looks = traitlets.Bytes().tag(sync=True)
    heads = traitlets.Int().tag(sync=True)  # of each layer
    # The chosen head; -1 is the one that gives the place most, another one for each token.
    layer = traitlets.Int(-1).tag(sync=True)
    head = traitlets.Int(-1).tag(sync=True)
    stopped = traitlets.Unicode().tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)  # it writes to the end: Enter is Stop


class Chat(WordByWord):
    """Ask a chat model something, and see each token of its answer come.

    chat.talk(question) -> a lib.pretrained.talk.Talk: a lib.pretrained.today.ChatModel, whose
    recorded answer is shown where its weights are not. ``text`` is what has been answered so far.
    Raises ValueError for a question that the model refuses.
    """

    title = "A chat model of today"
    alive = Alive(messages=KEYS, told=True)
    in_class = InClass("How sure is it of its next word?", 6)
    where = ("decoder attention", "decoder feed-forward", "output")

    def __init__(self, chat, question=FRANCE):
        self.chat = chat
        self.drawing = ChatDrawing(veiled=True)
        self.asked = TextBox(question, description="question", continuous_update=False)
        self._begin(question)
        buttons = [
            self.button("next token →", "write"),
            self.button("write to the end", "end"),
            self.button("← take one back", "back"),
        ]
        super().__init__("", [self.asked, *buttons])  # the question names the token
        self.add_class("chats")

    def coming(self):
        """After *Paris* its first token, of which it was far less sure; else the next one."""
        if self._asked_first > 1 and self.drawing.count == self._asked_first:
            return Step("its first token", self._show_the_first)
        if self.drawing.stopped or self.drawing.count < self._asked_first:
            return None
        return Step("next token", lambda: self.go("write"))

    def _show_the_first(self):
        self.drawing.count = 1
        self._show()

    def update(self):
        """A new question begins a new answer; one that is refused leaves the old one."""
        try:
            self._ask(self.asked.value.strip())
        finally:
            self._show()

    def _ask(self, question):
        if not question:
            raise ValueError("There is no question; type one.")
        if question != self._talk_of:
            self._begin(question)

    def _begin(self, question):
        """A new answer, up to the token that is asked about first."""
        talk = self.chat.talk(question)
        paris = talk.said(TOLD - 1) if question == FRANCE else None
        looks = talk.said(0).looks  # (layers, H, places)
        layers, heads, _ = looks.shape
        self.talk, self._talk_of = talk, question
        self._asked_first = TOLD if paris is not None and paris.word == PARIS else 1
        self.drawing.count = self._asked_first
        # The first place is nobody's: it takes what a head has no use for.
        sought = looks[min(LAYER, layers) - 1, min(HEAD, heads) - 1, 1:]
        self.drawing.aim = 1 + int(np.argmax(sought)) if len(sought) else 0

    def go(self, kind):
        self.drawing.veiled = False  # the reader wants to see it
        if kind == "back":
            self.drawing.count = max(1, self.drawing.count - 1)
            self._show()
        if kind == "write":
            self._write()
        if kind == "end":
            self._write_to_the_end()

    def _write(self):
        if not self.drawing.stopped:
            self.talk.said(self.drawing.count + 1)  # all that is shown: it may be interrupted
            self.drawing.count += 1
            self._show()

    def _write_to_the_end(self):
        """Each token is sent as it comes. Stop in the frame, or in Jupyter's own bar, ends this."""
        self.drawing.running = True
        try:
            while not self.drawing.stopped:
                self._write()
        finally:
            self.drawing.running = False
            self.offer()

    def offer(self, _change=None):
        super().offer()
        if self.drawing.running:
            self.drawing.enter = None

    def sentence_for(self, error):
        if isinstance(error, KeyboardInterrupt):
            return "Interrupted. The next token goes on from here."
        return super().sentence_for(error)

    def _show(self):
        count = self.drawing.count
        newest = self.talk.said(count - 1)
        words = [self.talk.said(number).word for number in range(count)]
        with self.drawing.hold_sync():
            self.drawing.places, self.drawing.words = self.talk.places, words
            self.drawing.best = [
                {"word": word, "share": share, "digits": _digits(share)}
                for word, share in newest.best
            ]
            self.drawing.share, self.drawing.digits = newest.share, _digits(newest.share)
            self.drawing.looks = newest.looks.tobytes()
            layers, self.drawing.heads, _ = newest.looks.shape
            self.drawing.layer = min(self.drawing.layer, layers - 1)
            self.drawing.head = min(self.drawing.head, self.drawing.heads - 1)
            self.drawing.stopped = self._stopped(words)
        self.header.question = QUESTION.format(word=_seen(newest.word))
        self.offer()

    def _stopped(self, words):
        """Why no token comes after these, or ""."""
        if words[-1] == END:
            return ENDED
        if self.talk.said(len(words)) is None:
            return NO_MORE.format(count=len(words))
        return ""

    @property
    def text(self):
        """What has been answered so far."""
        return "".join(word for word in self.drawing.words if word != END)

    def numbers_on_screen(self, shown):
        if self.drawing.veiled:
            return Numbers([], says="Predict: how sure is it?")
        said = self.talk.said(self.drawing.count - 1)
        shares = [*(_digits(share) for _, share in said.best), _digits(said.share)]
        if "gave" not in shown["caption"]:
            return Numbers(shares, says="Click a token")
        *_, (aimed, told) = re.findall("gave “([^”]*)”[^\\d]*([\\d.]+\\d)", shown["caption"])
        places = [place.strip() for place in (*self.drawing.places, *self.drawing.words)]
        # A word may stand at several places; a line break is shown as a sign, and is none of them.
        count = said.looks.shape[-1]
        named = [i for i in range(count) if places[i] == aimed] or range(count)
        found = [self._told(said.looks[..., place]) for place in named]
        layer, head, weight = min(found, key=lambda each: abs(each[-1] - float(told)))
        return Numbers(shares, [weight], says=f"ayer {layer + 1}, head {head + 1} ")

    def _told(self, looks):
        """The chosen head, or of looks (layers, H) the one that gives most, and what it gives."""
        layer, head = self.drawing.layer, self.drawing.head
        if layer < 0:
            layer, head = np.unravel_index(np.argmax(looks), looks.shape)
        return layer, head, looks[layer, head] / FULL


def _seen(word):
    """A token as it is written on the screen."""
    return "end" if word == END else word.replace("\n", "↵").strip() or "↵"


def _digits(share):
    """In two digits, and never 0 or 1 for what is not: "<.01"."""
    rounded = f"{share:.2f}"
    if rounded == "0.00":
        return "<.01"
    return ">.99" if rounded == "1.00" and share < 1 else rounded
