"""Depth as a reader uses it: without the residual path, pointing at a token, the next cell."""

from tests.browser.measuring import problems

READ = "print(demo.vectors.shape, demo.cosines[:4].round(2), demo.drawing.chosen)"
STILL = "(svg) => !svg.getAnimations({ subtree: true }).length"
# Where the dots are once they have stopped: how far the furthest two are apart, in the units of the
# drawing.
SPREAD = """(svg) => {
    const at = [...svg.querySelectorAll(".dot")].map((dot) => new DOMMatrix(dot.style.transform));
    return Math.max(...at.flatMap((a) => at.map((b) => Math.hypot(a.e - b.e, a.f - b.f))));
}"""


def test_without_the_residual_path_all_words_become_one(live):
    shown = live("widgets.Depth()", READ)
    svg = shown.svg
    shown.says("it: nearest in all dimensions is The, cosine 0.305; all pairs 0.055")
    assert svg.evaluate(SPREAD) > 100
    svg.locator(".name", has_text="street").hover()
    shown.says("street: nearest in all dimensions is ")
    svg.focus()
    shown.press("ArrowLeft")
    shown.says("the: nearest")
    shown.press("Home")
    shown.says("The: nearest")
    shown.demo.locator("input[type=checkbox]").first.uncheck()
    shown.says("cosine 1.000; all pairs 1.000")
    assert svg.evaluate(SPREAD) < 2
    printed = shown.output(1)
    assert printed.startswith("(13, 11, 32) [-0.03") and printed.endswith("1.  ] 0")
    with shown.page.full_screen(shown.demo) as screen:
        shown.page.browser.wait_for_function(STILL, arg=svg.element_handle())
        assert problems(screen) == []
    shown.reset()
    shown.says("it: nearest in all dimensions is The, cosine 0.305")
    assert shown.page.cells() == 2
