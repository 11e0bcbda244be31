"""The live demos of the site in a real browser: what the page plays is drawn, and can be moved."""

import re

import numpy as np
import pytest

from lib import widgets
from lib.attention import softmax
from lib.widgets.frame.pictures import WINDOW, drawn
from lib.widgets.live import SUBJECTS, page_of
from tests.browser.measuring import problems, problems_in_a_hall
from tools.browser import TWO_FRAMES

PRESSES = 40  # of Enter; more than any story needs
DRAWING = "svg[data-lm-suppress-shortcuts]"
THEME = "(demo, isLight) => { document.body.dataset.jpThemeLight = isLight; }"


@pytest.fixture(scope="module")
def window(browser):
    with browser.new_context(viewport=WINDOW, reduced_motion="reduce") as context:
        yield context.new_page()


def caption(page):
    return page.locator("figcaption").first.inner_text()


def enter(page):
    """Press Enter, and wait until what it changes is drawn: its label too."""
    page.keyboard.press("Enter")
    page.evaluate(TWO_FRAMES)


# They only show, play by themselves, never end.
OTHERWISE = re.compile(".*Maps|Equal|Cache|Shapes|Training|Learns|With|Writer")
TOLD = [name for name in SUBJECTS if not OTHERWISE.match(name)]


@pytest.mark.parametrize("name", TOLD)
def test_the_story_is_told_to_its_end_and_starts_over(window, name):
    with drawn(window, page_of(name)) as page:
        first, told = caption(page), []
        page.locator(DRAWING).first.focus()
        for _ in range(PRESSES):
            if "Start over" in page.locator(".demo-next").first.inner_text():
                break
            enter(page)
            told.append(caption(page))
        assert "Start over" in page.locator(".demo-next").first.inner_text()
        assert len(set(told)) > 1 or (len(told) == 1 and told[0] != first)
        enter(page)  # it only asks
        enter(page)
        assert caption(page) == first


def problems_in_both_themes(demo):
    """The yellow of what is new comes with an answer: in the dark its letters are black."""
    found = problems(demo)
    demo.evaluate(THEME, False)
    found += [f"in the dark: {line}" for line in problems(demo)]
    demo.evaluate(THEME, True)
    return found


@pytest.mark.parametrize("name", SUBJECTS)
def test_full_screen_is_legible_and_whole(window, name):
    """For the last row of a hall; test_hall.py has the dark before Enter."""
    with drawn(window, page_of(name)) as page:
        page.locator(".demo-full-screen").click()
        demo = page.locator(".demo:fullscreen")
        demo.wait_for()
        assert problems_in_a_hall(demo, problems_in_both_themes) == []


def test_what_is_dragged_is_what_the_next_step_goes_on_from(window):
    with drawn(window, page_of("Bars")) as page:
        box = page.locator(".hold").first.bounding_box()
        middle, top = box["x"] + box["width"] / 2, box["y"]
        page.mouse.move(middle, top + 60)
        page.mouse.down()
        page.mouse.move(middle, top + 1)
        page.mouse.up()
        assert "has score 9.0" in caption(page)
        page.get_by_role("button", name="Next: + 3 to all").click()
        page.locator('[data-id="digits 0"]', has_text="12.0").wait_for()


def test_what_was_not_recorded_is_said_and_the_picture_stays(window):
    with drawn(window, page_of("ScalingDial")) as page:
        own = page.get_by_role("option", name="your own: run the page in Python")
        assert own.is_disabled() and page.get_by_role("combobox").input_value() == "nothing"
    with drawn(window, page_of("Translator")) as page:
        page.locator("svg[tabindex]").press("Enter")
        page.locator("figcaption", has_text="“it” gives “animal”").wait_for()
        before = caption(page)
        page.locator('[data-id="scissors 0 1"]').click()
        page.get_by_text("This was not recorded: it needs Python.").wait_for()
        assert caption(page) == before


@pytest.mark.parametrize("name, last", [("Training", "wrote at"), ("LearnsToReverse", "step 300")])
def test_a_training_is_played_back_to_its_end_and_says_so(window, name, last):
    with drawn(window, page_of(name)) as page:
        page.get_by_role("button", name="Next: train").click()
        page.get_by_text("recorded").first.wait_for()
        page.get_by_text(last).first.wait_for()
        page.get_by_role("button", name="Next: Start over").wait_for()


def test_a_table_of_a_page_follows_its_sliders(window):
    with drawn(window, page_of("EqualSoftmax")) as page:
        page.get_by_text("All 2 rows agree with PyTorch").wait_for()
        page.get_by_role("slider", name="size").press("End")
        page.get_by_text("Not equal to PyTorch within 1e-6: 1 of 2 rows.").wait_for()
        page.locator(".demo-reset").click()
        page.get_by_text("All 2 rows agree with PyTorch").wait_for()
    with drawn(window, page_of("CacheSaves")) as page:
        page.get_by_role("slider", name="clock").press("End")
        page.get_by_text("This was not recorded: it needs Python.").wait_for()


def test_every_layer_of_a_real_model_can_be_looked_at(window):
    with drawn(window, page_of("RealMaps")) as page:
        page.locator(DRAWING).first.press("Enter")
        grid = page.locator(DRAWING).nth(1)
        grid.get_by_text("of 72").wait_for()
        said = page.locator("figcaption").nth(1)
        said.filter(has_text="layer 1, head 1").wait_for()
        grid.press("Enter")
        said.filter(has_text="layer 4, head 2").wait_for()
        grid.press("ArrowUp")
        said.filter(has_text="layer 3, head 2").wait_for()
        assert page.get_by_role("combobox", name="layer").input_value() == "3 of 6"
        page.get_by_role("combobox", name="layer").select_option("6 of 6")
        said.filter(has_text="layer 6, head 2").wait_for()
        page.locator(DRAWING).first.press("ArrowRight")
        page.locator("figcaption").first.filter(has_text="“it” looks at “didn").wait_for()


def test_the_model_itself_writes_on_whatever_is_typed(window):
    with drawn(window, page_of("Writer")) as page:
        prompt, told = page.get_by_role("textbox", name="prompt"), page.locator("figcaption").first
        prompt.fill("the zebra")
        prompt.press("Enter")
        page.get_by_text("'zebra'").wait_for()
        prompt.fill("the street was too")
        prompt.press("Enter")
        page.get_by_text("'zebra'").wait_for(state="hidden")
        page.get_by_role("button", name="write to the end").click()
        told.filter(has_text="Stopped: “<end>” is the end token.").wait_for()
        page.locator(DRAWING).first.press("Enter")
        page.get_by_text("Temperature 3: still sentences?").wait_for()


WORDS = ["the", "animal", "was", "tired", "and", "<b>it</b>", "slept"]


@pytest.fixture
def map_of_ones_own():
    weights = softmax(3 * np.random.default_rng(0).standard_normal((4, 7, 7)))  # (H, T, T)
    return widgets.AttentionMap(weights, WORDS, title="My model")


def test_a_map_of_ones_own_lives_in_a_file(window, map_of_ones_own, tmp_path):
    demo = map_of_ones_own
    demo.drawing.query, demo.drawing.veiled = 3, False
    demo.save(tmp_path / "map.html")
    assert demo.drawing.query == 3 and not demo.drawing.veiled, "it stays as it was"
    (tmp_path / "blog.html").write_text('<iframe src="map.html" width=900 height=700></iframe>')
    window.goto((tmp_path / "blog.html").as_uri())
    shown = window.frame_locator("iframe")
    drawing, said = shown.locator(DRAWING).first, shown.locator("figcaption").first
    said.filter(has_text="Predict first").wait_for()
    drawing.press("Enter")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        drawing.press(key)
    said.filter(has_text="looks").wait_for()
    text = re.sub("[\u2066-\u2069]", "", said.inner_text())
    looks = r"head (\d): “(\S+)” looks (?:most )?at “(\S+?)”(?:,| with) (\d\.\d+)"
    head, query, key, weight = re.search(looks, text).groups()
    place = int(head) - 1, WORDS.index(query), WORDS.index(key)
    first = int(demo.weights[0, 0].argmax())  # pointed at before the keys
    assert place[1:] == (1, min(first + 2, 6))
    assert f"{demo.weights[place]:.2f}" == weight
    shown.locator(".demo-reset").click()
    said.filter(has_text="Predict first").wait_for()


def test_the_colours_of_many_keys_are_chosen_in_a_file(window, tmp_path):
    weights = np.full((1, 40, 40), 0.01)
    weights[..., 0] = 0.61  # the rows add up to 1; the full colour is from 10 / 40 on
    demo = widgets.AttentionMap(weights, [f"w{i}" for i in range(40)])
    demo.save(tmp_path / "map.html")
    window.goto((tmp_path / "map.html").as_uri())
    window.locator(DRAWING).first.press("Enter")
    top = window.locator(DRAWING).first.get_by_text("≥\u20090.25")
    top.wait_for()
    window.get_by_role("combobox").select_option("0 to the largest")
    top.wait_for(state="hidden")
    window.locator(DRAWING).first.get_by_text("0.61").first.wait_for()


class WriterOfOnesOwn:
    words = ("a", "b", "<end>")

    def scores(self, _tokens):
        return np.zeros(3)


@pytest.mark.parametrize(
    "demo",
    [
        lambda: widgets.Writer(WriterOfOnesOwn(), ""),
        lambda: widgets.AttentionMap([np.eye(101)] * 2),
    ],
)
def test_a_demo_that_needs_python_says_what_can_be_saved(demo, tmp_path):
    with pytest.raises(ValueError, match=r"computes in Python.*save\(.map.png.\)"):
        demo().save(tmp_path / "demo.html")
    with pytest.raises(ValueError, match="There is no folder"):
        widgets.Bars().save(tmp_path / "none" / "bars.html")
    assert list(tmp_path.iterdir()) == []
