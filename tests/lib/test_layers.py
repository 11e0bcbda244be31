"""lib.layers against torch.nn in any state of training; the cache against the full pass."""

import functools
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from lib import modules
from lib.interventions import looking
from lib.layers import (
    DecoderLayerParameters,
    EncoderLayerParameters,
    FeedForwardParameters,
    KeyValueCache,
    NormParameters,
    activation_of,
    decoder,
    decoder_layer,
    encoder,
    encoder_layer,
    feed_forward,
    layer_norm,
    stack_from_torch,
)
from lib.masks import causal_mask, padding_mask, window_mask
from tests.arrays import close as near
from tests.arrays import different, normal, random_mask, seeds

dtypes = st.sampled_from([np.float16, np.float32, np.float64])
STACKS = {"layers": 6, "d_model": 24, "heads": 4, "d_ff": 40}


@pytest.fixture(autouse=True)
def seeded():
    """What a module starts with is the same for each test, whichever tests ran before it."""
    torch.manual_seed(0)


def close(ours, reference, tolerance=1e-5):
    near(ours, reference, tolerance)  # six layers add up their rounding


def trained(seed, module, size=0.2):
    """The module as it is after some training: nothing at its starting value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += size * torch.randn(parameter.shape, generator=generator)
    return module.eval()


def hidden(mask, B, H, T, S):
    """Our mask as torch.nn wants it: True = may NOT attend, (B*H, T, S)."""
    mask = mask[:, None] if mask.ndim == 3 else mask
    return torch.tensor(~np.broadcast_to(mask, (B, H, T, S)).reshape(B * H, T, S))


def run(module, *arrays, batch_first=True, **masks):
    """The module's output for arrays (B, T, d_model), whichever axis it wants first."""
    tensors = [
        torch.from_numpy(x) if batch_first else torch.from_numpy(x).transpose(0, 1) for x in arrays
    ]
    with torch.no_grad():
        output = module(*tensors, **masks)
    return output if batch_first else output.transpose(0, 1)


# -- layer norm and feed-forward ---------------------------------------------------------------


@given(
    shape=different(3),
    gain=st.booleans(),
    bias=st.booleans(),
    epsilon=st.sampled_from([1e-5, 0.1]),
    seed=seeds,
)
def test_layer_norm_is_the_modules(shape, gain, bias, epsilon, seed):
    x, gains, biases = normal(seed, shape, shape[-1], shape[-1])
    gains, biases = gains if gain else None, biases if bias else None
    before = x.copy()
    tensors = [None if array is None else torch.from_numpy(array) for array in (gains, biases)]
    wanted = functional.layer_norm(torch.from_numpy(x), shape[-1:], *tensors, epsilon)
    close(layer_norm(x, gains, biases, epsilon), wanted)
    close(layer_norm(x[0, 0], gains, biases, epsilon), wanted[0, 0])
    assert np.array_equal(x, before)


def test_layer_norm_by_its_definition():
    x = np.array([[1.0, 2.0, 3.0, 6.0]])  # mean 3, squared distances 4 + 1 + 0 + 9, divided by 4
    assert np.allclose(layer_norm(x, epsilon=0), (x - 3) / 3.5**0.5)
    assert np.allclose(layer_norm(x, epsilon=0.5), (x - 3) / 4**0.5)  # epsilon is inside the root
    assert layer_norm([[5, 5, 5]], bias=[1, 2, 3]).tolist() == [
        [1, 2, 3]
    ]  # all alike: no division by zero


@given(dtype=dtypes, seed=seeds)
def test_layer_norm_keeps_the_dtype(dtype, seed):
    x, gain, bias = normal(seed, (3, 8), 8, 8, dtype=dtype)
    assert layer_norm(x, gain, bias).dtype == dtype
    assert np.abs(layer_norm(x).mean(-1)).max() < 1e-2


def test_layer_norm_of_large_numbers():
    x = normal(1, (4, 64))
    close(layer_norm(x + np.float32(1000)), layer_norm(x), 1e-3)  # no catastrophic cancellation
    close(layer_norm(x * np.float32(1e6)), layer_norm(x, epsilon=0))


@pytest.mark.parametrize(
    "change", [{"gain": np.ones(3)}, {"bias": np.ones((1, 4))}, {"gain": np.ones(1)}]
)
def test_layer_norm_refuses(change):
    with pytest.raises(ValueError) as error:
        layer_norm(np.ones((2, 4)), **change)
    (name, array), *_ = change.items()
    assert all(
        word in str(error.value)
        for word in (name, str(array.shape), "(2, 4)", "one number for each column")
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e25])
@pytest.mark.filterwarnings("error")
def test_layer_norm_answers_numbers_that_are_not_finite_with_a_sentence(bad):
    x = np.ones((2, 4), np.float32)
    x[1, 2] = bad
    with pytest.raises(ValueError, match="x contains NaN, inf, or numbers whose squares"):
        layer_norm(x)


@pytest.mark.filterwarnings("error")
def test_layer_norm_of_float16_is_computed_in_float32():
    """The squares of 512 such numbers add up to more than float16 can hold."""
    for x in (np.float16([300, -300] * 256), np.float16(12 * normal(14, (3, 512)))):
        ours = layer_norm(x)
        wanted = functional.layer_norm(torch.from_numpy(x).float(), (512,)).numpy()
        assert ours.dtype == np.float16 and np.abs(ours - wanted).max() < 2e-3


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 3, 8)])
def test_without_numbers_there_is_nothing_to_compute(shape):
    parameters = FeedForwardParameters(np.ones((8, 8)), None, np.ones((8, 8)), None)
    for call in (layer_norm, lambda x: feed_forward(x, parameters)):
        with pytest.raises(ValueError) as error:
            call(np.zeros(shape))
        assert f"x has shape {shape}; expected (..., d_model)" in str(error.value)


def test_a_gain_that_requires_grad_is_answered_with_what_to_write():
    norm = nn.LayerNorm(8)
    x = normal(15, (2, 8))
    with pytest.raises(
        ValueError, match=r"gain: NumPy cannot read this Parameter; write x\.detach"
    ):
        layer_norm(x, norm.weight)
    with pytest.raises(ValueError, match="bias: NumPy cannot read this Parameter"):
        layer_norm(x, bias=norm.bias)
    with pytest.raises(ValueError, match="x: NumPy cannot read this Tensor"):
        layer_norm(norm(torch.from_numpy(x)))
    close(layer_norm(x, norm.weight.detach(), norm.bias.detach().numpy()), norm(torch.tensor(x)))


@given(sizes=different(4), bias=st.booleans(), seed=seeds)
def test_feed_forward_is_two_linear_maps(sizes, bias, seed):
    B, T, d_model, d_ff = sizes
    module = trained(seed, nn.TransformerEncoderLayer(d_model, 1, d_ff, bias=bias))
    x = normal(seed, (B, T, d_model))
    wanted = module.linear2(torch.relu(module.linear1(torch.from_numpy(x))))
    parameters = FeedForwardParameters.from_torch(module)
    close(feed_forward(x, parameters), wanted)
    close(feed_forward(x[0, 0], parameters), wanted[0, 0])
    assert parameters.inner.shape == (d_model, d_ff) and parameters.outer.shape == (d_ff, d_model)


def test_feed_forward_works_on_each_token_alone():
    parameters = FeedForwardParameters.from_torch(trained(2, nn.TransformerEncoderLayer(8, 2, 16)))
    x = normal(2, (5, 8))
    close(feed_forward(x[::-1], parameters), feed_forward(x, parameters)[::-1], 1e-6)
    with pytest.raises(ValueError, match=r"x \(5, 6\) do not fit the matrix \(8, 16\)"):
        feed_forward(x[:, :6], parameters)


# -- layers ------------------------------------------------------------------------------------

options = {
    "sizes": different(4, 7),
    "heads": st.sampled_from([1, 2, 3, 4]),
    "norm_first": st.booleans(),
    "batch_first": st.booleans(),
    "bias": st.booleans(),
    "form": st.integers(0, 4),
    "seed": seeds,
}


def masks(form, seed, B, H, T, S):
    shape = [None, (T, S), (B, 1, S), (B, T, S), (B, H, T, S)][form]
    return None if shape is None else random_mask(seed, shape)


@given(**options)
def test_encoder_layer_is_the_modules(sizes, heads, norm_first, batch_first, bias, form, seed):
    B, T, d_k, d_ff = sizes
    d_model = heads * d_k
    module = nn.TransformerEncoderLayer(
        d_model, heads, d_ff, batch_first=batch_first, norm_first=norm_first, bias=bias
    )
    parameters = EncoderLayerParameters.from_torch(trained(seed, module))
    assert parameters.count == sum(parameter.numel() for parameter in module.parameters())
    x, mask = normal(seed, (B, T, d_model)), masks(form, seed, B, heads, T, T)
    before = x.copy()
    output, weights = encoder_layer(x, parameters, heads, mask, norm_first)
    src_mask = None if mask is None else hidden(mask, B, heads, T, T)
    close(output, run(module, x, batch_first=batch_first, src_mask=src_mask))
    looked = module.norm1(torch.from_numpy(x)) if norm_first else torch.from_numpy(x)
    looked = looked if batch_first else looked.transpose(0, 1)
    wanted = module.self_attn(
        looked, looked, looked, attn_mask=src_mask, average_attn_weights=False
    )[1]
    close(weights, wanted)
    assert np.array_equal(x, before)
    if form <= 1:
        close(
            encoder_layer(x[0], parameters, heads, mask, norm_first)[0], output[0]
        )  # without a batch


@given(**options, S=st.integers(1, 9))
def test_decoder_layer_is_the_modules(sizes, S, heads, norm_first, batch_first, bias, form, seed):
    B, T, d_k, d_ff = sizes
    d_model = heads * d_k
    module = nn.TransformerDecoderLayer(
        d_model, heads, d_ff, batch_first=batch_first, norm_first=norm_first, bias=bias
    )
    parameters = DecoderLayerParameters.from_torch(trained(seed, module))
    assert parameters.count == sum(parameter.numel() for parameter in module.parameters())
    x, memory = normal(seed, (B, T, d_model), (B, S, d_model))
    self_mask, cross_mask = (
        masks(form, seed, B, heads, T, T),
        masks((form + 2) % 5, seed + 1, B, heads, T, S),
    )
    output, self_weights, cross_weights = decoder_layer(
        x, memory, parameters, heads, self_mask, cross_mask, norm_first=norm_first
    )
    tgt_mask = None if self_mask is None else hidden(self_mask, B, heads, T, T)
    memory_mask = None if cross_mask is None else hidden(cross_mask, B, heads, T, S)
    wanted = run(
        module, x, memory, batch_first=batch_first, tgt_mask=tgt_mask, memory_mask=memory_mask
    )
    close(output, wanted)
    assert self_weights.shape == (B, heads, T, T) and cross_weights.shape == (B, heads, T, S)
    for weights, mask in ((self_weights, self_mask), (cross_weights, cross_mask)):
        close(weights.sum(-1), np.ones((B, heads, T), np.float32))
        if mask is not None:
            mask = mask[:, None] if mask.ndim == 3 else mask
            assert not weights[~np.broadcast_to(mask, weights.shape)].any()


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_token_that_may_attend_to_nothing_stays_finite(norm_first):
    parameters = EncoderLayerParameters.from_torch(trained(3, nn.TransformerEncoderLayer(8, 2, 16)))
    output, weights = encoder_layer(
        normal(3, (2, 5, 8)), parameters, 2, padding_mask([5, 0], 5), norm_first
    )
    assert np.isfinite(output).all() and not weights[1].any()


def test_layers_keep_the_dtype():
    x, memory = normal(4, (2, 3, 8), (2, 5, 8), dtype=np.float64)
    layer = DecoderLayerParameters.from_torch(trained(4, nn.TransformerDecoderLayer(8, 2, 16)))
    for dtype in (np.float32, np.float64):
        output = decoder_layer(x.astype(dtype), memory.astype(dtype), layer, 2)
        assert output[0].dtype == dtype and output[1].dtype == dtype
    close(
        decoder_layer(torch.tensor(x), torch.tensor(memory), layer, 2)[0],
        decoder_layer(x, memory, layer, 2)[0],
    )
    close(
        decoder_layer(x.tolist(), memory.tolist(), layer, 2)[0],
        decoder_layer(x, memory, layer, 2)[0],
    )


# -- parameters --------------------------------------------------------------------------------


def gelu_tanh(x):
    return functional.gelu(x, approximate="tanh")


TANH = functools.partial(functional.gelu, approximate="tanh")
SPELLINGS = [
    ("relu", "relu"),
    (functional.relu, "relu"),
    (torch.relu, "relu"),
    (nn.ReLU(), "relu"),
    ("gelu", "gelu"),
    (functional.gelu, "gelu"),
    (functools.partial(functional.gelu, approximate="none"), "gelu"),
    (nn.GELU(), "gelu"),
    (nn.GELU(approximate="tanh"), "gelu_tanh"),
    (TANH, "gelu_tanh"),
    (gelu_tanh, "gelu_tanh"),
]


@pytest.mark.parametrize("activation, name", SPELLINGS)
def test_every_spelling_of_an_activation_is_mapped(activation, name):
    for layer, parameters in (
        (nn.TransformerEncoderLayer, EncoderLayerParameters),
        (nn.TransformerDecoderLayer, DecoderLayerParameters),
    ):
        module = layer(8, 2, 16, activation=activation)
        assert activation_of(module) == name
        assert parameters.from_torch(module).feed_forward.activation == name


def test_a_module_may_keep_the_name_itself_and_ours_have_it_in_their_feed_forward():
    module = nn.TransformerEncoderLayer(8, 2, 16)
    module.activation = "gelu_tanh"
    assert activation_of(module) == "gelu_tanh"
    ours = modules.EncoderLayer(8, 2, 16)
    assert activation_of(ours) == activation_of(ours.feed_forward) == "relu"
    ours.feed_forward.activation = nn.GELU()
    assert activation_of(ours) == activation_of(ours.feed_forward) == "gelu"


UNKNOWN = [torch.tanh, nn.LeakyReLU(), nn.Sequential(nn.ReLU()), None, "swish", lambda x: x]


@pytest.mark.parametrize("activation", UNKNOWN)
def test_another_activation_is_refused(activation):
    module = nn.TransformerEncoderLayer(8, 2, 16)
    module.activation = activation
    for refuse in (activation_of, EncoderLayerParameters.from_torch):
        with pytest.raises(ValueError) as error:
            refuse(module)
        assert f"has the activation {activation!r}" in str(error.value)
        assert "known are relu, gelu, gelu_tanh" in str(error.value)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", functional.gelu, TANH])
def test_layers_of_every_activation_are_the_modules(activation, norm_first):
    options = {"activation": activation, "norm_first": norm_first, "batch_first": True}
    module = trained(13, nn.TransformerEncoderLayer(8, 2, 16, **options))
    x = normal(13, (2, 3, 8))
    parameters = EncoderLayerParameters.from_torch(module)
    close(encoder_layer(x, parameters, 2, norm_first=norm_first)[0], run(module, x))


@pytest.mark.parametrize("dtype, bound", [(np.float32, 1e-6), (np.float64, 1e-12)])
@pytest.mark.parametrize("name, approximate", [("gelu", "none"), ("gelu_tanh", "tanh")])
def test_both_gelus_are_torchs(name, approximate, dtype, bound):
    x = np.linspace(-9, 9, 2001, dtype=dtype)[:, None]
    before = x.copy()
    one = np.ones((1, 1), dtype)
    ours = feed_forward(x, FeedForwardParameters(one, None, one, None, name))
    wanted = functional.gelu(torch.from_numpy(x), approximate=approximate).numpy()
    assert ours.dtype == dtype and np.abs(ours - wanted).max() <= bound
    assert np.array_equal(x, before)


@pytest.mark.parametrize("activation", ["silu", None, functional.gelu, ["relu"]], ids=str)
def test_parameters_refuse_an_activation_that_is_not_known(activation):
    one = np.ones((1, 1))
    known = "expected one of relu, gelu, gelu_tanh"
    with pytest.raises(ValueError, match=known):
        FeedForwardParameters(one, None, one, None, activation)
    parameters = FeedForwardParameters(one, None, one, None)
    parameters.activation = activation
    with pytest.raises(ValueError, match=known):
        feed_forward(one, parameters)


def test_the_wrong_kind_of_layer_is_refused():
    with pytest.raises(
        ValueError, match="TransformerDecoderLayer does not fit .* use DecoderLayerParameters"
    ):
        EncoderLayerParameters.from_torch(nn.TransformerDecoderLayer(8, 2, 16))
    with pytest.raises(
        ValueError, match="TransformerEncoderLayer does not fit .* use EncoderLayerParameters"
    ):
        DecoderLayerParameters.from_torch(nn.TransformerEncoderLayer(8, 2, 16))
    with pytest.raises(ValueError, match="^DecoderLayer does not fit"):
        EncoderLayerParameters.from_torch(modules.DecoderLayer(8, 2, 16))


WHOLE = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)


@pytest.mark.parametrize("module", [nn.Linear(8, 8), nn.BatchNorm1d(8), None, WHOLE])
def test_other_modules_are_refused(module):
    for read in (
        EncoderLayerParameters.from_torch,
        FeedForwardParameters.from_torch,
        NormParameters.from_torch,
        stack_from_torch,
    ):
        with pytest.raises(ValueError, match=f"{type(module).__name__} (has|is) no"):
            read(module)


def test_a_whole_transformer_is_answered_with_what_to_take():
    with pytest.raises(ValueError, match="take module.encoder or module.decoder"):
        stack_from_torch(WHOLE)


def test_a_layer_of_bfloat16_becomes_float32():
    module = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    module = trained(16, module).bfloat16()
    parameters = EncoderLayerParameters.from_torch(module)
    assert parameters.feed_forward.inner.dtype == parameters.norm_1.gain.dtype == np.float32
    x = normal(16, (2, 3, 8))
    close(encoder_layer(x, parameters, 2)[0], run(module.float(), x))


def test_our_feed_forward_is_read_alone_or_in_its_layer():
    module = modules.EncoderLayer(8, 2, 16)
    for maps in (module, module.feed_forward):
        parameters = FeedForwardParameters.from_torch(maps)
        assert np.array_equal(parameters.inner.T, module.feed_forward.inner.weight.detach())


def test_changing_the_parameters_leaves_the_module_alone():
    module = trained(5, nn.TransformerEncoderLayer(8, 2, 16))
    before = {name: parameter.detach().clone() for name, parameter in module.named_parameters()}
    parameters = EncoderLayerParameters.from_torch(module)
    for array in (
        parameters.attention.query,
        parameters.feed_forward.inner,
        parameters.norm_1.gain,
    ):
        array[:] = 0
    assert all(
        torch.equal(parameter, before[name]) for name, parameter in module.named_parameters()
    )


def test_epsilon_comes_from_the_module():
    module = trained(6, nn.TransformerEncoderLayer(8, 2, 16, layer_norm_eps=0.3, batch_first=True))
    x = normal(6, (2, 3, 8))
    close(encoder_layer(x, EncoderLayerParameters.from_torch(module), 2)[0], run(module, x))


def test_a_norm_without_gain_and_bias():
    parameters = NormParameters.from_torch(nn.LayerNorm(8, elementwise_affine=False))
    assert parameters.gain is None and parameters.bias is None and parameters.count == 0


@pytest.mark.parametrize("norm_first", [False, True])
def test_our_own_modules_give_the_same(norm_first):
    x, memory = normal(7, (2, 5, 24), (2, 3, 24))
    sizes = STACKS["d_model"], STACKS["heads"], STACKS["layers"], STACKS["d_ff"]
    module = trained(7, modules.Encoder(*sizes, norm_first=norm_first))
    layers, final = stack_from_torch(module)
    assert (final is not None) == norm_first
    output, weights = encoder(x, layers, 4, causal_mask(5), norm_first, final)
    with torch.no_grad(), looking(module) as maps:
        wanted = module(torch.from_numpy(x), causal_mask(5))
    close(output, wanted)
    close(np.stack(weights), torch.stack(maps["encoder"]))
    module = trained(8, modules.Decoder(*sizes, norm_first=norm_first))
    layers, final = stack_from_torch(module)
    ours = decoder(x, memory, layers, 4, causal_mask(5), padding_mask([3, 2], 3), norm_first, final)
    with torch.no_grad():
        tensors = torch.from_numpy(x), torch.from_numpy(memory)
        with looking(module) as maps:
            theirs = module(*tensors, causal_mask(5), padding_mask([3, 2], 3))
    close(ours[0], theirs)
    for mine, part in zip(ours[1:], ("decoder", "cross"), strict=True):
        close(np.stack(mine), torch.stack(maps[part]))


# -- stacks of six -----------------------------------------------------------------------------

T, S, B, H = 7, 5, 3, STACKS["heads"]
SELF_MASKS = {
    "none": None,
    "causal": causal_mask(T),
    "padding": padding_mask([7, 4, 1], T),
    "window": window_mask(T, 2),
    "causal and padding": causal_mask(T) & padding_mask([7, 4, 1], T),
    "causal and window": causal_mask(T) & window_mask(T, 2),
    "all three": causal_mask(T) & padding_mask([7, 6, 5], T) & window_mask(T, 3),
}


@pytest.mark.parametrize("name", SELF_MASKS)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("last_norm", [False, True])
def test_whole_stacks_agree(name, norm_first, batch_first, last_norm):
    d_model, d_ff, mask = STACKS["d_model"], STACKS["d_ff"], SELF_MASKS[name]
    shared = {"batch_first": batch_first, "norm_first": norm_first}
    norms = [nn.LayerNorm(d_model) if last_norm else None for _ in range(2)]
    layer = nn.TransformerEncoderLayer(d_model, H, d_ff, **shared)
    encoder_module = trained(
        1, nn.TransformerEncoder(layer, 6, norms[0], enable_nested_tensor=False)
    )
    layer = nn.TransformerDecoderLayer(d_model, H, d_ff, **shared)
    decoder_module = trained(2, nn.TransformerDecoder(layer, 6, norms[1]))
    x, memory = normal(3, (B, T, d_model), (B, S, d_model))
    blocked = None if mask is None else hidden(mask, B, H, T, T)
    layers, final = stack_from_torch(encoder_module)
    output, weights = encoder(x, layers, H, mask, norm_first, final)
    close(output, run(encoder_module, x, batch_first=batch_first, mask=blocked))
    assert len(weights) == 6 and weights[0].shape == (B, H, T, T)
    layers, final = stack_from_torch(decoder_module)
    cross_mask = padding_mask([5, 1, 3], S)
    output, looked_back, looked_across = decoder(
        x, memory, layers, H, mask, cross_mask, norm_first, final
    )
    padding = torch.from_numpy(~cross_mask[:, 0])
    options = {"batch_first": batch_first, "tgt_mask": blocked, "memory_key_padding_mask": padding}
    close(output, run(decoder_module, x, memory, **options))
    assert len(looked_back) == len(looked_across) == 6 and looked_across[0].shape == (B, H, T, S)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize("norm_first", [False, True])
def test_the_whole_transformer_agrees(norm_first):
    d_model, d_ff = STACKS["d_model"], STACKS["d_ff"]
    options = {"batch_first": True, "norm_first": norm_first}
    module = nn.Transformer(d_model, H, 6, 6, d_ff, **options)
    module.encoder.use_nested_tensor = False  # it would give zeros for the padding
    trained(4, module)
    source, target = normal(5, (B, S, d_model), (B, T, d_model))
    layers, final = stack_from_torch(module.encoder)
    real = padding_mask([5, 2, 3], S)
    memory, _ = encoder(source, layers, H, real, norm_first, final)
    layers, final = stack_from_torch(module.decoder)
    output, _, _ = decoder(target, memory, layers, H, causal_mask(T), real, norm_first, final)
    padding = torch.from_numpy(~real[:, 0])
    causal = torch.from_numpy(~causal_mask(T))
    masks = {
        "src_key_padding_mask": padding,
        "memory_key_padding_mask": padding,
        "tgt_mask": causal,
    }
    close(output, run(module, source, target, **masks))


def test_a_later_word_moves_no_earlier_row_by_one_bit():
    stack, _ = stack_from_torch(trained(6, modules.Encoder(24, H, 6, 40)))
    x = normal(6, (B, T, 24))
    changed = x.copy()
    changed[:, 4:] += 1
    before, after = (encoder(inputs, stack, H, causal_mask(T))[0] for inputs in (x, changed))
    assert np.array_equal(before[:, :4], after[:, :4]) and not np.array_equal(before, after)


def test_the_errors_name_the_shapes():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(7, (B, T, 24), (B, S, 24))
    for call, words in [
        (lambda: decoder(x[..., :20], memory, stack, H), ["(3, 7, 20)", "(24, 24)"]),
        (lambda: decoder(x, memory[..., :20], stack, H), ["(3, 5, 20)", "(24, 24)"]),
        (lambda: decoder(x, memory[:2], stack, H), ["(3, 4, 7, 6)", "(2, 4, 5, 6)"]),
        (lambda: decoder(x, memory, stack, 5), ["5 heads", "24"]),
        (lambda: decoder(x, memory, stack, H, causal_mask(S)), ["(5, 5)", "(T, S) = (7, 7)"]),
        (
            lambda: decoder(x, memory, stack, H, causal_mask(T), causal_mask(T)),
            ["(7, 7)", "(T, S) = (7, 5)"],
        ),
        (lambda: decoder(x, memory, stack, H, causal_mask(T) * 1.0), ["float64", "mask == 1"]),
        (lambda: decoder("words", memory, stack, H), ["x: expected numbers"]),
    ]:
        with pytest.raises(ValueError) as error:
            call()
        assert all(word in str(error.value) for word in words), error.value


# -- the cache ---------------------------------------------------------------------------------

CAUSAL = [name for name in SELF_MASKS if "causal" in name or name == "all three"]


def steps(x, chunks):
    """The places t to end of each step."""
    ends = np.cumsum(chunks)
    assert ends[-1] == x.shape[-2]
    return zip(ends - chunks, ends, strict=True)


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize(
    "chunks", [[1] * T, [3, 1, 1, 1, 1], [2, 5]], ids=["one", "prompt", "chunks"]
)
def test_steps_of_a_causal_stack_are_the_full_pass(name, norm_first, chunks):
    stack, final = stack_from_torch(
        trained(8, modules.Encoder(24, H, 6, 40, norm_first=norm_first), 0.1)
    )
    x, mask = normal(8, (B, T, 24)), SELF_MASKS[name]
    wanted, wanted_weights = encoder(x, stack, H, mask, norm_first, final)
    caches = [KeyValueCache() for _ in stack]
    for t, end in steps(x, chunks):
        row, weights = encoder(
            x[:, t:end], stack, H, mask[..., t:end, :end], norm_first, final, caches
        )
        close(row, wanted[:, t:end], 1e-6)
        for layer, layer_weights in zip(wanted_weights, weights, strict=True):
            close(layer_weights, layer[:, :, t:end, :end], 1e-6)


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("norm_first", [False, True])
def test_steps_of_a_decoder_are_the_full_pass(name, norm_first):
    stack, final = stack_from_torch(
        trained(9, modules.Decoder(24, H, 6, 40, norm_first=norm_first), 0.1)
    )
    x, memory = normal(9, (B, T, 24), (B, S, 24))
    mask, cross_mask = SELF_MASKS[name], padding_mask([5, 1, 3], S)
    wanted = decoder(x, memory, stack, H, mask, cross_mask, norm_first, final)
    caches = [KeyValueCache() for _ in stack]
    for t in range(T):
        if t == 1:
            memory[:] = np.nan  # its keys and values are computed once
        step = (
            x[:, t : t + 1],
            memory,
            stack,
            H,
            mask[..., t : t + 1, : t + 1],
            cross_mask,
            norm_first,
            final,
            caches,
        )
        row, looked_back, looked_across = decoder(*step)
        close(row, wanted[0][:, t : t + 1], 1e-6)
        close(looked_back[-1], wanted[1][-1][:, :, t : t + 1, : t + 1], 1e-6)
        close(looked_across[-1], wanted[2][-1][:, :, t : t + 1], 1e-6)


def test_one_token_needs_no_mask_and_no_batch():
    stack, _ = stack_from_torch(trained(10, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(10, (T, 24)), [KeyValueCache() for _ in stack]
    rows = [encoder(x[t : t + 1], stack, H, caches=caches)[0] for t in range(T)]
    close(np.concatenate(rows), encoder(x, stack, H, causal_mask(T))[0], 1e-6)


def test_old_keys_are_kept_and_not_computed_again():
    stack, _ = stack_from_torch(trained(11, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(11, (B, T, 24)), [KeyValueCache() for _ in stack]
    for t in range(T):
        before = [cache.tokens for cache in caches]
        encoder(x[:, t : t + 1], stack, H, caches=caches)
        for cache, old in zip(caches, before, strict=True):
            assert [array.shape for array in cache.tokens] == [(B, H, t + 1, 6)] * 2
            assert t == 0 or all(
                np.array_equal(a[..., :t, :], b) for a, b in zip(cache.tokens, old, strict=True)
            )


def test_a_refused_step_keeps_nothing():
    stack, _ = stack_from_torch(trained(12, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(12, (B, T, 24)), [KeyValueCache() for _ in stack]
    encoder(x[:, :3], stack, H, causal_mask(3), caches=caches)
    for wrong, mask in (
        (x[:, 3:4], causal_mask(3)),
        (x[:, 3:3], None),
        (x[:2, 3:4], None),
        (x[:, 3:4, :20], None),
    ):
        with pytest.raises(ValueError):
            encoder(wrong, stack, H, mask, caches=caches)
    row, _ = encoder(x[:, 3:4], stack, H, caches=caches)
    close(row, encoder(x[:, :4], stack, H, causal_mask(4))[0][:, 3:], 1e-6)
    with pytest.raises(
        ValueError, match=r"1 caches for 2 layers; write \[KeyValueCache\(\) for _ in layers\]"
    ):
        encoder(x, stack, H, caches=caches[:1])


def test_a_cache_that_stands_for_several_layers_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    x = normal(17, (B, 1, 24))
    with pytest.raises(ValueError) as error:
        encoder(x, stack, H, caches=[KeyValueCache()] * 2)
    assert "one cache stands for several layers" in str(error.value)
    assert "write [KeyValueCache() for _ in layers]" in str(error.value)


def test_a_cache_of_another_batch_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    caches = [KeyValueCache() for _ in stack]
    encoder(normal(18, (3, 2, 24)), stack, H, causal_mask(2), caches=caches)
    for x, shape in ((normal(18, (2, 1, 24)), "(2, 4, 1, 6)"), (normal(18, (1, 24)), "(4, 1, 6)")):
        with pytest.raises(ValueError) as error:
            encoder(x, stack, H, caches=caches)
        assert f"holds keys (3, 4, 2, 6) and got {shape}" in str(error.value)
        assert "For a new text write [KeyValueCache() for _ in layers]" in str(error.value)


def test_another_memory_is_refused_and_the_same_numbers_are_not():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(19, (B, T, 24), (B, S, 24))
    caches = [KeyValueCache() for _ in stack]
    decoder(x[:, :1], memory, stack, H, caches=caches)
    for other, shape in ((memory + 1, (B, S, 24)), (memory[:, :2], (B, 2, 24))):
        with pytest.raises(ValueError) as error:
            decoder(x[:, 1:2], other, stack, H, caches=caches)
        assert "keys and values of another memory" in str(error.value)
        assert f"{(B, S, 24)} then and {shape} now" in str(error.value)
    row, _, _ = decoder(x[:, 1:2], memory.copy(), stack, H, caches=caches)
    wanted, _, _ = decoder(x[:, :2], memory, stack, H, causal_mask(2))
    close(row, wanted[:, 1:], 1e-6)


def test_a_step_that_the_cross_attention_refuses_keeps_nothing():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(20, (B, T, 24), (B, S, 24))
    caches = [KeyValueCache() for _ in stack]
    for t in range(3):
        with pytest.raises(ValueError, match=r"the mask \(7, 7\) does not fit"):
            decoder(x[:, t : t + 1], memory, stack, H, None, causal_mask(T), caches=caches)
        row, _, _ = decoder(x[:, t : t + 1], memory, stack, H, caches=caches)
    wanted, _, _ = decoder(x[:, :3], memory, stack, H, causal_mask(3))
    close(row, wanted[:, 2:], 1e-6)


def test_a_mask_is_refused_in_the_same_words_with_and_without_a_cache():
    layer = EncoderLayerParameters.from_torch(nn.TransformerEncoderLayer(8, 2, 16))
    x = normal(21, (3, 2, 5, 8))  # two leading axes: would (2, 5, 5) be for sequences or for heads?
    said = []
    for cache in (None, KeyValueCache()):
        with pytest.raises(ValueError, match=r"too few axes for queries \(3, 2, 5, 8\)") as error:
            encoder_layer(x, layer, 2, np.ones((2, 5, 5), bool), cache=cache)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_import_is_light():
    code = (
        "import sys, lib.layers, lib.positions; "
        "print({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"
