"""Patches as a reader uses it: hover previews, click pins, Escape frees, arrows move, the next cell reads it."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.Patches()\ndemo'
READ = "print(demo.patch, demo.weights.shape)"
TO_SCREEN = """(svg, [row, column]) => {
    const wide = 204 / 14, point = new DOMPoint((column + 0.5) * wide, 18 + (row + 0.5) * wide);
    const place = point.matrixTransform(svg.getScreenCTM());
    return [place.x, place.y];
}"""
SAYS = "([caption, words]) => caption.textContent.includes(words)"


def test_hover_pin_and_free(lab, lab_page):
    nbformat.write(
        new_notebook(cells=[new_code_cell(SHOW), new_code_cell(READ)], metadata=KERNEL), lab.notebooks / "patches.ipynb"
    )
    lab_page.open("patches.ipynb")
    lab_page.run_all()
    demo, keyboard, mouse = lab_page.demos()[0], lab_page.browser.keyboard, lab_page.browser.mouse
    svg, caption = demo.locator(".drawing svg"), demo.locator(".drawing figcaption").element_handle()

    def expect(words):
        lab_page.browser.wait_for_function(SAYS, arg=[caption, words], timeout=5000)

    svg.scroll_into_view_if_needed()
    expect("patch row 7, column 10 →")
    mouse.move(*svg.evaluate(TO_SCREEN, [1, 6]))
    expect("patch row 1, column 6 → looks at itself most")
    mouse.click(*svg.evaluate(TO_SCREEN, [9, 3]))
    expect("patch row 9, column 3 (pinned) → looks at row 2, column 2 most")
    mouse.move(*svg.evaluate(TO_SCREEN, [12, 12]))
    lab_page.settle()
    expect("patch row 9, column 3 (pinned)")
    keyboard.press("ArrowUp")
    keyboard.press("Escape")
    expect("patch row 8, column 3 →")
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.wait_until_idle()
    assert lab_page.cell(1).locator(".jp-OutputArea-output").inner_text().strip() == "(8, 3) (196, 196)"
    demo.locator(".noUi-handle").focus()
    for _ in range(3):
        keyboard.press("ArrowLeft")
    expect("looks at every patch alike: weight 0.005")
    demo.locator(".demo-reset").click()
    expect("patch row 7, column 10 → looks at row 9, column 11 most")
    assert lab_page.errors() == []
