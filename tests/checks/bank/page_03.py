"""Page 3, scaling: answers to scaling, score_spread, softmax_jacobian."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import numbers, right, softmax, wrong

# scaling

right("scaling")(lambda Q, K: softmax(Q @ K.T / np.sqrt(Q.shape[-1])))


@right("scaling")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)), dtype=np.float32)
    for t, q in enumerate(queries):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / len(q) ** 0.5 for k in keys]
        total = sum(np.exp(s) for s in scores)
        for s, score in enumerate(scores):
            weights[t, s] = np.exp(score) / total
    return weights


right("scaling")(lambda Q, K: softmax(np.einsum("td,sd->ts", Q, K) * K.shape[1] ** -0.5))


@right("scaling")
def _(queries, keys):
    root = queries.shape[1] ** 0.25
    return softmax((queries / root) @ (keys / root).T).tolist()


wrong("scaling", "right for tensors")(
    lambda Q, K: torch.softmax(Q @ K.transpose(-2, -1) / K.size(-1) ** 0.5, dim=-1)
)


@right("scaling")
def _(Q, K):
    scores = torch.from_numpy(Q) @ torch.from_numpy(K).T
    return F.softmax(scores / torch.sqrt(torch.tensor(Q.shape[1])), dim=1).numpy()


@wrong("scaling", "goes to the best key")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)))
    for t, q in enumerate(queries):
        weights[t, np.argmax(keys @ q)] = 1
    return weights


wrong("scaling", "your rows sum to 0.14,")(  # two mistakes that share a cause
    lambda Q, K: softmax(Q @ K.T) / Q.shape[-1]
)
wrong("scaling", "each row has to sum to 1")(  # exp, but never divided
    lambda Q, K: np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))
)
wrong("scaling", "a shape holds all sizes, and d_k is one of them")(
    lambda Q, K: softmax(Q @ K.T / np.sqrt(Q.shape))
)
wrong("scaling", "holds NaN")(lambda Q, K: np.log(-np.abs(Q @ K.T)))


@wrong("scaling", "changes its input queries")
def _(queries, keys):
    queries /= np.sqrt(queries.shape[-1])
    return softmax(queries @ keys.T)


wrong("scaling", "only the keys are turned round")(lambda Q, K: softmax(Q @ K / np.sqrt(7)))
wrong("scaling", "only the keys are turned round")(lambda Q, K: softmax(np.dot(Q, K)))


@wrong("scaling", "right for the first inputs")
def _(queries, keys):
    weights = np.zeros((3, 4))
    for t in range(3):
        weights[t] = softmax(keys @ queries[t] / np.sqrt(len(queries[t])))
    return weights


@wrong("scaling", "cut off to whole numbers")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)), dtype=int)
    for t, q in enumerate(queries):
        weights[t] = softmax(keys @ q / np.sqrt(len(q)))
    return weights


@wrong("scaling", "cancels itself")
def _(queries, keys):
    weights = softmax(queries @ keys.T) / np.sqrt(queries.shape[-1])
    weights /= weights.sum(-1, keepdims=True)
    return weights


@wrong("scaling", "2 arrays; return the output alone")
def _(queries, keys):
    scores = queries @ keys.T / np.sqrt(queries.shape[-1])
    return softmax(scores), scores


# score_spread

numbers(
    "score_spread",
    [24, 24.0, np.sqrt(576), torch.tensor(24), np.array([24])],
    [
        (23.5, "two digits"),
        (np.inf, "too large"),
    ],
)


# softmax_jacobian

right("softmax_jacobian")(lambda p: np.diag(p) - np.outer(p, p))


@right("softmax_jacobian")
def _(p):
    jacobian = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            jacobian[i, j] = p[i] * ((i == j) - p[j])
    return jacobian


right("softmax_jacobian")(lambda p: p[:, None] * (np.eye(len(p)) - p))
right("softmax_jacobian")(
    lambda p: np.einsum("i,ij->ij", p, np.identity(len(p))) - np.einsum("i,j->ij", p, p)
)
right("softmax_jacobian")(lambda p: torch.diag(p) - torch.outer(p, p))


@right("softmax_jacobian")
def _(p):
    scores = torch.log(torch.tensor(p))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


@right("softmax_jacobian")
def _(p):
    h = 1e-6
    scores = np.log(p)
    steps = [softmax(scores + h * e) - softmax(scores - h * e) for e in np.eye(len(p))]
    return np.stack(steps, axis=1) / (2 * h)


@wrong("softmax_jacobian", "it is minus p_i p_j")
def _(p):
    jacobian = np.outer(p, p)
    np.fill_diagonal(jacobian, p * (1 - p))
    return jacobian


@wrong("softmax_jacobian", "not p; subtract")
def _(p):
    jacobian = -np.outer(p, p)
    np.fill_diagonal(jacobian, p)
    return jacobian


wrong("softmax_jacobian", "you return p unchanged")(lambda p: p)
wrong("softmax_jacobian", "TypeError")(lambda p: np.diag(p) - np.outer(p))


@wrong("softmax_jacobian", "the others do not lose alike")
def _(p):
    jacobian = np.tile(-p * (1 - p) / (len(p) - 1), (len(p), 1))
    np.fill_diagonal(jacobian, p * (1 - p))
    return jacobian


wrong("softmax_jacobian", "; return the output alone")(lambda p: (np.diag(p) - np.outer(p, p), p))
