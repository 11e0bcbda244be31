"""Page 7, encoder: answers to encoder_layer, classes as a learner would write them.

What lib.checks stores are forwards, which are asked here in classes with the parts below.
"""

import numpy as np
import torch
import torch.nn.functional as F

from lib.attention import MultiHeadParameters
from lib.checks.page_07 import WRONG_ATTENTION, forward
from lib.modules import EncoderLayer, FeedForward, MultiHeadAttention
from tests.checks.bank import right, wrong


class Parts(torch.nn.Module):
    """What every answer below is made of; they differ in what forward does with it."""

    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm_1 = torch.nn.LayerNorm(d_model)
        self.norm_2 = torch.nn.LayerNorm(d_model)
        self.inner = torch.nn.Linear(d_model, d_ff)
        self.outer = torch.nn.Linear(d_ff, d_model)

    def look(self, x):
        return self.attention(x, x, x)

    def think(self, x):
        return self.outer(self.inner(x).relu())


def layer(forward, base=Parts):
    """A class of its own for each answer."""
    return type("Layer", (base,), {"forward": forward})


right("encoder_layer")(layer(forward.solution))
for mistake in forward.exercise.mistakes:
    wrong("encoder_layer", mistake.sentence)(layer(mistake.answer))


@right("encoder_layer")
@layer
def _(self, x):  # which norm is called norm_1 is the learner's choice
    looked = self.look(self.norm_2(x)) + x
    return looked + self.outer(F.relu(self.inner(self.norm_1(looked))))


@right("encoder_layer")
class TorchParts(torch.nn.Module):
    """PyTorch's attention, other names, dropout, the two maps in a row."""

    def __init__(self, d_model, heads, d_ff, dropout=0.5):
        super().__init__()
        self.ln_a = torch.nn.LayerNorm(d_model)
        self.self_attn = torch.nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.ln_b = torch.nn.LayerNorm(d_model)
        inner, outer = torch.nn.Linear(d_model, d_ff), torch.nn.Linear(d_ff, d_model)
        self.mlp = torch.nn.Sequential(inner, torch.nn.ReLU(), outer)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        h = self.ln_a(x)
        x = x + self.dropout(self.self_attn(h, h, h, need_weights=False)[0])
        return x + self.dropout(self.mlp(self.ln_b(x)))


right("encoder_layer")(lambda *sizes: EncoderLayer(*sizes, norm_first=True))
right("encoder_layer")(
    lambda *sizes: torch.nn.TransformerEncoderLayer(*sizes, batch_first=True, norm_first=True)
)


class OwnParts(Parts):
    """What the reader wrote on pages 2, 4 and 5, between the four maps of attention."""

    def split(self, x):
        B, T, d_model = x.shape
        heads = self.attention.heads
        return x.reshape(B, T, heads, d_model // heads).swapaxes(1, 2)

    def merge(self, x):
        B, H, T, d_k = x.shape
        return x.swapaxes(1, 2).reshape(B, T, H * d_k)

    def softmax(self, scores):
        powers = torch.exp(scores - scores.amax(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def look(self, x):
        maps = self.attention
        q, k, v = (self.split(project(x)) for project in (maps.query, maps.key, maps.value))
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        return maps.output(self.merge(self.softmax(scores) @ v))


right("encoder_layer")(layer(forward.solution, OwnParts))


def in_numpy(attention):
    """A class whose attention is one of those that stand beside the check."""

    def look(self, x):
        parameters = MultiHeadParameters.from_torch(self.attention)
        found = attention(x.detach().numpy(), parameters, self.attention.heads)
        return torch.tensor(found, dtype=torch.float32)

    return type("Layer", (Parts,), {"look": look, "forward": forward.solution})


for sentence, attentions in WRONG_ATTENTION.items():
    for attention in attentions:
        wrong("encoder_layer", sentence)(in_numpy(attention))


def looking(look):
    """A class with this attention, look(self, q, k, v), of heads that its split makes."""

    def looked(self, x):
        maps = self.attention
        q, k, v = (self.split(each(x)) for each in (maps.query, maps.key, maps.value))
        return maps.output(self.merge(look(self, q, k, v)))

    return type("Layer", (OwnParts,), {"look": looked, "forward": forward.solution})


wrong("encoder_layer", "there is no scaling")(
    looking(lambda self, q, k, v: self.softmax(q @ k.mT) @ v)
)
wrong("encoder_layer", "you divided by the root of all heads' width")(
    looking(
        lambda self, q, k, v: self.softmax(q @ k.mT / self.norm_1.normalized_shape[0] ** 0.5) @ v
    )
)
wrong("encoder_layer", "you divided by d_k, or twice by its root")(
    looking(lambda self, q, k, v: self.softmax(q @ k.mT / q.shape[-1]) @ v)
)
wrong("encoder_layer", "you have")(looking(lambda self, q, k, v: (q @ k.mT / 2).softmax(-1) @ v))


@wrong("encoder_layer", "stopped with")
class HeadsOfWidthFour(OwnParts):
    """The number of heads is not used: all are four wide."""

    def split(self, x):
        return x.unflatten(-1, (-1, 4)).transpose(1, 2)

    forward = forward.solution


@wrong("encoder_layer", "right for the first inputs")
class HeadsOfWidthFive(HeadsOfWidthFour):
    def split(self, x):
        return x.unflatten(-1, (-1, 5)).transpose(1, 2)


@right("encoder_layer")
@layer
def _(self, x):  # heads by einsum
    h, maps = self.norm_1(x), self.attention
    q, k, v = (p(h).unflatten(-1, (maps.heads, -1)) for p in (maps.query, maps.key, maps.value))
    weights = (torch.einsum("bthk,bshk->bhts", q, k) * maps.scale).softmax(-1)
    x = x + maps.output(torch.einsum("bhts,bshk->bthk", weights, v).flatten(2))
    return x + self.think(self.norm_2(x))


wrong("encoder_layer", "this is post-norm, the layer of the page")(EncoderLayer)


def wrong_layer(sentence):
    """Puts the class with this forward into the bank."""

    def keep(forward):
        return wrong("encoder_layer", sentence)(layer(forward))

    return keep


@wrong_layer("this is GELU")
def _(self, x):
    x = x + self.look(self.norm_1(x))
    return x + self.outer(F.gelu(self.inner(self.norm_2(x))))


@wrong_layer("ReLU stands between the two maps")
def _(self, x):
    x = x + self.look(self.norm_1(x))
    return x + F.relu(self.outer(self.inner(self.norm_2(x))))


@wrong_layer("return the output alone")
def _(self, x):
    return x, self.look(x)


@wrong_layer("expected shape (3, 4, 10)")
def _(self, x):
    return self.inner(x)


@wrong_layer("your function returns nothing yet")
def _(self, x): ...


@wrong_layer("[what __init__ made is called self.NAME]")
def _(self, x):
    return x + attention(norm_1(x))  # noqa: F821


wrong("encoder_layer", "[self comes first: forward(self, x)]")(layer(lambda x: x))


wrong("encoder_layer", "batch_first=True")(
    lambda *sizes: torch.nn.TransformerEncoderLayer(*sizes, norm_first=True)
)


@wrong("encoder_layer", "attention runs with one head")
class OneHead(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, 1, d_ff)

    forward = forward.solution


@wrong("encoder_layer", "one layer norm for both")
class OneNorm(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_2 = self.norm_1


@wrong("encoder_layer", "there is 1 layer norm (nn.LayerNorm), and norm_2 is none")
class BatchNorm(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_2 = torch.nn.BatchNorm1d(d_model)


class OwnNorm(torch.nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(d_model))
        self.bias = torch.nn.Parameter(torch.zeros(d_model))


@wrong("encoder_layer", "there are 0 layer norms (nn.LayerNorm), and norm_2 is none")
class OwnNorms(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_1, self.norm_2 = OwnNorm(d_model), OwnNorm(d_model)


@wrong("encoder_layer", "there are 3 layer norms")
class ThreeNorms(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_3 = torch.nn.LayerNorm(d_model)


@wrong("encoder_layer", "attention is missing, or its maps have other names")
class NoAttention(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        del self.attention


class MadeInForward(torch.nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.sizes = sizes

    def forward(self, x):
        self.parts = Parts(*self.sizes)
        return forward.solution(self.parts, x)


wrong("encoder_layer", "your layer has no parts: make them in __init__")(MadeInForward)


@wrong("encoder_layer", "expected two, one a branch, made in __init__")
class NormsInForward(MadeInForward):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        made = Parts(*sizes)
        self.attention, self.inner, self.outer = made.attention, made.inner, made.outer


class Attention(MultiHeadAttention):
    """The page's."""

    def forward(self, x):
        return super().forward(x, x, x)


@wrong("encoder_layer", "this page's Attention takes x once")
class ThreeTimes(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.attention = Attention(d_model, heads)

    forward = forward.solution


@wrong("encoder_layer", "no feed-forward network from d_model = 12 to d_ff = 20 and back")
class NoFeedForward(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        del self.inner


@wrong("encoder_layer", "it is missing or takes other sizes")
class FixedFeedForward(Parts):
    """What is given as d_ff is not used."""

    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, 4 * d_model)


@wrong("encoder_layer", "norm_2 is made for 20 numbers a word, and d_model is 12 here")
class WideNorm(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_2 = torch.nn.LayerNorm(d_ff)


@wrong("encoder_layer", "query is made for 12 numbers a word, and d_model is 10 here")
class FixedAttention(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.attention = MultiHeadAttention(12, heads=heads if d_model == 12 else 3)


@wrong("encoder_layer", "norm_1 has no bias")
class NormWithoutBias(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.norm_1 = torch.nn.LayerNorm(d_model, elementwise_affine=False)


@wrong("encoder_layer", "outer has no bias")
class NoBias(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.outer = torch.nn.Linear(d_ff, d_model, bias=False)


@wrong("encoder_layer", "more than one map of the kind inner")
class TwoInner(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.other = torch.nn.Linear(d_model, d_ff)


@wrong("encoder_layer", "your layer learns extra as well")
class Extra(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.extra = torch.nn.Linear(d_model, d_model)


@wrong("encoder_layer", "your class is not written yet")
class NotWritten(torch.nn.Module): ...


def misnamed(name):
    """A class with this in place of __init__, as Python keeps it."""
    return type("MyEncoderLayer", (torch.nn.Module,), {name: Parts.__init__})


HAS = "your class has {}; write __init__, two underscores on each side."
for name in ("_init_", "init", "__int__"):
    wrong("encoder_layer", HAS.format(name))(misnamed(name))
wrong("encoder_layer", HAS.format("__init_"))(misnamed("_MyEncoderLayer__init_"))


class AsOnThePage(torch.nn.Module):
    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.feed_forward(self.norm_2(x))


@wrong("encoder_layer", "self.attention is the class Attention itself; call it, Attention(...)")
class AttentionWithoutBrackets(AsOnThePage):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = Attention
        self.norm_1, self.norm_2 = torch.nn.LayerNorm(d_model), torch.nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)


@wrong("encoder_layer", "self.feed_forward is the class FeedForward itself")
class FeedForwardWithoutBrackets(AsOnThePage):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = Attention(d_model, heads)
        self.norm_1, self.norm_2 = torch.nn.LayerNorm(d_model), torch.nn.LayerNorm(d_model)
        self.feed_forward = FeedForward


@wrong("encoder_layer", "self.norm_1 is the class LayerNorm itself; call it, LayerNorm(...)")
class NormWithoutBrackets(AsOnThePage):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = Attention(d_model, heads)
        self.norm_1, self.norm_2 = torch.nn.LayerNorm, torch.nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)


@wrong("encoder_layer", "attention is forgotten when __init__ ends; self.attention = ... keeps it.")
class AttentionWithoutSelf(AsOnThePage):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        attention = Attention(d_model, heads)  # noqa: F841
        self.norm_1, self.norm_2 = torch.nn.LayerNorm(d_model), torch.nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)


@wrong("encoder_layer", "norm_2 is forgotten when __init__ ends; self.norm_2 = ... keeps it.")
class NormWithoutSelf(AsOnThePage):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = Attention(d_model, heads)
        self.norm_1 = torch.nn.LayerNorm(d_model)
        norm_2 = torch.nn.LayerNorm(d_model)  # noqa: F841
        self.feed_forward = FeedForward(d_model, d_ff)


@wrong("encoder_layer", "[__init__ takes self, then d_model, heads, d_ff].")
class MyEncoderLayer(torch.nn.Module):
    def __init__(d_model, heads, d_ff):  # noqa: N805
        super().__init__()


@wrong("encoder_layer", "stopped with TypeError")
class FewerSizes(Parts):
    def __init__(self, d_model, heads):
        super().__init__(d_model, heads, 4 * d_model)


@wrong("encoder_layer", "super().__init__() comes first in your __init__].")
class NoSuper(torch.nn.Module):
    def __init__(self, d_model, heads, d_ff):
        self.norm_1 = torch.nn.LayerNorm(d_model)


wrong("encoder_layer", 'missing the required "forward" function')(Parts)
wrong("encoder_layer", "expected an nn.Module")(lambda *sizes: sizes)
wrong("encoder_layer", "give its name, without ()")(Parts(12, 3, 20))


@wrong("encoder_layer", "amax gives the values alone")
class SoftmaxOfPage2(OwnParts):
    def softmax(self, scores):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    forward = forward.solution


@wrong("encoder_layer", "cannot learn: NumPy's functions leave PyTorch")
class SoftmaxInNumPy(OwnParts):
    def softmax(self, scores):
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)

    forward = forward.solution


@wrong("encoder_layer", "cannot learn: no gradient reaches attention.query.weight")
class Detached(OwnParts):
    def softmax(self, scores):
        return torch.softmax(scores.detach(), -1)

    forward = forward.solution


@wrong_layer("cannot learn: += writes over numbers")
def _(self, x):
    x = x + self.look(self.norm_1(x))
    x += self.think(self.norm_2(x))
    return x


@wrong_layer("cannot learn: += writes over numbers")
def _(self, x):
    x += self.look(self.norm_1(x))
    return x + self.think(self.norm_2(x))


@wrong("encoder_layer", "rows of another width; FeedForward(d_model, d_ff) is made in this order")
class SwappedFeedForward(Parts):
    def __init__(self, d_model, heads, d_ff):
        super().__init__(d_model, heads, d_ff)
        self.inner, self.outer = self.outer, self.inner

    forward = forward.solution


class CutInTraining(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        raise RuntimeError("no way back")


@wrong_layer("cannot learn: one step stopped with no way back")
def _(self, x):
    return CutInTraining.apply(forward.solution(self, x))


@wrong("encoder_layer", "d_model comes first].")
class HeadsFirst(torch.nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(heads, d_model)
