"""Patches as a reader uses it: hover previews, click pins, Escape frees, arrows move."""

TO_SCREEN = """(svg, [row, column]) => {
    const wide = 204 / 14, point = new DOMPoint((column + 0.5) * wide, 18 + (row + 0.5) * wide);
    const place = point.matrixTransform(svg.getScreenCTM());
    return [place.x, place.y];
}"""


def test_hover_pin_and_free(live):
    shown = live("widgets.Patches()", "print(demo.patch, demo.weights.shape)")
    svg, mouse = shown.svg, shown.mouse
    shown.says("patch row 7, column 10 →")
    mouse.move(*svg.evaluate(TO_SCREEN, [1, 6]))
    shown.says("patch row 1, column 6 → looks at itself most")
    mouse.click(*svg.evaluate(TO_SCREEN, [9, 3]))
    shown.says("patch row 9, column 3 (pinned) → looks at row 2, column 2 most")
    mouse.move(*svg.evaluate(TO_SCREEN, [12, 12]))
    shown.page.settle()
    shown.says("patch row 9, column 3 (pinned)")
    shown.press("ArrowUp")
    shown.press("Escape")
    shown.says("patch row 8, column 3 →")
    assert shown.output(1) == "(8, 3) (196, 196)"
    shown.demo.locator(".noUi-handle").focus()
    for _ in range(3):
        shown.press("ArrowLeft")
    shown.says("looks at every patch alike: weight 0.005")
    shown.demo.locator(".demo-reset").click()
    shown.says("patch row 7, column 10 → looks at row 9, column 11 most")
