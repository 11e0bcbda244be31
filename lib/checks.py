"""Exercise checks: ``checks.scaling(my_function)`` answers in one line, and names the mistake where it knows it.

An answer is run on two sets of inputs in which every axis has a size of its own, and looked up in a table of answers:
the right one first, then the classic wrong ones, each with what to say. A check never raises on the learner's code: it
reports. A new check is such a table and its inputs; tests/mutants.py has to learn its right and wrong answers, too.
"""

import contextlib
import inspect
import sys
import warnings
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

import lib.attention as library


@dataclass(frozen=True)
class Result:
    """What a check says: ``ok`` and one line, ``message``."""

    ok: bool
    message: str

    def __repr__(self):
        return f"{'✓ Right' if self.ok else '✗ Not yet'}: {self.message}"


class _NotNumbersError(Exception):
    """Says what there is in place of numbers."""


def _floats(value):
    """Numbers, lists, arrays or tensors as an array of floats; of a pair (output, weights), the output."""
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) > 1:
        value = value[0]
    if value is None or value is Ellipsis:
        raise _NotNumbersError("nothing yet; end it with return and the result")
    try:
        array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    except ValueError:
        raise _NotNumbersError("rows of different lengths; make them equally long") from None
    if array.dtype.kind not in "biuf":
        kind = type(value).__name__
        hint = {"function": "; return its result", "generator": "; write return, not yield"}.get(kind, "")
        raise _NotNumbersError(f"{kind}{f' of {array.dtype}' if array.ndim else ''}, not real numbers{hint}")
    return array.astype(float)


def _run(answer, case, names):
    """(the learner's result as an array of floats, None), or (None, a sentence that says why there is none)."""
    with contextlib.suppress(ValueError):  # raised for built-in functions that do not tell their parameters
        try:
            inspect.signature(answer).bind(*case)
        except TypeError as error:
            return None, f"your function is called with ({', '.join(names)}), but its parameters do not fit: {error}."
    problem = ""
    for convert in (np.copy, _tensor):  # an answer written for tensors gets tensors
        if convert is _tensor and "torch" not in sys.modules:
            break
        given = [convert(x) if isinstance(x, np.ndarray) else x for x in case]
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = _floats(answer(*given))
        except _NotNumbersError as error:
            return None, f"your function returns {error}."
        except (Exception, SystemExit) as error:  # the learner's code may fail in any way, and the page goes on
            if isinstance(error, NotImplementedError) and not error.args:
                return None, "your function is not written yet."
            says = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            inputs = ", ".join(f"{name} {np.shape(x) or x}" for name, x in zip(names, case, strict=True))
            if not problem or "ensor" in problem:  # NumPy's error, unless it says that it wants a tensor
                problem = f"your function stopped with {says} (inputs: {inputs})."
            continue
        for name, x, y in zip(names, given, case, strict=True):
            if not np.array_equal(_floats(x), _floats(convert(y))):
                return None, f"your function changes its input {name}; work on a copy."
        return value, None
    return None, problem


def _tensor(array):
    return sys.modules["torch"].tensor(array).float()


def _same(value, wanted):
    return value.shape == wanted.shape and np.allclose(value, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)


def _find(values, cases, table):
    """The Result for the first answer of the table that gives these values in all cases, or None."""
    for place, (known, sentence) in enumerate(table):
        # A mistake that cannot be made here (no values, axes that do not fit) stops, and is passed over.
        with contextlib.suppress(TypeError, ValueError), np.errstate(all="ignore"):
            if all(_same(value, np.asarray(known(*case))) for value, case in zip(values, cases, strict=True)):
                return Result(place == 0, sentence)
    return None


def _describe(value, wanted):
    """What is wrong with a value whose mistake has no name."""
    if value.shape != wanted.shape:
        have, want = (f"shape {x.shape}" if x.shape else "one number" for x in (value, wanted))
        return f"the result is {have}; expected {want}."
    if not np.isfinite(value).all():
        return "the result holds NaN or inf; look for 0/0, or exp of a large number."
    if (value == value.round()).all() and (wanted != wanted.round()).any():
        return "the result holds whole numbers only; an int array, // or a rounding cuts off the rest."
    note = "the shape is right, but"
    if wanted.ndim == 2 and np.allclose(wanted.sum(-1), 1) and not np.allclose(value.sum(-1), 1):  # weights
        columns = "your columns sum to 1, " if np.allclose(value.sum(-2), 1) else ""
        low, high = value.sum(-1).min(), value.sum(-1).max()
        note = f"{columns}your rows sum to {low:.2f}…{high:.2f}, and each row has to sum to 1;"
    where = np.unravel_index(np.abs(value - wanted).argmax(), wanted.shape)
    at = f" at {tuple(map(int, where))}" if where else ""
    return f"{note}{at} you have {value[where]:.3f} where {wanted[where]:.3f} is right."


def _judge(answer, cases, table, square=None):
    """Look the answer up in the table, or describe what is wrong with it.

    square: inputs with as many queries as keys, for an answer that stops; there, swapped axes can be named.
    """
    if not callable(answer):
        return Result(False, f"this check takes your function, not {type(answer).__name__}; give its name, without ().")
    right = table[0][0]
    names = list(inspect.signature(right).parameters)[: len(cases[0])]
    values, wanted, start = [], [np.asarray(right(*case)) for case in cases], ""
    for case in cases:
        value, problem = _run(answer, case, names)
        if problem:
            other = _run(answer, square, names)[0] if square and "stopped" in problem else None
            return (other is not None and _find([other], [square], [(len, ""), *table[1:]])) or Result(
                False, start + problem
            )
        values.append(value)
        start = "right for the first inputs, but with other sizes " if _same(values[0], wanted[0]) else ""
    unchanged = [(lambda *case, i=i: case[i], f"you return {name} unchanged.") for i, name in enumerate(names)]
    if result := _find(values, cases, table + unchanged):
        return result
    if isinstance(cases[0][0], np.ndarray):
        other = _run(answer, [x**3 if isinstance(x, np.ndarray) else x for x in cases[0]], names)[0]
        if other is not None and np.isfinite(other).all() and _same(other, values[0]):
            return Result(False, "the result is the same whatever numbers come in; does your function use its inputs?")
    return Result(False, start + next(_describe(v, w) for v, w in zip(values, wanted, strict=True) if not _same(v, w)))


def _judge_number(answer, table, tolerance=0.005):
    """Look a number up in the table (relative tolerance), or say whether it is too small or too large."""
    try:
        value = _floats(answer).item()
    except Exception:
        value = np.nan
    if np.isnan(value):
        return Result(False, f"this check takes one number; this is {type(answer).__name__}.")
    for place, (known, sentence) in enumerate(table):
        if abs(value - known) <= tolerance * abs(known):
            return Result(place == 0, sentence)
    right = table[0][0]
    digits = " Give two digits after the point." if abs(value - right) < 0.03 * abs(right) else ""
    return Result(False, f"{value:g} is too {'small' if value < right else 'large'}.{digits}")


def _normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


def _length(x):
    return np.linalg.norm(x, axis=-1)


# Notebook 1
_VECTORS = [(_normal(d), _normal(d, seed=1)) for d in (3, 5)]


def dot_product(answer):
    """answer(q (d,), k (d,)) -> number."""
    table = [
        (lambda q, k: q @ k, "multiply component by component, then add up."),
        (lambda q, k: q * k, "you multiplied the components but did not add them up; a dot product is one number."),
        (lambda q, k: (q * k).mean(), "you averaged the products; a dot product adds them up and does not divide."),
        (lambda q, k: q.sum() * k.sum(), "you multiplied the sums; multiply component by component first, then add."),
        (lambda q, k: (q + k).sum(), "you added the vectors; multiply component by component, then add up."),
        (_cosine, "this is the cosine: you divided by the lengths, and a dot product keeps them."),
        (np.outer, "this is a table of every component times every other; only the equal places count."),
        (lambda q, k: q[:-1] @ k[:-1], "you left out the last component; does your loop run to the end?"),
        (lambda q, k: q[0] * k[0], "only the first component counts; put return behind the loop, not inside it."),
        (lambda q, k: q[-1] * k[-1], "only the last component counts; add to the total with +=, not =."),
    ]
    return _judge(answer, _VECTORS, table)


def _cosine(q, k):
    return q @ k / (_length(q) * _length(k))


def cosine(answer):
    """answer(q (d,), k (d,)) -> number from -1 to 1."""
    table = [
        (_cosine, "the dot product of the directions alone; the lengths are gone."),
        (lambda q, k: q @ k, "this is the dot product; divide it by both lengths."),
        (lambda q, k: q @ k / (q @ q) / (k @ k), "you divided by the squared lengths; a length has a square root."),
        (lambda q, k: q @ k / _length(q), "you divided by the length of q only; k has one too."),
        (lambda q, k: q @ k / _length(k), "you divided by the length of k only; q has one too."),
        (lambda q, k: q @ k / _length(q) * _length(k), "you multiplied by the length of k; write a / (b * c)."),
        (lambda q, k: q @ k / (_length(q) + _length(k)), "you divided by the sum of the lengths; take their product."),
        (lambda q, k: q @ k / len(q), "you divided by the number of components; divide by both lengths."),
        (lambda q, k: abs(_cosine(q, k)), "you took the absolute value; opposite directions have cosine -1."),
        (lambda q, k: 1 - _cosine(q, k), "this is 1 minus the cosine, a distance; return the cosine itself."),
        (lambda q, k: np.arccos(_cosine(q, k)), "this is the angle; return its cosine."),
    ]
    return _judge(answer, _VECTORS, table)


def worse_but_winning(q, k, other):
    """Is ``other`` (d,) less aligned with q (d,) than k (d,) is, and yet the winner by dot product?"""
    try:
        q, k, other = np.array([_floats(x) for x in (q, k, other)]).reshape(3, -1)
    except Exception:
        return Result(False, "this check takes three vectors of the same length: q, k and other.")
    with np.errstate(all="ignore"):
        scores, cosines = (q @ k, q @ other), (_cosine(q, k), _cosine(q, other))
    if not np.isfinite([scores, cosines]).all():
        return Result(False, "a vector of zeros has no direction; all three need a length above 0, and finite numbers.")
    says = "cosines {:.2f} and {:.2f}, scores {:.2f} and {:.2f}".format(*cosines, *scores)
    if cosines[1] > cosines[0] - 1e-9:
        return Result(False, f"{says}: other is not worse aligned. Turn it away from q.")
    if scores[1] <= scores[0]:
        return Result(False, f"{says}: other is worse aligned, but it does not win. Length counts too.")
    return Result(True, f"{says}: worse aligned, and still the winner, because lengths count.")


def all_pairs(answer):
    """answer(X (T, d)) -> (T, T): the dot product of every row of X with every row."""
    table = [
        (lambda X: X @ X.T, "row i, column j holds word i · word j."),
        (lambda X: X.T @ X, "this compares the columns (the features) with each other; the words are the rows."),
        (lambda X: X * X, "this multiplies each number by itself; every row has to meet every row."),
        (lambda X: (X * X).sum(-1), "this is each row with itself, the diagonal; every row has to meet every row."),
        (lambda X: X @ X.T / np.outer(_length(X), _length(X)), "these are cosines; keep the lengths."),
        (lambda X: np.triu(X @ X.T), "below the diagonal you have 0; fill it as well, row j · row i."),
    ]
    return _judge(answer, [(_normal(4, 3),), (_normal(2, 5),)], table)


# Notebook 2
def softmax(answer):
    """answer(scores (T, S)) -> weights (T, S): each row adds up to 1, for scores of any size."""
    e, total, top = np.exp, partial(np.sum, axis=-1, keepdims=True), partial(np.max, axis=-1, keepdims=True)
    right = (library.softmax, "each row sums to 1, and scores of 1000 are no problem.")
    table = [
        right,
        (lambda s: library.softmax(s, 0), "your columns sum to 1, not your rows; use axis -1, the keys, not axis 0."),
        (lambda s: e(s) / e(s).sum(), "the whole table sums to 1; each row, one query, has to sum to 1 on its own."),
        (lambda s: s / total(s), "you divided by the sum without exp first; negative scores give negative weights."),
        (lambda s: e(s), "exp is there, but the rows do not sum to 1; divide by each row's sum."),
        (lambda s: e(s - top(s)), "exp(score - largest) is there, but the rows do not sum to 1; divide by their sums."),
        (lambda s: e(s) / total(s), "you divided by the sum of the scores; divide by the sum of their exp."),
        (lambda s: s - np.log(total(e(s))), "this is the logarithm of the weights; take exp of it."),
        (lambda s: library.softmax(-s), "the smallest score gets the largest weight: you took exp(-score)."),
        (lambda s: e(s) / (1 + e(s)), "this is the sigmoid of each score alone; the scores of a row have to compete."),
        (lambda s: s >= top(s), "everything goes to the largest score; softmax shares, it does not choose."),
    ]
    result = _judge(answer, [(_normal(3, 4),), (_normal(2, 5),)], table)
    if not result.ok:
        return result
    far = _normal(3, 4).round() + [[1000] * 4, [-1000] * 4, [1000, 0, -1000, -1000]]
    table = [
        right,
        (lambda s: e(s) / total(e(s)), "exp(1000) is inf and exp(-1000) is 0; subtract each row's largest before exp."),
        (lambda s: e(s - s.max()) / total(e(s - s.max())), "low rows become 0/0; subtract each row's own largest."),
    ]
    result = _judge(answer, [(far,)], table)
    return result if result.ok else Result(False, f"right for small scores, but at 1000: {result.message}")


def weighted_sum(answer):
    """answer(weights (S,), values (S, d_v)) -> (d_v,)."""
    table = [
        (lambda weights, values: weights @ values, "each value times its weight, added up."),
        (lambda w, V: V.mean(0), "this is the plain average; the weights decide how much each value counts."),
        (lambda w, V: V.sum(0), "you added the values without their weights."),
        (lambda w, V: w[:, None] * V, "you weighted the values but did not add them up to one vector."),
        (
            lambda w, V: V[w.argmax()],
            "you took the value of the largest weight only; softmax shares, it does not choose.",
        ),
        (lambda w, V: w @ V / len(w), "you divided by the number of keys as well; the weights add up to 1 already."),
        (lambda w, V: w * V.sum(1), "you added along the wrong axis; one number for each feature, not each key."),
        (lambda w, V: library.softmax(w) @ V, "you took the softmax of the weights; they are weights already."),
    ]
    return _judge(answer, [(library.softmax(_normal(S)), _normal(S, d_v)) for S, d_v in [(4, 3), (2, 5)]], table)


def lead(answer):
    """answer: the lead over 63 equal rivals that gives one of 64 keys a weight of one half."""
    table = [
        (np.log(63), "exp(lead) has to equal 63 rivals of exp(0) = 1 together, so lead = ln 63 = 4.14."),
        (np.log(64), "almost: ln 64 counts the leader as its own rival; exp(lead) equals the 63 others together."),
        (63, "this is the number of rivals; which score has that number as its exp?"),
        (np.log2(63), "this is the logarithm to base 2; softmax uses e."),
        (np.log10(63), "this is the logarithm to base 10; softmax uses e."),
        (np.log(2), "with a lead of 0.69 it gets twice ONE rival's share; there are 63 of them."),
    ]
    return _judge_number(answer, table, tolerance=0.002)


# Notebooks 3 to 5: attention. Each mistake is stated once, as the switches of _attend that make it.
def _attend(
    queries, keys, values=None, size="d_k", power=0.5, axis=-1, after=False, swap=False, turn=False, unit=False
):
    """Attention, right as it stands, with switches for its mistakes; the weights alone if there are no values.

    Scores are divided by size ** power; size is T, S, d_k, d_v or a number. after: divide after the softmax.
    axis: of the softmax, None for none. swap: the keys ask. turn: transposed weights. unit: vectors of length 1.
    """
    if swap:
        queries, keys = keys, queries
    if unit:
        queries, keys = queries / _length(queries)[..., None], keys / _length(keys)[..., None]
    sizes = {"T": queries.shape[-2], "S": keys.shape[-2], "d_k": keys.shape[-1], "d_v": np.shape(values)[-1:] or np.nan}
    divisor = np.power(sizes.get(size, size), float(power))
    weights = queries @ keys.swapaxes(-1, -2) / (1 if after else divisor)
    if axis is not None:
        weights = np.exp(weights - weights.max(axis, keepdims=True))
        weights /= weights.sum(axis, keepdims=True) * (divisor if after else 1)
    weights = weights.swapaxes(-1, -2) if turn else weights
    return weights if values is None else weights @ values


_MISTAKES = {
    "there is no scaling; divide the scores by sqrt(d_k) before the softmax.": {"power": 0},
    "you divided by d_k; divide by its square root.": {"power": 1},
    "you multiplied by sqrt(d_k), which spreads the scores; divide.": {"power": -0.5},
    "you divided by sqrt(S), from the number of keys; take d_k, their width.": {"size": "S", "power": 0.5},
    "you divided by sqrt(T), from the number of queries; take d_k, their width.": {"size": "T", "power": 0.5},
    "you divided by sqrt(d_v), from the width of the values; take d_k.": {"size": "d_v", "power": 0.5},
    "you divided by the lengths (a cosine); divide by sqrt(d_k), the same for all.": {"unit": True, "power": 0},
    "each row of weights sums to 1/sqrt(d_k), not to 1: you scaled after the softmax.": {"after": True, "power": 0.5},
    "the softmax runs over the queries; each query shares out over the keys, axis -1.": {"axis": -2},
    "the softmax runs over the whole table; each row on its own has to sum to 1.": {"axis": (-2, -1)},
    "there is no softmax; these are raw scores, not yet weights.": {"axis": None},
    "queries and keys are swapped, so the keys ask; scores are queries @ keys.T, (T, S).": {"swap": True},
    "the weights are transposed; queries (T) are the rows, keys (S) the columns.": {"turn": True},
    "all the weight goes to the best key; softmax shares, it does not choose.": {"power": -25, "axis": -1},
    "all keys get the same weight; the scores have no effect.": {"power": np.inf, "axis": -1},
}


def _mistakes(attend):
    """Rows for a table: each mistake alone, then each two together; attend takes the switches of _attend."""
    pairs = [(x, y) for x, y in combinations(_MISTAKES.items(), 2) if not x[1].keys() & y[1].keys()]
    doubles = {f"two mistakes: {a} And {b}": x | y for (a, x), (b, y) in pairs}
    return [(partial(attend, **switches), sentence) for sentence, switches in (_MISTAKES | doubles).items()]


def _qkv(T, S, d_k, d_v):
    return _normal(T, d_k), _normal(S, d_k, seed=1), _normal(S, d_v, seed=2)


def scaling(answer):
    """answer(queries (T, d_k), keys (S, d_k)) -> weights (T, S): scores divided by sqrt(d_k), then softmax."""
    table = [(_attend, "scores divided by sqrt(d_k), then softmax over the keys."), *_mistakes(_attend)]
    return _judge(answer, [_qkv(3, 4, 7, 1)[:2], _qkv(2, 5, 12, 1)[:2]], table)


def score_spread(answer):
    """answer: the standard deviation of q·k when q has standard deviation 2, k has 3, and d_k = 16."""
    table = [
        (24, "16 products of variance 4 × 9 add up to 576, and its root is 24."),
        (576, "this is the variance; its square root is asked for."),
        (6, "this is one product's standard deviation, 2 × 3; the score adds 16 of them."),
        (96, "standard deviations do not add up, variances do: 16 × 36, then the root."),
        (208**0.5, "variances multiply in a product (4 × 9) and add in a sum (16 of them); you added 4 and 9."),
        (4, "this is sqrt(d_k), right for standard deviations of 1; here they are 2 and 3."),
        (8, "you counted the spread of q only; k has one too."),
        (12, "you counted the spread of k only; q has one too."),
    ]
    return _judge_number(answer, table)


def softmax_jacobian(answer):
    """answer(p (S,)) -> (S, S): entry (i, j) is how much weight i changes with score j."""
    diag, outer = np.diag, np.outer
    table = [
        (lambda p: diag(p) - outer(p, p), "diag(p) - p pᵀ: every row and every column sums to 0."),
        (lambda p: p * (1 - p), "this is only the diagonal, p(1-p); raising one score also lowers the other weights."),
        (lambda p: diag(p * (1 - p)), "the diagonal p(1-p) is right, but off it you have 0; there it is -p_i p_j."),
        (lambda p: outer(p, p) - diag(p), "the signs are turned round; raising a score raises its own weight."),
        (lambda p: outer(p, p) + diag(p - 2 * p * p), "off the diagonal it is minus p_i p_j; the others lose."),
        (lambda p: diag(p + p * p) - outer(p, p), "the diagonal is p(1-p), not p; subtract p_i p_j there as well."),
        (lambda p: outer(p, p), "these are the products p_i p_j alone; subtract them from diag(p)."),
        (lambda p: p - outer(p, p), "p stands in every row; np.diag(p) puts it on the diagonal."),
        (lambda p: diag(p) - p @ p, "p @ p is one number; the products p_i p_j are a table, np.outer(p, p)."),
    ]
    return _judge(answer, [(library.softmax(_normal(S)),) for S in (3, 5)], table)


# Notebook 4
def attention(answer):
    """answer(queries (T, d_k), keys (S, d_k), values (S, d_v)) -> output (T, d_v), or (output, weights)."""
    table = [
        (_attend, "each query's weights sum to 1 and mix the values."),
        (lambda q, k, v: _attend(q, k), "these are the weights; multiply them by the values."),
        *_mistakes(_attend),
    ]
    return _judge(answer, [_qkv(3, 4, 6, 5), _qkv(5, 7, 2, 3)], table, square=_qkv(4, 4, 6, 5))


def cross_attention(answer):
    """answer(target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)) -> (T, d_v)."""

    def attend(target, source, W_Q, W_K, W_V, **switches):
        return _attend(target @ W_Q, source @ W_K, source @ W_V, **switches)

    table = [
        (attend, "the target asks, the source answers: one row of output for each target token."),
        (lambda t, s, *W: attend(s, t, *W), "the wrong side asks; queries come from the target, not the source."),
        (lambda t, s, *W: attend(t, t, *W), "this is self-attention of the target; keys and values are the source's."),
        (lambda t, s, *W: attend(s, s, *W), "this is self-attention of the source; queries come from the target."),
        (lambda t, s, q, k, v: attend(t, s, k, q, v), "W_Q and W_K are swapped; W_Q belongs to the target."),
        (lambda t, s, q, k, v: _attend(t @ q, s @ k, s), "you mixed the source itself; project it with W_V first."),
        (lambda t, s, q, k, v: _attend(t @ q, s @ k), "these are the weights; multiply them by the values."),
        (lambda t, *x: attend(t, *x, size=t.shape[-1]), "you divided by sqrt(d), the width of the tokens; take d_k."),
        *_mistakes(attend),
    ]
    *cases, square = [
        (_normal(T, d), _normal(S, d, seed=1), _normal(d, d_k) / 2, _normal(d, d_k, seed=2) / 2, _normal(d, d_v))
        for T, S, d, d_k, d_v in [(3, 5, 6, 4, 2), (2, 4, 7, 3, 5), (4, 4, 6, 3, 5)]
    ]
    return _judge(answer, cases, table, square)


def rank(answer):
    """answer: the largest possible rank of W_Q W_Kᵀ for W_Q and W_K of shape (16, 4)."""
    table = [
        (4, "at most d_k = 4: the narrow middle limits what one head can compare."),
        (16, "the product is 16 × 16, but everything passes through only d_k = 4 numbers."),
        (64, "this is how many numbers a matrix holds; the rank cannot pass its smaller side."),
        (8, "ranks do not add up; the product cannot have more than the smaller of the two."),
        (1, "this is a possible rank, but not the largest."),
    ]
    return _judge_number(answer, table)


# Notebook 5
_X_HEADS = [(_normal(2, 5, 12), 3), (_normal(3, 4, 10), 2)]  # B, T, d_model and H; d_k is 4 and 5


def _blind_split(x, heads):
    return x.reshape(len(x), heads, x.shape[1], -1)


def _blind_merge(x):
    return x.reshape(len(x), x.shape[2], -1)


def split_heads(answer):
    """answer(x (B, T, d_model), heads) -> (B, H, T, d_k)."""
    split = library.split_heads
    table = [
        (split, "every head sees every token, and d_k of its columns."),
        (_blind_split, "right shape, wrong contents: head 0 holds whole tokens; swap T and H after the reshape."),
        (lambda x, h: split(x, h).swapaxes(1, 2), "the order is still (B, T, H, d_k); swap axes 1 and 2."),
        (
            lambda x, h: split(x, len(x.T) // h).T.swapaxes(0, 3),
            "the columns are dealt like cards; d_k neighbours stay.",
        ),
        (lambda x, h: split(x, h).swapaxes(0, 1), "the heads are in front of the batch; the order is (B, H, T, d_k)."),
        (lambda x, h: split(x, h).swapaxes(2, 3), "the last two axes are swapped; the order is (B, H, T, d_k)."),
        (lambda x, h: split(x, len(x.T) // h), "d_k and the number of heads are swapped; d_k = d_model / heads."),
    ]
    return _judge(answer, _X_HEADS, table)


def merge_heads(answer):
    """answer(x (B, H, T, d_k)) -> (B, T, H*d_k)."""
    table = [
        (library.merge_heads, "swap back, then side by side: the inverse of the split."),
        (_blind_merge, "right shape, wrong contents; swap H and T back before you reshape."),
        (lambda x: x.mean(1), "you averaged the heads; put them side by side, and W^O mixes them."),
        (lambda x: x.sum(1), "you added the heads up; put them side by side, and W^O mixes them."),
        (lambda x: x.swapaxes(1, 2), "swapping is done; now put the heads' columns side by side with reshape."),
    ]
    return _judge(answer, [(library.split_heads(*x),) for x in _X_HEADS], table)


def multi_head(answer):
    """answer(X (B, T, d), W_Q, W_K, W_V, W_O (each (d, d)), heads) -> output (B, T, d)."""

    def attend(X, W_Q, W_K, W_V, W_O, heads, split=library.split_heads, merge=library.merge_heads, **switches):
        return merge(_attend(*(split(X @ W, heads) for W in (W_Q, W_K, W_V)), **switches)) @ W_O

    blind, eye = {"split": _blind_split, "merge": _blind_merge}, lambda W: np.eye(len(W))
    table = [
        (attend, "project, split, attend, merge, project."),
        (lambda X, q, k, v, o, h: attend(X, q, k, v, eye(o), h), "W_O is missing; multiply the merged heads by it."),
        (lambda X, q, k, v, o, h: attend(X, q, k, v, o.T, h), "W_O is transposed; for row vectors it is merged @ W_O."),
        (lambda X, q, k, v, o, h: attend(X, k, q, v, o, h), "W_Q and W_K are swapped."),
        (lambda X, q, k, v, o, h: attend(X, q, k, eye(v), o, h), "the values are X itself; project them with W_V."),
        (lambda X, q, k, v, o, h: attend(X, q, k, v, o, 1), "there is one head only; split before attending."),
        (lambda X, *x: attend(X, *x, size=X.shape[-1]), "you divided by sqrt(d_model); take d_k = d_model / heads."),
        (partial(attend, **blind), "you split and merged with reshape alone; swap tokens and heads, too, both times."),
        (partial(attend, split=_blind_split), "you split with reshape alone; after it, swap T and H."),
        (partial(attend, merge=_blind_merge), "you merged with reshape alone; swap H and T back first."),
        *_mistakes(attend),
    ]
    cases = [(x, *(_normal(*2 * x.shape[-1:], seed=i) / x.shape[-1] ** 0.5 for i in range(4)), h) for x, h in _X_HEADS]
    return _judge(answer, cases, table)


def parameter_count(answer):
    """answer(d_model, heads) -> how many numbers multi-head attention learns, without biases."""
    table = [
        (lambda d_model, heads: 4 * d_model**2, "four matrices of d_model × d_model, whatever the number of heads."),
        (lambda d, h: 4 * d * d * h, "you gave each head the full width; it is d_model / heads wide, so heads cancel."),
        (lambda d, h: 3 * d * d, "you forgot W_O; there are four matrices."),
        (lambda d, h: 4 * d * d // h, "you counted one head; there are several."),
        (lambda d, h: 3 * d * d + d * d * h, "the heads share one W_O of d_model × d_model."),
        (lambda d, h: 4 * d * d + 4 * d, "you counted biases too; this exercise asks without."),
    ]
    return _judge(answer, [(512, 8), (12, 3)], table)
