"""Where a token stands: sinusoidal, learned and rotary positions in NumPy (notebook 6).

Each pair of dimensions (2i, 2i + 1) is the hand of a clock that turns by 10000^(-2i/d_model) radians from one token to
the next. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

import numpy as np

from lib.attention import _check_rows, _floats


def _angles(positions, width, name="d_model"):
    """(T, width / 2): how far each hand has turned at each position, in radians."""
    if width < 2 or width % 2:
        raise ValueError(
            f"{name} = {width} is odd or too small: every sine needs its cosine. Choose an even number."
        )
    return np.multiply.outer(
        np.asarray(positions, np.float64), 10000.0 ** (-np.arange(0, width, 2) / width)
    )


def sinusoidal_positions(length, d_model):
    """(length, d_model) floats: row p is position p, sines on its even dimensions, cosines on its odd ones.

    Add them to the embeddings before the first layer; for float32 embeddings x write .astype(x.dtype) first.
    Raises ValueError for a length below 1 and for an odd d_model. Source: P section 3.5.
    """
    if length < 1:
        raise ValueError(f"length = {length}; expected at least one position.")
    angles = _angles(np.arange(length), d_model)  # (length, d_model / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(
        length, d_model
    )  # sine, cosine, sine, ...


def position_rotation(offset, d_model):
    """(d_model, d_model): the matrix that moves every position by ``offset``, PE[p + offset] = PE[p] @ rotation.

    Raises ValueError for an odd d_model. Source: P section 3.5 ("a linear function of PE_pos").
    """
    angles = _angles(offset, d_model)  # (d_model / 2,)
    rotation = np.zeros((d_model, d_model))
    sines, cosines = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    rotation[sines, sines] = rotation[cosines, cosines] = np.cos(angles)
    rotation[cosines, sines] = np.sin(angles)  # sin(a + b) = sin a cos b + cos a sin b
    rotation[sines, cosines] = -np.sin(angles)  # cos(a + b) = cos a cos b - sin a sin b
    return rotation


def learned_positions(table, length):
    """(length, d_model): the first rows of a table (longest, d_model) that was trained with the model.

    Raises ValueError if it is too short: what was never trained cannot be looked up. Source: P section 3.5.
    """
    table = np.asarray(table)
    if table.ndim != 2 or not 1 <= length <= len(table):
        raise ValueError(
            f"{length} positions from a table {table.shape}; expected 1 <= length <= longest and (longest, d_model). "
            "Shorten the text or train a longer table."
        )
    return table[:length]


def rotary(x, positions):
    """Turn the queries or keys x (..., T, d_k) by the angles of their positions (T,); same shape and dtype.

    A score then depends on the distance of its two tokens alone. Raises ValueError for an odd d_k and if there is not
    one position for each token. Source: Su et al. 2021, arXiv:2104.09864, section 3.4.2.
    """
    x, positions = _floats(x, "x"), np.asarray(positions)
    _check_rows("x", x)
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(
            f"positions {positions.shape} do not fit x {x.shape}; give one position for each token."
        )
    angles = _angles(positions, x.shape[-1], "d_k")  # (T, d_k / 2)
    cosines, sines = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    return np.stack([even * cosines - odd * sines, odd * cosines + even * sines], axis=-1).reshape(
        x.shape
    )
