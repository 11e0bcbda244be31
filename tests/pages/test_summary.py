"""checks.summary() lists the exercises that stand on the pages: no new one can be forgotten."""

import ast
import re
from collections import Counter

import nbformat
import pytest

from lib import checks
from lib.checks import exercises
from lib.checks.exercises import PAGES, Heading
from tests.pages.exercises import check_of
from tools.course import NOTEBOOKS

PATHS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
by_page = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def number_of(path):
    return int(path.name[:2])


def headings_of(cell):
    return HEADING.findall(CODE_BLOCK.sub("", cell.source))


def exercises_of(cells):
    """The exercises of a page: the heading above each cell that ends in a check.

    Of several with one check all but the first are told apart by the function that they hand over.
    """
    found = []
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            heading = [heading, *headings_of(cell)][-1]
        elif cell.cell_type == "code" and (text := check_of(cell.source)):
            call = ast.parse(text, mode="eval").body
            check = call.func.attr
            asked_before = check in [each.check for each in found]
            found.append(Heading(heading, check, call.args[0].id if asked_before else ""))
    return found


def headings_in_lib(path):
    """The exercises of a page as lib.checks has them; a page without exercises has no file."""
    number = number_of(path)
    return PAGES[number].headings if number in PAGES else []


def test_every_file_of_exercises_has_a_page():
    no_page = sorted(set(PAGES) - {number_of(path) for path in PATHS})
    assert not no_page, f"lib/checks has exercises of the pages {no_page}, and there are none"


@by_page
def test_the_summary_lists_the_exercises_of_the_page(path):
    cells = nbformat.read(path, as_version=4).cells
    number = number_of(path)
    assert headings_in_lib(path) == exercises_of(cells), (
        f"lib/checks/page_{number:02}.py has other exercises than {path.name}, or in another "
        "order: there, each check stands below @PAGE.exercise(its heading on the page)"
    )
    if number in PAGES:
        title = f"{number} · {PAGES[number].title}"
        assert headings_of(cells[0])[0] == title, "PAGE has another title than the notebook"


@by_page
def test_a_page_calls_no_check_of_another_page(path):
    """Else the summary of a reader who has seen one page lists two."""
    source = "\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
    )
    own = {heading.check for heading in headings_in_lib(path)}
    others = set(re.findall(r"\bchecks\.(\w+)", source)) - {"readers_code"} - own
    assert not others, (
        f"{path.name} calls {sorted(others)}: no check of that name stands in "
        f"lib/checks/page_{number_of(path):02}.py, below @PAGE.exercise(heading)"
    )


@by_page
def test_functions_that_tell_exercises_apart_are_made_on_the_page(path):
    cells = nbformat.read(path, as_version=4).cells
    made = Counter(
        name
        for cell in cells
        if cell.cell_type == "code"
        for name in re.findall(r"^def (\w+)\(", cell.source, re.MULTILINE)
    )
    for heading in headings_in_lib(path):
        assert not heading.answer or made[heading.answer] == 1, (
            f"{path.name} makes {made[heading.answer]} functions {heading.answer}; one is expected"
        )


def test_instructors_read_what_students_get(monkeypatch):
    merge, whole, _bug = PAGES[5].headings
    monkeypatch.setattr(exercises, "_last_said", {merge: True, whole: False})
    shown = str(checks.summary()).partition("\n\n")[0]
    assert f"```\n{shown}\n```" in (NOTEBOOKS / "instructors.md").read_text("utf-8")
