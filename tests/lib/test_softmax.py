"""softmax against PyTorch's over random shapes and types; what it takes and refuses."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lib.attention import softmax
from tests.arrays import RESOLUTION, close, different, dtypes, normal, seeds


@given(
    shape=different(3),
    axis=st.integers(-3, 2),
    dtype=dtypes,
    size=st.sampled_from([1, 30, 1000]),
    seed=seeds,
)
def test_softmax_is_torch_softmax(shape, axis, dtype, size, seed):
    scores = normal(seed, shape, dtype=dtype) * dtype(size)
    before = scores.copy()
    shares = softmax(scores, axis)
    close(shares, torch.softmax(torch.from_numpy(scores), axis), RESOLUTION[dtype])
    close(shares.sum(axis), np.ones_like(shares.sum(axis)), RESOLUTION[dtype])
    assert np.array_equal(scores, before)


@given(seed=seeds, constant=st.floats(-1e6, 1e6))
def test_only_differences_of_scores_count(seed, constant):
    scores = normal(seed, (3, 5), dtype=np.float64)
    close(softmax(scores + constant), softmax(scores), 1e-8)


def test_softmax_of_extreme_scores():
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        close(softmax([1000.0, 1001.0]), softmax([0.0, 1.0]), 1e-15)
        assert softmax([1e308, -1e308]).tolist() == [1, 0]
        assert softmax(np.float32([1e30, -1e30, 0])).tolist() == [1, 0, 0]
        assert softmax([[-np.inf, 0.0], [-np.inf, -np.inf]]).tolist() == [[0, 1], [0, 0]]
        assert softmax(np.full((2, 3), -np.inf), axis=0).tolist() == np.zeros((2, 3)).tolist()


def test_softmax_takes_lists_and_whole_numbers():
    close(softmax([0, 0, 0, 0]), np.full(4, 0.25))
    assert softmax(np.float32(normal(0, (2, 3)).T)).dtype == np.float32


@pytest.mark.parametrize(
    "scores, axis, words",
    [
        ([0.0, np.nan], -1, ["scores contain NaN", "Look for"]),
        ([-np.inf, np.nan], -1, ["scores contain NaN"]),
        ([0.0, np.inf], -1, ["scores contain +inf", "-inf to mask"]),
        (np.zeros((2, 0)), -1, ["(2, 0)", "axis -1"]),
        (3.0, -1, ["()", "axis -1"]),
        ([1.0, 2.0], 1, ["(2,)", "axis 1"]),
        ([1.0, 2.0], 0.5, ["(2,)", "axis 0.5"]),
        ([1.0, 2.0], None, ["(2,)", "axis None"]),
        (["a", "b"], -1, ["scores: expected numbers", "array of floats"]),
        ([[1.0, 2.0], [3.0]], -1, ["scores", "differ in length"]),
        ([1j], -1, ["scores: expected numbers", "complex"]),
        ([None, 1.0], -1, ["scores: expected numbers"]),
    ],
)
def test_softmax_refuses(scores, axis, words):
    with pytest.raises(ValueError) as error:
        softmax(scores, axis)
    assert all(word in str(error.value) for word in words), error.value
