import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lib.attention import softmax
from lib.sampling import filtered, sample

numbers = st.one_of(
    st.floats(-30, 30, width=32), st.integers(-3, 3).map(float)
)  # whole numbers make ties
rows = st.lists(numbers, min_size=1, max_size=40).map(np.array)
temperatures = st.floats(0.05, 20)
HALVES = np.log([0.25, 0.5, 0.125, 0.125])


@given(scores=rows, temperature=temperatures)
def test_without_filters_it_is_softmax(scores, temperature):
    np.testing.assert_allclose(
        filtered(scores, temperature), softmax(scores / temperature), atol=1e-12
    )
    np.testing.assert_array_equal(
        filtered(scores, temperature, len(scores) + 5, 1), filtered(scores, temperature)
    )


@given(
    scores=rows,
    temperature=temperatures,
    k=st.none() | st.integers(1, 50),
    p=st.none() | st.floats(0.01, 1),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_what_is_left_adds_up_to_one_in_the_same_order(scores, temperature, k, p, dtype):
    scores = scores.astype(dtype)
    before, after = filtered(scores, temperature), filtered(scores, temperature, k, p)
    assert after.dtype == dtype and after.shape == scores.shape and not np.isnan(after).any()
    assert after.sum() == pytest.approx(1, abs=1e-5)
    left = after > 0
    assert 1 <= left.sum() <= (k or len(scores))
    np.testing.assert_allclose(after[left], before[left] / before[left].sum(), rtol=1e-4)
    assert before[left].min() >= before[~left].max(initial=0), (
        "a word that is left out is not more probable"
    )
    order = np.argsort(-scores, kind="stable")
    assert left[order][: left.sum()].all(), "of equally probable words the first one stays"


@given(
    scores=rows, temperature=temperatures, k=st.none() | st.integers(1, 50), p=st.floats(0.01, 0.99)
)
def test_top_p_keeps_the_smallest_set_that_reaches_it(scores, temperature, k, p):
    shares = filtered(scores, temperature, k)
    left = filtered(scores, temperature, k, p) > 0
    assert shares[left].sum() >= p - 1e-5
    assert shares[left].sum() - shares[left].min() < p, "one word fewer does not reach it"


def test_by_hand():
    np.testing.assert_allclose(filtered(HALVES, top_k=2), [1 / 3, 2 / 3, 0, 0])
    np.testing.assert_allclose(filtered(HALVES, top_p=0.5), [0, 1, 0, 0])
    np.testing.assert_allclose(filtered(HALVES, top_p=0.51), [1 / 3, 2 / 3, 0, 0])
    np.testing.assert_allclose(filtered(HALVES, top_p=0.8), [2 / 7, 4 / 7, 1 / 7, 0])
    np.testing.assert_allclose(filtered(HALVES, 0.5), np.array([4, 16, 1, 1]) / 22)
    # Top-p counts what top-k has left: two thirds of 0.75, not of 1.
    np.testing.assert_allclose(filtered(HALVES, top_k=2, top_p=0.6), [0, 1, 0, 0])


@pytest.mark.parametrize(
    "logarithms", [np.log([0.5, 0.3, 0.1, 0.1]), np.log(np.float32([0.5, 0.3, 0.1, 0.1]))]
)
def test_a_set_that_reaches_p_but_for_rounding_is_enough(logarithms):
    for p, left in ((0.5, 1), (0.8, 2), (0.9, 3)):
        assert (filtered(logarithms, top_p=p) > 0).sum() == left


@given(
    scores=rows,
    temperature=st.sampled_from([1e-3, 1e-30, 5e-324]),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_cold_is_greedy(scores, temperature, dtype):
    scores = np.round(scores).astype(dtype)  # ties, or a lead of 1
    best = scores == scores.max()
    np.testing.assert_allclose(filtered(scores, temperature), best / best.sum(), rtol=1e-6)
    assert (
        sample(scores, temperature, 1, random=0)
        == sample(scores, 7.0, 1, random=1)
        == scores.argmax()
    )


def test_hot_is_even():
    np.testing.assert_allclose(filtered(HALVES, 1e9), 0.25)


def test_a_masked_word_never_comes():
    scores = np.array([-np.inf, 0.0, 0.0, -np.inf])
    np.testing.assert_array_equal(filtered(scores, 3.0), [0, 0.5, 0.5, 0])
    assert {sample(scores, random=seed) for seed in range(30)} == {1, 2}


def test_whole_numbers_become_floats_and_the_scores_stay():
    scores = np.array([3, 1, 2])
    assert filtered(scores).dtype == np.float64
    assert filtered([3.0, 1.0], top_k=1).tolist() == [1, 0] and scores.tolist() == [3, 1, 2]


def test_words_are_drawn_as_often_as_they_are_probable():
    generator = np.random.default_rng(0)
    drawn = np.bincount(
        [sample(HALVES, top_k=3, random=generator) for _ in range(7000)], minlength=4
    )
    np.testing.assert_allclose(drawn / 7000, filtered(HALVES, top_k=3), atol=0.02)
    assert drawn[3] == 0


def test_a_seed_repeats_the_draw():
    scores = np.zeros(1000)
    assert sample(scores, random=5) == sample(scores, random=5) != sample(scores, random=6)
    assert sample(scores.astype(np.float16), random=5) < 1000


@pytest.mark.parametrize("temperature", [0, -1, np.nan, np.inf, "a", None])
def test_temperatures_that_are_refused(temperature):
    with pytest.raises(
        ValueError, match=f"temperature = {temperature}; expected a finite number above 0"
    ):
        filtered(HALVES, temperature)


@pytest.mark.parametrize("k", [0, -1, 1.5, np.nan, np.inf, "2", [2]])
def test_counts_that_are_refused(k):
    with pytest.raises(ValueError) as error:
        sample(HALVES, 1.0, k)
    assert f"top_k = {k}; expected a whole number" in str(error.value)


def test_a_list_of_temperatures_is_refused():
    with pytest.raises(ValueError, match=r"temperature = \[1, 2\]; expected a finite number"):
        filtered(HALVES, [1, 2])


def test_a_temperature_may_be_of_any_type():
    for two in (2, np.float32(2), np.array(2.0)):
        np.testing.assert_array_equal(filtered(HALVES, two), filtered(HALVES, 2))


def test_a_whole_count_may_be_of_any_type():
    for k in (2.0, np.int64(2), np.float32(2)):
        np.testing.assert_array_equal(filtered(HALVES, top_k=k), filtered(HALVES, top_k=2))


def test_logits_of_torch_are_taken_and_those_with_a_graph_answered():
    logits = torch.tensor(HALVES, requires_grad=True)
    with pytest.raises(ValueError, match=r"scores: NumPy cannot .* write x\.detach\(\)\.numpy"):
        filtered(logits)
    np.testing.assert_array_equal(filtered(logits.detach()), filtered(HALVES))
    half = torch.tensor([1.0, 0.0], dtype=torch.bfloat16)
    assert filtered(half).dtype == np.float32


@pytest.mark.parametrize("p", [0, -0.1, 1.1, np.nan, "a"])
def test_shares_that_are_refused(p):
    with pytest.raises(ValueError, match=f"top_p = {p}; expected a share above 0"):
        filtered(HALVES, top_p=p)


BAD = [[], [[1.0, 2.0]], 3.0, ["a"], [-np.inf, -np.inf], [0.0, np.nan, 1.0], [0.0, np.inf]]


@pytest.mark.parametrize("scores", BAD)
def test_scores_that_are_refused(scores):
    with pytest.raises(ValueError, match="expected one row of numbers"):
        filtered(scores)
