"""One browser and one server of each kind for the whole session; a page for each test that asks for one.

def test_drag(lab_page):
    lab_page.open("01_similarity.ipynb")
    lab_page.run_all()
    demo = lab_page.demos()[0]
"""

import os
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools import browser as jupyter
from tools.look import KERNEL

# On the build machine a missing browser is an error (it comes from jupyter.chromium), elsewhere it is said and skipped.
collect_ignore_glob = []
if not shutil.which("chromium") and not os.environ.get("CI"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def browser():
    with jupyter.chromium() as running:
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


class Live:
    """A page with one demo in its first cell, run, and further cells to run later."""

    def __init__(self, page, name, demo, *cells):
        show = f'import sys\n\nsys.path.insert(0, "..")\nfrom lib import widgets\n\ndemo = {demo}\ndemo'
        notebook = new_notebook(
            cells=[new_code_cell(cell) for cell in (show, *cells)], metadata=KERNEL
        )
        nbformat.write(notebook, page.server.notebooks / f"{name}.ipynb")
        page.open(f"{name}.ipynb")
        page.run_all()
        self.page, self.demo = page, page.demos()[0]
        self.svg, self.keyboard, self.mouse = (
            self.demo.locator("svg[tabindex]"),
            page.browser.keyboard,
            page.browser.mouse,
        )
        self.svg.first.scroll_into_view_if_needed()

    def says(self, *texts):
        """Wait until the caption says all of it."""
        for text in texts:
            self.demo.locator("figcaption", has_text=text).first.wait_for(timeout=5000)

    def press(self, *keys):
        for key in keys:
            self.keyboard.press(key)

    def output(self, index):
        """Run cell `index` again; what it prints."""
        self.page.cell(index).click()
        self.press("Control+Enter")
        self.page.wait_until_idle()
        return self.page.cell(index).locator(".jp-OutputArea-output").inner_text().strip()


@pytest.fixture
def live(request, lab_page):
    """live("widgets.Bars()", "print(demo.scores)") opens the demo; nothing may fail until the test ends."""
    yield lambda demo, *cells: Live(lab_page, request.node.name, demo, *cells)
    assert lab_page.errors() == [] and lab_page.outside == []
