"""A demo of a page, made by the page's own cells: its own, and those above it that it needs."""

import ast
import contextlib
import io
import json
import linecache
import re
import symtable
import sys
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
# A cell's "demo = Demo()\ndemo".
SHOWN = re.compile(r"^(?P<name>\w+) = (?P<call>.+)\n(?P=name)\Z", re.DOTALL | re.MULTILINE)


def call_of(source):
    """What a cell shows: its last line, or what the name there stands for."""
    shown = SHOWN.search(source.rstrip())
    return shown["call"] if shown else source.rstrip().rpartition("\n")[2].strip()


def shown_by(page, call):
    """What a page shows in the cell whose last line begins with ``call``. page: "07_encoder".

    Of the cells above it those run that give it its names, and those that these need. Raises
    LookupError where there is none.
    """
    sources = _sources(page)
    asked = [number for number, one in enumerate(sources) if call_of(one).startswith(call)]
    if not asked:
        raise LookupError(f"No cell of {page} shows {call!r}.")
    names, path = {"__name__": "__main__"}, [*sys.path]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for number in needed(sources[: asked[0] + 1]):
                found = _run(sources[number], f"{page}, cell {number}", names)
    finally:
        sys.path[:] = path
    return found


def needed(sources):
    """The numbers of the cells that the last of them needs, and its own."""
    last, names = len(sources) - 1, [names_in(source) for source in sources]
    found, left = set(), [last]
    while left:
        number = left.pop()
        if number in found:
            continue
        found.add(number)
        made, at_once, when_called = names[number]
        above = [(name, number) for name in (at_once | when_called) - made]
        for name, end in [*above, *((name, last) for name in when_called)]:
            left += [place for place in range(end) if name in names[place][0]][-1:]
    return sorted(found)


def _sources(page):
    cells = json.loads((NOTEBOOKS / f"{page}.ipynb").read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def names_in(source):
    """The names that a cell makes, those that it reads, and those that its functions read."""
    top = symtable.symtable(source, "cell", "exec")
    made = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    at_once = {one.get_name() for one in top.get_symbols() if one.is_referenced()}
    when_called, scopes = set(), top.get_children()
    for scope in scopes:
        when_called |= {one.get_name() for one in scope.get_symbols() if one.is_global()}
        scopes += scope.get_children()
    return made, at_once, when_called


def _run(source, name, names):
    """Run a cell; the value of its last line. A picture's key asks for the source (linecache)."""
    lines = f"{source}\n".splitlines(keepends=True)
    linecache.cache[name] = len(source), None, lines, name
    [*body, last] = ast.parse(source).body
    value = last.value if isinstance(last, ast.Expr) else None
    if value is None:
        body.append(last)
    exec(compile(ast.Module(body, []), name, "exec"), names)
    return eval(compile(ast.Expression(value), name, "eval"), names) if value else None
