"""Layer norm, feed-forward and both layers against torch.nn in any state of training."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from lib.activations import ACTIVATIONS
from lib.layers import (
    DecoderLayerParameters,
    EncoderLayerParameters,
    FeedForwardParameters,
    decoder_layer,
    encoder_layer,
    feed_forward,
    layer_norm,
)
from lib.masks import padding_mask
from tests.arrays import different, dtypes, normal, random_mask, seeds
from tests.lib.stacks import close, hidden, run, trained

# -- layer norm and feed-forward -------------------------------------------------------------------


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


@pytest.mark.parametrize("epsilon", [-1, np.nan, np.inf, "a", None, [1e-5]])
def test_layer_norm_refuses_an_epsilon_that_is_no_number_above_0(epsilon):
    with pytest.raises(ValueError, match="epsilon = .*; expected a finite number above 0"):
        layer_norm(np.eye(4), epsilon=epsilon)


def test_an_epsilon_may_be_one_number_of_any_type():
    for half in (np.float32(0.5), np.array(0.5), torch.tensor(0.5)):
        assert np.array_equal(
            layer_norm(np.eye(4), epsilon=half), layer_norm(np.eye(4), None, None, 0.5)
        )


@pytest.mark.filterwarnings("error")
def test_layer_norm_without_epsilon_refuses_a_token_whose_numbers_are_all_alike():
    with pytest.raises(ValueError, match="epsilon = 0 and a token whose numbers are all alike"):
        layer_norm([[1.0, 2.0], [5.0, 5.0]], epsilon=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e25])
@pytest.mark.filterwarnings("error")
def test_layer_norm_answers_numbers_that_are_not_finite_with_a_sentence(bad):
    x = np.ones((2, 4), np.float32)
    x[1, 2] = bad
    with pytest.raises(ValueError, match="x contains NaN, inf, or numbers whose squares"):
        layer_norm(x)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e38, -1e38])
@pytest.mark.filterwarnings("error")
def test_feed_forward_answers_numbers_that_are_not_finite_with_a_sentence(bad, activation):
    x = np.ones((2, 4), np.float32)
    x[1, 2] = bad
    every = np.ones((4, 4), np.float32)
    parameters = FeedForwardParameters(every, None, every, None, activation)
    if bad == -1e38:  # the activation makes 0 of it
        assert feed_forward(x, parameters)[1].tolist() == [0, 0, 0, 0]
        return
    with pytest.raises(ValueError, match="x: NaN or inf comes of them, .* too large for float32"):
        feed_forward(x, parameters)


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


# -- layers ----------------------------------------------------------------------------------------


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


def test_import_is_light():
    code = (
        "import sys, lib.layers, lib.positions; "
        "print({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "set()\n"
