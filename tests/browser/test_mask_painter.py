"""MaskPainter with mouse and keyboard: drag, presets, both switches, a black row, the next cell."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.MaskPainter()\ndemo'
HATCHED = """(count) =>
    [...document.querySelectorAll(".mask-painter .hold")].filter((r) => r.style.fill.includes("url")).length == count"""
READ = "print((~demo.mask).sum(), demo.weights[2].sum().round(2))"


def test_paint_switch_and_read(lab, lab_page):
    cells = [new_code_cell(SHOW), new_code_cell(READ)]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), lab.notebooks / "masks.ipynb")
    lab_page.open("masks.ipynb")
    lab_page.run_all()
    demo, keyboard, mouse = lab_page.demos()[0], lab_page.browser.keyboard, lab_page.browser.mouse
    drawing = demo.locator(".drawing.mask-painter")
    rects = drawing.locator("rect.hold")  # row by row: six scores, six weights

    def says(text):
        drawing.locator("figcaption", has_text=text).wait_for()

    def at(row, column):
        box = rects.nth(12 * row + column).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    says("weight(it, tired) = e^1.9 / (e^0.4 + e^0.9 + e^−0.2 + e^1.9 + e^−1.0 + e^0.3) ≈ 0.51")
    drawing.scroll_into_view_if_needed()
    mouse.click(*at(0, 3))
    says("weight(it, tired): blocked, exactly 0")
    mouse.move(*at(2, 0))
    mouse.down()
    mouse.move(*at(2, 5), steps=2)  # jumps over cells
    mouse.up()
    says(
        "“too” may attend to nothing: lib gives weights 0, output 0; a plain softmax of −∞ gives nan, of −1e9"
    )
    assert drawing.locator("text", has_text="−∞").count() == 7
    keyboard.press("Home")
    keyboard.press("Enter")
    says("weight(too, it) = e^−0.2 / e^−0.2 = 1.00")
    demo.get_by_text("mask after the softmax").click()
    says("weight(too, it) = e^−0.2 / (e^−0.2 + e^−1.0")
    says("not equal to masking before the softmax, by up to 0.90")
    demo.get_by_text("renormalise").click()
    says("0.10 ÷ row sum 0.10 ≈ 1.00. Equal to masking before the softmax, to 1e-7")
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.cell(1).locator(".jp-OutputArea-output", has_text="6 1.0").wait_for()
    presets = {
        "causal": 15,
        "padding": 12,
        "causal and padding": 18,
        "window (width 1)": 20,
        "all": 0,
    }
    for preset, blocked in presets.items():
        demo.get_by_role("button", name=preset, exact=True).click()
        lab_page.browser.wait_for_function(HATCHED, arg=2 * blocked)  # scores and weights
    demo.get_by_role("button", name="causal and padding").click()
    rects.nth(3).hover()
    says("0.51 × 0 = 0: blocked")
    with lab_page.full_screen(demo) as shown:
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    demo.locator(".demo-reset").click()
    says("weight(it, tired) = e^1.9 / (e^0.4")
    assert lab_page.errors() == [] and lab_page.outside == []
