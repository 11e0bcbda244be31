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


@wrong("cut_arrow", "equal parts")
def _(weights, query, key):
    weights = weights.copy()
    freed = weights[:, query, key].copy()
    weights[:, query, key] = 0
    for other in range(weights.shape[2]):
        if other != key:
            weights[:, query, other] += freed / (weights.shape[2] - 1)
    return weights


wrong("cut_arrow", "you return weights unchanged")(lambda weights, query, key: weights)


@wrong("cut_arrow", "2 arrays; return the output alone")
def _(weights, query, key):
    kept = weights.copy()
    kept[:, query, key] = 0
    kept[:, query] /= kept[:, query].sum(-1, keepdims=True)
    return kept, weights


@wrong("cut_arrow", "right for the first inputs, but not for others")  # key was 2 in all of them
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, 2] = 0
    return weights / weights.sum(-1, keepdims=True)


@wrong("cut_arrow", "but not for others: the result holds NaN or inf; look for 0/0")
def _(weights, query, key):
    weights = weights.copy()
    taken = weights[:, query, key, None].copy()
    weights[:, query] *= 1 + taken / (1 - taken)
    weights[:, query, key] = 0
    return weights


@wrong("cut_arrow", "but not for others: the result holds NaN or inf; look for 0/0")
def _(weights, query, key):
    weights = weights.copy()
    left = weights[:, query].sum(-1) - weights[:, query, key]
    weights[:, query, key] = 0
    weights[:, query] /= left[:, None]
    return weights


# control


@right("control")
def _(row, key):
    others = [place for place in range(len(row)) if place != key]
    return min(others, key=lambda place: abs(row[place] - row[key]))


@wrong("control", "of 0.20, 0.50, 0.10, 0.20 you take key 3, the arrow itself")
def _(row, key):
    return int(np.argsort(np.abs(row - row[key]))[1])  # the first need not be the key itself


@wrong("control", "right for the first inputs, but not for others")
def _(row, key):
    distances = np.abs(row**2 - row[key] ** 2)
    distances[key] = np.inf
    return int(distances.argmin())


@wrong(
    "control", "of 0.40, 0.05, 0.30, 0.25 you take key 1, the arrow itself; a control is another"
)
def _(row, key):
    others = row.copy()
    others[key] = 0
    return np.abs(others - row[key]).argmin()


@wrong(
    "control",
    "of 0.65, 0.12, 0.18, 0.05 you take key 0, the arrow itself; a control is another one",
)
def _(row, key):
    best = 0
    for place in range(len(row)):
        if place != key and abs(row[place] - row[key]) < abs(row[best] - row[key]):
            best = place
    return best


@wrong(
    "control",
    "of 0.65, 0.12, 0.18, 0.05 you take key 0, the arrow itself; a control is another one",
)
def _(row, key):
    others = row.copy()
    others[key] = 1
    return np.abs(others - row[key]).argmin()


wrong("control", "this is one number in brackets, shape (1,); return the number itself.")(
    lambda row, key: [np.argsort(np.abs(row - row[key]))[1]]
)
wrong("control", "this is one number in brackets, shape (1, 1); return the number itself.")(
    lambda row, key: np.where(np.abs(row - row[key]) == np.sort(np.abs(row - row[key]))[1])
)
wrong("control", "x.sort() never does, np.sort(x) does]")(
    lambda row, key: np.abs(row - row[key]).sort()[1]
)
wrong("control", "key 4 has the weight 0.25, the arrow has 0.20; another key is nearer to that.")(
    lambda row, key: np.argsort(row)[-2]
)
wrong("control", "a place is a whole number")(
    lambda row, key: float(
        min(np.delete(np.arange(len(row)), key), key=lambda place: abs(row[place] - row[key]))
    )
)


# evidence

right("evidence")("Z")
right("evidence")(" z")

wrong("evidence", "in X no other arrow was cut")("X")
wrong("evidence", "another arrow of that weight does nearly as much")("Y")
wrong("evidence", "takes one letter")("all of them")
