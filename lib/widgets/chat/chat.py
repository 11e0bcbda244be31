"""A chat model of today answers, and shows where its heads look (notebook 15)."""

from functools import partial

import numpy as np
import traitlets

from lib.pretrained.chat import END
from lib.pretrained.talk import FULL
from lib.widgets.frame import Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox
from lib.widgets.frame.word_by_word import KEYS, WordByWord

FRANCE = "What is the capital of France?"
WHOLE = -1  # no token of it is chosen: the whole answer is seen
NOWHERE = -1  # no token before the chosen one is looked at
LAYER, HEAD = 24, 5  # the head that looks most at "France" when the answer begins
TOLD = 8  # tokens of the answer to FRANCE, the end token included
QUESTION = "It answers token by token. Of which was it least sure?"
INSTEAD = "“{word}” came. How far ahead of the runner-up was it?"
ENDED = "Finished: “end” is the end token."
NO_MORE = "It stops here: {count} tokens are the limit."


class ChatDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("count", "chosen", "looked", "layer", "head")
    places = traitlets.List(traitlets.Unicode()).tag(sync=True)  # those before the answer
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)  # of the answer
    # Of them, {share, digits} each
    shares = traitlets.List(traitlets.Dict()).tag(sync=True)
    count = traitlets.Int(1)  # of them
    chosen = traitlets.Int(WHOLE).tag(sync=True)  # the one that is asked for
    # The one that is told, and the most probable ones in its place, {word, share, digits}.
    seen = traitlets.Int(WHOLE).tag(sync=True)
    best = traitlets.List(traitlets.Dict()).tag(sync=True)
    aim = traitlets.Int().tag(sync=True)  # the place of the question that is looked at first
    looked = traitlets.Int(NOWHERE).tag(sync=True)  # the place whose heads are seen
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
    alive = Alive(
        messages=KEYS,
        told=True,
        changes=(
            *({"chosen": place} for place in range(WHOLE, TOLD)),
            *({"chosen": place, "veiled": True} for place in range(TOLD)),
        ),
        followed=("d0.chosen",),
    )
    in_class = InClass(QUESTION, 6)
    where = ("decoder attention", "decoder feed-forward", "output")

    def __init__(self, chat, question=FRANCE):
        self.chat = chat
        self.drawing = ChatDrawing()
        self.asked = TextBox(question, description="question", continuous_update=False)
        self._begin(question)
        buttons = [
            self.button("next token →", "write"),
            self.button("write to the end", "end"),
            self.button("← take one back", "back"),
        ]
        super().__init__(QUESTION, [self.asked, *buttons])
        self.drawing.observe(self._show_chosen, "chosen")
        self.add_class("chats")

    def coming(self):
        """The tokens, one by one; then how close it was where it was least sure, and at the end."""
        if not self.drawing.stopped:
            return Step("next token", lambda: self.go("write"), veils=False)
        words, chosen = self.drawing.words, self.drawing.chosen
        least = int(np.argmin([each["share"] for each in self.drawing.shares]))
        last = max((i for i, each in enumerate(words) if each.strip().isalpha()), default=least)
        if self.drawing.stopped != ENDED or chosen not in (WHOLE, least) or chosen == last:
            return None
        place, name = least, "How close?"
        if chosen == least:
            place, name = last, f"And “{_written(words[last])}”?"
        return Step(name, partial(setattr, self.drawing, "chosen", place))

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
        """A new answer: the first token, or all of it where its shares are to be predicted."""
        talk = self.chat.talk(question)
        last = talk.said(TOLD - 1) if question == FRANCE else None
        is_whole = last is not None and last.word == END
        looks = talk.said(0).looks  # (layers, H, places)
        layers, heads, _ = looks.shape
        self.talk, self._talk_of = talk, question
        self.drawing.count, self.drawing.chosen = TOLD if is_whole else 1, WHOLE
        self.drawing.veiled = is_whole
        # The first place is nobody's: it takes what a head has no use for.
        sought = looks[min(LAYER, layers) - 1, min(HEAD, heads) - 1, 1:]
        self.drawing.aim = 1 + int(np.argmax(sought)) if len(sought) else 0

    def go(self, kind):
        self.drawing.veiled = False  # the reader wants to see it
        if kind == "end":
            self._write_to_the_end()
        else:
            self._see(-1 if kind == "back" else 1)

    def _see(self, more):
        """So many tokens more, as far as there are; none of them is chosen."""
        if more < 0 or not self.drawing.stopped:
            count = max(1, self.drawing.count + more)
            self.talk.said(count)  # it may be interrupted
            self.drawing.count = count
        if self.drawing.chosen == WHOLE:
            self._show()
        self.drawing.chosen = WHOLE  # shows it, if one was

    def _write_to_the_end(self):
        """Each token is sent as it comes. Stop in the frame, or in Jupyter's own bar, ends this."""
        self.drawing.running = True
        self.drawing.chosen = WHOLE
        try:
            while not self.drawing.stopped:
                self._see(1)
        finally:
            self.drawing.running = False
            self.offer()

    def attempt(self, act, *arguments):
        """However it ended, Enter goes on: a second interrupt may come while the first one ends."""
        super().attempt(act, *arguments)
        if self.drawing.enter is None:
            self.drawing.running = False
            self.offer()

    def offer(self, _change=None):
        with self.drawing.hold_sync():  # else the button says "Next" for a moment at each token
            super().offer()
            if self.drawing.running:
                self.drawing.enter = None

    def sentence_for(self, error):
        if isinstance(error, KeyboardInterrupt):
            return "Interrupted. The next token goes on from here."
        return super().sentence_for(error)

    def _show_chosen(self, _change):
        self.drawing.looked = NOWHERE
        self._show()

    def _show(self):
        count = self.drawing.count
        said = [self.talk.said(number) for number in range(count)]
        words = [one.word for one in said]
        seen = self.drawing.chosen if self.drawing.chosen < count else WHOLE
        best, looks = ([], b"") if seen == WHOLE else (said[seen].best, said[seen].looks.tobytes())
        layers, heads, _ = said[0].looks.shape
        with self.drawing.hold_sync():
            self.drawing.places, self.drawing.words = _spoken(self.talk.places), words
            self.drawing.shares = [_told(one.share) for one in said]
            self.drawing.best = [{"word": word, **_told(share)} for word, share in best]
            self.drawing.seen, self.drawing.looks, self.drawing.heads = seen, looks, heads
            self.drawing.layer = min(self.drawing.layer, layers - 1)
            self.drawing.head = min(self.drawing.head, heads - 1)
            self.drawing.stopped = self._stopped(words)
        asked = QUESTION if seen == WHOLE else INSTEAD.format(word=_written(words[seen]))
        self.header.question = asked
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
        seen = self.drawing.seen
        if self.drawing.veiled:
            return Numbers([], says="Predict")
        if seen == WHOLE:
            return Numbers(
                [
                    _told(self.talk.said(place).share)["digits"]
                    for place in range(self.drawing.count)
                ],
                says="Click a token",
            )
        said = self.talk.said(seen)
        if self.drawing.looked == NOWHERE:
            shares = [_told(share)["digits"] for _, share in said.best]
            lead = said.share - max(share for word, share in said.best if word != said.word)
            return Numbers([*shares, lead], shares[:2], says=" had ")
        layer, head, weight = self._most(said.looks[..., self.drawing.looked])
        return Numbers([f"{weight:.2f}"], [weight], says=f"ayer {layer + 1}, head {head + 1} ")

    def _most(self, looks):
        """The chosen head, or of looks (layers, H) the one that gives most, and what it gives."""
        layer, head = self.drawing.layer, self.drawing.head
        if layer < 0:
            layer, head = np.unravel_index(np.argmax(looks), looks.shape)
        return layer, head, looks[layer, head] / FULL


def _spoken(places):
    """The places before the answer; what stands round the question says who speaks."""
    if len(places) < 3:
        return places
    return [places[0], "user", *places[2:-1], "assistant"]


def _written(word):
    """A token as it is written on the screen."""
    return "end" if word == END else word.replace("\n", "↵").strip() or "↵"


def _told(share):
    """A share, and how it is written."""
    return {"share": share, "digits": _digits(share)}


def _digits(share):
    """In two digits, and never 0 or 1 for what is not: "<.01"."""
    rounded = f"{share:.2f}"
    if rounded == "0.00":
        return "<.01"
    return ">.99" if rounded == "1.00" and share < 1 else rounded
