"""Layer norm, the feed-forward network, encoder and decoder layers and their stacks in NumPy (notebooks 7 to 9).

Axes: B batch, H heads, T queries, S keys; vectors are rows. Masks are boolean, True = may attend, of any shape that
multi_head_attention takes. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

import math
from dataclasses import dataclass, fields

import numpy as np

from lib.attention import (
    MultiHeadParameters,
    _check_rows,
    _floats,
    _project,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)

# -- parameters: what a layer has learned -----------------------------------------------------------------------------

# Our modules call their parts as the fields below do, torch.nn's call them so:
_TORCH_NAMES = {
    "attention": "self_attn",
    "self_attention": "self_attn",
    "cross_attention": "multihead_attn",
}
_TORCH_NAMES |= {
    "norm_1": "norm1",
    "norm_2": "norm2",
    "norm_3": "norm3",
    "inner": "linear1",
    "outer": "linear2",
}


def _part(module, name):
    if name == "feed_forward":  # torch.nn's layers have its two maps themselves
        return getattr(module, name, module)
    return getattr(module, name if hasattr(module, name) else _TORCH_NAMES[name])


def _array(tensor):
    return None if tensor is None else tensor.detach().cpu().numpy().copy()


class _Parameters:
    @property
    def count(self):
        """How many numbers there are to learn."""
        parts = (getattr(self, field.name) for field in fields(self))
        return sum(
            part.size if isinstance(part, np.ndarray) else part.count
            for part in parts
            if isinstance(part, np.ndarray | _Parameters | MultiHeadParameters)
        )


@dataclass
class NormParameters(_Parameters):
    """gain and bias (d_model,) of a layer norm, and its epsilon."""

    gain: np.ndarray | None = None
    bias: np.ndarray | None = None
    epsilon: float = 1e-5

    @classmethod
    def from_torch(cls, module):
        """From an ``nn.LayerNorm``."""
        return cls(_array(module.weight), _array(module.bias), module.eps)


@dataclass
class FeedForwardParameters(_Parameters):
    """inner (d_model, d_ff) and outer (d_ff, d_model), for row vectors (x @ inner), with biases.

    A bias may be None. activation: what stands between the two maps, one of ACTIVATIONS ("relu" in
    the paper, "gelu" in BERT, "gelu_tanh" in GPT-2); ValueError for another one.
    """

    inner: np.ndarray
    inner_bias: np.ndarray | None
    outer: np.ndarray
    outer_bias: np.ndarray | None
    activation: str = "relu"

    def __post_init__(self):
        _activation(self.activation)

    @classmethod
    def from_torch(cls, module):
        """From our FeedForward or a layer of torch.nn, with its activation as activation_of it."""
        inner = _part(module, "inner")
        outer = _part(module, "outer")
        return cls(
            inner=_array(inner.weight.T),
            inner_bias=_array(inner.bias),
            outer=_array(outer.weight.T),
            outer_bias=_array(outer.bias),
            activation=activation_of(module),
        )


def activation_of(module):
    """Which of ACTIVATIONS a layer or a feed-forward network has, of torch.nn or ours: its name.

    ``module.activation`` may be that name, a function of that name, F.relu, F.gelu, a partial of
    F.gelu, nn.ReLU() or nn.GELU(); a module without the attribute has the paper's ReLU.
    Raises ValueError for everything else.
    """
    activation = getattr(_part(module, "feed_forward"), "activation", "relu")
    function = getattr(activation, "func", activation)  # what a functools.partial is made of
    options = getattr(activation, "keywords", {})
    if isinstance(function, str):
        name = function
    elif hasattr(function, "__name__"):  # a function
        name = function.__name__
    else:  # an nn.Module: its class names it
        name = type(function).__name__.lower()
        options = {"approximate": getattr(function, "approximate", "none")}
    if name == "gelu" and options.get("approximate", "none") == "tanh":
        name = "gelu_tanh"
    if name not in ACTIVATIONS:
        raise ValueError(
            f"{type(module).__name__} has the activation {activation!r}; "
            f"known are {', '.join(ACTIVATIONS)}. Make the module with one of these."
        )
    return name


class _LayerParameters(_Parameters):
    @classmethod
    def from_torch(cls, module):
        """From a layer of torch.nn or of lib.modules in any state of training.

        Raises ValueError for the other kind of layer and for an activation that is not known.
        """
        kind = _kind(module)
        if kind is not cls:
            raise ValueError(
                f"{type(module).__name__} does not fit {cls.__name__}; use {kind.__name__}.from_torch."
            )
        return cls(*(field.type.from_torch(_part(module, field.name)) for field in fields(cls)))


@dataclass
class EncoderLayerParameters(_LayerParameters):
    """What an encoder layer learns."""

    attention: MultiHeadParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters


@dataclass
class DecoderLayerParameters(_LayerParameters):
    """What a decoder layer learns."""

    self_attention: MultiHeadParameters
    cross_attention: MultiHeadParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters
    norm_3: NormParameters


def _kind(layer):
    across = hasattr(layer, "cross_attention") or hasattr(layer, "multihead_attn")
    return DecoderLayerParameters if across else EncoderLayerParameters


def stack_from_torch(module):
    """(list of layer parameters, final norm or None) of ``nn.TransformerEncoder``, ``nn.TransformerDecoder`` or ours.

    For an ``nn.Transformer`` ask for its .encoder and its .decoder. Raises ValueError as from_torch of the layers.
    """
    layers = [_kind(layer).from_torch(layer) for layer in module.layers]
    return layers, None if module.norm is None else NormParameters.from_torch(module.norm)


# -- functions: what a layer does -------------------------------------------------------------------------------------


def layer_norm(x, gain=None, bias=None, epsilon=1e-5):
    """Shift and stretch each token to mean 0 and variance 1, then multiply by gain and add bias.

    x (..., d_model); gain and bias (d_model,), 1 and 0 if not given; same shape and dtype as x. The variance divides by
    d_model (not d_model - 1), and epsilon stands inside the root, as in ``nn.LayerNorm``. Raises ValueError for a gain
    or bias of another width. Source: Ba et al. 2016, arXiv:1607.06450, eq. 4.
    """
    x = _floats(x, "x")
    for name, array in (("gain", gain), ("bias", bias)):
        if array is not None and np.shape(array) != x.shape[-1:]:
            raise ValueError(
                f"{name} {np.shape(array)} does not fit x {x.shape}; give it one number for each column of x."
            )
    normed = x - x.mean(-1, keepdims=True)
    variance = np.vecdot(normed, normed)[..., None] / x.shape[-1]  # (..., 1)
    normed /= np.sqrt(variance + epsilon)
    if gain is not None:
        normed *= gain
    if bias is not None:
        normed += bias
    return normed


def _relu(x):
    return np.maximum(x, 0, out=x)


_erf = np.vectorize(math.erf, otypes=[np.float64])


def _gelu(x):
    """x times the share of a normal distribution that lies below x."""
    x *= 0.5 * (1 + _erf(x * 0.5**0.5))
    return x


def _gelu_tanh(x):
    """The approximation that GPT-2 was trained with, there called gelu_new."""
    x *= 0.5 * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x)))
    return x


# Each may write over its input. Source of both GELUs: Hendrycks and Gimpel 2016, arXiv:1606.08415.
ACTIVATIONS = {"relu": _relu, "gelu": _gelu, "gelu_tanh": _gelu_tanh}


def _activation(name):
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise ValueError(f"activation = {name!r}; expected one of {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[name]


def feed_forward(x, parameters):
    """Two linear maps with an activation between them, for each token alone.

    x (..., d_model) -> the same shape; the activation is that of the parameters.
    Raises ValueError for an x of another width. Source: P section 3.3, eq. 2.
    """
    p = parameters
    activate = _activation(p.activation)
    inner = _project(_floats(x, "x"), p.inner, p.inner_bias, "x")  # (..., d_ff)
    return _project(activate(inner), p.outer, p.outer_bias, "inner vectors")


def encoder_layer(x, parameters, heads, mask=None, norm_first=False, cache=None):
    """Every token attends to all tokens, then the feed-forward network works on each; both are added to the token.

    x (..., T, d_model); mask (T, T) or (..., T, T). norm_first: layer norm before each sub-layer instead of after the
    addition. cache: see KeyValueCache. Returns (output (..., T, d_model), weights (..., H, T, T)).
    Raises ValueError as multi_head_attention does. Source: P section 3.1.
    """
    p = parameters
    attend = multi_head_attention if cache is None else cache.attend
    x, weights = _sublayer(
        x, lambda x: attend(x, x, x, p.attention, heads, mask), p.norm_1, norm_first
    )
    x, _ = _sublayer(x, lambda x: (feed_forward(x, p.feed_forward), None), p.norm_2, norm_first)
    return x, weights


def decoder_layer(
    x, memory, parameters, heads, self_mask=None, cross_mask=None, norm_first=False, cache=None
):
    """Every token attends to those up to its place (self_mask), then to the memory; then the feed-forward network.

    x (..., T, d_model); memory (..., S, d_model), the encoder's output; self_mask (T, T) or (..., T, T), in the paper
    causal_mask(T); cross_mask (T, S) or (..., T, S). Options as in encoder_layer.
    Returns (output (..., T, d_model), self_weights (..., H, T, T), cross_weights (..., H, T, S)).
    Raises ValueError as multi_head_attention does. Source: P section 3.1.
    """
    p, m = parameters, memory
    attend = multi_head_attention if cache is None else cache.attend
    attend_across = multi_head_attention if cache is None else cache.attend_across
    x, looked_back = _sublayer(
        x, lambda x: attend(x, x, x, p.self_attention, heads, self_mask), p.norm_1, norm_first
    )
    x, looked_across = _sublayer(
        x,
        lambda x: attend_across(x, m, m, p.cross_attention, heads, cross_mask),
        p.norm_2,
        norm_first,
    )
    x, _ = _sublayer(x, lambda x: (feed_forward(x, p.feed_forward), None), p.norm_3, norm_first)
    return x, looked_back, looked_across


def _sublayer(x, run, norm, norm_first):
    """Add & norm: x plus what ``run`` makes of it, and the weights of ``run``."""
    x = _floats(x, "x")
    change, weights = run(_norm(x, norm) if norm_first else x)
    x = x + change  # the residual connection
    return x if norm_first else _norm(x, norm), weights


def _norm(x, parameters):
    return layer_norm(x, parameters.gain, parameters.bias, parameters.epsilon)


def encoder(x, layers, heads, mask=None, norm_first=False, final_norm=None, caches=None):
    """One encoder layer after another: (output (..., T, d_model), [weights (..., H, T, T) of each layer]).

    layers: a list of EncoderLayerParameters. final_norm: NormParameters, usual with norm_first. Otherwise as
    encoder_layer; with a causal mask this is the stack of a language model. Source: P section 3.1.
    """
    weights = []
    for layer, cache in _with_caches(layers, caches):
        x, looked = encoder_layer(x, layer, heads, mask, norm_first, cache)
        weights.append(looked)
    return x if final_norm is None else _norm(x, final_norm), weights


def decoder(
    x,
    memory,
    layers,
    heads,
    self_mask=None,
    cross_mask=None,
    norm_first=False,
    final_norm=None,
    caches=None,
):
    """One decoder layer after another, all with the same memory: (output, [self_weights], [cross_weights]).

    layers: a list of DecoderLayerParameters. Otherwise as decoder_layer and encoder. Source: P section 3.1.
    """
    self_weights, cross_weights = [], []
    for layer, cache in _with_caches(layers, caches):
        x, looked_back, looked_across = decoder_layer(
            x, memory, layer, heads, self_mask, cross_mask, norm_first, cache
        )
        self_weights.append(looked_back)
        cross_weights.append(looked_across)
    return x if final_norm is None else _norm(x, final_norm), self_weights, cross_weights


def _with_caches(layers, caches):
    caches = [None] * len(layers) if caches is None else caches
    if len(caches) != len(layers):
        raise ValueError(
            f"{len(caches)} caches for {len(layers)} layers; write [KeyValueCache() for _ in layers]."
        )
    return zip(layers, caches, strict=True)


class KeyValueCache:
    """The keys and values of one layer, kept so that a step computes the row of the new token and no old one.

    Write ``caches = [KeyValueCache() for _ in layers]`` and give them to encoder or decoder at every step, with x the
    new tokens alone, x[..., t : t + 1, :], and the mask their rows, mask[..., t : t + 1, : t + 1] (None: they see all
    tokens so far). Right where old rows cannot change: under a causal mask. The memory is read at the first step only.
    """

    def __init__(self):
        self.tokens = self.memory = None  # pairs: keys (..., H, S, d_k), values (..., H, S, d_v)

    def attend(self, queries, keys, values, parameters, heads, mask=None):
        """multi_head_attention to these new keys and all the old ones; a refused step (ValueError) keeps nothing."""
        pair = _keys_and_values(keys, values, parameters, heads)
        if self.tokens is not None:
            pair = [
                np.concatenate(old_and_new, axis=-2)
                for old_and_new in zip(self.tokens, pair, strict=True)
            ]
        result = _attend_to(pair, queries, parameters, heads, mask)
        self.tokens = pair
        return result

    def attend_across(self, queries, keys, values, parameters, heads, mask=None):
        """multi_head_attention to the keys and values of the first call."""
        if self.memory is None:
            self.memory = _keys_and_values(keys, values, parameters, heads)
        return _attend_to(self.memory, queries, parameters, heads, mask)


def _keys_and_values(keys, values, p, heads):
    keys, values = _floats(keys, "keys"), _floats(values, "values")
    _check_rows("keys", keys)
    keys = split_heads(_project(keys, p.key, p.key_bias, "keys"), heads)  # (..., H, S, d_k)
    return keys, split_heads(
        _project(values, p.value, p.value_bias, "values"), heads
    )  # (..., H, S, d_v)


def _attend_to(pair, queries, p, heads, mask):
    q = split_heads(_project(queries, p.query, p.query_bias, "queries"), heads)  # (..., H, T, d_k)
    if mask is not None and 2 < np.ndim(mask) == queries.ndim:
        mask = np.expand_dims(mask, -3)  # the same for every head
    output, weights = scaled_dot_product_attention(q, *pair, mask)
    return _project(merge_heads(output), p.output, p.output_bias, "merged heads"), weights
