"""The widget Depth; run as a script, this file writes the points for its JavaScript."""

import numpy as np
import pytest
import torch

from lib.layers import EncoderLayerParameters, NormParameters, encoder_layer
from lib.widgets import Depth
from lib.widgets.depth.depth import HEADS, TOKENS
from tests.widgets.golden import is_fresh, write

STATES = [(0, True), (3, True), (12, True), (1, False), (3, False)]  # layers, residual


def golden():
    """The points of a few states, from far apart to all in one place."""
    demo, states = Depth(), []
    for demo.layers.value, demo.residual.value in STATES:
        points = demo.drawing.paths[demo.drawing.layer]
        states.append({"tokens": demo.drawing.tokens, "points": points})
    return states


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-9)


def test_with_everything_on_it_is_the_encoder_of_the_course():
    demo = Depth(seed=4)
    assert demo.vectors.shape == (13, len(TOKENS), 32) and demo.cosines.shape == (13,)
    for layer, (attention, feed) in enumerate(demo.parameters):
        parameters = EncoderLayerParameters(attention, feed, NormParameters(), NormParameters())
        output, _ = encoder_layer(demo.vectors[layer], parameters, HEADS)
        np.testing.assert_allclose(demo.vectors[layer + 1], output, atol=1e-9)


def test_the_parameters_are_as_large_as_torch_makes_them():
    layer = EncoderLayerParameters.from_torch(torch.nn.TransformerEncoderLayer(32, HEADS, 64))
    for ours, theirs in zip(
        Depth().parameters[0], (layer.attention, layer.feed_forward), strict=True
    ):
        for name in (
            "query",
            "key",
            "value",
            "output",
            "inner",
            "inner_bias",
            "outer",
            "outer_bias",
        ):
            if hasattr(ours, name):
                assert getattr(ours, name).shape == getattr(theirs, name).shape
                assert abs(getattr(ours, name)).max() == pytest.approx(
                    abs(getattr(theirs, name)).max(), rel=0.15
                )


@pytest.mark.parametrize("seed", range(5))
def test_what_the_page_says_holds_for_any_seed(seed):
    demo = Depth(seed=seed)
    assert demo.cosines[3] < 0.25 and demo.cosines[12] < 0.8, (
        "with the residual path the words stay apart"
    )
    drift = demo.cosines[12]
    demo.feed_forward.value = False
    assert demo.cosines[12] < drift - 0.15, "the feed-forward network drives a part of the drift"
    demo.feed_forward.value = True
    demo.residual.value = False
    for demo.norm.value in (True, False):
        for demo.feed_forward.value in (True, False):
            assert 0.3 < demo.cosines[1] < 1 and demo.cosines[3] > 0.99, (
                "without it they become one"
            )


def test_state_is_sent_read_and_reset():
    demo = Depth()
    assert demo.drawing.layer == 3 and demo.drawing.means == demo.cosines.tolist()
    demo.drawing.set_state({"chosen": 2})  # what the browser sends
    demo.layers.value = 0
    vectors = demo.vectors[0] / np.linalg.norm(demo.vectors[0], axis=-1, keepdims=True)
    cosines = vectors @ vectors[2]
    nearest = {"token": np.argsort(cosines)[-2], "cosine": np.sort(cosines)[-2]}
    assert demo.drawing.nearest[2] == pytest.approx(nearest)
    assert np.shape(demo.drawing.paths) == (13, len(TOKENS), 2)
    assert np.abs(demo.drawing.paths).max() < 0.9, "the dots are inside the plane"
    assert demo.drawing.directions == demo.vectors.shape[-1]
    demo.reset()
    assert demo.drawing.layer == 3 and demo.drawing.chosen == 7
    assert repr(demo) == "Depth(layers=3, residual path=True, layer norm=True, feed-forward=True)"


def test_enter_tells_the_story():
    demo = Depth()
    assert demo.drawing.veiled
    told = []
    for _ in range(3):
        demo.norm.value = demo.drawing.veiled = False
        demo.drawing.presses += 1
        told.append((demo.layers.value, demo.residual.value, demo.norm.value))
        assert demo.drawing.veiled and "?" in demo.header.question
    assert told == [(3, False, True), (12, True, True), (3, True, True)]


def test_the_question_is_that_of_what_is_shown_whoever_chose_it():
    demo = Depth()
    first = demo.header.question
    demo.drawing.presses += 1
    asked = demo.header.question
    assert asked == "Without the residual path: how alike after 3 random layers?"
    demo.layers.value = 4
    assert demo.header.question == asked.replace("3", "4")
    demo.residual.value, demo.layers.value = True, 3
    assert demo.header.question == first
    demo.layers.value = 1
    assert demo.header.question == "After 1 random layer, how alike are different words?"
    demo.drawing.veiled = False
    demo.drawing.presses += 1
    asked = demo.header.question
    assert asked == "All parts again, but 12 random layers: how alike now?"
    demo.norm.value = False
    assert demo.header.question == "After 12 random layers, how alike are different words?"
    demo.norm.value = True
    assert demo.header.question == asked


def test_the_picture_shows_the_answer_to_its_question():
    demo = Depth()
    start = demo.header.question
    demo.tell()
    assert demo.header.question.startswith("Without the residual path")
    assert not demo.residual.value and not demo.drawing.veiled and demo.cosines[3] > 0.99
    demo.drawing.presses += 1
    assert demo.layers.value == 12 and demo.residual.value, "the story goes on from there"
    demo.reset()
    assert demo.header.question == start and demo.drawing.done == 0


@pytest.mark.parametrize("tokens", [[], ["alone"], [1, 2], ["a"] * 17])
def test_bad_tokens_are_refused(tokens):
    with pytest.raises(ValueError, match="expected a list of 2 to 16 words"):
        Depth(tokens)


if __name__ == "__main__":
    write(__file__, golden())
