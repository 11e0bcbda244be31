"""Page 12, generation: answers to bits, pair_shares and write_on, the GPT's functions."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

# bits


def costs(logits, to_write):
    """-log2 of the share of what came (B, T)."""
    logs = np.log2(softmax(logits))
    return -np.take_along_axis(logs, to_write[..., None], -1)[..., 0]


right("bits")(lambda logits, to_write: costs(logits, to_write).mean())


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
wrong("bits", "the base of the logarithm")(
    lambda logits, to_write: costs(logits, to_write).mean() * np.log10(2)
)
wrong("bits", "you multiplied by the logarithm of 2")(
    lambda logits, to_write: F.cross_entropy(logits.flatten(0, 1), to_write.flatten()) * np.log(2)
)
wrong("bits", "the minus is missing")(lambda logits, to_write: -costs(logits, to_write).mean())
wrong("bits", "this is the sum")(lambda logits, to_write: costs(logits, to_write).sum())
wrong("bits", "the bits of the single characters")(costs)
wrong("bits", "the mean runs over all V")(
    lambda logits, to_write: -(np.eye(logits.shape[-1])[to_write] * np.log2(softmax(logits))).mean()
)
wrong("bits", "the logarithm of the mean")(
    lambda logits, to_write: -np.log2((2 ** -costs(logits, to_write)).mean())
)
wrong("bits", "the mean share of what came")(
    lambda logits, to_write: (2 ** -costs(logits, to_write)).mean()
)
wrong("bits", "this is the perplexity")(
    lambda logits, to_write: 2 ** costs(logits, to_write).mean()
)
wrong("bits", "the largest share of each row")(
    lambda logits, to_write: -np.log2(softmax(logits).max(-1)).mean()
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
wrong("bits", "gather picks one for each row")(
    lambda logits, to_write: -np.log2(softmax(logits)[:, :, to_write]).mean()
)
wrong("bits", "shifted once too often")(
    lambda logits, to_write: costs(logits[:, :-1], to_write[:, 1:]).mean()
)
wrong("bits", "Was a logarithm taken of logits")(
    lambda logits, to_write: -logits.log2().gather(-1, to_write[..., None]).mean()
)
wrong("bits", "Expected target size")(  # the classes stand in the second axis there
    lambda logits, to_write: F.cross_entropy(logits, to_write)
)


# pair_shares


def counted(ids, V, add=0.0):
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


wrong("pair_shares", "these are counts")(counted)
wrong("pair_shares", "rows and columns are swapped")(
    lambda ids, V, add: by_row(counted(ids, V, add).T)
)
wrong("pair_shares", "your columns add up to 1")(
    lambda ids, V, add: counted(ids, V, add) / counted(ids, V, add).sum(0)
)
wrong("pair_shares", "keepdim=True keeps a column")(
    lambda ids, V, add: counted(ids, V, add) / counted(ids, V, add).sum(1)
)


@wrong("pair_shares", "right for a text in which all V characters come")
def _(ids, V, add):
    V = len(set(ids.tolist()))
    return by_row(counted(ids, V, add))


@wrong("pair_shares", "right for a text in which all V characters come")
def _(ids, V, add):
    return by_row(counted(ids, int(ids.max()) + 1, add))


wrong("pair_shares", "the sum of the whole table")(
    lambda ids, V, add: counted(ids, V, add) / counted(ids, V, add).sum()
)


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


wrong("pair_shares", "divide by sums in which add is counted too")(
    lambda ids, V, add: counted(ids, V, add) / counted(ids, V).sum(1, keepdims=True)
)
wrong("pair_shares", "the last pair of the text is missing")(
    lambda ids, V, add: by_row(counted(ids[:-1], V, add))
)
wrong("pair_shares", "add is not used")(lambda ids, V, add: by_row(counted(ids, V)))
wrong("pair_shares", "you added 1 to each pair")(lambda ids, V, add: by_row(counted(ids, V, 1.0)))
wrong("pair_shares", "before the division")(
    lambda ids, V, add: np.nan_to_num(by_row(counted(ids, V))) + add
)
wrong("pair_shares", "these are logarithms")(
    lambda ids, V, add: np.log(by_row(counted(ids, V, add)))
)
wrong("pair_shares", "a softmax of counts")(
    lambda ids, V, add: torch.tensor(counted(ids, V, add)).softmax(1)
)
wrong("pair_shares", "you let the first follow it")(
    lambda ids, V, add: by_row(counted([*ids, ids[0]], V, add))
)


@wrong("pair_shares", "each character is paired with itself")
def _(ids, V, add):
    counts = np.full((V, V), add)
    for character in ids:
        counts[character, character] += 1
    return by_row(counts)


wrong("pair_shares", "IndexError")(
    lambda ids, V, add: [ids[i] + ids[i + 1] for i in range(len(ids))]
)


# write_on


@right("write_on")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = softmax(model(ids[None, -length:])[0, -1] / temperature)
        ids = np.append(ids, draw(shares))
    return ids


@right("write_on")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        logits = model(ids[None, -length:])[:, -1]
        drawn = draw((logits / temperature).softmax(-1))
        ids = torch.cat([ids, drawn[0]])
    return ids


@right("write_on")
def _(ids, model, draw, count, length, temperature):
    text = ids.tolist()
    while len(text) < len(ids) + count:
        logits = model(torch.tensor([text[-length:]]))[0, -1]
        text.append(int(draw(torch.softmax(torch.as_tensor(logits) / temperature, -1))[0]))
    return text


def writer(sees, shares_of, start=0, more=0):
    """An answer with one mistake. sees(text, ids, length): what the model is given."""

    def answer(ids, model, draw, count, length, temperature):
        text = ids
        for _ in range(count + more):
            logits = model(sees(text, ids, length)[None])
            text = np.append(text, draw(shares_of(logits, temperature)))
        return text[start:]

    return answer


def end(text, ids, length):
    return text[-length:]


def cooled(logits, temperature):
    return softmax(logits[0, -1] / temperature)


wrong("write_on", "the model was given the whole text")(
    writer(lambda text, ids, length: text, cooled)
)
wrong("write_on", "the model saw the beginning")(
    writer(lambda text, ids, length: text[:length], cooled)
)
wrong("write_on", "the model saw the last character alone")(
    writer(lambda text, ids, length: text[-1:], cooled)
)
wrong("write_on", "one character too few")(
    writer(lambda text, ids, length: text[1 - length :], cooled)
)
wrong("write_on", "the model saw the same text each time")(
    writer(lambda text, ids, length: ids[-length:], cooled)
)
wrong("write_on", "you took the mean of all rows")(
    writer(end, lambda logits, temperature: softmax(logits[0].mean(0) / temperature))
)
wrong("write_on", "the first row of logits")(
    writer(end, lambda logits, temperature: softmax(logits[0, 0] / temperature))
)
wrong("write_on", "you multiplied by the temperature")(
    writer(end, lambda logits, temperature: softmax(logits[0, -1] * temperature))
)
wrong("write_on", "the temperature is not used")(
    writer(end, lambda logits, temperature: softmax(logits[0, -1]))
)
wrong("write_on", "is there a softmax")(
    writer(end, lambda logits, temperature: logits[0, -1] / temperature)
)
wrong("write_on", "is there a softmax")(  # the division comes too late
    writer(end, lambda logits, temperature: logits[0, -1].softmax(-1) / temperature)
)
wrong("write_on", "count characters are to be drawn")(writer(end, cooled, more=1))
wrong("write_on", "count characters are to be drawn")(writer(end, cooled, more=-1))


@wrong("write_on", "what was drawn stands before the text")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
        ids = torch.cat([draw(shares), ids])
    return ids


@wrong("write_on", "you took the largest share")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        ids = np.append(ids, model(ids[None, -length:])[0, -1].argmax())
    return ids


@wrong("write_on", "what you were given is missing")
def _(ids, model, draw, count, length, temperature):
    return writer(end, cooled, start=len(ids))(ids, model, draw, count, length, temperature)


@wrong("write_on", "only the end of the text came back")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        ids = np.append(ids[-length:], draw(cooled(model(ids[None, -length:]), temperature)))
    return ids[-length:]


wrong("write_on", "the model takes (1, T)")(
    lambda ids, model, draw, count, length, temperature: model(ids[-length:])
)
