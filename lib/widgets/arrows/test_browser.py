"""Arrows as a reader uses it: drag, keys, Reset, and the next cell reads what is on the screen."""

CENTRE = """(svg, id) => {
    const box = svg.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
ORIGIN = """(svg) => ["column 0", "row 0"].map((id, i) => {
    const box = svg.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
    return i ? box.y + box.height / 2 : box.x + box.width / 2;
})"""
SAID = "k\u2032: "


def beyond(start, origin, part):
    """The place on the line from the origin through start, so many times as far away."""
    return [zero + part * (place - zero) for place, zero in zip(start, origin, strict=True)]


def test_a_longer_key_wins(live):
    shown = live("widgets.Arrows()", "print(demo.k2.round(2), demo.scores.round(2))")
    svg, mouse = shown.svg, shown.mouse
    shown.says("Predict, then Enter")
    assert "8.50" not in svg.text_content(), "the start picture says who wins"
    shown.button("Show")
    shown.says("k: its shadow on q × the length of q is 8.50; k wins.")
    tip, origin = svg.evaluate(CENTRE, "tip k2"), svg.evaluate(ORIGIN)
    mouse.move(*tip)
    mouse.down()
    mouse.move(*beyond(tip, origin, 1.6), steps=5)
    mouse.up()
    shown.says("k\u2032 wins")
    shown.press("ArrowUp", "ArrowRight")
    shown.says(SAID)
    for _ in range(20):
        shown.press("ArrowUp")
    shown.press("ArrowLeft")
    assert " 4. ]" in shown.output(1), "the plane ends at 4"
    svg.focus()
    shown.press("Space")
    shown.says("q is 3.64 long; along it k reaches 2.34")
    for _ in range(35):
        shown.press("ArrowLeft")
    for _ in range(10):
        shown.press("ArrowDown")
    shown.says("q has no direction")
    assert "NaN" not in svg.inner_html() and "equal scores" in svg.text_content()
    shown.demo.locator(".demo-reset").click()
    shown.says("Predict, then Enter")


def test_longer_without_turning(live):
    shown = live("widgets.Arrows()", "print((demo.k2 / demo.k2[0]).round(6), demo.scores.round(2))")
    svg, mouse = shown.svg, shown.mouse
    svg.focus()
    shown.press("Enter", "Space", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp")
    shown.says("k\u2032 wins")
    assert shown.output(1) == "[1.       2.666667] [8.5  8.66]"
    bead, origin = svg.evaluate(CENTRE, "bead"), svg.evaluate(ORIGIN)
    mouse.move(*bead)
    mouse.down()
    mouse.move(*beyond(bead, origin, 0.4), steps=4)
    mouse.up()
    shown.says("k wins")
    assert shown.output(1).startswith("[1.       2.666667]")
    tip = svg.evaluate(CENTRE, "tip k2")
    shown.keyboard.down("Shift")
    shown.drag(tip, [tip[0] + 40, tip[1] - 300])
    shown.keyboard.up("Shift")
    shown.says("k\u2032 wins")
    assert shown.output(1) == "[1.       2.666667] [8.5  9.25]"
