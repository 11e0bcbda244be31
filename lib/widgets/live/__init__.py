"""Demos that are alive on a page without Python: what Python answers is recorded for it.

What depends on their controls and their story is recorded; what follows from what is dragged is
computed in lib/widgets/NAME/live.mjs. SUBJECTS are those of the pages that are alive; any other
stays a picture.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from lib import widgets
from lib.corpus import toy_embeddings
from lib.pretrained.today import ChatModel
from lib.widgets.frame.pictures import html_of
from lib.widgets.frame.word_by_word import KEYS
from lib.widgets.live.record import Walk


@dataclass(frozen=True)
class Subject:
    """A demo that is alive, and what a walk cannot see of it.

    call: as a page's cell ends; also: other calls that show it; make: the same demo. messages: what
    its drawing asks Python for. told: whether an event needs what ``update`` has computed; where it
    does not, ``update`` runs once for each state, and not for each event. changes: what the drawing
    changes of a state, {name: value} each; followed: paths of the drawing that are always told
    together, also those of its ``state`` to which Python answers. free: paths of controls that only
    live.mjs follows. texts: {path of a text box: the texts that are recorded}. computed: the paths
    that the demo's live.mjs computes; given: makes what it computes with.
    """

    call: str
    make: Callable
    messages: tuple = ()
    told: bool = False
    also: tuple = ()
    changes: tuple = ()
    followed: tuple = ()
    free: tuple = ()
    texts: dict = field(default_factory=dict)
    computed: tuple = ()
    given: Callable = dict


ASKED = {"done": 1, "veiled": True}  # by a drawing whose first drag is the story's first step
LOOKS_AND_CUTS = (("look", 0), ("cost", 0), ("cost", 1))  # a head is asked, four are cut or not
SCORES = [2.82, -0.11, 0.17, -1.79, 2.69]  # of page 2
SUBJECTS = {
    "Depth": Subject("widgets.Depth()", widgets.Depth),
    "Directions": Subject("widgets.Directions()", widgets.Directions, told=True),
    "ScalingDial": Subject(
        "widgets.ScalingDial()",
        widgets.ScalingDial,
        texts={"c1.value": ("8", "log d_k", "√d_k", "d_k")},
    ),
    "Bars": Subject(
        "widgets.Bars(scores, words)", lambda: widgets.Bars(SCORES, toy_embeddings.FEW)
    ),
    "BarsOfEight": Subject("widgets.Bars()", widgets.Bars),
    "Arrows": Subject("widgets.Arrows()", widgets.Arrows),
    "Clocks": Subject("widgets.Clocks()", widgets.Clocks, changes=(ASKED,)),
    "MaskPainter": Subject(
        "widgets.MaskPainter()", widgets.MaskPainter, changes=(ASKED,), computed=("d0.shown",)
    ),
    "BreakIt": Subject("widgets.BreakIt()", widgets.BreakIt, computed=("d0.enter",)),
    "Copies": Subject(
        "widgets.Copies()",
        widgets.Copies,
        also=("widgets.Copies(chat)",),
        changes=tuple({"asks": asks, "cut": cut} for asks, cut in LOOKS_AND_CUTS),
        followed=("d0.asks", "d0.cut"),
    ),
    "DecoderStepper": Subject(
        "widgets.DecoderStepper()", widgets.DecoderStepper, messages=KEYS, told=True
    ),
    "Zoom": Subject(
        'widgets.Zoom(last="changed")', lambda: widgets.Zoom(last="changed"), ("back",)
    ),
    "Chat": Subject("widgets.Chat(chat)", lambda: widgets.Chat(ChatModel.recorded()), KEYS, True),
}
SHOWN = re.compile(r"(?P<name>\w+) = (?P<call>.+)\n(?P=name)$")  # a cell's "demo = Demo()\ndemo"


def subject_of(source):
    """The name of the demo that a cell shows, if it is alive; else ""."""
    shown = SHOWN.search(source.rstrip())
    last = shown["call"] if shown else source.rstrip().rpartition("\n")[2].strip()
    calls = {call: name for name, one in SUBJECTS.items() for call in (one.call, *one.also)}
    return calls.get(last, "")


@cache
def recorded(name):
    """The Recording of a demo, made once."""
    subject = SUBJECTS[name]
    return Walk(name, subject.make(), subject).run()


def page_of(name, shared=""):
    """One HTML page that has the demo, alive; what its drawings are sent at first is there once.

    shared: the address of a file with what pages share; without it all is in the page.
    """
    recording = recorded(name)
    start = recording.start.items()
    kept = {path: value for path, value in start if path[0] == "c" or path in recording.local}
    recording = vars(recording) | {"start": kept}
    return html_of(SUBJECTS[name].make(), recording=recording, shared=shared)
