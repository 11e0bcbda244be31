"""The widget Bars; run as a script, this file writes the numbers for its JavaScript."""

import numpy as np
import pytest

from lib import widgets
from lib.attention import softmax
from tests.widgets.golden import is_fresh, write


def golden():
    """Scores whose last one stands for several equal keys, with their weights."""
    cases = [
        ([2.0, 1.0, 0.0], 1),
        ([2.0, 0.0], 63),
        ([1000.0, 999.0, -1000.0], 5),
        ([-3.5, -3.5], 4095),
    ]
    rows = []
    for scores, copies in cases:
        weights = softmax(scores + scores[-1:] * (copies - 1))[: len(scores)]
        rows.append({"scores": scores, "copies": copies, "weights": weights.tolist()})
    return rows


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden())


def test_bars_follow_the_story_and_are_read_back():
    demo = widgets.Bars()
    before = demo.weights
    demo.next_step()
    np.testing.assert_allclose(demo.weights, before)
    demo.next_step()
    assert demo.weights.max() > 0.75
    demo.next_step()
    demo.number.value = 4096
    assert demo.weights.shape == (4096,) and demo.weights[0] == pytest.approx(0.0018, abs=1e-4)
    demo.temperature.value = 0.1
    assert demo.weights[0] > 0.99


def test_enter_asks_one_question_after_the_other_and_starts_again():
    demo = widgets.Bars()
    asked, seen = [], []
    for step in demo.story:
        demo.drawing.veiled = False
        demo.next_step()
        asked.append(demo.header.question)
        seen.append(demo.scores[0])
        assert demo.drawing.veiled == step.veils, "what is asked is not shown"
    assert seen == [5, 6, 2, 2], "the first scores are multiplied"
    assert len(set(asked)) == 4 and demo.number.value == 4096
    demo.next_step()
    assert not demo.drawing.veiled and demo.number.value == 8 and demo.scores[0] == 2


@pytest.mark.parametrize("scores", [[1.0], [1.0, np.nan], [1.0, np.inf], [1.0, 2.0, 3.0]])
def test_bars_refuse_what_they_cannot_show(scores):
    with pytest.raises(ValueError, match="expected two or more finite scores"):
        widgets.Bars(scores, ["a", "b"])


if __name__ == "__main__":
    write(__file__, golden())
