"""Page 2, softmax: answers to softmax, weighted_sum, lead."""

import numpy as np
import torch

import lib.attention
from tests.checks.bank import numbers, right, wrong

# softmax


@right("softmax")
def _(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right("softmax")
def _(scores):
    weights = np.empty_like(scores)
    for i, row in enumerate(scores):
        e = [np.exp(s - max(row)) for s in row]
        weights[i] = [x / sum(e) for x in e]
    return weights


@right("softmax")
def _(scores):
    scores = scores.astype(np.float32)
    e = np.exp(scores - np.max(scores, -1, keepdims=True))
    return np.einsum("ts,t->ts", e, 1 / e.sum(-1)).tolist()


@right("softmax")
def _(scores):
    largest = scores.max(-1, keepdims=True)
    return np.exp(scores - largest - np.log(np.exp(scores - largest).sum(-1, keepdims=True)))


right("softmax")(lambda s: torch.softmax(torch.tensor(s), 1))


@right("softmax")
def _(scores):
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return e / e.sum(dim=-1, keepdim=True)


def shares(e, axis=-1):
    """Each row, or with axis=0 each column, divided by its sum."""
    return e / e.sum(axis=axis, keepdims=True)


wrong("softmax", "exp(1000) is inf")(lambda scores: shares(np.exp(scores)))
wrong("softmax", "exp(1000) is inf")(
    lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True)
)
wrong("softmax", "subtract their own largest")(
    lambda scores: shares(np.exp(scores - np.max(scores)))
)
wrong("softmax", "right for the first inputs")(  # the mean is no protection
    lambda scores: shares(np.exp(scores - scores.mean(-1, keepdims=True)))
)
wrong("softmax", "right for the first inputs")(
    lambda scores: shares(np.exp(np.clip(scores, -500, 500)))
)
wrong("softmax", "columns sum to 1")(
    lambda scores: shares(np.exp(scores - scores.max(axis=0)), axis=0)
)
wrong("softmax", "columns sum to 1")(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0))


@wrong("softmax", "whole table")
def _(scores):
    e = np.exp(scores - scores.max())
    return e / np.sum(e)


wrong("softmax", "without exp")(lambda scores: scores / np.sum(scores, axis=-1, keepdims=True))
wrong("softmax", "divide by each row's sum")(lambda scores: np.exp(scores))
wrong("softmax", "largest of each row became 1")(
    lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True))
)


@wrong("softmax", "largest of each row became 1")
def _(scores):
    e = np.exp(scores)
    return e / e.max(axis=-1, keepdims=True)


wrong("softmax", "sum of the scores")(
    lambda scores: np.exp(scores) / scores.sum(axis=-1, keepdims=True)
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
wrong("softmax", "the shape is right, but at")(  # powers of 2
    lambda scores: 2**scores / (2**scores).sum(-1, keepdims=True)
)


@wrong("softmax", "right for the first inputs, but with others your rows sum to 0.00")
def _(scores):
    e = np.exp(scores)
    return np.nan_to_num(e / e.sum(-1, keepdims=True))


wrong("softmax", "Do not round")(lambda scores: lib.attention.softmax(scores).round(2))
wrong("softmax", "; return the output alone")(
    lambda scores: (lib.attention.softmax(scores), scores)
)


# weighted_sum


@right("weighted_sum")
def _(weights, values):
    total = np.zeros(values.shape[1])
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total


right("weighted_sum")(lambda weights, values: (weights[:, None] * values).sum(axis=0))
right("weighted_sum")(lambda weights, values: np.einsum("s,sd->d", weights, values))
right("weighted_sum")(lambda weights, values: values.T @ weights)
right("weighted_sum")(lambda weights, values: np.average(values, axis=0, weights=weights))
right("weighted_sum")(
    lambda weights, values: [
        sum(w * v[i] for w, v in zip(weights, values, strict=True)) for i in range(len(values[0]))
    ]
)
right("weighted_sum")(torch.matmul)

wrong("weighted_sum", "plain average")(lambda weights, values: np.mean(values, axis=0))
wrong("weighted_sum", "without their weights")(lambda weights, values: sum(values))
wrong("weighted_sum", "did not add them up")(
    lambda weights, values: weights.reshape(-1, 1) * values
)
wrong("weighted_sum", "largest weight only")(lambda weights, values: values[np.argmax(weights)])
wrong("weighted_sum", "number of keys as well")(
    lambda weights, values: np.mean(weights[:, None] * values, axis=0)
)
wrong("weighted_sum", "wrong axis")(
    lambda weights, values: (weights[:, None] * values).sum(axis=-1)
)


@wrong("weighted_sum", "weights already")
def _(weights, values):
    e = np.exp(weights)
    return e / e.sum() @ values


wrong("weighted_sum", "stopped with ValueError")(lambda weights, values: (weights * values).sum(0))
wrong("weighted_sum", "stopped with")(lambda weights, values: values @ weights)
wrong("weighted_sum", "expected shape (3,)")(lambda weights, values: weights[None, :] @ values)


# lead

numbers(
    "lead",
    [4.14, np.log(63), np.float32(4.1431), torch.tensor(63.0).log(), [4.143]],
    [
        (np.log(64), "leader as its own rival"),
        (63, "number of rivals"),
        (np.log2(63), "base 2"),
        (np.log10(63), "base 10"),
        (0.693, "ONE rival"),
        (4.1, "two digits"),
        (5, "too large"),
        (-1, "too small"),
    ],
)
