"""Page 8, the decoder: answers to decoder_layer, the layer with its norms."""

import torch

from tests.checks.bank import right, wrong


@right("decoder_layer")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(norm_3(h))


@right("decoder_layer")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = torch.clone(x)
    h += look(norm_1(h))
    h += ask(h=norm_2(h), memory=memory)
    h += think(norm_3(h))
    return h


@right("decoder_layer")
def _(x, memory, look, ask, think, *norms):
    def ask_memory(h):
        return ask(h, memory)

    for run, norm in zip((look, ask_memory, think), norms, strict=True):
        x = x + run(norm(x))
    return x


wrong("decoder_layer", "nothing yet; end it with return")(
    lambda x, memory, look, ask, think, norm_1, norm_2, norm_3: ...
)


@wrong("decoder_layer", "this is post-norm, as in the paper")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = norm_1(x + look(x))
    h = norm_2(h + ask(h, memory))
    return norm_3(h + think(h))


@wrong("decoder_layer", "norm what they are given")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + norm_1(look(x))
    h = h + norm_2(ask(h, memory))
    return h + norm_3(think(h))


@wrong("decoder_layer", "no norm is used")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(x)
    h = h + ask(h, memory)
    return h + think(h)


@wrong("decoder_layer", "norm_1 stands before all three")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_1(h), memory)
    return h + think(norm_1(h))


@wrong("decoder_layer", "you normed the memory as well")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), norm_2(memory))
    return h + think(norm_3(h))


@wrong("decoder_layer", "cross-attention got x")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(x), memory)
    return h + think(norm_3(h))


@wrong("decoder_layer", "the residual of cross-attention added x")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = x + ask(norm_2(h), memory)
    return h + think(norm_3(h))


@wrong("decoder_layer", "the residual path passes the norms by")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = norm_1(x)
    h = norm_2(h + look(h))
    h = norm_3(h + ask(h, memory))
    return h + think(h)


@wrong("decoder_layer", "self-attention comes first")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + ask(norm_2(x), memory)
    h = h + look(norm_1(h))
    return h + think(norm_3(h))


@wrong("decoder_layer", "looked at its own side")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    normed = norm_2(h)
    h = h + ask(normed, normed)
    return h + think(norm_3(h))


@wrong("decoder_layer", "there is no residual")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = look(norm_1(x))
    h = ask(norm_2(h), memory)
    return think(norm_3(h))


@wrong("decoder_layer", "the residual of self-attention is missing")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(norm_3(h))


@wrong("decoder_layer", "the residual of cross-attention is missing")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = ask(norm_2(h), memory)
    return h + think(norm_3(h))


@wrong("decoder_layer", "the residual of the feed-forward network is missing")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return think(norm_3(h))


@wrong("decoder_layer", "norm_3 comes before it")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(h)


@wrong("decoder_layer", "the feed-forward network is missing")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    return h + ask(norm_2(h), memory)


@wrong("decoder_layer", "memory asked")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(memory, norm_2(h))
    return h + think(norm_3(h))


@wrong("decoder_layer", "2 arrays; return the output alone")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(norm_3(h)), h


@wrong("decoder_layer", "cross-attention is missing")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    return h + think(norm_3(h))


@wrong("decoder_layer", "it looks at memory")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), h)
    return h + think(norm_3(h))


@wrong("decoder_layer", "missing a required argument: 'memory'")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h))
    return h + think(norm_3(h))


@wrong("decoder_layer", "add to the sum before, not to x")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = x + ask(norm_2(h), memory)
    return x + think(norm_3(h))


@wrong("decoder_layer", "add to the sum before, not to x")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return x + think(norm_3(h))


@wrong("decoder_layer", "one norm too many")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return norm_3(h + think(norm_3(h)))
