"""What attention is given: as arrays that fit, or refused in a sentence (ValueError)."""

from numbers import Real

import numpy as np

from lib.validation.arrays import (
    check_outcome,
    check_rows,
    floats,
    is_number,
    is_whole,
    read,
    rows,
)

# -- scores ------------------------------------------------------------------------------------


def checked_scores(scores, axis):
    """``scores`` as floats, with something to share out along ``axis``."""
    scores = floats(scores, "scores")
    fits = is_whole(axis, -scores.ndim) and axis < scores.ndim
    if not fits or scores.shape[int(axis)] == 0:
        raise ValueError(
            f"scores have shape {scores.shape}: there is nothing to share out along axis {axis}."
        )
    return scores


def check_largest(largest):
    """The largest score of each row tells whether all of them can be shares."""
    if np.isnan(largest).any():
        raise ValueError(
            "scores contain NaN, so no share can be computed. "
            "Look for 0/0 or inf - inf before the softmax."
        )
    if np.isposinf(largest).any():
        raise ValueError(
            "scores contain +inf, so its share would be inf/inf. "
            "Use large finite scores, or -inf to mask."
        )


# -- queries, keys, values and a mask ----------------------------------------------------------


def checked_attention(queries, keys, values, mask):
    """All four as arrays that fit; the mask may be None."""
    queries = rows(queries, "queries")
    keys = rows(keys, "keys")
    values = rows(values, "values")
    check_shapes(queries.shape, keys.shape, values.shape)
    return queries, keys, values, fitting_mask(mask, (*queries.shape[:-1], keys.shape[-2]))


def check_shapes(queries, keys, values, leading=-2):
    """queries (..., T, d_k), keys (..., S, d_k), values (..., S, d_v), each a shape.

    leading: the axes before this one must be equal.
    """
    if queries[-1] != keys[-1]:
        raise ValueError(
            f"queries {queries} and keys {keys} differ in width; "
            "a dot product needs the same d_k for both."
        )
    if keys[-2] != values[-2]:
        raise ValueError(
            f"keys {keys} and values {values} differ in number; every key needs exactly one value."
        )
    if not queries[:leading] == keys[:leading] == values[:leading]:
        raise ValueError(
            f"the leading axes of queries {queries}, keys {keys} and values "
            f"{values} differ; repeat the smaller one with np.broadcast_to."
        )


def fitting_mask(mask, shape):
    """``mask`` as booleans that can be broadcast to the ``shape`` of the scores, or None."""
    if mask is None:
        return None
    mask = read(mask, "mask")
    if mask.dtype != bool:
        refuse_mask_of(mask.dtype)
    try:
        np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"the mask {mask.shape} does not fit the scores {shape}; expected "
            f"(T, S) = {shape[-2:]}, one row for each query and one column for each key. "
            "Leading axes must be 1 or those of the scores."
        ) from None
    return mask


def refuse_mask_of(dtype):
    """Refuse a mask of anything but booleans."""
    raise ValueError(
        f"the mask holds {dtype}; expected booleans, True = may attend. Convert an "
        "additive mask (0 and -inf) with mask == 0, a mask of ones and zeros with mask == 1."
    )


def checked_scale(scale, d_k):
    """What the scores are multiplied by: 1/sqrt(d_k) for None."""
    if scale is None:
        return d_k**-0.5
    if not is_number(scale) or not np.isfinite(float(scale)):
        raise ValueError(f"scale = {scale!r}; expected one finite number, or None for 1/sqrt(d_k).")
    return float(scale)


def check_average(output, values):
    """The weighted average of values must be finite; only a NaN among them may reach it."""
    if not np.isfinite(output).all() and not np.isnan(values).any():
        check_outcome(output, "values")


# -- heads -------------------------------------------------------------------------------------


def check_heads(heads, d_model):
    """heads must be a whole number that divides d_model."""
    if not is_whole(heads, 1) or d_model % heads:
        raise ValueError(
            f"{heads} heads do not divide d_model = {d_model}; "
            f"choose one of {_divisors_near(heads, d_model)}."
        )


def _divisors_near(heads, d_model, most=6):
    divisors = [h for h in range(1, d_model + 1) if d_model % h == 0]
    wanted = heads if isinstance(heads, Real) else 1
    nearest = sorted(divisors, key=lambda divisor: abs(divisor - wanted))
    return sorted(nearest[:most])


def checked_tokens(x, heads):
    """``x`` as an array (..., tokens, d_model), its width a multiple of ``heads``."""
    x = read(x, "x")
    check_rows(x, "x")
    check_heads(heads, x.shape[-1])
    return x


def checked_by_head(x):
    """``x`` as an array (..., H, tokens, d_k)."""
    x = read(x, "x")
    if x.ndim < 3 or 0 in x.shape:
        raise ValueError(f"x has shape {x.shape}; expected (..., heads, tokens, d_k), none 0.")
    return x


# -- grouped queries ---------------------------------------------------------------------------


def checked_groups(queries, keys, values, mask):
    """All four as arrays that fit, each of three with an axis for its heads; mask may be None."""
    three = [rows(queries, "queries"), rows(keys, "keys"), rows(values, "values")]
    for name, array in zip(("queries", "keys", "values"), three, strict=True):
        if array.ndim < 3:
            raise ValueError(
                f"{name} have shape {array.shape}; expected (..., heads, tokens, width). "
                "For one head write x[None]."
            )
    queries, keys, values = three
    check_group_shapes(queries.shape, keys.shape, values.shape)
    return *three, fitting_mask(mask, (*queries.shape[:-1], keys.shape[-2]))


def check_group_shapes(queries, keys, values):
    """queries (..., H, T, d_k), keys (..., G, S, d_k), values (..., G, S, d_v), each a shape."""
    H, G = queries[-3], keys[-3]
    check_groups(H, G)
    if values[-3] != G:
        raise ValueError(
            f"keys {keys} and values {values} differ in heads; every head of keys needs its values."
        )
    check_shapes(queries, keys, values, leading=-3)


def check_groups(heads, key_heads):
    """Each head of keys must serve as many heads of queries as the others."""
    if not is_whole(key_heads, 1) or heads % key_heads:
        raise ValueError(
            f"{key_heads} heads of keys for {heads} heads of queries: each must serve as many as "
            f"the others. Choose one of {_divisors_near(key_heads, heads)}."
        )


# -- multi-head attention ----------------------------------------------------------------------


def checked_multi_head(queries, keys, values, parameters, both_heads, mask):
    """Queries, keys and values that the parameters fit, and a mask with an axis for the heads.

    both_heads: how many the queries have, and how many the keys.
    """
    p = parameters
    heads, key_heads = both_heads
    mask = mask_for_heads(mask, queries)
    queries = projectable(queries, p.query, p.query_bias, heads, "queries")
    keys = projectable(keys, p.key, p.key_bias, key_heads, "keys")
    values = projectable(values, p.value, p.value_bias, key_heads, "values")
    q = _shape_by_head(queries, p.query, heads)  # (..., H, T, d_k)
    k = _shape_by_head(keys, p.key, key_heads)  # (..., G, S, d_k)
    v = _shape_by_head(values, p.value, key_heads)  # (..., G, S, d_v)
    return queries, keys, values, fitting_by_head(q, k, v, p, mask)


def fitting_by_head(q, k, v, parameters, mask):
    """``mask``, if all fits: q (..., H, T, d_k), k (..., G, S, d_k), v (..., G, S, d_v), shapes."""
    check_group_shapes(q, k, v)
    *leading, H, T, _ = q
    merged = (*leading, T, H * v[-1])
    check_projection(merged, parameters.output, parameters.output_bias, "merged heads")
    return fitting_mask(mask, (*q[:-1], k[-2]))


def projectable(x, matrix, bias, heads, name):
    """``x`` as an array (..., tokens, d_model) for this matrix, whose columns make the heads."""
    x = rows(x, name)
    check_projection(x.shape, matrix, bias, name)
    check_heads(heads, matrix.shape[1])
    return x


def check_projection(shape, matrix, bias, name):
    """What has this shape (..., d_model) must fit matrix (d_model, width) and bias (width,)."""
    if shape[-1] != matrix.shape[0]:
        raise ValueError(
            f"{name} {shape} do not fit the matrix {matrix.shape}: the last axis of one must be "
            "the first of the other. Make the parameters for this width."
        )
    if bias is not None and bias.shape != matrix.shape[1:]:
        raise ValueError(
            f"{name}: bias {bias.shape} does not fit matrix {matrix.shape}; "
            "give it one number for each column."
        )


def _shape_by_head(x, matrix, heads):
    *leading, tokens, _ = x.shape
    return (*leading, int(heads), tokens, matrix.shape[1] // int(heads))


def mask_for_heads(mask, queries):
    """``mask`` with an axis for the heads, if it has leading axes as the queries have."""
    if mask is None:
        return None
    mask = read(mask, "mask")
    axes = np.ndim(queries)
    if 2 < mask.ndim < axes:
        raise ValueError(
            f"the mask {mask.shape} has too few axes for queries {np.shape(queries)}; "
            "write out the leading ones."
        )
    if 2 < mask.ndim == axes:
        return np.expand_dims(mask, -3)  # the same for every head
    return mask
