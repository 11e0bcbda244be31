"""Parameters go to torch.nn's modules and back; modules made otherwise are refused."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.modules import Encoder, EncoderLayer
from lib.torch_weights import load_torch, store_torch
from tests.lib.tensors import D_FF, D, H, decoders, disturbed, encoders


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("pair", [encoders, decoders])
def test_state_comes_back_from_torch_as_it_went(pair, norm_first):
    theirs, ours = pair(2, norm_first)
    disturbed(ours)
    store_torch(ours, theirs)
    back = pair(2, norm_first)[1]
    load_torch(back, theirs)
    for (name, mine), other in zip(ours.named_parameters(), back.parameters(), strict=True):
        assert torch.equal(mine, other), name
    with torch.no_grad():
        next(theirs.parameters()).zero_()
    assert torch.equal(next(ours.parameters()), next(back.parameters()))  # copied, not shared


def theirs_with(**options):
    return nn.TransformerEncoderLayer(
        **{"d_model": D, "nhead": H, "dim_feedforward": D_FF} | options
    )


LAYER = EncoderLayer(D, H, D_FF)


@pytest.mark.parametrize(
    "ours, theirs, words",
    [
        (LAYER, theirs_with(nhead=2), ["ours has: heads = 4", "theirs has: heads = 2"]),
        (
            LAYER,
            theirs_with(norm_first=True),
            ["ours has: nothing", "theirs has: norm_first = True"],
        ),
        (LAYER, theirs_with(layer_norm_eps=1e-6), ["eps = 1e-05", "eps = 1e-06"]),
        (LAYER, theirs_with(activation="gelu"), ["activation = relu", "activation = gelu"]),
        (LAYER, theirs_with(activation=F.hardswish), ["hardswish", "relu, gelu, gelu_tanh"]),
        (
            LAYER,
            theirs_with(dim_feedforward=D),
            ["linear1.weight (20, 12)", "linear1.weight (12, 12)"],
        ),
        (LAYER, theirs_with(bias=False), ["linear1.bias (20,)", "theirs has: nothing"]),
        (LAYER, decoders(0, False)[0], ["theirs has: multihead_attn.key.bias (12,)"]),
        (Encoder(D, H, 2, D_FF), encoders(3, False)[0], ["theirs has: layers.2."]),
        (Encoder(D, H, 2, D_FF), encoders(2, True)[0], ["norm.weight (12,)"]),
        (
            LAYER.attention,
            nn.MultiheadAttention(D, H, kdim=3),
            ["theirs has: k_proj_weight (12, 3)"],
        ),
        (LAYER.attention, nn.MultiheadAttention(D, H, add_bias_kv=True), ["bias_k (1, 1, 12)"]),
        (
            LAYER.attention,
            nn.MultiheadAttention(D, H, add_zero_attn=True),
            ["add_zero_attn = True"],
        ),
    ],
)
def test_modules_that_are_not_made_alike_are_refused(ours, theirs, words):
    for copies in (load_torch, store_torch):
        with pytest.raises(ValueError) as error:
            copies(ours, theirs)
        assert all(word in str(error.value) for word in words), error.value


@pytest.mark.parametrize("other", [None, "layer", {}, LAYER.state_dict()])
def test_what_is_no_module_is_refused(other):
    for copies in (load_torch, store_torch):
        for pair in ((LAYER, other), (other, LAYER)):
            with pytest.raises(ValueError, match=f"{type(other).__name__}; expected a module"):
                copies(*pair)
