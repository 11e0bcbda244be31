"""Page 2, softmax: answers to softmax, weighted_sum, lead."""

import math

import numpy as np
import torch

import lib.attention
from tests.checks.bank import numbers, right, softmax, wrong

# softmax


@right("softmax")
def _(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right("softmax")
def _(scores):
    weights = np.empty_like(scores)
    for place in np.ndindex(scores.shape[:-1]):
        e = [np.exp(s - max(scores[place])) for s in scores[place]]
        weights[place] = [x / sum(e) for x in e]
    return weights


@right("softmax")
def _(scores):
    scores = scores.astype(np.float32)
    e = np.exp(scores - np.max(scores, -1, keepdims=True))
    return np.einsum("...ts,...t->...ts", e, 1 / e.sum(-1)).tolist()


@right("softmax")
def _(scores):
    largest = scores.max(-1, keepdims=True)
    return np.exp(scores - largest - np.log(np.exp(scores - largest).sum(-1, keepdims=True)))


right("softmax")(lambda s: torch.softmax(torch.tensor(s), -1))


@wrong("softmax", "right for tensors; with the NumPy arrays of this page")
def _(scores):
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return e / e.sum(dim=-1, keepdim=True)


def shares(e, axis=-1):
    """Each row, or with axis=0 each column, divided by its sum."""
    return e / e.sum(axis=axis, keepdims=True)


right("softmax")(lambda s: torch.softmax(torch.tensor(s), 1))
right("softmax")(lambda s: shares(np.exp(s - s.max(1)[:, None]), axis=1))
right("softmax")(lambda s: shares(np.exp(s.T - s.T.max(0)), axis=0).T)


@right("softmax")
def _(scores):
    return [np.exp(row - max(row)) / sum(np.exp(row - max(row))) for row in scores]


@wrong("softmax", "exp(1000) is inf")
def _(scores):
    return [[np.exp(s) / sum(np.exp(row)) for s in row.tolist()] for row in scores]


wrong("softmax", "exp(1000) is inf")(
    lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True)
)
wrong("softmax", "cut off, scores near 1000 lose their leads")(
    lambda scores: shares(np.exp(np.clip(scores, -500, 500)))
)
wrong("softmax", "columns sum to 1")(
    lambda scores: shares(np.exp(scores - scores.max(axis=0)), axis=0)
)
wrong("softmax", "only each row's largest makes every power at most 1")(  # nor does the last
    lambda scores: shares(np.exp(scores - scores[..., -1:]))
)


@right("softmax")
def _(scores):
    weights = np.empty_like(scores)
    for place, row in enumerate(scores):
        powers = np.exp(row - row.max())
        weights[place] = powers / powers.sum()
    return weights


@wrong("softmax", "whole table")
def _(scores):
    e = np.exp(scores - scores.max())
    return e / np.sum(e)


wrong("softmax", "largest of each row became 1")(
    lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True))
)


wrong("softmax", "logarithm")(lambda scores: torch.log_softmax(scores, dim=-1))
wrong("softmax", "exp(-score)")(lambda scores: shares(np.exp(-scores)))
wrong("softmax", "sigmoid")(lambda scores: 1 / (1 + np.exp(-scores)))


@wrong("softmax", "does not choose")
def _(scores):
    weights = np.zeros_like(scores)
    weights[np.arange(len(scores)), scores.argmax(-1)] = 1
    return weights


@wrong("softmax", "changes its input scores")
def _(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


@wrong("softmax", "you return scores unchanged")
def _(scores):
    np.exp(scores)
    return scores


wrong("softmax", "each row has to sum to 1")(  # an exponent of another kind
    lambda scores: scores**2
)
wrong("softmax", "ValueError")(  # keepdims forgotten
    lambda scores: np.exp(scores) / np.exp(scores).sum(axis=1)
)
wrong("softmax", "np.exp takes a table")(lambda scores: math.exp(scores))
wrong("softmax", "you took powers of 10")(
    lambda scores: 10.0**scores / (10.0**scores).sum(-1, keepdims=True)
)
wrong("softmax", "you took powers of 2")(
    lambda scores: 2**scores / (2**scores).sum(-1, keepdims=True)
)


@wrong("softmax", "right for the first inputs, but not for others: your rows sum to 0.00")
def _(scores):
    e = np.exp(scores)
    return np.nan_to_num(e / e.sum(-1, keepdims=True))


wrong("softmax", "Do not round")(lambda scores: lib.attention.softmax(scores).round(2))
wrong("softmax", "; return the output alone")(
    lambda scores: (lib.attention.softmax(scores), scores)
)


# weighted_sum


@right("weighted_sum")
def _(scores, values):
    output = np.zeros((len(scores), values.shape[1]))
    for query, row in enumerate(scores):
        powers = np.exp(row - row.max())
        for power, value in zip(powers, values, strict=True):
            output[query] += power / powers.sum() * value
    return output


right("weighted_sum")(lambda scores, values: softmax(scores) @ values)
right("weighted_sum")(lambda scores, values: np.einsum("ts,sd->td", softmax(scores), values))
right("weighted_sum")(lambda scores, values: (values.T @ softmax(scores).T).T.tolist())
right("weighted_sum")(lambda scores, values: (softmax(scores)[..., None] * values).sum(axis=1))
right("weighted_sum")(lambda scores, values: torch.softmax(scores, -1) @ values)
right("weighted_sum")(
    lambda scores, values: [
        np.average(values, axis=0, weights=np.exp(row)).astype(np.float32) for row in scores
    ]
)

wrong("weighted_sum", "without their weights")(lambda scores, values: sum(values))


wrong("weighted_sum", "stopped with")(lambda scores, values: values @ softmax(scores))
wrong("weighted_sum", "expected shape (3, 2)")(lambda scores, values: (softmax(scores) @ values).T)
wrong("weighted_sum", "changes its input scores")(
    lambda scores, values: np.exp(scores, out=scores) @ values
)


# lead

numbers(
    "lead",
    [4.14, np.log(63), np.float32(4.1431), torch.tensor(63.0).log(), [4.143]],
    [
        (0.693, "ONE rival"),
        (4.1, "two digits"),
        (np.log(32), "too small. The leader would get 0.337 of the look."),
        (5, "too large"),
        (-1, "too small"),
    ],
)
