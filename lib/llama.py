"""A layer of today and its stack in NumPy: what changed since 2017, one function each.

RMS norm before each part, rotary positions, grouped queries, a gated feed-forward network, no
biases. Axes: B batch, H heads, G heads of keys, T queries, S keys; vectors are rows.
Source: Touvron et al. 2023, arXiv:2302.13971, section 2.2; grouped queries since arXiv:2307.09288.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lib.attention import MultiHeadParameters, grouped_attention, merge, project, to_heads
from lib.cache import all_or_nothing
from lib.layers import SwiGLUParameters, rms_norm, swiglu
from lib.parameters import Parameters, array_of
from lib.positions import BASE, check_pairs, rotary
from lib.validation.arrays import rows
from lib.validation.attention import checked_multi_head


@dataclass
class LlamaLayerParameters(Parameters):
    """What a layer learns; norm_1 and norm_2 are the gains (d_model,) of its two RMS norms."""

    attention: MultiHeadParameters
    feed_forward: SwiGLUParameters
    norm_1: np.ndarray
    norm_2: np.ndarray

    @classmethod
    def from_torch(cls, module):
        """From a lib.modules.LlamaLayer. Raises ValueError for another module."""
        if not all(hasattr(module, name) for name in cls.__dataclass_fields__):
            raise ValueError(
                f"{type(module).__name__} is no such layer; expected a lib.modules.LlamaLayer."
            )
        return cls(
            MultiHeadParameters.from_torch(module.attention),
            SwiGLUParameters.from_torch(module.feed_forward),
            array_of(module.norm_1.weight),
            array_of(module.norm_2.weight),
        )


@dataclass(frozen=True)
class LlamaForm:
    """How a Llama computes: what its parameters do not show, and the functions that it is made of.

    heads H and key_heads G; base and pairs of the rotary positions; epsilon of the norms. To see
    what a part is worth, put another in its place: dataclasses.replace(form, rms_norm=mine). They
    are called so:
        rms_norm(x (..., d_model), gain (d_model,), epsilon) -> the same shape
        rotary(x (..., heads, T, d_k), positions (T,), base, pairs) -> the same shape
        grouped_attention(queries, keys, values, mask) -> (output, weights), as lib.attention has it
        swiglu(x (..., d_model), SwiGLUParameters) -> the same shape
    """

    heads: int
    key_heads: int
    base: float = BASE
    pairs: str = "neighbours"
    epsilon: float = 1e-5
    rms_norm: Callable = rms_norm
    rotary: Callable = rotary
    grouped_attention: Callable = grouped_attention
    swiglu: Callable = swiglu

    def __post_init__(self):
        check_pairs(self.pairs)


def rotary_attention(x, parameters, form, mask=None, cache=None):
    """Multi-head self-attention whose queries and keys are turned by their places.

    x (..., T, d_model): all tokens, or those after the ones that ``cache`` holds. parameters:
    MultiHeadParameters without biases. mask: as in lib.attention.grouped_attention. Returns (output
    (..., T, d_model), weights (..., H, T, S)). Raises ValueError as multi_head_attention.
    """
    p, f = parameters, form
    x, *_ = checked_multi_head(x, x, x, p, (f.heads, f.key_heads), None)
    start = 0 if cache is None else cache.length
    places = np.arange(start, start + x.shape[-2])
    queries = f.rotary(to_heads(x, p.query, None, f.heads), places, f.base, f.pairs)
    keys = f.rotary(to_heads(x, p.key, None, f.key_heads), places, f.base, f.pairs)
    values = to_heads(x, p.value, None, f.key_heads)  # (..., G, T, d_v)
    if cache is not None:
        keys, values = cache.append(keys, values, p)  # (..., G, S, d_k) and (..., G, S, d_v)
    output, weights = f.grouped_attention(queries, keys, values, mask)  # (..., H, T, d_v)
    return project(merge(output), p.output), weights


def llama_layer(x, parameters, form, mask=None, cache=None):
    """Every token attends to those that it may, then the gated network works on each.

    What goes into both is normed, what comes out is added. x (..., T, d_model); mask (T, S), for a
    model that writes lib.masks.causal_mask(T, S); cache: see lib.cache, and its ``length`` says
    where the first of these tokens stands. Returns (output (..., T, d_model), weights
    (..., H, T, S)). Raises ValueError as rotary_attention, rms_norm and swiglu.
    """
    x, p, f = rows(x, "x"), parameters, form
    attended, weights = rotary_attention(
        f.rms_norm(x, p.norm_1, f.epsilon), p.attention, f, mask, cache
    )
    x = x + attended
    x = x + f.swiglu(f.rms_norm(x, p.norm_2, f.epsilon), p.feed_forward)
    return x, weights


def llama_layers(x, layers, form, mask=None, caches=None):
    """One layer after another: (output (..., T, d_model), [weights (..., H, T, S) of each layer]).

    layers: a list of LlamaLayerParameters; caches: one for each. Otherwise as llama_layer.
    """
    weights = []
    with all_or_nothing(layers, caches) as pairs:
        for layer, cache in pairs:
            x, looked = llama_layer(x, layer, form, mask, cache)
            weights.append(looked)
    return x, weights
