"""What the judge does in every exercise: what is right, what is rounded, when torch is used."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lib.attention
from lib import checks
from lib.checks.judge import right, right_number
from tests.checks.bank import BANK

ROOT = Path(__file__).parents[2]


@right("praise.", (np.array([1.0, 2.5]),), (np.array([3.0, 4.5, 7.0]),))
def doubled(x):
    """answer(x (d,)) -> (d,)."""
    return 2 * x


doubled.wrong("praise.")(lambda x: 3 * x)


@doubled.wrong("right for two numbers.")
def _(x):
    return x[0] * x / x[1:] if len(x) > 2 else 2 * x  # stops with three numbers


@right_number("praise.")
def answer_to_everything():
    """answer: a number."""
    return 42


answer_to_everything.wrong("praise.")(41)


def test_right_is_a_matter_of_place_not_of_words():
    assert doubled(lambda x: x + x).ok and answer_to_everything(42).ok
    wrong_function, wrong_number = doubled(lambda x: x + x + x), answer_to_everything(41)
    assert not wrong_function.ok and wrong_function.message == "praise."
    assert not wrong_number.ok and wrong_number.message == "praise."


def test_a_mistake_that_some_inputs_do_not_allow_is_passed_over():
    first, second = doubled.exercise.tables
    assert np.array_equal(first[2].value, [2, 5]) and second[2].value is None
    assert doubled(lambda x: 3 * x).message == "praise."


def test_wrong_inputs_are_refused():
    def same(x):
        """answer(x (d,)) -> (d,)."""
        return x

    for case in (np.ones(2), (np.ones(2), 1)):
        with pytest.raises(ValueError, match=r"same takes \(x\); right wants a tuple of 1"):
            right("praise.", case)(same)
    with pytest.raises(ValueError, match="same: the praise comes first, then the inputs"):
        right((np.ones(2),), (np.ones(3),))(same)


def test_do_not_round_is_said_only_of_rounding():
    assert "Do not round" in checks.cosine(lambda q, k: round(cosine(q, k), 2)).message
    assert "Do not round" not in checks.cosine(lambda q, k: cosine(q, k) + 0.004).message


def cosine(q, k):
    return q @ k / np.linalg.norm(q) / np.linalg.norm(k)


def test_two_numbers_are_shown_with_as_many_digits_as_differ():
    message = checks.cosine(lambda q, k: cosine(q, k) + 0.00004).message
    have, want = re.findall(r"-?\d\.\d+", message)
    assert have != want


def test_a_changed_library_changes_no_verdict(monkeypatch):
    monkeypatch.setattr(lib.attention, "softmax", lambda scores, axis=-1: scores)
    assert not checks.softmax(lambda scores: lib.attention.softmax(scores)).ok
    for arguments in BANK["scaling"].right:
        assert checks.scaling(*arguments).ok


def test_numpy_code_loads_no_torch_and_the_verdict_is_the_same_without():
    code = """
import sys
from lib import checks
checks.softmax(lambda scores: 1 / 0)
print("torch" in sys.modules)
print(checks.merge_heads(lambda x: x.transpose(1, 2).flatten(2)))
"""
    new_process = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT
    )
    torch_is_loaded, said = new_process.stdout.splitlines()
    assert torch_is_loaded == "False"
    assert said == "✗ Not yet: right for tensors; NumPy arrays need swapaxes(1, 2)."
    assert "torch" in sys.modules  # here, by the bank
    assert said == repr(checks.merge_heads(lambda x: x.transpose(1, 2).flatten(2)))


def test_more_than_one_mistake():
    def answer(queries, keys):
        e = np.exp(queries @ keys.T)
        return e / e.sum(-1, keepdims=True) / queries.shape[-1]

    assert "sum to 0.14, and each row has to sum to 1" in checks.scaling(answer).message

    def columns(queries, keys):
        e = np.exp((queries @ keys.T) ** 2 / 50)
        return e / e.sum(axis=0)

    assert "your columns sum to 1, your rows sum to" in checks.scaling(columns).message
