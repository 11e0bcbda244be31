"""Demos that are alive on a page without Python: what Python answers is recorded for it.

Alive are those whose answers depend on their controls and their story alone: SUBJECTS. What a page
of the course shows by another call, or by a demo that computes from what is dragged, stays a
picture.
"""

from dataclasses import dataclass

from lib import widgets
from lib.pretrained.today import ChatModel
from lib.widgets.frame.pictures import html_of
from lib.widgets.frame.word_by_word import KEYS
from tools.live.record import Walk


@dataclass(frozen=True)
class Subject:
    """call: as a page's cell ends; make: the same demo; messages, told: as for a Walk."""

    call: str
    make: callable
    messages: tuple = ()
    told: bool = False


SUBJECTS = {
    "Depth": Subject("widgets.Depth()", widgets.Depth),
    "Directions": Subject("widgets.Directions()", widgets.Directions, told=True),
    "BreakIt": Subject("widgets.BreakIt()", widgets.BreakIt),
    "Zoom": Subject(
        'widgets.Zoom(last="changed")', lambda: widgets.Zoom(last="changed"), ("back",)
    ),
    "Chat": Subject("widgets.Chat(chat)", lambda: widgets.Chat(ChatModel.recorded()), KEYS, True),
}


def subject_of(source):
    """The name of the demo that a cell shows, if it is alive; else ""."""
    last = source.rstrip().rpartition("\n")[2].strip()
    return next((name for name, subject in SUBJECTS.items() if subject.call == last), "")


def recorded(name):
    """The Recording of a demo."""
    subject = SUBJECTS[name]
    return Walk(name, subject.make(), subject.messages, subject.told).run()


def page_of(name):
    """One HTML page that has the demo, alive."""
    return html_of(SUBJECTS[name].make(), recording=vars(recorded(name)))
