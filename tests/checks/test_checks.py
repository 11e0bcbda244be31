"""Every check accepts the bank's right answers, and names the mistake of every wrong one.

Derived are the checks and their pages, from lib.checks, and the inputs, from each exercise.
"""

import inspect
import random
import re
import sys

import numpy as np
import pytest
import torch

from lib import checks
from tests.checks.asking import (
    FUNCTIONS,
    INPUTS,
    NAMES,
    TAKES_ARRAYS,
    ask,
    exercise_of,
    heard_by_right,
    heard_by_wrong,
    page_of,
)
from tests.checks.bank import BANK
from tests.pages.exercises import code_of_pages

RIGHT = [(name, i) for name in NAMES for i in range(len(BANK[name].right))]
WRONG = [(name, i, sentence) for name in NAMES for i, (_, sentence) in enumerate(BANK[name].wrong)]

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("name, i", RIGHT)
def test_right_answers_are_accepted(name, i):
    result = heard_by_right(name, i)
    assert result.ok, f"right answer {i} of {name} is refused: {result}"


@pytest.mark.parametrize(
    "name, i, sentence", WRONG, ids=[f"{w[0]}-{w[1]}-{w[2][:30]}" for w in WRONG]
)
def test_wrong_answers_are_named(name, i, sentence):
    result = heard_by_wrong(name, i)
    assert not result.ok, f"wrong answer {i} of {name} passes; it should hear: {sentence!r}"
    assert sentence in result.message, (
        f"{name}, wrong answer {i}: {sentence!r} is not in {result}. If that is a mistake with the "
        "same results, delete one of the two, put the special one first, or choose inputs that "
        "tell them apart."
    )


def test_the_bank_has_no_other_checks():
    unknown = set(BANK) - set(NAMES)
    assert not unknown, (
        f"the bank has answers to {sorted(unknown)}, but lib.checks has no such check"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_bank_knows_every_check(name):
    where = f"beside its check in lib/checks/{page_of(name)}.py, or in the bank"
    least = 2 if exercise_of(name) is None else 1  # what is stored is asked in more styles
    assert len(BANK[name].right) >= least, f"{name} needs {least} right answers {where}"
    assert len(BANK[name].wrong) >= 3, f"{name} needs three wrong answers or more, {where}"


def test_each_check_stands_in_the_file_of_the_page_that_uses_it():
    used = {}
    for number, code in code_of_pages().items():
        for name in re.findall(r"checks\.(\w+)\(", code):
            used[name] = f"page_{number}"
    no_page = sorted(set(NAMES) - set(used))
    assert not no_page, f"no page has a cell that ends in checks.NAME(...) for {no_page}"
    no_check = {name: used[name] for name in sorted(set(used) - set(NAMES))}
    assert not no_check, (
        f"pages call {no_check}, and lib.checks has no such check: write it into lib/checks/, in "
        "the file of that page, below @PAGE.exercise(heading) (lib/checks/judge.py says how)"
    )
    for name, page in used.items():
        assert page_of(name) == page, f"{name} stands in {page_of(name)}.py, but {page} uses it"


class Empty:
    pass


class Odd:
    """Fails wherever it is touched."""

    def __getattr__(self, name):
        raise ValueError(name)


def generator(*arguments):
    yield 0


GARBAGE = [
    None,
    3,
    "x",
    lambda: 0,
    object(),
    [],
    np.nan,
    Empty,
    Odd(),
    generator,
    ...,
    {},
    b"1",
    1j,
    [[1], [1, 2]],
    np.array(["1"]),
]
RETURNED = {
    "text": "1.5",
    "complex": 1j,
    "complex array": np.ones((3, 4)) * 1j,
    "objects": np.array([None, 1.0], dtype=object),
    "ragged": [[1], [1, 2]],
    "a class": Empty,
    "a set": {1.0},
    "NaN": np.nan,
    "inf": np.inf,
    "an empty list": [],
    "an empty tuple": (),
    "an empty array": np.empty([0] * 9),
    "a pair of nothing": (None, None),
    "a ragged pair": ([[1], [1, 2]], 3),
    "true": True,
}


@pytest.mark.parametrize("name", NAMES)
def test_garbage_is_reported(name):
    parameters = inspect.signature(getattr(checks, name)).parameters
    for garbage in GARBAGE:
        result = ask(name, *[garbage for _ in parameters])
        assert not result.ok, f"{name} takes {garbage!r} for right"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_garbage_that_is_returned_is_reported(name):
    for returned in RETURNED:
        result = ask(name, lambda *arguments, returned=returned: RETURNED[returned])
        assert not result.ok, f"{name} takes {returned} for right"
        assert "swapped" not in result.message, f"{name} says of {returned}: {result}"


def first_right(name):
    assert BANK[name].right, f"the bank has no right answer to {name}"
    return BANK[name].right[0][0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nan_of_the_right_shape_is_called_nan(name):
    first = first_right(name)
    assert (
        "holds NaN" in ask(name, lambda *arguments: np.asarray(first(*arguments)) * np.nan).message
    )


ERRORS = [
    SystemExit("out"),
    MemoryError(),
    KeyError("k"),
    AssertionError("a\nb"),
    StopIteration(),
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_reported(name):
    for error in ERRORS:

        def answer(*arguments, error=error):
            raise error

        assert f"stopped with {type(error).__name__}" in ask(name, answer).message


def leave(*arguments):
    sys.exit()


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_leaves_python_is_reported(name):
    parameters = inspect.signature(getattr(checks, name)).parameters
    assert not ask(name, *[leave for _ in parameters]).ok


def test_leaving_python_is_said_in_words():
    assert checks.dot_product(leave).message == (
        "your function stopped with SystemExit [exit() and sys.exit() end all of Python; write "
        "return] (inputs: q (3,), k (3,))."
    )


@pytest.mark.parametrize("name", NAMES)
def test_too_few_and_too_many_arguments_get_a_sentence(name):
    takes = ", ".join(inspect.signature(getattr(checks, name)).parameters)
    for count in (0, 7):
        said = ask(name, *["x"] * count).message
        assert said.startswith(f"checks.{name} takes ({takes}), not {count} arguments;")
    assert "takes" in getattr(checks, name)(unknown=1).message


def test_what_was_right_stays_right_where_the_check_is_asked_wrongly():
    checks.score_spread(24)
    checks.score_spread()
    assert "- right: 1 · Other spreads" in str(checks.summary(3))


def random_states():
    """Those that a reader's next cell draws from."""
    return random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_check_leaves_the_readers_random_numbers_as_they_are(name):
    before = random_states()
    ask(name, *BANK[name].right[0])
    ask(name, *BANK[name].wrong[0][0])
    ask(name, *[draw for _ in inspect.signature(getattr(checks, name)).parameters])
    assert random_states() == before


def draw(*arguments):
    return random.random() + np.random.random() + torch.rand(1).item()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_interrupt_passes_through(name):
    def answer(*arguments):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(name, answer)


@pytest.mark.parametrize("name", TAKES_ARRAYS)
def test_changed_inputs_are_reported(name):
    first = first_right(name)

    def answer(*arguments):
        result = np.array(first(*arguments))
        arguments[0][...] = 0
        return result

    assert "changes its input" in ask(name, answer).message


def test_no_answer_of_the_bank_changes_the_inputs_of_the_next():
    for name in FUNCTIONS:
        for i in range(len(BANK[name].wrong)):
            heard_by_wrong(name, i)
        for case, after in zip(INPUTS[name], exercise_of(name).cases, strict=True):
            assert all(np.array_equal(x, y) for x, y in zip(case, after, strict=True)), name
