"""Demos that are alive on a page without Python: what Python answers is recorded for it.

What depends on their controls and their story is recorded; what follows from what is dragged is
computed in lib/widgets/NAME/live.mjs. SUBJECTS are those of the pages that are alive; any other
stays a picture.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lib import widgets
from lib.corpus import toy_embeddings
from lib.pretrained.today import ChatModel
from lib.widgets.frame.pictures import html_of
from lib.widgets.frame.word_by_word import KEYS
from lib.widgets.live.record import Walk


@dataclass(frozen=True)
class Subject:
    """A demo that is alive, and what a walk cannot see of it.

    call: as a page's cell ends; make: the same demo. messages: what its drawing asks Python for.
    told: whether an event needs what ``update`` has computed; where it does not, ``update`` runs
    once for each state, and not for each event. changes: what the drawing changes of a state,
    {name: value} each. texts: {path of a text box: the texts that are recorded}. computed: the
    paths that the demo's live.mjs computes; given: makes what it computes with.
    """

    call: str
    make: Callable
    messages: tuple = ()
    told: bool = False
    changes: tuple = ()
    texts: dict = field(default_factory=dict)
    computed: tuple = ()
    given: Callable = dict


ASKED = {"done": 1, "veiled": True}  # by a drawing whose first drag is the story's first step
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
    return next((name for name, subject in SUBJECTS.items() if subject.call == last), "")


def recorded(name):
    """The Recording of a demo."""
    subject = SUBJECTS[name]
    return Walk(name, subject.make(), subject).run()


def page_of(name):
    """One HTML page that has the demo, alive."""
    return html_of(SUBJECTS[name].make(), recording=vars(recorded(name)))
