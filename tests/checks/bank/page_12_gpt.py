"""Page 12, a GPT: answers to bits and pair_shares, functions of its training."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

# bits


@right("bits")
def _(logits, to_write):
    total = 0
    for text, wanted in zip(logits, to_write, strict=True):
        for row, character in zip(text, wanted, strict=True):
            total -= np.log2(softmax(row)[character])
    return total / to_write.size


@right("bits")
def _(logits, to_write):
    logs = logits.log_softmax(-1)
    return -logs.gather(-1, to_write[..., None]).mean() / np.log(2)


@right("bits")
def _(logits, to_write):
    return F.cross_entropy(logits.flatten(0, 1), to_write.flatten()) / np.log(2)


right("bits")(
    lambda logits, to_write: F.cross_entropy(logits.transpose(1, 2), to_write) / np.log(2)
)

wrong("bits", "the base of the logarithm")(
    lambda logits, to_write: F.cross_entropy(logits.flatten(0, 1), to_write.flatten())
)
wrong("bits", "you multiplied by the logarithm of 2")(
    lambda logits, to_write: F.cross_entropy(logits.flatten(0, 1), to_write.flatten()) * np.log(2)
)
wrong("bits", "the softmax runs over the places")(
    lambda logits, to_write: (
        -logits.log_softmax(1).gather(-1, to_write[..., None]).mean() / np.log(2)
    )
)
wrong("bits", "over the texts of the batch")(
    lambda logits, to_write: (
        -logits.log_softmax(0).gather(-1, to_write[..., None]).mean() / np.log(2)
    )
)
wrong("bits", "the mean runs over all V characters")(  # nothing was picked
    lambda logits, to_write: -np.log2(np.array(logits.softmax(-1))).mean()
)
wrong("bits", "softmax twice")(
    lambda logits, to_write: F.cross_entropy(logits.softmax(-1).transpose(1, 2), to_write)
)
wrong("bits", "softmax twice")(
    lambda logits, to_write: (
        F.cross_entropy(logits.softmax(-1).transpose(1, 2), to_write) / np.log(2)
    )
)
wrong("bits", "these are logits")(
    lambda logits, to_write: -logits.gather(-1, to_write[..., None]).mean()
)
wrong("bits", "Was a logarithm taken of logits")(
    lambda logits, to_write: -logits.log2().gather(-1, to_write[..., None]).mean()
)
wrong("bits", "cross_entropy takes the classes on axis 1: scores.transpose(1, 2)")(
    lambda logits, to_write: F.cross_entropy(logits, to_write)
)
wrong("bits", "gather takes places with as many axes; x[..., None] adds one")(
    lambda logits, to_write: -logits.log_softmax(-1).gather(-1, to_write).mean() / np.log(2)
)
wrong("bits", "reshape(B, V, T) mixes rows")(
    lambda logits, to_write: (
        F.cross_entropy(logits.reshape(len(logits), logits.shape[2], logits.shape[1]), to_write)
        / np.log(2)
    )
)
for bare in (torch.Tensor.item, torch.Tensor.detach):
    wrong("bits", "it cannot be trained: no gradient comes through")(
        lambda logits, to_write, bare=bare: bare(
            F.cross_entropy(logits.transpose(1, 2), to_write) / np.log(2)
        )
    )


# pair_shares


def counted(ids, V, add):
    counts = np.full((V, V), add)
    for before, after in zip(ids[:-1], ids[1:], strict=True):
        counts[before, after] += 1
    return counts


def by_row(table):
    return table / table.sum(1, keepdims=True)


right("pair_shares")(lambda ids, V, add: by_row(counted(ids, V, add)))


@right("pair_shares")
def _(ids, V, add):
    counts = torch.full((V, V), add)
    counts.index_put_((ids[:-1], ids[1:]), torch.tensor(1.0), accumulate=True)
    return counts / counts.sum(1, keepdim=True)


@right("pair_shares")
def _(ids, V, add):
    counts = torch.bincount(ids[:-1] * V + ids[1:], minlength=V * V).view(V, V) + add
    return counts / counts.sum(1, keepdim=True)


@right("pair_shares")
def _(ids, V, add):
    hot = F.one_hot(ids, V).float()
    counts = hot[:-1].T @ hot[1:] + add
    return F.normalize(counts, p=1, dim=1)


@wrong("pair_shares", "right for a text in which all V characters come")
def _(ids, V, add):
    V = len(set(ids.tolist()))
    return by_row(counted(ids, V, add))


@wrong("pair_shares", "a pair that comes twice counts once")
def _(ids, V, add):
    counts = torch.full((V, V), add)
    counts[ids[:-1], ids[1:]] += 1
    return counts / counts.sum(1, keepdim=True)


@wrong("pair_shares", "index_put_ adds with accumulate")
def _(ids, V, add):
    counts = torch.full((V, V), add)
    counts.index_put_((ids[:-1], ids[1:]), torch.tensor(1.0))
    return counts / counts.sum(1, keepdim=True)


wrong("pair_shares", "a softmax of counts")(
    lambda ids, V, add: torch.tensor(counted(ids, V, add)).softmax(1)
)


@wrong("pair_shares", "each character is paired with itself")
def _(ids, V, add):
    counts = np.full((V, V), add)
    for character in ids:
        counts[character, character] += 1
    return by_row(counts)


@wrong("pair_shares", "a table of whole numbers cuts it off")
def _(ids, V, add):
    counts = np.full((V, V), add, dtype=int)
    np.add.at(counts, (ids[:-1], ids[1:]), 1)
    return by_row(counts)


wrong("pair_shares", "IndexError")(
    lambda ids, V, add: [ids[i] + ids[i + 1] for i in range(len(ids))]
)
