"""How many predictions of a page came out as its reader said (the end of pages 1 to 12)."""

import anywidget
import traitlets

from lib.widgets.frame import sources
from lib.widgets.predict import ASKED, NOT_YET


class Predictions(anywidget.AnyWidget):
    """The count of the page's predictions; it follows while the reader goes back and chooses."""

    _esm, _css = sources("predictions")
    total = traitlets.Int().tag(sync=True)
    answered = traitlets.Int().tag(sync=True)
    right = traitlets.Int().tag(sync=True)
    missed = traitlets.Unicode().tag(sync=True)  # the question that most readers get wrong, or ""

    def __init__(self):
        super().__init__()
        self.asked = list(ASKED.values())
        self.total = len(self.asked)
        self.missed = next((each.question for each in self.asked if each.missed), "")
        for each in self.asked:
            each.observe(self._count, "guess")
        self._count()

    def _count(self, _change=None):
        answered = [each for each in self.asked if each.guess != NOT_YET]
        with self.hold_sync():
            self.answered = len(answered)
            self.right = sum(each.is_right for each in answered)

    def __repr__(self):
        count = f"This page asks for {self.total} predictions."
        if not self.missed:
            return count
        return f"{count}\nReaders of the drafts were wrong most often here: {self.missed}"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = repr(self)
        data["text/markdown"] = repr(self).replace("\n", "\n\n")
        return data, metadata


def predictions():
    """Show how many of this page's predictions came out as the reader said."""
    return Predictions()
