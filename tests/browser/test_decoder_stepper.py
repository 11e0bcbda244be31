"""DecoderStepper with keys, buttons and mouse; a long source of twelve words on a projector."""

READ = "print(demo.target_tokens[-1], demo.cross_weights.shape)"
LONG_STEP = """
import numpy as np

source = "The animal didn't cross the street because it was too tired <i>".split()


def step(tokens):
    T = len(tokens)
    back = np.tri(T) / np.arange(1, T + 1)[:, None]
    return back, np.full((T, 12), 1 / 12), {"<b>שלום</b>": 0.7, "动物太累了": 0.3}

"""


def test_write_look_back_and_read(live):
    shown = live("widgets.DecoderStepper()", READ)
    demo, svg = shown.demo, shown.svg
    shown.says("looks at “\u2068the\u2069” 0.68, “\u2068animal\u2069” 0.25")
    svg.focus()
    shown.press("ArrowRight")
    shown.says(
        "Row 2, “\u2068l'\u2069”: looks at “\u2068animal\u2069” 0.87",
        "row 1: unchanged, bit for bit",
    )
    assert demo.locator(".lock").count() == 1
    shown.press(*["ArrowRight"] * 5)
    shown.says("rows 1–4: unchanged, bit for bit · Stopped: “<end>” is the end token.")
    shown.press("Home")
    shown.says("Row 1, “\u2068<start>\u2069”")
    shown.press("ArrowDown", "ArrowDown")
    shown.says("Row 3, “\u2068animal\u2069”: looks at “\u2068tired\u2069” 0.87")
    demo.locator("rect.cell").nth(1).hover()
    shown.says("“\u2068l'\u2069”, self-attention blocked, exactly 0")
    demo.locator("rect.cell").nth(5).hover()
    shown.says("Row 1, “\u2068<start>\u2069” → “\u2068the\u2069”, cross-attention 0.681")
    shown.button("take one back")
    shown.says(
        "“\u2068dormait\u2069”: looks at all source words alike, 0.25 each → next word "
        "“\u2068<end>\u2069”"
    )
    svg.focus()
    shown.press("Backspace")
    shown.says("Row 4, “\u2068fatigué\u2069”: looks at “\u2068slept\u2069”")
    assert shown.output(1) == "fatigué (4, 4)"
    assert shown.problems() == []
    shown.reset()
    shown.says("looks at “\u2068the\u2069” 0.68")


def test_twelve_words_of_any_kind_are_legible(live):
    shown = live("widgets.DecoderStepper(source, step)", before=LONG_STEP)
    for _ in range(12):
        shown.button("next word")
    shown.says("Stopped: 12 words are the limit.")
    assert shown.problems() == []
