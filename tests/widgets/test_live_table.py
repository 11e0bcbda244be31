"""The widgets with a table: LiveTable and EqualTable."""

import numpy as np

from lib import widgets

ODD = ["注意力", "🙂", "\r", "\0", "\ud800", "$x_1$", "≤ 1 × 2"]


def test_a_table_says_what_went_wrong_and_shows_no_old_numbers():
    def fragile(n):
        if n == 3:
            raise KeyError("three")
        return [["n", n]]

    demo = widgets.LiveTable(fragile, "t", "Predict: ?", ["", "n"], n=(1, [1, 2, 3]))
    demo.sliders["n"].value = 2
    demo.sliders["n"].value = 3
    assert demo.header.message == "KeyError: 'three'" and demo.drawing.rows == []
    demo.sliders["n"].value = 1
    assert demo.header.message == "" and demo.drawing.rows == [["n", "1"]]


def test_equal_means_equal():
    pairs = {
        "same": (np.ones(3), np.ones(3)),
        "off": (np.ones(3), np.ones(3) + 2e-6),
        "shape": (np.ones(3), np.ones((1, 3))),
        "nan": (np.ones(3), np.full(3, np.nan)),
    }
    demo = widgets.EqualTable(lambda n: pairs, n=(1, [1, 2]))
    verdicts = {row[0]: row[-1] for row in demo.drawing.rows}
    assert verdicts["same"].startswith("yes")
    assert (
        verdicts["off"].startswith("NO")
        and verdicts["nan"].startswith("NO")
        and verdicts["shape"].startswith("no")
    )
