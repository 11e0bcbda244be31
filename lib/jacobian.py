"""How much attention weights move: when the scores move, and when the query moves (notebook 3)."""

import numpy as np

from lib.attention import softmax
from lib.validation.arrays import is_whole

QUERIES = 400  # random ones, each with random keys of its own


def softmax_slope(weights):
    """How much all weights (S,) move with the scores: the norm of the (S, S) Jacobian."""
    return query_slope(weights, np.eye(len(weights)), 1.0)


def query_slope(weights, keys, scale):
    """How much all weights (S,) of a query move with it: the norm of an (S, d_k) Jacobian.

    keys (S, d_k); scale: what the scores were multiplied by. Weight i moves along its own key,
    away from the mean of all keys that the weights make: p_i (k_i - mean) x scale.
    """
    mean = weights @ keys  # (d_k,)
    jacobian = weights[:, None] * (keys - mean) * scale  # (S, d_k)
    return np.linalg.norm(jacobian)


def random_slopes(d_k, keys=16, is_scaled=True, seed=0):
    """(softmax slopes (400,), query slopes (400,)) of random queries, each over random keys.

    Every component is normal with mean 0 and variance 1; is_scaled: scores are divided by the root
    of d_k. Raises ValueError for a d_k or a number of keys that is not a whole number.
    """
    if not is_whole(d_k, 1) or not is_whole(keys, 1):
        raise ValueError(
            f"d_k = {d_k!r} and keys = {keys!r}; expected whole numbers of at least 1."
        )
    d_k, keys = int(d_k), int(keys)
    generator = np.random.default_rng(seed)
    scale = d_k**-0.5 if is_scaled else 1.0
    of_softmax, of_query = [], []
    for _ in range(QUERIES):
        query = generator.standard_normal(d_k)
        its_keys = generator.standard_normal((keys, d_k))  # (S, d_k)
        weights = softmax(its_keys @ query * scale)  # (S,)
        of_softmax.append(softmax_slope(weights))
        of_query.append(query_slope(weights, its_keys, scale))
    return np.array(of_softmax), np.array(of_query)
