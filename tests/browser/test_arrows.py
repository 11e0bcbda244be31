"""Arrows as a reader uses it: drag, keys, Reset, and the next cell reads what is on the screen."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.Arrows()\ndemo'
READ = "print(demo.k2, demo.scores)"
TO_SCREEN = """(svg, [x, y]) => {
    const point = new DOMPoint(120 + 24 * x, 120 - 24 * y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""
SAYS = "([caption, words]) => caption.textContent.includes(words)"


def test_a_longer_key_wins(lab, lab_page):
    nbformat.write(
        new_notebook(cells=[new_code_cell(SHOW), new_code_cell(READ)], metadata=KERNEL), lab.notebooks / "arrows.ipynb"
    )
    lab_page.open("arrows.ipynb")
    lab_page.run_all()
    demo, keyboard, mouse = lab_page.demos()[0], lab_page.browser.keyboard, lab_page.browser.mouse
    svg, caption = demo.locator(".drawing svg"), demo.locator(".drawing figcaption").element_handle()

    def expect(words):
        lab_page.browser.wait_for_function(SAYS, arg=[caption, words], timeout=5000)

    svg.scroll_into_view_if_needed()
    expect("k (2.0, 1.2) chosen; shadow of k on q 2.28 × length of q 3.16 = score 7.20, the winner")
    mouse.move(*svg.evaluate(TO_SCREEN, [0.6, 1.6]))
    mouse.down()
    mouse.move(*svg.evaluate(TO_SCREEN, [1.5, 4.0]), steps=5)
    mouse.up()
    expect("k′ (1.5, 4.0) chosen; shadow of k′ on q 2.69 × length of q 3.16 = score 8.50, the winner")
    keyboard.press("Shift+ArrowDown")
    keyboard.press("ArrowRight")
    expect("k′ (1.6, 3.5) chosen")
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.wait_until_idle()
    assert lab_page.cell(1).locator(".jp-OutputArea-output").inner_text().strip() == "[1.6 3.5] [7.2 8.3]"
    svg.focus()
    keyboard.press("Enter")
    expect("q (3.0, 1.0) chosen")
    for _ in range(6):
        keyboard.press("Shift+ArrowLeft")
    keyboard.press("Shift+ArrowDown")
    keyboard.press("Shift+ArrowDown")
    expect("q (0.0, 0.0) chosen; q has no direction")
    assert "NaN" not in svg.inner_html() and "no direction" in svg.text_content()
    demo.locator(".demo-reset").click()
    expect("k (2.0, 1.2) chosen")
    assert lab_page.cells() == 2 and lab_page.errors() == []
