"""A Transformer without its scale, positions, residual or causal mask does what these words say."""

import numpy as np
import pytest
import torch
from torch import nn

from lib.ablations import leave_out
from lib.interventions import looking
from lib.modules import LanguageModel, Transformer

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


@pytest.mark.parametrize("part", ["scale", "positions", "residual", "causal mask"])
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


@pytest.mark.parametrize(
    "parts, sentence",
    [
        (["softmax"], "'softmax'.*what can be left out: scale, positions, residual, causal mask"),
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
