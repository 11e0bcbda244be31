"""Page 9, masking: answers to causal_mask, padding_mask, masked_softmax, is_causal."""

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

wrong("causal_mask", "numbers to add to scores")(
    lambda T: torch.nn.Transformer.generate_square_subsequent_mask(T)
)
wrong("causal_mask", "right, but as numbers; == 1 makes True and False")(
    lambda T: np.tril(np.ones((T, T)))
)
wrong("causal_mask", "right, but as numbers; == 1 makes True and False")(
    lambda T: torch.tril(torch.ones(T, T, dtype=torch.int64))
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


wrong("padding_mask", "you counted from the end")(
    lambda lengths, S: np.stack(
        [np.tile(np.arange(S)[::-1] < length, (S, 1)) for length in lengths]
    )
)


@wrong("padding_mask", "right, but as numbers; == 1 makes True and False")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S))
    for b, length in enumerate(lengths):
        mask[b, :, :length] = 1
    return mask


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

wrong("masked_softmax", "a row of False alone gets weights")(
    lambda scores, mask: softmax(scores - 1e9 * ~mask)
)
wrong("masked_softmax", "a row of False alone gets weights")(
    lambda scores, mask: torch.softmax(
        scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min), dim=-1
    )
)
wrong("masked_softmax", "True and False are swapped")(
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
)
wrong("masked_softmax", "True and False are swapped")(
    lambda scores, mask: softmax(scores - 1e9 * mask)
)
wrong("masked_softmax", "over the queries")(
    lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=0)
)


@wrong("masked_softmax", "right for small scores, but exp(1000) is inf")
def _(scores, mask):
    weights = np.zeros(scores.shape)
    for t in range(len(scores)):
        if mask[t].any():
            e = np.exp(scores[t, mask[t]])
            weights[t, mask[t]] = e / e.sum()
    return weights


@wrong("masked_softmax", "right for small scores, but exp(1000) is inf")
def _(scores, mask):
    e = np.exp(scores) * mask
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):
    weights = softmax(scores) * mask
    return weights / (weights.sum(-1, keepdims=True) + 1e-9)


@wrong("masked_softmax", "hide the score before exp as well")
def _(scores, mask):
    largest = scores.max(-1, keepdims=True, where=mask, initial=scores.min())
    powers = np.exp(scores - largest) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("masked_softmax", "hide the score before exp as well")
def _(scores, mask):
    powers = np.exp(scores - scores.min(-1, keepdims=True)) * mask
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("masked_softmax", "right until a masked score is far above the others")
def _(scores, mask):  # eight digits
    weights = torch.softmax(torch.as_tensor(scores).float(), dim=-1) * mask
    return weights / weights.sum(-1, keepdim=True)


@wrong("masked_softmax", "you have")  # not "whatever numbers come in": the largest open score
def _(scores, mask):
    largest = np.where(mask, scores, -np.inf).argmax(-1)
    return np.eye(scores.shape[1])[largest]


wrong("masked_softmax", "; return the output alone")(
    lambda scores, mask: (lib.attention.softmax(np.where(mask, scores, -np.inf)), mask)
)


# is_causal


def words_of(T, d):
    return np.random.default_rng(7).standard_normal((T, d))


def moved(run, x, j):
    """Which rows move when word j changes."""
    changed = x.copy()
    changed[j] = 99
    return (run(changed) != run(x)).any(axis=1)


@right("is_causal")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] = 99
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "a faint leak passes; change whole words of a random x, keep its length")
def _(run, T, d):  # shorter and shorter sentences
    x = words_of(T, d)
    whole = run(x)
    return all(np.allclose(run(x[:t]), whole[:t]) for t in range(1, T))


@right("is_causal")
def _(run, T, d):  # NaN finds its way through every leak
    for j in range(1, T):
        x = words_of(T, d)
        x[j:] = np.nan
        if np.isnan(run(x)[:j]).any():
            return False
    return True


@right("is_causal")
def _(run, T, d):
    x = torch.randn(T, d)
    for j in range(T):
        changed = x.clone()
        changed[j] = 99
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "return True stand after the loop")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(T):
        return not moved(run, x, j)[:j].any()


@wrong("is_causal", "you test one word alone (does the loop return at once?)")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        return not moved(run, x, j)[:j].any()


@wrong("is_causal", "right for tensors; with the NumPy arrays of this page it stops")
def _(run, T, d):
    x = torch.randn(T, d)
    for j in range(1, T):
        changed = x.clone()
        changed[j] = 99
        if not torch.equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "np.array_equal(a, b) compares all")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(T):
        changed = x.copy()
        changed[j] = 99
        if run(x)[:j] != run(changed)[:j]:
            return False
    return True


@wrong("is_causal", "is the changed x a copy")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x
        changed[j] = 99
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "begin each time with a new copy of x")
def _(run, T, d):
    x = words_of(T, d)
    before = run(x)
    for j in range(1, T):
        changed = x
        changed[j] = 99
        if not np.array_equal(before[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "or ask that all numbers differ")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] = 99
        if not (run(x)[:j] == run(changed)[:j]).any():
            return False
    return True


@wrong("is_causal", "some leaks stay hidden from such a change")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] += 1e-9 * words_of(T, d)[0]
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "you changed one number of a word")
def _(run, T, d):
    x = words_of(T, d)
    for t in range(1, T):
        y = x.copy()
        y[t, 0] += 1
        if not np.array_equal(run(x)[:t], run(y)[:t]):
            return False
    return True


@wrong("is_causal", "you look at the row just before")  # and adds 1, which a layer norm undoes
def _(run, T, d):
    x = words_of(T, d)
    for t in range(1, T):
        y = x.copy()
        y[t] += 1
        if not np.array_equal(run(x)[t - 1], run(y)[t - 1]):
            return False
    return True


@wrong("is_causal", "you compared rows after the changed word")  # and adds 1
def _(run, T, d):
    x = words_of(T, d)
    for t in range(T):
        y = x.copy()
        y[t] += 1
        if not np.array_equal(run(x)[t + 1 :], run(y)[t + 1 :]):
            return False
    return True


wrong("is_causal", "nothing yet; end it with return")(lambda run, T, d: ...)


@wrong("is_causal", "with some inputs your function ends without a return")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        if moved(run, x, j)[:j].any():
            return False


@wrong("is_causal", "right, but as numbers; == 1 makes True and False")
def _(run, T, d):
    x = words_of(T, d)
    return 1 - int(any(moved(run, x, j)[:j].any() for j in range(T)))


@wrong("is_causal", "you test one word alone (does the loop return at once?)")  # the last word
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        is_same = not moved(run, x, j)[:j].any()
    return is_same


for change in (np.negative, lambda word: 2 * word, lambda word: word + 1):

    @wrong("is_causal", "some leaks stay hidden from such a change")
    def _(run, T, d, change=change):
        x = words_of(T, d)
        for j in range(1, T):
            changed = x.copy()
            changed[j] = change(x[j])
            if not np.array_equal(run(x)[:j], run(changed)[:j]):
                return False
        return True


@wrong("is_causal", "no leak is found")  # run never sees the changed words
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[1:] = 99
    return np.array_equal(run(x)[:1], run(x)[:1])


@wrong("is_causal", "compare two outputs of run")
def _(run, T, d):
    return not np.triu(run(words_of(T, d)), 1).any()


@wrong("is_causal", "only the rows before the changed word")
def _(run, T, d):
    x = words_of(T, d)
    return not any(moved(run, x, j).any() for j in range(T))


@wrong("is_causal", "you cut at one place only")
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[T // 2 :] = 99
    return np.array_equal(run(x)[: T // 2], run(changed)[: T // 2])


@wrong("is_causal", "you looked at the first row only")
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[1:] = 99
    return np.array_equal(run(x)[0], run(changed)[0])


@wrong("is_causal", "a faint leak passes")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] = 99
        if not np.allclose(run(x)[:j], run(changed)[:j], atol=0.1):
            return False
    return True


for shape, x_of in {
    "(4,)": lambda T, d: np.arange(T) * 1.0,
    "(4, 4)": lambda T, d: np.eye(T),
    "(1, 4, 3)": lambda T, d: words_of(T, d)[None],
}.items():
    wrong("is_causal", f"run takes x (T, d), words of 3 numbers each, not {shape}")(
        lambda run, T, d, x_of=x_of: not moved(run, x_of(T, d), 0).any()
    )
