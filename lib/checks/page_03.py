"""The exercises of notebook 3: scaling."""

import numpy as np

from lib.attention import scaled_dot_product_attention, softmax
from lib.checks.attention_mistakes import MISTAKES, TIPS, weigh
from lib.checks.cases import queries_keys_values, shares
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on
from lib.checks.judge import right, right_number, same
from lib.checks.run import run_again

PAGE = Page(3, "Scaling: before anything is learned")


@PAGE.exercise("1 · Other spreads")
@right_number("16 products of variance 4 × 9 add up to 576, and its root is 24.")
def score_spread():
    """answer: the standard deviation of q·k when that of q is 2, of k is 3, and d_k = 16."""
    return 24


score_spread.wrong("this is the variance; its square root is asked for.")(576)
score_spread.wrong(
    "6 is the spread of one product, and of q·k / sqrt(16); the score q·k itself is asked for."
)(6)
score_spread.wrong("standard deviations do not add up; their squares, the variances, do.")(96)
score_spread.wrong(
    "variances multiply in a product (4 × 9) and add in a sum (16 of them); you added 4 and 9."
)(208**0.5, 208, 13, 13**0.5)
score_spread.wrong("this is sqrt(d_k), right for standard deviations of 1; here they are 2 and 3.")(
    4
)
score_spread.wrong("you added 2 and 3; the spreads of a product multiply.")(20, 5, 80, 80**0.5)
score_spread.wrong("this is one product's variance; the score adds 16 of them.")(36)
score_spread.wrong("you took the root of 16, but not of 36; the root comes last.")(144)
score_spread.wrong("variances multiply, not standard deviations: 4 × 9, not 2 × 3.")(96**0.5)
score_spread.wrong("the number is right, the sign is not: a spread is a root, never below 0.")(-24)
score_spread.wrong("you counted the spread of q only; k has one too.")(8)
score_spread.wrong("you counted the spread of k only; q has one too.")(12)


KEYS_TURN = "only the keys are turned round: keys.T, (d_k, S)"


@PAGE.exercise("2 · Write it yourself")
@right(
    "scores divided by sqrt(d_k), then softmax over the keys.",
    queries_keys_values(3, 4, 7, 1)[:2],
    queries_keys_values(2, 5, 12, 1)[:2],
    arrays=True,
    remark=remark_on(scaled_dot_product_attention),
    tips=(*TIPS, ("core dimension", KEYS_TURN), ("not aligned", KEYS_TURN)),
)
def scaling(queries, keys):
    """answer(queries (T, d_k), keys (S, d_k)) -> weights (T, S): scaled scores, then softmax."""
    return weigh(queries, keys)


for mistake in MISTAKES:
    scaling.wrong(mistake.sentence)(mistake.answer)
scaling.wrong(
    "you divided by the spread of these scores; the root of d_k is known before any score, and the "
    "same for all."
)(
    lambda q, k: weigh(q, k, (q @ k.T).std()),
    lambda q, k: weigh(q, k, (q @ k.T).std(-1, keepdims=True)),
)
scaling.wrong("// cuts the quotients off to whole numbers; divide with /.")(
    lambda q, k: softmax(q @ k.T // q.shape[-1] ** 0.5)
)
for constant in (7**0.5, 12**0.5):
    scaling.wrong(
        "right for one width only: you divided by a constant; take d_k from the queries' own shape."
    )(lambda q, k, constant=constant: weigh(q, k, constant))


def not_from_p_alone(answer):
    """By way of scores any numbers become shares; the formula takes them as they are."""
    p = shares(3)
    found = run_again(answer, (2 * p,), ["p"]).value
    if not same(found, softmax_jacobian.solution(p)):
        return ""
    return "this is the Jacobian, by way of scores. A formula has it from p alone."


@PAGE.exercise("The Jacobian of softmax (8 minutes)")
@right(
    "diag(p) - p pᵀ: every row and every column sums to 0.",
    (shares(3),),
    (shares(5),),
    remark=not_from_p_alone,
)
def softmax_jacobian(p):
    """answer(p (S,)) -> (S, S): entry (i, j) is how much weight i changes with score j."""
    return np.diag(p) - np.outer(p, p)


softmax_jacobian.wrong(
    "this is only the diagonal, p(1-p); raising one score also lowers the other weights."
)(lambda p: p * (1 - p))
softmax_jacobian.wrong(
    "the diagonal p(1-p) is right, but off it you have 0; "
    "a rising score takes weight from the others. How much?"
)(lambda p: np.diag(p * (1 - p)))


def alike(p):
    """The right diagonal, and in each column what is lost is shared out evenly."""
    own = p * (1 - p)
    return np.where(np.eye(len(p)), own, -own / (len(p) - 1))


softmax_jacobian.wrong("the others do not lose alike, but in proportion to their weights.")(
    alike, lambda p: alike(p).T
)
softmax_jacobian.wrong(
    "this is diag(p) alone: a rising score takes weight from the others. How much?"
)(np.diag)
softmax_jacobian.wrong("the signs are reversed; raising a score raises its own weight.")(
    lambda p: np.outer(p, p) - np.diag(p)
)
softmax_jacobian.wrong("off the diagonal it is minus p_i p_j: what one gains, the others lose.")(
    lambda p: np.where(np.eye(len(p)), p * (1 - p), np.outer(p, p)),
    lambda p: np.diag(p) + np.outer(p, p),
)
softmax_jacobian.wrong("the diagonal is p(1-p), not p; subtract p_i p_j there as well.")(
    lambda p: np.where(np.eye(len(p)), p, -np.outer(p, p))
)
softmax_jacobian.wrong(
    "these are the products p_i p_j alone; what does a score do to its own weight?"
)(lambda p: np.outer(p, p))
softmax_jacobian.wrong("you took p squared off the diagonal twice; p_i p_j has it already.")(
    lambda p: np.diag(p * (1 - p)) - np.outer(p, p)
)
softmax_jacobian.wrong("the products p_i p_j have the right sign; p on the diagonal is missing.")(
    lambda p: -np.outer(p, p)
)
softmax_jacobian.wrong("p stands in every row; np.diag(p) puts it on the diagonal.")(
    lambda p: p - np.outer(p, p)
)
softmax_jacobian.wrong(
    "the diagonal p(1-p) is right, but a rising score lowers the others: "
    "off the diagonal every entry is negative."
)(lambda p: np.outer(p, 1 - p))
softmax_jacobian.wrong("p are weights already; you took the softmax once more.")(
    lambda p: np.diag(softmax(p)) - np.outer(softmax(p), softmax(p))
)
softmax_jacobian.wrong("the diagonal of np.eye is 1; here it begins with p, np.diag(p).")(
    lambda p: np.eye(len(p)) - np.outer(p, p)
)
softmax_jacobian.wrong("your diagonal is 0; what does a score do to its own weight?")(
    lambda p: np.diag(p * p) - np.outer(p, p)
)
softmax_jacobian.wrong("p @ p is one number; the products p_i p_j are a table, np.outer(p, p).")(
    lambda p: np.diag(p) - p @ p
)
softmax_jacobian.wrong(
    "p * p is each p with itself, one row that all rows repeat; entry (i, j) needs p_i times p_j."
)(lambda p: np.diag(p) - p * p)
