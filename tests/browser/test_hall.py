"""Every demo as the last row of a hall sees it in the dark, and as axe-core does.

In the light, to the end of its story and on two projectors: test_without_python.py.
"""

import pytest

from tests.browser.accessibility import violations
from tests.browser.bridge import plain
from tests.browser.measuring import problems
from tests.widgets.demos import EXAMPLES

PAINTED = """(node) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = getComputedStyle(node).fill;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@pytest.fixture(scope="module")
def page(browser):
    with plain(browser) as opened:
        yield opened


@pytest.mark.parametrize("name", EXAMPLES)
def test_full_screen_is_legible_in_the_dark(page, name):
    page.show(EXAMPLES[name])
    with page.full_screen(page.demos()[0]) as screen:
        page.theme("dark")
        found = problems(screen)
        page.theme("light")
    assert found == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_everyone_can_use_it(page, name):
    page.show(EXAMPLES[name])
    page.theme("dark")
    found = violations(page)
    page.theme("light")
    page.browser.emulate_media(forced_colors="active", color_scheme="dark")
    found += violations(page)
    page.browser.emulate_media(forced_colors="none", color_scheme="light")
    assert found == []


@pytest.mark.parametrize("scheme, ink", [("dark", 255), ("light", 0)])
def test_in_forced_colours_letters_stand_out_from_their_veil(page, scheme, ink):
    page.show(EXAMPLES["AttentionMap"])
    page.browser.emulate_media(forced_colors="active", color_scheme=scheme)
    [demo] = page.demos()
    letters = demo.locator("[data-id='ask 0']").evaluate(PAINTED)
    lines = demo.locator("pattern[id^=veil] > :last-child").evaluate(PAINTED)
    page.browser.emulate_media(forced_colors="none", color_scheme="light")
    assert letters == [ink] * 3, "the reader's own"
    assert all(100 < abs(line - ink) < 200 for line in lines), "quieter, but seen"
