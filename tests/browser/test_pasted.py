"""What a reader may paste or write: a book without a space, a megabyte of words, tags."""

import pytest

from tests.browser.bridge import Cells
from tests.widgets.demos import EXAMPLES

WITH_TEXT = ("AttentionSteps", "ScalingDial", "Translator", "Writer")
TAG = "<img src=x onerror=\"document.title='run'\">"
LONG = {"word": "a" * 100_000, "megabyte": f"{TAG} " * 24_000}
ANSWER = "main :is(.predict button, .demo-next:not([hidden]))"
MOST = 1001  # letters of a text that was cut, with the sign that says so
BEFORE = f"""
from lib import widgets
from lib.widgets.predict.predict import fingerprints

tag = {TAG!r}
rows = [[[0.5, 0.5], [0.5, 0.5]]] * 2


def said():
    print(tag)
    return tag


def failing(n):
    raise KeyError(tag)


"""
MADE = {
    "Predict": "widgets.Predict(tag, [tag, '2'], said, right=fingerprints(tag, [tag, '2'])[0])",
    "LiveTable": "widgets.LiveTable(lambda n: [[tag, n]], tag, tag, [tag, tag], n=(1, [1, 2]))",
    "no table": "widgets.LiveTable(failing, tag, tag, [tag, tag], n=(1, [1, 2]))",
    "AttentionMap": "widgets.AttentionMap(rows, [tag, tag], None, tag, tag, [tag, tag])",
}


def is_only_text(page):
    """Nothing that was written has become a part of the page, or has run."""
    drawn = page.browser.locator("main img, main script").count()
    return drawn == 0 and page.browser.title() == "A demo without Jupyter" and page.errors() == []


@pytest.mark.parametrize("name", WITH_TEXT)
@pytest.mark.parametrize("kind", LONG)
def test_what_is_pasted_is_cut_and_the_page_goes_on(plain_page, name, kind):
    [demo] = plain_page.show(EXAMPLES[name])
    [shown] = plain_page.demos()
    field = shown.locator("input[type=text]")
    field.fill(LONG[kind])
    field.press("Enter")
    sentence = f"The text of {len(LONG[kind]):,} letters was cut: a word may have 40, a text 1,000."
    shown.locator(".demo-message", has_text=sentence).wait_for()
    assert len(field.input_value()) <= MOST
    shown.locator("svg[tabindex]").press("Enter")
    plain_page.settle()
    assert is_only_text(plain_page)
    shown.locator(".demo-reset").click()
    plain_page.settle()
    assert demo.header.message == "" and len(field.input_value()) < len(LONG["word"])


@pytest.mark.parametrize("name", MADE)
def test_tags_are_text(plain_page, name):
    cells = Cells()
    plain_page.show(lambda: cells.run(BEFORE + MADE[name]))
    for button in plain_page.browser.locator(ANSWER).all()[:1]:
        button.click()
    plain_page.settle()
    plain_page.browser.locator("main", has_text=TAG).wait_for()
    assert is_only_text(plain_page)
