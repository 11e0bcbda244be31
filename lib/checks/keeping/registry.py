"""Which functions of the pages are kept in the reader's mine.py, each with the course's version."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

KEPT = {}  # name: Kept


@dataclass(frozen=True)
class Kept:
    """A function that an exercise asks for, and later pages take from lib.mine.

    judge: takes a function -> the Result of the check, which leaves no trace. give_course: gives
    the course's version; it is called when that is asked for, so that torch may wait.
    """

    name: str
    page: int
    heading: str
    judge: Callable
    give_course: Callable

    @property
    def is_given(self):
        """Whether anybody has asked for the course's version yet."""
        return "course" in vars(self)

    @cached_property
    def course(self):
        """The course's version, always the same object."""
        return self.give_course()
