"""The widget ScalingDial."""

import numpy as np
import pytest

from lib import widgets
from lib.widgets.frame.random_vectors import SIZES


def test_the_dial_shows_what_notebook_3_says():
    dial = widgets.ScalingDial()
    for d_k, largest in ((1, 0.15), (64, 0.92), (512, 1)):
        dial.d_k.value = d_k
        assert dial.drawing.weights[0] == pytest.approx(largest, abs=0.005)
        assert dial.scores.std() == pytest.approx(d_k**0.5, rel=0.1)
    dial.divisor.value = "√d_k"
    assert dial.scores.std() == pytest.approx(1, rel=0.05)


def test_the_row_that_is_drawn_is_the_median_query():
    dial = widgets.ScalingDial()
    for d_k in SIZES:
        dial.d_k.value = d_k
        row = dial.drawing.weights
        assert row == sorted(row, reverse=True) and sum(row) == pytest.approx(1, abs=1e-5)
        assert row[0] == pytest.approx(np.median(dial.weights.max(axis=-1)), abs=0.001)
    dial.d_k.value = 64
    assert f"{dial.drawing.weights[0]:.2f}" == "0.92"
    dial.divisor.value = "√d_k"
    assert f"{dial.drawing.weights[0]:.2f}" == "0.22", "also when it is divided"


def test_without_is_sent_beside_what_is_divided():
    dial = widgets.ScalingDial()
    drawing = dial.drawing
    assert drawing.plain_rows == drawing.rows
    alone, rows = drawing.spreads, drawing.rows
    dial.divisor.value = "√d_k"
    assert drawing.divisor == "√d_k"
    assert drawing.plain_rows == rows
    assert alone[0] == pytest.approx(1, abs=0.05) and alone[-1] > 22
    assert all(0.95 < spread < 1.05 for spread in drawing.spreads)


@pytest.mark.parametrize("divisor", ["nothing", "√d_k", "log d_k"])
def test_each_row_is_what_the_dial_shows_there(divisor):
    dial = widgets.ScalingDial()
    dial.divisor.value = divisor
    for dial.d_k.value in (8, 64, 512):
        here = SIZES.index(dial.d_k.value)
        assert dial.drawing.rows[here] == pytest.approx(dial.drawing.weights, abs=1e-4)


@pytest.mark.parametrize("divisor, steady", [("√d_k", True), ("d_k", False), ("8", False)])
def test_only_the_root_keeps_the_largest_weight_at_every_d_k(divisor, steady):
    dial = widgets.ScalingDial()
    dial.divisor.value = divisor
    far = []
    for dial.d_k.value in (8, 64, 512):
        far.append(dial.drawing.weights[0])
        assert far[-1] == pytest.approx(np.median(dial.weights.max(axis=-1)), abs=0.001)
    assert (max(far) < 1.1 * min(far)) == steady
    dial.divisor.value = "nothing"
    assert dial.drawing.weights[0] > 0.99


@pytest.mark.parametrize(
    "text, number",
    [
        ("8", 8),
        ("0,5", 0.5),
        (" LOG ", 4.158883),
        ("√d_k", 8),
        ("d_k", 64),
        ("", 1),
        ("nothing", 1),
    ],
)
def test_what_a_hall_may_divide_by(text, number):
    dial = widgets.ScalingDial()
    dial.d_k.value, dial.divisor.value = 64, text
    assert 1 / dial.scale == pytest.approx(number) and not dial.header.message
    assert dial.scores.std() == pytest.approx(8 / number, rel=0.1)


@pytest.mark.parametrize("text", ["0", "-2", "nan", "inf", "1e999", "kittens", "y" * 90])
def test_what_cannot_divide_is_said_and_the_drawing_stays(text):
    dial = widgets.ScalingDial()
    dial.divisor.value = "√d_k"
    before = dial.drawing.get_state()
    dial.divisor.value = text
    assert "A number above 0" in dial.header.message and dial.drawing.get_state() == before
    dial.d_k.value = 64
    assert 1 / dial.scale == 8, "the dial still turns, and the last that could divide divides"
    dial.divisor.value = "2"
    assert dial.header.message == "" and dial.drawing.divisor == "2"


def test_at_1_the_logarithm_divides_nothing():
    dial = widgets.ScalingDial()
    dial.divisor.value = "log d_k"
    assert dial.scale == 1 and dial.header.message.startswith("log 1 is 0")


@pytest.mark.parametrize("seen", [{}, {"presses": 1}, {"presses": 1, "veiled": False}])
def test_what_is_typed_before_it_is_asked_answers_what_to_divide_by(seen):
    dial = widgets.ScalingDial()
    dial.drawing.set_state(seen)
    dial.divisor.value = "8"
    assert dial.header.question.startswith("Divide by what") and not dial.drawing.veiled
    assert dial.drawing.enter == "Try d_k"
    dial.reset()
    assert dial.header.question.startswith("At d_k = 64") and dial.drawing.done == 0


def test_enter_tells_the_story_of_the_dial():
    dial = widgets.ScalingDial()
    question, largest, veiled = dial.header.question, [], []
    for _ in range(4):
        dial.drawing.presses += 1
        veiled.append(dial.drawing.veiled)
        dial.drawing.veiled = False
        largest.append(np.median(dial.weights.max(axis=-1)))
    assert veiled == [True, False, False, False], "what can be predicted is"
    assert largest[0] > 0.9 and largest[2] < 0.1, "sharp, and divided by d_k too flat"
    dial.d_k.value = SIZES[-1]
    at_512 = np.median(dial.weights.max(axis=-1))
    assert largest[3] == pytest.approx(at_512, abs=0.02), "the root holds at 512"
    dial.drawing.presses += 1
    assert dial.header.question == question and dial.d_k.value == 1
