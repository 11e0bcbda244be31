"""lib.tokens: what a message says of unknown words, and rows filled up to one length."""

import numpy as np
import pytest

from lib.tokens import MOST_LETTERS, MOST_NAMED, PAD_ID, Vocabulary, padded

WORDS = Vocabulary(["dog", "cat"])


def message(tokens):
    with pytest.raises(ValueError) as error:
        WORDS.encode(tokens)
    return str(error.value)


def test_a_pasted_book_does_not_fill_the_message():
    said = message(["x" * 100_000])
    assert said.startswith(f"I do not know '{'x' * MOST_LETTERS}…'.")
    assert len(said) < 200


def test_of_many_unknown_words_the_first_are_named():
    said = message([f"word{number}" for number in range(500)])
    assert "'word0', 'word1'," in said
    assert f"'word{MOST_NAMED - 1}' and {500 - MOST_NAMED} more." in said
    assert f"word{MOST_NAMED}'" not in said


def test_rows_are_filled_up_to_the_longest():
    table = padded([[5, 6, 7], [8]])
    assert table.dtype == np.int64
    assert table.tolist() == [[5, 6, 7], [8, PAD_ID, PAD_ID]]
