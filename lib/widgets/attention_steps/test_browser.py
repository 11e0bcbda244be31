"""AttentionSteps with mouse and keyboard: step through it, drag a digit, read the result."""

import pytest

from tests.browser.measuring import problems

DIGIT = "print(demo.X[2, 3], demo.drawing.step)"
A_TENTH = 16  # pixels of the stage


@pytest.fixture
def shown(live):
    return live("widgets.AttentionSteps()", DIGIT)


def has_arrived(drawing):
    """Wait until nothing glides any more."""
    drawing.locator("g.moving").wait_for(state="detached")


def test_keyboard_drag_and_the_next_cell(shown):
    shown.says("“it” takes a share of each word")
    shown.svg.focus()
    shown.press("]")
    shown.says("Q(it, 2) = 0.6 × 1.0 + 0.4 × 1.0 + 0.0 × 0.0 + 0.8 × 1.0 = 1.80")
    shown.press("ArrowLeft", "ArrowLeft")
    shown.says("X(it, grammar) = 0.8: drag it")
    shown.press("+")
    shown.says("X(it, grammar) = 0.9")
    box = shown.svg.locator("[data-id='X.2.3']").bounding_box()
    unit = shown.svg.bounding_box()["width"] / 1216
    start = (box["x"] + 5, box["y"] + 5)
    shown.drag(start, (start[0] - 4 * A_TENTH * unit, start[1]))
    shown.says("X(it, grammar) = 0.5")
    shown.press("]")
    shown.says("K(it, 2) = ")
    shown.press("ArrowLeft")
    shown.says("K(it, 1) = ")
    shown.press("]")
    shown.says("V(it, animate) = ")
    shown.press("[", "]", "]", "]", " ")
    shown.says("No mask here")
    shown.press("Backspace")
    shown.says("÷ √")
    shown.demo.locator(".mod-active", has_text="3 ÷").wait_for()
    assert shown.output(1) == "0.5 4"


def test_enter_goes_through_the_steps_and_shows_what_is_collected(shown):
    shown.svg.focus()
    shown.press("Enter")
    shown.says("“it” asks with its query")
    word = shown.svg.locator("[data-id='asked.4']")
    has_arrived(shown.svg)
    place = word.bounding_box()
    shown.press("Enter")
    shown.says("The better a key answers the query of “it”")
    shown.svg.locator("[data-id='area 4']").hover()
    shown.says("score(it, tired) = 2.20 × 0.50 + 1.80 × 1.50 = 3.80")
    shown.press("Enter")
    shown.says("Softmax turns the scores into shares")
    has_arrived(shown.svg)
    assert word.bounding_box() == place, "the words keep their place"
    shown.svg.locator("[data-id='area 4']").click()
    shown.says("weight(it, tired) = ")
    scores = shown.svg.locator("[data-id='scaled.2.4']")
    has_arrived(shown.svg)
    low = scores.bounding_box()["y"]
    shown.press("[")
    shown.says("No mask here")
    has_arrived(shown.svg)
    assert scores.bounding_box()["y"] >= low, "the same matrix has come to its new place"
    for _ in range(2):
        shown.press("Enter")
    shown.says("Predict the number, and who brings most")
    state = shown.svg.locator("[data-id='sum 2']")
    assert state.text_content() == "0.00 → ?"
    shown.svg.locator("[data-id=veil]").click()
    shown.says("“tired” brings 0.44 of the 0.49.")
    assert state.text_content() == "0.00 → 0.49"
    shown.press("ArrowLeft", "ArrowRight")
    shown.says("“tired” brings 0.44: output(it, state) = 0.50 × 0.10 + ")
    shown.press("ArrowDown")
    shown.says("output(was, animate)")
    assert shown.svg.locator("[data-id=answer]").text_content() == "animate"
    assert "“was”" in shown.demo.locator(".demo-question").text_content()
    shown.press("Enter", "Enter")  # at the end it asks first
    shown.says("“it” takes a share of each word")


def test_every_step_is_legible_on_a_projector(shown):
    page = shown.page
    long = "the animal didn't cross because it was"
    page.browser.locator(".demo input").fill(long)
    page.browser.keyboard.press("Enter")
    page.browser.locator(".demo-message", has_text="first six of 7").wait_for()
    with page.full_screen(page.demos()[0]) as screen:
        for kind in ("self", "causal", "cross"):
            screen.locator("select").first.select_option(label=kind)
            for step, button in enumerate(screen.locator(".demo-controls .jupyter-button").all()):
                button.click()
                asks = "“il”" if kind == "cross" else "“it”"
                screen.locator(".demo-question", has_text=asks).wait_for()
                page.wait_until_idle()
                page.settle()  # it has set out
                has_arrived(screen)
                assert problems(screen) == [], f"{kind}, step {step}"
