"""The frame that every demo stands in.

It has the demo's place in the Transformer, the title, the question, the controls, the drawing,
Reset, the picture and full screen. Python computes, JavaScript draws: when a control moves,
``update`` calls lib and hands the numbers to the drawings.

How to write a demo (read the folder depth beside this)

1. lib/widgets/dots/ with dots.py and .mjs, named as the class Dots; the docstring names its pages.
   A .css only for what is no paint: controls, the pointer.
2. ``class DotsDrawing(Drawing)`` with ``_esm, _css = sources(__file__)``: traits with
   ``.tag(sync=True)`` travel to dots.mjs. Those named in ``state`` can be changed by the reader,
   and Reset puts them back. ``veiled=True`` hides the answer until the reader presses Enter.
3. ``class Dots(Demo)``: its ``__init__`` makes the drawing and the controls (``button`` and
   ``slider`` below, TextBox, or other ipywidgets) and passes them to ``super().__init__``.
   ``update`` reads the controls, computes with lib and sets the traits, several of them under
   ``with self.drawing.hold_sync():`` so that they travel together. ``title`` stands on the screen,
   ``where`` names its place in the Transformer.
4. What Enter asks and shows is told by ``tell_story(Step(...), ...)``, one step after the other.
   Where the next step depends on the state, override ``coming``; where a control goes along the
   story too, set ``done`` in ``update`` (Heads).
5. dots.mjs ends in a spec, ``export default demo({...})`` (frame/stage.mjs says what it has).
   ``layout(state, room, act)`` answers with the marks of a state (frame/scene.mjs says what a mark
   is, frame/looks.mjs what it looks like), ``caption(state)`` with the sentence. There is no code
   for motion: marks with the same id glide, and ``state.before`` is the state before the last
   gesture. ``add_class("abreast")`` puts two drawings side by side.
6. ``tell`` brings the demo into the state that makes its point: the picture on the page is taken
   there. A demo whose numbers come from a training says in ``picture_state`` what goes into it.
7. ``numbers_on_screen`` says which numbers the screen must show in the demo's present state. It
   stands at the end of the class, since only tests/browser/walk.py asks for it: after
   hundreds of random actions the walk makes a second demo with the same state and compares. It is
   computed with lib, not read from what was sent to the drawing.
8. Two lines in lib/widgets/__init__.py: the import and ``__all__``. A demo that cannot be made
   without arguments has an example in tests/widgets/demos.py too. All tests find it from there.
9. What is pointed at stays in the .mjs (``own``), unless Python needs it; clamp it when there are
   fewer.
"""

import re
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anywidget
import ipywidgets
import traitlets

from lib.widgets.frame import pictures, record
from lib.widgets.frame.letters import Letters, the_letters
from lib.widgets.frame.modules import sources
from lib.widgets.frame.text_box import TextBox

HERE = Path(__file__).parent


def button(description, act):
    """A button that calls ``act()`` once it stands among the controls of a demo."""
    made = ipywidgets.Button(description=description)
    made.act = act
    return made


def slider(description, options, value=None):
    """A slider over the options, each a value or a pair (label, value); at first on the first."""
    made = ipywidgets.SelectionSlider(options=options, description=description)
    if value is not None:
        made.value = value
    return made


class InClass(NamedTuple):
    """What a demo of a lesson asks first, and how many minutes it alone takes."""

    ask: str
    minutes: int


class Step(NamedTuple):
    """A step of a demo's story.

    label: what Enter is called before it; act: what it changes, called without arguments, or None;
    question: what it asks, or None if the question stays; veils: True if the answer is hidden
    until the reader wants to see it.
    """

    label: str
    act: Callable | None = None
    question: str | None = None
    veils: bool = True


class Numbers(NamedTuple):
    """What ``numbers_on_screen`` returns. Strings are numbers as they must be written."""

    texts: list  # the texts of the drawings hold these in this order, with others between them
    caption: list = ()  # the caption ends with these
    says: str = ""  # the caption has these words
    cells: list | None = None  # of a table, all that is written in it


class Drawing(anywidget.AnyWidget):
    """An anywidget; readers can change the traits named in ``state``, and Reset restores them.

    While it is ``veiled`` the answer is hidden: Enter shows it.
    """

    state = ()
    veiled = traitlets.Bool(False).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)  # how many steps of the story were taken
    # What Enter does next: "" starts the story over, None is where there is no story.
    enter = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    # How often Enter asked for the next step: a trait, so that it overtakes no other change.
    presses = traitlets.Int(0).tag(sync=True)

    def set_state(self, sync_data):
        """Take what the page changed; a press of Enter that came with it is taken last.

        Taken before, its step would be undone by what was told of the earlier state.
        """
        changed = {name: value for name, value in sync_data.items() if name != "presses"}
        super().set_state(changed)
        if "presses" in sync_data:
            super().set_state({"presses": sync_data["presses"]})


class UnaskedDrawing(Drawing):
    """A drawing whose demo is seen before anything was asked: until then its answer is "?"."""

    moved = traitlets.Bool(False).tag(sync=True)  # as the header's


LONG_WORD = re.compile(r"(\w{40})\w+")
MOST_LETTERS = 200  # of somebody else's error message


def named(error):
    """What was raised, on one line: "KeyError: 'k'"."""
    [*_, last] = traceback.format_exception_only(error)
    return " ".join(last.split())[:MOST_LETTERS].rstrip(".")


def readers_function(error):
    """The name of the reader's own function in which this was raised, or ""."""
    name = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        is_of_the_page = frame.f_globals.get("__name__") == "__main__"
        if is_of_the_page and frame.f_code.co_name != "<module>":
            name = frame.f_code.co_name
    return name


class Header(anywidget.AnyWidget):
    _esm, _css = sources(HERE / "header.py")
    title = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    page = traitlets.Unicode().tag(sync=True)  # "05_multi_head", which explains what is shown
    moved = traitlets.Bool(False).tag(sync=True)  # True if Reset would change something
    where = traitlets.List(traitlets.Unicode()).tag(sync=True)
    encoder_layers = traitlets.Int(1).tag(sync=True)
    _letters = traitlets.Instance(Letters).tag(sync=True, **ipywidgets.widget_serialization)

    @traitlets.default("_letters")
    def _the_letters(self):
        return the_letters()


class Demo(ipywidgets.VBox):
    """One demo. Subclasses make controls and drawings, then override ``update``.

    controls: ipywidgets, each with a value (or buttons); drawings: Drawing instances, or widgets
    that only show.
    """

    title = ""
    in_class = None  # an InClass, for a demo that lessons show
    where = ()  # its place in the Transformer: names such as those in frame/places.py
    encoder_layers = 1  # there: one stands for all, or two are told apart
    alive = None  # an Alive, for a demo that can live without Python
    instead = ""  # of others: what can be saved alive instead

    def __init__(self, question, controls, drawings, title=None):
        title = title or self.title
        at = {"where": list(self.where), "encoder_layers": self.encoder_layers}
        self.header = Header(title=title, question=question, **at)
        self.header.on_msg(partial(self.attempt, self._answer))
        self.controls, self.drawings = list(controls), list(drawings)
        parts = [_box(self.drawings, "demo-drawings")]
        if self.controls:
            parts.append(_box(self.controls, "demo-controls"))
        body = ipywidgets.VBox(parts)
        body.add_class("demo-body")
        super().__init__([self.header, body])
        self.add_class("demo")
        self.add_class(f"demo-{type(self).__name__}")  # a lesson finds it by this
        self.refresh()
        self._start = [(control, "value", control.value) for control in self.settings]
        for drawing in self.drawings:
            for name in kept_by(drawing):
                self._start.append((drawing, name, getattr(drawing, name)))
            if isinstance(drawing, UnaskedDrawing):
                traitlets.dlink((self.header, "moved"), (drawing, "moved"))
        self._start.append((self.header, "question", self.header.question))
        for control in self.settings:
            control.observe(self.refresh, "value")
        for control in self.controls:
            if hasattr(control, "act"):
                control.on_click(lambda pressed: self.attempt(pressed.act))
        for widget, name, _ in self._start:
            widget.observe(self._note_move, name)

    @property
    def settings(self):
        """The controls that have a value, without the buttons."""
        return [control for control in self.controls if control.has_trait("value")]

    def refresh(self, change=None):
        """Compute and show again; what fails becomes a sentence, and the last picture stays."""
        changed = [change.owner] if change else self.settings
        remarks = [control.remark for control in changed if isinstance(control, TextBox)]
        with self.header.hold_sync():  # the page hears it once, with the remarks before it
            self.attempt(lambda: self.say(self.update() or ""))
            message = self.header.message
            self.say(" ".join(part for part in (*remarks, message) if part))

    def attempt(self, act, *arguments):
        """Call ``act``: what it raises becomes a sentence in the frame, and the demo goes on.

        All that a page asks of a demo comes through here. What is no ValueError, whose sentence is
        meant for the reader, and no interrupt is logged as well: there the tests see it.
        """
        try:
            act(*arguments)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if not isinstance(error, (ValueError, KeyboardInterrupt)):
                self.log.warning("%s failed", act, exc_info=True)
            try:
                self.say(self.sentence_for(error))
            except KeyboardInterrupt:  # Stop asks again where the first time took long
                self.say(self.sentence_for(error))
                self.header.send_state("message")  # it may have been set, and not sent

    def sentence_for(self, error):
        """What the frame says when a callback raised this."""
        if isinstance(error, KeyboardInterrupt):
            return "Interrupted."
        return str(error) if isinstance(error, ValueError) else f"It stopped: {named(error)}."

    def say(self, message):
        """Show a sentence in the frame, with very long words cut: anything may have been pasted."""
        self.header.message = LONG_WORD.sub(r"\1…", message)

    def reset(self):
        """Put every control and drawing back to where it was at the start."""
        for drawing in self.drawings:
            if isinstance(drawing, Drawing):
                drawing.send({"type": "reset"})
        for widget, name, value in self._start:
            setattr(widget, name, value)
        self.refresh()

    def begin_here(self):
        """Let Reset, and a page without Python, begin with what is shown now."""
        self._start = [(widget, name, getattr(widget, name)) for widget, name, _ in self._start]
        self.header.moved = False

    def kept(self):
        """What ``restore`` needs to show again what ``reset`` takes away, beside the traits."""

    def restore(self, kept):
        """Show again what was kept."""

    def _note_move(self, _change):
        """Tell the page whether the demo is as it was at the start; a lesson asks for it."""
        moved = [getattr(widget, name) != value for widget, name, value in self._start]
        self.header.moved = any(moved)

    def tell_story(self, *steps):
        """Let Enter take these Steps, one after the other, and then start again.

        A demo whose next step depends on its state passes none and overrides ``coming``.
        """
        self.story = steps
        self.drawing.observe(self.offer, "done")
        self.drawing.observe(self._go_on, "presses")
        self.offer()

    def coming(self):
        """The Step that Enter takes in the present state, or None where it starts over."""
        left = self.story[self.drawing.done :]
        return left[0] if left else None

    def offer(self, _change=None):
        """Tell the drawing what Enter does now."""
        step = self.coming()
        self.drawing.enter = step.label if step else ""

    def _go_on(self, change):
        for _ in range(change.new - change.old):
            self.attempt(self.next_step)

    def next_step(self):
        """What Enter does: the next step of the story, or the start again."""
        step = self.coming()
        if step is None:
            self.reset()
        else:
            self.take(step)

    def take(self, step, act=None):
        """Take this step of the story: ask its question, change what it changes, veil the answer.

        act: what a button that stands for the step changes, if it is something else.
        """
        place = self.story.index(step) if step in self.story else self.drawing.done
        if step.question:
            self.header.question = step.question
        with self.drawing.hold_sync():
            if act or step.act:
                (act or step.act)()
            self.drawing.done = place + 1
            if step.veils:
                self.drawing.veiled = True

    def _answer(self, _header, content, _buffers):
        if content.get("type") == "reset":
            self.reset()
        elif content.get("type") == "ping":
            self.header.send({"type": "pong", "comm": self.header.comm.comm_id})

    def update(self):
        """Read the controls, compute with lib, set the drawings' traits.

        May return a sentence for the frame.
        """

    def tell(self):
        """Bring the demo into the state that makes its point; its picture is taken there.

        Here: unveil. Subclasses train, choose a step, point at a word.
        """
        for drawing in pictures.drawings_in(self.drawings):
            if drawing.has_trait("veiled"):
                drawing.veiled = False

    def picture_state(self):
        """What the picture depends on, beside ``tell`` and the drawing's sources.

        Here: the values of the controls and all that the drawings show. A demo whose numbers come
        from a training names what goes into it instead: the numbers are others on another machine.
        """
        return pictures.state_of(self)

    def save(self, path):
        """Write the demo into a file: "map.html", or its picture "map.svg" or "map.png".

        The .html is the demo from its start on, alive, in one file that needs neither Python nor a
        network. A page shows it in an <iframe>; one with a strict content policy must allow its
        scripts. The pictures, as it is now, 1920 x 1080 pixels, need Playwright and Chromium;
        readers have the button Picture.
        Raises ValueError for another kind of file and for a demo that needs Python, RuntimeError
        where there is no browser, OSError where the file cannot be written.
        """
        path = Path(path)
        if not path.parent.is_dir():
            raise ValueError(f"There is no folder {path.parent}; make it, then save {path.name}.")
        if path.suffix == ".html":
            path.write_text(record.page_of(self), "utf-8")
        else:
            pictures.save(self, path)

    def picture_key(self):
        """What the picture depends on, in 16 letters; it is taken anew when these change."""
        return pictures.key_of(self)

    def _repr_mimebundle_(self, **kwargs):
        """Where no widget runs, the page of a reader has the demo in words.

        Google Colab shows only widgets whose metadata ask for its manager; anywidget writes them.
        """
        data = super()._repr_mimebundle_(**kwargs)
        _, metadata = self.header._repr_mimebundle_(**kwargs)
        settings = [f"{control.description}: {control.value}" for control in self.settings]
        words = [self.header.title, self.header.question, ", ".join(settings)]
        data["text/plain"] = "\n".join(line for line in words if line)
        return data, metadata

    def __repr__(self):
        values = [f"{control.description}={control.value}" for control in self.settings]
        return f"{type(self).__name__}({', '.join(values)})"

    def numbers_on_screen(self, shown):
        """The Numbers that must be seen in the present state; only the tests ask for them.

        shown: what the page shows, {"texts", "captions", "caption" (all in one), "rings" and "here"
        (where the marked cells stand among their like)}; it tells what only the page knows, such
        as the cell under the pointer.
        """
        raise NotImplementedError


def kept_by(drawing):
    """The traits that Reset restores."""
    return [*drawing.state, "done", "veiled"] if isinstance(drawing, Drawing) else []


def _box(children, name):
    box = ipywidgets.VBox(children)
    box.add_class(name)
    return box
