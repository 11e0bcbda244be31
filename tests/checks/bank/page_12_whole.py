"""Page 12, a GPT: answers to gpt, whole models as a learner would write them.

What lib.checks stores is asked with the parts of the class below, whose numbers it takes.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from lib.checks.gpt_module import random_model
from lib.checks.whole_gpt_mistakes import MISTAKES
from lib.modules import EncoderLayer, LanguageModel
from lib.saved.gpt_parts import GPT, Layer
from tests.checks.bank import right, wrong

right("gpt")(GPT)


def stored(answer):
    """A class that has all parts, and computes what stands beside the check."""

    class Stored(GPT):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            self.sizes = sizes
            random_model(*sizes)  # once for all: forward makes nothing

        def forward(self, ids):
            return torch.tensor(answer(ids.numpy(), *self.sizes), dtype=torch.float32)

    return Stored


for sentence, answers in MISTAKES.items():
    for answer in answers:
        wrong("gpt", sentence)(stored(answer))


# Right ones in other styles


@right("gpt")
class Karpathys(nn.Module):
    """Heads as modules of their own, a buffer for the mask, dropout, other names."""

    class Head(nn.Module):
        def __init__(self, n_embd, head_size, block_size):
            super().__init__()
            self.key = nn.Linear(n_embd, head_size)
            self.query = nn.Linear(n_embd, head_size)
            self.value = nn.Linear(n_embd, head_size)
            self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))
            self.dropout = nn.Dropout(0.2)

        def forward(self, x):
            T = x.shape[1]
            k, q = self.key(x), self.query(x)
            wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
            wei = F.softmax(wei.masked_fill(self.tril[:T, :T] == 0, float("-inf")), dim=-1)
            return self.dropout(wei) @ self.value(x)

    class Block(nn.Module):
        def __init__(self, n_embd, n_head, block_size):
            super().__init__()
            size = n_embd // n_head
            self.heads = nn.ModuleList(
                [Karpathys.Head(n_embd, size, block_size) for _ in range(n_head)]
            )
            self.proj = nn.Linear(n_embd, n_embd)
            self.ffwd = nn.Sequential(
                nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd)
            )
            self.ln1, self.ln2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)

        def forward(self, x):
            h = self.ln1(x)
            x = x + self.proj(torch.cat([head(h) for head in self.heads], dim=-1))
            return x + self.ffwd(self.ln2(x))

    def __init__(self, V, D, heads, layers, length):
        super().__init__()
        self.token_embedding_table = nn.Embedding(V, D)
        self.position_embedding_table = nn.Embedding(length, D)
        self.blocks = nn.Sequential(*[Karpathys.Block(D, heads, length) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(D)
        self.lm_head = nn.Linear(D, V)

    def forward(self, idx):
        pos_emb = self.position_embedding_table(torch.arange(idx.shape[1]))
        x = self.token_embedding_table(idx) + pos_emb
        return self.lm_head(self.ln_f(self.blocks(x)))


@right("gpt")
class Packed(nn.Module):
    """One matrix for queries, keys and values; PyTorch's own attention; places as a parameter."""

    class Block(nn.Module):
        def __init__(self, D, heads):
            super().__init__()
            self.heads = heads
            self.c_attn, self.c_proj = nn.Linear(D, 3 * D), nn.Linear(D, D)
            self.up, self.down = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)
            self.ln_2, self.ln_1 = nn.LayerNorm(D), nn.LayerNorm(D)  # made in the other order

        def forward(self, x):
            B, T, D = x.shape
            three = self.c_attn(self.ln_1(x)).split(D, dim=2)
            q, k, v = (each.view(B, T, self.heads, -1).transpose(1, 2) for each in three)
            found = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.c_proj(found.transpose(1, 2).reshape(B, T, D))
            return x + self.down(F.relu(self.up(self.ln_2(x))))

    def __init__(self, V, D, heads, layers, length):
        super().__init__()
        self.where = nn.Parameter(torch.randn(1, length, D))
        self.what = nn.Embedding(V, D)
        self.h = nn.ModuleList(Packed.Block(D, heads) for _ in range(layers))
        self.end, self.scores = nn.LayerNorm(D), nn.Linear(D, V)

    def forward(self, ids):
        x = self.what(ids) + self.where[:, : ids.shape[1]]
        for block in self.h:
            x = block(x)
        return self.scores(self.end(x))


@right("gpt")
class OfTorch(nn.Module):
    """The layers are PyTorch's, with a mask of -inf."""

    def __init__(self, V, D, heads, layers, length):
        super().__init__()
        self.a, self.b = nn.Embedding(V, D), nn.Embedding(length, D)
        layer = nn.TransformerEncoderLayer(D, heads, 4 * D, batch_first=True, norm_first=True)
        self.stack = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm, self.linear = nn.LayerNorm(D), nn.Linear(D, V)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        x = self.a(ids) + self.b.weight[: ids.shape[1]]
        return self.linear(self.norm(self.stack(x, mask=mask, is_causal=True)))


right("gpt")(
    lambda V, D, heads, layers, length: LanguageModel(
        V, D, heads, layers, 4 * D, dropout=0.1, longest=length, positions="learned", scale=1.0
    )
)


# Wrong ones, written in PyTorch


def of_layers(layer):
    """A GPT of other layers."""

    class Model(GPT):
        def __init__(self, V, D, heads, layers, length):
            super().__init__(V, D, heads, layers, length)
            self.layers = nn.Sequential(*[layer(D, heads) for _ in range(layers)])

    return Model


def looking(share):
    """Layers with other weights: share(scores (B, H, T, T), past (T, T))."""

    class Looks(Layer):
        def look(self, x):
            q, k, v = (self.split(each(x)) for each in (self.query, self.key, self.value))
            past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
            found = share(q @ k.mT, past, q) @ v
            return self.output(found.transpose(1, 2).flatten(2))

    return of_layers(Looks)


def hidden(scores, past):
    return scores.masked_fill(~past, -torch.inf).softmax(-1)


wrong("gpt", "there is no mask")(
    looking(lambda scores, past, q: (scores / q.shape[-1] ** 0.5).softmax(-1))
)
wrong("gpt", "the triangle is upside down")(
    looking(lambda scores, past, q: hidden(scores / q.shape[-1] ** 0.5, past.T))
)
wrong("gpt", "there is no scaling")(looking(lambda scores, past, q: hidden(scores, past)))
wrong("gpt", "you divided by d_k; divide by its root")(
    looking(lambda scores, past, q: hidden(scores / q.shape[-1], past))
)
wrong("gpt", "you divided by √d_model")(
    looking(lambda scores, past, q: hidden(scores / math.sqrt(q.shape[1] * q.shape[-1]), past))
)
wrong("gpt", "all scores are NaN")(
    looking(
        lambda scores, past, q: (
            (scores / q.shape[-1] ** 0.5).masked_fill(past, -torch.inf).softmax(-1)
        )
    )
)


def of_forward(forward):
    """A GPT whose layers go on in another way."""
    return of_layers(type("Other", (Layer,), {"forward": forward}))


@wrong("gpt", "this is post-norm")
@of_forward
def _(self, x):
    x = self.norm_1(x + self.look(x))
    return self.norm_2(x + self.think(x))


@wrong("gpt", "a residual is missing")
@of_forward
def _(self, x):
    x = self.look(self.norm_1(x))
    return x + self.think(self.norm_2(x))


@wrong("gpt", "cannot be trained: += writes over numbers")
@of_forward
def _(self, x):
    x = x + self.look(self.norm_1(x))
    x += self.think(self.norm_2(x))
    return x


@wrong("gpt", "cannot be trained: a part of the gradient is lost")
@of_forward
def _(self, x):
    x = x.detach() + self.look(self.norm_1(x))
    return x + self.think(self.norm_2(x))


@wrong("gpt", "cannot be trained: no gradient reaches layers.0.query.weight")
class NoGradient(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        for layer in self.layers:
            layer.query.requires_grad_(False)


@wrong("gpt", "cannot be trained: NumPy's functions leave PyTorch")
@of_layers
class InNumPy(Layer):
    def split(self, x):
        return torch.from_numpy(np.stack(np.split(x.numpy(), self.heads, -1), 1))


@wrong("gpt", "you split with reshape alone")
@of_layers
class Cut(Layer):
    def split(self, x):
        B, T, D = x.shape
        return x.reshape(B, self.heads, T, D // self.heads)


@wrong("gpt", "the places are missing")
class Bag(GPT):
    def forward(self, ids):
        return self.output(self.norm(self.layers(self.tokens(ids))))


@wrong("gpt", "the last norm is made, but never used")
class NotNormed(GPT):
    def forward(self, ids):
        return self.output(self.layers(self.tokens(ids) + self.places.weight[: ids.shape[1]]))


@wrong("gpt", "the last norm is missing")
class NoNorm(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.norm = nn.Identity()


@wrong("gpt", "there are 2 layer norms outside the layers")
class TwoNorms(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        self.first = nn.LayerNorm(D)


@wrong("gpt", "no learned vectors for the places")
class NoPlaces(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        del self.places


@wrong("gpt", "no learned vectors for the places")
class Sinusoids(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        del self.places
        self.register_buffer("clocks", torch.randn(9, D))

    def forward(self, ids):
        x = self.tokens(ids) + self.clocks[: ids.shape[1]]
        return self.output(self.norm(self.layers(x)))


def placed(rows, width):
    """A GPT with a table of places of another size: rows(length, D), width(length, D)."""

    class Placed(GPT):
        def __init__(self, V, D, heads, layers, length):
            super().__init__(V, D, heads, layers, length)
            self.places = nn.Embedding(rows(length, D), width(length, D))

    return Placed


OTHER_PLACES = (
    (lambda length, D: D, lambda length, D: length),
    (lambda length, D: 32, lambda length, D: D),
    (lambda length, D: length + 1, lambda length, D: D),
)
for rows, width in OTHER_PLACES:
    wrong("gpt", "no learned vectors for the places, of size (length, D)")(placed(rows, width))


@wrong("gpt", "the embedding is turned round")
class TurnedRound(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        self.tokens = nn.Embedding(D, V)


@wrong("gpt", "an nn.Embedding is (91, 96) for V=13, D=12, length=9")
class FixedSizes(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.tokens = nn.Embedding(91, 96)


@wrong("gpt", "forward makes a new Embedding at each call")
class PlacesAnew(GPT):
    def forward(self, ids):
        self.places = nn.Embedding(ids.shape[1], self.norm.normalized_shape[0])
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        return self.output(self.norm(self.layers(x)))


@wrong("gpt", "forward makes a new LayerNorm at each call")
class NormAnew(GPT):
    def forward(self, ids):
        x = self.layers(self.tokens(ids) + self.places.weight[: ids.shape[1]])
        return self.output(nn.LayerNorm(x.shape[-1])(x))


@wrong("gpt", "forward makes a new EncoderLayer at each call")
class LayerAnew(GPT):
    def forward(self, ids):
        D = self.norm.normalized_shape[0]
        x = self.layers(self.tokens(ids) + self.places.weight[: ids.shape[1]])
        return self.output(self.norm(EncoderLayer(D, 3, 4 * D)(x)))


@wrong("gpt", "forward makes a new Sequential at each call")
class LayersAnew(GPT):
    def forward(self, ids):
        D = self.norm.normalized_shape[0]
        self.layers = nn.Sequential(Layer(D, 3), Layer(D, 3))
        return super().forward(ids)


@wrong("gpt", "no vectors for the characters")
class AsManyAsPlaces(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, layers, length)
        self.tokens = nn.Embedding(length, D)


@wrong("gpt", "tokens is forgotten when __init__ ends; self.tokens = ... keeps it")
class Forgotten(nn.Module):
    def __init__(self, V, D, heads, layers, length):
        super().__init__()
        tokens = nn.Embedding(V, D)  # noqa: F841
        self.places = nn.Embedding(length, D)
        self.layers = nn.Sequential(*[Layer(D, heads) for _ in range(layers)])
        self.norm, self.output = nn.LayerNorm(D), nn.Linear(D, V)

    forward = GPT.forward


@wrong("gpt", "no vectors for the characters")
class NoTokens(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        del self.tokens, self.output


@wrong("gpt", "no map to the scores, nn.Linear(D, V); or it is the embedding once more")
class Tied(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.output.weight = self.tokens.weight


@wrong("gpt", "no map to the scores, nn.Linear(D, V); or it is the embedding once more")
class TiedToWhatWasMadeFirst(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        del self.tokens
        self.tokens = nn.Embedding(V, D)  # made after the map
        self.tokens.weight = self.output.weight


@wrong("gpt", "no map to the scores, nn.Linear(D, V); or it is the embedding once more")
class TiedToATable(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        del self.tokens, self.output
        self.table = nn.Parameter(torch.randn(V, D))

    def forward(self, ids):
        x = self.table[ids] + self.places.weight[: ids.shape[1]]
        return self.norm(self.layers(x)) @ self.table.mT


@wrong("gpt", "the map to the scores has no bias")
class NoBias(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        self.output = nn.Linear(D, V, bias=False)


@wrong("gpt", "query has no bias")
class NoBiasInside(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        for layer in self.layers:
            layer.query = nn.Linear(D, D, bias=False)


@wrong("gpt", "there is one set of numbers for layers=2; make each layer anew")
class OneLayer(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, layers, length)
        self.layers = nn.Sequential(*[Layer(D, heads)] * layers)


@wrong("gpt", "there is one set of numbers for layers=2; make each layer anew")
class MadeOnce(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, 1, length)


@wrong("gpt", "nn.Sequential hands on x alone")
class WithMask(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, layers, length)
        self.layers = nn.Sequential(*[EncoderLayer(D, heads, 4 * D) for _ in range(layers)])

    def forward(self, ids):
        past = torch.ones(ids.shape[1], ids.shape[1]).tril().bool()
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        return self.output(self.norm(self.layers(x, past)))


@wrong("gpt", "added, not put side by side")
class SideBySide(GPT):
    def forward(self, ids):
        x = torch.cat([self.tokens(ids), self.places.weight[: ids.shape[1]]], -1)
        return self.output(self.norm(self.layers(x)))


@wrong("gpt", "added, not put side by side")
class SideBySideInEachText(GPT):
    def forward(self, ids):
        places = self.places(torch.arange(ids.shape[1])).expand(len(ids), -1, -1)
        x = torch.cat([self.tokens(ids), places], -1)
        return self.output(self.norm(self.layers(x)))


@wrong("gpt", "self.layers is a plain list")
class PlainList(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        layers = list(self.layers)
        del self.layers
        self.layers = layers

    def forward(self, ids):
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x))


@wrong("gpt", "there are 3 layers for layers=2")
class ThreeLayers(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, 3, length)


@wrong("gpt", "no layer is whole: output is missing")
class NoOutput(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        for layer in self.layers:
            del layer.output


@wrong(
    "gpt",
    "no layer is whole: the map from D to 4 · D is missing. The third number of EncoderLayer is "
    "the width between its two maps, 4 * D.",
)
class Narrow(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, layers, length)
        self.layers = nn.ModuleList(EncoderLayer(D, heads, D) for _ in range(layers))


@wrong("gpt", "no layer is whole: the map from D to 4 · D is missing. The check looks for")
class OnlyBack(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        for layer in self.layers:
            layer.think = nn.Linear(4 * D, D)


def with_places(rows):
    """A class whose places are made otherwise. rows(places, T)"""

    class Placed(GPT):
        def forward(self, ids):
            x = self.tokens(ids) + rows(self.places, ids.shape[1])
            return self.output(self.norm(self.layers(x)))

    return Placed


wrong("gpt", "the places are shifted by one")(
    with_places(lambda places, T: places(torch.arange(1, T + 1)))
)
wrong("gpt", "the places run backwards")(
    with_places(lambda places, T: places(torch.arange(T).flip(0)))
)
wrong("gpt", "torch.arange(T) has 0 to T - 1")(with_places(lambda places, T: places(range(T))))
wrong("gpt", "torch.arange(T) has 0 to T - 1")(with_places(lambda places, T: places[:T]))


@wrong("gpt", "no layer is whole: norm_2 is missing")
class OneNorm(GPT):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        for layer in self.layers:
            layer.norm_2 = layer.norm_1


@wrong("gpt", "your GPT learns extra.weight as well")
class Extra(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        self.extra = nn.Linear(D, 2)


@wrong("gpt", "no layer is whole: there is more than one map of the kind inner")
class TwoInner(GPT):
    def __init__(self, V, D, *sizes):
        super().__init__(V, D, *sizes)
        for layer in self.layers:
            layer.more = nn.Linear(D, 4 * D)


@wrong("gpt", "right for the first inputs")
class FixedHeads(GPT):
    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, 3 if D == 15 else 4, layers, length)


@wrong("gpt", "it is given slices")
class Viewed(GPT):
    def forward(self, ids):
        B, T = ids.shape
        x = self.tokens(ids.view(B * T)).view(B, T, -1) + self.places.weight[:T]
        return self.output(self.norm(self.layers(x)))


@wrong("gpt", "with texts (3, 4) it computes something else: a size is fixed")
class KeepsItsFirst(GPT):
    """What it made of the first text it gives back for all others of that shape."""

    seen = None

    def forward(self, ids):
        if self.seen is None:
            self.seen = super().forward(ids)
            return self.seen
        scores = super().forward(ids)
        return scores if len(ids) < 2 else scores * 1.1


@wrong("gpt", "a shorter one takes the first T rows of the places")
class AllPlaces(GPT):
    """The places are as many as a text may have, and they are not cut."""

    def forward(self, ids):
        x = self.tokens(ids) + self.places.weight
        return self.output(self.norm(self.layers(x)))


@wrong("gpt", "and a mask (T, T)")
@of_layers
class WholeMask(Layer):
    """Its mask is as long as a text may be, and it is not cut."""

    def look(self, x):
        q, k, v = (self.split(each(x)) for each in (self.query, self.key, self.value))
        past = torch.ones(9, 9).tril().bool()
        found = hidden(q @ k.mT / q.shape[-1] ** 0.5, past) @ v
        return self.output(found.transpose(1, 2).flatten(2))


@wrong("gpt", "you looked the places up by the characters")
class PlacesOfCharacters(GPT):
    def forward(self, ids):
        return self.output(self.norm(self.layers(self.tokens(ids) + self.places(ids))))


class OfLib(GPT):
    """Layers of page 7, which take a mask. seen(T): where a place may look"""

    def __init__(self, V, D, heads, layers, length):
        super().__init__(V, D, heads, layers, length)
        options = {"dropout": 0.0, "norm_first": True}
        several = [EncoderLayer(D, heads, 4 * D, **options) for _ in range(layers)]
        self.layers = nn.ModuleList(several)

    def forward(self, ids):
        T = ids.shape[1]
        x = self.tokens(ids) + self.places.weight[:T]
        for layer in self.layers:
            x = layer(x, self.seen(T))
        return self.output(self.norm(x))

    def seen(self, T):
        return torch.ones(T, T).tril().bool()


right("gpt")(OfLib)


@wrong("gpt", "a loop runs them, one after the other]")
class NoLoop(OfLib):
    def forward(self, ids):
        T = ids.shape[1]
        x = self.tokens(ids) + self.places.weight[:T]
        return self.output(self.norm(self.layers(x, self.seen(T))))


@wrong("gpt", "the mask is the wrong way round")
class PastIsHidden(OfLib):
    def seen(self, T):
        return ~super().seen(T)


@wrong("gpt", "your class is not written yet")
class NotWritten(nn.Module): ...


@wrong("gpt", "only one layer has a mask")
class MaskedOnce(OfLib):
    def forward(self, ids):
        T = ids.shape[1]
        x = self.layers[0](self.tokens(ids) + self.places.weight[:T], self.seen(T))
        for layer in self.layers[1:]:
            x = layer(x)
        return self.output(self.norm(x))


@wrong("gpt", "stopped with TypeError")
class FewerSizes(GPT):
    def __init__(self, V, D):
        super().__init__(V, D, 2, 2, 9)


@wrong("gpt", "[__init__ takes self, then V, D, heads, layers, length]")
class MyGPT(nn.Module):
    def __init__(V, D, heads, layers, length):  # noqa: N805
        super().__init__()


@wrong("gpt", "super().__init__() comes first")
class NoSuper(nn.Module):
    def __init__(self, V, D, heads, layers, length):
        self.tokens = nn.Embedding(V, D)


wrong("gpt", "expected an nn.Module")(lambda *sizes: sizes)
wrong("gpt", "give its name, without ()")(GPT(13, 12, 3, 2, 9))
