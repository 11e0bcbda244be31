"""The exercise of notebook 16: which heads look at what came after this token last time?"""

import numpy as np

from lib.checks.exercises import Page
from lib.checks.judge import right

PAGE = Page(16, "Who copies?")

FIRST_N = 5


def _maps(H, N, seed):
    """(weights (H, T, T) as a model that writes has them, N); T = 2 * N + 1, as the page has it."""
    T = 2 * N + 1
    weights = np.tril(np.random.default_rng([seed, H]).random((H, T, T)))
    return weights / weights.sum(-1, keepdims=True), N


@PAGE.exercise("Exercise · Who looks there?")
@right(
    "this is what a head must do to copy.",
    _maps(2, FIRST_N, 0),
    _maps(3, 7, 1),
    _maps(4, 6, 2),
    tips=(
        (
            f"with size {FIRST_N - 1}",  # as many rows ask
            "in x[:, a][:, b] the second bracket picks from what the first has left; one bracket "
            "with both lists picks pairs",
        ),
        ("for axis 0", "axis 0 is the heads: weights[:, ...] takes all of them"),
        (f"with size {2 * FIRST_N + 1}", "places go from 0 to 2 * N, and N is given"),
    ),
)
def copy_share(weights, N):
    """answer(weights (H, T, T), N) -> (H,): mean share at what came after this token last time."""
    return mean_at(weights, N, 1 - N)


def mean_at(weights, N, step, first=1, end=0):
    """(H,): the mean share that the places N + first to 2 * N + end give to the one so far on."""
    asking = np.arange(N + first, 2 * N + end)
    return weights[:, asking, asking + step].mean(-1)


copy_share.wrong("this is the look at the same word itself; go one on, to what came after it.")(
    lambda weights, N: mean_at(weights, N, -N)
)
copy_share.wrong("this is what came before the word last time; you want what came after it.")(
    lambda weights, N: mean_at(weights, N, -N - 1)
)
copy_share.wrong("this is one too far; take what came right after the word.")(
    lambda weights, N: mean_at(weights, N, 2 - N)
)
copy_share.wrong("this is the look at the place just before the one that asks.")(
    lambda weights, N: mean_at(weights, N, -1)
)
copy_share.wrong("begin with place N + 1: place N is the last of the first round.")(
    lambda weights, N: mean_at(weights, N, 1 - N, first=0)
)
copy_share.wrong("you count words from 0, but place 0 is the start: N + 1 to 2 * N - 1 ask.")(
    lambda weights, N: mean_at(weights, N, 1 - N, first=0, end=-1)
)
copy_share.wrong("place N + 1 asks too.")(lambda weights, N: mean_at(weights, N, 1 - N, first=2))
copy_share.wrong("end with place 2 * N - 1.")(lambda weights, N: mean_at(weights, N, 1 - N, end=1))
copy_share.wrong("place 2 * N - 1 asks too.")(lambda weights, N: mean_at(weights, N, 1 - N, end=-1))
copy_share.wrong(
    "each column that you take comes after its row, and no token looks ahead: all is 0. Rows ask; "
    "columns are asked, here in the first round."
)(lambda weights, N: copy_share.solution(weights.swapaxes(-1, -2), N))
copy_share.wrong("a diagonal goes on at both ends: N + 1 to 2 * N - 1 ask.")(
    lambda weights, N: mean_at(weights, N, 1 - N, first=-1, end=1)
)
copy_share.wrong("this is each place's look at itself.")(lambda weights, N: mean_at(weights, N, 0))
copy_share.wrong("your rows are the first round, before anything came again; the second asks.")(
    lambda weights, N: mean_at(weights, N, 1 - N, first=1 - N, end=-N),
    lambda weights, N: mean_at(weights, N, 1 - N, first=1 - N, end=1 - N),
)
copy_share.wrong("this is a sum; take the mean of the places that ask.")(
    lambda weights, N: copy_share.solution(weights, N) * (N - 1)
)
copy_share.wrong("N - 1 places ask; divide by their number.")(
    lambda weights, N: copy_share.solution(weights, N) * (N - 1) / N
)
copy_share.wrong("you counted how often it gets the most; take the mean of its shares.")(
    lambda weights, N: (weights[:, N + 1 : 2 * N].argmax(-1) == np.arange(2, N + 1)).mean(-1)
)
copy_share.wrong("axis 0 is the heads: weights[:, ...] takes all of them, then rows and columns.")(
    lambda weights, N: weights[N + 1 : 2 * N, 2 : N + 1].mean(-1)
)
copy_share.wrong("this is the largest of their shares; take the mean of the places that ask.")(
    lambda weights, N: weights[:, np.arange(N + 1, 2 * N), np.arange(2, N + 1)].max(-1)
)
copy_share.wrong("you took the largest share of each row, wherever it goes; take one place of it.")(
    lambda weights, N: weights[:, N + 1 : 2 * N].max(-1).mean(-1)
)
copy_share.wrong("you averaged over the heads; take the mean over the places that ask.")(
    lambda weights, N: weights[:, np.arange(N + 1, 2 * N), np.arange(2, N + 1)].mean(0)
)


def diagonal_of_heads(weights, N):
    """Between the first two axes, as np.diagonal has it where no axes are named."""
    return np.diagonal(weights[:, N + 1 : 2 * N, 2 : N + 1])


copy_share.wrong("np.diagonal takes the first two axes, heads and rows; name axis1 and axis2.")(
    diagonal_of_heads,
    lambda weights, N: diagonal_of_heads(weights, N).mean(0),
    lambda weights, N: diagonal_of_heads(weights, N).mean(-1),
)
copy_share.wrong("this is one number for all heads; each head has its own.")(
    lambda weights, N: np.array(copy_share.solution(weights, N).mean())
)
copy_share.wrong("these are the shares of single places; take their mean.")(
    lambda weights, N: weights[:, np.arange(N + 1, 2 * N), np.arange(2, N + 1)]
)
copy_share.wrong("two lists of places pick pairs, a slice for each picks a whole block.")(
    lambda weights, N: weights[:, N + 1 : 2 * N, 2 : N + 1].mean((1, 2)),
    lambda weights, N: weights[:, N + 1 : 2 * N, 2 : N + 1].sum(-1).mean(-1),
)
