"""A language model writes on, one word at a time: temperature, top-k, top-p and the words they leave (notebook 11)."""

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.sampling import filtered, sample
from lib.tokens import END, tokenise
from lib.widgets.frame import Demo, Drawing, button, sources

LIMIT = 24
MOST = 8  # words with a bar of their own
TEMPERATURES = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0]
COUNTS = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000]
SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]


class WriterDrawing(Drawing):
    _esm, _css = sources("writer")
    state = ("written", "seed")
    prompt = traitlets.List(traitlets.Unicode())
    written = traitlets.List(
        traitlets.Dict()
    )  # one step for each word, as it was when the word was written
    seed = traitlets.Int(min=0)
    picture = traitlets.Dict().tag(
        sync=True
    )  # prompt, steps (with the one to come) and why it stopped


class Writer(Demo):
    """Write the prompt on, and see for each word what it was drawn from.

    writer.scores(tokens) -> (words,) scores of the next word, writer.words their names (lib.decoding.Writer, or your
    own). The word at place i is drawn with random number i of the seed: the same settings write the same text, that of
    ``writer.write(seed=seed)``. Writing ends at <end> or after 24 words. ``tokens``, ``text`` and ``probabilities``
    (words,), of the newest word, read what is on the screen. Raises ValueError for a prompt that the writer refuses.
    """

    def __init__(self, writer, prompt="the animal", seed=0, question=None, title=None):
        self.writer, count = writer, len(writer.words)
        self.drawing = WriterDrawing(seed=seed)
        self.drawing.on_msg(lambda _, content, __: self._go(content.get("type")))
        self.prompt = ipywidgets.Text(prompt, description="prompt", continuous_update=False)
        self.temperature = ipywidgets.SelectionSlider(
            options=TEMPERATURES, value=1.0, description="temperature"
        )
        counts = [*((f"{k}", k) for k in COUNTS if k < count), ("all", count)]
        self.top_k = ipywidgets.SelectionSlider(options=counts, value=count, description="top-k")
        self.top_p = ipywidgets.SelectionSlider(options=SHARES, value=1.0, description="top-p")
        self.update()  # what does not fit is said at once
        buttons = [
            ("next word →", "next"),
            ("most probable →", "best"),
            ("write to the end", "end"),
        ]
        buttons += [("← take one back", "back"), ("draw again", "again")]
        super().__init__(
            title or "A language model writes on",
            question
            or "Predict: which word comes next? And what will be written at temperature 3?",
            [
                self.prompt,
                self.temperature,
                self.top_k,
                self.top_p,
                *(self._button(*each) for each in buttons),
            ],
            [self.drawing],
        )
        self.add_class("writer")

    def _button(self, description, kind):
        return button(description, lambda: self._go(kind))

    def _go(self, kind):
        """Write one word or more, or take some back."""
        prompt, written = self.drawing.prompt, self.drawing.written
        if tokenise(self.prompt.value) != prompt:
            return  # what was typed is refused, and its sentence stays
        count = {"next": 1, "best": 1, "end": LIMIT}.get(kind, 0)
        if kind == "back":
            written = written[:-1]
        if kind == "again":
            count = LIMIT if _stopped(written) else max(1, len(written))
            written, self.drawing.seed = [], self.drawing.seed + 1
        try:
            while count and not _stopped(written):
                step = self._step(prompt, written, "best" if kind == "best" else "draw")
                written, count = [*written, step], count - 1
            self._show(prompt, written)
            self.header.message = ""
        except ValueError as error:
            self.header.message = str(error)

    def update(self):
        prompt = tokenise(self.prompt.value)
        self._show(prompt, self.drawing.written if prompt == self.drawing.prompt else [])

    def _show(self, prompt, written):
        stopped = _stopped(written)
        steps = written if stopped else [*written, self._step(prompt, written)]
        self.drawing.prompt, self.drawing.written = prompt, written
        self.drawing.picture = {"prompt": prompt, "steps": steps, "stopped": stopped}

    def _step(self, prompt, written, how=None):
        """What the next word is drawn from, and the word itself if ``how`` is "draw" or "best"."""
        tokens, words = [*prompt, *(step["word"] for step in written)], self.writer.words
        scores = np.array(self.writer.scores(tokens), float)  # (words,)
        if scores.shape != (len(words),):
            raise ValueError(
                f"scores of shape {scores.shape}; expected one score for each of {len(words)} words."
            )
        settings = self.temperature.value, self.top_k.value, self.top_p.value
        model, now = filtered(scores), filtered(scores, *settings)  # (words,) both
        order = np.argsort(-scores, kind="stable")[
            : np.isfinite(scores).sum()
        ]  # the most probable word first
        drawn = int(order[0])
        if how == "draw":
            random = np.random.default_rng(self.drawing.seed)
            random.random(len(written))  # the numbers that the words before were drawn with
            drawn = sample(scores, *settings, random)
        shown = [int(i) for i in order[:MOST]]
        shown = shown if drawn in shown else [*shown[:-1], drawn]
        rest = [i for i in order if i not in shown]
        rows = [(words[i], model[i], now[i]) for i in shown]
        rows += [(f"{len(rest)} others", model[rest].sum(), now[rest].sum())] if rest else []
        self.probabilities = now
        after = f"After “{tokens[-1]}”" if tokens else "At the start"
        many = f"{np.count_nonzero(now)} of {len(order)} words"
        name = f"“{words[drawn]}” {_digits(now[drawn])}"
        told = {
            None: f"{after}: {name} is the most probable. Left: {many}.",
            "draw": f"{after} came {name}, drawn at temperature {settings[0]} from {many}.",
            "best": f"{after} came {name}, the most probable of {len(order)} words.",
        }
        return {
            "word": words[drawn] if how else "",
            "digits": _digits(now[drawn]) if how else "",
            "chosen": shown.index(drawn) if how else -1,
            "rows": [_row(*row) for row in rows],
            "says": told[how],
        }

    @property
    def tokens(self):
        """The words of the prompt and those written, <end> included where it was written."""
        return [*self.drawing.prompt, *(step["word"] for step in self.drawing.written)]

    @property
    def text(self):
        """The words as one text, without <end>."""
        return " ".join(token for token in self.tokens if token != END)

    def draw(self, figure):
        written = " ".join(step["word"] for step in self.drawing.written)
        lines = [f"prompt: {' '.join(self.drawing.prompt)}", f"written: {written or 'nothing yet'}"]
        rows = self.drawing.picture["steps"][-1]["rows"]
        words = [row["word"] for row in rows]
        model = np.array([row["model"] for row in rows])
        now = np.array([row["now"] for row in rows])
        digits = [row["now_digits"] for row in rows]
        axes, places = figure.subplots(), np.arange(len(words))
        axes.barh(
            places,
            model * (now == 0),
            0.8,
            fill=False,
            edgecolor="grey",
            hatch="///",
            label="left out",
        )
        axes.barh(places, now, 0.8, color=plots.WEIGHT, label="after temperature, top-k, top-p")
        axes.barh(places, model, 0.8, fill=False, edgecolor="black", label="the model's")
        for place, q, told in zip(places, np.maximum(model, now), digits, strict=True):
            axes.text(q + 0.01, place, told, va="center", size=8)
        axes.set_yticks(places, map(plots.latin, words))
        axes.set(
            ylim=(len(words) - 0.5, -0.5), xlim=(0, 1.05), xlabel="probability of the next word"
        )
        axes.set_title("\n".join(plots.latin(line, 110) for line in lines), loc="left", size=9)
        axes.legend(loc="lower right")


def _stopped(written):
    """Why nothing more is written, or nothing."""
    if written and written[-1]["word"] == END:
        return f"Stopped: “{END}” is the end token."
    return f"Stopped: {LIMIT} words are the limit." if len(written) >= LIMIT else ""


def _row(word, model, now):
    """A word of the picture: its share in the model and after the settings, and both in digits."""
    shares = {"model": float(model), "now": float(now)}
    return {"word": word, "model_digits": _digits(model), "now_digits": _digits(now)} | shares


def _digits(p):
    """A probability in two digits, and never 0 or 1 for what is not: "<.01"."""
    rounded = f"{p:.2f}"
    if rounded == "0.00":
        return "<.01" if p > 0 else "0"
    return ">.99" if rounded == "1.00" and p < 1 - 1e-9 else rounded
