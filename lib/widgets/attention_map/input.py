"""What readers have of a model of their own, read as maps and tokens, or refused in a sentence.

A map may be a NumPy array or a torch tensor of any dtype, with a gradient, of one sequence; several
layers come as a tuple or list. Nothing is copied: a layer is turned into float32 when it is shown.
"""

from numbers import Integral

import numpy as np

# How far the sum of a row may lie from 1: bfloat16 has three digits.
TOLERANCE = 0.02
NO_MAPS = (
    "Library models compute no maps in their fast attention (sdpa, flash): load the model with "
    'attn_implementation="eager", and call it with output_attentions=True.'
)


def layers_of(weights):
    """[(H, T, S) for each layer] from an array, a tensor, or a tuple or list of them.

    Each layer may be (T, S), (H, T, S) or (1, H, T, S); five axes are layers too. Raises ValueError
    for what is none of these, for a batch of several sequences and for layers of different T or S.
    """
    if not _is_several(weights):
        return [_layer(weights, "weights")]
    if len(weights) == 0:
        raise ValueError(f"weights: an empty {type(weights).__name__}; expected layers. {NO_MAPS}")
    count = len(weights)
    layers = [_layer(one, f"layer {i + 1} of {count}") for i, one in enumerate(weights)]
    first = tuple(layers[0].shape)
    for i, layer in enumerate(layers):
        if tuple(layer.shape[1:]) != first[1:]:
            raise ValueError(
                f"layer 1 is {first} but layer {i + 1} is {tuple(layer.shape)}; expected "
                "(heads, queries, keys) with the same tokens in every layer. Show maps of other "
                "sizes, such as those of cross-attention, in an AttentionMap of their own."
            )
    return layers


def _is_several(weights):
    """Are these layers? A list of lists of numbers is one map."""
    if isinstance(weights, (tuple, list)):
        return len(weights) == 0 or any(_has_rows(one) for one in weights)
    return getattr(weights, "ndim", 0) == 5


def _has_rows(one):
    """Is this one of several layers, and not one row of a map?"""
    if isinstance(one, (tuple, list)):
        return any(getattr(inner, "ndim", 0) >= 2 for inner in one)
    return one is None or getattr(one, "ndim", 0) >= 2


def _layer(one, name):
    """One layer as (H, T, S), of the reader's own kind and dtype, without its gradient."""
    if one is None:
        raise ValueError(f"{name}: None; expected an array or a tensor. {NO_MAPS}")
    if _is_several(one):
        raise ValueError(
            f"{name}: a {type(one).__name__} of {len(one)}; expected an array or a tensor. "
            "After generate() there is one tuple for each new token: choose one, weights[0]."
        )
    layer = one.detach() if hasattr(one, "detach") else _array(one, name)
    shape = tuple(layer.shape)
    if len(shape) == 4 and shape[0] > 1:
        raise ValueError(
            f"{name}: {shape}, a batch of {shape[0]} sequences; expected one sequence, "
            "(heads, queries, keys). Choose it: weights[0] of one layer, or [layer[0] for layer "
            "in weights]. If the first axis counts layers, pass list(weights)."
        )
    if len(shape) == 4:
        layer = layer[0]
    if len(shape) == 2:
        layer = layer[None]
    if len(shape) not in (2, 3, 4) or 0 in shape:
        raise ValueError(
            f"{name}: {shape}; expected (queries, keys) or (heads, queries, keys), each at least 1."
        )
    return layer


def _array(one, name):
    if isinstance(one, dict):
        names = ", ".join(str(key) for key in list(one)[:6])
        raise ValueError(
            f"{name}: a {type(one).__name__} with {names}; expected the maps alone. Choose them, "
            "such as output.attentions of a library's model or maps['encoder'] of looking."
        )
    try:
        array = np.asarray(one)
    except ValueError:
        raise ValueError(
            f"{name}: the rows differ in length; every query needs a weight for every key."
        ) from None
    if array.dtype.kind not in "fiub":
        raise ValueError(
            f"{name}: {type(one).__name__} of {array.dtype}; expected an array or a tensor of "
            "numbers."
        )
    return array


def array_of(values):
    """Any part of a layer as a NumPy array of float32."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().float()  # NumPy has no bfloat16
    return np.asarray(values, np.float32)


# -- tokens ----------------------------------------------------------------------------------------


def tokens_of(tokens, count, name):
    """One text for each token; ids as their digits, and places, from 0, where there are none."""
    if tokens is None:
        return [str(place) for place in range(count)]
    if hasattr(tokens, "tolist"):
        tokens = tokens.tolist()
    tokens = list(tokens) if not isinstance(tokens, Integral) else [tokens]
    if len(tokens) == 1 and _is_sequence(tokens[0]):  # a batch of one
        tokens = list(tokens[0])
    return [_token(token, place, name) for place, token in enumerate(tokens)]


def _is_sequence(token):
    return isinstance(token, (list, tuple)) or getattr(token, "ndim", 0) == 1


def _token(token, place, name):
    if getattr(token, "ndim", None) == 0 and hasattr(token, "item"):
        token = token.item()
    if isinstance(token, Integral) and not isinstance(token, bool):
        return str(int(token))
    if isinstance(token, str):
        return str(token)
    raise ValueError(
        f"{name}: number {place + 1} is {token!r:.40} ({type(token).__name__}); expected the words "
        "or the ids of one sequence."
    )


def check_tokens(shape, rows, columns, text=None):
    """Refuse tokens that do not fit maps (H, T, S). text: the reader's own, if it was one str."""
    _, queries, keys = shape
    if (len(rows), len(columns)) == (queries, keys):
        return
    said = (
        f"weights {tuple(shape)} do not fit {len(rows)} query tokens and {len(columns)} key "
        f"tokens; expected {queries} and {keys}."
    )
    if text is not None:
        raise ValueError(f"{said} A text counts by its letters: pass its words, text.split().")
    if (len(rows), len(columns)) == (keys, queries):
        raise ValueError(f"{said} Rows are queries: swap the two, or weights.swapaxes(-1, -2).")
    raise ValueError(
        f"{said} A tokenizer splits words and adds special tokens such as [CLS] and [SEP], and a "
        "model may add its own: name these too. Without tokens the places are shown."
    )


# -- numbers ---------------------------------------------------------------------------------------


def check_weights(array, name="weights"):
    """Refuse what cannot be attention weights (H, T, S): NaN, and numbers outside 0 to 1."""
    lowest, highest = float(array.min()), float(array.max())
    if np.isnan(lowest):
        head, query, _ = np.argwhere(np.isnan(array))[0]
        raise ValueError(
            f"{name}: NaN at head {head + 1}, row {query + 1} (both counted from 1); expected "
            "numbers from 0 to 1. A query whose keys are all masked becomes NaN in the softmax: "
            "let each see at least one key, or leave the padding out."
        )
    if lowest < 0 or highest > 1 + 1e-5:
        raise ValueError(
            f"{name}: numbers from {lowest:.3g} to {highest:.3g}; expected 0 to 1. If these are "
            "scores, take the softmax over the keys, the last axis. In training, dropout makes "
            "weights larger: call model.eval() first."
        )


def said_of_rows(array, name, mask=None):
    """A sentence for rows (H, T, S) that do not sum to 1, else "". Rows without a key may be 0."""
    sums = array.sum(-1, dtype=np.float64)  # (H, T)
    asked = np.ones(sums.shape[1], bool) if mask is None else mask.any(-1)  # (T,)
    wrong = (np.abs(sums - 1) > TOLERANCE) & asked
    if not wrong.any():
        return ""
    head, query = np.argwhere(wrong)[0]
    said = (
        f"Not all rows sum to 1 ({name}, head {head + 1}, row {query + 1}: "
        f"{sums[head, query]:.2f})."
    )
    if np.abs(array.sum(-2, dtype=np.float64) - 1).max() <= TOLERANCE:
        return f"{said} The columns do: rows must be the queries, so swap the last two axes."
    return (
        f"{said} Were keys left out, such as [CLS]? Scores need a softmax over the keys, and where "
        "dropout is on, call model.eval() first."
    )
