"""What the judge does in every exercise: what is right, what is rounded, when torch is used."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import lib.attention
import lib.positions
from lib import checks
from lib.attention import softmax
from lib.checks.judge import right, right_number
from lib.checks.page_13 import write_on
from lib.checks.readers_code import greedy
from lib.modules import EncoderLayer
from tests.checks.asking import exercise_of
from tests.checks.bank import BANK
from tests.checks.bank.page_12_whole import Karpathys

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


@right("praise.", (np.arange(3.0),), (np.arange(5.0),), (np.arange(4.0),), square=(np.arange(2.0),))
def longest(x):
    """answer(x (d,)) -> (d,)."""
    return x * len(x)


longest.wrong("a mistake of another kind.")(lambda x: -x if len(x) == 4 else x + 1)
longest.wrong("powers.")(lambda x: x if len(x) < 4 else x / np.zeros_like(x))


def test_no_mistake_is_named_that_differs_with_one_of_the_inputs():
    assert "a mistake" not in longest(lambda x: x + 1).message
    assert longest(lambda x: -x if len(x) == 4 else x + 1).message == "a mistake of another kind."


def test_inputs_with_which_the_mistake_has_no_numbers_are_passed_over():
    assert longest(lambda x: x if len(x) < 4 else x + 100).message == "powers."
    assert longest(lambda x: x if len(x) < 4 else x[9]).message == "powers."


def test_as_many_queries_as_keys_are_judged_too():
    result = longest(lambda x: x * len(x) if len(x) != 2 else x)
    assert not result.ok
    assert result.message == (
        "right for the first inputs, but not for others: at (1,) you have 1 where 2 is right "
        "(inputs: x (2,))."
    )


def test_what_stops_prints_once(capsys):
    def answer(x):
        print("here")
        return x[9]

    longest(answer)
    assert capsys.readouterr().out == "here\n"


def test_the_verdict_of_a_bug_hunt_is_no_bare_false():
    assert repr(doubled(lambda x: 3 * x).quiet) == "✗ Not yet: delete .quiet to hear what is wrong."
    assert repr(doubled(lambda x: 2 * x).quiet) == "✓ Right: praise."


def tried_on_scores(p):
    scores, raised = np.log(p), np.log(p) + 1e-6 * np.eye(len(p))
    return np.stack([(softmax(row) - softmax(scores)) / 1e-6 for row in raised], axis=1)


def slopes_by_torch(p):
    scores = torch.log(torch.tensor(p))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


REMARKS = {
    "all_cosines": [(lambda X: [[cosine(q, k) for k in X] for q in X], "it is done with a loop")],
    "softmax": [
        (lib.attention.softmax, "the ready-made softmax"),
        (lambda scores: lib.attention.softmax(scores), "the ready-made softmax"),
        (lambda scores: torch.softmax(torch.tensor(scores), -1).numpy(), "the ready-made softmax"),
    ],
    "attention": [
        (
            lambda Q, K, V: lib.attention.scaled_dot_product_attention(Q, K, V)[0],
            "the ready-made scaled_dot_product_attention",
        ),
        (
            lambda Q, K, V: (softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5) @ V).tolist(),
            "this is a list",
        ),
        (lambda Q, K, V: softmax(Q @ K.T / Q.shape[1] ** 0.5) @ V, "for one table. Page 5"),
        (lambda Q, K, V: softmax(Q @ K.swapaxes(-1, -2) / Q.shape[1] ** 0.5) @ V, "shape[1], "),
    ],
    "softmax_jacobian": [
        (tried_on_scores, "by way of scores"),
        (slopes_by_torch, "by way of scores"),
    ],
    "positions": [
        (
            lambda *sizes: lib.positions.sinusoidal_positions(*sizes).tolist(),
            "the ready-made sinusoidal",
        ),
        (lambda *sizes: sines(*sizes).tolist(), "this is a list"),
    ],
    "greedy": [(greedy, "the ready-made greedy")],
    "write_on": [(lambda *case: write_on.solution(*case).tolist(), "put torch.tensor(...) around")],
    "gpt": [(Karpathys, "EncoderLayer's is 0.1 where none is given")],
    "encoder_layer": [
        (lambda *sizes: EncoderLayer(*sizes, norm_first=True), "the ready-made EncoderLayer")
    ],
}


def test_another_way_than_the_task_asks_for_is_right_and_remarked():
    for name, answers in REMARKS.items():
        for answer, remark in answers:
            result = getattr(checks, name)(answer)
            assert result.ok and remark in result.message, f"{name}: {result}"


def test_right_is_said_once():
    said = repr(checks.attention(lambda Q, K, V: softmax(Q @ K.T / Q.shape[1] ** 0.5) @ V))
    assert said.startswith("✓ Right: for one table.")

    def of_torch(X, memory, W_Q, W_K, W_V, W_O, heads):
        def split(x):
            return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)

        queries, keys, values = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
        scores = queries @ keys.swapaxes(-1, -2) / queries.shape[-1] ** 0.5
        found = scores.softmax(-1) @ values
        return found.transpose(1, 2).reshape(*X.shape[:2], -1) @ W_O

    said = repr(checks.multi_head(of_torch))
    assert said == "✓ Right: for tensors; NumPy arrays need swapaxes(1, 2)."


def test_the_way_that_the_task_asks_for_is_not_remarked():
    def by_lengths(q, k):
        size = np.linalg.norm
        return (size(q + k) ** 2 - size(q - k) ** 2) / 4

    assert checks.dot_product(by_lengths).message == checks.dot_product.exercise.praise
    for name in ("all_cosines", "attention", "greedy", "multi_head", "scaling"):
        assert checks_own(name).ok and checks_own(name).message == exercise_of(name).praise


def checks_own(name):
    return getattr(checks, name)(exercise_of(name).solution)


def test_a_sum_that_is_nearly_one_is_shown_with_all_its_digits():
    def answer(scores):
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return powers / (powers.sum(-1, keepdims=True) + 1e-3)

    said = re.search(r"your rows sum to ([\d.]+)…", checks.softmax(answer).message)
    assert 0.998 < float(said[1]) < 1


def test_of_an_input_that_is_not_numbers_it_is_not_said_that_it_is_ignored():
    message = checks.control(lambda row, key: (key + 2) % len(row)).message
    assert message.endswith("whatever numbers stand in row; does your function use them?")
    message = checks.multi_head(lambda *case: 3).message
    assert message.endswith("whatever numbers stand in its arrays; does your function use them?")


def test_a_part_that_returns_a_list_is_not_said_to_return_nothing():
    def answer(ids, table):
        return table[ids] * table.shape[1] ** 0.5 + sines(*table[ids].shape[1:]).tolist()[None]

    message = checks.embedding(answer).message
    assert "a part that you call returns a list; np.array(...)" in message


def sines(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, d_model)


def test_wrong_inputs_are_refused():
    def same(x):
        """answer(x (d,)) -> (d,)."""
        return x

    for case in (np.ones(2), (np.ones(2), 1)):
        with pytest.raises(ValueError, match=r"same takes \(x\); right wants a tuple of 1"):
            right("praise.", case)(same)
    with pytest.raises(ValueError, match="same: the praise comes first, then the inputs"):
        right((np.ones(2),), (np.ones(3),))(same)


def test_a_function_of_inputs_is_no_right_number():
    with pytest.raises(ValueError, match="most takes inputs; right_number wants"):

        @right_number("it is.", (2, 3))
        def most(scores):
            return scores.max()


def test_do_not_round_is_said_only_of_rounding():
    assert "Do not round" in checks.dot_product(lambda q, k: round(q @ k, 2)).message
    assert "Do not round" not in checks.dot_product(lambda q, k: q @ k + 0.004).message


def cosine(q, k):
    return q @ k / np.linalg.norm(q) / np.linalg.norm(k)


def test_a_factor_is_told():
    @right("praise.", (np.array([[1, 2.5, 3], [0.5, 2, 4]]),), (np.array([[2, 1.0], [3, 1]]),))
    def halves(x):
        """answer(x (T, d)) -> (T, d)."""
        return x / 2

    for answer, said in [
        (lambda x: -x / 2, "the numbers are right, but all signs are turned round."),
        (lambda x: 3 * x / 2, "each number is the right one times 3.00: what is"),
        (lambda x: x / 2 * [[2], [-1]], "times a number of its own, -1.00…2.00: what is"),
        (lambda x: x / 2 + 1, "the shape is right, but at"),
    ]:
        assert said in halves(answer).message


def test_two_numbers_are_shown_with_as_many_digits_as_differ():
    message = checks.dot_product(lambda q, k: q @ k + 0.00004).message
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
from lib.attention import softmax
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
