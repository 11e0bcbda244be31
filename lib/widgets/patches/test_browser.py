"""Patches as a reader uses it: hover previews, click pins, Escape frees, arrows move."""

TO_SCREEN = """(svg, [row, column]) => {
    const box = svg.querySelector("[data-id=hold]").getBoundingClientRect();
    return [box.x + (column + 0.5) * box.width / 14, box.y + (row + 0.5) * box.height / 14];
}"""


def test_hover_pin_and_free(live):
    shown = live("widgets.Patches()", "print(demo.patch, demo.weights.shape)")
    svg, mouse = shown.svg, shown.mouse
    shown.says("Sky asks every patch")
    assert svg.locator("[data-id='key 0']").count() == 0
    svg.locator("[data-id=veil]").click()
    shown.says("Sky loses to the cloud, whose vector is 2.9 times as long.")
    svg.locator("[data-id=answer]", has_text="cloud").wait_for()
    svg.locator("[data-id=answer-label]", has_text="13 × the average").wait_for()
    mouse.move(*svg.evaluate(TO_SCREEN, [12, 3]))
    shown.says("Row 13, column 4 ")
    mouse.click(*svg.evaluate(TO_SCREEN, [9, 3]))
    shown.says("Row 10, column 4 (pinned) ")
    mouse.move(*svg.evaluate(TO_SCREEN, [12, 12]))
    shown.page.settle()
    shown.says("Row 10, column 4 (pinned)")
    svg.focus()
    shown.press("ArrowUp")
    shown.press("Escape")
    shown.says("Roof gives most to itself.")
    assert shown.output(1) == "(8, 3) (196, 196)"
    assert shown.problems() == []
    shown.demo.locator(".noUi-handle").focus()
    for _ in range(3):
        shown.press("ArrowLeft")
    shown.says("gives every patch the same")
    shown.reset()
    shown.says("Sky asks every patch")


def test_equal_lengths_let_alike_patches_find_each_other(live):
    shown = live("widgets.Patches()", "print(demo.patch, demo.equal.value)")
    veil = shown.svg.locator("[data-id=veil]")
    shown.svg.focus()
    shown.press("Enter")
    veil.wait_for(state="detached")
    shown.says("Sky loses to the cloud, whose vector is")
    shown.press("Enter")
    veil.wait_for()
    shown.press("Enter")
    shown.says("Sky gives most to itself: at equal lengths only the angle decides.")
    assert shown.output(1) == "(5, 8) True"
