"""The widget Clocks; run as a script, this file writes the numbers for its JavaScript."""

import pytest
from traitlets import TraitError

from lib.positions import sinusoidal_positions
from lib.widgets import Clocks
from tests.widgets.golden import is_fresh, write


def golden():
    """PE(p) and PE(p) · PE(p + k) for a few places and widths."""
    cases = []
    for p, k, d_model in ((0, 0, 4), (1, 3, 16), (11, 3, 16), (97, 60, 32), (100, 7, 8)):
        positions = sinusoidal_positions(p + k + 1, d_model)
        product = float(positions[p] @ positions[p + k])
        case = {"p": p, "k": k, "d_model": d_model, "encoding": positions[p].tolist()}
        cases.append(case | {"product": product})
    return cases


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-12)


def test_only_the_distance_counts():
    demo = Clocks()
    before = demo.product
    demo.drawing.set_state({"p": 51})  # what the browser sends
    assert demo.p == 51 and demo.product == pytest.approx(before, abs=1e-9)
    demo.drawing.set_state({"k": 20})
    assert demo.k == 20 and abs(demo.product - before) > 0.1
    demo.drawing.k = 0
    for d_model in demo.dimensions.options:
        demo.dimensions.value = d_model
        assert demo.drawing.d_model == demo.d_model == d_model
        assert demo.product == pytest.approx(d_model / 2), (
            "each clock's hands lie on each other: 1 for each"
        )


def test_shuffle_moves_words_only_and_reset_restores():
    demo = Clocks(["dog", "bites", "man"])
    demo.drawing.p, product = 2, demo.product
    demo.shuffle.click()
    assert sorted(demo.words) == ["bites", "dog", "man"] and demo.words != ["dog", "bites", "man"]
    assert demo.p == 2 and demo.product == pytest.approx(product)
    assert demo.header.question.startswith("The words")
    assert "p=2, k=2, d_model=8" in repr(demo)
    demo.reset()
    assert (demo.p, demo.k, demo.words) == (1, 2, ["dog", "bites", "man"])
    assert demo.header.question.startswith("Both places")


def test_both_places_move_on_by_ten_and_the_first_time_the_product_is_veiled():
    demo = Clocks()
    more = next(each for each in demo.controls if each.description == "both + 10")
    less = next(each for each in demo.controls if each.description == "both − 10")
    before = demo.product
    more.click()
    assert demo.p == 11 and demo.drawing.veiled and demo.product == pytest.approx(before)
    demo.drawing.set_state({"veiled": False})  # Enter, in the browser
    less.click()
    less.click()
    assert demo.p == 0 and not demo.drawing.veiled, "the answer is known by now"


def test_enter_tells_the_story_and_what_is_asked_follows_what_is_moved():
    demo, words = Clocks(), Clocks().words
    told = []
    for label in ["both + 10", "k + 7", ""]:
        assert demo.drawing.enter == label
        demo.drawing.presses += 1
        asked = demo.header.question.partition(" move")[0]
        told.append((demo.p, demo.k, demo.words == words, demo.drawing.veiled, asked))
    assert told == [
        (11, 2, True, True, "Both places"),
        (11, 9, True, True, "Only the dashed place"),
        (1, 2, True, False, "Both places"),
    ]
    demo.drawing.set_state({"k": 3, "asks": "k"})
    assert demo.header.question == "Only the dashed place moves: does the product change?"


@pytest.mark.parametrize("words", [[], ["alone"], [1, 2], ["a"] * 9])
def test_bad_words_are_refused(words):
    with pytest.raises(ValueError, match="expected a list of two to eight words"):
        Clocks(words)


@pytest.mark.parametrize(("name", "value"), [("p", 101), ("p", -1), ("k", 61), ("k", 1.5)])
def test_places_beyond_the_drawing_are_refused(name, value):
    with pytest.raises(TraitError):
        setattr(Clocks().drawing, name, value)


if __name__ == "__main__":
    write(__file__, golden())
