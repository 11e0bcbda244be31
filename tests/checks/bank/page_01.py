"""Page 1, dot products: answers to dot_product, all_cosines."""

import sys

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, wrong

# dot_product

BY_PRODUCT = "by a product of components. With the ruler"


@wrong("dot_product", BY_PRODUCT)
def _(q, k):
    total = 0
    for i in range(len(q)):
        total += q[i] * k[i]
    return total


wrong("dot_product", BY_PRODUCT)(lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)))
wrong("dot_product", BY_PRODUCT)(lambda q, k: (q * k).sum())
wrong("dot_product", BY_PRODUCT)(lambda q, k: np.einsum("i,i->", q, k))
wrong("dot_product", BY_PRODUCT)(lambda q, k: q.astype(np.float32) @ k.astype(np.float32))
wrong("dot_product", BY_PRODUCT)(lambda q, k, show=False: torch.matmul(q, k).item())
wrong("dot_product", BY_PRODUCT)(np.dot)
wrong("dot_product", BY_PRODUCT)(torch.dot)
wrong("dot_product", BY_PRODUCT)(lambda *vectors: np.inner(*vectors))
wrong("dot_product", BY_PRODUCT)(lambda q, k: q @ k)

wrong("dot_product", "did not add them up")(lambda q, k: [q[i] * k[i] for i in range(len(q))])
wrong("dot_product", "multiplied the sums")(lambda q, k: sum(q) * sum(k))


@wrong("dot_product", "you added the vectors")
def _(q, k):
    total = 0
    for a, b in zip(q, k, strict=True):
        total += a + b
    return total


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


wrong("dot_product", "right for the first inputs")(  # a size written as a number
    lambda q, k: sum(q[i] * k[i] for i in range(3))
)
wrong("dot_product", "IndexError")(lambda q, k: sum(q[i] * k[i] for i in range(len(q) + 1)))


@wrong("dot_product", "nothing yet")  # a forgotten return
def _(q, k):
    q @ k  # noqa: B018


@wrong("dot_product", "nothing yet")
def _(q, k):
    print(end="")
    return ...


wrong("dot_product", "called with (q, k)")(lambda q: q @ q)
wrong("dot_product", "called with (q, k)")(lambda q, k, d: sum(q[i] * k[i] for i in range(d)))
wrong("dot_product", "whole numbers")(lambda q, k: int(10 * q @ k))
wrong("dot_product", "not real numbers")(lambda q, k: str(q @ k))


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


wrong("dot_product", "NameError")(lambda q, k: q @ keys)  # noqa: F821


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


wrong("dot_product", "same whatever numbers")(lambda q, k: 11)


def size(x):
    return np.linalg.norm(x)


right("dot_product")(lambda q, k: (size(q + k) ** 2 - size(q) ** 2 - size(k) ** 2) / 2)
right("dot_product")(lambda q, k: (size(q + k) ** 2 - size(q - k) ** 2) / 4)


# all_cosines


@right("all_cosines")
def _(X):
    table = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            lengths = np.sqrt(X[i] @ X[i]) * np.sqrt(X[j] @ X[j])
            table[i, j] = sum(X[i] * X[j]) / lengths
    return table


def unit(X):
    """Each row with length 1."""
    return X / np.linalg.norm(X, axis=1, keepdims=True)


right("all_cosines")(lambda X: unit(X) @ unit(X).T)
right("all_cosines")(lambda X: np.einsum("id,jd->ij", unit(X), unit(X)).astype(np.float32))
right("all_cosines")(lambda X: X @ X.T / np.outer(*2 * [np.linalg.norm(X, axis=-1)]))
right("all_cosines")(lambda X: [[a @ b for b in unit(X)] for a in unit(X)])
right("all_cosines")(lambda X: np.corrcoef(np.hstack([X, -X])))


@right("all_cosines")
def _(X):
    return torch.stack([F.cosine_similarity(X, row[None], dim=-1) for row in X])


@wrong("all_cosines", "below the diagonal you have 0")
def _(X):
    table = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(i, len(X)):
            table[i, j] = unit(X)[i] @ unit(X)[j]
    return table


@wrong("all_cosines", "whole numbers")
def _(X):
    table = np.zeros((len(X), len(X)), dtype=int)
    for i in range(len(X)):
        for j in range(len(X)):
            table[i, j] = 3 * X[i] @ X[j]
    return table


wrong("all_cosines", "right for the first inputs")(
    lambda X: [[unit(X)[i] @ unit(X)[j] for j in range(4)] for i in range(4)]
)


@wrong("all_cosines", "one word's length twice")
def _(X):
    lengths = np.linalg.norm(X, axis=-1)  # without keepdims
    return X @ X.T / (lengths * lengths)


wrong("all_cosines", "you return X unchanged")(lambda X: X)
wrong("all_cosines", "ValueError")(lambda X: X @ X)
wrong("all_cosines", "rows of different lengths")(
    lambda X: [[X[i] @ X[j] for j in range(i + 1)] for i in range(len(X))]
)
wrong("all_cosines", "whatever numbers come in")(lambda X: np.zeros((len(X), len(X))))
wrong("all_cosines", "; return the output alone")(lambda X: (unit(X) @ unit(X).T, X))
wrong("all_cosines", "your diagonal is 0.20…4.04, and each vector with itself has to give 1")(
    lambda X: X @ X.T / np.linalg.norm(X, axis=-1, keepdims=True) * np.linalg.norm(X, axis=-1)
)
