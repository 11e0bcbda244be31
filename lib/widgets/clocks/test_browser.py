"""Clocks as a reader uses it: keys, a dragged hand, dragged words, shuffled words."""

import re

from tests.browser.measuring import problems

READ = """
from lib.widgets.clocks.clocks import WORDS

same = sorted(demo.words) == sorted(WORDS)
print(demo.p, demo.k, round(demo.product, 2), same)
"""
ON_FIRST_CLOCK = """(svg, angle) => {
    const face = svg.querySelector(".face");
    const [x, y, r] = ["cx", "cy", "r"].map((name) => Number(face.getAttribute(name)));
    const point = new DOMPoint(x + r * 0.86 * Math.cos(angle), y - r * 0.86 * Math.sin(angle));
    const place = point.matrixTransform(svg.getScreenCTM());
    return [place.x, place.y];
}"""
FRAMED = """([svg, places]) => ["query", "key"].every((name, i) => {
    const frame = svg.querySelector(`[data-id="mark ${name}"]`).getBoundingClientRect();
    const place = svg.querySelector(`[data-id="place ${places[i]}"]`)?.getBoundingClientRect();
    return place && frame.left < place.left && place.right < frame.right;
})"""


class Screen:
    """What is read off the drawing."""

    def __init__(self, shown):
        self.svg = shown.svg
        self.page = shown.page.browser

    def places(self, *places):
        """Wait until these two places, p and p + k, are framed."""
        self.page.wait_for_function(FRAMED, arg=[self.svg.element_handle(), places])

    def product(self, number):
        """The sum below the clocks is this number."""
        told = re.compile(f"^= {number}$")
        self.svg.locator("text", has_text=told).wait_for(timeout=5000)

    def parts(self):
        """What the clocks' parts of the product are."""
        return self.svg.locator("[data-id^='part ']").all_text_contents()


def test_only_the_distance_counts(live):
    shown = live("widgets.Clocks()", READ)
    svg, screen = shown.svg, Screen(shown)
    screen.product("2.56")
    assert svg.locator("[data-id=answer-label]").text_content() == "product now: 2.56"
    svg.focus()
    shown.press("ArrowRight", "ArrowRight")  # the second changes nothing of what is asked
    svg.locator("[data-id=veil]").wait_for()
    assert svg.locator("[data-id=answer]").count() == 0
    shown.press("Enter")
    screen.product("2.56")
    screen.places(2, 4)
    shown.says("and so the product")
    before = screen.parts()
    assert svg.locator("[data-id=answer]").text_content() == "no"
    assert svg.locator("[data-id=told]").text_content() == "product: 2.56, as before"
    shown.press("ArrowUp", "Shift+ArrowRight")
    screen.product("2.27")
    assert svg.locator("[data-id=answer]").text_content() == "yes"
    asked = shown.demo.locator(".demo-question")
    assert asked.text_content() == "Only the dashed place moves: does the product change?"
    shown.page.settle()
    other = screen.parts()
    assert len(other) == 4 and other != before
    # Once round with the blue hand, against the clock: about six places on, the distance stays.
    shown.drag(*(svg.evaluate(ON_FIRST_CLOCK, 2 + turn) for turn in (0, 1.5, 3, 4.5, 6)))
    screen.product("2.27")
    screen.places(8, 12)
    assert screen.parts() == other, "the parts stay"
    shown.drag(*(svg.evaluate(ON_FIRST_CLOCK, 12 - turn) for turn in (0, 1, 2)))
    screen.product("2.56")
    screen.places(8, 10)
    ground = svg.locator("[data-id=ground]").bounding_box()
    left, top = ground["x"], ground["y"] + 20
    shown.drag((left + 300, top), (left - 100, top))
    screen.places(0, 2)
    assert shown.output(1) == "0 2 2.56 True"
    shown.reset()
    screen.places(1, 3)


def test_buttons_and_the_story(live):
    shown = live("widgets.Clocks()", READ)
    svg, screen = shown.svg, Screen(shown)
    veil = svg.locator("[data-id=veil]")
    svg.focus()
    shown.press("Space", "Space")
    shown.says("Dimensions 2, 3:", "once round in 62.8 places")
    shown.press("Escape")
    buttons = shown.demo.locator(".demo-controls button")
    buttons.filter(has_text="both + 10").click()
    veil.click()
    screen.product("2.56")
    buttons.filter(has_text="both − 10").click()
    screen.places(1, 3)
    shown.page.settle()
    buttons.filter(has_text="shuffle").click()
    shown.says("The words change places, the clocks do not")
    svg.focus()
    shown.press("Enter")
    veil.wait_for()
    shown.press("Enter")
    shown.says("only k counts")
    assert shown.output(1).startswith("1 9 ") and shown.output(1).endswith(" True")
    with shown.page.full_screen(shown.demo) as full:
        full.locator(".noUi-handle").focus()
        for key, count in (("ArrowRight", 8), ("ArrowRight", 16), ("Home", 2)):
            shown.press(key)
            svg.locator(f"[data-id='face {count - 1}']").wait_for()
            shown.page.settle()
            assert problems(full) == []
