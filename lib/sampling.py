"""From the scores of the next word to one word drawn: temperature, top-k, top-p (notebook 13)."""

import math

import numpy as np

from lib.attention import softmax
from lib.validation.arrays import is_number, is_whole, read


def filtered(scores, temperature=1.0, top_k=None, top_p=None):
    """Probabilities of the next word, those of the words left out exactly 0.

    scores (words,): one for each word, -inf for a word that must not come. First softmax(scores /
    temperature); then only the top_k most probable words stay; then only the smallest set of the
    most probable ones whose share of what stayed reaches top_p; what is left is made to add up to 1
    again. None (and top_p = 1) leaves nothing out; of words that are equally probable the earlier
    stays. The result has the shape and the float dtype of the scores.
    Raises ValueError for scores that are no such row, temperature <= 0, a top_k that is not a whole
    number of at least 1 and top_p outside (0, 1]. Source: top-k Fan et al. 2018, arXiv:1805.04833;
    top-p Holtzman et al. 2020, arXiv:1904.09751.
    """
    scores = read(scores, "scores")
    row = scores.ndim == 1 and scores.dtype.kind in "iuf"
    if not row or not (scores < np.inf).all() or not np.isfinite(scores).any():
        raise ValueError(
            f"scores {scores.shape} of {scores.dtype}; expected one row of numbers, one for each "
            "word, no NaN and no +inf among them, and at least one that is finite."
        )
    _check(temperature, top_k, top_p)
    exact = scores.astype(np.float64)
    with np.errstate(over="ignore"):  # divided by a very small temperature: -inf, a share of 0
        shares = softmax((exact - exact.max()) / temperature)  # (words,)
    kept = np.argsort(-exact, kind="stable")  # the most probable word first
    if top_k is not None:
        kept = kept[: int(top_k)]
    if top_p is not None and top_p < 1:
        reached = np.cumsum(shares[kept]) / shares[kept].sum()  # rises to 1
        below = np.count_nonzero(reached < top_p - 1e-6)  # half and half reach 0.5, however rounded
        kept = kept[: 1 + below]
    left = np.zeros_like(shares)
    left[kept] = shares[kept] / shares[kept].sum()
    return left.astype(scores.dtype if scores.dtype.kind == "f" else np.float64)


def _check(temperature, top_k, top_p):
    if not is_number(temperature) or not 0 < temperature < math.inf:
        raise ValueError(
            f"temperature = {temperature}; expected a finite number above 0. For the most "
            "probable word each time, take a small one, or top_k = 1."
        )
    if top_k is not None and not is_whole(top_k, 1):
        raise ValueError(
            f"top_k = {top_k}; expected a whole number of words, at least 1, or None for all."
        )
    if top_p is not None and not (is_number(top_p) and 0 < top_p <= 1):
        raise ValueError(
            f"top_p = {top_p}; expected a share above 0 and at most 1, or None for all words."
        )


def sample(scores, temperature=1.0, top_k=None, top_p=None, random=None):
    """Draw the next word: its index, with the probabilities of ``filtered``.

    random: a NumPy Generator, or a seed for one, which makes the draw repeatable.
    Raises ValueError as ``filtered``.
    """
    probabilities = filtered(scores, temperature, top_k, top_p).astype(np.float64)
    reached = np.cumsum(probabilities)
    drawn = np.random.default_rng(random).random() * reached[-1]
    return int(np.searchsorted(reached, drawn, side="right"))
