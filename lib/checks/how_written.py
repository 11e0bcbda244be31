"""How an answer is written, where an exercise asks for a way: with a loop, or with lib's function.

For the remark on an answer that is right. What cannot be seen, in a helper or a built-in function,
is not said.
"""

import inspect
from types import CodeType, FunctionType, ModuleType

import numpy as np

from lib.checks.run import run_again

READY_MADE = "no wonder, it is the ready-made {name}; now write yours, from an empty cell."


def has_loop(answer):
    """Whether a loop stands in this function, or a comprehension."""
    import dis  # only here: it is needed once in the course

    return any(
        step.opname == "FOR_ITER" or "BACKWARD" in step.opname
        for code in _codes(answer)
        for step in dis.get_instructions(code)
    )


def remark_on(*ready_made):
    """A remark for answers that are, or call, one of these functions or classes of lib."""

    def remark(answer):
        named = _named_in(answer)
        names = [each.__name__ for each in ready_made if any(each is other for other in named)]
        return READY_MADE.format(name=names[0]) if names else ""

    return remark


def remark_on_tables(solution, tables, sentence, *ready_made):
    """A remark for right answers that are lib's own; or that fail with several tables at once."""
    wanted = solution(*tables)
    names = list(inspect.signature(solution).parameters)[: len(tables)]

    def remark(answer):
        value = run_again(answer, tables, names).value
        is_right = value is not None and value.shape == wanted.shape and np.allclose(value, wanted)
        return remark_on(*ready_made)(answer) or ("" if is_right else sentence)

    return remark


def _codes(answer):
    """The code of a function, and of the functions that stand in it."""
    codes = [answer.__code__] if isinstance(answer, FunctionType) else []
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return codes


def _named_in(answer):
    """What an answer is, is derived from, or names: in its module, around it, in other modules."""
    if isinstance(answer, type):
        return answer.__mro__
    if not isinstance(answer, FunctionType):
        return [answer]
    known = {**answer.__globals__, **_enclosed(answer)}
    names = {name for code in _codes(answer) for name in (*code.co_names, *code.co_freevars)}
    found = [answer, *(known[name] for name in names if name in known)]
    modules = [each for each in found if isinstance(each, ModuleType)]
    for module in modules:
        inside = [getattr(module, name) for name in names if hasattr(module, name)]
        modules += [each for each in inside if isinstance(each, ModuleType) and each not in modules]
        found += inside
    return found


def _enclosed(answer):
    """{name: value} of what stands in the functions around this one."""
    found = {}
    for name, cell in zip(answer.__code__.co_freevars, answer.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not given a value yet
            continue
    return found
