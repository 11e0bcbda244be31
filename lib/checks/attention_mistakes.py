"""The mistakes that one makes in attention, for the checks of notebooks 3 to 5."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.inputs import length
from lib.checks.tables import wrong

NO_SCALING = "there is no scaling; the scores have to be divided, before the softmax."
NO_SOFTMAX = "there is no softmax; these are raw scores, not yet weights."
CONSTANTS = (2**0.5, 2, 8**0.5, 3, 4, 16, 64)
OVER_QUERIES = "the softmax runs over the queries; each query shares out over the keys, axis -1."


def shares_of(queries, keys):
    """The weights as they should be."""
    scores = queries @ keys.swapaxes(-1, -2)  # (..., T, S)
    return library_softmax(scores / queries.shape[-1] ** 0.5)


def attend(queries, keys, values):
    """The output as it should be."""
    return shares_of(queries, keys) @ values


def mistakes(queries, keys, values=None, finish=None):
    """One row for each mistake: the weights, or if there are values, the output.

    finish: what a check does with the output of attention.
    """
    d_v = None if values is None else values.shape[-1]
    wrong_weights = [
        *_wrong_scales(queries, keys, d_v),
        *_wrong_softmax(queries, keys),
        *_wrong_order(queries, keys),
        *_two_mistakes(queries, keys),
    ]
    for weights, message in wrong_weights:
        yield wrong(_output(weights, values, finish), message)


def _output(weights, values, finish):
    if values is None:
        return weights
    if weights.shape[-1] != values.shape[-2]:
        return None  # cannot be made with these inputs
    output = weights @ values
    return output if finish is None else finish(output)


def _wrong_scales(queries, keys, d_v):
    """(weights, message) for scores that are divided by something else than the root of d_k."""
    scores = queries @ keys.swapaxes(-1, -2)  # (..., T, S)
    d_k = queries.shape[-1]
    T, S = scores.shape[-2:]
    yield (
        library_softmax(scores),
        "there is no scaling; or you divided after the softmax, and the division cancels itself. "
        "Divide the scores.",
    )
    yield library_softmax(scores / d_k), "you divided by d_k; divide by its square root."
    yield (
        library_softmax(scores * d_k**0.5),
        "you multiplied by sqrt(d_k), which spreads the scores; divide.",
    )
    yield (
        library_softmax(scores / S**0.5),
        "you divided by sqrt(S), from the number of keys; take d_k, their width.",
    )
    if T != S:
        yield (
            library_softmax(scores / T**0.5),
            "you divided by sqrt(T), from the number of queries; take d_k, their width.",
        )
    if d_v not in (None, d_k):
        yield (
            library_softmax(scores / d_v**0.5),
            "you divided by sqrt(d_v), from the width of the values; take d_k.",
        )
    if scores.ndim == 4:
        yield (
            library_softmax(scores / scores.shape[1] ** 0.5),
            "you divided by the root of the number of heads; take their width d_k.",
        )
    yield from _no_roots(scores, d_k)
    cosines = scores / length(queries)[..., :, None] / length(keys)[..., None, :]
    yield (
        library_softmax(cosines),
        "you divided by the lengths (a cosine); divide by sqrt(d_k), the same for all.",
    )
    yield (
        library_softmax(scores) / d_k**0.5,
        "each row of weights sums to 1/sqrt(d_k), not to 1: you scaled after the softmax.",
    )


def _no_roots(scores, d_k):
    """(weights, message) for divisors that are the root of nothing here."""
    yield (
        library_softmax(scores / (d_k / 2)),
        "you divided by d_k / 2: **1/2 is a power first and a half then; write **0.5 or np.sqrt.",
    )
    yield (
        library_softmax(scores / 8),
        "you divided by 8, which is the root of 64 only; here d_k is another.",
    )
    yield (
        library_softmax(scores / (2 * d_k)),
        "you divided by d_k and then by 2: / d_k ** 1/2 does that; write ** 0.5 or np.sqrt.",
    )
    for constant in CONSTANTS:
        yield (
            library_softmax(scores / constant),
            f"you divided by a constant, {constant:.3g}; d_k differs.",
        )


def _wrong_softmax(queries, keys):
    """(weights, message) for scaled scores that are shared out wrongly."""
    scores = queries @ keys.swapaxes(-1, -2) / queries.shape[-1] ** 0.5  # (..., T, S)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - largest)
    yield library_softmax(scores, axis=-2), OVER_QUERIES
    yield powers / powers.sum(axis=-2, keepdims=True), OVER_QUERIES
    if scores.ndim == 4:
        yield (
            library_softmax(scores, axis=1),
            "your softmax runs over axis 1, not -1: of one table that is the keys, here the heads.",
        )
    table = np.exp(scores)
    yield (
        table / table.sum(axis=(-2, -1), keepdims=True),
        "the softmax runs over the whole table; each row on its own has to sum to 1.",
    )
    yield scores, NO_SOFTMAX
    yield (
        (scores == largest).astype(float),
        "all the weight goes to the best key; softmax shares, it does not choose.",
    )
    yield (
        np.full_like(scores, 1 / scores.shape[-1]),
        "all keys get the same weight; the scores have no effect.",
    )


def _two_mistakes(queries, keys):
    """(weights, message) for the two pairs of mistakes that are really made together."""
    scores = queries @ keys.swapaxes(-1, -2)  # (..., T, S)
    yield scores, f"two mistakes: {NO_SCALING} And {NO_SOFTMAX}"
    yield library_softmax(scores, axis=-2), f"two mistakes: {NO_SCALING} And {OVER_QUERIES}"


def _wrong_order(queries, keys):
    """(weights, message) for tables (S, T) in place of (T, S)."""
    if queries.ndim == 2:  # in several heads, it is W_Q and W_K that are swapped
        yield (
            shares_of(keys, queries),
            "queries and keys are swapped, so the keys ask; scores are queries @ keys.T, (T, S).",
        )
    yield (
        shares_of(queries, keys).swapaxes(-1, -2),
        "the weights are transposed; queries (T) are the rows, keys (S) the columns.",
    )
