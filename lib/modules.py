"""The Transformer as PyTorch modules to train; each forward reads like the function of lib.attention or lib.layers.

Axes: B batch, H heads, T queries, S keys. Every mask is boolean, True = may attend, of shape (T, S), (B, 1, S),
(B, T, S) or (B, H, T, S), as a tensor or as lib.masks makes it. Weights are returned, never kept, and are those before
dropout: their rows add up to 1 in training too. Without need_weights they are None and never written down, which is
quicker. Dropout acts where the paper has it: on each sub-layer before it is added, and on embeddings with positions;
inside attention also on the weights, as in torch.nn. ``changes`` are Cuts and Swaps of lib.interventions. P is
Vaswani et al. 2017, arXiv:1706.03762.
"""

import torch
from torch import nn
from torch.nn import functional as F

from lib.attention import _hidden, split_heads
from lib.interventions import selected
from lib.layers import _TORCH_NAMES
from lib.masks import causal_mask
from lib.positions import sinusoidal_positions


class MultiHeadAttention(nn.Module):
    """Project, split into heads, attend in each head, merge, project once more. Source: P section 3.2.2.

    d_model: width of the tokens; heads must divide it (ValueError). dropout: share of weights set to 0 in training.
    ``scale`` is what the scores are multiplied by, 1/sqrt(d_k) unless set.
    """

    def __init__(self, d_model, heads, dropout=0.0, bias=True):
        super().__init__()
        split_heads(torch.empty(1, d_model), heads)  # refuses heads that do not divide d_model
        self.heads, self.scale = heads, (d_model // heads) ** -0.5
        self.query, self.key, self.value, self.output = (
            nn.Linear(d_model, d_model, bias) for _ in range(4)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, mask=None, need_weights=False, change=None, kept=None):
        """queries (B, T, d_model), keys and values (B, S, d_model) -> (output (B, T, d_model), weights (B, H, T, S)).

        A query that may attend to nothing gets zeros from every head. change: a function of the weights that gives
        those to use instead; kept: Kept keys and values of earlier tokens, put before these. Raises ValueError for
        shapes that do not fit and for masks that are not boolean.
        """
        _check_tokens(queries, keys, values, self.query.in_features)
        q = self._split(self.query(queries))  # (B, H, T, d_k)
        k = self._split(self.key(keys))  # (B, H, S, d_k)
        v = self._split(self.value(values))  # (B, H, S, d_k)
        if kept is not None:
            k, v = kept.extend(k, v)
        if mask is not None:
            mask = _fitting(mask, (*q.shape[:-1], k.shape[-2]), q.device)
        if need_weights or change:
            output, weights = self._attend(q, k, v, mask, change)  # (B, H, T, d_k), (B, H, T, S)
        else:
            dropout = self.dropout.p if self.training else 0.0
            output, weights = (
                F.scaled_dot_product_attention(q, k, v, mask, dropout, scale=self.scale),
                None,
            )
        return self.output(output.transpose(1, 2).flatten(2)), weights

    def _split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(
            1, 2
        )  # (B, T, d_model) -> (B, H, T, d_k)

    def _attend(self, q, k, v, mask, change):
        """What F.scaled_dot_product_attention does, and the weights."""
        scores = (q * self.scale) @ k.mT  # (B, H, T, S)
        if mask is None:
            weights = torch.softmax(scores, -1)
        else:  # a row of -inf would be NaN; the lowest number gives equal shares instead, and then zeros
            lowest = torch.finfo(scores.dtype).min
            weights = torch.softmax(scores.masked_fill(~mask, lowest), -1).masked_fill(~mask, 0)
        if change:
            weights = change(weights)
        return self.dropout(weights) @ v, weights


class Kept:
    """The key-value cache of one layer: what earlier tokens made, so that it need not be made again."""

    def __init__(self):
        self.k = self.v = None  # (B, H, S, d_k) each, from the first tokens on

    @property
    def length(self):
        """S, the number of tokens kept."""
        return 0 if self.k is None else self.k.shape[-2]

    def extend(self, k, v):
        """Put the new keys and values after the kept ones; all of them."""
        if self.k is not None:
            k, v = torch.cat([self.k, k], -2), torch.cat([self.v, v], -2)
        self.k, self.v = k, v
        return k, v


def _check_tokens(queries, keys, values, d_model):
    shapes = [tuple(x.shape) for x in (queries, keys, values)]
    alike = all(
        len(shape) == 3 and shape[0] == shapes[0][0] and shape[2] == d_model for shape in shapes
    )
    if not alike or shapes[1] != shapes[2] or 0 in shapes[0] + shapes[1]:
        raise ValueError(
            f"queries {shapes[0]}, keys {shapes[1]} and values {shapes[2]} do not fit; expected (B, T, {d_model}), "
            f"(B, S, {d_model}) and (B, S, {d_model}) with the same B and at least one token."
        )


def _fitting(mask, shape, device):
    """``mask`` as a tensor that can be broadcast to the shape (B, H, T, S) of the scores."""
    mask = torch.as_tensor(mask, device=device)
    if mask.ndim == 3:
        mask = mask[:, None]  # the same for every head
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    if (
        mask.dtype != torch.bool
        or mask.ndim > 4
        or any(size not in (1, wanted) for size, wanted in sizes)
    ):
        _hidden(mask.cpu().numpy(), shape)  # raises, as lib.attention does
    return mask


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them, for each token alone: widths d_model, d_ff, d_model. P section 3.3."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.inner, self.outer = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        """x (..., d_model) -> the same shape."""
        return self.outer(F.relu(self.inner(x)))


class _Layer(nn.Module):
    def __init__(self, d_model, d_ff, dropout, norm_first):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)
        self.norm_first, self.residual = norm_first, True

    def _sublayer(self, x, run, norm):
        """Add & norm: x plus what ``run`` makes of it, and the weights of ``run``."""
        change, weights = run(norm(x) if self.norm_first else x)
        x = x + self.dropout(change) if self.residual else self.dropout(change)
        return x if self.norm_first else norm(x), weights


class EncoderLayer(_Layer):
    """Every token looks at all tokens, then thinks about what it saw; both are added to what it was. P section 3.1.

    norm_first: layer norm before each sub-layer instead of after the addition.
    """

    def __init__(self, d_model, heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, d_ff, dropout, norm_first)
        self.attention = MultiHeadAttention(d_model, heads, dropout)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None, need_weights=False, change=None, kept=None):
        """x (B, T, d_model) -> (output (B, T, d_model), weights (B, H, T, T) or None)."""
        look = self.attention
        x, weights = self._sublayer(
            x, lambda x: look(x, x, x, mask, need_weights, change, kept), self.norm_1
        )
        x, _ = self._sublayer(x, lambda x: (self.feed_forward(x), None), self.norm_2)
        return x, weights


class DecoderLayer(_Layer):
    """Every token looks at those before it (self_mask), then at the encoder's memory, then thinks. P section 3.1."""

    def __init__(self, d_model, heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, d_ff, dropout, norm_first)
        self.self_attention = MultiHeadAttention(d_model, heads, dropout)
        self.cross_attention = MultiHeadAttention(d_model, heads, dropout)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def forward(
        self, x, memory, self_mask=None, cross_mask=None, need_weights=False, changes=(None, None)
    ):
        """x (B, T, d_model), memory (B, S, d_model) -> (output, weights (B, H, T, T), weights (B, H, T, S)).

        changes: those of its self-attention and of its cross-attention, each a function of the weights or None.
        """
        look_back, look_across, m, (back, across) = (
            self.self_attention,
            self.cross_attention,
            memory,
            changes,
        )
        x, looked_back = self._sublayer(
            x, lambda x: look_back(x, x, x, self_mask, need_weights, back), self.norm_1
        )
        x, looked_across = self._sublayer(
            x, lambda x: look_across(x, m, m, cross_mask, need_weights, across), self.norm_2
        )
        x, _ = self._sublayer(x, lambda x: (self.feed_forward(x), None), self.norm_3)
        return x, looked_back, looked_across


class _Stack(nn.Module):
    """heads: a number for all layers, or one for each."""

    def __init__(self, d_model, heads, layers, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        heads = [heads] * layers if isinstance(heads, int) else list(heads)
        if len(heads) != layers:
            raise ValueError(
                f"heads = {heads} for {layers} layers; expected one number, or one for each layer."
            )
        self.layers = nn.ModuleList(
            self.layer(d_model, h, d_ff, dropout, norm_first) for h in heads
        )
        self.norm = nn.LayerNorm(d_model) if norm_first else None  # nothing else norms the last sum


class Encoder(_Stack):
    """One encoder layer after another; with norm_first a layer norm at the end."""

    layer, part = EncoderLayer, "encoder"

    def forward(self, x, mask=None, need_weights=False, changes=(), kept=None):
        """x (B, T, d_model) -> (output (B, T, d_model), [weights (B, H, T, T) or None of each layer]).

        kept: a list of Kept, one for each layer; x then holds the tokens after those.
        """
        weights = []
        change = selected(changes, self.part, len(self.layers))
        for layer, its_change, its_kept in zip(
            self.layers, change, kept or [None] * len(change), strict=True
        ):
            x, looked = layer(x, mask, need_weights, its_change, its_kept)
            weights.append(looked)
        return x if self.norm is None else self.norm(x), weights


class Decoder(_Stack):
    """One decoder layer after another, all with the same memory; with norm_first a layer norm at the end."""

    layer = DecoderLayer

    def forward(self, x, memory, self_mask=None, cross_mask=None, need_weights=False, changes=()):
        """x (B, T, d_model), memory (B, S, d_model) -> (output (B, T, d_model), [self weights], [cross weights])."""
        self_weights, cross_weights = [], []
        both = (selected(changes, part, len(self.layers)) for part in ("decoder", "cross"))
        for layer, *change in zip(self.layers, *both, strict=True):
            x, looked_back, looked_across = layer(
                x, memory, self_mask, cross_mask, need_weights, change
            )
            self_weights.append(looked_back)
            cross_weights.append(looked_across)
        return x if self.norm is None else self.norm(x), self_weights, cross_weights


class Embedding(nn.Module):
    """Token embeddings times sqrt(d_model), plus sinusoidal positions, dropout. Source: P sections 3.4, 3.5, 5.4."""

    def __init__(self, size, d_model, dropout=0.1, longest=512):
        super().__init__()
        self.tokens = nn.Embedding(size, d_model)
        nn.init.normal_(
            self.tokens.weight, std=d_model**-0.5
        )  # after the factor about as large as the positions
        positions = torch.as_tensor(
            sinusoidal_positions(longest, d_model), dtype=self.tokens.weight.dtype
        )
        self.register_buffer(
            "positions", positions, persistent=False
        )  # (longest, d_model), computed and not saved
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, start=0):
        """tokens (B, T), whole numbers below size -> (B, T, d_model); the first stands at position ``start``.

        Raises ValueError for start + T > longest.
        """
        longest, d_model = self.positions.shape
        shape = tuple(tokens.shape)
        if len(shape) != 2 or start + shape[1] > longest:
            raise ValueError(
                f"tokens {shape}{f' after {start} others' * (start > 0)}; expected (B, T) with T <= {longest - start}, "
                f"or a model made with longest={start + shape[-1]}."
            )
        return self.dropout(
            self.tokens(tokens) * d_model**0.5 + self.positions[start : start + shape[1]]
        )


class Transformer(nn.Module):
    """Encoder and decoder over tokens. Source: P figure 1; the embeddings and the last matrix are not shared.

    source_size, target_size: how many words each vocabulary has. heads: of every layer; encoder_heads: of the
    encoder's, one number for each layer, if they are to differ. longest: the most tokens of a sequence.
    gloss_size: if given, ``gloss`` is a linear map from the encoder's memory to that many words, one for each position.
    without: any of PARTS, to be left out.
    """

    PARTS = ("scale", "positions", "residual", "causal mask")

    def __init__(
        self, source_size, target_size, d_model, heads, encoder_layers, decoder_layers, d_ff, dropout=0.1,
        norm_first=True, longest=512, encoder_heads=None, gloss_size=None, without=(),
    ):  # fmt: skip
        super().__init__()
        self.source = Embedding(source_size, d_model, dropout, longest)
        self.target = Embedding(target_size, d_model, dropout, longest)
        self.encoder = Encoder(
            d_model, encoder_heads or heads, encoder_layers, d_ff, dropout, norm_first
        )
        self.decoder = Decoder(d_model, heads, decoder_layers, d_ff, dropout, norm_first)
        self.output = nn.Linear(d_model, target_size)
        self.gloss = nn.Linear(d_model, gloss_size) if gloss_size else None
        self._leave_out(without)

    def _leave_out(self, parts):
        if unknown := set(parts) - set(self.PARTS):
            raise ValueError(
                f"without={sorted(unknown)}; what can be left out: {', '.join(self.PARTS)}."
            )
        self.causal = "causal mask" not in parts
        for module in self.modules():
            if "scale" in parts and isinstance(module, MultiHeadAttention):
                module.scale = 1.0
            if "positions" in parts and isinstance(module, Embedding):
                module.positions.zero_()
            if "residual" in parts and isinstance(module, _Layer):
                module.residual = False

    def forward(self, source, target, source_mask=None):
        """source (B, S), target (B, T) -> logits (B, T, target_size) of the word after each target word.

        source_mask: the source's padding_mask. The target's needs none: no word looks at the padding behind it.
        """
        memory, _ = self.encode(source, source_mask)
        return self.decode(target, memory, source_mask)[0]

    def encode(self, source, source_mask=None, need_weights=False, changes=()):
        """source (B, S) -> (memory (B, S, d_model), [weights (B, H, S, S) or None for each layer])."""
        return self.encoder(self.source(source), source_mask, need_weights, changes)

    def decode(self, target, memory, source_mask=None, need_weights=False, changes=()):
        """target (B, T), memory (B, S, d_model) -> (logits (B, T, target_size), [self weights], [cross weights])."""
        x, mask = self.target(target), causal_mask(target.shape[1]) if self.causal else None
        x, self_weights, cross_weights = self.decoder(
            x, memory, mask, source_mask, need_weights, changes
        )
        return self.output(x), self_weights, cross_weights

    def weights(self, source, target, source_mask=None, changes=()):
        """Where everything looks: {"encoder": (B, H, S, S), "decoder": (B, H, T, T), "cross": (B, H, T, S)}.

        Each is a list with one tensor for each layer.
        """
        memory, encoder = self.encode(source, source_mask, True, changes)
        _, decoder, cross = self.decode(target, memory, source_mask, True, changes)
        return {"encoder": encoder, "decoder": decoder, "cross": cross}


class LanguageModel(nn.Module):
    """A decoder alone: encoder layers with a causal mask, so that each word is foretold from those before it."""

    def __init__(
        self, size, d_model, heads, layers, d_ff, dropout=0.1, norm_first=True, longest=512
    ):
        super().__init__()
        self.tokens = Embedding(size, d_model, dropout, longest)
        self.decoder = Encoder(d_model, heads, layers, d_ff, dropout, norm_first)
        self.decoder.part = "decoder"
        self.output = nn.Linear(d_model, size)

    def forward(self, tokens):
        """tokens (B, T) -> logits (B, T, size) of the word after each."""
        return self.decode(tokens)[0]

    def decode(self, tokens, need_weights=False, changes=(), kept=None):
        """tokens (B, T) -> (logits (B, T, size), [weights (B, H, T, T) or None for each layer]).

        kept: what ``keep`` gave; it grows by these tokens, which stand after those that it holds already.
        """
        start = kept[0].length if kept else 0
        x, mask = self.tokens(tokens, start), causal_mask(tokens.shape[1], start + tokens.shape[1])
        x, weights = self.decoder(x, mask, need_weights, changes, kept)
        return self.output(x), weights

    def keep(self):
        """An empty key-value cache: one Kept for each layer."""
        return [Kept() for _ in self.decoder.layers]


@torch.no_grad()
def load_torch(ours, theirs):
    """Copy the state of torch.nn's module into ours; both then give the same numbers.

    theirs: nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerDecoderLayer, nn.TransformerEncoder or
    nn.TransformerDecoder. Raises ValueError where the two are not made alike.
    """
    for mine, other in _pairs(ours, theirs):
        mine.copy_(other)


@torch.no_grad()
def store_torch(ours, theirs):
    """Copy our state into torch.nn's module: load_torch the other way round."""
    for mine, other in _pairs(ours, theirs):
        other.copy_(mine)


def _pairs(ours, theirs):
    mine, others = _named(ours), _named(theirs)
    left, right = _described(ours, mine), _described(theirs, others)
    if left != right:
        only = [", ".join(sorted(side)[:4]) or "nothing" for side in (left - right, right - left)]
        raise ValueError(
            f"the modules are not made alike. Only ours has: {only[0]}. Only theirs has: {only[1]}."
        )
    return [(mine[name], others[name]) for name in mine]


def _named(module):
    """Its parameters under torch.nn's names, those of query, key and value cut out of the packed one."""
    found = {}
    for name, parameter in module.named_parameters():
        path = [_TORCH_NAMES.get(part, part) for part in name.split(".") if part != "feed_forward"]
        name = ".".join(path).replace("output.", "out_proj.")
        parts = ("query.", "key.", "value.") if "in_proj_" in name else ("",)
        found |= zip(
            (name.replace("in_proj_", part) for part in parts),
            parameter.chunk(len(parts)),
            strict=True,
        )
    return found


def _described(module, named):
    """The names and shapes of its parameters, and the settings that they do not show."""
    said = {f"{name} {tuple(parameter.shape)}" for name, parameter in named.items()}
    for part in module.modules():
        for setting in ("heads", "num_heads", "norm_first", "eps", "add_zero_attn"):
            if getattr(part, setting, False):
                said.add(f"{setting.removeprefix('num_')} = {getattr(part, setting)}")
        if getattr(part, "activation", F.relu) is not F.relu:
            said.add(f"activation = {part.activation}")
    return said
