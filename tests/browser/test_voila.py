"""The demos as a page of Voila: full screen, a clicker, a control that asks the kernel."""

import nbformat

from tools import browser as jupyter
from tools.course import NOTEBOOKS

ALL_ARE_THERE = "(count) => document.querySelectorAll('.demo .demo-full-screen').length === count"
FULL = "(demo) => document.fullscreenElement === demo"


def test_the_demos_run_without_jupyterlab(browser):
    cells = nbformat.read(NOTEBOOKS / "demos.ipynb", as_version=4).cells
    pictures = ["image/png" in str(cell.get("outputs")) for cell in cells]
    count = sum(pictures)  # one for each demo
    with (
        jupyter.server("voila") as voila,
        browser.new_context(viewport=jupyter.VIEWPORT) as context,
    ):
        context.set_default_timeout(jupyter.TIMEOUT)
        page = jupyter.Page(voila, context.new_page())
        # Every cell is run before the page is sent.
        page.browser.goto(voila.url, timeout=jupyter.SLOWEST)
        page.browser.wait_for_function(ALL_ARE_THERE, arg=count, timeout=jupyter.SLOWEST)
        page.problems.clear()  # those of Voila's own start
        demos = page.browser.locator(".demo").all()
        assert page.browser.locator("pre").count() == 0, "no code and no traceback"
        with page.full_screen(demos[0]) as first:
            first.get_by_role("button", name="tired ↔ wide").click()
            first.locator(".words text").get_by_text("large", exact=True).wait_for()
            for demo in demos[1:]:
                page.browser.keyboard.press("PageDown")
                page.browser.wait_for_function(FULL, arg=demo.element_handle())
        # Voila's own template asks for icons that the course does not use.
        assert [url for url in page.outside if "fontawesome" not in url] == []
        assert count and page.problems == []
