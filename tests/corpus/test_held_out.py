"""What no training sentence has."""

from collections import Counter

import numpy as np
import pytest

from lib.corpus import (
    ADJECTIVES,
    ANIMAL_ADJECTIVES,
    ANIMALS,
    IT_FRAMES,
    PLACE_ADJECTIVES,
    PLACES,
    unseen,
)
from lib.corpus.french import NOUNS
from lib.corpus.held_out import (
    ADJECTIVE_NUMBERS,
    ANIMAL_NUMBERS,
    PLACE_NUMBERS,
    PLACES_KEPT_FROM,
)
from tests.corpus.shared import together

PAIRS = 2 * len(ANIMALS)


@pytest.mark.parametrize(
    "table, words",
    [
        (PLACES_KEPT_FROM, ANIMALS),
        (ANIMAL_NUMBERS, ANIMALS),
        (PLACE_NUMBERS, PLACES),
        (ADJECTIVE_NUMBERS, ADJECTIVES),
    ],
    ids=["PLACES_KEPT_FROM", "ANIMAL_NUMBERS", "PLACE_NUMBERS", "ADJECTIVE_NUMBERS"],
)
def test_every_word_has_its_row(table, words):
    assert set(table) == set(words), (
        f"held_out.py: without a row {sorted(set(words) - set(table))}, "
        f"without a word {sorted(set(table) - set(words))}"
    )


def test_every_noun_keeps_most_partners():
    pairs = []
    for animal in ANIMALS:
        pairs += [(animal, place) for place in PLACES if unseen(animal, place) == "pair"]
    assert len(pairs) == PAIRS
    assert set(Counter(animal for animal, _ in pairs).values()) == {2}
    assert set(Counter(place for _, place in pairs).values()) == {2}
    same_gender = [NOUNS[animal].gender == NOUNS[place].gender for animal, place in pairs]
    assert sum(same_gender) == PAIRS / 2
    assert unseen("animal", "street") == unseen("animal", "street", "tired") == "pair"


@pytest.mark.parametrize("adjectives", [ANIMAL_ADJECTIVES, PLACE_ADJECTIVES])
def test_every_other_pair_misses_one_adjective_of_each_kind(adjectives):
    for animal in ANIMALS:
        for place in PLACES:
            answers = Counter(unseen(animal, place, adjective) for adjective in adjectives)
            assert answers in ({"pair": len(adjectives)}, {"triple": 1, None: len(adjectives) - 1})


def test_without_a_subject_or_a_place_nothing_is_held_out():
    assert unseen() is unseen("animal") is unseen(place="street", adjective="wide") is None
    assert unseen("animal", "park") is unseen("animal", "park", verb="cross") is None


@pytest.mark.parametrize(
    "words, message",
    [
        (("cow", "moon"), "place 'moon' is unknown; expected one of: street, park"),
        (("elephant", "park"), "subject 'elephant' is unknown; expected one of: animal, cow"),
        (("cow", "street", "blue"), "adjective 'blue' is unknown; expected one of: tired"),
    ],
)
def test_unknown_words_are_refused(words, message):
    with pytest.raises(ValueError, match=message):
        unseen(*words)


def test_unseen_pairs_stand_together_in_no_training_sentence(corpus):
    seen = {together(sentence) for sentence in corpus.train}
    tested = {together(sentence) for sentence in corpus.unseen_pairs}
    assert len(corpus.unseen_pairs) == 1000
    for sentence in corpus.unseen_pairs:
        assert {sentence.subject, sentence.place} == together(sentence)
    assert not seen & tested
    assert frozenset({"animal", "street"}) not in seen
    assert len(tested) == PAIRS


def test_unseen_triples_are_new_but_their_pairs_are_not(corpus):
    seen = {(together(sentence), sentence.adjective) for sentence in corpus.train}
    pairs = {pair for pair, adjective in seen if adjective in ADJECTIVES}
    assert len(corpus.unseen_triples) == 1000
    for sentence in corpus.unseen_triples:
        assert (together(sentence), sentence.adjective) not in seen
        assert together(sentence) in pairs


def test_tests_have_it_of_both_kinds_and_no_sentence_twice(corpus):
    trained = {sentence.english for sentence in corpus.train}
    for tests in (corpus.unseen_pairs, corpus.unseen_triples):
        sentences = {sentence.english for sentence in tests}
        assert len(sentences) == len(tests) and not sentences & trained
        assert Counter(sentence.frame for sentence in tests) == dict.fromkeys(IT_FRAMES, 200)
        of_animals = [sentence.adjective in ANIMAL_ADJECTIVES for sentence in tests]
        assert 0.45 < np.mean(of_animals) < 0.55
