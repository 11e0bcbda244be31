"""The exercises of notebook 6: positions."""

import numpy as np

from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.tables import check, right, wrong, wrongs
from lib.positions import rotary as library_rotary
from lib.positions import sinusoidal_positions

PAGE = Page(6, "Positional encoding: where am I?")

BASE = 1e4


@PAGE.exercise("1 · The encoding")
@check((5, 6), (4, 8))
def positions(length, d_model):
    """answer(length, d_model) -> (length, d_model): sines on even dimensions, cosines on odd."""
    p = np.arange(length)[:, None]
    j = np.arange(d_model)
    exponent = j // 2 * 2 / d_model  # 2i/d_model
    waves = sinusoidal_positions(length, d_model)

    def wave(angles, takes_cosine=j % 2):
        return np.where(takes_cosine, np.cos(angles), np.sin(angles))

    yield right(waves, "each pair of dimensions is a hand of its own, the first one fastest.")
    yield wrong(
        np.hstack([waves[:, ::2], waves[:, 1::2]]),
        "all sines come first; they take turns: sin, cos, sin, cos.",
    )
    yield wrong(
        wave(p / BASE**exponent, 1 - j % 2),
        "sin and cos are swapped; the even dimensions, from 0 on, hold the sines.",
    )
    yield wrong(
        wave(p / BASE**exponent, p % 2),
        "you chose sin or cos by the position; choose by the dimension.",
    )
    yield wrong(
        wave((p + 1) / BASE**exponent),
        "your first row is position 1; positions count from 0.",
    )
    yield wrong(wave(p / 1e3**exponent), "your base is 1000; it is 10000.")
    yield wrong(wave(p / BASE ** (d_model * exponent)), "the exponent is not divided by d_model.")
    slower = "each next pair has to turn more slowly."
    yield from wrongs(slower, wave(p * BASE**exponent), wave(p + 0 * j))
    counted = (
        "the exponent is 2i/d_model, where i counts the pairs; "
        "check your i (0, 2, 4 is 2i already)."
    )
    for other in (exponent / 2, 2 * exponent, j / d_model, 2 * j / d_model):
        yield wrong(wave(p / BASE**other), counted)


def words_and_table(B, T, words, d_model):
    """ids (B, T), one word twice in a sentence; table (words, d_model), rows about 1 long."""
    ids = np.arange(B * T).reshape(B, T)[::-1] % (words - 1) + 1
    ids[:, -1] = ids[:, 0]
    return ids, normal(words, d_model) / d_model**0.5


@PAGE.exercise("2 · Embedding: what goes into layer 1")
@check(words_and_table(2, 5, 7, 6), words_and_table(4, 3, 9, 10))
def embedding(ids, table):
    """answer(ids (B, T), table (words, d_model)) -> (B, T, d_model): what goes into layer 1."""
    B, T = ids.shape
    words, d_model = table.shape
    rows, root = table[ids], d_model**0.5
    places = sinusoidal_positions(max(T, words), d_model)  # (length, d_model)
    placed = rows * root + places[:T]
    yield right(placed, "each word's row, times √d_model, and word t stands at place t.")
    yield wrong(
        rows + places[:T],
        "the rows are as short as in the table, and hardly heard beside the positions.",
    )
    yield wrong(
        (rows + places[:T]) * root,
        "you multiplied the positions too; the factor is for the words alone.",
    )
    yield from _other_factors(rows, places[:T], (d_model, 1 / root, T**0.5, words**0.5, B**0.5))
    yield wrong(
        rows + places[:T] * root,
        "you multiplied the positions; the factor is for the words.",
    )
    yield wrong(rows * root, "the words are right; their positions are missing.")
    yield wrong(rows, "these are the rows of the table alone; look again at what is done to them.")
    yield wrong(
        rows * root + places[ids],
        "the place of a word is where it stands in the sentence, not its number in the table.",
    )
    yield from _placed_equally(rows * root, places, B, T)
    yield wrong(rows * root * places[:T], "you multiplied by the positions; they are added.")
    alone = "these are the positions alone; the words are gone."
    yield from wrongs(alone, places[:T], 0 * rows + places[:T])
    for row in positions.exercise.rows((T, d_model))[1:]:
        yield wrong(
            rows * root + row.value, f"the words are right. Of the positions: {row.message}"
        )


def _other_factors(rows, places, factors):
    """factors: what the sizes of these inputs may lead to; besides, numbers that fit none."""
    yield from wrongs(
        "the rows have another factor; it is the root of the table's width, d_model.",
        *(rows * factor + places for factor in (*factors, 8**0.5, 2, 3, 4, 6, 8, 16, 512**0.5)),
    )


def _placed_equally(words, places, B, T):
    """Rows: the same place for all words of a sentence."""
    yield wrong(
        words + places[:B, None],
        "all words of sentence b got place b; places count along a sentence, axis 1.",
    )
    yield from wrongs(
        "all words got the same place; word t takes row t of your positions.",
        words + places[0],
        words + places[T - 1],
        words + places[T],
    )


@PAGE.exercise("3 · Find the bug")
@check((normal(2, 4, 6), normal(7, 6)), (normal(3, 2, 5), normal(8, 5)))
def add_positions(x, table):
    """answer(x (B, T, d), table (length, d)) -> (B, T, d): x with positions 0 to T - 1 added."""
    B, T, d = x.shape
    yield right(x + table[:T], "word t of every sentence gets row t.")
    yield wrong(x + table[:B, None], "sentence b got row b, by the batch axis; word t takes row t.")
    equal = "all words got the same row; word t takes row t."
    yield from wrongs(equal, x + table[0], x + table[T - 1], x + table[T])
    yield wrong(x + table[-T:], "you took the last rows of the table; the first word takes row 0.")
    yield wrong(x * table[:T], "you multiplied; positions are added.")
    alone = "these are the positions alone; the words are gone."
    yield from wrongs(alone, table[:T], 0 * x + table[:T])


@PAGE.exercise("4 · Find the bug: rotary positions")
@check((normal(5, 6),), (normal(3, 8),))
def rotary(x):
    """answer(x (T, d_k)) -> (T, d_k): row p turned by the angles of p, in pairs of neighbours."""
    p = np.arange(len(x))[:, None]
    waves = sinusoidal_positions(*x.shape)
    sin, cos = waves[:, ::2], waves[:, 1::2]  # (T, d_k / 2)
    a, b = x[:, ::2], x[:, 1::2]
    yield right(
        _turned(x, sin, cos), "every pair turns like the hand of a clock, and keeps its length."
    )
    yield wrong(
        _turned(x, -sin, cos),
        "the pairs turn the wrong way round; look at the signs of the two sines.",
    )
    yield wrong(
        library_rotary(x, np.arange(len(x)) + 1),
        "your first row has turned already; it is position 0.",
    )
    yield from _signs(a, b, sin, cos)
    first, second = np.split(x, 2, axis=1)
    yield wrong(
        np.hstack([first * cos - second * sin, second * cos + first * sin]),
        "that is the other layout in use, first half with second half (GPT-NeoX, and Llama in the "
        "transformers library); here pair neighbours.",
    )
    yield wrong(_turned(x, np.sin(p), np.cos(p)), "all pairs turn equally; the next one is slower.")
    counted = (
        "the exponent is 2i/d_k, where i counts the pairs; check your i (0, 2, 4 is 2i already)."
    )
    i = np.arange(a.shape[1])
    for exponent in (i / x.shape[1], 4 * i / x.shape[1]):
        angles = p / BASE**exponent
        yield wrong(_turned(x, np.sin(angles), np.cos(angles)), counted)
    new_a = a * cos - b * sin
    yield wrong(
        _side_by_side(new_a, b * cos + new_a * sin),
        "you wrote over the first number and then needed it.",
    )
    mixed = (
        "each new number of a pair needs both old ones, one with the cosine and one with the sine."
    )
    for wave_of_a, wave_of_b in ((cos, cos), (sin, sin), (cos, sin)):
        yield wrong(x * _side_by_side(wave_of_a, wave_of_b), mixed)
    yield wrong(x + waves, "you added the positions; rotary positions turn the pairs instead.")


def _signs(a, b, sin, cos):
    yield wrong(
        _side_by_side(a * sin - b * cos, b * sin + a * cos),
        "sine and cosine are swapped; row 0 is turned by 0, and stays as it is.",
    )
    yield from wrongs(
        "one of the two sines needs a minus, that of the first number; the other a plus.",
        _side_by_side(a * cos + b * sin, b * cos + a * sin),
        _side_by_side(a * cos - b * sin, b * cos - a * sin),
    )


def _turned(x, sin, cos):
    """Each pair of neighbours turned by its angle."""
    a, b = x[:, ::2], x[:, 1::2]
    return _side_by_side(a * cos - b * sin, b * cos + a * sin)


def _side_by_side(a, b):
    """Pairs (a, b) as neighbours: (T, d_k / 2) twice -> (T, d_k)."""
    return np.stack([a, b], axis=-1).reshape(len(a), -1)
