"""In front of a hall: colours for every eye, a clicker, the keyboard."""

from itertools import combinations

import numpy as np
import pytest

from lib import widgets
from tests.browser.bridge import plain


def equal():
    return widgets.EqualTable(lambda n: {"sum": (np.ones(n), np.ones(n))}, n=(2, [1, 2, 3]))


TITLES = ["Softmax: scores become shares", "Equal to PyTorch", "Several looks at once"]
# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes (2009), severity 1.0: linear red, green and blue
# as they are seen
SEEN_WITH = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.072175],
        [0.0193339, 0.119192, 0.9503041],
    ]
)
FOCUSED = """() => {
    const focused = document.activeElement;
    if (focused.closest(".demo-controls")) return "control";
    if (focused.matches(".drawing, svg")) return "drawing";
    return focused.textContent || "outside";
}"""
COLOURS = """(demo, names) => {
    const style = getComputedStyle(demo);
    return names.map((name) => style.getPropertyValue(`--${name}`).trim());
}"""
SHOWN = "() => document.fullscreenElement?.querySelector('.demo-title').textContent"


@pytest.fixture(scope="module")
def page(browser):
    """Three demos, one below the other."""
    with plain(browser) as opened:
        opened.show(widgets.Bars, equal, widgets.Heads)
        yield opened


def linear(colour):
    """sRGB from 0 to 1 as amounts of light."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def lab(light):
    """CIE Lab of linear red, green and blue."""
    share = XYZ @ np.clip(light, 0, 1) / XYZ.sum(axis=1)
    x, y, z = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def colours(page, names):
    """{name: sRGB from 0 to 1} of the demos' colours in the present theme.

    Each is written #rgb or #rrggbb.
    """
    written = [text.lstrip("#") for text in page.demos()[0].evaluate(COLOURS, names)]
    pairs = [text if len(text) == 6 else "".join(letter * 2 for letter in text) for text in written]
    return {
        name: np.frombuffer(bytes.fromhex(pair), np.uint8) / 255
        for name, pair in zip(names, pairs, strict=True)
    }


def contrast(one, other):
    dark, bright = sorted(
        float([0.2126, 0.7152, 0.0722] @ linear(colour)) + 0.05 for colour in (one, other)
    )
    return bright / dark


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_told_apart_by_everyone(page, theme):
    page.theme(theme)
    series = colours(page, ["query", "key", "value", "position"])
    texts = colours(page, ["query-text", "key-text", "value-text"])
    weight, digit = colours(page, ["weight", "weight-digit"]).values()
    changed, marked = colours(page, ["changed", "marked"]).values()
    page.theme("light")
    paper = np.full(3, {"light": 255, "dark": 33}[theme]) / 255
    for name, colour in (series | texts).items():
        least = 4.5 if name.endswith("-text") else 3
        assert contrast(colour, paper) >= least, (
            f"{name} has too little contrast with the {theme} page: choose another in "
            "lib/charts/colours.py"
        )
    assert contrast(marked, changed) >= 4.5, "letters on what has changed"
    for seen, matrix in SEEN_WITH.items():
        for one, other in [*combinations(series, 2), *combinations(texts, 2)]:
            first, second = (
                lab(np.array(matrix) @ linear((series | texts)[name])) for name in (one, other)
            )
            assert np.linalg.norm(first - second) >= 15, f"{one} and {other} look alike with {seen}"
    # Digits on a cell change from black to white, or from white to black, at 0.72 of the way to the
    # full colour.
    for depth in np.linspace(0, 1, 101):
        ink = digit if depth > 0.72 else 1 - digit
        assert contrast(ink, depth * weight + (1 - depth) * paper) >= 4.5, (
            f"a digit on a weight of {depth:.2f}"
        )


def test_tab_goes_as_one_reads_and_only_to_what_keys_can_move(page):
    demo = page.demos()[1]
    demo.locator(".demo-reset").focus()
    assert stops(page, 4) == ["Reset", "Picture", "Full screen", "control"], "a table has no keys"
    with page.full_screen(demo):
        assert stops(page, 5) == ["drawing", "control", "Reset", "Picture", "Exit"]
        assert page.browser.evaluate(FOCUSED) == "control", "not to the page behind it"
        page.browser.keyboard.press("Shift+Tab")
        assert page.browser.evaluate(FOCUSED) == "Exit"


def stops(page, count):
    """Where the focus is now and after each of so many presses of Tab, but the last."""
    seen = []
    for _ in range(count):
        seen.append(page.browser.evaluate(FOCUSED))
        page.browser.keyboard.press("Tab")
    return seen


def test_a_clicker_goes_from_demo_to_demo(page):
    browser, first = page.browser, page.demos()[0]
    with page.full_screen(first):
        for key, title in [("PageDown", 1), ("PageDown", 2), ("PageUp", 1), ("PageUp", 0)]:
            browser.keyboard.press(key)
            browser.wait_for_function(f"(title) => ({SHOWN})() === title", arg=TITLES[title])
            assert browser.evaluate(FOCUSED) == "drawing", "its keys work at once"
        browser.keyboard.press("PageUp")
        first.locator(".demo-end", has_text="This is the first demo of the page.").wait_for()
        browser.keyboard.press("ArrowRight")
        first.locator(".demo-end").wait_for(state="hidden")
        browser.keyboard.press("PageDown")
        browser.wait_for_function(f"(title) => ({SHOWN})() === title", arg=TITLES[1])
        second = page.demos()[1].element_handle()
        browser.wait_for_function("(demo) => demo.contains(document.activeElement)", arg=second)
        browser.keyboard.press("f")  # leaves full screen, although another demo lies below this one
        browser.wait_for_function(
            "() => !document.fullscreenElement && document.activeElement.matches('svg')"
        )
        assert page.demos()[1].evaluate("(demo) => demo.contains(document.activeElement)")
    assert page.errors() == []


def test_page_down_keeps_its_meaning_outside_full_screen(page):
    browser = page.browser
    page.demos()[0].locator("svg[tabindex]").focus()
    browser.evaluate(
        """() => addEventListener("keydown", (event) => { window.taken = event.defaultPrevented; })
        """
    )
    browser.keyboard.press("PageDown")
    browser.wait_for_function("() => window.taken === false")
    assert browser.evaluate(SHOWN) is None


def test_the_keyboard_is_with_the_demo_after_full_screen(page):
    demo = page.demos()[2]
    with page.full_screen(demo):  # left as the browser leaves it at Escape
        assert page.browser.evaluate(FOCUSED) == "drawing"
    assert page.browser.evaluate(FOCUSED) == "drawing"
    assert demo.evaluate("(demo) => demo.contains(document.activeElement)")
