"""RMS norm, SwiGLU, grouped queries and the layer of today, in NumPy and in PyTorch."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from lib import modules
from lib.attention import (
    MultiHeadParameters,
    grouped_attention,
    multi_head_attention,
    scaled_dot_product_attention,
)
from lib.cache import KeyValueCache
from lib.decoding import generate
from lib.interventions import looking
from lib.layers import SwiGLUParameters, rms_norm, swiglu
from lib.llama import LlamaForm, LlamaLayerParameters, llama_layer, llama_layers, rotary_attention
from lib.masks import causal_mask
from lib.torch_weights import load_torch
from tests.arrays import close, different, dtypes, normal, random_mask, seeds
from tests.lib.stacks import trained

# -- RMS norm --------------------------------------------------------------------------------------


@given(shape=different(3), gain=st.booleans(), eps=st.sampled_from([1e-5, 0.1]), seed=seeds)
def test_rms_norm_is_torchs(shape, gain, eps, seed):
    x, gains = normal(seed, shape, shape[-1])
    before = x.copy()
    theirs = nn.RMSNorm(shape[-1], eps, elementwise_affine=gain)
    if gain:
        theirs.weight.data = torch.from_numpy(gains)
    wanted = theirs(torch.from_numpy(x))
    close(rms_norm(x, gains if gain else None, eps), wanted)
    close(rms_norm(x[0, 0], gains if gain else None, eps), wanted[0, 0])
    assert np.array_equal(x, before)


@given(dtype=dtypes, seed=seeds)
def test_the_module_is_rms_norm_and_both_keep_the_dtype(dtype, seed):
    x, gain = normal(seed, (3, 8), 8, dtype=dtype)
    module = modules.RMSNorm(8).to(torch.from_numpy(x).dtype)
    module.weight.data = torch.from_numpy(gain)
    close(rms_norm(x, gain), module(torch.from_numpy(x)), 3e-3 if dtype is np.float16 else 1e-6)


def test_rms_norm_by_its_definition():
    x = np.array([[1.0, 2.0, 3.0, 6.0]])  # squares 1 + 4 + 9 + 36, divided by 4
    assert np.allclose(rms_norm(x, epsilon=0), x / 12.5**0.5)
    assert np.allclose(rms_norm(x, epsilon=1), x / 13.5**0.5)  # epsilon is inside the root
    assert np.allclose(rms_norm(x + 5).mean(), (x + 5).mean() / np.sqrt(((x + 5) ** 2).mean()))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "x, options, sentence",
    [
        (np.ones((2, 4)), {"gain": np.ones(3)}, r"gain \(3,\) does not fit x \(2, 4\)"),
        (np.ones((2, 4)), {"epsilon": -1}, "epsilon = -1; expected a finite number above 0"),
        (np.eye(4)[:, 1:], {"epsilon": 0}, "a token whose numbers are all zero: nothing to divide"),
        (np.full((2, 4), np.nan), {}, "x contains NaN, inf, or numbers whose squares"),
        (np.float32([[1e25, 1]]), {}, "squares are too large for float32. .* before the norm"),
        (np.zeros((0, 4)), {}, r"x has shape \(0, 4\)"),
    ],
)
def test_rms_norm_refuses(x, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        rms_norm(x, **options)


# -- SwiGLU ----------------------------------------------------------------------------------------


@given(sizes=different(4), seed=seeds)
def test_swiglu_is_the_formula_and_the_module(sizes, seed):
    B, T, d_model, d_ff = sizes
    module = trained(seed, modules.SwiGLU(d_model, d_ff))
    x = normal(seed, (B, T, d_model))
    parameters = SwiGLUParameters.from_torch(module)
    assert parameters.count == 3 * d_model * d_ff
    tensor = torch.from_numpy(x)
    by_hand = F.silu(tensor @ torch.from_numpy(parameters.gate))
    by_hand = by_hand * (tensor @ torch.from_numpy(parameters.up))
    wanted = by_hand @ torch.from_numpy(parameters.down)
    before = x.copy()
    close(swiglu(x, parameters), wanted, 1e-5)
    close(swiglu(x[0, 0], parameters), wanted[0, 0], 1e-5)
    close(module(tensor).detach().numpy(), wanted, 1e-5)
    assert np.array_equal(x, before)


def three(*shapes):
    return SwiGLUParameters(*[np.ones(shape, np.float32) for shape in shapes])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "x, parameters, sentence",
    [
        (np.ones((2, 5)), three((4, 6), (4, 6), (6, 4)), r"x \(2, 5\) do not fit .* \(4, 6\)"),
        (np.ones((2, 4)), three((4, 6), (4, 3), (6, 4)), r"gate \(4, 6\) and up \(4, 3\) differ"),
        (np.ones((2, 4)), three((4, 6), (4, 6), (5, 4)), r"inner vectors \(2, 6\) do not fit"),
        (np.full((2, 4), np.nan), three((4, 6), (4, 6), (6, 4)), "x: NaN or inf comes of them"),
        (np.full((2, 4), 1e30, np.float32), three((4, 6), (4, 6), (6, 4)), "too large for float32"),
    ],
)
def test_swiglu_refuses(x, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        swiglu(x, parameters)


def test_from_torch_of_something_else():
    with pytest.raises(ValueError, match="Linear has no gate, up, down; expected a lib.modules.Sw"):
        SwiGLUParameters.from_torch(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="Linear is no such layer; expected a lib.modules.Llama"):
        LlamaLayerParameters.from_torch(nn.Linear(2, 2))


# -- grouped queries -------------------------------------------------------------------------------

GROUPS = st.sampled_from([(1, 1), (4, 4), (4, 2), (4, 1), (6, 2), (9, 3)])  # H, G


@given(sizes=different(5), groups=GROUPS, form=st.integers(0, 3), seed=seeds)
@example(sizes=[2, 5, 7, 3, 4], groups=(6, 2), form=3, seed=1)
def test_grouped_attention_is_torchs(sizes, groups, form, seed):
    B, T, S, d_k, d_v = sizes
    H, G = groups
    q, k, v = normal(seed, (B, H, T, d_k), (B, G, S, d_k), (B, G, S, d_v))
    shape = [None, (T, S), (B, 1, T, S), (B, H, T, S)][form]
    mask = None if shape is None else random_mask(seed, shape)
    tensors = [torch.from_numpy(x) for x in (q, k, v)]
    hidden = None if mask is None else torch.from_numpy(mask)
    wanted = F.scaled_dot_product_attention(*tensors, hidden, enable_gqa=True)
    output, weights = grouped_attention(q, k, v, mask)
    close(output, wanted, 1e-5)
    every = [x.repeat(H // G, axis=1) for x in (k, v)]
    repeated = scaled_dot_product_attention(q, *every, mask)
    close(output, repeated[0], 1e-5)
    close(weights, repeated[1], 1e-5)
    if form <= 1:  # without a batch
        close(grouped_attention(q[0], k[0], v[0], mask)[1], weights[0], 1e-5)


def test_neighbours_share_a_head_of_keys():
    """Head h asks head h // 2; h % 2 would be another attention."""
    q, k, v = normal(5, (4, 3, 8), (2, 5, 8), (2, 5, 8))
    weights = grouped_attention(q, k, v)[1]
    for head in range(4):
        close(weights[head], scaled_dot_product_attention(q[head], k[head // 2], v[0])[1])
    assert np.abs(weights - grouped_attention(q, k[::-1], v)[1]).max() > 0.1


@pytest.mark.parametrize(
    "shapes, sentence",
    [
        (((4, 3, 8), (3, 5, 8), (3, 5, 8)), "3 heads of keys for 4 .* Choose one of \\[1, 2, 4\\]"),
        (((2, 3, 8), (4, 5, 8), (4, 5, 8)), "4 heads of keys for 2 heads of queries"),
        (((4, 3, 8), (2, 5, 8), (4, 5, 8)), "differ in heads; every head of keys needs its values"),
        (((4, 3, 8), (2, 5, 7), (2, 5, 7)), "differ in width; a dot product needs the same d_k"),
        (((4, 3, 8), (2, 5, 8), (2, 6, 8)), "differ in number; every key needs exactly one value"),
        (((2, 4, 3, 8), (3, 2, 5, 8), (3, 2, 5, 8)), "the leading axes of queries"),
        (((3, 8), (2, 5, 8), (2, 5, 8)), r"queries have shape \(3, 8\); expected \(..., heads"),
        (((4, 3, 8), (5, 8), (2, 5, 8)), r"keys have shape \(5, 8\); expected"),
    ],
)
def test_grouped_attention_refuses(shapes, sentence):
    with pytest.raises(ValueError, match=sentence):
        grouped_attention(*[np.ones(shape) for shape in shapes])


@given(groups=GROUPS, form=st.integers(0, 3), seed=seeds)
def test_multi_head_attention_with_grouped_queries_is_the_modules(groups, form, seed):
    (H, G), B, T, S, d_k = groups, 2, 3, 5, 4
    module = trained(seed, modules.MultiHeadAttention(H * d_k, H, key_heads=G))
    parameters = MultiHeadParameters.from_torch(module)
    assert parameters.key.shape == parameters.value.shape == (H * d_k, G * d_k)
    x, keys = normal(seed, (B, T, H * d_k), (B, S, H * d_k))
    shape = [None, (T, S), (B, T, S), (B, H, T, S)][form]
    mask = None if shape is None else random_mask(seed, shape)
    output, weights = multi_head_attention(x, keys, keys, parameters, H, mask, G)
    tensors = [torch.from_numpy(array) for array in (x, keys, keys)]
    quick = module(*tensors, mask).detach()
    with looking(module) as maps:
        seen = module(*tensors, mask).detach()
    close(output, quick, 1e-5)
    close(output, seen, 1e-5)
    close(weights, maps["encoder"][0].detach(), 1e-5)
    caches = KeyValueCache(), KeyValueCache()
    if mask is None:
        for part in (slice(0, 2), slice(2, S)):
            stepped = caches[0].attend(x, keys[:, part], keys[:, part], parameters, H, None, G)
        close(stepped[0], output, 1e-5)
        close(caches[1].attend_across(x, keys, keys, parameters, H, None, G)[0], output, 1e-5)
        for kept in (caches[0].tokens[0], caches[1].memory[1]):
            assert kept.shape == (B, G, S, d_k)


def test_heads_of_keys_that_do_not_fit_are_refused():
    parameters = MultiHeadParameters.random(np.random.default_rng(0), 8, key_width=4)
    x = normal(0, (3, 8))
    multi_head_attention(x, x, x, parameters, 4, key_heads=2)
    for key_heads, sentence in (
        (None, "differ in width; a dot product needs the same d_k"),
        (3, "3 heads do not divide d_model = 4"),
        (4, "differ in width"),
        (0, "0 heads do not divide"),
    ):
        with pytest.raises(ValueError, match=sentence):
            multi_head_attention(x, x, x, parameters, 4, None, key_heads)
        with pytest.raises(ValueError, match=sentence):
            KeyValueCache().attend(x, x, x, parameters, 4, None, key_heads)
    with pytest.raises(ValueError, match="3 heads of keys for 4 heads of queries"):
        modules.MultiHeadAttention(8, 4, key_heads=3)
    with pytest.raises(ValueError, match="key_heads = 0; expected a whole number"):
        modules.MultiHeadAttention(8, 4, key_heads=0)


# -- the layer -------------------------------------------------------------------------------------

PAIRS = st.sampled_from(["neighbours", "halves"])
SIZES = (24, 4, 40)  # d_model, H, d_ff


def layer(seed, G=2, **options):
    """A module with random numbers, its parameters, and its form."""
    module = trained(seed, modules.LlamaLayer(*SIZES, G, **options), 0.1)
    return module, LlamaLayerParameters.from_torch(module), LlamaForm(4, G, **options)


@given(G=st.sampled_from([1, 2, 4]), pairs=PAIRS, base=st.sampled_from([100.0, 1e5]), seed=seeds)
def test_the_layer_is_the_modules(G, pairs, base, seed):
    module, parameters, form = layer(seed, G, pairs=pairs, base=base, epsilon=1e-3)
    assert parameters.count == sum(each.numel() for each in module.parameters())
    x, mask = normal(seed, (3, 7, 24)), causal_mask(7)
    before = x.copy()
    output, weights = llama_layer(x, parameters, form, mask)
    with looking(module) as maps:
        module(torch.from_numpy(x), mask)
    close(output, module(torch.from_numpy(x), mask).detach(), 1e-5)
    close(weights, maps["encoder"][0].detach(), 1e-5)
    close(llama_layer(x[0], parameters, form, mask)[0], output[0], 1e-5)
    assert np.array_equal(x, before)


@given(pairs=PAIRS, chunks=st.sampled_from([[1] * 7, [3, 1, 3], [6, 1]]), seed=seeds)
def test_steps_with_a_cache_are_the_full_pass(pairs, chunks, seed):
    parts = [layer(seed + number, pairs=pairs) for number in range(2)]
    layers, form = [parameters for _, parameters, _ in parts], parts[0][2]
    x = normal(seed, (2, 7, 24))
    wanted, wanted_weights = llama_layers(x, layers, form, causal_mask(7))
    caches = [KeyValueCache() for _ in layers]
    end = 0
    for chunk in chunks:
        start, end = end, end + chunk
        mask = causal_mask(7)[start:end, :end]
        output, weights = llama_layers(x[:, start:end], layers, form, mask, caches)
        close(output, wanted[:, start:end], 1e-5)
        for mine, other in zip(weights, wanted_weights, strict=True):
            close(mine, other[..., start:end, :end], 1e-5)
    assert caches[0].length == 7 and caches[0].tokens[0].shape == (2, 2, 7, 6)


class Stopped(BaseException):
    """As KeyboardInterrupt comes, in the middle of a step."""


@pytest.mark.parametrize("error", [ValueError, TypeError, Stopped])
def test_a_step_that_does_not_end_keeps_nothing(error):
    _, parameters, form = layer(3)
    layers, caches = [parameters, layer(4)[1]], [KeyValueCache() for _ in range(2)]
    x = normal(3, (7, 24))
    llama_layers(x[:3], layers, form, causal_mask(3), caches)
    calls = []

    def stops(x, parameters):
        calls.append(x)
        if len(calls) == 2:
            raise error("now")
        return swiglu(x, parameters)

    with pytest.raises(error, match="now"):
        llama_layers(x[3:4], layers, LlamaForm(4, 2, swiglu=stops), None, caches)
    assert [cache.length for cache in caches] == [3, 3]
    row, _ = llama_layers(x[3:4], layers, form, None, caches)
    close(row, llama_layers(x[:4], layers, form, causal_mask(4))[0][3:], 1e-5)


def test_a_cache_of_another_layer_is_refused():
    _, parameters, form = layer(5)
    cache, x = KeyValueCache(), normal(5, (2, 24))
    llama_layer(x, parameters, form, cache=cache)
    with pytest.raises(ValueError, match="one cache stands for several layers"):
        llama_layer(x, layer(6)[1], form, cache=cache)


def test_every_part_can_be_exchanged():
    _, parameters, form = layer(7)
    x, mask = normal(7, (5, 24)), causal_mask(5)
    wanted, _ = llama_layer(x, parameters, form, mask)
    asked = set()

    def noted(name):
        def call(*given):
            asked.add(name)
            return getattr(form, name)(*given)

        return call

    names = ["rms_norm", "rotary", "grouped_attention", "swiglu"]
    exchanged = LlamaForm(4, 2, **{name: noted(name) for name in names})
    assert np.array_equal(llama_layer(x, parameters, exchanged, mask)[0], wanted)
    assert asked == set(names)
    for other in ({"base": 50.0}, {"pairs": "halves"}, {"epsilon": 0.5}):
        output, _ = llama_layer(x, parameters, LlamaForm(4, 2, **other), mask)
        assert np.abs(output - wanted).max() > 1e-3, other


@pytest.mark.parametrize(
    "x, form, sentence",
    [
        (np.ones((5, 20)), LlamaForm(4, 2), r"gain \(24,\) does not fit x \(5, 20\)"),
        (np.ones(24), LlamaForm(4, 2), r"x has shape \(24,\); expected \(..., tokens, width\)"),
        (np.ones((5, 24)), LlamaForm(5, 2), "5 heads do not divide d_model = 24"),
        (np.ones((5, 24)), LlamaForm(4, 3), "3 heads of keys for 4 heads of queries"),
        (np.ones((5, 24)), LlamaForm(4, 4), "differ in width; a dot product"),
        (np.full((5, 24), np.nan), LlamaForm(4, 2), "x contains NaN"),
    ],
)
def test_the_layer_refuses(x, form, sentence):
    with pytest.raises(ValueError, match=sentence):
        llama_layer(x, layer(8)[1], form)


def test_attention_refuses_what_does_not_fit_its_matrices():
    _, parameters, form = layer(8)
    with pytest.raises(ValueError, match=r"\(5, 20\) do not fit the matrix \(24, 24\)"):
        rotary_attention(np.ones((5, 20)), parameters.attention, form)
    with pytest.raises(ValueError, match="pairs = 'quarters'; expected one of"):
        LlamaForm(4, 2, pairs="quarters")


def test_a_language_model_of_such_layers_learns_and_writes_with_a_cache():
    """CachedModel keeps what the matrices made, so places are turned anew at each step."""
    torch.manual_seed(0)
    model = modules.LanguageModel(11, 24, 4, 2, 40, dropout=0.0)
    model.decoder.layers = nn.ModuleList(modules.LlamaLayer(*SIZES, 2) for _ in range(2))
    tokens = torch.randint(11, (3, 8))
    F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
    for name, parameter in model.decoder.layers.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name

    def best(scores):
        return int(scores[3:].argmax()) + 3

    model.eval()
    with_cache, without = (list(generate(model, [4, 7], best, 6, kept)) for kept in (True, False))
    assert with_cache == without and len(set(with_cache)) > 1


def test_attention_without_groups_still_loads_torchs():
    ours, theirs = modules.MultiHeadAttention(24, 4), nn.MultiheadAttention(24, 4, batch_first=True)
    load_torch(ours, theirs)
    with pytest.raises(ValueError, match="the modules are not made alike"):
        load_torch(modules.MultiHeadAttention(24, 4, key_heads=2), theirs)


def test_import_is_light():
    code = "import sys, lib.llama; print({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"
