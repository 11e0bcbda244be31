"""A lesson: its plans name demos that are there, and nothing else is accepted."""

import re

import nbformat
import pytest

from lib import widgets
from lib.widgets.lesson.lesson import BY_NAME, DEMOS, PLANS
from lib.widgets.live import two_cut
from lib.widgets.training.learns_french import learns_french
from tests.widgets.demos import EXAMPLES
from tools.course import NOTEBOOKS

MADE_BY = {"learns_french": "Training"}
# The page gives these a question of their own.
AS_ON_THE_PAGE = {"Translator 2": two_cut, "Training": learns_french}


def page():
    return nbformat.read(NOTEBOOKS / "demos.ipynb", as_version=4).cells


def test_the_list_of_demos_is_that_of_the_page():
    headings = [
        cell.source.splitlines()[0].removeprefix("## ")
        for cell in page()
        if cell.source.startswith("## ")
    ]
    assert [step.title for step in DEMOS] == headings, (
        "each demo of demos.ipynb has a heading with its title, and a Step in DEMOS of "
        "lib/widgets/lesson/lesson.py, in the same order"
    )
    calls = "\n".join(cell.source for cell in page() if cell.cell_type == "code")
    shown = re.findall(r"^(?:widgets\.)?(\w+)\(.*\)$", calls, re.MULTILINE)
    shown = [MADE_BY.get(name, name) for name in shown if name != "lesson"]
    assert [step.demo.split()[0] for step in DEMOS] == shown


@pytest.mark.parametrize("name", BY_NAME)
def test_a_plan_says_and_asks_what_stands_on_the_screen_first(name):
    demo = (AS_ON_THE_PAGE.get(name) or EXAMPLES[name])()
    assert (demo.header.title, demo.header.question) == (BY_NAME[name].title, BY_NAME[name].ask)
    assert f"demo-{name.split()[0]}" in demo._dom_classes, "by this the clicker finds it"


@pytest.mark.parametrize(
    "name, minutes", [("45 minutes", 45), ("90 minutes", 90), ("3 hours", 180)]
)
def test_a_plan_takes_as_long_as_it_says(name, minutes):
    assert sum(step.minutes for step in PLANS[name]) == minutes


def test_a_lesson_begins_with_the_plan_that_was_asked_for():
    assert widgets.lesson().plan == "90 minutes"
    assert widgets.lesson("3 hours").plan == "3 hours"


def test_an_own_list_may_show_a_demo_twice():
    own = widgets.lesson(["Bars", "Translator 2", "Bars"])
    assert [step["demo"] for step in own.plans[own.plan]] == ["Bars", "Translator 2", "Bars"]
    assert "Softmax: scores become shares" in repr(own)


@pytest.mark.parametrize("plan", ["two hours", "", 90, [], None])
def test_an_unknown_plan_is_refused_with_the_plans_there_are(plan):
    with pytest.raises(ValueError, match="45 minutes, 90 minutes, 3 hours, all demos"):
        widgets.lesson(plan)


def test_an_unknown_demo_is_named():
    with pytest.raises(ValueError, match="no demo Foo, 3; choose from Zoom, Translator"):
        widgets.lesson(["Bars", "Foo", 3])


def test_the_plan_can_be_read_where_the_panel_cannot_run():
    data, _ = widgets.lesson("90 minutes")._repr_mimebundle_()
    assert "25 min  Attention, step by step" in data["text/plain"]
