"""What is wrong with a result, where no row of the table names the mistake."""

import numpy as np

PLACES = (3, 4, 5, 6, 7, 8)  # digits to show, until two numbers look different
PLACES_OF_SUMS = (2, *PLACES)


def describe(value, wanted, start):
    """One line. start: what the sentence begins with, or ""."""
    is_list = value.ndim == 1 and wanted.ndim == 1 and wanted.dtype.kind == "i"
    if is_list and len(value) != len(wanted):
        number = "1 number" if len(value) == 1 else f"{len(value)} numbers"
        return f"you return {number} where {len(wanted)} are right."
    if wanted.ndim == 0 < value.ndim and value.size == 1:
        return f"this is one number in brackets, shape {value.shape}; return the number itself."
    if value.ndim == 1 and value.size == wanted.size > max(wanted.shape, default=0):
        return (
            f"the result is one row of {value.size} numbers; expected {_shape(wanted)}. Name an "
            "axis: without one, NumPy's repeat, append and others make one row of all."
        )
    if value.shape != wanted.shape:
        return f"the result is {_shape(value)}; expected {_shape(wanted)}."
    if not np.isfinite(value).all():
        return "the result holds NaN or inf; look for 0/0, or exp of a large number."
    if is_rounded(value, wanted):
        largest = np.abs(value - wanted).max()
        return f"nearly: the largest difference is {largest:.1g}. Do not round."
    if found := _diagonal(value, wanted) or _times(value, wanted):
        return found
    note = "" if start or wanted.ndim == 0 else "the shape is right, but "
    return (_sums(value, wanted) or note) + _largest_difference(value, wanted)


def _diagonal(value, wanted):
    """Of a table of cosines whose diagonal is not 1: what stands there."""
    is_table = wanted.ndim == 2 and 1 < len(wanted) == len(wanted.T) and wanted.dtype != bool
    if not is_table or not np.allclose(wanted.diagonal(), 1) or np.allclose(value.diagonal(), 1):
        return ""
    return (
        f"your diagonal is {_range(value.diagonal())}, and each vector with itself has to give 1: "
        "what is divided by what?"
    )


def _times(value, wanted):
    """Of the right numbers times one factor, or each row times its own: by what."""
    is_measured = wanted.dtype.kind == "f" and not _are_whole(wanted)
    if not is_measured or _sums(value, wanted):
        return ""
    for axis in (None, -1):
        if wanted.size < 2 or axis and (wanted.ndim < 2 or wanted.shape[-1] < 2):
            continue
        squares = (wanted**2).sum(axis, keepdims=True)
        factor = (value * wanted).sum(axis, keepdims=True) / np.where(squares, squares, 1)
        if factor.all() and np.allclose(value, factor * wanted, rtol=1e-4, atol=1e-6):
            return _said_of(factor)
    return ""


def _said_of(factor):
    if np.allclose(factor, -1):
        return "the numbers are right, but all signs are turned round."
    which = "each number is the right one" if factor.size == 1 else "each row is the right one"
    each = "" if factor.size == 1 else "a number of its own, "
    return f"{which} times {each}{_range(factor)}: what is multiplied, or divided by what?"


def _shape(array):
    return f"shape {array.shape}" if array.shape else "one number"


def is_rounded(value, wanted):
    """Whether these are the right numbers, rounded to one, two or three digits."""
    wanted = wanted.astype(float)
    return any(np.allclose(value, wanted.round(digits), rtol=0, atol=1e-6) for digits in (1, 2, 3))


def _sums(value, wanted):
    """Of weights whose rows do not add up to 1: what they add up to."""
    if wanted.ndim != 2 or not np.allclose(wanted.sum(-1), 1) or np.allclose(value.sum(-1), 1):
        return ""
    columns = "your columns sum to 1, " if np.allclose(value.sum(-2), 1) else ""
    sums = _range(value.sum(-1))
    return f"{columns}your rows sum to {sums}, and each row has to sum to 1; "


def _range(sums):
    """0.20…0.62, or one number; with as many digits as it takes to differ from 1."""
    for places in PLACES_OF_SUMS:
        least, most = f"{sums.min():.{places}f}", f"{sums.max():.{places}f}"
        if any(float(each) != 1 for each in (least, most)):
            break
    return least if least == most else f"{least}…{most}"


def _largest_difference(value, wanted):
    where = np.unravel_index(np.abs(value - wanted).argmax(), wanted.shape)
    at = f"at {tuple(map(int, where))} " if where else ""
    have, want = _two_numbers(value[where], wanted[where], is_mask=wanted.dtype == bool)
    return f"{at}you have {have} where {want} is right."


def _two_numbers(have, want, is_mask):
    """Both in words, with as many digits as it takes to see a difference."""
    if is_mask:
        return str(have == 1) if have in (0, 1) else f"{have:g}", str(bool(want))
    if have == round(have) and want == round(want):
        return f"{have:,.0f}", f"{want:,.0f}"
    for places in PLACES:
        texts = f"{have:,.{places}f}", f"{want:,.{places}f}"
        if texts[0] != texts[1]:
            break
    return texts


def ended_early(values, wanted):
    """Does each result begin with the right numbers, with 0 in all that comes after?"""
    if not all(map(_is_begun, values, wanted)):
        return None
    return (
        "only the beginning is filled, and all after it is 0: a return inside a loop ends it at "
        "once; write it below the loop."
    )


def _is_begun(value, wanted):
    """Whether the right numbers fill half of an axis or less; of an int array cut_off tells."""
    are_floats = value.dtype.kind == wanted.dtype.kind == "f"
    if not are_floats or wanted.ndim == 0 or value.shape != wanted.shape or not value.any():
        return False
    filled = value != 0
    last = np.max(filled.nonzero(), axis=1, initial=0)  # of each axis
    is_short = 2 * (last + 1) <= wanted.shape
    return is_short.any() and np.allclose(value[filled], wanted[filled])


def cut_off(values, wanted):
    """Are all results whole numbers, where the right ones are not?"""
    for value, right_value in zip(values, wanted, strict=True):
        if value.shape != right_value.shape or not np.isfinite(value).all():
            return None
    numbers = np.concatenate([value.ravel() for value in values])
    right_numbers = np.concatenate([value.ravel() for value in wanted])
    if not _are_whole(numbers) or _are_whole(right_numbers):
        return None
    is_choice = np.isin(numbers, (0, 1)).all()  # the largest weight made 1, for example
    if is_choice and not np.array_equal(numbers, np.trunc(right_numbers)):
        return None
    return "the result holds whole numbers only; an int array, // or a rounding cuts off the rest."


def _are_whole(numbers):
    return (numbers == np.round(numbers)).all()
