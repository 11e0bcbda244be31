"""The attention map as a reader uses it: hover, pin, one head alone, a long text, dark theme, Reset, the next cell."""

import pytest

READ = "pointed = demo.drawing\nprint(demo.weights.shape, pointed.head, pointed.query, pointed.key, pointed.pinned)"
MIDDLE = """(svg, [map, row, column, T, S]) => {
    const box = svg.querySelectorAll(".frame")[map].getBoundingClientRect();
    return [box.x + (box.width * (column + 0.5)) / S, box.y + (box.height * (row + 0.5)) / T];
}"""
INK = """(canvas) => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.findLast((_, i) => i % 4 === 2 && pixels[i + 1] > 250);
}"""
BOX = "(node) => { const box = node.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; }"
CHARACTER = "(svg) => 13 * svg.getScreenCTM().a"


def test_heads(live):
    shown = live("widgets.Heads()", READ)
    page, demo, svg, expect = shown.page.browser, shown.demo, shown.svg, shown.says
    caption = demo.locator(".drawing figcaption").element_handle()

    def hover(map, row, column, length=11):
        page.mouse.move(*svg.evaluate(MIDDLE, [map, row, column, length, length]))

    def slide(name, key, times):
        demo.locator(".widget-inline-hbox", has_text=name).first.get_by_role("slider").focus()
        for _ in range(times):
            page.keyboard.press(key)

    expect("it → animal 0.0065", "row’s largest: tired 0.816")
    assert demo.locator(".map-stage rect.weight").count() == 11 * 11 + 10  # and the legend
    slide("heads", "ArrowRight", 2)
    demo.get_by_text("head 4", exact=True).wait_for()
    assert demo.get_by_text("parameters: 1,024").is_visible(), "heads share the same parameters"
    hover(1, 5, 3)
    expect("head 2: street → cross")
    page.mouse.down()
    page.mouse.up()
    expect("pinned · head 2: street → cross")
    hover(0, 0, 0)
    svg.focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowDown")
    expect("pinned · head 1: because → cross")
    assert shown.output(1) == "(4, 11, 11) 0 6 3 True"
    svg.focus()
    page.keyboard.press("Enter")
    demo.get_by_text("double-click: back to all").wait_for()
    assert (
        demo.locator(".frame").count() == 1
        and "0" in demo.locator(".map-stage text.middle:not(.float)").last.text_content()
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    demo.get_by_text("head 4", exact=True).wait_for()

    slide("tokens", "ArrowRight", 4)
    demo.locator("canvas[width='128']").nth(3).wait_for()
    hover(2, 100, 70, 128)
    page.wait_for_function(
        "(caption) => !caption.textContent.includes('≈')", arg=caption, timeout=5000
    )
    expect("head 3: tired → but")
    canvas = demo.locator("canvas").first
    assert canvas.evaluate(INK) == 0x90
    shown.page.theme("dark")
    assert canvas.evaluate(INK) == 0xE2
    with shown.page.full_screen(demo):
        assert svg.evaluate(CHARACTER) >= 24
        frame, cells = (demo.locator(each).nth(3).evaluate(BOX) for each in (".frame", "canvas"))
        assert frame == pytest.approx(cells, abs=0.5), "the cells lie in their frame"
    shown.page.theme("light")
    demo.locator(".demo-reset").click()
    expect("it → animal 0.0065")
    assert shown.page.cells() == 2
