"""The exercises of notebook 2: softmax and the weighted sum."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.inputs import normal
from lib.checks.judge import check, number_check, right, wrong, wrongs

FAR = normal(3, 4).round() + [[1000] * 4, [-1000] * 4, [1000, 0, -1000, -1000]]
STACK = normal(2, 3, 4)  # tables of several heads, one behind the other


@check((normal(3, 4),), (normal(2, 5),), (FAR,), (STACK,), arrays=True)
def softmax(scores):
    """answer(scores (..., T, S)) -> weights, as large: rows sum to 1, for scores of any size."""
    total = scores.sum(axis=-1, keepdims=True)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores)
    weights = library_softmax(scores)
    yield right(weights, "each row sums to 1, and scores of 1000 are no problem.")
    yield wrong(
        library_softmax(scores, axis=1),
        "right for a table, but your softmax runs over axis 1; in a stack of tables (H, T, S) "
        "that is T. The keys are the last axis, axis=-1.",
    )
    yield from _largest_of_others(scores)
    yield from _overflows(scores)
    yield wrong(
        powers / powers.sum(0),
        "your columns sum to 1, not your rows; share out over the keys, axis -1, not over axis 0.",
    )
    yield wrong(
        powers / powers.sum(),
        "the whole table sums to 1; each row, one query, has to sum to 1 on its own.",
    )
    yield wrong(
        scores / total,
        "you divided by the sum without exp first, so negative scores become negative weights.",
    )
    yield wrong(powers, "exp is there, but the rows do not sum to 1; divide by each row's sum.")
    yield wrong(
        powers / np.exp(largest),
        "the largest of each row became 1; divide by the sum of each row.",
    )
    yield wrong(
        powers / total, "you divided by the sum of the scores; divide by the sum of their exp."
    )
    yield wrong(np.log(weights), "this is the logarithm of the weights; take exp of it.")
    yield wrong(
        library_softmax(-scores),
        "the smallest score gets the largest weight: you took exp(-score).",
    )
    yield wrong(
        powers / (1 + powers),
        "this is the sigmoid of each score alone; the scores of a row have to compete.",
    )
    yield wrong(
        scores == largest,
        "everything goes to the largest score; softmax shares, it does not choose.",
    )


def _largest_of_others(scores):
    tables = library_softmax(scores.reshape(*scores.shape[:-2], -1)).reshape(scores.shape)
    yield wrong(
        tables if scores.ndim > 2 else library_softmax(scores),
        "right for a table; in a stack your loop's rows are whole tables.",
    )
    yield from wrongs(
        "you subtracted each column's largest; within a row only one number may be subtracted.",
        *(_shares(np.exp(scores - scores.max(axis=axis, keepdims=True))) for axis in (0, -2)),
    )


def _shares(powers):
    return powers / powers.sum(-1, keepdims=True)


def _overflows(scores):
    powers = np.exp(scores)
    powers_below_one = np.exp(scores - scores.max())
    yield from wrongs(
        "right for small scores, but exp(1000) is inf; subtract each row's largest.",
        _shares(powers),
        powers / powers.sum(1, keepdims=True),
    )
    yield from wrongs(
        "right for small scores, but low rows are 0/0; subtract their own largest.",
        _shares(powers_below_one),
        powers_below_one / powers_below_one.sum(1, keepdims=True),
    )


@check((normal(3, 4), normal(4, 2)), (normal(2, 5), normal(5, 3)))
def weighted_sum(scores, values):
    """answer(scores (T, S), values (S, d_v)) -> (T, d_v)."""
    weights = library_softmax(scores)
    powers = np.exp(scores)
    plain = values.mean(0)
    yield right(weights @ values, "each row of scores became shares, and they mix the values.")
    yield wrong(scores @ values, "you multiplied by the scores themselves; they are no shares yet.")
    yield from wrongs(
        "this is the plain average; the weights decide how much each value counts.",
        plain,
        np.tile(plain, (len(scores), 1)),
    )
    yield wrong(values.sum(0), "you added the values without their weights.")
    yield wrong(weights, "these are the weights; they say where, now fetch what stands there.")
    yield wrong(
        weights[..., None] * values,
        "you weighted the values but did not add them up to one vector for each query.",
    )
    yield wrong(
        values[scores.argmax(-1)],
        "you took the value of the largest score only; softmax shares, it does not choose.",
    )
    yield wrong(
        weights @ values / len(values),
        "you divided by the number of keys as well; the weights add up to 1 already.",
    )
    yield wrong(
        powers @ values, "your weights are not divided by their sum; does my_softmax do that?"
    )
    yield wrong(
        library_softmax(scores, axis=0) @ values,
        "you shared out over the queries, axis 0; each row shares out over its keys.",
    )
    yield wrong(
        powers / powers.sum() @ values,
        "the whole table of weights sums to 1; each row has to, on its own.",
    )
    yield wrong(
        library_softmax(weights) @ values,
        "you took the softmax twice; after the first they are weights already.",
    )


@number_check(tolerance=0.002)
def lead():
    """answer: the lead over 63 equal rivals that gives one of 64 keys a weight of one half."""
    yield right(
        np.log(63),
        "exp(lead) has to equal 63 rivals of exp(0) = 1 together, so lead = ln 63 = 4.14.",
    )
    yield wrong(
        np.log(64),
        "almost: ln 64 counts the leader as its own rival; "
        "exp(lead) equals the 63 others together.",
    )
    yield wrong(63, "this is the number of rivals; which score has that number as its exp?")
    yield wrong(np.log2(63), "this is the logarithm to base 2; softmax uses e.")
    yield wrong(np.log10(63), "this is the logarithm to base 10; softmax uses e.")
    yield wrong(
        np.log(2), "with a lead of 0.69 it gets twice ONE rival's share; there are 63 of them."
    )
