"""The exercises of notebook 11: a cut arrow, its control, and which of three maps is evidence."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.exercises import Page
from lib.checks.inputs import shares
from lib.checks.judge import Result
from lib.checks.tables import check, right, wrong, wrongs

PAGE = Page(11, "Is the picture true?")


def shared_again(weights, axis=-1):
    return weights / weights.sum(axis, keepdims=True)


@PAGE.exercise("1 · Find the bug: a cut with a side effect")
@check((shares(2, 3, 5), 1, 2), (shares(3, 4, 6), 0, 2))
def cut_arrow(weights, query, key):
    """answer(weights (H, T, S), query, key) -> the same without that arrow, shared out again."""
    H, T, S = weights.shape
    row = np.arange(T)[:, None] == query
    arrow = row & (np.arange(S) == key)
    cut = np.where(arrow, 0, weights)
    answer = shared_again(cut)
    yield right(answer, "the arrow is gone, and the other keys of that query share what it had.")
    yield wrong(
        cut, "the row no longer sums to 1: its other keys have to share what the arrow had."
    )
    part = weights[:, query, key][:, None, None] / (S - 1)
    yield from wrongs(
        "the others got equal parts; they keep their proportions if you divide by the new sum.",
        np.where(row & ~arrow, weights + part, cut),
        np.where(row & ~arrow, 1 / (S - 1), cut),
        np.where(row, cut + weights[:, query, key][:, None, None] / S, weights),
    )
    yield from _other_arrows(weights, query, key)
    yield wrong(np.where(row, 0, weights), "the whole row is gone; remove one arrow of it.")
    yield wrong(shared_again(cut, axis=-2), "you shared out over the queries; over the keys.")
    yield from wrongs(
        "you divided by the sum of the whole head; divide the row by its own sum.",
        shared_again(cut, axis=(-2, -1)),
        np.where(row, shared_again(cut, axis=(-2, -1)), weights),
    )
    yield wrong(
        np.where(row, cut / cut[:, query].sum(), weights),
        "you divided by what all heads have together; each head's row by its own sum.",
    )
    softened = library_softmax(np.where(arrow, -np.inf, weights))
    yield from wrongs(
        "a softmax over weights is not what a mask does: it makes them nearly equal. Divide.",
        softened,
        np.where(row, softened, weights),
    )
    is_first_head = np.arange(H)[:, None, None] == 0
    yield wrong(
        np.where(is_first_head, answer, weights),
        "only the first head was changed; the arrow has to go in all.",
    )


def _other_arrows(weights, query, key):
    """Rows for cutting something else than that arrow in every head."""
    H, T, S = weights.shape
    column_closed = weights.copy()
    column_closed[:, :, key] = 0
    closed = "you closed the key to every query; one arrow only."
    yield from wrongs(closed, column_closed, shared_again(column_closed))
    turned = weights.copy()
    turned[:, key, query] = 0
    places = "query and key have changed places: rows are queries."
    yield from wrongs(places, turned, shared_again(turned))
    row_of_a_head = weights.copy()
    row_of_a_head[query, key] = 0
    first_axis = (
        "you took query for the head and key for the row: the first axis of weights is the heads."
    )
    yield from wrongs(first_axis, row_of_a_head, shared_again(row_of_a_head))


# What is reported of three maps on the page, and what is wrong with it as evidence.
NO_EVIDENCE = {
    "X": "in X no other arrow was cut. Perhaps any cut of that size does the same harm.",
    "Y": "in Y another arrow of that weight does nearly as much harm when cut, so this one is "
    "nothing special.",
}


@PAGE.exercise("2 · Which of three maps is evidence?")
def evidence(letter):
    """Which report shows that the model needs the arrow? Takes "X", "Y" or "Z"."""
    said = str(letter).strip().upper()
    if said in NO_EVIDENCE:
        return Result(False, NO_EVIDENCE[said])
    if said == "Z":
        return Result(
            True, "cut, it breaks the pronoun; the control does not; the swap brings the other one."
        )
    return Result(False, f"this check takes one letter, X, Y or Z, not {said[:20]!r}.")


SIX_KEYS = np.array([0.07, 0.30, 0.20, 0.02, 0.25, 0.16])  # sums to 1
EIGHT_KEYS = np.array([0.05, 0.01, 0.14, 0.06, 0.40, 0.03, 0.21, 0.10])

NEAREST_IS_THICKER = np.array([0.22, 0.03, 0.30, 0.11, 0.16, 0.05, 0.13])  # than that of key 3
KEY_IS_THINNEST = np.array([0.30, 0.06, 0.40, 0.15, 0.09])  # key 1


@PAGE.exercise("3 · Design the control")
@check((SIX_KEYS, 2), (EIGHT_KEYS, 2), (NEAREST_IS_THICKER, 3), (KEY_IS_THINNEST, 1))
def control(row, key):
    """answer(row (S,), key) -> the number of the key to cut as a control."""
    distances = np.abs(row - row[key])
    distances[key] = np.inf
    others = row.copy()
    others[key] = -1
    yield right(
        distances.argmin(), "another arrow of the same query, with about as much weight to lose."
    )
    yield wrong(key, "that is the arrow itself; a control is another one.")
    yield wrong(
        others.argmax(),
        "that is the thickest of the others; it takes away more than the cut did.",
    )
    yield wrong(row.argmin(), "that is the thinnest: a cut that takes nothing away shows nothing.")
    order = np.argsort(row)
    yield wrong(
        order[list(order).index(key) - 1],
        "right where the nearest is thinner; it may be thicker, and the thinnest has no thinner.",
    )
    yield wrong(
        distances[distances < np.inf].argmin(),
        "you left the key out before you counted, so the numbers behind it moved up by one.",
    )
    yield wrong(key + 1, "the word beside it may have any weight; look for about the same weight.")
    yield wrong(
        np.where(np.isinf(distances), -1, distances).argmax(),
        "that is the one with the least similar weight; take the most similar.",
    )
    yield wrong(
        distances.min(), "this is the difference of the weights; give the number of the key."
    )
    yield wrong(
        row[distances.argmin()], "this is the weight of the nearest; give the number of the key."
    )
