"""With a screen reader, on a phone, with a finger, and where full screen is refused."""

import pytest

from lib import widgets
from tests.browser.bridge import plain
from tools import browser as jupyter

SLIDERS = """() => [...document.querySelectorAll(".noUi-handle")].map((knob) => [
    knob.getAttribute("aria-label"), knob.getAttribute("aria-valuetext")])"""
SAYS = """([label, text]) => [...document.querySelectorAll(".noUi-handle")].some((knob) =>
    knob.getAttribute("aria-label") === label && knob.getAttribute("aria-valuetext") === text)"""
# How large letters of size 24, the smallest, are on the screen.
LETTERS = """() => Math.min(...[...document.querySelectorAll(".stage > svg")].map((svg) =>
    24 * svg.getScreenCTM().a))"""
TOUCHED = "(node) => getComputedStyle(node).touchAction"
REFUSE = """() => {
    Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("refused"));
}"""
GROWN = """() => {
    const demo = document.querySelector(":popover-open");
    if (!demo) return null;
    const { width, height } = demo.getBoundingClientRect();
    return [width, height, demo.querySelector(".demo-title").textContent];
}"""
# What a frame would measure that is as high as its content, as those of Google Colab are.
PLACE = "(demo) => demo.parentElement.getBoundingClientRect().height"
# How many lines the longest entry of the menu has, and whether all of them are in the demo.
MENU = """(demo) => {
    const entries = [...demo.querySelectorAll(".demo-picture-menu button")];
    const lines = entries.map((entry) => {
        const letters = document.createRange();
        letters.selectNodeContents(entry);
        return letters.getClientRects().length;
    });
    const { left, right } = demo.getBoundingClientRect();
    const boxes = entries.map((entry) => entry.getBoundingClientRect());
    const isInside = boxes.every((box) => box.left >= left && box.right <= right);
    return [Math.max(...lines), isInside];
}"""
# The answer and its name as a phone has them, above the drawing.
ABOVE = """() => {
    const figure = document.querySelectorAll(".stage")[1];
    return ["::before", "::after"].map((part) => getComputedStyle(figure, part).content);
}"""
PHONE = {"width": 390, "height": 800}
ENLARGED = {"width": 640, "height": 360}  # a window of 1280 pixels at 200 %


@pytest.fixture(scope="module")
def page(browser):
    with plain(browser) as opened:
        opened.show(widgets.Heads, widgets.Bars)
        yield opened


@pytest.fixture(autouse=True)
def usual_window(page):
    yield
    page.browser.set_viewport_size(jupyter.VIEWPORT)
    assert page.errors() == []


def test_a_slider_says_its_name_and_its_value(page):
    assert ["d_k", "16"] in page.browser.evaluate(SLIDERS)
    assert ["T", "11"] in page.browser.evaluate(SLIDERS)
    knob = page.demos()[0].locator(".noUi-handle[aria-label=heads]")
    knob.focus()
    page.browser.keyboard.press("ArrowRight")
    page.browser.wait_for_function(SAYS, arg=["heads", "2"])


@pytest.mark.parametrize("window", [ENLARGED, PHONE], ids=["200 %", "phone"])
def test_letters_stay_and_the_drawing_scrolls_in_a_small_window(page, window):
    page.browser.set_viewport_size(window)
    page.settle()
    assert page.browser.evaluate(LETTERS) >= 11
    drawings = page.demos()[0].locator(".demo-drawings")
    assert drawings.evaluate("(node) => node.scrollWidth > node.clientWidth")
    assert page.browser.evaluate("() => document.documentElement.scrollWidth") == window["width"]


def test_a_phone_has_the_answer_above_the_drawing_whose_right_it_cuts(page):
    assert page.browser.evaluate(ABOVE) == ["none", "none"]
    page.browser.set_viewport_size(PHONE)
    page.settle()
    assert page.browser.evaluate(ABOVE) == ['"?"', '"shares after + 3"']
    answer = page.demos()[1].locator("[data-id=answer-label]").bounding_box()
    assert answer["x"] > PHONE["width"], "it is needed there"


@pytest.mark.parametrize("window", [jupyter.VIEWPORT, ENLARGED], ids=["usual", "200 %"])
def test_the_menu_of_pictures_can_be_read(page, window):
    page.browser.set_viewport_size(window)
    bars = page.demos()[1]
    bars.get_by_role("button", name="Picture").click()
    assert bars.evaluate(MENU) == [1, True]
    page.browser.keyboard.press("Escape")


def test_a_finger_scrolls_the_page_but_where_it_drags(page):
    bars = page.demos()[1]
    assert bars.locator(".stage > svg").evaluate(TOUCHED) == "auto"
    assert bars.locator(".drags").first.evaluate(TOUCHED) == "none"
    assert page.demos()[0].locator(".drags").count() == 0


def test_where_full_screen_is_refused_a_demo_grows_in_the_window(page):
    page.browser.evaluate(REFUSE)
    heads = page.demos()[0]
    place = heads.evaluate(PLACE)
    heads.locator(".demo-full-screen").click()
    page.browser.wait_for_function(GROWN)
    assert heads.evaluate(PLACE) >= place, "a frame around it would vanish, and the demo with it"
    window = [jupyter.VIEWPORT["width"], jupyter.VIEWPORT["height"]]
    assert page.browser.evaluate(GROWN) == [*window, "Several looks at once"]
    page.browser.keyboard.press("PageDown")
    page.browser.wait_for_function(f"() => ({GROWN})()?.[2].startsWith('Softmax')")
    page.browser.keyboard.press("Escape")
    page.browser.wait_for_function(f"() => !({GROWN})()")
    assert page.demos()[1].evaluate("(demo) => demo.contains(document.activeElement)")
    assert heads.evaluate(PLACE) == place
