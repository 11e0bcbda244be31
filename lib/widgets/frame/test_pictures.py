"""When a picture is stale, and the page that it is taken from."""

import json
import re
import shutil

import numpy as np
import pytest

from lib import widgets
from lib.widgets.frame.pictures import html_of, without_last_digits
from tests.widgets.demos import train_on, training
from tools.page_pictures import in_words

NOISE = 3e-7


@pytest.mark.parametrize("seed", range(20))
def test_the_last_digits_of_another_processor_do_not_count(seed):
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(64), 64).astype(np.float32)
    other = (weights * (1 + NOISE * generator.standard_normal(weights.shape))).astype(np.float32)
    scores = [0.125, 1.0, 10.0, 0.005]
    nearly = [score * (1 + NOISE) for score in scores]
    assert without_last_digits([weights.tobytes(), scores]) == without_last_digits(
        [other.tobytes(), nearly]
    )
    assert without_last_digits("largest error 4.8e-07") == without_last_digits(
        "largest error 1e-08"
    )


@pytest.mark.parametrize(
    "one, other",
    [
        ([0.5, 1.5], [0.6, 1.5]),
        ([0.5, 1.5], [1.5, 0.5]),
        ([0.5, 1.5], [0.5, 1.5, 0.0]),
        (3, 4),
        ("it", "if"),
        ({"word": 0.31}, {"word": 0.35}),
        (b"\1\1\0\1", b"\1\1\1\1"),
        (np.float32([0.7, 0.3]).tobytes(), np.float32([0.3, 0.7]).tobytes()),
        (bytes(range(200)), bytes(reversed(range(200)))),
    ],
)
def test_what_is_seen_counts(one, other):
    assert without_last_digits(one) != without_last_digits(other)
    json.dumps(without_last_digits(one))


def test_a_key_follows_controls_what_is_pointed_at_and_how_it_is_told():
    class Told(widgets.Bars):
        def tell(self):
            self.number.value = 64

    bars = widgets.Bars()
    keys = [bars.picture_key()]
    bars.temperature.value = 5.0
    keys.append(bars.picture_key())
    bars.drawing.scores = [1.0] * 8
    keys.append(bars.picture_key())
    other = Told()
    keys.append(other.picture_key())
    Told.__name__ = "Bars"
    keys.append(other.picture_key())
    assert len(set(keys)) == 5
    bars.reset()
    assert bars.picture_key() == keys[0]


def test_the_key_of_a_training_does_not_depend_on_its_numbers():
    demo = training()
    key = demo.picture_key()
    train_on(demo)
    assert demo.picture_key() == key
    demo.map.query = 2
    assert demo.picture_key() != key


def test_a_page_needs_nothing_else():
    demo = widgets.Bars([1.0, 2.0], ["</script><b>", "<!--"])
    page = html_of(demo)
    assert page.count("</script>") == 2 and "<b>" not in page
    shown = json.loads(re.search(r'id="shown">(.*?)</script>', page, re.DOTALL)[1])
    header, _ = shown["tree"]["children"]
    assert header["traits"]["title"] == demo.header.title
    assert not re.search(r'(src|href)="?http', page)


@pytest.mark.parametrize("name", ["bars", "bars.jpg"])
def test_other_kinds_of_files_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"expected a name with \.html, \.svg or \.png"):
        widgets.Bars().save(tmp_path / name)


def test_a_missing_browser_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match="(?s)`chromium`.*install it|Playwright"):
        widgets.Bars().save(tmp_path / "bars.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_is_said_with_its_title_and_question():
    """Its caption alone says which cell is pointed at, and not what is seen."""
    made = {"title": "Softmax", "question": "Who leads?", "caption": "\u2068猫\u2069 0.5, dog 0.3"}
    assert in_words(made) == "Softmax. Who leads? 猫 0.5, dog 0.3."
    assert in_words({**made, "question": "", "caption": ""}) == "Softmax."
