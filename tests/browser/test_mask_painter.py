"""MaskPainter with mouse and keyboard: drag, presets, both switches, a black row, the next cell."""

HATCHED = """(count) => {
    const cells = [...document.querySelectorAll(".mask-painter .hold")];
    return cells.filter((cell) => cell.style.fill.includes("url")).length === count;
}"""
READ = "print((~demo.mask).sum(), demo.weights[2].sum().round(2))"
BLOCKED = {"causal": 15, "padding": 12, "causal and padding": 18, "window (width 1)": 20, "all": 0}


def test_paint_switch_and_read(live):
    shown = live("widgets.MaskPainter()", READ)
    drawing = shown.demo.locator(".drawing.mask-painter")
    rects = drawing.locator("rect.hold")  # row by row: six scores, six weights

    def middle(row, column):
        box = rects.nth(12 * row + column).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    shown.says(
        "weight(it, tired) = e^1.9 / (e^0.4 + e^0.9 + e^−0.2 + e^1.9 + e^−1.0 + e^0.3) ≈ 0.51"
    )
    drawing.scroll_into_view_if_needed()
    shown.mouse.click(*middle(0, 3))
    shown.says("weight(it, tired): blocked, exactly 0")
    shown.mouse.move(*middle(2, 0))
    shown.mouse.down()
    shown.mouse.move(*middle(2, 5), steps=2)  # jumps over cells
    shown.mouse.up()
    shown.says(
        "“too” may attend to nothing: lib gives weights 0, output 0; a plain softmax of −∞ gives "
        "nan, of −1e9"
    )
    assert drawing.locator("text", has_text="−∞").count() == 7
    shown.press("Home", "Enter")
    shown.says("weight(too, it) = e^−0.2 / e^−0.2 = 1.00")
    shown.demo.get_by_text("mask after the softmax").click()
    shown.says(
        "weight(too, it) = e^−0.2 / (e^−0.2 + e^−1.0",
        "not equal to masking before the softmax, by up to 0.90",
    )
    shown.demo.get_by_text("renormalise").click()
    shown.says("0.10 ÷ row sum 0.10 ≈ 1.00. Equal to masking before the softmax, to 1e-7")
    assert shown.output(1) == "6 1.0"
    for preset, blocked in BLOCKED.items():
        shown.button(preset, exact=True)
        shown.page.browser.wait_for_function(HATCHED, arg=2 * blocked)  # scores and weights
    shown.button("causal and padding")
    rects.nth(3).hover()
    shown.says("0.51 × 0 = 0: blocked")
    assert shown.problems() == []
    shown.reset()
    shown.says("weight(it, tired) = e^1.9 / (e^0.4")
