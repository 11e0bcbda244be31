"""Training on a page: steps extend the curves, a second run begins again, Reset goes back."""

import numpy as np
import pytest

from lib import widgets

BEFORE, AFTER = np.full((2, 3), 1 / 3), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


@pytest.fixture
def view():
    return widgets.Training(
        BEFORE, ["a", "b"], ["x", "y", "z"], steps=100, curves=("loss", "right")
    )


def test_steps_extend_the_curves_and_replace_the_map(view):
    view.show(10, BEFORE, loss=2.0, right=0.1)
    view.show(20, AFTER, loss=np.float32(0.5), right=0.9)
    assert view.history == {"loss": [2.0, 0.5], "right": [0.1, 0.9]} and view.curve.x == [10, 20]
    np.testing.assert_allclose(view.map.array[0], AFTER)
    assert view.bar.value == 20


def test_a_second_run_does_not_lay_a_curve_over_the_first(view):
    for step in (10, 20, 10):
        view.show(step, AFTER, loss=step, right=0)
    assert view.curve.x == [10] and view.history["loss"] == [10.0]


def test_reset_shows_what_there_was_before(view):
    view.show(10, AFTER, loss=1, right=0)
    view.reset()
    assert view.curve.x == [] and view.history == {"loss": [], "right": []} and view.bar.value == 0
    np.testing.assert_allclose(view.map.array[0], BEFORE, rtol=1e-6)


def test_a_forgotten_number_is_named(view):
    with pytest.raises(KeyError, match="right"):
        view.show(10, AFTER, loss=1)


def test_a_button_trains_where_no_other_cell_does():
    began = []
    view = widgets.Training(
        BEFORE, ["a", "b"], ["x", "y", "z"], start=lambda: began.append(view.controls[0].disabled)
    )
    view.controls[0].click()
    assert began == [True] and not view.controls[0].disabled, (
        "a second click must not train once more"
    )
    assert view.curve.waiting == "Press train to start."
