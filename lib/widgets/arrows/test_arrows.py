"""The widget Arrows; run as a script, this file writes the numbers for its JavaScript."""

import numpy as np
import pytest

from lib.widgets import Arrows
from tests.widgets.golden import is_fresh, write


def golden():
    """Dot product, lengths and cosine of pairs of arrows; None where there is no direction."""
    pairs = [
        ((3, 1), (2, 1.2)),
        ((1.5, -0.3), (2, 1)),
        ((2, 1), (-1, 2)),
        ((1, 2), (-2, -4)),
        ((4, 4), (4, 4)),
    ]
    pairs += [((0, 0), (1, 2)), ((1, 2), (0, 0)), ((0.1, 0), (4, 0.1))]
    cases = []
    for q, k in np.array(pairs, float):
        lengths = np.linalg.norm(q), np.linalg.norm(k)
        turn = np.angle(complex(*k) * complex(*q).conjugate(), deg=True) if all(lengths) else None
        cases.append(
            {
                "q": q.tolist(),
                "k": k.tolist(),
                "dot": q @ k,
                "length": lengths[1],
                "shadow": q @ k / lengths[0] if lengths[0] else None,
                "cosine": np.cos(np.deg2rad(turn)) if all(lengths) else None,
            }
        )
    return cases


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-12)


def test_state_is_read_as_arrays():
    demo = Arrows()
    assert demo.scores[0] > demo.scores[1], "at the start the better aligned key wins"
    demo.drawing.set_state({"k2": [1.5, 4.0]})  # what the browser sends
    np.testing.assert_allclose(demo.k2, [1.5, 4.0])
    np.testing.assert_allclose(demo.scores, [demo.q @ demo.k, demo.q @ demo.k2])
    assert demo.scores[1] > demo.scores[0]


def test_changes_from_python_are_sent_and_reset_restores():
    demo = Arrows(q=(1, 2), k=(3, 1), k2=None)
    sent = []
    demo.drawing.send_state = lambda key: sent.append(key)
    demo.drawing.q = [0.0, -2.5]
    assert sent == ["q"] and demo.drawing.get_state("q") == {"q": [0.0, -2.5]}
    demo.drawing.chosen = 0
    demo.reset()
    np.testing.assert_array_equal(demo.q, [1, 2])
    assert demo.k2 is None and demo.drawing.chosen == 1 and len(demo.scores) == 1


def test_the_picture_of_the_longer_key_does_not_answer_the_first_question():
    demo = Arrows()
    question = demo.header.question
    demo.tell()
    assert demo.scores[1] > demo.scores[0] and "longer" in demo.header.question != question
    demo.reset()
    assert demo.header.question == question and demo.drawing.veiled


def test_enter_tells_the_story_and_starts_over():
    demo = Arrows()
    assert demo.drawing.veiled, "the picture would answer the question"
    question, direction = demo.header.question, demo.k2
    demo.drawing.veiled = False
    assert demo.drawing.enter == "Make k′ longer"
    demo.drawing.presses += 1
    assert demo.drawing.veiled, "who wins now is asked before it is told"
    assert demo.header.question != question and demo.scores[1] > demo.scores[0]
    assert demo.k2 / demo.k2[0] == pytest.approx(direction / direction[0]), "it turned"
    demo.drawing.presses += 1
    assert demo.scores[0] == pytest.approx(0) and demo.drawing.veiled
    assert demo.drawing.enter == "", "the story ends: Enter starts it over"
    demo.drawing.presses += 1
    assert demo.header.question == question and demo.drawing.done == 0
    np.testing.assert_array_equal(demo.k2, direction)


@pytest.mark.parametrize("q", [(0, 0), (4, 4), (0, -0.1), (-4, 0)])
def test_the_story_stays_on_the_plane(q):
    demo = Arrows(q, k=(4, 4), k2=(0, 0))
    for _ in range(2):
        demo.drawing.presses += 1
    assert demo.q @ demo.k == pytest.approx(0, abs=1e-12) and np.abs(demo.k).max() <= 4


@pytest.mark.parametrize(
    "bad", [(1, 2, 3), (np.nan, 1), (np.inf, 0), 3, (9, 0), (1,), ("a", 1), [[1, 2]], None]
)
def test_bad_input_is_refused(bad):
    with pytest.raises(ValueError, match="expected two numbers"):
        Arrows(q=bad)
    with pytest.raises(Exception, match="q"):
        Arrows().drawing.q = bad


def test_repr():
    demo = Arrows(q=(0, 0), k=(1.5, -0.3))
    assert repr(demo) == "Arrows(q=(0.0, 0.0), k=(1.5, -0.3), k2=(1.2, 3.2))"


if __name__ == "__main__":
    write(__file__, golden())
