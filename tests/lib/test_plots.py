"""Charts: the colours of the numbers, sharp pictures at their width, and letters of any script."""

import io
import warnings

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import to_rgb
from PIL import Image

from lib.charts import plots
from lib.charts.colours import BELOW_ZERO

ODD = ["注意力", "🙂", "\r", "\0", "\ud800", "$x_1$", "Q Kᵀ"]
SCALES = [(0, 1), (-1, 1), (0, 37.5)]
LEGIBLE = 4.5  # contrast of small text, as in WCAG 2


def cells(table, scale):
    """The colour of each cell, from 0 to 1: (rows, columns, 3); and the colours of the digits."""
    table = np.asarray(table, dtype=float)
    axes = plots.figure().subplots()
    image = plots.heatmap(axes, table, [], [], scale=scale)
    inks = [to_rgb(text.get_color()) for text in axes.texts]
    return image.to_rgba(table)[..., :3], inks


def luminance(color):
    """Of sRGB from 0 to 1, as WCAG 2 defines it."""
    color = np.asarray(color)
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def shown(picture):
    """As a cell of a page shows it: the image, and its metadata."""
    data, metadata = DisplayFormatter().format(picture)
    return Image.open(io.BytesIO(data["image/png"])), metadata["image/png"]


def digits(picture):
    """What is written in the cells of each map."""
    maps = [axes for axes in picture.axes if axes.get_label() != "<colorbar>"]
    return [[text.get_text() for text in axes.texts] for axes in maps]


def test_zero_is_the_paper_and_a_weight_of_one_is_indigo():
    [[paper, indigo]], _ = cells([[0, 1]], (0, 1))
    assert paper == pytest.approx(to_rgb("white"))
    assert indigo == pytest.approx(to_rgb(plots.WEIGHT))


def test_below_zero_is_grey_and_zero_is_the_paper_still():
    [[grey, paper, indigo]], _ = cells([[-2, 0, 2]], (-2, 2))
    assert grey == pytest.approx(to_rgb(BELOW_ZERO))
    assert paper == pytest.approx(to_rgb("white"))
    assert indigo == pytest.approx(to_rgb(plots.WEIGHT))


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_more_is_further_from_the_paper(scale):
    [row], _ = cells([np.linspace(0, scale[1], 50)], scale)
    assert (np.diff(luminance(row)) < 0).all()


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_every_digit_is_legible_on_its_cell(scale):
    [row], inks = cells([np.linspace(*scale, 1001)], scale)
    worst = min(contrast(cell, digit) for cell, digit in zip(row, inks, strict=True))
    assert worst >= LEGIBLE


@pytest.mark.parametrize(
    ("numbers", "scale"),
    [([[1, 4]], (0, 4)), ([[-1, 4]], (-4, 4)), ([[-4, 1]], (-4, 4)), ([[0, 0]], (0, 1))],
)
def test_a_scale_begins_at_zero_or_as_far_below_it_as_above(numbers, scale):
    picture = plots.maps({"scores": numbers}, ["query"], ["one", "two"], label="score")
    assert picture.axes[0].collections[0].get_clim() == scale


def test_weights_have_one_scale_on_every_page():
    picture = plots.maps({"small": [[0.1, 0.2]]}, ["query"], ["one", "two"])
    assert picture.axes[0].collections[0].get_clim() == (0, 1)


def test_whole_numbers_are_written_without_a_point():
    tables = {"causal": np.tri(2, dtype=bool)}
    assert digits(plots.maps(tables, "ab", "ab", label="may attend")) == [["1", "0", "1", "1"]]
    assert digits(plots.maps({"half": [[0.5, 1]]}, "a", "ab")) == [["0.50", "1.00"]]


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("keys", [1, 3, 11])
def test_maps_fit_on_the_page_and_all_are_there(count, keys):
    tables = {str(i): np.full((2, keys), i / 8) for i in range(count)}
    picture = plots.maps(tables, ["a query", "another"], [f"key {i}" for i in range(keys)])
    assert len(digits(picture)) == count
    assert picture.get_figwidth() <= plots.PAGE + 0.01


@pytest.mark.parametrize("width", [3.123, 7])
def test_a_picture_has_two_pixels_for_each_that_a_page_shows(width):
    picture = plots.figure(width, 2)
    picture.subplots().plot([1, 2])
    image, metadata = shown(picture)
    assert metadata["width"] == round(width * plots.DPI)
    assert image.width == pytest.approx(2 * metadata["width"], abs=2)


def test_a_chart_has_no_box_around_it():
    axes = plots.lines([1, 2], {"one": [1, 2]}, "x", "y").axes[0]
    assert not axes.spines["top"].get_visible() and not axes.spines["right"].get_visible()


def test_every_curve_is_drawn_or_refused():
    axes = plots.lines([1, 2], {"seeds": [[1, 2], [2, 3], [3, 4]], "one": [0, 0]}, "x", "y").axes[0]
    assert [line.get_ydata().tolist() for line in axes.lines] == [[1, 2], [2, 3], [3, 4], [0, 0]]
    assert len({line.get_color() for line in axes.lines[:3]}) == 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["seeds", "one"]
    with pytest.raises(ValueError, match="5 curves; 4 can be told apart"):
        plots.lines([1, 2], {name: [1, 2] for name in "abcde"}, "x", "y")


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


def test_every_measurement_is_a_dot_on_its_row():
    seeds = {"one": {"A": [0.1, 0.2], "B": [0.5]}, "other": {"A": [0.3], "B": [0.9, 0.8]}}
    picture = plots.dots({"finds": seeds, "right": seeds})
    left, right = picture.axes
    assert [left.get_title(), right.get_title()] == ["finds", "right"]
    assert [text.get_text() for text in left.get_yticklabels()] == ["one", "other"]
    first, second = left.lines
    assert list(first.get_xdata()) == [0.1, 0.2, 0.3] and list(second.get_xdata()) == [
        0.5,
        0.9,
        0.8,
    ]
    assert list(np.round(first.get_ydata())) == [0, 0, 1], "each on the line of its row"
    assert not set(first.get_ydata()) & set(second.get_ydata()), "series do not cover each other"
    assert [text.get_text() for text in picture.legends[0].get_texts()] == ["A", "B"]


def test_what_dots_are_compared_with_is_a_line_with_a_name_and_no_dot():
    rows = {"one": {"A": [0.1, 0.2], "B": [0.5]}}
    for axes in plots.dots({"alone": rows, "taught": rows}, marked={"a coin": 0.5}).axes:
        [line] = [drawn for drawn in axes.lines if drawn.get_linestyle() == "--"]
        assert list(line.get_xdata()) == [0.5, 0.5]
        assert [text.get_text() for text in axes.texts] == ["a coin"]
    assert len(plots.dots({"alone": rows}).axes[0].lines) == 2


def test_a_table_to_print_has_two_digits_and_straight_columns():
    text = plots.text_table(["recipe", "seed", "right"], [["gloss", 0, 0.5], ["no gloss", 12, 1.0]])
    lines = text.split("\n")
    assert len({len(line) for line in lines}) == 1
    assert lines[1].split() == ["gloss", "0", "0.50"] and lines[2].endswith("1.00")
