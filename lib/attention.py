"""Softmax, scaled dot-product attention and multi-head attention in NumPy (notebooks 1 to 5).

Axes: B batch, H heads, T queries, S keys. Vectors are rows, so a map of weights is (..., T, S).
A boolean mask says True = may attend. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

from dataclasses import dataclass, fields

import numpy as np


def _floats(x, name):
    """``x`` as an array of floats; whole numbers become float64, floats keep their dtype."""
    try:
        array = np.asarray(x)
    except ValueError:
        raise ValueError(
            f"{name}: the rows differ in length; give every token the same number of numbers."
        ) from None
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype.kind != "f":
        raise ValueError(f"{name}: expected numbers, not {array.dtype}. Pass an array of floats.")
    return array


def _check_rows(name, array):
    if array.ndim < 2 or 0 in array.shape:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (..., tokens, width) with at least one token and one number "
            "for each. For a single vector, write x[None, :]."
        )


def softmax(scores, axis=-1):
    """Turn scores into shares: positive, adding up to 1 along ``axis``.

    scores: any shape; the result has the same shape and dtype. Stable: the largest score of each row is
    subtracted first, which changes nothing (only differences count). A row of all -inf gives zeros.
    Raises ValueError for NaN, for +inf and for an empty axis. Source: P eq. 1.
    """
    return _softmax(_floats(scores, "scores").copy(), axis)


def _softmax(scores, axis=-1):
    """softmax, written over ``scores``."""
    if not -scores.ndim <= axis < scores.ndim or scores.shape[axis] == 0:
        raise ValueError(
            f"scores have shape {scores.shape}: there is nothing to share out along axis {axis}."
        )
    largest = scores.max(axis=axis, keepdims=True)
    if np.isnan(largest).any():
        raise ValueError(
            "scores contain NaN, so no share can be computed. Look for 0/0 or inf - inf before the softmax."
        )
    if np.isposinf(largest).any():
        raise ValueError(
            "scores contain +inf, so its share would be inf/inf. Use large finite scores, or -inf to mask."
        )
    largest[np.isneginf(largest)] = (
        0  # a query that may attend to nothing: exp(-inf - 0) = 0 everywhere
    )
    scores -= largest
    np.exp(scores, out=scores)
    total = scores.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    scores /= total
    return scores


def scaled_dot_product_attention(queries, keys, values, mask=None, scale=None):
    """Each query asks all keys and takes the average of the values, weighted by the answers.

    queries (..., T, d_k), keys (..., S, d_k), values (..., S, d_v); the leading axes must be equal.
    mask: boolean, broadcastable to (..., T, S), True = may attend. scale: 1/sqrt(d_k) if not given.
    Returns (output (..., T, d_v), weights (..., T, S)). A query that may attend to nothing gets zero weights
    and zero output. Raises ValueError for shapes that do not fit and for masks that are not boolean.
    Source: P eq. 1; mask convention of torch's F.scaled_dot_product_attention.
    """
    queries, keys, values = (
        _floats(queries, "queries"),
        _floats(keys, "keys"),
        _floats(values, "values"),
    )
    for name, array in (("queries", queries), ("keys", keys), ("values", values)):
        _check_rows(name, array)
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"queries {queries.shape} and keys {keys.shape} differ in width; a dot product needs the same d_k for both."
        )
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(
            f"keys {keys.shape} and values {values.shape} differ in number; every key needs exactly one value."
        )
    if not queries.shape[:-2] == keys.shape[:-2] == values.shape[:-2]:
        raise ValueError(
            f"the leading axes of queries {queries.shape}, keys {keys.shape} and values {values.shape} differ; "
            "repeat the smaller one with np.broadcast_to."
        )
    scale = queries.shape[-1] ** -0.5 if scale is None else float(scale)
    scores = (queries * scale) @ keys.swapaxes(-1, -2)  # (..., T, S)
    if mask is not None:
        np.copyto(scores, -np.inf, where=_hidden(mask, scores.shape))
    weights = _softmax(scores)  # (..., T, S)
    return weights @ values, weights  # (..., T, d_v)


def _hidden(mask, shape):
    """True where ``mask`` says may not attend; inverted before it is repeated to the shape of the scores."""
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(
            f"the mask holds {mask.dtype}; expected booleans, True = may attend. "
            "Convert an additive mask (0 and -inf) with mask == 0, a mask of ones and zeros with mask == 1."
        )
    try:
        return np.broadcast_to(~mask, shape)
    except ValueError:
        raise ValueError(
            f"the mask {mask.shape} does not fit the scores {shape}; expected (T, S) = {shape[-2:]}, "
            "one row for each query and one column for each key. Leading axes must be 1 or those of the scores."
        ) from None


def split_heads(x, heads):
    """Cut the last axis into heads: (..., T, d_model) -> (..., H, T, d_k) with d_k = d_model / H.

    Head h gets columns h*d_k to (h+1)*d_k of every token. Raises ValueError if heads do not divide d_model.
    Source: P section 3.2.2.
    """
    x = np.asarray(x)
    _check_rows("x", x)
    d_model = x.shape[-1]
    if int(heads) != heads or heads < 1 or d_model % int(heads):
        divisors = [h for h in range(1, d_model + 1) if d_model % h == 0]
        raise ValueError(
            f"{heads} heads do not divide d_model = {d_model}; choose one of {divisors}."
        )
    by_head = x.reshape(*x.shape[:-1], int(heads), d_model // int(heads))  # (..., T, H, d_k)
    return by_head.swapaxes(-2, -3)  # (..., H, T, d_k)


def merge_heads(x):
    """Put the heads side by side again: (..., H, T, d_k) -> (..., T, H*d_k), the inverse of split_heads."""
    x = np.asarray(x)
    if x.ndim < 3:
        raise ValueError(f"x has shape {x.shape}; expected (..., heads, tokens, d_k).")
    by_token = x.swapaxes(-2, -3)  # (..., T, H, d_k)
    return by_token.reshape(*by_token.shape[:-2], -1)  # (..., T, H*d_k)


@dataclass
class MultiHeadParameters:
    """The four matrices of multi-head attention, all heads side by side, for row vectors (x @ matrix).

    query (d_model, H*d_k), key (d_model, H*d_k), value (d_model, H*d_v), output (H*d_v, d_model),
    each with an optional bias. Source: P section 3.2.2, W^Q, W^K, W^V and W^O.
    """

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray
    query_bias: np.ndarray | None = None
    key_bias: np.ndarray | None = None
    value_bias: np.ndarray | None = None
    output_bias: np.ndarray | None = None

    @property
    def count(self):
        """How many numbers there are to learn."""
        arrays = (getattr(self, field.name) for field in fields(self))
        return sum(array.size for array in arrays if array is not None)

    @classmethod
    def random(cls, generator, d_model, width=None, dtype=np.float32):
        """Normal numbers of variance 1/d_model, so projected components have the variance of the input's.

        width: H*d_k, d_model if not given.
        """
        width = d_model if width is None else width
        shapes = [(d_model, width)] * 3 + [(width, d_model)]
        return cls(
            *(
                (generator.standard_normal(shape) / shape[0] ** 0.5).astype(dtype)
                for shape in shapes
            )
        )

    @classmethod
    def from_torch(cls, module):
        """The parameters of an ``nn.MultiheadAttention`` or of ours (lib.modules) in any state of training, as arrays.

        Raises ValueError for add_bias_kv and add_zero_attn, which the paper does not have.
        """

        def array(tensor):
            return None if tensor is None else tensor.detach().cpu().numpy().copy()

        if not hasattr(module, "in_proj_weight"):  # ours
            four = module.query, module.key, module.value, module.output
            return cls(*(array(one.weight.T) for one in four), *(array(one.bias) for one in four))
        if module.bias_k is not None or module.add_zero_attn:
            raise ValueError(
                "add_bias_kv and add_zero_attn are not part of the paper; make the module without them."
            )
        if module.in_proj_weight is not None:
            three = module.in_proj_weight.chunk(
                3
            )  # (3*d_model, d_model), in the order query, key, value
        else:  # keys or values of another width
            three = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
        biases = (None,) * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)
        matrices = [array(matrix.T) for matrix in (*three, module.out_proj.weight)]
        return cls(*matrices, *(array(bias) for bias in (*biases, module.out_proj.bias)))


def _project(x, matrix, bias, name):
    if x.shape[-1] != matrix.shape[0]:
        raise ValueError(
            f"{name} {x.shape} do not fit the matrix {matrix.shape}: the last axis of one must be the first of the "
            "other. Make the parameters for this width."
        )
    if bias is not None and bias.shape != matrix.shape[1:]:
        raise ValueError(
            f"{name}: bias {bias.shape} does not fit matrix {matrix.shape}; give it one number for each column."
        )
    projected = (
        x.reshape(-1, x.shape[-1]) @ matrix
    )  # one product for the tokens of all sequences together
    if bias is not None:
        projected += bias
    return projected.reshape(*x.shape[:-1], -1)


def multi_head_attention(queries, keys, values, parameters, heads, mask=None):
    """Project, split into heads, attend in each head, merge, project once more.

    queries (..., T, d_model), keys and values (..., S, d_model): the same array three times for self-attention.
    mask: boolean, True = may attend; (T, S), (..., T, S) for all heads alike, or (..., H, T, S).
    Returns (output (..., T, d_model), weights (..., H, T, S)). Raises ValueError as scaled_dot_product_attention,
    and if heads do not divide the width of the projections. Source: P section 3.2.2.
    """
    queries, keys, values = (
        _floats(queries, "queries"),
        _floats(keys, "keys"),
        _floats(values, "values"),
    )
    for name, array in (("queries", queries), ("keys", keys), ("values", values)):
        _check_rows(name, array)
    p = parameters
    q = split_heads(_project(queries, p.query, p.query_bias, "queries"), heads)  # (..., H, T, d_k)
    k = split_heads(_project(keys, p.key, p.key_bias, "keys"), heads)  # (..., H, S, d_k)
    v = split_heads(_project(values, p.value, p.value_bias, "values"), heads)  # (..., H, S, d_v)
    if mask is not None and 2 < np.ndim(mask) < queries.ndim:
        raise ValueError(
            f"the mask {np.shape(mask)} has too few axes for queries {queries.shape}; write out the leading ones."
        )
    if mask is not None and 2 < np.ndim(mask) == queries.ndim:
        mask = np.expand_dims(mask, -3)  # the same for every head
    output, weights = scaled_dot_product_attention(
        q, k, v, mask
    )  # (..., H, T, d_v), (..., H, T, S)
    return _project(merge_heads(output), p.output, p.output_bias, "merged heads"), weights
