"""Every notebook in JupyterLab and in Notebook 7, as a reader and a hall would see it."""

from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as NothingHappened

from tests.browser import jupyter
from tools.refresh import NOTEBOOKS, notebooks

NAMES = [path.relative_to(NOTEBOOKS).as_posix() for path in notebooks()]
SMALLEST = 24  # pixels at 1280 × 720: what the last row of a hall can read
MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
DRAWINGS = "svg[tabindex], canvas[tabindex]"
CAPTIONS = "(demo) => [...demo.querySelectorAll('[aria-live]')].map((caption) => caption.textContent).join(' | ')"
CAPTIONS_DIFFER = f"([demo, before]) => ({CAPTIONS})(demo) !== before"
STICKS_OUT = """() => [document.documentElement, ...document.querySelectorAll(".demo")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => `${element.className || "the page"}: ${element.scrollWidth} px in ${element.clientWidth}`)"""
CONTRAST = """(demo) => {
    const light = (color) => {
        const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const { color, backgroundColor } = getComputedStyle(demo);
    const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
    return bright / dark;
}"""


@pytest.fixture(scope="module", params=["lab", "notebook7"])
def running(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module", params=NAMES)
def page(request, running, browser):
    """The notebook after Run All, opened once for all the tests below."""
    with jupyter.page(running, browser) as opened:
        opened.open(request.param)
        opened.run_all()
        yield opened


def test_runs_without_errors_and_without_the_outside(page):
    assert page.errors() == []
    assert page.outside == []


def test_nothing_sticks_out(page):
    assert page.browser.evaluate(STICKS_OUT) == []


def test_demos_have_one_reset_and_one_full_screen(page):
    for demo in page.demos():
        assert demo.locator(".demo-reset").count() == 1
        assert demo.locator(".demo-full-screen").count() == 1


def test_dark_theme_is_readable(page):
    page.theme("dark")
    try:
        assert all(demo.evaluate(CONTRAST) >= 4.5 for demo in page.demos())
        assert page.browser.evaluate(STICKS_OUT) == []
    finally:
        page.theme("light")
    assert page.errors() == []


def test_full_screen_is_legible_and_whole(page):
    problems = {}
    for number, demo in enumerate(page.demos(), 1):
        with page.full_screen(demo) as shown:
            problems[number] = shown.evaluate(MEASURE, SMALLEST)
    assert not any(problems.values()), "\n".join(f"demo {n}: {line}" for n in problems for line in problems[n])


def test_arrow_keys_move_and_x_cuts_no_cell(page):
    cells = page.cells()
    for number, demo in enumerate(page.demos(), 1):
        for drawing in demo.locator(DRAWINGS).all():
            if not drawing.is_visible():
                continue
            drawing.focus()
            assert any(speaks_after(page, demo, key) for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")), (
                f"demo {number}: no arrow key changes the caption"
            )
            page.browser.keyboard.press("x")
            page.settle()
            assert page.cells() == cells, f"demo {number}: x cut a cell"
        demo.locator(".demo-reset").click()
    page.wait_until_idle()
    assert page.errors() == []


def speaks_after(page, demo, key: str) -> bool:
    """Press a key; True if a caption of the demo changes."""
    before = demo.evaluate(CAPTIONS)
    page.browser.keyboard.press(key)
    try:
        page.browser.wait_for_function(CAPTIONS_DIFFER, arg=[demo.element_handle(), before], timeout=2000)
    except NothingHappened:
        return False
    return True
