"""Clocks as a reader uses it: keys, a dragged hand, the dragged dot, shuffled words, and the next cell reads it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
SHOW = 'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = widgets.Clocks()\ndemo'
READ = "print(demo.p, demo.k, round(demo.product, 2), sorted(demo.words) == sorted(widgets.clocks.WORDS))"
TO_SCREEN = """(svg, [x, y]) => {
    const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""
ON_FIRST_CLOCK = """(svg, angle) => {
    const face = svg.querySelector(".face");
    const [x, y, r] = ["cx", "cy", "r"].map((name) => Number(face.getAttribute(name)));
    const point = new DOMPoint(x + r * 0.86 * Math.cos(angle), y - r * 0.86 * Math.sin(angle));
    const place = point.matrixTransform(svg.getScreenCTM());
    return [place.x, place.y];
}"""
SAYS = "([caption, words]) => caption.textContent.includes(words)"


def test_only_the_distance_counts(lab, lab_page):
    nbformat.write(
        new_notebook(cells=[new_code_cell(SHOW), new_code_cell(READ)], metadata=KERNEL),
        lab.notebooks / "clocks.ipynb",
    )
    lab_page.open("clocks.ipynb")
    lab_page.run_all()
    demo, keyboard, mouse = lab_page.demos()[0], lab_page.browser.keyboard, lab_page.browser.mouse
    svg, caption = (
        demo.locator(".drawing svg"),
        demo.locator(".drawing figcaption").element_handle(),
    )
    curve = demo.locator(".curve")

    def expect(words):
        lab_page.browser.wait_for_function(SAYS, arg=[caption, words], timeout=5000)

    def drag(start, *stations):
        mouse.move(*start)
        mouse.down()
        for station in stations:
            mouse.move(*station, steps=3)
        mouse.up()

    svg.scroll_into_view_if_needed()
    expect(
        "p = 1 (animal), p + k = 4 (the): PE(p) · PE(p + k) = 5.54. Clock 1 of 8 turns once in 6.3 places."
    )
    heights = [float(point.split()[1]) for point in curve.get_attribute("d")[1:].split("L")]
    svg.focus()
    for _ in range(10):
        keyboard.press("ArrowRight")
    expect("p = 11, p + k = 14: PE(p) · PE(p + k) = 5.54")
    moved = [float(point.split()[1]) for point in curve.get_attribute("d")[1:].split("L")]
    assert max(abs(a - b) for a, b in zip(heights, moved, strict=True)) < 1e-6, (
        "the curve stands still"
    )
    keyboard.press("ArrowUp")
    keyboard.press("Shift+ArrowRight")
    expect("p = 11, p + k = 16: PE(p) · PE(p + k) = 6.14")
    # Once round with the blue hand, against the clock: about six places on, the distance stays.
    drag(*(svg.evaluate(ON_FIRST_CLOCK, 11 + turn) for turn in (0, 1.5, 3, 4.5, 6)))
    expect("p = 17, p + k = 22: PE(p) · PE(p + k) = 6.14")
    drag(*(svg.evaluate(ON_FIRST_CLOCK, 22 - turn) for turn in (0, 1, 2)))
    expect("p = 17, p + k = 20: PE(p) · PE(p + k) = 5.54")
    drag(
        svg.evaluate(TO_SCREEN, [26 + 3 * 224 / 60, 210]),
        svg.evaluate(TO_SCREEN, [26 + 40 * 224 / 60, 190]),
    )
    expect("p = 17, p + k = 57: PE(p) · PE(p + k) = 3.89")
    drag(svg.evaluate(TO_SCREEN, [100, 15]), svg.evaluate(TO_SCREEN, [-300, 15]))
    expect("p = 0 (the), p + k = 40")
    keyboard.press("Enter")
    expect("Clock 2 of 8 turns once in 19.9 places")
    demo.locator("button", has_text="shuffle").click()
    lab_page.browser.wait_for_function(SAYS, arg=[caption, "p = 0 ("])
    lab_page.cell(1).click()
    keyboard.press("Control+Enter")
    lab_page.wait_until_idle()
    said = lab_page.cell(1).locator(".jp-OutputArea-output").inner_text().strip()
    assert said.startswith("0 40 ") and said.endswith(" True")
    with lab_page.full_screen(demo) as shown:
        shown.locator(".noUi-handle").focus()
        for key, count in (("ArrowRight", 16), ("Home", 2)):
            keyboard.press(key)
            expect(f" of {count} turns")
            assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    demo.locator(".demo-reset").click()
    expect("p = 1 (animal), p + k = 4 (the)")
    assert lab_page.cells() == 2 and lab_page.errors() == []
