"""Walk a demo through every state that its controls reach, and keep what Python answers.

A recording is a table. A state is where the controls and the story stand; of each state it has what
the drawings were sent, and for each event (a control is moved, a button or Enter is pressed, a
drawing asks for something) the state after it. frame/live.mjs looks up there what Python would say.

What a reader changes in the drawing alone (``state`` of the drawing) is no part of a state; where
an event sets it, as Reset does, that is kept with the event, and what follows from it is computed
in the demo's own live.mjs. Nobody need say what depends on what: a demo whose answers depend on
something else is refused, in a sentence, as soon as the walk comes to one state twice with two
answers.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial

import ipywidgets
import traitlets

from lib.widgets.frame.pictures import drawings_in, html_of, shown_of, traits_of

MOST = 6000  # states; more would be no recording but a program
LOCAL = ("presses", "moved")  # of each drawing, beside those in its ``state``
MOVED = "h.moved"  # of a state: whether Reset would change more than what is local
HIDDEN = "hidden"  # of a control: whether it has no place among the others now


ASKED = {"done": 1, "veiled": True}  # by a drawing whose first drag is the story's first step


class RecordingError(ValueError):
    """Why a demo cannot be recorded."""


@dataclass(frozen=True)
class Alive:
    """What a demo says, as its class attribute ``alive``, that can live without Python.

    It is what a walk cannot see. messages: what its drawing asks Python for. told: whether an event
    needs what ``update`` has computed; where it does not, ``update`` runs once for each state, and
    not for each event. changes: what the drawing changes of a state, {name: value} each; followed:
    paths of the drawing that are always told together, also those of its ``state`` to which Python
    answers. texts: {path of a text box: the texts that are recorded}. only: {path of a control: the
    choices that are recorded}, where all would be too many. spared: paths of controls that the page
    leaves out, as the menu of recorded texts has what they have. computed: the paths that the
    demo's live.mjs computes; given: makes what it computes with. alone: its ``program`` answers
    every event, Reset too, and nothing is recorded.
    """

    messages: tuple = ()
    told: bool = False
    changes: tuple = ()
    followed: tuple = ()
    texts: dict = field(default_factory=dict)
    only: dict = field(default_factory=dict)
    spared: Sequence = ()
    computed: tuple = ()
    given: Callable = dict
    alone: bool = False


@dataclass
class Recording:
    """What frame/live.mjs plays: plain lists, to be written as JSON.

    values: all that was ever sent, each once. paths: names of what differs from state to state,
    "d0.points". states: for each state the numbers of its values. events: {event: [number of the
    state after it, or -1 where nothing changes]}. sets: {event: [in each state the number of what
    it sets that is no part of a state]}; local_sets: those, {path: number of a value}. start: of
    all paths, the local ones too. local: what the page changes and Reset restores. followed: what
    is told together. controls: what stands in the strip. given: what the demo's own live.mjs
    computes with.
    """

    name: str
    controls: list
    start: dict
    paths: list
    local: list
    followed: list
    given: dict = field(default_factory=dict)
    values: list = field(default_factory=list)
    states: list = field(default_factory=list)
    events: dict = field(default_factory=dict)
    sets: dict = field(default_factory=dict)
    local_sets: list = field(default_factory=list)

    def text(self):
        return json.dumps(vars(self), ensure_ascii=False, separators=(",", ":"))


class Parts:
    """A demo's header, controls and drawings by name: h, c0, c1, ..., d0, ..."""

    def __init__(self, demo):
        self.demo = demo
        self.drawings = [one for one in drawings_in(demo.drawings) if hasattr(one, "veiled")]
        self.parts = {"h": demo.header}
        self.parts |= {f"c{i}": one for i, one in enumerate(demo.controls)}
        self.parts |= {f"d{i}": one for i, one in enumerate(self.drawings)}
        self.names = {id(part): name for name, part in self.parts.items()}

    def get(self, path):
        name, trait = path.split(".")
        part = self.parts[name]
        if name[0] == "c" and trait == HIDDEN:
            return part.layout.display == "none"
        return getattr(part, trait)

    def set(self, path, value):
        name, trait = path.split(".")
        setattr(self.parts[name], trait, value)

    def local(self):
        """The paths that the page changes without Python."""
        found = ["h.message"]
        for name, part in self.parts.items():
            if name[0] == "d":
                kept = [trait for trait in (*part.state, *LOCAL) if part.has_trait(trait)]
                sent = traits_of(part)
                found += [f"{name}.{trait}" for trait in kept if trait in sent]
        return found

    def sent(self):
        """All paths that the page is sent."""
        found = ["h.question", "h.page", "h.where"]
        for name, part in self.parts.items():
            if name[0] == "c":
                found += [f"{name}.{trait}" for trait in _traits_of_control(part)]
            if name[0] == "d":
                found += [f"{name}.{trait}" for trait in traits_of(part)]
        return found

    def hidden(self):
        """What Reset restores and the page is not sent: the state in Python alone."""
        found = []
        for name, part in self.parts.items():
            if name[0] == "d":
                unsent = [trait for trait in part.state if trait not in traits_of(part)]
                found += [f"{name}.{trait}" for trait in unsent]
        return found


def _traits_of_control(control):
    if isinstance(control, ipywidgets.Button):
        return ["disabled", HIDDEN]
    return [_place_of(control), "disabled", HIDDEN]


def _place_of(control):
    """The trait that says where a control stands."""
    return "index" if hasattr(control, "options") else "value"


def _choices(control, texts):
    """All that a control can be; of a text that readers write, those that are recorded."""
    if hasattr(control, "options"):
        return list(range(len(control.options)))
    if isinstance(control, ipywidgets.Checkbox):
        return [False, True]
    return [control.value, *(text for text in texts if text != control.value)]


class Noted:
    """What Python assigns meanwhile, also where it assigns what is there already."""

    def __init__(self):
        self.assigned = []

    def __enter__(self):
        self.assign = assign = traitlets.TraitType.__set__

        def noted(trait, owner, value):
            assign(trait, owner, value)
            self.assigned.append((id(owner), trait.name))

        traitlets.TraitType.__set__ = noted
        return self

    def __exit__(self, *_):
        traitlets.TraitType.__set__ = self.assign


class Walk:
    """The states of one demo, found by letting every event happen in each of them."""

    def __init__(self, demo, alive=None):
        self.name, self.alive = type(demo).__name__, alive or demo.alive
        self.demo, self.parts = demo, Parts(demo)
        self.reached = {}  # the number of a state by where controls and story stood before update
        own = [path for path in self.parts.local() if path not in self.alive.followed]
        self.local = own
        if not getattr(demo, "story", ()):  # then it only counts how often Enter was pressed
            counts = [path for path in self.parts.sent() if path.endswith(".done")]
            self.local += [path for path in counts if path not in self.alive.followed]
        if self.alive.alone:
            known = (*self.local, *self.alive.computed)
            self.local += [path for path in self.parts.sent() if path not in known]
        self.paths = [
            path for path in self.parts.sent() if path not in (*self.local, *self.alive.computed)
        ]
        self.hidden = self.parts.hidden()
        self.events = self._events()
        self.numbers, self.values, self.value_numbers = {}, [], {}
        self.local_sets = [{}]  # nothing
        self.snapshots, self.states = [], []
        self.first = {path: self.parts.get(path) for path in [*self._restored(), *self.hidden]}

    def _restored(self):
        """What Reset restores, of what the page is sent and does not change alone."""
        ends = (".index", ".value", ".done", ".veiled", "h.question")
        followed = self.alive.followed
        return [path for path in self.paths if path.endswith(ends) or path in followed]

    def _events(self):
        """{event: what makes it happen}."""
        found = {}
        for i, control in enumerate(self.demo.controls):
            if isinstance(control, ipywidgets.Button):
                found[f"c{i}.click"] = control.click
                continue
            path = f"c{i}.{_place_of(control)}"
            choices = _choices(control, self.alive.texts.get(path, ()))
            for value in self.alive.only.get(path, choices):
                key = json.dumps(value, ensure_ascii=False)
                found[f"{path}={key}"] = lambda path=path, value=value: self.parts.set(path, value)
        drawing, header = self.demo.drawings[0], self.demo.header
        found["d0.veiled=false"] = lambda: self.parts.set("d0.veiled", False)
        if getattr(drawing, "enter", None) is not None:
            found["d0.presses"] = lambda: self.parts.set("d0.presses", drawing.presses + 1)
        for kind in self.alive.messages:
            found[f"d0.{kind}"] = lambda kind=kind: drawing._handle_custom_msg({"type": kind}, [])
        for changes in self.alive.changes:
            names = ",".join(f"{name}={json.dumps(changes[name])}" for name in sorted(changes))
            found[f"d0.{names}"] = partial(drawing.set_state, changes)
        found["h.reset"] = lambda: header._handle_custom_msg({"type": "reset"}, [])
        return found

    def run(self):
        """The Recording. Raises RecordingError."""
        start = {path: written(self.parts.get(path)) for path in self.paths}
        exact = [*self.local, *self.alive.computed]
        start |= {path: written(self.parts.get(path), exactly=True) for path in exact}
        start[MOVED] = False
        recording = Recording(
            self.name,
            controls_of(self.demo, self.alive),
            start,
            [*self.paths, MOVED],
            [path for path in self.local if not path.endswith((*LOCAL, "message"))],
            list(self.alive.followed),
            written(self.alive.given(), exactly=True),
        )
        events = {} if self.alive.alone else self.events
        recording.events = {event: [] for event in events}
        recording.sets = {event: [] for event in events}
        self._arrive()
        number = 0
        while number < len(self.states):
            for event, fire in events.items():
                with self._still():
                    self._put(number)
                    with Noted() as noted:
                        fire()
                    stands = self._stands()
                after = self.reached.get(stands)
                if after is None:
                    self.demo.refresh()
                    after = self.reached[stands] = self._arrive()
                recording.events[event].append(-1 if after == number else after)
                recording.sets[event].append(self._local_set(noted))
            number += 1
            if len(self.states) > MOST:
                raise RecordingError(f"{self.name} has more than {MOST} states.")
        recording.states, recording.values = self.states, self.values
        recording.local_sets = self.local_sets
        return without_constants(recording)

    @contextmanager
    def _still(self):
        """Inside, the demo does not compute, unless an event needs it."""
        if not self.alive.told:
            self.demo.refresh = lambda change=None: None
            observed = [control for control in self.demo.settings]
            for control in observed:
                control.unobserve(type(self.demo).refresh.__get__(self.demo), "value")
        try:
            yield
        finally:
            if not self.alive.told:
                del self.demo.refresh
                for control in observed:
                    control.observe(self.demo.refresh, "value")

    def _stands(self):
        """Where controls and story stand, and what Python keeps to itself."""
        kept = set(self._kept()).difference(self.local)
        return json.dumps([repr(self.parts.get(path)) for path in [*sorted(kept), *self.hidden]])

    def _arrive(self):
        """The number of the state in which the demo is; a new one is kept."""
        values = [self._value(self.parts.get(path)) for path in self.paths]
        moved = any(self.parts.get(path) != value for path, value in self.first.items())
        values.append(self._value(moved))
        key = self._stands()
        number = self.numbers.setdefault(key, len(self.states))
        if number == len(self.states):
            self.states.append(values)
            kept = [*self._kept(), *self.hidden]
            self.snapshots.append({path: self.parts.get(path) for path in kept})
        elif self.states[number] != values:
            pairs = zip([*self.paths, MOVED], self.states[number], values, strict=True)
            others = [path for path, one, two in pairs if one != two]
            raise RecordingError(
                f"{self.name}: {', '.join(others)} depends on more than the controls and the story."
            )
        return number

    def _kept(self):
        """What brings the demo back into a state."""
        found = ["h.question"]
        for i, control in enumerate(self.demo.controls):
            if not isinstance(control, ipywidgets.Button):
                found.append(f"c{i}.{_place_of(control)}")
        local = [path for path in self.local if not path.endswith(".presses")]  # Enter, once more
        told = [path for path in self.paths if path.endswith((".done", ".veiled"))]
        told += self.alive.followed
        return [*found, *told, *local]

    def _put(self, number):
        """Bring the demo into a state; what one control does to another needs a second round."""
        wanted = self.snapshots[number]
        for _ in range(3):
            others = {
                path: value for path, value in wanted.items() if self.parts.get(path) != value
            }
            if not others:
                break
            for path, value in others.items():
                self.parts.set(path, value)
        else:
            raise RecordingError(f"{self.name}: a state of its controls cannot be brought back.")
        self.demo.refresh()

    def _local_set(self, noted):
        """The number of what an event has set that is no part of a state."""
        found = {}
        for owner, trait in noted.assigned:
            path = f"{self.parts.names.get(owner)}.{trait}"
            is_computed = path in self.alive.computed
            if path in self.local and trait not in LOCAL and not is_computed:
                found[path] = self._value(self.parts.get(path), exactly=True)
        if self.parts.get("h.message") == "":  # as after any event
            found.pop("h.message", None)
        if found not in self.local_sets:
            self.local_sets.append(found)
        return self.local_sets.index(found)

    def _value(self, value, exactly=False):
        """The number of a value in the list of all values."""
        text = json.dumps(written(value, exactly), ensure_ascii=False)
        number = self.value_numbers.setdefault(text, len(self.values))
        if number == len(self.values):
            self.values.append(json.loads(text))
        return number


def without_constants(recording):
    """The recording without what is the same in every state: its start says it."""
    columns = list(zip(*recording.states, strict=True))
    differs = [len(set(column)) > 1 for column in columns]
    kept = [i for i, one in enumerate(differs) if one]
    recording.paths = [recording.paths[i] for i in kept]
    recording.states = [[state[i] for i in kept] for state in recording.states]
    used = {number for state in recording.states for number in state}
    used |= {number for local in recording.local_sets for number in local.values()}
    recording.sets = {event: sets for event, sets in recording.sets.items() if any(sets)}
    recording.values = [value if i in used else None for i, value in enumerate(recording.values)]
    return recording


def controls_of(demo, alive):
    """What the page makes of the controls: {kind, name, labels, classes, spared}.

    A text has the recorded ones as labels, or none where readers write their own.
    """
    found = []
    for i, control in enumerate(demo.controls):
        labels = []
        if isinstance(control, ipywidgets.Text) and not alive.alone:
            labels = _choices(control, alive.texts.get(f"c{i}.value", ()))
        if hasattr(control, "options"):
            labels = [str(label) for label in control._options_labels]
        found.append(
            {
                "kind": type(control).__name__,
                "name": control.description,
                "labels": labels,
                "classes": list(control._dom_classes),
                "spared": any(path.startswith(f"c{i}.") for path in alive.spared),
            }
        )
    return found


# What a walk changes, beside a drawing's ``state``.
WALKED = ("value", "index", "question", "message", "done", "veiled", "presses", "moved")


@contextmanager
def unseen(demo):
    """Inside, whoever sees the demo sees nothing of what becomes of it; then it is as before."""
    parts, shown_before = Parts(demo), demo.kept()
    before = {}
    for name, part in parts.parts.items():
        kept = [trait for trait in WALKED if part.has_trait(trait)]
        kept += getattr(part, "state", ())
        before |= {f"{name}.{trait}": getattr(part, trait) for trait in kept}
    with ExitStack() as stack:
        for widget in parts.parts.values():
            stack.enter_context(widget.hold_sync())
            widget.send = lambda *_, **__: None
        try:
            demo.reset()
            yield
        finally:
            demo.restore(shown_before)
            for path, value in before.items():
                parts.set(path, value)
            demo.refresh()
            parts.set("h.message", before["h.message"])
            for widget in parts.parts.values():
                vars(widget).pop("send", None)


def recorded(demo):
    """The Recording of a demo from its start on; the demo itself stays as it is.

    Raises ValueError for a demo that computes in Python what it shows.
    """
    alive = demo.alive
    if alive is None:
        raise ValueError(
            f"This {type(demo).__name__} computes in Python what it shows, so it cannot live in a "
            f'file.{demo.instead} demo.save("map.png") saves its picture.'
        )
    with unseen(demo):
        return Walk(demo, alive).run()


def page_of(demo, recording=None):
    """One HTML page that has the demo, alive, with its Recording, and needs no other file."""
    recording = played(recording or recorded(demo))
    with unseen(demo):
        return html_of(demo, recording=recording)


def shown_alive(demo, recording):
    """As ``shown_of`` the demo, with its Recording."""
    with unseen(demo):
        return shown_of(demo, played(recording))


def played(recording):
    """What a page needs of a Recording: what drawings are sent at first is there once."""
    start = recording.start.items()
    kept = {path: value for path, value in start if path[0] == "c" or path in recording.local}
    return vars(recording) | {"start": kept}


def written(value, exactly=False):
    """As JSON holds it; bytes in base64; of numbers all digits, or those that are drawn."""
    if isinstance(value, bytes):
        return {"base64": b64encode(value).decode()}
    if isinstance(value, dict):
        return {str(name): written(one, exactly) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [written(one, exactly) for one in value]
    if isinstance(value, float):
        return value if exactly else short(value)
    return value


PLACES = range(5)  # digits after the point that a drawing may round to


@cache  # most numbers of a demo are the same in each of its states
def short(number):
    """The number with as few digits as leave every rounding as it is; zero without a sign."""
    if number != number or number in (float("inf"), float("-inf")):
        return None
    for digits in (5, 6, 7, 9):
        near = float(f"{number:.{digits}g}")
        if all(f"{near:.{n}f}" == f"{number:.{n}f}" for n in PLACES):
            return near + 0.0
    return number
