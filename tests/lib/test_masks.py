import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lib.masks import causal_mask, padding_mask, window_mask


@given(T=st.integers(1, 12), more=st.integers(0, 7))
def test_causal_mask_by_its_definition(T, more):
    S = T + more
    mask = causal_mask(T, S)
    assert mask.dtype == bool and mask.shape == (T, S)
    # Query t of the last T tokens stands at place t + S - T.
    assert mask.tolist() == [[key <= query + S - T for key in range(S)] for query in range(T)]


def test_square_causal_mask_is_the_lower_triangle():
    assert np.array_equal(causal_mask(5), np.tril(np.ones((5, 5), bool)))
    assert np.array_equal(causal_mask(2, 5), causal_mask(5)[-2:])


HALVES = [(5 / 2, None), (2.5, 3), (2, 2.5), (np.nan, None), (2, np.inf), ("2", 3), ([2], 3)]


@pytest.mark.parametrize("T, S", [(0, None), (-1, None), (0, 3), (3, 2), *HALVES])
def test_causal_mask_refuses(T, S):
    with pytest.raises(ValueError, match="expected 1 <= T <= S"):
        causal_mask(T, S)


def test_whole_numbers_may_be_of_any_type():
    for T in (6 / 2, np.int64(3), np.float32(3), torch.tensor(3)):
        assert np.array_equal(causal_mask(T), causal_mask(3))
        assert np.array_equal(causal_mask(2, T), causal_mask(2, 3))
        assert np.array_equal(window_mask(T, T), window_mask(3, 3))
        assert np.array_equal(padding_mask([2, 1], T), padding_mask([2, 1], 3))
    for lengths in ([2.0, 1.0], torch.tensor([2, 1]), np.array([2, 1], np.uint8)):
        assert np.array_equal(padding_mask(lengths, 3), padding_mask([2, 1], 3))


@given(lengths=st.lists(st.integers(0, 9), min_size=1, max_size=5), more=st.integers(0, 4))
def test_padding_mask_by_its_definition(lengths, more):
    S = max(*lengths, 1) + more
    mask = padding_mask(lengths, S)
    assert mask.dtype == bool and mask.shape == (len(lengths), 1, S)
    assert mask[:, 0].sum(-1).tolist() == lengths
    assert all(row[:length].all() for row, length in zip(mask[:, 0], lengths, strict=True))


@pytest.mark.parametrize("S", [2.5, np.nan, -1, None])
def test_padding_mask_refuses_a_number_of_keys_that_is_not_whole(S):
    with pytest.raises(ValueError, match=f"S = {S}; expected a whole number of keys"):
        padding_mask([1, 2], S)


BAD_LENGTHS = [[4], [-1], [1.5], [True], 3, [[1, 2]], ["2"], [], [np.nan], [np.inf], [None]]


@pytest.mark.parametrize("lengths", BAD_LENGTHS)
def test_padding_mask_refuses(lengths):
    with pytest.raises(ValueError, match="one whole number from 0 to S = 3"):
        padding_mask(lengths, 3)


def test_masks_combine():
    both = causal_mask(4) & padding_mask([4, 2], 4)
    assert both.shape == (2, 4, 4)
    assert both[1].tolist() == [[True, False, False, False]] + 3 * [[True, True, False, False]]


@given(T=st.integers(1, 12), width=st.integers(0, 14))
def test_window_mask_by_its_definition(T, width):
    mask = window_mask(T, width)
    assert mask.dtype == bool and mask.shape == (T, T)
    assert mask.tolist() == [[abs(query - key) <= width for key in range(T)] for query in range(T)]


@pytest.mark.parametrize("T, width", [(0, 1), (-1, 1), (3, -1), (2.5, 1), (3, 0.5), (3, np.nan)])
def test_window_mask_refuses(T, width):
    with pytest.raises(ValueError, match=f"T = {T} and width = {width}; expected T >= 1"):
        window_mask(T, width)


def test_all_three_masks_combine():
    mask = causal_mask(4) & window_mask(4, 1) & padding_mask([4, 2], 4)
    assert mask.shape == (2, 4, 4)
    assert mask[0].sum(-1).tolist() == [1, 2, 2, 2]
    assert mask[1].sum(-1).tolist() == [1, 2, 1, 0]  # the last query may attend to nothing
