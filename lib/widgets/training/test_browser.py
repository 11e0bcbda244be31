"""Training as a class sees it: curves grow while the cell runs, and Stop ends it."""

DEMO = """widgets.Training(
    [[0.5, 0.5], [0.5, 0.5]], ["a", "b"], steps=10**6, question="Predict: will it stop?"
)"""
TRAIN = """
import itertools
from types import SimpleNamespace

import numpy as np

def steps():
    for n in itertools.count(1):
        np.linalg.svd(np.ones((300, 300)))  # a step that takes its time
        yield SimpleNamespace(step=n, steps=10**6, loss=1 / n)


if "asked" in globals():
    last = demo.follow(steps(), lambda report: [[1, 0], [0, 1]], loss=lambda report: report.loss)
asked = True
"""
READ = "'last' in globals() and (last.step > 1, demo.history['loss'][:2])"


def test_stop_ends_a_training_that_would_go_on_for_ever(live_in_lab):
    view = live_in_lab(DEMO, TRAIN, READ)
    view.says("Run the next cell to start.")
    view.page.cell(1).click()
    view.press("Control+Enter")
    stop = view.demo.get_by_role("button", name="Stop")
    view.says("loss 0.")
    view.demo.get_by_text("s left").wait_for()
    stop.click()
    view.demo.get_by_text("Stopped after step").wait_for()
    stop.wait_for(state="hidden")
    assert view.output(2) == "(True, [1.0, 0.5])"


STEPS = """
import itertools
from types import SimpleNamespace

import numpy as np

times = []


def steps():
    times.append(0)
    for n in itertools.count(1) if len(times) == 1 else range(1, 6):
        np.linalg.svd(np.ones((300, 300)))  # a step that takes its time
        yield SimpleNamespace(step=n, steps=10**6 if len(times) == 1 else 5, loss=1 / n)


def train():
    demo.follow(steps(), lambda report: [[1, 0], [0, 1]], loss=lambda report: report.loss)

"""
BUTTON = """widgets.Training(
    [[0.5, 0.5], [0.5, 0.5]], ["a", "b"], steps=5, question="Predict: ?", start=train
)"""


def test_train_stop_reset_and_train_again_in_full_screen(live_in_lab):
    view = live_in_lab(BUTTON, "len(times), demo.history['loss'][-1]", before=STEPS)
    with view.page.full_screen(view.demo):
        view.says("Press train to start.")
        view.demo.get_by_role("button", name="train").click()
        view.demo.get_by_text("s left").wait_for()
        view.demo.get_by_role("button", name="Stop").press("Space")
        view.demo.get_by_text("Stopped after step").wait_for()
        view.demo.get_by_role("button", name="Reset").click()
        view.says("Press train to start.")
        view.demo.get_by_role("button", name="train").click()
        view.says("step 5: loss 0.2")
    assert view.output(1) == "(2, 0.2)"


ASKED = """widgets.Training(
    [[0.5, 0.5], [0.5, 0.5]], ["a", "b"], steps=20, question="Predict: ?", shares=["right"]
)"""
SHOW = "demo.show(20, [[1, 0], [0, 1]], loss=1.0, right=1.0)"


def test_a_bet_stands_where_it_was_made_while_the_model_learns_and_after_it(live):
    shown = live(ASKED, "demo.curve.running = True", SHOW, "demo.curve.running = False")
    shown.svg.first.focus()
    shown.press("ArrowRight")
    bet = shown.svg.first.locator("[data-id='bet 0']")
    made = bet.get_attribute("d")
    for cell in (1, 2, 3):
        shown.output(cell)
        assert bet.get_attribute("d") == made and shown.demo.locator(".map").is_visible()
    shown.says("step 20: ")
    assert shown.problems() == []


RUNNING = """widgets.Training(
    [[0.5, 0.5], [0.5, 0.5]], ["a", "b"], question="Predict: ?", start=lambda: None
)"""


def test_enter_stops_no_run(live):
    shown = live(RUNNING, "demo.curve.running = True", "getattr(demo, 'stopping', False)")
    shown.output(1)
    stop = shown.demo.get_by_role("button", name="Stop")
    stop.wait_for()
    shown.svg.first.focus()
    shown.press("Enter")
    stop.focus()
    shown.press("Enter")
    assert shown.output(2) == "False" and shown.problems() == []


FAILING = """
from types import SimpleNamespace

times = []


def my_loss(report):
    if len(times) == 1 and report.step == 2:
        raise SystemExit("out")
    return 1 / report.step


def train():
    times.append(0)
    steps = [SimpleNamespace(step=n, steps=3) for n in (1, 2, 3)]
    demo.follow(steps, lambda report: [[1, 0], [0, 1]], loss=my_loss)

"""


def test_a_mistake_in_the_readers_code_ends_a_training_and_it_can_begin_again(live_in_lab):
    view = live_in_lab(BUTTON, "len(times), demo.history['loss']", before=FAILING)
    view.demo.get_by_role("button", name="train").click()
    view.demo.get_by_text("Training stopped in my_loss: SystemExit: out.").wait_for()
    view.demo.get_by_role("button", name="train").click()
    view.says("step 3: loss 0.3")
    assert view.output(1) == "(2, [1.0, 0.5, 0.3333333333333333])"
