"""Does a model copy? A sequence that comes twice, and what its heads look at the second time.

A sequence of 2 * N + 1 places: 0 is a start, 1 to N are tokens drawn at random, N + 1 to 2 * N are
the same once more. Weights (..., T, T) are those of one layer, or of all; T is at least 2 * N.
Source: Olsson et al. 2022, arXiv:2209.11895, who name heads that look so induction heads.
"""

import numpy as np


def twice(pool, N, seed, start=()):
    """(len(start) + 2 * N,): N different ids of the pool, drawn at random, and the same again."""
    once = np.random.default_rng(seed).choice(pool, N, replace=False)
    return np.concatenate([start, once, once]).astype(int)


def next_of_last_time(weights, N):
    """(...): the share at the token after this one's last occurrence, mean of the second copy."""
    asking = np.arange(N + 1, 2 * N)  # place 2 * N has no successor in the first copy
    return weights[..., asking, asking - N + 1].mean(-1)


def one_back(weights):
    """(...): the share at the token just before, mean of all places but the first."""
    asking = np.arange(1, weights.shape[-1])
    return weights[..., asking, asking - 1].mean(-1)


def best(shares, count):
    """[[layer, head], ...]: the heads with the largest of the shares (layers, H), from 0 on."""
    order = (-np.asarray(shares)).argsort(axis=None, kind="stable")[:count]
    return np.column_stack(np.unravel_index(order, np.shape(shares))).tolist()


def name(head):
    """[layer, head] from 0 on, in words that count from 1."""
    return f"layer {head[0] + 1}, head {head[1] + 1}"
