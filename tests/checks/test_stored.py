"""What is stored of each exercise: its inputs tell every mistake from right, and it can be said."""

import inspect
import re
import warnings
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
import torch

from lib import checks
from lib.checks.judge import Exercise
from tests.checks.asking import (
    FUNCTIONS,
    NAMES,
    TAKES_ARRAYS,
    TAKES_NUMBER,
    ask,
    exercise_of,
    page_of,
)
from tests.checks.bank import BANK

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("name", NAMES)
def test_docstrings_say_what_the_answer_takes(name):
    judged = getattr(checks, name)
    assert judged.__name__ == name
    assert judged.__doc__, f"{name} needs a docstring: what the answer takes -> what it returns"
    assert "\n" not in judged.__doc__, f"the docstring of {name} has more than one line"
    if exercise_of(name) is None:
        return
    assert list(inspect.signature(judged).parameters) == ["answer"]
    start = "answer: " if name in TAKES_NUMBER else "answer("
    assert judged.__doc__.startswith(start), f"the docstring of {name} has to begin with {start!r}"
    if name in FUNCTIONS:
        assert " -> " in judged.__doc__, f"the docstring of {name} needs -> and what is returned"
        inside = judged.__doc__[len("answer(") : judged.__doc__.index(" -> ")]
        inside = re.sub(r"\([^()]*(\([^()]*\))?[^()]*\)", "", inside)
        listed = [word.strip(" )") for word in inside.split(",")]
        names = exercise_of(name).names
        assert listed == names, f"the docstring of {name} lists {listed}; it takes {names}"


def sizes_of(judged, case):
    """{letter: length} of the axes that the docstring names, and the whole numbers that are given.

    The width of one head is d_k, where a docstring names heads and what they share.
    """
    names = judged.exercise.names
    inputs = judged.__doc__.split(" -> ")[0]
    sizes = {}
    for name, value in zip(names, case, strict=True):
        if isinstance(value, (int, np.integer)):
            sizes[name] = int(value)
    for argument, letters in re.findall(r"(\w+) \((?:\.\.\., )?(\w+,(?: \w+,?)*)\)", inputs):
        if argument not in names or not hasattr(case[names.index(argument)], "shape"):
            continue
        shape, letters = case[names.index(argument)].shape, letters.replace(",", " ").split()
        if f"{argument} (..., " in inputs:  # any axes before
            shape = shape[-len(letters) :]
        assert len(letters) == len(shape), f"{argument} is {shape}, not {letters}"
        for letter, size in zip(letters, shape, strict=True):
            if letter.isdigit():  # four biases, one after the other
                continue
            known = sizes.setdefault(letter, size)
            assert known == size, f"{letter} is {known} and {size} in one call"
    wide = sizes.get("d_model", sizes.get("w", sizes.get("d")))
    if "heads" in sizes and wide:
        sizes["d_k"] = wide // sizes["heads"]
    return sizes


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_axis_has_a_size_of_its_own(name):
    exercise = exercise_of(name)
    assert len(exercise.cases) >= 2, f"{name} needs two sets of inputs, or more"
    for case in exercise.cases:
        sizes = sizes_of(getattr(checks, name), case)
        assert sizes or name not in TAKES_ARRAYS, f"the docstring of {name} names no axes"
        axes = {key: size for key, size in sizes.items() if key not in exercise.names or size > 2}
        assert len(set(axes.values())) == len(axes), f"{name}: two axes have one size in {sizes}"


# All that is judged with inputs, what is no check by itself (the layers of page 7) too.
JUDGED = {
    f"{page.__name__[-2:]}-{judged.__name__}": judged
    for page in (import_module(f"lib.checks.{page_of(name)}") for name in NAMES)
    for judged in vars(page).values()
    if isinstance(getattr(judged, "exercise", None), Exercise) and judged.exercise.cases
}


@pytest.mark.parametrize("name", JUDGED)
def test_no_size_stays_the_same_or_follows_from_another(name):
    """Else an answer that takes the one for the other, or has its number written in, is right."""
    judged = JUDGED[name]
    by_case = [sizes_of(judged, case) for case in judged.exercise.judged]
    for size in by_case[0]:
        assert len({sizes[size] for sizes in by_case}) > 1, f"{size} is the same in {by_case}"
    for one, other in combinations(by_case[0], 2):
        pairs = [(sizes[one], sizes[other]) for sizes in by_case]
        follows = {a - b for a, b in pairs}, {(a + 1e-9) / (b + 1e-9) for a, b in pairs}
        assert min(map(len, follows)) > 1, f"{one} tells {other} in each of {by_case}"


@pytest.mark.parametrize(
    "name", ["softmax", "scaling", "attention", "cross_attention", "multi_head", "masked_softmax"]
)
def test_inputs_do_not_saturate(name):
    """A published check took no scaling, / d and × sqrt(d) for right: its softmax was one-hot."""
    for case in exercise_of(name).cases[:2]:
        if "softmax" in name:
            scores = case[0]
        else:
            if name == "cross_attention":
                q, k = case[0] @ case[2], case[1] @ case[3]
            elif name == "multi_head":
                q = np.stack(np.split(case[0] @ case[2], case[-1], axis=-1), axis=1)
                k = np.stack(np.split(case[1] @ case[3], case[-1], axis=-1), axis=1)
            else:
                q, k = case[:2]
            scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        e = np.exp(scores)
        assert (e / e.sum(-1, keepdims=True)).max() < 0.95


# Wrong by kind, not by size: a mask of numbers, an input that is changed, two results for one.
WRONG_BY_KIND = (
    "changes its input",
    "not real numbers",
    "but as numbers; == 1",
    "by a product of components",
    "return the output alone",
    "NumPy cannot read",
    "async",
    "loop does not end",
    "asks on after end",
    "equally probable words",  # kept by a trial of its own
    "right for tensors",
    "a place is a whole number",
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_answers_of_the_bank_are_far_from_right(name):
    exercise = exercise_of(name)
    for (answer,), sentence in BANK[name].wrong:
        if any(part in sentence for part in WRONG_BY_KIND):
            continue
        gaps = [
            gap(answer, case, rows[0].value)
            for case, rows in zip(exercise.judged, exercise.tables, strict=True)
        ]
        assert max(gaps) > 1e-3, f"{name}: the answer that hears {sentence!r} is nearly right"


def gap(answer, case, wanted):
    """How far an answer is from right; as far as can be if it fails or has another shape."""
    copies = [x.copy() if isinstance(x, np.ndarray) else x for x in case]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            value = np.asarray(first_of(answer(*copies)), dtype=float)
    except (Exception, SystemExit):
        return np.inf
    return difference(value, wanted)


def difference(value, wanted):
    """The largest; as large as can be if the shapes differ."""
    value, wanted = np.asarray(value, dtype=float), np.asarray(wanted, dtype=float)
    if value.shape != wanted.shape:
        return np.inf
    return np.nan_to_num(np.abs(value - wanted), nan=1).max()


def first_of(value):
    return value[0] if isinstance(value, tuple) and len(value) == 2 else value


def in_float32(x):
    """Floats as float32; whole numbers, booleans and functions as they are."""
    is_float = isinstance(x, np.ndarray) and x.dtype == float
    return x.astype(np.float32) if is_float else x


TRAINED = ["bits"]  # what comes back through an array has no gradient, and is not right
STYLES = {
    "float32": lambda solution, *case: in_float32(np.array(solution(*map(in_float32, case)))),
    "a list": lambda solution, *case: np.array(solution(*case)).tolist(),
    "a tensor": lambda solution, *case: torch.tensor(np.array(solution(*case)).tolist()),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("style", STYLES)
def test_the_right_answer_is_right_in_every_style(style, name):
    solution = exercise_of(name).solution

    def answer(*case):
        return STYLES[style](solution, *map(as_array, case))

    result = ask(name, answer)
    if name in TRAINED:
        assert "right, but it cannot be trained" in result.message
        return
    assert result.ok, f"{name}: the right answer as {style} is refused: {result}"


def as_array(x):
    return np.array(x.tolist()) if isinstance(x, torch.Tensor) else x


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_mistake_can_be_made_with_some_inputs(name):
    exercise = exercise_of(name)
    for place, mistake in enumerate(exercise.mistakes, start=1):
        easy = [exercise.rows(case) for case, _ in exercise.easy]
        assert any(rows[place].value is not None for rows in (*exercise.tables, *easy)), (
            f"{name}: the answer of {mistake.sentence!r} stops with all inputs, or returns nothing"
        )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mistakes_are_far_from_right_with_the_first_inputs(name):
    tables = exercise_of(name).tables
    for place, row in list(enumerate(tables[0]))[1:]:
        if row.value is None:
            continue
        far = [difference(rows[place].value, rows[0].value) > 1e-3 for rows in tables]
        if row.message.startswith(("right ", "right,")):
            assert any(far), f"{name}: these inputs do not show {row.message!r}"
        else:
            assert all(far[:2]), f"{name}: the first two inputs do not show {row.message!r}"
