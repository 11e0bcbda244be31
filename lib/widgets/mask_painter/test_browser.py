"""MaskPainter with mouse and keyboard: drag, presets, both switches, a black row, the next cell."""

BLOCKED = {"causal": 15, "padding": 12, "both": 18, "window": 20, "all": 0}
CROSSED = "(count) => document.querySelectorAll('.mask-painter .masked').length === count"
READ = "print((~demo.mask).sum(), demo.weights[2].sum().round(2))"


def test_paint_switch_and_read(live):
    shown = live("widgets.MaskPainter()", READ)
    demo, svg, browser = shown.demo, shown.svg, shown.page.browser

    def middle(row, column):
        box = demo.locator("[data-id=paint]").bounding_box()
        high, wide = box["height"] / 6, box["width"] / 6
        return box["x"] + (column + 0.5) * wide, box["y"] + (row + 0.5) * high

    def crossed(count):
        browser.wait_for_function(CROSSED, arg=count)

    shown.says("Click or drag to block cells. A stronger colour is a larger share.")
    svg.scroll_into_view_if_needed()
    shown.mouse.click(*middle(0, 3))
    shown.says("Predict first: who gets what was blocked? Enter shows it.")
    crossed(1)
    assert demo.locator("svg text", has_text="× 2.0").count() == 0
    shown.press("Enter")
    demo.get_by_text("all five").wait_for()
    demo.locator("svg text", has_text="each × 2.0").wait_for()
    shown.says("Score −∞: the keys that are left get its share, in proportion.")
    shown.drag(middle(2, 0), middle(2, 5))  # jumps over cells
    crossed(7)
    shown.says("Nothing is left to share; a plain softmax divides 0 by 0.")
    shown.press("Home", "Space")
    crossed(6)
    demo.get_by_text("after softmax", exact=True).click()
    shown.says("Nobody gets it: the row falls short of 1. So a mask goes before the softmax.")
    demo.get_by_text("renormalise").click()
    shown.says("The same row as with a mask before the softmax")
    assert shown.output(1) == "6 1.0"
    demo.locator("[data-id='bar 0']").hover()
    shown.says("weight(too, it): 0.10 ÷ row sum 0.10 ≈ 1.00.")
    svg.focus()
    shown.press("End")
    shown.says("weight(too, pad): 0.29 × 0 = 0: blocked.")
    for preset, blocked in BLOCKED.items():
        shown.button(preset, exact=True)
        crossed(blocked)
    assert shown.problems() == []
    shown.reset()
    shown.says("Click or drag to block")


def test_enter_tells_the_story(live):
    shown = live("widgets.MaskPainter()", "print((~demo.mask).sum(), demo.after.value)")
    shown.svg.focus()
    told = ["Score −∞", "Nobody gets it"]
    shown.press("ArrowDown")
    for sentence in told:
        shown.press("Enter")
        shown.says("Predict first: who gets what was blocked?")
        shown.press("Enter")
        shown.says(sentence)
    assert shown.output(1) == "1 True"
    assert shown.problems() == []
    shown.svg.focus()
    shown.press("Enter", "Enter")  # the story is over: it asks first
    shown.says("Click or drag to block")
    shown.press("Space", "Space", "Enter")  # the second changes nothing of what is asked
    shown.says("Score −∞")
