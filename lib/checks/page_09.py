"""The exercises of notebook 9: masks."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.tables import check, right, wrong, wrongs

PAGE = Page(9, "Masking: who may look at whom")

INVERTED = "True and False are swapped; True = may attend."
ADDITIVE = (
    "these are numbers to add to scores; here a mask holds True and False, True = may attend."
)


def additive(mask):
    """Rows for masks of 0 and a very low number, right or inverted."""
    for low in (-np.inf, -1e9):
        yield wrong(np.where(mask, 0, low), ADDITIVE)
        yield wrong(np.where(mask, low, 0), ADDITIVE)


@PAGE.exercise("1 · A causal mask")
@check((4,), (6,))
def causal_mask(T):
    """answer(T) -> (T, T) booleans, True = may attend: a word sees itself and what came before."""
    mask = np.tri(T, dtype=bool)
    yield right(mask, "every word sees itself and what came before.")
    yield wrong(~mask, INVERTED)
    yield wrong(
        np.tri(T, k=-1), "no word sees itself, and the first sees nothing; open the diagonal."
    )
    yield wrong(
        np.tri(T, k=1),
        "every word sees the next one, which it has to guess; stop at the diagonal.",
    )
    yield wrong(mask.T, "every word sees the later ones; rows are queries, columns are keys.")
    yield wrong(np.ones((T, T)), "nothing is hidden; close the later words.")
    yield from additive(mask)


# One sentence of the second has no padding.
@PAGE.exercise("2 · A padding mask")
@check((np.array([2, 4]), 5), (np.array([1, 4, 2]), 4), broadcasts=True)
def padding_mask(lengths, S):
    """answer(lengths (B,), S) -> (B, S, S) or (B, 1, S) booleans, False at the padding."""
    key = np.arange(S)
    size = lengths[:, None, None]

    def for_every_query(open_keys):
        return np.broadcast_to(open_keys, (len(lengths), S, S))

    mask = for_every_query(key < size)
    yield right(mask, "the padding's columns are closed, to every row.")
    yield wrong(~mask, INVERTED)
    yield wrong(
        mask.swapaxes(1, 2),
        "you closed rows, the queries; padding must not be seen: close columns, the keys.",
    )
    yield wrong(
        mask & mask.swapaxes(1, 2),
        "you closed rows too, which leaves them nothing to see; close columns only.",
    )
    yield wrong(
        mask & (size < S),
        "right, but a sentence without padding sees nothing: [-0:] is everything, [:0] nothing.",
    )
    yield wrong(
        for_every_query(key <= size),
        "one place too many is open; 3 words have the places 0, 1 and 2.",
    )
    yield wrong(
        for_every_query(key < size - 1),
        "the last real word is closed; 3 words have the places 0, 1 and 2.",
    )
    yield wrong(
        for_every_query(key >= S - size),
        "you counted from the end; the padding comes after the words.",
    )
    yield from additive(mask)
    yield wrong(
        key < lengths[:, None],
        "the result is shape (2, 5); expected (2, 5, 5) or (2, 1, 5): the axis of the queries is "
        "missing.",
    )


def scores_and_mask(scores):
    """The scores with a mask that leaves every row something."""
    T, S = scores.shape
    return scores, (np.arange(T)[:, None] + np.arange(S)) % 3 > 0


FIRST_ROW_SEES_NOTHING = (normal(3, 4, seed=1), np.tri(3, 4, -1) > 0)
# Scores around 1000. In all rows but one a masked score is far above the others: so far that
# beside it exp makes them 0, with 16 digits or with 8 only; or that exp of the difference is inf.
HIGH = (
    normal(4, 5) + 1000 + [[0, 2000, 0, 0, 0], [0] * 5, [0, 0, 400, 0, 0], [0, 0, 0, 720, 0]],
    np.array([[1, 0, 1, 1, 0], [1, 1, 0, 1, 1], [1, 1, 0, 1, 1], [0, 1, 1, 0, 1]]) == 1,
)
EXP_IS_INF = 710
EXP_IS_ZERO, EXP_IS_ZERO_IN_FLOAT32 = 746, 104  # of minus that


@PAGE.exercise("3 · Find the bug")
@check(
    scores_and_mask(normal(3, 4) + 2),
    scores_and_mask(normal(2, 5) - 200),
    FIRST_ROW_SEES_NOTHING,
    HIGH,
)
def masked_softmax(scores, mask):
    """answer(scores (T, S), mask (T, S)) -> weights (T, S): 0 where mask is False, always."""

    def fill(low, axis=-1):
        return library_softmax(np.where(mask, scores, low), axis)

    weights = fill(-np.inf)
    free = library_softmax(scores)
    sees_some = mask.any(-1, keepdims=True)
    yield right(weights, "what is masked gets exactly 0, and the others share the whole.")
    yield from wrongs(
        "right, but a row of False alone gets weights: equally low keys are equal rivals. "
        "Make them 0.",
        fill(-1e9),
        np.where(sees_some, weights, free),
    )
    yield wrong(
        np.where(sees_some, weights, np.nan),
        "right, but a row of False alone is NaN, from 0/0; make its weights 0.",
    )
    yield from _masked_too_late(scores, mask, weights)
    yield wrong(library_softmax(np.where(mask, -np.inf, scores)), INVERTED)
    yield wrong(
        free * mask, "rows no longer sum to 1: you masked after the softmax. Mask before it."
    )
    yield wrong(
        fill(0), "masked scores are 0 and still get weight, as exp(0) is 1; which score has exp 0?"
    )
    below = "right for some scores, but others are below -1 or -50; what is below all?"
    yield from wrongs(below, fill(-1), fill(-50))
    low = (
        "right, nearly: what is masked is only a little below the lowest score and gets some "
        "weight; which score gets none?"
    )
    yield from wrongs(low, fill(scores.min() - 1), fill(scores.min() - 5))
    yield wrong(
        library_softmax(scores + mask),
        "you added 0 and 1; a masked score has to fall without limit.",
    )
    yield wrong(
        fill(-np.inf, axis=0),
        "the softmax runs over the queries; each row shares out over the keys, axis -1.",
    )
    yield wrong(free, "the mask has no effect.")


def _masked_too_late(scores, mask, weights):
    """Rows for powers that are masked and then shared out: fine while the scores are small."""
    too_large = (
        "right for small scores, but exp(1000) is inf; "
        "subtract each row's largest, of those that are open."
    )
    nothing_left = (
        "right until a masked score is far above the others: beside it exp makes them 0, "
        "and nothing is left to share. Mask first."
    )
    still_hidden = (
        "right, nearly: the largest is now that of the open words. But exp of the hidden score is "
        "inf, and inf · 0 is nan: hide the score before exp as well."
    )
    yield from _shared_out(np.exp(scores) * mask, mask, too_large)
    hidden = np.where(mask, -np.inf, scores).max(-1, keepdims=True)
    ahead = hidden - np.where(mask, scores, -np.inf).max(-1, keepdims=True)  # (T, 1)
    for limit in (EXP_IS_ZERO, EXP_IS_ZERO_IN_FLOAT32):
        yield from _lost(weights, ahead > limit, mask, nothing_left)
    yield from _lost(weights, ahead > EXP_IS_INF, mask, still_hidden)
    sees_some = mask.any(-1, keepdims=True)
    yield wrong(np.where((ahead > EXP_IS_INF) & sees_some, np.nan, weights), still_hidden)


def _shared_out(powers, mask, message):
    """A row without powers may become NaN, or that in the open places only, or stay 0."""
    total = powers.sum(-1, keepdims=True)
    yield wrong(powers / total, message)
    yield wrong(np.where(mask, powers / total, 0), message)
    yield wrong(powers / np.where(total == 0, 1, total), message)
    yield wrong(np.nan_to_num(powers / total), message)


def _lost(weights, rows, mask, message):
    """The same for the weights of these rows (T, 1)."""
    yield wrong(np.where(rows, np.nan, weights), message)
    yield wrong(np.where(rows & mask, np.nan, weights), message)
    yield wrong(np.where(rows, 0, weights), message)


def averages(rows_see):
    """A run (T, d) -> (T, d): row t is an average of the words that rows_see(T) gives weight to."""

    def run(x):
        shares = rows_see(len(x))  # (T, T)
        output = np.zeros(np.shape(x))
        for t, j in np.argwhere(shares > 0):  # nothing else is touched: a hidden word may be NaN
            output[t] += shares[t, j] * x[j]
        return output

    return run


def rounded_by_length(run):
    """A run in float32 is like that: with another number of words other digits come at the end."""

    def rounded(x):
        return run(x) * (1 + 1e-7 * len(x))

    return rounded


def and_one_more(row, key):
    """What rows see: the words up to their own, and one row one later word."""

    def rows_see(T):
        shares = np.tri(T)
        if max(row, key) < T:  # a shorter sentence has no such word
            shares[row, key] = 1
        return shares

    return rows_see


def faintly_ahead(T):
    """What rows see: the words up to their own, and the later ones a little."""
    return np.tri(T) + 0.001 * (1 - np.tri(T))


@PAGE.exercise("4 · The test itself")
@check(
    (averages(np.tri), 4, 3),
    (averages(lambda T: np.ones((T, T))), 5, 2),
    (averages(and_one_more(0, 1)), 4, 3),
    (averages(and_one_more(0, -1)), 5, 3),
    (averages(and_one_more(1, 2)), 4, 2),
    (averages(np.eye), 5, 3),
    (averages(faintly_ahead), 4, 3),
    (rounded_by_length(averages(np.tri)), 5, 3),
    arrays=True,
)
def is_causal(run, T, d):
    """answer(run, T, d) -> True or False: no row of run(x), x (T, d), depends on a later word."""
    moves = np.array([_movement(run, normal(T, d), j) for j in range(T)]).T  # (row, changed word)
    later = np.triu(moves, 1)
    yield right(not later.any(), "it finds every leak, the faint one too, and blames nobody else.")
    yield wrong(later.any(), "True and False are swapped; True = no leak.")
    yield wrong(
        False,
        "right where something leaks, but causal runs fail: the row of the changed word may move, "
        "and so may later ones; look at the rows before it.",
    )
    yield wrong(
        True,
        "right where nothing leaks, but no leak is found; does run get the changed x, and does "
        "return True stand after the loop?",
    )
    yield wrong(
        all(np.array_equal(run(normal(T, d))[:j], run(normal(T, d)[:j])) for j in range(1, T)),
        "right for most runs, but you cut the sentence off, and another length is rounded "
        "otherwise: compare with np.allclose, or change words.",
    )
    yield wrong(
        not np.tril(moves, -1).any(),
        "right for some runs, but you changed an earlier word, which later rows may see; "
        "change a later one.",
    )
    yield from _some_words_alone(later)
    yield wrong(
        not later[0].any(),
        "right for most runs, but you looked at the first row only; another may peek.",
    )
    yield wrong(
        not (later > 0.01).any(),
        "right for most runs, but a faint leak passes; where nothing leaks, rows stay bit for bit "
        "(np.array_equal).",
    )


def _some_words_alone(later):
    """Rows for a test that does not change each word; later (T, T): (row, later word), moves."""
    yield wrong(
        not later[:, :-1].any(),
        "right for most runs, but the last word is never changed; a row may peek at it.",
    )
    yield wrong(
        not later[:, -1].any(),
        "right for most runs, but you changed the last word only; a row may peek at another. "
        "Change each in turn.",
    )
    middle = len(later) // 2
    yield wrong(
        not later[:middle, middle:].any(),
        "right for most runs, but you cut at one place only; a row before it may peek at a word "
        "before it. Cut at each place in turn.",
    )
    yield wrong(
        not later[:, 1].any(),
        "right for most runs, but you changed the second word only; a row may look further ahead. "
        "Change each in turn (return True stands after the loop).",
    )


def _movement(run, x, j):
    """How far each row of run(x) moves when word j changes, (T,)."""
    changed = x.copy()
    changed[j] += 1
    return np.abs(run(changed) - run(x)).max(-1)
