"""The layers and stacks of lib.modules against torch.nn and lib.layers."""

import pytest
import torch

from lib import layers as in_numpy
from lib.masks import causal_mask, padding_mask
from lib.modules import ACTIVATIONS, Decoder, Encoder
from lib.torch_weights import load_torch
from tests.lib.tensors import (
    D_FF,
    B,
    D,
    H,
    S,
    T,
    close,
    decoders,
    disturbed,
    encoders,
    hidden,
    random_mask,
    run,
    same_gradients,
)

in_every_form = pytest.mark.parametrize(
    "layers, norm_first, training",
    [(n, first, train) for n in (0, 6) for first in (0, 1) for train in (0, 1)],
)


@in_every_form
@pytest.mark.parametrize("shape", [None, (T, T), (B, 1, T), (B, T, T)], ids=str)
def test_the_encoder_is_torchs(layers, norm_first, training, shape):
    theirs, ours = encoders(layers, bool(norm_first))
    load_torch(ours, disturbed(theirs))
    theirs.train(bool(training)), ours.train(bool(training))
    x, mask = torch.randn(B, T, D), random_mask(shape)
    wanted = theirs(x, hidden(mask, T))
    for seen in (False, True):
        ours.zero_grad()
        output, maps = run(ours, x, mask, seen=seen)
        close(output.detach(), wanted.detach())
        output.square().sum().backward()
    wanted.square().sum().backward()
    assert list(maps) == ["encoder"] and len(maps["encoder"]) == max(layers, 1)
    for one in maps["encoder"]:
        close(one.sum(-1), torch.ones(B, H, T))
    same_gradients(ours, theirs)


@in_every_form
@pytest.mark.parametrize("shape", [None, (T, S), (B, 1, S), (B, T, S)], ids=str)
def test_the_decoder_is_torchs(layers, norm_first, training, shape):
    theirs, ours = decoders(layers, bool(norm_first))
    load_torch(ours, disturbed(theirs))
    theirs.train(bool(training)), ours.train(bool(training))
    x, memory, cross_mask, causal = (
        torch.randn(B, T, D),
        torch.randn(B, S, D),
        random_mask(shape),
        causal_mask(T),
    )
    wanted = theirs(x, memory, torch.from_numpy(~causal), hidden(cross_mask))
    for seen in (False, True):
        ours.zero_grad()
        output, maps = run(ours, x, memory, causal, cross_mask, seen=seen)
        close(output.detach(), wanted.detach())
        output.square().sum().backward()
    wanted.square().sum().backward()
    assert sorted(maps) == ["cross", "decoder"] and len(maps["cross"]) == max(layers, 1)
    for one, other in zip(maps["decoder"], maps["cross"], strict=True):
        assert one.shape == (B, H, T, T) and other.shape == (B, H, T, S)
        assert not one.triu(1).any()
    same_gradients(ours, theirs)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("layers", [0, 2])
def test_every_activation_and_epsilon_is_torchs_and_numpys(layers, activation, norm_first):
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    theirs, ours = encoders(layers, norm_first, activation, epsilon=1e-4)
    load_torch(ours, disturbed(theirs, 0.5))
    close(ours.eval()(memory).detach(), theirs(memory).detach())
    if layers:
        parameters, norm = in_numpy.stack_from_torch(ours)
        wanted, _ = in_numpy.encoder(memory.numpy(), parameters, H, None, norm_first, norm)
        close(ours(memory).detach(), wanted)
    theirs, ours = decoders(layers, norm_first, activation, epsilon=1e-4)
    load_torch(ours, disturbed(theirs, 0.5))
    close(ours.eval()(x, memory).detach(), theirs(x, memory).detach())
    _, plain = decoders(layers, norm_first, "gelu" if activation == "relu" else "relu", 1e-4)
    plain.load_state_dict(ours.state_dict())
    assert not torch.allclose(plain.eval()(x, memory), ours(x, memory), atol=1e-4)


@pytest.mark.parametrize("norm_first", [False, True])
def test_stacks_are_those_of_numpy(norm_first):
    x, memory, mask, causal = (
        torch.randn(B, T, D),
        torch.randn(B, S, D),
        padding_mask([7, 2, 0], S),
        causal_mask(T),
    )
    ours = disturbed(Encoder(D, H, 2, D_FF, norm_first=norm_first)).eval()
    layers, norm = in_numpy.stack_from_torch(ours)
    wanted, maps = in_numpy.encoder(memory.numpy(), layers, H, mask, norm_first, norm)
    output, seen = run(ours, memory, mask)
    for one, other in zip((output, *seen["encoder"]), (wanted, *maps), strict=True):
        close(one.detach(), other)
    ours = disturbed(Decoder(D, H, 2, D_FF, norm_first=norm_first)).eval()
    layers, norm = in_numpy.stack_from_torch(ours)
    wanted, *maps = in_numpy.decoder(
        x.numpy(), memory.numpy(), layers, H, causal, mask, norm_first, norm
    )
    output, seen = run(ours, x, memory, causal, mask)
    weights = seen["decoder"] + seen["cross"]
    for one, other in zip((output, *weights), (wanted, *sum(maps, [])), strict=True):
        close(one.detach(), other)


def test_autocast_may_mix_dtypes():
    with torch.autocast("cpu", torch.bfloat16):
        assert Encoder(D, H, 2, D_FF, norm_first=True)(torch.randn(B, T, D)).isfinite().all()


def test_one_number_of_heads_for_each_layer():
    layers = Encoder(D, [H, 1], 2, D_FF).layers
    assert [layer.attention.heads for layer in layers] == [H, 1]
    with pytest.raises(ValueError, match="for 3 layers; expected one number, or one for each"):
        Encoder(D, [H, 1], 3, D_FF)
