"""Depth as a reader uses it: switch the residual path off, point at a token, and the next cell reads it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.Depth()\ndemo'
READ = "print(demo.vectors.shape, demo.cosines[:4].round(2), demo.drawing.chosen)"
SAYS = "([caption, words]) => caption.textContent.includes(words)"
STILL = "(svg) => !svg.getAnimations({ subtree: true }).length"
# Where the dots are once they have stopped: how far the furthest two are apart, in the units of the drawing.
SPREAD = """(svg) => {
    const at = [...svg.querySelectorAll(".dot")].map((dot) => new DOMMatrix(dot.style.transform));
    return Math.max(...at.flatMap((a) => at.map((b) => Math.hypot(a.e - b.e, a.f - b.f))));
}"""


def test_without_the_residual_path_all_words_become_one(lab, lab_page):
    nbformat.write(
        new_notebook(cells=[new_code_cell(SHOW), new_code_cell(READ)], metadata=KERNEL),
        lab.notebooks / "depth.ipynb",
    )
    lab_page.open("depth.ipynb")
    lab_page.run_all()
    demo, keyboard = lab_page.demos()[0], lab_page.browser.keyboard
    svg, caption = (
        demo.locator(".drawing svg"),
        demo.locator(".drawing figcaption").element_handle(),
    )

    def expect(words):
        lab_page.browser.wait_for_function(SAYS, arg=[caption, words], timeout=5000)

    svg.scroll_into_view_if_needed()
    expect("it: nearest in all dimensions is The, cosine 0.305; all pairs 0.055")
    assert svg.evaluate(SPREAD) > 100
    svg.locator(".name", has_text="street").hover()
    expect("street: nearest in all dimensions is ")
    svg.focus()
    keyboard.press("ArrowLeft")
    expect("the: nearest")
    keyboard.press("Home")
    expect("The: nearest")
    residual = demo.locator("input[type=checkbox]").first
    residual.uncheck()
    expect("cosine 1.000; all pairs 1.000")
    assert svg.evaluate(SPREAD) < 2
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.wait_until_idle()
    said = lab_page.cell(1).locator(".jp-OutputArea-output").inner_text().strip()
    assert said.startswith("(13, 11, 32) [-0.03") and said.endswith("1.  ] 0")
    with lab_page.full_screen(demo) as shown:
        lab_page.browser.wait_for_function(STILL, arg=svg.element_handle())
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    demo.locator(".demo-reset").click()
    expect("it: nearest in all dimensions is The, cosine 0.305")
    assert lab_page.cells() == 2 and lab_page.errors() == []
