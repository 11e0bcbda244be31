"""Attention step by step: every number can be pointed at, those set by hand can be changed (notebook 4)."""

from hashlib import sha256

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.attention import scaled_dot_product_attention
from lib.masks import causal_mask
from lib.widgets.frame import Demo, Drawing, sources

STEPS = ["1 project", "2 Q · Kᵀ", "3 ÷ √d_k", "4 mask", "5 softmax", "6 · V"]
MOST = 6
TARGET = ["il", "était", "fatigué"]
AXES = ["animate", "place", "state", "grammar"]
# Set by hand, one number for each axis, so that every digit on the screen has a meaning that can be told.
LEXICON = """
it .6 .2 .1 .8, was 0 .1 .3 .8, too -.1 0 .3 .9, tired .7 -.2 1 .1, wide -.6 .8 .9 .1, hungry .8 -.1 .9 .1,
the 0 .1 -.1 .9, a 0 0 -.1 .8, animal .9 .1 .1 0, street -.6 .9 0 .1, because 0 -.1 .1 1, didn't -.1 0 -.4 .9,
cross .2 .6 .3 .2, not -.1 0 -.3 .9, is 0 .1 .4 .8, on 0 .7 0 .8, dog 1 -.1 .2 0, cat .9 -.2 .2 0, man .9 0 .1 .1,
woman .9 .1 .1 .1, bites .4 -.1 .6 .1, sleeps .5 .1 .9 0, river -.4 1 .1 0, bank -.3 .8 0 .1, he .8 .1 .1 .7,
she .8 .2 .1 .7, they .7 .2 0 .8, il .7 .2 .1 .7, était 0 .1 .4 .7, fatigué .6 -.1 .9 .1
"""
LEXICON = {word: [float(x) for x in row] for word, *row in map(str.split, LEXICON.split(","))}
PARAMETERS = {
    "Q": [[1.2, 0.4], [0.3, -0.5], [-0.3, 1.5], [0.7, 0.1]],  # (d_model, d_k)
    "K": [[0.4, 1.1], [0.2, -0.6], [1.4, -0.8], [-0.6, 0.3]],  # (d_model, d_k)
    "V": [[1.0, 0.0, -0.5], [-0.4, 0.8, 0.2], [0.3, 0.6, 1.0], [0.1, -0.7, 0.4]],  # (d_model, d_v)
}


def word_vector(word):
    """The numbers of a word, made up if it is not in the lexicon: from its letters, so the same on every computer."""
    known = LEXICON.get(word.lower().replace("’", "'"))
    return known or [
        (byte % 21 - 10) / 10
        for byte in sha256(word.encode("utf-8", "replace")).digest()[: len(AXES)]
    ]


class StepsDrawing(Drawing):
    _esm, _css = sources("attention_steps")
    state = ("edited", "parameters")
    axes = traitlets.List(AXES).tag(sync=True)
    attention = traitlets.Unicode("self").tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    matrix = traitlets.Unicode("Q").tag(sync=True)
    tokens = traitlets.List().tag(sync=True)
    queries = traitlets.List().tag(sync=True)
    numbers = traitlets.Dict().tag(sync=True)
    parameters = traitlets.Dict(PARAMETERS).tag(sync=True)
    edited = traitlets.Dict().tag(sync=True)  # word -> the numbers that the reader gave it


def _now(name, what):
    return property(lambda self: self._arrays[name].copy(), doc=what)


class AttentionSteps(Demo):
    """A sentence through attention in six steps, with real digits.

    sentence: up to six words; attention: "self", "causal" or "cross" (then a French sentence asks); step: 0 to 5.
    What is on the screen can be read as arrays. Raises ValueError for an empty sentence and for unknown settings.
    """

    X = _now("X", "(S, d_model): one vector for each word of the sentence.")
    X_queries = _now(
        "X_queries",
        "(T, d_model): the vectors that the queries are made of; X but for cross-attention.",
    )
    W_Q, W_K, W_V = (
        _now(f"W_{name}", f"(d_model, width): the parameters that make {name}.") for name in "QKV"
    )
    Q = _now("Q", "(T, d_k): the queries.")
    K = _now("K", "(S, d_k): the keys.")
    V = _now("V", "(S, d_v): the values.")
    mask = _now("mask", "(T, S): True = may attend.")
    scores = _now("scores", "(T, S): what softmax sees, scaled and with -inf where masked.")
    weights = _now("weights", "(T, S): rows add up to 1.")
    output = _now("output", "(T, d_v): the weighted average of the values.")

    def __init__(self, sentence="it was too tired", attention="self", step=0):
        kinds = ["self", "causal", "cross"]
        if attention not in kinds or step not in range(len(STEPS)) or not sentence.split():
            raise ValueError(
                f"sentence = {sentence!r}, attention = {attention!r}, step = {step!r}; expected one word or more, "
                f"attention one of {kinds}, step from 0 to {len(STEPS) - 1}."
            )
        self.drawing = StepsDrawing(step=step)
        self.attention = ipywidgets.Dropdown(
            options=kinds, value=attention, description="attention"
        )
        options = [(name, i) for i, name in enumerate(STEPS)]
        self.steps = ipywidgets.ToggleButtons(options=options, value=step, description="step")
        self.steps.add_class("step-list")
        self.matrix = ipywidgets.Dropdown(options=["Q", "K", "V"], description="step 1 makes")
        self.sentence = ipywidgets.Text(sentence, description="words", continuous_update=False)
        traitlets.link((self.steps, "value"), (self.drawing, "step"))
        super().__init__(
            "Attention, step by step",
            "Predict: whose value will “it” take most of? And when it may not look ahead (causal)?",
            [self.sentence, self.attention, self.steps, self.matrix],
            [self.drawing],
        )
        self.drawing.observe(self.refresh, ["edited", "parameters"])

    @property
    def tokens(self):
        """The S words shown."""
        return list(self.drawing.tokens)

    def update(self):
        words = self.sentence.value.split() or self.tokens
        tokens = [word.strip(".,;:!?…") or word for word in words[:MOST]]
        queries = TARGET if self.attention.value == "cross" else tokens
        edited = self.drawing.edited
        X, X_queries = (
            np.array([edited.get(w) or word_vector(w) for w in of], float)
            for of in (tokens, queries)
        )
        W_Q, W_K, W_V = (np.array(self.drawing.parameters[name], float) for name in "QKV")
        Q, K, V = X_queries @ W_Q, X @ W_K, X @ W_V  # (T, d_k), (S, d_k), (S, d_v)
        T, S, d_k = len(Q), *K.shape
        mask = causal_mask(T) if self.attention.value == "causal" else np.ones((T, S), bool)
        output, weights = scaled_dot_product_attention(Q, K, V, mask)  # (T, d_v), (T, S)
        products = Q @ K.T  # (T, S)
        scaled = products / np.sqrt(d_k)
        seen = {"X": X, "X_queries": X_queries, "Q": Q, "K": K, "V": V, "mask": mask}
        seen |= {"products": products, "scaled": scaled, "weights": weights, "output": output}
        self._arrays = seen | {
            "W_Q": W_Q,
            "W_K": W_K,
            "W_V": W_V,
            "scores": np.where(mask, scaled, -np.inf),
        }
        with self.drawing.hold_sync():
            self.drawing.attention, self.drawing.matrix = self.attention.value, self.matrix.value
            self.drawing.tokens, self.drawing.queries = tokens, queries
            self.drawing.numbers = {name: array.tolist() for name, array in seen.items()}
        made_up = dict.fromkeys(
            w for w in tokens if w.lower().replace("’", "'") not in LEXICON and w not in edited
        )
        self.matrix.disabled = self.steps.value != 0
        if not self.sentence.value.split():
            return "No words: type one to six of them. The last sentence stays."
        return _note(made_up, len(words))

    def draw(self, figure):
        made, T, S = self.matrix.value, self.drawing.queries, self.drawing.tokens
        shown = [
            ["X_queries" if made == "Q" else "X", f"W_{made}", made],
            ["Q", "K", "products"],
            ["products", "scaled"],
            ["scaled", "scores"],
            ["scores", "weights"],
            ["weights", "V", "output"],
        ][self.steps.value]
        titles = {
            "X_queries": "X",
            "products": "Q K^T",
            "scaled": "Q K^T / sqrt(d_k)",
            "scores": "what softmax sees",
        }
        widths = [self._arrays[name].shape[1] + 1.5 for name in shown]
        for axes, name in zip(
            figure.subplots(1, len(shown), width_ratios=widths), shown, strict=True
        ):
            array = self._arrays[name]
            rows = AXES if name.startswith("W_") else S if name in ("X", "K", "V") else T
            counted = name in ("Q", "K", "V", "output") or name.startswith("W_")
            columns = (
                [f"{i + 1}" for i in range(array.shape[1])]
                if counted
                else AXES
                if name.startswith("X")
                else S
            )
            digits, most = (
                [[f"{x:.2f}" for x in row] for row in array],
                8 if len(columns) < 5 else 5,
            )
            labels = [plots.latin(word, most) for word in columns]
            box = [0, 1 - 0.14 * (len(rows) + 1), 1, 0.14 * (len(rows) + 1)]
            table = axes.table(
                digits,
                rowLabels=[*map(plots.latin, rows)],
                colLabels=labels,
                cellLoc="center",
                bbox=box,
            )
            table.auto_set_font_size(False)
            table.set_fontsize(8)
            axes.axis("off")
            axes.set_title(f"{titles.get(name, name)}  {len(rows)} x {len(columns)}", size=10)


def _note(made_up, count):
    names = ", ".join(f"“{word[:12]}{'…' * (len(word) > 12)}”" for word in made_up)
    notes = [f"Not in the lexicon, numbers made up: {names}."] if made_up else []
    return " ".join([f"Only the first six of {count} words are shown."] * (count > MOST) + notes)
