"""lib.positions: the paper's formula, the rotation that moves, what only distances change."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lib import modules
from lib.positions import (
    PAIRS,
    learned_positions,
    position_rotation,
    rotary,
    sinusoidal_positions,
)

widths = st.integers(1, 32).map(lambda half: 2 * half)
seeds = st.integers(0, 2**32 - 1)


def normal(seed, *shape, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@given(length=st.integers(1, 40), d_model=widths)
def test_sinusoidal_positions_are_the_papers(length, d_model):
    table = sinusoidal_positions(length, d_model)
    assert table.shape == (length, d_model) and table.dtype == np.float64
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            assert table[p, 2 * i] == pytest.approx(
                math.sin(angle), abs=1e-12
            )  # sine on even dimensions
            assert table[p, 2 * i + 1] == pytest.approx(
                math.cos(angle), abs=1e-12
            )  # cosine on odd dimensions


def test_the_first_rows_in_digits():
    assert sinusoidal_positions(2, 4).round(4).tolist() == [[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 1]]


def test_all_positions_are_different():
    table = sinusoidal_positions(1000, 8)
    assert len(np.unique(table.round(9), axis=0)) == 1000


@given(d_model=widths, offset=st.integers(0, 60))
def test_the_product_of_two_positions_depends_on_their_distance_alone(d_model, offset):
    table = sinusoidal_positions(100, d_model)
    products = np.vecdot(table[: 100 - offset], table[offset:])
    frequencies = 10000 ** (-np.arange(0, d_model, 2) / d_model)
    assert np.abs(products - np.cos(offset * frequencies).sum()).max() < 1e-10


@given(d_model=widths, offset=st.integers(-20, 20))
def test_moving_by_an_offset_is_a_rotation(d_model, offset):
    table, rotation = sinusoidal_positions(60, d_model), position_rotation(offset, d_model)
    assert rotation.shape == (d_model, d_model)
    assert np.abs(table[20:40] @ rotation - table[20 + offset : 40 + offset]).max() < 1e-12
    assert np.abs(rotation @ rotation.T - np.eye(d_model)).max() < 1e-12
    assert (
        np.abs(
            rotation @ position_rotation(3, d_model) - position_rotation(offset + 3, d_model)
        ).max()
        < 1e-12
    )


def test_learned_positions_are_the_first_rows():
    table = normal(0, 7, 4, dtype=np.float32)
    assert np.array_equal(learned_positions(table, 5), table[:5])
    assert np.array_equal(learned_positions(table, 7), table)
    assert learned_positions(table.tolist(), 1).shape == (1, 4)


@pytest.mark.parametrize(
    "table, length",
    [((7, 4), 8), ((7, 4), 0), ((7, 4), -1), ((7,), 3), ((2, 7, 4), 3), ((7, 4), 2.5)],
)
def test_learned_positions_refuse(table, length):
    with pytest.raises(ValueError) as error:
        learned_positions(np.zeros(table), length)
    assert (
        str(table) in str(error.value)
        and str(length) in str(error.value)
        and "longer table" in str(error.value)
    )


@given(T=st.integers(1, 9), d_k=widths, seed=seeds)
def test_rotary_is_the_rotation_of_each_row(T, d_k, seed):
    x, positions = normal(seed, 2, 3, T, d_k), np.random.default_rng(seed).integers(0, 500, T)
    turned = rotary(x, positions)
    assert turned.shape == x.shape
    for t, position in enumerate(positions):
        # Clockwise for (sine, cosine), counter-clockwise for (cosine, sine): hence the transpose.
        assert (
            np.abs(turned[..., t, :] - x[..., t, :] @ position_rotation(position, d_k).T).max()
            < 1e-9
        )


@given(d_k=widths, offset=st.integers(0, 300), seed=seeds)
def test_rotary_scores_depend_on_the_distance_alone(d_k, offset, seed):
    queries, keys = normal(seed, 5, d_k), normal(seed + 1, 7, d_k)
    places, others = np.arange(5), np.arange(7)
    scores = rotary(queries, places) @ rotary(keys, others).T
    moved = rotary(queries, places + offset) @ rotary(keys, others + offset).T
    assert np.abs(scores - moved).max() < 1e-9
    assert (
        np.abs(
            np.linalg.norm(rotary(queries, places), axis=-1) - np.linalg.norm(queries, axis=-1)
        ).max()
        < 1e-12
    )
    assert np.array_equal(rotary(queries, np.zeros(5)), queries)


@given(T=st.integers(1, 6), d_k=widths, base=st.sampled_from([2.5, 500, 1e5]), seed=seeds)
def test_rotary_by_its_definition_with_any_base_and_pairs(T, d_k, base, seed):
    x, places = normal(seed, T, d_k), np.random.default_rng(seed).integers(0, 99, T)
    for pairs in PAIRS:
        turned = rotary(x, places, base, pairs)
        for i in range(d_k // 2):
            one, other = (2 * i, 2 * i + 1) if pairs == "neighbours" else (i, i + d_k // 2)
            angle = places / base ** (2 * i / d_k)
            real = x[:, one] * np.cos(angle) - x[:, other] * np.sin(angle)
            imaginary = x[:, one] * np.sin(angle) + x[:, other] * np.cos(angle)
            np.testing.assert_allclose(turned[:, one], real, atol=1e-12)
            np.testing.assert_allclose(turned[:, other], imaginary, atol=1e-12)


@given(d_k=widths, seed=seeds)
def test_the_pairings_are_one_another_with_the_dimensions_in_another_order(d_k, seed):
    x, places = normal(seed, 2, 5, d_k), np.arange(5)
    order = np.arange(d_k).reshape(-1, 2).T.ravel()  # 0, 2, 4, ..., 1, 3, 5, ...
    halves = rotary(x[..., order], places, pairs="halves")
    assert np.abs(halves - rotary(x, places)[..., order]).max() < 1e-12


@given(d_k=widths, start=st.integers(-9, 9), seed=seeds)
def test_rotary_of_tensors_is_that_of_arrays(d_k, start, seed):
    x = normal(seed, 2, 3, 5, d_k, dtype=np.float32)
    for pairs in PAIRS:
        ours = modules.rotary(torch.from_numpy(x), start, 500.0, pairs)
        wanted = rotary(x, np.arange(start, start + 5), 500.0, pairs)
        assert ours.dtype == torch.float32 and np.abs(ours.numpy() - wanted).max() < 1e-5


@pytest.mark.parametrize("turn", [lambda **o: rotary(np.ones((2, 4)), [0, 1], **o),
                                  lambda **o: modules.rotary(torch.ones(2, 4), **o)])  # fmt: skip
@pytest.mark.parametrize(
    "option, sentence",
    [
        ({"pairs": "half"}, "pairs = 'half'; expected one of neighbours, halves"),
        ({"pairs": None}, "pairs = None; expected one of"),
        *[({"base": base}, "base = .*; expected a finite number above 0, such as 10000")
          for base in (0, -1, math.nan, math.inf, "10000", None)],
    ],
)  # fmt: skip
def test_rotary_refuses_settings(turn, option, sentence):
    with pytest.raises(ValueError, match=sentence):
        turn(**option)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rotary_keeps_dtype_and_input(dtype):
    x = normal(1, 4, 6, dtype=dtype)
    before = x.copy()
    assert rotary(x, np.arange(4)).dtype == dtype
    assert np.array_equal(x, before)


@pytest.mark.parametrize("d_model", [1, 3, 7, 0])
@pytest.mark.parametrize(
    "function",
    [
        lambda d: sinusoidal_positions(4, d),
        lambda d: position_rotation(1, d),
        lambda d: (
            rotary(np.zeros((4, max(d, 1))), np.arange(4)) if d else sinusoidal_positions(4, d)
        ),
    ],
)
def test_odd_widths_are_refused(function, d_model):
    with pytest.raises(ValueError, match=f"= {d_model} is odd .* Choose an even number"):
        function(d_model)


def test_rotary_refuses_positions_that_do_not_fit():
    for positions in (np.arange(3), 3, np.zeros((2, 4))):
        with pytest.raises(
            ValueError, match=r"do not fit x \(2, 4, 6\); give one position for each token"
        ):
            rotary(np.zeros((2, 4, 6)), positions)
    with pytest.raises(ValueError, match=r"x has shape \(6,\)"):
        rotary(np.zeros(6), np.arange(1))


@pytest.mark.parametrize("length", [0, -1, 2.5, math.nan, math.inf, None, "3"])
def test_no_positions_are_refused(length):
    with pytest.raises(ValueError, match=f"length = {length}; expected at least one"):
        sinusoidal_positions(length, 4)


def test_whole_numbers_may_be_of_any_type():
    table = normal(2, 7, 4)
    for two in (2.0, np.int64(2), np.float32(2)):
        assert np.array_equal(learned_positions(table, two), table[:2])
        assert np.array_equal(sinusoidal_positions(two, 4 * two), sinusoidal_positions(2, 8))
        assert np.array_equal(position_rotation(two, 4 * two), position_rotation(2, 8))
    with pytest.raises(ValueError, match="= 2.5 is odd or too small"):
        sinusoidal_positions(4, 2.5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("position", [math.nan, math.inf])
def test_positions_that_are_not_finite_are_refused(position):
    for call in (
        lambda: rotary(np.ones((2, 4)), [0, position]),
        lambda: position_rotation(position, 4),
    ):
        with pytest.raises(ValueError, match="positions contain NaN or inf"):
            call()
    with pytest.raises(ValueError, match="positions: expected numbers"):
        rotary(np.ones((2, 4)), ["0", "1"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("bad", [math.nan, math.inf, 1.7e308])
def test_rotary_answers_numbers_that_are_not_finite_with_a_sentence(bad):
    with pytest.raises(ValueError, match="x: NaN or inf comes of them, .* too large for float64"):
        rotary(np.full((2, 4), bad), [0, -1])


@pytest.mark.parametrize("offset", ["a", None, [1, 2]])
def test_an_offset_is_one_number(offset):
    with pytest.raises(ValueError, match="offset = .*; expected one number of places to move"):
        position_rotation(offset, 4)
