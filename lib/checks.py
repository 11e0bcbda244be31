"""Exercise checks: ``checks.scaling(my_function)`` answers in one line, and names the mistake where it knows it.

Each check below is a table: for some inputs it yields (value, what to say), the right answer first, then the classic
wrong ones. ``_check`` gives it two sets of inputs in which every axis has a size of its own, and looks the learner's
results up in it. A check never raises on the learner's code: it reports. tests/checks/mutants.py holds answers for each.
"""

import contextlib
import functools
import inspect
import sys
import warnings
from dataclasses import dataclass
from itertools import combinations

import numpy as np

import lib.attention as library
import lib.layers
import lib.positions
from lib import corpus


@dataclass(frozen=True)
class Result:
    """What a check says: ``ok`` and one line, ``message``."""

    ok: bool
    message: str

    def __repr__(self):
        return f"{'✓ Right' if self.ok else '✗ Not yet'}: {self.message}"


def _numbers(value):
    """Numbers, lists, arrays or tensors as an array; of a pair (output, weights), the output.

    Raises TypeError that says what there is in place of numbers.
    """
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) > 1:
        value = value[0]
    if value is None or value is Ellipsis:
        raise TypeError("nothing yet; end it with return and the result")
    try:
        array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    except ValueError:
        raise TypeError("rows of different lengths; make them equally long") from None
    if array.dtype.kind not in "biuf":
        kind = type(value).__name__
        hint = {"function": "; return its result", "generator": "; write return, not yield"}.get(
            kind, ""
        )
        raise TypeError(f"something of type {kind}, not real numbers{hint}")
    return array


def _floats(value):
    return _numbers(value).astype(float)


def _lend(function, name, convert):
    """A function as the learner's gets it: takes arrays or tensors, converts its result, stops an endless loop."""
    calls = iter(range(1000))

    @functools.wraps(function)
    def lent(*arguments, **named):
        if next(calls, None) is None:
            raise RuntimeError(f"{name} was called 1000 times; does your loop end?")
        arguments = (
            inspect.signature(function).bind(*arguments, **named).args
        )  # its error names what is missing
        return convert(function(*map(_floats, arguments)))

    return lent


def _run(answer, case, names):
    """(the learner's result as an array, None), or (None, a sentence that says why there is none)."""
    with contextlib.suppress(
        ValueError
    ):  # raised for built-in functions that do not tell their parameters
        try:
            inspect.signature(answer).bind(*case)
        except TypeError as error:
            return (
                None,
                f"your function is called with ({', '.join(names)}), but its parameters do not fit: {error}.",
            )
    problem = ""
    for convert in (
        np.ndarray.copy,
        lambda x: sys.modules["torch"].tensor(x.tolist()),
    ):  # tensors second
        if problem and "torch" not in sys.modules:
            break
        given, before = (
            [convert(x) if isinstance(x, np.ndarray) else x for x in case] for _ in "12"
        )
        given = [
            _lend(x, name, convert) if callable(x) else x
            for name, x in zip(names, given, strict=True)
        ]
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                value = answer(*given)
        except (
            Exception,
            SystemExit,
        ) as error:  # the learner's code may fail in any way, and the page goes on
            if isinstance(error, NotImplementedError) and not error.args:
                return None, "your function is not written yet."
            shapes = ["" if callable(x) else f" {np.shape(x) or x}" for x in case]
            inputs = ", ".join(map("".join, zip(names, shapes, strict=True)))
            says = f"{type(error).__name__}: {' '.join(str(error).split(', with gufunc')[0].split())[:200]}"
            says += next((tip for part, tip in _TIPS.items() if part in says), "")
            if (
                not problem or "ensor" in problem
            ):  # NumPy's error, unless it says that it wants a tensor
                problem = f"your function stopped with {says} (inputs: {inputs})."
            continue
        try:
            for name, x, y in zip(names, given, before, strict=True):
                if not callable(x) and not np.array_equal(_floats(x), _floats(y)):
                    return None, f"your function changes its input {name}; work on a copy."
            return _numbers(value), None
        except Exception as error:
            return None, f"your function returns {error}."
    return None, problem


_TIPS = {
    "axes don't match": " [NumPy's transpose wants all axes; swapaxes(1, 2) swaps two]",
    "broadcast": " [line the axes up: cut the longer, keepdims=True keeps a column, x[:, None] makes one]",
    "core dimension": " [a @ b: the last axis of a has to fit the second last of b]",
}


def _same(value, wanted):
    if wanted is None or value.shape != np.shape(wanted):
        return False
    return np.allclose(value, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)


def _find(values, tables):
    """What the tables, one for each set of inputs, say to these values; None if they do not hold them all."""
    for rows in zip(*tables, strict=True):
        if all(_same(value, row[0]) for value, row in zip(values, rows, strict=True)):
            return rows[0][1]
    return None


def _describe(value, wanted):
    """What is wrong with a value whose mistake has no name."""
    if value.shape != wanted.shape:
        have, want = (f"shape {x.shape}" if x.shape else "one number" for x in (value, wanted))
        return f"the result is {have}; expected {want}."
    if not np.isfinite(value).all():
        return "the result holds NaN or inf; look for 0/0, or exp of a large number."
    if np.allclose(value, wanted, atol=0.006):
        return (
            f"nearly: the largest difference is {np.abs(value - wanted).max():.1g}. Do not round."
        )
    if (value == value.round()).all() and (wanted != wanted.round()).any():
        return (
            "the result holds whole numbers only; an int array, // or a rounding cuts off the rest."
        )
    note = "the shape is right, but " if wanted.ndim else ""
    if (
        wanted.ndim == 2 and np.allclose(wanted.sum(-1), 1) and not np.allclose(value.sum(-1), 1)
    ):  # weights
        columns = "your columns sum to 1, " if np.allclose(value.sum(-2), 1) else ""
        sums = "…".join(sorted({f"{f(value.sum(-1)):.2f}" for f in (np.min, np.max)}, key=float))
        note = f"{columns}your rows sum to {sums}, and each row has to sum to 1; "
    where = np.unravel_index(np.abs(value - wanted).argmax(), wanted.shape)
    at = f"at {tuple(map(int, where))} " if where else ""
    places = 0 if all(x[where] == x[where].round() for x in (value, wanted)) else 3
    have, want = (
        str(x == 1) if wanted.dtype == bool else f"{x:,.{places}f}"
        for x in (value[where], wanted[where])
    )
    return f"{note}{at}you have {have} where {want} is right."


def _judge(answer, table, cases, square=None):
    """Look an answer up in the table, or describe what is wrong with it.

    square: inputs with as many queries as keys, for an answer that stops; there, swapped axes can be named.
    """
    if not callable(answer):
        return Result(
            False,
            f"this check takes your function, not {type(answer).__name__}; give its name, without ().",
        )
    names = list(inspect.signature(table).parameters)
    with np.errstate(all="ignore"):
        tables = [list(table(*case)) for case in cases]
    (right, praise), values, start = tables[0][0], [], ""
    for case in cases:
        value, problem = _run(answer, case, names)
        if problem and square and (value := _run(answer, square, names)[0]) is not None:
            problem = _find([value], [list(table(*square))[1:]]) or problem
        if problem:
            return Result(False, start + problem)
        values.append(value)
        start = "right for the first inputs, but with others " if _same(values[0], right) else ""
    unchanged = [
        [
            (None if callable(x) else x, f"you return {name} unchanged.")
            for name, x in zip(names, case, strict=True)
        ]
        for case in cases
    ]
    if (
        says := _find(values, tables)
        or (not start and _find(values[:2], tables[:2]))
        or _find(values, unchanged)
    ):
        if (
            says == praise
            and np.asarray(right).dtype == bool
            and any(value.dtype != bool for value in values)
        ):
            return Result(
                False,
                "the places are right, but these are numbers; mask == 1 makes True and False.",
            )
        return Result(
            says == praise, says
        )  # found in the first two only: large scores are not the first thing to mend
    if isinstance(cases[0][0], np.ndarray):
        other = _run(answer, [x**3 if isinstance(x, np.ndarray) else x for x in cases[0]], names)[0]
        if other is not None and np.isfinite(other).all() and _same(other, values[0]):
            same = "the same" if other.any() else "0, unfilled or cut off to whole numbers,"
            return Result(
                False,
                f"the result is {same} whatever numbers come in; does your function use its inputs?",
            )
    wanted = [np.asarray(rows[0][0]) for rows in tables]
    values = [value.astype(float) for value in values]
    return Result(
        False,
        start
        + next(_describe(v, w) for v, w in zip(values, wanted, strict=True) if not _same(v, w)),
    )


def _judge_number(answer, table, tolerance=0.005):
    """Look a number up in the table (relative tolerance), or say whether it is too small or too large."""
    try:
        value = _floats(answer).item()
    except Exception:
        value = np.nan
    if np.isnan(value):
        return Result(False, f"this check takes one number; this is {type(answer).__name__}.")
    (right, praise), *_ = rows = list(table())
    for known, says in rows:
        if abs(value - known) <= tolerance * abs(known):
            return Result(says == praise, says)
    digits = " Give two digits after the point." if abs(value - right) < 0.03 * abs(right) else ""
    return Result(False, f"{value:g} is too {'small' if value < right else 'large'}.{digits}")


def _check(judge, *settings, **options):
    """Make a table a check: a function of the answer alone."""

    def decorate(table):
        @functools.wraps(table)
        def check(answer):
            return judge(answer, table, *settings, **options)

        del check.__wrapped__  # what the learner calls takes the answer, not the table's inputs
        return check

    return decorate


_normal = lambda *shape, seed=0: np.random.default_rng([seed, *shape]).standard_normal(shape)
_weights = lambda S: library.softmax(_normal(S))
_length = lambda x: np.linalg.norm(x, axis=-1)
_cosine = lambda q, k: q @ k / (_length(q) * _length(k))
_VECTORS = [
    (_normal(3), _normal(3, seed=1)),
    (_normal(5), -_normal(5, seed=1)),
]  # both cosines are negative


# Notebook 0


def pronoun(first, second):
    """Does the second Translation differ in the adjective alone, for a pair never trained on, and say elle for il?"""
    try:
        sources, targets = (
            [list(getattr(each, name)) for each in (first, second)] for name in ("source", "target")
        )
    except (AttributeError, TypeError):
        return Result(False, "this check takes two translations: french.translate(words), twice.")
    if not all("it" in source for source in sources):
        return Result(
            False, "both sentences need the word it; without it French writes no pronoun."
        )
    if len(sources[0]) != len(sources[1]) or sum(map(str.__ne__, *sources)) != 1:
        changed = (
            f"{sum(map(str.__ne__, *sources))} words"
            if len(sources[0]) == len(sources[1])
            else "their lengths"
        )
        return Result(False, f"the two sentences differ in {changed}; change exactly one word.")
    changed = [word for word, other in zip(*sources, strict=True) if word != other]
    if not {*changed, *(word for word in sources[1] if word not in sources[0])} <= set(
        corpus.ADJECTIVES
    ):
        return Result(
            False, f"you changed {changed[0]}; change the adjective, and let the nouns stand."
        )
    said = [[word for word in target if word in ("il", "elle")] for target in targets]
    if [] in said:
        return Result(
            False, "the model wrote neither il nor elle; it does not know this kind of sentence."
        )
    if said == [["elle"], ["il"]]:
        return Result(False, "that is elle, then il; give the masculine one first.")
    if said != [["il"], ["elle"]]:
        return Result(
            False,
            f"both have {said[0][0]}; it has to stand for the other noun, of the other gender. If it does, the model "
            "is wrong about this sentence: take another pair.",
        )
    nouns = [
        next((word for word in sources[0] if word in known), None)
        for known in (corpus.ANIMALS, corpus.PLACES)
    ]
    if corpus.unseen(*nouns) != "pair":
        return Result(
            False,
            f"il became elle, but {' and '.join(map(str, nouns))} stood together in training; take a new pair.",
        )
    return Result(
        True, "il became elle with the adjective alone, and no training sentence has this pair."
    )


# Notebook 1
@_check(_judge, _VECTORS)
def dot_product(q, k):
    """answer(q (d,), k (d,)) -> number."""
    yield q @ k, "multiply component by component, then add up."
    yield (
        q * k,
        "you multiplied the components but did not add them up; a dot product is one number.",
    )
    yield (
        (q * k).mean(),
        "you averaged the products; a dot product adds them up and does not divide.",
    )
    yield (
        q.sum() * k.sum(),
        "you multiplied the sums; multiply component by component first, then add.",
    )
    yield (q + k).sum(), "you added the vectors; multiply component by component, then add up."
    yield (
        _cosine(q, k),
        "this is the cosine: you divided by the lengths, and a dot product keeps them.",
    )
    yield (
        np.outer(q, k),
        "this is a table of every component times every other; only the equal places count.",
    )
    yield abs(q @ k), "you dropped the sign; opposite directions have a negative product."
    yield q[:2] @ k[:2], "only two components count; vectors can have more, len(q) of them."
    yield q[:-1] @ k[:-1], "you left out the last component; does your loop run to the end?"
    yield q[0] * k[0], "only the first component counts; put return after the loop, not inside it."
    yield q[-1] * k[-1], "only the last component counts; add to the total with +=, not =."


@_check(_judge, _VECTORS)
def cosine(q, k):
    """answer(q (d,), k (d,)) -> number from -1 to 1."""
    yield _cosine(q, k), "the dot product of the directions alone; the lengths are gone."
    yield q @ k, "this is the dot product; divide it by both lengths."
    yield (
        q @ k / (q @ q) / (k @ k),
        "you divided by the squared lengths; a length has a square root.",
    )
    yield q @ k / _length(q), "you divided by the length of q only; k has one too."
    yield q @ k / _length(k), "you divided by the length of k only; q has one too."
    yield (
        q @ k / _length(q) * _length(k),
        "you multiplied by the length of k; to divide by both, write a / (b * c).",
    )
    yield (
        q @ k / (_length(q) + _length(k)),
        "you divided by the sum of the lengths; take their product.",
    )
    yield q @ k / len(q), "you divided by the number of components; divide by both lengths."
    yield abs(_cosine(q, k)), "you took the absolute value; opposite directions have cosine -1."
    yield np.arccos(_cosine(q, k)), "this is the angle; return its cosine."
    yield np.degrees(np.arccos(_cosine(q, k))), "this is the angle in degrees; return its cosine."
    yield 1 - _cosine(q, k), "this is one minus the cosine, a distance; return the cosine."
    yield (
        q @ k / len(q) / len(k),
        "len counts components; the length of a vector is np.linalg.norm.",
    )


def worse_but_winning(q, k, other):
    """Is ``other`` (d,) less aligned with q (d,) than k (d,) is, and yet the winner by dot product?"""
    try:
        q, k, other = np.array([_floats(x) for x in (q, k, other)]).reshape(3, -1)
    except Exception:
        return Result(False, "this check takes three vectors of the same length: q, k and other.")
    with np.errstate(all="ignore"):
        scores, cosines = (q @ k, q @ other), (_cosine(q, k), _cosine(q, other))
    if not np.isfinite([scores, cosines]).all():
        return Result(
            False,
            "a vector of zeros has no direction; all three need a length above 0, and finite numbers.",
        )
    says = "cosines {:.2f} and {:.2f}, scores {:.2f} and {:.2f}".format(*cosines, *scores)
    if cosines[1] > cosines[0] - 0.01:
        return Result(
            False, f"{says}: other is not worse aligned, not visibly. Turn it away from q."
        )
    if scores[1] < scores[0] + 0.01:
        return Result(
            False, f"{says}: other is worse aligned, but it does not win. Length counts too."
        )
    return Result(True, f"{says}: worse aligned, and still the winner, because lengths count.")


@_check(_judge, [(_normal(4, 3),), (_normal(2, 5),)])
def all_pairs(X):
    """answer(X (T, d)) -> (T, T): the dot product of every row of X with every row."""
    yield X @ X.T, "row i, column j holds word i · word j."
    yield (
        X.T @ X,
        "this compares the columns (the features) with each other; the words are the rows.",
    )
    yield X * X, "this multiplies each number by itself; every row has to meet every row."
    yield (
        (X * X).sum(-1),
        "this is each row with itself, the diagonal; every row has to meet every row.",
    )
    yield X @ X.T / np.outer(_length(X), _length(X)), "these are cosines; keep the lengths."
    yield (
        np.triu(X @ X.T),
        "below the diagonal you have 0; fill it as well, row j · row i is row i · row j.",
    )


# Notebook 2
_FAR = _normal(3, 4).round() + [[1000] * 4, [-1000] * 4, [1000, 0, -1000, -1000]]


@_check(_judge, [(_normal(3, 4),), (_normal(2, 5),), (_FAR,)])
def softmax(scores):
    """answer(scores (T, S)) -> weights (T, S): each row adds up to 1, for scores of any size."""
    total, largest = (f(axis=-1, keepdims=True) for f in (scores.sum, scores.max))
    e, low, right = np.exp(scores), np.exp(scores - scores.max()), library.softmax(scores)
    yield right, "each row sums to 1, and scores of 1000 are no problem."
    yield (
        e / e.sum(-1, keepdims=True),
        "right for small scores, but exp(1000) is inf; subtract each row's largest.",
    )
    yield (
        low / low.sum(-1, keepdims=True),
        "right for small scores, but low rows are 0/0; subtract their own largest.",
    )
    yield (
        e / e.sum(0),
        "your columns sum to 1, not your rows; share out over the keys, axis -1, not over axis 0.",
    )
    yield e / e.sum(), "the whole table sums to 1; each row, one query, has to sum to 1 on its own."
    yield (
        scores / total,
        "you divided by the sum without exp first, so negative scores become negative weights.",
    )
    yield e, "exp is there, but the rows do not sum to 1; divide by each row's sum."
    yield e / np.exp(largest), "the largest of each row became 1; divide by the sum of each row."
    yield e / total, "you divided by the sum of the scores; divide by the sum of their exp."
    yield np.log(right), "this is the logarithm of the weights; take exp of it."
    yield (
        library.softmax(-scores),
        "the smallest score gets the largest weight: you took exp(-score).",
    )
    yield (
        e / (1 + e),
        "this is the sigmoid of each score alone; the scores of a row have to compete.",
    )
    yield (
        scores == largest,
        "everything goes to the largest score; softmax shares, it does not choose.",
    )


@_check(_judge, [(_weights(4), _normal(4, 3)), (_weights(2), _normal(2, 5))])
def weighted_sum(weights, values):
    """answer(weights (S,), values (S, d_v)) -> (d_v,)."""
    yield weights @ values, "each value times its weight, added up."
    yield (
        values.mean(0),
        "this is the plain average; the weights decide how much each value counts.",
    )
    yield values.sum(0), "you added the values without their weights."
    yield (
        weights[:, None] * values,
        "you weighted the values but did not add them up to one vector.",
    )
    yield (
        values[weights.argmax()],
        "you took the value of the largest weight only; softmax shares, it does not choose.",
    )
    yield (
        weights @ values / len(weights),
        "you divided by the number of keys as well; the weights add up to 1 already.",
    )
    yield (
        weights * values.sum(1),
        "you added along the wrong axis; one number for each feature, not for each key.",
    )
    yield (
        library.softmax(weights) @ values,
        "you took the softmax of the weights; they are weights already.",
    )


@_check(_judge_number, tolerance=0.002)
def lead():
    """answer: the lead over 63 equal rivals that gives one of 64 keys a weight of one half."""
    yield (
        np.log(63),
        "exp(lead) has to equal 63 rivals of exp(0) = 1 together, so lead = ln 63 = 4.14.",
    )
    yield (
        np.log(64),
        "almost: ln 64 counts the leader as its own rival; exp(lead) equals the 63 others together.",
    )
    yield 63, "this is the number of rivals; which score has that number as its exp?"
    yield np.log2(63), "this is the logarithm to base 2; softmax uses e."
    yield np.log10(63), "this is the logarithm to base 10; softmax uses e."
    yield np.log(2), "with a lead of 0.69 it gets twice ONE rival's share; there are 63 of them."


# Notebooks 3 to 5: attention. Each mistake is stated once, as the switches of _attend that make it.
def _attend(
    queries,
    keys,
    values=None,
    size="d_k",
    power=0.5,
    axis=-1,
    after=False,
    swap=False,
    turn=False,
    unit=0,
):
    """Attention, right as it stands, with switches for its mistakes; the weights alone if there are no values.

    Scores are divided by size ** power; size is T, S, H, d_k, d_k/2, d_v or a number. after: divide after the softmax.
    axis: of the softmax, None for none. swap: the keys ask. turn: transposed weights. unit=1: vectors of length 1.
    """
    queries, keys = (keys, queries) if swap else (queries, keys)
    queries, keys = (x / _length(x)[..., None] ** unit for x in (queries, keys))
    sizes = {
        "T": queries.shape[-2],
        "S": keys.shape[-2],
        "d_k": keys.shape[-1],
        "d_v": np.shape(values)[-1:],
    }
    sizes |= {"d_k/2": sizes["d_k"] / 2, "H": queries.shape[-3:-2]}
    divisor = np.power(sizes.get(size, size), float(power))
    weights = queries @ keys.swapaxes(-1, -2) / (1 if after else divisor)
    if axis is not None:
        weights = np.exp(weights - weights.max(axis, keepdims=True))
        weights /= weights.sum(axis, keepdims=True) * (divisor if after else 1)
    weights = weights.swapaxes(-1, -2) if turn else weights
    return weights if values is None else weights @ values


_MISTAKES = {
    "there is no scaling; the scores have to be divided, before the softmax.": {"power": 0},
    "you divided by d_k; divide by its square root.": {"power": 1},
    "you multiplied by sqrt(d_k), which spreads the scores; divide.": {"power": -0.5},
    "you divided by sqrt(S), from the number of keys; take d_k, their width.": {
        "size": "S",
        "power": 0.5,
    },
    "you divided by sqrt(T), from the number of queries; take d_k, their width.": {
        "size": "T",
        "power": 0.5,
    },
    "you divided by sqrt(d_v), from the width of the values; take d_k.": {
        "size": "d_v",
        "power": 0.5,
    },
    "you divided by the root of the number of heads; take their width d_k.": {
        "size": "H",
        "power": 0.5,
    },
    "you divided by d_k / 2: **1/2 is a power first and a half then; write **0.5 or np.sqrt.": {
        "size": "d_k/2",
        "power": 1,
    },
    "you divided by 8, which is the root of 64 only; here d_k is another.": {"size": 8, "power": 1},
    "you divided by the lengths (a cosine); divide by sqrt(d_k), the same for all.": {
        "unit": 1,
        "power": 0,
    },
    "each row of weights sums to 1/sqrt(d_k), not to 1: you scaled after the softmax.": {
        "after": True,
        "power": 0.5,
    },
    "the softmax runs over the queries; each query shares out over the keys, axis -1.": {
        "axis": -2
    },
    "the softmax runs over the whole table; each row on its own has to sum to 1.": {
        "axis": (-2, -1)
    },
    "there is no softmax; these are raw scores, not yet weights.": {"axis": None},
    "queries and keys are swapped, so the keys ask; scores are queries @ keys.T, (T, S).": {
        "swap": True
    },
    "the weights are transposed; queries (T) are the rows, keys (S) the columns.": {"turn": True},
    "all the weight goes to the best key; softmax shares, it does not choose.": {
        "power": -25,
        "axis": -1,
    },
    "all keys get the same weight; the scores have no effect.": {"power": np.inf, "axis": -1},
}


def _mistakes(attend):
    """Rows of a table: each mistake alone, then each two together; attend takes the switches of _attend."""
    pairs = [(x, y) for x, y in combinations(_MISTAKES.items(), 2) if not x[1].keys() & y[1].keys()]
    for says, switches in (
        _MISTAKES | {f"two mistakes: {a} And {b}": x | y for (a, x), (b, y) in pairs}
    ).items():
        try:
            yield attend(**switches), says
        except ValueError:  # cannot be made with these inputs: the axes do not fit
            yield None, says


_qkv = lambda T, S, d_k, d_v: (_normal(T, d_k), _normal(S, d_k, seed=1), _normal(S, d_v, seed=2))


@_check(_judge, [_qkv(3, 4, 7, 1)[:2], _qkv(2, 5, 12, 1)[:2]])
def scaling(queries, keys):
    """answer(queries (T, d_k), keys (S, d_k)) -> weights (T, S): scores divided by sqrt(d_k), then softmax."""
    yield _attend(queries, keys), "scores divided by sqrt(d_k), then softmax over the keys."
    yield from _mistakes(functools.partial(_attend, queries, keys))


@_check(_judge_number)
def score_spread():
    """answer: the standard deviation of q·k when q has standard deviation 2, k has 3, and d_k = 16."""
    yield 24, "16 products of variance 4 × 9 add up to 576, and its root is 24."
    yield 576, "this is the variance; its square root is asked for."
    yield 6, "this is one product's standard deviation, 2 × 3; the score adds 16 of them."
    yield 96, "standard deviations do not add up, variances do: 16 × 36, then the root."
    yield (
        208**0.5,
        "variances multiply in a product (4 × 9) and add in a sum (16 of them); you added 4 and 9.",
    )
    yield 4, "this is sqrt(d_k), right for standard deviations of 1; here they are 2 and 3."
    yield 20, "you added 2 and 3; the spreads of a product multiply."
    yield 36, "this is one product's variance, 4 × 9; add 16 of them, then take the root."
    yield 144, "you took the root of 16, but not of 36; the root comes last."
    yield 96**0.5, "variances multiply, not standard deviations: 4 × 9, not 2 × 3."
    yield 8, "you counted the spread of q only; k has one too."
    yield 12, "you counted the spread of k only; q has one too."


@_check(_judge, [(_weights(3),), (_weights(5),)])
def softmax_jacobian(p):
    """answer(p (S,)) -> (S, S): entry (i, j) is how much weight i changes with score j."""
    products = np.outer(p, p)
    yield np.diag(p) - products, "diag(p) - p pᵀ: every row and every column sums to 0."
    yield (
        p * (1 - p),
        "this is only the diagonal, p(1-p); raising one score also lowers the other weights.",
    )
    yield (
        np.diag(p * (1 - p)),
        "the diagonal p(1-p) is right, but off it you have 0; a rising score takes weight from the others. How much?",
    )
    yield products - np.diag(p), "the signs are reversed; raising a score raises its own weight."
    yield (
        products + np.diag(p - 2 * p * p),
        "off the diagonal it is minus p_i p_j: what one gains, the others lose.",
    )
    yield (
        np.diag(p + p * p) - products,
        "the diagonal is p(1-p), not p; subtract p_i p_j there as well.",
    )
    yield products, "these are the products p_i p_j alone; subtract them from diag(p)."
    yield (
        np.diag(p * (1 - p)) - products,
        "you took p squared off the diagonal twice: start from diag(p).",
    )
    yield -products, "the products p_i p_j have the right sign; diag(p) is missing."
    yield p - products, "p stands in every row; np.diag(p) puts it on the diagonal."
    yield (
        np.diag(p) - p @ p,
        "p @ p is one number; the products p_i p_j are a table, np.outer(p, p).",
    )


# Notebook 4
@_check(_judge, [_qkv(3, 4, 6, 5), _qkv(5, 7, 2, 3)], square=_qkv(4, 4, 6, 5))
def attention(queries, keys, values):
    """answer(queries (T, d_k), keys (S, d_k), values (S, d_v)) -> output (T, d_v), or (output, weights)."""
    yield _attend(queries, keys, values), "each query's weights sum to 1 and mix the values."
    yield _attend(queries, keys), "these are the weights; multiply them by the values."
    yield from _mistakes(functools.partial(_attend, queries, keys, values))


_cross = lambda T, S, d, d_k, d_v: (*_qkv(T, S, d, 1)[:2], *(x / 2 for x in _qkv(d, d, d_k, d_v)))


@_check(_judge, [_cross(3, 4, 6, 5, 2), _cross(2, 4, 7, 3, 5)], square=_cross(4, 4, 6, 3, 5))
def cross_attention(target, source, W_Q, W_K, W_V):
    """answer(target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)) -> (T, d_v)."""

    def attend(target=target, source=source, W_Q=W_Q, W_K=W_K, **switches):
        return _attend(target @ W_Q, source @ W_K, source @ W_V, **switches)

    yield attend(), "the target asks, the source answers: one row of output for each target token."
    yield (
        attend(source, target),
        "the wrong side asks; queries come from the target, keys and values from the source.",
    )
    mixed = (
        "keys and values must come from the same side, the source: each key comes with its value."
    )
    yield (
        _attend(target @ W_Q, target @ W_K, source @ W_V) if len(target) == len(source) else None,
        mixed,
    )
    yield (
        _attend(target @ W_Q, source @ W_K, target @ W_V) if len(target) == len(source) else None,
        mixed,
    )
    yield (
        attend(target, target),
        "this is self-attention of the target; keys and values come from the source.",
    )
    yield (
        attend(source, source),
        "this is self-attention of the source; queries come from the target.",
    )
    yield (
        attend(W_Q=W_K, W_K=W_Q),
        "W_Q and W_K are swapped; W_Q is for the target, W_K for the source.",
    )
    yield (
        _attend(target @ W_Q, source @ W_K),
        "these are the weights; multiply them by the values, source @ W_V.",
    )
    yield (
        _attend(target @ W_Q, source @ W_K, source),
        "you mixed the source itself; project it with W_V first.",
    )
    yield attend(size=len(W_Q)), "you divided by sqrt(d), from the width of the tokens; take d_k."
    yield from _mistakes(attend)


@_check(_judge_number)
def rank():
    """answer: the largest possible rank of W_Q W_Kᵀ for W_Q and W_K of shape (16, 4)."""
    yield 4, "at most d_k = 4: the narrow middle limits what one head can compare."
    yield 16, "the product is 16 × 16, but everything passes through only d_k = 4 numbers."
    yield 64, "this is how many numbers a matrix holds; the rank cannot pass its smaller side."
    yield 8, "ranks do not add up; the product cannot have more than the smaller of the two."
    yield 1, "this is a possible rank, but not the largest."


# Notebook 5
_X_HEADS = [(_normal(2, 5, 18), 3), (_normal(3, 4, 10), 2)]  # (B, T, d_model) and H; d_k is 6 and 5
_blind_split = lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1)
_blind_merge = lambda x: x.reshape(len(x), x.shape[2], -1)


@_check(_judge, _X_HEADS)
def split_heads(x, heads):
    """answer(x (B, T, d_model), heads) -> (B, H, T, d_k)."""
    right, blind = library.split_heads(x, heads), _blind_split(x, heads)
    turned = library.split_heads(x, right.shape[-1])
    yield right, "every head sees every token, and d_k of its columns."
    yield (
        blind,
        "right shape, wrong contents: head 0 holds whole tokens; reshape to (B, T, H, d_k), then swap T and H.",
    )
    yield (
        right.swapaxes(1, 2),
        "heads and tokens are still in the order (B, T, H, d_k); swap axes 1 and 2.",
    )
    yield (
        turned.swapaxes(1, 3),
        "you dealt the columns out like cards; neighbours stay together: (B, T, H, d_k).",
    )
    yield right.swapaxes(0, 1), "the heads are in front of the batch; the order is (B, H, T, d_k)."
    yield right.swapaxes(2, 3), "the last two axes are swapped; the order is (B, H, T, d_k)."
    yield turned, "d_k and the number of heads are swapped; d_k = d_model / heads."


@_check(_judge, [(library.split_heads(*x),) for x in _X_HEADS])
def merge_heads(x):
    """answer(x (B, H, T, d_k)) -> (B, T, H*d_k)."""
    yield library.merge_heads(x), "swap back, then side by side: the inverse of the split."
    yield _blind_merge(x), "right shape, wrong contents; swap H and T back before you reshape."
    yield x.mean(1), "you averaged the heads; put them side by side, and W^O mixes them."
    yield x.sum(1), "you added the heads up; put them side by side, and W^O mixes them."
    yield (
        np.concatenate(x.swapaxes(0, 1), axis=1),
        "you joined the heads along T; join their columns, the last axis.",
    )
    yield (
        x.swapaxes(1, 2),
        "swapping is done; now put the heads' columns side by side with reshape.",
    )


@_check(
    _judge,
    [
        (x, *_normal(4, x.shape[-1], x.shape[-1]) / x.shape[-1] ** 0.5, heads)
        for x, heads in _X_HEADS
    ],
)
def multi_head(X, W_Q, W_K, W_V, W_O, heads):
    """answer(X (B, T, d), W_Q, W_K, W_V, W_O (each (d, d)), heads) -> output (B, T, d)."""
    split, merge, one = library.split_heads, library.merge_heads, np.eye(len(W_O))

    def attend(
        W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, heads=heads, split=split, merge=merge, **switches
    ):
        return merge(_attend(*(split(X @ W, heads) for W in (W_Q, W_K, W_V)), **switches)) @ W_O

    yield attend(), "project, split, attend, merge, project."
    yield attend(W_O=one), "W_O is missing; multiply the merged heads by it."
    yield attend(W_O=W_O.T), "W_O is transposed; for row vectors it is merged @ W_O."
    yield (
        attend(W_Q=W_K, W_K=W_Q),
        "W_Q and W_K are swapped; queries are X @ W_Q, keys are X @ W_K.",
    )
    yield attend(W_V=one), "the values are X itself; project them with W_V."
    yield attend(heads=1), "there is one head only; split before attending."
    yield (
        attend(size=len(W_O)),
        "you divided by sqrt(d_model); inside a head it is d_k = d_model / heads.",
    )
    blind = attend(split=_blind_split, merge=_blind_merge)
    yield blind, "you split and merged with reshape alone; swap tokens and heads too, both times."
    yield (
        attend(split=_blind_split),
        "you split with reshape alone; reshape to (B, T, H, d_k), then swap T and H.",
    )
    yield attend(merge=_blind_merge), "you merged with reshape alone; swap H and T back first."
    yield from _mistakes(attend)


@_check(_judge, [(512, 8), (12, 3)])
def parameter_count(d_model, heads):
    """answer(d_model, heads) -> how many numbers multi-head attention learns, without biases."""
    square = d_model * d_model
    yield 4 * square, "four matrices of d_model × d_model, whatever the number of heads."
    yield (
        4 * square * heads,
        "you gave each head the full width; it is d_model / heads wide, so that heads cancels.",
    )
    yield 3 * square, "you forgot W_O; there are four matrices."
    yield (
        4 * square // heads,
        "you counted one head, or heads of d_k × d_k; each of the heads reads all d_model columns.",
    )
    yield (
        3 * square + square * heads,
        "W_O is not one for each head: the heads share one, of d_model × d_model.",
    )
    yield (
        (3 * heads + 1) * square,
        "you gave each head W_Q, W_K and W_V of full width; a head is d_model / heads wide.",
    )
    yield 4 * square + 4 * d_model, "you counted biases too; this exercise asks without."


# Notebook 6
_each = lambda says, *values: [(value, says) for value in values]


@_check(_judge, [(5, 6), (4, 8)])
def positions(length, d_model):
    """answer(length, d_model) -> (length, d_model): sines on the even dimensions, cosines on the odd ones."""
    p, j, right = (
        np.arange(length)[:, None],
        np.arange(d_model),
        lib.positions.sinusoidal_positions(length, d_model),
    )
    rate, wave = (
        j // 2 * 2 / d_model,
        lambda angles, odd=j % 2: np.where(odd, np.cos(angles), np.sin(angles)),
    )
    yield right, "each pair of dimensions is a hand of its own, the first one fastest."
    yield (
        np.hstack([right[:, ::2], right[:, 1::2]]),
        "all sines come first; they take turns: sin, cos, sin, cos.",
    )
    yield (
        wave(p / 1e4**rate, 1 - j % 2),
        "sin and cos are swapped; the even dimensions, from 0 on, hold the sines.",
    )
    yield (
        wave(p / 1e4**rate, p % 2),
        "you chose sin or cos by the position; choose by the dimension.",
    )
    yield wave((p + 1) / 1e4**rate), "your first row is position 1; positions count from 0."
    yield wave(p / 1e3**rate), "your base is 1000; it is 10000."
    yield wave(p / 1e4 ** (d_model * rate)), "the exponent is not divided by d_model."
    yield from _each(
        "each next pair has to turn more slowly.", wave(p * 1e4**rate), wave(p + 0 * j)
    )
    off = "the exponent is 2i/d_model, where i counts the pairs; check your i (0, 2, 4 is 2i already)."
    yield from _each(
        off, *(wave(p / 1e4**e) for e in (rate / 2, 2 * rate, j / d_model, 2 * j / d_model))
    )


@_check(_judge, [(_normal(2, 4, 6), _normal(7, 6)), (_normal(3, 2, 5), _normal(8, 5))])
def add_positions(x, table):
    """answer(x (B, T, d), table (length, d)) -> (B, T, d): x with the positions 0 to T - 1 added."""
    B, T, d = x.shape
    yield x + table[:T], "word t of every sentence gets row t."
    yield x + table[:B, None], "sentence b got row b, by the batch axis; word t takes row t."
    yield from _each(
        "all words got the same row; word t takes row t.",
        x + table[0],
        x + table[T - 1],
        x + table[T],
    )
    yield x + table[-T:], "you took the last rows of the table; the first word takes row 0."
    yield x * table[:T], "you multiplied; positions are added."
    yield from _each(
        "these are the positions alone; the words are gone.", table[:T], 0 * x + table[:T]
    )


@_check(_judge, [(_normal(5, 6),), (_normal(3, 4),)])
def rotary(x):
    """answer(x (T, d_k)) -> (T, d_k): row p turned by the angles of position p, in pairs of neighbours."""
    p, waves = np.arange(len(x)), lib.positions.sinusoidal_positions(*x.shape)
    a, b, sin, cos = x[:, ::2], x[:, 1::2], waves[:, ::2], waves[:, 1::2]
    turn = lambda a, b, sin=sin, cos=cos: (a * cos - b * sin, b * cos + a * sin)
    pair = lambda a, b: np.stack([a, b], axis=-1).reshape(x.shape)
    yield pair(*turn(a, b)), "every pair turns like the hand of a clock, and keeps its length."
    yield (
        pair(*turn(a, b, -sin)),
        "the pairs turn the wrong way round; look at the signs of the two sines.",
    )
    yield lib.positions.rotary(x, p + 1), "your first row has turned already; it is position 0."
    yield (
        np.hstack(turn(*np.split(x, 2, axis=1))),
        "you paired the first half with the second; pair neighbours.",
    )
    yield (
        pair(*turn(a, b, np.sin(p)[:, None], np.cos(p)[:, None])),
        "all pairs turn equally; the next one is slower.",
    )
    yield (
        pair(turn(a, b)[0], b * cos + turn(a, b)[0] * sin),
        "you wrote over the first number and then needed it.",
    )
    mixed = (
        "each new number of a pair needs both old ones, one with the cosine and one with the sine."
    )
    yield from _each(mixed, x * pair(cos, cos), x * pair(sin, sin), x * pair(cos, sin))
    yield x + waves, "you added the positions; rotary positions turn the pairs instead."


# Notebook 7
_SUBLAYERS = (
    lambda h: _attend(h, h, h),
    lambda h, memory: _attend(h, memory, memory),
    lambda h: np.maximum(h, 0),
)
_plain_norm = lambda x: lib.layers.layer_norm(x)
_rows = lambda T, d, spread: (
    spread * _normal(T, d) + 0.02,
    *_normal(2, d),
)  # 1e-5 counts beside such variances


@_check(_judge, [_rows(3, 5, 0.003), _rows(4, 6, 0.01)])
def layer_norm(x, gain, bias):
    """answer(x (T, d), gain (d,), bias (d,)) -> (T, d), with an epsilon of 1e-5."""

    def norm(inside=1e-5, outside=0, axis=-1, ddof=0, power=0.5, gain=gain, bias=bias, mean=1):
        variance = x.var(axis, ddof=ddof, keepdims=True) + inside
        return (x - mean * x.mean(axis, keepdims=True)) / (variance**power + outside) * gain + bias

    yield norm(), "every word on its own: mean 0 and spread 1, then gain and bias."
    epsilon = "epsilon, 1e-5, goes inside the root, added to the variance."
    yield from _each(epsilon, norm(0, 1e-5), norm(0, 1e-6), norm(1e-6), norm(0))
    ddof = "you divided by d - 1 in the variance (ddof=1, the habit of torch); divide by d."
    yield from _each(ddof, *(norm(*e, ddof=1) for e in ((1e-5, 0), (0, 1e-5), (0, 1e-6), (0, 0))))
    yield (
        norm(axis=0),
        "mean and variance run over the words (axis 0); each word has its own, over its features.",
    )
    yield norm(axis=None), "mean and variance are those of the whole table; each word has its own."
    yield norm(mean=0), "the mean is not subtracted."
    yield norm(power=1), "you divided by the variance; divide by its root."
    yield norm(gain=1), "the gain is missing."
    yield norm(bias=0), "the bias is missing."
    yield norm(bias=bias * gain), "the bias came before the gain, which multiplied it; add it last."


@_check(_judge, [(_normal(*shape), _SUBLAYERS[0], _plain_norm) for shape in ((3, 5), (4, 6))])
def post_norm(x, run, norm):
    """answer(x (T, d), run, norm) -> (T, d): the sub-layer run with its residual, then norm."""
    yield norm(x + run(x)), "add, then norm, as the paper draws it."
    yield (
        x + run(norm(x)),
        "this is pre-norm, which most code has today; post-norm comes after the sum.",
    )
    yield x + run(x), "norm is missing."
    yield from _each(
        "x itself is lost; add it to what run returns.", norm(run(x)), run(norm(x)), run(x)
    )
    yield from _each(
        "norm comes last, around the sum.",
        x + norm(run(x)),
        norm(x) + run(x),
        run(norm(x + run(x))),
    )
    yield from _each(
        "one norm is enough, at the end.", norm(x + run(norm(x))), norm(norm(x) + run(x))
    )


@_check(_judge, [(512, 2048), (12, 30)])
def encoder_parameters(d_model, d_ff):
    """answer(d_model, d_ff) -> how many numbers one encoder layer learns, without biases and norms."""
    four, one, norms = 4 * d_model**2, d_model * d_ff, 4 * d_model
    yield four + 2 * one, "four matrices in attention, two in the feed-forward network."
    yield four * 3 / 4 + 2 * one, "W_O is missing; attention has four matrices."
    yield four + one, "the feed-forward network has two matrices: to d_ff, and back."
    yield from _each("no matrix is d_ff × d_ff.", four + d_ff**2, four + 2 * d_ff**2)
    yield four, "this is attention alone; the feed-forward network learns too."
    yield 2 * one, "this is the feed-forward network alone; attention learns too."
    yield (
        8 * four + 2 * one,
        "you gave each of 8 heads matrices of full width; the heads share four.",
    )
    more = (norms, norms + d_model + d_ff, 2 * norms + d_model + d_ff, d_model + d_ff)
    yield from _each(
        "you counted biases or norms; this exercise asks without.",
        *(four + 2 * one + m for m in more),
    )


# Notebook 8
_decoder = lambda T, S, d: (_normal(T, d), _normal(S, d, seed=1), *_SUBLAYERS)
_step = lambda words: np.random.default_rng(np.ravel(words).astype(int) + 1).standard_normal(
    6
)  # of all words so far
_words = lambda B, T: np.random.default_rng(T).permutation(B * T).reshape(B, T) + 2


@_check(_judge, [(_words(2, 4), 1), (_words(3, 5), 30)])
def shift_right(target, start):
    """answer(target (B, T), start) -> (B, T) words: what the decoder reads."""
    first, row = np.full_like(target[:, :1], start), lambda *parts: np.concatenate(parts, axis=1)
    yield (
        row(first, target[:, :-1]),
        "start comes first, and each place holds the word before the one to be guessed.",
    )
    yield (
        row(first, target[:, 1:]),
        "start took the place of the first word; the words have to move on.",
    )
    yield (
        row(first, target),
        "start is in front, but a row has T + 1 words now; which one is never read?",
    )
    yield row(first, first, target[:, :-2]), "the words moved by two places; one is enough."
    yield from _each(
        "the last word came round to the front.", np.roll(target, 1, 1), np.roll(target, 1)
    )
    yield from _each(
        "you shifted to the left.", row(target[:, 1:], first), np.roll(target, -1, axis=1)
    )
    yield from _each(
        "start stands at the end; it comes first.", row(target, first), row(target[:, :-1], first)
    )
    yield (
        np.vstack([0 * target[:1] + start, target[:-1]]),
        "the sentences moved; move the words, along axis 1.",
    )


@_check(
    _judge, [(_step, 0, 1, 9), (_step, 2, 5, 8), (_step, 3, 5, 5)]
)  # in the third, end comes too late
def greedy(step, start, end, longest):
    """answer(step, start, end, longest) -> list of words; step(words so far) gives the scores of the next."""

    def write(choose=np.argmax, see=slice(None), stop=True, most=longest, keep=False):
        words = [start]
        while len(words) <= most and not (stop and words[-1] == end):
            words.append(int(choose(step(words[see]))))
        return words[1 : -1 if stop and not keep and words[-1] == end else None]

    yield write(), "always the best word, until end or the longest allowed."
    yield write(stop=False), "you go on after end; stop there."
    yield from _each(
        "start is for step only; do not return it.", [start, *write()], [start, *write(keep=True)]
    )
    yield write(keep=True), "end stops the loop; do not return it."
    count = "right where end comes; else return exactly longest words (start does not count)."
    yield from _each(count, write(most=longest - 1), write(most=longest + 1), write(most=99))
    yield write(see=slice(-1, None)), "step saw the last word only; give it all the words so far."
    yield (
        write(see=slice(1, None)),
        "step did not see start; give it all the words so far, start first.",
    )
    yield write(np.argmin), "you took the lowest score; the best word has the highest."


@_check(_judge, [_decoder(3, 4, 5), _decoder(4, 2, 6)], square=_decoder(4, 4, 5))
def decoder_sublayers(x, memory, self_attend, cross_attend, feed_forward):
    """answer(x (T, d), memory (S, d), self_attend, cross_attend, feed_forward) -> (T, d): no norms."""

    def layer(keep=(1, 1, 1), take=(1, 1, 1)):
        h = keep[0] * x + take[0] * self_attend(x)
        h = keep[1] * h + take[1] * cross_attend(h, memory)
        return keep[2] * h + take[2] * feed_forward(h)

    end, h, crossed = lambda h: h + feed_forward(h), x + self_attend(x), x + cross_attend(x, memory)
    yield layer(), "each sub-layer adds to what the one before it left."
    yield layer(keep=(0, 0, 0)), "there is no residual; add each sub-layer's input to its output."
    for i, name in enumerate(("self-attention", "cross-attention", "the feed-forward network")):
        yield (
            layer(keep=np.arange(3) != i),
            f"the residual of {name} is missing; add its input to its output.",
        )
        yield layer(take=np.arange(3) != i), f"{name} is missing."
    yield end(crossed + self_attend(crossed)), "self-attention comes first, then cross-attention."
    yield (
        end(h + cross_attend(x, memory)),
        "cross-attention got x; give it what self-attention left.",
    )
    yield (
        x + feed_forward(x + cross_attend(h, memory)),
        "you added x each time; add each sub-layer's own input.",
    )
    yield (
        end(x + cross_attend(h, memory)),
        "the residual of cross-attention added x; add what self-attention left.",
    )
    yield (
        h + cross_attend(x, memory) + feed_forward(x),
        "all three got x; each takes what the one before left.",
    )
    yield end(h + cross_attend(h, h)), "cross-attention looked at its own side; it looks at memory."
    swapped = end(h + cross_attend(memory, h)) if len(x) == len(memory) else None
    yield swapped, "memory asked; the decoder's words ask, and memory answers."


# Notebook 9
_scored = lambda scores: (scores, np.add.outer(*map(np.arange, scores.shape)) % 3 > 0)
_EMPTY = (_normal(3, 4, seed=1), np.tri(3, 4, -1) > 0)  # the first row sees nothing
_INVERTED = "True and False are swapped; True = may attend."
_ADDITIVE = (
    "these are numbers to add to scores; here a mask holds True and False, True = may attend."
)
_additive = lambda mask: _each(
    _ADDITIVE, *(np.where(m, 0, low) for m in (mask, ~mask) for low in (-np.inf, -1e9))
)


@_check(_judge, [(4,), (6,)])
def causal_mask(T):
    """answer(T) -> (T, T) booleans, True = may attend: each word sees itself and the words before it."""
    right = np.tri(T, dtype=bool)
    yield right, "every word sees itself and what came before."
    yield ~right, _INVERTED
    yield np.tri(T, k=-1), "no word sees itself, and the first sees nothing; open the diagonal."
    yield (
        np.tri(T, k=1),
        "every word sees the next one, which it has to guess; stop at the diagonal.",
    )
    yield right.T, "every word sees the later ones; rows are queries, columns are keys."
    yield np.ones((T, T)), "nothing is hidden; close the later words."
    yield from _additive(right)


@_check(_judge, [(np.array([2, 4]), 5), (np.array([1, 3, 2]), 4)])
def padding_mask(lengths, S):
    """answer(lengths (B,), S) -> (B, S, S) booleans, True = may attend: nobody sees the padding."""
    row = lambda real: np.broadcast_to(real, (len(lengths), S, S))
    key, size = np.arange(S), lengths[:, None, None]
    right = row(key < size)
    yield right, "the padding's columns are closed, to every row."
    yield ~right, _INVERTED
    yield (
        right.swapaxes(1, 2),
        "you closed rows, the queries; padding must not be seen: close columns, the keys.",
    )
    yield (
        right & right.swapaxes(1, 2),
        "you closed rows too, which leaves them nothing to see; close columns only.",
    )
    yield row(key <= size), "one place too many is open; 3 words have the places 0, 1 and 2."
    yield row(key < size - 1), "the last real word is closed; 3 words have the places 0, 1 and 2."
    yield row(key >= S - size), "you counted from the end; the padding comes after the words."
    yield from _additive(right)


@_check(_judge, [_scored(_normal(3, 4) + 2), _scored(_normal(2, 5) - 200), _EMPTY])
def masked_softmax(scores, mask):
    """answer(scores (T, S), mask (T, S)) -> weights (T, S): 0 where mask is False, even in a row of False alone."""
    fill = lambda low, axis=-1: library.softmax(np.where(mask, scores, low), axis)
    right, free, some = fill(-np.inf), library.softmax(scores), mask.any(-1, keepdims=True)
    yield right, "what is masked gets exactly 0, and the others share the whole."
    equal = "right, but a row of False alone gets weights: equally low keys are equal rivals. Make them 0."
    yield from _each(equal, fill(-1e9), np.where(some, right, free))
    yield (
        np.where(some, right, np.nan),
        "right, but a row of False alone is NaN, from 0/0; make its weights 0.",
    )
    yield library.softmax(np.where(mask, -np.inf, scores)), _INVERTED
    yield (
        free * mask,
        "rows no longer sum to 1: you masked after the softmax. Mask before it, or share out again.",
    )
    yield (
        fill(0),
        "masked scores are 0 and still get weight, as exp(0) is 1; which score has exp 0?",
    )
    yield from _each(
        "right for some scores, but others are below -1 or -50; what is below all?",
        fill(-1),
        fill(-50),
    )
    yield (
        library.softmax(scores + mask),
        "you added 0 and 1; a masked score has to fall without limit.",
    )
    yield (
        fill(-np.inf, 0),
        "the softmax runs over the queries; each row shares out over the keys, axis -1.",
    )
    yield free, "the mask has no effect."


# Notebook 10


@_check(_judge, [(np.array([2, 0, 3]), 5, 0.1), (np.array([1, 6]), 7, 0.4)])
def label_smoothing(right, words, epsilon):
    """answer(right (B,), words, epsilon) -> (B, words): the distributions to aim at."""
    hot = np.eye(words)[right]
    yield (
        (1 - epsilon) * hot + epsilon / words,
        "1 - ε on the right word, and ε spread evenly over all words.",
    )
    yield (
        (1 - epsilon) * hot + (1 - hot) * epsilon / (words - 1),
        "you spread ε over the other words; over all of them.",
    )
    yield hot, "one-hot rows; nothing is smoothed yet."
    yield (
        hot + epsilon / words,
        "rows sum to 1 + ε: what is spread has to be taken from the right word.",
    )
    yield (
        (1 - epsilon) * hot,
        "rows sum to 1 - ε: what you took from the right word has to be spread.",
    )
    yield (1 - epsilon) * hot + epsilon, "every word gets the whole of ε; they have to share it."
    yield epsilon * hot + (1 - epsilon) / words, "ε and 1 - ε have changed places."
    yield from _each(
        "each of them is 1 / words: the right word has to stand out.", np.full_like(hot, 1 / words)
    )


@_check(_judge, [(np.arange(1, 8), 64, 3), (np.arange(1, 10.0), 512, 5)])
def learning_rate(step, d_model, warm_up):
    """answer(step (N,), d_model, warm_up) -> (N,) rates: the paper's equation 3."""
    up, down = step * float(warm_up) ** -1.5, step**-0.5
    yield (
        d_model**-0.5 * np.minimum(up, down),
        "a straight line up to warm_up, then down like 1/√step.",
    )
    yield d_model**-0.5 * down, "there is no warm-up: the highest rate comes at the first step."
    yield d_model**-0.5 * up, "it rises without end; after warm_up the other term has to take over."
    yield (
        d_model**-0.5 * np.maximum(up, down),
        "you took the larger of the two terms; take the smaller one.",
    )
    yield np.minimum(up, down), "d_model is not used; a wider model gets a smaller rate."
    yield d_model**0.5 * np.minimum(up, down), "you multiply by √d_model; divide by it."
    yield np.minimum(up, down) / d_model, "you divide by d_model; divide by its root."
    yield (
        d_model**-0.5 * np.minimum(step * float(warm_up) ** -0.5, down),
        "the power of warm_up is -1.5, not -0.5.",
    )
    yield (
        d_model**-0.5 * np.minimum((step - 1) * float(warm_up) ** -1.5, down),
        "steps count from 1, as given.",
    )


@_check(
    _judge, [(library.softmax(_normal(2, 3, 5)), 1, 2), (library.softmax(_normal(3, 4, 6)), 0, 2)]
)
def cut_arrow(weights, query, key):
    """answer(weights (H, T, S), query, key) -> the same without that arrow, the rest of the row shared anew."""
    H, T, S = weights.shape
    row, column = np.arange(T)[:, None] == query, np.arange(S) == key
    cut = lambda gone: np.where(gone, 0, weights)
    again = lambda kept, axis=-1: kept / kept.sum(axis, keepdims=True)
    right = again(cut(row & column))
    yield right, "the arrow is gone, and the other keys of that query share what it had."
    yield (
        cut(row & column),
        "the row no longer sums to 1: its other keys have to share what the arrow had.",
    )
    spread = np.where(
        row & ~column, weights + weights[:, query, key][:, None, None] / (S - 1), cut(row & column)
    )
    yield (
        spread,
        "the others got equal parts of it; they keep their proportions if you divide by the new sum.",
    )
    yield from _each(
        "you closed the key to every query; one arrow only.", cut(column), again(cut(column))
    )
    yield np.where(row, 0, weights), "the whole row is gone; remove one arrow of it."
    yield (
        cut(row & column) / cut(row & column).sum(-2, keepdims=True),
        "you shared out over the queries; over the keys.",
    )
    other = np.where(row & column, -np.inf, weights)
    yield (
        library.softmax(other),
        "a softmax over weights is not what a mask does: it makes them nearly equal. Divide.",
    )
    yield (
        np.where(row, library.softmax(other), weights),
        "a softmax over weights makes them nearly equal; divide by the sum.",
    )
    first = np.arange(H)[:, None, None] == 0
    yield (
        np.where(first, right, weights),
        "only the first head was changed; the arrow has to go in all.",
    )
    turned = (np.arange(T)[:, None] == key) & (np.arange(S) == query)
    yield from _each(
        "query and key have changed places: rows are queries.", cut(turned), again(cut(turned))
    )


# Notebook 11
_shares = lambda *shape: library.softmax(_normal(*shape))


@_check(
    _judge, [(_shares(4, 6), np.array([2, 0, 5, 3])), (_shares(6, 5), np.array([1, 4, 0, 3, 2, 4]))]
)
def next_word_loss(probabilities, text):
    """answer(probabilities (T, words), text (T,)) -> number: the mean of -log p of each next word."""
    t, losses = np.arange(len(text)), lambda rows, asked: -np.log(probabilities[rows, asked])
    right = losses(t[:-1], text[1:])
    yield right.mean(), "row t is asked about word t + 1, and the last row about nothing."
    seen = "row t was asked about word t, which it has seen; ask it about word t + 1."
    yield from _each(seen, *(losses(t, text)[part].mean() for part in np.s_[:, :-1, 1:]))
    back = "you shifted the wrong way: row t was asked about word t - 1; ask it about word t + 1."
    yield from _each(back, *(losses(t, np.roll(text, 1))[part].mean() for part in np.s_[:, 1:]))
    yield (
        losses(t, np.roll(text, -1)).mean(),
        "the last row was asked about the first word; leave that row out.",
    )
    yield right.sum(), "this is the sum, which grows with the text; take the mean."
    yield right.sum() / len(text), "you divided by T; only T - 1 words are foretold."
    yield right, "these are the losses of the single words; take their mean."
    yield (
        -right.mean(),
        "the minus is missing: a loss falls when the right words become more probable.",
    )
    yield -np.log(np.exp(-right).mean()), "you took the log of the mean; take the mean of the logs."
    yield np.exp(-right).mean(), "this is the mean probability; take the mean of -log p."
    yield (
        (1 - np.exp(-right)).mean(),
        "this is the mean of 1 - p, never above 1; -log p grows without limit.",
    )
    base = "right, but for the base of the logarithm; take the natural one, np.log."
    yield from _each(base, *(right.mean() / np.log(other) for other in (2, 10)))
    yield np.exp(right.mean()), "this is the perplexity; the loss is its logarithm."
    every = "every row met every word; pair them: probabilities[range(T - 1), text[1:]]."
    yield -np.log(probabilities[:-1, text[1:]]).mean(), every
    yield (
        -np.log(probabilities.max(-1))[:-1].mean(),
        "you took each row's largest; take the word that came.",
    )


@_check(_judge, [(_shares(4, 3)[:, 0],), (_shares(7, 4)[:, 1],)])
def perplexity(p):
    """answer(p (N,)) -> number: from the probabilities that N right words were given."""
    loss = -np.log(p).mean()
    yield np.exp(loss), "as uncertain as a choice among so many equally probable words."
    yield loss, "this is the loss; perplexity is e to that power."
    yield from _each(
        "the minus is missing; a perplexity is never below 1.", np.exp(-loss), p.prod()
    )
    mean = "you took the mean of the probabilities, which hides a bad miss; take the mean of their logarithms."
    yield from _each(mean, 1 / p.mean(), p.mean(), -np.log(p.mean()))
    yield (
        (1 / p).mean(),
        "you took the mean of 1 / p, which one rare word rules; take the mean of the logarithms.",
    )
    yield from _each(
        "without the mean, a longer text is always worse.", 1 / p.prod(), loss * len(p)
    )
    base = "the logarithm and the power need the same base: np.log and np.exp, or np.log2 and 2 **."
    yield from _each(base, 2**loss, np.exp(loss / np.log(2)), loss / np.log(2))


@_check(_judge, [(_shares(7), 0.6), (_shares(5), 0.29)])  # in the second, one word reaches p
def top_p(probabilities, p):
    """answer(probabilities (words,), p) -> (words,): the fewest most probable words that reach p, adding up to 1."""
    order = np.argsort(-probabilities)
    rank, before = order.argsort(), lambda x: np.cumsum(x) - x
    count, places, summed = (
        (before(probabilities[order]) < p).sum(),
        np.arange(len(order)),
        np.cumsum(probabilities),
    )
    share = lambda kept: kept * probabilities / (kept @ probabilities)
    both = lambda kept, says: _each(
        says, share(kept), kept * probabilities
    )  # made to add up to 1, or not
    right = rank < count
    yield share(right), "the most probable words until they reach p, and what is left adds up to 1."
    yield (
        right * probabilities,
        "the right words, but they no longer add up to 1; divide by their sum.",
    )
    yield (
        right * probabilities / p,
        "divide by what the kept words have together; that is more than p.",
    )
    dropped = "you dropped the word that crosses p; the kept words have to reach it."
    yield from both(rank < count - 1, dropped)
    yield from both(rank < max(1, count - 1), f"right where one word reaches p, but else {dropped}")
    yield from both(
        rank < count + 1, "you kept one word too many; the word that crosses p is the last."
    )
    yield from both(
        probabilities >= p, "you kept words of at least p each; p is what they reach together."
    )
    least = "you kept words of at least p times the largest; p is what they reach together."
    yield from both(probabilities >= p * probabilities.max(), least)
    number = "right where one word reaches p, but else you keep a share of the words; p is one of their probability."
    yield from both(rank < int(p * len(order)), number)
    tail = "you kept what comes after p is reached; keep what comes before, and the word that reaches it."
    for first in (count - 1, count):
        yield from both(rank >= first, tail)
    line = "you added up in the order of the vocabulary; begin with the most probable word."
    for kept in (before(probabilities) < p, summed <= p, rank < 1 + (summed < p).sum()):
        yield from both(kept, line)
    unsorted = (
        "what you keep is marked in sorted order, but the words are not sorted: kept[order] = ..."
    )
    for first in (count, count - 1):
        yield from both(places < first, unsorted)
    rising = before(probabilities[order[::-1]])[::-1][rank] < p
    yield from both(
        rising, "you began with the least probable word; begin with the most probable one."
    )
    place = "the words are in sorted order; put each back in its own place."
    yield from _each(place, share(right)[order], (right * probabilities)[order])
    yield (
        right,
        "right where one word reaches p, but else return probabilities, not which words to keep.",
    )
    yield (
        rank == 0,
        "right where one word reaches p, but else you keep it alone; add words until they reach p.",
    )
