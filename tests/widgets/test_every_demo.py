"""What holds for every demo."""

import re
from base64 import b64decode

import pytest

from lib.widgets.frame import WIDGETS, sources
from tests.widgets.demos import EXAMPLES


@pytest.fixture(params=EXAMPLES, name="demo")
def any_demo(request):
    return EXAMPLES[request.param]()


def test_a_picture_stands_where_the_demo_cannot_run(demo):
    data, metadata = demo._repr_mimebundle_()
    assert b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert "application/vnd.jupyter.widget-view+json" in data, "a live page shows the live demo"
    assert "text/html" not in data and "image/svg+xml" not in data, "an untrusted page hides them"
    assert metadata["image/png"]["width"] > 300


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


def test_a_module_is_whole_without_its_neighbours():
    for path in WIDGETS.glob("*.mjs"):
        script, style = sources(path.stem)
        assert not re.search(r"^import ", script, re.M)
        assert script.count("export default") <= 1 and ".demo" in style
