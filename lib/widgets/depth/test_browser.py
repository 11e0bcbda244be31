"""Depth as a reader uses it: without the residual path, pointing at a token, the next cell."""

from tests.browser.measuring import problems

READ = "print(demo.vectors.shape, demo.cosines[:4].round(2), demo.drawing.chosen)"
# How far the furthest two dots are apart, in the units of the drawing.
SPREAD = """(svg) => {
    const at = [...svg.querySelectorAll(".dot")].map((dot) =>
        ["cx", "cy"].map((name) => Number(dot.getAttribute(name))));
    return Math.max(...at.flatMap((a) => at.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1]))));
}"""


def test_without_the_residual_path_all_words_become_one(live):
    shown = live("widgets.Depth()", READ)
    svg = shown.svg
    shown.says("Enter plays")
    svg.focus()
    shown.press("Enter")
    shown.says("“it” is “The”, cosine 0.30")
    assert svg.evaluate(SPREAD) > 200
    svg.locator(".name", has_text="street").hover()
    shown.says("nearest to “street” is ")
    shown.press("ArrowLeft")
    shown.says("nearest to “the” is ")
    shown.press("Home")
    shown.says("nearest to “The” is ")
    shown.demo.locator("input[type=checkbox]").first.uncheck()
    shown.says("The words have become one", "have cosine 1.00")
    assert svg.evaluate(SPREAD) < 4
    assert svg.locator("[data-id='was name']").text_content() == "all parts: 0.05"
    printed = shown.output(1)
    assert printed.startswith("(13, 11, 32) [-0.03") and printed.endswith("1.  ] 0")
    with shown.page.full_screen(shown.demo) as screen:
        assert problems(screen) == []
    shown.reset()
    shown.says("Enter plays")


def test_enter_tells_the_story(live):
    shown = live("widgets.Depth()", "print(demo.layers.value, demo.residual.value)")
    answer = shown.svg.locator("[data-id=answer]")
    shown.svg.focus()
    for number, settings in (("0.05", "3 True"), ("1.00", "3 False"), ("0.64", "12 True")):
        shown.svg.locator("[data-id=veil]").wait_for()
        assert answer.count() == 0
        assert shown.problems() == []
        shown.svg.focus()
        shown.press("Enter")
        answer.filter(has_text=number).wait_for()
        assert shown.output(1) == settings
        shown.svg.focus()
        shown.press("Enter")
    shown.press("Enter")  # the story is over: it asks first
    shown.says("Enter plays")
