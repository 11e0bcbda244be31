"""Page 10, translation: answers to label_smoothing, learning_rate, cut_arrow."""

import numpy as np
import torch
import torch.nn.functional as F

import lib.attention
from tests.checks.bank import right, wrong

# label_smoothing

right("label_smoothing")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon / words
)


@right("label_smoothing")
def _(right, words, epsilon):
    rows = []
    for word in right:
        row = [epsilon / words] * words
        row[int(word)] += 1 - epsilon
        rows.append(row)
    return rows


right("label_smoothing")(
    lambda right, words, epsilon: (
        F.one_hot(torch.as_tensor(right), words) * (1 - epsilon) + epsilon / words
    )
)

wrong("label_smoothing", "nothing is smoothed yet")(
    lambda right, words, epsilon: np.eye(words)[right]
)


@wrong("label_smoothing", "over the other words; over all")
def _(right, words, epsilon):
    result = np.full((len(right), words), epsilon / (words - 1))
    result[np.arange(len(right)), right] = 1 - epsilon
    return result


wrong("label_smoothing", "rows sum to 1 + ε")(
    lambda right, words, epsilon: np.eye(words)[right] + epsilon / words
)
wrong("label_smoothing", "rows sum to 1 - ε")(
    lambda right, words, epsilon: np.eye(words)[right] * (1 - epsilon)
)
wrong("label_smoothing", "the whole of ε")(
    lambda right, words, epsilon: np.eye(words)[right] * (1 - epsilon) + epsilon
)
wrong("label_smoothing", "changed places")(
    lambda right, words, epsilon: epsilon * np.eye(words)[right] + (1 - epsilon) / words
)
wrong("label_smoothing", "the right word has to stand out")(
    lambda right, words, epsilon: np.ones((len(right), words)) / words
)


@wrong("label_smoothing", "do not write over it")
def _(right, words, epsilon):
    rows = np.full((len(right), words), epsilon / words)
    rows[np.arange(len(right)), right] = 1 - epsilon
    return rows


wrong("label_smoothing", "words - 1 parts")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon / (words - 1)
)
wrong("label_smoothing", "; return the output alone")(
    lambda right, words, epsilon: (
        (1 - epsilon) * np.eye(words)[right] + epsilon / words,
        epsilon,
    )
)


# learning_rate

right("learning_rate")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
right("learning_rate")(
    lambda step, d_model, warm_up: [
        min(s**-0.5, s * warm_up**-1.5) / d_model**0.5 for s in step.tolist()
    ]
)


@right("learning_rate")
def _(step, d_model, warm_up):
    step = torch.as_tensor(step).double()
    return torch.where(step < warm_up, step / warm_up**1.5, step**-0.5) / d_model**0.5


wrong("learning_rate", "no warm-up")(lambda step, d_model, warm_up: d_model**-0.5 * step**-0.5)
wrong("learning_rate", "rises without end")(
    lambda step, d_model, warm_up: d_model**-0.5 * step * warm_up**-1.5
)
wrong("learning_rate", "the larger of the two")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.maximum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "d_model is not used")(
    lambda step, d_model, warm_up: np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "you multiply by √d_model")(
    lambda step, d_model, warm_up: d_model**0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "divide by its root")(
    lambda step, d_model, warm_up: d_model**-1.0 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "-1.5, not -0.5")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-0.5)
)
wrong("learning_rate", "steps count from 1")(
    lambda step, d_model, warm_up: (
        d_model**-0.5 * np.minimum(step**-0.5, (step - 1) * warm_up**-1.5)
    )
)
wrong("learning_rate", "np.minimum")(
    lambda step, d_model, warm_up: d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "has its power the minus")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**1.5)
)


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


@wrong("cut_arrow", "2 arrays; return the output alone")
def _(weights, query, key):
    kept = closed(weights, np.s_[:, query, key])
    kept[:, query] /= kept[:, query].sum(-1, keepdims=True)
    return kept, weights
