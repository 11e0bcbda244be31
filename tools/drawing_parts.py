"""What the drawings are made of: cards, boxes, arrows, text and formulas, and the file's colours.

Lengths are pixels of a page 900 wide, where the pictures are shown; x goes right and y goes down.
"""

from io import BytesIO

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path as Line
from PIL import Image

from lib.charts.colours import INK, LINE, SOFT
from lib.charts.plots import KEY, POSITION, QUERY, TWO_SIDED, VALUE, WEIGHT

PANEL, FILL = "#EEF1F4", "#F6F8FA"
SMALL, TITLE, LARGE, FORMULA = 15, 16, 17, 20  # 15 pixels are 11 points
ROOT_BAR = 4  # a root is so much higher than letters
SMALL_MAP = 52  # pixels, both ways
COLOURS = 255  # of a file
DPI = 170  # an inch is 100 pixels of the page: 1.7 for one, for sharp screens


def card(height, name=""):
    """Axes on a white card with round corners, transparent around them."""
    figure = Figure(figsize=(9, height / 100), dpi=DPI, facecolor="none")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 900), ylim=(height, 0))
    axes.axis("off")
    frame(axes, 1, 1, 898, height - 2, 16, fc="white")
    if name:
        write(axes, 32, 36, name, LARGE, INK, "bold", "left")
        badges(axes, 796, 36, "n")
        write(axes, 868, 36, "page n", ha="right")
    return axes


def tint(color, share=0.12):
    """The colour thinned with white."""
    return tuple(1 - share * (1 - part) for part in to_rgb(color))


def frame(axes, x, y, width, height, radius=8, **style):
    """A rectangle with round corners; x, y is the corner at the top left."""
    shape = f"round,pad=0,rounding_size={radius}"
    axes.add_patch(
        FancyBboxPatch((x, y), width, height, shape, **{"fc": FILL, "ec": LINE, "lw": 1.2} | style)
    )


def write(axes, x, y, text, size=SMALL, color=SOFT, weight="normal", ha="center", zorder=3):
    """Lines of text, the middle of them at height y; between two $ is a formula."""
    serif = {"math_fontfamily": "stix"}  # symbols in italics, as in the demos
    for i, line in enumerate(text.split("\n")):
        baseline = y + size * (0.36 + 1.3 * i - 0.65 * text.count("\n"))
        if i and "$" in line:
            baseline += ROOT_BAR
        axes.text(
            x,
            baseline,
            line,
            size=0.72 * size,
            color=color,
            weight=weight,
            ha=ha,
            zorder=zorder,
            **serif,
        )


def badges(axes, x, y, *numbers):
    """The numbers of the pages that open a box: discs side by side, the first around x, y."""
    for i, number in enumerate(numbers):
        axes.add_patch(Circle((x + 27 * i, y), 13.5, fc=INK, ec="white", lw=1.5, zorder=4))
        write(axes, x + 27 * i, y, f"{number}", SMALL, "white", "bold", zorder=5)


def box(axes, x, y, width, height, title, below="", color=None, *numbers):
    """A box with a title, text below it, and its pages on the left corner."""
    frame(axes, x, y, width, height, ec=color or SOFT, fc=tint(color) if color else FILL, lw=1.5)
    above, under = 22 * (title.count("\n") + 1), 20 * (below.count("\n") + 1) if below else 0
    top = y + (height - above - under) / 2
    size = FORMULA if "$" in title else TITLE
    write(axes, x + width / 2, top + above / 2, title, size, INK, "bold")
    write(axes, x + width / 2, top + above + under / 2, below)
    badges(axes, x + 3, y, *numbers)


def panel(axes, x, y, width, height, title, aside, number):
    """The ground of boxes that belong together, with a title on the left and words on the right."""
    frame(axes, x, y, width, height, 12, fc=PANEL, ec=SOFT)
    write(axes, x + 20, y + 22, title, LARGE, INK, "bold", "left")
    write(axes, x + width - 20, y + 22, aside, ha="right")
    badges(axes, x + 3, y, number)


def arrow(axes, *corners, color=SOFT):
    """An arrow of level and upright pieces through the corners, rounded there."""
    points = np.array(corners, float)
    steps = 10 * np.sign(np.diff(points, axis=0))
    bends = [
        p + step
        for p, a, b in zip(points[1:], steps, steps[1:], strict=False)
        for step in (-a, 0, b)
    ]
    codes = [Line.MOVETO, *[Line.LINETO, Line.CURVE3, Line.CURVE3] * (len(points) - 2), Line.LINETO]
    ends = {"capstyle": "butt", "joinstyle": "miter", "mutation_scale": 1}
    path, style = Line([points[0], *bends, points[-1]], codes), "-|>,head_length=6,head_width=3"
    axes.add_patch(
        FancyArrowPatch(path=path, arrowstyle=style, color=color, lw=1.8, zorder=2, **ends)
    )


def plus(axes, x, y):
    """The sign of an addition, 28 across."""
    axes.add_patch(Circle((x, y), 14, fc="white", ec=INK, lw=1.6, zorder=3))
    axes.plot([x - 7, x + 7], [y, y], [x, x], [y - 7, y + 7], color=INK, lw=1.6, zorder=3)


def small_map(axes, x, shares):
    """A square table around x, in the colours of a map: shares of the full colour, from -1 to 1."""
    side = SMALL_MAP / len(shares)
    for (row, column), share in np.ndenumerate(shares):
        corner = (x + side * column - SMALL_MAP / 2, 266 + side * row)
        color = TWO_SIDED((1 + share) / 2)
        axes.add_patch(Rectangle(corner, side, side, ec=SOFT, lw=0.6, fc=color))


def reduced(figure):
    """A figure as PNG bytes in its commonest colours: a third of the room, looking the same.

    The colours with a meaning stay, also where only one letter has them.
    """
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.array(canvas.buffer_rgba()).view(np.uint32)[..., 0]  # (height, width)
    colors, which, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    colors = colors[:, None].view(np.uint8).astype(int)  # (different colours, 4)
    commonest = colors[np.argsort(-counts, kind="stable")]
    kept = np.vstack([meant(), commonest])[:COLOURS]
    nearest = ((colors[:, None] - kept) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    image, buffer = Image.fromarray(nearest[which].reshape(pixels.shape)), BytesIO()
    image.putpalette(kept.astype(np.uint8).tobytes(), "RGBA")
    image.save(buffer, "png", optimize=True)
    return buffer.getvalue()


def meant():
    """The colours with a meaning, and as they are at the edge of a letter: (10, 4)."""
    colors = [
        (*tint(color, share), 1)
        for color in (QUERY, KEY, VALUE, POSITION, WEIGHT)
        for share in (1, 0.5)
    ]
    return np.round(255 * np.array(colors)).astype(int)
