"""Heads are cut and merged; multi-head attention against PyTorch's module."""

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from lib.attention import MultiHeadParameters, merge_heads, multi_head_attention, split_heads
from lib.masks import causal_mask
from tests.arrays import close, different, dtypes, normal, random_mask, seeds

# -- heads -----------------------------------------------------------------------------------------


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


# -- multi-head attention --------------------------------------------------------------------------


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
        ({"mask": torch.ones(2, 3, 3, dtype=torch.bfloat16)}, ["float32", "mask == 1"]),
        ({"mask": torch.ones(2, 3, 3, requires_grad=True)}, ["mask: NumPy cannot", "x.detach()"]),
        ({"mask": [[True], [True, False]]}, ["mask: the rows differ in length"]),
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
