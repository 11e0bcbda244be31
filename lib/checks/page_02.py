"""The exercises of notebook 2: softmax and the weighted sum."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.attention_mistakes import NO_EXP, SOFTMAX_TWICE
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on_tables
from lib.checks.judge import right, right_number

PAGE = Page(2, "Softmax: from scores to shares")

FAR = normal(3, 4).round() + [[1000] * 4, [-1000] * 4, [1000, 0, -1000, -1000]]
FOR_ONE_TABLE = (
    "for one table. Page 5 brings several at once: axis=-1 and keepdims=True take them; axis=1, "
    "[:, None] and a loop over the rows do not."
)


def share_of_leader(lead):
    with np.errstate(over="ignore"):
        return f"The leader would get {1 / (1 + 63 * np.exp(-lead)):.3f} of the look."


@PAGE.exercise("1 · How large a lead?")
@right_number(
    "exp(lead) has to equal 63 rivals of exp(0) = 1 together, so lead = ln 63 = 4.14.",
    tolerance=0.002,
    reason=share_of_leader,
)
def lead():
    """answer: the lead over 63 equal rivals that gives one of 64 keys a weight of one half."""
    return np.log(63)


lead.wrong(
    "almost: ln 64 counts the leader as its own rival; exp(lead) equals the 63 others together."
)(np.log(64))
lead.wrong("this is the number of rivals; which score has that number as its exp?")(63)
lead.wrong("this is the logarithm to base 2; softmax uses e.")(np.log2(63))
lead.wrong("this is the logarithm to base 10; softmax uses e.")(np.log10(63))
lead.wrong("with a lead of 0.69 it gets twice ONE rival's share; there are 63 of them.")(np.log(2))


@PAGE.exercise("2 · A softmax that survives", kept="my_softmax")
@right(
    "each row sums to 1, and scores of 1000 are no problem.",
    (normal(3, 4),),
    (normal(2, 5),),
    (FAR,),
    arrays=True,
    remark=remark_on_tables(library_softmax, [normal(2, 3, 4)], FOR_ONE_TABLE, library_softmax),
)
def softmax(scores):
    """answer(scores (T, S)) -> weights, as large: rows sum to 1, for scores of any size."""
    return library_softmax(scores)


def shares(powers, axis=-1):
    """Each row divided by its sum."""
    return powers / powers.sum(axis=axis, keepdims=True)


def less(scores, part_of, axis):
    """A softmax that subtracts the mean, say: part_of(scores, axis, keepdims)."""
    return shares(np.exp(scores - part_of(scores, axis=axis, keepdims=True)))


def without_largest(scores, axis):
    """A softmax that subtracts another largest than that of each row."""
    return less(scores, np.max, axis)


def with_sums_over(scores, axis):
    """A softmax that subtracts the largest of each row, and then divides by other sums."""
    return shares(np.exp(scores - scores.max(-1, keepdims=True)), axis)


softmax.wrong(
    "you subtracted each column's largest; within a row only one number may be subtracted."
)(lambda scores: without_largest(scores, axis=0))
softmax.wrong("right for small scores, but exp(1000) is inf; subtract each row's largest.")(
    lambda scores: shares(np.exp(scores))
)
softmax.wrong("right for small scores, but low rows are 0/0; subtract their own largest.")(
    lambda scores: shares(np.exp(scores - scores.max()))
)
softmax.wrong(
    "right for small scores, but exp of what is far above the number that you subtract is inf; "
    "only each row's largest makes every power at most 1."
)(
    lambda scores: less(scores, np.mean, axis=-1),
    lambda scores: less(scores, np.min, axis=-1),
    lambda scores: less(scores, np.min, axis=None),
)
softmax.wrong(
    "right for small scores, but cut off, scores near 1000 lose their leads; subtract each row's "
    "largest."
)(
    lambda scores: shares(np.exp(scores.clip(-700, 700))),
    lambda scores: shares(np.exp(scores.clip(max=700))),
    lambda scores: shares(np.exp(scores.clip(-709, 709))),
)
softmax.wrong("your columns sum to 1, not your rows; share out over the keys, axis -1.")(
    lambda scores: shares(np.exp(scores), axis=0),
    lambda scores: with_sums_over(scores, axis=0),
)
softmax.wrong("the whole table sums to 1; each row, one query, has to sum to 1 on its own.")(
    lambda scores: np.exp(scores) / np.exp(scores).sum(),
    lambda scores: with_sums_over(scores, axis=None),
)
softmax.wrong(NO_EXP)(shares, lambda scores: scores / scores.sum())
softmax.wrong("this is the first of three steps; take exp of it, then divide by each row's sum.")(
    lambda scores: scores - scores.max(-1, keepdims=True)
)
softmax.wrong("exp is there, but the rows do not sum to 1; divide by each row's sum.")(np.exp)
softmax.wrong("the largest of each row became 1; divide by the sum of each row.")(
    lambda scores: np.exp(scores) / np.exp(scores.max(-1, keepdims=True))
)
softmax.wrong("you divided by the sum of the scores; divide by the sum of their exp.")(
    lambda scores: np.exp(scores) / scores.sum(-1, keepdims=True)
)


def over_sums(powers, others):
    """Powers divided by the sums of the rows of others."""
    return powers / others.sum(-1, keepdims=True)


for axis in (-1, None):  # the largest of each row, or of all
    softmax.wrong(
        "you subtracted above or below the line only; the same subtraction belongs in both."
    )(
        lambda scores, axis=axis: over_sums(
            np.exp(scores - scores.max(axis, keepdims=True)), np.exp(scores)
        ),
        lambda scores, axis=axis: over_sums(
            np.exp(scores), np.exp(scores - scores.max(axis, keepdims=True))
        ),
    )
softmax.wrong("this is the logarithm of the weights; take exp of it.")(
    lambda scores: np.log(library_softmax(scores))
)
softmax.wrong("the smallest score gets the largest weight: you took exp(-score).")(
    lambda scores: library_softmax(-scores)
)
for base in (2, 10):
    softmax.wrong(f"you took powers of {base}; softmax takes powers of e, np.exp.")(
        lambda scores, base=base: library_softmax(scores * np.log(base))
    )
softmax.wrong("these are shares of the squares; softmax takes exp, which is never 0.")(
    lambda scores: shares(scores**2)
)
softmax.wrong("ReLU makes low scores 0; softmax takes exp, which is never 0.")(
    lambda scores: shares(scores.clip(0))
)
softmax.wrong("you divided by the largest score; subtract it.")(
    lambda scores: shares(np.exp(scores / scores.max(-1, keepdims=True))),
    lambda scores: shares(np.exp(scores / scores.max())),
)
softmax.wrong("there is a difference to the smallest or largest score, but no exp of it.")(
    lambda scores: shares(scores - scores.min(-1, keepdims=True)),
    lambda scores: shares(scores - scores.min()),
    lambda scores: shares(scores - scores.max(-1, keepdims=True)),
    lambda scores: shares(scores - scores.max()),
)
softmax.wrong("you subtracted from the powers; subtract from the scores, inside np.exp(...).")(
    lambda scores: shares(np.exp(scores) - scores.max(-1, keepdims=True)),
    lambda scores: shares(np.exp(scores) - scores.max()),
)
softmax.wrong(SOFTMAX_TWICE)(lambda scores: library_softmax(library_softmax(scores)))
softmax.wrong("this is the sigmoid of each score alone; the scores of a row have to compete.")(
    lambda scores: np.exp(scores) / (1 + np.exp(scores))
)
softmax.wrong("everything goes to the largest score; softmax shares, it does not choose.")(
    lambda scores: scores == scores.max(-1, keepdims=True),
    lambda scores: np.eye(scores.shape[-1])[scores.argmax(-1)],
)


@PAGE.exercise("Find the bug (5 minutes)")
@right(
    "each row of scores became shares, and they mix the values.",
    (normal(3, 4), normal(4, 2)),
    (normal(2, 5), normal(5, 4)),
)
def weighted_sum(scores, values):
    """answer(scores (T, S), values (S, d_v)) -> (T, d_v)."""
    return library_softmax(scores) @ values


weighted_sum.wrong("you multiplied by the scores themselves; they are no shares yet.")(
    lambda scores, values: scores @ values
)
weighted_sum.wrong("this is the plain average; the weights decide how much each value counts.")(
    lambda scores, values: values.mean(0),
    lambda scores, values: np.tile(values.mean(0), (len(scores), 1)),
)
weighted_sum.wrong("you added the values without their weights.")(
    lambda scores, values: values.sum(0)
)
weighted_sum.wrong("these are the weights; they say where, now fetch what stands there.")(
    lambda scores, values: library_softmax(scores)
)
weighted_sum.wrong("you weighted the values but did not add them up to one vector for each query.")(
    lambda scores, values: library_softmax(scores)[..., None] * values
)
weighted_sum.wrong(
    "you took the value of the largest score only; softmax shares, it does not choose."
)(lambda scores, values: values[scores.argmax(-1)])
weighted_sum.wrong("you divided by the number of keys as well; the weights add up to 1 already.")(
    lambda scores, values: library_softmax(scores) @ values / len(values)
)
weighted_sum.wrong("your weights are not divided by their sum; does my_softmax do that?")(
    lambda scores, values: np.exp(scores) @ values
)
weighted_sum.wrong("you shared out over the queries, axis 0; each row shares out over its keys.")(
    lambda scores, values: library_softmax(scores, axis=0) @ values
)
weighted_sum.wrong("the whole table of weights sums to 1; each row has to, on its own.")(
    lambda scores, values: np.exp(scores) / np.exp(scores).sum() @ values
)
weighted_sum.wrong(SOFTMAX_TWICE)(
    lambda scores, values: library_softmax(library_softmax(scores)) @ values
)
