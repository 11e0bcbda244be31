"""Every notebook in JupyterLab, and some in Notebook 7, as a reader and a hall would see them."""

from contextlib import contextmanager
from typing import ClassVar

import pytest
from playwright.sync_api import TimeoutError as NothingHappened

from tests.browser.accessibility import violations
from tests.browser.measuring import ANY, SMALLEST, problems
from tools import browser as jupyter
from tools.course import notebooks, page_name

NAMES = [page_name(path) for path in notebooks()]
# What is on a page is the same in both; here are all demos, the first page, and those with most in
# them.
IN_NOTEBOOK_7 = [
    "00_start_here.ipynb",
    "10_translation.ipynb",
    "12_generation.ipynb",
    "13_a_real_model.ipynb",
    "demos.ipynb",
]
EMPTY = 0.35  # share of the screen that nothing fills, at most
LARGE = {"width": 1920, "height": 1080}  # the other projector
LARGER = LARGE["width"] / jupyter.PROJECTOR["width"]
DRAWINGS = "svg[tabindex='0'], canvas[tabindex='0']"
CAPTIONS = """(demo) => {
    const captions = [...demo.querySelectorAll("[aria-live]")];
    return captions.map((caption) => caption.textContent).join(" | ");
}"""
DRAWN_DIFFERS = """([demo, before]) => {
    const now = demo.querySelector(".demo-drawings").innerHTML;
    return now !== before && now;
}"""
CAPTIONS_DIFFER = f"([demo, before]) => ({CAPTIONS})(demo) !== before"
COLOURS = """(demo) => [".demo-title", "figcaption"].map((part) =>
    getComputedStyle(demo.querySelector(part)).color)"""
STICKS_OUT = """() => {
    const found = [];
    for (const element of [document.documentElement, ...document.querySelectorAll(".demo")]) {
        const { className, scrollWidth, clientWidth } = element;
        if (scrollWidth <= clientWidth + 1) continue;
        found.push(`${className || "the page"}: ${scrollWidth} px in ${clientWidth}`);
    }
    return found;
}"""


def pytest_generate_tests(metafunc):
    if "page" in metafunc.fixturenames:
        metafunc.parametrize("page", metafunc.cls.names, indirect=True, scope="class")


@pytest.fixture(scope="class")
def page(request):
    """The notebook after Run All, opened once for all the tests of a class."""
    with request.cls.window(request) as opened:
        opened.open(request.param)
        opened.run_all()
        yield opened


def projected(page, shown):
    """Each demo in full screen, numbered from 1, but those that a page before has shown like this.

    shown: what all that was projected said, to be kept from page to page.
    """
    for number, demo in enumerate(page.demos(), 1):
        says = demo.text_content()
        if says in shown:
            continue
        shown.add(says)
        with page.full_screen(demo):
            yield number, demo


def changes_at_enter(page, demo) -> bool:
    """Press Enter; True if the drawing is another one soon."""
    if not demo.locator(DRAWINGS).count():
        return False
    element = demo.element_handle()
    before = page.browser.evaluate(DRAWN_DIFFERS, [element, None])
    page.browser.keyboard.press("Enter")
    try:
        page.browser.wait_for_function(DRAWN_DIFFERS, arg=[element, before], timeout=500)
    except NothingHappened:
        return False
    return True


def arrows_speak(page, demo) -> bool:
    """Press arrow keys until a caption of the demo changes; False if none does.

    While the answer is veiled nothing is told of it: Enter shows it.
    """
    show = demo.locator(".demo-next", has_text="Show")
    if show.count() and show.first.is_visible():
        page.browser.keyboard.press("Enter")
        page.settle()
    before = demo.evaluate(CAPTIONS)
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.browser.keyboard.press(key)
        page.settle()
        if demo.evaluate(CAPTIONS) != before:
            return True
    try:  # the kernel may have to be asked
        page.browser.wait_for_function(
            CAPTIONS_DIFFER, arg=[demo.element_handle(), before], timeout=5000
        )
    except NothingHappened:
        return False
    return True


class EveryPage:
    def test_runs_without_errors_and_without_the_outside(self, page):
        assert page.errors() == []
        assert page.outside == []

    def test_nothing_sticks_out(self, page):
        assert page.browser.evaluate(STICKS_OUT) == []

    def test_demos_have_one_reset_and_one_full_screen(self, page):
        for demo in page.demos():
            assert demo.locator(".demo-reset").count() == 1
            assert demo.locator(".demo-full-screen").count() == 1

    def test_arrow_keys_move_and_x_cuts_no_cell(self, page):
        cells = page.cells()
        for number, demo in enumerate(page.demos(), 1):
            demo.locator(".demo-reset").click()
            page.wait_for_kernel()  # which may veil the answer anew
            for drawing in demo.locator(DRAWINGS).all():
                if not drawing.is_visible():
                    continue
                drawing.focus()
                assert arrows_speak(page, demo), f"demo {number}: no arrow key changes the caption"
                page.browser.keyboard.press("x")
                page.settle()
                assert page.cells() == cells, f"demo {number}: x cut a cell"
            demo.locator(".demo-reset").click()
        page.wait_until_idle()
        assert page.errors() == []
        said = page.browser.locator(".demo-message:not(.demo-notice)").all_text_contents()
        assert not any(said), said


class TestInLab(EveryPage):
    names = NAMES
    in_the_light: ClassVar[set] = set()
    in_the_dark: ClassVar[set] = set()

    @staticmethod
    @contextmanager
    def window(request):
        page = request.getfixturevalue("lab_window")
        yield page
        page.close_all()

    # Notebook 7 has the same style sheets.

    def test_full_screen_is_legible_and_whole(self, page):
        found = set()
        assert page.demos()

        def measure(demo, when, larger=1, empty=ANY):
            for line in problems(demo, SMALLEST * larger, empty):
                found.add(f"{when}: {line}")

        for number, demo in projected(page, self.in_the_light):
            measure(demo, f"demo {number}", empty=EMPTY)
            for _ in range(5):
                if not changes_at_enter(page, demo):
                    break
                # The next step, the next word, pinned, masked.
                measure(demo, f"demo {number} after Enter")
            page.browser.set_viewport_size(LARGE)
            page.settle()
            measure(demo, f"demo {number} at 1920 × 1080", LARGER)
            page.browser.set_viewport_size(jupyter.PROJECTOR)
        assert not found, "\n".join(sorted(found))

    def test_dark_theme_is_readable(self, page):
        page.theme("dark")
        found = page.browser.evaluate(STICKS_OUT)
        try:
            for number, demo in projected(page, self.in_the_dark):
                for line in problems(demo):
                    found.append(f"demo {number}: {line}")
            found += violations(page)
        finally:
            page.theme("light")
        assert found == []
        assert page.errors() == []

    def test_everyone_can_use_it(self, page):
        found = violations(page)
        page.browser.emulate_media(forced_colors="active", color_scheme="dark")
        found += violations(page)
        page.browser.emulate_media(forced_colors="none", color_scheme="light")
        assert found == []


class TestInNotebook7(EveryPage):
    names = IN_NOTEBOOK_7

    @staticmethod
    def window(request):
        return jupyter.page(*map(request.getfixturevalue, ("notebook7", "browser")))

    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_a_caption_has_the_colours_that_the_reader_has_chosen(self, page, scheme):
        """In the other theme, too: black on black is what JupyterLab's own colour would be."""
        page.browser.emulate_media(forced_colors="active", color_scheme=scheme)
        page.settle()
        found = [demo.evaluate(COLOURS) for demo in page.demos()]
        page.browser.emulate_media(forced_colors="none", color_scheme="light")
        assert all(caption == title for title, caption in found)
