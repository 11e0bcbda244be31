"""Charts in the house style: the course's colours, maps in cividis, names on every axis."""

import io

import numpy as np
from matplotlib.figure import Figure
from PIL import Image  # comes with matplotlib, which needs it
from PIL.PngImagePlugin import PngInfo

from lib.colours import LIGHT

QUERY = LIGHT["query"]
KEY = LIGHT["key"]
VALUE = LIGHT["value"]
POSITION = LIGHT["position"]
WEIGHT = LIGHT["weight"]
STYLES = [(QUERY, "-", "o"), (KEY, "--", "s"), (VALUE, "-.", "^"), (POSITION, ":", "D")]


class Picture(Figure):
    """A figure that shows itself as the last line of a cell, without pyplot's global state."""

    def _repr_png_(self):
        return png(self)


def figure(width=7, height=3):
    """An empty picture, width x height in inches."""
    return Picture(figsize=(width, height), dpi=110, layout="constrained")


def png(figure):
    """The figure as PNG bytes, in 255 colours: a third of the size, so that a page with many pictures stays light."""
    full, small, about = io.BytesIO(), io.BytesIO(), PngInfo()
    figure.savefig(full, format="png")
    image = Image.open(full)
    about.add_text("Software", image.info["Software"])
    image.convert("RGB").quantize(255, dither=Image.Dither.NONE).save(
        small, "png", optimize=True, pnginfo=about
    )
    return small.getvalue()


def latin(text, most=12):
    """The start of a token as matplotlib's font can draw it, with no formula in it."""
    return text[:most].encode("latin-1", "replace").decode("latin-1").replace("$", r"\$")


def bars(axes, names, heights, label, color):
    """Bars with their heights in digits above them."""
    drawn = axes.bar(np.arange(len(heights)), heights, color=color)
    axes.bar_label(drawn, fmt="%.2f", padding=1, fontsize=8)
    axes.set_xticks(np.arange(len(heights)), map(latin, names))
    axes.set_ylabel(label)
    axes.margins(y=0.25)


def maps(tables, rows, columns, label="weight", axes=("key (who is asked)", "query (who asks)")):
    """Tables side by side, with digits: {title: table}, one name for each row and each column.

    Weights share the scale 0 to 1; anything else the scale of the tables together.
    """
    tables = {title: np.asarray(table, dtype=float) for title, table in tables.items()}
    height, width = shape = (len(rows), len(columns))
    for title, table in tables.items():
        if table.shape != shape:
            raise ValueError(
                f"table {title!r} {table.shape}; {height} rows and {width} columns are named."
            )
    low, high = (
        (0, 1)
        if label == "weight"
        else (min(map(np.min, tables.values())), max(map(np.max, tables.values())))
    )
    picture = figure(1.4 + len(tables) * (0.9 + 0.52 * width), 1.5 + 0.36 * height)
    for ax, (title, table) in zip(
        picture.subplots(1, len(tables), squeeze=False)[0], tables.items(), strict=True
    ):
        image = ax.imshow(table, cmap="cividis", vmin=low, vmax=high, aspect="auto")
        ax.set(title=title, xlabel=axes[0], ylabel=axes[1])
        ax.set_xticks(
            range(width), map(latin, columns), rotation=40, ha="right", rotation_mode="anchor"
        )
        ax.set_yticks(range(height), map(latin, rows))
        for (row, column), value in np.ndenumerate(table):
            ink = "black" if value > (low + high) / 2 else "white"
            ax.text(column, row, f"{value:.2f}", ha="center", va="center", size=8, color=ink)
    picture.colorbar(image, ax=picture.axes, label=label, fraction=0.04)
    return picture


def lines(x, curves, xlabel, ylabel, **scales):
    """Curves {name: y} over x, told apart by colour, dash and marker; scales: xscale="log", ylim=(0, 1), ..."""
    picture = figure()
    axes = picture.subplots()
    for (name, y), (color, dash, marker) in zip(curves.items(), STYLES, strict=False):
        axes.plot(
            x,
            y,
            dash,
            color=color,
            marker=marker,
            markersize=4,
            markevery=max(1, len(x) // 12),
            label=name,
        )
    axes.set(xlabel=xlabel, ylabel=ylabel, **scales)
    axes.legend()
    return picture
