"""Every scene of the zoom as a reader sees it: its numbers are those of lib, its letters large."""

import pytest

from lib.saved.zoom import ADJECTIVES
from lib.widgets import Zoom
from lib.widgets.zoom.zoom import NAMES
from tests.browser.bridge import plain
from tests.browser.measuring import problems
from tests.browser.walk import compare

READ = """(demo) => ({
    texts: [...demo.querySelectorAll(".drawing text")].map((text) => text.textContent),
    caption: demo.querySelector("figcaption").textContent,
})"""


@pytest.fixture(scope="module")
def page(browser):
    with plain(browser) as opened:
        yield opened


@pytest.mark.parametrize("word", ADJECTIVES)
@pytest.mark.parametrize("scene", NAMES)
def test_a_scene_shows_the_numbers_of_lib(page, scene, word):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(lambda: Zoom(scene, word))
    with page.full_screen(page.demos()[0]) as screen:
        found = problems(screen)
        page.run(lambda: demo.drawing.set_trait("veiled", False))
        found += problems(screen)
        shown = screen.evaluate(READ)
    assert found == []
    compare(demo, shown)
    assert page.errors() == []


def test_enter_goes_through_all_scenes_and_a_key_goes_back(page):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(Zoom)
    svg = page.demos()[0].locator("svg[tabindex]")
    svg.focus()
    for place in range(len(NAMES)):
        assert demo.drawing.done == place
        if demo.drawing.veiled:
            page.browser.keyboard.press("Enter")
            page.settle()
        if place < len(NAMES) - 1:
            page.browser.keyboard.press("ArrowRight")
            page.settle()
    page.browser.keyboard.press("ArrowRight")
    page.browser.keyboard.press("ArrowLeft")
    page.settle()
    assert NAMES[demo.drawing.done] == "models" and not demo.drawing.veiled
    assert demo.header.question.startswith("Another model")


def test_another_word_is_chosen_by_a_click_and_by_a_key(page):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(lambda: Zoom("wins"))
    page.run(lambda: demo.drawing.set_trait("veiled", False))
    svg = page.demos()[0].locator("svg[tabindex]")
    svg.locator("text", has_text="wide").click()
    page.settle()
    assert "“elle” gets" in page.demos()[0].locator("figcaption").text_content()
    svg.focus()
    page.browser.keyboard.press(" ")
    page.settle()
    assert "“il” gets" in page.demos()[0].locator("figcaption").text_content()
    assert demo.drawing.word == "tired"
