"""What a chart says to those who do not see it."""

import numpy as np
import pytest

from lib.charts import plots
from lib.charts.words import chart_words

WORDS = ["the", "animal", "slept"]
TABLE = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.65, 0.25]]


def test_a_map_says_where_each_row_has_most():
    said = chart_words(plots.maps({"head 1": TABLE}, WORDS, WORDS))
    assert said == (
        "head 1, query (who asks) over key (who is asked): "
        "most in each row the → the 0.6, animal → animal 0.7, slept → animal 0.65."
    )


def test_of_many_rows_the_largest_number_of_each_map():
    tables = {f"head {i}": np.roll(TABLE, i, axis=1) for i in range(5)}
    said = chart_words(plots.maps(tables, WORDS, WORDS))
    assert said.count("most animal → ") == 5
    # Their names are written beside the first map alone.
    assert "most animal → slept 0.7. head 2" in said


def test_lines_say_where_they_begin_and_end():
    curves = {"scaled": [1, 1, 1], "not scaled": [1, 4, 0.1234]}
    said = chart_words(plots.lines([1, 2, 4096], curves, "$d_k$", "spread", xscale="log"))
    assert said == (
        "spread over d_k: scaled from (1, 1) to (4,096, 1), between 1 and 1; "
        "not scaled from (1, 1) to (4,096, 0.12), between 0.12 and 4."
    )


def test_bars_say_their_names_and_heights_though_the_names_stand_once():
    figure = plots.figure()
    figure.suptitle("Two ways")
    charts = {"without": [0.25, 0.75], "with": [0.5, 0.5]}
    panels = figure.subplots(2, sharex=True)
    for axes, (label, heights) in zip(panels, charts.items(), strict=True):
        axes.bar([0, 1], heights)
        axes.set_xticks([0, 1], ["cat", "dog"])
        axes.set_ylabel(label)
    said = chart_words(figure)
    assert said == "Two ways. without: cat 0.25; dog 0.75. with: cat 0.5; dog 0.5."


def test_dots_say_how_far_they_reach_in_each_row():
    rows = {
        "whole": {"French": [0.9, 1], "Chinese": [0.8]},
        "no scale": {"French": [0], "Chinese": [0.1]},
    }
    said = chart_words(plots.dots({"alone": rows}))
    assert said == ("alone: French whole 0.9 to 1, no scale 0; Chinese whole 0.8, no scale 0.1.")


def test_places_in_a_plane_say_their_names():
    said = chart_words(plots.move(np.eye(2), ["cat", "$5"], 0, [0.5, 0.5], ["x", "y"]))
    assert said == "y over x: 2 dots; cat at (1, 0); $5 at (0, 1)."
    said = chart_words(plots.averages(np.eye(4, 2), np.zeros((9, 2))))
    assert said == "second component over first component: 6 lines; 9 outputs; 4 values."


@pytest.mark.parametrize("draw", ["plot", "bar", "scatter", "fill_between", "hist"])
def test_whatever_a_reader_draws_is_shown(draw):
    """The words come with the picture, so what they do not know must not keep it away."""
    figure = plots.figure()
    axes = figure.subplots()
    getattr(axes, draw)(*([[1, 2], [3, 1]] if draw != "hist" else [[1, 2, 2]]))
    png, look = figure._repr_png_()
    assert png.startswith(b"\x89PNG") and look["width"] == 672


def test_an_empty_figure_says_so():
    assert chart_words(plots.figure()) == "An empty chart."
