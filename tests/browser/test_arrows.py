"""Arrows as a reader uses it: drag, keys, Reset, and the next cell reads what is on the screen."""

TO_SCREEN = """(svg, [x, y]) => {
    const point = new DOMPoint(120 + 24 * x, 120 - 24 * y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""


def test_a_longer_key_wins(live):
    shown = live("widgets.Arrows()", "print(demo.k2, demo.scores)")
    svg, mouse = shown.svg, shown.mouse
    shown.says(
        "k (1.2, 0.9) chosen; shadow of k on q 1.42 × length of q 3.16 = score 4.50, the winner"
    )
    mouse.move(*svg.evaluate(TO_SCREEN, [0.6, 1.6]))
    mouse.down()
    mouse.move(*svg.evaluate(TO_SCREEN, [1.5, 4.0]), steps=5)
    mouse.up()
    shown.says(
        "k′ (1.5, 4.0) chosen; shadow of k′ on q 2.69 × length of q 3.16 = score 8.50, the winner"
    )
    shown.press("Shift+ArrowDown")
    shown.press("ArrowRight")
    shown.says("k′ (1.6, 3.5) chosen")
    assert shown.output(1) == "[1.6 3.5] [4.5 8.3]"
    svg.focus()
    shown.press("Enter")
    shown.says("q (3.0, 1.0) chosen")
    for _ in range(6):
        shown.press("Shift+ArrowLeft")
    shown.press("Shift+ArrowDown")
    shown.press("Shift+ArrowDown")
    shown.says("q (0.0, 0.0) chosen; q has no direction")
    assert "NaN" not in svg.inner_html() and "no direction" in svg.text_content()
    shown.demo.locator(".demo-reset").click()
    shown.says("k (1.2, 0.9) chosen")
    assert shown.page.cells() == 2
