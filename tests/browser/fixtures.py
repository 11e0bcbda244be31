"""One browser and one server of each kind for the whole session; a page for each test that asks.

def test_a_bar(live):
    shown = live("widgets.Bars()", "print(demo.scores)")
    shown.says("animal: score 2.0")
    assert shown.output(1) == "[2. 0. 1.]"
"""

import os
import shutil

import pytest

from lib.widgets.frame.letters import forget
from lib.widgets.frame.pictures import chromium
from tests.browser.bridge import Cells, plain
from tests.browser.measuring import problems
from tools import browser as jupyter


@pytest.fixture(scope="session")
def browser():
    """The only one of its process: Playwright runs once in a thread."""
    if not shutil.which("chromium") and not os.environ.get("CI"):
        pytest.skip("no chromium on this machine")
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def lab():
    with jupyter.server("lab") as running:
        yield running


@pytest.fixture(scope="session")
def notebook7():
    with jupyter.server("notebook") as running:
        yield running


@pytest.fixture(scope="session")
def lab_window(lab, browser):
    """JupyterLab, started once: that takes longer than most tests."""
    with jupyter.page(lab, browser) as page:
        yield page


@pytest.fixture
def lab_page(lab_window):
    yield lab_window
    lab_window.close_all()


@pytest.fixture(scope="session")
def plain_window(browser):
    """A page without Jupyter, loaded once: that takes longer than most tests, too."""
    with plain(browser) as page:
        yield page


@pytest.fixture
def plain_page(plain_window):
    forget()  # another page may have been shown the letters meanwhile
    yield plain_window
    plain_window.clear()


class Shown:
    """A demo in a browser, and what a reader does with it."""

    def __init__(self, page):
        self.page = page
        self.demos = page.demos()
        self.demo = self.demos[0]
        self.svg = self.demo.locator("svg[tabindex]")
        self.keyboard = page.browser.keyboard
        self.mouse = page.browser.mouse
        self.svg.first.scroll_into_view_if_needed()

    def says(self, *texts):
        """Wait until the caption says all of it."""
        for text in texts:
            self.demo.locator("figcaption", has_text=text).first.wait_for()
        self.page.settle()

    def press(self, *keys):
        for key in keys:
            self.keyboard.press(key)
        self.page.settle()

    def drag(self, start, *stations):
        self.mouse.move(*start)
        self.mouse.down()
        for station in stations:
            self.mouse.move(*station, steps=3)
        self.mouse.up()
        self.page.settle()

    def button(self, name, exact=False):
        """Click the demo's button with this in its name; exact: with this name and no more."""
        self.demo.get_by_role("button", name=name, exact=exact).click()
        self.page.settle()

    def reset(self):
        self.demo.locator(".demo-reset").click()
        self.page.settle()

    def problems(self):
        """What a hall could not read of the demo as it is now, in full screen."""
        with self.page.full_screen(self.demo) as screen:
            return problems(screen)


class Live(Shown):
    """A demo in a plain page, and code that reads it as a further cell would.

    demo: an expression, or code that ends in one; before: code that stands above it.
    """

    def __init__(self, page, demo, *cells, before=""):
        self.cells, self.sources = Cells(), cells
        code = f"from lib import widgets\n\n{before}\ndemo = {demo}\ndemo"
        page.show(lambda: self.cells.run(code))
        super().__init__(page)

    def output(self, index):
        """Run the code of this number, from 1; what a notebook would show under it."""
        return self.page.run(lambda: self.cells.output(self.sources[index - 1]))


class LiveInLab(Shown):
    """A page of JupyterLab whose first cell shows a demo, run, and further cells to run later."""

    def __init__(self, page, name, demo, *cells, before=""):
        show = f"from lib import widgets\n\n{before}\ndemo = {demo}\ndemo"
        page.server.write(f"{name}.ipynb", show, *cells)
        page.open(f"{name}.ipynb")
        page.run_all()
        super().__init__(page)

    def output(self, index):
        """Run cell `index` again; what it prints.

        A widget sends what has changed meanwhile only when the kernel has answered: so it is asked
        to be idle twice, with the time between that the browser needs to send.
        """
        self.page.wait_until_idle()
        self.page.settle()
        self.page.wait_until_idle()
        self.page.cell(index).click()
        self.keyboard.press("Control+Enter")
        self.page.wait_until_idle()
        return self.page.cell(index).locator(".jp-OutputArea-output").inner_text().strip()


@pytest.fixture
def live(plain_page):
    """live("widgets.Bars()", "print(demo.scores)") shows the demo; nothing may fail."""

    def shown(demo, *cells, before=""):
        return Live(plain_page, demo, *cells, before=before)

    yield shown
    assert plain_page.errors() == []
    assert plain_page.outside == []


@pytest.fixture
def live_in_lab(request, lab_page):
    """The same in JupyterLab, for what goes from cell to cell, or to its keys."""

    def opened(demo, *cells, before=""):
        return LiveInLab(lab_page, request.node.name, demo, *cells, before=before)

    yield opened
    assert lab_page.errors() == []
    assert lab_page.outside == []
