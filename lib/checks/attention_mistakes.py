"""The mistakes that one makes in attention, for the checks of notebooks 3 to 5: wrong weights.

Each is an answer (queries (..., T, d_k), keys (..., S, d_k)) -> weights (..., T, S).
"""

import numpy as np

from lib.attention import softmax
from lib.checks.cases import length
from lib.checks.judge import Mistake

NO_SCALING = "there is no scaling; the scores have to be divided, before the softmax."
NO_EXP = "you divided by the sum without exp first, so negative scores become negative weights."
NO_SOFTMAX = "there is no softmax; these are raw scores, not yet weights."
OVER_QUERIES = "the softmax runs over the queries; each query shares out over the keys, axis -1."
SOFTMAX_TWICE = "you took the softmax twice; after the first they are weights already."
KEYS_ASK = (
    "queries and keys are swapped, so the keys ask; scores are queries @ turned keys, (T, S)."
)
AFTER_VALUES = "the softmax comes after the values; share out the scores, then mix the values."
ROOT_OF_D_V = "you divided by sqrt(d_v), from the width of the values; take d_k."
# / np.sqrt(queries.shape) stops: a row of two sizes is not as long as a row of scores.
TIPS = (
    (" (2,)", "a shape holds all sizes, and d_k is one of them"),
    ("name 'd_k' is not", "d_k is queries.shape[-1]"),
)


def weigh(queries, keys, divisor=None, share=softmax):
    """The weights as they should be; or of other quotients, or shared out in another way."""
    if divisor is None:
        divisor = queries.shape[-1] ** 0.5
    return share(queries @ keys.swapaxes(-1, -2) / divisor)  # (..., T, S)


def attend(queries, keys, values):
    """The output as it should be."""
    return weigh(queries, keys) @ values


def sharing_late(queries, keys, values):
    """The softmax over what the values make of the scores."""
    return softmax(weigh(queries, keys, share=lambda scores: scores) @ values)


def divided_by(divisor):
    """Weights of scores that are divided by divisor(d_k, T, S)."""
    return lambda q, k: weigh(q, k, divisor(q.shape[-1], q.shape[-2], k.shape[-2]))


WRONG_SCALES = [
    Mistake(
        "there is no scaling; or you divided after the softmax, and the division cancels itself. "
        "Divide the scores.",
        divided_by(lambda d_k, T, S: 1),
    ),
    Mistake(
        "you divided by d_k, or twice by its root; divide by its square root, once.",
        divided_by(lambda d_k, T, S: d_k),
    ),
    Mistake(
        "you multiplied by sqrt(d_k), which spreads the scores; divide.",
        divided_by(lambda d_k, T, S: d_k**-0.5),
    ),
    Mistake(
        "you divided by sqrt(S), from the number of keys; take d_k, their width.",
        divided_by(lambda d_k, T, S: S**0.5),
    ),
    Mistake(
        "you divided by sqrt(T), from the number of queries; take d_k, their width.",
        divided_by(lambda d_k, T, S: T**0.5),
    ),
    Mistake(
        "you divided by d_k / 2: **1/2 is a power first and a half then; write **0.5 or np.sqrt.",
        divided_by(lambda d_k, T, S: d_k**1 / 2),
    ),
    Mistake(
        "you divided by 8, which is the root of 64 only; here d_k is another.",
        divided_by(lambda d_k, T, S: 8),
    ),
    Mistake(
        "you divided by d_k and then by 2: / d_k ** 1/2 does that; write ** 0.5 or np.sqrt.",
        divided_by(lambda d_k, T, S: d_k * 2),
    ),
    Mistake(
        "you divided by the root of T · d_k, how many numbers the queries hold; take d_k.",
        divided_by(lambda d_k, T, S: (T * d_k) ** 0.5),
    ),
    Mistake(
        "you divided by the cube root of d_k; take the square root.",
        divided_by(lambda d_k, T, S: d_k ** (1 / 3)),
    ),
    Mistake(
        "you divided by the fourth root of d_k; that is for queries and keys, each before the "
        "product. Scores take the square root.",
        divided_by(lambda d_k, T, S: d_k**0.25),
    ),
    *[
        Mistake(
            f"you divided by a constant, {constant:.3g}; take d_k from the queries' own shape, one "
            "from a cell above is another.",
            divided_by(lambda d_k, T, S, constant=constant: constant),
        )
        for constant in (2**0.5, 2, 8**0.5, 3, 4, 16, 64)
    ],
    Mistake(
        "you divided by the lengths (a cosine); divide by sqrt(d_k), the same for all.",
        lambda q, k: weigh(q / length(q)[..., None], k / length(k)[..., None], divisor=1),
    ),
    *[
        Mistake(
            "you divided by lengths of these queries or keys; divide by sqrt(d_k), the same for "
            "all.",
            lambda q, k, divisor=divisor: weigh(q, k, divisor(q, k)),
        )
        for divisor in (
            lambda q, k: length(q)[..., None],
            lambda q, k: length(k)[..., None, :],
            lambda q, k: length(q.ravel()),
            lambda q, k: length(k.ravel()),
        )
    ],
    Mistake(
        "each row of weights sums to 1/sqrt(d_k), not to 1: you scaled after the softmax.",
        lambda q, k: weigh(q, k, divisor=1) / q.shape[-1] ** 0.5,
    ),
]


def over_queries(scores):
    return softmax(scores, axis=-2)


def largest_of_rows_and_sums_of_columns(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


def over_the_table(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=(-2, -1), keepdims=True)


def largest_of_rows_and_sum_of_the_table(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=(-2, -1), keepdims=True)


def shared(share):
    """Weights of the right scores, shared out in another way."""
    return lambda q, k: weigh(q, k, share=share)


HIDES_LATER_KEYS = (
    "right where T and S differ; where they are equal, later keys are hidden: take the mask out."
)


def hiding_later_keys(queries, keys):
    """Weights with a causal mask where there are as many queries as keys, as copied code has it."""
    T, S = queries.shape[-2], keys.shape[-2]
    return weigh(
        queries, keys, share=lambda x: softmax(np.where(np.tri(T, S) + (T != S), x, -np.inf))
    )


MISTAKES = [
    *WRONG_SCALES,
    Mistake(OVER_QUERIES, shared(over_queries)),
    Mistake(OVER_QUERIES, shared(largest_of_rows_and_sums_of_columns)),
    Mistake(
        "the softmax runs over the whole table; each row on its own has to sum to 1.",
        shared(over_the_table),
    ),
    Mistake(
        "the softmax runs over the whole table; each row on its own has to sum to 1.",
        shared(largest_of_rows_and_sum_of_the_table),
    ),
    Mistake(SOFTMAX_TWICE, shared(lambda scores: softmax(softmax(scores)))),
    Mistake(NO_EXP, shared(lambda scores: scores / scores.sum())),
    Mistake(NO_EXP, shared(lambda scores: scores / scores.sum(axis=-1, keepdims=True))),
    Mistake(NO_SOFTMAX, shared(lambda scores: scores)),
    Mistake(
        "all the weight goes to the best key; softmax shares, it does not choose.",
        shared(lambda scores: (scores == scores.max(axis=-1, keepdims=True)).astype(float)),
    ),
    Mistake(
        "all keys get the same weight; the scores have no effect.",
        shared(lambda scores: np.full_like(scores, 1 / scores.shape[-1])),
    ),
    Mistake(KEYS_ASK, lambda q, k: weigh(k, q)),
    Mistake(
        "the weights are transposed; queries (T) are the rows, keys (S) the columns.",
        lambda q, k: weigh(q, k).swapaxes(-1, -2),
    ),
    Mistake(
        f"two mistakes: {NO_SCALING} And {NO_SOFTMAX}",
        lambda q, k: weigh(q, k, divisor=1, share=lambda scores: scores),
    ),
    Mistake(
        f"two mistakes: {NO_SCALING} And {OVER_QUERIES}",
        lambda q, k: weigh(q, k, divisor=1, share=over_queries),
    ),
]
