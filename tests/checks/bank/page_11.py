"""Page 11, is the picture true: answers to cut_arrow, control, evidence."""

import numpy as np
import torch

import lib.attention
from tests.checks.bank import right, wrong

# cut_arrow


@right("cut_arrow")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, key] = 0
    weights[:, query] /= weights[:, query].sum(-1, keepdims=True)
    return weights


@right("cut_arrow")
def _(weights, query, key):
    scores = np.log(weights)
    scores[:, query, key] = -np.inf
    return lib.attention.softmax(scores)


@right("cut_arrow")
def _(weights, query, key):
    weights = torch.as_tensor(weights).clone()
    weights[:, query, key] = 0
    return weights / weights.sum(-1, keepdim=True)


def closed(weights, where, value=0):
    """A copy with ``value`` at these places; np.s_ writes places down."""
    weights = weights.copy()
    weights[where] = value
    return weights


wrong("cut_arrow", "no longer sums to 1")(
    lambda weights, query, key: closed(weights, np.s_[:, query, key])
)


@wrong("cut_arrow", "equal parts")
def _(weights, query, key):
    weights = weights.copy()
    freed = weights[:, query, key].copy()
    weights[:, query, key] = 0
    for other in range(weights.shape[2]):
        if other != key:
            weights[:, query, other] += freed / (weights.shape[2] - 1)
    return weights


wrong("cut_arrow", "you closed the key to every query")(
    lambda weights, query, key: closed(weights, np.s_[:, :, key])
)


@wrong("cut_arrow", "you closed the key to every query")
def _(weights, query, key):
    weights = closed(weights, np.s_[..., key])
    return weights / weights.sum(-1, keepdims=True)


wrong("cut_arrow", "the whole row is gone")(
    lambda weights, query, key: closed(weights, np.s_[:, query])
)


@wrong("cut_arrow", "over the queries; over the keys")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query, key])
    return weights / weights.sum(1, keepdims=True)


@wrong("cut_arrow", "nearly equal")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query, key], value=-np.inf)
    return lib.attention.softmax(weights)


@wrong("cut_arrow", "nearly equal")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query, key], value=-np.inf)
    weights[:, query] = lib.attention.softmax(weights[:, query])
    return weights


@wrong("cut_arrow", "only the first head")
def _(weights, query, key):
    weights = closed(weights, np.s_[0, query, key])
    weights[0, query] /= weights[0, query].sum()
    return weights


@wrong("cut_arrow", "rows are queries")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, key, query])
    return weights / weights.sum(-1, keepdims=True)


wrong("cut_arrow", "you return weights unchanged")(lambda weights, query, key: weights)


@wrong("cut_arrow", "equal parts")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query], value=1 / (weights.shape[-1] - 1))
    weights[:, query, key] = 0
    return weights


@wrong("cut_arrow", "the first axis of weights is the heads")
def _(weights, query, key):
    weights = closed(weights, np.s_[query, key])
    return weights / weights.sum(-1, keepdims=True)


@wrong("cut_arrow", "the whole head")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query, key])
    return weights / weights.sum(axis=(1, 2), keepdims=True)


@wrong("cut_arrow", "equal parts")
def _(weights, query, key):
    freed = weights[:, query, key].copy()
    weights = closed(weights, np.s_[:, query, key])
    weights[:, query] += freed[:, None] / weights.shape[-1]
    return weights


@wrong("cut_arrow", "what all heads have together")
def _(weights, query, key):
    weights = closed(weights, np.s_[:, query, key])
    weights[:, query] /= weights[:, query].sum()
    return weights


@wrong("cut_arrow", "2 arrays; return the output alone")
def _(weights, query, key):
    kept = closed(weights, np.s_[:, query, key])
    kept[:, query] /= kept[:, query].sum(-1, keepdims=True)
    return kept, weights


# control


@right("control")
def _(row, key):
    distances = np.abs(row - row[key])
    distances[key] = np.inf
    return distances.argmin()


@right("control")
def _(row, key):
    others = [place for place in range(len(row)) if place != key]
    return min(others, key=lambda place: abs(row[place] - row[key]))


@right("control")
def _(row, key):
    return int(np.argsort(np.abs(row - row[key]))[1])  # the first is the key itself


wrong("control", "that is the arrow itself")(lambda row, key: np.abs(row - row[key]).argmin())


@wrong("control", "the thickest of the others")
def _(row, key):
    row = row.copy()
    row[key] = 0
    return row.argmax()


wrong("control", "takes nothing away shows nothing")(lambda row, key: row.argmin())
wrong("control", "moved up by one")(
    lambda row, key: np.abs(np.delete(row, key) - row[key]).argmin()
)
wrong("control", "the word beside it")(lambda row, key: key + 1)
wrong("control", "the least similar weight")(lambda row, key: np.abs(row - row[key]).argmax())


@wrong("control", "the difference of the weights")
def _(row, key):
    distances = np.abs(row - row[key])
    distances[key] = np.inf
    return distances.min()


@wrong("control", "this is the weight of the nearest; give the number of the key")
def _(row, key):
    distances = np.abs(row - row[key])
    distances[key] = np.inf
    return row[distances.argmin()]


@wrong("control", "the thinnest has no thinner")
def _(row, key):
    order = np.argsort(row)
    return order[list(order).index(key) - 1]


# evidence

right("evidence")("Z")
right("evidence")(" z")

wrong("evidence", "in X no other arrow was cut")("X")
wrong("evidence", "another arrow of that weight does nearly as much")("Y")
wrong("evidence", "takes one letter")("all of them")
