"""What page 14 measures of its real model: looks, cuts read out in two places, the sink's shares.

``real`` is a lib.pretrained.fetched.RealModel, whose ``measured`` calls these functions. A cut is a
boolean array (layers, H, T, T), True = this look is taken away.
"""

import numpy as np

from lib.attention import merge_heads, multi_head_attention, project, split_heads
from lib.layers import encoder, encoder_layer, feed_forward, layer_norm
from lib.pretrained.word_pieces import tokens

# -- how far a vector turns ------------------------------------------------------------------------


def cosine(one, other):
    """Of two vectors (d,): the cosine of the angle between them."""
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


def degrees(one, other):
    """The angle between two vectors (d,), in degrees."""
    return np.degrees(np.arccos(np.clip(cosine(one, other), -1, 1)))


def sentence_vector(real, text):
    """(d_model,): the mean of a text's token vectors."""
    return real.bert.run(real.ids(text))[0].mean(0, dtype=float)


def cosines(real, pairs):
    """[cosine of the two sentences' vectors] for each pair of texts."""
    return [cosine(*(sentence_vector(real, text) for text in pair)) for pair in pairs]


# -- which head looks at which noun ----------------------------------------------------------------


def name(head):
    """In words; the 12 heads of each layer are numbered through, from 0."""
    return f"layer {head // 12 + 1}, head {head % 12 + 1}"


def looks(real, pairs, frame, *adjectives):
    """(adjectives, pairs, 2 nouns, heads): what "it" gives to who and to where, in every head.

    frame: a sentence with {who}, {where} and {how}. The heads of all layers are numbered through.
    """
    found = []
    for how in adjectives:
        for who, where in pairs:
            text = frame.format(who=who, where=where, how=how)
            pieces = tokens(text, real.vocabulary)
            maps = np.array(real.bert.run(real.ids(text))[1])  # (layers, H, T, T)
            row = maps[:, :, pieces.index("it")].reshape(-1, len(pieces))  # (heads, T)
            found.append(row[:, [pieces.index(who), pieces.index(where)]].T)
    return np.reshape(found, (len(adjectives), len(pairs), 2, -1)).astype(np.float32)


def fair_share(right_pairs, choosing):
    """The share of the other pairs about which the head is right that some pairs have chosen.

    right_pairs (H, N): which head is right about which pair; choosing (N,): True for those pairs.
    """
    return right_pairs[right_pairs[:, choosing].mean(1).argmax(), ~choosing].mean()


def many_splits(fair_share, tables, few):
    """(flattered, fair): the best head's share of the pairs that chose it, and of the others.

    Means over tables (H, N) of which head is right about which pair; for each, ``few`` of the pairs
    are drawn to choose. fair_share: the reader's function of right_pairs (H, N) and choosing (N,).
    """
    random = np.random.default_rng(1)
    found = []
    for right_pairs in tables:
        choosing = random.permutation(right_pairs.shape[1]) < few  # (N,)
        flattered = right_pairs[:, choosing].mean(1).max()
        found.append([flattered, fair_share(right_pairs, choosing)])
    return tuple(map(float, np.mean(found, axis=0)))


# -- cuts ------------------------------------------------------------------------------------------


def vectors(model, ids, cut=None, is_shared_out=True):
    """The token vectors (T, d_model) behind the last layer, with some looks cut.

    What a cut look had is shared out to the rest of its row. is_shared_out=False leaves the other
    weights as they are, so that only what the cut looks fetched is missing.
    """
    x = model.embed(ids)
    cut = np.zeros((len(model.layers), model.heads, len(x), len(x)), bool) if cut is None else cut
    for p, gone in zip(model.layers, cut, strict=True):
        if is_shared_out:
            x, _ = encoder_layer(x, p, model.heads, ~gone)
        else:
            x = _layer_with_held_weights(x, p, model.heads, gone)
    return x.astype(float)


def _layer_with_held_weights(x, p, heads, gone):
    """lib.layers.encoder_layer, post-norm, without what the looks in gone (H, T, T) fetch."""
    four = p.attention
    _, weights = multi_head_attention(x, x, x, four, heads)  # (H, T, T)
    values = split_heads(project(x, four.value, four.value_bias), heads)  # (H, T, d_v)
    found = project(merge_heads((weights * ~gone) @ values), four.output, four.output_bias)
    x = layer_norm(x + found, p.norm_1.gain, p.norm_1.bias, p.norm_1.epsilon)
    x = x + feed_forward(x, p.feed_forward)
    return layer_norm(x, p.norm_2.gain, p.norm_2.bias, p.norm_2.epsilon)


def cut_of(model, T, query, key, head=None):
    """The cut query → key, of places or slices, in all heads or in one: (layer, number), from 0."""
    cut = np.zeros((len(model.layers), model.heads, T, T), bool)
    cut[(*(head or (slice(None), slice(None))), query, key)] = True
    return cut


def arrow_like(weights, query, key):
    """(query, key) of another arrow of one head's map (T, T) with about the same weight.

    Not of [CLS] and [SEP], the first and the last token.
    """
    distances = np.abs(weights - weights[query, key])
    distances[query, key] = np.inf
    distances[[0, -1]] = np.inf
    distances[:, [0, -1]] = np.inf
    return np.unravel_index(distances.argmin(), distances.shape)


CHANGES = [  # what turns does to a sentence
    "it → noun, layer 4, head 2",
    "the control, in that head",
    "it → noun in all 72 heads",
    "it → because in all heads",
    "it → tired in all heads",
    "it → place in all heads",
    "wide for tired, no cut",
]


def turns(real, pairs, frame, how, other, head):
    """(pairs, CHANGES, 3): degrees by which the mean of all tokens turns, and the token that asks;
    and the weight that was cut, summed over the heads.

    The control is the arrow of that head with about the same weight. frame: a sentence with {who},
    {where} and {how}, and with because or since; how and other: its two adjectives. head: (layer,
    number), from 0.
    """
    model, found = real.bert, []
    for who, where in pairs:
        text = frame.format(who=who, where=where, how=how)
        ids, pieces = real.ids(text), tokens(text, real.vocabulary)
        joined = "because" if "because" in pieces else "since"
        it, *keys = map(pieces.index, ("it", who, joined, how, where))
        maps = np.array(model.run(ids)[1])  # (layers, H, T, T)
        before, T = vectors(model, ids), len(ids)
        query, key = arrow_like(maps[head], it, keys[0])
        cuts = [
            (it, cut_of(model, T, it, keys[0], head)),
            (query, cut_of(model, T, query, key, head)),
        ]
        cuts += [(it, cut_of(model, T, it, key)) for key in keys]
        rows = [
            (*_turned(before, vectors(model, ids, cut), asks), maps[cut].sum())
            for asks, cut in cuts
        ]
        twin = frame.format(who=who, where=where, how=other)
        rows.append((*_turned(before, vectors(model, real.ids(twin)), it), 0))
        found.append(rows)
    return found


def _turned(before, after, token):
    """Degrees by which the mean of all tokens (T, d_model) turns, and this token's own vector."""
    return degrees(before.mean(0), after.mean(0)), degrees(before[token], after[token])


# -- where weight goes when there is nothing to say ------------------------------------------------


def signs_and_words(real, texts):
    """(5, layers), means over the texts and heads: the shares that words give to [CLS], to [SEP]
    and an even share; the lengths of the value of [CLS] and of a word.
    """
    found = []
    for text in texts:
        ids = real.ids(text)
        mean = np.array(real.bert.run(ids)[1])[:, :, 1:-1].mean((1, 2))  # (layers, T)
        length = value_lengths(real.bert, ids)  # (layers, T)
        even = np.full(len(mean), 1 / len(ids))
        found.append([mean[:, 0], mean[:, -1], even, length[:, 0], length[:, 1:-1].mean(1)])
    return np.mean(found, axis=0)


def value_lengths(model, ids):
    """The length of each token's value vector, the mean over the heads: (layers, T)."""
    x, lengths = model.embed(ids), []
    for p in model.layers:
        values = project(x, p.attention.value, p.attention.value_bias)  # (T, d_model)
        by_head = split_heads(values, model.heads)  # (H, T, d_v)
        lengths.append(np.linalg.norm(by_head, axis=-1).mean(0))
        x, _ = encoder_layer(x, p, model.heads)
    return np.array(lengths)


def turns_without_a_column(real, texts):
    """(texts, 3 columns, 2): degrees by which a sentence's vector turns if no other token may look
    at [CLS], at the word in the middle, at [SEP]; with the weight shared out, and with the other
    weights held.
    """
    found = []
    for text in texts:
        ids = real.ids(text)
        before, T = vectors(real.bert, ids).mean(0), len(ids)
        rows = []
        for column in (0, T // 2, T - 1):
            others = np.flatnonzero(np.arange(T) != column)
            cut = cut_of(real.bert, T, others, column)
            both = [vectors(real.bert, ids, cut, is_shared) for is_shared in (True, False)]
            rows.append([degrees(before, after.mean(0)) for after in both])
        found.append(rows)
    return found


def beside(real, run, texts):
    """(texts, 2): the largest difference between run(text), (T, d_model), and what the library
    finds; the degrees between the two means.
    """
    found = []
    for text in texts:
        one, other = run(text), real.bert.run(real.ids(text))[0]
        turn = degrees(one.mean(0, dtype=float), other.mean(0, dtype=float))
        found.append([np.abs(one - other).max(), turn])
    return found


def first_share(model, ids, places):
    """The share of their look that the tokens between the first and the last give to the first.

    The mean over the heads: (layers,). places: for each token, its row of the positions' table.
    """
    _, maps = encoder(model.embed(ids, places=places), model.layers, model.heads)
    return np.array(maps)[:, :, 1:-1, 0].mean((1, 2))
