"""What a chart shows, in words: for those who do not see it, and where no picture is shown."""

import re

import numpy as np
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.ticker import FixedFormatter, FuncFormatter

MOST_ROWS = 12  # of all maps of a picture; of more only the largest number of each map is said
MOST_LINES = 3  # without a name: more are a texture, not lines to follow
LARGE = 1000  # from here on without digits after the point
COLOUR_BAR = "<colorbar>"  # how matplotlib labels its axes


def chart_words(figure):
    """A sentence for the picture's title and for each of its charts, from what was drawn."""
    panels = [axes for axes in figure.axes if axes.get_label() != COLOUR_BAR]
    if not panels:
        return "An empty chart."
    every_row = sum(len(_table(axes)) for axes in panels if _mesh(axes)) <= MOST_ROWS
    # Charts that share names have them written once, at the edge.
    names = {
        "rows": _names(axes.yaxis for axes in panels),
        "columns": _names(axes.xaxis for axes in panels),
    }
    sentences = [_one_line(figure.get_suptitle())]
    sentences += [_chart(axes, every_row=every_row, **names) for axes in panels]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


def _chart(axes, rows, columns, every_row):
    """What stands on the axes, and then what is drawn there."""
    across, up = _one_line(axes.get_xlabel()), _one_line(axes.get_ylabel())
    what = f"{up} over {across}" if up and across else up or across
    if _mesh(axes):
        drawn = [_map(_table(axes), rows, columns, every_row)]
    else:
        drawn = [*_bars(axes, columns), *_lines(axes, rows), *_dots(axes)]
    before = ", ".join(filter(None, [_one_line(axes.get_title()), what]))
    return ": ".join(filter(None, [before, "; ".join(drawn)]))


def _map(table, rows, columns, every_row):
    """The largest number of each row, or of the whole table, and where it stands."""
    if every_row:
        places = list(enumerate(table.argmax(1)))
        before = "most in each row "
    else:
        places = [np.unravel_index(table.argmax(), table.shape)]
        before = "most "
    most = [f"{rows[i]} → {columns[j]} {_number(table[i, j])}" for i, j in places]
    return before + ", ".join(most)


def _bars(axes, names):
    """The name and the height of each bar."""
    heights = [_number(bar.get_height()) for bars in axes.containers for bar in bars]
    if len(names) != len(heights):
        return heights
    return [f"{name} {height}" for name, height in zip(names, heights, strict=True)]


def _lines(axes, rows):
    """Where each line begins and ends, or where its separate dots are."""
    lines = [line for line in axes.get_lines() if len(line.get_xdata())]
    named = [line for line in lines if not line.get_label().startswith("_")]
    if not named and len(lines) > MOST_LINES:
        return [f"{len(lines)} lines"]
    return [_line(line, line in named, rows) for line in named or lines]


def _line(line, named, rows):
    x, y = line.get_data()
    name = f"{_one_line(line.get_label())} " if named else ""
    if line.get_linestyle() == "None":
        return name + ", ".join(_in_rows(x, np.rint(y), rows))
    begin, end = _point(x[0], y[0]), _point(x[-1], y[-1])
    return f"{name}from {begin} to {end}, between {_number(min(y))} and {_number(max(y))}"


def _in_rows(x, y, rows):
    """How far the dots beside each name reach."""
    return [f"{name} {_range(x[y == row])}" for row, name in enumerate(rows) if (y == row).any()]


def _dots(axes):
    """How many dots there are, and what is written beside them."""
    said = []
    for dots in axes.collections:
        if isinstance(dots, PathCollection):
            label = _one_line(dots.get_label())
            said.append(label if not label.startswith("_") else f"{len(dots.get_offsets())} dots")
    beside = [text for text in axes.texts if text.get_text() and not axes.containers]
    places = [f"{_one_line(text.get_text())} at {_point(*text.xy)}" for text in beside]
    return said + places


def _mesh(axes):
    """What a map is drawn with, or None."""
    return next((drawn for drawn in axes.collections if isinstance(drawn, QuadMesh)), None)


def _table(axes):
    return np.asarray(_mesh(axes).get_array())


def _names(axes):
    """What is written along the first of these axes that has names, not numbers; or []."""
    for axis in axes:
        if isinstance(axis.get_major_formatter(), FixedFormatter | FuncFormatter):
            found = [_one_line(label.get_text()) for label in axis.get_ticklabels()]
            if any(found):
                return found
    return []


def _point(x, y):
    return f"({_number(x)}, {_number(y)})"


def _range(numbers):
    least, most = _number(np.min(numbers)), _number(np.max(numbers))
    return least if least == most else f"{least} to {most}"


def _number(value):
    """As many digits as can be read off a chart, and no more than all machines agree on."""
    if abs(value) >= LARGE:
        return f"{value:,.0f}".replace("-", "−")
    digits = ".2g" if abs(value) < 1 else ".3g"
    return f"{value:{digits}}".replace("-", "−")


def _one_line(text):
    """A label without line breaks; a dollar that begins a formula is not said, one meant is."""
    said = re.sub(r"(?<!\\)\$", "", text).replace(r"\$", "$")
    return " ".join(said.split())
