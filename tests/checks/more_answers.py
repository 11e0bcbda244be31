"""More answers for the bank, found by readers after it was written; importing this adds them.

The first part changes what the bank says of an answer that it has already.
"""

import numpy as np
import torch

import lib.attention
import lib.layers
import lib.masks
import lib.positions
from tests.checks.bank import BANK, right, wrong

# What changed


def rename(check, old, new, fits=None):
    """Expect another part of a sentence for the wrong answers that fit."""
    wrongs = BANK[check].wrong
    chosen = [place for place, (arguments, part) in enumerate(wrongs) if part.startswith(old)]
    if fits is not None:
        chosen = [place for place in chosen if fits(*wrongs[place][0])]
    assert chosen, f"the bank has no wrong answer to {check} with {old!r} that this is about"
    for place in chosen:
        wrongs[place] = (wrongs[place][0], new)


def no_longer_right(check, part, fits):
    """What the bank has as right, and fits, is wrong."""
    rights = BANK[check].right
    chosen = [arguments for arguments in rights if fits(*arguments)]
    assert chosen, f"the bank has no right answer to {check} that this is about"
    for arguments in chosen:
        rights.remove(arguments)
        BANK[check].wrong.append((arguments, part))


def no_longer_wrong(check, old):
    """What the bank has as wrong, with this part of a sentence, is right."""
    chosen = [entry for entry in BANK[check].wrong if entry[1].startswith(old)]
    assert chosen, f"the bank has no wrong answer to {check} with {old!r}"
    for entry in chosen:
        BANK[check].wrong.remove(entry)
        BANK[check].right.append(entry[0])


def gives_a_pair(answer):
    try:
        return isinstance(answer(np.eye(2, 3), np.eye(4, 3)), tuple)
    except (TypeError, ValueError):  # made for tensors
        return False


def loses_a_row(answer, scores):
    """Whether the weights of a row no longer add up to 1 beside a masked score, the last one."""
    mask = np.arange(len(scores)) < len(scores) - 1
    try:
        with np.errstate(all="ignore"):
            weights = np.asarray(answer(np.array([scores]), mask[None]))
    except (AttributeError, TypeError):  # made for tensors
        return False
    return not np.allclose(weights.sum(-1), 1)


def is_a_product(answer):
    return np.isclose(answer(np.array([0.5, 0.4, 0.3])), 0.06)


def overflows(answer):
    return loses_a_row(answer, [1000.0, 1000.0, 0.0])


def vanishes(answer):
    return loses_a_row(answer, [1.0, 2.0, 3000.0])


FAR_ABOVE = "right until a masked score is far above the others"
BANK.pop("rank", None)  # no page asks for it
rename("cut_arrow", "equal parts of it", "equal parts")
rename("merge_heads", "the shape is right, but at", "dealt the columns out like cards")
rename("masked_softmax", "a row of False alone is NaN", FAR_ABOVE, fits=vanishes)
rename("perplexity", "the minus is missing", "probability of the whole text", fits=is_a_product)
no_longer_wrong("padding_mask", "the result is shape (2, 1, 5)")  # as lib.masks makes it
no_longer_right(
    "scaling", "2 arrays; return the output alone", fits=gives_a_pair
)  # weights and scores: two results
no_longer_right("masked_softmax", FAR_ABOVE, fits=vanishes)
no_longer_right("masked_softmax", "right for small scores, but exp(1000) is inf", fits=overflows)


# Attention: every mistake, in each of the exercises that could have it


def soft(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def scored(q, k):
    return q @ np.swapaxes(k, -1, -2)


def scaled(q, k):
    return scored(q, k) / np.sqrt(q.shape[-1])


def of_the_best_key(q, k):
    return np.eye(k.shape[-2])[scored(q, k).argmax(-1)]


def of_unit_vectors(q, k):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    k = k / np.linalg.norm(k, axis=-1, keepdims=True)
    return soft(scored(q, k))


def largest_of_rows_and_sums_of_columns(q, k):
    powers = np.exp(scaled(q, k) - scaled(q, k).max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


def over_the_table(q, k):
    powers = np.exp(scaled(q, k))
    return powers / powers.sum(axis=(-2, -1), keepdims=True)


WRONG_WEIGHTS = [
    ("divided by d_k;", lambda q, k: soft(scored(q, k) / q.shape[-1])),
    ("multiplied by sqrt(d_k)", lambda q, k: soft(scored(q, k) * np.sqrt(q.shape[-1]))),
    ("sqrt(S)", lambda q, k: soft(scored(q, k) / np.sqrt(k.shape[-2]))),
    ("divided by d_k / 2", lambda q, k: soft(scored(q, k) / (q.shape[-1] ** 1 / 2))),
    ("divided by 8", lambda q, k: soft(scored(q, k) / 8)),
    ("a cosine", of_unit_vectors),
    ("over the queries", largest_of_rows_and_sums_of_columns),
    ("whole table", over_the_table),
    ("there is no softmax", scaled),
    ("the best key", of_the_best_key),
    ("the same weight", lambda q, k: soft(0 * scored(q, k))),
    ("two mistakes: there is no scaling; the scores have to be divided", scored),
    ("And there is no softmax", scored),
    ("And the softmax runs over the queries", lambda q, k: soft(scored(q, k), axis=-2)),
]
TURNED_WEIGHTS = [
    ("queries and keys are swapped", lambda q, k: soft(scaled(k, q))),
    ("transposed", lambda q, k: np.swapaxes(soft(scaled(q, k)), -1, -2)),
]


def with_weights(make):
    """The three exercises of pages 4 and 5, with weights of another kind."""

    def attention(queries, keys, values):
        return make(queries, keys) @ values

    def cross_attention(target, source, W_Q, W_K, W_V):
        return make(target @ W_Q, source @ W_K) @ (source @ W_V)

    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        q, k, v = in_heads(X @ W_Q, heads), in_heads(X @ W_K, heads), in_heads(X @ W_V, heads)
        return joined(make(q, k) @ v) @ W_O

    return {"attention": attention, "cross_attention": cross_attention, "multi_head": multi_head}


def in_heads(x, heads):
    return np.stack(np.split(x, heads, axis=-1), axis=1)


def joined(x):
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)


for sentence, make in WRONG_WEIGHTS:
    wrong("scaling", sentence)(make)
    for check, answer in with_weights(make).items():
        wrong(check, sentence)(answer)
for sentence, make in TURNED_WEIGHTS:
    for check, answer in with_weights(make).items():
        swaps_matrices = check == "multi_head" and "swapped" in sentence
        wrong(check, "W_Q and W_K are swapped" if swaps_matrices else sentence)(answer)


@wrong("multi_head", "root of the number of heads")
def _(X, W_Q, W_K, W_V, W_O, heads):
    q, k, v = in_heads(X @ W_Q, heads), in_heads(X @ W_K, heads), in_heads(X @ W_V, heads)
    return joined(soft(scored(q, k) / np.sqrt(heads)) @ v) @ W_O


@wrong("cross_attention", "sqrt(d_v)")
def _(target, source, W_Q, W_K, W_V):
    return soft(scored(target @ W_Q, source @ W_K) / np.sqrt(W_V.shape[1])) @ (source @ W_V)


@wrong("cross_attention", "W_Q made the keys too")
def _(target, source, W_Q, W_K, W_V):
    return soft(scaled(target @ W_Q, source @ W_Q)) @ (source @ W_V)


@wrong("multi_head", "W_K and W_V are swapped")
def _(X, W_Q, W_K, W_V, W_O, heads):
    q, k, v = in_heads(X @ W_Q, heads), in_heads(X @ W_V, heads), in_heads(X @ W_K, heads)
    return joined(soft(scaled(q, k)) @ v) @ W_O


@wrong("multi_head", ".T turns all axes round")
def _(X, W_Q, W_K, W_V, W_O, heads):
    q, k, v = in_heads(X @ W_Q, heads), in_heads(X @ W_K, heads), in_heads(X @ W_V, heads)
    return joined(soft(q @ k.T / np.sqrt(q.shape[-1])) @ v) @ W_O


@wrong("attention", "you have")  # nobody rounded: / in place of -, and the largest is near 1
def _(queries, keys, values):
    powers = np.exp(scaled(queries, keys) / scaled(queries, keys).max())
    return powers / powers.sum(-1, keepdims=True) @ values


@wrong("attention", "the output comes first")
def _(queries, keys, values):
    weights = soft(scaled(queries, keys))
    return weights, weights @ values


@wrong("attention", "3 arrays; return the output alone")
def _(queries, keys, values):
    scores = scaled(queries, keys)
    return soft(scores) @ values, soft(scores), scores


@wrong("attention", "2 arrays; return the output alone")
def _(queries, keys, values):
    weights = soft(scaled(queries, keys))
    return [weights @ values, weights]


@wrong("attention", "can be given by name only")
def _(*, queries, keys, values):
    return soft(scaled(queries, keys)) @ values


@wrong("attention", "async")
async def _(queries, keys, values):
    return soft(scaled(queries, keys)) @ values


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no text either")


@wrong("attention", "cannot be printed")
def _(queries, keys, values):
    raise UnprintableError


@wrong("attention", "a tensor that NumPy cannot read (torch.bfloat16")
def _(queries, keys, values):
    return torch.tensor(soft(scaled(queries, keys)) @ values).bfloat16()


# Results that are more than one, in every exercise but those


PAIRS = {
    "all_pairs": lambda X: (X @ X.T, X),
    "softmax": lambda scores: (lib.attention.softmax(scores), scores),
    "softmax_jacobian": lambda p: (np.diag(p) - np.outer(p, p), p),
    "split_heads": lambda x, heads: (lib.attention.split_heads(x, heads), x.shape[-1] // heads),
    "merge_heads": lambda x: (lib.attention.merge_heads(x), x),
    "positions": lambda length, d_model: (
        lib.positions.sinusoidal_positions(length, d_model),
        np.arange(length),
    ),
    "add_positions": lambda x, table: (x + table[: x.shape[1]], table),
    "rotary": lambda x: (lib.positions.rotary(x, np.arange(len(x))), np.arange(len(x))),
    "layer_norm": lambda x, gain, bias: (lib.layers.layer_norm(x) * gain + bias, x.mean(-1)),
    "post_norm": lambda x, run, norm: (norm(x + run(x)), run(x)),
    "shift_right": lambda target, start: (np.full_like(target[:, :1], start), target[:, :-1]),
    "causal_mask": lambda T: (np.tri(T, dtype=bool), T),
    "padding_mask": lambda lengths, S: (lib.masks.padding_mask(lengths, S), S),
    "masked_softmax": lambda scores, mask: (
        lib.attention.softmax(np.where(mask, scores, -np.inf)),
        mask,
    ),
    "label_smoothing": lambda right, words, epsilon: (
        (1 - epsilon) * np.eye(words)[right] + epsilon / words,
        epsilon,
    ),
}
for check, answer in PAIRS.items():
    wrong(check, "; return the output alone")(answer)


@wrong("decoder_sublayers", "2 arrays; return the output alone")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h), h


@wrong("cut_arrow", "2 arrays; return the output alone")
def _(weights, query, key):
    kept = weights.copy()
    kept[:, query, key] = 0
    kept[:, query] /= kept[:, query].sum(-1, keepdims=True)
    return kept, weights


# Page 1

wrong("dot_product", "the sign is reversed")(lambda q, k: -(q @ k))
wrong("dot_product", "you dropped the sign")(lambda q, k: abs(q @ k))
wrong("dot_product", "only two components")(lambda q, k: q[0] * k[0] + q[1] * k[1])
wrong("cosine", "in degrees")(
    lambda q, k: np.degrees(np.arccos(q @ k / np.linalg.norm(q) / np.linalg.norm(k)))
)
wrong("cosine", "one minus the cosine")(
    lambda q, k: 1 - q @ k / np.linalg.norm(q) / np.linalg.norm(k)
)
wrong("cosine", "len counts components")(lambda q, k: q @ k / (len(q) * len(k)))


# Pages 2 and 3


@wrong("softmax", "right for the first inputs, but with others your rows sum to 0.00")
def _(scores):
    powers = np.exp(scores)
    return np.nan_to_num(powers / powers.sum(-1, keepdims=True))


@wrong("softmax", "Do not round")
def _(scores):
    return lib.attention.softmax(scores).round(2)


BANK["score_spread"].wrong += [
    (((2 + 3) * 4,), "you added 2 and 3"),
    ((4 * 9,), "one product's variance"),
    ((4 * 36,), "the root of 16, but not of 36"),
    ((np.sqrt(16 * 6),), "variances multiply"),
]
wrong("softmax_jacobian", "twice")(lambda p: np.diag(p - p * p) - np.outer(p, p))
wrong("softmax_jacobian", "p on the diagonal is missing")(lambda p: -np.outer(p, p))
wrong("softmax_jacobian", "off the diagonal it is minus")(lambda p: np.diag(p) + np.outer(p, p))
wrong("softmax_jacobian", "every entry is negative")(lambda p: np.outer(p, 1 - p))
wrong("softmax_jacobian", "one row that all rows repeat")(lambda p: np.diag(p) - p * p)
wrong("softmax_jacobian", "one row that all rows repeat")(lambda p: p * (np.eye(len(p)) - p))
wrong("softmax_jacobian", "diag(p) alone")(lambda p: np.diag(p))


# Page 5


@wrong("split_heads", "you swapped before you cut")
def _(x, heads):
    B, T, d = x.shape
    return x.swapaxes(1, 2).reshape(B, heads, T, d // heads)


@right("split_heads")  # the check says that NumPy's transpose is another
def _(x, heads):
    B, T, d = x.shape
    return x.reshape(B, T, heads, d // heads).transpose(1, 2)


@wrong("merge_heads", "you swapped the heads with their columns")
def _(x):
    B, H, T, d = x.shape
    return x.swapaxes(1, 3).reshape(B, T, H * d)


@wrong("merge_heads", "view needs .contiguous() before it")
def _(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).view(B, T, H * d)


@wrong("parameter_count", "W_Q, W_K and W_V of full width")
def _(d_model, heads):
    return heads * 3 * d_model**2 + d_model**2


@wrong("parameter_count", "you have")
def _(d_model, heads):
    return 4 * d_model ** (2 * heads)


@wrong("parameter_count", "a number of about")
def _(d_model, heads):
    return d_model ** (200 * heads)


# Pages 6 to 8


@wrong("rotary", "i counts the pairs")
def _(x):
    T, d = x.shape
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(d // 2) / d)
    return turned(x, angles)


@wrong("rotary", "i counts the pairs")
def _(x):
    T, d = x.shape
    angles = np.arange(T)[:, None] / 10000 ** (2 * np.arange(0, d, 2) / d)
    return turned(x, angles)


@wrong("rotary", "ValueError")
def _(x):
    T, d = x.shape
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, T, 2) / d)
    return turned(x, angles)


def turned(x, angles):
    a, b = x[:, ::2], x[:, 1::2]
    out = np.empty_like(x)
    out[:, ::2] = a * np.cos(angles) - b * np.sin(angles)
    out[:, 1::2] = b * np.cos(angles) + a * np.sin(angles)
    return out


@wrong("layer_norm", "RMS norm")
def _(x, gain, bias):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * gain + bias


@wrong("layer_norm", "epsilon, 1e-5, goes inside the root")
def _(x, gain, bias):
    deviation = np.sqrt(x.var(-1, keepdims=True) + 1e-5) + 1e-5
    return (x - x.mean(-1, keepdims=True)) / deviation * gain + bias


@wrong("layer_norm", "epsilon, 1e-5, goes inside the root")
def _(x, gain, bias):
    centred = x - x.mean(-1, keepdims=True) + 1e-5
    return centred / np.sqrt(x.var(-1, keepdims=True)) * gain + bias


wrong("post_norm", "changes its size")(lambda x, run, norm: norm((x + run(x)) / 2))
wrong("post_norm", "changes its size")(lambda x, run, norm: norm(2 * (x + run(x))))
wrong("post_norm", "changes its size")(lambda x, run, norm: norm((x + run(x)) / np.sqrt(2)))
wrong("post_norm", "one norm is enough")(lambda x, run, norm: norm(norm(x + run(x))))


@wrong("post_norm", "use the norm that is given")
def _(x, run, norm):
    total = x + run(x)
    centred = total - total.mean(-1, keepdims=True)
    return centred / np.sqrt(total.var(-1, keepdims=True) + 1e-5)


@wrong("post_norm", "use the norm that is given")
def _(x, run, norm):
    total = x + run(x)
    return norm(total - total.mean(-1, keepdims=True))


@wrong("greedy", "right until a word follows itself")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest:
        word = int(np.argmax(step(words)))
        if word in (end, words[-1]):
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "right until a word follows itself")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        scores = np.array(step(words))
        scores[words[-1]] = -np.inf
        word = int(scores.argmax())
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("decoder_sublayers", "self-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + cross_attend(x, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of cross-attention added x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = x + cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "all three got x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    return x + self_attend(x) + cross_attend(x, memory) + feed_forward(x)


# Page 9

right("padding_mask")(lambda lengths, S: (np.arange(S) < lengths[:, None])[:, None, :])


@wrong("padding_mask", "a sentence without padding sees nothing")
def _(lengths, S):
    mask = np.ones((len(lengths), S, S), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, :, -(S - n) :] = False
    return mask


@wrong("padding_mask", "a sentence without padding sees nothing")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, :, : n - S] = True
    return mask


@wrong("causal_mask", "an array of dtype")
def _(T):
    return np.where(np.tri(T), "True", "False")


@wrong("causal_mask", "you have 0.25 where")
def _(T):
    return np.tri(T) * 0.25


@wrong("masked_softmax", "right for small scores, but exp(1000) is inf")
def _(scores, mask):
    powers = np.exp(scores) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    weights = soft(scores) * mask
    return weights / (weights.sum(-1, keepdims=True) + 1e-9)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    powers = np.exp(scores - scores.max(-1, keepdims=True)) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


@wrong("masked_softmax", "only a little below the lowest score")
def _(scores, mask):
    return soft(np.where(mask, scores, scores.min() - 5))


@wrong("masked_softmax", "you have")  # not "whatever numbers come in": the largest open score
def _(scores, mask):
    largest = np.where(mask, scores, -np.inf).argmax(-1)
    return np.eye(scores.shape[1])[largest]


# Page 10


@wrong("label_smoothing", "do not write over it")
def _(right, words, epsilon):
    rows = np.full((len(right), words), epsilon / words)
    rows[np.arange(len(right)), right] = 1 - epsilon
    return rows


@wrong("label_smoothing", "words - 1 parts")
def _(right, words, epsilon):
    return (1 - epsilon) * np.eye(words)[right] + epsilon / (words - 1)


@wrong("learning_rate", "np.minimum")
def _(step, d_model, warm_up):
    return d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5)


@wrong("learning_rate", "has its power the minus")
def _(step, d_model, warm_up):
    return d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**1.5)


@wrong("cut_arrow", "equal parts")
def _(weights, query, key):
    kept = weights.copy()
    kept[:, query] = 1 / (weights.shape[-1] - 1)
    kept[:, query, key] = 0
    return kept


@wrong("cut_arrow", "the first axis of weights is the heads")
def _(weights, query, key):
    kept = weights.copy()
    kept[query, key] = 0
    return kept / kept.sum(-1, keepdims=True)


@wrong("cut_arrow", "the whole head")
def _(weights, query, key):
    kept = weights.copy()
    kept[:, query, key] = 0
    return kept / kept.sum(axis=(1, 2), keepdims=True)


# Page 11


@wrong("top_p", "right unless words reach p exactly")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    reached = np.cumsum(probabilities[order])
    return shared(probabilities, order[: 1 + (reached <= p).sum()])


@wrong("top_p", "right unless words reach p exactly")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    reached = np.cumsum(probabilities[order])
    return shared(probabilities, order[: np.argmax(reached > p) + 1])


@wrong("top_p", "right unless words reach p exactly")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    count = np.searchsorted(np.cumsum(probabilities[order]), p, side="right") + 1
    return shared(probabilities, order[:count])


@wrong("top_p", "you kept a share of the words")
def _(probabilities, p):
    count = int(np.ceil(p * len(probabilities)))
    return shared(probabilities, np.argsort(-probabilities)[:count])


@wrong("top_p", "you have")  # one word, and no int array
def _(probabilities, p):
    return np.eye(len(probabilities))[probabilities.argmin()]


def shared(probabilities, kept):
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()
