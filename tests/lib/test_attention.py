"""Scaled dot-product attention against PyTorch's over random shapes, masks and types."""

import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from lib.attention import (
    MultiHeadParameters,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from lib.masks import causal_mask, padding_mask
from tests.arrays import RESOLUTION, close, different, dtypes, normal, random_mask, seeds


@given(
    sizes=different(6),
    dtype=st.sampled_from([np.float32, np.float64]),
    seed=seeds,
    form=st.integers(0, 4),
)
def test_attention_is_torch_attention(sizes, dtype, seed, form):
    B, H, T, S, d_k, d_v = sizes
    queries, keys, values = normal(
        seed, (B, H, T, d_k), (B, H, S, d_k), (B, H, S, d_v), dtype=dtype
    )
    forms = [None, (T, S), (B, 1, 1, S), (B, 1, T, S), (B, H, T, S)]
    mask = None if form == 0 else random_mask(seed, forms[form])
    before = [array.copy() for array in (queries, keys, values)]
    output, weights = scaled_dot_product_attention(queries, keys, values, mask)
    tensors = [torch.from_numpy(array) for array in (queries, keys, values)]
    tensor_mask = None if mask is None else torch.from_numpy(mask)
    close(
        output,
        functional.scaled_dot_product_attention(*tensors, attn_mask=tensor_mask),
        2 * RESOLUTION[dtype],
    )
    scores = tensors[0] @ tensors[1].mT / d_k**0.5
    if mask is not None:
        scores = scores.masked_fill(~tensor_mask, -torch.inf)
        assert not weights[~np.broadcast_to(mask, weights.shape)].any()  # exactly 0
    close(weights, torch.softmax(scores, -1), 2 * RESOLUTION[dtype])
    for array, old in zip((queries, keys, values), before, strict=True):
        assert np.array_equal(array, old)


@given(
    sizes=different(4),
    seed=seeds,
    scale=st.sampled_from([0.0, 0.1, 1, np.float64(2)]),
    dtype=dtypes,
)
def test_scale(sizes, seed, scale, dtype):
    T, S, d_k, d_v = sizes
    queries, keys, values = normal(seed, (T, d_k), (S, d_k), (S, d_v), dtype=dtype)
    output, weights = scaled_dot_product_attention(queries, keys, values, scale=scale)
    assert output.dtype == weights.dtype == dtype
    wanted = softmax(queries.astype(float) @ keys.T.astype(float) * float(scale))
    close(weights.astype(float), wanted, 100 * RESOLUTION[dtype])


@given(sizes=different(4), seed=seeds)
def test_the_order_of_keys_does_not_count_and_that_of_queries_is_kept(sizes, seed):
    T, S, d_k, d_v = sizes
    queries, keys, values = normal(seed, (T, d_k), (S, d_k), (S, d_v))
    rows, columns = (np.random.default_rng(seed).permutation(n) for n in (T, S))
    output, weights = scaled_dot_product_attention(queries, keys, values)
    shuffled, shuffled_weights = scaled_dot_product_attention(
        queries[rows], keys[columns], values[columns]
    )
    close(shuffled, output[rows])
    close(shuffled_weights, weights[rows][:, columns])


def test_a_query_that_may_attend_to_nothing_gets_zeros():
    queries, keys, values = normal(1, (2, 3, 4), (2, 5, 4), (2, 5, 6))
    mask = padding_mask([5, 0], 5)
    with np.errstate(over="raise", invalid="raise", divide="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = scaled_dot_product_attention(queries, keys, values, mask)
    assert not output[1].any() and not weights[1].any()
    close(weights[0].sum(-1), np.ones(3, np.float32))


def test_inputs_of_every_kind():
    three = normal(2, (3, 4), (5, 4), (5, 6))
    wanted, _ = scaled_dot_product_attention(*three)
    for array in three:
        array.setflags(write=False)
    close(scaled_dot_product_attention(*three)[0], wanted)
    for kind in (np.asfortranarray, torch.tensor, lambda x: np.repeat(x, 2, -1)[:, ::2]):
        close(scaled_dot_product_attention(*[kind(x) for x in three])[0], wanted)
    repeated = [np.broadcast_to(x, (2, *x.shape)) for x in three]
    close(scaled_dot_product_attention(*repeated)[0], np.stack([wanted, wanted]))
    lists = [x.tolist() for x in three]
    close(scaled_dot_product_attention(*lists)[0].astype(np.float32), wanted)


def test_a_tensor_that_requires_grad_is_answered_with_what_to_write():
    x = torch.ones(3, 4, requires_grad=True)
    write = r"NumPy cannot read this Tensor; write x\.detach\(\)\.numpy\(\)"
    for call in (
        lambda: softmax(x),
        lambda: scaled_dot_product_attention(x, x, x),
        lambda: scaled_dot_product_attention(Q[0], K[0], nn.Parameter(torch.ones(5, 6)).sin()),
        lambda: split_heads(x, 2),
        lambda: merge_heads(x),
    ):
        with pytest.raises(ValueError, match=write):
            call()
    half = x.to(torch.bfloat16)
    with pytest.raises(ValueError, match=r"write x\.detach\(\)\.float\(\)\.numpy\(\)"):
        softmax(half)
    assert softmax(half.detach().float().numpy()).shape == (3, 4)


def test_bfloat16_becomes_float32():
    three = [torch.from_numpy(x).bfloat16() for x in (Q, K, V)]
    wanted = scaled_dot_product_attention(*[x.float() for x in three])
    for ours, theirs in zip(scaled_dot_product_attention(*three), wanted, strict=True):
        assert ours.dtype == np.float32
        assert np.array_equal(ours, theirs)
    parameters = MultiHeadParameters.from_torch(nn.MultiheadAttention(8, 2).bfloat16())
    assert parameters.query.dtype == np.float32


def test_float16_is_computed_in_float32():
    """300 * 300 is more than float16 can hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = np.full((1, 1), 300, np.float16)
        output, weights = scaled_dot_product_attention(x, x, x)
        assert output.dtype == weights.dtype == np.float16
        assert output.tolist() == [[300]] and weights.tolist() == [[1]]
        ones = np.ones((512, 1), np.float16)
        many = ones * np.float16(300 / 256)
        parameters = MultiHeadParameters(many, many, ones / 8, ones.T)
        rows = np.full((2, 512), 0.5, np.float16)  # queries and keys of 300, values of 32
        output, _ = multi_head_attention(rows, rows, rows, parameters, 1)
    assert output.dtype == np.float16 and (output == 32).all()


def test_float16_beside_float64_is_float64_from_the_start():
    queries = normal(10, (3, 4)).astype(np.float16)
    keys, values = normal(10, (5, 4), (5, 6), dtype=np.float64)
    ours = scaled_dot_product_attention(queries, keys, values)
    wanted = scaled_dot_product_attention(queries.astype(np.float64), keys, values)
    for array, other in zip(ours, wanted, strict=True):
        assert array.dtype == np.float64 and np.array_equal(array, other)


def test_a_mask_may_be_one_row_for_all_queries_or_one_boolean():
    parameters = MultiHeadParameters.random(np.random.default_rng(0), 8)
    x = normal(11, (2, 5, 8))
    row = np.array([True, False, True, True, False])
    for mask, full in ((row, np.tile(row, (5, 1))), (True, None), (False, np.zeros((5, 5), bool))):
        for ours, wanted in (
            (
                scaled_dot_product_attention(x, x, x, mask),
                scaled_dot_product_attention(x, x, x, full),
            ),
            (
                multi_head_attention(x, x, x, parameters, 2, mask),
                multi_head_attention(x, x, x, parameters, 2, full),
            ),
        ):
            assert np.array_equal(ours[0], wanted[0]) and np.array_equal(ours[1], wanted[1])


@pytest.mark.parametrize("masked", [False, True])
def test_attention_needs_hardly_more_memory_than_its_weights(masked):
    T, H, d_k = 1024, 4, 8
    x = normal(12, (1, T, H * d_k))
    parameters = MultiHeadParameters.random(np.random.default_rng(0), H * d_k)
    mask = causal_mask(T) if masked else None
    tracemalloc.start()
    _, weights = multi_head_attention(x, x, x, parameters, H, mask)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 1.15 * weights.nbytes


def test_scores_far_out():
    one, zero = np.float32([[1e15, 0]]), np.zeros((1, 2), np.float32)
    keys = np.concatenate([one, zero, -one])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        _, weights = scaled_dot_product_attention(one, keys, keys)
    assert weights.tolist() == [[1, 0, 0]]
    hidden_nan = np.float32([[np.nan, 0], [1, 1]])  # what is masked is never looked at
    _, weights = scaled_dot_product_attention(
        zero, hidden_nan, keys[:2], mask=np.array([[False, True]])
    )
    assert weights.tolist() == [[0, 1]]


Q, K, V = normal(3, (2, 3, 4), (2, 5, 4), (2, 5, 6))


@pytest.mark.filterwarnings("error")  # a sentence, and no warning in red before it
@pytest.mark.parametrize(
    "change, words",
    [
        ({"queries": Q[..., :3]}, ["(2, 3, 3)", "(2, 5, 4)", "same d_k"]),
        ({"values": V[:, :4]}, ["(2, 5, 4)", "(2, 4, 6)", "exactly one value"]),
        ({"queries": Q[:1]}, ["(1, 3, 4)", "(2, 5, 4)", "np.broadcast_to"]),
        ({"queries": Q[0]}, ["(3, 4)", "(2, 5, 4)", "np.broadcast_to"]),
        ({"queries": Q[0, 0]}, ["(4,)", "x[None, :]"]),
        ({"queries": 1.0}, ["queries", "()"]),
        ({"keys": K[:, :0]}, ["keys", "(2, 0, 4)", "at least one token"]),
        ({"values": V[..., :0]}, ["values", "(2, 5, 0)"]),
        ({"values": [["a"]]}, ["values: expected numbers"]),
        ({"queries": [[1.0, 2.0], [3.0]]}, ["queries", "differ in length"]),
        ({"mask": np.zeros((3, 5))}, ["float64", "mask == 0", "mask == 1"]),
        ({"mask": np.ones((3, 5), int)}, ["int64", "mask == 1"]),
        ({"mask": torch.ones(3, 5, dtype=torch.bfloat16)}, ["float32", "mask == 1"]),
        ({"mask": torch.ones(3, 5, requires_grad=True)}, ["mask: NumPy cannot", "x.detach()"]),
        ({"values": torch.ones(2, 5, 6).to_sparse()}, ["values: NumPy cannot", "x.to_dense()"]),
        ({"mask": [[True], [True, False]]}, ["mask: the rows differ in length"]),
        ({"mask": np.ones((5, 3), bool)}, ["(5, 3)", "(2, 3, 5)", "(T, S) = (3, 5)"]),
        ({"mask": np.ones((4, 3, 5), bool)}, ["(4, 3, 5)", "(2, 3, 5)", "Leading axes"]),
        ({"mask": np.ones((1, 2, 3, 5), bool)}, ["(1, 2, 3, 5)", "(2, 3, 5)"]),
        ({"queries": Q * np.nan}, ["NaN"]),
        ({"values": V * np.inf}, ["values: NaN or inf comes of them"]),
        ({"values": V - np.inf, "mask": np.eye(3, 5, dtype=bool)}, ["values: NaN or inf comes"]),
        ({"scale": "x"}, ["scale = 'x'; expected one finite number"]),
        ({"scale": np.nan}, ["scale = nan; expected one finite number"]),
        ({"scale": [1, 2]}, ["scale = [1, 2]; expected one finite number"]),
        ({"keys": np.full_like(K, np.inf), "queries": abs(Q)}, ["+inf"]),
    ],
)
def test_attention_refuses(change, words):
    with pytest.raises(ValueError) as error:
        scaled_dot_product_attention(**{"queries": Q, "keys": K, "values": V} | change)
    assert all(word in str(error.value) for word in words), error.value


def test_import_is_light():
    code = (
        "import sys, lib.attention, lib.masks; "
        "print({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"
