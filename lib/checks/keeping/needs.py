"""What a function of the reader's is made of: its text, and what has to stand beside it.

``needs_of`` gives the imports and the definitions that let it run outside of its page. What cannot
leave the page raises CannotKeepError with a sentence.
"""

import ast
import builtins
import inspect
import linecache
import math
import symtable
import sys
from dataclasses import dataclass, field
from types import FunctionType, ModuleType

import numpy as np

from lib.checks.keeping.registry import KEPT

MODULE = "mine"  # what mine.py is called as a module
LONGEST = 1000  # characters of a value that is written down
# Where the page's own imports come from, as a reader would write them.
USUAL = ("numpy", "math", "torch", "torch.nn", "torch.nn.functional")
NOT_FOUND = (
    "the definition of {name} is not at the left edge of a cell of this page; put it there, and "
    "run the cell again."
)


class CannotKeepError(ValueError):
    """Why a function is not kept, as a sentence."""


@dataclass(frozen=True)
class Import:
    """A line that gives the name."""

    name: str
    text: str


@dataclass(frozen=True)
class Definition:
    """A function, a class or a plain value, as text without a line end.

    there: it comes from mine.py itself, and has no text here.
    """

    name: str
    text: str
    value: object
    there: bool = False


@dataclass
class Needs:
    """What a function needs; of the definitions each stands before what uses it."""

    imports: list = field(default_factory=list)
    definitions: list = field(default_factory=list)


def needs_of(name, value):
    """The Needs of a function or class that is called name; it stands last itself."""
    collected = Needs()
    _define(collected, {name}, name, value)
    return collected


def names_used(text):
    """The names that a piece of a program takes from around it, sorted."""
    top = symtable.symtable(text, MODULE, "exec")
    found, tables = set(), [top]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                found.add(symbol.get_name())
    return sorted(found)


def _define(collected, begun, name, value):
    """Collect what the value is made of. begun: names that need nothing more."""
    if getattr(value, "__module__", None) == MODULE:
        collected.definitions.append(Definition(name, "", value, there=True))
        return
    text, namespace = _text_of(name, value)
    for used in names_used(text):
        if used not in begun and used in namespace:
            begun.add(used)
            _need(collected, begun, used, namespace[used])
    collected.definitions.append(Definition(name, text, value))


def _need(collected, begun, name, value):
    if getattr(builtins, name, begun) is value:
        return
    line = _import_of(name, value)
    if line:
        collected.imports.append(Import(name, line))
    elif isinstance(value, (FunctionType, type)) or hasattr(value, "__wrapped__"):
        _define(collected, begun, name, value)
    else:
        collected.definitions.append(Definition(name, f"{name} = {_plain(name, value)}", value))


# Imports


def _import_of(name, value):
    """The line that imports this value under this name; "" if it is the page's own."""
    if isinstance(value, ModuleType):
        return _import_of_module(name, value)
    course = _name_of_course(name, value)
    if course:
        return f"from lib.mine import {_as(course, name)}"
    called = getattr(value, "__name__", name)
    for place in (*USUAL, getattr(value, "__module__", None)):
        module = sys.modules.get(place) if isinstance(place, str) else None
        own = module is None or place in ("__main__", MODULE)
        if not own and callable(value) and getattr(module, called, None) is value:
            return f"from {place} import {_as(called, name)}"
    return ""


def _as(called, name):
    return called if called == name else f"{called} as {name}"


def _import_of_module(name, module):
    full = module.__name__
    if sys.modules.get(full) is not module or full in ("__main__", MODULE):
        raise CannotKeepError(f"it uses {name}, a module that mine.py cannot import.")
    parent, _, last = full.rpartition(".")
    if parent and last == name:
        return f"from {parent} import {last}"
    return f"import {_as(full, name)}"


def _name_of_course(name, value):
    """What the course's version that this value is is called in lib.mine; "" if it is none."""
    given = [kept for kept in KEPT.values() if kept.is_given and kept.course is value]
    names = [kept.name for kept in given]
    if name in names or not names:
        return name if names else ""
    return names[0] if getattr(value, "__name__", "") != name else ""


# Plain values


def _plain(name, value):
    """A number, a text or a tuple, list, dict of them as one writes it down."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    text = repr(value)
    try:
        same = len(text) <= LONGEST and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        same = False
    if not same:
        raise CannotKeepError(
            f"it uses {name}, {_kind(value)} of this page; let it take {name} as an argument."
        )
    return text


def _kind(value):
    kind = type(value).__name__
    return {"ndarray": "an array", "Tensor": "a tensor"}.get(kind, f"a value of type {kind}")


# The text of a definition


def _text_of(name, value):
    """(The text of the statement that defines the value, the names around it)."""
    if isinstance(value, type):
        statement, lines, namespace = _class_statement(name, value)
    else:
        function = inspect.unwrap(value)
        if not isinstance(function, FunctionType):
            raise CannotKeepError(NOT_FOUND.format(name=name))
        lines = linecache.getlines(function.__code__.co_filename)
        line = function.__code__.co_firstlineno
        statement, namespace = _statement_at(lines, line), function.__globals__
    bound = _bound_by(statement)
    if bound is None:
        raise CannotKeepError(NOT_FOUND.format(name=name))
    if bound != name:
        raise CannotKeepError(f"{name} is defined as {bound} on this page; define it as {name}.")
    return "".join(lines[first_line(statement) - 1 : statement.end_lineno]).rstrip(), namespace


def _class_statement(name, value):
    """(The statement of a class, the lines of its cell, the names around it)."""
    namespace = vars(sys.modules[value.__module__])
    for part in vars(value).values():
        part = inspect.unwrap(getattr(part, "__func__", getattr(part, "fget", part)) or part)
        if isinstance(part, FunctionType) and part.__qualname__.startswith(f"{value.__name__}."):
            lines = linecache.getlines(part.__code__.co_filename)
            statement = _statement_at(lines, part.__code__.co_firstlineno)
            return statement, lines, part.__globals__
    for text in reversed(namespace.get("In", [])):  # a class without functions: the last such cell
        lines = text.splitlines(keepends=True)
        for statement in _statements(lines):
            if isinstance(statement, ast.ClassDef) and statement.name == name:
                return statement, lines, namespace
    return None, [], namespace


def _statements(lines):
    try:
        return ast.parse("".join(lines)).body
    except SyntaxError:
        return []


def _statement_at(lines, line):
    """The statement at the left edge that this line belongs to."""
    for statement in _statements(lines):
        if first_line(statement) <= line <= statement.end_lineno:
            return statement
    return None


def _bound_by(statement):
    """The name that a definition, or NAME = lambda ..., binds; None for everything else."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name
    is_lambda = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda)
    if is_lambda and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


def first_line(statement):
    """The number of its first line; decorators belong to it."""
    above = [decorator.lineno for decorator in getattr(statement, "decorator_list", [])]
    return min([statement.lineno, *above])
