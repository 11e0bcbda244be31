"""The prose of pages 0 to 11 as one plain text, which page 12 learns from.

    .venv/bin/python tools/course_text.py        writes lib/corpus/course.txt

The text is frozen: an edit of a page must not change every number of page 12. After a new one,
measure again (tools/ladder.py); tests say so.
"""

import re
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.course import ROOT, name_of, notebooks

FILE = ROOT / "lib" / "corpus" / "course.txt"
LAST_PAGE = 11
SHORTEST = 20  # letters of a paragraph that says something
BEYOND_ASCII = "√·×−→é"  # what the pages write often; all else is rare

FENCES = re.compile(r"```.*?```|\$\$.*?\$\$", re.DOTALL)
SUMMARY = re.compile(r"<summary>.*?</summary>")
TAG = re.compile(r"</?[a-z]+[^>]*>")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")  # [words](address)
NO_PROSE = re.compile(r"#|\||\*[^*]*minutes|Back:")  # how a heading, a table, ... begins
ITEM = re.compile(r"^(- |\d+\. )")  # how an item of a list begins


def prose(source):
    """The paragraphs of a Markdown cell, without code, headings, tables, marks and addresses."""
    text = FENCES.sub("", source)
    text = TAG.sub("", SUMMARY.sub("", text))
    paragraphs = []
    for line in text.splitlines():
        line = line.strip()
        if NO_PROSE.match(line):
            continue
        line = LINK.sub(r"\1", ITEM.sub("", line))
        line = " ".join(re.sub("[*`$]", "", line).split())
        if len(line) >= SHORTEST and is_plain(line):
            paragraphs.append(line)
    return paragraphs


def is_plain(line):
    """Whether all its letters are among those that a model of letters meets often enough."""
    return all(letter.isascii() or letter in BEYOND_ASCII for letter in line)


def course_text():
    """The prose of pages 0 to 11, one paragraph a line."""
    paragraphs = []
    for path in notebooks():
        if path.name[:2].isdigit() and int(path.name[:2]) <= LAST_PAGE:
            for cell in nbformat.read(path, as_version=4).cells:
                if cell.cell_type == "markdown":
                    paragraphs += prose(cell.source)
    return "\n".join(paragraphs) + "\n"


def main():
    text = course_text()
    FILE.write_text(text, "utf-8", newline="\n")
    print(f"{name_of(FILE)}: {len(text):,} letters, {len(set(text))} different ones")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main()
