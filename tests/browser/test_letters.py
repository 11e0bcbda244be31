"""The typeface of the course: sent once, light, in what stands alone, and never waited for."""

from fontTools.ttLib import TTFont  # comes with matplotlib, which needs it

from lib import widgets
from lib.widgets.frame.letters import FACES, LETTERS, bytes_of, the_letters
from lib.widgets.frame.pictures import html_of, opened, take
from tests.browser.bridge import plain

MOST = 100_000  # bytes of all the faces that a browser is sent
FOUND = "() => [...document.fonts].map(({ family, status }) => [family, status])"


def test_the_faces_are_light_and_have_their_licences():
    assert sum(len(bytes_of(face)) for face in FACES) <= MOST
    for name in ("OFL-Inter.txt", "OFL-STIX.txt"):
        assert "SIL OPEN FONT LICENSE" in (LETTERS / name).read_text("utf-8")


def test_all_digits_are_of_one_width_without_a_feature():
    font = TTFont(LETTERS / "sans.ttf")
    glyphs = font.getBestCmap()
    assert len({font["hmtx"][glyphs[ord(digit)]][0] for digit in "0123456789"}) == 1


def test_all_demos_name_the_one_widget_that_has_the_letters():
    demos = [widgets.Bars(), widgets.Depth()]
    assert all(demo.header._letters is the_letters() for demo in demos)
    for demo in demos:
        demo.close()


def test_a_page_loads_each_face_once_and_a_picture_carries_those_it_has(browser):
    html = html_of(widgets.ScalingDial())
    with opened(browser, html) as page:
        loaded = page.evaluate(FOUND)
    made = take(browser, html, scale=1)
    assert len(loaded) == len(FACES) and {status for _, status in loaded} == {"loaded"}
    assert 'font-family:"Course Sans"' in made["svg"]
    assert 'font-family:"Course Mathematics"' in made["svg"]


# The letters never come; the drawing is there all the same.
NEVER = """() => {
    FontFace.prototype.load = () => new Promise(() => {});
}"""


def test_a_drawing_waits_for_no_letters(browser):
    with plain(browser) as page:
        page.browser.evaluate(NEVER)
        page.show(widgets.Bars)
        assert page.browser.locator(".stage text").count() > 0
