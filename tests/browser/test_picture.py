"""The picture of a demo: the same wherever the demo is, whole without a style sheet, one click."""

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from io import BytesIO
from pathlib import Path

import matplotlib
import pytest
from PIL import Image

from lib import widgets
from lib.widgets.frame.pictures import WINDOW, chromium, drawn, html_of, take, taken
from tests.widgets.demos import EXAMPLES

# What other programs do not know, and what is no number.
FOREIGN = re.compile(
    r"var\(|color-mix|oklab|class=|foreignObject|<canvas|paint-order|NaN|undefined"
)


@pytest.fixture(scope="module")
def window(browser):
    """One page for all demos, each of which it loads: a new one takes longer than the picture."""
    with browser.new_context(viewport=WINDOW) as context:
        yield context.new_page()


def picture(window, html):
    with drawn(window, html) as page:
        return taken(page, scale=1)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_stands_alone_and_is_light(window, name):
    demo = EXAMPLES[name]()
    light = picture(window, html_of(demo))
    dark = picture(window, html_of(demo, dark=True))
    assert dark["svg"] == light["svg"], "a dark page has the same picture"
    assert not FOREIGN.search(re.sub("base64,[^)]*", "", light["svg"]))
    assert light["title"] == demo.header.title and light["caption"]
    written = unescape(re.sub("<[^>]*>", "", light["svg"].replace("</text>", " ")))
    for words in (demo.header.title, demo.header.question):
        assert words.replace("_", "") in written, "symbols are set as symbols"
    assert Image.open(BytesIO(light["png"])).size == (1280, 720)


FONTS = "<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>"


def test_chinese_letters_are_drawn_or_refused(browser, tmp_path, monkeypatch):
    page = html_of(widgets.Bars([1.0, 2.0], ["动物", "street"]))
    assert "动物" in take(browser, page)["svg"]
    latin = Path(matplotlib.get_data_path(), "fonts/ttf")
    (tmp_path / "fonts.conf").write_text(FONTS.format(folder=latin, cache=tmp_path), "utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    with ThreadPoolExecutor(1) as thread:  # Playwright runs once in a thread
        refused = thread.submit(_in_a_browser_of_its_own, page)
        with pytest.raises(RuntimeError, match="Chinese letters, 动物, .* Noto Sans CJK"):
            refused.result()


def _in_a_browser_of_its_own(page):
    with chromium() as poor:
        take(poor, html_of(widgets.Bars([1.0, 2.0], ["animal", "street"])))
        take(poor, page)


def test_a_maintainer_saves_files(tmp_path):
    demo = widgets.Bars()
    demo.save(tmp_path / "bars.svg")
    demo.save(str(tmp_path / "bars.png"))
    assert (tmp_path / "bars.svg").read_text("utf-8").startswith("<svg xmlns=")
    assert Image.open(tmp_path / "bars.png").size == (1920, 1080)


def test_what_fails_in_a_drawing_is_said(browser):
    page = html_of(widgets.Bars()).replace("export default", "missing(); export default")
    with pytest.raises(RuntimeError, match="(?s)page of the demo failed.*missing is not defined"):
        take(browser, page)


def saved(shown, kind):
    """The file that the menu's choice of this name saves."""
    with shown.page.browser.expect_download() as waiting:
        shown.button(kind)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_a_reader_saves_the_picture(live):
    shown = live("widgets.Bars()")
    shown.says("“animal” has score 2.0")
    shown.button("Picture")
    name, svg = saved(shown, "SVG")
    assert name == "softmax.svg" and svg.startswith(b"<svg xmlns=")
    with shown.page.full_screen(shown.demo):
        shown.demo.locator(".demo-picture").focus()
        shown.press("Enter", "Tab")
        with shown.page.browser.expect_download() as waiting:
            shown.press("Enter")
        by_key = Path(waiting.value.path()).read_bytes()
        assert by_key.count(b"<text") == svg.count(b"<text"), "the same in full screen"
        assert shown.demo.locator(".demo-picture:focus").count() == 1
    shown.button("Picture")
    name, png = saved(shown, "PNG")
    assert name == "softmax.png" and Image.open(BytesIO(png)).size == (1920, 1080)
    shown.button("Picture")
    shown.demo.get_by_role("button", name="SVG").wait_for()
    shown.press("Escape")
    shown.demo.get_by_role("button", name="SVG").wait_for(state="hidden")
