"""Three hundred random actions on every demo: nothing fails, and every digit on the screen is what `lib` computes.

A walk is known by its seed: SEEDS=3,17 pytest tests/browser/test_random_walk.py -k Bars
"""

import inspect
import json
import os
import random
import time
from itertools import cycle
from pathlib import Path

import ipywidgets
import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from lib import saved, widgets
from lib.attention import softmax
from tests.browser.shown import EXPECTED, first_missing, numbers, tells
from tests.widgets.test_every_demo import DEMOS
from tools import browser as jupyter
from tools.look import KERNEL

INSIDE = Path(__file__).with_name("random_walk.js").read_text("utf-8")
SEEDS = os.environ.get("SEEDS", "1").split(",")
# How many actions in all, and after how many the screen is read: ACTIONS=300 for the long walk, eight minutes of it.
ACTIONS, STRETCH = int(os.environ.get("ACTIONS", 50)), 50
PATIENCE = 5  # seconds until it must agree
WEIGHTS = softmax(np.random.default_rng(0).standard_normal((9, 2, 3, 4)))
START = """import sys

sys.path.insert(0, "..")
import ipywidgets
import numpy as np

from lib import saved, widgets
from lib.attention import softmax

WEIGHTS = softmax(np.random.default_rng(0).standard_normal((9, 2, 3, 4)))"""
CODE = {name: f"widgets.{name}()" for name in DEMOS} | {
    "AttentionMap": "widgets.AttentionMap(WEIGHTS[0], list('abc'), list('vwyz'))",
    "EqualTable": "widgets.EqualTable(lambda n: {'sum': (np.ones(n), np.ones(n % 3))}, n=(2, [1, 2, 3, 4]))",
    "LiveTable": "widgets.LiveTable(lambda n: [['n', 6 // n]], 'n', 'Predict: n?', ['', '6 // n'], n=(2, [0, 1, 2]))",
    "Training": "widgets.Training(WEIGHTS[0], list('abc'), list('vwyz'), 8, question='Predict: ?')",
    "Translator": "widgets.Translator(saved.load('french_gloss'), examples=['the street was wide', 'the dog was old'])",
    "Writer": "widgets.Writer(saved.load('writer'))",
}
# What the cell below the demo does.
BELOW = {
    "Training": "step = (demo.curve.x or [0])[-1] % 8 + 1; demo.show(step, WEIGHTS[step], loss=step / 7)"
}

DRAWING, SLIDER, CHECKBOX, BUTTON = (
    "svg[tabindex]",
    ".noUi-handle",
    "[type=checkbox]",
    "button:not(.demo-full-screen)",
)
KEYS = {
    DRAWING: "ArrowUp ArrowDown ArrowLeft ArrowRight Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight "
    "Home End Enter Escape Space Backspace + - [ ] x",
    SLIDER: "ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown",
    "select": "ArrowUp ArrowDown Home End",
    CHECKBOX: "Space",
    BUTTON: "Enter Space",
}
SPOTS = [DRAWING, ".hold", ".noUi-target", CHECKBOX, BUTTON]
WORDS = ["constructor __proto__ was", " ", "a", "the the the", "one two three four five six seven"]
WORDS += ["  it   it.  ", "כלב was 狗", "<b>it</b> & was", "y" * 40]
WORDS += ["the street was wide", "the child was tired because it was old"]
SIZES = [(1280, 900), (700, 600), (1100, 800), (900, 500)]
# How often each kind of action is chosen.
KINDS = {
    "press": 34,
    "click": 14,
    "drag": 8,
    "hover": 4,
    "dblclick": 2,
    "type": 6,
    "below": 4,
    "resize": 1,
}
KINDS |= {"run": 0.4, "theme": 0.2}


def read(demo):
    """What the reader has set and what the page is told, as JSON."""
    known = set(ipywidgets.DOMWidget.class_traits())
    drawings = [each for box in demo.drawings for each in getattr(box, "children", [box])]
    told = [
        {name: getattr(each, name) for name in each.traits() if name not in known}
        for each in drawings
    ]
    told = [
        {name: value for name, value in traits.items() if name[0] != "_" and name != "style"}
        for traits in told
    ]
    values = [control.value for control in demo.controls if control.has_trait("value")]
    state = {"controls": values, "drawings": told, "message": demo.header.message}
    return json.loads(json.dumps(state, default=lambda view: bytes(view).hex()))


def twin_of(name, state):
    """A new demo, brought to the state that was read."""
    scope = {"widgets": widgets, "saved": saved, "np": np, "WEIGHTS": WEIGHTS}
    demo = scope["demo"] = eval(CODE[name], scope)
    told = state["drawings"]
    if name == "AttentionSteps":
        demo.sentence.value = " ".join(
            told[0]["tokens"]
        )  # they stay when the reader deletes all words
    if name == "DecoderStepper":
        for _ in told[0]["tokens"][1:]:
            demo._go("next")
    if name == "Training":
        for _ in told[1]["x"]:
            exec(BELOW[name], scope)
    controls = [control for control in demo.controls if control.has_trait("value")]
    for control, value in 2 * [
        *zip(controls, state["controls"], strict=True)
    ]:  # twice, for some move others
        control.value = tuple(value) if isinstance(value, list) else value
    for drawing, traits in zip(demo.drawings, told, strict=False):
        for trait in getattr(drawing, "state", ()):
            setattr(drawing, trait, traits[trait])
    if name == "Writer":
        demo.drawing.prompt = told[0]["prompt"]
    demo.refresh()
    if name in ("Translator", "Writer") and demo.header.message:
        demo.drawing.picture = told[0][
            "picture"
        ]  # what is typed is refused: the picture is that of before
    return demo


def as_shown(control):
    """What stands in a control: its value, or the name of what is chosen."""
    if not hasattr(control, "options"):
        return str(control.value).replace("True", "true").replace("False", "false")
    chosen = control.options[control.index]
    return str(chosen[0] if isinstance(chosen, tuple) else chosen)


class Walk:
    """Random actions on one demo of the page, and what must hold after them."""

    def __init__(self, page, name, seed):
        self.page, self.name, self.seed, self.actions, self.log = page, name, seed, 0, []
        self.cell = 1 + list(CODE).index(name)
        self.mouse, self.keyboard = page.browser.mouse, page.browser.keyboard
        self.words = cycle(WORDS)
        self.read_log = self.log_of_server()
        self.page.problems.clear()
        self.inside("forget")
        self.run()

    def inside(self, what, argument=None):
        """Call a function of random_walk.js."""
        return self.page.browser.evaluate(f"(argument) => walk.{what}(argument)", argument)

    def act(self):
        """One action, or a few keys; of the kinds that this demo does not know another is chosen."""
        self.random, done = random.Random(f"{self.name} {self.seed} {self.actions}"), None
        while done is None:
            [kind] = self.random.choices(list(KINDS), KINDS.values())
            done = getattr(self, kind)()
        self.actions += 1
        self.log.append(f"{self.actions} {kind} {done}")

    def press(self):
        [selector] = self.random.choices(list(KEYS), [8, 4, 1, 1, 1])
        keys = self.random.choices(KEYS[selector].split(), k=self.random.randint(1, 6))
        if not self.inside("focus", [self.cell, selector, self.random.random()]):
            return None
        for key in keys:
            self.keyboard.press(key)
        self.actions += len(keys) - 1
        return f"{' '.join(keys)} on {selector}"

    def point(self, selector):
        """A point to act at, and another one of the drawing."""
        where = [self.random.random() for _ in range(5)]
        found = self.inside("point", [self.cell, selector, *where[:3]])
        if found is None:
            return None
        x, y, left, top, width, height = found
        return (x, y), (left + where[3] * width, top + where[4] * height)

    def click(self, times=1):
        selector = self.random.choice(SPOTS)
        points = self.point(selector)
        if points is None:
            return None
        self.mouse.click(*points[0], click_count=times)
        return f"{selector} at {points[0]}"

    def dblclick(self):
        return self.click(2)

    def hover(self):
        points = self.point(DRAWING)
        if points:
            self.mouse.move(*points[0])
        return points and points[0]

    def drag(self):
        points = self.point(self.random.choice(SPOTS[:2]))
        if points is None:
            return None
        self.mouse.move(*points[0])
        self.mouse.down()
        self.mouse.move(*points[1])
        self.mouse.up()
        return points

    def type(self):
        if not self.inside(
            "focus", [self.cell, "input[type=text], [contenteditable=true]", self.random.random()]
        ):
            return None
        words, end = next(self.words), self.random.choice(["Enter", "Tab"])
        self.keyboard.press("Control+a")
        self.keyboard.insert_text(words)
        self.keyboard.press(end)
        return f"{words!r} {end}"

    def below(self):
        if self.name not in BELOW:
            return None
        return self.inside("ask", f"demo = demo_{self.name}; {BELOW[self.name]}")

    def resize(self):
        width, height = self.random.choice(SIZES)
        self.page.browser.set_viewport_size({"width": width, "height": height})
        return width, height

    def run(self):
        self.inside("choose", self.cell)
        self.page.command("notebook:run-cell")
        self.page.wait_until_idle()
        return ""

    def theme(self):
        name = self.random.choice(["light", "dark"])
        self.page.theme(name)
        return name

    def check(self):
        """The kernel, the page and a demo made anew must agree; nothing may have gone wrong."""
        code = f"import json\n{inspect.getsource(read)}\nprint(json.dumps(read(demo_{self.name})))"
        said, shown = self.inside("ask", code), self.inside("shown", self.cell)
        state = json.loads(said)
        demo = twin_of(self.name, state)
        assert read(demo) == state, "a new demo in the same state is told other things"
        assert shown["message"] == state["message"]
        assert shown["controls"] == [
            as_shown(control) for control in demo.controls if control.has_trait("value")
        ]
        shown["caption"] = " | ".join(shown["captions"])
        texts, caption = EXPECTED[self.name](demo, shown)
        missing = first_missing(numbers(" ".join(shown["texts"])), texts)
        assert missing is None, f"{missing} is missing in {shown['texts']}"
        told = numbers(shown["caption"])[-len(caption) :] if caption else []
        assert len(told) == len(caption) and all(map(tells, told, caption)), (
            f"{shown['caption']!r}: {caption}"
        )

    def agree(self):
        """Wait until the screen agrees: what was sent may still be on its way."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.check()
            except Exception:  # between two states anything may be missing
                if time.monotonic() > end:
                    raise
            self.page.settle()

    def log_of_server(self):
        return (self.page.server.folder.parent / "server.log").read_text("utf-8", "replace")

    def failures(self):
        new = self.log_of_server().removeprefix(self.read_log)
        return [
            *self.page.errors(),
            *self.page.outside,
            *self.inside("complaints"),
            *new.split("Traceback")[1:],
        ]


@pytest.fixture(scope="module")
def page(lab, browser):
    """A page with a cell for each demo, of which one at a time is run: the more a page holds, the slower it is."""
    cells = [START, *(f"demo_{name} = {code}\ndemo_{name}" for name, code in CODE.items())]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=KERNEL)
    nbformat.write(notebook, lab.notebooks / "random_walk.ipynb")
    with jupyter.page(lab, browser) as opened:
        opened.open("random_walk.ipynb")
        opened.browser.evaluate(INSIDE)
        opened.command("notebook:run-cell")
        yield opened


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", CODE)
def test_random_walk(page, name, seed):
    walk = Walk(page, name, seed)
    sources = walk.inside("sources")
    try:
        for end in range(STRETCH, ACTIONS + 1, STRETCH):
            while walk.actions < end:
                walk.act()
            walk.agree()
            assert walk.failures() == []
        assert walk.inside("sources") == sources, "a key or a click reached the cells"
        page.command("notebook:clear-cell-output")
    except Exception as error:
        pytest.fail(
            f"{name}, seed {seed}: {error}\nlast actions:\n" + "\n".join(walk.log[-20:]),
            pytrace=False,
        )


def test_every_demo_has_its_expected_numbers():
    assert set(EXPECTED) == set(DEMOS)
