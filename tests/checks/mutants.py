"""The bank: for each exercise, right answers in many styles and the classic wrong ones, as a learner would write them.

``@right("dot_product")`` and ``@wrong("dot_product", "part of the sentence that must name it")`` put a function into
``BANK``. Nothing here uses lib.checks: an answer and what the check says to it have to be written twice.
"""

import sys
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

import lib.attention
import lib.layers
import lib.masks
import lib.positions
import lib.sampling

BANK = defaultdict(
    lambda: SimpleNamespace(right=[], wrong=[])
)  # each entry holds the arguments of the check


def right(check):
    return lambda function: BANK[check].right.append((function,)) or function


def wrong(check, sentence):
    return lambda function: BANK[check].wrong.append(((function,), sentence)) or function


def numbers(check, rights, wrongs):
    BANK[check].right += [(value,) for value in rights]
    BANK[check].wrong += [((value,), sentence) for value, sentence in wrongs]


# pronoun

_TIRED = "the animal didn't cross the street because it was too tired".split()


def _told(target, *changes):
    words = list(_TIRED)
    for place, word in changes:
        words[place:] = [word, *words[place + 1 :]] if word else []
    return SimpleNamespace(source=words, target=[*target.split(), "<end>"])


_IL, _ELLE = _told("parce qu' il était fatigué"), _told("parce qu' elle était large", (10, "wide"))
_HUNGRY = _told("il était affamé", (10, "hungry"))
BANK["pronoun"].right += [(_IL, _ELLE), (_HUNGRY, _ELLE)]
BANK["pronoun"].wrong += [
    ((_ELLE, _IL), "give the masculine one first"),
    ((_told("l' animal", (6, "")), _told("l' animal", (6, ""))), "need the word it"),
    ((_IL, _told("elle était large", (1, "cow"), (10, "wide"))), "differ in 2 words"),
    ((_IL, _IL), "differ in 0 words"),
    ((_IL, _told("elle", (10, "wide"), (11, "indeed"))), "differ in their lengths"),
    ((_IL, _HUNGRY), "both have il"),
    ((_IL, _told("elle était fatiguée", (1, "cow"))), "you changed animal; change the adjective"),
    ((_told("il pleuvait", (10, "raining")), _ELLE), "you changed raining"),
    ((_told("l' animal l' animal"), _ELLE), "neither il nor elle"),
    (
        (
            _told("il était fatigué", (5, "forest")),
            _told("elle était large", (5, "forest"), (10, "wide")),
        ),
        "take a new pair",
    ),
    (("L'animal", "La vache"), "takes two translations"),
]


# dot_product


@right("dot_product")
def _(q, k):
    total = 0
    for i in range(len(q)):
        total += q[i] * k[i]
    return total


@right("dot_product")
def _(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@right("dot_product")
def _(q, k):
    return (q * k).sum()


@right("dot_product")
def _(q, k):
    return np.einsum("i,i->", q, k)


@right("dot_product")
def _(q, k):
    return q.astype(np.float32) @ k.astype(np.float32)


@right("dot_product")
def _(q, k):
    return torch.sum(q * k)


@right("dot_product")
def _(q, k, show=False):
    return torch.matmul(q, k).item()


BANK["dot_product"].right += [(np.dot,), (torch.dot,), (lambda *vectors: np.inner(*vectors),)]


@wrong("dot_product", "did not add them up")
def _(q, k):
    return [q[i] * k[i] for i in range(len(q))]


@wrong("dot_product", "does not divide")
def _(q, k):
    return np.mean(np.multiply(q, k))


@wrong("dot_product", "multiplied the sums")
def _(q, k):
    return sum(q) * sum(k)


@wrong("dot_product", "you added the vectors")
def _(q, k):
    total = 0
    for a, b in zip(q, k, strict=True):
        total += a + b
    return total


@wrong("dot_product", "cosine")
def _(q, k):
    return np.dot(q, k) / (np.sqrt((q**2).sum()) * np.sqrt((k**2).sum()))


@wrong("dot_product", "a table")
def _(q, k):
    return q[:, None] * k[None, :]


@wrong("dot_product", "run to the end")
def _(q, k):
    total = 0
    for i in range(len(q) - 1):
        total += q[i] * k[i]
    return total


@wrong("dot_product", "put return after the loop")
def _(q, k):
    total = 0
    for i in range(len(q)):
        total += q[i] * k[i]
        return total


@wrong("dot_product", "+=, not =")
def _(q, k):
    for i in range(len(q)):
        total = q[i] * k[i]
    return total


@wrong("dot_product", "right for the first inputs")  # a size written as a number
def _(q, k):
    return sum(q[i] * k[i] for i in range(3))


@wrong("dot_product", "IndexError")
def _(q, k):
    return sum(q[i] * k[i] for i in range(len(q) + 1))


@wrong("dot_product", "nothing yet")  # a forgotten return
def _(q, k):
    q @ k  # noqa: B018


@wrong("dot_product", "nothing yet")
def _(q, k):
    print(end="")
    return ...


@wrong("dot_product", "called with (q, k)")
def _(q):
    return q @ q


@wrong("dot_product", "called with (q, k)")
def _(q, k, d):
    return sum(q[i] * k[i] for i in range(d))


@wrong("dot_product", "whole numbers")
def _(q, k):
    return int(10 * q @ k)


@wrong("dot_product", "not real numbers")
def _(q, k):
    return str(q @ k)


@wrong("dot_product", "write return, not yield")
def _(q, k):
    yield q @ k


@wrong("dot_product", "return its result")
def _(q, k):
    def dot():
        return q @ k

    return dot


@wrong("dot_product", "not written yet")
def _(q, k):
    raise NotImplementedError


@wrong("dot_product", "NameError")
def _(q, k):
    return q @ keys  # noqa: F821


@wrong("dot_product", "RecursionError")
def recursive(q, k):
    return recursive(q, k)


@wrong("dot_product", "SystemExit")
def _(q, k):
    sys.exit("done")


@wrong("dot_product", "changes its input q")
def _(q, k):
    q *= k
    return q.sum()


@wrong("dot_product", "same whatever numbers")
def _(q, k):
    return 11


# cosine


@right("cosine")
def _(q, k):
    return q @ k / np.linalg.norm(q) / np.linalg.norm(k)


@right("cosine")
def _(q, k):
    return np.dot(q / np.sqrt(np.sum(q**2)), k / np.sqrt(np.sum(k**2)))


@right("cosine")
def _(q, k):
    product = lengths_q = lengths_k = 0
    for a, b in zip(q, k, strict=True):
        product, lengths_q, lengths_k = product + a * b, lengths_q + a * a, lengths_k + b * b
    return product / (lengths_q * lengths_k) ** 0.5


@right("cosine")
def _(q, k):
    return np.einsum("i,i", q, k) / np.hypot.reduce(q) / np.hypot.reduce(k)


BANK["cosine"].right += [
    (lambda q, k: F.cosine_similarity(q, k, dim=0),),
    (lambda q, k: q @ k / q.norm() / k.norm(),),
]


@wrong("cosine", "this is the dot product")
def _(q, k):
    return np.sum(q * k)


@wrong("cosine", "a length has a square root")
def _(q, k):
    return np.dot(q, k) / (np.sum(q**2) * np.sum(k**2))


@wrong("cosine", "length of q only")
def _(q, k):
    return np.dot(q, k) / np.sqrt(q @ q)


@wrong("cosine", "length of k only")
def _(q, k):
    return q @ (k / np.linalg.norm(k))


@wrong("cosine", "multiplied by the length of k")
def _(q, k):
    return np.dot(q, k) / np.linalg.norm(q) * np.linalg.norm(k)


@wrong("cosine", "sum of the lengths")
def _(q, k):
    return np.dot(q, k) / (np.linalg.norm(q) + np.linalg.norm(k))


@wrong("cosine", "number of components")
def _(q, k):
    return (q * k).mean()


@wrong("cosine", "absolute value")
def _(q, k):
    return abs(np.dot(q, k)) / (np.linalg.norm(q) * np.linalg.norm(k))


@wrong("cosine", "this is the angle")
def _(q, k):
    return np.arccos(np.dot(q, k) / np.linalg.norm(q) / np.linalg.norm(k))


@wrong("cosine", "changes its input q")
def _(q, k):
    q /= np.linalg.norm(q)
    k /= np.linalg.norm(k)
    return q @ k


@wrong("cosine", "expected one number")
def _(q, k):
    return (q * k) / np.linalg.norm(q) / np.linalg.norm(k)


# worse_but_winning

BANK["worse_but_winning"].right += [
    ([1, 0], [1, 0], [2, 2]),
    (np.array([1.0, 0]), np.array([1.0, 0.1]), np.array([10.0, 10])),
    (torch.tensor([0.0, 1]), torch.tensor([0.0, 1]), torch.tensor([5.0, 5])),
    ([1, 0, 0], (0.5, 0.1, 0), [3.0, 3, 3]),
]
BANK["worse_but_winning"].wrong += [
    (([1.0, 0], [-10, 1], [-0.1, 3]), "not worse aligned"),
    (([1, 0], [1, 0], [5, 0]), "not worse aligned"),
    (([1, 0], [1, 1], [5, 0]), "not worse aligned"),
    (([1, 0], [1, 0], [1, 2]), "does not win"),
    (([1, 0], [1, 0], [-5, 1]), "does not win"),
    (([1, 0], [1, 0], [0, 0]), "no direction"),
    (([1, 0], [1, 0], [np.inf, 1]), "finite numbers"),
    (([1, 0], [1, 0], [1, 2, 3]), "three vectors"),
    (("q", "k", "other"), "three vectors"),
    ((None, 3, object()), "three vectors"),
]


# all_pairs


@right("all_pairs")
def _(X):
    table = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            table[i, j] = sum(X[i] * X[j])
    return table


@right("all_pairs")
def _(X):
    return [[a @ b for b in X] for a in X]


@right("all_pairs")
def _(X):
    return np.einsum("id,jd->ij", X, X)


@right("all_pairs")
def _(X):
    return (X[:, None] * X[None]).sum(-1)


@right("all_pairs")
def _(X):
    X = torch.tensor(X, dtype=torch.float32)
    return X @ X.transpose(0, 1)


@right("all_pairs")
def _(X):
    return torch.einsum("id,jd->ij", X, X)


@right("all_pairs")
def _(X):
    return tuple(tuple(float(a @ b) for b in X) for a in X)


@wrong("all_pairs", "compares the columns")
def _(X):
    return np.dot(X.T, X)


@wrong("all_pairs", "each number by itself")
def _(X):
    return np.square(X)


@wrong("all_pairs", "the diagonal")
def _(X):
    return [row @ row for row in X]


@wrong("all_pairs", "these are cosines")
def _(X):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return X @ X.T


@wrong("all_pairs", "below the diagonal you have 0")
def _(X):
    table = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(i, len(X)):
            table[i, j] = X[i] @ X[j]
    return table


@wrong("all_pairs", "whole numbers")
def _(X):
    table = np.zeros((len(X), len(X)), dtype=int)
    for i in range(len(X)):
        for j in range(len(X)):
            table[i, j] = 3 * X[i] @ X[j]
    return table


@wrong("all_pairs", "right for the first inputs")
def _(X):
    return [[X[i] @ X[j] for j in range(4)] for i in range(4)]


@wrong("all_pairs", "you return X unchanged")
def _(X):
    return X


@wrong("all_pairs", "ValueError")
def _(X):
    return X @ X


@wrong("all_pairs", "rows of different lengths")
def _(X):
    return [[X[i] @ X[j] for j in range(i + 1)] for i in range(len(X))]


@wrong("all_pairs", "whatever numbers come in")
def _(X):
    return np.zeros((len(X), len(X)))


# softmax


@right("softmax")
def _(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right("softmax")
def _(scores):
    e = np.exp(scores - scores.max(axis=1)[:, np.newaxis])
    return (e.T / e.sum(axis=1)).T


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
    def one_row(row):
        row = row - row.max()
        return np.exp(row) / np.exp(row).sum()

    return np.apply_along_axis(one_row, 1, scores)


@right("softmax")
def _(scores):
    largest = scores.max(-1, keepdims=True)
    return np.exp(scores - largest - np.log(np.exp(scores - largest).sum(-1, keepdims=True)))


BANK["softmax"].right += [
    (lambda s: F.softmax(s, dim=-1),),
    (lambda s: torch.softmax(torch.tensor(s), 1),),
]


@right("softmax")
def _(scores):
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return e / e.sum(dim=-1, keepdim=True)


@wrong("softmax", "exp(1000) is inf")
def _(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "exp(1000) is inf")
def _(scores):
    return scores.exp() / scores.exp().sum(-1, keepdim=True)


@wrong("softmax", "subtract their own largest")
def _(scores):
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "right for the first inputs")  # the mean is no protection
def _(scores):
    e = np.exp(scores - scores.mean(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong("softmax", "right for the first inputs")
def _(scores):
    e = np.exp(np.clip(scores, -500, 500))
    return e / e.sum(-1, keepdims=True)


@wrong("softmax", "columns sum to 1")
def _(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


@wrong("softmax", "columns sum to 1")
def _(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=0)


@wrong("softmax", "whole table")
def _(scores):
    e = np.exp(scores - scores.max())
    return e / np.sum(e)


@wrong("softmax", "without exp")
def _(scores):
    return scores / np.sum(scores, axis=-1, keepdims=True)


@wrong("softmax", "divide by each row's sum")
def _(scores):
    return np.exp(scores)


@wrong("softmax", "largest of each row became 1")
def _(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@wrong("softmax", "largest of each row became 1")
def _(scores):
    e = np.exp(scores)
    return e / e.max(axis=-1, keepdims=True)


@wrong("softmax", "sum of the scores")
def _(scores):
    return np.exp(scores) / scores.sum(axis=-1, keepdims=True)


@wrong("softmax", "logarithm")
def _(scores):
    return torch.log_softmax(scores, dim=-1)


@wrong("softmax", "exp(-score)")
def _(scores):
    e = np.exp(-scores)
    return e / e.sum(-1, keepdims=True)


@wrong("softmax", "sigmoid")
def _(scores):
    return 1 / (1 + np.exp(-scores))


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


@wrong("softmax", "each row has to sum to 1")  # an exponent of another kind
def _(scores):
    return scores**2


@wrong("softmax", "ValueError")  # keepdims forgotten
def _(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=1)


@wrong("softmax", "the shape is right, but at")  # powers of 2
def _(scores):
    return 2**scores / (2**scores).sum(-1, keepdims=True)


# weighted_sum


@right("weighted_sum")
def _(weights, values):
    total = np.zeros(values.shape[1])
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total


@right("weighted_sum")
def _(weights, values):
    return (weights[:, None] * values).sum(axis=0)


@right("weighted_sum")
def _(weights, values):
    return np.einsum("s,sd->d", weights, values)


@right("weighted_sum")
def _(weights, values):
    return values.T @ weights


@right("weighted_sum")
def _(weights, values):
    return np.average(values, axis=0, weights=weights)


@right("weighted_sum")
def _(weights, values):
    return [
        sum(w * v[i] for w, v in zip(weights, values, strict=True)) for i in range(len(values[0]))
    ]


BANK["weighted_sum"].right += [(torch.matmul,), (lambda w, v: (w.unsqueeze(-1) * v).sum(dim=0),)]


@wrong("weighted_sum", "plain average")
def _(weights, values):
    return np.mean(values, axis=0)


@wrong("weighted_sum", "without their weights")
def _(weights, values):
    return sum(values)


@wrong("weighted_sum", "did not add them up")
def _(weights, values):
    return weights.reshape(-1, 1) * values


@wrong("weighted_sum", "largest weight only")
def _(weights, values):
    return values[np.argmax(weights)]


@wrong("weighted_sum", "number of keys as well")
def _(weights, values):
    return np.mean(weights[:, None] * values, axis=0)


@wrong("weighted_sum", "wrong axis")
def _(weights, values):
    return (weights[:, None] * values).sum(axis=-1)


@wrong("weighted_sum", "weights already")
def _(weights, values):
    e = np.exp(weights)
    return e / e.sum() @ values


@wrong("weighted_sum", "stopped with ValueError")
def _(weights, values):
    return (weights * values).sum(0)


@wrong("weighted_sum", "stopped with")
def _(weights, values):
    return values @ weights


@wrong("weighted_sum", "expected shape (3,)")
def _(weights, values):
    return weights[None, :] @ values


# Numbers

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
numbers(
    "score_spread",
    [24, 24.0, np.sqrt(576), torch.tensor(24), np.array([24])],
    [
        (576, "this is the variance"),
        (2 * 3, "one product's"),
        (16 * 6, "do not add up"),
        (np.sqrt(16 * (4 + 9)), "you added 4 and 9"),
        (np.sqrt(16), "sqrt(d_k)"),
        (2 * np.sqrt(16), "spread of q only"),
        (3 * np.sqrt(16), "spread of k only"),
        (23.5, "two digits"),
        (np.inf, "too large"),
    ],
)
numbers(
    "rank",
    [4, 4.0, np.int64(4), np.linalg.matrix_rank(np.random.default_rng(0).random((16, 4)))],
    [
        (16, "16 × 16"),
        (64, "how many numbers"),
        (4 + 4, "do not add up"),
        (1, "not the largest"),
        (3, "too small"),
        (12, "too large"),
        ("4", "takes one number"),
        (np.ones((16, 4)), "takes one number"),
        (4 + 1j, "takes one number"),
    ],
)


# scaling


def soft(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@right("scaling")
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1]))


@right("scaling")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)), dtype=np.float32)
    for t, q in enumerate(queries):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / len(q) ** 0.5 for k in keys]
        total = sum(np.exp(s) for s in scores)
        for s, score in enumerate(scores):
            weights[t, s] = np.exp(score) / total
    return weights


@right("scaling")
def _(queries, keys):
    return soft(np.einsum("td,sd->ts", queries, keys) * keys.shape[1] ** -0.5)


@right("scaling")
def _(queries, keys):
    root = queries.shape[1] ** 0.25
    return soft((queries / root) @ (keys / root).T).tolist()


@right("scaling")
def _(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1) / keys.size(-1) ** 0.5, dim=-1)


@right("scaling")
def _(Q, K):
    scores = torch.from_numpy(Q) @ torch.from_numpy(K).T
    return F.softmax(scores / torch.sqrt(torch.tensor(Q.shape[1])), dim=1).numpy()


@right("scaling")
def _(queries, keys):
    scores = queries @ keys.T / np.sqrt(queries.shape[-1])
    return soft(scores), scores


@wrong("scaling", "there is no scaling")
def _(queries, keys):
    return soft(queries @ keys.T)


@wrong("scaling", "you divided by d_k")
def _(queries, keys):
    return soft(queries @ keys.T / queries.shape[-1])


@wrong("scaling", "you multiplied by sqrt(d_k)")
def _(queries, keys):
    return soft(queries @ keys.T * np.sqrt(queries.shape[-1]))


@wrong("scaling", "you scaled after the softmax")
def _(queries, keys):
    return soft(queries @ keys.T) / np.sqrt(queries.shape[-1])


@wrong("scaling", "sqrt(S)")
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(keys.shape[0]))


@wrong("scaling", "sqrt(T)")
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(len(queries)))


@wrong("scaling", "over the queries")
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1]), axis=0)


@wrong("scaling", "whole table")
def _(queries, keys):
    e = np.exp(queries @ keys.T / np.sqrt(queries.shape[-1]))
    return e / e.sum()


@wrong("scaling", "there is no softmax")
def _(queries, keys):
    return queries @ keys.T / np.sqrt(queries.shape[-1])


@wrong("scaling", "a cosine")
def _(queries, keys):
    lengths = np.outer(np.linalg.norm(queries, axis=1), np.linalg.norm(keys, axis=1))
    return soft(queries @ keys.T / lengths)


@wrong("scaling", "queries and keys are swapped")
def _(queries, keys):
    return soft(keys @ queries.T / np.sqrt(queries.shape[-1]))


@wrong("scaling", "transposed")
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1])).T


@wrong("scaling", "goes to the best key")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)))
    for t, q in enumerate(queries):
        weights[t, np.argmax(keys @ q)] = 1
    return weights


@wrong("scaling", "same weight")
def _(queries, keys):
    return np.full((len(queries), len(keys)), 1 / len(keys))


@wrong(
    "scaling",
    "two mistakes: there is no scaling; the scores have to be divided, before the softmax. And the softmax runs",
)
def _(queries, keys):
    return soft(queries @ keys.T, axis=0)


@wrong("scaling", "your rows sum to 0.14,")  # two mistakes that share a cause
def _(queries, keys):
    return soft(queries @ keys.T) / queries.shape[-1]


@wrong("scaling", "each row has to sum to 1")  # exp, but never divided
def _(queries, keys):
    return np.exp(queries @ keys.T / np.sqrt(queries.shape[-1]))


@wrong("scaling", "holds NaN")
def _(queries, keys):
    return np.log(-np.abs(queries @ keys.T))


@wrong("scaling", "changes its input queries")
def _(queries, keys):
    queries /= np.sqrt(queries.shape[-1])
    return soft(queries @ keys.T)


@wrong("scaling", "right for the first inputs")  # d_k written as a number
def _(queries, keys):
    return soft(queries @ keys.T / np.sqrt(7))


@wrong("scaling", "right for the first inputs")
def _(queries, keys):
    weights = np.zeros((3, 4))
    for t in range(3):
        weights[t] = soft(keys @ queries[t] / np.sqrt(len(queries[t])))
    return weights


@wrong("scaling", "cut off to whole numbers")
def _(queries, keys):
    weights = np.zeros((len(queries), len(keys)), dtype=int)
    for t, q in enumerate(queries):
        weights[t] = soft(keys @ q / np.sqrt(len(q)))
    return weights


# softmax_jacobian


@right("softmax_jacobian")
def _(p):
    return np.diag(p) - np.outer(p, p)


@right("softmax_jacobian")
def _(p):
    jacobian = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            jacobian[i, j] = p[i] * ((i == j) - p[j])
    return jacobian


@right("softmax_jacobian")
def _(p):
    return p[:, None] * (np.eye(len(p)) - p)


@right("softmax_jacobian")
def _(p):
    return np.einsum("i,ij->ij", p, np.identity(len(p))) - np.einsum("i,j->ij", p, p)


@right("softmax_jacobian")
def _(p):
    return torch.diag(p) - torch.outer(p, p)


@right("softmax_jacobian")
def _(p):
    scores = torch.log(torch.tensor(p))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


@right("softmax_jacobian")
def _(p):
    h, scores = 1e-6, np.log(p)
    steps = [soft(scores + h * e) - soft(scores - h * e) for e in np.eye(len(p))]
    return np.stack(steps, axis=1) / (2 * h)


@wrong("softmax_jacobian", "only the diagonal")
def _(p):
    return p - p**2


@wrong("softmax_jacobian", "off it you have 0")
def _(p):
    return np.eye(len(p)) * p * (1 - p)


@wrong("softmax_jacobian", "signs are reversed")
def _(p):
    return np.outer(p, p) - np.diag(p)


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


@wrong("softmax_jacobian", "products p_i p_j alone")
def _(p):
    return p[:, None] @ p[None, :]


@wrong("softmax_jacobian", "stands in every row")
def _(p):
    return p - np.outer(p, p)


@wrong("softmax_jacobian", "p @ p is one number")
def _(p):
    return np.diag(p) - p * p.T @ np.ones(len(p))


@wrong("softmax_jacobian", "you return p unchanged")
def _(p):
    return p


@wrong("softmax_jacobian", "TypeError")
def _(p):
    return np.diag(p) - np.outer(p)


# attention


@right("attention")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1])) @ values


@right("attention")
def _(queries, keys, values):
    weights = soft(queries @ keys.T / np.sqrt(queries.shape[-1]))
    return weights @ values, weights


@right("attention")
def _(queries, keys, values):
    output = []
    for q in queries:
        scores = np.array([np.dot(q, k) for k in keys]) / len(q) ** 0.5
        shares = np.exp(scores) / np.exp(scores).sum()
        output.append(sum(share * value for share, value in zip(shares, values, strict=True)))
    return output


@right("attention")
def _(Q, K, V):
    scores = np.einsum("td,sd->ts", Q, K).astype(np.float32) / Q.shape[1] ** 0.5
    return np.einsum("ts,sv->tv", soft(scores), V)


@right("attention")
def _(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V)


@right("attention")
def _(query, key, value):
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.size(-1) ** 0.5
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value), p_attn


@right("attention")
def _(Q, K, V):
    mask = torch.zeros(len(Q), len(K))  # float32, as torch makes them
    return torch.softmax(Q @ K.T / K.shape[1] ** 0.5 + mask, -1) @ V


@wrong("attention", "there is no scaling")
def _(queries, keys, values):
    return soft(queries @ keys.T) @ values


@wrong("attention", "you divided by d_k")
def _(queries, keys, values):
    return soft(queries @ keys.T / queries.shape[-1]) @ values


@wrong("attention", "you multiplied by sqrt(d_k)")
def _(queries, keys, values):
    return soft(queries @ keys.T * np.sqrt(queries.shape[-1])) @ values


@wrong("attention", "you scaled after the softmax")
def _(Q, K, V):
    return torch.softmax(Q @ K.T, dim=-1) * Q.shape[-1] ** -0.5 @ V


@wrong("attention", "you scaled after the softmax")
def _(Q, K, V):
    return soft(Q @ K.T) @ V / np.sqrt(Q.shape[-1])


@wrong("attention", "sqrt(d_v)")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(values.shape[-1])) @ values


@wrong("attention", "sqrt(S)")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(len(keys))) @ values


@wrong("attention", "sqrt(T)")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(queries.shape[0])) @ values


@wrong("attention", "over the queries")
def _(Q, K, V):
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=0) @ V


@wrong("attention", "whole table")
def _(queries, keys, values):
    e = np.exp(queries @ keys.T / np.sqrt(queries.shape[-1]))
    return e / np.sum(e) @ values


@wrong("attention", "queries and keys are swapped")  # stops, except where T = S
def _(queries, keys, values):
    return soft(keys @ queries.T / np.sqrt(queries.shape[-1])) @ values


@wrong("attention", "weights are transposed")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1])).T @ values


@wrong("attention", "there is no softmax")
def _(queries, keys, values):
    return queries @ keys.T / np.sqrt(queries.shape[-1]) @ values


@wrong("attention", "these are the weights")
def _(queries, keys, values):
    return soft(queries @ keys.T / np.sqrt(queries.shape[-1]))


@wrong("attention", "goes to the best key")
def _(queries, keys, values):
    return [values[(keys @ q).argmax()] for q in queries]


@wrong("attention", "same weight")
def _(queries, keys, values):
    return np.tile(values.mean(axis=0), (len(queries), 1))


@wrong("attention", "a cosine")
def _(Q, K, V):
    return (
        soft(F.cosine_similarity(torch.tensor(Q)[:, None], torch.tensor(K)[None], dim=-1).numpy())
        @ V
    )


@wrong("attention", "two mistakes: there is no scaling")
def _(queries, keys, values):
    return queries @ keys.T @ values


@wrong("attention", "stopped with ValueError")  # values used as keys
def _(queries, keys, values):
    return soft(queries @ values.T / np.sqrt(queries.shape[-1])) @ keys


@wrong("attention", "called with (queries, keys, values)")
def _(X):
    return soft(X @ X.T / np.sqrt(X.shape[-1])) @ X


@wrong("attention", "you return values unchanged")
def _(queries, keys, values):
    return values


# cross_attention


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    return soft(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    scores = np.einsum("td,dk,ek,se->ts", target, W_Q, W_K, source)
    return np.einsum("ts,sd,dv->tv", soft(scores * W_Q.shape[1] ** -0.5), source, W_V).astype(
        np.float32
    )


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    output = []
    for token in target:
        query = token @ W_Q
        scores = np.array([query @ (other @ W_K) for other in source]) / len(query) ** 0.5
        output.append(sum(w * (other @ W_V) for w, other in zip(soft(scores), source, strict=True)))
    return output


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    return F.scaled_dot_product_attention(target @ W_Q, source @ W_K, source @ W_V)


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights


def attend(Q, K, V):
    return soft(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


@wrong("cross_attention", "the wrong side asks")
def _(target, source, W_Q, W_K, W_V):
    return attend(source @ W_Q, target @ W_K, target @ W_V)


@wrong("cross_attention", "self-attention of the target")
def _(target, source, W_Q, W_K, W_V):
    return attend(target @ W_Q, target @ W_K, target @ W_V)


@wrong("cross_attention", "self-attention of the source")
def _(target, source, W_Q, W_K, W_V):
    return attend(source @ W_Q, source @ W_K, source @ W_V)


@wrong("cross_attention", "W_Q and W_K are swapped")
def _(target, source, W_Q, W_K, W_V):
    return attend(target @ W_K, source @ W_Q, source @ W_V)


@wrong("cross_attention", "there is no scaling")
def _(target, source, W_Q, W_K, W_V):
    return soft(target @ W_Q @ (source @ W_K).T) @ (source @ W_V)


@wrong("cross_attention", "project it with W_V")
def _(target, source, W_Q, W_K, W_V):
    return attend(target @ W_Q, source @ W_K, source)


@wrong("cross_attention", "these are the weights")
def _(target, source, W_Q, W_K, W_V):
    Q, K = target @ W_Q, source @ W_K
    return soft(Q @ K.T / np.sqrt(Q.shape[-1]))


@wrong("cross_attention", "sqrt(d), from the width of the tokens")
def _(target, source, W_Q, W_K, W_V):
    return soft((target @ W_Q) @ (source @ W_K).T / np.sqrt(target.shape[-1])) @ (source @ W_V)


@wrong("cross_attention", "you scaled after the softmax")
def _(target, source, W_Q, W_K, W_V):
    return soft((target @ W_Q) @ (source @ W_K).T) / np.sqrt(W_Q.shape[-1]) @ (source @ W_V)


@wrong("cross_attention", "over the queries")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    return soft(Q @ K.T / np.sqrt(Q.shape[-1]), axis=0) @ V


@wrong("cross_attention", "queries and keys are swapped")
def _(target, source, W_Q, W_K, W_V):
    return attend(source @ W_K, target @ W_Q, source @ W_V)


@wrong("cross_attention", "keys and values must come from the same side")  # the target's values
def _(target, source, W_Q, W_K, W_V):
    return attend(target @ W_Q, source @ W_K, target @ W_V)


@wrong("cross_attention", "you return target unchanged")
def _(target, source, W_Q, W_K, W_V):
    return target


# split_heads


@right("split_heads")
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, heads, d_model // heads).transpose(0, 2, 1, 3)


@right("split_heads")
def _(x, heads):
    return np.stack(np.split(x, heads, axis=-1), axis=1)


@right("split_heads")
def _(x, heads):
    d_k = x.shape[-1] // heads
    out = np.zeros((x.shape[0], heads, x.shape[1], d_k), dtype=np.float32)
    for h in range(heads):
        out[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return out


@right("split_heads")
def _(x, heads):
    return np.einsum("bthd->bhtd", x.reshape(*x.shape[:2], heads, -1)).tolist()


@right("split_heads")
def _(x, heads):
    B, T, C = x.size()
    return x.view(B, T, heads, C // heads).transpose(1, 2)


@right("split_heads")
def _(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


@wrong("split_heads", "right shape, wrong contents")  # view without transpose
def _(x, heads):
    B, T, C = x.shape
    return x.reshape(B, heads, T, C // heads)


@wrong("split_heads", "right shape, wrong contents")
def _(x, heads):
    return x.view(x.size(0), heads, x.size(1), -1)


@wrong("split_heads", "still in the order")
def _(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, heads, C // heads)


@wrong("split_heads", "like cards")
def _(x, heads):
    return np.stack([x[:, :, h::heads] for h in range(heads)], axis=1)


@wrong("split_heads", "in front of the batch")
def _(x, heads):
    return np.stack(np.split(x, heads, axis=-1))


@wrong("split_heads", "last two axes")
def _(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, heads, C // heads).transpose(0, 2, 3, 1)


@wrong("split_heads", "d_k and the number of heads are swapped")
def _(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, C // heads, heads).swapaxes(1, 2)


@wrong("split_heads", "stopped with TypeError")  # / gives a float
def _(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, heads, C / heads).swapaxes(1, 2)


@wrong("split_heads", "right for the first inputs")
def _(x, heads):
    return x.reshape(2, 5, 3, 6).swapaxes(1, 2)


@wrong("split_heads", "you return x unchanged")
def _(x, heads):
    x.reshape(x.shape[0], x.shape[1], heads, -1)
    return x


@wrong("split_heads", "called with (x, heads)")
def _(x):
    return x.reshape(2, 5, 3, 6).swapaxes(1, 2)


# merge_heads


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * d_k)


@right("merge_heads")
def _(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    out = np.zeros((B, T, H * d_k))
    for h in range(H):
        for t in range(T):
            out[:, t, h * d_k : (h + 1) * d_k] = x[:, h, t]
    return out.astype(np.float32)


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d_k)


@right("merge_heads")
def _(x):
    return torch.einsum("bhtd->bthd", x).flatten(2)


@wrong("merge_heads", "right shape, wrong contents")
def _(x):
    B, H, T, d_k = x.shape
    return x.reshape(B, T, H * d_k)


@wrong("merge_heads", "averaged the heads")
def _(x):
    return np.mean(x, axis=1)


@wrong("merge_heads", "added the heads up")
def _(x):
    return sum(x[:, h] for h in range(x.shape[1]))


@wrong("merge_heads", "swapping is done")
def _(x):
    return x.transpose(0, 2, 1, 3)


@wrong("merge_heads", "the shape is right, but at")  # columns dealt out like cards
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, T, H * d_k)


@wrong("merge_heads", "RuntimeError")  # contiguous forgotten
def _(x):
    x = torch.as_tensor(x)
    return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)


@wrong("merge_heads", "you joined the heads along T")  # the heads below each other
def _(x):
    return x.reshape(x.shape[0], -1, x.shape[3])


# multi_head


def cut(x, heads):
    return np.stack(np.split(x, heads, axis=-1), axis=1)


def glue(x):
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)


def look(q, k, v, root=None, axis=-1):
    return soft(q @ k.swapaxes(-1, -2) / (root or np.sqrt(q.shape[-1])), axis) @ v


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape
    q, k, v = ((X @ W).reshape(B, T, heads, d // heads).swapaxes(1, 2) for W in (W_Q, W_K, W_V))
    weights = soft(q @ k.swapaxes(2, 3) / np.sqrt(d // heads))
    return (weights @ v).swapaxes(1, 2).reshape(B, T, d) @ W_O


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    output = np.zeros_like(X)
    d_k = X.shape[-1] // heads
    for b, x in enumerate(X):
        parts = []
        for h in range(heads):
            mine = slice(h * d_k, (h + 1) * d_k)
            q, k, v = x @ W_Q[:, mine], x @ W_K[:, mine], x @ W_V[:, mine]
            parts.append(soft(q @ k.T / d_k**0.5) @ v)
        output[b] = np.hstack(parts) @ W_O
    return output


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    d = X.shape[-1]
    q, k, v = (np.einsum("btd,dhk->bhtk", X, W.reshape(d, heads, -1)) for W in (W_Q, W_K, W_V))
    weights = soft(np.einsum("bhtk,bhsk->bhts", q, k) / np.sqrt(q.shape[-1]))
    output = np.einsum("bhts,bhsk,hkd->btd", weights, v, W_O.reshape(heads, -1, d))
    return output.astype(np.float32), weights


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    output = F.scaled_dot_product_attention(split(X @ W_Q), split(X @ W_K), split(X @ W_V))
    return output.transpose(1, 2).flatten(2) @ W_O


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    d = X.shape[-1]
    module = torch.nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([W_Q.T, W_K.T, W_V.T]))
        module.out_proj.weight.copy_(W_O.T)
    return module(X, X, X)


@wrong("multi_head", "W_O is missing")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V))))


@wrong("multi_head", "W_O is transposed")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return F.linear(
        torch.tensor(glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V))))), torch.tensor(W_O)
    )


@wrong("multi_head", "sqrt(d_model)")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return (
        glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V)), root=np.sqrt(X.shape[-1]))) @ W_O
    )


@wrong("multi_head", "there is no scaling")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V)), root=1)) @ W_O


@wrong("multi_head", "you divided by d_k")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return (
        glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V)), root=X.shape[-1] // heads)) @ W_O
    )


@wrong("multi_head", "one head only")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return look(X @ W_Q, X @ W_K, X @ W_V) @ W_O


@wrong("multi_head", "split and merged with reshape alone")
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape
    q, k, v = ((X @ W).reshape(B, heads, T, d // heads) for W in (W_Q, W_K, W_V))
    return look(q, k, v).reshape(B, T, d) @ W_O


@wrong("multi_head", "split with reshape alone")  # view without transpose
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape
    q, k, v = ((X @ W).view(B, heads, T, d // heads) for W in (W_Q, W_K, W_V))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, d) @ W_O


@wrong("multi_head", "merged with reshape alone")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V))).reshape(X.shape) @ W_O


@wrong("multi_head", "over the queries")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return glue(look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V)), axis=-2)) @ W_O


@wrong("multi_head", "W_Q and W_K are swapped")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return glue(look(*(cut(X @ W, heads) for W in (W_K, W_Q, W_V)))) @ W_O


@wrong("multi_head", "the values are X itself")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return glue(look(cut(X @ W_Q, heads), cut(X @ W_K, heads), cut(X, heads))) @ W_O


@wrong("multi_head", "you scaled after the softmax")
def _(X, W_Q, W_K, W_V, W_O, heads):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    return glue(soft(q @ k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1]) @ v) @ W_O


@wrong("multi_head", "expected shape (2, 5, 18)")  # never merged
def _(X, W_Q, W_K, W_V, W_O, heads):
    return look(*(cut(X @ W, heads) for W in (W_Q, W_K, W_V))) @ W_O[: X.shape[-1] // heads]


@wrong("multi_head", "you return X unchanged")
def _(X, W_Q, W_K, W_V, W_O, heads):
    return X


@wrong("multi_head", "called with (X, W_Q, W_K, W_V, W_O, heads)")
def _(X, heads):
    return X


# parameter_count


@right("parameter_count")
def _(d_model, heads):
    return 4 * d_model**2


@right("parameter_count")
def _(d_model, heads):
    d_k = d_model // heads
    return heads * 3 * d_model * d_k + heads * d_k * d_model


@right("parameter_count")
def _(d_model, heads):
    module = torch.nn.MultiheadAttention(d_model, heads, bias=False)
    return sum(p.numel() for p in module.parameters())


@right("parameter_count")
def _(d_model, heads):
    return float(sum(np.zeros((d_model, d_model)).size for _ in "QKVO"))


@wrong("parameter_count", "full width")
def _(d_model, heads):
    return heads * (4 * d_model * d_model)


@wrong("parameter_count", "forgot W_O")
def _(d_model, heads):
    return 3 * heads * d_model * (d_model // heads)


@wrong("parameter_count", "you counted one head")
def _(d_model, heads):
    return 4 * d_model * (d_model // heads)


@wrong("parameter_count", "W_O is not one for each head")
def _(d_model, heads):
    return heads * (3 * d_model * (d_model // heads) + d_model * d_model)


@wrong("parameter_count", "biases")
def _(d_model, heads):
    return sum(p.numel() for p in torch.nn.MultiheadAttention(d_model, heads).parameters())


@wrong("parameter_count", "right for the first inputs")
def _(d_model, heads):
    return 1048576


@wrong("parameter_count", "you return d_model unchanged")
def _(d_model, heads):
    return d_model


# positions


@right("positions")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, 2 * i] = np.sin(angle)
            table[p, 2 * i + 1] = np.cos(angle)
    return table


@right("positions")
def _(length, d_model):
    speeds = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, d_model)


@right("positions")
def _(length, d_model):
    table = torch.zeros(length, d_model)
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


BANK["positions"].right += [(lib.positions.sinusoidal_positions,)]


def clocks(positions, speeds):
    """Sine and cosine of each angle, side by side."""
    angles = np.multiply.outer(positions, speeds)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(positions), -1)


@wrong("positions", "all sines come first")
def _(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@wrong("positions", "sin and cos are swapped")
def _(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((length, d_model))
    table[:, 0::2] = np.cos(angles)
    table[:, 1::2] = np.sin(angles)
    return table


@wrong("positions", "by the position; choose by the dimension")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for j in range(d_model):
            angle = p / 10000 ** (2 * (j // 2) / d_model)
            table[p, j] = np.sin(angle) if p % 2 == 0 else np.cos(angle)
    return table


@wrong("positions", "expected shape (5, 6)")  # axes swapped
def _(length, d_model):
    return clocks(np.arange(length), 10000.0 ** (-np.arange(0, d_model, 2) / d_model)).T


@wrong("positions", "your first row is position 1")
def _(length, d_model):
    return clocks(np.arange(1, length + 1), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))


@wrong("positions", "your base is 1000")
def _(length, d_model):
    return clocks(np.arange(length), 1000.0 ** (-np.arange(0, d_model, 2) / d_model))


@wrong("positions", "more slowly")  # frequencies growing
def _(length, d_model):
    return clocks(np.arange(length), 10000.0 ** (np.arange(0, d_model, 2) / d_model))


@wrong("positions", "more slowly")  # one speed
def _(length, d_model):
    return clocks(np.arange(length), np.ones(d_model // 2))


@wrong("positions", "not divided by d_model")
def _(length, d_model):
    return clocks(np.arange(length), 10000.0 ** (-np.arange(0, d_model, 2)))


@wrong("positions", "the exponent is 2i/d_model")  # i / d_model
def _(length, d_model):
    return clocks(np.arange(length), 10000.0 ** (-np.arange(d_model // 2) / d_model))


@wrong("positions", "0, 2, 4 is 2i already")  # twice 2
def _(length, d_model):
    return clocks(np.arange(length), [10000.0 ** (-2 * i / d_model) for i in range(0, d_model, 2)])


@wrong("positions", "the exponent is 2i/d_model")  # a speed for each dimension
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for i in range(d_model):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, i] = np.cos(angle) if i % 2 else np.sin(angle)
    return table


@wrong("positions", "whole numbers only")
def _(length, d_model):
    table = np.zeros((length, d_model), dtype=int)
    table[:] = clocks(np.arange(length), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))
    return table


# add_positions


@right("add_positions")
def _(x, table):
    return x + table[: x.shape[1]]


@right("add_positions")
def _(x, table):
    result = x.copy()
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            result[b, t] += table[t]
    return result


@right("add_positions")
def _(x, table):
    return torch.add(x, table[: x.shape[-2]].unsqueeze(0))


@wrong("add_positions", "by the batch axis")
def _(x, table):
    return x + table[: len(x)][:, None]


@wrong("add_positions", "by the batch axis")
def _(x, table):
    return np.stack([sentence + row for sentence, row in zip(x, table[: len(x)], strict=True)])


@wrong("add_positions", "all words got the same row")
def _(x, table):
    return x + table[0]


@wrong("add_positions", "all words got the same row")
def _(x, table):
    return x + table[x.shape[1]]


@wrong("add_positions", "positions are added")
def _(x, table):
    return x * table[: x.shape[1]]


@wrong("add_positions", "the result is shape (2, 4, 12); expected shape (2, 4, 6)")
def _(x, table):
    return np.concatenate([x, np.broadcast_to(table[: x.shape[1]], x.shape)], axis=-1)


@wrong("add_positions", "the last rows")
def _(x, table):
    return x + table[-x.shape[1] :]


@wrong("add_positions", "the words are gone")
def _(x, table):
    return table[: x.shape[1]]


@wrong("add_positions", "the words are gone")
def _(x, table):
    return np.stack([table[: x.shape[1]]] * len(x))


@wrong("add_positions", "cut the longer")
def _(x, table):
    return x + table


@wrong("add_positions", "your function changes its input x")
def _(x, table):
    x += table[: x.shape[1]]
    return x


# rotary


@right("rotary")
def _(x):
    result = np.zeros(x.shape)
    for p in range(len(x)):
        for i in range(x.shape[1] // 2):
            angle = p / 10000 ** (2 * i / x.shape[1])
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            result[p, 2 * i : 2 * i + 2] = x[p, 2 * i : 2 * i + 2] @ turn
    return result


@right("rotary")
def _(x):
    z = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * hands(x))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


@right("rotary")
def _(x):
    angles = torch.arange(len(x))[:, None] * 10000 ** (-torch.arange(0, x.shape[1], 2) / x.shape[1])
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack(
        [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1
    ).flatten(-2)


BANK["rotary"].right += [(lambda x: lib.positions.rotary(x, np.arange(len(x))),)]


def hands(x, first=0):
    """The angles (T, d_k / 2)."""
    return np.arange(first, first + len(x))[:, None] / 10000 ** (
        np.arange(0, x.shape[1], 2) / x.shape[1]
    )


def turn(x, angles):
    result = np.empty(x.shape)
    result[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    result[:, 1::2] = x[:, 1::2] * np.cos(angles) + x[:, 0::2] * np.sin(angles)
    return result


@wrong("rotary", "needs both old ones")  # no cross terms
def _(x):
    return x * np.repeat(np.cos(hands(x)), 2, axis=1)


@wrong("rotary", "needs both old ones")  # only sin
def _(x):
    return x * np.repeat(np.sin(hands(x)), 2, axis=1)


@wrong("rotary", "needs both old ones")
def _(x):
    result = x.copy()
    result[:, 0::2] *= np.cos(hands(x))
    result[:, 1::2] *= np.sin(hands(x))
    return result


@wrong("rotary", "the wrong way round")
def _(x):
    return turn(x, -hands(x))


@wrong("rotary", "pair neighbours")
def _(x):
    a, b = np.split(x, 2, axis=-1)
    cos, sin = np.cos(hands(x)), np.sin(hands(x))
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


@wrong("rotary", "it is position 0")
def _(x):
    return turn(x, hands(x, first=1))


@wrong("rotary", "all pairs turn equally")
def _(x):
    return turn(x, np.arange(len(x))[:, None])


@wrong("rotary", "you wrote over the first number")
def _(x):
    result = x.copy()
    a, b = result[:, 0::2], result[:, 1::2]
    a[:] = a * np.cos(hands(x)) - b * np.sin(hands(x))
    b[:] = b * np.cos(hands(x)) + a * np.sin(hands(x))
    return result


@wrong("rotary", "you added the positions")
def _(x):
    angles = hands(x)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(x.shape)


@wrong("rotary", "you return x unchanged")
def _(x):
    return x


# layer_norm


@right("layer_norm")
def _(x, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


@right("layer_norm")
def _(x, gain, bias):
    return np.stack([(row - row.mean()) / (row.var() + 1e-5) ** 0.5 * gain + bias for row in x])


@right("layer_norm")
def _(x, gain, bias):
    return F.layer_norm(x, x.shape[-1:], gain, bias)


BANK["layer_norm"].right += [(lib.layers.layer_norm,)]


@wrong("layer_norm", "epsilon, 1e-5, goes inside the root")
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) * gain + bias


@wrong("layer_norm", "epsilon, 1e-5, goes inside the root")  # none
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) * gain + bias


@wrong("layer_norm", "epsilon, 1e-5, goes inside the root")
def _(x, gain, bias):
    return F.layer_norm(x, x.shape[-1:], gain, bias, eps=1e-6)


@wrong("layer_norm", "ddof=1")
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(
        x.var(-1, ddof=1, keepdims=True) + 1e-5
    ) * gain + bias


@wrong("layer_norm", "ddof=1")  # and outside the root
def _(x, gain, bias):
    return gain * (x - torch.mean(x, -1, True)) / (torch.std(x, -1, keepdim=True) + 1e-5) + bias


@wrong("layer_norm", "over the words (axis 0)")
def _(x, gain, bias):
    return (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * gain + bias


@wrong("layer_norm", "those of the whole table")
def _(x, gain, bias):
    return (x - x.mean()) / np.sqrt(x.var() + 1e-5) * gain + bias


@wrong("layer_norm", "the mean is not subtracted")
def _(x, gain, bias):
    return x / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gain + bias


@wrong("layer_norm", "the gain is missing")
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + bias


@wrong("layer_norm", "the bias is missing")
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gain


@wrong("layer_norm", "divide by its root")
def _(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + 1e-5) * gain + bias


@wrong("layer_norm", "the bias came before the gain")
def _(x, gain, bias):
    return (
        (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + bias
    ) * gain


@wrong("layer_norm", "keepdims=True keeps a column")
def _(x, gain, bias):
    return (x - x.mean(-1)) / np.sqrt(x.var(-1) + 1e-5) * gain + bias


# post_norm


@right("post_norm")
def _(x, run, norm):
    return norm(x + run(x))


@right("post_norm")
def _(x, run, norm):
    return torch.clone(norm(torch.add(x, run(x))))


@wrong("post_norm", "norm comes last")
def _(x, run, norm):
    return x + norm(run(x))


@wrong("post_norm", "norm comes last")
def _(x, run, norm):
    return norm(x) + run(x)


@wrong("post_norm", "norm comes last")
def _(x, run, norm):
    return run(norm(x + run(x)))


@wrong("post_norm", "x itself is lost")
def _(x, run, norm):
    return norm(run(x))


@wrong("post_norm", "x itself is lost")
def _(x, run, norm):
    return run(norm(x))


@wrong("post_norm", "this is pre-norm")
def _(x, run, norm):
    return x + run(norm(x))


@wrong("post_norm", "norm is missing")
def _(x, run, norm):
    return x + run(x)


@wrong("post_norm", "one norm is enough")
def _(x, run, norm):
    return norm(x + run(norm(x)))


@wrong("post_norm", "something of type function, not real numbers; return its result")
def _(x, run, norm):
    return norm


@wrong("post_norm", "run was called 1000 times; does your loop end?")
def _(x, run, norm):
    while True:
        x = norm(x + run(x))


@wrong("post_norm", "TypeError: too many positional arguments (inputs: x (3, 5), run, norm)")
def _(x, run, norm):
    return norm(x, run(x))


# encoder_parameters


@right("encoder_parameters")
def _(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff


@right("encoder_parameters")
def _(d_model, d_ff):
    layer = torch.nn.TransformerEncoderLayer(d_model, 1, d_ff)
    return sum(p.numel() for p in layer.parameters() if p.ndim == 2)


@wrong("encoder_parameters", "W_O is missing")
def _(d_model, d_ff):
    return 3 * d_model**2 + 2 * d_model * d_ff


@wrong("encoder_parameters", "to d_ff, and back")
def _(d_model, d_ff):
    return 4 * d_model**2 + d_model * d_ff


@wrong("encoder_parameters", "no matrix is d_ff × d_ff")
def _(d_model, d_ff):
    return 4 * d_model**2 + d_ff**2


@wrong("encoder_parameters", "no matrix is d_ff × d_ff")
def _(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_ff * d_ff


@wrong("encoder_parameters", "this is attention alone")
def _(d_model, d_ff):
    return 4 * d_model**2


@wrong("encoder_parameters", "this is the feed-forward network alone")
def _(d_model, d_ff):
    return d_model * d_ff + d_ff * d_model


@wrong("encoder_parameters", "the heads share four")
def _(d_model, d_ff, heads=8):
    return heads * 4 * d_model**2 + 2 * d_model * d_ff


@wrong("encoder_parameters", "biases or norms")
def _(d_model, d_ff):
    return sum(p.numel() for p in torch.nn.TransformerEncoderLayer(d_model, 1, d_ff).parameters())


@wrong("encoder_parameters", "biases or norms")
def _(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff + 2 * 2 * d_model


@wrong("encoder_parameters", "right for the first inputs")  # d_ff is not always 4 d_model
def _(d_model, d_ff):
    return 12 * d_model**2


# shift_right


@right("shift_right")
def _(target, start):
    return np.concatenate([np.full((len(target), 1), start), target[:, :-1]], axis=1)


@right("shift_right")
def _(target, start):
    result = np.roll(target, 1, axis=1)
    result[:, 0] = start
    return result


@right("shift_right")
def _(target, start):
    return [[start, *sentence[:-1]] for sentence in target.tolist()]


@right("shift_right")
def _(target, start):
    return F.pad(target[:, :-1], (1, 0), value=start)


@wrong("shift_right", "you return target unchanged")
def _(target, start):
    return target


@wrong("shift_right", "you shifted to the left")
def _(target, start):
    return np.concatenate([target[:, 1:], np.full((len(target), 1), start)], axis=1)


@wrong("shift_right", "came round to the front")
def _(target, start):
    return np.roll(target, 1, axis=1)


@wrong("shift_right", "came round to the front")
def _(target, start):
    return np.roll(target, 1)


@wrong("shift_right", "start stands at the end")
def _(target, start):
    return np.column_stack([target, [start] * len(target)])


@wrong("shift_right", "start stands at the end")
def _(target, start):
    return np.column_stack([target[:, :-1], [start] * len(target)])


@wrong("shift_right", "T + 1 words")
def _(target, start):
    return np.insert(target, 0, start, axis=1)


@wrong("shift_right", "start took the place of the first word")
def _(target, start):
    result = target.copy()
    result[:, 0] = start
    return result


@wrong("shift_right", "the sentences moved")
def _(target, start):
    result = np.roll(target, 1, axis=0)
    result[0] = start
    return result


@wrong("shift_right", "by two places")
def _(target, start):
    result = np.full_like(target, start)
    result[:, 2:] = target[:, :-2]
    return result


@wrong("shift_right", "right for the first inputs")
def _(target, start):
    return np.insert(target[:, :-1], 0, 1, axis=1)


# greedy


@right("greedy")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@right("greedy")
def _(step, start, end, longest):
    words = []
    while len(words) < longest:
        scores = list(step((start, *words)))
        best = scores.index(max(scores))
        if best == end:
            return words
        words += [best]
    return np.array(words)


@right("greedy")
def _(step, start, end, longest):
    words = torch.tensor([start])
    while len(words) <= longest and words[-1] != end:
        words = torch.cat([words, torch.argmax(step(words), keepdim=True)])
    return [int(word) for word in words[1:] if word != end]


@wrong("greedy", "you go on after end")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        words.append(np.argmax(step(words)))
    return words[1:]


@wrong("greedy", "do not return it")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "start is for step only")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(step(words)))
    return words


@wrong("greedy", "end stops the loop")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(step(words)))
    return words[1:]


@wrong("greedy", "right where end comes")
def _(step, start, end, longest):
    words = [start]
    while len(words) < longest:
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "right where end comes")  # longest is not used, and the third end comes late
def _(step, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(step(words)))
    return words[1:-1]


@wrong("greedy", "step was called 1000 times; does your loop end?")
def _(step, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(step(words[-1:])))
    return words[1:-1]


@wrong("greedy", "step saw the last word only")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words[-1]))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "step did not see start")
def _(step, start, end, longest):
    words = []
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "the lowest score")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmin(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "the result is shape")  # drawn, not chosen
def _(step, start, end, longest):
    words, generator = [start], np.random.default_rng(5)
    for _ in range(longest):
        chances = np.exp(step(words))
        words.append(generator.choice(len(chances), p=chances / chances.sum()))
        if words[-1] == end:
            break
    return words[1:-1]


@wrong("greedy", "rows of different lengths")  # the scores along with the words
def _(step, start, end, longest):
    return [start, step([start])]


# decoder_sublayers


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h)


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = torch.clone(x)
    for run in (self_attend, lambda h: cross_attend(h, memory), feed_forward):
        h += run(h)
    return h


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(h=x)
    h = h + cross_attend(memory=memory, h=h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "there is no residual")
def _(x, memory, self_attend, cross_attend, feed_forward):
    return feed_forward(cross_attend(self_attend(x), memory))


@wrong("decoder_sublayers", "the residual of self-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of cross-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of the feed-forward network is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return feed_forward(h)


@wrong("decoder_sublayers", "memory asked")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(memory, h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "self-attention comes first")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + cross_attend(x, memory)
    h = h + self_attend(h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the feed-forward network is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + cross_attend(h, memory)


@wrong("decoder_sublayers", "cross-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "cross-attention got x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(x, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "you added x each time")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = x + cross_attend(h, memory)
    return x + feed_forward(h)


@wrong("decoder_sublayers", "looked at its own side")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "missing a required argument: 'memory'")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + feed_forward(h + cross_attend(h))


# causal_mask


@right("causal_mask")
def _(T):
    return [[key <= query for key in range(T)] for query in range(T)]


@right("causal_mask")
def _(T):
    return np.arange(T)[:, None] >= np.arange(T)


@right("causal_mask")
def _(T):
    return np.triu(np.ones((T, T)), k=1) == 0


@right("causal_mask")
def _(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


BANK["causal_mask"].right += [(lib.masks.causal_mask,)]


@wrong("causal_mask", "True and False are swapped")
def _(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)


@wrong("causal_mask", "True and False are swapped")
def _(T):
    return np.triu(np.ones((T, T)), k=1)


@wrong("causal_mask", "no word sees itself")
def _(T):
    return np.arange(T)[:, None] > np.arange(T)


@wrong("causal_mask", "sees the next one")
def _(T):
    return np.tril(np.ones((T, T), dtype=bool), k=1)


@wrong("causal_mask", "rows are queries")
def _(T):
    return np.triu(np.ones((T, T), dtype=bool))


@wrong("causal_mask", "numbers to add to scores")
def _(T):
    return torch.nn.Transformer.generate_square_subsequent_mask(T)


@wrong("causal_mask", "numbers to add to scores")
def _(T):
    return (1 - np.tri(T)) * -1e9


@wrong("causal_mask", "nothing is hidden")
def _(T):
    return np.ones((T, T), dtype=bool)


@wrong("causal_mask", "mask == 1 makes True and False")
def _(T):
    return np.tril(np.ones((T, T)))


@wrong("causal_mask", "mask == 1 makes True and False")
def _(T):
    return torch.tril(torch.ones(T, T, dtype=torch.int64))


@wrong("causal_mask", "at (1, 0) you have False where True is right")
def _(T):
    return np.eye(T, dtype=bool)


# padding_mask


@right("padding_mask")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :, :length] = True
    return mask


@right("padding_mask")
def _(lengths, S):
    return np.repeat(np.arange(S) < lengths[:, None, None], S, axis=1)


@right("padding_mask")
def _(lengths, S):
    return (torch.arange(S) < lengths[:, None])[:, None].expand(-1, S, -1)


BANK["padding_mask"].right += [
    (lambda lengths, S: lib.masks.padding_mask(lengths, S) & np.ones((S, S), bool),)
]


@wrong("padding_mask", "you closed rows, the queries")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :length] = True
    return mask


@wrong("padding_mask", "True and False are swapped")
def _(lengths, S):
    return np.repeat(np.arange(S) >= lengths[:, None, None], S, axis=1)


@wrong("padding_mask", "one place too many is open")
def _(lengths, S):
    return np.repeat(np.arange(S) <= lengths[:, None, None], S, axis=1)


@wrong("padding_mask", "the last real word is closed")
def _(lengths, S):
    return np.repeat(np.arange(1, S + 1) < lengths[:, None, None], S, axis=1)


@wrong("padding_mask", "you closed rows too")
def _(lengths, S):
    real = np.arange(S) < lengths[:, None]
    return real[:, :, None] & real[:, None, :]


@wrong("padding_mask", "you counted from the end")
def _(lengths, S):
    return np.stack([np.tile(np.arange(S)[::-1] < length, (S, 1)) for length in lengths])


@wrong("padding_mask", "the result is shape (2, 5); expected shape (2, 5, 5)")
def _(lengths, S):
    return np.arange(S) < lengths[:, None]


@wrong("padding_mask", "the result is shape (2, 1, 5); expected shape (2, 5, 5)")
def _(lengths, S):
    return lib.masks.padding_mask(lengths, S)


@wrong("padding_mask", "numbers to add to scores")
def _(lengths, S):
    return np.where(np.repeat(np.arange(S) < lengths[:, None, None], S, axis=1), 0, -np.inf)


@wrong("padding_mask", "mask == 1 makes True and False")
def _(lengths, S):
    mask = np.zeros((len(lengths), S, S))
    for b, length in enumerate(lengths):
        mask[b, :, :length] = 1
    return mask


@wrong("padding_mask", "does your function use its inputs?")
def _(lengths, S):
    return np.ones((len(lengths), S, S), dtype=bool)


# masked_softmax


@right("masked_softmax")
def _(scores, mask):
    weights = np.zeros(scores.shape)
    for t in range(len(scores)):
        if mask[t].any():
            e = np.exp(scores[t, mask[t]])
            weights[t, mask[t]] = e / e.sum()
    return weights


@right("masked_softmax")
def _(scores, mask):  # after the softmax, renormalised
    weights = soft(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@right("masked_softmax")
def _(scores, mask):  # additive
    return np.nan_to_num(soft(scores + np.where(mask, 0, -np.inf)))


@right("masked_softmax")
def _(scores, mask):
    return np.where(mask, soft(np.where(mask, scores, -1e9)), 0)


@right("masked_softmax")
def _(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1).nan_to_num()


BANK["masked_softmax"].right += [
    (lambda scores, mask: lib.attention.softmax(np.where(mask, scores, -np.inf)),)
]


@wrong("masked_softmax", "a row of False alone gets weights")
def _(scores, mask):
    return soft(np.where(mask, scores, -1e9))


@wrong("masked_softmax", "a row of False alone gets weights")
def _(scores, mask):
    return soft(scores - 1e9 * ~mask)


@wrong("masked_softmax", "a row of False alone gets weights")
def _(scores, mask):
    return torch.softmax(scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min), dim=-1)


@wrong("masked_softmax", "a row of False alone is NaN")
def _(scores, mask):
    return soft(np.where(mask, scores, -np.inf))


@wrong("masked_softmax", "a row of False alone is NaN")
def _(scores, mask):
    weights = soft(scores) * mask
    return weights / weights.sum(axis=-1, keepdims=True)


@wrong("masked_softmax", "True and False are swapped")
def _(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)


@wrong("masked_softmax", "True and False are swapped")
def _(scores, mask):
    return soft(scores - 1e9 * mask)


@wrong("masked_softmax", "you masked after the softmax")
def _(scores, mask):
    return soft(scores) * mask


@wrong("masked_softmax", "exp(0) is 1")
def _(scores, mask):
    return soft(np.where(mask, scores, 0))


@wrong("masked_softmax", "exp(0) is 1")
def _(scores, mask):
    return soft(scores * mask)


@wrong("masked_softmax", "others are below -1 or -50")
def _(scores, mask):
    return soft(np.where(mask, scores, -1))


@wrong("masked_softmax", "others are below -1 or -50")
def _(scores, mask):
    return soft(np.where(mask, scores, -100))


@wrong("masked_softmax", "you added 0 and 1")
def _(scores, mask):
    return soft(scores + mask)


@wrong("masked_softmax", "over the queries")
def _(scores, mask):
    return soft(np.where(mask, scores, -np.inf), axis=0)


@wrong("masked_softmax", "the mask has no effect")
def _(scores, mask):
    return soft(scores)


# label_smoothing


@right("label_smoothing")
def _(right, words, epsilon):
    return (1 - epsilon) * np.eye(words)[right] + epsilon / words


@right("label_smoothing")
def _(right, words, epsilon):
    rows = []
    for word in right:
        row = [epsilon / words] * words
        row[int(word)] += 1 - epsilon
        rows.append(row)
    return rows


@right("label_smoothing")
def _(right, words, epsilon):
    return F.one_hot(torch.as_tensor(right), words) * (1 - epsilon) + epsilon / words


@wrong("label_smoothing", "nothing is smoothed yet")
def _(right, words, epsilon):
    return np.eye(words)[right]


@wrong("label_smoothing", "over the other words; over all")
def _(right, words, epsilon):
    result = np.full((len(right), words), epsilon / (words - 1))
    result[np.arange(len(right)), right] = 1 - epsilon
    return result


@wrong("label_smoothing", "rows sum to 1 + ε")
def _(right, words, epsilon):
    return np.eye(words)[right] + epsilon / words


@wrong("label_smoothing", "rows sum to 1 - ε")
def _(right, words, epsilon):
    return np.eye(words)[right] * (1 - epsilon)


@wrong("label_smoothing", "the whole of ε")
def _(right, words, epsilon):
    return np.eye(words)[right] * (1 - epsilon) + epsilon


@wrong("label_smoothing", "changed places")
def _(right, words, epsilon):
    return epsilon * np.eye(words)[right] + (1 - epsilon) / words


@wrong("label_smoothing", "the right word has to stand out")
def _(right, words, epsilon):
    return np.ones((len(right), words)) / words


# learning_rate


@right("learning_rate")
def _(step, d_model, warm_up):
    return d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)


@right("learning_rate")
def _(step, d_model, warm_up):
    return [min(s**-0.5, s * warm_up**-1.5) / d_model**0.5 for s in step.tolist()]


@right("learning_rate")
def _(step, d_model, warm_up):
    step = torch.as_tensor(step).double()
    return torch.where(step < warm_up, step / warm_up**1.5, step**-0.5) / d_model**0.5


@wrong("learning_rate", "no warm-up")
def _(step, d_model, warm_up):
    return d_model**-0.5 * step**-0.5


@wrong("learning_rate", "rises without end")
def _(step, d_model, warm_up):
    return d_model**-0.5 * step * warm_up**-1.5


@wrong("learning_rate", "the larger of the two")
def _(step, d_model, warm_up):
    return d_model**-0.5 * np.maximum(step**-0.5, step * warm_up**-1.5)


@wrong("learning_rate", "d_model is not used")
def _(step, d_model, warm_up):
    return np.minimum(step**-0.5, step * warm_up**-1.5)


@wrong("learning_rate", "you multiply by √d_model")
def _(step, d_model, warm_up):
    return d_model**0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)


@wrong("learning_rate", "divide by its root")
def _(step, d_model, warm_up):
    return d_model**-1.0 * np.minimum(step**-0.5, step * warm_up**-1.5)


@wrong("learning_rate", "-1.5, not -0.5")
def _(step, d_model, warm_up):
    return d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-0.5)


@wrong("learning_rate", "steps count from 1")
def _(step, d_model, warm_up):
    return d_model**-0.5 * np.minimum(step**-0.5, (step - 1) * warm_up**-1.5)


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


@wrong("cut_arrow", "no longer sums to 1")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, key] = 0
    return weights


@wrong("cut_arrow", "equal parts of it")
def _(weights, query, key):
    weights = weights.copy()
    freed = weights[:, query, key].copy()
    weights[:, query, key] = 0
    for other in range(weights.shape[2]):
        if other != key:
            weights[:, query, other] += freed / (weights.shape[2] - 1)
    return weights


@wrong("cut_arrow", "you closed the key to every query")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, :, key] = 0
    return weights


@wrong("cut_arrow", "you closed the key to every query")
def _(weights, query, key):
    weights = weights.copy()
    weights[..., key] = 0
    return weights / weights.sum(-1, keepdims=True)


@wrong("cut_arrow", "the whole row is gone")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query] = 0
    return weights


@wrong("cut_arrow", "over the queries; over the keys")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, key] = 0
    return weights / weights.sum(1, keepdims=True)


@wrong("cut_arrow", "nearly equal")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, key] = -np.inf
    return lib.attention.softmax(weights)


@wrong("cut_arrow", "nearly equal")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, query, key] = -np.inf
    weights[:, query] = lib.attention.softmax(weights[:, query])
    return weights


@wrong("cut_arrow", "only the first head")
def _(weights, query, key):
    weights = weights.copy()
    weights[0, query, key] = 0
    weights[0, query] /= weights[0, query].sum()
    return weights


@wrong("cut_arrow", "rows are queries")
def _(weights, query, key):
    weights = weights.copy()
    weights[:, key, query] = 0
    return weights / weights.sum(-1, keepdims=True)


@wrong("cut_arrow", "you return weights unchanged")
def _(weights, query, key):
    return weights


# next_word_loss


@right("next_word_loss")
def _(probabilities, text):
    total = 0
    for t in range(len(text) - 1):
        total -= np.log(probabilities[t][text[t + 1]])
    return total / (len(text) - 1)


@right("next_word_loss")
def _(probabilities, text):
    return -np.log(probabilities[np.arange(len(text) - 1), text[1:]]).mean()


@right("next_word_loss")
def _(probabilities, text):
    return np.mean([-np.log(row[word]) for row, word in zip(probabilities, text[1:], strict=False)])


@right("next_word_loss")
def _(probabilities, text):
    return F.nll_loss(probabilities[:-1].log(), text[1:])


@right("next_word_loss")
def _(probabilities, text):  # the softmax of logarithms gives the probabilities back
    return F.cross_entropy(torch.log(probabilities[:-1]).float(), text[1:]).item()


@wrong("next_word_loss", "about word t, which it has seen")
def _(probabilities, text):
    return -np.log(probabilities[np.arange(len(text)), text]).mean()


@wrong("next_word_loss", "about word t, which it has seen")
def _(probabilities, text):
    return F.nll_loss(probabilities.log(), text)


@wrong("next_word_loss", "about word t, which it has seen")
def _(probabilities, text):  # both are cut at the same end
    return -np.log(probabilities[np.arange(len(text) - 1), text[:-1]]).mean()


@wrong("next_word_loss", "about word t, which it has seen")
def _(probabilities, text):  # the first row is left out, not the last
    return np.mean([-np.log(probabilities[t, text[t]]) for t in range(1, len(text))])


@wrong("next_word_loss", "you shifted the wrong way")
def _(probabilities, text):
    return np.mean([-np.log(probabilities[t, text[t - 1]]) for t in range(1, len(text))])


@wrong("next_word_loss", "you shifted the wrong way")
def _(probabilities, text):  # text[-1] is the last word
    return np.mean([-np.log(probabilities[t, text[t - 1]]) for t in range(len(text))])


@wrong("next_word_loss", "the last row was asked about the first word")
def _(probabilities, text):
    return -np.log(probabilities[np.arange(len(text)), np.roll(text, -1)]).mean()


@wrong("next_word_loss", "this is the sum")
def _(probabilities, text):
    return -sum(np.log(probabilities[t, text[t + 1]]) for t in range(len(text) - 1))


@wrong("next_word_loss", "you divided by T")
def _(probabilities, text):
    return -sum(np.log(probabilities[t, text[t + 1]]) for t in range(len(text) - 1)) / len(text)


@wrong("next_word_loss", "the losses of the single words")
def _(probabilities, text):
    return [-np.log(probabilities[t, text[t + 1]]) for t in range(len(text) - 1)]


@wrong("next_word_loss", "the minus is missing")
def _(probabilities, text):
    return np.log(probabilities[np.arange(len(text) - 1), text[1:]]).mean()


@wrong("next_word_loss", "the mean of the logs")
def _(probabilities, text):
    return -np.log(probabilities[np.arange(len(text) - 1), text[1:]].mean())


@wrong("next_word_loss", "this is the mean probability")
def _(probabilities, text):
    return probabilities[np.arange(len(text) - 1), text[1:]].mean()


@wrong("next_word_loss", "the mean of 1 - p")
def _(probabilities, text):
    return 1 - probabilities[np.arange(len(text) - 1), text[1:]].mean()


@wrong("next_word_loss", "the base of the logarithm")
def _(probabilities, text):
    return -np.log2(probabilities[np.arange(len(text) - 1), text[1:]]).mean()


@wrong("next_word_loss", "the base of the logarithm")
def _(probabilities, text):
    return -np.log10(probabilities[np.arange(len(text) - 1), text[1:]]).mean()


@wrong("next_word_loss", "this is the perplexity")
def _(probabilities, text):
    return np.exp(-np.log(probabilities[np.arange(len(text) - 1), text[1:]]).mean())


@wrong("next_word_loss", "take the word that came")
def _(probabilities, text):
    return -np.log(probabilities[:-1].max(axis=1)).mean()


@wrong("next_word_loss", "IndexError")
def _(probabilities, text):
    return np.mean([-np.log(probabilities[t, text[t + 1]]) for t in range(len(text))])


@wrong("next_word_loss", "every row met every word")
def _(probabilities, text):
    return -np.log(probabilities[:-1][:, text[1:]]).mean()


# perplexity


@right("perplexity")
def _(p):
    return np.exp(-np.log(p).mean())


@right("perplexity")
def _(p):
    total = 0
    for one in p:
        total += -np.log(one)
    return np.e ** (total / len(p))


@right("perplexity")
def _(p):
    return 2 ** -np.mean(np.log2(p))


@right("perplexity")
def _(p):
    return np.prod(p) ** (-1 / len(p))


@right("perplexity")
def _(p):
    return torch.exp(-torch.log(p).mean())


@wrong("perplexity", "this is the loss")
def _(p):
    return -np.mean(np.log(p))


@wrong("perplexity", "the minus is missing")
def _(p):
    return np.exp(np.mean(np.log(p)))


@wrong("perplexity", "the minus is missing")
def _(p):
    total = 1
    for one in p:
        total *= one
    return total


@wrong("perplexity", "which hides a bad miss")
def _(p):
    return 1 / np.mean(p)


@wrong("perplexity", "which hides a bad miss")
def _(p):
    return p.mean()


@wrong("perplexity", "which hides a bad miss")
def _(p):
    return np.exp(-np.log(p.mean())) ** 1.0


@wrong("perplexity", "which hides a bad miss")
def _(p):
    return -np.log(sum(p) / len(p))


@wrong("perplexity", "which one rare word rules")
def _(p):
    return sum(1 / one for one in p) / len(p)


@wrong("perplexity", "a longer text is always worse")
def _(p):
    return np.exp(-np.log(p).sum())


@wrong("perplexity", "a longer text is always worse")
def _(p):
    return -torch.log(p).sum()


@wrong("perplexity", "need the same base")
def _(p):
    return 2 ** -np.log(p).mean()


@wrong("perplexity", "need the same base")
def _(p):
    return np.exp(-np.log2(p).mean())


@wrong("perplexity", "need the same base")  # bits for each word
def _(p):
    return -np.log2(p).mean()


@wrong("perplexity", "one number")
def _(p):
    return np.exp(-np.log(p))


# top_p


@right("top_p")
def _(probabilities, p):
    kept, reached = np.zeros(len(probabilities)), 0
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


@right("top_p")
def _(probabilities, p):  # what more probable words have together
    above = [sum(other for other in probabilities if other > one) for one in probabilities]
    left = np.where(np.array(above) < p, probabilities, 0)
    return left / left.sum()


@right("top_p")
def _(probabilities, p):
    sums, order = torch.sort(probabilities, descending=True)
    left = torch.where(sums.cumsum(0) - sums < p, sums, 0)
    return torch.zeros_like(probabilities).scatter(0, order, left / left.sum())


BANK["top_p"].right += [
    (lambda probabilities, p: lib.sampling.filtered(np.log(probabilities), top_p=p),)
]


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
    kept = np.zeros(len(probabilities), bool)
    kept[order[np.cumsum(probabilities[order]) <= p]] = True
    left = np.where(kept, probabilities, 0)
    return left / left.sum()


@wrong("top_p", "you dropped the word that crosses p")
def _(probabilities, p):
    left, reached = np.zeros(len(probabilities)), 0
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
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "divide by what the kept words have together")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[: 1 + (np.cumsum(probabilities[order]) < p).sum()]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept] / p
    return left


@wrong("top_p", "you kept one word too many")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[: 2 + np.sum(np.cumsum(probabilities[order]) < p)]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "words of at least p each")
def _(probabilities, p):
    left = np.where(probabilities >= p, probabilities, 0)
    return left / left.sum()


@wrong("top_p", "words of at least p each")
def _(probabilities, p):
    return probabilities * (probabilities > p)


@wrong("top_p", "in the order of the vocabulary")
def _(probabilities, p):
    kept = 1 + np.sum(np.cumsum(probabilities) < p)
    left = np.where(np.arange(len(probabilities)) < kept, probabilities, 0)
    return left / left.sum()


@wrong("top_p", "in the order of the vocabulary")
def _(probabilities, p):
    left = np.where(np.cumsum(probabilities) <= p, probabilities, 0)
    return left / left.sum()


@wrong("top_p", "in the order of the vocabulary")
def _(probabilities, p):
    return probabilities * (np.cumsum(probabilities) <= p)


@wrong("top_p", "in the order of the vocabulary")
def _(probabilities, p):
    kept = np.argsort(-probabilities)[: 1 + (np.cumsum(probabilities) < p).sum()]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "at least p times the largest")
def _(probabilities, p):
    left = np.where(probabilities >= p * probabilities.max(), probabilities, 0)
    return left / left.sum()


@wrong("top_p", "a share of the words")
def _(probabilities, p):
    kept = np.argsort(-probabilities)[: int(p * len(probabilities))]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "you kept what comes after p is reached")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[np.cumsum(probabilities[order]) >= p]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "you kept what comes after p is reached")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = order[(np.cumsum(probabilities[order]) < p).sum() + 1 :]
    left = np.zeros(len(probabilities))
    left[kept] = probabilities[kept]
    return left / left.sum()


@wrong("top_p", "the words are not sorted")
def _(probabilities, p):
    found = -np.sort(-probabilities)
    left = np.where(np.cumsum(found) - found < p, probabilities, 0)
    return left / left.sum()


@wrong("top_p", "the words are not sorted")
def _(probabilities, p):
    left = probabilities * (np.cumsum(-np.sort(-probabilities)) <= p)
    return left / left.sum()


@wrong("top_p", "you have 0.")  # not rounded to a whole number, though a whole one is wanted
def _(probabilities, p):
    left = np.where(probabilities > 1 / len(probabilities), probabilities, 0)
    return left / left.sum()


@wrong("top_p", "you began with the least probable word")
def _(probabilities, p):
    left, reached = np.zeros(len(probabilities)), 0
    for word in np.argsort(probabilities):
        left[word] = probabilities[word]
        reached += probabilities[word]
        if reached >= p:
            break
    return left / left.sum()


@wrong("top_p", "put each back in its own place")
def _(probabilities, p):
    order = np.sort(probabilities)[::-1]
    left = np.where(np.cumsum(order) - order < p, order, 0)
    return left / left.sum()


@wrong("top_p", "put each back in its own place")
def _(probabilities, p):
    sums, _ = torch.sort(probabilities, descending=True)
    return torch.where(sums.cumsum(0) - sums < p, sums, 0)


@wrong("top_p", "not which words to keep")
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = np.zeros(len(probabilities), bool)
    kept[order[: 1 + np.sum(np.cumsum(probabilities[order]) < p)]] = True
    return kept


@wrong("top_p", "right where one word reaches p")
def _(probabilities, p):
    return np.eye(len(probabilities))[probabilities.argmax()]


@wrong("top_p", "you return probabilities unchanged")
def _(probabilities, p):
    return probabilities / probabilities.sum()


@wrong("top_p", "expected shape (7,)")  # the others are cut off, not made 0
def _(probabilities, p):
    order = np.argsort(-probabilities)
    kept = probabilities[order[: 1 + np.sum(np.cumsum(probabilities[order]) < p)]]
    return kept / kept.sum()
