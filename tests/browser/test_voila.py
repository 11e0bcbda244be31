"""The demos as a page of Voila: full screen, a lesson with a clicker, a control that asks the
kernel.
"""

from lib.widgets.lesson.lesson import PLANS
from tools import browser as jupyter

PLAN = "all demos"
TITLES = [step.title for step in PLANS[PLAN] if step.demo]
ASKS_THE_KERNEL = next(step.title for step in PLANS[PLAN] if step.demo == "Translator")
ALL_ARE_THERE = "(count) => document.querySelectorAll('.demo .demo-full-screen').length === count"


def test_the_demos_run_without_jupyterlab(browser):
    with (
        jupyter.server("voila") as voila,
        browser.new_context(viewport=jupyter.VIEWPORT) as context,
    ):
        context.set_default_timeout(jupyter.TIMEOUT)
        page = jupyter.Page(voila, context.new_page())
        # Every cell is run before the page is sent.
        page.browser.goto(voila.url, timeout=jupyter.SLOWEST)
        page.browser.wait_for_function(ALL_ARE_THERE, arg=len(TITLES), timeout=jupyter.SLOWEST)
        page.problems.clear()  # those of Voila's own start
        assert page.browser.locator("pre").count() == 0, "no code and no traceback"
        lesson = page.browser.locator(".lesson")
        lesson.get_by_role("button", name=PLAN, exact=True).click()
        lesson.get_by_role("button", name="Start").click()
        shown = page.browser.locator(":fullscreen")
        for title in TITLES:
            shown.locator(".demo-title").get_by_text(title, exact=True).wait_for()
            if title == ASKS_THE_KERNEL:
                shown.get_by_role("button", name="tired ↔ wide").click()
                shown.locator(".drawing text", has_text="wide").first.wait_for()
            page.browser.keyboard.press("PageDown")
        # Voila's own template asks for icons that the course does not use.
        assert [url for url in page.outside if "fontawesome" not in url] == []
        assert page.problems == []
