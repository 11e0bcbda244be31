"""Where a token stands: sinusoidal, learned and rotary positions in NumPy (notebook 6).

Each pair of dimensions (2i, 2i + 1) is the hand of a clock that turns by 10000^(-2i/d_model)
radians from one token to the next. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

import math

import numpy as np

from lib.validation.arrays import check_outcome, floats, is_number, is_whole, read, rows

BASE = 10_000.0  # the paper's: the slowest hand needs nearly 2 pi times as many tokens for a turn
PAIRS = ("neighbours", "halves")


def rotation_angles(positions, width, name="d_model", base=BASE):
    """(T, width / 2): how far each hand has turned at each position, in radians."""
    if not is_whole(width, 2) or width % 2:
        raise ValueError(
            f"{name} = {width} is odd or too small: every sine needs its cosine. "
            "Choose an even number."
        )
    if not np.isfinite(positions).all():
        raise ValueError("positions contain NaN or inf; expected places such as 0, 1, 2.")
    if not is_number(base) or not 0 < base < math.inf:
        raise ValueError(f"base = {base!r}; expected a finite number above 0, such as {BASE:.0f}.")
    speeds = float(base) ** (-np.arange(0, int(width), 2) / int(width))  # (width / 2,)
    return np.multiply.outer(np.asarray(positions, np.float64), speeds)


def sinusoidal_positions(length, d_model):
    """(length, d_model) floats: row p is position p, sines on even, cosines on odd dimensions.

    Add them to the embeddings before the first layer; for float32 embeddings x write
    .astype(x.dtype) first. Raises ValueError for a length that is not a whole number of at least 1,
    and for an odd d_model. Source: P section 3.5.
    """
    if not is_whole(length, 1):
        raise ValueError(f"length = {length}; expected at least one position, a whole number.")
    angles = rotation_angles(np.arange(int(length)), d_model)  # (length, d_model / 2)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (length, d_model / 2, 2)
    return pairs.reshape(int(length), int(d_model))  # sine, cosine, sine, ...


def position_rotation(offset, d_model):
    """(d_model, d_model): the matrix that moves every position by ``offset``.

    PE[p + offset] = PE[p] @ rotation. Raises ValueError for an odd d_model and an offset that is
    not one finite number. Source: P section 3.5 ("a linear function of PE_pos").
    """
    offset = read(offset, "offset")
    if offset.ndim or offset.dtype.kind not in "iuf":
        raise ValueError(f"offset = {offset.tolist()!r}; expected one number of places to move.")
    angles = rotation_angles(offset, d_model)  # (d_model / 2,)
    rotation = np.zeros((int(d_model), int(d_model)))
    sines = np.arange(0, int(d_model), 2)
    cosines = sines + 1
    rotation[sines, sines] = np.cos(angles)
    rotation[cosines, cosines] = np.cos(angles)
    rotation[cosines, sines] = np.sin(angles)  # sin(a + b) = sin a cos b + cos a sin b
    rotation[sines, cosines] = -np.sin(angles)  # cos(a + b) = cos a cos b - sin a sin b
    return rotation


def learned_positions(table, length):
    """(length, d_model): the first rows of a table (longest, d_model) trained with the model.

    Raises ValueError if it is too short: what was never trained cannot be looked up.
    Source: P section 3.5.
    """
    table = read(table, "table")
    if table.ndim != 2 or not is_whole(length, 1) or length > len(table):
        raise ValueError(
            f"{length} positions from a table {table.shape}; expected 1 <= length <= longest and "
            "(longest, d_model). Shorten the text or train a longer table."
        )
    return table[: int(length)]


def rotary(x, positions, base=BASE, pairs="neighbours"):
    """Turn the queries or keys x (..., T, d_k) by the angles of their positions (T,).

    Same shape and dtype. For the same two vectors, the score then depends on how far apart their
    tokens stand and on which side, not on where. base: the slowest hand turns by nearly 1 / base
    radians a token, so a larger one tells places apart that are further away. pairs: which
    dimensions are a hand, "neighbours", (0, 1), (2, 3), ..., as in the paper, or "halves", i with
    i + d_k / 2, as in much other code. Raises ValueError for an odd d_k, for other pairs, for
    numbers that are not finite and if there is not one finite position for each token.
    Source: Su et al. 2021, arXiv:2104.09864, section 3.4.2.
    """
    x, positions = rows(x, "x"), floats(positions, "positions")
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(
            f"positions {positions.shape} do not fit x {x.shape}; give one position for each token."
        )
    check_pairs(pairs)
    angles = rotation_angles(positions, x.shape[-1], "d_k", base)  # (T, d_k / 2)
    cosines = np.cos(angles).astype(x.dtype)
    sines = np.sin(angles).astype(x.dtype)
    turned = np.empty_like(x)
    one, other = hands(x, pairs)  # (..., T, d_k / 2) each
    turned_one, turned_other = hands(turned, pairs)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        turned_one[...] = one * cosines - other * sines
        turned_other[...] = other * cosines + one * sines
    check_outcome(turned, "x")
    return turned


def hands(x, pairs):
    """The first and the second number of each pair of x (..., d_k), as views (..., d_k / 2)."""
    if pairs == "neighbours":
        return x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def check_pairs(pairs):
    if not isinstance(pairs, str) or pairs not in PAIRS:
        raise ValueError(f"pairs = {pairs!r}; expected one of {', '.join(PAIRS)}.")
