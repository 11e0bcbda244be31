"""Charts in the house style: the course's colours, maps in cividis, names on every axis."""

import io
import unicodedata

import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from PIL import Image  # comes with matplotlib, which needs it
from PIL.PngImagePlugin import PngInfo

from lib.colours import LIGHT

QUERY = LIGHT["query"]
KEY = LIGHT["key"]
VALUE = LIGHT["value"]
POSITION = LIGHT["position"]
WEIGHT = LIGHT["weight"]
STYLES = [(QUERY, "-", "o"), (KEY, "--", "s"), (VALUE, "-.", "^"), (POSITION, ":", "D")]
SLANT = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}  # of names below a map


class Picture(Figure):
    """A figure that shows itself as the last line of a cell, without pyplot's global state."""

    def _repr_png_(self):
        return png(self)


def figure(width=7, height=3):
    """An empty picture, width x height in inches."""
    return Picture(figsize=(width, height), dpi=110, layout="constrained")


def png(figure):
    """The figure as PNG bytes.

    In 255 colours: a third of the size, so that a page with many pictures stays light.
    """
    full, small, about = io.BytesIO(), io.BytesIO(), PngInfo()
    figure.savefig(full, format="png")
    image = Image.open(full)
    about.add_text("Software", image.info["Software"])
    reduced = image.convert("RGB").quantize(255, dither=Image.Dither.NONE)
    reduced.save(small, "png", optimize=True, pnginfo=about)
    return small.getvalue()


def drawable(text, most=12):
    """The start of a text as matplotlib's font can draw it, with no formula in it.

    Letters that the font has not, lone surrogates and control characters become "?".
    most: how many letters, or None for the whole text.
    """
    font = get_font(findfont("DejaVu Sans"))  # matplotlib brings it and writes everything in it
    letters = [letter if _in_font(letter, font) else "?" for letter in text[:most]]
    return "".join(letters).replace("$", r"\$")


def _in_font(letter, font):
    return unicodedata.category(letter) != "Cc" and font.get_char_index(ord(letter)) != 0


def bars(axes, names, heights, label, color):
    """Bars with their heights in digits above them."""
    drawn = axes.bar(np.arange(len(heights)), heights, color=color)
    axes.bar_label(drawn, fmt="%.2f", padding=1, fontsize=8)
    axes.set_xticks(np.arange(len(heights)), [drawable(name) for name in names])
    axes.set_ylabel(label)
    axes.margins(y=0.25)


def heatmap(
    axes,
    table,
    rows,
    columns,
    digits=2,
    scale=(0, 1),
    slant=SLANT,
    name_size=10,
    digit_size=8,
):
    """A table as colours, with names on both sides and its numbers in the cells; the image.

    table: (rows, columns); rows, columns: their names, or [] to write none; digits: after the
    decimal point, or None to write no numbers; scale: the values of the darkest and the brightest
    colour; slant: how the names of the columns are turned.
    """
    low, high = scale
    image = axes.imshow(table, cmap="cividis", vmin=low, vmax=high, aspect="auto")
    below = [drawable(name) for name in columns]
    axes.set_xticks(range(len(columns)), below, fontsize=name_size, **slant)
    beside = [drawable(name) for name in rows]
    axes.set_yticks(range(len(rows)), beside, fontsize=name_size)
    if digits is None:
        return image
    for (row, column), value in np.ndenumerate(table):
        ink = "black" if value > (low + high) / 2 else "white"
        number = f"{value:.{digits}f}"
        axes.text(column, row, number, ha="center", va="center", size=digit_size, color=ink)
    return image


def maps(tables, rows, columns, label="weight", axes=("key (who is asked)", "query (who asks)")):
    """Tables side by side, with digits: {title: table}, one name for each row and each column.

    Weights share the scale 0 to 1; anything else the scale of the tables together.
    Raises ValueError if a table has not as many rows and columns as are named.
    """
    tables = {title: np.asarray(table, dtype=float) for title, table in tables.items()}
    height, width = shape = (len(rows), len(columns))
    for title, table in tables.items():
        if table.shape != shape:
            raise ValueError(
                f"table {title!r} {table.shape}; {height} rows and {width} columns are named."
            )
    scale = (0, 1)
    if label != "weight":
        numbers = list(tables.values())
        scale = (np.min(numbers), np.max(numbers))
    picture = figure(1.4 + len(tables) * (0.9 + 0.52 * width), 1.5 + 0.36 * height)
    panels = picture.subplots(1, len(tables), squeeze=False)[0]
    for panel, (title, table) in zip(panels, tables.items(), strict=True):
        image = heatmap(panel, table, rows, columns, scale=scale)
        panel.set(title=drawable(str(title), None), xlabel=axes[0], ylabel=axes[1])
    picture.colorbar(image, ax=picture.axes, label=label, fraction=0.04)
    return picture


def lines(x, curves, xlabel, ylabel, **scales):
    """Curves {name: y} over x, told apart by colour, dash and marker.

    scales: xscale="log", ylim=(0, 1), ...
    """
    picture = figure()
    axes = picture.subplots()
    every = max(1, len(x) // 12)  # markers would cover a long curve
    for (name, y), (color, dash, marker) in zip(curves.items(), STYLES, strict=False):
        style = {"color": color, "marker": marker, "markersize": 4, "markevery": every}
        axes.plot(x, y, dash, label=name, **style)
    axes.set(xlabel=xlabel, ylabel=ylabel, **scales)
    axes.legend()
    return picture
