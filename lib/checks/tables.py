"""Exercises as tables of rows, until all pages store their mistakes as answers (judge.py)."""

from dataclasses import dataclass

import numpy as np

from lib.checks.judge import Exercise, Row, _as_check, _require_arguments, judge


def right(value, message):
    """The first row of a table."""
    return Row(value, message)


wrong = right  # each other row


def wrongs(message, *values):
    """Rows for one mistake that has several faces."""
    return [wrong(value, message) for value in values]


@dataclass(frozen=True)
class TableExercise(Exercise):
    """solution: the table, a generator of rows."""

    def rows(self, case):
        with np.errstate(all="ignore"):
            return list(self.solution(*case))


def check(*cases, **options):
    """Make a table a check: a function of the answer alone."""

    def decorate(table):
        _require_arguments(table, "", cases)
        return _as_check(TableExercise(table, "", cases, **options), judge)

    return decorate
