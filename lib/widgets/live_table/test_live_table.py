"""The widgets with a table: LiveTable and EqualTable."""

import numpy as np
import torch

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
    assert demo.drawing.sentence == "There are no rows."
    demo.sliders["n"].value = 1
    assert demo.header.message == "" and demo.drawing.rows == [["n", "1"]]
    assert demo.drawing.sentence == "The rows for n = 1."


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
    assert demo.drawing.verdicts == [True, False, False, False]
    assert demo.drawing.sentence == "Not equal to PyTorch within 1e-6: 3 of 4 rows."


def test_tensors_are_compared_where_the_page_switched_gradients_off():
    # A slider's move comes in another thread, in which torch has not been told to.
    halves = torch.full((2, 3), 0.5, requires_grad=True)
    demo = widgets.EqualTable(lambda n: {"halves": (halves, halves + 0)}, n=(1, [1, 2]))
    assert demo.header.message == ""
    assert demo.drawing.rows == [["halves", "2 × 3", "0.0e+00", "yes, ≤ 1e-6"]]


def test_the_sentence_says_that_all_rows_agree():
    def compare(n):
        pairs = {"sum": (np.ones(n), np.ones(n)), "mean": (np.ones(1), np.ones(1))}
        return dict(list(pairs.items())[:n])

    demo = widgets.EqualTable(compare, n=(2, [1, 2]))
    assert demo.drawing.sentence == "All 2 rows agree with PyTorch to 1e-6."
    demo.sliders["n"].value = 1
    assert demo.drawing.sentence == "The row agrees with PyTorch to 1e-6."
