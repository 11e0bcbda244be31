"""A language model writes on: a dart draws each word (notebook 13)."""

import copy
from itertools import pairwise

import numpy as np
import traitlets

from lib.corpus.grammar import belongs, grammar
from lib.sampling import filtered, sample
from lib.tokens import END, END_ID, MOST_NAMED, START_ID, tokenise
from lib.widgets.frame import Drawing, InClass, Numbers, Step, slider, sources
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox
from lib.widgets.frame.word_by_word import KEYS, WordByWord
from lib.widgets.writer.alone import is_plain_gpt, model_in_bytes, randoms, refusal

MOST = 16  # words with a segment of their own, and as many as can be drawn
READABLE = 0.05  # a smaller share has no room for its digits
ROOMY = 0.1  # from here on there is room for the word, too; a share is seen with its word alone
TEMPERATURES = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0]
COUNTS = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000]
SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]
QUESTION = "Which word comes next?"
ANSWER = "the next word"  # is asked for, and stands under it
OTHERS = "{count} others"
COOL = 0.2  # the temperature at which the dart that has fallen is looked at again
FIRST_DART = "The first dart at temperature 0.2: which word now?"
# Asked of a whole text:
LIKELIEST = "Temperature {temperature}: how often does the likeliest word come?"
HOT = "Temperature 3: still sentences?"
NO_MORE = "No more texts were recorded. Reset begins with the first again."
# What Enter is called, and what it does: before a dart falls, after it, when there is no more to
# ask of it, at the end, and when a text was written at temperature 3.
LABELS = {
    "opened": ("draw", "write"),
    "drawn": ("temperature 0.2?", "cool"),
    "cool": ("the whole text?", "whole"),
    "stopped": ("temperature 3?", "hot"),
    "hot": ("", ""),  # the story starts over
}
TOLD = 4  # words that the still picture has
# What is said of a step, before its word is drawn and after.
SENTENCES = {
    "open": "“{word}” leads with {share}.",
    "draw": "The dart fell at {u}: “{word}” {share}.",
}
# Of a whole text: how often the likeliest word came.
CAME = "{count} of {all}"
WHOLE = "The likeliest came: {came}."
# At temperature 3 it is said first whether it is a sentence: in a word, and in a sentence.
FITS = {
    "yes": "Yes: training sentences are built like this.",
    "no": "No: no training sentence is built like this.",
}
LEFT = "{left} of {all} words are left."  # said where a setting leaves words out


class WriterDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("written", "seed", "opened")
    prompt = traitlets.List(traitlets.Unicode())
    # One step for each word, as it was when the word was written.
    written = traitlets.List(traitlets.Dict())
    seed = traitlets.Int(min=0)
    opened = traitlets.Bool(True)  # the next word's strip is shown; else that of the newest word
    # prompt, steps (with the one to come, where it is opened), why it stopped, whether it is a
    # sentence, where that is asked, the temperature, how often the likeliest came, and what a whole
    # text shows
    picture = traitlets.Dict().tag(sync=True)


class Writer(WordByWord):
    """Write the prompt on, and see for each word what it was drawn from.

    writer.scores(tokens) -> (words,) scores of the next word, writer.words their names
    (lib.decoding.WritingModel, or your own). ``lib.sampling.sample`` draws each word, from the
    scores with the most probable word first: so its random number is a place on the strip. The word
    at place i is drawn with random number i of the seed: the same settings write the same text.
    Writing ends at <end> or after 24 words. ``tokens``, ``text`` and ``probabilities`` (words,), of
    the newest word, read what is on the screen. Raises ValueError for a prompt that the writer
    refuses.
    """

    end = END
    title = "A language model writes on"
    in_class = InClass(QUESTION, 6)
    where = ("decoder attention", "decoder feed-forward", "output")

    def __init__(self, writer, prompt="the animal", seed=0, question=None, title=None):
        self.writer, count = writer, len(writer.words)
        self.question = question or QUESTION
        self.drawing = WriterDrawing(seed=seed, veiled=True)
        self.prompt = TextBox(prompt, description="prompt", continuous_update=False)
        self.temperature = slider("temperature", TEMPERATURES, 1.0)
        counts = [(f"{k}", k) for k in COUNTS if k < count]
        self.top_k = slider("top-k", [*counts, ("all", count)], count)
        self.top_p = slider("top-p", SHARES, 1.0)
        self.update()  # what does not fit is said at once
        buttons = [
            self.button("write to the end", "end"),
            self.button("← take one back", "back"),
            self.button("draw again", "again"),
        ]
        settings = [self.prompt, self.temperature, self.top_k, self.top_p]
        super().__init__(self.question, [*settings, *buttons], title)
        self.temperature.observe(self.offer, "value")  # even beside a prompt that is refused
        for setting in self.settings:
            setting.observe(self._ask_first, "value")
        self.add_class("writes")  # its controls stand in two lines

    def tell(self):
        super().tell()
        for _ in range(2 * TOLD - 1):  # each word is drawn, and the next one's strip opened
            self.go("write")

    def picture_state(self):
        """Also the seed: the words of the still picture are drawn with it."""
        return {**super().picture_state(), "seed": self.drawing.seed}

    def coming(self):
        """The draw, the first dart cooled, the whole text; one at temperature 3."""
        label, kind = LABELS[self._where()]
        if not label:
            return None
        return Step(label, lambda: self.go(kind), veils=False)  # ``go`` knows what can be asked

    def _where(self):
        if self.drawing.picture["stopped"]:
            return "hot" if self._is_hot else "stopped"
        if self.drawing.opened:
            return "opened"
        return "cool" if self.temperature.value == COOL else "drawn"

    def go(self, kind):
        self.drawing.veiled = False  # the reader wants to see it
        prompt, written, opened = self._now()
        if tokenise(self.prompt.value) != prompt:
            return  # what was typed is refused, and its sentence stays
        asked = {"cool": (COOL, FIRST_DART), "hot": (TEMPERATURES[-1], HOT)}.get(kind)
        if asked:
            with self.drawing.hold_sync():  # the new words and their veil travel together
                if kind == "cool":
                    self._show(prompt, written[:1], False)
                self._ask_at(*asked)
            return
        is_asked = kind == "again" and self._stopped(written)  # the same of another text
        count = {"write": int(opened), "end": self.limit, "whole": self.limit}.get(kind, 0)
        if kind == "back":
            written = written[:-1]
        if count == self.limit:
            written = []  # a whole text is drawn with the settings of now, from its first word on
        if kind == "again":
            count = self.limit if self._stopped(written) else max(1, len(written))
            written, self.drawing.seed = [], self.drawing.seed + 1
        try:
            with self.drawing.hold_sync():
                self._show(prompt, self._longer(prompt, written, count), count == 0)
                self.drawing.veiled = kind == "whole"
            self.say("")
            if not is_asked:
                self._ask_first()
        except ValueError as error:
            self.say(str(error))

    def _now(self):
        return self.drawing.prompt, self.drawing.written, self.drawing.opened

    def _longer(self, prompt, written, count):
        """The steps with as many more, up to the end."""
        while count and not self._stopped(written):
            written = [*written, self._step(prompt, written)]
            count -= 1
        return written

    def _ask_first(self, _change=None):
        """Ask what is asked of a word, or of a whole text."""
        usual = self.question
        if self._stopped(self.drawing.written):
            usual = HOT if self.drawing.picture["fits"] else LIKELIEST
            usual = usual.format(temperature=self.drawing.picture["temperature"])
        self.header.question = usual
        self.offer()

    def _ask_at(self, temperature, question):
        """Let the same darts draw at this temperature, and ask before it is shown."""
        self.temperature.value = temperature
        if self.header.message:
            return  # they could not be written
        self.header.question = question
        self.drawing.veiled = True

    def update(self):
        prompt = tokenise(self.prompt.value)
        before, written, opened = self._now()
        if prompt != before:
            written, opened = [], True
        if not opened and self._settings != self._written_with:
            written = self._drawn_again(prompt, written)
        self._show(prompt, written, opened)

    def _drawn_again(self, prompt, written):
        """The newest word, or all of a finished text: the same darts, the settings of now."""
        if self._stopped(written):
            return self._longer(prompt, [], self.limit)
        return self._longer(prompt, written[:-1], 1)

    def _show(self, prompt, written, opened):
        stopped = self._stopped(written)
        opened = not stopped and (opened or not written)
        steps = [*written, self._step(prompt, written, is_open=True)] if opened else written
        self.drawing.prompt, self.drawing.written, self.drawing.opened = prompt, written, opened
        self._written_with = self._settings
        fits = self._fits(prompt, written) if stopped and self._is_hot else ""
        picture = {"prompt": prompt, "steps": steps, "stopped": stopped, "fits": fits}
        picture["temperature"] = f"{self.temperature.value:g}"
        count = sum(step["chosen"] == 0 for step in written)
        came = CAME.format(count=count, all=len(written))
        whole = f"{FITS.get(fits, stopped)} {WHOLE.format(came=came)}"
        self.drawing.picture = picture | {"came": came, "whole": whole if stopped else ""}
        self.offer()

    def _fits(self, prompt, written):
        """Whether the whole text is a sentence of the course's grammar: "yes" or "no"."""
        *words, last = [*prompt, *(step["word"] for step in written)]
        return "yes" if last == END and belongs(words) else "no"

    @property
    def _is_hot(self):
        return self.temperature.value == TEMPERATURES[-1]

    def _stopped(self, written):
        return self.why_stopped([step["word"] for step in written])

    @property
    def _settings(self):
        return self.temperature.value, self.top_k.value, self.top_p.value

    def _step(self, prompt, written, is_open=False):
        """What the next word is drawn from, and the word itself unless that is still open."""
        tokens = [*prompt, *(step["word"] for step in written)]
        scores = self._scores(tokens)
        now = filtered(scores, *self._settings)  # (words,)
        possible = np.isfinite(scores).sum()
        order = np.argsort(-scores, kind="stable")[:possible]  # the most probable word first
        rank, u = 0, None
        if not is_open:
            rank, u = self._throw(scores[order], len(written))
        parts = self._parts(order, now, rank)
        word = int(order[rank])
        self.probabilities = now
        return {
            "word": "" if is_open else self.writer.words[word],
            "chosen": -1 if is_open else next(i for i, p in enumerate(parts) if p["last"] > rank),
            "fell": u,
            "fell_digits": "" if u is None else _digits(u),
            "parts": parts,
            "says": self._sentence("open" if is_open else "draw", word, now, possible, u),
        }

    def _scores(self, tokens):
        """(words,): what the model says of the next word."""
        scores = np.array(self.writer.scores(tokens), float)
        count = len(self.writer.words)
        if scores.shape != (count,):
            raise ValueError(
                f"scores of shape {scores.shape}; expected one score for each of {count} words."
            )
        return scores

    def _throw(self, scores, place):
        """The rank of the word drawn from the scores, the highest first, and the random number."""
        random = np.random.default_rng(self.drawing.seed)
        random.random(place)  # the numbers that the words before were drawn with
        u = copy.deepcopy(random).random()  # the one that sample will take
        return sample(scores, *self._settings, random), u

    def _parts(self, order, now, rank):
        """The parts of the strip, the most probable word first: words, then others.

        The word of this rank has a part of its own.
        """
        kept = int(np.count_nonzero(now))
        first = min(MOST, kept)
        ends = {*range(first + 1), max(rank, first), max(rank + 1, first), kept}
        parts = []
        for start, last in pairwise(sorted(ends)):
            ranks = order[start:last]
            is_word = start < first or start == rank
            name = self.writer.words[order[start]]
            if not is_word:
                name = OTHERS.format(count=last - start)
            share = float(now[ranks].sum())
            part = {"word": name, "now": share}
            part["digits"] = _digits(share) if share >= READABLE else ""  # if there is room
            parts.append({**part, "isWord": is_word, "last": int(last)})
        return parts

    def _sentence(self, how, word, now, possible, u):
        left = np.count_nonzero(now)
        sentence = SENTENCES[how] if left == possible else f"{SENTENCES[how]} {LEFT}"
        return sentence.format(
            word=self.writer.words[word],
            share=_digits(now[word]),
            left=left,
            all=possible,
            u="" if u is None else _digits(u),
        )

    # -- on a page without Python ------------------------------------------------------------------

    @property
    def alive(self):
        """The model itself is on the page, if it is one that model.mjs can run."""
        if not is_plain_gpt(self.writer):
            return None
        return Alive(messages=KEYS, computed=("d0.picture",), alone=True, given=self._given)

    def _given(self):
        """What live.mjs writes with: the model, random numbers, and all that is said."""
        return {
            **model_in_bytes(self.writer.model),
            "words": self.writer.words,
            "special": {"start": START_ID, "end": END_ID},
            "seed": self.drawing.seed,
            "randoms": randoms(self.drawing.seed, self.limit),
            "limit": self.limit,
            "readable": READABLE,
            "most": {"words": MOST, "named": MOST_NAMED},
            "settings": [TEMPERATURES, [count for _, count in self.top_k.options], SHARES],
            "cool": TEMPERATURES.index(COOL),
            "labels": LABELS,
            "grammar": grammar().pattern,
            "sayings": {
                **SENTENCES,
                "others": OTHERS,
                "left": LEFT,
                "came": CAME,
                "whole": WHOLE,
                "first": self.question,
                "likeliest": LIKELIEST,
                "cool": FIRST_DART,
                "hot": HOT,
                **FITS,
                "ended": self.why_stopped([self.end]),
                "limited": self.why_stopped([""] * self.limit),
                "unknown": refusal(self.writer.vocabulary),
                "noMore": NO_MORE,
            },
        }

    @property
    def tokens(self):
        """The words of the prompt and those written, <end> included where it was written."""
        return [*self.drawing.prompt, *(step["word"] for step in self.drawing.written)]

    @property
    def text(self):
        """The words as one text, without <end>."""
        return " ".join(token for token in self.tokens if token != END)

    def numbers_on_screen(self, shown):
        if self.drawing.veiled:
            fell, asks = [], "which word comes next?"
            if self._stopped(self.drawing.written):
                asks = (
                    "does it still write sentences?" if self._is_hot else "rarely, mostly, always?"
                )
            elif self.drawing.written:
                fell = [self.drawing.written[-1]["fell_digits"]]
                asks = "the dart stays where it fell."
            return Numbers(fell, says=f"Predict: {asks}")
        picture, here = self.drawing.picture, shown["here"]
        if ANSWER not in shown["texts"]:  # a whole text; where there are dots, some lines of it
            return Numbers([], says=picture["whole"])
        step = picture["steps"][here[0]]
        says = f"{step['says']} {picture['stopped']}".strip()
        drawn = [step["fell_digits"]] if step["fell"] is not None else []
        parts = [part["now"] for part in step["parts"] if part["now"] >= ROOMY]
        caption = []
        if not step["word"] and not self.header.message:  # the step to come has these settings
            scores = self._scores(self.tokens)
            now = np.sort(filtered(scores, *self._settings))[::-1]
            parts = [p for p in now[:MOST] if p >= ROOMY]
            left, possible = np.count_nonzero(now), np.isfinite(scores).sum()
            caption = [_digits(now[0]), *([left, possible] if left < possible else [])]
        return Numbers([*drawn, *map(_digits, parts)], caption, says)


def _digits(p):
    """A probability in two digits, and never 0 or 1 for what is not: "<.01"."""
    rounded = f"{p:.2f}"
    if rounded == "0.00":
        return "<.01" if p > 0 else "0"
    return ">.99" if rounded == "1.00" and p < 1 - 1e-9 else rounded
