"""Softmax, scaled dot-product attention and multi-head attention in NumPy (notebooks 1 to 5).

Axes: B batch, H heads, G heads of keys where they are fewer, T queries, S keys. Vectors are rows,
so a map of weights is (..., T, S). A boolean mask says True = may attend. Arrays, lists and torch's
tensors are taken; whole numbers become float64, bfloat16 becomes float32, every other float keeps
its dtype.
P is Vaswani et al. 2017, arXiv:1706.03762.
"""

from dataclasses import dataclass

import numpy as np

from lib.parameters import Parameters, array_of
from lib.validation.arrays import blocks, widened
from lib.validation.attention import (
    check_average,
    check_largest,
    checked_attention,
    checked_by_head,
    checked_groups,
    checked_multi_head,
    checked_scale,
    checked_scores,
    checked_tokens,
)

# -- softmax -----------------------------------------------------------------------------------


def softmax(scores, axis=-1):
    """Turn scores into shares: positive, adding up to 1 along ``axis``.

    scores: any shape; the result has the same shape and dtype. Stable: the largest score of each
    row is subtracted first, which changes nothing (only differences count). A row of all -inf gives
    zeros. Raises ValueError for NaN, for +inf and for an empty axis. Source: P eq. 1.
    """
    scores = checked_scores(scores, axis)
    rows_last = np.moveaxis(scores, axis, -1)
    wide = np.array(rows_last, np.result_type(scores, np.float32), order="C")  # a copy
    shares = np.moveaxis(share_out(wide), -1, axis)
    return shares.astype(scores.dtype, copy=False)


@np.errstate(over="ignore")  # a difference of -inf is right: its share is 0
def share_out(scores):
    """softmax along the last axis of scores that were checked, written over them."""
    for rows in blocks(scores):
        largest = rows.max(-1, keepdims=True)
        if not np.isfinite(largest).all():
            check_largest(largest)
            largest[np.isneginf(largest)] = 0  # may attend to nothing: exp(-inf - 0) = 0 everywhere
        rows -= largest
        np.exp(rows, out=rows)
        total = rows.sum(-1, keepdims=True)
        total[total == 0] = 1
        rows /= total
    return scores


# -- scaled dot-product attention --------------------------------------------------------------


def scaled_dot_product_attention(queries, keys, values, mask=None, scale=None):
    """Each query asks all keys and takes the average of the values, weighted by the answers.

    queries (..., T, d_k), keys (..., S, d_k), values (..., S, d_v); the leading axes must be equal.
    mask: boolean, True = may attend; (..., T, S) or what broadcasts to it, so also (S,), the same
    for every query, or a single bool. scale: 1/sqrt(d_k) if not given.
    Returns (output (..., T, d_v), weights (..., T, S)). A query that may attend to nothing gets
    zero weights and zero output. A NaN in a value reaches the output even behind a mask: 0 * NaN
    is NaN. Raises ValueError for shapes that do not fit, masks that are not boolean, values of inf
    and scores that are NaN or +inf. Source: P eq. 1; masks as in F.scaled_dot_product_attention.
    """
    queries, keys, values, mask = checked_attention(queries, keys, values, mask)
    return attend(queries, keys, values, mask, scale)


@np.errstate(over="ignore", invalid="ignore")  # it is said in sentences
def attend(queries, keys, values, mask=None, scale=None):
    """scaled_dot_product_attention of what was checked; the mask is an array or None."""
    queries, keys, values, dtype = _wide(queries, keys, values)
    scale = checked_scale(scale, queries.shape[-1])
    scores = (queries * scale) @ keys.swapaxes(-1, -2)  # (..., T, S)
    del queries, keys  # if nobody else has them, what follows can use their memory
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    weights = share_out(scores)  # (..., T, S)
    output = weights @ values  # (..., T, d_v)
    check_average(output, values)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def _wide(queries, keys, values):
    """The three in a dtype to compute in, and the dtype of the result."""
    dtype = np.result_type(queries, keys, values)
    wide = np.result_type(dtype, np.float32)
    three = [array.astype(wide, copy=False) for array in (queries, keys, values)]
    return *three, dtype


# -- heads -------------------------------------------------------------------------------------


def split_heads(x, heads):
    """Cut the last axis into heads: (..., T, d_model) -> (..., H, T, d_k) with d_k = d_model / H.

    Head h gets columns h*d_k to (h+1)*d_k of every token. Raises ValueError if heads do not divide
    d_model. Source: P section 3.2.2.
    """
    return split(checked_tokens(x, heads), heads)


def split(x, heads):
    """split_heads of an array that was checked."""
    by_head = x.reshape(*x.shape[:-1], int(heads), -1)  # (..., T, H, d_k)
    return by_head.swapaxes(-2, -3)  # (..., H, T, d_k)


def merge_heads(x):
    """Put the heads side by side again, the inverse of split_heads.

    (..., H, T, d_k) -> (..., T, H*d_k). Raises ValueError for fewer than three axes.
    """
    return merge(checked_by_head(x))


def merge(x):
    """merge_heads of an array that was checked."""
    by_token = x.swapaxes(-2, -3)  # (..., T, H, d_k)
    return by_token.reshape(*by_token.shape[:-2], -1)  # (..., T, H*d_k)


# -- grouped queries ---------------------------------------------------------------------------


def grouped_attention(queries, keys, values, mask=None):
    """scaled_dot_product_attention with fewer heads of keys: each serves a group of H / G queries.

    queries (..., H, T, d_k), keys (..., G, S, d_k), values (..., G, S, d_v). Head h of the queries
    asks head h // (H / G) of the keys: neighbours share. mask: boolean, True = may attend; (T, S),
    or (..., H, T, S). Returns (output (..., H, T, d_v), weights (..., H, T, S)). G = H is the
    attention of the paper, G = 1 has one head of keys for all. Raises ValueError as
    scaled_dot_product_attention, and if G does not divide H.
    Source: Ainslie et al. 2023, arXiv:2305.13245; for G = 1 Shazeer 2019, arXiv:1911.02150.
    """
    queries, keys, values, mask = checked_groups(queries, keys, values, mask)
    return attend_in_groups(queries, keys, values, mask)


def attend_in_groups(queries, keys, values, mask=None):
    """grouped_attention of what was checked; the mask is an array or None."""
    *leading, H, T, d_k = queries.shape
    G = keys.shape[-3]
    if G == H:
        return attend(queries, keys, values, mask)
    output, weights = attend(
        queries.reshape(*leading, G, H // G, T, d_k),
        keys[..., None, :, :],  # (..., G, 1, S, d_k): no copy for each head
        values[..., None, :, :],  # (..., G, 1, S, d_v)
        _mask_in_groups(mask, G),
    )
    return output.reshape(*leading, H, T, -1), weights.reshape(*leading, H, T, -1)


def _mask_in_groups(mask, G):
    """(T, S) as it is; (..., 1, T, S) and (..., H, T, S) with two axes for the heads."""
    if mask is None or mask.ndim < 3:
        return mask
    *leading, heads, T, S = mask.shape
    if heads == 1:
        return mask[..., None, :, :]
    return mask.reshape(*leading, G, heads // G, T, S)


# -- multi-head attention ----------------------------------------------------------------------


@dataclass
class MultiHeadParameters(Parameters):
    """The four matrices of multi-head attention, all heads side by side, for row vectors.

    query (d_model, H*d_k), key (d_model, H*d_k), value (d_model, H*d_v), output (H*d_v, d_model),
    each for x @ matrix and with an optional bias. With grouped queries key and value have G heads:
    (d_model, G*d_k) and (d_model, G*d_v). Source: P section 3.2.2, W^Q, W^K, W^V and W^O.
    """

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray
    query_bias: np.ndarray | None = None
    key_bias: np.ndarray | None = None
    value_bias: np.ndarray | None = None
    output_bias: np.ndarray | None = None

    @classmethod
    def random(cls, generator, d_model, width=None, dtype=np.float32, key_width=None):
        """Normal numbers of variance 1/rows: what is projected has the variance of the input.

        width: H*d_k, d_model if not given; key_width: G*d_k, as wide if not given.
        """
        width = d_model if width is None else width
        key_width = width if key_width is None else key_width
        matrices = []
        for shape in [(d_model, width), *[(d_model, key_width)] * 2, (width, d_model)]:
            matrix = generator.standard_normal(shape) / shape[0] ** 0.5
            matrices.append(matrix.astype(dtype))
        return cls(*matrices)

    @classmethod
    def from_torch(cls, module):
        """The parameters of an ``nn.MultiheadAttention`` or of ours (lib.modules), as arrays.

        Raises ValueError for another module, and for add_bias_kv and add_zero_attn, which the paper
        does not have.
        """
        if hasattr(module, "in_proj_weight"):
            matrices, biases = _of_torch(module)
        elif all(hasattr(module, name) for name in ("query", "key", "value", "output")):
            four = [module.query, module.key, module.value, module.output]
            matrices = [linear.weight for linear in four]
            biases = [linear.bias for linear in four]
        else:
            raise ValueError(
                f"{type(module).__name__} is no multi-head attention; expected an "
                "nn.MultiheadAttention or a lib.modules.MultiHeadAttention."
            )
        arrays = [array_of(matrix.T) for matrix in matrices] + [array_of(bias) for bias in biases]
        return cls(*arrays)


def _of_torch(module):
    """The four matrices and the four biases of an ``nn.MultiheadAttention``."""
    if module.bias_k is not None or module.add_zero_attn:
        raise ValueError(
            "add_bias_kv and add_zero_attn are not part of the paper; make the module without them."
        )
    if module.in_proj_weight is None:  # keys or values of another width
        three = [module.q_proj_weight, module.k_proj_weight, module.v_proj_weight]
    else:  # (3*d_model, d_model), in the order query, key, value
        three = module.in_proj_weight.chunk(3)
    biases = [None] * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)
    return [*three, module.out_proj.weight], [*biases, module.out_proj.bias]


def multi_head_attention(queries, keys, values, parameters, heads, mask=None, key_heads=None):
    """Project, split into heads, attend in each head, merge, project once more.

    queries (..., T, d_model), keys and values (..., S, d_model): the same array three times for
    self-attention. mask: boolean, True = may attend; (T, S), (..., T, S) for all heads alike, or
    (..., H, T, S); also (S,) or a single bool. key_heads: G, how many heads keys and values have;
    H, as many as the queries, if not given (grouped_attention says who shares). Returns (output
    (..., T, d_model), weights (..., H, T, S)). Raises ValueError as grouped_attention, and if heads
    do not divide the width of the projections. Source: P section 3.2.2.
    """
    p = parameters
    key_heads = heads if key_heads is None else key_heads
    queries, keys, values, mask = checked_multi_head(
        queries, keys, values, p, (heads, key_heads), mask
    )
    output, weights = attend_in_groups(
        to_heads(queries, p.query, p.query_bias, heads),  # (..., H, T, d_k)
        to_heads(keys, p.key, p.key_bias, key_heads),  # (..., G, S, d_k)
        to_heads(values, p.value, p.value_bias, key_heads),  # (..., G, S, d_v)
        mask,
    )
    return project(merge(output), p.output, p.output_bias), weights


def to_heads(x, matrix, bias, heads):
    """(..., tokens, d_model) -> (..., heads, tokens, d_k): projected and split."""
    return split(project(x, matrix, bias), heads)


def project(x, matrix, bias=None):
    """x @ matrix + bias, in one product for the tokens of all sequences together."""
    with np.errstate(over="ignore", invalid="ignore"):  # softmax says it, and in a sentence
        projected = widened(x).reshape(-1, x.shape[-1]) @ widened(matrix)
        if bias is not None:
            projected += bias
    dtype = np.result_type(x.dtype, matrix.dtype)
    return projected.astype(dtype, copy=False).reshape(*x.shape[:-1], -1)
