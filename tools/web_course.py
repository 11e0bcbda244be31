"""The pages of the site, in reading order: what each is called, and the question it asks."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tools.course import NOTEBOOKS, ROOT, notebooks

TITLE = "Attention, from the dot product up"
README = ROOT / "README.md"
# A row of the README's table: the page, its question, its minutes.
ROW = re.compile(
    r"^\| \[(?P<title>[^\]]+)\]\(notebooks/(?P<file>[^)]+)\) "
    r"\| (?P<says>.+) \| (?P<minutes>\d+) \|$",
    re.MULTILINE,
)
PARTS = {"01": "The pieces", "06": "The architecture", "10": "Train it, and look inside"}
BESIDE = "Beside the course"
# The pages that are no step of the course, in their order: what lists call them.
OTHERS = {
    "demos.ipynb": ("Demos", "Every demo of the course on one page, to look at and to project."),
    "instructors.md": ("For instructors", "Lesson plans, what to ask, and the usual answers."),
    "references.md": ("References and symbols", "Every paper, symbol and formula of the course."),
}


class SiteError(Exception):
    """Why the site cannot be made, in a sentence."""


@dataclass
class Page:
    """A page of the site: ``source`` is what it is made from; the rest is filled in by its making.

    body: its HTML; headings: (level, anchor, text) of each; why_next: what it says of the page that
    follows.
    """

    source: Path
    title: str
    says: str
    minutes: str = ""
    part: str = ""
    body: str = ""
    headings: list = field(default_factory=list)
    why_next: str = ""

    @property
    def address(self):
        return "index.html" if self.source == README else f"{self.source.stem}.html"

    @property
    def runs(self):
        """Whether it is a notebook, which can do more than be read."""
        return self.source.suffix == ".ipynb"


def pages():
    """All pages in reading order; the first is the index, which is made of the README."""
    readme = README.read_text("utf-8")
    rows = {row["file"]: row for row in ROW.finditer(readme)}
    found = [Page(README, "Overview", first_sentence(readme))]
    part = ""
    for path in notebooks():
        if path.name in OTHERS:
            continue
        if path.name not in rows:
            raise SiteError(
                f"{path.name} has no row in the README's table, which says its title and question."
            )
        row = rows[path.name]
        part = PARTS.get(path.name[:2], part)
        says = re.sub(r"[*`]| \(.*\)$", "", row["says"])
        found.append(Page(path, row["title"], says, row["minutes"], part))
    for name, (title, says) in OTHERS.items():
        found.append(Page(NOTEBOOKS / name, title, says, part=BESIDE))
    return found


def first_sentence(readme):
    """What the README says of the course first, below its title."""
    return readme.split("\n\n")[1].partition("\n")[0]
