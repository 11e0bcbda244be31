"""Words and their numbers: what is known, what is refused, what is typed."""

import re

import numpy as np
import pytest

from lib.corpus import make
from lib.tokens import (
    END,
    MOST_LETTERS,
    MOST_NAMED,
    PAD,
    PAD_ID,
    START,
    Vocabulary,
    padded,
    tokenise,
)


@pytest.fixture(scope="module")
def english():
    """The English vocabulary of the corpus."""
    return make(count=1, held_out=0).english


def test_vocabulary_numbers_and_special_tokens():
    vocabulary = Vocabulary(["dog", "cat", "dog"])
    assert vocabulary.words == [PAD, START, END, "dog", "cat"] == Vocabulary(vocabulary.words).words
    assert len(vocabulary) == 5
    assert vocabulary.encode(["Cat", "DOG"]) == [4, 3]
    assert vocabulary.decode(np.array([1, 3, 4, 2, 3, 0])) == ["dog", "cat"]
    assert vocabulary.decode([3, 0, 0]) == ["dog"]


@pytest.mark.parametrize("ids", [[5], [-1], [3, 2, 9], [1.7], ["3"], [None]])
def test_decode_refuses_ids_that_no_word_has(ids):
    with pytest.raises(ValueError, match="expected whole numbers from 0 to 4"):
        Vocabulary(["dog", "cat"]).decode(ids)


def test_unknown_words_are_named_with_near_ones_and_known_ones(english):
    with pytest.raises(ValueError) as refused:
        english.encode(tokenise("The elephant didn't cros the streat, the elephant"))
    lines = str(refused.value).splitlines()
    assert lines[0] == "I do not know 'elephant', 'cros', 'streat'."
    assert lines[1].startswith("Did you mean ") and {"'cross'", "'street'"} <= set(
        re.findall("'[^']+'", lines[1])
    )
    assert lines[2] == "I know these words:"
    assert [line.split(":")[0] for line in lines[3:]] == [
        "- animals",
        "- places",
        "- verbs",
        "- adjectives",
        "- other words",
    ]
    assert set(re.findall(r"[\w']+", " ".join(line.split(":")[1] for line in lines[3:]))) == set(
        english.words[3:]
    )
    assert max(map(len, lines)) < 180


def test_unknown_words_where_nothing_is_near():
    with pytest.raises(
        ValueError, match=r"I do not know 'xyz'.\nI know these words:\n- other words: chien, chat$"
    ):
        Vocabulary(["chien", "chat"]).encode(["xyz"])


def test_encode_wants_words_not_text(english):
    with pytest.raises(ValueError, match=r"write encode\(tokenise\(text\)\)"):
        english.encode("the dog")


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("The animal didn’t cross the street.", "the animal didn't cross the street"),
        ("  the  DOG\tsaw\nthe cat !?", "the dog saw the cat"),
        (
            "“Because it was too tired, the dog couldn't…”",
            "because it was too tired the dog couldn't",
        ),
        ("'the dog'", "the dog"),
        ("", ""),
        (" . ", ""),
    ],
)
def test_tokenise(text, tokens):
    assert tokenise(text) == tokens.split()


# -- what a message says of many unknown words, and rows of one length -----------------------------

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


def test_without_rows_there_is_nothing_to_fill_up():
    with pytest.raises(ValueError, match="expected at least one sentence"):
        padded([])


def test_rows_are_filled_up_to_the_longest():
    table = padded([[5, 6, 7], [8]])
    assert table.dtype == np.int64
    assert table.tolist() == [[5, 6, 7], [8, PAD_ID, PAD_ID]]
