"""The site to read: made once, then read as its files, and in Chromium as a reader sees it."""

import json
import re
import shutil
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from lib.widgets.lesson.lesson import PLANS
from tests.browser.accessibility import AXE
from tests.pages import site_window as seen
from tests.pages.site_window import DESK, PHONE, PROJECTOR, Window
from tools import web_course, website
from tools.address import Address
from tools.course import ROOT, notebooks
from tools.web_course import SiteError
from tools.web_markdown import Links, formula
from tools.web_pictures import Pictures

HEAVIEST = 1_000_000  # bytes of a page with all that it shows
ALL = 8_000_000  # bytes of the site
# Code, folds, pictures, tables, formulas, and the page that is like no other.
LOOKED_AT = ["index.html", "02_softmax.html", "references.html"]


class Read(HTMLParser):
    """What a page of the site refers to, its anchors, pictures and words."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.images, self.loaded = [], [], [], []
        self.headings, self.words, self.in_code = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        look = dict(attributes)
        self.anchors += [look["id"]] if "id" in look else []
        self.in_code += tag in ("pre", "code", "script")
        if tag == "a":
            self.links.append(look)
        if tag == "img":
            self.images.append(look)
        if tag in ("img", "script") and "src" in look:
            self.loaded.append(look["src"])
        if tag == "link" and look["rel"] in ("stylesheet", "icon"):
            self.loaded.append(look["href"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        self.in_code -= tag in ("pre", "code", "script")

    def handle_data(self, data):
        if not self.in_code:
            self.words.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site that was just made."""
    folder = tmp_path_factory.mktemp("made") / "site"
    website.write(folder)
    return folder


@pytest.fixture(scope="module")
def read(site):
    """{name: what is on it} of all its pages."""
    return {path.name: Read(path.read_text("utf-8")) for path in sorted(site.glob("*.html"))}


# -- the files -------------------------------------------------------------------------------------


def test_every_notebook_and_note_is_a_page(read):
    wanted = {f"{path.stem}.html" for path in notebooks()}
    assert set(read) == wanted | {"index.html", "instructors.html", "references.html"}


def test_every_link_and_anchor_leads_somewhere(site, read):
    for name, page in read.items():
        for link in page.links:
            parts = urlsplit(link["href"])
            if parts.scheme:
                assert parts.scheme in ("https", "mailto"), f"{name}: {link}"
                continue
            target = parts.path or name
            assert (site / target).is_file(), f"{name}: {link['href']} leads nowhere"
            if target.endswith("/lesson.html"):
                assert unquote(parts.fragment).removeprefix("plan=") in PLANS, name
            elif parts.fragment:
                assert unquote(parts.fragment) in read[target].anchors, f"{name}: {link['href']}"


def test_an_anchor_stands_once(read):
    for name, page in read.items():
        assert len(set(page.anchors)) == len(page.anchors), name


def test_every_picture_is_there_with_its_size_and_in_words(site, read):
    for name, page in read.items():
        for image in page.images:
            assert (site / image["src"]).is_file()
            assert image["alt"].strip() and int(image["width"]) and int(image["height"]), name
            assert image["loading"] == "lazy"
    assert sum(len(page.images) for page in read.values()) > 80


def test_a_page_and_what_it_shows_is_light(site, read):
    for name, page in read.items():
        shown = {name, *page.loaded}
        weight = sum((site / one).stat().st_size for one in shown)
        assert weight < HEAVIEST, f"{name} weighs {weight:,} bytes"


def test_the_whole_site_is_light(site):
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < ALL


def test_the_cell_for_google_colab_is_left_out(site):
    for path in site.glob("*.html"):
        assert "google.colab" not in path.read_text("utf-8"), path.name


def test_what_a_page_imports_is_folded(site):
    for path in notebooks():
        html = (site / path.with_suffix(".html").name).read_text("utf-8")
        before, found, _ = html.partition('<span class="nn">sys</span>')
        folds = before.count("<details"), before.count("</details>")
        assert found and folds[0] == folds[1] + 1, path.name


def test_what_the_check_says_of_an_unwritten_exercise_is_no_result(site):
    count = 0
    for path in site.glob("*.html"):
        text = path.read_text("utf-8")
        results = re.findall(r'(.{60})<div class="scrolls"><pre><samp>✗', text, re.DOTALL)
        assert all("Before you have written anything:" in before for before in results), path.name
        count += len(results)
    assert count > 30


def test_a_still_says_that_the_demo_moves_elsewhere(site):
    text = (site / "demos.html").read_text("utf-8")
    after = r'class="picture demo-picture[^>]*>.*?</span><p class="recorded">.*?index.html#run'
    assert len(re.findall(after, text)) == text.count("demo-picture") > 10


def test_a_question_stands_once(site):
    text = (site / "02_softmax.html").read_text("utf-8")
    assert text.count("<summary>The code of this question</summary>") == text.count('class="asked"')
    in_view = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    assert in_view.count("What does the definition above give for the scores 1000 and 1001?") == 1


def test_headings_are_in_order(read):
    for name, page in read.items():
        assert page.headings[0] == 1 and page.headings.count(1) == 1, name
        steps = zip(page.headings, page.headings[1:], strict=False)
        assert all(below <= above + 1 for above, below in steps), f"{name}: {page.headings}"


def test_no_formula_is_left_as_it_was_written(read):
    for name, page in read.items():
        words = "".join(page.words)
        assert not re.search(r"\$\$|\\[a-z]{2,}", words), f"{name} shows TeX"


def test_previous_and_next_go_through_all_pages(read):
    def neighbour(name, rel):
        links = [link["href"] for link in read[name].links if link.get("rel") == rel]
        assert len(links) <= 1
        return links[0] if links else None

    way = ["index.html"]
    while following := neighbour(way[-1], "next"):
        assert neighbour(following, "prev") == way[-1]
        way.append(following)
    assert way[1] == "00_start_here.html" and sorted(way) == sorted(read)


def test_the_way_back_and_on_stands_once(site):
    for path in site.glob("*.html"):
        assert not re.search("(Back|Next): ", path.read_text("utf-8")), path.name
    why = "<span>where two words change places.</span></a>"
    assert why in (site / "05_multi_head.html").read_text("utf-8")


def test_what_is_folded_cannot_be_found(site):
    index = (site / website.MARK).read_text("utf-8")
    rows = json.loads(index.removeprefix("window.courseIndex = ").removesuffix(";\n"))
    assert len(rows) == len(web_course.pages()) and len(index.encode()) < 450_000
    assert "It came out" not in index and "a look is one whole" in index
    assert "Three things to try" in index, "it stands behind a fold, not in it"
    assert "Take a pair from the list whose nouns differ" not in index, "a hint is an answer"
    assert "np.exp(scores)" in index and "You are reading" not in index
    assert "Open a terminal there" in index, "the first page is more than the README's words"
    assert not re.search(r"\w [.,;] ", index), "a blank before a full stop"


def test_nothing_of_another_place_is_asked_for(site):
    for path in site.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text("utf-8")
            own = re.sub(r'url\((?:"[\w-]+\.woff2"|#|data:)', "", text)
            assert not re.search(r'(?:src|srcset)="(?:https?:)?//|@import|url\(', own), path.name


def test_it_is_made_again_with_the_same_bytes(site):
    made = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    assert website.files() == {name: path.read_bytes() for name, path in made.items()}


# -- what may go wrong -----------------------------------------------------------------------------


def page_of(tmp_path, text, name="99_mine.ipynb"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return web_course.Page(path, "Mine", "Mine?")


def made(tmp_path, source, name="mine.md"):
    page = page_of(tmp_path, source, name)
    website.make(page, Links([page], Address("", "1")), Pictures())
    return page.body


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"nbformat": 4, "cells": []}'])
def test_a_broken_notebook_is_named(tmp_path, text):
    with pytest.raises(SiteError, match="99_mine.ipynb is no notebook"):
        made(tmp_path, text, "99_mine.ipynb")


@pytest.mark.parametrize(
    "source, sentence",
    [
        (r"$\foo{x}$", r"cannot draw \\foo"),
        (r"$\left( x$", "cannot be drawn"),
        ("[x](nowhere.ipynb)", "nowhere.ipynb leads nowhere"),
        ("![x](nowhere.png)", "no picture nowhere.png"),
    ],
)
def test_what_cannot_be_shown_is_named(tmp_path, source, sentence):
    with pytest.raises(SiteError, match=rf"mine.md: .*{sentence}"):
        made(tmp_path, source)


def test_a_picture_without_words_is_refused(tmp_path):
    shutil.copy(ROOT / "figures" / "steps.png", tmp_path)
    with pytest.raises(SiteError, match="no alternative text"):
        made(tmp_path, "![](steps.png)")
    assert 'alt="Steps &amp; &quot;more&quot;"' in made(tmp_path, '![Steps & "more"](steps.png)')


@pytest.mark.parametrize(
    "latex, drawn",
    [
        (r"\sqrt{d_k}", "<msqrt>"),
        (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", "<mtable"),
        (r"\begin{cases} 1 & x \\ 0 & y \end{cases}", "<mtable"),
        (r"\hat{x}", "<mover"),
        (r"\text{softmax}", "<mtext>softmax</mtext>"),
        (r"\sin\frac{1}{2}", '<mi>sin</mi><mspace width="0.17em"/><mfrac>'),
    ],
)
def test_a_formula_is_mathml(latex, drawn):
    assert drawn in formula(latex, "block", "here")


def test_two_headings_of_one_name_have_two_anchors(tmp_path):
    body = made(tmp_path, "# A *b*\n\n## C\n\n## C\n\n[there](#C-again-1)\n")
    assert 'id="A-b"' in body and 'id="C"' in body and 'id="C-again-1"' in body


def test_a_file_of_the_repository_is_a_link_where_it_has_an_address():
    source = ROOT / "notebooks" / "demos.ipynb"
    url = "../lib/jacobian.py"
    assert Links([], Address("", "1")).target(url, source) is None
    address = Address("jane/course", "9.1")
    wanted = "https://github.com/jane/course/blob/v9.1/lib/jacobian.py"
    assert Links([], address).target(url, source) == wanted
    assert Links(web_course.pages(), address).target("02_softmax.ipynb#A-b", source) == (
        "02_softmax.html#A-b"
    )


def test_the_first_page_says_where_to_get_it_once_it_has_an_address(monkeypatch, read):
    assert "does not know yet where the course can be fetched" in "".join(read["index.html"].words)
    assert "github.com" not in "".join(link["href"] for link in read["index.html"].links)
    here = Address("jane/course", "9.1")
    monkeypatch.setattr(website.address, "stated", lambda: here)
    files = website.files()
    first = files["index.html"].decode()
    assert "does not know" not in first
    assert "git clone https://github.com/jane/course\ncd course\n" in first
    assert here.binder("notebooks/00_start_here.ipynb").replace("&", "&amp;") in first
    preview = re.search(r'og:image" content="https://jane.github.io/course/([^"]+)"', first)[1]
    assert preview in files
    assert 'rel="canonical" href="https://jane.github.io/course/02_softmax.html"' in (
        files["02_softmax.html"].decode()
    )


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine")
    with pytest.raises(SiteError, match="not a site made here"):
        website.write(tmp_path / "site")
    assert (tmp_path / "site" / "mine.txt").read_text() == "mine"


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture(params=[(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def window(browser, site, request):
    opened = Window(browser, site, *request.param)
    yield opened
    opened.context.close()
    assert opened.outside == [] and opened.problems == []


@pytest.mark.parametrize("address", [seen.HOST, "file"])
def test_a_demo_comes_alive_where_its_picture_stood(browser, site, address):
    opened = Window(browser, site, DESK, "light")
    if address == "file":  # from a folder, or a stick
        opened.page.unroute("**/*")
        address = f"{site.as_uri()}/"
    opened.page.goto(f"{address}03_scaling.html")
    place = opened.page.locator("[data-live]").first
    place.scroll_into_view_if_needed()
    demo = place.frame_locator("iframe")
    opened.page.locator(".alive.lives").first.wait_for()
    before = demo.locator("figcaption").first.inner_text()
    demo.locator("svg[tabindex]").first.press("Enter")
    demo.locator("figcaption").filter(has_not_text=before).first.wait_for()
    opened.context.close()
    assert opened.outside == [] and opened.problems == []


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "on its side"])
def test_on_a_phone_the_picture_opens_its_demo(browser, site, turned):
    size = {"width": PHONE["height"], "height": PHONE["width"]} if turned else PHONE
    opened = Window(browser, site, size, "light", is_mobile=True, has_touch=True)
    page = opened.open("01_dot_products.html")
    page.locator("[data-live$='Arrows.html'] .picture a").tap()
    demo = page.locator(".demo:popover-open")
    demo.wait_for()
    with page.expect_event("framenavigated"):  # a page that was kept is not loaded again
        demo.get_by_role("button", name="Exit").tap()
    assert page.url.endswith("/01_dot_products.html")
    page.goto(f"{seen.HOST}live/Arrows.html")
    demo.wait_for()
    assert demo.bounding_box() == {"x": 0, "y": 0, **size}
    assert page.evaluate(seen.WIDER) <= 0 and page.evaluate(seen.LETTERS) >= 12
    tip = demo.locator("svg[tabindex]").evaluate(seen.MIDDLE, "tip k2")
    demo.locator("figcaption", has_text="Predict, then a tap on “Show”.").wait_for()
    demo.locator(".demo-next").tap()
    demo.locator("figcaption", has_text="k wins").wait_for()
    across, down = (60, 0) if turned else (0, 60)  # to the right in the demo
    opened.drag_by_finger(tip, (tip[0] + across, tip[1] + down))
    demo.locator("figcaption", has_text="k\u2032 wins").wait_for()
    page.goto(f"{seen.HOST}live/ScalingDial.html")
    slider = demo.locator("input[type=range]").first
    slider.wait_for()
    first, box = slider.input_value(), slider.bounding_box()
    start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.drag_by_finger(start, (start[0] + across, start[1] + down))
    assert float(slider.input_value()) > float(first)
    opened.context.close()
    assert opened.outside == [] and opened.problems == []


@pytest.mark.parametrize("address", [seen.HOST, "file"])
def test_a_lesson_is_given_from_an_address(browser, site, address):
    opened = Window(browser, site, PROJECTOR, "light", reduced_motion="reduce")
    page, press = opened.page, opened.page.keyboard.press
    if address == "file":  # from a stick
        page.unroute("**/*")
        address = f"{site.as_uri()}/"
    page.goto(f"{address}demos.html#plan=45%20minutes")
    page.get_by_role("button", name="45 minutes", pressed=True).wait_for()
    # Those that the clicker came from are full screen, too, and lie below the one with the focus.
    full = page.locator(".demo:fullscreen:focus-within")
    page.get_by_role("button", name="Start", exact=True).click()
    full.locator(".demo-next", has_text="Show").wait_for()
    press("Enter")
    full.locator("figcaption", has_text="“it” gives “animal” 0.95").wait_for()
    press("PageDown")
    full.locator(".demo-title", has_text="Attention, step by step").wait_for()
    full.locator(".demo-count", has_text="2 / 6").wait_for()
    press("Enter")
    press("Enter")
    full.locator("figcaption", has_text="the higher its score").wait_for()
    press("PageDown")
    full.locator(".demo-title", has_text="Several looks at once").wait_for()
    press("PageUp")
    full.locator(".demo-title", has_text="Attention, step by step").wait_for()
    press("o")
    page.locator(".demo-tiles").wait_for()
    press("Escape")
    page.get_by_role("button", name="all demos", exact=True).dispatch_event("click")
    page.wait_for_url("**/lesson.html#plan=all%20demos")
    assert len(page.locator(".lesson-step").all()) == len(PLANS["all demos"])
    page.goto(f"{address}live/lesson.html#plan=100%")  # no plan: the usual one
    page.reload()
    page.get_by_role("button", name="90 minutes", pressed=True).wait_for()
    opened.context.close()
    assert opened.outside == [] and opened.problems == []


@pytest.mark.parametrize("name", ["demos.html", "instructors.html"])
def test_the_site_leads_to_each_lesson_and_tells_its_own_keys(read, name):
    links = [unquote(link["href"]) for link in read[name].links]
    assert [link for link in links if "#plan=" in link] == [
        f"live/lesson.html#plan={plan}" for plan in PLANS
    ]
    words = "".join(read[name].words)
    assert "Enter shows the answer" in words
    assert name == "instructors.html" or "Run All Cells" not in words, "there is nothing to run"


def test_every_demo_of_a_plan_is_on_the_lessons_page(site):
    text = (site / "live" / "lesson.html").read_text("utf-8")
    order = json.loads(re.search(r"window.lesson = (.*);</script>", text)[1])["order"]
    assert len(order) == len(PLANS["all demos"])
    assert all((site / "live" / f"{name}.js").is_file() for name in order)


def test_no_page_is_wider_than_its_window_and_nothing_is_asked_elsewhere(window, read):
    for name in read:
        page = window.open(name)
        assert page.evaluate(seen.WIDER) <= 0, name
        assert page.evaluate(seen.CROPPED) == [], f"{name}: pictures are cropped"
        assert page.evaluate(seen.CUT) == [], f"{name}: numbers are cut"
        if page.viewport_size == DESK:
            assert page.evaluate(seen.CUT_FORMULAS) == [], name


@pytest.mark.parametrize("name", LOOKED_AT)
def test_everyone_can_read_it(window, name):
    page = window.open(name)
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(seen.VIOLATIONS) == []


def test_the_search_opens_the_page_by_keyboard_alone(window):
    page = window.open("references.html")
    page.focus(".anchor >> nth=0")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.locator(".anchor").first.evaluate("(sign) => getComputedStyle(sign).opacity") == "1"
    page.keyboard.press("/")
    page.keyboard.type("softmax")
    page.wait_for_selector(".found a")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.matches('.found li:first-child a')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/02_softmax.html#*")
    page.fill("#search", "物")  # in the middle of a word, as Chinese writes it
    page.wait_for_selector(".found a mark:has-text('物')")
    # All three words are more often elsewhere, in the text.
    page.fill("#search", "language model writes")
    page.wait_for_selector(".found li:first-child b:text-is('A language model writes on')")
    page.fill("#search", "softmx")  # a letter is missing
    page.wait_for_selector("#search-status:has-text('with one letter changed')")
    assert "softmax" in page.locator(".found li mark").first.inner_text().lower()
    page.fill("#search", "zzz")
    page.wait_for_selector("#search-status:has-text('Try the start of the word')")
    page.keyboard.press("Escape")
    assert page.locator(".found").is_hidden()
    page.fill("#search", "m")
    page.focus(".found li:last-child a")
    page.keyboard.press("Tab")
    assert page.locator(".found").is_hidden(), "it lies above what has the focus"


def test_on_a_phone_the_contents_open_and_close(browser, site):
    opened = Window(browser, site, PHONE, "light")
    page = opened.open("02_softmax.html")
    on_paper, later = page.evaluate(seen.SHUT)
    assert on_paper == 0 and later > 5
    wider = page.locator(".scrolls[role=group]")
    wider.first.wait_for()
    assert {box.get_attribute("aria-label") for box in wider.all()} <= {"Code", "Output", "Table"}
    cue = wider.first.evaluate("(box) => getComputedStyle(box).backgroundAttachment")
    assert cue.split(", ") == ["local", "local", "scroll", "scroll", "scroll"]
    assert page.locator("#menu").is_hidden()
    page.evaluate("() => window.scrollTo(0, 3000)")
    page.wait_for_selector("#menu .sections [aria-current=location]", state="attached")
    assert page.locator(".menu-button").bounding_box()["y"] >= 0, "however far one has read"
    page.click(".menu-button")
    assert page.locator("#menu").bounding_box()["width"] <= 0.8 * PHONE["width"]
    page.mouse.click(PHONE["width"] - 20, 400)
    assert page.locator("#menu").is_hidden()
    page.click(".menu-button")
    page.keyboard.press("Escape")
    assert page.locator("#menu").is_hidden()
    page.click(".menu-button")
    page.click("#menu .sections a:has-text('Recap')")
    page.wait_for_url("**#Recap")
    assert page.locator("#menu").is_hidden()
    opened.context.close()
