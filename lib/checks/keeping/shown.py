"""The reader's program so far: what is in it, and a link that saves it."""

import ast
import base64
import html
import os
import sys
from dataclasses import dataclass

from lib.checks.keeping import file
from lib.checks.keeping.needs import first_line
from lib.checks.keeping.program import Program
from lib.checks.keeping.registry import KEPT
from lib.set_up import COLAB

EMPTY = (
    "There is no mine.py yet. A function that is needed again is kept in it when its check says "
    "right; the first one is my_softmax, on page 2."
)
ON_COLAB = (
    "Colab gives each page a machine of its own, and what lies there goes with it. Save mine.py; "
    "on the next page open the folder at the left edge, put mine.py in there, and run the page."
)
ON_BINDER = (
    "Binder forgets this machine when you leave, and mine.py with it. Save it; next time drag it "
    "into the list of files at the left, beside the pages."
)
HERE = (
    "It lies beside the pages, in {folder}, and an update of the course leaves it alone. To go on "
    "elsewhere, put it beside the pages there."
)


@dataclass(frozen=True)
class Shown:
    """The program as Jupyter shows it; text is the same where there is no HTML."""

    text: str
    program: str = ""
    note: str = ""

    def __repr__(self):
        return "\n".join(part for part in (self.text, self.note) if part)

    def _repr_html_(self):
        if not self.program:
            return f"<p>{html.escape(str(self))}</p>"
        data = base64.b64encode(self.program.encode("utf-8")).decode()
        link = f'<a download="{file.NAME}" href="data:text/x-python;base64,{data}">'
        return (
            f"<pre>{html.escape(self.text)}</pre>\n"
            f"<p><b>{link}Save {file.NAME}</a></b></p>\n"
            f"<p>{html.escape(self.note)}</p>\n"
            f"<details><summary>Read it</summary>\n<pre>{html.escape(self.program)}</pre></details>"
        )


def show():
    """The reader's program so far: its functions with their lines, all of it, and a link."""
    try:
        text = file.read() if file.is_on() else ""
    except file.BrokenFileError as sentence:
        return Shown(str(sentence))
    if not text:
        return Shown(EMPTY)
    return Shown("\n".join(_contents(text)), text, _note())


def _contents(text):
    """A title, a line for each function of the pages, and how much else there is."""
    count = len(text.splitlines())
    yield f"{file.NAME}, your program so far: {count} lines"
    try:
        program = Program(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        yield f"Python cannot read it{f' from line {line} on' if line else ''}: repair it there."
        return
    missing = []
    for kept in sorted(KEPT.values(), key=lambda kept: kept.page):
        statement = program.bound.get(kept.name)
        if statement is None or isinstance(statement, (ast.Import, ast.ImportFrom)):
            missing.append(f"{kept.name} ({kept.page})")
            continue
        lines = statement.end_lineno - first_line(statement) + 1
        yield f"  page {kept.page:2}  {kept.name:16}{lines:4} line{'s' if lines > 1 else ''}"
    if missing:
        yield f"Not in it yet (with their pages): {', '.join(missing)}"


def _note():
    if COLAB in sys.modules:
        return ON_COLAB
    if any(name.startswith("BINDER_") for name in os.environ):
        return ON_BINDER
    return HERE.format(folder=file.place().parent.name)
