"""The exercises of notebook 12: the six parts of a GPT, and top-p."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks import block_mistakes
from lib.checks.cases import normal, shares
from lib.checks.exercises import Page
from lib.checks.gpt_mistakes import (
    HEAD_MISTAKES,
    RIGHT,
    WINDOW_MISTAKES,
    kind_of,
    problem_of_windows,
    weights_of,
    written_by,
)
from lib.checks.judge import Result, and_then, judge, right
from lib.checks.page_07 import self_attention
from lib.checks.page_08 import norms, relu
from lib.checks.run import run
from lib.checks.top_p_mistakes import WRONG_WORDS, fewest, ranks, share_of

PAGE = Page(12, "Generation: a GPT from an empty page")

LOG_2 = np.log(2)


def characters(*shape, V):
    """The same whole numbers below V each time."""
    return np.random.default_rng([*shape, V]).integers(0, V, shape)


@PAGE.exercise("What does a character cost?")
@right(
    "what each character cost on average, in bits.",
    (normal(2, 3, 5), characters(2, 3, V=5)),
    (2 * normal(4, 7, 6), characters(4, 7, V=6)),
    tensors=True,
)
def bits(logits, to_write):
    """answer(logits (B, T, V), to_write (B, T)) -> number: the mean -log2 of what came."""
    return costs(library_softmax(logits), to_write).mean()


def costs(share, to_write):
    """(B, T): the bits of each character that came, by the shares (B, T, V)."""
    hot = np.eye(share.shape[-1])[to_write]
    return -np.log2((hot * share).sum(-1))


bits.wrong("right, but for the base of the logarithm; divide by the logarithm of 2.")(
    lambda logits, to_write: bits.solution(logits, to_write) * LOG_2,
    lambda logits, to_write: bits.solution(logits, to_write) * np.log10(2),
)
bits.wrong("you multiplied by the logarithm of 2; divide by it.")(
    lambda logits, to_write: bits.solution(logits, to_write) * LOG_2**2
)
bits.wrong("the minus is missing: a share is below 1, its logarithm below 0.")(
    lambda logits, to_write: -bits.solution(logits, to_write)
)
bits.wrong("this is the sum; take the mean over all characters.")(
    lambda logits, to_write: costs(library_softmax(logits), to_write).sum()
)
bits.wrong("these are the bits of the single characters; take their mean.")(
    lambda logits, to_write: costs(library_softmax(logits), to_write)
)
bits.wrong(
    "you added up along one axis and averaged along the other; one mean over all characters."
)(
    lambda logits, to_write: costs(library_softmax(logits), to_write).sum(1).mean(),
    lambda logits, to_write: costs(library_softmax(logits), to_write).sum(0).mean(),
)
bits.wrong("you asked the last row of each text only; every row has a character to say.")(
    lambda logits, to_write: bits.solution(logits[:, -1:], to_write[:, -1:])
)
bits.wrong("the mean runs over all V characters; only one of them came.")(
    lambda logits, to_write: bits.solution(logits, to_write) / logits.shape[-1]
)
bits.wrong("you took the logarithm of the mean; take the mean of logarithms.")(
    lambda logits, to_write: -np.log2((2 ** -costs(library_softmax(logits), to_write)).mean())
)
bits.wrong("this is the mean share of what came; take the mean of -log2.")(
    lambda logits, to_write: (2 ** -costs(library_softmax(logits), to_write)).mean()
)
bits.wrong("this is the perplexity; its logarithm is what you want.")(
    lambda logits, to_write: 2 ** bits.solution(logits, to_write)
)
bits.wrong("you took the largest share of each row; take the share of what came.")(
    lambda logits, to_write: -np.log2(library_softmax(logits).max(-1)).mean()
)
bits.wrong("each row was asked about all characters that came; gather picks one for each row.")(
    lambda logits, to_write: -np.log2(library_softmax(logits)[:, :, to_write]).mean()
)
bits.wrong("shifted once too often: row t of to_write is already what came after row t.")(
    lambda logits, to_write: bits.solution(logits[:, :-1], to_write[:, 1:]),
    lambda logits, to_write: bits.solution(logits[:, 1:], to_write[:, :-1]),
)


@bits.wrong("this is the entropy, what a row expects to cost; take the cost of what came.")
def _(logits, to_write):
    shares_of_rows = library_softmax(logits)
    return -(shares_of_rows * np.log2(shares_of_rows)).sum(-1).mean()


def with_shares(share_of_logits):
    """Two answers that share out otherwise: in bits, and with a natural logarithm."""

    def answer(logits, to_write):
        return costs(share_of_logits(logits), to_write).mean()

    return answer, lambda logits, to_write: answer(logits, to_write) * LOG_2


bits.wrong("the softmax runs over the places; each row shares out over the V characters.")(
    *with_shares(lambda logits: library_softmax(logits, axis=1))
)
bits.wrong(
    "the softmax runs over the texts of the batch; each row shares out over the V characters."
)(*with_shares(lambda logits: library_softmax(logits, axis=0)))
bits.wrong("softmax twice: F.cross_entropy wants logits, and makes the shares itself.")(
    *with_shares(lambda logits: library_softmax(library_softmax(logits)))
)


def logits_that_came(logits, to_write):
    return -(np.eye(logits.shape[-1])[to_write] * logits).sum(-1).mean()


bits.wrong("these are logits, not logarithms of shares.")(
    logits_that_came, lambda logits, to_write: logits_that_came(logits, to_write) / LOG_2
)
bits.wrong("the result holds NaN. Was a logarithm taken of logits? Make shares of them first.")(
    lambda logits, to_write: costs(logits, to_write).mean()
)


def by_row(table):
    """The shares of each row."""
    return table / table.sum(1, keepdims=True)


def pairs(before, after, V):
    """(V, V): how often each pair comes."""
    counts = np.zeros((V, V))
    np.add.at(counts, (before, after), 1)
    return counts


# The last character of the alphabet never stands first, some pairs come twice, (0, 1) more often
# than (1, 0), and the text does not end as it begins. In the third, characters 3 to 5 never come.
@PAGE.exercise("1 · Count pairs")
@right(
    "row: what was read; each row adds up to 1.",
    (np.array([0, 1, 2, 0, 1, 0, 1, 1, 3]), 4, 0.5),
    (np.array([2, 0, 3, 3, 0, 1, 2, 0, 3, 1, 0, 3, 4]), 5, 0.1),
    (np.array([0, 1, 0, 1, 2, 2, 1]), 6, 0.3),
    tensors=True,
)
def pair_shares(ids, V, add):
    """answer(ids (N,), V, add) -> (V, V): row: what was read; each column's share."""
    return by_row(pairs(ids[:-1], ids[1:], V) + add)


def of_counts(table_of):
    """An answer that makes another table of the counts. table_of(counts (V, V), add)"""
    return lambda ids, V, add: table_of(pairs(ids[:-1], ids[1:], V), add)


pair_shares.wrong("these are counts; divide each row by its sum.")(
    of_counts(lambda counts, add: counts + add)
)
pair_shares.wrong("rows and columns are swapped: the row is the character read.")(
    of_counts(lambda counts, add: by_row(counts.T + add))
)
pair_shares.wrong("your columns add up to 1; divide each row by its own sum.")(
    of_counts(lambda counts, add: (counts + add) / (counts + add).sum(0))
)
pair_shares.wrong(
    "the sums of the rows stand in a row, so they divide columns; keepdim=True keeps a column."
)(of_counts(lambda counts, add: (counts + add) / (counts + add).sum(1)))
pair_shares.wrong("you divided by the sum of the whole table, not of each row.")(
    of_counts(lambda counts, add: (counts + add) / (counts + add).sum())
)
pair_shares.wrong(
    "a pair that comes twice counts once: counts[a, b] += 1 with two equal pairs writes the "
    "same number twice."
)(of_counts(lambda counts, add: by_row((counts > 0) + add)))
pair_shares.wrong(
    "a pair that came has 1, however often it came; index_put_ adds with accumulate=True."
)(of_counts(lambda counts, add: by_row(np.where(counts > 0, 1, add))))
pair_shares.wrong("your rows add up to more than 1; divide by sums in which add is counted too.")(
    of_counts(lambda counts, add: (counts + add) / counts.sum(1, keepdims=True))
)
pair_shares.wrong(
    "add has no effect: it is not used, or a table of whole numbers cuts it off; a pair that never "
    "came gets 0, and a row without a pair 0/0."
)(
    of_counts(lambda counts, add: by_row(counts)),
    of_counts(lambda counts, add: by_row(counts + 1e-12)),
)
pair_shares.wrong("add comes to every pair, not only to those that never came.")(
    of_counts(lambda counts, add: by_row(np.where(counts > 0, counts, add)))
)
pair_shares.wrong("you counted each pair in both directions; (a, b) is not (b, a).")(
    of_counts(lambda counts, add: by_row(counts + counts.T + add))
)
pair_shares.wrong("a character lies between the two that you pair; the next one comes at once.")(
    lambda ids, V, add: by_row(pairs(ids[:-2], ids[2:], V) + add)
)
pair_shares.wrong("every second pair is missing; each character but the last begins one.")(
    lambda ids, V, add: by_row(pairs(ids[:-1:2], ids[1::2], V) + add)
)
pair_shares.wrong("you added 1 to each pair; add what is given.")(
    of_counts(lambda counts, add: by_row(counts + 1))
)
pair_shares.wrong("add comes to the counts, before the division.")(
    of_counts(lambda counts, add: by_row(counts) + add),
    of_counts(lambda counts, add: np.nan_to_num(by_row(counts)) + add),
)
pair_shares.wrong("these are logarithms; give the shares.")(
    of_counts(lambda counts, add: np.log(by_row(counts + add))),
    of_counts(lambda counts, add: np.log2(by_row(counts + add))),
)
pair_shares.wrong("a softmax of counts is no share: 3 of 4 are 0.75; divide by the sum.")(
    of_counts(lambda counts, add: library_softmax(counts + add)),
    of_counts(lambda counts, add: library_softmax(counts)),
)
pair_shares.wrong(
    "right for a text in which all V characters come; in others make the table (V, V) as well."
)(lambda ids, V, add: pair_shares.solution(ids, ids.max() + 1, add))
pair_shares.wrong("the last character came before no other; you let the first follow it.")(
    lambda ids, V, add: pair_shares.solution(np.append(ids, ids[0]), V, add)
)
pair_shares.wrong("the last pair of the text is missing.")(
    lambda ids, V, add: pair_shares.solution(ids[:-1], V, add)
)
pair_shares.wrong("each character is paired with itself; pair it with the next one.")(
    lambda ids, V, add: by_row(pairs(ids, ids, V) + add),
    lambda ids, V, add: by_row(pairs(ids[:-1], ids[:-1], V) + add),
)


def scores_of_a_text(characters):
    """(1, T) -> logits (1, T, 7); row t depends on the characters up to t."""
    if characters.ndim != 2 or len(characters) != 1:
        raise ValueError(f"the model takes (1, T), and was given {characters.shape}; ids[None]")
    rows = []
    for t in range(characters.shape[1]):
        seed = characters[0, : t + 1].astype(int) + 1
        rows.append(np.random.default_rng(seed).standard_normal(7))
    return 2 * np.array(rows)[None]


def draw_at_sixty(shares):
    """The character at which the shares reach 0.6, in the place of chance."""
    if (shares < 0).any() or not np.allclose(shares.sum(-1), 1, atol=1e-4):
        raise ValueError("draw takes shares: none below 0, and together 1; is there a softmax?")
    place = (shares.cumsum(-1) < 0.6).sum(-1)
    return np.atleast_1d(place) if shares.ndim == 1 else place[:, None]


def write_on_of_page():
    from lib.saved.gpt_parts import PARTS  # only here: the checks of other pages need no torch

    return PARTS["write_on"]


@PAGE.exercise("Let it write", kept="my_write_on", course=write_on_of_page)
@right(
    "the last row's shares, one draw, behind the text, and again.",
    (np.array([3, 1, 4, 6]), scores_of_a_text, draw_at_sixty, 9, 6, 0.5),
    (np.array([2, 6]), scores_of_a_text, draw_at_sixty, 10, 5, 1.6),
    tensors=True,
)
def write_on(ids, model, draw, count, length, temperature):
    """answer(ids (T,), model, draw, count, length, temperature) -> (T + count,): a longer text."""
    return written_by(ids, model, draw, count, length, temperature)


write_on.wrong(
    "the model was given the whole text; it has places for `length` characters, the last ones."
)(lambda *case: written_by(*case, sees="all"))
write_on.wrong("the model saw the beginning of the text; give it the end.")(
    lambda *case: written_by(*case, sees="first")
)
write_on.wrong("the model saw the last character alone; give it up to `length` of them.")(
    lambda *case: written_by(*case, sees="last")
)
write_on.wrong("the model saw one character too few; give it the last `length`.")(
    lambda *case: written_by(*case, sees="short")
)
write_on.wrong("the model saw the same text each time; put what was drawn behind it.")(
    lambda *case: written_by(*case, sees="start")
)
write_on.wrong("you took the mean of all rows; only the last one is about the next character.")(
    lambda *case: written_by(*case, row=slice(None))
)
write_on.wrong("what was drawn stands before the text; put it behind the last character.")(
    lambda *case: written_by(*case, front=True)
)
write_on.wrong("you took the first row of logits; the last one says what is next.")(
    lambda *case: written_by(*case, row=0)
)
write_on.wrong("you multiplied by the temperature; divide the logits by it.")(
    lambda *case: written_by(*case, scale=case[-1])
)
write_on.wrong(
    "the temperature has no effect: it is not used, or you divided shares, and adding up to 1 "
    "takes it out again; divide the logits by it."
)(lambda *case: written_by(*case, scale=1))
write_on.wrong("softmax twice: what the model gives are logits; share out once.")(
    lambda *case: written_by(*case, share=lambda logits: library_softmax(library_softmax(logits)))
)
write_on.wrong("you took the row before the last; the last one says what is next.")(
    lambda *case: written_by(*case, row=-2)
)
write_on.wrong("the model saw one character too many; give it the last `length`.")(
    lambda *case: written_by(*case, sees="long")
)
write_on.wrong("you took the largest share; let draw choose.")(
    lambda *case: written_by(*case, draws=False)
)
write_on.wrong("what you were given is missing; the text begins with it.")(
    lambda ids, *others: written_by(ids, *others)[len(ids) :],
    lambda ids, *others: written_by(ids, *others)[len(ids) - 1 :],
)
write_on.wrong("only the end of the text came back; cut what the model reads.")(
    lambda ids, model, draw, count, length, temperature: written_by(
        ids, model, draw, count, length, temperature
    )[-length:]
)
write_on.wrong("count characters are to be drawn, no more and no fewer.")(
    lambda *case: written_by(*case, more=-1),
    lambda *case: written_by(*case, more=1),
    lambda ids, model, draw, count, length, temperature: written_by(
        ids, model, draw, count, length, temperature
    )[:count],
)


@PAGE.exercise("Learn, not count")
def windows(answer):
    """answer(ids (N,), batch, length) -> read, to_write, both (batch, length)."""
    problem = problem_of_windows(answer)
    return Result(False, problem) if problem else judge(WINDOWS, kind_of(answer))


@right(
    "what is to be written stands one to the right, and every start is possible.",
    (100 + np.arange(20), 4, 5),
    (200 + np.arange(17), 3, 6),
)
def kind_of_windows(ids, batch, length):
    """The kind of windows, as kind_of tells them apart."""
    return RIGHT


WINDOWS = kind_of_windows.exercise
for kind, sentence in WINDOW_MISTAKES.items():
    kind_of_windows.wrong(sentence)(lambda ids, batch, length, kind=kind: kind)


def head_inputs(B, T, d_model, d_k, d_v):
    """x (B, T, d_model) and three maps; those of query and key lead to d_k, of value to d_v."""
    W_Q, W_K = normal(2, d_model, d_k) / d_model**0.25
    W_V = normal(d_model, d_v)

    def query(x):
        return x @ W_Q

    def key(x):
        return x @ W_K

    def value(x):
        return x @ W_V

    return normal(B, T, d_model), query, key, value


@PAGE.exercise("2 · One head")
@right(
    "each place looks at itself and at what came before it.",
    head_inputs(2, 4, 7, 3, 5),
    head_inputs(6, 3, 9, 5, 8),
    tensors=True,
)
def causal_head(x, query, key, value):
    """answer(x (B, T, d_model), query, key, value) -> (B, T, d_v): none looks ahead."""
    return weights_of(x, query, key) @ value(x)


for sentence, answers in HEAD_MISTAKES.items():
    causal_head.wrong(sentence)(*answers)


@PAGE.exercise("4 · A block")
@right(
    "what there was stays; each part adds to it.",
    (normal(2, 3, 5), self_attention, relu, *norms()[:2]),
    (normal(3, 6, 4), self_attention, relu, *norms()[:2]),
    tensors=True,
)
def block(x, look, think, norm_1, norm_2):
    """answer(x (B, T, d), look, think, norm_1, norm_2) -> (B, T, d)."""
    looked = x + look(norm_1(x))
    return looked + think(norm_2(looked))


for sentence, answers in block_mistakes.MISTAKES.items():
    block.wrong(sentence)(*answers)


def with_equals(answer):
    """With equal words at the border any of them may be kept."""
    kept = run(answer, EQUALS, top_p.exercise.names).value
    return "" if np.count_nonzero(kept) == 2 else TOO_MANY_EQUALS


EQUALS = (np.array([0.125, 0.5, 0.125, 0.125, 0.125]), 0.6)
TOO_MANY_EQUALS = (
    "right unless equally probable words stand at the border; the fewest are wanted: of 0.4, 0.2, "
    "0.2 and 0.2 two words reach 0.5."
)


# In the second, one word reaches p; in the third, two words reach it exactly; in the fourth, four.
@PAGE.exercise("For the curious: top-p, from an empty cell (12 minutes more)")
@and_then(with_equals)
@right(
    "the most probable words until they reach p, and what is left adds up to 1.",
    (shares(7), 0.6),
    (shares(5), 0.29),
    (np.array([0.25, 0.03125, 0.5, 0.125, 0.09375]), 0.75),
    (np.array([0.16, 0.30, 0.07, 0.22, 0.05, 0.20]), 0.75),
    arrays=True,
)
def top_p(probabilities, p):
    """answer(probabilities (words,), p) -> (words,): the fewest that reach p, adding up to 1."""
    return share_of(kept_words(probabilities, p), probabilities)


def kept_words(probabilities, p):
    """(words,): True for the fewest words that reach p."""
    return ranks(probabilities) < fewest(probabilities, p)


top_p.wrong("the right words, but they no longer add up to 1; divide by their sum.")(
    lambda probabilities, p: kept_words(probabilities, p) * probabilities
)
top_p.wrong("divide by what the kept words have together; that is more than p.")(
    lambda probabilities, p: kept_words(probabilities, p) * probabilities / p
)


def keeping(kept):
    """Two answers that keep these words: adding up to 1, and not. kept(probabilities, p)"""

    def shared(probabilities, p):
        return share_of(kept(probabilities, p), probabilities)

    return shared, lambda probabilities, p: kept(probabilities, p) * probabilities


for sentence, choices in WRONG_WORDS.items():
    for kept in choices:
        top_p.wrong(sentence)(*keeping(kept))


def sorted_words(values, probabilities):
    return values[np.argsort(-probabilities)]


top_p.wrong("the words are in sorted order; put each back in its own place.")(
    lambda probabilities, p: sorted_words(top_p.solution(probabilities, p), probabilities),
    lambda probabilities, p: sorted_words(
        kept_words(probabilities, p) * probabilities, probabilities
    ),
)
top_p.wrong(
    "right where one word reaches p, but else return probabilities, not which words to keep."
)(kept_words)
top_p.wrong(
    "right where one word reaches p, but else you keep it alone; add words until they reach p."
)(lambda probabilities, p: ranks(probabilities) == 0)
