"""AttentionSteps with mouse and keyboard: step through it, drag a digit, read the result."""

import pytest

from tests.browser.measuring import problems


@pytest.fixture
def page(live):
    return live("widgets.AttentionSteps()", "print(demo.X[0, 3], demo.drawing.step)").page


def says(page, text):
    page.browser.locator(".demo figcaption", has_text=text).wait_for()


def test_keyboard_drag_and_the_next_cell(page):
    drawing = page.browser.locator(".demo .drawing svg")
    says(page, "Q(it, 2) = 0.6 × 0.4 + 0.2 × (−0.5) + 0.1 × 1.5 + 0.8 × 0.1 = 0.37")
    drawing.focus()
    for key in ("ArrowLeft", "ArrowLeft"):
        page.browser.keyboard.press(key)
    says(page, "X(it, grammar) = 0.8: drag it")
    page.browser.keyboard.press("+")
    says(page, "X(it, grammar) = 0.9")
    digit = page.browser.locator(".demo rect.hold").nth(3)
    box = digit.bounding_box()
    page.browser.mouse.move(box["x"] + 5, box["y"] + 5)
    page.browser.mouse.down()
    unit = drawing.bounding_box()["width"] / 440
    page.browser.mouse.move(box["x"] + 5 - 24 * unit, box["y"] + 5, steps=4)
    page.browser.mouse.up()
    says(page, "X(it, grammar) = 0.5")
    for key in ("]", "Enter", " "):
        page.browser.keyboard.press(key)
    says(page, "No mask here")
    page.browser.keyboard.press("Backspace")
    says(page, "÷ √d_k")
    page.browser.locator(".demo .mod-active", has_text="3 ÷").wait_for()
    page.browser.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    page.command("notebook:run-cell")
    page.browser.locator(".jp-OutputArea-output", has_text="0.5 2").wait_for()


def test_every_step_is_legible_on_a_projector(page):
    long = "the animal didn't cross because it was"
    page.browser.locator(".demo input").fill(long)
    page.browser.keyboard.press("Enter")
    page.browser.locator(".demo-message", has_text="first six of 7").wait_for()
    with page.full_screen(page.demos()[0]) as shown:
        for kind in ("self", "causal", "cross"):
            shown.locator("select").first.select_option(label=kind)
            for step, button in enumerate(shown.locator(".jupyter-button").all()):
                button.click()
                shown.locator(
                    ".drawing text", has_text="il" if kind == "cross" else "animal"
                ).first.wait_for()
                page.settle()
                assert problems(shown) == [], f"{kind}, step {step}"
