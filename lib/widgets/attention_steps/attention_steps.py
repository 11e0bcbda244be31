"""Attention step by step: every number can be pointed at, and some can be changed (notebook 4)."""

from functools import partial
from hashlib import sha256

import ipywidgets
import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention
from lib.corpus.toy_embeddings import AXES, W_K, W_Q, W_V, WORDS, is_known, word_vector
from lib.masks import causal_mask
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox

STEPS = ["1 Q", "1 K", "1 V", "2 QKᵀ", "3 ÷√dₖ", "4 mask", "5 softmax", "6 ·V"]
K = 1
COMPARE, SCALE, MASK, SOFTMAX, COLLECT = range(3, len(STEPS))
# Those that Enter leads to, and what is done until there; a mask where there is one. The values
# rest until they are collected: what is asked before is about queries and keys.
STORY = {K: "Make Q and K", COMPARE: "Q times K", SOFTMAX: "Divide, softmax"}
STORY |= {COLLECT: "Make V, collect"}
MASKED = STORY | {MASK: "Divide, mask", SOFTMAX: "Softmax"}
QUESTION = -1  # the drawing's step before the first
KINDS = ["self", "causal", "cross"]
MOST = 6
LONG = 12  # letters of a word in a sentence
# Digits after the point: without the noise beyond them a tie, such as 0.125, is written alike
# wherever it was computed.
EXACT = 12
ASKS = "Which number of “{word}” will attention change most?"
ASKS_OF = "Which number will “{word}” collect most of?"  # a French word has none here before
ASKS_FIRST = "From which word will “{word}” take most?"  # until values are collected
SENTENCE = "animal … street … it was … tired"  # toy_embeddings.FEW, as what is left of the sentence
STORY_OF_ONE = "words"  # instead of a part: one word asks; a tab leads to the whole matrices
OPEN = MOST  # no column yet: of a map the largest is pointed at, at the end what changes most
TARGET = ["il", "était", "fatigué"]
GOAL = "takes a share of each word"  # in the sentence of the first sight
NO_AXES = ["1", "2", "3", "4"]  # made-up numbers say nothing about being animate
PARAMETERS = {"Q": W_Q.tolist(), "K": W_K.tolist(), "V": W_V.tolist()}


def made_up(word):
    """Numbers for a word without a vector, from its letters: the same on every computer."""
    digest = sha256(word.encode("utf-8", "replace")).digest()
    return [(byte % 21 - 10) / 10 for byte in digest[: len(AXES)]]


def words_of(sentence):
    """The words of a sentence, without what stands between them: "animal … it" has two."""
    words = [word.strip(".,;:!?…") or word for word in sentence.split()]
    return [word for word in words if word.strip("….,;:!?")] or words


def _array(name, told):
    """What is on the screen, as a copy: nobody changes the demo's own."""
    return property(lambda demo: demo._arrays[name].copy(), doc=told)


class StepsDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("edited", "parameters", "pointed")
    axes = traitlets.List(AXES).tag(sync=True)
    attention = traitlets.Unicode("self").tag(sync=True)
    step = traitlets.Int(QUESTION).tag(sync=True)
    tokens = traitlets.List().tag(sync=True)
    queries = traitlets.List().tag(sync=True)
    numbers = traitlets.Dict().tag(sync=True)
    parameters = traitlets.Dict(PARAMETERS).tag(sync=True)
    edited = traitlets.Dict().tag(sync=True)  # word -> the numbers that the reader gave it
    pointed = traitlets.Dict().tag(sync=True)  # asks: the row of the query


class AttentionSteps(Demo):
    """A sentence through attention in six steps, with real digits.

    sentence: up to six words; attention: "self", "causal" or "cross" (then a French sentence asks);
    step: 0 to 7, or None for the question before them. What is on the screen can be read as
    arrays. Raises ValueError for an empty sentence and for unknown settings.
    """

    title = "Attention, step by step"
    alive = Alive(
        told=True,
        changes=tuple({"step": i} for i in range(QUESTION, len(STEPS))),
        computed=("d0.numbers", "h.question"),
        given=lambda: {
            "vectors": {word: _vector(word) for word in (*WORDS, *TARGET)},
            "asks": [ASKS_FIRST, ASKS, ASKS_OF],
        },
    )
    in_class = InClass(ASKS_FIRST.format(word="it"), 15)
    where = ATTENTION

    def __init__(self, sentence=SENTENCE, attention="self", step=None):
        is_step = step is None or step in range(len(STEPS))
        if attention not in KINDS or not is_step or not sentence.split():
            raise ValueError(
                f"sentence = {sentence!r}, attention = {attention!r}, step = {step!r}; expected "
                f"one word or more, attention one of {KINDS}, step from 0 to {COLLECT} or None."
            )
        queries = TARGET if attention == "cross" else words_of(sentence)[:MOST]
        self.drawing = StepsDrawing(veiled=True, pointed=_start(_asker(queries)))
        self.attention = ipywidgets.Dropdown(
            options=KINDS, value=attention, description="attention"
        )
        options = [(name, i) for i, name in enumerate(STEPS)]
        self.steps = ipywidgets.ToggleButtons(options=options, value=step, description="step")
        self.sentence = TextBox(sentence, description="words", continuous_update=False)
        for control in (self.sentence, self.attention, self.steps):
            control.add_class("step-control").add_class("unlabelled")
        traitlets.link((self.steps, "value"), (self.drawing, "step"), (_number_of, _value_of))
        super().__init__(
            "",  # asked in update, for other words are other questions
            [self.sentence, self.attention, self.steps],
            [self.drawing],
        )
        self.drawing.observe(self.refresh, ["edited", "parameters"])
        self.drawing.observe(self._to_result, "step")
        self.drawing.observe(self._ask, ["step", "pointed"])
        for control in (self.sentence, self.attention):
            control.observe(self._veil, "value")
        self.drawing.observe(lambda _change: self._go_to(self.steps.value), "veiled")
        self.tell_story()

    def coming(self):
        """The step after the present one; a mask is passed by where there is none."""
        after = min((i for i in self._story if i > self.drawing.step), default=None)
        return after and Step(self._story[after], partial(self._go_to, after), veils=False)

    @property
    def _story(self):
        return MASKED if self.attention.value == "causal" else STORY

    @property
    def _row(self):
        """The row that is asked about: once there are scores, the one that is read."""
        queries = self.drawing.queries
        if self.drawing.step < COMPARE:
            return _asker(queries)
        return min(self.drawing.pointed["asks"], len(queries) - 1)

    def _go_to(self, step):
        """What Enter makes or shows is of the row that is asked about, wherever one has looked."""
        row = self._row
        self.steps.value = step
        self.drawing.pointed = _start(row)

    def _to_result(self, _change):
        """In another step, its result is pointed at."""
        self.drawing.pointed = self.drawing.pointed | {"part": "result"}

    def _veil(self, _change):
        """Other words, or another who asks, are another question."""
        self.drawing.veiled = True
        self.drawing.pointed = _start(_asker(self.drawing.queries))

    def tell(self):
        super().tell()
        self._go_to(COLLECT)

    @property
    def tokens(self):
        """The S words shown."""
        return list(self.drawing.tokens)

    X = _array("X", "(S, d_model): one vector for each word of the sentence.")
    X_queries = _array(
        "X_queries", "(T, d_model): what the queries are made of; X but for cross-attention."
    )
    W_Q = _array("W_Q", "(d_model, d_k): the parameters that make Q.")
    W_K = _array("W_K", "(d_model, d_k): the parameters that make K.")
    W_V = _array("W_V", "(d_model, d_v): the parameters that make V.")
    Q = _array("Q", "(T, d_k): the queries.")
    K = _array("K", "(S, d_k): the keys.")
    V = _array("V", "(S, d_v): the values.")
    mask = _array("mask", "(T, S): True = may attend.")
    scores = _array("scores", "(T, S): what softmax sees, scaled and with -inf where masked.")
    weights = _array("weights", "(T, S): rows add up to 1.")
    output = _array("output", "(T, d_v): the weighted average of the values.")

    def update(self):
        words = words_of(self.sentence.value) or self.tokens
        tokens = words[:MOST]
        queries = TARGET if self.attention.value == "cross" else tokens
        self._arrays = self._compute(queries, tokens)
        unseen = ("W_Q", "W_K", "W_V", "scores")  # the drawing has or makes them
        with self.drawing.hold_sync():
            self.drawing.attention = self.attention.value
            self.drawing.axes = AXES if all(map(is_known, tokens)) else NO_AXES
            self.drawing.tokens, self.drawing.queries = tokens, queries
            self.drawing.numbers = {
                name: array.tolist() for name, array in self._arrays.items() if name not in unseen
            }
        self.offer()
        self._ask()
        if not self.sentence.value.split():
            return "No words: type one to six of them. The last sentence stays."
        edited = self.drawing.edited
        unknown = [word for word in tokens if not is_known(word) and word not in edited]
        return _note(list(dict.fromkeys(unknown)), len(words))

    def _ask(self, _change=None):
        asks = ASKS_OF if self.attention.value == "cross" else ASKS
        if self.drawing.step < COLLECT:
            asks = ASKS_FIRST
        word = self.drawing.queries[self._row]
        self.header.question = asks.format(word=_short(word))

    def _compute(self, queries, tokens):
        """All arrays of the six steps by name."""
        X, X_queries = self._vectors(tokens), self._vectors(queries)
        W_Q = np.array(self.drawing.parameters["Q"], float)
        W_K = np.array(self.drawing.parameters["K"], float)
        W_V = np.array(self.drawing.parameters["V"], float)
        Q = X_queries @ W_Q  # (T, d_k)
        K = X @ W_K  # (S, d_k)
        V = X @ W_V  # (S, d_v)
        T, S = len(Q), len(K)
        mask = causal_mask(T) if self.attention.value == "causal" else np.ones((T, S), bool)
        output, weights = scaled_dot_product_attention(Q, K, V, mask)  # (T, d_v), (T, S)
        products = Q @ K.T  # (T, S)
        scaled = products / np.sqrt(K.shape[1])
        arrays = {
            "X": X,
            "X_queries": X_queries,
            "W_Q": W_Q,
            "W_K": W_K,
            "W_V": W_V,
            "Q": Q,
            "K": K,
            "V": V,
            "mask": mask,
            "products": products,
            "scaled": scaled,
            "scores": np.where(mask, scaled, -np.inf),
            "weights": weights,
            "output": output,
        }
        return {
            name: array if array.dtype == bool else array.round(EXACT)
            for name, array in arrays.items()
        }

    def _vectors(self, words):
        edited = self.drawing.edited
        return np.array([edited.get(word) or _vector(word) for word in words], float)

    @property
    def _shown(self):
        """The arrays of the present step by part, as the drawing shows them."""
        arrays = self._arrays
        is_causal = self.attention.value == "causal"
        scores = "scores" if is_causal else "scaled"
        names = [
            ["X_queries", "W_Q", "Q"],
            ["X", "W_K", "K"],
            ["X", "W_V", "V"],
            ["Q", "K", "products"],
            ["products", "scaled"],
            ["scaled", "scores"] if is_causal else ["scaled"],
            [scores, "weights"],
            ["weights", "V", "output"],
        ][self.steps.value]
        parts = {1: ["result"], 2: ["first", "result"], 3: ["first", "second", "result"]}
        shown = {part: arrays[name] for part, name in zip(parts[len(names)], names, strict=True)}
        if self.steps.value == COMPARE:
            shown["second"] = shown["second"].T  # Kᵀ
        return shown

    def _pointed(self, shown):
        """part, i, j of the pointed cell, inside the matrices of this step."""
        pointed = self.drawing.pointed
        part = pointed["part"] if pointed["part"] in shown else "result"
        rows, columns = shown[part].shape
        i = min(pointed["i"], rows - 1)
        if self.steps.value >= COMPARE and part == "result" and pointed["j"] >= columns:
            is_last = self.steps.value == COLLECT
            return part, i, self._most_changed(i) if is_last else int(np.argmax(shown[part][i]))
        return part, i, min(pointed["j"], columns - 1)

    def _most_changed(self, i):
        """The value of a word that attention changes most; of a French one, the largest."""
        output, V = self._arrays["output"][i], self._arrays["V"]
        is_other = self.attention.value == "cross"
        return int(np.argmax(output if is_other else np.abs(output - V[i])))

    def numbers_on_screen(self, _seen):
        if self.steps.value is None:
            return Numbers([], says=GOAL)
        shown = self._shown
        part, i, j = self._pointed(shown)
        is_last = self.steps.value == COLLECT
        is_story = self.drawing.pointed["part"] == STORY_OF_ONE
        is_none = is_story and self.drawing.pointed["j"] > j
        if is_story and self.steps.value in self._story and not is_last:
            texts = self._asked(shown)
            if is_none or self.steps.value == K:
                return Numbers(texts, says="key" if self.steps.value == K else "score")
        else:
            texts = self._collected() if is_last else self._read(shown, part, i, j)
        if is_last and self.drawing.veiled and part == "result":
            return Numbers(texts, says="Enter shows both.")
        if is_last and is_none:
            shares = self._arrays["weights"][i] * self._arrays["V"][:, j]
            total = self._arrays["output"][i, j]
            return Numbers(texts, [max(shares, key=lambda x: x if total >= 0 else -x), total])
        if "second" not in shown:
            return Numbers(texts, self._one_by_one(i, j))
        if part != "result":
            return Numbers(texts, [shown[part][i, j]])
        factors = np.stack([shown["first"][i], shown["second"][:, j]], axis=-1)
        return Numbers(texts, [*factors.flat, shown["result"][i, j]])

    def _collected(self):
        """The numbers of the last step: weight and values of each word but 0, then the output."""
        weights, V, output = (self._arrays[name] for name in ("weights", "V", "output"))
        rows = []
        for weight, values in zip(weights[self._row], V, strict=True):
            rows += [weight, *(value for value in values if round(value, 2))]
        return rows if self.drawing.veiled else [*rows, *output[self._row]]

    def _asked(self, shown):
        """The numbers of the word that asks, and of those that it asks."""
        asks = self._row
        if self.steps.value == SOFTMAX:
            pairs = zip(shown["result"][asks], shown["first"][asks], strict=True)
            return [number for pair in pairs for number in pair]
        keys = [*self._arrays["Q"][asks], *self._arrays["K"].flat]
        return keys if self.steps.value == K else [*keys, *shown["result"][asks]]

    def _read(self, shown, part, i, j):
        """The numbers of the pointed row, and of the column that meets it; others are shades."""
        row = i
        if part == "second":
            row = min(self.drawing.pointed["asks"], len(shown["result"]) - 1)
        numbers = []
        for name, array in shown.items():
            if name != "second":
                numbers += [*array[row]]
            elif part != "first":
                numbers += [*array[:, j]]
        return numbers

    def _one_by_one(self, i, j):
        """The numbers of the sentence about a cell that is made of one row: steps 3, 4 and 5."""
        product, scaled = self._arrays["products"][i, j], self._arrays["scaled"][i, j]
        if self.steps.value == SCALE:
            d_k = self._arrays["K"].shape[1]
            return [product, d_k, product, np.sqrt(d_k), scaled]
        if self.steps.value == MASK:
            return [scaled] if self._arrays["mask"][i, j] else [-np.inf, 0]
        scores = self._arrays["scores"][i]
        return [scores[j], *scores, self._arrays["weights"][i, j]]


def _number_of(value):
    """The drawing's step where the control of the steps has this value; None is none of them."""
    return QUESTION if value is None else value


def _value_of(number):
    return None if number == QUESTION else number


def _asker(queries):
    """The row that is asked about at first: that of "it", or the first."""
    plain = [word.lower() for word in queries]
    return plain.index("it") if "it" in plain else 0


def _start(row):
    """What is pointed at in the story of this row."""
    return {"part": STORY_OF_ONE, "i": row, "j": OPEN, "asks": row}


def _vector(word):
    return word_vector(word).tolist() if is_known(word) else made_up(word)


def _note(unknown, count):
    notes = []
    if count > MOST:
        notes.append(f"Only the first six of {count} words are shown.")
    if unknown:
        names = ", ".join(f"“{_short(word)}”" for word in unknown)
        notes.append(f"Numbers made up, so the axes have no names: {names}.")
    return " ".join(notes)


def _short(word):
    return word if len(word) <= LONG else f"{word[:LONG]}…"
