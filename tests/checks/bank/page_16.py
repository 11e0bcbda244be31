"""Page 16, who copies: answers to copy_share."""

import numpy as np
import torch

from lib.copying import next_of_last_time
from tests.checks.bank import right, wrong

right("copy_share")(lambda weights, N: next_of_last_time(weights, N))


@right("copy_share")
def _(weights, N):
    found = []
    for head in weights:
        found.append(sum(head[i, i - N + 1] for i in range(N + 1, 2 * N)) / (N - 1))
    return found


@right("copy_share")
def _(weights, N):
    diagonals = torch.as_tensor(weights)[:, N + 1 : 2 * N, 2 : N + 1]
    return diagonals.diagonal(dim1=-2, dim2=-1).mean(-1)


@right("copy_share")
def _(weights, N):
    return np.array([np.diag(head, 1 - N)[2 : N + 1].mean() for head in weights])


@wrong("copy_share", "no token looks ahead: all is 0")  # the next column, not the one after it
def _(weights, N):
    asking = np.arange(N + 1, 2 * N)
    return weights[:, asking, asking + 1].mean(-1)


@wrong("copy_share", "one bracket with both lists picks pairs]")
def _(weights, N):
    asking = np.arange(N + 1, 2 * N)
    return weights[:, asking][:, asking - N + 1].mean(-1)


@wrong("copy_share", "[places go from 0 to 2 * N, and N is given]")  # the page has N = 10
def _(weights, N):
    asking = np.arange(11, 20)
    return weights[:, asking, asking - 9].mean(-1)


wrong("copy_share", "end with place 2 * N - 1.")(
    lambda weights, N: np.diagonal(weights[:, N + 1 :, 2:], axis1=1, axis2=2).mean(1)
)
wrong("copy_share", "[axis 0 is the heads: weights[:, ...] takes all of them]")(
    lambda weights, N: weights[np.arange(N + 1, 2 * N), np.arange(2, N + 1)].mean(-1)
)
