"""The whole GPT in NumPy, with the mistakes that one makes in it, for the check of notebook 12.

MISTAKES: answers(ids, V, D, heads, layers, length) by their sentence; ``gpt()`` is the right one.
"""

from dataclasses import replace

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.block_mistakes import MISTAKES as BLOCK_MISTAKES
from lib.checks.gpt_mistakes import HEAD_MISTAKES, HIDES_THE_PAST, hidden, weights_of
from lib.checks.gpt_module import random_model
from lib.checks.page_05 import WRONG_PARTS, merge_heads, split_heads
from lib.layers import feed_forward


def embed(ids, tokens, places):
    """(B, T, D): what stands there, and where."""
    return tokens[ids] + places[: ids.shape[1]]


def head(x, query, key, value):
    """(B, T, d_k): what one head finds, looking at itself and at what came before."""
    return weights_of(x, query, key) @ value(x)


def heads_apart(attend=head):
    """An attention whose heads look one by one: (x, maps, heads) -> (B, T, D)."""

    def look(x, maps, heads):
        found = []
        for own in np.split(np.arange(x.shape[-1]), heads):

            def query(x, own=own):
                return (x @ maps.query + maps.query_bias)[..., own]

            def key(x, own=own):
                return (x @ maps.key + maps.key_bias)[..., own]

            def value(x, own=own):
                return (x @ maps.value + maps.value_bias)[..., own]

            found.append(attend(x, query, key, value))
        return np.concatenate(found, -1) @ maps.output + maps.output_bias

    return look


def look(x, maps, heads, split=split_heads.solution, merge=merge_heads.solution, share=hidden):
    """The same at once, with switches for what goes wrong in cutting and in sharing out."""
    q = split(x @ maps.query + maps.query_bias, heads)
    k = split(x @ maps.key + maps.key_bias, heads)
    v = split(x @ maps.value + maps.value_bias, heads)
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    past = np.tri(scores.shape[-1], dtype=bool)
    return merge(share(scores, past) @ v) @ maps.output + maps.output_bias


def think(x, maps):
    return np.maximum(x @ maps.inner + maps.inner_bias, 0) @ maps.outer + maps.outer_bias


def normed(x, gain, bias):
    """A layer norm that lets NaN pass."""
    spread = np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return (x - x.mean(-1, keepdims=True)) / spread * gain + bias


def block(x, look, think, norm_1, norm_2):
    looked = x + look(norm_1(x))
    return looked + think(norm_2(looked))


def one_after_the_other(x, layers, norm=None):
    for layer in layers:
        x = layer(x)
    return x


def around_each(step):
    """A loop that does otherwise with each layer. step(x, layer, norm), the norm is the last one"""

    def stack(x, layers, norm):
        for layer in layers:
            x = step(x, layer, norm)
        return x

    return stack


def finish(x, norm, scores):
    """(B, T, V)"""
    return scores(norm(x))


def without_norm(x, norm, scores):
    return scores(x)


def gpt(
    embed=embed, look=look, think=think, block=block, stack=one_after_the_other,
    finish=finish, later=None,
):  # fmt: skip
    """A whole model with other parts in it, as a function of ids and its sizes.

    later: how all layers but the first look, if not as that does.
    """

    def model(ids, V, D, heads, layers, length):
        course = random_model(V, D, heads, layers, length)
        arrays = {name: each.detach().numpy() for name, each in course.named_parameters()}
        looks = [look, *[later or look] * (layers - 1)]
        made = [
            _layer(each, heads, how, think, block)
            for each, how in zip(_parameters(course), looks, strict=True)
        ]
        x = embed(ids, arrays["tokens.tokens.weight"], arrays["tokens.positions"])

        def norm(x):
            return normed(x, arrays["decoder.norm.weight"], arrays["decoder.norm.bias"])

        def scores(x):
            return x @ arrays["output.weight"].T + arrays["output.bias"]

        return finish(stack(x, made, norm), norm, scores)

    return model


def _parameters(course):
    from lib.layers import EncoderLayerParameters

    return [EncoderLayerParameters.from_torch(layer) for layer in course.decoder.layers]


def _layer(parameters, heads, look, think, block):
    norms = [
        lambda x, norm=norm: normed(x, norm.gain, norm.bias)
        for norm in (parameters.norm_1, parameters.norm_2)
    ]

    def looks(x):
        return look(x, parameters.attention, heads)

    def thinks(x):
        return think(x, parameters.feed_forward)

    return lambda x: block(x, looks, thinks, *norms)


def with_maps(change):
    """An attention whose maps are exchanged. change(maps) -> maps"""
    return lambda x, maps, heads: look(x, change(maps), heads)


def same_map(to, source):
    return with_maps(
        lambda maps: replace(
            maps, **{to: getattr(maps, source), f"{to}_bias": getattr(maps, f"{source}_bias")}
        )
    )


def swapped(one, other):
    return with_maps(
        lambda maps: replace(
            maps,
            **{
                one: getattr(maps, other),
                f"{one}_bias": getattr(maps, f"{other}_bias"),
                other: getattr(maps, one),
                f"{other}_bias": getattr(maps, f"{one}_bias"),
            },
        )
    )


def without_output(x, maps, heads):
    width = len(maps.output)
    return look(x, replace(maps, output=np.eye(width), output_bias=np.zeros(width)), heads)


def over(axis):
    """The softmax over another axis of (B, H, T, T)."""
    return lambda x, maps, heads: look(
        x, maps, heads, share=lambda scores, past: _over(scores, past, axis)
    )


def _over(scores, past, axis):
    powers = np.exp(scores) * past
    return np.nan_to_num(powers / powers.sum(axis, keepdims=True))


def everywhere(x, maps, heads):
    """Attention without a mask."""
    return look(x, maps, heads, share=lambda scores, past: library_softmax(scores))


def batch_places(ids, tokens, places):
    if len(ids) > len(places):
        raise ValueError("there are not so many places")
    return tokens[ids] + places[: len(ids), None]


def gelu(x, maps):
    return feed_forward(x, replace(maps, activation="gelu_tanh"))


def no_relu(x, maps):
    return (x @ maps.inner + maps.inner_bias) @ maps.outer + maps.outer_bias


def shares(x, norm, scores):
    return library_softmax(scores(norm(x)))


MISTAKES = {
    "the places are missing: a model that does not know where the characters stand has a bag of "
    "them.": [gpt(embed=lambda ids, tokens, places: tokens[ids])],
    "the tokens are missing; a place's vector is added to that of its character.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] * 0 + places[: ids.shape[1]])
    ],
    "the places are counted from the end of the table; the first character has row 0.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] + places[-ids.shape[1] :])
    ],
    "the places run backwards; the first character has row 0, the last row T - 1.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] + places[: ids.shape[1]][::-1])
    ],
    "the places are shifted by one; the first character has row 0.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] + places[1 : ids.shape[1] + 1])
    ],
    "all places get row 0; place t has row t.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] + places[0])
    ],
    "text b got the vector of place b, by the batch axis; place t has row t.": [
        gpt(embed=batch_places)
    ],
    "you looked the places up by the characters; they are counted, 0 to T - 1.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] + places[ids])
    ],
    "you multiplied tokens and places; add them.": [
        gpt(embed=lambda ids, tokens, places: tokens[ids] * places[: ids.shape[1]])
    ],
    "the tokens are multiplied by √D, as in the paper; here they are added as they are.": [
        gpt(
            embed=lambda ids, tokens, places: (
                tokens[ids] * tokens.shape[1] ** 0.5 + places[: ids.shape[1]]
            )
        )
    ],
    "the last norm is made, but never used; it comes after all layers.": [gpt(finish=without_norm)],
    "these are shares; give the scores, the loss makes the shares itself.": [gpt(finish=shares)],
    "these are logarithms of shares; give the scores as they are.": [
        gpt(finish=lambda x, norm, scores: np.log(shares(x, norm, scores)))
    ],
    "only the last row came back; in training every row has a character to say.": [
        gpt(finish=lambda x, norm, scores: scores(norm(x))[:, -1]),
        gpt(finish=lambda x, norm, scores: scores(norm(x))[:, -1:]),
    ],
    "the scores stand in the second axis: (B, V, T); return (B, T, V).": [
        gpt(finish=lambda x, norm, scores: scores(norm(x)).swapaxes(1, 2))
    ],
    "only one layer has a mask; each one needs it.": [
        gpt(later=everywhere),
        gpt(look=everywhere, later=look),
    ],
    "no layer works: the vectors go straight to the scores.": [
        gpt(stack=lambda x, layers, norm: x)
    ],
    "only the first layer works; x goes through one after the other.": [
        gpt(stack=lambda x, layers, norm: layers[0](x))
    ],
    "only the last layer works; each one takes what the one before it gave.": [
        gpt(stack=lambda x, layers, norm: layers[-1](x))
    ],
    "each layer works twice; once is enough.": [
        gpt(stack=around_each(lambda x, layer, norm: layer(layer(x)))),
        gpt(stack=lambda x, layers, norm: one_after_the_other(x, [*layers, *layers])),
    ],
    "the layers run from the last to the first.": [
        gpt(stack=lambda x, layers, norm: one_after_the_other(x, layers[::-1]))
    ],
    "each layer reads the first vectors; it takes what the one before it gave.": [
        gpt(stack=lambda x, layers, norm: x + sum(layer(x) - x for layer in layers)),
        gpt(stack=lambda x, layers, norm: sum(layer(x) for layer in layers)),
    ],
    "x is added to what a layer gives; the layer adds it already: x = layer(x, ...).": [
        gpt(stack=around_each(lambda x, layer, norm: x + layer(x)))
    ],
    "the last norm works in the loop; it comes once, after all layers.": [
        gpt(stack=around_each(one), finish=finished)
        for one in (
            lambda x, layer, norm: norm(layer(x)),
            lambda x, layer, norm: layer(norm(x)),
        )
        for finished in (finish, without_norm)
    ],
    "the last norm works twice; once is enough.": [
        gpt(finish=lambda x, norm, scores: scores(norm(norm(x))))
    ],
    "the last norm works before the layers; it comes after them.": [
        gpt(stack=lambda x, layers, norm: one_after_the_other(norm(x), layers), finish=finished)
        for finished in (finish, without_norm)
    ],
    "a ReLU at the end cuts off what is below 0; the last map's scores stay as they are.": [
        gpt(finish=lambda x, norm, scores: scores(norm(x)).clip(0)),
        gpt(finish=lambda x, norm, scores: scores(norm(x).clip(0))),
    ],
    "this is GELU, which GPT-2 has; here it is ReLU.": [
        gpt(think=gelu),
        gpt(think=lambda x, maps: feed_forward(x, replace(maps, activation="gelu"))),
    ],
    "nothing stands between the two maps that think; ReLU is missing.": [gpt(think=no_relu)],
    "all scores are NaN: one row of the mask hides everything (is it the wrong way round?), or "
    "-inf stands among the weights; each place sees itself.": [
        gpt(look=lambda x, maps, heads: x * np.nan)
    ],
    "the map output is missing; the merged heads go through it.": [gpt(look=without_output)],
    "the maps key and value are swapped; keys are compared, values are mixed.": [
        gpt(look=swapped("key", "value"))
    ],
    "one map does the work of two; queries, keys and values have one each.": [
        gpt(look=same_map(to, source))
        for to in ("query", "key", "value")
        for source in ("query", "key", "value")
        if to != source
    ],
    "attention runs with one head; cut the columns into heads.": [
        gpt(look=lambda x, maps, heads: look(x, maps, 1))
    ],
    "the softmax runs over the heads; each query shares out over the keys, axis -1.": [
        gpt(look=over(1))
    ],
}
OF_CUTTING = ("split", "merge")
for sentence, choices in WRONG_PARTS.items():
    kept = [parts for parts in choices if set(parts) <= set(OF_CUTTING)]
    if kept:
        MISTAKES[sentence] = [
            gpt(look=lambda x, maps, heads, parts=parts: look(x, maps, heads, **parts))
            for parts in kept
        ]
# One head is as wide as its values, so the first three cannot be made, or are right; the fourth is
# said above; and what gives NaN in one head gives NaN everywhere behind it.
NOT_HERE = (
    "you divided by √d_v",
    "these are the weights;",
    "you averaged x;",
    "queries are compared with queries",
    "-inf stands among the weights",
    "the softmax runs over the texts",
)
GIVES_NAN = (HIDES_THE_PAST, "a place does not see itself")  # the first answer of each
for sentence, attends in HEAD_MISTAKES.items():
    if not sentence.startswith(NOT_HERE):
        some = attends[1:] if sentence.startswith(GIVES_NAN) else attends
        MISTAKES[sentence] = [gpt(look=heads_apart(attend)) for attend in some]
for sentence, blocks in BLOCK_MISTAKES.items():
    MISTAKES[sentence] = [gpt(block=each) for each in blocks]
