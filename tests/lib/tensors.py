"""What the tests of lib.modules share: sizes, masks, closeness, torch.nn's modules beside ours."""

import copy
from contextlib import nullcontext
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from lib.interventions import looking
from lib.modules import (
    Decoder,
    DecoderLayer,
    Encoder,
    EncoderLayer,
)
from lib.torch_weights import load_torch

B, T, S, H, D, D_FF = 3, 5, 7, 4, 12, 20


def disturbed(module, size=0.1):
    """The module as it is after some training: nothing is at its starting value."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += size * torch.randn(parameter.shape)
    return module


def random_mask(shape):
    """Booleans with at least one True in each row, False somewhere."""
    if shape is None:
        return None
    mask = torch.rand(shape) < 0.6
    mask[..., 0], mask[..., -1, -1] = True, False
    return mask


def hidden(mask, keys=S):
    """The mask as nn.MultiheadAttention wants it: True = may NOT attend, (B*H, T, S)."""
    if mask is None:
        return None
    mask = mask[:, None] if mask.ndim == 3 else mask
    return ~mask.expand(B, H, T, keys).flatten(0, 1)


def close(ours, reference, tolerance=1e-5):
    reference = torch.as_tensor(reference)
    assert ours.shape == reference.shape and ours.dtype == reference.dtype
    assert (ours - reference).abs().max() <= tolerance * max(1, reference.abs().max())


def run(module, *given, seen=True):
    """(output, maps) of one run; the maps are None if nobody is to look."""
    with looking(module) if seen else nullcontext() as maps:
        output = module(*given)
    return output, maps


def same_gradients(ours, theirs):
    """Their gradients, put where our parameters are, are our gradients."""
    gradients, wanted = copy.deepcopy(theirs), copy.deepcopy(ours)
    for place, parameter in zip(gradients.parameters(), theirs.parameters(), strict=True):
        place.data = parameter.grad
    load_torch(wanted, gradients)
    for (name, mine), other in zip(ours.named_parameters(), wanted.parameters(), strict=True):
        assert mine.grad is not None, name
        close(mine.grad, other.data)


TORCHS = {
    "relu": nn.ReLU(),
    "gelu": "gelu",
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "silu": F.silu,
}


def torchs(activation):
    """What torch.nn's layers take for an activation of ours."""
    assert activation in TORCHS, f"say in TORCHS of tests/lib/tensors.py what {activation} is there"
    return TORCHS[activation]


def encoders(layers, norm_first, activation="relu", epsilon=1e-5):
    """Theirs and ours: one layer for layers = 0, otherwise a stack."""
    theirs = nn.TransformerEncoderLayer(
        D, H, D_FF, 0.0, torchs(activation), epsilon, batch_first=True, norm_first=norm_first
    )
    options = {"dropout": 0.0, "activation": activation, "epsilon": epsilon}
    if not layers:
        return theirs, EncoderLayer(D, H, D_FF, norm_first=norm_first, **options)
    norm = nn.LayerNorm(D, epsilon) if norm_first else None
    return (
        nn.TransformerEncoder(theirs, layers, norm, enable_nested_tensor=False),
        Encoder(D, H, layers, D_FF, norm_first=norm_first, **options),
    )


def decoders(layers, norm_first, activation="relu", epsilon=1e-5):
    theirs = nn.TransformerDecoderLayer(
        D, H, D_FF, 0.0, torchs(activation), epsilon, batch_first=True, norm_first=norm_first
    )
    options = {"dropout": 0.0, "activation": activation, "epsilon": epsilon}
    if not layers:
        return theirs, DecoderLayer(D, H, D_FF, norm_first=norm_first, **options)
    norm = nn.LayerNorm(D, epsilon) if norm_first else None
    return (
        nn.TransformerDecoder(theirs, layers, norm),
        Decoder(D, H, layers, D_FF, norm_first=norm_first, **options),
    )
