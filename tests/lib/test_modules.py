"""lib.modules against torch.nn after some training; masks, dropout, causality; what they refuse."""

import copy
import subprocess
import sys
import warnings
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib import activations
from lib import layers as in_numpy
from lib.attention import MultiHeadParameters, multi_head_attention
from lib.interventions import looking
from lib.masks import causal_mask, padding_mask
from lib.modules import (
    ACTIVATIONS,
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
    LanguageModel,
    MultiHeadAttention,
    PreNormDecoderLayer,
    PreNormEncoderLayer,
    Transformer,
)
from lib.positions import sinusoidal_positions
from lib.torch_nn import load_torch, store_torch

B, T, S, H, D, D_FF = 3, 5, 7, 4, 12, 20
MASKS = {
    "none": None,
    "(T, S)": (T, S),
    "(B, 1, S)": (B, 1, S),
    "(B, T, S)": (B, T, S),
    "(B, H, T, S)": (B, H, T, S),
}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


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


# -- multi-head attention -------------------------------------------------------------------------


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", MASKS.values(), ids=MASKS)
def test_attention_is_torch_attention(shape, bias, training):
    theirs = disturbed(nn.MultiheadAttention(D, H, bias=bias, batch_first=True)).train(training)
    queries, keys, values, mask = (
        torch.randn(B, T, D),
        torch.randn(B, S, D),
        torch.randn(B, S, D),
        random_mask(shape),
    )
    wanted, wanted_weights = theirs(
        queries, keys, values, attn_mask=hidden(mask), average_attn_weights=False
    )
    wanted.square().sum().backward()
    modules = []
    for seen in (False, True):
        ours = MultiHeadAttention(D, H, bias=bias).train(training)
        load_torch(ours, theirs)
        output, maps = run(ours, queries, keys, values, mask, seen=seen)
        close(output, wanted.detach())
        output.square().sum().backward()
        modules.append(ours)
    (weights,) = maps["encoder"]
    close(weights, wanted_weights.detach())
    if mask is not None:
        assert not weights[
            ~(mask[:, None] if mask.ndim == 3 else mask).expand_as(weights)
        ].any()  # exactly 0
    by_numpy = multi_head_attention(
        *(x.numpy() for x in (queries, keys, values)), MultiHeadParameters.from_torch(ours), H,
        None if mask is None else mask.numpy(),
    )  # fmt: skip
    close(output.detach(), by_numpy[0])
    close(weights, by_numpy[1])
    for ours in modules:
        same_gradients(ours, theirs)


def test_masks_of_lib_masks_are_taken_as_they_are():
    ours, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = causal_mask(T) & padding_mask([5, 2, 1], T)
    for seen in (False, True):
        output, _ = run(ours, x, x, x, mask, seen=seen)
        assert torch.equal(output, run(ours, x, x, x, torch.tensor(mask), seen=seen)[0])
        assert not torch.allclose(output, run(ours, x, x, x, None, seen=seen)[0])
        for row in (np.arange(T) < 3, torch.arange(T) < 3):  # the same for every query
            assert torch.equal(
                run(ours, x, x, x, row, seen=seen)[0],
                run(ours, x, x, x, padding_mask([3] * B, T), seen=seen)[0],
            )
        for everything in (True, np.True_, torch.tensor(True)):
            close(run(ours, x, x, x, everything, seen=seen)[0], ours(x, x, x))


def test_a_mask_that_may_not_be_written_to_gives_no_warning():
    ours, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = np.broadcast_to(causal_mask(T), (B, T, T))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.equal(ours(x, x, x, mask), ours(x, x, x, causal_mask(T)))


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_query_that_may_attend_to_nothing_gets_zeros(dtype, training):
    ours = MultiHeadAttention(D, H, dropout=0.1).to(dtype).train(training)
    ours.output = nn.Identity()
    mask = random_mask((B, T, S))
    mask[0, 2] = mask[1] = False
    for seen in (False, True):
        queries, keys = (torch.randn(B, n, D, dtype=dtype, requires_grad=True) for n in (T, S))
        with torch.autograd.set_detect_anomaly(True):  # an error for NaN anywhere in backward
            output, maps = run(ours, queries, keys, keys, mask, seen=seen)
            output.square().sum().backward()
        assert output.dtype == dtype
        assert not output[0, 2].any() and not output[1].any() and output[0, :2].all()
        assert not queries.grad[1].any() and not keys.grad[1].any() and keys.grad[0].any()
        assert all(p.grad.isfinite().all() for p in (queries, keys, *ours.parameters()))
    (weights,) = maps["encoder"]
    assert not weights[0, :, 2].any() and not weights[1].any()


@pytest.mark.parametrize("seen", [False, True])
def test_dropout_of_the_weights_is_that_of_torch(seen):
    theirs = disturbed(nn.MultiheadAttention(D, H, dropout=0.4, batch_first=True))
    ours = MultiHeadAttention(D, H, dropout=0.4)
    load_torch(ours, theirs)
    queries, keys = torch.randn(B, T, D), torch.randn(B, S, D)
    torch.manual_seed(1)
    wanted, _ = theirs(queries, keys, keys, need_weights=seen)
    torch.manual_seed(1)
    output, maps = run(ours, queries, keys, keys, seen=seen)
    close(output.detach(), wanted.detach())
    assert not torch.allclose(output, ours.eval()(queries, keys, keys), atol=1e-2)
    if seen:  # before dropout
        (weights,) = maps["encoder"]
        close(weights.sum(-1), torch.ones(B, H, T))
        close(weights, run(ours, queries, keys, keys)[1]["encoder"][0])


@pytest.mark.parametrize(
    "change, words",
    [
        ({"mask": torch.zeros(T, S)}, ["float32", "mask == 0", "mask == 1"]),
        ({"mask": torch.ones(T, S, dtype=torch.int64)}, ["int64", "True = may attend"]),
        (
            {"mask": torch.ones(S, T, dtype=torch.bool)},
            [f"({S}, {T})", f"(T, S) = ({T}, {S})"],
        ),
        ({"mask": torch.ones(H, T, S, dtype=torch.bool)}, [f"({H}, 1, {T}, {S})", "Leading axes"]),
        (
            {"mask": torch.ones(1, B, H, T, S, dtype=torch.bool)},
            [f"(1, {B}, {H}, {T}, {S})", f"({B}, {H}, {T}, {S})"],
        ),
        ({"mask": np.ones((T, S))}, ["float64", "mask == 0"]),
        (
            {"queries": torch.zeros(B, T, D + 1)},
            [f"({B}, {T}, {D + 1})", f"({B}, {S}, {D})", f"(B, T, {D})"],
        ),
        ({"queries": torch.zeros(1, T, D)}, [f"(1, {T}, {D})", "the same B"]),
        ({"queries": torch.zeros(T, D)}, [f"({T}, {D})", f"(B, T, {D})"]),
        ({"values": torch.zeros(B, S + 1, D)}, [f"({B}, {S}, {D})", f"({B}, {S + 1}, {D})"]),
        (
            {"keys": torch.zeros(B, 0, D), "values": torch.zeros(B, 0, D)},
            [f"({B}, 0, {D})", "at least one token"],
        ),
        (
            {"queries": torch.zeros(B, T, D, dtype=torch.float64)},
            ["queries: torch.float64", "computes in torch.float32", "queries.to(torch.float32)"],
        ),
        (
            {"values": torch.zeros(B, S, D, dtype=torch.int64)},
            ["values: torch.int64", "computes in torch.float32"],
        ),
        (
            {"mask": torch.ones(B, S, dtype=torch.bool)},
            [f"({B}, {S})", "for padding", "write mask[:, None]"],
        ),
        ({"mask": torch.ones(S + 1, dtype=torch.bool)}, [f"{S + 1})", f"(T, S) = ({T}, {S})"]),
        ({"mask": 1.0}, ["float32", "mask == 1"]),
    ],
)
@pytest.mark.parametrize("seen", [False, True])
def test_attention_refuses(change, words, seen):
    given = {
        "queries": torch.zeros(B, T, D),
        "keys": torch.zeros(B, S, D),
        "values": torch.zeros(B, S, D),
        "mask": None,
    } | change
    with pytest.raises(ValueError) as error:
        run(MultiHeadAttention(D, H), *given.values(), seen=seen)
    assert all(word in str(error.value) for word in words), error.value


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="5 heads do not divide d_model = 12; choose one of"):
        MultiHeadAttention(12, 5)


MADE = {
    "attention": lambda d_model, heads: MultiHeadAttention(d_model, heads),
    "layer": lambda d_model, heads: DecoderLayer(d_model, heads, D_FF),
    "encoder": lambda d_model, heads: Encoder(d_model, heads, 2, D_FF),
    "decoder": lambda d_model, heads: Decoder(d_model, heads, 2, D_FF),
    "transformer": lambda d_model, heads: Transformer(9, 9, d_model, heads, 1, 1, D_FF),
    "language model": lambda d_model, heads: LanguageModel(9, d_model, heads, 2, D_FF),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_whole_numbers_of_numpy_are_whole_numbers(made):
    state = made(np.int64(D), np.int32(H)).state_dict()
    assert {name: tensor.shape for name, tensor in state.items()} == {
        name: tensor.shape for name, tensor in made(D, H).state_dict().items()
    }


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
@pytest.mark.parametrize("d_model, heads", [(D, 2.0), (D, True), (D, 0), (-8, 2), (D, "4")])
def test_what_is_no_count_is_refused_when_the_module_is_made(made, d_model, heads):
    with pytest.raises(ValueError, match="expected a whole number of at least 1"):
        made(d_model, heads)


def test_one_number_of_heads_for_each_layer():
    layers = Encoder(D, [H, 1], 2, D_FF).layers
    assert [layer.attention.heads for layer in layers] == [H, 1]
    with pytest.raises(ValueError, match="for 3 layers; expected one number, or one for each"):
        Encoder(D, [H, 1], 3, D_FF)


MEMORY = """
import re
from pathlib import Path
import torch
from lib.interventions import looking
from lib.masks import causal_mask
from lib.modules import MultiHeadAttention
torch.set_num_threads(1)
T, H = 2048, 4
attention, x, mask = MultiHeadAttention(32, H), torch.randn(1, T, 32), causal_mask(T)

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1])

with torch.no_grad(), looking(attention) as maps:
    attention(x[:, :64], x[:, :64], x[:, :64], mask[:64, :64])  # what is loaded at first use
    before = peak()
    attention(x, x, x, mask)
    print((peak() - before) / maps["encoder"][0].nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_weights_and_a_mask_take_hardly_more_than_scores_and_weights():
    """The peak of a process of its own, in sizes of the weights; one more copy would be 3.1."""
    answer = subprocess.run(
        [sys.executable, "-c", MEMORY],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert 1.9 < float(answer.stdout) < 2.2


# -- layers and stacks ----------------------------------------------------------------------------


def encoders(layers, norm_first, activation="relu", epsilon=1e-5):
    """Theirs and ours: one layer for layers = 0, otherwise a stack."""
    theirs = nn.TransformerEncoderLayer(
        D, H, D_FF, 0.0, TORCHS[activation], epsilon, batch_first=True, norm_first=norm_first
    )
    options = {"dropout": 0.0, "activation": activation, "epsilon": epsilon}
    if not layers:
        kind = PreNormEncoderLayer if norm_first else EncoderLayer
        return theirs, kind(D, H, D_FF, **options)
    norm = nn.LayerNorm(D, epsilon) if norm_first else None
    return (
        nn.TransformerEncoder(theirs, layers, norm, enable_nested_tensor=False),
        Encoder(D, H, layers, D_FF, norm_first=norm_first, **options),
    )


def decoders(layers, norm_first, activation="relu", epsilon=1e-5):
    theirs = nn.TransformerDecoderLayer(
        D, H, D_FF, 0.0, TORCHS[activation], epsilon, batch_first=True, norm_first=norm_first
    )
    options = {"dropout": 0.0, "activation": activation, "epsilon": epsilon}
    if not layers:
        kind = PreNormDecoderLayer if norm_first else DecoderLayer
        return theirs, kind(D, H, D_FF, **options)
    norm = nn.LayerNorm(D, epsilon) if norm_first else None
    return (
        nn.TransformerDecoder(theirs, layers, norm),
        Decoder(D, H, layers, D_FF, norm_first=norm_first, **options),
    )


TORCHS = {"relu": nn.ReLU(), "gelu": "gelu", "gelu_tanh": partial(F.gelu, approximate="tanh")}


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


def test_activations_are_those_of_numpy_and_others_are_refused():
    assert list(ACTIVATIONS) == list(activations.ACTIVATIONS)
    with pytest.raises(ValueError, match="activation = 'swish'; expected one of relu, gelu"):
        EncoderLayer(D, H, D_FF, activation="swish")


@pytest.mark.parametrize(
    "module, x",
    [
        (EncoderLayer(D, H, D_FF), torch.zeros(B, T, D, dtype=torch.float64)),
        (PreNormEncoderLayer(D, H, D_FF), torch.zeros(B, T, D, dtype=torch.float64)),
        (FeedForward(D, D_FF), torch.zeros(B, T, D, dtype=torch.float64)),
        (PreNormEncoderLayer(D, H, D_FF), torch.zeros(B, T, D + 1)),
        (FeedForward(D, D_FF), torch.zeros(B, T, D + 1)),
    ],
)
def test_vectors_that_do_not_fit_are_refused_in_a_sentence(module, x):
    sentence = "computes in torch.float32; write" if x.dtype == torch.float64 else "expected "
    with pytest.raises(ValueError, match=sentence):
        module(x)


def test_autocast_may_mix_dtypes():
    with torch.autocast("cpu", torch.bfloat16):
        assert Encoder(D, H, 2, D_FF, norm_first=True)(torch.randn(B, T, D)).isfinite().all()


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
        (LAYER, theirs_with(activation=F.silu), ["silu", "relu, gelu, gelu_tanh"]),
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


# -- dropout --------------------------------------------------------------------------------------


def test_dropout_is_where_the_paper_has_it():
    assert not any(isinstance(part, nn.Dropout) for part in FeedForward(D, D_FF).modules())
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    before, before_decoder = (
        PreNormEncoderLayer(D, H, D_FF, 1.0),
        PreNormDecoderLayer(D, H, D_FF, 1.0),
    )
    assert torch.equal(before(x), x)  # only what is added is dropped
    assert torch.equal(before_decoder(x, memory), x)
    after = EncoderLayer(D, H, D_FF, dropout=1.0)
    assert torch.equal(after(x), F.layer_norm(F.layer_norm(x, (D,)), (D,)))
    assert not Embedding(9, D, dropout=1.0)(torch.zeros(B, T, dtype=torch.long)).any()


def models():
    source, target = torch.randint(0, 11, (B, S)), torch.randint(0, 13, (B, T))
    for norm_first in (False, True):
        transformer = Transformer(11, 13, D, H, 2, 3, D_FF, 0.3, norm_first)
        yield disturbed(transformer), (source, target)
        yield disturbed(LanguageModel(13, D, H, 2, D_FF, 0.3, norm_first)), (target,)


def test_dropout_acts_in_training_only_and_a_seed_repeats_it():
    for model, tokens in models():
        torch.manual_seed(1)
        first, second = model(*tokens), model(*tokens)
        assert not torch.equal(first, second)
        torch.manual_seed(1)
        assert torch.equal(model(*tokens), first)
        model.eval()
        assert torch.equal(model(*tokens), model(*tokens))
        assert not torch.equal(model(*tokens), first)


def test_a_seed_repeats_a_model():
    for made in (
        lambda: Transformer(11, 13, D, H, 2, 2, D_FF),
        lambda: LanguageModel(13, D, H, 2, D_FF),
    ):
        states = []
        for _ in range(2):
            torch.manual_seed(3)
            states.append(made().state_dict())
        assert all(
            torch.equal(one, other)
            for one, other in zip(*(s.values() for s in states), strict=True)
        )


# -- whole models ---------------------------------------------------------------------------------


def test_embedding_is_that_of_the_paper():
    embedding = Embedding(50, 64, dropout=0.1, longest=100).eval()
    tokens = torch.randint(0, 50, (B, T))
    wanted = (
        embedding.tokens.weight[tokens].detach() * 8
        + torch.tensor(sinusoidal_positions(T, 64)).float()
    )
    close(embedding(tokens).detach(), wanted)
    assert 0.9 < (embedding.tokens.weight * 8).std() < 1.1
    assert list(embedding.state_dict()) == ["tokens.weight"]
    with pytest.raises(ValueError, match=r"tokens \(3, 101\); expected \(B, T\) with T <= 100"):
        embedding(torch.zeros(3, 101, dtype=torch.long))
    with pytest.raises(ValueError, match=r"tokens \(5,\); expected \(B, T\)"):
        embedding(tokens[0])
    with pytest.raises(ValueError, match=r"tokens \(3, 0\); .* at least one token"):
        embedding(tokens[:, :0])


@pytest.mark.parametrize(
    "tokens, sentence",
    [
        (torch.tensor([[3, 50]]), "tokens from 3 to 50; expected whole numbers from 0 to 49"),
        (torch.tensor([[-1, 3]]), "tokens from -1 to 3; expected whole numbers from 0 to 49"),
        (torch.tensor([[1.0, 3.0]]), r"tokens are torch.float32; .*tokens.long\(\)"),
        (torch.tensor([[True]]), "tokens are torch.bool; expected whole numbers"),
    ],
)
def test_tokens_that_are_no_words_are_refused(tokens, sentence):
    with pytest.raises(ValueError, match=sentence):
        Embedding(50, D)(tokens)


def test_positions_can_be_learned_and_the_scale_be_set():
    embedding = Embedding(50, D, dropout=0.0, longest=9, positions="learned", scale=1.0)
    tokens = torch.randint(0, 50, (B, T))
    close(embedding(tokens), embedding.tokens.weight[tokens] + embedding.positions[:T])
    close(embedding(tokens[:, :2], 3), embedding.tokens(tokens[:, :2]) + embedding.positions[3:5])
    assert sorted(embedding.state_dict()) == ["positions", "tokens.weight"]
    assert embedding.positions.requires_grad
    with pytest.raises(ValueError, match="positions = 'none'; expected 'sinusoidal' or 'learned'"):
        Embedding(50, D, positions="none")


def test_a_tied_model_has_one_matrix_for_words_in_and_words_out():
    model = LanguageModel(13, D, H, 2, D_FF, 0.0, tied=True)
    assert model.output.weight is model.tokens.tokens.weight and model.output.bias is None
    x = model.decoder(model.tokens(torch.zeros(1, 3, dtype=torch.long)), causal_mask(3))
    close(model(torch.zeros(1, 3, dtype=torch.long)), x @ model.tokens.tokens.weight.T)
    own = LanguageModel(13, D, H, 2, D_FF, 0.0)
    counts = [sum(p.numel() for p in each.parameters()) for each in (own, model)]
    assert counts[0] - counts[1] == 13 * D + 13


def test_a_model_as_large_ones_are_made_is_numpys():
    """GPT-2's way: learned positions, no factor, GELU by tanh, tied, another epsilon."""
    model = LanguageModel(
        13, D, H, 2, D_FF, 0.0, longest=9, activation="gelu_tanh", epsilon=1e-4,
        positions="learned", scale=1.0, tied=True,
    )  # fmt: skip
    disturbed(model).eval()
    tokens = torch.randint(0, 13, (B, T))
    layers, norm = in_numpy.stack_from_torch(model.decoder)
    words = model.tokens.tokens.weight.detach().numpy()  # (13, d_model)
    x = words[tokens] + model.tokens.positions.detach().numpy()[:T]
    x, maps = in_numpy.encoder(x, layers, H, causal_mask(T), True, norm)
    logits, seen = run(model, tokens)
    close(logits.detach(), x @ words.T)
    for one, other in zip(seen["decoder"], maps, strict=True):
        close(one, other)


def test_models_put_the_parts_together():
    (transformer, (source, target)), (language, _) = list(models())[2:]
    transformer.eval(), language.eval()
    mask = padding_mask([7, 4, 1], S)
    memory = transformer.encoder(transformer.source(source), mask)
    x = transformer.decoder(transformer.target(target), memory, causal_mask(T), mask)
    assert torch.equal(transformer(source, target, mask), transformer.output(x))
    x = language.decoder(language.tokens(target), causal_mask(T))
    assert torch.equal(language(target), language.output(x))


@pytest.mark.parametrize("training", [False, True])
def test_the_weights_of_every_layer_can_be_seen(training):
    for model, tokens in models():
        model.train(training)
        logits, maps = run(model, *tokens)
        counts = {part: len(layers) for part, layers in maps.items()}
        several = isinstance(model, Transformer)
        assert counts == ({"encoder": 2, "decoder": 3, "cross": 3} if several else {"decoder": 2})
        for weights in sum(maps.values(), []):
            close(weights.sum(-1), torch.ones(weights.shape[:-1]))
        assert not any(weights.triu(1).any() for weights in maps["decoder"])
        if not training:
            close(logits.detach(), model(*tokens).detach())


def test_later_tokens_never_change_earlier_outputs():
    for model, (*source, target) in models():
        model.eval()
        logits = model(*source, target)
        for t in range(1, T):
            changed = target.clone()
            changed[:, t:] = (changed[:, t:] + 1) % 13
            others = model(*source, changed)
            assert torch.equal(others[:, :t], logits[:, :t])
            assert not torch.isclose(others[:, t:], logits[:, t:]).all(-1).any()
        made = []
        embedding = model.target if source else model.tokens
        with embedding.register_forward_hook(
            lambda module, given, output, made=made: made.append(output)
        ):
            logits = model(*source, target)
        (gradient,) = torch.autograd.grad(logits[:, 2].square().sum(), made)
        assert gradient[:, :3].any(-1).all() and not gradient[:, 3:].any()


def test_padding_of_the_source_is_never_seen():
    transformer, (source, target) = next(models())
    transformer.eval()
    mask = padding_mask([7, 4, 1], S)
    padded = torch.where(torch.from_numpy(mask[:, 0]), source, (source + 1) % 11)
    assert torch.equal(transformer(source, target, mask), transformer(padded, target, mask))
    assert not torch.equal(transformer(source, target), transformer(padded, target))
    shorter = transformer(source[1:2, :4], target[1:2])
    close(transformer(source, target, mask)[1:2].detach(), shorter.detach())


@pytest.mark.parametrize("norm_first", [False, True])
def test_models_learn(norm_first):
    """Four words: the Transformer learns to say them backwards, the language model again."""
    words = torch.randint(3, 9, (32, 4))
    target = torch.cat([torch.ones(32, 1, dtype=torch.long), words.flip(1)], 1)  # 1 begins
    again = torch.cat([words, words], 1)
    transformer = Transformer(9, 9, 32, 4, 1, 1, 64, 0.0, norm_first)
    language = LanguageModel(9, 32, 4, 2, 64, 0.0, norm_first)
    for model, given, wanted in [
        (transformer, (words, target[:, :-1]), target[:, 1:]),
        (language, (again[:, :-1],), again[:, 4:]),
    ]:
        optimizer = torch.optim.Adam(model.parameters(), 5e-3)
        for _ in range(80):
            logits = model(*given)[:, -4:]  # (B, 4, size)
            loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert loss < 0.2
