"""What those hear who do not see the screen: the order, each question, the step, the buttons."""

from collections import Counter

import pytest

from tests.browser.bridge import plain
from tests.widgets.demos import EXAMPLES

STEPS = 6  # of a story, so many are looked at
TABS = 4  # title and question have none, the header has three buttons
LONGEST = 20  # story
# What the demo is called, and what is said when it changes.
HEARD = """(demo) => [demo.getAttribute("aria-label"),
    demo.querySelector(".demo-question").closest("[aria-live]")?.textContent]"""
ASKED = "(demo) => demo.querySelector('.demo-question').dataset.sentence"
# The names of the buttons that can be pressed, as they are said.
BUTTONS = """(demo) => [...demo.querySelectorAll("button")]
    .filter((one) => one.checkVisibility() && !one.disabled)
    .map((one) => {
        const read = [...one.childNodes].filter((part) => part.ariaHidden !== "true");
        return one.getAttribute("aria-label") ?? read.map((part) => part.textContent).join("");
    })"""
READING = """(demo) => [".demo-title", ".demo-question", ".demo-reset", ".drawing", "figcaption",
    ".demo-controls"].map((part) => demo.querySelector(part)).filter(Boolean)
    .every((part, i, all) => i === 0 || all[i - 1].compareDocumentPosition(part) & 4)"""
FOCUSED = """() => document.activeElement.closest("[aria-label]")?.getAttribute("aria-label")
    ?? document.activeElement.textContent"""


@pytest.fixture(scope="module")
def page(browser):
    with plain(browser) as opened:
        yield opened


def shown(page, name):
    page.show(EXAMPLES[name])
    return page.demos()[0]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_demo_is_read_from_title_and_question_on(page, name):
    assert shown(page, name).evaluate(READING)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_two_buttons_have_one_name(page, name):
    demo = shown(page, name)
    drawing = demo.locator(".drawing svg[tabindex='0']")
    for _ in range(STEPS):
        twice = [name for name, count in Counter(demo.evaluate(BUTTONS)).items() if count > 1]
        assert not twice
        if not drawing.count():
            break
        drawing.first.press("Enter")
        page.settle()


def test_each_question_of_a_story_is_said(page):
    demo = shown(page, "Translator")
    asked = set()
    for _ in range(STEPS):
        question = demo.evaluate(ASKED)
        name, said = demo.evaluate(HEARD)
        assert question in name and said == demo.locator(".demo-question").text_content()
        asked.add(question)
        demo.locator(".drawing svg[tabindex='0']").press("Enter")
        page.settle()
    assert len(asked) >= 3


def test_the_step_that_one_is_in_is_said(page):
    demo = shown(page, "AttentionSteps")
    steps = demo.get_by_role("button", pressed=True)
    assert steps.count() == 0, "the question stands before the first step"
    said = []
    for _ in range(2):
        demo.locator(".drawing svg[tabindex='0']").press("Enter")
        page.settle()
        said += steps.all_text_contents()
    assert len(said) == len(set(said)) == 2


@pytest.mark.parametrize("name", ["Bars", "Translator", "AttentionSteps"])
def test_from_the_first_tab_to_the_last_answer(page, name):
    """By keys alone: each stop has a name, and Enter leads through the story to its end."""
    demo = shown(page, name)
    for _ in range(TABS):
        page.browser.keyboard.press("Tab")
        assert page.browser.evaluate(FOCUSED).strip()
        if page.browser.evaluate("() => document.activeElement.matches('svg')"):
            break
    heard = [demo.locator("figcaption").text_content()]
    button = demo.locator(".demo-next")
    while button.get_attribute("aria-label") != "Next: Start over":
        page.browser.keyboard.press("Enter")
        page.settle()
        heard.append(demo.locator("figcaption[aria-live=polite]").text_content())
        assert len(heard) < LONGEST, f"no end: {heard}"
    assert all(heard) and len(set(heard)) > len(heard) / 2
