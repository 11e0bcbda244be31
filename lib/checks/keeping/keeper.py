"""Putting a function into mine.py after a green check, and finding it there again."""

import functools
import sys

from lib.checks.keeping import file
from lib.checks.keeping.needs import MODULE, CannotKeepError, needs_of
from lib.checks.keeping.program import Program, with_function
from lib.checks.keeping.registry import KEPT

TRIES = 5  # when other pages write at the same time
IS_KEPT = "Kept in mine.py."
OF_COURSE = "This one is the course's; yours is kept when you have written it."


def keep(kept, value):
    """Put a function that was called right into mine.py; the sentence to say. Never raises.

    kept: the Kept that the exercise asks for.
    """
    if not file.is_on() or not _in_jupyter():
        return ""
    if kept.is_given and value is kept.course:
        return OF_COURSE
    try:
        _put(kept, value)
    except (CannotKeepError, file.BrokenFileError) as sentence:
        return f"Not kept in mine.py: {sentence}"
    except Exception as error:  # keeping is an extra: the verdict stays, whatever fails here
        return f"Not kept in mine.py: {type(error).__name__}: {' '.join(str(error).split())}."
    return IS_KEPT


def _in_jupyter():
    """Whether this is the kernel of a page."""
    ipython = sys.modules.get("IPython")
    return hasattr(ipython and ipython.get_ipython(), "kernel")


def _put(kept, value):
    for _ in range(TRIES):
        before = file.read()
        after = _with_function(before, kept, value)
        if after == before:
            return
        if file.read() == before:  # else another page has written in between
            file.write(after)
            return
    raise CannotKeepError("the file is being written by another page; run this cell again.")


def _with_function(before, kept, value):
    """The text of mine.py with the function, which has been tried there."""
    try:
        program = Program(before)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        file.run(before)  # says which line
        raise
    needs = needs_of(kept.name, value)
    after, replaced = with_function(program, needs)
    if after != before:
        module = _tried(before, after)
        result = _judge(kept, module)
        if not result.ok:
            raise CannotKeepError(f"there, without the rest of the page, {result.message}")
        _require_the_others(before, module, kept, replaced)
    return after


def _tried(before, after):
    """The module of the new text; a sentence if it stops."""
    try:
        return file.run(after)
    except file.BrokenFileError as stopped:
        file.run(before)  # says what stopped before
        raise CannotKeepError(
            f"there, without the rest of the page, it stops ({stopped.error})."
        ) from None


def _judge(kept, module):
    with file.silent():
        return kept.judge(vars(module).get(kept.name))


def _require_the_others(before, module, kept, replaced):
    """Whoever stands in the file and uses what is replaced stays right."""
    program = Program(before)
    touched = set(replaced)
    for _ in program.bound:  # what uses it, what uses that, and so on
        users = [program.users_of(name) for name in touched]
        touched |= {user for names in users for user in names}
    others = [KEPT[name] for name in touched if name in KEPT and name != kept.name]
    if not others:
        return
    old = file.run(before)
    for other in others:
        if _judge(other, old).ok and not _judge(other, module).ok:
            raise CannotKeepError(
                f"{other.name} there needs the {kept.name} that stands there; with this one it "
                "would not be right any more."
            )


# The other way round


def look_for(kept):
    """(The reader's function or None, the line that says which one it is and why)."""
    missing = f"the course's, until the check on page {kept.page} calls yours right."
    try:
        text = file.read() if file.is_on() else ""
        module = _loaded(text) if text else None
    except file.BrokenFileError as sentence:
        return None, f"the course's. {sentence}"
    value = vars(module).get(kept.name) if module else None
    if value is None or value is kept.course:
        return None, missing
    result = _verdict(text, kept.name)
    if result.ok:
        return value, f"yours, from {file.NAME}"
    return None, f"the course's. Yours in {file.NAME} is not right any more: {result.message}"


@functools.lru_cache(maxsize=1)
def _loaded(text):
    """The module of this text; it is found under its name, as inspect and pickle ask for it."""
    module = file.run(text)
    there = sys.modules.get(MODULE)
    if getattr(there, "__file__", module.__file__) == module.__file__:
        sys.modules[MODULE] = module
    return module


@functools.lru_cache(maxsize=64)
def _verdict(text, name):
    return _judge(KEPT[name], _loaded(text))
