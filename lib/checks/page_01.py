"""The exercises of notebook 1: dot product and cosine."""

import numpy as np

from lib.checks.exercises import Page
from lib.checks.inputs import cosine_of, length, normal
from lib.checks.judge import Result
from lib.checks.run import floats
from lib.checks.tables import check, right, wrong, wrongs

PAGE = Page(1, "Dot products: how well do two vectors match?")

# The first two have a negative product and a negative cosine, the third has positive ones.
VECTORS = [
    (normal(3), normal(3, seed=1)),
    (normal(5), -normal(5, seed=1)),
    (normal(4), normal(4, seed=1)),
]
VISIBLY = 0.01  # by which one cosine or score has to be above the other


@PAGE.exercise("1 · A dot product with a ruler")
@check(*VECTORS)
def dot_product(q, k):
    """answer(q (d,), k (d,)) -> number."""
    yield right(
        q @ k,
        "this is q·k. Was it with the ruler? q @ k gives the same; "
        "three lengths give it without a product of components.",
    )
    yield wrong(
        q * k,
        "you multiplied the components but did not add them up; a dot product is one number.",
    )
    yield wrong(
        (q * k).mean(),
        "you averaged the products; a dot product adds them up and does not divide.",
    )
    yield wrong(
        q.sum() * k.sum(),
        "you multiplied the sums; multiply component by component first, then add.",
    )
    yield wrong(
        (q + k).sum(), "you added the vectors; multiply component by component, then add up."
    )
    yield wrong(
        cosine_of(q, k),
        "this is the cosine: you divided by the lengths, and a dot product keeps them.",
    )
    yield wrong(
        np.outer(q, k),
        "this is a table of every component times every other; only the equal places count.",
    )
    yield from _with_a_ruler(q, k)
    yield wrong(-(q @ k), "the sign is reversed; equal directions have a positive product.")
    yield wrong(abs(q @ k), "you dropped the sign; opposite directions have a negative product.")
    yield wrong(q[:2] @ k[:2], "only two components count; vectors can have more, len(q) of them.")
    yield wrong(q[:-1] @ k[:-1], "you left out the last component; does your loop run to the end?")
    yield wrong(
        q[0] * k[0], "only the first component counts; put return after the loop, not inside it."
    )
    yield wrong(q[-1] * k[-1], "only the last component counts; add to the total with +=, not =.")


def _with_a_ruler(q, k):
    whole = (q + k) @ (q + k)
    yield wrong(2 * (q @ k), "this is twice the dot product; count how often q·k is in it.")
    yield wrong(length(q + k), "this is the length of q + k; its square has the products in it.")
    yield wrong(
        length(q - k), "this is the length of q − k, a distance; its square has the products in it."
    )
    yield wrong(
        length(q) * length(k),
        "this is length times length, right only where both point the same way; "
        "a third arrow tells how far apart they point.",
    )
    yield wrong(whole, "this is (q + k)·(q + k); multiply the brackets out, what is too much?")
    yield wrong(whole - q @ q, "there is still a square too much in it, that of k.")
    yield wrong(whole - k @ k, "there is still a square too much in it, that of q.")
    without = length(q + k) - length(q) - length(k)
    yield from wrongs("these are lengths; square each of them first.", without, without / 2)


@PAGE.exercise("2 · Cosine")
@check(*VECTORS)
def cosine(q, k):
    """answer(q (d,), k (d,)) -> number from -1 to 1."""
    yield right(cosine_of(q, k), "the dot product of the directions alone; the lengths are gone.")
    yield wrong(q @ k, "this is the dot product; divide it by both lengths.")
    yield wrong(
        q @ k / (q @ q) / (k @ k),
        "you divided by the squared lengths; a length has a square root.",
    )
    yield wrong(q @ k / length(q), "you divided by the length of q only; k has one too.")
    yield wrong(q @ k / length(k), "you divided by the length of k only; q has one too.")
    yield wrong(
        q @ k / length(q) * length(k),
        "you multiplied by the length of k; to divide by both, write a / (b * c).",
    )
    yield wrong(
        q @ k / (length(q) + length(k)),
        "you divided by the sum of the lengths; take their product.",
    )
    yield wrong(q @ k / len(q), "you divided by the number of components; divide by both lengths.")
    yield wrong(
        abs(cosine_of(q, k)),
        "you took the absolute value; opposite directions have cosine -1.",
    )
    yield wrong(np.arccos(cosine_of(q, k)), "this is the angle; return its cosine.")
    yield wrong(
        np.degrees(np.arccos(cosine_of(q, k))),
        "this is the angle in degrees; return its cosine.",
    )
    yield wrong(1 - cosine_of(q, k), "this is one minus the cosine, a distance; return the cosine.")
    yield wrong(
        q @ k / len(q) / len(k),
        "len counts components; the length of a vector is np.linalg.norm.",
    )


@PAGE.exercise("3 · The worse key that wins")
def worse_but_winning(q, k, other):
    """Is ``other`` (d,) less aligned with q (d,) than k (d,), and yet the winner by dot product?"""
    try:
        q, k, other = np.array([floats(q), floats(k), floats(other)]).reshape(3, -1)
    except Exception:  # an object of the learner's own may fail in any way
        return Result(
            False, "this check takes three vectors, q, k and other, with as many components."
        )
    with np.errstate(all="ignore"):
        scores = q @ k, q @ other
        cosines = cosine_of(q, k), cosine_of(q, other)
    if not np.isfinite([scores, cosines]).all():
        return Result(
            False,
            "a vector of zeros has no direction; all three need a length above 0, "
            "and finite numbers.",
        )
    says = (
        f"cosines {cosines[0]:.2f} and {cosines[1]:.2f}, scores {scores[0]:.2f} and {scores[1]:.2f}"
    )
    if cosines[1] > cosines[0] - VISIBLY:
        return Result(
            False, f"{says}: other is not worse aligned, not visibly. Turn it away from q."
        )
    if scores[1] < scores[0] + VISIBLY:
        return Result(
            False, f"{says}: other is worse aligned, but it does not win. Length counts too."
        )
    return Result(True, f"{says}: worse aligned, and still the winner, because lengths count.")


@PAGE.exercise("4 · All cosines")
@check((normal(4, 3),), (normal(2, 5),))
def all_cosines(X):
    """answer(X (T, d)) -> (T, T): the cosine of every row of X with every row."""
    products, lengths = X @ X.T, length(X)
    cosines = products / np.outer(lengths, lengths)  # (T, T)
    yield right(cosines, "row i, column j holds the cosine of words i and j; the diagonal is 1.")
    yield wrong(products, "these are dot products; take both lengths out.")
    yield wrong(
        products / lengths[:, None],
        "you divided by the length of the row's word only; that of the column has one too.",
    )
    yield wrong(
        products / lengths,
        "you divided by the length of the column's word only; that of the row has one too.",
    )
    yield wrong(
        cosines / np.outer(lengths, lengths),
        "you divided by the squared lengths; a length has a square root.",
    )
    yield wrong(
        products / np.linalg.norm(X) ** 2,
        "one length for the whole table; each row needs its own, see axis of np.linalg.norm.",
    )
    columns = np.linalg.norm(X, axis=0)  # (d,)
    yield wrong(
        (X / columns) @ (X / columns).T,
        "you took the lengths of the columns (the features); the words are the rows.",
    )
    yield wrong(
        X.T @ X / np.outer(columns, columns),
        "this compares the columns (the features) with each other; the words are the rows.",
    )
    yield wrong(
        np.triu(cosines),
        "below the diagonal you have 0; fill it as well, both words are the same there.",
    )
    yield wrong(1 - cosines, "this is one minus the cosine, a distance; return the cosine.")
