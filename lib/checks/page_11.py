"""The exercises of notebook 11: a cut arrow, which of three maps is evidence, a control."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.cases import shares
from lib.checks.exercises import Page
from lib.checks.judge import Result, and_then, right

PAGE = Page(11, "Is the picture true?")


def shared_again(weights, axis=-1):
    return weights / weights.sum(axis, keepdims=True)


# The arrow from 1 to 0 has all the weight of its row in head 2, up to the last digit of a float.
WITH_A_FULL_ARROW = shares(4, 2, 6)
WITH_A_FULL_ARROW[2, 1] = [1, 2e-20, 1e-20, 4e-20, 3e-20, 5e-20]


@PAGE.exercise(
    "1 · Find the bug: a cut with a side effect",
    kept="my_cut",
    course=lambda: in_one_row(cut_arrow.solution),
)
@right(
    "the arrow is gone, and the other keys of that query share what it had.",
    (shares(2, 3, 5), 1, 2),
    (shares(6, 5, 8), 0, 3),
    (WITH_A_FULL_ARROW, 1, 0),
)
def cut_arrow(weights, query, key):
    """answer(weights (H, T, S), query, key) -> the same without that arrow, shared out again."""
    return shared_again(cut(weights, query, key))


def cut(weights, query, key):
    """Without that arrow, in every head."""
    return closed(weights, np.s_[:, query, key])


def closed(weights, place, value=0):
    """A copy with a value at a place; np.s_ writes places down."""
    weights = weights.copy()
    weights[place] = value
    return weights


def in_one_row(answer):
    """The same answer, but all other queries keep what they had."""

    def in_row(weights, query, key):
        return closed(weights, np.s_[:, query], answer(weights, query, key)[:, query])

    return in_row


def another_closed(place_of):
    """Two answers that close another place than the arrow's; the second shares out again."""

    def bare(weights, query, key):
        return closed(weights, place_of(query, key))

    return bare, lambda weights, query, key: shared_again(bare(weights, query, key))


def rest_given(weights, query, key):
    """What the arrow had goes to the others, each the same part."""
    row = weights[:, query] + weights[:, query, key, None] / (weights.shape[-1] - 1)  # (H, S)
    return cut(closed(weights, np.s_[:, query], row), query, key)


def given_to_all(weights, query, key, fewer=0):
    """The same, but the key that was cut gets a part, too."""
    row = cut(weights, query, key)[:, query]
    row += weights[:, query, key, None] / (weights.shape[-1] - fewer)  # (H, S)
    return closed(weights, np.s_[:, query], row)


def others_alike(weights, query, key):
    row = 1 / (weights.shape[-1] - 1)
    return cut(closed(weights, np.s_[:, query], row), query, key)


cut_arrow.wrong("the row no longer sums to 1: its other keys have to share what the arrow had.")(
    cut
)
cut_arrow.wrong(
    "the others got equal parts; they keep their proportions if you divide by the new sum."
)(rest_given, others_alike)
cut_arrow.wrong(
    "the arrow is still there: its key got a part back, and all got equal ones. The others share "
    "what it had, in their proportions."
)(given_to_all, lambda *case: given_to_all(*case, fewer=1))
cut_arrow.wrong("you closed the key to every query; one arrow only.")(
    *another_closed(lambda query, key: np.s_[:, :, key])
)
cut_arrow.wrong("query and key have changed places: rows are queries.")(
    *another_closed(lambda query, key: np.s_[:, key, query])
)
cut_arrow.wrong(
    "you took query for the head and key for the row: the first axis of weights is the heads."
)(*another_closed(lambda query, key: np.s_[query, key]))
cut_arrow.wrong("the whole row is gone; remove one arrow of it.")(
    lambda weights, query, key: closed(weights, np.s_[:, query])
)
cut_arrow.wrong("you shared out over the queries; over the keys.")(
    lambda *case: shared_again(cut(*case), axis=-2)
)


def shared_by_head(weights, query, key):
    return shared_again(cut(weights, query, key), axis=(-2, -1))


cut_arrow.wrong("you summed over the heads, axis 0; divide each row by its own sum, axis -1.")(
    lambda *case: shared_again(cut(*case), axis=0),
    in_one_row(lambda *case: shared_again(cut(*case), axis=0)),
)
cut_arrow.wrong("you divided by the sum of the whole head; divide the row by its own sum.")(
    shared_by_head, in_one_row(shared_by_head)
)


@cut_arrow.wrong("you divided by what all heads have together; each head's row by its own sum.")
@in_one_row
def _(weights, query, key):
    weights = cut(weights, query, key)
    return weights / weights[:, query].sum()


def softened(weights, query, key):
    return library_softmax(closed(weights, np.s_[:, query, key], -np.inf))


cut_arrow.wrong(
    "a softmax over weights is not what a mask does: it makes them nearly equal. Divide."
)(softened, in_one_row(softened))


@cut_arrow.wrong("only the first head was changed; the arrow has to go in all.")
def _(weights, query, key):
    return closed(weights, 0, cut_arrow.solution(weights, query, key)[0])


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
        return Result(True, "cut, it breaks the pronoun, and a control of its weight does not.")
    return Result(False, f"this check takes one letter, X, Y or Z, not {said[:20]!r}.")


SIX_KEYS = np.array([0.07, 0.30, 0.20, 0.02, 0.25, 0.16])  # sums to 1
EIGHT_KEYS = np.array([0.05, 0.01, 0.14, 0.06, 0.40, 0.03, 0.21, 0.10])

NEAREST_IS_THICKER = np.array([0.27, 0.03, 0.30, 0.12, 0.16, 0.07, 0.05])  # than that of key 3
KEY_IS_THINNEST = np.array([0.30, 0.06, 0.40, 0.15, 0.09])  # key 1
KEY_IS_THIN = np.array([0.40, 0.05, 0.30, 0.25])  # key 1: 0 is nearer to it than the others
ANOTHER_IS_ALIKE = np.array([0.20, 0.50, 0.10, 0.20])  # key 3: key 0 has its weight, and is first
KEY_IS_FIRST_AND_THICK = np.array([0.65, 0.12, 0.18, 0.05])  # 1 is nearer to it than the others


def as_a_place(answer):
    """The page looks up what stands there."""
    try:
        SIX_KEYS[answer(SIX_KEYS.copy(), 2)]
    except (IndexError, TypeError):
        return "right, but a place is a whole number: int(...) makes one."
    return ""


def why_not(row, key, chosen):
    """What speaks against this key as a control."""
    if chosen.ndim or chosen not in range(len(row)):
        return ""
    if chosen == key:
        weights = ", ".join(f"{weight:.2f}" for weight in row)
        return f"of {weights} you take key {key}, the arrow itself; a control is another one."
    return (
        f"key {chosen:g} has the weight {row[int(chosen)]:.2f}, the arrow has {row[key]:.2f}; "
        "another key is nearer to that."
    )


@PAGE.exercise("3 · Design the control")
@and_then(as_a_place)
@right(
    "another arrow of the same query, with about as much weight to lose.",
    (SIX_KEYS, 2),
    (EIGHT_KEYS, 2),
    (NEAREST_IS_THICKER, 3),
    (KEY_IS_THINNEST, 1),
    (KEY_IS_THIN, 1),
    (KEY_IS_FIRST_AND_THICK, 0),
    (ANOTHER_IS_ALIKE, 3),
    arrays=True,
    reason=why_not,
)
def control(row, key):
    """answer(row (S,), key) -> the number of the key to cut as a control."""
    return distances(row, key).argmin()


def distances(row, key):
    """How far each weight is from that of the key; infinite for the key itself."""
    found = np.abs(row - row[key])
    found[key] = np.inf
    return found


control.wrong("that is the arrow itself; a control is another one.")(
    lambda row, key: key, lambda row, key: np.abs(row - row[key]).argmin()
)


@control.wrong("that is the thickest of the others; it takes away more than the cut did.")
def _(row, key):
    others = row.copy()
    others[key] = 0
    return others.argmax()


control.wrong(
    "that is the thinnest: a cut that takes nothing away shows nothing. Is np.abs missing?"
)(
    lambda row, key: row.argmin(),
    lambda row, key: closed(row, key, np.inf).argmin(),
)


@control.wrong(
    "right where the nearest is thinner; it may be thicker, and the thinnest has no thinner."
)
def _(row, key):
    order = np.argsort(row)
    return order[list(order).index(key) - 1]


control.wrong("you looked at the thicker ones only; the nearest may be thinner.")(
    lambda row, key: np.where(row > row[key], row - row[key], np.inf).argmin()
)
control.wrong("you left the key out before you counted, so the numbers behind it moved up by one.")(
    lambda row, key: np.abs(np.delete(row, key) - row[key]).argmin()
)
control.wrong("the word beside it may have any weight; look for about the same weight.")(
    lambda row, key: key + 1, lambda row, key: key - 1
)
control.wrong("that is the one with the least similar weight; take the most similar.")(
    lambda row, key: np.abs(row - row[key]).argmax()
)
control.wrong("you subtracted the number of the key; its weight stands in row.")(
    lambda row, key: np.abs(row - key).argmin(),
    lambda row, key: closed(np.abs(row - key), key, np.inf).argmin(),
    lambda row, key: np.abs(row - key).argsort()[1],
)
control.wrong("this is the difference of the weights; give the number of the key.")(
    lambda row, key: distances(row, key).min()
)
control.wrong("this is the weight of the nearest; give the number of the key.")(
    lambda row, key: row[distances(row, key).argmin()]
)
