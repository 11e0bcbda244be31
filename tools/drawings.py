"""Draw the pictures of notebook 0 and the map of the course into figures/.

    python tools/drawings.py

Lengths are pixels of a page 900 wide, where the pictures are shown; x goes right and y goes down.
"""

import sys
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path as Line
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.colours import INK, LINE, SOFT
from lib.plots import KEY, POSITION, QUERY, VALUE, WEIGHT
from lib.widgets.attention_steps import AttentionSteps
from tools.course import ROOT

PANEL, FILL = "#EEF1F4", "#F6F8FA"
SMALL, LARGE = 15, 17  # 15 pixels are 11 points
# Each page's name, and its question in few words, as the map writes them.
PAGES = [
    ("Start here", "What does a\nTransformer do?"),
    ("Dot products", "How well do\ntwo vectors\nmatch?"),
    ("Softmax", "How do scores\nbecome\nshares?"),
    ("Scaling", "Why divide\nthe scores\nby √d_k?"),
    ("Queries, keys\nand values", "What does each\nword collect?"),
    ("Multi-head", "Why look\nseveral ways\nat once?"),
    ("Positional encoding", "Which word\ncame first?"),
    ("The encoder", "What else is\nin a layer?"),
    ("The decoder", "How does it write\na sentence?"),
    ("Masking", "Who may look\nat whom?"),
    ("Translation", "Can you train one yourself?"),
    ("Generation", "How does a tiny GPT write?"),
]


def card(height, level=0, name=""):
    """Axes on a white card with round corners, transparent around them; level: how far in the
    drawing is, of 4.
    """
    axes = Figure(figsize=(9, height / 100), facecolor="none").add_axes(
        (0, 0, 1, 1), xlim=(0, 900), ylim=(height, 0)
    )
    axes.axis("off")
    frame(axes, 1, 1, 898, height - 2, 16, fc="white")
    if level:
        write(axes, 32, 36, f"{level} of 4 · {name}", LARGE, INK, "bold", "left")
        badges(axes, 762, 36, "n")
        write(axes, 868, 36, "notebook n", ha="right")
    if 0 < level < 4:
        lens(axes, 626, 33)
        write(axes, 732, 36, "drawn next", ha="right")
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
    """Lines of text, the middle of them at height y."""
    for i, line in enumerate(text.split("\n")):
        baseline = y + size * (0.36 + 1.3 * i - 0.65 * text.count("\n"))
        axes.text(
            x, baseline, line, size=0.72 * size, color=color, weight=weight, ha=ha, zorder=zorder
        )


def badges(axes, x, y, *numbers):
    """The numbers of the notebooks that open a box: discs side by side, the first around x, y."""
    for i, number in enumerate(numbers):
        axes.add_patch(Circle((x + 27 * i, y), 13.5, fc=INK, ec="white", lw=1.5, zorder=4))
        write(axes, x + 27 * i, y, f"{number}", SMALL, "white", "bold", zorder=5)


def lens(axes, x, y):
    """A magnifying glass: the next drawing shows the inside."""
    axes.plot(
        [x + 4, x + 11], [y + 4, y + 11], color=WEIGHT, lw=3, solid_capstyle="round", zorder=4
    )
    axes.add_patch(Circle((x, y), 7.5, fc="white", ec=WEIGHT, lw=2, zorder=5))


def box(axes, x, y, width, height, title, below="", color=None, *numbers, zoom=False):
    """A box with a title, text below it, its notebooks on the left corner and a lens on the right
    one.
    """
    frame(axes, x, y, width, height, ec=color or SOFT, fc=tint(color) if color else FILL, lw=1.5)
    above, under = 22 * (title.count("\n") + 1), 20 * (below.count("\n") + 1) if below else 0
    top = y + (height - above - under) / 2
    write(axes, x + width / 2, top + above / 2, title, 16, INK, "bold")
    write(axes, x + width / 2, top + above + under / 2, below)
    badges(axes, x + 3, y, *numbers)
    if zoom:
        lens(axes, x + width - 4, y)


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


def zoom_1_black_box():
    """A sentence goes in, a sentence comes out."""
    axes = card(262, 1, "the black box")
    english = ["The animal didn't", "cross the street because", "it was too tired."]
    french = ["L'animal n'a pas traversé", "la rue parce qu'il était", "trop fatigué."]
    for x, language, lines in [(54, "English", english), (610, "French", french)]:
        frame(axes, x - 22, 76, 280, 154)
        write(axes, x, 104, language, ha="left")
        for i, line in enumerate(lines):
            write(axes, x, 138 + 30 * i, line, LARGE, INK, ha="left")
    for x, y, width, color in [
        (91, 126, 58, KEY),
        (54, 186, 12, QUERY),
        (624, 126, 58, KEY),
        (743, 156, 9, QUERY),
    ]:
        axes.add_patch(Rectangle((x, y), width, 24, fc=tint(color, 0.25)))
        axes.add_patch(Rectangle((x, y + 23), width, 3, fc=color))
    box(axes, 366, 113, 168, 80, "Transformer", "", None, 10, zoom=True)
    for x in (312, 534):
        arrow(axes, (x, 153), (x + 54, 153))
    return axes


def zoom_2_stacks():
    """The encoder reads, the decoder writes one word after another; both from the bottom up."""
    axes = card(772, 2, "two stacks")
    badges(axes, 45, 112, 10)
    write(axes, 68, 112, "Transformer", LARGE, INK, "bold", "left")
    lines = [
        "The encoder reads the sentence, once.",
        "The decoder writes one word, reads",
        "what it has written, and goes on.",
    ]
    write(axes, 32, 172, "\n".join(lines), ha="left")
    panel(axes, 32, 367, 340, 191, "Encoder", "2 layers", 7)
    panel(axes, 472, 295, 340, 263, "Decoder", "1 layer", 8)
    entrance(axes, 52, "The animal didn't cross the street\nbecause it was too tired")
    entrance(axes, 492, "<start> L'animal n'a pas traversé\nla rue parce qu'")
    encoder_stack(axes, 52)
    decoder_stack(axes, 492)
    for x, start, end in [
        (202, 416, 352),
        (642, 416, 396),
        (642, 344, 280),
        (642, 228, 208),
        (642, 156, 136),
    ]:
        arrow(axes, (x, start), (x, end))
    arrow(axes, (352, 326), (422, 326), (422, 442), (492, 442))
    arrow(axes, (672, 118), (846, 118), (846, 713), (792, 713))
    arrow(axes, (362, 596), (216, 596), color=POSITION)
    arrow(axes, (482, 596), (628, 596), color=POSITION)
    box(axes, 362, 577, 120, 38, "positions", "", POSITION, 6)
    for x, y, name, color in [(440, 427, "K", KEY), (458, 427, "V", VALUE), (660, 478, "Q", QUERY)]:
        write(axes, x, y, name, SMALL, color, "bold")
    return axes


def entrance(axes, x, words):
    """Words that become vectors, to which positions are added."""
    frame(axes, x, 686, 300, 54, fc="white")
    write(axes, x + 150, 713, words, color=INK)
    box(axes, x, 626, 300, 40, "embedding")
    plus(axes, x + 150, 596)
    for start, end in [(686, 666), (626, 610), (582, 540), (488, 468)]:
        arrow(axes, (x + 150, start), (x + 150, end))


def encoder_stack(axes, x):
    box(axes, x, 488, 300, 52, "layer 1", "self-attention, feed-forward", zoom=True)
    box(axes, x, 416, 300, 52, "layer 2", "the same, other parameters")
    box(axes, x, 300, 300, 52, "memory", "one vector for each English word")


def decoder_stack(axes, x):
    looks_back = "looks at the words written so far"
    box(axes, x, 488, 300, 52, "masked self-attention", looks_back, WEIGHT, 9)
    box(axes, x, 416, 300, 52, "cross-attention", "looks at the English words", WEIGHT, 4)
    box(axes, x, 344, 300, 52, "feed-forward", "each word alone", None, 7)
    box(axes, x, 228, 300, 52, "linear", "a score for every French word")
    box(axes, x, 156, 300, 52, "softmax", "scores become shares", None, 2)
    box(axes, x + 120, 100, 60, 36, "il", "", QUERY)
    write(axes, x + 267, 102, "the next word")


def zoom_3_layer():
    """One encoder layer: two branches that leave the residual path and are added to it again."""
    axes = card(410, 3, "one layer")
    panel(axes, 147, 76, 606, 242, "Encoder layer", "residual path: what each word was", 7)
    box(axes, 32, 101, 84, 90, "in", "words as\nvectors")
    box(axes, 784, 101, 84, 90, "out", "words as\nvectors")
    arrow(axes, (116, 146), (784, 146), color=INK)
    for x in (167, 471):
        axes.add_patch(Circle((x + 39, 146), 4, fc=INK))
        arrow(axes, (x + 39, 146), (x + 39, 208))
        box(axes, x, 208, 78, 90, "layer\nnorm", "", None, 7)
        arrow(axes, (x + 78, 253), (x + 104, 253))
        arrow(axes, (x + 184, 208), (x + 184, 160))
        plus(axes, x + 184, 146)
    box(
        axes,
        271,
        208,
        160,
        90,
        "self-attention",
        "words look at\neach other",
        WEIGHT,
        4,
        5,
        zoom=True,
    )
    box(axes, 575, 208, 160, 90, "feed-forward", "each word alone", None, 7)
    for x, y in [(403, 146), (707, 146), (175, 362)]:
        frame(axes, x - 28, y - 15, 56, 30, ec=SOFT, fc="white", ls=(0, (3, 2)), zorder=3)
        write(axes, x, y, "norm", zorder=4)
    write(
        axes,
        215,
        362,
        "its place in the paper (post-norm); the course's model has it below (pre-norm)",
        ha="left",
    )
    return axes


def zoom_4_head():
    """One head opened: every step of attention, with the numbers of notebook 4's first demo,
    causal.
    """
    axes = card(430, 4, "one head")
    for back in (24, 16, 8):
        frame(axes, 100 + back, 104 - back, 544, 294, 12, ec=SOFT, fc="white")
        arrow(axes, (644 + back, 130 + 3.5 * back), (696, 130 + 3.5 * back))
    panel(axes, 100, 104, 544, 294, "Head 1 of 4", "", 4)
    box(axes, 32, 150, 44, 228, "X")
    for y, name, color, end in [
        (174, "Q", QUERY, 212),
        (234, "K", KEY, 212),
        (354, "V", VALUE, 582),
    ]:
        arrow(axes, (76, y), (116, y))
        box(axes, 116, y - 24, 52, 48, f"W_{name}", "", color)
        arrow(axes, (168, y), (end, y), color=color)
        write(axes, 188, y - 14, name, SMALL, color, "bold")
    demo = AttentionSteps("it was too tired", "causal")
    scores = demo.Q @ demo.K.T  # (T, S)
    dark = (scores - scores.min()) / np.ptp(scores)
    paler = (scores / 2**0.5 - scores.min()) / np.ptp(scores)  # d_k = 2
    seen = np.ones_like(demo.mask)
    for x, width, height, title, number, shares, mask in [
        (212, 58, 108, "Q Kᵀ", 1, dark, seen),
        (290, 72, 48, "÷ √d_k", 3, paler, seen),
        (382, 74, 48, "(mask)", 9, paler, demo.mask),
        (476, 86, 48, "softmax", 2, demo.weights, demo.mask),
    ]:
        box(axes, x, 204 - height / 2, width, height, title, "", WEIGHT, number)
        arrow(axes, (x + width, 204), (x + width + 20, 204))
        for (row, column), share in np.ndenumerate(shares):
            style = (
                {"fc": tint(WEIGHT, 0.85 * share)}
                if mask[row, column]
                else {"fc": PANEL, "hatch": "////"}
            )
            corner = (x + width / 2 + 13 * column - 26, 266 + 13 * row)
            axes.add_patch(Rectangle(corner, 13, 13, ec="#8C959F", lw=0.6, **style))
    write(axes, 241, 331, "scores")
    write(axes, 519, 331, "weights")
    box(axes, 582, 150, 44, 228, "· V", "", VALUE, 2)
    box(axes, 696, 130, 66, 268, "merge\nheads", "", None, 5)
    box(axes, 784, 240, 48, 48, "W_O", "", None, 5)
    for start, end in [(626, 696), (762, 784), (832, 868)]:
        arrow(axes, (start, 264), (end, 264))
    return axes


def course_map():
    """The pages in reading order; an arrow leads to what builds on it."""
    axes = card(704)
    for y, height, title in [
        (148, 176, "The pieces"),
        (372, 148, "The architecture"),
        (568, 116, "Train it"),
    ]:
        frame(axes, 24, y, 852, height, 12, fc=tint(WEIGHT, y / 3000), ec=tint(WEIGHT, 0.4))
        write(axes, 860, y + 20, title, LARGE, INK, "bold", "right")
    rows = [(0, 40, 80, 190), (1, 184, 124, 148), (6, 408, 96, 190), (10, 604, 64, 400)]
    for number, (name, question) in enumerate(PAGES):
        first, y, height, width = next(row for row in reversed(rows) if row[0] <= number)
        x, middle = 40 + (number - first) * (width + 20), y + height / 2
        box(axes, x, y, width, height, name, question, None, number)
        if number > first:
            arrow(axes, (x - 20, middle), (x, middle))
    box(axes, 670, 40, 190, 80, "Demos", "Every demo,\nready to project")
    write(axes, 450, 80, "Follow the numbers. An arrow\nleads to what builds on it.")
    arrow(axes, (114, 120), (114, 184))
    arrow(axes, (618, 308), (618, 340), (135, 340), (135, 408))
    arrow(axes, (786, 308), (786, 356), (345, 356), (345, 408))
    arrow(axes, (765, 504), (765, 544), (240, 544), (240, 604))
    return axes


DRAWINGS = {
    draw.__name__.replace("_", "-"): draw
    for draw in (zoom_1_black_box, zoom_2_stacks, zoom_3_layer, zoom_4_head, course_map)
}


def png(name):
    """A drawing as PNG bytes in its commonest colours: a third of the room, looking the same."""
    with rc_context({**rcParamsDefault, "figure.dpi": 170}):
        canvas = FigureCanvasAgg(DRAWINGS[name]().figure)
        canvas.draw()
    pixels = np.array(canvas.buffer_rgba()).view(np.uint32)[..., 0]  # (height, width)
    colors, which, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    colors = colors[:, None].view(np.uint8).astype(int)  # (different colours, 4)
    kept = colors[np.argsort(-counts, kind="stable")[:255]]
    nearest = ((colors[:, None] - kept) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    image, buffer = Image.fromarray(nearest[which].reshape(pixels.shape)), BytesIO()
    image.putpalette(kept.astype(np.uint8).tobytes(), "RGBA")
    image.save(buffer, "png", optimize=True)
    return buffer.getvalue()


if __name__ == "__main__":
    for name in DRAWINGS:
        (ROOT / "figures" / f"{name}.png").write_bytes(png(name))
