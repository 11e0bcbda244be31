"""A language model writes on, one word at a time: temperature, top-k and top-p (notebook 13)."""

import numpy as np
import traitlets

from lib.sampling import filtered, sample
from lib.tokens import END, tokenise
from lib.widgets.frame import Drawing, InClass, Numbers, Step, slider, sources
from lib.widgets.frame.text_box import TextBox
from lib.widgets.frame.word_by_word import WordByWord

MOST = 8  # words with a bar of their own
TEMPERATURES = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0]
COUNTS = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000]
SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]
QUESTION = "Which word comes next?"
HOT = "At temperature 3: still sentences?"
TOLD = 2  # words that the still picture has, and the temperature of the next
TOLD_TEMPERATURE = 0.5
# What is said of a step, by how its word was chosen: not yet, drawn, or as the most probable.
SENTENCES = {
    "open": "“{word}” {share} leads. Left: {left} of {all} words.",
    "draw": "“{word}” {share} came, drawn at temperature {temperature} from {left} of {all} words.",
    "best": "“{word}” {share} came, the most probable of {all} words.",
}


class WriterDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("written", "seed")
    prompt = traitlets.List(traitlets.Unicode())
    # One step for each word, as it was when the word was written.
    written = traitlets.List(traitlets.Dict())
    seed = traitlets.Int(min=0)
    # prompt, steps (with the one to come) and why it stopped
    picture = traitlets.Dict().tag(sync=True)


class Writer(WordByWord):
    """Write the prompt on, and see for each word what it was drawn from.

    writer.scores(tokens) -> (words,) scores of the next word, writer.words their names
    (lib.decoding.Writer, or your own). The word at place i is drawn with random number i of the
    seed: the same settings write the same text, that of ``writer.write(seed=seed)``. Writing ends
    at <end> or after 24 words. ``tokens``, ``text`` and ``probabilities`` (words,), of the newest
    word, read what is on the screen. Raises ValueError for a prompt that the writer refuses.
    """

    end = END
    title = "A language model writes on"
    in_class = InClass("What comes next?", 6)
    where = ("decoder attention", "decoder feed-forward", "output")

    def __init__(self, writer, prompt="the animal", seed=0, question=None, title=None):
        self.writer, count = writer, len(writer.words)
        self.drawing = WriterDrawing(seed=seed, veiled=True)
        self.prompt = TextBox(prompt, description="prompt", continuous_update=False)
        self.temperature = slider("temperature", TEMPERATURES, 1.0)
        counts = [(f"{k}", k) for k in COUNTS if k < count]
        self.top_k = slider("top-k", [*counts, ("all", count)], count)
        self.top_p = slider("top-p", SHARES, 1.0)
        self.update()  # what does not fit is said at once
        buttons = [
            self.button("most probable →", "best"),
            self.button("write to the end", "end"),
            self.button("← take one back", "back"),
            self.button("draw again", "again"),
        ]
        super().__init__(
            question or QUESTION,
            [self.prompt, self.temperature, self.top_k, self.top_p, *buttons],
            title,
        )
        self.add_class("writes")  # its controls stand in two lines

    def tell(self):
        super().tell()
        for _ in range(TOLD):
            self.go("write")
        self.temperature.value = TOLD_TEMPERATURE

    def coming(self):
        """The next word; at the end the same text at temperature 3, then another text."""
        label, kind = "next word", "write"
        if self.drawing.picture["stopped"]:
            is_hot = self.temperature.value == TEMPERATURES[-1]
            label, kind = ("draw again", "again") if is_hot else ("temperature 3?", "hot")
        return Step(label, lambda: self.go(kind), veils=False)  # ``go`` knows what can be asked

    def go(self, kind):
        self.drawing.veiled = False  # the reader wants to see it
        prompt, written = self.drawing.prompt, self.drawing.written
        if tokenise(self.prompt.value) != prompt:
            return  # what was typed is refused, and its sentence stays
        if kind == "hot":
            self._heat()
            return
        count = {"write": 1, "best": 1, "end": self.limit}.get(kind, 0)
        if kind == "back":
            written = written[:-1]
        if kind == "again":
            count = self.limit if self._stopped(written) else max(1, len(written))
            written, self.drawing.seed = [], self.drawing.seed + 1
        how = "best" if kind == "best" else "draw"
        try:
            while count and not self._stopped(written):
                written = [*written, self._step(prompt, written, how)]
                count -= 1
            self._show(prompt, written)
            self.say("")
        except ValueError as error:
            self.say(str(error))

    def _heat(self):
        """Write the whole text again at the highest temperature, and ask before it is shown."""
        with self.drawing.hold_sync():  # the new text and its veil travel together
            self.temperature.value = TEMPERATURES[-1]
            if self.header.message:
                return  # the text could not be written
            self.header.question = HOT
            self.drawing.veiled = True

    def update(self):
        prompt = tokenise(self.prompt.value)
        written = self.drawing.written if prompt == self.drawing.prompt else []
        if self._stopped(written) and self._settings != self._written_with:
            written = self._written_again(prompt)
        self._show(prompt, written)

    def _written_again(self, prompt):
        """A whole text, written with the same random numbers and the settings of now."""
        written = []
        while not self._stopped(written):
            written = [*written, self._step(prompt, written, "draw")]
        return written

    def _show(self, prompt, written):
        stopped = self._stopped(written)
        steps = written if stopped else [*written, self._step(prompt, written, "open")]
        self.drawing.prompt, self.drawing.written = prompt, written
        self._written_with = self._settings
        self.drawing.picture = {"prompt": prompt, "steps": steps, "stopped": stopped}
        self.offer()

    def _stopped(self, written):
        return self.why_stopped([step["word"] for step in written])

    @property
    def _settings(self):
        return self.temperature.value, self.top_k.value, self.top_p.value

    def _step(self, prompt, written, how):
        """What the next word is drawn from, and the word itself unless ``how`` is "open"."""
        tokens = [*prompt, *(step["word"] for step in written)]
        scores = self._scores(tokens)
        model, now = filtered(scores), filtered(scores, *self._settings)  # (words,) both
        possible = np.isfinite(scores).sum()
        order = np.argsort(-scores, kind="stable")[:possible]  # the most probable word first
        word = self._draw_word(scores, len(written)) if how == "draw" else int(order[0])
        shown = _shown(order, word)
        self.probabilities = now
        return {
            "word": "" if how == "open" else self.writer.words[word],
            "digits": "" if how == "open" else _digits(now[word]),
            "chosen": -1 if how == "open" else shown.index(word),
            "rows": self._rows(shown, order, model, now),
            "says": self._sentence(how, word, now, possible),
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

    def _draw_word(self, scores, place):
        random = np.random.default_rng(self.drawing.seed)
        random.random(place)  # the numbers that the words before were drawn with
        return sample(scores, *self._settings, random)

    def _rows(self, shown, order, model, now):
        """The rows of the screen: a word, the model's share, the share now, both in digits."""
        rows = [_row(self.writer.words[i], model[i], now[i]) for i in shown]
        rest = [i for i in order if i not in shown]
        if rest:
            rows.append(_row(f"{len(rest)} others", model[rest].sum(), now[rest].sum()))
        return rows

    def _sentence(self, how, word, now, possible):
        return SENTENCES[how].format(
            word=self.writer.words[word],
            share=_digits(now[word]),
            temperature=self.temperature.value,
            left=np.count_nonzero(now),
            all=possible,
        )

    @property
    def tokens(self):
        """The words of the prompt and those written, <end> included where it was written."""
        return [*self.drawing.prompt, *(step["word"] for step in self.drawing.written)]

    @property
    def text(self):
        """The words as one text, without <end>."""
        return " ".join(token for token in self.tokens if token != END)

    def numbers_on_screen(self, shown):
        if self.drawing.veiled and self.drawing.written:
            return Numbers([], says="Predict: does it still write sentences?")
        if self.drawing.veiled:
            return Numbers([], says="Predict: which word comes next?")
        step = self.drawing.picture["steps"][shown["here"][0]]
        stopped = self._stopped(self.drawing.written)
        says = f"{step['says']} {stopped}".strip()
        rows = [
            (row["model"], row["now"]) for row in step["rows"]
        ]  # those written keep what they were drawn from
        caption = []
        if not step["word"] and not self.header.message:  # the step to come has these settings
            scores = self._scores(self.tokens)
            now = filtered(scores, *self._settings)
            best = np.argsort(-scores, kind="stable")[: len(rows) - 1]
            rows = [*zip(filtered(scores)[best], now[best], strict=True), *rows[-1:]]
            caption = [_digits(now[best[0]]), np.count_nonzero(now), np.isfinite(scores).sum()]
        texts = []
        for model, now in rows:
            texts += [_digits(model), _digits(now)]
        return Numbers(texts, caption, says)


def _shown(order, word):
    """The words with a bar of their own: the most probable, and always the one chosen."""
    shown = [int(i) for i in order[:MOST]]
    return shown if word in shown else [*shown[:-1], word]


def _row(name, model, now):
    """A word of the picture: its share in the model and after the settings, and both in digits."""
    return {
        "word": name,
        "model": float(model),
        "now": float(now),
        "model_digits": _digits(model),
        "now_digits": _digits(now),
    }


def _digits(p):
    """A probability in two digits, and never 0 or 1 for what is not: "<.01"."""
    rounded = f"{p:.2f}"
    if rounded == "0.00":
        return "<.01" if p > 0 else "0"
    return ">.99" if rounded == "1.00" and p < 1 - 1e-9 else rounded
