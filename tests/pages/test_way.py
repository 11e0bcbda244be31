"""From page to page: every page has its row in the README and leads on and back."""

from itertools import pairwise

import nbformat
import pytest

from tools.course import ROOT, notebooks

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


@pytest.mark.parametrize("one, other", list(pairwise(PAGES)), ids=lambda path: path.stem)
def test_neighbours_lead_to_each_other(one, other):
    assert f"({other.name})" in last_lines(one).partition("Next")[2], (
        f"{one.name} does not lead to {other.name}: write *Next* in its last cell"
    )
    assert f"({one.name})" in last_lines(other).partition("Back")[2], (
        f"{other.name} does not lead to {one.name}: write *Back* in its last cell"
    )
