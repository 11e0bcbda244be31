"""Page 9, masking: answers to causal_mask, padding_mask, masked_softmax."""

import numpy as np
import torch

import lib.attention
import lib.masks
from tests.checks.bank import right, softmax, wrong

# causal_mask

right("causal_mask")(lambda T: [[key <= query for key in range(T)] for query in range(T)])
right("causal_mask")(lambda T: np.arange(T)[:, None] >= np.arange(T))
right("causal_mask")(lambda T: np.triu(np.ones((T, T)), k=1) == 0)
right("causal_mask")(lambda T: torch.ones(T, T, dtype=torch.bool).tril())
right("causal_mask")(lib.masks.causal_mask)

wrong("causal_mask", "True and False are swapped")(
    lambda T: np.triu(np.ones((T, T), dtype=bool), k=1)
)
wrong("causal_mask", "True and False are swapped")(lambda T: np.triu(np.ones((T, T)), k=1))
wrong("causal_mask", "no word sees itself")(lambda T: np.arange(T)[:, None] > np.arange(T))
wrong("causal_mask", "sees the next one")(lambda T: np.tril(np.ones((T, T), dtype=bool), k=1))
wrong("causal_mask", "rows are queries")(lambda T: np.triu(np.ones((T, T), dtype=bool)))
wrong("causal_mask", "numbers to add to scores")(
    lambda T: torch.nn.Transformer.generate_square_subsequent_mask(T)
)
wrong("causal_mask", "numbers to add to scores")(lambda T: (1 - np.tri(T)) * -1e9)
wrong("causal_mask", "nothing is hidden")(lambda T: np.ones((T, T), dtype=bool))
wrong("causal_mask", "mask == 1 makes True and False")(lambda T: np.tril(np.ones((T, T))))
wrong("causal_mask", "mask == 1 makes True and False")(
    lambda T: torch.tril(torch.ones(T, T, dtype=torch.int64))
)
wrong("causal_mask", "at (1, 0) you have False where True is right")(
    lambda T: np.eye(T, dtype=bool)
)
wrong("causal_mask", "an array of dtype")(lambda T: np.where(np.tri(T), "True", "False"))
wrong("causal_mask", "you have 0.25 where")(lambda T: np.tri(T) * 0.25)
wrong("causal_mask", "; return the output alone")(lambda T: (np.tri(T, dtype=bool), T))


# padding_mask


@right("padding_mask")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :, :length] = True
    return mask


right("padding_mask")(
    lambda lengths, S: np.repeat(np.arange(S) < lengths[:, None, None], S, axis=1)
)
right("padding_mask")(
    lambda lengths, S: (torch.arange(S) < lengths[:, None])[:, None].expand(-1, S, -1)
)
right("padding_mask")(lambda lengths, S: lib.masks.padding_mask(lengths, S) & np.ones((S, S), bool))
right("padding_mask")(lambda lengths, S: lib.masks.padding_mask(lengths, S))
right("padding_mask")(lambda lengths, S: (np.arange(S) < lengths[:, None])[:, None, :])


@wrong("padding_mask", "you closed rows, the queries")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :length] = True
    return mask


wrong("padding_mask", "True and False are swapped")(
    lambda lengths, S: np.repeat(np.arange(S) >= lengths[:, None, None], S, axis=1)
)
wrong("padding_mask", "one place too many is open")(
    lambda lengths, S: np.repeat(np.arange(S) <= lengths[:, None, None], S, axis=1)
)
wrong("padding_mask", "the last real word is closed")(
    lambda lengths, S: np.repeat(np.arange(1, S + 1) < lengths[:, None, None], S, axis=1)
)


@wrong("padding_mask", "you closed rows too")
def _(lengths, S):
    real = np.arange(S) < lengths[:, None]
    return real[:, :, None] & real[:, None, :]


wrong("padding_mask", "you counted from the end")(
    lambda lengths, S: np.stack(
        [np.tile(np.arange(S)[::-1] < length, (S, 1)) for length in lengths]
    )
)
wrong("padding_mask", "the result is shape (2, 5); expected (2, 5, 5) or (2, 1, 5)")(
    lambda lengths, S: np.arange(S) < lengths[:, None]
)
wrong("padding_mask", "numbers to add to scores")(
    lambda lengths, S: np.where(
        np.repeat(np.arange(S) < lengths[:, None, None], S, axis=1), 0, -np.inf
    )
)


@wrong("padding_mask", "mask == 1 makes True and False")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S))
    for b, length in enumerate(lengths):
        mask[b, :, :length] = 1
    return mask


wrong("padding_mask", "does your function use its inputs?")(
    lambda lengths, S: np.ones((len(lengths), S, S), dtype=bool)
)


@wrong("padding_mask", "a sentence without padding sees nothing")
def _(lengths, S):
    mask = np.ones((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :, -(S - length) :] = False
    return mask


@wrong("padding_mask", "a sentence without padding sees nothing")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :, : length - S] = True
    return mask


wrong("padding_mask", "; return the output alone")(
    lambda lengths, S: (lib.masks.padding_mask(lengths, S), S)
)


# masked_softmax


right("masked_softmax")(  # additive
    lambda scores, mask: np.nan_to_num(softmax(scores + np.where(mask, 0, -np.inf)))
)
right("masked_softmax")(
    lambda scores, mask: np.where(mask, softmax(np.where(mask, scores, -1e9)), 0)
)
right("masked_softmax")(
    lambda scores, mask: torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1).nan_to_num()
)
right("masked_softmax")(lambda scores, mask: lib.attention.softmax(np.where(mask, scores, -np.inf)))

wrong("masked_softmax", "a row of False alone gets weights")(
    lambda scores, mask: softmax(np.where(mask, scores, -1e9))
)
wrong("masked_softmax", "a row of False alone gets weights")(
    lambda scores, mask: softmax(scores - 1e9 * ~mask)
)
wrong("masked_softmax", "a row of False alone gets weights")(
    lambda scores, mask: torch.softmax(
        scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min), dim=-1
    )
)
wrong("masked_softmax", "a row of False alone is NaN")(
    lambda scores, mask: softmax(np.where(mask, scores, -np.inf))
)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    weights = softmax(scores) * mask
    return weights / weights.sum(axis=-1, keepdims=True)


wrong("masked_softmax", "True and False are swapped")(
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
)
wrong("masked_softmax", "True and False are swapped")(
    lambda scores, mask: softmax(scores - 1e9 * mask)
)
wrong("masked_softmax", "you masked after the softmax")(lambda scores, mask: softmax(scores) * mask)
wrong("masked_softmax", "exp(0) is 1")(lambda scores, mask: softmax(np.where(mask, scores, 0)))
wrong("masked_softmax", "exp(0) is 1")(lambda scores, mask: softmax(scores * mask))
wrong("masked_softmax", "others are below -1 or -50")(
    lambda scores, mask: softmax(np.where(mask, scores, -1))
)
wrong("masked_softmax", "others are below -1 or -50")(
    lambda scores, mask: softmax(np.where(mask, scores, -100))
)
wrong("masked_softmax", "you added 0 and 1")(lambda scores, mask: softmax(scores + mask))
wrong("masked_softmax", "over the queries")(
    lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=0)
)
wrong("masked_softmax", "the mask has no effect")(lambda scores, mask: softmax(scores))


@wrong("masked_softmax", "right for small scores, but exp(1000) is inf")
def _(scores, mask):
    weights = np.zeros(scores.shape)
    for t in range(len(scores)):
        if mask[t].any():
            e = np.exp(scores[t, mask[t]])
            weights[t, mask[t]] = e / e.sum()
    return weights


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):  # after the softmax, renormalised
    weights = softmax(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right for small scores, but exp(1000) is inf")
def _(scores, mask):
    e = np.exp(scores) * mask
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    weights = softmax(scores) * mask
    return weights / (weights.sum(-1, keepdims=True) + 1e-9)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    e = np.exp(scores - scores.max(-1, keepdims=True)) * mask
    total = e.sum(-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


@wrong("masked_softmax", "hide the score before exp as well")
def _(scores, mask):
    largest = np.where(mask, scores, -np.inf).max(-1, keepdims=True)
    powers = np.exp(scores - largest) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("masked_softmax", "hide the score before exp as well")
def _(scores, mask):
    largest = scores.max(-1, keepdims=True, where=mask, initial=-np.inf)
    powers = np.exp(scores - largest) * mask
    return np.nan_to_num(powers / powers.sum(-1, keepdims=True))


@wrong("masked_softmax", "hide the score before exp as well")
def _(scores, mask):
    largest = scores.max(-1, keepdims=True, where=mask, initial=0)
    powers = np.exp(scores - largest) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):  # eight digits
    weights = torch.softmax(torch.as_tensor(scores).float(), dim=-1) * mask
    return weights / weights.sum(-1, keepdim=True)


wrong("masked_softmax", "only a little below the lowest score")(
    lambda scores, mask: softmax(np.where(mask, scores, scores.min() - 5))
)


@wrong("masked_softmax", "you have")  # not "whatever numbers come in": the largest open score
def _(scores, mask):
    largest = np.where(mask, scores, -np.inf).argmax(-1)
    return np.eye(scores.shape[1])[largest]


wrong("masked_softmax", "; return the output alone")(
    lambda scores, mask: (lib.attention.softmax(np.where(mask, scores, -np.inf)), mask)
)
