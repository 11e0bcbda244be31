"""Draw the pictures of the Transformer and the map of the course into figures/.

    .venv/bin/python tools/drawings.py

Lengths are pixels of a page 900 wide, where the pictures are shown; x goes right and y goes down.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.patches import Circle, FancyArrowPatch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.charts.colours import INK, LIGHT, SOFT
from lib.charts.plots import FONTS, KEY, POSITION, QUERY, VALUE, WEIGHT
from lib.widgets.attention_steps.attention_steps import AttentionSteps
from tools import help_if_asked
from tools.course import ROOT
from tools.drawing_parts import (
    FORMULA,
    LARGE,
    arrow,
    badges,
    box,
    card,
    frame,
    panel,
    plus,
    reduced,
    small_map,
    tint,
    write,
)

WARNING = LIGHT["warning"]

# Each page's name, and its question in few words, as the map writes them.
PAGES = [
    ("Start here", "What does a\nTransformer do?"),
    ("Dot products", "How well do\ntwo vectors\nmatch?"),
    ("Softmax", "How do scores\nbecome\nshares?"),
    ("Scaling", "Why divide\nthe scores\nby $\\sqrt{d_k}$?"),
    ("Queries, keys\nand values", "What does each\nword collect?"),
    ("Multi-head", "Why look\nseveral ways\nat once?"),
    ("Positional encoding", "Which word\ncame first?"),
    ("The encoder", "What else is\nin a layer?"),
    ("The decoder", "How does it write\na sentence?"),
    ("Masking", "Who may look\nat whom?"),
    ("Translation", "Can you train\none yourself?"),
    ("Is the picture\ntrue?", "Which map\nis evidence?"),
    ("A GPT", "What is each\npart worth?"),
    ("It writes", "Who chooses\nthe word?"),
    ("A real model", "Does one look\nat the animal?"),
    ("A model of today", "Which parts\nhave changed?"),
    ("Who copies?", "Where does a\nname come from?"),
]


def zoom_2_stacks():
    """The encoder reads, the decoder writes one word after another; both from the bottom up."""
    axes = card(772, "Two stacks")
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
        write(axes, x, y, f"${name}$", LARGE, color)
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
    box(axes, x, 488, 300, 52, "layer 1", "self-attention, feed-forward")
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


def teacher_forcing():
    """What a decoder is given and what it must write, and the look that would give it away."""
    axes = card(440)
    words = ["<start>", "l'", "animal", "fatigué", "dormait", "<end>"]
    writes, answer = 2, words[3]
    lefts = [110 + 154 * place for place in range(5)]
    write(axes, 32, 36, "All words at once", LARGE, INK, "bold", "left")
    write(axes, 32, 112, "must\nwrite", ha="left")
    write(axes, 32, 326, "is\ngiven", ha="left")
    for place, x in enumerate(lefts):
        for y, word in [(88, words[place + 1]), (302, words[place])]:
            box(axes, x, y, 128, 48, word, "", INK if word == answer else None)
        above = lefts[writes] + 64 + 9 * (place - writes)
        look(axes, (x + 64, 302), (above, 137), is_open=place <= writes)
    says = "closed by the mask: its own\nanswer, and what comes after"
    write(axes, 650, 168, says, color=WARNING, ha="left")
    says = (
        "Every place must write the word that is given one place to its right. Arrows: one of them."
    )
    write(axes, 450, 396, says)
    return axes


def look(axes, start, end, is_open):
    """A straight arrow: what a place may look at; dashed, in the colour of a warning, if closed."""
    color, dashes = (SOFT, "-") if is_open else (WARNING, (0, (4, 3)))
    style = {"arrowstyle": "-|>,head_length=6,head_width=3", "mutation_scale": 1}
    ends = {"shrinkA": 0, "shrinkB": 0, "zorder": 2}
    axes.add_patch(FancyArrowPatch(start, end, color=color, lw=1.8, ls=dashes, **style, **ends))


def zoom_3_layer():
    """One encoder layer in the paper's order: two branches, each added to the residual path."""
    axes = card(354, "One layer")
    panel(axes, 147, 76, 606, 242, "Encoder layer", "residual path: what each word was", 7)
    box(axes, 32, 101, 84, 90, "in", "words as\nvectors")
    box(axes, 784, 101, 84, 90, "out", "words as\nvectors")
    for start, end in ((116, 350), (428, 654), (732, 784)):
        arrow(axes, (start, 146), (end, 146), color=INK)
    for x in (167, 471):
        axes.add_patch(Circle((x + 65, 146), 4, fc=INK))
        arrow(axes, (x + 65, 146), (x + 65, 208))
        arrow(axes, (x + 150, 208), (x + 150, 160))
        plus(axes, x + 150, 146)
        box(axes, x + 183, 123, 78, 46, "norm")
    attention = ("self-attention", "words look at\neach other", WEIGHT, 4, 5)
    box(axes, 167, 208, 190, 90, *attention)
    box(axes, 471, 208, 190, 90, "feed-forward", "each word alone", None, 7)
    return axes


def zoom_4_head():
    """One head of the encoder layer opened: every step of attention, without a mask."""
    axes = card(430, "One head")
    for back in (24, 16, 8):
        frame(axes, 100 + back, 104 - back, 544, 294, 12, ec=SOFT, fc="white")
        arrow(axes, (644 + back, 130 + 3.5 * back), (696, 130 + 3.5 * back))
    panel(axes, 100, 104, 544, 294, "Head 1 of 4", "", 4)
    box(axes, 32, 150, 44, 228, "$X$")
    for y, name, color, end in [
        (174, "Q", QUERY, 212),
        (234, "K", KEY, 212),
        (354, "V", VALUE, 582),
    ]:
        arrow(axes, (76, y), (116, y))
        box(axes, 116, y - 24, 52, 48, f"$W_{name}$", "", color)
        arrow(axes, (168, y), (end, y), color=color)
        write(axes, 188, y - 16, f"${name}$", FORMULA, color)
    steps_of_attention(axes)
    box(axes, 582, 150, 44, 228, "· $V$", "", VALUE)
    box(axes, 696, 130, 66, 268, "merge\nheads", "", None, 5)
    box(axes, 784, 234, 52, 60, "$W_O$", "", None, 5)
    for start, end in [(626, 696), (762, 784), (836, 868)]:
        arrow(axes, (start, 264), (end, 264))
    return axes


def steps_of_attention(axes):
    """From scores to weights, each step with its numbers in notebook 4's first demo below it."""
    demo = AttentionSteps()
    scores = demo.Q @ demo.K.T  # (T, S)
    scaled = scores / np.sqrt(demo.Q.shape[1])
    for x, width, height, title, number in [
        (212, 58, 108, r"$Q\,K^T$", 1),
        (288, 80, 48, r"$\div\,\sqrt{d_k}$", 3),
        (476, 86, 48, "softmax", 2),
    ]:
        box(axes, x, 204 - height / 2, width, height, title, "", WEIGHT, number)
    for start, end in [(270, 288), (368, 476), (562, 582)]:
        arrow(axes, (start, 204), (end, 204))
    most = np.abs(scores).max()
    small_map(axes, 241, scores / most)
    small_map(axes, 328, scaled / most)
    small_map(axes, 519, demo.weights)
    write(axes, 241, 331, "scores")
    write(axes, 519, 331, "weights")


def course_map():
    """The pages in reading order; an arrow leads to what builds on it."""
    axes = card(956)
    for y, height, title in [
        (148, 176, "The pieces"),
        (372, 148, "The architecture"),
        (568, 168, "Train it, and look inside"),
        (784, 148, "Models of others"),
    ]:
        frame(axes, 24, y, 852, height, 12, fc=tint(WEIGHT, y / 3000), ec=tint(WEIGHT, 0.4))
        write(axes, 860, y + 20, title, LARGE, INK, "bold", "right")
    rows = [(0, 40, 80, 190), (1, 184, 124, 148), (6, 408, 96, 190), (10, 614, 114, 190)]
    rows.append((14, 820, 96, 190))
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
    arrow(axes, (765, 504), (765, 544), (135, 544), (135, 614))
    arrow(axes, (765, 728), (765, 760), (135, 760), (135, 820))
    return axes


DRAWINGS = {
    draw.__name__.replace("_", "-"): draw
    for draw in (
        zoom_2_stacks,
        teacher_forcing,
        zoom_3_layer,
        zoom_4_head,
        course_map,
    )
}


def png(name):
    """A drawing as PNG bytes, whatever settings matplotlib has on this machine."""
    with rc_context({**rcParamsDefault, "font.family": FONTS}):
        return reduced(DRAWINGS[name]().figure)


if __name__ == "__main__":
    help_if_asked(__doc__)
    for name in DRAWINGS:
        (ROOT / "figures" / f"{name}.png").write_bytes(png(name))
