"""The Transformer as PyTorch modules to train; each forward reads as its function in lib.layers.

Axes: B batch, H heads, G heads of keys where they are fewer, T queries, S keys. Every mask is
boolean, True = may attend, of shape (T, S), (B, 1, S), (B, T, S) or (B, H, T, S), as a tensor or as
lib.masks makes it; a mask with two axes is always (T, S), so write mask[:, None] for padding of
shape (B, S). Whoever wants to see the weights, or to change them, attaches that from outside:
lib.interventions. Dropout acts where the paper has it: on each sub-layer before it is added, and on
embeddings with positions; inside attention also on the weights, as in torch.nn.
P is Vaswani et al. 2017, arXiv:1706.03762.
"""

from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from lib.masks import causal_mask
from lib.positions import BASE, check_pairs, hands, rotation_angles, sinusoidal_positions
from lib.validation.attention import check_groups, check_heads
from lib.validation.tensors import (
    fitting_mask,
    refuse_counts,
    refuse_share,
    refuse_tokens,
    refuse_vectors,
)


def relu(x):
    """ReLU, written over its input, the largest tensor of a layer: not two of them are held."""
    return F.relu(x, inplace=True)


def gelu_tanh(x):
    """GELU by the formula with tanh, as in GPT-2. Hendrycks and Gimpel 2016, arXiv:1606.08415."""
    return F.gelu(x, approximate="tanh")


ACTIVATIONS = {"relu": relu, "gelu": F.gelu, "gelu_tanh": gelu_tanh, "silu": F.silu}


class Dropout(nn.Dropout):
    """PyTorch's own, with a sentence for what is no share."""

    def __init__(self, dropout):
        refuse_share(dropout=dropout)
        super().__init__(dropout)


# -- attention ------------------------------------------------------------------------------------


class Weights(nn.Identity):
    """The place in an attention module that its weights (B, H, T, S) go through, unchanged.

    lib.interventions looks at the weights here, and changes them, by PyTorch's forward hooks:
    functions that are called with what a place was given. A module of your own is seen as well if
    it has such a place.
    """

    @property
    def wanted(self):
        """Whether anybody looks at the weights or changes them."""
        return len(self._forward_hooks) > 0


def _as_it_is(x, start):
    return x


def rotary(x, start=0, base=BASE, pairs="neighbours"):
    """lib.positions.rotary of a tensor x (..., T, d_k) whose tokens stand at start, start + 1, ...

    Raises ValueError as it does, for the width and the settings.
    """
    check_pairs(pairs)
    places = np.arange(start, start + x.shape[-2])
    angles = torch.from_numpy(rotation_angles(places, x.shape[-1], "d_k", base))  # (T, d_k / 2)
    cosines, sines = (table.to(x.device, x.dtype) for table in (angles.cos(), angles.sin()))
    one, other = hands(x, pairs)  # (..., T, d_k / 2) each
    turned = [one * cosines - other * sines, other * cosines + one * sines]
    if pairs == "neighbours":
        return torch.stack(turned, -1).flatten(-2)
    return torch.cat(turned, -1)


class MultiHeadAttention(nn.Module):
    """Project, split into heads, attend in each head, merge, project once more. P section 3.2.2.

    d_model: width of the tokens; heads must divide it (ValueError). dropout: share of weights set
    to 0 in training. key_heads: G, how many heads keys and values have, as in
    lib.attention.grouped_attention; it must divide heads (ValueError), and is heads if not given.
    ``scale`` is what the scores are multiplied by, 1/sqrt(d_k) unless set. ``turn(x, start)``
    turns queries and keys (B, heads, tokens, d_k) by their places from ``start`` on; nothing does
    unless set, to ``rotary`` for example. The queries are the last T of the S places.
    ``weights`` is where the weights can be seen, before dropout; while nobody wants them they are
    never written down, which is quicker.
    """

    def __init__(self, d_model, heads, dropout=0.0, bias=True, key_heads=None):
        super().__init__()
        key_heads = heads if key_heads is None else key_heads
        refuse_counts(d_model=d_model, heads=heads, key_heads=key_heads)
        check_heads(heads, d_model)
        check_groups(heads, key_heads)
        self.heads = int(heads)
        self.key_heads = int(key_heads)
        self.scale = (d_model // heads) ** -0.5
        self.turn = _as_it_is
        self.query = nn.Linear(d_model, d_model, bias)
        self.key = nn.Linear(d_model, d_model // heads * self.key_heads, bias)
        self.value = nn.Linear(d_model, d_model // heads * self.key_heads, bias)
        self.output = nn.Linear(d_model, d_model, bias)
        self.weights = Weights()
        self.dropout = Dropout(dropout)

    def forward(self, queries, keys, values, mask=None):
        """queries (B, T, d_model), keys and values (B, S, d_model) -> (B, T, d_model).

        A query that may attend to nothing gets zeros from every head. Raises ValueError for vectors
        that do not fit and for masks that are not boolean.
        """
        refuse_tokens(queries, keys, values, self.query.weight)
        q = self._split(self.query(queries), self.heads)  # (B, H, T, d_k)
        k = self._split(self.key(keys), self.key_heads)  # (B, G, S, d_k)
        v = self._split(self.value(values), self.key_heads)  # (B, G, S, d_k)
        q = self.turn(q, k.shape[-2] - q.shape[-2])  # with a key-value cache T is less than S
        k = self.turn(k, 0)
        if mask is not None:
            mask = fitting_mask(mask, (*q.shape[:-1], k.shape[-2]), q.device)
        if self.weights.wanted:
            heads = self._attend_in_view(q, k, v, mask)  # (B, H, T, d_k)
        else:
            heads = self._attend_quickly(q, k, v, mask)  # (B, H, T, d_k)
        return self.output(self._merge(heads))

    def _split(self, x, heads):
        by_head = x.view(*x.shape[:2], heads, -1)  # (B, T, H, d_k)
        return by_head.transpose(1, 2)  # (B, H, T, d_k)

    def _merge(self, heads):
        return heads.transpose(1, 2).flatten(2)  # (B, H, T, d_k) -> (B, T, d_model)

    def _attend_quickly(self, q, k, v, mask):
        dropout = self.dropout.p if self.training else 0.0
        shared = self.key_heads < self.heads
        return F.scaled_dot_product_attention(
            q, k, v, mask, dropout, scale=self.scale, enable_gqa=shared
        )

    def _attend_in_view(self, q, k, v, mask):
        """What F.scaled_dot_product_attention does, step by step."""
        if self.key_heads < self.heads:
            k, v = (x.repeat_interleave(self.heads // self.key_heads, 1) for x in (k, v))
        scores = (q * self.scale) @ k.mT  # (B, H, T, S)
        if mask is not None:  # a row of -inf would be NaN; the lowest number gives equal shares
            scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, -1)  # (B, H, T, S)
        del scores  # as large as the weights
        if mask is not None and not mask.any(-1).all():
            weights = weights * mask  # zeros for a query that may attend to nothing
        return self.dropout(self.weights(weights)) @ v


# -- layers ---------------------------------------------------------------------------------------


class LayerNorm(nn.LayerNorm):
    """PyTorch's own, with a sentence for vectors that do not fit."""

    def forward(self, x):
        """x (..., d_model) -> the same shape. Raises ValueError for another width or dtype."""
        refuse_vectors("x", x, self.weight)
        return super().forward(x)


class RMSNorm(nn.RMSNorm):
    """PyTorch's own, with the epsilon of lib.layers.rms_norm and a sentence for other vectors."""

    def __init__(self, d_model, epsilon=1e-5):
        refuse_counts(d_model=d_model)
        super().__init__(d_model, epsilon)

    def forward(self, x):
        """x (..., d_model) -> the same shape. Raises ValueError for another width or dtype."""
        refuse_vectors("x", x, self.weight)
        return super().forward(x)


class FeedForward(nn.Module):
    """Two linear maps with an activation between them, for each token alone. P section 3.3.

    activation: one of ACTIVATIONS; ValueError for another one.
    """

    def __init__(self, d_model, d_ff, activation="relu"):
        super().__init__()
        refuse_counts(d_model=d_model, d_ff=d_ff)
        if activation not in list(ACTIVATIONS):
            names = ", ".join(ACTIVATIONS)
            raise ValueError(f"activation = {activation!r}; expected one of {names}.")
        self.inner = nn.Linear(d_model, d_ff)
        self.outer = nn.Linear(d_ff, d_model)
        self.activation = ACTIVATIONS[activation]

    def forward(self, x):
        """x (..., d_model) -> the same shape. Raises ValueError for another width or dtype."""
        refuse_vectors("x", x, self.inner.weight)
        return self.outer(self.activation(self.inner(x)))


class SwiGLU(nn.Module):
    """A feed-forward network with a gate. Shazeer 2020, arXiv:2002.05202; lib.layers.swiglu."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        refuse_counts(d_model=d_model, d_ff=d_ff)
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        """x (..., d_model) -> the same shape. Raises ValueError for another width or dtype."""
        refuse_vectors("x", x, self.gate.weight)
        return self.down(F.silu(self.gate(x)) * self.up(x))


class EncoderLayer(nn.Module):
    """Every token attends to all tokens, then the feed-forward network works on each.

    P section 3.1. norm_first: what goes into both is normed; the paper norms the sums instead.
    activation: as in FeedForward; epsilon: that of the layer norms.
    """

    def __init__(
        self, d_model, heads, d_ff, dropout=0.1, norm_first=False, activation="relu", epsilon=1e-5
    ):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.attention = MultiHeadAttention(d_model, heads, dropout)
        self.norm_1 = LayerNorm(d_model, epsilon)
        self.norm_2 = LayerNorm(d_model, epsilon)
        self.dropout = Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        """x (B, T, d_model) -> the same shape. The lines are those of lib.layers.encoder_layer."""
        if self.norm_first:
            normed = self.norm_1(x)
            attended = self.attention(normed, normed, normed, mask)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_2(x)))
        else:
            attended = self.attention(x, x, x, mask)
            x = self.norm_1(x + self.dropout(attended))
            x = self.norm_2(x + self.dropout(self.feed_forward(x)))
        return x


class DecoderLayer(nn.Module):
    """Every token attends to those before it (self_mask), then to the memory; then feed-forward.

    Options as in EncoderLayer. P section 3.1.
    """

    def __init__(
        self, d_model, heads, d_ff, dropout=0.1, norm_first=False, activation="relu", epsilon=1e-5
    ):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.self_attention = MultiHeadAttention(d_model, heads, dropout)
        self.cross_attention = MultiHeadAttention(d_model, heads, dropout)
        self.norm_1 = LayerNorm(d_model, epsilon)
        self.norm_2 = LayerNorm(d_model, epsilon)
        self.norm_3 = LayerNorm(d_model, epsilon)
        self.dropout = Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, self_mask=None, cross_mask=None):
        """x (B, T, d_model), memory (B, S, d_model) -> (B, T, d_model).

        The lines are those of lib.layers.decoder_layer.
        """
        if self.norm_first:
            normed = self.norm_1(x)
            attended = self.self_attention(normed, normed, normed, self_mask)
            x = x + self.dropout(attended)
            normed = self.norm_2(x)
            attended = self.cross_attention(normed, memory, memory, cross_mask)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_3(x)))
        else:
            attended = self.self_attention(x, x, x, self_mask)
            x = self.norm_1(x + self.dropout(attended))
            attended = self.cross_attention(x, memory, memory, cross_mask)
            x = self.norm_2(x + self.dropout(attended))
            x = self.norm_3(x + self.dropout(self.feed_forward(x)))
        return x


class LlamaLayer(nn.Module):
    """A layer of today: RMS norm first, rotary places, grouped queries, a gate; no biases.

    base, pairs: as in lib.positions.rotary. key_heads: as in MultiHeadAttention.
    Touvron et al. 2023, arXiv:2302.13971; grouped queries since arXiv:2307.09288.
    """

    def __init__(
        self, d_model, heads, d_ff, key_heads=None, base=BASE, pairs="neighbours", epsilon=1e-5
    ):
        super().__init__()
        check_pairs(pairs)
        self.norm_1 = RMSNorm(d_model, epsilon)
        self.norm_2 = RMSNorm(d_model, epsilon)
        self.attention = MultiHeadAttention(d_model, heads, bias=False, key_heads=key_heads)
        self.attention.turn = partial(rotary, base=base, pairs=pairs)
        self.feed_forward = SwiGLU(d_model, d_ff)

    def forward(self, x, mask=None):
        """x (B, T, d_model) -> the same shape. The lines are those of lib.llama.llama_layer."""
        normed = self.norm_1(x)
        x = x + self.attention(normed, normed, normed, mask)
        return x + self.feed_forward(self.norm_2(x))


# -- stacks ---------------------------------------------------------------------------------------


class _Stack(nn.Module):
    """heads: a number for all layers, or one for each.

    norm_first: layer norm before each sub-layer. Other options as in EncoderLayer.
    """

    def __init__(self, d_model, heads, layers, d_ff, dropout=0.1, norm_first=False, **options):
        super().__init__()
        refuse_counts(layers=layers)
        heads = [heads] * layers if np.ndim(heads) == 0 else list(heads)
        if len(heads) != layers:
            raise ValueError(
                f"heads = {heads} for {layers} layers; expected one number, or one for each layer."
            )
        self.layers = nn.ModuleList(
            self.layer(d_model, H, d_ff, dropout, norm_first, **options) for H in heads
        )
        self.norm = None
        if norm_first:  # nothing else norms the last sum
            self.norm = LayerNorm(d_model, options.get("epsilon", 1e-5))


class Encoder(_Stack):
    """One encoder layer after another; with norm_first a layer norm at the end."""

    layer = EncoderLayer

    def forward(self, x, mask=None):
        """x (B, T, d_model) -> the same shape."""
        for layer in self.layers:
            x = layer(x, mask)
        return x if self.norm is None else self.norm(x)


class Decoder(_Stack):
    """One decoder layer after another, all with the same memory; otherwise as Encoder."""

    layer = DecoderLayer

    def forward(self, x, memory, self_mask=None, cross_mask=None):
        """x (B, T, d_model), memory (B, S, d_model) -> (B, T, d_model)."""
        for layer in self.layers:
            x = layer(x, memory, self_mask, cross_mask)
        return x if self.norm is None else self.norm(x)


# -- whole models ---------------------------------------------------------------------------------


class Embedding(nn.Module):
    """Token embeddings times ``scale``, plus positions; then dropout. P sections 3.4, 3.5, 5.4.

    positions: "sinusoidal", computed and not saved, or "learned". scale: unless given,
    sqrt(d_model).
    """

    def __init__(self, size, d_model, dropout=0.1, longest=512, positions="sinusoidal", scale=None):
        super().__init__()
        refuse_counts(size=size, d_model=d_model, longest=longest)
        self.scale = d_model**0.5 if scale is None else scale
        self.tokens = nn.Embedding(size, d_model)
        nn.init.normal_(self.tokens.weight, std=d_model**-0.5)  # times scale as large as positions
        if positions == "sinusoidal":
            table = sinusoidal_positions(longest, d_model)
            table = torch.as_tensor(table, dtype=self.tokens.weight.dtype)
            self.register_buffer("positions", table, persistent=False)  # (longest, d_model)
        elif positions == "learned":
            self.positions = nn.Parameter(d_model**-0.5 * torch.randn(longest, d_model))
        else:
            raise ValueError(f"positions = {positions!r}; expected 'sinusoidal' or 'learned'.")
        self.dropout = Dropout(dropout)

    def forward(self, tokens, start=0):
        """tokens (B, T), whole numbers below size -> (B, T, d_model).

        The first of them stands at position ``start``. Raises ValueError for other tokens and for
        start + T > longest.
        """
        refuse_counts(least=0, start=start)
        shape = tuple(tokens.shape)
        longest = len(self.positions)
        if len(shape) != 2 or not 1 <= shape[1] <= longest - start:
            after = f" after {start} others" if start else ""
            raise ValueError(
                f"tokens {shape}{after}; expected (B, T) with T <= {longest - start} and at least "
                f"one token, or a model made with longest={start + shape[-1]}."
            )
        positions = self.positions[start : start + shape[1]]  # (T, d_model)
        return self.dropout(self._vectors(tokens) * self.scale + positions)

    def _vectors(self, tokens):
        """(B, T, d_model)"""
        if tokens.dtype not in (torch.int32, torch.int64):
            raise ValueError(f"tokens are {tokens.dtype}; expected whole numbers: tokens.long().")
        try:
            return self.tokens(tokens)
        except IndexError:
            raise ValueError(
                f"tokens from {tokens.min()} to {tokens.max()}; expected whole numbers from 0 to "
                f"{self.tokens.num_embeddings - 1}, or a model made for more words."
            ) from None


class Transformer(nn.Module):
    """Encoder and decoder over tokens. P figure 1; the embeddings and the last matrix differ.

    source_size, target_size: how many words each vocabulary has. heads: of every layer;
    encoder_heads: of the encoder's, one number for each layer, if they are to differ. longest: the
    most tokens of a sequence. gloss_size: if given, ``gloss`` is a linear map from the encoder's
    memory to that many words, one for each position. options: those of EncoderLayer. ``self_mask``
    is a function of T, the mask of the decoder's self-attention: causal_mask unless set.
    """

    def __init__(
        self, source_size, target_size, d_model, heads, encoder_layers, decoder_layers, d_ff,
        dropout=0.1, norm_first=True, longest=512, encoder_heads=None, gloss_size=None, **options,
    ):  # fmt: skip
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first, **options}
        if encoder_heads is None:
            encoder_heads = heads
        self.source = Embedding(source_size, d_model, dropout, longest)
        self.target = Embedding(target_size, d_model, dropout, longest)
        self.encoder = Encoder(d_model, encoder_heads, encoder_layers, d_ff, **options)
        self.decoder = Decoder(d_model, heads, decoder_layers, d_ff, **options)
        self.output = nn.Linear(d_model, target_size)
        self.gloss = None
        if gloss_size is not None:
            refuse_counts(gloss_size=gloss_size)
            self.gloss = nn.Linear(d_model, gloss_size)
        self.self_mask = causal_mask

    def forward(self, source, target, source_mask=None):
        """source (B, S), target (B, T) -> logits (B, T, target_size) of the word after each.

        source_mask: the source's padding_mask. The target's needs none: no word looks at the
        padding behind it.
        """
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def encode(self, source, source_mask=None):
        """source (B, S) -> memory (B, S, d_model)."""
        return self.encoder(self.source(source), source_mask)

    def decode(self, target, memory, source_mask=None):
        """target (B, T), memory (B, S, d_model) -> logits (B, T, target_size)."""
        x = self.target(target)  # (B, T, d_model)
        self_mask = self.self_mask(target.shape[1])  # (T, T)
        return self.output(self.decoder(x, memory, self_mask, source_mask))


class LanguageModel(nn.Module):
    """A decoder alone: encoder layers with a causal mask; each word is predicted from those before.

    positions, scale: as in Embedding. tied: the last matrix is that of the embedding, without a
    bias (P section 3.4). options: those of EncoderLayer.
    """

    def __init__(
        self, size, d_model, heads, layers, d_ff, dropout=0.1, norm_first=True, longest=512,
        positions="sinusoidal", scale=None, tied=False, **options,
    ):  # fmt: skip
        super().__init__()
        self.tokens = Embedding(size, d_model, dropout, longest, positions, scale)
        self.decoder = Encoder(d_model, heads, layers, d_ff, dropout, norm_first, **options)
        self.output = nn.Linear(d_model, size, bias=not tied)
        if tied:
            self.output.weight = self.tokens.tokens.weight

    def forward(self, tokens, start=0):
        """tokens (B, T) -> logits (B, T, size) of the word after each.

        start: how many earlier tokens a key-value cache holds (lib.decoding.CachedModel).
        """
        x = self.tokens(tokens, start)  # (B, T, d_model)
        T = tokens.shape[1]
        return self.output(self.decoder(x, causal_mask(T, start + T)))
