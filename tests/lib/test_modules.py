"""lib.modules against torch.nn after some training; masks, dropout, causality; what they refuse."""

import copy

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib import layers as in_numpy
from lib.attention import MultiHeadParameters, multi_head_attention
from lib.masks import causal_mask, padding_mask
from lib.modules import (
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
    LanguageModel,
    MultiHeadAttention,
    Transformer,
    load_torch,
    store_torch,
)
from lib.positions import sinusoidal_positions

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
    """The module as it is after some training: nothing is at its starting value, biases and gains least of all."""
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


def same_gradients(ours, theirs):
    """Their gradients, put where our parameters are, are our gradients."""
    gradients, wanted = copy.deepcopy(theirs), copy.deepcopy(ours)
    for place, parameter in zip(gradients.parameters(), theirs.parameters(), strict=True):
        place.data = parameter.grad
    load_torch(wanted, gradients)
    for (name, mine), other in zip(ours.named_parameters(), wanted.parameters(), strict=True):
        assert mine.grad is not None, name
        close(mine.grad, other.data)


# -- multi-head attention ---------------------------------------------------------------------------------------------


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
    for need_weights in (False, True):
        ours = MultiHeadAttention(D, H, bias=bias).train(training)
        load_torch(ours, theirs)
        output, weights = ours(queries, keys, values, mask, need_weights)
        close(output, wanted.detach())
        output.square().sum().backward()
        modules.append(ours)
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
    close(weights.detach(), by_numpy[1])
    for ours in modules:
        same_gradients(ours, theirs)


def test_masks_of_lib_masks_are_taken_as_they_are():
    ours, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = causal_mask(T) & padding_mask([5, 2, 1], T)
    for need_weights in (False, True):
        output, _ = ours(x, x, x, mask, need_weights)
        assert torch.equal(output, ours(x, x, x, torch.tensor(mask), need_weights)[0])
        assert not torch.allclose(output, ours(x, x, x, None, need_weights)[0])


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_query_that_may_attend_to_nothing_gets_zeros(dtype, training):
    ours = MultiHeadAttention(D, H, dropout=0.1).to(dtype).train(training)
    ours.output = nn.Identity()
    mask = random_mask((B, T, S))
    mask[0, 2] = mask[1] = False
    for need_weights in (False, True):
        queries, keys = (torch.randn(B, n, D, dtype=dtype, requires_grad=True) for n in (T, S))
        with torch.autograd.set_detect_anomaly(True):  # an error for NaN anywhere in backward
            output, weights = ours(queries, keys, keys, mask, need_weights)
            output.square().sum().backward()
        assert output.dtype == dtype
        assert not output[0, 2].any() and not output[1].any() and output[0, :2].all()
        assert not queries.grad[1].any() and not keys.grad[1].any() and keys.grad[0].any()
        assert all(p.grad.isfinite().all() for p in (queries, keys, *ours.parameters()))
    assert not weights[0, :, 2].any() and not weights[1].any()


@pytest.mark.parametrize("need_weights", [False, True])
def test_dropout_of_the_weights_is_that_of_torch(need_weights):
    theirs = disturbed(nn.MultiheadAttention(D, H, dropout=0.4, batch_first=True))
    ours = MultiHeadAttention(D, H, dropout=0.4)
    load_torch(ours, theirs)
    queries, keys = torch.randn(B, T, D), torch.randn(B, S, D)
    torch.manual_seed(1)
    wanted, _ = theirs(queries, keys, keys, need_weights=need_weights)
    torch.manual_seed(1)
    output, weights = ours(queries, keys, keys, need_weights=need_weights)
    close(output.detach(), wanted.detach())
    assert not torch.allclose(output, ours.eval()(queries, keys, keys)[0], atol=1e-2)
    if need_weights:  # before dropout
        close(weights.sum(-1).detach(), torch.ones(B, H, T))
        close(weights.detach(), ours(queries, keys, keys, need_weights=True)[1].detach())


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
    ],
)
@pytest.mark.parametrize("need_weights", [False, True])
def test_attention_refuses(change, words, need_weights):
    given = {
        "queries": torch.zeros(B, T, D),
        "keys": torch.zeros(B, S, D),
        "values": torch.zeros(B, S, D),
    } | change
    with pytest.raises(ValueError) as error:
        MultiHeadAttention(D, H)(**given, need_weights=need_weights)
    assert all(word in str(error.value) for word in words), error.value


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="5 heads do not divide d_model = 12; choose one of"):
        MultiHeadAttention(12, 5)


# -- layers and stacks ------------------------------------------------------------------------------------------------


def encoders(layers, norm_first):
    """Theirs and ours: one layer for layers = 0, otherwise a stack."""
    options = {"dropout": 0.0, "norm_first": norm_first}
    theirs = nn.TransformerEncoderLayer(D, H, D_FF, batch_first=True, **options)
    if not layers:
        return theirs, EncoderLayer(D, H, D_FF, **options)
    norm = nn.LayerNorm(D) if norm_first else None
    return (
        nn.TransformerEncoder(theirs, layers, norm, enable_nested_tensor=False),
        Encoder(D, H, layers, D_FF, **options),
    )


def decoders(layers, norm_first):
    options = {"dropout": 0.0, "norm_first": norm_first}
    theirs = nn.TransformerDecoderLayer(D, H, D_FF, batch_first=True, **options)
    if not layers:
        return theirs, DecoderLayer(D, H, D_FF, **options)
    norm = nn.LayerNorm(D) if norm_first else None
    return nn.TransformerDecoder(theirs, layers, norm), Decoder(D, H, layers, D_FF, **options)


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
    for need_weights in (False, True):
        ours.zero_grad()
        output, weights = ours(x, mask, need_weights)
        close(output.detach(), wanted.detach())
        output.square().sum().backward()
    wanted.square().sum().backward()
    weights = weights if layers else [weights]
    assert len(weights) == max(layers, 1)
    for one in weights:
        close(one.detach().sum(-1), torch.ones(B, H, T))
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
    for need_weights in (False, True):
        ours.zero_grad()
        output, self_weights, cross_weights = ours(x, memory, causal, cross_mask, need_weights)
        close(output.detach(), wanted.detach())
        output.square().sum().backward()
    wanted.square().sum().backward()
    self_weights, cross_weights = (w if layers else [w] for w in (self_weights, cross_weights))
    assert len(self_weights) == len(cross_weights) == max(layers, 1)
    for one, other in zip(self_weights, cross_weights, strict=True):
        assert one.shape == (B, H, T, T) and other.shape == (B, H, T, S)
        assert not one.triu(1).any()
    same_gradients(ours, theirs)


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
        (LAYER, theirs_with(activation="gelu"), ["activation = ", "gelu"]),
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
    output, weights = ours(memory, mask, need_weights=True)
    for one, other in zip((output, *weights), (wanted, *maps), strict=True):
        close(one.detach(), other)
    ours = disturbed(Decoder(D, H, 2, D_FF, norm_first=norm_first)).eval()
    layers, norm = in_numpy.stack_from_torch(ours)
    wanted, *maps = in_numpy.decoder(
        x.numpy(), memory.numpy(), layers, H, causal, mask, norm_first, norm
    )
    output, *weights = ours(x, memory, causal, mask, need_weights=True)
    for one, other in zip((output, *sum(weights, [])), (wanted, *sum(maps, [])), strict=True):
        close(one.detach(), other)


# -- dropout ----------------------------------------------------------------------------------------------------------


def test_dropout_is_where_the_paper_has_it():
    assert not any(isinstance(part, nn.Dropout) for part in FeedForward(D, D_FF).modules())
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    assert torch.equal(
        EncoderLayer(D, H, D_FF, dropout=1.0, norm_first=True)(x)[0], x
    )  # only what is added is dropped
    assert torch.equal(DecoderLayer(D, H, D_FF, dropout=1.0, norm_first=True)(x, memory)[0], x)
    assert torch.equal(
        EncoderLayer(D, H, D_FF, dropout=1.0)(x)[0], F.layer_norm(F.layer_norm(x, (D,)), (D,))
    )
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


# -- whole models -----------------------------------------------------------------------------------------------------


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


def test_models_put_the_parts_together():
    (transformer, (source, target)), (language, _) = list(models())[2:]
    transformer.eval(), language.eval()
    mask = padding_mask([7, 4, 1], S)
    memory, _ = transformer.encoder(transformer.source(source), mask)
    x, *_ = transformer.decoder(transformer.target(target), memory, causal_mask(T), mask)
    assert torch.equal(transformer(source, target, mask), transformer.output(x))
    x, _ = language.decoder(language.tokens(target), causal_mask(T))
    assert torch.equal(language(target), language.output(x))


@pytest.mark.parametrize("training", [False, True])
def test_models_return_the_weights_of_every_layer(training):
    for model, (*source, target) in models():
        model.train(training)
        maps = []
        if source:
            memory, encoder_weights = model.encode(source[0], need_weights=True)
            assert model.encode(source[0])[1] == [None, None]
            logits, self_weights, cross_weights = model.decode(target, memory, need_weights=True)
            assert [len(w) for w in (encoder_weights, self_weights, cross_weights)] == [2, 3, 3]
            assert model.decode(target, memory)[1:] == ([None] * 3, [None] * 3)
            maps += [*encoder_weights, *cross_weights]
        else:
            logits, self_weights = model.decode(target, need_weights=True)
            assert len(self_weights) == 2 and model.decode(target)[1] == [None, None]
        for weights in (*maps, *self_weights):
            close(weights.sum(-1).detach(), torch.ones(weights.shape[:-1]))
        assert not any(weights.triu(1).any() for weights in self_weights)
        if not training:
            close(logits.detach(), model(*source, target).detach())


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
    """Four words: the Transformer learns to say them backwards, the language model to say them again."""
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
