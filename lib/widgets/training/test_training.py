"""Training on a page: steps extend the curves, a second run begins again, Reset goes back."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lib import modules, widgets
from lib.widgets.frame.record import recorded
from lib.widgets.training.learns_digits import learns_digits

BEFORE, AFTER = np.full((2, 3), 1 / 3), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


@pytest.fixture
def view():
    return widgets.Training(
        BEFORE, ["a", "b"], ["x", "y", "z"], steps=100, curves=("loss", "right")
    )


def test_steps_extend_the_curves_and_replace_the_map(view):
    view.show(10, BEFORE, loss=2.0, right=0.1)
    view.show(20, AFTER, loss=np.float32(0.5), right=0.9)
    assert view.history == {"loss": [2.0, 0.5], "right": [0.1, 0.9]} and view.curve.x == [10, 20]
    np.testing.assert_allclose(view.map.array[0], AFTER)
    assert view.curve.texts == ["", ""]


def test_a_second_run_does_not_lay_a_curve_over_the_first(view):
    for step in (10, 20, 10):
        view.show(step, AFTER, loss=step, right=0)
    assert view.curve.x == [10] and view.history["loss"] == [10.0]


def test_reset_shows_what_there_was_before(view):
    view.show(10, AFTER, loss=1, right=0)
    view.reset()
    assert view.curve.x == [] and view.history == {"loss": [], "right": []}
    np.testing.assert_allclose(view.map.array[0], BEFORE, rtol=1e-6)


def test_a_forgotten_number_is_named(view):
    with pytest.raises(KeyError, match="right"):
        view.show(10, AFTER, loss=1)


def press_train(view):
    view.curve._handle_custom_msg({"type": "train"}, [])


def test_a_button_trains_where_no_other_cell_does():
    began = []

    def start():
        began.append(view.curve.can_train)
        press_train(view)  # a second click must not train once more

    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], start=start)
    assert view.curve.can_train and view.curve.waiting == "Press train to start."
    press_train(view)
    assert began == [False] and view.curve.can_train


def test_after_its_last_step_enter_starts_over():
    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], steps=20, start=lambda: None)
    for step, is_running, enter in [(10, False, None), (20, True, None), (20, False, "")]:
        view.curve.running = is_running
        view.show(step, AFTER, loss=1)
        assert view.curve.enter == enter
    view.curve.presses += 1
    assert view.curve.x == [] and view.curve.enter is None


def test_without_a_start_nothing_trains(view):
    press_train(view)
    assert view.curve.x == [] and not view.curve.can_train


def test_what_was_trained_is_recorded_and_stays_on_the_screen():
    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], start=lambda: None)
    view.show(10, BEFORE, loss=2.0)
    view.show(20, AFTER, "text", loss=0.5)
    played = recorded(view).given
    assert [(one["step"], one["writes"], one["numbers"]) for one in played["reports"]] == [
        (10, "", [2.0]),
        (20, "text", [0.5]),
    ]
    assert set(played["before"]) == set(played["reports"][1]["map"]) and played["before"]
    assert view.curve.x == [10, 20] and view.curve.texts == ["", "text"]
    np.testing.assert_allclose(view.map.array[0], AFTER)


def test_without_a_map_the_curves_have_the_stage_and_are_recorded():
    def start():
        reports = [SimpleNamespace(step=step, steps=20) for step in (10, 20)]
        view.follow(reports, None, writes=lambda report: "le chat", right=lambda report: 1.0)

    names = {"curves": [], "shares": ["right"]}
    view = widgets.Training(None, ["le", "chat"], ["the", "cat"], 20, start=start, **names)
    assert view.drawings == [view.curve] and view.curve.alone
    assert (view.curve.reads, view.curve.wanted) == (["the", "cat"], ["le", "chat"])
    played = recorded(view).given
    assert [one["numbers"] for one in played["reports"]] == [[1.0], [1.0]]
    assert played["before"] == {} and played["pointed"] == []
    press_train(view)
    assert view.curve.texts == ["le chat"] * 2
    view.reset()
    assert view.curve.x == []


def test_what_no_button_trains_cannot_live_without_python(view):
    with pytest.raises(ValueError, match="computes in Python"):
        recorded(view)


def test_bets_outlive_the_start_of_a_run_and_not_a_reset(view):
    view.curve.bets = [30, 70]
    view.show(10, AFTER, loss=2.0, right=0.1)
    view.show(10, AFTER, loss=2.0, right=0.1)  # the training began again
    assert view.curve.x == [10] and view.curve.bets == [30, 70]
    view.reset()
    assert view.curve.bets == []


@pytest.mark.parametrize(
    ("named", "answer"),
    [
        ({"shares": ["right"]}, "reached"),
        ({"shares": ["read", "new"]}, "last"),
        ({}, "last"),
        ({"curves": ["read", "new"], "answer": "gap"}, "gap"),
        ({"answer": ""}, ""),
    ],
)
def test_the_large_number_answers_what_the_curves_can_tell(named, answer):
    made = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], **named)
    assert made.curve.answer == answer


def test_the_large_number_is_the_newest_step_until_there_is_the_answer():
    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], curves=[], shares=["right"])
    for step, right, said in [(10, 0.5, 10), (20, 0.99, 20), (30, 1.0, 20), (40, 1.0, 20)]:
        view.curve.running = True
        view.show(step, AFTER, right=right)
        for looked_at in (step, 10):
            seen = {"captions": [f"step {looked_at}: ", ""]}
            assert view.numbers_on_screen(seen).texts[0] == said


def test_what_the_model_writes_is_shown_with_each_report(view):
    reports = [SimpleNamespace(step=step, steps=20) for step in (10, 20)]
    last = view.follow(
        reports,
        lambda report: AFTER,
        writes=lambda report: f"text of {report.step}",
        loss=lambda report: 1.0,
        right=lambda report: 0.5,
    )
    assert last.step == 20 and view.curve.texts == ["text of 10", "text of 20"]
    assert view.curve.left == "" and not view.curve.running


def test_its_picture_is_stale_once_it_is_trained_otherwise(tmp_path, monkeypatch):
    def start():
        return 1

    def start_otherwise():
        return 2

    def key_with(begin):
        view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], start=begin)
        return view.picture_key()

    assert key_with(start) == key_with(start) != key_with(start_otherwise)
    words = tmp_path / "words.py"
    words.write_text("other words")
    before = key_with(start)
    monkeypatch.setattr("lib.widgets.training.training._what_learns", lambda: [words])
    assert key_with(start) != before


READERS = {"__name__": "__main__"}  # the names of a notebook's cells
exec(
    """
def my_block(x):
    return x.view(-1, 3)

def leaves(x):
    raise SystemExit

def breaks_off(x):
    raise KeyboardInterrupt
""",
    READERS,
)


class StubbornError(Exception):
    def __str__(self):
        raise TypeError("no text")


def stubborn(_report):
    raise StubbornError


@pytest.mark.parametrize(
    "name, sentence",
    [
        ("my_block", "Training stopped in my_block: AttributeError: 'int' object has no "),
        ("leaves", "Training stopped in leaves: SystemExit. "),
        ("breaks_off", "Stopped after step "),
    ],
)
@pytest.mark.parametrize("where", ["reports", "weights", "writes", "loss"])
def test_whatever_the_readers_code_raises_ends_in_a_sentence(name, sentence, where, caplog):
    fails = READERS[name]
    steps = [SimpleNamespace(step=step, steps=5) for step in (1, 2)]

    def reports():
        yield from steps[:1]
        if where == "reports":
            fails(1)
        yield steps[1]

    def fine_at_first(part, value):
        return lambda report: fails(1) if part == where and report.step > 1 else value

    def start():
        view.follow(
            reports(),
            fine_at_first("weights", AFTER),
            fine_at_first("writes", "text"),
            loss=fine_at_first("loss", 1.0),
        )

    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], steps=5, start=start)
    press_train(view)
    assert view.header.message.startswith(sentence)
    assert "ress train" in view.header.message
    assert not view.curve.running and view.curve.can_train and view.curve.left == ""
    assert bool(caplog.records) == (name != "breaks_off"), "what is wrong with lib is seen in tests"


def test_what_the_page_asks_meanwhile_does_not_end_a_training():
    """Jupyter asks whether the kernel is there, and hears it beside the training."""
    seen = []

    def reports():
        for step in (1, 2):
            view.attempt(lambda: None)
            seen.append(view.curve.running)
            yield SimpleNamespace(step=step, steps=2)

    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], steps=2)
    view.follow(reports(), lambda report: AFTER, loss=lambda report: 1.0)
    assert seen == [True, True]


def test_a_second_interrupt_while_the_first_one_ends_changes_nothing(monkeypatch):
    def start():
        view.follow(reports(), lambda report: AFTER, loss=lambda report: 1.0)

    def reports():
        yield SimpleNamespace(step=1, steps=5)
        monkeypatch.setattr(view, "say", interrupted)
        raise KeyboardInterrupt

    def interrupted(_message):
        monkeypatch.undo()
        raise KeyboardInterrupt

    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], steps=5, start=start)
    press_train(view)
    assert view.header.message.startswith("Stopped after step 1 of 5.")
    assert not view.curve.running and view.curve.can_train


def test_what_fails_before_the_first_step_is_said_as_well():
    def start():
        raise StubbornError

    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"], start=start)
    press_train(view)
    assert view.header.message.startswith("Training stopped: ") and view.curve.can_train


def test_a_cell_that_follows_sees_its_error_and_leaves_no_frame_running():
    view = widgets.Training(BEFORE, ["a", "b"], ["x", "y", "z"])
    with pytest.raises(StubbornError):
        view.follow([SimpleNamespace(step=1, steps=5)], stubborn, loss=stubborn)
    assert not view.curve.running and view.curve.left == ""


WIDE = np.array([[0.6, 0.2, 0.1, 0.1], [0.1, 0.1, 0.7, 0.1], [0.4, 0.1, 0.1, 0.4]])


def test_the_mark_shows_the_middle_rows_largest_until_a_reader_points_elsewhere():
    view = widgets.Training(np.full((3, 4), 0.25), list("abc"), list("wxyz"), steps=9)
    start = (view.map.query, view.map.key)
    view.show(1, WIDE, loss=1)
    assert (view.map.query, view.map.key) == (1, 2)
    view.show(2, WIDE[:, ::-1], loss=1)
    assert (view.map.query, view.map.key) == (1, 1)
    view.map.query = 0
    view.show(3, WIDE, loss=1)
    assert (view.map.query, view.map.key) == (0, 1)
    view.reset()
    assert (view.map.query, view.map.key) == start
    view.show(1, WIDE, loss=1)
    assert (view.map.query, view.map.key) == (1, 2)


def test_a_training_of_digits_begins_anew_each_time():
    def new_model():
        torch.manual_seed(0)
        model = torch.nn.Module()
        model.encoder = modules.Encoder(8, 1, 1, 16, dropout=0.0)
        model.forward = lambda digits: model.encoder(torch.randn(*digits.shape, 8))
        return model

    def learn(model, task, show):
        for step in range(1, 41):
            show(step, torch.rand(()).item())

    view = learns_digits(new_model, learn, None, 40, question="Which pattern?")
    press_train(view)
    once = view.history["loss"]
    press_train(view)
    assert view.curve.x == [20, 40] and view.history["loss"] == once
