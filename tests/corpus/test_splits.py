"""Many sentences: what a corpus has, its seed, its arrays."""

from collections import Counter

import numpy as np
import pytest

from lib.corpus import ANIMALS, FRAMES, IT_FRAMES, PLACES, batch, make, say
from tests.corpus.shared import everything, whole


def test_training_has_every_word_and_every_frame_often(corpus):
    columns = {"english": corpus.english, "target": corpus.target, "gloss": corpus.glosses}
    for column, vocabulary in columns.items():
        counts = Counter(word for sentence in corpus.train for word in getattr(sentence, column))
        assert counts.keys() == set(vocabulary.words[3:])
        assert min(counts.values()) >= 40
    frames = Counter(sentence.frame for sentence in corpus.train)
    assert len(corpus.train) == 12_000
    assert frames == {
        frame: 1200 if frame in (*IT_FRAMES, "two animals") else 600 for frame in FRAMES
    }


@pytest.mark.parametrize("role", ["right", "wrong"])
def test_every_noun_is_often_the_one_that_it_means_and_often_the_other(corpus, role):
    with_it = [sentence for sentence in corpus.train if sentence.it is not None]
    counts = Counter(sentence.english[getattr(sentence, role)] for sentence in with_it)
    for noun in ANIMALS + PLACES:
        assert counts[noun] >= 100, f"{noun} is too seldom the {role} noun"


def test_two_animals_come_in_both_orders_as_often(corpus):
    of_two = [sentence for sentence in corpus.train if sentence.frame == "two animals"]
    counts = Counter(sentence.english for sentence in of_two)
    for (the, one, verb, _, other), count in counts.items():
        assert one != other
        assert counts[the, other, verb, the, one] == count


def test_a_seed_makes_one_corpus_in_both_languages():
    french, chinese, another, again = whole("French"), whole("Chinese"), make(seed=1), make()
    assert everything(french) == everything(again)
    assert french.train[0] is not again.train[0], "made anew, not kept"
    assert french.target.words == again.target.words
    english = [sentence.english for sentence in everything(french)]
    assert english == [sentence.english for sentence in everything(chinese)]
    assert french.train != another.train and french.english.words == another.english.words


def test_what_a_reader_does_with_a_corpus_is_not_in_the_next():
    first = make(count=30, held_out=3)
    first.train.clear()
    first.unseen_pairs.reverse()
    second = make(count=30, held_out=3)
    assert len(second.train) == 30 and second.unseen_pairs != first.unseen_pairs


@pytest.mark.parametrize("count", [1, 19, 150])
def test_small_corpora_know_every_word_too(count):
    small, large = make(count=count, held_out=3), whole("French")
    assert (len(small.train), len(small.unseen_pairs), len(small.unseen_triples)) == (count, 3, 3)
    assert small.english.words == large.english.words and small.target.words == large.target.words


@pytest.mark.parametrize(
    "choices, message",
    [
        (
            {"language": "english"},
            "language 'english' is unknown; expected one of: French, Chinese",
        ),
        ({"count": 0}, "count = 0 and held_out = 1000; expected count >= 1"),
        ({"held_out": 50_000}, "held_out = 50000; expected count >= 1 and held_out 0 to 20000"),
    ],
)
def test_make_refuses(choices, message):
    with pytest.raises(ValueError, match=message):
        make(**choices)


def test_vocabulary_there_and_back(corpus):
    for sentence in everything(corpus)[::29]:
        for vocabulary, tokens in [
            (corpus.english, sentence.english),
            (corpus.target, sentence.target),
            (corpus.glosses, sentence.gloss),
        ]:
            assert vocabulary.decode(vocabulary.encode(tokens)) == list(tokens)


def test_batch_is_padded_and_framed(corpus):
    sentences = [say(corpus.language, frame) for frame in ("street was", "passive", "plain")]
    arrays = corpus.batch(sentences)
    S, T = 12, 2 + max(len(sentence.target) for sentence in sentences)
    assert [array.shape for array in arrays] == [(3, S), (3, T), (3, S), (3,)]
    assert all(array.dtype == np.int64 for array in arrays)
    assert arrays.lengths.tolist() == [5, 12, 5]
    for sentence, source, target, gloss, length in zip(sentences, *arrays, strict=True):
        end = len(sentence.target) + 1
        assert corpus.english.decode(source) == list(sentence.english)
        assert corpus.target.decode(target) == list(sentence.target)
        assert corpus.glosses.decode(gloss) == list(sentence.gloss)
        assert target[0] == 1 and target[end] == 2
        for padding in (source[length:], gloss[length:], target[end + 1 :]):
            assert not padding.any()
        for words in (source[:length], gloss[:length], target[: end + 1]):
            assert words.all()


def test_batch_of_nothing_is_refused(corpus):
    with pytest.raises(ValueError, match="expected at least one"):
        corpus.batch([])


def test_the_function_batch_is_the_method(corpus):
    sentences = corpus.train[:3]
    for array, same in zip(batch(sentences, corpus), corpus.batch(sentences), strict=True):
        np.testing.assert_array_equal(array, same)
