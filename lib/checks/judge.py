"""Judging an answer: what it returns is looked up in what the right answer and mistakes return.

To add an exercise
------------------
1. Write a right answer into the file of its page, ``page_NN.py``, with its heading on the page, its
   praise and its inputs; below it the classic mistakes, each an answer with its sentence. Nothing
   else lists them: ``checks.NAME`` and ``checks.summary()`` know the exercise from there. ::

    PAGE = Page(1, "Dot products: how well do two vectors match?")  # as the notebook is called

    @PAGE.exercise("2 · Cosine")
    @right(
        "the dot product of the directions alone.",
        (normal(3), normal(3, seed=1)),
        (normal(5), normal(5, seed=1)),
    )
    def cosine(q, k):
        \"""answer(q (d,), k (d,)) -> number from -1 to 1.\"""
        return q @ k / length(q) / length(k)

    cosine.wrong("this is the dot product; divide it by both lengths.")(lambda q, k: q @ k)

2. The inputs are one tuple for each call, at least two; ``cases.py`` helps to make them. Every
   axis has a size of its own (a transposed table must not pass), no size is the same in all inputs
   or follows from another (nor may a number that is written in, or d_model / 2 for d_k), no softmax
   is near one-hot (nor a wrong scale), and what the exercise is about happens (a sum meets p
   exactly, a sentence has no padding). An answer that is a number, no function:
   ``right_number``, as in page_03.py. A check that reads something else is a function of its own
   below ``@PAGE.exercise``, as in page_00.py.
3. The docstring is one line: what the answer takes, with the names and shapes of the right answer's
   arguments, -> and what it returns.
4. A sentence names its mistake without giving the solution away. A mistake is written as a learner
   would make it; with several faces, they stand side by side:
   ``cosine.wrong("...")(one, another)``. The first mistake that fits all inputs is what is said,
   so the special one stands before the general one. A mistake that shows only with the last inputs
   begins with "right for ...". With inputs that do not allow it, it stops with ValueError or
   IndexError, or returns None.
5. Do not write what every exercise says already: another shape, NaN, inputs that are changed or
   returned, results that ignore them, whole numbers, an error, two results for one.
6. The tests run what stands here. The bank of the tests, ``tests/checks/bank/page_NN.py``, is for
   what cannot: right answers in other styles, answers that stop, loops, PyTorch.

A check never raises on the learner's code: it reports.
"""

import functools
import inspect
import io
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lib.checks.run import NOTHING, STOPS_WITH_ARRAYS, floats, inputs, run, why_stopped
from lib.checks.unnamed_mistakes import cut_off, describe, ended_early

CLOSE = {"rtol": 1e-4, "atol": 1e-5}
A_LIST = "this is a list, and the page goes on with arrays; put np.array(...) around it."
NO_TENSOR = "this is a list, and the page goes on with tensors; put torch.tensor(...) around it."
FIRST_ONLY = "right for the first inputs, but not for others: "


@dataclass(frozen=True)
class Result:
    """What a check says: ``ok`` and one line, ``message``.

    kept: what became of the function in the reader's mine.py, a sentence, or "".
    """

    ok: bool
    message: str
    kept: str = ""

    @property
    def quiet(self):
        """The verdict without its reason: for a bug that is to be found by reading."""
        return self if self.ok else Result(False, "delete .quiet to hear what is wrong.")

    def __repr__(self):
        verdict = f"{'✓ Right' if self.ok else '✗ Not yet'}: {self.message}"
        return f"{verdict} {self.kept}" if self.kept else verdict


@dataclass(frozen=True)
class Row:
    """What an answer may return with some inputs, and what to say to it."""

    value: object
    message: str


@dataclass(frozen=True)
class Mistake:
    """A wrong answer and the sentence that names what is wrong; the answer may be a number."""

    sentence: str
    answer: object


@dataclass(frozen=True)
class Exercise:
    """A right answer with its praise, the inputs that tell it from mistakes, and the mistakes.

    square: inputs with as many queries as keys, which come last; there, swapped axes can be named.
    broadcasts: a result that stands for the right shape by broadcasting is as good. tensors: the
    page gives tensors. arrays: the page goes on with NumPy's arrays, so what is right for tensors
    alone is not right, and of a list it is said. easy: pairs, inputs whose sizes agree, and a
    sentence for an answer that is right with these only; of what stops with all others, mistakes
    are looked for with these. remark: takes a right answer -> what to say in place of the praise,
    or "". reason: takes the inputs and a wrong result -> what is wrong with it, where no mistake
    fits, or "". tips: (part of what an error says, tip), before the tips of all exercises.
    """

    solution: Callable
    praise: str
    cases: tuple
    square: tuple | None = None
    broadcasts: bool = False
    tensors: bool = False
    arrays: bool = False
    easy: tuple = ()
    remark: Callable | None = None
    reason: Callable | None = None
    tips: tuple = ()
    mistakes: list = field(default_factory=list)

    @cached_property
    def names(self):
        return list(inspect.signature(self.solution).parameters)

    @property
    def judged(self):
        """All inputs: the cases, and those with as many queries as keys."""
        return self.cases if self.square is None else (*self.cases, self.square)

    @cached_property
    def tables(self):
        """The rows for all inputs; a place means the same mistake in each."""
        return [self.rows(case) for case in self.judged]

    def rows(self, case):
        """The right answer first: its place makes it right, not its words."""
        with np.errstate(all="ignore"):
            rows = [Row(self.solution(*case), self.praise)]
            for mistake in self.mistakes:
                rows.append(Row(_value_of(mistake.answer, case), mistake.sentence))
        return rows

    def run(self, answer, case):
        attempt = run(answer, case, self.names, self.tensors)
        if attempt.error is None or not self.tips:
            return attempt
        problem = why_stopped(attempt.error, case, self.names, self.tips)
        return replace(attempt, problem=problem)


def _value_of(answer, case):
    """What a mistake returns; None with inputs that do not allow it."""
    try:
        return answer(*case)
    except (ValueError, IndexError):
        return None


@dataclass(frozen=True)
class NumberExercise:
    """A right number, which solution() returns; others are compared with a relative tolerance.

    reason: takes a number without a sentence -> what follows from it, a sentence.
    """

    solution: Callable
    praise: str
    tolerance: float
    reason: Callable | None = None
    mistakes: list = field(default_factory=list)

    def rows(self):
        rows = [Row(self.solution(), self.praise)]
        return rows + [Row(mistake.answer, mistake.sentence) for mistake in self.mistakes]


def right(praise, *cases, **options):
    """Make a right answer a check, a function of an answer. options: those of Exercise.

    ``NAME.wrong(sentence)(answer, ...)`` adds a mistake to the check.
    """

    def decorate(solution):
        _require_arguments(solution, praise, cases)
        return _as_check(Exercise(solution, praise, cases, **options), judge)

    return decorate


def right_number(praise, tolerance=0.005, reason=None):
    """The same for a function that returns the one right number; mistakes are numbers, too."""

    def decorate(solution):
        if inspect.signature(solution).parameters:
            raise ValueError(
                f"{solution.__name__} takes inputs; right_number wants a function without, for a "
                "number that a learner types: write @right(praise, *inputs)"
            )
        return _as_check(NumberExercise(solution, praise, tolerance, reason), judge_number)

    return decorate


def and_then(trial):
    """Make a check go on with ``trial(answer)``: what is wrong with a right answer there, or ""."""

    def decorate(check):
        @functools.wraps(check)
        def then(answer):
            result = check(answer)
            problem = trial(answer) if result.ok else ""
            return Result(False, problem) if problem else result

        return then

    return decorate


def _require_arguments(solution, praise, cases):
    name, parameters = solution.__name__, list(inspect.signature(solution).parameters)
    if not isinstance(praise, str):
        raise ValueError(f"{name}: the praise comes first, then the inputs, not {praise!r}")
    for case in cases:
        if not isinstance(case, tuple) or len(case) != len(parameters):
            raise ValueError(
                f"{name} takes ({', '.join(parameters)}); right wants a tuple of "
                f"{len(parameters)} for each call, as in @right(praise, (4,), (6,)), not {case!r}"
            )


def _as_check(exercise, judge):
    """Give it the solution's name and docstring, not its parameters (functools.wraps would)."""

    def check(answer):
        return judge(exercise, answer)

    def wrong(sentence):
        def keep(answer, *others):
            exercise.mistakes.extend(Mistake(sentence, each) for each in (answer, *others))
            return answer

        return keep

    check.__name__ = check.__qualname__ = exercise.solution.__name__
    check.__doc__ = exercise.solution.__doc__
    check.__module__ = exercise.solution.__module__
    check.exercise, check.solution, check.wrong = exercise, exercise.solution, wrong
    return check


# Functions


def judge(exercise, answer):
    """Look what the answer returns up in the rows, or describe what is wrong with it."""
    if not callable(answer):
        kind = type(answer).__name__
        return Result(
            False, f"this check takes your function, not {kind}; give its name, without ()."
        )
    tables, attempts = exercise.tables, _attempts(exercise, answer)
    if any(attempt.problem for attempt in attempts):
        return Result(False, _say_why_it_stopped(exercise, answer, attempts, tables))
    if _is_right(attempts, tables):
        return _praise(exercise, answer, attempts, tables)
    return Result(False, _name_mistake(exercise, answer, attempts, tables))


def _attempts(exercise, answer):
    """What the answer returns with all inputs; where it has stopped once, it prints no more."""
    attempts = []
    for case, table in zip(exercise.judged, exercise.tables, strict=True):
        stopped = any(attempt.problem for attempt in attempts)
        with redirect_stdout(io.StringIO()) if stopped else nullcontext():
            attempt = exercise.run(answer, case)
        attempts.append(_as_expected(exercise, attempt, table[0].value))
    return attempts


def _say_why_it_stopped(exercise, answer, attempts, tables):
    """The sentence for an answer that stops with some of the inputs, or with all."""
    stopped = next(attempt for attempt in attempts if attempt.problem)
    start = FIRST_ONLY if _is_right(attempts[:1], tables) else ""
    if stopped.problem == NOTHING and any(attempt.value is not None for attempt in attempts):
        where = f"{start}there" if start else "with some inputs"
        return f"{where} your function ends without a return; write one at its end, too."
    place = _place_of_mistake(attempts, tables)
    if place:  # the right answer's place, 0, is no mistake
        return tables[0][place].message
    return start + (_right_where_it_is_easy(exercise, answer, mistakes=True) or stopped.problem)


def _right_where_it_is_easy(exercise, answer, mistakes=False):
    """The sentence for what is right with easy inputs, or is one of the mistakes there."""
    for case, sentence in exercise.easy:
        with redirect_stdout(io.StringIO()):  # what it prints has been seen
            value = exercise.run(answer, case).value
        rows = exercise.rows(case) if value is not None else []
        place = find([value], [rows if mistakes else rows[:1]])
        if place is not None:
            return rows[place].message if place else sentence
    return None


def _place_of_mistake(attempts, tables):
    """The place of the row that fits all values; None if none does.

    Where nothing was right, the answer or the row may have no finite numbers for some inputs (exp
    runs over, a loop stops); then all the others have to agree, and there are two at least.
    """
    values = [attempt.value for attempt in attempts]
    if all(value is None for value in values):
        return None
    place = find(values, tables)
    if place is None and not _is_right(attempts[:1], tables):
        place = find(values, tables, least=2)
    return place


def _as_expected(exercise, attempt, wanted):
    """The attempt; a mask of shape (B, 1, S) written out where that is as good."""
    if exercise.broadcasts and attempt.value is not None:
        try:
            written_out = np.broadcast_to(attempt.value, np.shape(wanted))
        except ValueError:
            return attempt
        return replace(attempt, value=written_out)
    return attempt


def _is_right(attempts, tables):
    """Whether all hold what the first row of their table holds."""
    return all(
        same(attempt.value, table[0].value)
        for attempt, table in zip(attempts, tables, strict=False)
    )


def _praise(exercise, answer, attempts, tables):
    wants_booleans = np.asarray(tables[0][0].value).dtype == bool
    if wants_booleans and any(attempt.value.dtype != bool for attempt in attempts):
        return Result(False, "right, but as numbers; == 1 makes True and False of them.")
    if exercise.arrays and attempts[0].for_tensors:
        return Result(False, attempts[0].note or STOPS_WITH_ARRAYS)
    remark = attempts[0].note or (exercise.remark and exercise.remark(answer))
    if not remark and attempts[0].is_list and (exercise.arrays or exercise.tensors):
        remark = A_LIST if exercise.arrays else NO_TENSOR
    remark = (remark or "").removeprefix("right ")  # the verdict says it
    return Result(True, remark or tables[0][0].message)


def _name_mistake(exercise, answer, attempts, tables):
    """The sentence for results that are not right."""
    values = [attempt.value for attempt in attempts]
    wanted = [np.asarray(table[0].value) for table in tables]
    first_is_right = _is_right(attempts[:1], tables)
    place = _place_of_mistake(attempts, tables)
    if place is not None:
        return tables[0][place].message
    return (
        _unchanged(exercise, values)
        or _whatever_comes_in(exercise, answer, values)
        or ended_early(values, wanted)
        or cut_off(values, wanted)
        or _right_where_it_is_easy(exercise, answer)
        or _describe_first(exercise, values, wanted, FIRST_ONLY if first_is_right else "")
    )


def find(values, tables, least=None):
    """The place of the first row that fits all values, each in its own table; None if none does.

    least: look only where both are finite numbers, in so many tables or more.
    """
    for place, rows in enumerate(zip(*tables, strict=True)):
        pairs = [(value, row.value) for value, row in zip(values, rows, strict=True)]
        if least:
            pairs = [pair for pair in pairs if _are_finite(*pair)]
        if len(pairs) >= (least or 1) and all(same(*pair) for pair in pairs):
            return place
    return None


def _are_finite(*values):
    return all(value is not None and np.isfinite(value).all() for value in values)


def same(value, wanted):
    """Whether the value is this one, up to float32. Of what has stopped there is none: None."""
    if wanted is None or value is None:
        return wanted is value
    if value.shape != np.shape(wanted):
        return False
    return np.allclose(value, wanted, **CLOSE, equal_nan=True)


# Mistakes that are the same in every exercise: a sentence, or None


def _unchanged(exercise, values):
    for place, name in enumerate(exercise.names):
        inputs = [case[place] for case in exercise.judged]
        if not any(callable(x) for x in inputs) and all(map(same, values, inputs)):
            return f"you return {name} unchanged."
    return None


def _whatever_comes_in(exercise, answer, values):
    """Does it return the same for other numbers? (Turned round as well: a cube keeps the order.)"""
    is_empty = not all(value.size for value in values)
    if is_empty or not any(map(_has_other_numbers, exercise.cases[0])):
        return None
    for case, value in zip(exercise.judged, values, strict=True):
        other = exercise.run(answer, [_other_numbers(x) for x in case]).value
        if other is None or not np.isfinite(other).all() or not same(other, value):
            return None
    zero = "0, unfilled or cut off to whole numbers,"
    result = "the same" if any(value.any() for value in values) else zero
    if all(map(_has_other_numbers, exercise.cases[0])):
        return (
            f"the result is {result} whatever numbers come in; does your function use its inputs?"
        )
    changed = zip(exercise.names, exercise.cases[0], strict=True)
    names = [name for name, x in changed if _has_other_numbers(x)]
    where = names[0] if len(names) == 1 else "its arrays"
    return f"the result is {result} whatever numbers stand in {where}; does your function use them?"


def _has_other_numbers(x):
    return isinstance(x, np.ndarray) and x.dtype != bool


def _other_numbers(x):
    return np.flip(x) ** 3 if _has_other_numbers(x) else x


# A mistake without a name


def _describe_first(exercise, values, wanted, start):
    """What is wrong with the first result that is not right; if it is a later one, with what."""
    for case, value, right_value in zip(exercise.judged, values, wanted, strict=True):
        if not same(value, right_value):
            reason = exercise.reason and exercise.reason(*case, value)
            sentence = start + (reason or describe(value.astype(float), right_value, start))
            return f"{sentence[:-1]} ({inputs(case, exercise.names)})." if start else sentence
    raise AssertionError("all results are right")


# Numbers


def judge_number(exercise, answer):
    """Look a number up in the table, or say whether it is too small or too large."""
    try:
        value = floats(answer).item()
    except Exception:  # an object of the learner's own may fail in any way
        value = np.nan
    if np.isnan(value):
        return Result(False, f"this check takes one number; this is {type(answer).__name__}.")
    rows = exercise.rows()
    for place, row in enumerate(rows):
        if abs(value - row.value) <= exercise.tolerance * abs(row.value):
            return Result(place == 0, row.message)
    wanted = rows[0].value
    size = "small" if value < wanted else "large"
    digits = " Give two digits after the point." if abs(value - wanted) < 0.03 * wanted else ""
    reason = f" {exercise.reason(value)}" if exercise.reason else ""
    return Result(False, f"{value:g} is too {size}.{reason}{digits}")
