"""The exercises of notebook 1: dot product and cosine."""

import numpy as np

from lib.checks.cases import length, normal
from lib.checks.exercises import Page
from lib.checks.how_written import has_loop
from lib.checks.judge import and_then, right
from lib.checks.run import run_again

PAGE = Page(1, "Dot products: how well do two vectors match?")

# The first two have a negative product and a negative cosine, the third has positive ones.
VECTORS = [
    (normal(3), normal(3, seed=1)),
    (normal(5), -normal(5, seed=1)),
    (normal(4), normal(4, seed=1)),
]


def unit(X, axis=-1):
    """Each row with length 1, or with axis=0 each column."""
    return X / np.linalg.norm(X, axis=axis, keepdims=True)


def not_at_once(answer):
    if not has_loop(answer):
        return ""
    return (
        "it is done with a loop. Without one: what does a whole table times itself, turned, hold?"
    )


@PAGE.exercise("All cosines")
@right(
    "row i, column j holds the cosine of words i and j; the diagonal is 1.",
    (normal(4, 3),),
    (normal(2, 5),),
    remark=not_at_once,
)
def all_cosines(X):
    """answer(X (T, d)) -> (T, T): the cosine of every row of X with every row."""
    return unit(X) @ unit(X).T


all_cosines.wrong("these are dot products; take both lengths out.")(lambda X: X @ X.T)
all_cosines.wrong(
    "these are the rows with length 1, (T, d); now multiply every row with every row: (T, T)."
)(unit)
all_cosines.wrong(
    "you divided by the length of the row's word only; the column's word has one too."
)(lambda X: unit(X) @ X.T)
all_cosines.wrong(
    "you divided by the length of the column's word only; the row's word has one too."
)(lambda X: X @ unit(X).T)
all_cosines.wrong("you divided by the squared lengths; a length has a square root.")(
    lambda X: X @ X.T / np.outer(length(X) ** 2, length(X) ** 2)
)
all_cosines.wrong(
    "you divided by one word's length twice; a column of lengths times a row of lengths has both."
)(
    lambda X: X @ X.T / length(X)[:, None] ** 2,
    lambda X: X @ X.T / length(X) ** 2,
)
all_cosines.wrong("you added the two lengths; multiply them.")(
    lambda X: X @ X.T / np.add.outer(length(X), length(X))
)
all_cosines.wrong(
    "one number divides the whole table: np.linalg.norm without an axis gives one, and so does "
    "n.T @ n of a column n of lengths; n @ n.T is a table."
)(lambda X: X @ X.T / np.linalg.norm(X) ** 2)
all_cosines.wrong(
    "one length for the whole table; each row needs its own, see axis of np.linalg.norm."
)(
    lambda X: X @ X.T / np.linalg.norm(X),
    lambda X: X @ X.T / np.linalg.norm(X @ X.T),
)
all_cosines.wrong("you took the lengths of the scores; take those of the words, the rows of X.")(
    lambda X: X @ X.T / np.linalg.norm(X @ X.T, axis=-1, keepdims=True),
    lambda X: X @ X.T / np.linalg.norm(X @ X.T, axis=0),
)
all_cosines.wrong("you took the lengths of the columns (the axes); the words are the rows.")(
    lambda X: unit(X, axis=0) @ unit(X, axis=0).T
)
all_cosines.wrong("this compares the columns (the axes) with each other; the words are the rows.")(
    lambda X: unit(X, axis=0).T @ unit(X, axis=0),
    lambda X: unit(X).T @ unit(X),
    lambda X: X.T @ X,
)
all_cosines.wrong("below the diagonal you have 0; fill it as well, both words are the same there.")(
    lambda X: np.triu(unit(X) @ unit(X).T)
)
all_cosines.wrong("this is one minus the cosine, a distance; return the cosine.")(
    lambda X: 1 - unit(X) @ unit(X).T
)


# Of so long a vector a length loses the last digits, in which q·k stands; a product keeps them.
VERY_LONG = np.array([1e10, 3.0]), np.array([0.0, 2.0])


def not_with_the_ruler(answer):
    q, k = VERY_LONG
    by_product = run_again(answer, (q, k), ["q", "k"]).value == q @ k
    if not by_product:
        return ""
    return "this is q·k, by a product of components. With the ruler, lengths alone give it, too."


@PAGE.exercise("A dot product with a ruler (10 minutes)")
@and_then(not_with_the_ruler)
@right("this is q·k, from lengths alone; q @ k gives the same.", *VECTORS)
def dot_product(q, k):
    """answer(q (d,), k (d,)) -> number."""
    return (length(q + k) ** 2 - length(q) ** 2 - length(k) ** 2) / 2


dot_product.wrong(
    "you multiplied the components but did not add them up; a dot product is one number."
)(lambda q, k: q * k)
dot_product.wrong("you averaged the products; a dot product adds them up and does not divide.")(
    lambda q, k: (q * k).mean()
)
dot_product.wrong("you multiplied the sums; multiply component by component first, then add.")(
    lambda q, k: q.sum() * k.sum()
)
dot_product.wrong("you added the vectors; multiply component by component, then add up.")(
    lambda q, k: (q + k).sum()
)
dot_product.wrong("this is the cosine: you divided by the lengths, and a dot product keeps them.")(
    lambda q, k: unit(q) @ unit(k)
)
dot_product.wrong(
    "this is a table of every component times every other; only the equal places count."
)(np.outer)

# With a ruler
dot_product.wrong("this is twice the dot product; count how often q·k is in it.")(
    lambda q, k: length(q + k) ** 2 - length(q) ** 2 - length(k) ** 2
)
dot_product.wrong("this is the length of q + k; its square has the products in it.")(
    lambda q, k: length(q + k)
)
dot_product.wrong("this is the length of q − k, a distance; its square has the products in it.")(
    lambda q, k: length(q - k)
)
dot_product.wrong(
    "this is length times length, right only where both point the same way; "
    "a third arrow tells how far apart they point."
)(lambda q, k: length(q) * length(k))
dot_product.wrong("this is (q + k)·(q + k); multiply the brackets out, what is too much?")(
    lambda q, k: length(q + k) ** 2
)
dot_product.wrong("there is still a square too much in it, that of k.")(
    lambda q, k: length(q + k) ** 2 - length(q) ** 2
)
dot_product.wrong("there is still a square too much in it, that of q.")(
    lambda q, k: length(q + k) ** 2 - length(k) ** 2
)
dot_product.wrong("these are lengths; square each of them first.")(
    lambda q, k: length(q + k) - length(q) - length(k),
    lambda q, k: (length(q + k) - length(q) - length(k)) / 2,
)

dot_product.wrong("the sign is reversed; equal directions have a positive product.")(
    lambda q, k: -(q @ k)
)
dot_product.wrong("you dropped the sign; opposite directions have a negative product.")(
    lambda q, k: abs(q @ k)
)
dot_product.wrong("only two components count; vectors can have more, len(q) of them.")(
    lambda q, k: q[0] * k[0] + q[1] * k[1]
)
dot_product.wrong("you left out the last component; does your loop run to the end?")(
    lambda q, k: q[:-1] @ k[:-1]
)
dot_product.wrong("only the first component counts; put return after the loop, not inside it.")(
    lambda q, k: q[0] * k[0]
)
dot_product.wrong("only the last component counts; add to the total with +=, not =.")(
    lambda q, k: q[-1] * k[-1]
)
