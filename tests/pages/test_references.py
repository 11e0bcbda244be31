"""Every paper is linked where it is cited, and stands in references.md with its pages."""

import re

import nbformat
import pytest

from tools.course import NOTEBOOKS, ROOT

CITED = re.compile(r"(?:arXiv:\s*|arXiv\s+|arxiv\.org/\w+/)(\d{4}\.\d{4,5})(?!\d)", re.IGNORECASE)
LINKED = r"\[arXiv:{number}\]\(https://arxiv\.org/abs/{number}\)"
ROW = re.compile(r"^\|.*\| (.*?) \|$", re.MULTILINE)
PAGES = sorted(path for path in NOTEBOOKS.glob("*.ipynb"))
REFERENCES = NOTEBOOKS / "references.md"


def text_of(path):
    return "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)


def name_of(path):
    """A page's number, or its name: 3, demos."""
    start = path.name[:2]
    return str(int(start)) if start.isdigit() else path.stem


def where_cited():
    """{number: the pages and "lib", as references.md writes them}."""
    found = {}
    for path in PAGES:
        for number in CITED.findall(text_of(path)):
            found.setdefault(number, {})[name_of(path)] = True
    for path in sorted((ROOT / "lib").rglob("*.py")):
        for number in CITED.findall(path.read_text("utf-8")):
            found.setdefault(number, {})["lib"] = True
    return {number: ", ".join(places) for number, places in found.items()}


def where_listed():
    """{number: what its row says of where it is cited}."""
    found = {}
    for row in REFERENCES.read_text("utf-8").splitlines():
        numbers = set(CITED.findall(row))
        assert len(numbers) <= 1, f"two papers in one row: {row}"
        for number in numbers:
            assert number not in found, f"{number} stands twice in references.md"
            assert re.search(LINKED.format(number=re.escape(number)), row), f"no link: {row}"
            found[number] = ROW.search(row)[1]
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_paper_of_a_page_is_linked(path):
    text = text_of(path)
    for number in set(CITED.findall(text)):
        links = re.findall(LINKED.format(number=re.escape(number)), text)
        bare = text.count(number) - 2 * len(links)
        assert bare == 0, (
            f"write [arXiv:{number}](https://arxiv.org/abs/{number}) each time on {path.name}"
        )


def test_references_has_every_paper_with_its_pages_and_no_other():
    cited, listed = where_cited(), where_listed()
    missing, unused = sorted(set(cited) - set(listed)), sorted(set(listed) - set(cited))
    assert not missing, f"no row in references.md: {missing}"
    assert not unused, f"cited nowhere, delete the row: {unused}"
    wrong = {number: cited[number] for number in cited if cited[number] != listed[number]}
    assert not wrong, f"what the last column of these rows should say: {wrong}"
