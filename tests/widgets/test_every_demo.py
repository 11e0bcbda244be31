"""What holds for every demo, and the demos with bars, histograms and tables.

Run as a script, this file writes the numbers that the JavaScript of the bars is tested against.
"""

import json
import re
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

from lib import saved, widgets
from lib.attention import softmax
from lib.widgets.frame import WIDGETS, sources

GOLDEN = Path(__file__).parent / "golden" / "bars.json"
WEIGHTS = softmax(np.random.default_rng(0).standard_normal((2, 3, 4)))
DEMOS = {
    "Arrows": widgets.Arrows,
    "AttentionMap": lambda: widgets.AttentionMap(WEIGHTS, list("abc"), list("abcd")),
    "AttentionSteps": widgets.AttentionSteps,
    "Bars": widgets.Bars,
    "Clocks": widgets.Clocks,
    "Depth": widgets.Depth,
    "DecoderStepper": widgets.DecoderStepper,
    "Directions": widgets.Directions,
    "EqualTable": lambda: widgets.EqualTable(
        lambda n: {"sum": (np.ones(n), np.ones(n))}, n=(2, [1, 2, 3])
    ),
    "Heads": widgets.Heads,
    "LiveTable": lambda: widgets.LiveTable(
        lambda n: [["n", n]], "n", "Predict: n?", ["", "n"], n=(2, [1, 2, 3])
    ),
    "MaskPainter": widgets.MaskPainter,
    "Patches": widgets.Patches,
    "ScalingDial": widgets.ScalingDial,
    "Training": lambda: widgets.Training(
        WEIGHTS, list("abc"), list("abcd"), 10, question="Predict: ?"
    ),
    "Translator": lambda: widgets.Translator(saved.load("french_gloss")),
    "Writer": lambda: widgets.Writer(saved.load("writer")),
}


@pytest.fixture(params=DEMOS, name="demo")
def any_demo(request):
    return DEMOS[request.param]()


def golden():
    """Scores whose last one stands for several equal keys, with their weights."""
    cases = [
        ([2.0, 1.0, 0.0], 1),
        ([2.0, 0.0], 63),
        ([1000.0, 999.0, -1000.0], 5),
        ([-3.5, -3.5], 4095),
    ]
    rows = [
        {"scores": s, "copies": n, "weights": softmax(s + s[-1:] * (n - 1))[: len(s)].tolist()}
        for s, n in cases
    ]
    return rows


def test_every_public_demo_is_tested():
    assert set(DEMOS) == set(widgets.__all__)


def test_a_picture_stands_where_the_demo_cannot_run(demo):
    data, metadata = demo._repr_mimebundle_()
    assert b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert "application/vnd.jupyter.widget-view+json" in data, "a live page shows the live demo"
    assert "text/html" not in data and "image/svg+xml" not in data, "an untrusted page hides them"
    assert metadata["image/png"]["width"] > 300


def test_the_text_of_a_demo_does_not_change_from_run_to_run(demo):
    assert " at 0x" not in repr(demo) and type(demo).__name__ in repr(demo)


def test_every_demo_asks_for_a_prediction(demo):
    assert "Predict" in demo.header.question and demo.header.title and not demo.header.message


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


def test_golden_numbers_are_fresh():
    assert json.loads(GOLDEN.read_text()) == golden()


def test_bars_follow_the_buttons_and_are_read_back():
    demo = widgets.Bars()
    before = demo.weights
    buttons = {
        control.description: control for control in demo.controls if not control.has_trait("value")
    }
    buttons["+ 3 to all"].click()
    np.testing.assert_allclose(demo.weights, before)
    buttons["× 3"].click()
    assert demo.weights.max() > 0.75
    buttons["one leads by 2"].click()
    demo.number.value = 4096
    assert demo.weights.shape == (4096,) and demo.weights[0] == pytest.approx(0.0018, abs=1e-4)
    demo.temperature.value = 0.1
    assert demo.weights[0] > 0.99


@pytest.mark.parametrize("scores", [[1.0], [1.0, np.nan], [1.0, np.inf], [1.0, 2.0, 3.0]])
def test_bars_refuse_what_they_cannot_show(scores):
    with pytest.raises(ValueError, match="expected two or more finite scores"):
        widgets.Bars(scores, ["a", "b"])


def test_the_dial_shows_what_notebook_3_says():
    dial = widgets.ScalingDial()
    shares = {}
    for d_k in (1, 64, 512):
        dial.d_k.value = d_k
        shares[d_k] = dial.saturated
        assert dial.scores.std() == pytest.approx(d_k**0.5, rel=0.1)
        assert sum(dial.drawing.counts) == dial.scores.size, (
            "scores beyond the axis are counted at its ends"
        )
    assert shares[1] == 0 and 0.2 < shares[64] < 0.35 and 0.6 < shares[512] < 0.8
    dial.divisor.value = "√d_k"
    assert dial.saturated == 0 and dial.scores.std() == pytest.approx(1, rel=0.05)


def test_random_directions_narrow_with_the_root_of_d():
    demo = widgets.Directions()
    for d in (2, 64, 512):
        demo.d.value = d
        assert demo.cosines.std() == pytest.approx(d**-0.5, rel=0.1)


def test_a_table_says_what_went_wrong_and_shows_no_old_numbers():
    def fragile(n):
        if n == 3:
            raise KeyError("three")
        return [["n", n]]

    demo = widgets.LiveTable(fragile, "t", "Predict: ?", ["", "n"], n=(1, [1, 2, 3]))
    demo.sliders["n"].value = 2
    demo.sliders["n"].value = 3
    assert demo.header.message == "KeyError: 'three'" and demo.drawing.rows == []
    demo.sliders["n"].value = 1
    assert demo.header.message == "" and demo.drawing.rows == [["n", "1"]]


def test_equal_means_equal():
    pairs = {
        "same": (np.ones(3), np.ones(3)),
        "off": (np.ones(3), np.ones(3) + 2e-6),
        "shape": (np.ones(3), np.ones((1, 3))),
        "nan": (np.ones(3), np.full(3, np.nan)),
    }
    demo = widgets.EqualTable(lambda n: pairs, n=(1, [1, 2]))
    verdicts = {row[0]: row[-1] for row in demo.drawing.rows}
    assert verdicts["same"].startswith("yes")
    assert (
        verdicts["off"].startswith("NO")
        and verdicts["nan"].startswith("NO")
        and verdicts["shape"].startswith("no")
    )


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(golden(), indent=1) + "\n")
