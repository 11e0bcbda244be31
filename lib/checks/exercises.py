"""The exercises of the pages with their headings, and ``checks.summary()``: which are right.

Each ``page_NN.py`` registers its exercises here. What a check last said is kept for as long as the
kernel runs.
"""

import functools
import inspect
from dataclasses import dataclass, replace

from lib.checks.judge import Result
from lib.checks.keeping.keeper import keep
from lib.checks.keeping.registry import KEPT, Kept
from lib.checks.run import same_random_numbers, stopped

RIGHT, NOT_YET, NOT_TRIED = "right", "not yet", "not tried"
FORGOTTEN = (
    "Not tried: its check has not run since the kernel started. After a restart, run your cells "
    "again."
)
NOTHING_TRIED = (
    "No exercise has been checked since the kernel started: run the cells of your exercises, then "
    "this one again. checks.summary(5) lists the exercises of page 5."
)


PAGES = {}  # number: Page
CHECKS = {}  # name: check


@dataclass(frozen=True)
class Heading:
    """An exercise on its page, and the name of its check.

    answer: the name of the function that it is about, where one check serves several exercises.
    """

    text: str
    check: str
    answer: str = ""


_last_said: dict[Heading, bool] = {}


class Page:
    """A page with exercises: its number, its title, and the headings in their order."""

    def __init__(self, number, title):
        self.number, self.title, self.headings = number, title, []
        PAGES[number] = self

    def exercise(self, heading, kept="", course=None, **others):
        """Make a check one of lib.checks, and keep what it says for ``summary``.

        kept: the name of the function that later pages take from lib.mine. course: a function that
        gives the course's version of it, where that is not the check's solution. others: of further
        exercises with this check, the heading by the name of the function that they hand over. The
        exercises of a page are decorated in their order.
        """

        def register(check):
            name = check.__name__
            headings = [Heading(heading, name)]
            headings += [Heading(text, name, answer) for answer, text in others.items()]
            self.headings += headings
            if kept:
                give_course = course or _solution_of(check)
                KEPT[kept] = Kept(kept, self.number, heading, _judging(check), give_course)
            CHECKS[name] = _remembered(check, headings, KEPT.get(kept))
            return CHECKS[name]

        return register


def _solution_of(check):
    solution = check.solution
    return lambda: solution


def _remembered(check, headings, kept):
    """The check, which never raises; what it says is kept, in the place of what it said before.

    kept: the Kept of the first exercise, if later pages use what it asks for.
    """
    signature, judging = inspect.signature(check), _judging(check)

    @functools.wraps(check)
    def judged(*arguments, **named):
        try:
            signature.bind(*arguments, **named)
        except TypeError:
            return Result(False, _asked_wrongly(check, signature, len(arguments) + len(named)))
        result = judging(*arguments, **named)
        heading = _asked_for(headings, arguments)
        _last_said[heading] = result.ok
        if kept and result.ok and heading is headings[0]:
            answer, *_ = (*arguments, *named.values())
            result = replace(result, kept=keep(kept, answer))
        return result

    return judged


def _judging(check):
    """The check, which never raises for what is wrong in an answer."""

    @functools.wraps(check)
    def judging(*arguments, **named):
        try:
            with same_random_numbers():
                return check(*arguments, **named)
        except (Exception, SystemExit) as error:  # whatever fails in an answer, the page goes on
            return Result(False, f"{stopped(error)}.")

    return judging


def _asked_wrongly(check, signature, count):
    takes = f"({', '.join(signature.parameters)})"
    given = f"{count} argument{'' if count == 1 else 's'}"
    return f"checks.{check.__name__} takes {takes}, not {given}; put yours between the brackets."


def _asked_for(headings, arguments):
    """The exercise that asks for such an answer; else the first one."""
    is_function = bool(arguments) and inspect.isfunction(arguments[0])
    answer = arguments[0].__name__ if is_function else ""
    for heading in headings[1:]:
        if heading.answer == answer:
            return heading
    return headings[0]


@dataclass(frozen=True)
class Summary:
    """What ``summary`` says; it shows as plain text."""

    text: str

    def __repr__(self):
        return self.text


def summary(page=None):
    """Which exercises of a page are right, not yet right, or not tried; as text to copy.

    page: its number. Without it, every page whose checks ran since the kernel started.
    """
    if page is None:
        numbers = [number for number in sorted(PAGES) if _is_tried(number)]
    elif type(page) is int and page in PAGES:
        numbers = [page]
    elif type(page) is int and min(PAGES) < page < max(PAGES):
        return Summary(f"Page {page} has no exercises.")
    else:
        return Summary(
            f"checks.summary takes the number of a page, {min(PAGES)} to {max(PAGES)}, as in "
            f"checks.summary(5), not {page!r}."
        )
    if not numbers:
        return Summary(NOTHING_TRIED)
    parts = ["\n".join(_lines_of(PAGES[number])) for number in numbers]
    if any(f"- {NOT_TRIED}: " in part for part in parts):
        parts.append(FORGOTTEN)
    return Summary("\n\n".join(parts))


def _is_tried(number):
    return any(heading in _last_said for heading in PAGES[number].headings)


def _lines_of(page):
    verdicts = [_verdict(heading) for heading in page.headings]
    yield f"Page {page.number} · {page.title}"
    yield f"{verdicts.count(RIGHT)} of {len(verdicts)} exercises right"
    for verdict, heading in zip(verdicts, page.headings, strict=True):
        yield f"- {verdict}: {heading.text}"


def _verdict(heading):
    if heading not in _last_said:
        return NOT_TRIED
    return RIGHT if _last_said[heading] else NOT_YET
