"""Page 13, it writes: answers to write_on and top_p."""

import numpy as np
import torch

import lib.sampling
from tests.checks.bank import right, softmax, wrong

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


@wrong("write_on", "is there a softmax")
def _(ids, model, draw, count, length, temperature):
    return draw(model(ids[None, -length:])[0, -1] / temperature)


@wrong("write_on", "softmax over the last axis, and nothing after it?")
def _(ids, model, draw, count, length, temperature):
    return draw(model(ids[None, -length:])[0, -1].softmax(-1) / temperature)


@wrong("write_on", "or you divided shares, and adding up to 1 takes it out again")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = model(ids[None, -length:])[0, -1].softmax(-1) / temperature
        ids = torch.cat([ids, draw(shares / shares.sum())])
    return ids


@wrong("write_on", "the draw that is given is to choose: draw(shares)")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, torch.multinomial(shares, 1)])
    return ids


@wrong("write_on", "the model gives (1, T, V): [0, -1] is the last row")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = (model(ids[None, -length:])[-1] / temperature).softmax(-1)
        ids = torch.cat([ids, draw(shares)])
    return ids


@wrong("write_on", "what was drawn stands before the text")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
        ids = torch.cat([draw(shares), ids])
    return ids


@wrong("write_on", "only the end of the text came back")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = softmax(model(ids[None, -length:])[0, -1] / temperature)
        ids = np.append(ids[-length:], draw(shares))
    return ids[-length:]


@wrong("write_on", "of a longer one the beginning is lost")
def _(ids, model, draw, count, length, temperature):
    ids = ids[-length:]
    for _ in range(count):
        shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, draw(shares)])
    return ids


@wrong("write_on", "torch.cat([ids, ...]) makes a longer one")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        ids.append(draw((model(ids[None, -length:])[0, -1] / temperature).softmax(-1)))
    return ids


@wrong("write_on", "draw gives (1,) already")
def _(ids, model, draw, count, length, temperature):
    for _ in range(count):
        shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, draw(shares)[0]])
    return ids


def loop(behind):
    """An answer that puts what is drawn behind the text otherwise. behind(ids, drawn)"""

    def answer(ids, model, draw, count, length, temperature):
        for _ in range(count):
            shares = (model(ids[None, -length:])[0, -1] / temperature).softmax(-1)
            ids = behind(ids, draw(shares))
        return ids

    return answer


wrong("write_on", "torch.cat and torch.stack take one list")(loop(torch.cat))
wrong("write_on", "what draw gives, without .item() or int()")(
    loop(lambda ids, drawn: torch.cat([ids, drawn.item()]))
)
wrong("write_on", "and what draw gives (1,): one axis each")(
    loop(lambda ids, drawn: torch.cat([ids, drawn[None]], 1))
)
wrong("write_on", "of which draw gives (1,); that stands behind ids as it is")(
    loop(lambda ids, drawn: torch.cat([ids, drawn[None]]))
)
wrong("write_on", "ids is (T,), a row of scores (V,)")(
    lambda ids, model, draw, count, length, temperature: model(ids[:, -length:])
)


@wrong("write_on", "x[0] is the value in a row of one")
def _(ids, model, draw, count, length, temperature):
    text = ids.tolist()
    for _ in range(count):
        text.append(draw((model(ids[None, -length:])[0, -1] / temperature).softmax(-1)))
    return text


wrong("write_on", "the model takes (1, T)")(
    lambda ids, model, draw, count, length, temperature: model(ids[-length:])
)


# top_p


@right("top_p")
def _(probabilities, p):
    kept = np.zeros(len(probabilities))
    reached = 0
    for word in np.argsort(probabilities)[::-1]:
        kept[word] = probabilities[word]
        reached += probabilities[word]
        if reached >= p:
            break
    return kept / reached


@right("top_p")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[: 1 + np.sum(np.cumsum(probabilities[order]) < p)]
    left = np.where(np.isin(np.arange(len(probabilities)), kept), probabilities, 0)
    return left / left.sum()


@wrong("top_p", "equally probable words")
def _(probabilities, p):  # what more probable words have together
    above = [sum(other for other in probabilities if other > one) for one in probabilities]
    left = np.where(np.array(above) < p, probabilities, 0)
    return left / left.sum()


def with_torch(probabilities, p):
    sums, order = torch.sort(probabilities, descending=True)
    left = torch.where(sums.cumsum(0) - sums < p, sums, 0)
    return torch.zeros_like(probabilities).scatter(0, order, left / left.sum())


right("top_p")(lambda probabilities, p: with_torch(torch.as_tensor(probabilities), p))
wrong("top_p", "right for tensors; with the NumPy arrays of this page it stops")(with_torch)


@wrong("top_p", "right for the first inputs, but not for others")  # never more than three words
def _(probabilities, p):
    order = np.argsort(-probabilities)
    return shared(probabilities, order[: 1 + (np.cumsum(probabilities[order]) < p).sum()][:3])


@wrong("top_p", "right for the first inputs, but not for others")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    return shared(probabilities, order[: 1 + (np.cumsum(probabilities[order]) < p - 0.05).sum()])


right("top_p")(lambda probabilities, p: lib.sampling.filtered(np.log(probabilities), top_p=p))


def shared(probabilities, kept):
    """The kept words divided by what they have together; ``kept``: their places, or True there."""
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "they no longer add up to 1")
def _(probabilities, p):
    kept = np.zeros(len(probabilities))
    for word in np.argsort(-probabilities):
        if kept.sum() < p:
            kept[word] = probabilities[word]
    return kept


@wrong("top_p", "you dropped the word that crosses p")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    return shared(probabilities, order[np.cumsum(probabilities[order]) <= p])


@wrong("top_p", "you dropped the word that crosses p")
def _(probabilities, p):
    left = np.zeros(len(probabilities))
    reached = 0
    for word in np.argsort(-probabilities):
        reached += probabilities[word]
        if reached > p:
            break
        left[word] = probabilities[word]
    return left


@wrong("top_p", "you dropped the word that crosses p")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[: max(1, (np.cumsum(probabilities[order]) <= p).sum())]
    return shared(probabilities, kept)


@wrong("top_p", "the words are not sorted")
def _(probabilities, p):
    left = probabilities * (np.cumsum(-np.sort(-probabilities)) <= p)
    return left / left.sum()


wrong("top_p", "you have 0.")(  # not rounded to a whole number, though a whole one is wanted
    lambda probabilities, p: shared(probabilities, probabilities > 1 / len(probabilities))
)


@wrong("top_p", "you began with the least probable word")
def _(probabilities, p):
    left = np.zeros(len(probabilities))
    reached = 0
    for word in np.argsort(probabilities):
        left[word] = probabilities[word]
        reached += probabilities[word]
        if reached >= p:
            break
    return left / left.sum()


@wrong("top_p", "put each back in its own place")
def _(probabilities, p):
    sums, _ = torch.sort(probabilities, descending=True)
    return torch.where(sums.cumsum(0) - sums < p, sums, 0)


wrong("top_p", "you return probabilities unchanged")(
    lambda probabilities, p: probabilities / probabilities.sum()
)


@wrong("top_p", "expected shape (7,)")  # the others are cut off, not made 0
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = probabilities[order[: 1 + np.sum(np.cumsum(probabilities[order]) < p)]]
    return kept / kept.sum()


@wrong("top_p", "right unless words reach p exactly")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    count = np.searchsorted(np.cumsum(probabilities[order]), p, side="right") + 1
    return shared(probabilities, order[:count])


@wrong("top_p", "equally probable words")
def _(probabilities, p):  # those of at least the last one's probability
    falling = -np.sort(-probabilities)
    last = falling[(np.cumsum(falling) < p).sum()]
    return shared(probabilities, probabilities >= last)


wrong("top_p", "you have")(  # one word, and no int array
    lambda probabilities, p: np.eye(len(probabilities))[probabilities.argmin()]
)
