"""The exercises of notebook 12: a whole GPT, and five of its parts."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks import block_mistakes
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.gpt_mistakes import (
    HEAD_MISTAKES,
    RIGHT,
    WINDOW_MISTAKES,
    kind_of,
    problem_of_windows,
    weights_of,
)
from lib.checks.gpt_module import (
    drops,
    problem_in_training,
    problem_of,
    random_model,
    with_numbers,
)
from lib.checks.judge import Result, and_then, judge, right
from lib.checks.page_07 import self_attention
from lib.checks.page_08 import norms, relu
from lib.checks.readers_code.in_a_gpt import NO_GRADIENT
from lib.checks.whole_gpt_mistakes import MISTAKES as GPT_MISTAKES
from lib.checks.whole_gpt_mistakes import gpt as in_numpy

PAGE = Page(12, "A GPT from an empty page")

LOG_2 = np.log(2)


def characters(*shape, V):
    """The same whole numbers below V each time."""
    return np.random.default_rng([*shape, V]).integers(0, V, shape)


LOOK_UP = "call an nn.Embedding with a tensor of row numbers; torch.arange(T) has 0 to T - 1"
A_LOOP = "nn.ModuleList only holds the layers; a loop runs them, one after the other"
ONE_INPUT = "nn.Sequential hands on x alone; for x and a mask take nn.ModuleList and a loop"
ADDED = "a character's vector and its place's are added, not put side by side"
WITH_DROPOUT = (
    "it can learn. It has dropout (EncoderLayer's is 0.1 where none is given), so its losses are "
    "not those of the page, which has dropout=0.0."
)
CANNOT_LEARN = "the numbers are right, but it cannot be trained: "


def course_gpt():
    from lib.saved.gpt_parts import GPT  # only here: the checks of other pages need no torch

    return GPT


@PAGE.exercise("1 · Your GPT", kept="MyGPT", course=course_gpt)
def gpt(answer):
    """Is this class, made as answer(V, D, heads, layers, length), a GPT: ids (B, T) -> scores?"""
    problem = problem_of(answer)
    if problem:
        return Result(False, problem)
    result, second_first = judge(logits.exercise, as_function(answer)), False
    if not result.ok:
        other = judge(logits.exercise, as_function(answer, second_first=True))
        result, second_first = (other, True) if other.ok else (result, False)
    if not result.ok:
        return result
    stopped = problem_in_training(answer, second_first)
    if stopped:
        return Result(False, CANNOT_LEARN + stopped)
    return Result(True, WITH_DROPOUT) if drops(answer) else result


def as_function(answer, second_first=False):
    """The class as a function of ids and its sizes, with the numbers of a random model."""

    def scores(ids, V, D, heads, layers, length):
        import torch

        model = with_numbers(answer, random_model(V, D, heads, layers, length), second_first)
        with torch.no_grad():
            return model(torch.as_tensor(ids))

    return scores


@right(
    "vectors and places, layers that keep, look and think, a norm, scores; and it can learn.",
    (characters(2, 7, V=11), 11, 15, 3, 2, 9),
    (characters(8, 5, V=7), 7, 18, 2, 4, 10),
    tips=(
        ("must be Tensor, not", LOOK_UP),
        ("'Embedding'", LOOK_UP),
        ("[ModuleList] is missing", A_LOOP),
        ("Sequential.forward() takes", ONE_INPUT),
        ("same number of dimensions", ADDED),
        ("normalized_shape", ADDED),
    ),
    easy=[
        (
            (characters(2, 9, V=11), 11, 15, 3, 2, 9),
            "right for texts of `length` characters; a shorter one takes the first T rows of the "
            "places, and a mask (T, T).",
        )
    ],
)
def logits(ids, V, D, heads, layers, length):
    """answer(ids (B, T), V, D, heads, layers, length) -> (B, T, V): a GPT, random inside."""
    return in_numpy()(ids, V, D, heads, layers, length)


for sentence, answers in GPT_MISTAKES.items():
    logits.wrong(sentence)(*answers)


def cut_from_its_gradient(answer):
    """What is wrong with a right cost that comes back as a bare number; "" if it can be trained."""
    import torch  # only here: the checks of other pages need no torch

    scores = torch.tensor(normal(2, 3, 5), requires_grad=True)
    try:
        cost = answer(scores, torch.tensor(characters(2, 3, V=5)))
    except (Exception, SystemExit):  # of what stops with such tensors, part tells
        return ""
    can_learn = isinstance(cost, torch.Tensor) and cost.requires_grad
    return "" if can_learn else f"{CANNOT_LEARN}{NO_GRADIENT}."


@PAGE.exercise("2 · Bits")
@and_then(cut_from_its_gradient)
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
    lambda logits, to_write: bits.solution(logits, to_write) / logits.shape[-1],
    lambda logits, to_write: -np.log2(library_softmax(logits)).mean(),
    lambda logits, to_write: -np.log(library_softmax(logits)).mean(),
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


def reshaped(logits):
    """The scores (B, T, V) as they are read from reshape(B, V, T)."""
    B, T, V = logits.shape
    return logits.reshape(B, V, T).swapaxes(1, 2)


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
bits.wrong("reshape(B, V, T) mixes rows; transpose(1, 2) puts the V scores on the second axis.")(
    *with_shares(lambda logits: library_softmax(reshaped(logits)))
)
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
@PAGE.exercise("3 · Pairs")
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


NO_ROOM = "a start comes too late: no room for its piece and one character more"


@PAGE.exercise("4 · Windows")
def windows(answer):
    """answer(ids (N,), batch, length) -> read, to_write, both (batch, length)."""
    problem = problem_of_windows(answer)
    return Result(False, problem) if problem else judge(WINDOWS, kind_of(answer))


@right(
    "what is to be written stands one to the right, and every start is possible.",
    (100 + np.arange(20), 4, 5),
    (200 + np.arange(23), 7, 6),
    tips=(("out of bounds", NO_ROOM), ("equal size", NO_ROOM)),
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


@PAGE.exercise("5 · A head")
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


@PAGE.exercise("6 · A block")
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
