"""A lesson on demos.ipynb: the clicker follows the plan, and the keys of full screen."""

import pytest

from lib.widgets.lesson.lesson import PLANS
from tests.browser.measuring import SMALLEST
from tools import browser as jupyter

FULL = "() => document.fullscreenElement"
# Of what is in full screen: the class, and which of its kind it is on the page.
SHOWN = """() => {
    const demo = document.fullscreenElement;
    const name = [...demo?.classList ?? []].find((each) => each.startsWith("demo-"));
    if (!name) return null;
    const number = [...document.querySelectorAll(`.${name}`)].indexOf(demo) + 1;
    return name.slice("demo-".length) + (number > 1 ? ` ${number}` : "");
}"""
IS_SHOWN = f"(name) => ({SHOWN})() === name"
FILLS_THE_SCREEN = """() => {
    const { top, left, width, height } = document.fullscreenElement.getBoundingClientRect();
    return top === 0 && left === 0 && width === innerWidth && height === innerHeight;
}"""
# True if the page would be loaded again.
F5_IS_LEFT_ALONE = """(shift) => document.activeElement.dispatchEvent(new KeyboardEvent(
    "keydown", { key: "F5", shiftKey: shift, bubbles: true, cancelable: true }))"""
LETTERS = """(dialog) => {
    const titles = [...dialog.querySelectorAll(".demo-tile-title")];
    return Math.min(...titles.map((title) => parseFloat(getComputedStyle(title).fontSize)));
}"""


@pytest.fixture(scope="module")
def opened(lab_window):
    """demos.ipynb, run."""
    page = lab_window
    page.open("demos.ipynb")
    page.run_all()
    yield page
    assert page.errors() == [] and page.outside == []
    page.close_all()


@pytest.fixture
def page(opened):
    opened.browser.set_viewport_size(jupyter.PROJECTOR)
    yield opened
    opened.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    opened.settle()


def panel(page):
    return page.browser.locator(".lesson")


def choose(page, plan):
    panel(page).get_by_role("button", name=plan, exact=True).click()
    panel(page).get_by_role("button", name=plan, pressed=True).wait_for()


def start(page, plan="90 minutes"):
    choose(page, plan)
    panel(page).get_by_role("button", name="Start").click()
    is_shown(page, order(plan)[0])


def press(page, *keys):
    for key in keys:
        page.browser.keyboard.press(key)


def is_shown(page, name):
    page.browser.wait_for_function(IS_SHOWN, arg=name)


def order(plan):
    return [step.demo for step in PLANS[plan] if step.demo]


def test_a_demo_that_was_not_run_is_asked_for(lab_page):
    lab_page.server.write("lesson.ipynb", "from lib import widgets\n\nwidgets.lesson(['Bars'])")
    lab_page.open("lesson.ipynb")
    lab_page.run_all()
    shown = lab_page.browser.locator(".lesson")
    shown.get_by_role("button", name="Start").click()
    shown.get_by_role("alert").get_by_text("choose Run → Run All Cells").wait_for()
    assert lab_page.browser.evaluate(FULL) is None
    assert shown.get_by_role("button", pressed=True).count() == 0, "one plan is no choice"
    assert lab_page.errors() == []


@pytest.mark.parametrize("plan", PLANS)
def test_the_clicker_follows_the_plan(page, plan):
    start(page, plan)
    names = order(plan)
    for number, name in enumerate(names, 1):
        is_shown(page, name)
        count = page.browser.locator(":fullscreen .demo-count")
        count.get_by_text(f"{number} / {len(names)}", exact=True).wait_for()
        press(page, "PageDown")
    notice = page.browser.locator(":fullscreen .demo-notice")
    notice.get_by_text("This is the last demo of the lesson.").wait_for()
    for name in names[-2::-1]:
        press(page, "PageUp")
        is_shown(page, name)
    press(page, "PageUp")
    notice.get_by_text("This is the first demo of the lesson.").wait_for()


def test_a_click_on_a_step_ends_with_its_demo_on_the_screen(page):
    choose(page, "all demos")
    for step in PLANS["all demos"]:
        panel(page).get_by_role("button", name=step.title).click()
        is_shown(page, step.demo)
        page.browser.wait_for_function(FILLS_THE_SCREEN)
        title = page.browser.locator(":fullscreen .demo-title")
        assert title.text_content() == step.title
        page.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    row = panel(page).locator("[aria-current=step]")
    assert "A language model writes on" in row.text_content(), "one sees how far the lesson is"


def test_page_down_in_the_panel_starts_the_lesson(page):
    choose(page, "3 hours")
    press(page, "PageDown")
    is_shown(page, "Translator")


def test_back_from_a_demo_that_is_not_in_the_plan(page):
    start(page)
    press(page, "PageDown", "PageDown")
    is_shown(page, "Bars")
    page.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    page.browser.locator(".demo-Depth .demo-full-screen").click()
    is_shown(page, "Depth")
    assert page.browser.locator(":fullscreen .demo-count").text_content() == ""
    press(page, "PageUp")
    is_shown(page, "Bars")


def test_a_demo_is_chosen_in_the_overview(page):
    start(page)
    tiles = page.browser.locator(".demo-overview .demo-tile")
    press(page, "o")
    tiles.nth(len(order("90 minutes")) - 1).wait_for()
    assert tiles.count() == len(order("90 minutes"))
    assert page.browser.locator(".demo-overview").evaluate(LETTERS) >= SMALLEST
    for tile in tiles.all():
        assert tile.locator(".demo-copy svg").first.bounding_box()["width"] > 100
    press(page, "ArrowRight", "ArrowDown", "Enter")  # four to a row
    is_shown(page, "Heads")
    tiles.first.wait_for(state="detached")
    press(page, "o", "3")
    is_shown(page, "Bars")
    press(page, "o")
    tiles.nth(3).click()
    is_shown(page, "ScalingDial")
    press(page, "PageDown")
    is_shown(page, "AttentionSteps")


@pytest.mark.parametrize("key", ["o", "Escape"])
def test_the_overview_is_closed_where_it_was_opened(page, key):
    start(page)
    press(page, "PageDown")
    is_shown(page, "Arrows")
    press(page, "o", "ArrowRight", key)
    page.browser.locator(".demo-overview").wait_for(state="detached")
    assert page.browser.evaluate(SHOWN) == "Arrows"
    page.browser.wait_for_function(
        "() => document.fullscreenElement.contains(document.activeElement)"
    )


@pytest.mark.parametrize("key", ["b", ".", "Escape", "click"])
def test_keys_do_not_reach_the_demo_behind_a_black_screen(page, key):
    start(page)
    press(page, "PageDown", "PageDown")
    is_shown(page, "Bars")
    demo = page.browser.locator(".demo-Bars")
    before = demo.inner_html()
    black = page.browser.locator(".demo-blank")
    press(page, "b")
    assert black.bounding_box() == {"x": 0, "y": 0} | jupyter.PROJECTOR
    assert black.evaluate("(node) => getComputedStyle(node).backgroundColor") == "rgb(0, 0, 0)"
    press(page, "ArrowUp", "ArrowRight", "Enter", "PageDown", "f", "o", "Tab")
    assert page.browser.evaluate(SHOWN) == "Bars"
    if key == "click":
        page.browser.mouse.click(640, 4)  # where nothing is pointed at
    else:
        press(page, key)
    black.wait_for(state="detached")
    assert demo.inner_html() == before
    press(page, "PageDown")
    is_shown(page, "ScalingDial")


def test_a_black_screen_ends_with_full_screen(page):
    start(page)
    press(page, "b")
    page.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    page.browser.locator(".demo-blank").wait_for(state="detached")


def test_letters_are_typed_where_one_types(page):
    start(page)
    field = page.browser.locator(":fullscreen input[type=text]").first
    before = field.input_value()
    field.focus()
    press(page, "End", "b", "o", ".")
    assert field.input_value() == before + "bo."
    assert page.browser.locator(".demo-cover").count() == 0
    press(page, *["Backspace"] * 3)


def test_f5_is_swallowed_in_full_screen_only(page):
    drawing = page.browser.locator(".demo-Bars svg[tabindex]")
    drawing.focus()
    assert page.browser.evaluate(F5_IS_LEFT_ALONE, False)
    start(page)
    for shift in (False, True):
        assert not page.browser.evaluate(F5_IS_LEFT_ALONE, shift)
    press(page, "b")
    assert not page.browser.evaluate(F5_IS_LEFT_ALONE, False)


def test_a_notice_leaves_the_drawing_free_and_goes_by_itself(page):
    start(page)
    notice = page.browser.locator(".demo-Translator .demo-notice").first
    said = notice.get_by_text("This is the first demo of the lesson.")

    def say():
        press(page, "PageUp")
        said.wait_for()

    say()
    box = notice.bounding_box()
    question = page.browser.locator(":fullscreen .demo-question").bounding_box()
    drawing = page.browser.locator(":fullscreen .demo-drawings").bounding_box()
    assert box["y"] + box["height"] <= drawing["y"]
    assert box["y"] + box["height"] >= question["y"] + question["height"], "none of it is cut"
    press(page, "ArrowRight")
    said.wait_for(state="detached")
    say()
    press(page, "PageDown")
    is_shown(page, "Arrows")
    said.wait_for(state="detached")
    assert notice.text_content() == ""
    press(page, "PageUp")
    is_shown(page, "Translator")
    say()
    page.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    said.wait_for(state="detached")
