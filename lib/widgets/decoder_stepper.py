"""A decoder writes a translation one word at a time; the rows already written stay as they were (notebook 8)."""

import numpy as np
import traitlets

from lib import plots
from lib.attention import scaled_dot_product_attention, softmax
from lib.masks import causal_mask
from lib.widgets.frame import Demo, Drawing, button, sources

LIMIT = 12
SOURCE = "the tired animal slept".split()
# French words as start, determiner, noun, adjective, verb, and masculine (1) or feminine (-1).
FRENCH = {
    "<start>": [1, 0, 0, 0, 0, 0],
    "l'": [0, 1, 0, 0, 0, 0],
    "la": [0, 1, 0, 0, 0, -1],
    "animal": [0, 0, 1, 0, 0, 1],
    "fatigué": [0, 0, 0, 1, 0, 1],
    "fatiguée": [0, 0, 0, 1, 0, -1],
    "dormait": [0, 0, 0, 0, 1, 0],
    "<end>": [0, 0, 0, 0, 0, 0],
}
SELF_KEYS = np.array(
    [[0, 1, 2, 0.5, 0.5, 0]]
).T  # every word looks for the noun that it has to agree with
# After the start French wants the determiner (l' or la? that depends on the noun), then the noun, the adjective, ...
CROSS_QUERIES = np.array(
    [[6, 0, 4, 0], [0, 0, 6, 0], [0, 6, 0, 0], [0, 0, 0, 6], [0] * 4, [0] * 4]
)  # (d_model, S)
# Scores of the French words from the English meaning, and from the grammar: the end after a verb, agreement.
MEANINGS = np.array(
    [[0, 5, 4] + [0] * 5, [0] * 4 + [5, 5, 0, 0], [0, 3, 0, 6] + [0] * 4, [0] * 6 + [6, 0]]
)
GRAMMAR = np.array([[0] * 8] * 4 + [[0] * 7 + [6], [0, 0, -1, 0, 1, -1, 0, 0]])


def hand_set_step(tokens):
    """A decoder of one layer with one head, parameters set by hand, for the source SOURCE.

    tokens: T French words. Returns (self_weights (T, T), cross_weights (T, S), {word: probability of being next}).
    """
    x = np.array([FRENCH[token] for token in tokens], float)  # (T, d_model)
    same = np.ones((len(tokens), 1))  # every query is the same
    agreement, self_weights = scaled_dot_product_attention(
        same, x @ SELF_KEYS, x[:, 5:], causal_mask(len(tokens))
    )
    x[:, 5:] += agreement
    memory = np.eye(len(SOURCE))  # one-hot English words, their own keys and values
    meaning, cross_weights = scaled_dot_product_attention(
        x @ CROSS_QUERIES, memory, memory
    )  # (T, S) both
    probabilities = softmax(meaning @ MEANINGS + x @ GRAMMAR)[-1]
    return self_weights, cross_weights, dict(zip(FRENCH, probabilities.tolist(), strict=True))


class StepperDrawing(Drawing):
    _esm, _css = sources("decoder_stepper")
    state = ("tokens",)
    source = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode())
    by_hand = traitlets.Bool().tag(sync=True)
    picture = traitlets.Dict().tag(
        sync=True
    )  # tokens, rows (self, cross, next) and notes, all of one step


class DecoderStepper(Demo):
    """Write one word at a time; see where each word looks, and that the rows before it do not change.

    step(target tokens) -> (self_weights (T, T), cross_weights (T, S), {word: probability of being next}) is the
    decoder, with ``source_tokens`` for its S keys; without both, a decoder with parameters set by hand. Writing ends
    at the word ``end`` or after 12 words. Raises ValueError if an answer of ``step`` does not fit the tokens.
    """

    def __init__(
        self, source_tokens=None, step=None, start="<start>", end="<end>", title=None, question=None
    ):
        if (step is None) != (source_tokens is None):
            raise ValueError(
                "source_tokens and step belong together: give both, or neither for the decoder set by hand."
            )
        self.step, self.end, self._kept = step or hand_set_step, end, []
        self.drawing = StepperDrawing(
            source=list(source_tokens or SOURCE), tokens=[start], by_hand=step is None
        )
        self.drawing.on_msg(lambda _, content, __: self._go(content.get("type")))
        self._ask([start])  # what does not fit is said at once
        super().__init__(
            title or "The decoder writes one word at a time",
            question or "Predict: which English word will be looked at for the second French word?",
            [self._button("next word →", "next"), self._button("← take one back", "back")],
            [self.drawing],
        )
        self.add_class("controls-above")

    def _button(self, description, kind):
        return button(description, lambda: self._go(kind))

    def _go(self, kind):
        tokens = self.drawing.tokens
        if kind == "next" and not self._stopped(tokens):
            self.drawing.tokens = [*tokens, max(self.probabilities, key=self.probabilities.get)]
        elif kind == "back" and len(tokens) > 1:
            self.drawing.tokens = tokens[:-1]
        self.refresh()

    def _stopped(self, tokens):
        """Why nothing more is written, or nothing."""
        if len(tokens) > 1 and tokens[-1] == self.end:
            return f"Stopped: “{self.end}” is the end token."
        return f"Stopped: {LIMIT} words are the limit." if len(tokens) > LIMIT else ""

    def _ask(self, tokens):
        T, S = len(tokens), len(self.drawing.source)
        try:
            own, cross, probabilities = self.step(list(tokens))
            own, cross = np.array(own, float), np.array(cross, float)
            probabilities = {str(word): float(p) for word, p in probabilities.items()}
        except (
            Exception
        ) as error:  # the reader's own model may fail in any way; the page must say how
            raise ValueError(f"step({tokens}) failed: {type(error).__name__}: {error}") from error
        fits = own.shape == (T, T) and cross.shape == (T, S) and probabilities
        if not fits or not all(
            np.isfinite(each).all() for each in (own, cross, list(probabilities.values()))
        ):
            raise ValueError(
                f"step returned weights {own.shape}, {cross.shape} and {len(probabilities)} next words; expected "
                f"finite numbers, {T, T}, {T, S} (of one head, or the mean of all) and at least one next word."
            )
        return own, cross, probabilities

    def update(self):
        tokens = list(self.drawing.tokens)
        stopped = self._stopped(tokens)
        prefix = tokens[:-1] if stopped else tokens
        try:
            own, cross, self.probabilities = self._ask(prefix)
        except ValueError:
            self.drawing.tokens = self.target_tokens  # the last that could be shown
            raise
        self.target_tokens, self.self_weights, self.cross_weights = tokens, own, cross
        now = [np.concatenate([own[t, : t + 1], cross[t]]) for t in range(len(prefix))]
        best = sorted(self.probabilities.items(), key=lambda pair: -pair[1])[:5]
        self._kept = [
            *self._kept[: len(prefix) - 1],
            (now[-1], best),
        ]  # each row as it was when it was the newest
        rows = []
        for t, (_, best) in enumerate(self._kept):
            following = [{"word": word, "probability": p} for word, p in best]
            rows.append({"self": own[t].tolist(), "cross": cross[t].tolist(), "next": following})
        self.drawing.picture = {
            "tokens": tokens,
            "rows": rows,
            "kept": self._compare(now),
            "stopped": stopped,
        }

    def _compare(self, now):
        """What became of the rows before the newest."""
        pairs = list(zip(now[:-1], (row for row, _ in self._kept), strict=False))
        rows = f"rows 1–{len(pairs)}" if len(pairs) > 1 else "row 1"
        if all(np.array_equal(row, kept) for row, kept in pairs):
            return f"{rows}: unchanged, bit for bit" if pairs else ""
        change = max(np.abs(row - kept).max() for row, kept in pairs)
        return f"{rows}: changed by up to {change:.0e}, " + (
            "rounding" if change < 1e-5 else "later words leak in"
        )

    def draw(self, figure):
        tokens = [*map(plots.latin, self.target_tokens[: len(self.self_weights)])]
        maps = [
            ("self", self.self_weights, tokens),
            ("cross", self.cross_weights, [*map(plots.latin, self.drawing.source)]),
        ]
        *both, last = figure.subplots(1, 3)
        for axes, (kind, weights, names) in zip(both, maps, strict=True):
            axes.imshow(weights, cmap="cividis", vmin=0, vmax=1, aspect="auto")
            axes.set(
                title=f"{kind}-attention", xlabel="key (who is asked)", ylabel="query (who asks)"
            )
            axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
            axes.set_yticks(range(len(tokens)), tokens)
            for (t, s), weight in np.ndenumerate(weights):
                axes.text(
                    s,
                    t,
                    f"{weight:.2f}",
                    ha="center",
                    va="center",
                    size=7,
                    color="wk"[int(weight > 0.5)],
                )
        words, probabilities = zip(*self._kept[-1][1], strict=True)
        plots.bars(last, words, probabilities, "probability of the next word", plots.WEIGHT)
        last.tick_params(axis="x", rotation=40)
