"""The widget Patches; run as a script, this file writes the numbers for its JavaScript."""

import numpy as np
import pytest

from lib.attention import softmax
from lib.widgets import Patches
from lib.widgets.patches.patches import SIDE, scene
from tests.widgets.golden import is_fresh, write


def golden():
    """What some patches see when the weights of query i are 1, 2, ... 196 shares, shifted by i."""
    tokens = SIDE * SIDE
    query, key = np.indices((tokens, tokens))
    weights = softmax(np.log(1.0 + (key + query) % tokens))
    cases = []
    for patch in [(0, 0), (3, 5), (5, 3), (13, 13)]:
        row = weights[np.ravel_multi_index(patch, (SIDE, SIDE))]
        most = [int(i) for i in np.unravel_index(row.argmax(), (SIDE, SIDE))]
        own = row.reshape(SIDE, SIDE)[patch]
        cases.append(
            {"patch": list(patch), "most": most, "largest": row.max(), "own": own, "sum": row.sum()}
        )
    return {"tokens": tokens, "cases": cases}


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-9)


def test_what_is_sent_are_the_weights():
    demo = Patches()
    sent = np.frombuffer(demo.drawing.weights, np.float32).reshape(196, 196)
    np.testing.assert_array_equal(sent, demo.weights.astype(np.float32))
    np.testing.assert_allclose(sent.sum(axis=-1), 1, atol=1e-5)
    demo.sharpness.value = 0.0
    np.testing.assert_allclose(np.frombuffer(demo.drawing.weights, np.float32), 1 / 196, rtol=1e-5)


def test_a_patch_looks_at_patches_like_it():
    image = np.zeros((28, 42, 3))  # patches of 2 x 3 pixels
    image[:, 21:] = 1.0
    demo = Patches(image)
    assert demo.tokens.shape == (196, 18)
    row = demo.weights[SIDE * 5 + 2].reshape(SIDE, SIDE)  # a patch on the left
    assert (row[:, :7] > row[:, 7:]).all()


def test_the_winner_is_the_longer_vector_and_has_its_name():
    demo = Patches()
    names, lengths = demo.drawing.names, demo.drawing.lengths
    for row, column, asks, winner in [(5, 8, "sky", "cloud"), (13, 1, "grass", "tree")]:
        here = SIDE * row + column
        most = demo.weights[here].argmax()
        assert (names[here], names[most]) == (asks, winner)
        assert lengths[most] > 1.5 * lengths[here]
    assert Patches(np.ones((14, 14, 3))).drawing.names == [], "nobody knows what is in it"


def test_sky_finds_sky():
    demo = Patches()
    row = demo.weights[SIDE * 1 + 6].reshape(SIDE, SIDE)
    assert row[:4].mean() > 3 * row[8:].mean()


def test_the_angle_decides_at_equal_lengths():
    demo = Patches()
    sky, cloud = SIDE * 5 + 8, demo.weights[SIDE * 5 + 8].argmax()
    assert demo.drawing.angles[sky] == 33 and demo.drawing.angles[cloud] == 0, "to itself"
    units = demo.tokens / np.linalg.norm(demo.tokens, axis=-1, keepdims=True)
    assert np.degrees(np.arccos(units[sky] @ units[cloud])) == pytest.approx(33, abs=0.5)
    demo.equal.value = True
    np.testing.assert_array_equal(np.argsort(demo.weights[sky]), np.argsort(units @ units[sky]))


def test_choice_is_read_and_reset_restores():
    demo = Patches()
    demo.drawing.set_state({"patch": [3, 5], "pinned": True})  # what the browser sends
    demo.sharpness.value = 1.0
    assert demo.patch == (3, 5)
    demo.reset()
    assert demo.patch == (5, 8) and not demo.drawing.pinned and demo.sharpness.value == 0.2


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
def test_own_image(kind):
    image = (scene() * (255 if kind is np.uint8 else 1)).astype(kind)
    demo = Patches(image)
    sent = np.frombuffer(demo.drawing.pixels, np.uint8).reshape(112, 112, 3)
    np.testing.assert_allclose(sent, scene() * 255, atol=1)
    assert demo.header.question.startswith("This patch asks"), "nobody knows what is in it"


def test_enter_tells_the_story():
    demo = Patches()
    assert demo.drawing.veiled and "sky" in demo.header.question
    told = []
    for label in ["equal lengths", ""]:
        assert demo.drawing.enter == label
        demo.drawing.veiled = False
        demo.drawing.presses += 1
        told.append((demo.patch, demo.equal.value))
        assert demo.drawing.veiled and "?" in demo.header.question
    assert told == [((5, 8), True), ((5, 8), False)]


def test_a_picture_of_one_colour_shares_equally():
    np.testing.assert_allclose(Patches(np.ones((14, 14, 3))).weights, 1 / 196, rtol=1e-5)


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.zeros((100, 112, 3)), "multiple of 14"),
        (np.zeros((112, 112)), "expected .height, width, 3."),
        (np.zeros((112, 112, 4)), "expected .height, width, 3."),
        (np.zeros((0, 112, 3)), "expected .height, width, 3."),
        (np.full((14, 14, 3), 2.0), "floats from 0 to 1"),
        (np.full((14, 14, 3), np.nan), "floats from 0 to 1"),
        (np.zeros((14, 14, 3), int), "expected uint8"),
        ("photo.png", "expected .height, width, 3."),
    ],
)
def test_bad_images_are_refused(image, words):
    with pytest.raises(ValueError, match=words):
        Patches(image)


def test_the_question_is_that_of_what_is_shown_whoever_chose_it():
    demo = Patches()
    first = demo.header.question
    demo.equal.value = True
    assert demo.header.question == "All vectors made equally long: who gets it now?"
    demo.equal.value = False
    assert demo.header.question == first


def test_repr():
    demo = Patches()
    assert repr(demo) == "Patches(sharpness=0.2, equal lengths=False)"


if __name__ == "__main__":
    write(__file__, golden())
