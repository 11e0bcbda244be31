"""Plain files: short functions, short files, short lines, and a small top level of lib."""

import ast
import re

import pytest

from tests.house.source import texts
from tools.course import ROOT, name_of

WIDEST = 100  # columns; ruff holds Python to it, this file JavaScript and CSS
LONGEST_FUNCTION = 50  # lines of Python, with the docstring
LONGEST_SCRIPT = 60  # of a function in JavaScript
LONGEST_FILE = 400
LARGEST_TOP_LEVEL = 2_900  # lines of what a learner reads in lib
NOT_ABOUT_ATTENTION = {"__init__.py"}
NUMBERS_OF_PAGES = {"jacobian.py"}  # what page 3 measures
# The formatter puts the brace that ends a function under the line that begins it.
BEGINS = re.compile(r"^( *)(?!if\b|for\b|while\b|switch\b|else\b|try\b|catch\b)\S.*(?:\)|=>) \{$")

CODE = [path for path in texts() if path.suffix in (".py", ".mjs", ".js", ".css")]
PYTHON = [path for path in CODE if path.suffix == ".py"]
OTHERS = [path for path in CODE if path.suffix != ".py"]
# What a test runs inside the page (.js) is one function: it has nothing around it.
SCRIPTS = [path for path in OTHERS if path.suffix == ".mjs"]


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_a_file_can_be_read_at_one_sitting(path):
    count = len(path.read_text("utf-8").splitlines())
    assert count <= LONGEST_FILE, (
        f"{name_of(path)} has {count} lines, and it may have {LONGEST_FILE}: split it by what it "
        "is about."
    )


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_a_function_fits_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            count = node.end_lineno - node.lineno + 1
            assert count <= LONGEST_FUNCTION, (
                f"{name_of(path)}: {node.name} has {count} lines, and a function has at most "
                f"{LONGEST_FUNCTION}: give a part of it a name."
            )


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_a_function_of_javascript_fits_on_a_screen(path):
    lines = path.read_text("utf-8").splitlines()
    for start, line in enumerate(lines):
        begins = BEGINS.match(line)
        if not begins:
            continue
        end = next(i for i in range(start + 1, len(lines)) if lines[i].startswith(f"{begins[1]}}}"))
        count = end - start + 1
        assert count <= LONGEST_SCRIPT, (
            f"{name_of(path)}, line {start + 1}: a function of {count} lines, and it has at most "
            f"{LONGEST_SCRIPT}: give a part of it a name."
        )


@pytest.mark.parametrize("path", OTHERS, ids=name_of)
def test_lines_of_javascript_and_css_are_short(path):
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        assert len(line) <= WIDEST, (
            f"{name_of(path)}, line {number} has {len(line)} columns, and a line has at most "
            f"{WIDEST}. The formatter does not break strings and comments: break it by hand."
        )


def test_what_a_learner_reads_is_small():
    others = NOT_ABOUT_ATTENTION | NUMBERS_OF_PAGES
    paths = [path for path in (ROOT / "lib").glob("*.py") if path.name not in others]
    count = sum(len(path.read_text("utf-8").splitlines()) for path in paths)
    assert count <= LARGEST_TOP_LEVEL, (
        f"The top level of lib has {count} lines, and at most {LARGEST_TOP_LEVEL} are wanted: "
        "what is not about attention belongs on a shelf beside it."
    )
