"""Clocks as a reader uses it: keys, a dragged hand, the dragged dot, shuffled words."""

import pytest

from tests.browser.measuring import problems

READ = """
same = sorted(demo.words) == sorted(widgets.clocks.WORDS)
print(demo.p, demo.k, round(demo.product, 2), same)
"""
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


def heights(shown):
    """The heights of the curve's points."""
    path = shown.demo.locator(".curve").get_attribute("d")
    return [float(point.split()[1]) for point in path[1:].split("L")]


def test_only_the_distance_counts(live):
    shown = live("widgets.Clocks()", READ)
    svg = shown.svg
    shown.says(
        "p = 1 (animal), p + k = 4 (the): PE(p) · PE(p + k) = 5.54. "
        "Clock 1 of 8 turns once in 6.3 places."
    )
    before = heights(shown)
    svg.focus()
    shown.press(*["ArrowRight"] * 10)
    shown.says("p = 11, p + k = 14: PE(p) · PE(p + k) = 5.54")
    assert heights(shown) == pytest.approx(before, abs=1e-6), "the curve stands still"
    shown.press("ArrowUp", "Shift+ArrowRight")
    shown.says("p = 11, p + k = 16: PE(p) · PE(p + k) = 6.14")
    # Once round with the blue hand, against the clock: about six places on, the distance stays.
    shown.drag(*(svg.evaluate(ON_FIRST_CLOCK, 11 + turn) for turn in (0, 1.5, 3, 4.5, 6)))
    shown.says("p = 17, p + k = 22: PE(p) · PE(p + k) = 6.14")
    shown.drag(*(svg.evaluate(ON_FIRST_CLOCK, 22 - turn) for turn in (0, 1, 2)))
    shown.says("p = 17, p + k = 20: PE(p) · PE(p + k) = 5.54")
    dot, further = [26 + 3 * 224 / 60, 210], [26 + 40 * 224 / 60, 190]
    shown.drag(svg.evaluate(TO_SCREEN, dot), svg.evaluate(TO_SCREEN, further))
    shown.says("p = 17, p + k = 57: PE(p) · PE(p + k) = 3.89")
    shown.drag(svg.evaluate(TO_SCREEN, [100, 15]), svg.evaluate(TO_SCREEN, [-300, 15]))
    shown.says("p = 0 (the), p + k = 40")
    shown.press("Enter")
    shown.says("Clock 2 of 8 turns once in 19.9 places")
    shown.demo.locator("button", has_text="shuffle").click()
    shown.says("p = 0 (")
    printed = shown.output(1)
    assert printed.startswith("0 40 ") and printed.endswith(" True")
    with shown.page.full_screen(shown.demo) as screen:
        screen.locator(".noUi-handle").focus()
        for key, count in (("ArrowRight", 16), ("Home", 2)):
            shown.press(key)
            shown.says(f" of {count} turns")
            assert problems(screen) == []
    shown.reset()
    shown.says("p = 1 (animal), p + k = 4 (the)")
    assert shown.page.cells() == 2
