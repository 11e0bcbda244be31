"""What layer norm and the feed-forward network are given, or refuse in a sentence (ValueError)."""

import math

import numpy as np

from lib.validation.arrays import floats, is_number
from lib.validation.attention import check_projection


def vectors(x):
    """``x`` as an array of floats (..., d_model), none of them 0."""
    x = floats(x, "x")
    if x.ndim < 1 or 0 in x.shape:
        raise ValueError(f"x has shape {x.shape}; expected (..., d_model), one number at least.")
    return x


def one_for_each_column(numbers, name, x):
    """``numbers`` as an array (d_model,) for x (..., d_model), or None."""
    if numbers is None:
        return None
    numbers = floats(numbers, name)
    if numbers.shape != x.shape[-1:]:
        raise ValueError(
            f"{name} {numbers.shape} does not fit x {x.shape}; "
            "give it one number for each column of x."
        )
    return numbers


def check_variance(variance, epsilon, when="alike"):
    """variance (..., 1), one for each token: finite, and with ``epsilon`` above 0.

    when: what all numbers of a token are where it is 0.
    """
    if not np.isfinite(variance).all():
        raise ValueError(
            f"x contains NaN, inf, or numbers whose squares are too large for {variance.dtype}. "
            "Look for what went wrong before the norm."
        )
    if not is_number(epsilon) or not 0 <= epsilon < math.inf:
        raise ValueError(f"epsilon = {epsilon!r}; expected a finite number above 0, such as 1e-5.")
    if not (variance + float(epsilon)).all():
        raise ValueError(
            f"epsilon = {epsilon!r} and a token whose numbers are all {when}: nothing to divide "
            "by. Take an epsilon above 0, such as 1e-5."
        )


def checked_feed_forward(x, parameters):
    """``x`` as an array (..., d_model) that fits the two matrices, and they each other."""
    p = parameters
    x = vectors(x)
    check_projection(x.shape, p.inner, p.inner_bias, "x")
    inner = (*x.shape[:-1], p.inner.shape[1])
    check_projection(inner, p.outer, p.outer_bias, "inner vectors")
    return x


def checked_swiglu(x, parameters):
    """``x`` as an array (..., d_model) that fits the three matrices, and they each other."""
    p = parameters
    x = vectors(x)
    check_projection(x.shape, p.gate, None, "x")
    check_projection(x.shape, p.up, None, "x")
    if p.gate.shape != p.up.shape:
        raise ValueError(
            f"gate {p.gate.shape} and up {p.up.shape} differ; each number that goes up needs a "
            "gate of its own."
        )
    check_projection((*x.shape[:-1], p.up.shape[1]), p.down, None, "inner vectors")
    return x
