"""Parameters read from modules: every spelling of an activation, copies; what is refused."""

import functools
import math
import time

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from lib import modules
from lib.activations import ACTIVATIONS, activation
from lib.layers import (
    DecoderLayerParameters,
    EncoderLayerParameters,
    FeedForwardParameters,
    NormParameters,
    encoder_layer,
    feed_forward,
    stack_from_torch,
)
from lib.parameters import activation_of
from tests.arrays import normal
from tests.lib.stacks import close, run, trained


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
    (functional.silu, "silu"),
    (nn.SiLU(), "silu"),
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


UNKNOWN = [torch.tanh, nn.LeakyReLU(), nn.Sequential(nn.ReLU()), None, "hardswish", lambda x: x]


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


def test_torchs_fast_path_computes_the_exact_gelu_for_both():
    """As from_torch of the layers says; without the fast path ours is equal."""
    options = {"activation": nn.GELU("tanh"), "batch_first": True}
    module = trained(13, nn.TransformerEncoderLayer(8, 2, 16, **options))
    x = normal(13, (2, 3, 8))
    ours, _ = encoder_layer(x, EncoderLayerParameters.from_torch(module), 2)
    fast = run(module, x)
    module.activation = nn.GELU()  # this alone
    assert torch.equal(fast, run(module, x))
    assert 1e-5 < np.abs(ours - fast.numpy()).max() < 1e-2
    module.activation = options["activation"]
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        close(ours, run(module, x))
    finally:
        torch.backends.mha.set_fastpath_enabled(True)


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


def activated(x, name):
    """What a feed-forward network makes of x whose two maps change nothing."""
    one = np.ones((1, 1), x.dtype)
    return feed_forward(x[:, None], FeedForwardParameters(one, None, one, None, name))[:, 0]


@pytest.mark.parametrize("dtype, bound", [(np.float64, 1e-15), (np.float32, 3e-7)])
def test_gelu_is_as_exact_as_its_docstring_says(dtype, bound):
    x = np.linspace(-12, 12, 4001, dtype=dtype)
    below = [0.5 * math.erfc(-number / 2**0.5) for number in x.astype(float)]
    one_unit = np.abs(x) * np.finfo(dtype).eps
    assert (np.abs(activated(x, "gelu") - x * below) <= np.maximum(one_unit, bound)).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype, bound", [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_silu_is_torchs_also_far_out(dtype, bound):
    x = np.linspace(-900, 900, 4001, dtype=dtype)
    wanted = functional.silu(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(activated(x, "silu"), wanted, rtol=bound, atol=bound)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_float16_is_computed_in_float32(name):
    x = np.linspace(-30, 30, 999, dtype=np.float16)
    wanted = activated(x.astype(np.float32), name).astype(np.float16)
    np.testing.assert_allclose(activated(x, name), wanted, rtol=2e-3, atol=1e-6)


def test_gelu_takes_hardly_longer_than_its_approximation():
    """On the same machine at the same time: with math.erf for each number it took 17 times."""
    x = np.linspace(-4, 4, 256 * 1536, dtype=np.float32)
    seconds = {"gelu": [], "gelu_tanh": []}
    for _ in range(5):
        for name, times in seconds.items():
            begin = time.process_time()
            activation(name)(x.copy()[None])
            times.append(time.process_time() - begin)
    assert min(seconds["gelu"]) < 5 * min(seconds["gelu_tanh"])


@pytest.mark.parametrize("activation", ["hardswish", None, functional.gelu, ["relu"]], ids=str)
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
