"""Greedy decoding writes what is right when taught; it ends when it should."""

import pytest
import torch

from lib.decoding import LONGEST, beam, generate, greedy
from lib.interventions import Cut, Swap
from lib.tokens import END_ID
from lib.training import Sentences, exact
from tests.lib.small_models import (
    COUNT,
    SOURCE,
    Table,
    half_trained,
    material,
    prompt,
    rows,
    sources,
    translator,
)


@pytest.mark.parametrize(
    "changes",
    [
        (),
        Cut("encoder", layer=1, head=0),
        [
            Cut("encoder", query=[n % 5 for n in range(COUNT)], layer=0),
            Cut("cross", layer=1, head=1),
        ],
        [Cut("cross", query=2)],
        [Cut("decoder", query=3, key=1), Cut("cross", key=1, layer=0)],
        [Swap("cross", query=3, key=1, other=4), Cut("decoder", key=2)],
    ],
    ids=str,
)
def test_what_is_right_when_taught_is_what_greedy_writes_without_a_mistake(changes):
    source, mask, wanted = rows()
    taught = exact(half_trained(), Sentences(material().train, material()), changes).tolist()
    written = greedy(half_trained(), source, mask, changes=changes)
    assert [words == its for words, its in zip(written, wanted, strict=True)] == taught
    assert True in taught and False in taught, "a test of both"


def test_a_padded_batch_is_written_as_its_sentences_one_by_one():
    source, mask, _ = rows()
    together = greedy(half_trained(), source, mask)
    assert together == [greedy(half_trained(), each)[0] for each in sources()]
    assert len({len(words) for words in together}) > 2


def test_greedy_ends_with_the_end_token_or_after_the_longest():
    source, mask, _ = rows()
    for words in greedy(half_trained(), source, mask):
        assert words.index(END_ID) == len(words) - 1 < LONGEST
    short = greedy(half_trained(), source, mask, longest=4)
    assert short == [words[:4] for words in greedy(half_trained(), source, mask)]
    never = Table(lambda words: [0, 0, -9, 1, 0])
    assert greedy(never, torch.zeros(2, 1, dtype=torch.long)) == [[3] * LONGEST] * 2
    at_once = Table(lambda words: [0, 0, 9, 1, 0])
    assert greedy(at_once, SOURCE) == [[END_ID]] and at_once.asked == 1


def test_changes_of_absent_parts_and_places_are_refused():
    with pytest.raises(ValueError, match="part = 'self'"):
        greedy(half_trained(), sources()[0], changes=Cut("self"))
    with pytest.raises(ValueError, match="head = 9 for weights"):
        translator().translate(prompt(4), Cut("cross", head=9))
    with pytest.raises(ValueError, match=r"query=\[1, 2\].*expected one position for all"):
        greedy(half_trained(), sources()[0], changes=Cut("cross", query=[1, 2]))


@pytest.mark.parametrize("longest", [2.5, "3", None, 0, -1])
def test_the_longest_is_a_whole_number_of_words(longest):
    one = torch.tensor([[4, 5]])
    for write in (
        lambda: greedy(half_trained(), one, longest=longest),
        lambda: beam(half_trained(), one, longest=longest),
        lambda: list(generate(half_trained(), [1], int, longest=longest)),
    ):
        with pytest.raises(ValueError, match="longest = .*; expected a whole number of at least 1"):
            write()
