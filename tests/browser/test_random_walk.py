"""Hundreds of random actions on every demo: nothing fails, and every digit is what `lib` computes.

A walk is known by its seed: SEEDS=3,17 pytest tests/browser/test_random_walk.py -k Bars
"""

import os

import pytest

from tests.browser.walk import KINDS, Walk, agree, read, twin_of
from tests.widgets.demos import EXAMPLES, FROM_BELOW

SEEDS = os.environ.get("SEEDS", "1").split(",")
# How many actions in all, and after how many the screen is read: ACTIONS=300 for the long walk.
ACTIONS = int(os.environ.get("ACTIONS", 50))
STRETCH = min(50, ACTIONS)
SIZES = [(1280, 900), (700, 600), (1100, 800), (900, 500)]


class LongWalk(Walk):
    """A walk in which the cell is run again, another cell changes the demo, and the page changes.

    All actions are answered in this process, so that nothing has to be waited for.
    """

    kinds = KINDS | {"below": 4, "resize": 1, "run": 0.4, "theme": 0.2}

    def __init__(self, page, name, seed):
        super().__init__(page, name, seed, "main .demo")
        self.run()

    def run(self):
        [self.demo] = self.page.show(EXAMPLES[self.name])
        return ""

    def below(self):
        if self.name not in FROM_BELOW:
            return None
        self.page.run(lambda: FROM_BELOW[self.name](self.demo))
        return ""

    def resize(self):
        width, height = self.random.choice(SIZES)
        self.page.browser.set_viewport_size({"width": width, "height": height})
        return width, height

    def theme(self):
        name = self.random.choice(["light", "dark"])
        self.page.theme(name)
        return name

    def check(self):
        """Python, the page and a new demo must agree; nothing may have gone wrong."""
        shown, state = self.shown(), read(self.demo)
        agree(twin_of(self.name, state), state, shown)
        assert self.page.errors() == []
        assert self.page.outside == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_random_walk(plain_page, name, seed):
    walk = LongWalk(plain_page, name, seed)
    try:
        for end in range(STRETCH, ACTIONS + 1, STRETCH):
            while walk.actions < end:
                walk.act()
            walk.check()
    except Exception as error:
        pytest.fail(
            f"{name}, seed {seed}: {error}\nlast actions:\n" + "\n".join(walk.log[-20:]),
            pytrace=False,
        )
