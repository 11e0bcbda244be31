"""How many predictions of a page came out as its reader said (the end of pages 1 to 15)."""

import anywidget
import traitlets

from lib.widgets.frame import sources
from lib.widgets.predict.predict import PAGE


class Predictions(anywidget.AnyWidget):
    """The count of the page's predictions; it follows while the reader goes back and chooses."""

    _esm, _css = sources(__file__, style="predict")
    total = traitlets.Int().tag(sync=True)
    answered = traitlets.Int().tag(sync=True)
    right = traitlets.Int().tag(sync=True)

    def __init__(self):
        super().__init__()
        PAGE.observe(self._count)
        self._count()

    def _count(self, _change=None):
        came_out = [each for each in PAGE.answers.values() if each is not None]
        with self.hold_sync():
            self.total = len(PAGE.answers)
            self.answered = len(came_out)
            self.right = sum(came_out)

    def __repr__(self):
        return f"Predictions on this page: {self.total}."

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = data["text/markdown"] = repr(self)
        return data, metadata


def predictions():
    """Show how many of this page's predictions came out as the reader said."""
    return Predictions()
