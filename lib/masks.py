"""Masks: who may attend to whom. True = may attend; combine them with & (notebook 9)."""

import numpy as np


def causal_mask(T, S=None):
    """(T, S) booleans: a query sees the keys up to its own place, none of the later ones.

    With S > T the queries are the last T of S tokens, as when generating with earlier tokens kept.
    Raises ValueError for T or S below 1 and for S < T. Source: P section 3.2.3.
    """
    S = T if S is None else S
    if not 1 <= T <= S:
        raise ValueError(f"T = {T} queries and S = {S} keys; expected 1 <= T <= S.")
    return np.tri(T, S, S - T, dtype=bool)


def padding_mask(lengths, S):
    """(B, 1, S) booleans: in sequence b only the first lengths[b] keys are real, the rest is padding.

    Raises ValueError for lengths that are not whole numbers from 0 to S.
    """
    lengths = np.asarray(lengths)
    if (
        lengths.ndim != 1
        or lengths.dtype.kind not in "iu"
        or (lengths < 0).any()
        or (lengths > S).any()
    ):
        raise ValueError(
            f"lengths = {lengths.tolist()}; expected one whole number from 0 to S = {S} for each sequence."
        )
    return np.arange(S) < lengths[:, None, None]  # (B, 1, S)


def window_mask(T, width):
    """(T, T) booleans: a query sees the keys at most ``width`` places away, on both sides.

    Raises ValueError for T below 1 and for a width below 0. Source: Beltagy et al. 2020, arXiv:2004.05150.
    """
    if T < 1 or width < 0:
        raise ValueError(f"T = {T} and width = {width}; expected T >= 1 and width >= 0.")
    places = np.arange(T)
    return abs(places[:, None] - places) <= width
