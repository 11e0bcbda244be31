"""The live demos of the site in a real browser: what the page plays is drawn, and can be moved."""

import pytest

from lib.widgets.frame.pictures import WINDOW, drawn
from lib.widgets.live import SUBJECTS, page_of
from tools.browser import TWO_FRAMES

PRESSES = 40  # of Enter; more than any story needs
DRAWING = "svg[data-lm-suppress-shortcuts]"


@pytest.fixture(scope="module")
def window(browser):
    with browser.new_context(viewport=WINDOW, reduced_motion="reduce") as context:
        yield context.new_page()


def caption(page):
    return page.locator("figcaption").first.inner_text()


def enter(page):
    """Press Enter, and wait until what it changes is drawn: its label too."""
    page.keyboard.press("Enter")
    page.evaluate(TWO_FRAMES)


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_story_is_told_to_its_end_and_starts_over(window, name):
    with drawn(window, page_of(name)) as page:
        first, told = caption(page), set()
        page.locator(DRAWING).first.focus()
        for _ in range(PRESSES):
            if "Start over" in page.locator(".demo-next").inner_text():
                break
            enter(page)
            told.add(caption(page))
        assert "Start over" in page.locator(".demo-next").inner_text() and len(told) > 1
        enter(page)  # it only asks
        enter(page)
        assert caption(page) == first


def test_what_is_dragged_is_what_a_button_goes_on_from(window):
    with drawn(window, page_of("Bars")) as page:
        box = page.locator(".hold").first.bounding_box()
        middle, top = box["x"] + box["width"] / 2, box["y"]
        page.mouse.move(middle, top + 60)
        page.mouse.down()
        page.mouse.move(middle, top + 1)
        page.mouse.up()
        assert "has score 6.0" in caption(page)
        page.get_by_role("button", name="× 3", exact=True).click()
        page.locator(DRAWING).first.press("Enter")
        assert "has score 18.0" in caption(page)


def test_what_was_not_recorded_is_said_and_the_picture_stays(window):
    with drawn(window, page_of("ScalingDial")) as page:
        before = caption(page)
        page.get_by_role("combobox").select_option("another …")
        assert page.get_by_text("This was not recorded: it needs Python.").is_visible()
        assert caption(page) == before
        assert page.get_by_role("combobox").input_value() == "nothing"
