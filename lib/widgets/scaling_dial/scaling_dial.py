"""A dial for d_k: how large a weight gets, and what to divide the scores by (notebook 3)."""

import math
from contextlib import suppress
from functools import cache, lru_cache

import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention, softmax
from lib.widgets.frame import Demo, InClass, Numbers, Step, UnaskedDrawing, slider, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.random_vectors import SIZES, normal_numbers
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox

SENTENCES, LENGTH = 64, 16  # each of the 16 words of a sentence is a query and a key
DIGITS = 5  # of what is only drawn
FAR = "At d_k = 64, how large is the largest of 16 weights?"
DIVIDE = "Divide by what, so that d_k stops mattering?"
ASK_BY = 2  # the step of the story that asks it
LOG_OF_1 = "log 1 is 0: at d_k = 1 nothing is divided."


@cache
def vectors(seed):
    """Queries and keys (64, 16, 512) both."""
    return normal_numbers(seed, (2, SENTENCES, LENGTH, SIZES[-1]), np.float32)


def median_row(weights):
    """(sentence, query) of the row whose largest weight is the median of all 1,024."""
    order = weights.max(axis=-1).argsort(axis=None)
    return np.unravel_index(order[len(order) // 2], weights.shape[:2])


def scores_of(queries, keys):
    """(sentence, query, key)."""
    return queries @ keys.swapaxes(-1, -2)


def typical_largest(weights):
    """The median over all rows of their largest weight."""
    return float(np.median(weights.max(axis=-1)))


def divisor_of(text, d_k):
    """(number, how it is written, "" for nothing) of what the reader would divide by.

    Raises ValueError for what is no number above 0 and no name.
    """
    name = text.strip().lower()
    if name in ("", "nothing"):
        return 1.0, ""
    if name in ("√d_k", "√dk", "sqrt", "sqrt(d_k)", "root"):
        return d_k**0.5, "√d_k"
    if name in ("d_k", "dk"):
        return float(d_k), "d_k"
    if name in ("log", "log d_k", "log(d_k)"):
        return math.log(d_k) or 1.0, "log d_k"  # at d_k = 1 it is 0, which divides nothing
    try:
        number = float(name.replace(",", "."))
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise ValueError(
            f"I cannot divide by “{text}” here. A number above 0, √d_k, d_k or log d_k will do."
        )
    return number, "" if number == 1 else f"{number:g}"


@lru_cache(maxsize=16)
def by_size(seed, text):
    """At each of SIZES the spread of the scores divided by this, and the weights as they share."""
    queries, keys = vectors(seed)
    spreads, rows = [], []
    for d_k in SIZES:
        by, _ = divisor_of(text, d_k)
        scores = scores_of(queries[..., :d_k], keys[..., :d_k]) / by  # (64, 16, 16)
        spreads.append(float(scores.std()))
        weights = softmax(scores)
        row = np.sort(weights[median_row(weights)])[::-1]  # (16,): the largest first
        rows.append(row.round(DIGITS).tolist())
    return spreads, rows


class ScalingDialDrawing(UnaskedDrawing):
    _esm, _css = sources(__file__)
    state = ("divides_by",)
    divides_by = traitlets.Unicode("nothing")  # the last that was typed and can divide
    # Of the row whose largest weight is the median, from the largest to the smallest:
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    weights = traitlets.List(traitlets.Float()).tag(sync=True)
    divisor = traitlets.Unicode().tag(sync=True)  # as it is written, "" for nothing
    d_k = traitlets.Int().tag(sync=True)
    sizes = traitlets.List(SIZES).tag(sync=True)
    # At each of the sizes the standard deviation of all scores, divided,
    spreads = traitlets.List(traitlets.Float()).tag(sync=True)
    # and the weights of the median row, divided and not:
    rows = traitlets.List().tag(sync=True)
    plain_rows = traitlets.List().tag(sync=True)


class ScalingDial(Demo):
    """Turn d_k from 1 to 512, and divide the scores by anything: 8, log, √d_k, d_k.

    64 made-up sentences of 16 queries and 16 keys, every component normal with mean 0 and
    variance 1. ``scores`` and ``weights`` (64, 16, 16) read what is on the screen.
    """

    title = "The scaling dial"
    alive = Alive(texts={"c1.value": ("8", "log d_k", "√d_k", "d_k")})
    in_class = InClass(FAR, 5)
    where = ATTENTION

    def __init__(self, seed=14):
        self.seed = seed
        self.queries, self.key_vectors = vectors(seed)
        self.d_k = slider("d_k", SIZES)
        self.divisor = TextBox("nothing", description="divide by")
        self.divisor.observe(self._keep, "value")
        self.drawing = ScalingDialDrawing()
        super().__init__(FAR, [self.d_k, self.divisor], [self.drawing])
        self.tell_story(
            Step("Turn it to 64", lambda: setattr(self.d_k, "value", 64)),
            Step("Divide by what?", question=DIVIDE, veils=False),
            Step("Try d_k", lambda: setattr(self.divisor, "value", "d_k"), veils=False),
            Step("Try another", lambda: setattr(self.divisor, "value", "√d_k"), veils=False),
        )

    def tell(self):
        super().tell()
        self.d_k.value = 64

    def _keep(self, change):
        """What was typed, if it can divide; else what was kept divides on.

        It answers what to divide by, so the story goes on from there.
        """
        with suppress(ValueError):
            _, name = divisor_of(change.new, self.d_k.value)
            self.drawing.divides_by = change.new
            if name and self.drawing.done < ASK_BY:
                self.drawing.veiled = False
                self.take(self.story[ASK_BY - 1])

    def update(self):
        d_k, message = self.d_k.value, ""
        try:
            divisor_of(self.divisor.value, d_k)
        except ValueError as error:
            message = str(error)
        by, name = divisor_of(self.drawing.divides_by, d_k)
        if (d_k, name) == (1, "log d_k"):
            message = message or LOG_OF_1
        self.scale = 1 / by
        queries, keys = self.queries[..., :d_k], self.key_vectors[..., :d_k]
        self.scores = scores_of(queries, keys) * self.scale  # (64, 16, 16)
        self.weights = scaled_dot_product_attention(queries, keys, keys, scale=self.scale)[1]
        with self.drawing.hold_sync():
            self._show(name)
        return message

    def _show(self, name):
        drawing = self.drawing
        drawing.d_k = self.d_k.value
        row = median_row(self.weights)
        order = self.weights[row].argsort()[::-1]  # (16,): the largest first
        drawing.spreads, drawing.rows = by_size(self.seed, drawing.divides_by)
        _, drawing.plain_rows = by_size(self.seed, "")
        drawing.divisor = name
        drawing.scores = self.scores[row][order].tolist()
        drawing.weights = self.weights[row][order].tolist()

    def numbers_on_screen(self, shown):
        if self.drawing.veiled:
            return Numbers([], says="Predict first")
        texts = [typical_largest(self.weights)]
        if shown["here"]:
            here = shown["here"][0]
            score, weight = (of[here] for of in (self.drawing.scores, self.drawing.weights))
            return Numbers(texts, [here + 1, 16, score, weight])
        return Numbers(texts, says="the largest first.")
