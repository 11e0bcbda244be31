"""What the NumPy functions take, and what they refuse in a sentence (ValueError)."""

from numbers import Real

import numpy as np

BLOCK = 2**16  # numbers; with what is computed of them they fit into a processor's cache


def read(x, name):
    """``x`` as an array, whatever it holds."""
    if type(x) is np.ndarray:
        return x
    bfloat16 = str(getattr(x, "dtype", "")) == "torch.bfloat16"  # NumPy has no such type
    try:
        return np.asarray(x.float() if bfloat16 else x)
    except (RuntimeError, TypeError):  # a tensor that requires grad or lies on another device
        write = "x.detach().float().numpy()" if bfloat16 else "x.detach().numpy()"
        if "sparse" in str(getattr(x, "layout", "")):
            write = "x.to_dense()"
        raise ValueError(
            f"{name}: NumPy cannot read this {type(x).__name__}; write {write}."
        ) from None
    except ValueError:
        raise ValueError(
            f"{name}: the rows differ in length; give every token the same number of numbers."
        ) from None


def floats(x, name):
    """``x`` as an array of floats; whole numbers become float64, floats keep their dtype."""
    array = read(x, name)
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype.kind != "f":
        raise ValueError(f"{name}: expected numbers, not {array.dtype}. Pass an array of floats.")
    return array


def rows(x, name):
    """``x`` as an array of floats (..., tokens, width), none of them 0."""
    array = floats(x, name)
    check_rows(array, name)
    return array


def check_outcome(outcome, name):
    """What was computed of the numbers ``name`` must be finite."""
    if not np.isfinite(outcome).all():
        raise ValueError(
            f"{name}: NaN or inf comes of them, so they hold such numbers, or some too large for "
            f"{outcome.dtype}. Look for what went wrong before."
        )


def check_rows(array, name):
    if array.ndim < 2 or 0 in array.shape:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (..., tokens, width) with at least one "
            "token and one number for each. For a single vector, write x[None, :]."
        )


def is_whole(number, least):
    """Is it a whole number of at least ``least``? 4, np.int64(4) and 8 / 2 are, 2.5 is not."""
    return is_number(number) and float(number).is_integer() and number >= least


def is_number(number):
    """Is it one real number, Python's or one of NumPy or of torch?"""
    if getattr(number, "ndim", None) == 0:
        number = number.item()
    return isinstance(number, Real)


def whole_below(numbers, name, size):
    """Whole numbers from 0 to size - 1, as an array (T,) or (B, T)."""
    numbers = read(numbers, name)
    if numbers.ndim not in (1, 2) or 0 in numbers.shape or numbers.dtype.kind not in "iu":
        raise ValueError(
            f"{name}: {numbers.dtype} of shape {numbers.shape}; expected whole numbers, (T,) or "
            "(B, T), one at least."
        )
    if numbers.min() < 0 or numbers.max() >= size:
        raise ValueError(
            f"{name} from {numbers.min()} to {numbers.max()}; this model has those from 0 to "
            f"{size - 1}."
        )
    return numbers


def widened(array):
    """float16 as float32, to compute in: sums of float16 overflow at 65504."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


def blocks(array):
    """Views (rows, width) of a contiguous array (..., width), of about BLOCK numbers each."""
    rows = array.reshape(-1, array.shape[-1], copy=False)
    step = max(1, BLOCK // rows.shape[1])
    return [rows[start : start + step] for start in range(0, len(rows), step)]
