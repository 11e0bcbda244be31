"""lib.attention against PyTorch over random shapes, masks and types; what it takes and refuses."""

import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
import torch
from hypothesis import example, given
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
from tests.arrays import close, different, normal, random_mask, seeds

RESOLUTION = {np.float16: 2e-2, np.float32: 1e-6, np.float64: 1e-14}
dtypes = st.sampled_from(list(RESOLUTION))


def disturbed(seed, *arguments, **options):
    """A module as it is after some training: nothing is at its starting value, no bias either."""
    module = nn.MultiheadAttention(*arguments, batch_first=True, **options).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=generator)
    return module


def ask(module, *arrays, hidden=None):
    """Output and every head's weights. hidden: True = may NOT attend, as the module wants it."""
    hidden = None if hidden is None else torch.tensor(hidden)
    with torch.no_grad():
        return module(*map(torch.from_numpy, arrays), attn_mask=hidden, average_attn_weights=False)


# -- softmax -----------------------------------------------------------------------------------


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


# -- scaled dot-product attention --------------------------------------------------------------


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
        ({"mask": np.ones((5, 3), bool)}, ["(5, 3)", "(2, 3, 5)", "(T, S) = (3, 5)"]),
        ({"mask": np.ones((4, 3, 5), bool)}, ["(4, 3, 5)", "(2, 3, 5)", "Leading axes"]),
        ({"mask": np.ones((1, 2, 3, 5), bool)}, ["(1, 2, 3, 5)", "(2, 3, 5)"]),
        ({"queries": Q * np.nan}, ["NaN"]),
        ({"keys": np.full_like(K, np.inf), "queries": abs(Q)}, ["+inf"]),
    ],
)
def test_attention_refuses(change, words):
    with pytest.raises(ValueError) as error:
        scaled_dot_product_attention(**{"queries": Q, "keys": K, "values": V} | change)
    assert all(word in str(error.value) for word in words), error.value


# -- heads -------------------------------------------------------------------------------------


@given(sizes=different(4), seed=seeds)
def test_heads_are_cut_and_merged(sizes, seed):
    B, T, H, d_k = sizes
    x = normal(seed, (B, T, H * d_k))
    split = split_heads(x, H)
    assert split.shape == (B, H, T, d_k)
    for head in range(H):
        assert np.array_equal(split[:, head], x[..., head * d_k : (head + 1) * d_k])
    assert np.array_equal(merge_heads(split), x)
    assert np.array_equal(split_heads(x[0], H), split[0])


def test_a_reshape_alone_mixes_tokens():
    x = normal(4, (2, 3, 8))
    assert x.reshape(2, 4, 3, 2).shape == split_heads(x, 4).shape
    assert not np.array_equal(x.reshape(2, 4, 3, 2), split_heads(x, 4))


@pytest.mark.parametrize("heads", [3, 0, -2, 16, 1.5, np.nan, np.inf, None, [2], "2"])
def test_split_heads_refuses(heads):
    with pytest.raises(
        ValueError, match=r"do not divide d_model = 8; choose one of \[1, 2, 4, 8\]"
    ):
        split_heads(np.zeros((3, 8)), heads)


def test_a_whole_number_of_heads_may_be_of_any_type():
    x = normal(4, (3, 8))
    for heads in (np.int64(2), 8 / 4, np.float32(2), torch.tensor(2)):
        assert np.array_equal(split_heads(x, heads), split_heads(x, 2))


def test_of_many_divisors_the_nearest_are_named():
    with pytest.raises(ValueError, match=r"choose one of \[7, 8, 9, 10, 12, 14\]"):
        split_heads(np.zeros((3, 5040)), 11)
    with pytest.raises(ValueError, match=r"choose one of \[1, 2, 3, 4, 5, 6\]"):
        split_heads(np.zeros((3, 5040)), None)


@pytest.mark.parametrize(
    "function, x", [(lambda x: split_heads(x, 2), np.zeros(8)), (merge_heads, np.zeros((3, 4)))]
)
def test_heads_refuse_too_few_axes(function, x):
    with pytest.raises(ValueError, match="has shape .* expected"):
        function(x)


# -- multi-head attention ----------------------------------------------------------------------


@given(
    sizes=different(3),
    heads=st.integers(1, 4),
    d_k=st.integers(1, 7),
    bias=st.booleans(),
    seed=seeds,
)
def test_self_attention_is_the_module(sizes, heads, d_k, bias, seed):
    B, T, _ = sizes
    module = disturbed(seed, heads * d_k, heads, bias=bias)
    parameters = MultiHeadParameters.from_torch(module)
    assert parameters.count == sum(parameter.numel() for parameter in module.parameters())
    x, mask = normal(seed, (B, T, heads * d_k)), random_mask(seed, (T, T))
    before = x.copy()
    for ours, theirs in [
        (
            multi_head_attention(x, x, x, parameters, heads, mask),
            ask(module, x, x, x, hidden=~mask),
        ),
        (multi_head_attention(x[0], x[0], x[0], parameters, heads), ask(module, x[0], x[0], x[0])),
    ]:
        close(ours[0], theirs[0], 3e-6)
        close(ours[1], theirs[1], 3e-6)
    assert np.array_equal(x, before)


@given(
    sizes=different(5),
    heads=st.integers(1, 4),
    d_k=st.integers(1, 5),
    bias=st.booleans(),
    seed=seeds,
)
def test_cross_attention_is_the_module(sizes, heads, d_k, bias, seed):
    B, T, S, kdim, vdim = sizes
    module = disturbed(seed, heads * d_k, heads, bias=bias, kdim=kdim, vdim=vdim)
    queries, keys, values = normal(seed, (B, T, heads * d_k), (B, S, kdim), (B, S, vdim))
    parameters = MultiHeadParameters.from_torch(module)
    for mask in (
        random_mask(seed, (T, S)),
        random_mask(seed, (B, 1, S)),
        random_mask(seed, (B, T, S)),
        random_mask(seed, (B, heads, T, S)),
    ):
        full = mask[:, None] if mask.ndim == 3 else mask
        hidden = ~np.broadcast_to(full, (B, heads, T, S)).reshape(B * heads, T, S)
        output, weights = multi_head_attention(queries, keys, values, parameters, heads, mask)
        wanted, wanted_weights = ask(module, queries, keys, values, hidden=hidden)
        close(output, wanted, 3e-6)
        close(weights, wanted_weights, 3e-6)
        assert not weights[hidden.reshape(weights.shape)].any()


def test_the_course_sizes_agree_to_one_millionth():
    for seed in range(5):
        module = nn.MultiheadAttention(64, 4, batch_first=True).eval()
        generator = torch.Generator().manual_seed(seed)
        for bias in (module.in_proj_bias, module.out_proj.bias):
            nn.init.normal_(bias, std=0.1, generator=generator)
        x, mask = normal(seed, (50, 100, 64)), causal_mask(100)
        ours = multi_head_attention(x, x, x, MultiHeadParameters.from_torch(module), 4, mask)
        for array, tensor in zip(ours, ask(module, x, x, x, hidden=~mask), strict=True):
            assert array.dtype == np.float32 and np.abs(array - tensor.numpy()).max() <= 1e-6


@given(sizes=different(3), dtype=dtypes, seed=seeds)
@example(sizes=[1, 1, 1], dtype=np.float16, seed=0)
def test_multi_head_attention_keeps_the_dtype(sizes, dtype, seed):
    B, T, d_k = sizes
    parameters = MultiHeadParameters.random(np.random.default_rng(seed), 2 * d_k, dtype=dtype)
    x = normal(seed, (B, T, 2 * d_k), dtype=dtype)
    output, weights = multi_head_attention(x, x, x, parameters, 2)
    assert output.dtype == weights.dtype == dtype
    assert output.shape == x.shape and weights.shape == (B, 2, T, T)


def test_multi_head_attention_of_inputs_of_every_kind():
    parameters = MultiHeadParameters.random(np.random.default_rng(5), 8)
    x = normal(5, (3, 8))
    wanted, _ = multi_head_attention(x, x, x, parameters, 2)
    x.setflags(write=False)
    for kind in (x, np.asfortranarray(x), np.repeat(x, 2, -1)[:, ::2], torch.tensor(x)):
        close(multi_head_attention(kind, kind, kind, parameters, 2)[0], wanted)
    four = np.broadcast_to(x, (2, 4, 3, 8))  # more than one leading axis
    output, weights = multi_head_attention(four, four, four, parameters, 2)
    close(output, np.broadcast_to(wanted, output.shape))
    assert weights.shape == (2, 4, 2, 3, 3)


def test_random_parameters_keep_the_variance():
    parameters = MultiHeadParameters.random(np.random.default_rng(6), 64, 128)
    assert parameters.query.shape == (64, 128) and parameters.output.shape == (128, 64)
    assert parameters.count == 4 * 64 * 128
    projected = normal(6, (4000, 64)) @ parameters.query
    assert 0.9 < projected.var() < 1.1


def test_changing_the_parameters_leaves_the_module_alone():
    module = disturbed(7, 8, 2)
    before = module.in_proj_weight.detach().clone()
    MultiHeadParameters.from_torch(module).query[:] = 0
    assert torch.equal(module.in_proj_weight, before)


@pytest.mark.parametrize("option", [{"add_bias_kv": True}, {"add_zero_attn": True}])
def test_from_torch_refuses(option):
    with pytest.raises(ValueError, match="not part of the paper; make the module without them"):
        MultiHeadParameters.from_torch(nn.MultiheadAttention(8, 2, **option))


@pytest.mark.parametrize("module", [nn.Linear(8, 8), nn.LayerNorm(8), None, np.ones((8, 8))])
def test_from_torch_refuses_other_things(module):
    with pytest.raises(ValueError, match="is no multi-head attention; expected an nn.Multihead"):
        MultiHeadParameters.from_torch(module)


X = normal(8, (2, 3, 8))
OTHER = normal(9, (2, 5, 6))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "change, words",
    [
        ({"heads": 3}, ["3 heads", "8", "[1, 2, 4, 8]"]),
        ({"keys": OTHER, "values": OTHER}, ["keys", "(2, 5, 6)", "(8, 8)", "Make the parameters"]),
        ({"queries": X[..., :4]}, ["queries", "(2, 3, 4)", "(8, 8)"]),
        ({"keys": np.zeros((2, 5, 8))}, ["(2, 4, 5, 2)", "(2, 4, 3, 2)", "exactly one value"]),
        ({"queries": X[0]}, ["(4, 3, 2)", "(2, 4, 3, 2)", "np.broadcast_to"]),
        ({"queries": X[0, 0]}, ["queries", "(8,)", "x[None, :]"]),
        ({"queries": 1.0}, ["queries", "()"]),
        ({"values": X[:, :0]}, ["values", "(2, 0, 8)", "at least one token"]),
        ({"queries": "words"}, ["queries: expected numbers"]),
        ({"queries": [[1.0, 2.0], [3.0]]}, ["queries", "differ in length"]),
        ({"mask": np.zeros((3, 3))}, ["float64", "mask == 0"]),
        ({"mask": np.ones((3, 4), bool)}, ["(3, 4)", "(2, 4, 3, 3)", "(T, S) = (3, 3)"]),
        ({"mask": np.ones((4, 3, 3), bool)}, ["(2, 4, 3, 3)", "Leading axes"]),
        ({"queries": X * np.nan}, ["NaN"]),
        ({"queries": X * np.float32(np.inf)}, ["NaN"]),
        (
            {"parameters": {"output": np.zeros((6, 8), np.float32)}},
            ["merged heads", "(2, 3, 8)", "(6, 8)"],
        ),
        (
            {"parameters": {"key": np.zeros((8, 4), np.float32)}},
            ["(2, 4, 3, 2)", "(2, 4, 3, 1)", "same d_k"],
        ),
        (
            {"parameters": {"key_bias": np.zeros(1, np.float32)}},
            ["keys", "(1,)", "(8, 8)", "each column"],
        ),
    ],
)
def test_multi_head_attention_refuses(change, words):
    given = {"queries": X, "keys": X, "values": X, "heads": 4} | change
    given["parameters"] = MultiHeadParameters.random(np.random.default_rng(0), 8)
    for name, array in change.get("parameters", {}).items():
        setattr(given["parameters"], name, array)
    with pytest.raises(ValueError) as error:
        multi_head_attention(**given)
    assert all(word in str(error.value) for word in words), error.value


def test_a_mask_with_leading_axes_left_out_is_refused():
    x = np.broadcast_to(X, (5, *X.shape))  # (5, 2, T, d_model): is (2, T, S) for heads or not?
    parameters = MultiHeadParameters.random(np.random.default_rng(0), 8)
    with pytest.raises(
        ValueError, match=r"\(2, 3, 3\) has too few axes for queries \(5, 2, 3, 8\)"
    ):
        multi_head_attention(x, x, x, parameters, 2, np.ones((2, 3, 3), bool))


def test_import_is_light():
    code = (
        "import sys, lib.attention, lib.masks; "
        "print({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"
