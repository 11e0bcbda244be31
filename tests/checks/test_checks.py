"""Every check accepts the bank's right answers, and names the mistake of every wrong one.

Derived are the checks and their pages, from lib.checks, and the inputs, from each exercise.
"""

import functools
import importlib
import inspect
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from lib import checks
from lib.checks.judge import Exercise, NumberExercise, Result
from tests.checks.bank import BANK

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = [name for name in checks.__all__ if name != "Result"]


def exercise_of(name):
    return getattr(getattr(checks, name), "exercise", None)


FUNCTIONS = [name for name in NAMES if isinstance(exercise_of(name), Exercise)]
TAKES_NUMBER = [name for name in NAMES if isinstance(exercise_of(name), NumberExercise)]
TAKES_ARRAYS = [
    name for name in FUNCTIONS if any(isinstance(x, np.ndarray) for x in exercise_of(name).cases[0])
]
RIGHT = [(name, i) for name in NAMES for i in range(len(BANK[name].right))]
WRONG = [(name, i, sentence) for name in NAMES for i, (_, sentence) in enumerate(BANK[name].wrong)]
INPUTS = {  # as they are before the first answer runs
    name: [[np.copy(x) for x in case] for case in exercise_of(name).cases] for name in FUNCTIONS
}

pytestmark = pytest.mark.filterwarnings("error")


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
    assert sentence in result.message, f"{name}, wrong answer {i}: {sentence!r} is not in {result}"


def test_the_bank_knows_every_check():
    unknown = set(BANK) - set(NAMES)
    assert not unknown, (
        f"the bank has answers to {sorted(unknown)}, but lib.checks has no such check"
    )
    for name in NAMES:
        assert len(BANK[name].right) >= 2, f"{name} needs two right answers in the bank, or more"
        assert len(BANK[name].wrong) >= 3, f"{name} needs three wrong answers in the bank, or more"


def test_every_check_of_a_page_is_listed():
    for path in sorted(Path(checks.__file__).parent.glob("page_*.py")):
        module = importlib.import_module(f"lib.checks.{path.stem}")
        found = {name for name, value in vars(module).items() if hasattr(value, "exercise")}
        assert found <= set(NAMES), (
            f"{sorted(found - set(NAMES))} of {path.name} cannot be called as checks.NAME: "
            "import it in lib/checks/__init__.py, and name it in __all__ there"
        )


def page_of(name):
    """page_09 for causal_mask."""
    return getattr(checks, name).__module__.rpartition(".")[2]


def test_each_check_stands_in_the_file_of_the_page_that_uses_it():
    used = {}
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "code")
        for name in re.findall(r"checks\.(\w+)\(", code):
            used[name] = f"page_{path.name[:2]}"
    no_page = sorted(set(NAMES) - set(used))
    assert not no_page, f"no page has a cell that ends in checks.NAME(...) for {no_page}"
    no_check = sorted(set(used) - set(NAMES))
    assert not no_check, f"lib.checks has no {no_check}, but {[used[name] for name in no_check]} do"
    for name, page in used.items():
        assert page_of(name) == page, f"{name} stands in {page_of(name)}.py, but {page} uses it"


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
        assert listed == names, f"the docstring of {name} lists {listed}; the table takes {names}"


class Empty:
    pass


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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_axis_has_a_size_of_its_own(name):
    exercise = exercise_of(name)
    inputs = getattr(checks, name).__doc__.split(" -> ")[0]
    axes = re.findall(r"(\w+) \((\w+,(?: \w+,?)*)\)", inputs)
    axes = [(argument, letters) for argument, letters in axes if argument in exercise.names]
    assert len(exercise.cases) >= 2, f"{name} needs two sets of inputs, or more"
    assert axes or name not in TAKES_ARRAYS, f"the docstring of {name} names no axes"
    for case in exercise.cases:
        sizes = {}
        if "heads" in exercise.names:
            sizes["H"] = case[exercise.names.index("heads")]
        for argument, letters in axes:
            shape = case[exercise.names.index(argument)].shape
            letters = letters.replace(",", " ").split()
            assert len(letters) == len(shape), f"{name}: {argument} is {shape}, not {letters}"
            for letter, size in zip(letters, shape, strict=True):
                known = sizes.setdefault(letter, size)
                assert known == size, f"{name}: {letter} is {known} and {size} in one call"
        if {"H", "d", "d_model"} & sizes.keys() > {"H"}:
            sizes["d_k"] = sizes.get("d", sizes.get("d_model")) // sizes["H"]
        assert len(set(sizes.values())) == len(sizes), f"{name}: two axes have one size in {sizes}"


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
                q, k = (
                    np.stack(np.split(case[0] @ W, case[-1], axis=-1), axis=1) for W in case[1:3]
                )
            else:
                q, k = case[:2]
            scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        e = np.exp(scores)
        assert (e / e.sum(-1, keepdims=True)).max() < 0.95


# Wrong by kind, not by size: a mask of numbers, an input that is changed, two results for one.
WRONG_BY_KIND = (
    "changes its input",
    "not real numbers",
    "mask == 1",
    "return the output alone",
    "NumPy cannot read",
    "async",
    "does your loop end",
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_answers_of_the_bank_are_far_from_right(name):
    exercise = exercise_of(name)
    for (answer,), sentence in BANK[name].wrong:
        if any(part in sentence for part in WRONG_BY_KIND):
            continue
        gaps = [
            gap(answer, case, rows[0].value)
            for case, rows in zip(exercise.cases, exercise.tables, strict=True)
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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_table_has_the_same_rows_for_all_inputs(name):
    first, *others = exercise_of(name).tables
    for rows in others:
        assert [row.message for row in rows] == [row.message for row in first], (
            f"{name}: the inputs give different rows; where a mistake cannot be made, yield "
            "wrong(None, ...), so that a place means the same in all"
        )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_a_table_are_far_from_right_and_can_all_be_said(name):
    """Each mistake that the inputs allow is found under its own sentence, and is not right."""
    exercise = exercise_of(name)
    tables = exercise.tables
    for place, row in list(enumerate(tables[0]))[1:]:
        if row.value is None:
            continue
        far = [difference(rows[place].value, rows[0].value) > 1e-3 for rows in tables]
        if row.message.startswith(("right ", "right,")):
            assert any(far), f"{name}: these inputs do not show {row.message!r}"
        else:
            assert all(far[:2]), f"{name}: the first two inputs do not show {row.message!r}"

        def answer(*arguments, place=place):
            with np.errstate(all="ignore"):
                return list(exercise.table(*arguments))[place].value

        result = ask(name, answer)
        assert not result.ok, f"{name}: the row {row.message!r} passes"
        assert row.message in result.message, f"{name}: {row.message!r} is called {result}"


@pytest.mark.parametrize("name", FUNCTIONS + TAKES_NUMBER)
def test_every_sentence_of_a_table_is_earned_by_an_answer_of_the_bank(name):
    exercise = exercise_of(name)
    if name in TAKES_NUMBER:
        rows = exercise.rows()
    else:
        rows = exercise.square_table if exercise.square else exercise.tables[0]
    answers = BANK[name]
    said = {heard_by_right(name, i).message for i in range(len(answers.right))}
    said |= {heard_by_wrong(name, i).message for i in range(len(answers.wrong))}
    never = [row.message for row in rows if not any(row.message in message for message in said)]
    assert not never, f"{name}: no answer of the bank earns {never}; add one, or delete the row"
