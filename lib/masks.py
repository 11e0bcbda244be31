"""Masks: who may attend to whom. True = may attend; combine them with & (notebook 9)."""

import numpy as np

from lib.validation.arrays import is_whole, read


def causal_mask(T, S=None):
    """(T, S) booleans: a query sees the keys up to its own place, none of the later ones.

    With S > T the queries are the last T of S tokens, as when generating with earlier tokens kept;
    is_causal of F.scaled_dot_product_attention takes them for the first T.
    Raises ValueError unless T and S are whole numbers with 1 <= T <= S. Source: P section 3.2.3.
    """
    S = T if S is None else S
    if not (is_whole(T, 1) and is_whole(S, 1) and T <= S):
        raise ValueError(
            f"T = {T} queries and S = {S} keys; expected 1 <= T <= S, both whole numbers."
        )
    T, S = int(T), int(S)
    return np.tri(T, S, S - T, dtype=bool)


def padding_mask(lengths, S):
    """(B, 1, S) booleans: in sequence b only the first lengths[b] keys are real, the rest padding.

    Raises ValueError for an S and for lengths that are not whole numbers, and for lengths that are
    not from 0 to S.
    """
    lengths = read(lengths, "lengths")
    if not is_whole(S, 0):
        raise ValueError(f"S = {S}; expected a whole number of keys.")
    S = int(S)
    numbers = lengths.ndim == 1 and lengths.size > 0 and lengths.dtype.kind in "iuf"
    if not numbers or not np.isin(lengths, np.arange(S + 1)).all():
        raise ValueError(
            f"lengths = {lengths.tolist()}; expected one whole number from 0 to S = {S} for each "
            "sequence."
        )
    return np.arange(S) < lengths[:, None, None]  # (B, 1, S)


def window_mask(T, width):
    """(T, T) booleans: a query sees the keys at most ``width`` places away, on both sides.

    Raises ValueError unless both are whole numbers, T at least 1 and width at least 0.
    Source: Beltagy et al. 2020, arXiv:2004.05150.
    """
    if not (is_whole(T, 1) and is_whole(width, 0)):
        raise ValueError(
            f"T = {T} and width = {width}; expected T >= 1 and width >= 0, both whole numbers."
        )
    places = np.arange(int(T))
    return abs(places[:, None] - places) <= int(width)
