"""From page to page: every page has its row in the README and leads on and back."""

import re
from itertools import pairwise

import nbformat
import pytest

from tests.pages.test_minutes import stated_by
from tools.count_page import FURTHER, cells_of, parts
from tools.course import ROOT, notebooks

MINUTES = re.compile(r"(\d+) minutes")
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [path for path in notebooks() if path.name[:2].isdigit()]


def last_lines(path):
    """The last text of a page, where the links to its neighbours stand."""
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"][-1]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_a_row_in_the_readme(path):
    link = f"](notebooks/{path.name})"
    assert link in README, f"{path.name} has no row in the README's table: write one with {link}"


def test_the_readme_says_up_to_which_page_the_map_goes():
    last = int(PAGES[-1].name[:2])
    assert f" to {last})](figures/course-map.png)" in README, (
        f"README: the words for figures/course-map.png do not end in page {last}"
    )


def minutes(path):
    """What a page says of its main path, and of its side paths together."""
    page = parts(cells_of(path))
    return stated_by(page), sum(int(MINUTES.search(title)[1]) for title in page[FURTHER])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_its_row_has_the_minutes_that_it_says(path):
    found = re.findall(rf"^\|.*\(notebooks/{path.name}\).*\| (\d+) \|$", README, re.MULTILINE)
    said = minutes(path)[0]
    assert found == [str(said)], f"{path.name} says {said} minutes; its row in the README {found}"


def test_teachers_and_readers_read_the_hours_of_all_pages():
    notes = (ROOT / "notebooks" / "instructors.md").read_text("utf-8")
    for text in (README, notes):
        patterns = r"bout (\d+) hours in all", r"about (\d+) hours\b(?! in)"
        stated = [re.search(pattern, text) for pattern in patterns]
        for hours, found in zip(stated, zip(*map(minutes, PAGES), strict=True), strict=True):
            assert abs(60 * int(hours[1]) - sum(found)) <= 45, f"{hours[0]}: {sum(found)} minutes"


@pytest.mark.parametrize("one, other", list(pairwise(PAGES)), ids=lambda path: path.stem)
def test_neighbours_lead_to_each_other(one, other):
    assert f"({other.name})" in last_lines(one).partition("Next")[2], (
        f"{one.name} does not lead to {other.name}: write *Next* in its last cell"
    )
    assert f"({one.name})" in last_lines(other).partition("Back")[2], (
        f"{other.name} does not lead to {one.name}: write *Back* in its last cell"
    )
