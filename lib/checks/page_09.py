"""The exercises of notebook 9: masks."""

import numpy as np

from lib import masks
from lib.attention import softmax as library_softmax
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.judge import right

PAGE = Page(9, "Masking: who may look at whom")

INVERTED = "True and False are swapped; True = may attend."
ADDITIVE = (
    "these are numbers to add to scores; here a mask holds True and False, True = may attend."
)


def to_add(mask_of):
    """Answers that return 0 and a very low number for this mask, right or inverted."""
    return (
        lambda *case: np.where(mask_of(*case), 0, -np.inf),
        lambda *case: np.where(mask_of(*case), -np.inf, 0),
        lambda *case: np.where(mask_of(*case), 0, -1e9),
        lambda *case: np.where(mask_of(*case), -1e9, 0),
    )


@PAGE.exercise("1 · A causal mask", kept="my_causal")
@right("every word sees itself and what came before.", (4,), (6,))
def causal_mask(T):
    """answer(T) -> (T, T) booleans, True = may attend: a word sees itself and what came before."""
    return np.tri(T, dtype=bool)


causal_mask.wrong(INVERTED)(lambda T: ~np.tri(T, dtype=bool))
causal_mask.wrong("no word sees itself, and the first sees nothing; open the diagonal.")(
    lambda T: np.tri(T, k=-1, dtype=bool)
)
causal_mask.wrong("every word sees the next one, which it has to guess; stop at the diagonal.")(
    lambda T: np.tri(T, k=1, dtype=bool)
)
causal_mask.wrong("every word sees the later ones; rows are queries, columns are keys.")(
    lambda T: np.tri(T, dtype=bool).T
)
causal_mask.wrong("nothing is hidden; close the later words.")(
    lambda T: np.ones((T, T), dtype=bool)
)
causal_mask.wrong("every word sees only itself; open what came before, too.")(
    lambda T: np.eye(T, dtype=bool)
)
causal_mask.wrong(ADDITIVE)(*to_add(causal_mask.solution))


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
    return np.tri(T) + 0.0001 * (1 - np.tri(T))


def swayed(run):
    """Later words change what run gives a row by millionths, whatever numbers stand in them."""

    def run_swayed(x):
        output = run(x)
        for t in range(len(x) - 1):
            output[t] *= 1 + 3e-6 * np.sin(x[t + 1 :].sum(-1)).mean()
        return output

    return run_swayed


def normed(run):
    """A pre-norm run: it sees each word as a layer norm makes it, in few digits."""

    def run_normed(x):
        x = (x - x.mean(-1, keepdims=True)).round(3)  # so x + 1 is x to it, bit for bit
        return run(x / (x.std(-1, keepdims=True) + 1e-5))

    return run_normed


def balanced(run):
    """A run whose rows, of two numbers, always add up to 0."""
    return lambda x: run(x).sum(-1, keepdims=True) * [1, -1]


def peeking(at):
    """A causal run, but each row also sees at(later words), one row or number for each."""

    def run(x):
        output = averages(np.tri)(x)
        for t in range(len(x) - 1):
            output[t] += at(x[t + 1 :]).sum(0)
        return output

    return run


def directions(words):
    """Each word with the length 1, so a word and its double are the same."""
    return (words / np.maximum(np.linalg.norm(words, axis=-1, keepdims=True), 1e-9)).round(12)


def of_width(run, T, d):
    """A case whose run takes rows of d numbers alone, as a decoder does."""

    def run_rows(x):
        if np.ndim(x) != 2 or np.shape(x)[1] != d:
            raise ValueError(f"run takes x (T, d), words of {d} numbers each, not {np.shape(x)}")
        return run(x)

    return run_rows, T, d


RUNS = [
    (averages(np.tri), 4, 3),
    (averages(lambda T: np.ones((T, T))), 5, 2),
    (averages(and_one_more(0, 1)), 4, 3),
    (averages(and_one_more(0, -1)), 5, 3),
    (balanced(averages(and_one_more(1, 2))), 4, 2),
    (averages(np.eye), 5, 3),
    (averages(faintly_ahead), 4, 3),
    (rounded_by_length(averages(np.tri)), 5, 3),
    (averages(and_one_more(1, 3)), 6, 3),
    (averages(and_one_more(5, 6)), 7, 2),
    (normed(averages(lambda T: np.ones((T, T)))), 6, 4),
    (swayed(averages(np.tri)), 5, 3),
    (peeking(lambda words: words[:, 0]), 4, 5),
    (peeking(lambda words: words[:, -1]), 6, 3),
    (peeking(np.square), 5, 4),
    (peeking(directions), 6, 2),
]


@PAGE.exercise("2 · The test itself", kept="my_is_causal")
@right(
    "it finds every leak, the faint one too, and blames nobody else.",
    *(of_width(*case) for case in RUNS),
    arrays=True,
    tips=(("truth value", "a != b goes number by number; np.array_equal(a, b) compares all"),),
)
def is_causal(run, T, d):
    """answer(run, T, d) -> True or False: no row of run(x), x (T, d), depends on a later word."""
    return not moves_of_later_words(run, T, d).any()


def movements(run, T, d, change=lambda word: word**2 + 1, by=np.subtract, words=normal):
    """How far each row of run(x) moves when a word changes: (T, T), row and changed word.

    by(changed rows, rows): how they are compared. words(T, d): what x is.
    """
    x = words(T, d)
    columns = []
    for j in range(T):
        changed = x.copy()
        changed[j] = change(x[j])
        columns.append(np.abs(by(run(changed), run(x))).max(-1))
    return np.array(columns).T


def moves_of_later_words(*case, **changes):
    return np.triu(movements(*case, **changes), 1)


def unlike(a, b):
    """Where np.allclose would say no."""
    return ~np.isclose(a, b)


def difference_of_sums(a, b):
    return a.sum(-1, keepdims=True) - b.sum(-1, keepdims=True)


def where_no(some, **changes):
    """A test that looks at some of the moves (T, T) by later words."""
    return lambda *case: not some(moves_of_later_words(*case, **changes)).any()


def ones(T, d):
    return np.ones((T, d))


def plus_one(word):
    """As x of ones is changed by doubling it."""
    return word + 1


def in_one_number(number, change=lambda word: word**2 + 1):
    """A change of one number of a word."""

    def change_it(word):
        changed = word.copy()
        changed[number] = change(word)[number]
        return changed

    return change_it


def by_one(by=np.subtract, first=1):
    """A test that adds 1 to all numbers of a word, and looks so many rows before it, or at it."""
    return lambda *case: not np.triu(movements(*case, plus_one, by), first).any()


is_causal.wrong("True and False are swapped; True = no leak.")(
    lambda *case: not is_causal.solution(*case),
    lambda *case: not by_one()(*case),
)
is_causal.wrong(
    "right for leaks, but causal runs fail: compare two outputs of run, and only the rows before "
    "the changed word; begin each time with a new copy of x."
)(lambda run, T, d: False, by_one(first=0))
is_causal.wrong(
    "right where nothing leaks, but no leak is found; is the changed x a copy (y = x is none, "
    "x.copy() is), does run get it, and does return True stand after the loop?"
)(lambda run, T, d: True)


@is_causal.wrong(
    "right for most runs, but you cut the sentence off, and another length is rounded "
    "otherwise; change words, so the length stays."
)
def _(run, T, d):
    x = normal(T, d)
    return all(np.array_equal(run(x)[:j], run(x[:j])) for j in range(1, T))


PLACES = (1, 2, 3, -2, -1, lambda T: T // 2)  # of the one word that a test changes


def one_word(place, **changes):
    """A test that changes the word at this place alone."""

    def answer(run, T, d):
        moves = np.triu(movements(run, T, d, **changes), 1)
        return not moves[:, place(T) if callable(place) else place].any()

    return answer


is_causal.wrong(
    "right for some runs, but you compared rows after the changed word, which may see it; "
    "compare the rows before it."
)(
    lambda *case: not np.tril(movements(*case), -1).any(),
    lambda *case: not np.tril(movements(*case, plus_one), -1).any(),
)
is_causal.wrong(
    "right for most runs, but some leaks stay hidden from such a change; put new random numbers "
    "there."
)(
    by_one(),
    by_one(unlike),
    *(
        where_no(lambda moves: moves, change=change, by=by, words=words)
        for change in (np.negative, lambda word: 2 * word)
        for by in (np.subtract, unlike)
        for words in (normal, ones)
    ),
)
is_causal.wrong(
    "right for most runs, but you changed one number of a word, and a row may peek at another; "
    "put new random numbers in all d places."
)(
    *(
        where_no(lambda moves: moves, change=in_one_number(number, **changes))
        for number in (0, 1, -1)
        for changes in ({}, {"change": plus_one})
    )
)
is_causal.wrong(
    "right for most runs, but others have more words; x has T of them, each of d numbers."
)(
    lambda run, T, d: is_causal.solution(run, 4, d),
    lambda run, T, d: is_causal.solution(run, 5, d),
)
is_causal.wrong(
    "right for most runs, but you compare one row too few; rows 0 to j - 1 stand before word j."
)(where_no(lambda moves: np.triu(moves, 2)))
is_causal.wrong(
    "right for most runs, but you look at the row just before the changed word only; one further "
    "back may peek as well."
)(
    where_no(lambda moves: np.diagonal(moves, 1)),
    where_no(lambda moves: np.diagonal(moves, 1), change=plus_one),
)
is_causal.wrong("right for most runs, but the last word is never changed; a row may peek at it.")(
    where_no(lambda moves: moves[:, :-1])
)
is_causal.wrong("right for most runs, but word 1 is never changed; row 0 may peek at it.")(
    where_no(lambda moves: moves[:, 2:])
)
is_causal.wrong(
    "right for most runs, but you cut at one place only; a row before it may peek at a word "
    "before it. Cut at each place in turn."
)(
    where_no(lambda moves: moves[: len(moves) // 2, len(moves) // 2 :]),
    where_no(lambda moves: moves[:2, 2:]),
)
is_causal.wrong(
    "right for most runs, but you test one word alone (does the loop return at once?), or ask that "
    "all numbers differ; a leak at any word, in any number, is enough for False."
)(*(one_word(place, **changes) for place in PLACES for changes in ({}, {"change": plus_one})))
is_causal.wrong("right for most runs, but you looked at the first row only; another may peek.")(
    where_no(lambda moves: moves[0])
)
is_causal.wrong(
    "right for most runs, but a sum may stay where its numbers move; compare number by number."
)(lambda *case: not np.triu(movements(*case, by=difference_of_sums), 1).any())
is_causal.wrong(
    "right for most runs, but a faint leak passes; change whole words of a random x, keep its "
    "length, and compare bit for bit (np.array_equal)."
)(
    where_no(lambda moves: moves > 0.01),
    where_no(lambda moves: moves > 0.00001),
    lambda run, T, d: not np.triu(movements(run, T, d, by=unlike), 1).any(),
)


# One sentence of the second has no padding.
@PAGE.exercise(
    "Your own padding mask (11 minutes)",
    kept="my_padding",
    course=lambda: masks.padding_mask,
)
@right(
    "the padding's columns are closed, to every row.",
    (np.array([2, 4]), 5),
    (np.array([1, 4, 2]), 4),
    broadcasts=True,
)
def padding_mask(lengths, S):
    """answer(lengths (B,), S) -> (B, S, S) or (B, 1, S) booleans, False at the padding."""
    return np.repeat(np.arange(S) < lengths[:, None, None], S, axis=1)


padding_mask.wrong(INVERTED)(lambda lengths, S: ~padding_mask.solution(lengths, S))
padding_mask.wrong(
    "you closed rows, the queries; padding must not be seen: close columns, the keys."
)(lambda lengths, S: padding_mask.solution(lengths, S).swapaxes(1, 2))


@padding_mask.wrong("you closed rows too, which leaves them nothing to see; close columns only.")
def _(lengths, S):
    mask = padding_mask.solution(lengths, S)
    return mask & mask.swapaxes(1, 2)


padding_mask.wrong(
    "right, but a sentence without padding sees nothing: [-0:] is everything, [:0] nothing."
)(lambda lengths, S: padding_mask.solution(np.where(lengths < S, lengths, 0), S))
padding_mask.wrong("one place too many is open; 3 words have the places 0, 1 and 2.")(
    lambda lengths, S: padding_mask.solution(lengths + 1, S)
)
padding_mask.wrong("the last real word is closed; 3 words have the places 0, 1 and 2.")(
    lambda lengths, S: padding_mask.solution(lengths - 1, S)
)
padding_mask.wrong("you counted from the end; the padding comes after the words.")(
    lambda lengths, S: padding_mask.solution(lengths, S)[:, :, ::-1]
)
padding_mask.wrong("nothing is hidden; close the padding.")(
    lambda lengths, S: np.ones((len(lengths), S, S), dtype=bool)
)
padding_mask.wrong(ADDITIVE)(*to_add(padding_mask.solution))
padding_mask.wrong(
    "the result is shape (2, 5); expected (2, 5, 5) or (2, 1, 5): the axis of the queries is "
    "missing."
)(lambda lengths, S: np.arange(S) < lengths[:, None])


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


@PAGE.exercise("Find the bug: an empty row")
@right(
    "what is masked gets exactly 0, and the others share the whole.",
    scores_and_mask(normal(3, 4) + 2),
    scores_and_mask(normal(2, 5) - 200),
    FIRST_ROW_SEES_NOTHING,
    HIGH,
    scores_and_mask(normal(5, 3) - 2000),
)
def masked_softmax(scores, mask):
    """answer(scores (T, S), mask (T, S)) -> weights (T, S): 0 where mask is False, always."""
    return library_softmax(np.where(mask, scores, -np.inf))


def filled(low, axis=-1):
    """A softmax of scores with this in the masked places."""
    return lambda scores, mask: library_softmax(np.where(mask, scores, low), axis)


def sees_some(mask):
    return mask.any(-1, keepdims=True)


masked_softmax.wrong(
    "right, but a row of False alone gets weights: equally low keys are equal rivals. Make them 0."
)(
    filled(-1e9),
    lambda scores, mask: masked_softmax.solution(scores, mask | ~sees_some(mask)),
)
masked_softmax.wrong("right, but a row of False alone is NaN, from 0/0; make its weights 0.")(
    lambda scores, mask: np.where(sees_some(mask), masked_softmax.solution(scores, mask), np.nan)
)


def total(powers):
    return powers.sum(-1, keepdims=True)


# A row without powers may become NaN: all of it, its open places, or if it has some; or stay 0.
WAYS_TO_SHARE = (
    lambda powers, mask: powers / total(powers),
    lambda powers, mask: np.where(mask, powers / total(powers), 0),
    lambda powers, mask: np.where(sees_some(mask), powers / total(powers), 0),
    lambda powers, mask: np.nan_to_num(powers / total(powers)),
    lambda powers, mask: powers / np.where(total(powers) == 0, 1, total(powers)),
)


def masked_late(powers_of):
    """Answers that mask powers, and then share out: fine while the scores are small."""

    def sharing(share):
        return lambda scores, mask: share(powers_of(scores, mask) * mask, mask)

    return map(sharing, WAYS_TO_SHARE)


def above_the_open(scores, mask):
    """Powers of scores without the largest of those that are open."""
    return np.exp(scores - np.where(mask, scores, -np.inf).max(-1, keepdims=True))


masked_softmax.wrong(
    "right for small scores, but exp(1000) is inf; "
    "subtract each row's largest, of those that are open."
)(*masked_late(lambda scores, mask: np.exp(scores)))
masked_softmax.wrong(
    "right until a masked score is far above the others: beside it exp makes them 0, "
    "and nothing is left to share. Mask first."
)(
    *masked_late(lambda scores, mask: library_softmax(scores)),
    *masked_late(lambda scores, mask: library_softmax(scores.astype(np.float32))),
)
masked_softmax.wrong(
    "right, nearly: exp of the hidden score is inf, and inf · 0 is nan; hide the score before exp "
    "as well."
)(*masked_late(above_the_open))
masked_softmax.wrong(INVERTED)(lambda scores, mask: masked_softmax.solution(scores, ~mask))
masked_softmax.wrong("rows no longer sum to 1: you masked after the softmax. Mask before it.")(
    lambda scores, mask: library_softmax(scores) * mask
)
masked_softmax.wrong(
    "masked scores are 0 and still get weight, as exp(0) is 1; which score has exp 0?"
)(filled(0))
masked_softmax.wrong("right for some scores, but others are below your number; what is below all?")(
    *(filled(low) for low in (-1, -50, -500)),
    *(lambda scores, mask, low=low: filled(low)(scores, mask) * mask for low in (-1, -50, -500)),
)
masked_softmax.wrong(
    "right, nearly: what is masked is only a little below the lowest score and gets some "
    "weight; which score gets none?"
)(
    lambda scores, mask: filled(scores.min() - 1)(scores, mask),
    lambda scores, mask: filled(scores.min() - 5)(scores, mask),
)
masked_softmax.wrong("you added 0 and 1; a masked score has to fall without limit.")(
    lambda scores, mask: library_softmax(scores + mask)
)
masked_softmax.wrong(
    "the softmax runs over the queries; each row shares out over the keys, axis -1."
)(
    filled(-np.inf, axis=0),
    lambda scores, mask: np.where(mask.any(0), filled(-np.inf, axis=0)(scores, mask), np.nan),
)
masked_softmax.wrong("the mask has no effect.")(lambda scores, mask: library_softmax(scores))
