"""A decoder writes a translation word by word (notebook 8)."""

import re

import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention, softmax
from lib.masks import causal_mask
from lib.widgets.frame import Drawing, InClass, Numbers, Step, named, sources
from lib.widgets.frame.record import Alive
from lib.widgets.frame.word_by_word import KEYS, WordByWord

ROUNDING = 1e-5  # a smaller change of a row that is already written is no leak
LEAST = 0.1  # of a weight whose digits are printed; as in the .mjs
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
# Every word looks for the noun that it has to agree with.
SELF_KEYS = np.array([[0], [1], [2], [0.5], [0.5], [0]])  # (d_model, 1)
# After the start French wants the determiner (l' or la? that depends on the noun), then the noun,
# the adjective, ...
CROSS_QUERIES = np.array(
    [
        [6, 0, 4, 0],
        [0, 0, 6, 0],
        [0, 6, 0, 0],
        [0, 0, 0, 6],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
)  # (d_model, S)
# Scores of the French words from the English meaning.
MEANINGS = np.array(
    [
        [0, 5, 4, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 5, 5, 0, 0],
        [0, 3, 0, 6, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 6, 0],
    ]
)  # (S, words)
# And from the grammar: the end after a verb, agreement.
GRAMMAR = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 6],
        [0, 0, -1, 0, 1, -1, 0, 0],
    ]
)  # (d_model, words)
LEAK = "Earlier lines changed by up to {change:.0e}: later words leak in."
FIRST = "Where does it look to write the first word?"
THEN = "It looked most at “{word}”. Where does it look now?"
TELLING = 2  # words that are written when the looks have crossed


def hand_set_step(tokens):
    """A decoder of one layer with one head, parameters set by hand, for the source SOURCE.

    tokens: T French words.
    Returns (self_weights (T, T), cross_weights (T, S), {word: probability of being next}).
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
    _esm, _css = sources(__file__)
    state = ("tokens",)
    source = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode())
    by_hand = traitlets.Bool().tag(sync=True)
    # tokens, rows (self, cross, word, probability) and notes, all of one step
    picture = traitlets.Dict().tag(sync=True)


class DecoderStepper(WordByWord):
    """Write one word at a time; see where each word looks.

    step(target tokens) -> (self_weights (T, T), cross_weights (T, S), {word: probability of being
    next}) is the decoder, with ``source_tokens`` for its S keys; without both, a decoder with
    parameters set by hand. Writing ends at the word ``end`` or after 12 words. Raises ValueError
    if an answer of ``step`` does not fit the tokens.
    """

    limit = 12

    title = "The decoder writes one word at a time"
    alive = Alive(messages=KEYS, told=True)
    in_class = InClass(FIRST, 4)
    where = ("decoder attention", "cross-attention", "output")

    def __init__(
        self, source_tokens=None, step=None, start="<start>", end="<end>", title=None, question=None
    ):
        if (step is None) != (source_tokens is None):
            raise ValueError(
                "source_tokens and step belong together: "
                "give both, or neither for the decoder set by hand."
            )
        self.step, self.end, self._kept = step or hand_set_step, end, []
        self.drawing = StepperDrawing(
            source=list(source_tokens or SOURCE),
            tokens=[start],
            by_hand=step is None,
            veiled=True,
        )
        self._ask([start])  # what does not fit is said at once
        self.question = question  # or, where it is None, another one for each word
        super().__init__(question or "", [self.button("← take one back", "back")], title)

    def coming(self):
        """The next word, unless it stopped or what it writes is the end."""
        if self.drawing.picture["stopped"] or _likeliest(self.probabilities)[0] == self.end:
            return None
        return Step("And then?", lambda: self.go("ask"), veils=False)

    def go(self, kind):
        """Show what is asked for or "write", write and "ask" what comes then, or take "back"."""
        tokens, rows = self.drawing.tokens, len(self.drawing.picture["rows"])
        if self.drawing.veiled and (kind != "back" or len(tokens) == 1):
            self.drawing.veiled = kind != "write"  # a key too many tells nothing
            return
        with self.drawing.hold_sync():
            if kind == "back":
                self.drawing.tokens = tokens[:-1] or tokens
            elif not self.why_stopped(tokens[1:]):
                self.drawing.tokens = [*tokens, _likeliest(self.probabilities)[0]]
            self.refresh()
            self.drawing.veiled = kind == "ask" and len(self.drawing.picture["rows"]) > rows

    def tell(self):
        """Write until a row looks behind the word before it, and show what it writes."""
        self.reset()
        super().tell()
        for _ in range(TELLING):
            self.go("write")

    def _ask(self, tokens):
        T, S = len(tokens), len(self.drawing.source)
        try:
            own, cross, probabilities = self.step(list(tokens))
            own, cross = np.asarray(own, float), np.asarray(cross, float)  # tensors, too
            probabilities = {str(word): float(p) for word, p in probabilities.items()}
        except (
            Exception,
            SystemExit,
        ) as error:  # the reader's own model; the page says how it failed
            raise ValueError(f"step({tokens}) failed: {named(error)}") from error
        finite = all(np.isfinite(each).all() for each in (own, cross, [*probabilities.values()]))
        if own.shape != (T, T) or cross.shape != (T, S) or not probabilities or not finite:
            raise ValueError(
                f"step returned weights {own.shape}, {cross.shape} and {len(probabilities)} next "
                f"words; expected finite numbers, {T, T}, {T, S} (of one head, or the mean of all) "
                "and at least one next word."
            )
        return own, cross, probabilities

    def _keep_rows_before(self, prefix):
        """Each row but the last as it was when it was the newest; asked for where it never was."""
        self._kept = self._kept[: len(prefix) - 1]
        for length in range(len(self._kept) + 1, len(prefix)):
            own, cross, probabilities = self._ask(prefix[:length])
            self._kept.append((_rows(own, cross)[-1], _likeliest(probabilities)))

    def update(self):
        tokens = list(self.drawing.tokens)
        stopped = self.why_stopped(tokens[1:])
        prefix = tokens[:-1] if stopped else tokens
        try:
            self._keep_rows_before(prefix)
            own, cross, self.probabilities = self._ask(prefix)
        except ValueError:
            self.drawing.tokens = self.target_tokens  # the last that could be shown
            raise
        self.target_tokens, self.self_weights, self.cross_weights = tokens, own, cross
        now = _rows(own, cross)
        self._kept.append((now[-1], _likeliest(self.probabilities)))
        rows = []
        for t, (_, (word, probability)) in enumerate(self._kept):
            row = {"self": own[t].tolist(), "cross": cross[t].tolist()}
            rows.append({**row, "word": word, "probability": probability})
        self.drawing.picture = {
            "tokens": tokens,
            "rows": rows,
            "kept": _compare(now, [row for row, _ in self._kept]),
            "stopped": stopped,
        }
        if self.question is None:
            kind = FIRST if len(rows) == 1 else THEN
            word = self.drawing.source[np.argmax(cross[len(rows) - 2])].replace("'", "’")
            self.header.question = kind.format(word=word)
        self.offer()

    def numbers_on_screen(self, shown):
        own, cross = self.self_weights, self.cross_weights
        kept, following = [], []
        for t in range(len(own)):
            own_then, cross_then, probabilities = self._ask(self.target_tokens[: t + 1])
            kept.append(_rows(own_then, cross_then)[-1])
            following.append(_likeliest(probabilities))
        row = shown["here"][0]
        if self.drawing.veiled and row == len(own) - 1:
            return Numbers([])
        printed = [each for each in (*cross[row], *own[row, : row + 1]) if each >= LEAST]
        texts = [*printed, following[row][1]]
        notes = [_compare(_rows(own, cross), kept)]
        cell = re.search(r"(self|cross)-attention to “\u2068(.*)\u2069” ", shown["caption"])
        if not cell:
            return Numbers(texts, notes)
        names = self.target_tokens if cell[1] == "self" else self.drawing.source
        weights = own[row] if cell[1] == "self" else cross[row]
        names = [name.replace("'", "’") for name in names]
        return Numbers(texts, [weights[names.index(cell[2])], *notes])


def _rows(own, cross):
    """Each row's weights, of the words before it and of the source, one after the other."""
    return [np.concatenate([own[t, : t + 1], cross[t]]) for t in range(len(own))]


def _compare(now, kept):
    """What is said if the rows before the newest, now, are not as they were then."""
    pairs = list(zip(now[:-1], kept, strict=False))
    if not pairs:
        return ""
    change = max(np.abs(row - old).max() for row, old in pairs)
    return "" if change < ROUNDING else LEAK.format(change=change)


def _likeliest(probabilities):
    """The most probable word and its probability."""
    return max(probabilities.items(), key=lambda pair: pair[1])
