"""The reader's own program: ``from lib.mine import my_softmax`` on a page after page 2.

What a check called right is kept in ``mine.py`` beside the pages. A page that goes on with it
takes it from here: the reader's if it stands there and is right, else the course's, and a line says
which. ``lib.mine.show()`` is the program so far, to read and to take home. What is kept, the
exercises say: ``@PAGE.exercise(heading, kept="my_softmax")``.
"""

import sys as _sys

import lib.checks as _checks  # noqa: F401  (the pages say what is kept)
from lib.checks.keeping.file import is_running as _is_running
from lib.checks.keeping.keeper import look_for as _look_for
from lib.checks.keeping.registry import KEPT as _KEPT
from lib.checks.keeping.shown import show as show

_said = {}  # name: the cell and what it was told there


def __getattr__(name):
    if name.startswith("_"):  # Python itself asks for __path__ and others
        raise AttributeError(name)
    if name not in _KEPT:
        # An AttributeError would be lost: Python says of it that it "cannot import name".
        raise ImportError(f"lib.mine has no {name}; it knows {', '.join(_in_order())} and show.")
    kept = _KEPT[name]
    if _is_running():  # mine.py itself asks: what it has of its own, it has not from here
        return kept.course
    yours, line = _look_for(kept)
    _say_once_a_cell(name, line)
    return kept.course if yours is None else yours


def __dir__():
    return ["show", *_in_order()]


def _in_order():
    return sorted(_KEPT, key=lambda name: _KEPT[name].page)


def _say_once_a_cell(name, line):
    ipython = _sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    cell = shell.execution_count if shell else object()
    if _said.get(name) != (cell, line):
        _said[name] = cell, line
        print(f"{name}: {line}")
