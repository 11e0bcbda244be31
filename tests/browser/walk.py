"""Random actions on a demo, and what the screen must show after them: what a new demo shows that
was brought to the same state.
"""

import json
import random
import re
from itertools import cycle
from pathlib import Path

import ipywidgets

from lib.widgets.frame import kept_by
from tests.widgets.demos import EXAMPLES, FROM_BELOW

INSIDE = Path(__file__).with_name("walk.js").read_text("utf-8")
NUMBER = re.compile(r"<?[−-]?(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d+|∞)(?:e[-+]?\d+)?")

DRAWING, SLIDER, CHECKBOX, BUTTON = (
    "svg[tabindex]",
    ".noUi-handle",
    "[type=checkbox]",
    "button:not(.demo-full-screen)",
)
KEYS = {
    DRAWING: "ArrowUp ArrowDown ArrowLeft ArrowRight "
    "Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight "
    "Home End Enter Escape Space Backspace + - [ ] x z 3",
    SLIDER: "ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown",
    "select": "ArrowUp ArrowDown Home End",
    CHECKBOX: "Space",
    BUTTON: "Enter Space",
}
SPOTS = [DRAWING, ".hold", ".noUi-target", CHECKBOX, BUTTON]
WORDS = ["constructor __proto__ was", " ", "a", "the the the", "one two three four five six seven"]
WORDS += ["  it   it.  ", "כלב was 狗", "<b>it</b> & was", "y" * 40]
WORDS += ["the street was wide", "the child was tired because it was old"]
# How often each kind of action is chosen.
KINDS = {"press": 34, "click": 14, "drag": 8, "hover": 4, "dblclick": 2, "type": 6}


def read(demo):
    """What the reader has set and what was sent to the page, as JSON."""
    # How often Enter was pressed is seen in the state alone.
    known = {*ipywidgets.DOMWidget.class_traits(), "style", "presses"}
    drawings = []
    for box in demo.drawings:
        drawings += getattr(box, "children", [box])
    sent = []
    for drawing in drawings:
        names = [name for name in drawing.traits() if name not in known]
        sent.append({name: getattr(drawing, name) for name in names if name[0] != "_"})
    values = [control.value for control in demo.settings]
    state = {"controls": values, "drawings": sent, "message": demo.header.message}
    return json.loads(json.dumps(state, default=lambda view: bytes(view).hex()))


def twin_of(name, state):
    """A new demo, brought to the state that was read."""
    demo, drawings = EXAMPLES[name](), state["drawings"]
    if name == "AttentionSteps":  # its words stay when the reader deletes all of them
        demo.sentence.value = " ".join(drawings[0]["tokens"])
    if name == "DecoderStepper":
        for _ in drawings[0]["tokens"][1:]:
            demo.go("write")
    if name == "Training":
        for _ in drawings[0]["x"]:
            FROM_BELOW[name](demo)
    for _ in range(2):  # for some controls move others
        for control, value in zip(demo.settings, state["controls"], strict=True):
            control.value = tuple(value) if isinstance(value, list) else value
    for drawing, traits in zip(demo.drawings, drawings, strict=False):
        for trait in kept_by(drawing):
            setattr(drawing, trait, traits[trait])
    if name == "Writer":
        demo.drawing.prompt = drawings[0]["prompt"]
    demo.refresh()
    if name in ("Translator", "Writer") and demo.header.message:
        # What is typed is refused: the picture is that of before.
        demo.drawing.picture = drawings[0]["picture"]
        demo.offer()
    return demo


def as_shown(control):
    """What stands in a control: its value, or the name of what is chosen."""
    if getattr(control, "index", 0) is None:
        return ""
    if not hasattr(control, "options"):
        return str(control.value).replace("True", "true").replace("False", "false")
    chosen = control.options[control.index]
    return str(chosen[0] if isinstance(chosen, tuple) else chosen)


def numbers(text):
    """The numbers in a text, as they are written there."""
    return NUMBER.findall(text)


def expanded(expected):
    """The expected numbers, each text among them as the numbers that are written in it."""
    found = []
    for number in expected:
        found += numbers(number) if isinstance(number, str) else [number]
    return found


def tells(text, number):
    """True if the text is how the number is written; just between two, either will do."""
    if isinstance(number, str):
        return text == number
    plain = text.replace("−", "-").replace(",", "").replace("∞", "inf")
    if plain.startswith("<"):
        return 0 <= number <= float(plain[1:])
    if plain.endswith("inf"):
        return number == float(plain)
    mantissa, _, power = plain.partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return abs(float(plain) - number) <= 0.51 * 10.0**-places


def first_missing(texts, expected):
    """The first expected number that the texts do not hold after those before it, or None."""
    rest = iter(texts)
    for number in expected:
        if not any(tells(text, number) for text in rest):
            return number
    return None


def compare(demo, shown):
    """Assert that the screen shows what the demo says in ``numbers_on_screen``."""
    expected, caption = demo.numbers_on_screen(shown), shown["caption"]
    missing = first_missing(numbers(" ".join(shown["texts"])), expanded(expected.texts))
    assert missing is None, f"{missing} is missing in {shown['texts']}"
    ending = expanded(expected.caption)
    last = numbers(caption)[-len(ending) :] if ending else []
    assert len(last) == len(ending), f"{caption!r}: {ending}"
    assert all(map(tells, last, ending)), f"{caption!r}: {ending}"
    assert expected.says in caption, f"{expected.says!r} is missing in {caption!r}"
    assert expected.cells in (None, shown["texts"]), f"{expected.cells} and {shown['texts']}"
    for drawing in demo.drawings:
        if drawing.has_trait("pinned"):
            assert ("pinned" in caption) == drawing.pinned, caption


def agree(demo, state, shown):
    """Assert that the screen shows this demo, which was brought to the state that Python has."""
    assert read(demo) == state, "a new demo in the same state shows other things"
    assert shown["message"] == state["message"]
    offered = [control for control in demo.settings if control.layout.display != "none"]
    assert shown["controls"] == [as_shown(control) for control in offered]
    shown["caption"] = " | ".join(shown["captions"])
    compare(demo, shown)


class Walk:
    """Random actions on the demo of this name, which stands in the page at ``place``."""

    kinds = KINDS

    def __init__(self, page, name, seed, place):
        self.page, self.name, self.seed, self.place = page, name, seed, place
        self.actions, self.log = 0, []
        self.mouse, self.keyboard = page.browser.mouse, page.browser.keyboard
        self.words = cycle(WORDS)
        page.browser.evaluate(INSIDE)

    def inside(self, what, argument=None):
        """Call a function of walk.js."""
        return self.page.browser.evaluate(f"(argument) => walk.{what}(argument)", argument)

    def act(self):
        """One action, or a few keys; another one if this demo does not know its kind."""
        self.random, done = random.Random(f"{self.name} {self.seed} {self.actions}"), None
        while done is None:
            [kind] = self.random.choices(list(self.kinds), self.kinds.values())
            done = getattr(self, kind)()
        self.actions += 1
        self.log.append(f"{self.actions} {kind} {done}")

    def press(self):
        [selector] = self.random.choices(list(KEYS), [8, 4, 1, 1, 1])
        keys = self.random.choices(KEYS[selector].split(), k=self.random.randint(1, 6))
        if not self.inside("focus", [self.place, selector, self.random.random()]):
            return None
        for key in keys:
            self.keyboard.press(key)
        self.actions += len(keys) - 1
        return f"{' '.join(keys)} on {selector}"

    def point(self, selector):
        """A point to act at, and another one of the drawing."""
        where = [self.random.random() for _ in range(5)]
        found = self.inside("point", [self.place, selector, *where[:3]])
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
            "focus", [self.place, "input[type=text], [contenteditable=true]", self.random.random()]
        ):
            return None
        words, end = next(self.words), self.random.choice(["Enter", "Tab"])
        self.keyboard.press("Control+a")
        self.keyboard.insert_text(words)
        self.keyboard.press(end)
        return f"{words!r} {end}"

    def shown(self):
        """What the screen shows, once everything has been answered."""
        self.page.settle()
        return self.inside("shown", self.place)
