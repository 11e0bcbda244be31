"""Charts: what matplotlib's font cannot draw becomes "?", in names and in titles."""

import warnings

import numpy as np
import pytest

from lib import plots

ODD = ["注意力", "🙂", "\r", "\0", "\ud800", "$x_1$", "Q Kᵀ"]


def test_what_the_font_has_not_becomes_a_question_mark():
    texts = [plots.drawable(text) for text in ODD]
    assert texts == ["???", "?", "?", "?", "?", r"\$x_1\$", "Q Kᵀ"]
    assert plots.drawable("a" * 20) == "a" * 12 and plots.drawable("a" * 20, None) == "a" * 20


@pytest.mark.parametrize("odd", ODD)
def test_no_glyph_is_missing(odd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for picture in (
            plots.maps({odd: np.ones((1, 2))}, [odd], [odd, odd]),
            plots.maps({odd: np.ones((1, 2))}, [odd], [odd, odd], label="score"),
        ):
            assert picture._repr_png_()
