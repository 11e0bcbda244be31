"""Where a token stands: sinusoidal, learned and rotary positions in NumPy (notebook 6).

Each pair of dimensions (2i, 2i + 1) is the hand of a clock that turns by 10000^(-2i/d_model)
radians from one token to the next. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

import numpy as np

from lib.validation.arrays import check_outcome, floats, is_whole, read, rows


def _angles(positions, width, name="d_model"):
    """(T, width / 2): how far each hand has turned at each position, in radians."""
    if not is_whole(width, 2) or width % 2:
        raise ValueError(
            f"{name} = {width} is odd or too small: every sine needs its cosine. "
            "Choose an even number."
        )
    if not np.isfinite(positions).all():
        raise ValueError("positions contain NaN or inf; expected places such as 0, 1, 2.")
    speeds = 10000.0 ** (-np.arange(0, int(width), 2) / int(width))  # (width / 2,)
    return np.multiply.outer(np.asarray(positions, np.float64), speeds)


def sinusoidal_positions(length, d_model):
    """(length, d_model) floats: row p is position p, sines on even, cosines on odd dimensions.

    Add them to the embeddings before the first layer; for float32 embeddings x write
    .astype(x.dtype) first. Raises ValueError for a length that is not a whole number of at least 1,
    and for an odd d_model. Source: P section 3.5.
    """
    if not is_whole(length, 1):
        raise ValueError(f"length = {length}; expected at least one position, a whole number.")
    angles = _angles(np.arange(int(length)), d_model)  # (length, d_model / 2)
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
    angles = _angles(offset, d_model)  # (d_model / 2,)
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


def rotary(x, positions):
    """Turn the queries or keys x (..., T, d_k) by the angles of their positions (T,).

    Same shape and dtype. For the same two vectors, the score then depends on how far apart their
    tokens stand and on which side, not on where. Pairs are neighbours, (0, 1), (2, 3), ..., as in
    the paper; other code pairs the first half with the second. Raises ValueError for an odd d_k,
    for numbers that are not finite and if there is not one finite position for each token.
    Source: Su et al. 2021, arXiv:2104.09864, section 3.4.2.
    """
    x, positions = rows(x, "x"), floats(positions, "positions")
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(
            f"positions {positions.shape} do not fit x {x.shape}; give one position for each token."
        )
    angles = _angles(positions, x.shape[-1], "d_k")  # (T, d_k / 2)
    cosines = np.cos(angles).astype(x.dtype)
    sines = np.sin(angles).astype(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        turned = [even * cosines - odd * sines, odd * cosines + even * sines]
    turned = np.stack(turned, axis=-1).reshape(x.shape)
    check_outcome(turned, "x")
    return turned
