"""Charts in the house style: the course's colours, maps from paper to indigo, quiet axes."""

import io
import unicodedata
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, fontManager, get_font
from PIL import Image  # comes with matplotlib, which needs it
from PIL.PngImagePlugin import PngInfo

from lib.charts.colours import BELOW_ZERO, CURVES, LIGHT, LINE, SOFT
from lib.charts.words import chart_words

QUERY = LIGHT["query"]
KEY = LIGHT["key"]
VALUE = LIGHT["value"]
POSITION = LIGHT["position"]
WEIGHT = LIGHT["weight"]
STYLES = list(zip(CURVES, ["-", "--", "-.", ":"], ["o", "s", "^", "D"], strict=True))
SLANT = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}  # of names below a map

# The letters of the demos, so that every machine draws the same ones; matplotlib reads no woff2.
FONT = "Course Sans"
FONTS = [FONT, "DejaVu Sans"]  # matplotlib's own letters have what these have not
LETTERS = Path(__file__).parents[1] / "letters"
for face in ("sans.ttf", "sans-bold.ttf"):
    fontManager.addfont(LETTERS / face)
matplotlib.rcParams["font.family"] = FONTS
matplotlib.rcParams["mathtext.fontset"] = "stix"
DPI = 96  # pixels an inch, as a page shows them
SHARPER = 2  # pixels of the file for each of them, for today's screens
NAME_SIZE = 12  # points: of what stands beside the axes
DIGIT_SIZE = 10  # of the numbers in cells
SMALL_DIGITS = 8  # where cells are narrow
THIN = 0.8

MORE = LinearSegmentedColormap.from_list("more", ["white", WEIGHT])
# An odd number of steps has one in the middle: zero is the paper itself.
TWO_SIDED = LinearSegmentedColormap.from_list("two-sided", [BELOW_ZERO, "white", WEIGHT], N=511)
WHITE_INK = 0.72  # of the full colour: up to here black is legible on it, from here white

# Inches of a map.
PAGE = 9  # a wider picture would be shrunk by the page, and its digits with it
WIDEST_CELL, WIDE_CELL, NARROWEST_CELL = 0.72, 0.48, 0.34
CELL_HEIGHT = 0.42
LOWEST_MAP = 1  # for one line of the label beside it
LABEL = 1.6  # "query (who asks)" in one line
NARROWEST_MAP = 2.2  # for what is written below it
BAR = 1  # the bar of colours, and its label
AROUND = 0.4  # what is empty beside a map, and its label
ABOVE_BELOW = 1.2  # the title above a map, names and a label below it
LETTER = 0.1  # of a name


class Picture(Figure):
    """A figure that shows itself as the last line of a cell, without pyplot's global state."""

    def add_subplot(self, *place, **options):
        """As matplotlib's, with quiet axes."""
        axes = super().add_subplot(*place, **options)
        quiet(axes)
        return axes

    def _repr_png_(self):
        """The PNG, how wide a page shows it (its pixels are for sharper screens), and its words."""
        width = round(self.get_figwidth() * DPI)
        return png(self), {"alt": chart_words(self), "width": width}


def figure(width=7, height=3.8):
    """An empty picture, width x height in inches."""
    return Picture(figsize=(width, height), dpi=DPI, layout="constrained")


def quiet(axes):
    """No box, thin light lines, soft names: what is drawn is the darkest."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color=LINE, linewidth=THIN)
    axes.tick_params(which="both", color=LINE, width=THIN, labelcolor=SOFT, labelsize=NAME_SIZE)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(color=SOFT, size=NAME_SIZE)


def png(figure):
    """The figure as PNG bytes, SHARPER times as many pixels as it is shown with.

    In 255 colours: a third of the size, so that a page with many pictures stays light.
    """
    full, small, about = io.BytesIO(), io.BytesIO(), PngInfo()
    figure.savefig(full, format="png", dpi=SHARPER * figure.dpi)
    FigureCanvasBase(figure)  # a new canvas: the old one keeps its pixels, and the page its figures
    about.add_text("Software", Image.open(full).info["Software"])
    colours = Image.open(full).convert("RGB")  # each copy of a large picture is ten megabytes
    # A quarter of the pixels has all the colours, and takes a quarter of the memory.
    sample = colours.resize((colours.width // 2, colours.height // 2), Image.Resampling.NEAREST)
    palette = sample.quantize(255, dither=Image.Dither.NONE)
    reduced = colours.quantize(palette=palette, dither=Image.Dither.NONE)
    del colours
    reduced.save(small, "png", optimize=True, pnginfo=about)
    return small.getvalue()


def drawable(text, most=12):
    """The start of a text as the fonts of a chart can draw it, with no formula in it.

    Letters that no font of a chart has, lone surrogates and control characters become "?".
    most: how many letters, or None for the whole text.
    """
    fonts = [get_font(findfont(name)) for name in FONTS]
    letters = [letter if _in_one(letter, fonts) else "?" for letter in text[:most]]
    return "".join(letters).replace("$", r"\$")


def _edges(table, axis):
    """Where cells begin and end along an axis; their middles are 0, 1, 2, ..."""
    return np.arange(np.shape(table)[axis] + 1) - 0.5


def _in_one(letter, fonts):
    has_it = any(font.get_char_index(ord(letter)) for font in fonts)
    return unicodedata.category(letter) != "Cc" and has_it


def heatmap(
    axes,
    table,
    rows,
    columns,
    digits=2,
    scale=(0, 1),
    slant=SLANT,
    name_size=NAME_SIZE,
    digit_size=DIGIT_SIZE,
):
    """A table as colours, with names on both sides and its numbers in the cells; the image.

    table: (rows, columns); rows, columns: their names, or [] to write none; digits: after the
    decimal point; scale: (low, high), where low is the paper and high full indigo, or
    (-most, most), where -most is full grey and zero the paper; slant: how the names of the columns
    are turned.
    """
    low, high = scale
    colours = TWO_SIDED if low < 0 else MORE
    # Not imshow: it makes the cells as large as they are shown, in ten times the memory.
    image = axes.pcolormesh(_edges(table, 1), _edges(table, 0), table, cmap=colours)
    image.set_clim(low, high)
    axes.invert_yaxis()
    below = [drawable(name) for name in columns]
    axes.set_xticks(range(len(columns)), below, fontsize=name_size, **slant)
    beside = [drawable(name) for name in rows]
    axes.set_yticks(range(len(rows)), beside, fontsize=name_size)
    _rule(axes, *np.shape(table))
    for (row, column), value in np.ndenumerate(table):
        number = f"{value:.{digits}f}"
        color = ink(value, scale)
        axes.text(column, row, number, ha="center", va="center", size=digit_size, color=color)
    return image


def _rule(axes, rows, columns):
    """Thin lines around each cell: an empty one is as white as the page."""
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=LINE, linewidth=THIN)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)


def ink(value, scale):
    """The colour of a digit on the colour of its value: black or white, whichever is legible."""
    low, high = scale
    if low < 0:
        low = 0
    strength = (abs(value) - low) / (high - low)
    return "white" if strength > WHITE_INK else "black"


def maps(tables, rows, columns, label="weight", axes=("key (who is asked)", "query (who asks)")):
    """Tables with digits: {title: table}, one name for each row and each column.

    They stand side by side, as many as can be read on a page, and the others below them.
    Zero is the paper, and further from the paper is more: to indigo above zero, to grey below it.
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
    numbers = np.array(list(tables.values()))
    scale = (0, 1) if label == "weight" else _scale(numbers)
    across, cell = _arrange(len(tables), rows, columns)
    style = {"digits": 0 if np.array_equal(numbers, numbers.round()) else 2}
    style["digit_size"] = DIGIT_SIZE if cell >= WIDE_CELL else SMALL_DIGITS
    if _names(columns) < cell:
        style["slant"] = {}
    below, beside = axes
    if height * CELL_HEIGHT < LABEL:
        beside = beside.replace(" (", "\n(")
    picture, panels = _panels(len(tables), across, cell, rows, columns)
    for i, (title, table) in enumerate(tables.items()):
        first = i % across == 0
        image = heatmap(panels[i], table, rows if first else [], columns, scale=scale, **style)
        panels[i].set_title(drawable(str(title), None), fontsize=NAME_SIZE)
        panels[i].set(xlabel=below, ylabel=beside if first else "")
    _bar(picture, image, label)
    return picture


def _scale(numbers):
    """From zero, or as far below it as above."""
    most = np.abs(numbers).max() or 1
    return (-most if numbers.min() < 0 else 0), most


def _names(names):
    """How many inches the names take beside a map."""
    return LETTER * max(len(drawable(name)) for name in names)


def _arrange(count, rows, columns):
    """How many maps stand in a row, as many as can be read on a page, and the width of a cell."""
    width = len(columns)
    narrowest = max(NARROWEST_CELL, NARROWEST_MAP / width)
    for across in range(count, 0, -1):
        room = PAGE - BAR - _names(rows) - across * AROUND
        cell = room / (across * width)
        if cell >= narrowest:
            break
    return across, min(max(cell, narrowest), max(WIDEST_CELL, narrowest))


def _panels(count, across, cell, rows, columns):
    """An empty picture and the axes for its maps."""
    down = -(-count // across)
    width = BAR + _names(rows) + across * (AROUND + cell * len(columns))
    height = down * (ABOVE_BELOW + max(LOWEST_MAP, CELL_HEIGHT * len(rows)))
    picture = figure(width, height)
    panels = picture.subplots(down, across, squeeze=False).ravel()
    for empty in panels[count:]:
        empty.remove()
    return picture, panels[:count]


def _bar(picture, image, label):
    """The colours of a picture's maps and their values."""
    bar = picture.colorbar(image, ax=picture.axes, label=label, fraction=0.03, aspect=25, pad=0.02)
    bar.outline.set(color=LINE, linewidth=THIN)
    quiet(bar.ax)


def lines(x, curves, xlabel, ylabel, **scales):
    """Curves {name: y} over x, told apart by colour, dash and marker; rows of a y look alike.

    scales: xscale="log", ylim=(0, 1), ...
    Raises ValueError if there are more names than can be told apart.
    """
    if len(curves) > len(STYLES):
        raise ValueError(
            f"{len(curves)} curves; {len(STYLES)} can be told apart. Curves of one kind can be the "
            "rows of one."
        )
    picture = figure()
    axes = picture.subplots()
    every = max(1, len(x) // 12)  # markers would cover a long curve
    kinds = []
    for (name, y), (color, dash, marker) in zip(curves.items(), STYLES, strict=False):
        style = {"color": color, "marker": marker, "markersize": 5, "markevery": every}
        for row in np.atleast_2d(y):
            [line] = axes.plot(x, row, dash, label=name, linewidth=2, **style)
        kinds.append(line)
    axes.set(xlabel=xlabel, ylabel=ylabel, **scales)
    axes.grid(axis="y", color=LINE, linewidth=THIN / 2)
    axes.legend(handles=kinds, frameon=False, fontsize=NAME_SIZE)
    return picture


def averages(values, outputs):
    """Values (S, 2) as squares, every two of them joined, and the outputs (T, 2) as dots."""
    picture = figure(5, 3.4)
    axes = picture.subplots()
    for i, one in enumerate(values):
        for other in values[:i]:
            axes.plot([one[0], other[0]], [one[1], other[1]], color=VALUE, alpha=0.3)
    axes.scatter(outputs[:, 0], outputs[:, 1], s=8, color=QUERY, label=f"{len(outputs)} outputs")
    label = f"{len(values)} values"
    axes.scatter(values[:, 0], values[:, 1], s=70, color=VALUE, marker="s", label=label)
    axes.set(xlabel="first component", ylabel="second component")
    axes.legend()
    return picture


def move(values, names, which, output, axes):
    """The words' values (T, 2) in the plane, and an arrow from that of number ``which`` to its
    output (2,); axes: the names of the two components.
    """
    picture = figure(5, 3.4)
    plane = picture.subplots()
    plane.scatter(values[:, 0], values[:, 1], s=70, color=VALUE, marker="s")
    for name, place in zip(names, values, strict=True):
        beside = {"xytext": (9, 0), "textcoords": "offset points", "va": "center"}
        plane.annotate(drawable(name), place, color=SOFT, fontsize=NAME_SIZE, **beside)
    arrow = {"arrowstyle": "-|>", "color": QUERY, "linewidth": 2, "mutation_scale": 18}
    plane.annotate("", output, xytext=values[which], arrowprops=arrow)
    plane.set(xlabel=axes[0], ylabel=axes[1])
    plane.margins(0.2)
    return picture


DOT_ROW = 0.5  # inches of a row of dots
DOT_PANEL = 2.3  # of a panel
LABEL_PAD = 18  # points from a panel to its title, where a mark's name stands between them


def dots(panels, xlim=(-0.05, 1.05), marked=None):
    """Dots on lines, one for each measurement: {panel: {row: {series: [numbers]}}}; the picture.

    Panels stand side by side and have the same rows; a series has a colour and a marker of its own
    and the same place in each row. For what was measured with several seeds: all dots are shown.
    marked: {name: number}, where a dashed line stands in every panel to compare the dots with.
    """
    rows = list(next(iter(panels.values())))
    series = list(next(iter(next(iter(panels.values())).values())))
    names = [drawable(name, None) for name in rows]
    width = LETTER * max(map(len, names)) + DOT_PANEL * len(panels)
    picture = figure(width, ABOVE_BELOW + DOT_ROW * len(rows))
    drawn = picture.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (title, table) in zip(drawn, panels.items(), strict=True):
        for number, name in enumerate(series):
            _one_series(axes, [table[row][name] for row in rows], number, len(series), name)
        axes.set_title(drawable(title, None), fontsize=NAME_SIZE, pad=LABEL_PAD if marked else None)
        for name, number in (marked or {}).items():
            _mark(axes, number, name)
        axes.set(xlim=xlim, yticks=range(len(rows)), ylim=(len(rows) - 0.5, -0.5))
        axes.set_yticklabels(names)
        axes.grid(axis="y", color=LINE, linewidth=THIN / 2)
    if len(series) > 1:
        handles, labels = drawn[0].get_legend_handles_labels()
        style = {"loc": "outside lower center", "ncols": len(series), "frameon": False}
        picture.legend(handles, labels, fontsize=NAME_SIZE, **style)
    return picture


def _mark(axes, number, name):
    """A dashed line from top to bottom, and its name above it."""
    axes.axvline(number, color=SOFT, linestyle="--", linewidth=THIN, zorder=0)
    style = {"xytext": (0, 4), "textcoords": "offset points", "ha": "center"}
    place = {"xycoords": axes.get_xaxis_transform(), "color": SOFT, "fontsize": SMALL_DIGITS}
    axes.annotate(drawable(name, None), (number, 1), **place, **style)


def _one_series(axes, numbers, which, count, name):
    """The dots of one series, a list of numbers for each row."""
    color, _, marker = STYLES[which]
    shift = 0.3 * (which - (count - 1) / 2)  # so that series do not cover each other
    x = [number for row in numbers for number in row]
    y = [place + shift for place, row in enumerate(numbers) for _ in row]
    axes.plot(x, y, marker, color=color, markersize=7, alpha=0.6, label=name)


def text_table(columns, rows, width=10):
    """Rows of names and numbers as text to print, with two digits after the point."""
    first = max(len(str(row[0])) for row in [columns, *rows]) + 2
    lines = []
    for row in [columns, *rows]:
        cells = [f"{value:.2f}" if isinstance(value, float) else str(value) for value in row]
        lines.append(cells[0].ljust(first) + "".join(cell.rjust(width) for cell in cells[1:]))
    return "\n".join(lines)
