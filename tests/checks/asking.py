"""Asking the checks, for the tests: which there are, and what each answer of the bank hears."""

import functools

import numpy as np

from lib import checks
from lib.checks.exercises import CHECKS
from lib.checks.judge import Exercise, NumberExercise, Result
from tests.checks.bank import BANK

NAMES = list(CHECKS)


def exercise_of(name):
    return getattr(getattr(checks, name), "exercise", None)


def page_of(name):
    """page_09 for causal_mask."""
    return getattr(checks, name).__module__.rpartition(".")[2]


FUNCTIONS = [name for name in NAMES if isinstance(exercise_of(name), Exercise)]
TAKES_NUMBER = [name for name in NAMES if isinstance(exercise_of(name), NumberExercise)]
TAKES_ARRAYS = [
    name for name in FUNCTIONS if any(isinstance(x, np.ndarray) for x in exercise_of(name).cases[0])
]
INPUTS = {  # as they are before the first answer runs
    name: [[np.copy(x) for x in case] for case in exercise_of(name).cases] for name in FUNCTIONS
}


def ask(name, *arguments):
    """What the check says, one line in the same form whatever it is asked."""
    result = getattr(checks, name)(*arguments)
    assert isinstance(result, Result) and isinstance(result.ok, bool)
    assert repr(result) == ("✓ Right: " if result.ok else "✗ Not yet: ") + result.message
    assert "\n" not in result.message, f"{name} says more than one line: {result.message!r}"
    assert result.message[-1] in ".?", f"{name} says no whole sentence: {result.message!r}"
    assert len(result.message) < 330, f"{name} says too much: {result.message!r}"
    return result


@functools.cache
def heard_by_right(name, i):
    return ask(name, *BANK[name].right[i])


@functools.cache
def heard_by_wrong(name, i):
    arguments, _ = BANK[name].wrong[i]
    return ask(name, *arguments)


def all_heard(name):
    """Every sentence that the check says to the bank's answers."""
    answers = BANK[name]
    heard = {heard_by_right(name, i).message for i in range(len(answers.right))}
    return heard | {heard_by_wrong(name, i).message for i in range(len(answers.wrong))}


def assert_each_row_is_earned(name, table):
    """Each sentence of the table is heard by an answer of the bank."""
    heard = all_heard(name)
    never = [row.message for row in table if row.message not in heard]
    assert not never, f"no answer of the bank earns {never}; add one, or delete the row"


def assert_rows_differ(table):
    """Rows of another sentence differ visibly from this one; from right, unless one says so."""
    for i, row in enumerate(table):
        said_right = row.message.startswith("right ")
        for other in table[said_right:i]:
            if other.message != row.message:
                assert np.abs(np.subtract(row.value, other.value)).max() > 1e-2, row.message
