"""Norms, feed-forward, encoder and decoder layers and their stacks in NumPy (pages 7 to 9).

Axes: B batch, H heads, T queries, S keys; vectors are rows. Masks are boolean, True = may attend,
of any shape that multi_head_attention takes. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

from dataclasses import dataclass, fields

import numpy as np

from lib.activations import activation
from lib.attention import (
    MultiHeadParameters,
    multi_head_attention,
    project,
)
from lib.cache import all_or_nothing
from lib.parameters import Parameters, activation_of, array_of, part_of
from lib.validation.arrays import check_outcome, rows, widened
from lib.validation.layers import (
    check_variance,
    checked_feed_forward,
    checked_swiglu,
    one_for_each_column,
    vectors,
)

# -- parameters: what a layer has learned ------------------------------------------------------


@dataclass
class NormParameters(Parameters):
    """gain and bias (d_model,) of a layer norm, and its epsilon."""

    gain: np.ndarray | None = None
    bias: np.ndarray | None = None
    epsilon: float = 1e-5

    @classmethod
    def from_torch(cls, module):
        """From an ``nn.LayerNorm``. Raises ValueError for another module."""
        if not all(hasattr(module, name) for name in ("normalized_shape", "bias", "eps")):
            raise ValueError(f"{type(module).__name__} is no layer norm; expected an nn.LayerNorm.")
        return cls(array_of(module.weight), array_of(module.bias), module.eps)


@dataclass
class FeedForwardParameters(Parameters):
    """inner (d_model, d_ff) and outer (d_ff, d_model), for row vectors (x @ inner), with biases.

    A bias may be None. activation: what stands between the two maps, one of ACTIVATIONS ("relu" in
    the paper, "gelu" in BERT, "gelu_tanh" in GPT-2, "silu" with one matrix more in SwiGLU);
    ValueError for another one.
    """

    inner: np.ndarray
    inner_bias: np.ndarray | None
    outer: np.ndarray
    outer_bias: np.ndarray | None
    activation: str = "relu"

    def __post_init__(self):
        activation(self.activation)  # refuses an unknown one

    @classmethod
    def from_torch(cls, module):
        """From our FeedForward or a layer of torch.nn, with its activation as activation_of it."""
        maps = part_of(module, "feed_forward")
        inner, outer = part_of(maps, "inner"), part_of(maps, "outer")
        tensors = [inner.weight.T, inner.bias, outer.weight.T, outer.bias]
        return cls(*[array_of(tensor) for tensor in tensors], activation_of(module))


@dataclass
class SwiGLUParameters(Parameters):
    """gate and up (d_model, d_ff), down (d_ff, d_model), for row vectors (x @ gate), no biases."""

    gate: np.ndarray
    up: np.ndarray
    down: np.ndarray

    @classmethod
    def from_torch(cls, module):
        """From a lib.modules.SwiGLU. Raises ValueError for a module without its three maps."""
        names = [field.name for field in fields(cls)]
        if not all(hasattr(module, name) for name in names):
            raise ValueError(
                f"{type(module).__name__} has no {', '.join(names)}; expected a lib.modules.SwiGLU."
            )
        return cls(*[array_of(getattr(module, name).weight.T) for name in names])


class _LayerParameters(Parameters):
    @classmethod
    def from_torch(cls, module):
        """From a layer of torch.nn or of lib.modules in any state of training.

        In eval mode without gradients nn.TransformerEncoderLayer takes a fast path, which computes
        the exact GELU for nn.GELU("tanh") too, since it asks for the class alone: up to 1e-3 from
        ours. torch.backends.mha.set_fastpath_enabled(False) ends that, as does a function that
        calls F.gelu(x, approximate="tanh").
        Raises ValueError for another module and for an activation that is not known.
        """
        kind = _kind(module)
        if kind is not cls:
            raise ValueError(
                f"{type(module).__name__} does not fit {cls.__name__}; "
                f"use {kind.__name__}.from_torch."
            )
        parts = [field.type.from_torch(part_of(module, field.name)) for field in fields(cls)]
        return cls(*parts)


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
    """(list of layer parameters, final norm or None) of a stack of torch.nn or of ours.

    For a whole Transformer ask for its .encoder and its .decoder. Raises ValueError for another
    module, and as from_torch of the layers.
    """
    if not (hasattr(module, "layers") and hasattr(module, "norm")):
        raise ValueError(
            f"{type(module).__name__} is no stack of layers; expected an encoder or a decoder. "
            "Of a whole Transformer take module.encoder or module.decoder."
        )
    layers = [_kind(layer).from_torch(layer) for layer in module.layers]
    final_norm = None if module.norm is None else NormParameters.from_torch(module.norm)
    return layers, final_norm


# -- functions: what a layer does --------------------------------------------------------------


def layer_norm(x, gain=None, bias=None, epsilon=1e-5):
    """Shift and stretch each token to mean 0 and variance 1, then multiply by gain and add bias.

    x (..., d_model); gain and bias (d_model,), 1 and 0 if not given; same shape and dtype as x. The
    variance divides by d_model (not d_model - 1), and epsilon stands inside the root, as in
    ``nn.LayerNorm``. Raises ValueError for a gain or bias of another width, for an epsilon that is
    not a finite number above 0 (0 is taken where no token's numbers are all alike), and for numbers
    that are not finite or whose squares are not. Source: Ba et al. 2016, arXiv:1607.06450, eq. 3,
    which has no epsilon.
    """
    x = vectors(x)
    gain = one_for_each_column(gain, "gain", x)
    bias = one_for_each_column(bias, "bias", x)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        normed = widened(x) - widened(x).mean(-1, keepdims=True)
        variance = np.vecdot(normed, normed)[..., None] / x.shape[-1]  # (..., 1)
    check_variance(variance, epsilon)
    normed /= np.sqrt(variance + float(epsilon))
    if gain is not None:
        normed *= gain
    if bias is not None:
        normed += bias
    return normed.astype(x.dtype, copy=False)


def rms_norm(x, gain=None, epsilon=1e-5):
    """Stretch each token to a mean square of 1, then multiply by gain: layer norm without the mean.

    x (..., d_model); gain (d_model,), 1 if not given; same shape and dtype as x. No mean is taken
    away and no bias added: only the length is set. epsilon stands inside the root, as in
    ``nn.RMSNorm``. Raises ValueError as layer_norm; an epsilon of 0 is taken where no token is all
    zeros. Source: Zhang and Sennrich 2019, arXiv:1910.07467, eq. 4, which has no epsilon.
    """
    x = vectors(x)
    gain = one_for_each_column(gain, "gain", x)
    wide = widened(x)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        mean_square = np.vecdot(wide, wide)[..., None] / x.shape[-1]  # (..., 1)
    check_variance(mean_square, epsilon, "zero")
    normed = wide / np.sqrt(mean_square + float(epsilon))
    if gain is not None:
        normed *= gain
    return normed.astype(x.dtype, copy=False)


def feed_forward(x, parameters):
    """Two linear maps with an activation between them, for each token alone.

    x (..., d_model) -> the same shape; the activation is that of the parameters.
    Raises ValueError for an x of another width, and where NaN or inf would come out.
    Source: P section 3.3, eq. 2.
    """
    p = parameters
    activate = activation(p.activation)
    x = checked_feed_forward(x, p)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        inner = activate(project(x, p.inner, p.inner_bias))  # (..., d_ff)
        output = project(inner, p.outer, p.outer_bias)
    check_outcome(output, "x")
    return output


def swiglu(x, parameters):
    """A feed-forward network with a gate: what goes up is multiplied by SiLU of the gate.

    x (..., d_model) -> the same shape, for each token alone. Raises ValueError for an x of another
    width, and where NaN or inf would come out.
    Source: Shazeer 2020, arXiv:2002.05202, section 2, FFN_SwiGLU.
    """
    p = parameters
    x = checked_swiglu(x, p)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below, in a sentence
        inner = activation("silu")(project(x, p.gate))  # (..., d_ff)
        inner *= project(x, p.up)  # (..., d_ff)
        output = project(inner, p.down)
    check_outcome(output, "x")
    return output


def encoder_layer(x, parameters, heads, mask=None, norm_first=False, cache=None):
    """Every token attends to all tokens, then the feed-forward network works on each.

    Both are added to the token, and the sum is normed. norm_first: what goes into both is normed
    instead, and the sums are not. x (..., T, d_model); mask (T, T) or (..., T, T).
    cache: see lib.cache. Returns (output (..., T, d_model), weights (..., H, T, T)).
    Raises ValueError as multi_head_attention does. Source: P section 3.1.
    """
    x, p = rows(x, "x"), parameters
    attend = multi_head_attention if cache is None else cache.attend
    if norm_first:
        normed = _norm(x, p.norm_1)
        attended, weights = attend(normed, normed, normed, p.attention, heads, mask)
        x = x + attended
        x = x + feed_forward(_norm(x, p.norm_2), p.feed_forward)
    else:
        attended, weights = attend(x, x, x, p.attention, heads, mask)
        x = _norm(x + attended, p.norm_1)
        x = _norm(x + feed_forward(x, p.feed_forward), p.norm_2)
    return x, weights


def decoder_layer(
    x, memory, parameters, heads, self_mask=None, cross_mask=None, norm_first=False, cache=None
):
    """Every token attends to those up to its place, then to the memory; then feed-forward.

    x (..., T, d_model); memory (..., S, d_model), the encoder's output; self_mask (T, T) or
    (..., T, T), in the paper causal_mask(T); cross_mask (T, S) or (..., T, S). Options as in
    encoder_layer. Returns (output (..., T, d_model), self_weights (..., H, T, T), cross_weights
    (..., H, T, S)). Raises ValueError as multi_head_attention does. Source: P section 3.1.
    """
    x, p = rows(x, "x"), parameters
    attend = multi_head_attention if cache is None else cache.attend
    attend_across = multi_head_attention if cache is None else cache.attend_across
    if norm_first:
        normed = _norm(x, p.norm_1)
        attended, back = attend(normed, normed, normed, p.self_attention, heads, self_mask)
        x = x + attended
        normed = _norm(x, p.norm_2)
        attended, across = attend_across(
            normed, memory, memory, p.cross_attention, heads, cross_mask
        )
        x = x + attended
        x = x + feed_forward(_norm(x, p.norm_3), p.feed_forward)
    else:
        attended, back = attend(x, x, x, p.self_attention, heads, self_mask)
        x = _norm(x + attended, p.norm_1)
        attended, across = attend_across(x, memory, memory, p.cross_attention, heads, cross_mask)
        x = _norm(x + attended, p.norm_2)
        x = _norm(x + feed_forward(x, p.feed_forward), p.norm_3)
    return x, back, across


def _norm(x, parameters):
    return layer_norm(x, parameters.gain, parameters.bias, parameters.epsilon)


def encoder(x, layers, heads, mask=None, norm_first=False, final_norm=None, caches=None):
    """One encoder layer after another: (output, [weights (..., H, T, T) of each layer]).

    layers: a list of EncoderLayerParameters. final_norm: NormParameters, usual with norm_first.
    Otherwise as encoder_layer; with a causal mask this is the stack of a language model.
    Source: P section 3.1.
    """
    weights = []
    with all_or_nothing(layers, caches) as pairs:
        for layer, cache in pairs:
            x, looked = encoder_layer(x, layer, heads, mask, norm_first, cache)
            weights.append(looked)
        return x if final_norm is None else _norm(x, final_norm), weights


def decoder(
    x, memory, layers, heads, self_mask=None, cross_mask=None,
    norm_first=False, final_norm=None, caches=None,
):  # fmt: skip
    """One decoder layer after another, all with the same memory.

    Returns (output, [self_weights], [cross_weights]). layers: a list of DecoderLayerParameters.
    Otherwise as decoder_layer and encoder. Source: P section 3.1.
    """
    self_weights, cross_weights = [], []
    with all_or_nothing(layers, caches) as pairs:
        for layer, cache in pairs:
            x, back, across = decoder_layer(
                x, memory, layer, heads, self_mask, cross_mask, norm_first, cache
            )
            self_weights.append(back)
            cross_weights.append(across)
        output = x if final_norm is None else _norm(x, final_norm)
    return output, self_weights, cross_weights
