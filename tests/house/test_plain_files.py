"""Short functions and short lines, where no linter counts them."""

import ast

from tests.house.source import texts
from tools.course import name_of

LONGEST_FUNCTION = 50  # lines of Python with the docstring; ruff counts statements, biome lines
WIDEST = 100  # columns; the formatters do not break strings and comments


def test_a_function_of_python_fits_on_a_screen():
    too_long = []
    for path in files(".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                count = node.end_lineno - node.lineno + 1
                if count > LONGEST_FUNCTION:
                    too_long.append(f"{name_of(path)}: {node.name} has {count} lines")
    assert not too_long, f"at most {LONGEST_FUNCTION}; give a part of it a name"


def test_lines_of_javascript_and_css_are_short():
    too_wide = []
    for path in files(".mjs", ".js", ".css"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if len(line) > WIDEST:
                too_wide.append(f"{name_of(path)}, line {number} has {len(line)} columns")
    assert not too_wide, f"at most {WIDEST}; break it by hand"


def files(*endings):
    return [path for path in texts() if path.suffix in endings]
