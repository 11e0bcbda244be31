"""A Transformer without one of its parts does what these words say."""

import numpy as np
import pytest
import torch
from torch import nn

from lib.ablations import LEAVE_OUT, leave_out, leave_out_residual
from lib.interventions import looking
from lib.modules import Encoder, LanguageModel, Transformer

B, T, S = 2, 4, 5


def model(without=(), **options):
    torch.manual_seed(0)
    transformer = Transformer(11, 13, 12, 3, 2, 2, 20, dropout=0.0, **options).eval()
    leave_out(transformer, without)
    return transformer


def tokens():
    draw = np.random.default_rng(0)
    return torch.tensor(draw.integers(3, 11, (B, S))), torch.tensor(draw.integers(3, 11, (B, T)))


def maps_of(transformer, source, target):
    with looking(transformer) as maps:
        transformer(source, target)
    return maps


@pytest.mark.parametrize("part", [part for part in LEAVE_OUT if "W_Q" not in part])
def test_what_is_left_out_makes_a_difference(part):
    source, target = tokens()
    assert not torch.allclose(model()(source, target), model(without=[part])(source, target))


def test_left_out_parts_do_what_their_names_say():
    source, target = tokens()
    order = [3, 1, 4, 0, 2]
    plain = model(without=["positions"])
    torch.testing.assert_close(plain.encode(source[:, order]), plain.encode(source)[:, order])
    later = target.clone()
    later[:, -1] = 3
    first = {}
    for without in ((), ("causal mask",)):
        transformer = model(without)
        difference = transformer(source, target) - transformer(source, later)
        first[without] = difference[:, 0].abs().max()
    assert first[()] == 0 and first[("causal mask",)] > 1e-4
    scores = {}
    for without in ((), ("scale",)):
        transformer = model(without)
        scores[without] = maps_of(transformer, source, target)["encoder"][0].log()
    rows = [each - each.mean(-1, keepdim=True) for each in scores.values()]
    torch.testing.assert_close(rows[1], 2 * rows[0])  # d_k = 4
    bare = model(["residual"])
    for layer in [*bare.encoder.layers, *bare.decoder.layers]:
        nn.init.zeros_(layer.feed_forward.outer.weight)
        nn.init.zeros_(layer.feed_forward.outer.bias)
    torch.testing.assert_close(bare.encode(source), bare.encode(source.flip(1)))


def test_without_feed_forward_no_token_gets_anything_from_it():
    source, target = tokens()
    bare = model(["feed-forward"])
    before = bare(source, target)
    for layer in [*bare.encoder.layers, *bare.decoder.layers]:
        nn.init.normal_(layer.feed_forward.outer.weight)
    assert torch.equal(bare(source, target), before)
    before.sum().backward()
    assert bare.encoder.layers[0].feed_forward.inner.weight.grad is None
    assert bare.encoder.layers[0].attention.value.weight.grad is not None


def test_without_relu_the_feed_forward_is_one_linear_map():
    feed_forward = model(["ReLU"]).encoder.layers[0].feed_forward
    x, y = torch.randn(2, T, 12)
    nothing = feed_forward(torch.zeros(T, 12))
    torch.testing.assert_close(feed_forward(x + y) + nothing, feed_forward(x) + feed_forward(y))


def test_without_layer_norm_the_encoder_keeps_the_size_of_what_it_is_given():
    bare = model(["layer norm", "feed-forward"])
    for layer in bare.encoder.layers:
        nn.init.zeros_(layer.attention.output.weight)
        nn.init.zeros_(layer.attention.output.bias)
    x = 100 * torch.randn(B, S, 12)
    assert torch.equal(bare.encoder(x), x)


def test_with_smaller_queries_the_untrained_model_is_the_scaled_one():
    source, target = tokens()
    moved = model(["scale, with smaller W_Q"])
    torch.testing.assert_close(moved(source, target), model()(source, target))
    attention = moved.decoder.layers[0].cross_attention
    assert attention.scale == 1.0
    torch.testing.assert_close(
        2 * attention.query.weight, model().decoder.layers[0].cross_attention.query.weight
    )  # d_k = 4


@pytest.mark.parametrize(
    "parts, sentence",
    [
        (["softmax"], "'softmax'.*what can be left out: scale, .*positions, residual"),
        (None, r"None; write a list of what to leave out, \['scale'\]"),
        ([3], r"\[3\]; what can be left out: scale"),
        ([["scale"]], "what can be left out: scale"),
        ("positions", r"'positions'; write a list of what to leave out, \['positions'\]"),
    ],
)
def test_what_cannot_be_left_out_is_refused(parts, sentence):
    with pytest.raises(ValueError, match=sentence):
        leave_out(model(), parts)


def test_parts_are_left_out_of_a_transformer_that_has_them():
    with pytest.raises(ValueError, match="LanguageModel; expected a Transformer"):
        leave_out(LanguageModel(11, 12, 3, 1, 20), ["scale"])
    with pytest.raises(ValueError, match="norms the sum.*norm_first=True"):
        model(["residual"], norm_first=False)


@torch.no_grad()
def test_the_residual_can_be_left_out_of_a_stack_alone():
    torch.manual_seed(0)
    stack = Encoder(12, 3, 1, 20, dropout=0.0, norm_first=True)
    x = torch.randn(B, S, 12)
    leave_out_residual(stack)
    [layer] = stack.layers
    normed = layer.norm_1(x)
    looked = layer.attention(normed, normed, normed)
    torch.testing.assert_close(layer(x), layer.feed_forward(layer.norm_2(looked)))
