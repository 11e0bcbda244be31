"""Every scene of the zoom as a reader sees it: its numbers are those of lib, its letters large."""

from pathlib import Path

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


def test_the_small_map_tells_the_two_layers_apart(page):
    marked = []
    for scene in ("heads", "arc", "alone"):
        page.show(lambda scene=scene: Zoom(scene))
        here = page.demos()[0].locator(".demo-where .here-in-model")
        marked.append(float(here.get_attribute("y")))
    assert marked == sorted(marked, reverse=True) and len(set(marked)) == 3, "from below"


def test_another_word_is_chosen_by_a_click_and_by_a_key(page):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(lambda: Zoom("box"))
    svg = page.demos()[0].locator("svg[tabindex]")
    svg.locator("text", has_text="tired").click()
    page.settle()
    assert "“it” becomes “elle”" in page.demos()[0].locator("figcaption").text_content()
    svg.focus()
    page.browser.keyboard.press("t")
    page.settle()
    assert "“it” becomes “il”" in page.demos()[0].locator("figcaption").text_content()
    assert "t and w change it" in svg.get_attribute("aria-description")
    assert demo.drawing.word == "tired"


def test_a_guess_stays_beside_the_answer_and_is_gone_in_the_next_scene(page):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(lambda: Zoom("heads"))
    svg = page.demos()[0].locator("svg[tabindex]")
    guess = svg.locator("[data-id='guess']")
    svg.locator("[data-id='word 10']").click(force=True)
    page.settle()
    assert guess.count() == 1 and demo.drawing.word == "tired", "the word is not switched"
    svg.focus()
    page.browser.keyboard.press("ArrowUp")  # "too"
    page.browser.keyboard.press("Enter")
    page.settle()
    too = svg.locator("[data-id='word 9']").bounding_box()
    at = guess.bounding_box()
    assert not demo.drawing.veiled
    assert at["x"] < too["x"] and at["x"] + at["width"] > too["x"] + too["width"]
    page.browser.keyboard.press("Enter")
    page.settle()
    assert NAMES[demo.drawing.done] == "arc" and guess.count() == 0


def test_a_wheel_flies_in_full_screen_and_scrolls_the_page_elsewhere(page):
    page.browser.emulate_media(reduced_motion="reduce")
    [demo] = page.show(Zoom)
    page.demos()[0].locator("svg[tabindex]").hover()
    page.browser.mouse.wheel(0, 1)
    page.settle()
    assert demo.drawing.done == 0
    with page.full_screen(page.demos()[0]) as screen:
        screen.locator("svg[tabindex]").hover()
        page.browser.mouse.wheel(0, 100)
        page.browser.mouse.wheel(0, 100)  # it still rolls
        page.settle()
        assert demo.drawing.done == 1


@pytest.fixture
def saved(browser, tmp_path):
    """A page of its own: open(end of its address) answers with the demo."""
    path = tmp_path / "zoom.html"
    Zoom().save(path)
    context = browser.new_context(reduced_motion="reduce", has_touch=True)

    def opened(end):
        opened = context.new_page()
        opened.goto(Path(path).as_uri() + end)
        return opened

    yield opened
    context.close()


def test_an_address_opens_a_scene_and_follows(saved):
    opened = saved("#6wide")
    caption = opened.locator("figcaption")
    caption.filter(has_text="Click “il” or “elle”").wait_for()
    opened.locator("svg[tabindex]").press("Enter")
    caption.filter(has_text="stands for “rue”, feminine").wait_for()
    opened.locator("svg[tabindex]").press("ArrowRight")
    caption.filter(has_text="the upper or the lower bar").wait_for()
    assert opened.url.endswith("#7wide")
    saved("#softmax").locator("figcaption", has_text="becomes “il” (he)").wait_for()


STROKE = """(svg, across) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const at = (part) => ({
        bubbles: true, pointerId: 7, pointerType: "touch",
        clientX: left + part * width, clientY: top + height / 2,
    });
    svg.dispatchEvent(new PointerEvent("pointerdown", at(0.5)));
    svg.dispatchEvent(new PointerEvent("pointerup", at(0.5 + across)));
}"""


def test_a_finger_turns_the_scenes_as_pages(saved):
    opened = saved("")
    svg, caption = opened.locator("svg[tabindex]"), opened.locator("figcaption")
    svg.evaluate(STROKE, -0.3)
    caption.filter(has_text="a word's 64 numbers").wait_for()
    svg.evaluate(STROKE, 0.3)
    caption.filter(has_text="becomes “il” (he)").wait_for()
    svg.evaluate(STROKE, 0.05)  # a tap that slipped
    assert "becomes “il” (he)" in caption.inner_text()
