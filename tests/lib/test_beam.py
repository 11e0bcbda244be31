"""Beams against all sentences, against greedy decoding and against probabilities by hand."""

import itertools
from functools import cache

import numpy as np
import pytest
import torch

from lib.decoding import beam, greedy
from lib.interventions import Cut
from lib.tokens import END_ID, START_ID
from tests.lib.small_models import SOURCE, Table, half_trained, sources, translator


@cache
def drawn(words):
    return np.random.default_rng([len(words), *words]).normal(size=5) * 2


def all_sentences(longest, penalty):
    """Every way to reach END within ``longest`` of five words, best first, by definition."""
    found = []
    for length in range(1, longest + 1):
        for words in itertools.product([0, 1, 3, 4], repeat=length - 1):
            words, total = [*words, END_ID], 0
            for t, word in enumerate(words):
                scores = drawn(tuple(words[:t]))
                total += scores[word] - np.log(np.exp(scores).sum())
            found.append((total / ((5 + length) / 6) ** penalty, words))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("penalty", [0, 0.6, 2])
def test_a_beam_that_is_wide_enough_finds_every_sentence(penalty):
    wanted = all_sentences(4, penalty)
    found = beam(Table(drawn), SOURCE, width=1000, longest=4, penalty=penalty)
    assert [words for _, words in found] == [words for _, words in wanted]
    np.testing.assert_allclose(
        [score for score, _ in found], [score for score, _ in wanted], rtol=1e-5
    )


def test_two_beginnings_find_what_one_misses():
    """0.6 * 0.5 for the word that seems best, 0.4 * 0.9 for the other."""
    shares = {(): [0, 0, 0, 0.6, 0.4], (3,): [0, 0, 0.5, 0.3, 0.2], (4,): [0, 0, 0.9, 0.1, 0]}
    table = Table(lambda words: np.log(np.maximum(shares.get(words, [0, 0, 1, 0, 0]), 1e-30)))
    assert greedy(table, SOURCE) == [[3, END_ID]]
    (score, words), *_ = beam(table, SOURCE, width=2, penalty=0)
    assert words == [4, END_ID] and score == pytest.approx(np.log(0.36), rel=1e-5)


def test_one_beginning_is_greedy():
    for source in sources():
        ((_, words),) = beam(half_trained(), source, width=1)
        assert words == greedy(half_trained(), source)[0]
        ((_, words),) = beam(half_trained(), source, width=1, changes=Cut("cross", query=2))
        assert words == greedy(half_trained(), source, changes=Cut("cross", query=2))[0]


@torch.no_grad()
def log_probability(source, words):
    """Of a whole sentence, in one pass."""
    log = half_trained()(source, torch.tensor([[START_ID, *words[:-1]]]))[0].log_softmax(-1)
    return log[range(len(words)), words].sum().item()


@pytest.mark.parametrize("penalty", [0, 0.6])
def test_beams_are_sorted_say_their_probability_and_beat_greedy(penalty):
    different = 0
    gains = []
    for source in sources():
        found = beam(half_trained(), source, width=4, penalty=penalty)
        scores = [score for score, _ in found]
        assert scores == sorted(scores, reverse=True)
        assert 4 <= len({tuple(words) for _, words in found}) == len(found) < 8, (
            "it ends when four are finished"
        )
        for score, words in found:
            assert words.index(END_ID) == len(words) - 1
            by_hand = log_probability(source, words) / ((5 + len(words)) / 6) ** penalty
            assert score == pytest.approx(by_hand, rel=1e-4, abs=1e-4)
        (single,) = greedy(half_trained(), source)
        greedy_score = log_probability(source, single) / ((5 + len(single)) / 6) ** penalty
        gains.append(scores[0] - greedy_score)
        different += found[0][1] != single
    assert different, "a test of more than greedy"
    # Not of each: a beam may drop early what would have become the best in the end.
    assert np.median(gains) >= -1e-4 and np.max(gains) > 0.1
    assert np.sum(np.array(gains) < -1e-4) <= 1


def test_beams_without_an_end_stop_at_the_longest():
    never = Table(lambda words: [0, 0, -50, 1, 0.5])
    found = beam(never, SOURCE, width=3, longest=5)
    assert [len(words) for _, words in found] == [5] * 3 and found[0][1] == [3] * 5


def test_a_beam_without_width_is_refused():
    with pytest.raises(ValueError, match="width = 0; expected at least 1"):
        beam(half_trained(), sources()[0], width=0)
    with pytest.raises(ValueError, match="width = 0"):
        translator().translate(["the", "dog"], beams=0)
    for beams in (2.5, "2", None):
        with pytest.raises(ValueError, match="expected at least 1 beginning to keep, a whole"):
            translator().translate(["the", "dog"], beams=beams)


def test_a_beam_takes_one_sentence():
    with pytest.raises(ValueError, match=r"source \(2, 3\); expected \(1, S\), one sentence"):
        beam(half_trained(), torch.full((2, 3), 5))
