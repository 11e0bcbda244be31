"""The exercises of notebook 6: positions."""

import numpy as np

from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on
from lib.checks.judge import right
from lib.positions import rotary as library_rotary
from lib.positions import sinusoidal_positions

PAGE = Page(6, "Positional encoding: where am I?")

BASE = 1e4
A_PAIR = "a pair shares one speed: there are d_model / 2 of them"


@PAGE.exercise("1 · The encoding")
@right(
    "each pair of dimensions is a hand of its own, the first one fastest.",
    (5, 6),
    (4, 8),
    arrays=True,
    remark=remark_on(sinusoidal_positions),
    tips=(
        ("shape (3,5) into", "turned round: each position is a row, so positions come first"),
        ("shape (6,3) into", "length comes first, then d_model"),
        ("could not broadcast", A_PAIR),
        ("out of bounds", A_PAIR),
    ),
)
def positions(length, d_model):
    """answer(length, d_model) -> (length, d_model): sines on even dimensions, cosines on odd."""
    return waves(length, d_model)


def exponents(d_model):
    """2i/d_model for each dimension, (d_model,); i counts the pairs."""
    return np.arange(d_model) // 2 * 2 / d_model


def waves(length, d_model, base=BASE, exponent=None, first=0, cosine_at=1):
    """Positions; a mistake has another base, exponent (d_model,), first row or place of cosines."""
    p = np.arange(length)[:, None] + first
    angles = p / base ** (exponents(d_model) if exponent is None else exponent)
    takes_cosine = np.arange(d_model) % 2 == cosine_at
    return np.where(takes_cosine, np.cos(angles), np.sin(angles))


def with_exponent(change):
    """Positions with the exponent change(d_model), for each dimension."""
    return lambda length, d_model: waves(length, d_model, exponent=change(d_model))


HALF, DOUBLE, ROUNDED_DOWN = (
    lambda d_model: exponents(d_model) / 2,
    lambda d_model: exponents(d_model) * 2,
    lambda d_model: -(-exponents(d_model) // 1),
)


def without_brackets(d_model):
    """The exponent that divides the speed by d_model, and not 2i."""
    return d_model * exponents(d_model) + np.log(d_model) / np.log(BASE)


BRACKETS = "the exponent needs brackets around all of it: ** comes before * and /."


def sines_first(exponent):
    """Positions in two halves, all sines and then all cosines."""

    def answer(length, d_model):
        table = waves(length, d_model, exponent=exponent(d_model))
        return np.hstack([table[:, ::2], table[:, 1::2]])

    return answer


positions.wrong("all sines come first; they take turns: sin, cos, sin, cos.")(
    *map(sines_first, (exponents, HALF, DOUBLE))
)
positions.wrong("// cuts the exponent off to whole numbers; divide with /.")(
    with_exponent(ROUNDED_DOWN)
)


positions.wrong("sin and cos are swapped; the even dimensions, from 0 on, hold the sines.")(
    lambda length, d_model: waves(length, d_model, cosine_at=0)
)


@positions.wrong("you chose sin or cos by the position; choose by the dimension.")
def _(length, d_model):
    p = np.arange(length)[:, None]
    angles = p / BASE ** exponents(d_model)
    return np.where(p % 2, np.cos(angles), np.sin(angles))


positions.wrong("your first row is position 1; positions count from 0.")(
    lambda length, d_model: waves(length, d_model, first=1)
)
positions.wrong("your base is 1000; it is 10000.")(
    lambda length, d_model: waves(length, d_model, base=1e3)
)
positions.wrong("the exponent is not divided by d_model.")(
    with_exponent(lambda d_model: d_model * exponents(d_model))
)
positions.wrong(BRACKETS)(with_exponent(without_brackets))
positions.wrong("your first clock has a slower speed already; clocks count from 0, with speed 1.")(
    with_exponent(lambda d_model: exponents(d_model) + 2 / d_model)
)
positions.wrong("the even dimensions are right; the odd ones take the cosines of their angles.")(
    lambda length, d_model: waves(length, d_model, cosine_at=2),
    lambda length, d_model: waves(length, d_model) * (1 - np.arange(d_model) % 2),
)


def left_empty(kept):
    """Positions where only some columns are filled: those with kept(column, d_model)."""
    return lambda length, d_model: (
        waves(length, d_model) * [kept(column, d_model) for column in range(d_model)]
    )


positions.wrong("some columns are left empty; there are d_model / 2 pairs of them.")(
    left_empty(lambda column, d_model: column // 2 * 2 < d_model // 2),
    left_empty(lambda column, d_model: column // 2 % 2 == 0),
)


@positions.wrong("one pair writes over the next: pair i has the columns 2i and 2i + 1.")
def _(length, d_model):
    table, right = np.zeros((length, d_model)), waves(length, d_model)
    for i in range(d_model // 2):
        table[:, i : i + 2] = right[:, 2 * i : 2 * i + 2]
    return table


positions.wrong(
    "each next clock turns faster, and has to turn more slowly: is a minus missing in the exponent?"
)(with_exponent(lambda d_model: -exponents(d_model)))
positions.wrong("each next pair has to turn more slowly (does // make all exponents 0?).")(
    with_exponent(lambda d_model: 0 * exponents(d_model))
)
positions.wrong(
    "the exponent is 2i/d_model, where i counts the pairs; check your i (0, 2, 4 is 2i already)."
)(with_exponent(DOUBLE))
positions.wrong(
    "the exponent is 2i/d_model; yours is half of it: if i counts the pairs, 0, 1, 2, the 2 is "
    "missing."
)(with_exponent(HALF))
positions.wrong(
    "each column has a speed of its own; the sine and the cosine of a pair, columns 2i and 2i + 1, "
    "share one."
)(
    with_exponent(lambda d_model: np.arange(d_model) / d_model),
    with_exponent(lambda d_model: 2 * np.arange(d_model) / d_model),
)


def words_and_table(B, T, words, d_model):
    """ids (B, T), one word twice in a sentence; table (words, d_model), rows about 1 long."""
    ids = np.arange(B * T).reshape(B, T)[::-1] % (words - 1) + 1
    ids[:, -1] = ids[:, 0]
    return ids, normal(words, d_model) / d_model**0.5


WHICH_POSITIONS = (
    "positions are (T, d_model): a sentence has T words, along axis 1 of ids, and d_model is the "
    "table's width"
)


@PAGE.exercise("2 · Embedding: what goes into layer 1", kept="my_embedding")
@right(
    "each word's row, times √d_model, and word t stands at place t.",
    words_and_table(2, 5, 7, 6),
    words_and_table(4, 3, 8, 10),
    tips=(
        ("core dimension", "ids are numbers of rows: pick those rows, no product is needed"),
        ("out of bounds", "ids are numbers of rows, axis 0 of the table"),
        ("broadcast", WHICH_POSITIONS),
        ("is odd or too small", WHICH_POSITIONS),  # as lib.positions says it
    ),
)
def embedding(ids, table):
    """answer(ids (B, T), table (words, d_model)) -> (B, T, d_model): what goes into layer 1."""
    return long_rows(ids, table) + places(ids, table)


def long_rows(ids, table):
    """Each word's row, times √d_model: (B, T, d_model)."""
    return table[ids] * table.shape[1] ** 0.5


def places(ids, table):
    """The positions of a sentence: (T, d_model)."""
    return sinusoidal_positions(ids.shape[1], table.shape[1])


def with_factor(factor):
    """The words with another factor, factor(ids, table)."""
    return lambda ids, table: table[ids] * factor(ids, table) + places(ids, table)


def with_one_place(place):
    """The same position for all words: that of place(T)."""

    def answer(ids, table):
        T = ids.shape[1]
        return long_rows(ids, table) + sinusoidal_positions(T + 1, table.shape[1])[place(T)]

    return answer


embedding.wrong("the rows are as short as in the table; multiply them by the root of d_model.")(
    with_factor(lambda ids, table: 1)
)
embedding.wrong("you multiplied the positions too; the factor is for the words alone.")(
    lambda ids, table: (table[ids] + places(ids, table)) * table.shape[1] ** 0.5
)
embedding.wrong(
    "you multiplied by d_model / 2: ** 1/2 is a power first and a half then; write ** 0.5."
)(with_factor(lambda ids, table: table.shape[1] ** 1 / 2))
embedding.wrong("you divided the rows by the root; they are multiplied, to be heard.")(
    with_factor(lambda ids, table: table.shape[1] ** -0.5)
)
embedding.wrong("the root is that of half the width; take that of d_model, all columns.")(
    with_factor(lambda ids, table: (table.shape[1] / 2) ** 0.5)
)
embedding.wrong("the rows have another factor; it is the root of the table's width, d_model.")(
    with_factor(lambda ids, table: table.shape[1]),
    with_factor(lambda ids, table: ids.shape[1] ** 0.5),
    with_factor(lambda ids, table: len(table) ** 0.5),
    with_factor(lambda ids, table: len(ids) ** 0.5),
    *(
        with_factor(lambda ids, table, number=number: number)
        for number in (8**0.5, 2, 3, 4, 6, 8, 16, 512**0.5)
    ),
)
embedding.wrong("you multiplied the positions; the factor is for the words.")(
    lambda ids, table: table[ids] + places(ids, table) * table.shape[1] ** 0.5
)
embedding.wrong("the words are right; their positions are missing.")(long_rows)
embedding.wrong("these are the rows of the table alone; look again at what is done to them.")(
    lambda ids, table: table[ids]
)
embedding.wrong(
    "the place of a word is where it stands in the sentence, not its number in the table."
)(lambda ids, table: long_rows(ids, table) + sinusoidal_positions(*table.shape)[ids])


@embedding.wrong("all words of sentence b got place b; places count along a sentence, axis 1.")
def _(ids, table):
    return long_rows(ids, table) + sinusoidal_positions(len(ids), table.shape[1])[:, None]


@embedding.wrong("positions count on from sentence to sentence; each begins at position 0.")
def _(ids, table):
    rows = sinusoidal_positions(ids.size, table.shape[1])
    return long_rows(ids, table) + rows.reshape(*ids.shape, -1)


embedding.wrong("all words got the same place; word t takes row t of your positions.")(
    with_one_place(lambda T: 0), with_one_place(lambda T: T - 1), with_one_place(lambda T: T)
)
embedding.wrong("you multiplied by the positions; they are added.")(
    lambda ids, table: long_rows(ids, table) * places(ids, table)
)
embedding.wrong("you put the positions beside the words; they are added.")(
    lambda ids, table: np.concatenate(
        [long_rows(ids, table), 0 * table[ids] + places(ids, table)], axis=-1
    )
)
embedding.wrong("these are the positions alone; the words are gone.")(
    places, with_factor(lambda ids, table: 0)
)
for mistake in positions.exercise.mistakes:
    embedding.wrong(f"the words are right. Of the positions: {mistake.sentence}")(
        lambda ids, table, waves=mistake.answer: (
            long_rows(ids, table) + waves(ids.shape[1], table.shape[1])
        )
    )
# 1 / 10000 ** 2 * i / d_model: no hand turns, which in an embedding is one place for all words.
positions.wrong(BRACKETS)(with_exponent(lambda d_model: np.inf))
# Tables of another shape are not added to words.
positions.wrong(
    "these are half of the numbers: each angle gives two columns, a sine and a cosine."
)(
    lambda length, d_model: waves(length, d_model)[:, ::2],
    lambda length, d_model: waves(length, d_model)[:, 1::2],
    lambda length, d_model: np.arange(length)[:, None] / BASE ** exponents(d_model)[::2],
)
positions.wrong("the table is turned round; each position is a row.")(
    lambda length, d_model: waves(length, d_model).T
)


@PAGE.exercise("Find the bug: positions in a batch (5 minutes)")
@right(
    "word t of every sentence gets row t.",
    (normal(2, 4, 6), normal(7, 6)),
    (normal(3, 2, 5), normal(9, 5)),
    tips=(("(4,1,6)", "None puts an axis of 1 behind the words; (T, d) fits x as it is"),),
)
def add_positions(x, table):
    """answer(x (B, T, d), table (length, d)) -> (B, T, d): x with positions 0 to T - 1 added."""
    return x + table[: x.shape[1]]


add_positions.wrong("sentence b got row b, by the batch axis; word t takes row t.")(
    lambda x, table: x + table[: len(x), None]
)
add_positions.wrong("all words got the same row; word t takes row t.")(
    lambda x, table: x + table[0],
    lambda x, table: x + table[x.shape[1] - 1],
    lambda x, table: x + table[x.shape[1]],
)
add_positions.wrong("you took the last rows of the table; the first word takes row 0.")(
    lambda x, table: x + table[-x.shape[1] :]
)
add_positions.wrong("you multiplied; positions are added.")(
    lambda x, table: x * table[: x.shape[1]]
)
add_positions.wrong("these are the positions alone; the words are gone.")(
    lambda x, table: table[: x.shape[1]],
    lambda x, table: 0 * x + table[: x.shape[1]],
)


def turned(x, turn, exponent=None):
    """Each pair (a, b) of neighbours replaced by turn(a, b, sin, cos), two new numbers."""
    T, d_k = x.shape
    exponent = np.arange(0, d_k, 2) / d_k if exponent is None else exponent
    angles = np.arange(T)[:, None] / BASE**exponent  # (T, d_k / 2)
    new = turn(x[:, ::2], x[:, 1::2], np.sin(angles), np.cos(angles))
    return np.stack(new, axis=-1).reshape(T, d_k)


def turning(a, b, sin, cos):
    """The right way."""
    return a * cos - b * sin, b * cos + a * sin


def writing_over(a, b, sin, cos):
    a = a * cos - b * sin
    return a, b * cos + a * sin


WRONG_TURNS = {  # page 15 has them, too
    "the pairs turn the wrong way round; look at the signs of the two sines.": [
        lambda a, b, sin, cos: turning(a, b, -sin, cos)
    ],
    "sine and cosine are swapped; what stands at position 0 is turned by 0, and stays as it is.": [
        lambda a, b, sin, cos: turning(a, b, cos, sin)
    ],
    "one of the two sines needs a minus, that of the first number; the other a plus.": [
        lambda a, b, sin, cos: (a * cos + b * sin, b * cos + a * sin),
        lambda a, b, sin, cos: (a * cos - b * sin, b * cos - a * sin),
    ],
    "a and b have changed places in one of the two new numbers; each has its own cosine.": [
        lambda a, b, sin, cos: (a * cos - b * sin, a * cos + b * sin),
        lambda a, b, sin, cos: (b * cos - a * sin, b * cos + a * sin),
    ],
    "you wrote over the first number and then needed it.": [writing_over],
    "each new number of a pair needs both old ones, one with the cosine and one with the sine.": [
        lambda a, b, sin, cos: (a * cos, b * cos),
        lambda a, b, sin, cos: (a * sin, b * sin),
        lambda a, b, sin, cos: (a * cos, b * sin),
        lambda a, b, sin, cos: (a * cos + a * sin, b * cos + b * sin),
    ],
}


@PAGE.exercise("Find the bug: rotary positions")
@right(
    "every pair turns like the hand of a clock, and keeps its length.",
    (normal(5, 6),),
    (normal(3, 8),),
)
def rotary(x):
    """answer(x (T, d_k)) -> (T, d_k): row p turned by the angles of p, in pairs of neighbours."""
    return turned(x, turning)


def turned_by(turn):
    """The answer with another way to turn a pair."""
    return lambda x: turned(x, turn)


rotary.wrong("your first row has turned already; it is position 0.")(
    lambda x: library_rotary(x, np.arange(len(x)) + 1)
)


@rotary.wrong(
    "that is the other layout in use, first half with second half (GPT-NeoX, and Llama in the "
    "transformers library); here pair neighbours."
)
def _(x):
    half = x.shape[1] // 2
    paired = x.reshape(-1, 2, half).swapaxes(1, 2).reshape(x.shape)  # a, b side by side
    return turned(paired, turning).reshape(-1, half, 2).swapaxes(1, 2).reshape(x.shape)


rotary.wrong("all pairs turn equally; the next one is slower.")(
    lambda x: turned(x, turning, exponent=np.zeros(x.shape[1] // 2))
)
rotary.wrong(
    "the exponent is 2i/d_k, where i counts the pairs; check your i (0, 2, 4 is 2i already)."
)(
    lambda x: turned(x, turning, exponent=np.arange(x.shape[1] // 2) / x.shape[1]),
    lambda x: turned(x, turning, exponent=4 * np.arange(x.shape[1] // 2) / x.shape[1]),
)


for sentence, turns in WRONG_TURNS.items():
    rotary.wrong(sentence)(*map(turned_by, turns))
rotary.wrong("you added the positions; rotary positions turn the pairs instead.")(
    lambda x: x + sinusoidal_positions(*x.shape)
)
