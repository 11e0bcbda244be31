"""Cases, the inputs of the checks, and small formulas that several checks use."""

import numpy as np

from lib.attention import softmax as library_softmax


def normal(*shape, seed=0):
    """The same normal numbers each time; another shape or seed gives others."""
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


def shares(*shape):
    """Positive numbers that add up to 1 along the last axis."""
    return library_softmax(normal(*shape))


def length(x):
    """The length of a vector, or of each row."""
    return np.linalg.norm(x, axis=-1)


def queries_keys_values(T, S, d_k, d_v):
    """Queries (T, d_k), keys (S, d_k), values (S, d_v)."""
    return normal(T, d_k), normal(S, d_k, seed=1), normal(S, d_v, seed=2)
