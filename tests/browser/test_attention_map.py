"""The attention map as a reader uses it: hover, pin, one head alone, a long text, dark theme."""

import pytest

READ = """
pointed = demo.drawing
print(demo.weights.shape, pointed.head, pointed.query, pointed.key, pointed.pinned)
"""
MIDDLE = """(svg, [map, row, column, T, S]) => {
    const box = svg.querySelectorAll(".frame")[map].getBoundingClientRect();
    return [box.x + (box.width * (column + 0.5)) / S, box.y + (box.height * (row + 0.5)) / T];
}"""
INK = """(canvas) => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.findLast((_, i) => i % 4 === 2 && pixels[i + 1] > 250);
}"""
BOX = """(node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height];
}"""
CHARACTER = "(svg) => 13 * svg.getScreenCTM().a"


def hover(shown, map, row, column, length=11):
    shown.mouse.move(*shown.svg.evaluate(MIDDLE, [map, row, column, length, length]))


def slide(shown, name, times):
    line = shown.demo.locator(".widget-inline-hbox", has_text=name).first
    line.get_by_role("slider").focus()
    shown.press(*["ArrowRight"] * times)


def test_point_pin_and_one_head_alone(live):
    shown = live("widgets.Heads()", READ)
    demo, svg = shown.demo, shown.svg
    shown.says("it → animal 0.0065", "row’s largest: tired 0.816")
    assert demo.locator(".map-stage rect.weight").count() == 11 * 11 + 10  # and the legend
    slide(shown, "heads", 2)
    demo.get_by_text("head 4", exact=True).wait_for()
    assert demo.get_by_text("parameters: 1,024").is_visible(), "heads share the same parameters"
    hover(shown, 1, 5, 3)
    shown.says("head 2: street → cross")
    shown.mouse.down()
    shown.mouse.up()
    shown.says("pinned · head 2: street → cross")
    hover(shown, 0, 0, 0)
    svg.focus()
    shown.press("Shift+ArrowLeft", "ArrowDown")
    shown.says("pinned · head 1: because → cross")
    assert shown.output(1) == "(4, 11, 11) 0 6 3 True"
    svg.focus()
    shown.press("Enter")
    demo.get_by_text("double-click: back to all").wait_for()
    assert demo.locator(".frame").count() == 1
    last = demo.locator(".map-stage text.middle:not(.float)").last
    assert "0" in last.text_content(), "one head alone has room for its digits"
    shown.press("Escape", "Escape")
    demo.get_by_text("head 4", exact=True).wait_for()
    shown.reset()
    shown.says("it → animal 0.0065")
    assert shown.page.cells() == 2


def test_a_long_text_in_both_themes_and_on_a_projector(live):
    shown = live("widgets.Heads()")
    demo, svg = shown.demo, shown.svg
    slide(shown, "heads", 2)
    slide(shown, "tokens", 4)
    demo.locator("canvas[width='128']").nth(3).wait_for()
    hover(shown, 2, 100, 70, 128)
    caption = demo.locator(".drawing figcaption").element_handle()
    shown.page.browser.wait_for_function(
        "(caption) => !caption.textContent.includes('≈')", arg=caption, timeout=5000
    )
    shown.says("head 3: tired → but")
    canvas = demo.locator("canvas").first
    assert canvas.evaluate(INK) == 0x90
    shown.page.theme("dark")
    assert canvas.evaluate(INK) == 0xE2
    with shown.page.full_screen(demo):
        assert svg.evaluate(CHARACTER) >= 24
        frame, cells = (demo.locator(each).nth(3).evaluate(BOX) for each in (".frame", "canvas"))
        assert frame == pytest.approx(cells, abs=0.5), "the cells lie in their frame"
    shown.page.theme("light")
