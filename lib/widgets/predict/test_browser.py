"""A prediction as a reader meets it: by mouse, by keys, in words, and where no kernel runs."""

from functools import partial

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lib import widgets
from lib.charts import plots
from lib.widgets.predict.predict import WHY, fingerprints
from tests.browser.bridge import Cells
from tools import browser as jupyter
from tools.course import KERNEL

FIRST = """import sys

sys.path.insert(0, "..")
from lib import widgets
from lib.charts import plots
from lib.widgets.predict.predict import fingerprints


def experiment():
    print("the dog: 0.55, the cat: 0.20")
    return plots.lines([1, 2, 3], {"dog": [1, 2, 3]}, "steps", "score")


def ask(question):
    choices = ["the dog", "the cat", "neither: " + "a long reason, " * 12]
    right = fingerprints(question, choices)[0]
    return widgets.Predict(question, choices, experiment, right=right)


ask("Which score is larger?")"""
SECOND = 'ask("Which is larger now?")'
ANSWER = ("0.55", "so it came out", "It came out", "<img")
ACTIVE = f"() => {jupyter.PANEL}.content.activeCellIndex"


def write(server, name, *cells):
    notebook = new_notebook(cells=list(cells), metadata={"kernelspec": KERNEL})
    nbformat.write(notebook, server.notebooks / name)


class Asked:
    """A page with two predictions."""

    def __init__(self, page):
        self.page = page
        self.panels = page.browser.locator(".predict")

    def choices(self, place=0):
        return self.panels.nth(place).get_by_role("button")

    def press(self, *keys):
        for key in keys:
            self.page.browser.keyboard.press(key)
        self.page.settle()

    def says(self, text, place=0):
        self.panels.nth(place).get_by_role("status").get_by_text(text).wait_for()

    def focused(self):
        return self.page.browser.locator(":focus").inner_text()


@pytest.fixture
def asked(plain_page):
    cells = Cells()
    plain_page.show(*(partial(cells.run, code) for code in (FIRST, SECOND)))
    yield Asked(plain_page)
    assert plain_page.errors() == [] and plain_page.outside == []


@pytest.fixture
def asked_in_lab(lab_page):
    write(lab_page.server, "predict.ipynb", *map(new_code_cell, (FIRST, SECOND, "")))
    lab_page.open("predict.ipynb")
    lab_page.run_all()
    yield Asked(lab_page)
    assert lab_page.errors() == [] and lab_page.outside == []


def test_nothing_of_the_answer_is_there_before_the_choice(asked):
    for text in ANSWER:
        assert text not in asked.panels.nth(0).inner_html()
    asked.choices().nth(1).click()
    asked.says("You said “the cat”. It came out: “the dog”.")
    asked.page.settle()
    for text in ANSWER[0], "<img":
        assert text in asked.panels.nth(0).inner_html()
    assert [each.inner_text()[0] for each in asked.choices().all()] == ["✓", "✗", "3"]
    assert "You said" not in asked.panels.nth(1).inner_html(), "the other is still open"


def test_a_choice_by_mouse_is_the_only_one(asked):
    asked.choices().nth(0).click()
    asked.says("You said “the dog”, and so it came out.")
    asked.choices().nth(1).click(force=True)  # it looks and says disabled
    asked.press("2")
    asked.says("You said “the dog”, and so it came out.")


def test_digits_tab_and_enter_choose_and_the_focus_stays(asked):
    asked.choices().nth(0).focus()
    asked.press("9", "x", "Tab")
    assert "the cat" in asked.focused()
    asked.press("3")
    asked.says("You said “neither")
    assert "the cat" in asked.focused()
    asked.choices(1).nth(0).focus()
    asked.press("Tab", "Enter")
    asked.says("You said “the cat”", place=1)
    assert "the cat" in asked.focused()


def test_shift_and_enter_go_on_and_do_not_ask_again(asked_in_lab):
    asked = asked_in_lab
    cells = asked.page.cells()
    asked.choices().nth(0).focus()
    asked.press("9", "x")
    assert asked.page.cells() == cells, "x cuts no cell"
    asked.choices().nth(1).click()
    asked.says("You said “the cat”")
    assert asked.page.browser.evaluate(ACTIVE) == 0
    asked.press("Shift+Enter")
    asked.page.browser.wait_for_function(f"() => ({ACTIVE})() === 1")
    asked.press("Shift+Enter")
    asked.page.wait_until_idle()
    asked.page.browser.wait_for_function(f"() => ({ACTIVE})() === 2")
    asked.says("You said “the cat”")


def test_a_cell_that_is_run_again_asks_afresh(asked_in_lab):
    asked = asked_in_lab
    asked.choices().nth(1).click()
    asked.says("You said “the cat”")
    asked.page.cell(0).locator(".cm-content").click()
    asked.press("Control+Enter")
    asked.panels.nth(0).locator(".predict-said:empty").wait_for(state="attached")
    asked.choices().nth(0).click()
    asked.says("You said “the dog”, and so it came out.")


def test_everybody_hears_the_question_and_what_was_chosen(asked):
    group = asked.page.browser.get_by_role("group", name="Which score is larger?")
    group.get_by_role("button", name="the dog", exact=True).click()
    group.get_by_role("button", name="the dog", pressed=True).wait_for()
    group.get_by_role("img", name="score over steps: dog from (1, 1)").wait_for()


STICKS_OUT = """() => [...document.querySelectorAll(".predict, .predict *")].filter(
    (element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
).map((element) => element.className || element.tagName)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_long_choices_wrap_in_a_narrow_window(asked, theme):
    asked.page.theme(theme)
    asked.choices().nth(1).click()
    asked.says("You said “the cat”")
    for size in (jupyter.PROJECTOR, {"width": 700, "height": 720}):
        asked.page.browser.set_viewport_size(size)
        asked.page.settle()
        assert asked.page.browser.evaluate(STICKS_OUT) == []
    asked.page.theme("light")


SLOW = """import time


def experiment():
    time.sleep(3)
    print("0.86")


choices = ["0.05 still", "more than 0.8"]
right = fingerprints("How much?", choices)[1]
widgets.Predict("How much?", choices, experiment, right=right)"""
REASON = f"<details><summary>{WHY}</summary>\n\n{{}}\n</details>\n\nOn we go."


@pytest.fixture(params=["lab_page", "page_of_notebook7"])
def page(request):
    """JupyterLab, or a page of Notebook 7."""
    opened = request.getfixturevalue(request.param)
    yield opened
    assert opened.errors() == [] and opened.outside == []


@pytest.fixture
def page_of_notebook7(notebook7, browser):
    with jupyter.page(notebook7, browser) as opened:
        yield opened


def test_the_question_comes_first_and_the_reason_last(page):
    imports = FIRST.partition("\n\n\ndef")[0]
    demo = new_code_cell("widgets.AttentionMap([[0.9, 0.1], [0.2, 0.8]], ['a', 'b'], veiled=True)")
    cells = [new_code_cell(imports), new_code_cell(SLOW), new_markdown_cell(REASON.format("Two."))]
    write(page.server, "reason.ipynb", *cells, demo, new_markdown_cell(REASON.format("Shown.")))
    page.open("reason.ipynb")
    page.browser.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.browser.get_by_text("more than 0.8", exact=True).wait_for()
    assert page.browser.locator(".predict").count() == 0, "the experiment still runs"
    page.browser.locator(".predict").wait_for()
    folds = page.browser.locator(".jp-MarkdownCell details")
    assert [fold.get_attribute("open") for fold in folds.all()] == [None, None]
    page.browser.locator(".predict").get_by_role("button").nth(0).click()
    folds.get_by_text("Two.", exact=True).wait_for()
    assert folds.nth(1).get_attribute("open") is None, "the demo has not been answered"
    page.browser.locator(".demo-next").click()
    folds.get_by_text("Shown.", exact=True).wait_for()


def committed():
    """The cell as `refresh` leaves it, without a widget."""

    def experiment():
        print("the dog: 0.55")
        return plots.lines([1, 2], {"dog": [1, 2]}, "steps", "score")

    choices = ["the dog", "the cat"]
    right = fingerprints("Which?", choices)[0]
    asked = widgets.Predict("Which?", choices, experiment, right=right)
    data = {"text/html": asked.folded(), "text/plain": repr(asked)}
    return new_code_cell("ask()", outputs=[new_output("execute_result", data=data)])


def test_the_fold_of_a_page_that_nobody_has_run(page):
    write(page.server, "folded.ipynb", committed())
    page.open("folded.ipynb")
    fold = page.browser.locator(".jp-OutputArea-output details")
    page.browser.get_by_text("Which?", exact=True).wait_for()
    assert page.browser.get_by_text("the cat").is_visible()
    assert not fold.locator("pre").is_visible() and not fold.locator("img").is_visible()
    fold.locator("summary").click()
    fold.get_by_text("the dog: 0.55").wait_for()
    assert fold.locator("img").evaluate("(image) => image.naturalWidth") == 2 * 672
