"""The widgets with a histogram: ScalingDial and Directions."""

import pytest

from lib import widgets


def test_the_dial_shows_what_notebook_3_says():
    dial = widgets.ScalingDial()
    shares = {}
    for d_k in (1, 64, 512):
        dial.d_k.value = d_k
        shares[d_k] = dial.saturated
        assert dial.scores.std() == pytest.approx(d_k**0.5, rel=0.1)
        assert sum(dial.drawing.counts) == dial.scores.size, (
            "scores beyond the axis are counted at its ends"
        )
    assert shares[1] == 0 and 0.2 < shares[64] < 0.35 and 0.6 < shares[512] < 0.8
    dial.divisor.value = "√d_k"
    assert dial.saturated == 0 and dial.scores.std() == pytest.approx(1, rel=0.05)


def test_random_directions_narrow_with_the_root_of_d():
    demo = widgets.Directions()
    for d in (2, 64, 512):
        demo.d.value = d
        assert demo.cosines.std() == pytest.approx(d**-0.5, rel=0.1)
