"""The widget Directions."""

import numpy as np
import pytest

from lib import widgets


def test_random_directions_narrow_with_the_root_of_d():
    demo = widgets.Directions()
    for d in (2, 64, 512):
        demo.d.value = d
        assert demo.cosines.std() == pytest.approx(d**-0.5, rel=0.1)
        measured = np.degrees(np.arccos(demo.cosines)).std()
        assert demo.drawing.degrees == pytest.approx(measured, rel=0.05)
    demo.d.value = 2
    assert demo.drawing.degrees == pytest.approx(180 / 12**0.5, rel=1e-3), "all alike"


def test_enter_goes_on_to_more_dimensions_then_to_the_start():
    demo = widgets.Directions()
    demo.d.value = 4
    seen = []
    for _ in range(2):
        seen.append((demo.d.value, demo.drawing.enter))
        demo.drawing.presses += 1
        assert demo.drawing.veiled == (demo.d.value == 512), "only the answer is veiled"
        demo.drawing.veiled = False
    demo.drawing.presses += 1
    assert seen == [(4, "d = 8"), (8, "d = 512")]
    assert demo.d.value == 2 and demo.drawing.enter == "d = 8"


def test_keys_of_the_drawing_change_the_dimensions_within_their_ends():
    demo = widgets.Directions()
    sizes = []
    for kind in ("less", "more", "more", "less"):
        demo.drawing._handle_custom_msg({"type": kind}, [])
        sizes.append(demo.d.value)
    assert sizes == [2, 3, 4, 3]
