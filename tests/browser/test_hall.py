"""Every demo as the last row of a hall sees it, on two projectors, in the light and in the dark,
and as axe-core does.
"""

import pytest

from tests.browser.accessibility import violations
from tests.browser.bridge import plain
from tests.browser.measuring import problems, problems_in_a_hall
from tests.widgets.demos import EXAMPLES


@pytest.fixture(scope="module")
def page(browser):
    with plain(browser) as opened:
        yield opened


@pytest.mark.parametrize("name", EXAMPLES)
def test_full_screen_is_legible_and_whole(page, name):
    page.show(EXAMPLES[name])
    with page.full_screen(page.demos()[0]) as screen:
        page.theme("dark")
        found = [f" in the dark: {line}" for line in problems(screen)]
        page.theme("light")
        found += problems_in_a_hall(page, screen)
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
