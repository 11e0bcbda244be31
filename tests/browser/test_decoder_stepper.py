"""DecoderStepper with keys, buttons and mouse; twelve words and twelve source words on a projector."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.DecoderStepper()\ndemo'
READ = "print(demo.target_tokens[-1], demo.cross_weights.shape)"
LONG = """
import numpy as np

def step(tokens):
    T = len(tokens)
    return np.tri(T) / np.arange(1, T + 1)[:, None], np.full((T, 12), 1 / 12), {"<b>שלום</b>": 0.7, "动物太累了": 0.3}

widgets.DecoderStepper("The animal didn't cross the street because it was too tired <i>".split(), step)
"""


def test_write_look_back_and_read(lab, lab_page):
    cells = [new_code_cell(cell) for cell in (SHOW, READ, LONG)]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), lab.notebooks / "stepper.ipynb")
    lab_page.open("stepper.ipynb")
    lab_page.run_all()
    demo, long = lab_page.demos()
    keyboard = lab_page.browser.keyboard
    caption, svg = demo.locator(".decoder-stepper figcaption"), demo.locator(".decoder-stepper svg")

    def says(text, caption=caption):
        caption.filter(has_text=text).wait_for()

    says("looks at “\u2068the\u2069” 0.68, “\u2068animal\u2069” 0.25")
    svg.focus()
    keyboard.press("ArrowRight")
    says("Row 2, “\u2068l'\u2069”: looks at “\u2068animal\u2069” 0.87")
    says("row 1: unchanged, bit for bit")
    assert demo.locator(".lock").count() == 1
    for _ in range(5):
        keyboard.press("ArrowRight")
    says("rows 1–4: unchanged, bit for bit · Stopped: “<end>” is the end token.")
    keyboard.press("Home")
    says("Row 1, “\u2068<start>\u2069”")
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    says("Row 3, “\u2068animal\u2069”: looks at “\u2068tired\u2069” 0.87")
    demo.locator("rect.cell").nth(1).hover()
    says("“\u2068l'\u2069”, self-attention blocked, exactly 0")
    demo.locator("rect.cell").nth(5).hover()
    says("Row 1, “\u2068<start>\u2069” → “\u2068the\u2069”, cross-attention 0.681")
    demo.get_by_role("button", name="take one back").click()
    says(
        "“\u2068dormait\u2069”: looks at all source words alike, 0.25 each → next word “\u2068<end>\u2069”"
    )
    svg.focus()
    keyboard.press("Backspace")
    says("Row 4, “\u2068fatigué\u2069”: looks at “\u2068slept\u2069”")
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.cell(1).locator(".jp-OutputArea-output", has_text="fatigué (4, 4)").wait_for()
    with lab_page.full_screen(demo) as shown:
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    demo.locator(".demo-reset").click()
    says("looks at “\u2068the\u2069” 0.68")
    for _ in range(12):
        long.get_by_role("button", name="next word").click()
    says("Stopped: 12 words are the limit.", long.locator("figcaption"))
    with lab_page.full_screen(long) as shown:
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    assert lab_page.errors() == [] and lab_page.outside == []
