"""What every demo on the stage can do: glide, remember, veil, keep quiet about its focus."""

from itertools import pairwise
from math import inf
from statistics import median

import pytest

from tests.browser.measuring import quickest

HASTY = 700  # milliseconds: more than a bounce, and less than three layers take
ANSWERED = 320  # milliseconds: a key has moved what it moves, a step of the story has not
FRAME = 17.5  # milliseconds from one picture to the next on a screen of 60 a second
JUMP = 5  # places at most: a mark that glides is seen at more

# Presses Enter, and once more so many milliseconds later: by the page's own clock, since on a busy
# machine a press from here may come after the answer.
HASTILY = """(svg, wait) => {
    const press = () =>
        svg.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    press();
    return new Promise((done) => setTimeout(() => done(press()), wait));
}"""

# Presses a key so many times, then notes the time of each frame and where a mark is, until nothing
# moves.
WATCH = """async ([id, attribute, key, times]) => {
    const svg = document.querySelector(".stage > svg");
    const mark = () => svg.querySelector(`[data-id="${id}"]`)?.getAttribute(attribute);
    const frame = () => new Promise(requestAnimationFrame);
    const notes = [[await frame(), mark()]];
    const button = document.querySelector(".demo-next");
    if (key === "click") button.click();
    else for (let i = 0; i < times; i++)
        svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    for (let moved = false; notes.length < 90; ) {
        notes.push([await frame(), mark()]);
        const moving = svg.querySelector(".moving") !== null;
        if (moved && !moving) break;
        moved = moved || moving;
    }
    return notes;
}"""
# Presses keys faster than Python answers.
AT_ONCE = """(svg, keys) => {
    for (const key of keys) svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
RING = "(svg) => getComputedStyle(svg).outlineStyle"


def one_glide(shown):
    """Let the first bar rise; the median time from one frame to the next, in milliseconds.

    Infinite where it jumps: once it may, on a machine that does other things, but not each time.
    """
    notes = shown.page.browser.evaluate(WATCH, ["bar 0", "height", "ArrowUp", 1])
    places = [float(place) for _, place in notes]
    assert places == sorted(places), "it does not go back and forth"
    times = [time for time, _ in notes]
    if len(set(places)) <= JUMP:
        return inf
    return median(later - sooner for sooner, later in pairwise(times))


def test_a_bar_glides_at_sixty_frames_a_second(live):
    shown = live("widgets.Bars()")
    shown.page.let_glide()
    shown.svg.focus()
    assert quickest(lambda: one_glide(shown), FRAME) < FRAME, "jumps, or slow frames"


def how_long(shown, key, mark):
    """Milliseconds from a key to the last frame of what it moves."""
    shown.svg.focus()
    notes = shown.page.browser.evaluate(WATCH, [*mark, key, 1])
    return notes[-1][0] - notes[0][0]


def test_a_key_is_answered_at_once_and_a_story_takes_its_time(live):
    shown = live("widgets.Bars()")
    shown.page.let_glide()
    answer = quickest(lambda: how_long(shown, "ArrowUp", ["bar 0", "height"]), ANSWERED)
    assert answer < ANSWERED
    for told in ("Enter", "click"):  # + 3 to all: it is looked at
        shown.reset()
        assert how_long(shown, told, ["bar 0", "y"]) > ANSWERED, told


def test_a_held_key_is_not_waited_for(live):
    shown = live("widgets.Bars()")
    shown.page.let_glide()
    shown.svg.focus()
    notes = shown.page.browser.evaluate(WATCH, ["bar 0", "height", "ArrowUp", 2])
    before, *after = [float(place) for _, place in notes]
    assert after[0] == after[-1] > before, "the second press is shown at once"


def test_nothing_glides_for_those_who_do_not_want_it(live):
    shown = live("widgets.Bars()")
    shown.svg.focus()
    notes = shown.page.browser.evaluate(WATCH, ["bar 0", "height", "ArrowUp", 1])
    before, *after = [float(place) for _, place in notes]
    assert after[0] == after[-1] > before


def test_the_state_before_stays_as_a_ghost_until_reset(live):
    shown = live("widgets.Bars()")
    ghosts = shown.svg.locator(".ghost[data-id^='was ']")
    shown.svg.focus()
    shown.press("ArrowUp")
    shown.svg.locator("[data-id='was 0']").wait_for()
    shown.press("ArrowRight")
    shown.svg.locator("[data-id='word 1'].here").wait_for()
    assert ghosts.count() > 0, "looking elsewhere changes nothing"
    shown.reset()
    ghosts.first.wait_for(state="detached")


def test_the_answer_is_veiled_until_enter(live):
    shown = live("widgets.Bars()", "print(demo.drawing.veiled, demo.drawing.done)")
    veil = shown.svg.locator("[data-id=veil]")
    shown.svg.focus()
    shown.press("Enter")
    veil.wait_for()
    assert shown.output(1) == "True 1"
    shown.svg.focus()
    shown.press("Enter")
    veil.wait_for(state="detached")
    shown.says("Nothing moves")
    shown.demo.locator(".demo-next", has_text="× 3").click()
    veil.click()
    veil.wait_for(state="detached")
    assert shown.output(1) == "False 2"
    shown.reset()
    shown.demo.locator(".demo-next", has_text="+ 3 to all").wait_for()


def test_no_ring_stands_around_a_drawing_in_full_screen(live):
    shown = live("widgets.Bars()")
    shown.demo.locator(".demo-next").focus()
    shown.press("Shift+Tab")
    assert shown.svg.evaluate(RING) == "solid", "on the page the keyboard can be seen"
    with shown.page.full_screen(shown.demo):
        assert shown.svg.evaluate(RING) == "none"


def click(shown, *names):
    for name in names:
        shown.button(name, exact=True)


@pytest.mark.parametrize(
    "names", [["Reset"], ["Picture"], ["Picture", "SVG"], ["Next: + 3 to all", "Reset"]]
)
def test_enter_goes_on_after_a_click_on_a_tool(live, names):
    shown = live("widgets.Bars()", "print(demo.drawing.done)")
    with shown.page.full_screen(shown.demo):
        click(shown, *names)
        shown.press("Enter")
        assert shown.demo.get_by_role("button", name="SVG").count() == 0, "no menu stays open"
        assert shown.output(1) == "1"
        shown.press("Enter", "Enter")
        assert shown.output(1) == "2", "Enter shows, and takes the next step"


def test_enter_goes_on_after_full_screen_was_left_by_a_click(live):
    shown = live("widgets.Bars()", "print(demo.drawing.done)")
    click(shown, "Full screen")
    shown.page.browser.wait_for_function("() => document.fullscreenElement")
    click(shown, "Exit")
    shown.page.browser.wait_for_function("() => !document.fullscreenElement")
    shown.press("Enter")
    assert shown.output(1) == "1"


def test_who_tabs_to_a_tool_can_press_it_again(live):
    shown = live("widgets.Bars()", "print(demo.drawing.done)")
    reset = shown.demo.get_by_role("button", name="Reset")
    for key in ("Enter", "Space"):
        shown.svg.focus()
        shown.press("Enter")
        assert shown.output(1) == "1"
        reset.focus()
        shown.press(key)
        assert shown.output(1) == "0"
        assert reset.evaluate("(button) => button === document.activeElement")


def test_enter_goes_on_after_a_click_on_a_switch(live):
    shown = live("widgets.Depth()", "print(demo.drawing.veiled)")
    shown.demo.get_by_role("checkbox", name="layer norm").click()
    shown.press("Enter")
    assert shown.output(1) == "False"


def test_enter_goes_on_after_a_click_on_a_choice(live):
    shown = live("widgets.Translator()", "print(demo.drawing.veiled)")
    choice = shown.demo.locator("select")
    choice.click()
    choice.select_option("the horse wanted to cross the bridge but it was too narrow")
    shown.says("Enter shows")
    shown.press("Enter")
    assert shown.output(1) == "False"
    choice.focus()
    shown.press("ArrowDown")
    assert choice.evaluate("(node) => node === document.activeElement"), "keys choose again"


def test_starting_over_is_asked_for_wherever_enter_is_pressed(live):
    shown = live("widgets.Bars()", "print(demo.drawing.done)")
    black = shown.demo.locator(".demo-next")
    for _ in range(8):
        black.click()
        shown.page.settle()  # else a slow browser takes two clicks for one
    black.get_by_text("Start over").wait_for()
    with shown.page.full_screen(shown.demo):
        shown.svg.focus()
        shown.press("Enter")
        black.get_by_text("Sure? Start over").wait_for()
        shown.press("PageDown")
        black.get_by_text("Sure?").wait_for(state="detached", timeout=5000)
    black.focus()
    shown.press("Enter")
    black.get_by_text("Sure? Start over").wait_for()
    assert shown.output(1) == "4"
    shown.press("Enter")
    assert shown.output(1) == "0"


def test_a_press_that_bounces_passes_no_answer(live):
    asked = "bars = widgets.Bars()\nbars.next_step()"
    shown = live("bars", "print(demo.drawing.done, demo.drawing.veiled)", before=asked)
    shown.svg.locator("[data-id=veil]").wait_for()
    shown.page.let_glide()
    shown.svg.evaluate(AT_ONCE, ["Enter", "Enter"])
    shown.page.settle()
    assert shown.output(1) == "1 False"


def test_enter_waits_until_the_answer_is_told(live):
    shown = live("widgets.Depth()", "print(demo.drawing.done, demo.drawing.veiled)")
    shown.page.let_glide()
    shown.svg.evaluate(HASTILY, HASTY)
    shown.says("“it” is “The”, cosine 0.30")
    assert shown.output(1) == "0 False", "the layers were played to their end"
    shown.svg.focus()
    shown.page.browser.keyboard.press("Enter")
    assert shown.output(1) == "1 True"


def test_enter_does_not_overtake_what_was_changed_before(live):
    shown = live("widgets.Bars()", "print(demo.drawing.done, demo.drawing.veiled)")
    shown.svg.focus()
    shown.press("Enter")
    assert shown.output(1) == "1 True"
    shown.svg.locator("[data-id=veil]").wait_for()
    shown.press("Enter")
    shown.svg.evaluate(AT_ONCE, ["ArrowUp", "Enter", "Enter"])
    shown.page.settle()
    assert shown.output(1) == "2 True", "the second press passes over no question"
    shown.press("Enter")
    assert shown.output(1) == "2 False"
    shown.svg.evaluate(AT_ONCE, ["ArrowUp", "Enter"])
    shown.page.settle()
    assert shown.output(1) == "3 True", "the answer to the next question is not shown with it"
