"""A lesson on demos.ipynb: the clicker follows the plan, and the keys of full screen."""

import pytest

from lib import widgets
from lib.widgets.lesson.lesson import PLANS
from tests.browser.measuring import SMALLEST
from tests.widgets.demos import EXAMPLES
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
# On the screen, and it has the keys: a key pressed a moment earlier goes to no demo.
IS_SHOWN = f"""(name) => ({SHOWN})() === name
    && document.fullscreenElement.contains(document.activeElement)"""
FILLS_THE_SCREEN = """() => {
    const { top, left, width, height } = document.fullscreenElement.getBoundingClientRect();
    return top === 0 && left === 0 && width === innerWidth && height === innerHeight;
}"""
# True if the page would be loaded again.
F5_IS_LEFT_ALONE = """(shift) => document.activeElement.dispatchEvent(new KeyboardEvent(
    "keydown", { key: "F5", shiftKey: shift, bubbles: true, cancelable: true }))"""
WORDS = ".demo-tile-title, .demo-card-question"
LETTERS = """(dialog, words) => {
    const sizes = [...dialog.querySelectorAll(words)].map((one) => getComputedStyle(one).fontSize);
    return Math.min(...sizes.map(parseFloat));
}"""
BOXES = """(demo) => [".demo-question", ".demo-drawings", ".demo-tools"].map((name) => {
    const { x, y, width, height } = demo.querySelector(name).getBoundingClientRect();
    return [x, y, width, height];
})"""
COVERS_TITLE = """(demo) => {
    const title = demo.querySelector(".demo-title").getBoundingClientRect();
    const { x, y, height } = title;
    return document.elementFromPoint(x + 1, y + height / 2).matches(".demo-end");
}"""
REHEARSED = ["Bars", "Directions", "BreakIt"]


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


def test_a_demo_that_was_not_run_is_asked_for(plain_page):
    plain_page.show(lambda: widgets.lesson(["Bars"]))
    shown = panel(plain_page)
    shown.get_by_role("button", name="Start").click()
    shown.get_by_role("alert").get_by_text("choose Run → Run All Cells").wait_for()
    assert plain_page.browser.evaluate(FULL) is None
    assert shown.get_by_role("button", pressed=True).count() == 0, "one plan is no choice"
    assert plain_page.errors() == []


def test_the_panel_shows_each_plan(page):
    for plan, steps in PLANS.items():
        choose(page, plan)
        shown = panel(page).locator(".lesson-step").all_text_contents()
        assert all(step.title in row for step, row in zip(steps, shown, strict=True))


@pytest.mark.parametrize("plan", PLANS)
def test_the_clicker_follows_the_plan(page, plan):
    for key in ("Enter", "Page Down", "Page Up"):
        assert key in panel(page).locator(".lesson-keys kbd").all_text_contents()
    start(page, plan)
    names = order(plan)
    for number, name in enumerate(names, 1):
        is_shown(page, name)
        count = page.browser.locator(":fullscreen .demo-count")
        count.get_by_text(f"{number} / {len(names)}", exact=True).wait_for()
        press(page, "PageDown")
    end = page.browser.locator(":fullscreen .demo-end")
    end.get_by_text("This is the last demo of the lesson.").wait_for()
    marked = panel(page).locator("[aria-current=step] .lesson-number")
    assert marked.all_text_contents() == [f"{len(names)}"], "one sees how far the lesson is"
    for name in names[-2::-1]:
        press(page, "PageUp")
        is_shown(page, name)
    press(page, "PageUp")
    end.get_by_text("This is the first demo of the lesson.").wait_for()


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
    assert "Who copies?" in row.text_content(), "one sees how far the lesson is"


def test_the_demo_that_was_left_stays_marked(page):
    start(page, "45 minutes")
    for name in order("45 minutes")[1:3]:
        press(page, "PageDown")
        is_shown(page, name)
    press(page, "f")
    page.browser.wait_for_function("() => !document.fullscreenElement")
    page.settle()
    marked = panel(page).locator("[aria-current=step] .lesson-number")
    assert marked.all_text_contents() == ["3"]


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
    press(page, "ArrowRight", "ArrowDown", "Enter")
    is_shown(page, "Bars")
    tiles.first.wait_for(state="detached")
    press(page, "o", "6")
    is_shown(page, "Heads")
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


@pytest.fixture
def rehearsal(plain_page):
    """A lesson of three demos, without Jupyter; the demos."""
    plain_page.browser.set_viewport_size(jupyter.PROJECTOR)
    made = [EXAMPLES[name] for name in REHEARSED]
    _, *demos = plain_page.show(lambda: widgets.lesson(REHEARSED), *made)
    yield plain_page, demos
    assert plain_page.errors() == [] and plain_page.outside == []


def begin(page):
    panel(page).get_by_role("button", name="Start", exact=True).click()
    page.settle()


def rehearse(page):
    """Through the lesson, with some answers; back on the page."""
    for _ in REHEARSED:
        for _ in range(3):
            press(page, "Enter")
            page.settle()
        press(page, "PageDown")
        page.settle()


def leave(page):
    page.browser.evaluate(jupyter.LEAVE_FULL_SCREEN)
    page.settle()


def test_start_asks_where_after_a_rehearsal(rehearsal):
    page, demos = rehearsal
    anew = panel(page).get_by_role("button", name="From the beginning")
    on = panel(page).get_by_role("button", name="Where I was")
    begin(page)
    is_shown(page, "Bars")
    rehearse(page)
    leave(page)
    states = [demo.drawing.done for demo in demos]
    assert all(states)
    begin(page)
    assert page.browser.evaluate(FULL) is None
    on.click()
    is_shown(page, "BreakIt")
    leave(page)
    assert [demo.drawing.done for demo in demos] == states
    begin(page)
    anew.click()
    is_shown(page, "Bars")
    page.settle()
    assert [demo.drawing.done for demo in demos] == [0, 0, 0]
    leave(page)
    begin(page)
    is_shown(page, "Bars")


def test_a_bet_made_on_the_page_is_gone_when_the_lesson_starts(plain_page):
    page = plain_page
    page.show(lambda: widgets.lesson(["Translator"]), EXAMPLES["Translator"])
    page.browser.locator(".demo-Translator svg[tabindex]").focus()
    press(page, "ArrowRight")
    bet = page.browser.locator("figcaption", has_text="You say")
    bet.wait_for()
    begin(page)
    is_shown(page, "Translator")
    bet.wait_for(state="detached")
    assert page.errors() == []


def test_the_clicker_alone_starts_the_lesson_anew(rehearsal):
    page, (bars, *_) = rehearsal
    begin(page)
    press(page, "Enter")
    page.settle()
    leave(page)
    start = panel(page).get_by_role("button", name="Start", exact=True)
    start.focus()
    press(page, "PageDown", "Escape")
    assert start.evaluate("(node) => node === document.activeElement"), "Escape takes it back"
    assert bars.drawing.done == 1
    press(page, "PageDown", "PageDown")
    is_shown(page, "Bars")
    page.settle()
    assert bars.drawing.done == 0


def cards(page):
    """What the overview says of each demo, the drawing's texts with it."""
    press(page, "o", "Home")
    page.settle()
    card, found = page.browser.locator(".demo-card"), []
    for _ in REHEARSED:
        found.append(card.locator(".demo-card-question, text").all_text_contents())
        press(page, "ArrowDown")
        page.settle()
    press(page, "o")
    return found


def test_the_overview_holds_no_answer_of_the_rehearsal(rehearsal):
    page, demos = rehearsal
    begin(page)
    before = cards(page)
    assert [words[0] for words in before] == [demo.header.question for demo in demos]
    assert "?" in before[0] and "0.40" not in before[0], "veiled, before it was asked for"
    rehearse(page)
    assert demos[0].header.question != before[0][0]
    assert cards(page) == before


def test_caps_lock_changes_no_key(rehearsal):
    page, _ = rehearsal
    begin(page)
    for key, name in [("O", "overview"), ("B", "blank")]:
        press(page, key)
        cover = page.browser.locator(f".demo-{name}")
        cover.wait_for()
        press(page, key)
        cover.wait_for(state="detached")


def test_the_overview_can_be_read(rehearsal):
    page, _ = rehearsal
    begin(page)
    press(page, "o")
    page.settle()
    dialog = page.browser.locator(".demo-overview")
    assert dialog.evaluate(LETTERS, WORDS) >= SMALLEST
    room = dialog.locator(".demo-card-drawing").bounding_box()
    copy = dialog.locator(".demo-copy svg").bounding_box()
    assert max(copy["width"] / room["width"], copy["height"] / room["height"]) > 0.99
    assert min(copy["width"] / room["width"], copy["height"] / room["height"]) > 0.7
    dialog.locator(".demo-tile", has_text="Random directions").hover()
    dialog.locator(".demo-card-question", has_text="In 512 dimensions").click()
    is_shown(page, "Directions")


def test_a_long_overview_has_whole_titles_and_no_digits_that_open_nothing(plain_page):
    page = plain_page
    page.browser.set_viewport_size(jupyter.PROJECTOR)
    page.show(lambda: widgets.lesson(["DecoderStepper"] * 14), EXAMPLES["DecoderStepper"])
    begin(page)
    press(page, "o")
    dialog = page.browser.locator(".demo-overview")
    numbers = dialog.locator(".demo-tile-number").all_text_contents()
    assert numbers == [*"123456789", *[""] * 5]
    title = dialog.locator(".demo-tile-title").first.bounding_box()
    tile = dialog.locator(".demo-tile").first.bounding_box()
    card = dialog.locator(".demo-card").bounding_box()
    assert title["x"] + title["width"] <= tile["x"] + tile["width"] < card["x"]
    copy = dialog.locator(".demo-copy svg").bounding_box()
    assert copy["x"] + copy["width"] <= card["x"] + card["width"]
    assert card["x"] + card["width"] <= jupyter.PROJECTOR["width"]
    assert page.errors() == []


@pytest.mark.parametrize("key, which", [("PageDown", "last"), ("PageUp", "first")])
def test_the_end_of_the_lesson_is_quiet(rehearsal, key, which):
    page, _ = rehearsal
    begin(page)
    if which == "last":
        press(page, "PageDown", "PageDown")
        is_shown(page, "BreakIt")
    page.settle()
    shown = page.browser.locator(":fullscreen").last
    boxes = shown.evaluate(BOXES)
    press(page, key)
    end = shown.get_by_role("status").get_by_text(f"This is the {which} demo of the lesson.")
    end.wait_for()
    assert shown.evaluate(BOXES) == boxes, "question, drawing and tools stay as they are"
    assert shown.locator(".demo-message").filter(visible=True).count() == 0
    assert shown.evaluate(COVERS_TITLE), "it stands in the title's place"
    press(page, "ArrowRight")
    end.wait_for(state="detached")
    press(page, key)
    end.wait_for()
    leave(page)
    end.wait_for(state="detached")
