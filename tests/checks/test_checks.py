"""Every check accepts every right answer of the bank, and rejects every wrong one with the sentence that names it."""

import inspect
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

from lib import checks
from tests.checks.bank import BANK

NAMES = (
    "pronoun dot_product cosine worse_but_winning all_pairs softmax weighted_sum lead "
    "scaling score_spread softmax_jacobian "
    "attention cross_attention rank split_heads merge_heads multi_head parameter_count "
    "positions add_positions rotary layer_norm post_norm encoder_parameters "
    "shift_right greedy decoder_sublayers causal_mask padding_mask masked_softmax "
    "label_smoothing learning_rate cut_arrow next_word_loss perplexity top_p"
).split()
TAKES_NUMBER = {"lead", "score_spread", "rank"}
NO_ARRAYS = {"parameter_count", "encoder_parameters", "positions", "causal_mask", "greedy"}
FUNCTIONS = [name for name in NAMES if name not in TAKES_NUMBER | {"worse_but_winning", "pronoun"}]
RIGHT = [(name, i, arguments) for name in NAMES for i, arguments in enumerate(BANK[name].right)]
WRONG = [(name, i, *entry) for name in NAMES for i, entry in enumerate(BANK[name].wrong)]


@pytest.fixture(autouse=True)
def _warnings_are_errors():
    with warnings.catch_warnings(action="error"):
        yield


def ask(name, *arguments):
    """What the check says, one line in the same form whatever it is asked."""
    result = getattr(checks, name)(*arguments)
    assert isinstance(result, checks.Result) and isinstance(result.ok, bool)
    assert repr(result) == ("✓ Right: " if result.ok else "✗ Not yet: ") + result.message
    assert (
        "\n" not in result.message and result.message[-1] in ".?" and len(result.message) < 330
    ), result.message
    return result


@pytest.mark.parametrize("name, i, arguments", RIGHT, ids=[f"{name}-{i}" for name, i, *_ in RIGHT])
def test_right_answers_are_accepted(name, i, arguments):
    result = ask(name, *arguments)
    assert result.ok, result


@pytest.mark.parametrize(
    "name, i, arguments, sentence", WRONG, ids=[f"{w[0]}-{w[1]}-{w[3][:30]}" for w in WRONG]
)
def test_wrong_answers_are_named(name, i, arguments, sentence):
    result = ask(name, *arguments)
    assert not result.ok and sentence in result.message, result


def test_the_bank_knows_every_check():
    public = {
        n
        for n, f in vars(checks).items()
        if inspect.isfunction(f) and f.__module__ == checks.__name__
    }
    assert {n for n in public if n[0] != "_"} == set(NAMES) == set(BANK)
    for name in NAMES:
        assert len(BANK[name].right) >= 2 and len(BANK[name].wrong) >= 3, name


@pytest.mark.parametrize("name", NAMES)
def test_docstrings_say_what_the_answer_takes(name):
    check = getattr(checks, name)
    assert check.__doc__ and "\n" not in check.__doc__ and check.__name__ == name
    if name in ("worse_but_winning", "pronoun"):
        return
    assert list(inspect.signature(check).parameters) == ["answer"]
    assert check.__doc__.startswith("answer: " if name in TAKES_NUMBER else "answer(")
    if name in FUNCTIONS:
        inside = re.sub(
            r"\([^()]*(\([^()]*\))?[^()]*\)", "", check.__doc__[7 : check.__doc__.index(" -> ")]
        )
        assert [word.strip(" )") for word in inside.split(",")] == list(
            inspect.signature(table_of(name)).parameters
        )


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
@pytest.mark.parametrize(
    "garbage", GARBAGE, ids=lambda garbage: repr(garbage).partition(" at 0x")[0]
)
def test_garbage_is_reported(name, garbage):
    arguments = [garbage] * {"worse_but_winning": 3, "pronoun": 2}.get(name, 1)
    assert not ask(name, *arguments).ok


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("returned", RETURNED)
def test_garbage_that_is_returned_is_reported(name, returned):
    result = ask(name, lambda *arguments: RETURNED[returned])
    assert not result.ok and "swapped" not in result.message, result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nan_of_the_right_shape_is_called_nan(name):
    first = BANK[name].right[0][0]
    assert (
        "holds NaN" in ask(name, lambda *arguments: np.asarray(first(*arguments)) * np.nan).message
    )


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "error",
    [SystemExit("out"), MemoryError(), KeyError("k"), AssertionError("a\nb"), StopIteration()],
)
def test_errors_are_reported(name, error):
    def answer(*arguments):
        raise error

    assert f"stopped with {type(error).__name__}" in ask(name, answer).message


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_interrupt_passes_through(name):
    def answer(*arguments):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(name, answer)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in NO_ARRAYS])
def test_changed_inputs_are_reported(name):
    first = BANK[name].right[0][0]

    def answer(*arguments):
        result = np.array(first(*arguments))
        arguments[0][...] = 0
        return result

    assert "changes its input" in ask(name, answer).message


def test_no_answer_of_the_bank_changes_the_inputs_of_the_next():
    for name in FUNCTIONS:
        before = record(name)
        for (answer,), _ in BANK[name].wrong:
            ask(name, answer)
        for case, again in zip(before, record(name), strict=True):
            assert all(np.array_equal(x, y) for x, y in zip(case, again, strict=True))


def table_of(name):
    return inspect.getclosurevars(getattr(checks, name)).nonlocals["table"]


def record(name):
    """The inputs that a check gives to an answer."""
    cases = []

    def answer(*arguments):
        given = [
            inspect.unwrap(x) if callable(x) else x for x in arguments
        ]  # without the limit on calls
        cases.append([x.copy() if isinstance(x, np.ndarray) else x for x in given])
        return BANK[name].right[0][0](*arguments)

    assert ask(name, answer).ok
    return cases


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_axis_has_a_size_of_its_own(name):
    axes = re.findall(
        r"(\w+) \((\w+,(?: \w+,?)*)\)", getattr(checks, name).__doc__.split(" -> ")[0]
    )
    names = list(inspect.signature(table_of(name)).parameters)
    cases = record(name)
    assert len(cases) >= 2 and (axes or name in NO_ARRAYS)
    for case in cases:
        axes = [(argument, letters) for argument, letters in axes if argument in names]
        sizes = {"H": case[names.index("heads")]} if "heads" in names else {}
        for argument, letters in axes:
            shape = case[names.index(argument)].shape
            for letter, size in zip(letters.replace(",", " ").split(), shape, strict=True):
                assert sizes.setdefault(letter, size) == size
        if {"H", "d", "d_model"} & sizes.keys() > {"H"}:
            sizes["d_k"] = sizes.get("d", sizes.get("d_model")) // sizes["H"]
        assert len(set(sizes.values())) == len(sizes), sizes


@pytest.mark.parametrize(
    "name", ["softmax", "scaling", "attention", "cross_attention", "multi_head", "masked_softmax"]
)
def test_inputs_do_not_saturate(name):
    """A published check took no scaling, / d and × sqrt(d) for right, because its inputs made softmax one-hot."""
    for case in record(name)[:2]:
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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_answers_of_the_bank_are_far_from_right(name):
    cases = record(name)
    for (answer,), sentence in BANK[name].wrong:
        if "does your loop end" in sentence:
            continue
        gaps = []
        for case in cases:
            copies = [x.copy() if isinstance(x, np.ndarray) else x for x in case]
            wanted = np.asarray(first_of(BANK[name].right[0][0](*copies)), dtype=float)
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                    value = np.asarray(answer(*copies), dtype=float)
            except (Exception, SystemExit):
                value = np.full(1, np.nan)
            same_shape = value.shape == wanted.shape
            gaps.append(
                np.nan_to_num(np.abs(value - wanted), nan=1).max() if same_shape else np.inf
            )
        if not any(
            part in sentence for part in ("changes its input", "not real numbers", "mask == 1")
        ):
            assert max(gaps) > 1e-3, (name, sentence)


def first_of(value):
    return value[0] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_a_table_are_far_from_right_and_can_all_be_said(name):
    """Each single mistake that the inputs allow is found under its own sentence, or under one that is as true."""
    cases, table = record(name), table_of(name)
    as_true = {
        ("multi_head", "sqrt(T)"): "sqrt(S)",  # as many queries as keys
        ("multi_head", "queries and keys are swapped"): "W_Q and W_K are swapped",
    }
    with np.errstate(all="ignore"):
        tables = [list(table(*case)) for case in cases]
    for place, (_, sentence) in list(enumerate(tables[0]))[1:]:
        rows = [np.asarray(rows[place][0], dtype=float) for rows in tables]
        if sentence.startswith("two mistakes") or tables[0][place][0] is None:
            continue
        rights = [np.asarray(rows[0][0], dtype=float) for rows in tables]
        if name == "multi_head" and "sqrt(d_v)" in sentence:
            continue  # d_v = d_k: this is no mistake
        far = [
            a.shape != b.shape or not np.abs(a - b).max() < 1e-3
            for a, b in zip(rows, rights, strict=True)
        ]
        assert all(far[:2]) or any(far) and sentence.startswith(("right ", "right,")), (
            name,
            sentence,
        )

        def answer(*arguments, place=place):
            with np.errstate(all="ignore"):
                return list(table(*arguments))[place][0]

        said = ask(name, answer).message
        expected = next(
            (t for (n, part), t in as_true.items() if n == name and part in sentence), sentence
        )
        assert expected in said, (said, sentence)


def test_tensor_code_is_not_needed_for_numpy_code():
    code = "import sys; from lib import checks; checks.softmax(lambda s: 1 / 0); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_more_than_one_mistake():
    def answer(queries, keys):
        e = np.exp(queries @ keys.T)
        return e / e.sum(-1, keepdims=True) / queries.shape[-1]

    assert "sum to 0.14, and each row has to sum to 1" in ask("scaling", answer).message

    def columns(queries, keys):
        e = np.exp((queries @ keys.T) ** 2 / 50)
        return e / e.sum(axis=0)

    assert "your columns sum to 1, your rows sum to" in ask("scaling", columns).message
