"""What holds for every demo."""

import re

import ipywidgets
import pytest

from tests.pages.exercises import code_of_pages
from tests.widgets.demos import EXAMPLES


@pytest.fixture(params=EXAMPLES, name="demo")
def any_demo(request):
    return EXAMPLES[request.param]()


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_demo_is_on_a_page(name):
    code = "".join(code_of_pages().values())
    assert re.search(rf"\bwidgets\.{name}\(", code), (
        f"{name} is on no page: add a cell to its page, and to demos.ipynb if it is for a class "
        "(CONTRIBUTING, To add a demo)"
    )


def test_a_page_that_a_reader_saves_has_the_demo_in_words(demo):
    data, _ = demo._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data, "a live page shows the live demo"
    assert set(data) <= {"application/vnd.jupyter.widget-view+json", "text/plain"}
    for words in (demo.header.title, demo.header.question):
        assert words in data["text/plain"]
    for control in demo.settings:
        assert f"{control.description}: {control.value}" in data["text/plain"]


def test_the_key_of_a_picture_is_known_without_telling(demo):
    before = {control: control.value for control in demo.settings}
    key = demo.picture_key()
    assert len(key) == 16 and demo.picture_key() == key
    assert {control: control.value for control in demo.settings} == before
    demo.header.question = "Predict: something else?"
    assert demo.picture_key() != key


def test_two_of_a_kind_have_the_same_key():
    for name, make in EXAMPLES.items():
        assert make().picture_key() == make().picture_key(), name


def test_the_text_of_a_demo_does_not_change_from_run_to_run(demo):
    assert " at 0x" not in repr(demo) and type(demo).__name__ in repr(demo)


def test_every_demo_asks_for_a_prediction(demo):
    assert "?" in demo.header.question and demo.header.title and not demo.header.message


def test_reset_puts_every_control_back(demo):
    start = {control: control.value for control in demo.controls if control.has_trait("value")}
    for control in start:
        if hasattr(control, "options"):
            control.index = len(control.options) - 1
        elif isinstance(control.value, bool):
            control.value = not control.value
    demo._handle_custom_msg({}, [])  # a stray message changes nothing
    demo.header._handle_custom_msg({"type": "reset"}, [])
    assert {control: control.value for control in start} == start
    assert demo.header.message == ""


@pytest.mark.parametrize("error", [RuntimeError("odd\nlines"), SystemExit("out"), KeyError("k")])
def test_whatever_fails_in_a_callback_is_said_and_the_demo_goes_on(demo, error, caplog):
    def fails():
        raise error

    works, demo.update = demo.update, fails
    callbacks = [lambda: demo.header._handle_custom_msg({"type": "reset"}, [])]
    if hasattr(demo, "story"):
        demo.coming = fails
        callbacks.append(lambda: demo.drawing.set_trait("presses", demo.drawing.presses + 1))
    for control in demo.controls:
        if hasattr(control, "act"):
            control.act = fails
            callbacks.append(control.click)
    for callback in callbacks:
        demo.say("")
        caplog.clear()
        callback()
        assert type(error).__name__ in demo.header.message
        assert "\n" not in demo.header.message
        assert type(error).__name__ in caplog.text, "the error is lost for whoever mends lib"
    vars(demo).pop("coming", None)
    demo.update = works
    demo.refresh()
    assert type(error).__name__ not in demo.header.message


def test_an_interrupt_in_a_callback_ends_it(demo):
    def interrupted():
        raise KeyboardInterrupt

    demo.update = interrupted
    demo.refresh()
    assert demo.header.message.startswith("Interrupted.")


def test_an_interrupt_while_an_interrupt_is_told_takes_no_sentence_away(demo):
    def interrupted(*_):
        raise KeyboardInterrupt

    sent, send = [], demo.header.send_state

    def once_interrupted(key=None):
        sent.append(key)
        if len(sent) == 1:
            raise KeyboardInterrupt
        send(key)

    demo.header.send_state = once_interrupted
    demo.attempt(interrupted)
    assert demo.header.message.startswith("Interrupted.") and sent[-1] == "message"


def test_a_lesson_sees_whether_a_demo_is_as_at_its_start(demo):
    assert not demo.header.moved
    veiled = [drawing for drawing in demo.drawings if getattr(drawing, "veiled", False)]
    for drawing in veiled:
        drawing.veiled = False
    for control in demo.settings[:1]:
        if hasattr(control, "options"):
            control.index = (control.index + 1) % len(control.options)
        elif isinstance(control.value, bool):
            control.value = not control.value
    assert demo.header.moved == bool(veiled or demo.settings)
    demo.reset()
    assert not demo.header.moved


def test_what_is_typed_into_any_text_box_is_cut(demo):
    boxes = [control for control in demo.controls if isinstance(control, ipywidgets.Text)]
    for box in boxes:
        box.value = f"{'y' * 41} {'the animal ' * 100}"
        assert box.value.startswith(f"{'y' * 40}… the animal") and len(box.value) <= 1001
        assert "The text of 1,142 letters was cut" in demo.header.message
        box.value = box.value
        assert len(box.value) <= 1001, "what was cut is not cut again"
