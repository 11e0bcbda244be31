"""Every notebook in JupyterLab, and some in Notebook 7, as a reader and a hall would see them."""

from contextlib import contextmanager

import nbformat
import pytest
from playwright.sync_api import TimeoutError as NothingHappened

from lib import widgets
from lib.widgets.live import subject_of
from tests.browser.accessibility import violations
from tests.browser.measuring import DRAWINGS, problems_in_a_hall
from tests.pages.test_viewers import formulas, prose
from tools import browser as jupyter
from tools.course import NOTEBOOKS, notebooks, page_name

ALL_DEMOS = "demos.ipynb"
NAMES = [page_name(path) for path in notebooks()]
# What is on a page is the same in both; here are all demos, and the first page.
IN_NOTEBOOK_7 = ["00_start_here.ipynb", ALL_DEMOS]
CAPTIONS = """(demo) => {
    const captions = [...demo.querySelectorAll("[aria-live]")];
    return captions.map((caption) => caption.textContent).join(" | ");
}"""
CAPTIONS_DIFFER = f"([demo, before]) => ({CAPTIONS})(demo) !== before"
COLOURS = """(demo) => [".demo-title", "figcaption"].map((part) =>
    getComputedStyle(demo.querySelector(part)).color)"""
MARKS = ["paper", "weight", "query", "key", "value", "position", "changed"]
THEMED = """(demo, names) => {
    const own = getComputedStyle(demo);
    return [...names.map((name) => own.getPropertyValue(`--${name}`)), ...(COLOURS)(demo)];
}""".replace("COLOURS", COLOURS)
KIND = r"(demo) => demo.className.match(/\bdemo-[A-Z]\w*/)[0]"
STICKS_OUT = """() => {
    const found = [];
    for (const element of [document.documentElement, ...document.querySelectorAll(".demo")]) {
        const { className, scrollWidth, clientWidth } = element;
        if (scrollWidth <= clientWidth + 1) continue;
        found.push(`${className || "the page"}: ${scrollWidth} px in ${clientWidth}`);
    }
    return found;
}"""


# What is missing, by cell: an image is scrolled to and must then be seen, as large as it was made.
# A formula in a fold of the text must be seen when the fold is open.
MISSING = f"""async (wanted) => {{
    const {{ content }} = {jupyter.PANEL}, missing = [];
    const seen = (node) => node.checkVisibility() && node.getBoundingClientRect().height > 0;
    async function expect(count, what, found) {{
        const end = performance.now() + {jupyter.TIMEOUT};
        const complete = () => found().length === count;
        while (!complete() && performance.now() < end) await new Promise(requestAnimationFrame);
        if (!complete()) missing.push(`${{found().length}} of ${{count}} ${{what}}`);
    }}
    for (const [index, pictures, formulas] of wanted) {{
        await content.scrollToItem(index);
        const {{ node }} = content.widgets[index];
        const all = (selector) => [...node.querySelectorAll(selector)].filter(seen);
        const images = () =>
            all(".jp-OutputArea-output img").filter((image) => image.naturalWidth > 300);
        const drawn = () => {{ // a text that is rendered anew has its folds closed again
            for (const fold of node.querySelectorAll(".jp-RenderedMarkdown details"))
                fold.open = true;
            return all("mjx-container");
        }};
        const wrong = () => all("mjx-merror, [data-mjx-error]");
        await expect(pictures, `pictures in cell ${{index}}`, images);
        await expect(formulas, `formulas in cell ${{index}}`, drawn);
        await expect(0, `formulas with errors in cell ${{index}}`, wrong);
        const trusted = content.model.cells.get(index).trusted !== false;
        if (pictures && trusted) missing.push(`cell ${{index}} is trusted`);
    }}
    return missing;
}}"""


def pytest_generate_tests(metafunc):
    if "opened" in metafunc.fixturenames:
        metafunc.parametrize("opened", metafunc.cls.names, indirect=True, scope="class")


@pytest.fixture(scope="class")
def opened(request):
    """The notebook as it is in a fresh clone, opened once for all the tests of a class.

    Its side paths are unfolded.
    """
    with request.cls.window(request) as window:
        window.open(request.param)
        window.command("notebook:expand-all-headings")
        yield window


@pytest.fixture(scope="class")
def page(opened):
    """The notebook after Run All."""
    opened.run_all()
    return opened


def to_be_seen(name):
    """[cell, how many pictures, how many formulas] of the cells of a page that have any."""
    wanted = []
    for index, cell in enumerate(nbformat.read(NOTEBOOKS / name, as_version=4).cells):
        pictures = sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
        [text] = prose([cell]) if cell.cell_type == "markdown" else [""]
        if pictures or formulas(text)[0]:
            wanted.append([index, pictures, len(formulas(text)[0])])
    assert any(pictures for _, pictures, _ in wanted), "a page without a picture"
    return wanted


@pytest.fixture(scope="session")
def tried():
    """The kinds of demos whose keys were tried, by the program that shows them."""
    return set()


def are_recorded(name):
    """Whether each demo of a page is, from the top."""
    page, found = NOTEBOOKS / name, []
    for cell in nbformat.read(page, as_version=4).cells:
        outputs = cell.get("outputs", [])
        if any("picture" in output.get("metadata", {}) for output in outputs):
            found.append(bool(subject_of(cell.source, page.stem)))
    return found


def projected(page, chosen):
    """These demos of a page in full screen, numbered from 1."""
    demos = enumerate(zip(page.demos(), chosen, strict=True), 1)
    wanted = [(number, demo) for number, (demo, is_chosen) in demos if is_chosen]
    if not wanted:
        return
    page.browser.set_viewport_size(jupyter.PROJECTOR)  # once: all demos of the page are drawn anew
    for number, demo in wanted:
        with page.full_screen(demo) as screen:
            yield number, screen
    page.browser.set_viewport_size(jupyter.VIEWPORT)


def arrows_speak(page, demo) -> bool:
    """Press arrow keys until a caption of the demo changes; False if none does.

    While the answer is veiled nothing is told of it: Enter shows it. Where Enter asks something
    more, keys may have to wait for that.
    """
    show = demo.locator(".demo-next", has_text="Show")
    for _ in range(3):
        if show.count() and show.first.is_visible():
            page.browser.keyboard.press("Enter")
            page.wait_for_kernel()
        before = demo.evaluate(CAPTIONS)
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            page.browser.keyboard.press(key)
            page.wait_for_kernel()  # else the way back hides what a slow kernel answers
            if demo.evaluate(CAPTIONS) != before:
                return True
        try:  # the kernel may have to be asked
            page.browser.wait_for_function(
                CAPTIONS_DIFFER, arg=[demo.element_handle(), before], timeout=5000
            )
            return True
        except NothingHappened:
            page.browser.keyboard.press("Enter")
            page.wait_for_kernel()
    return False


class EveryPage:
    def test_everything_is_seen_before_anything_is_run(self, opened, request):
        name = request.node.callspec.params["opened"]
        assert opened.browser.evaluate(MISSING, to_be_seen(name)) == []
        assert opened.outside == []

    def test_runs_without_errors_and_without_the_outside(self, page):
        assert page.errors() == []
        assert page.outside == []

    def test_nothing_sticks_out(self, page):
        assert page.browser.evaluate(STICKS_OUT) == []

    def test_demos_have_one_reset_and_one_full_screen(self, page):
        for demo in page.demos():
            assert demo.locator(".demo-reset").count() == 1
            assert demo.locator(".demo-full-screen").count() == 1

    def test_arrow_keys_move_and_x_cuts_no_cell(self, page, tried):
        """Once for each kind of demo: its keys are the same on every page."""
        cells = page.cells()
        for number, demo in enumerate(page.demos(), 1):
            kind = page.server.kind, demo.evaluate(KIND)
            if kind in tried:
                continue
            tried.add(kind)
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


class InLab(EveryPage):
    @staticmethod
    @contextmanager
    def window(request):
        page = request.getfixturevalue("lab_window")
        yield page
        page.close_all()

    # Notebook 7 has the same style sheets.

    def test_full_screen_is_legible_and_whole(self, page, request):
        """Of what needs Python; what is recorded is measured in test_without_python.py."""
        recorded = are_recorded(request.node.callspec.params["opened"])
        found = []
        for number, demo in projected(page, [not one for one in recorded]):
            found += [f"demo {number}{line}" for line in problems_in_a_hall(demo)]
        page.server.interrupt_kernels()  # Enter began to train, which would go on to its end
        assert found == []

    def test_everyone_can_use_it(self, page):
        assert violations(page) == []


class TestInLab(InLab):
    names = [name for name in NAMES if name != ALL_DEMOS]


class TestAllDemosInLab(InLab):
    names = [ALL_DEMOS]

    def test_the_dark_theme_is_the_one_that_is_tested_in_a_plain_page(self, page, plain_page):
        """test_hall.py has each demo in it; here alone: colours are the same on every page."""
        plain_page.show(widgets.Bars)
        plain_page.theme("dark")
        [expected] = [demo.evaluate(THEMED, MARKS) for demo in plain_page.demos()]
        page.theme("dark")
        wide = page.browser.evaluate(STICKS_OUT)
        found = [demo.evaluate(THEMED, MARKS) for demo in page.demos()]
        page.theme("light")
        assert wide == []
        assert all(found[0]) and found == [expected] * len(found)
        assert page.errors() == []


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
