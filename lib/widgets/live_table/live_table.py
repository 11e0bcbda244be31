"""A table that follows sliders (the walk through the shapes of notebook 5)."""

import traitlets

from lib.widgets.frame import Demo, Drawing, Numbers, named, slider, sources
from lib.widgets.frame.record import Alive


class TableDrawing(Drawing):
    _esm, _css = sources(__file__)
    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    verdicts = traitlets.List(traitlets.Bool()).tag(sync=True)  # one for each row, or none
    sentence = traitlets.Unicode().tag(sync=True)


class LiveTable(Demo):
    """Run ``function`` with the sliders' values each time one moves, and show its rows.

    function(**values) -> rows, each a sequence of cells; columns: their names; sliders:
    name=(start, options). What goes wrong in the function is said in the frame, and the table is
    emptied.
    """

    alive = Alive()

    def __init__(self, function, title, question, columns, **sliders):
        self.function = function
        self.sliders = {}
        for name, (start, options) in sliders.items():
            self.sliders[name] = slider(name, options, start)
        self.drawing = TableDrawing(columns=list(columns))
        super().__init__(question, list(self.sliders.values()), [self.drawing], title)

    @property
    def values(self):
        """{name: value} of the sliders."""
        return {name: slider.value for name, slider in self.sliders.items()}

    def rows(self):
        """The rows for the sliders' present values."""
        return self.function(**self.values)

    def update(self):
        try:
            self._show(self._cells())
        except (
            Exception,
            SystemExit,
        ) as error:  # the reader's own code; the page says how it failed
            self._show([])  # the old numbers would stand beside the new sliders
            if isinstance(error, ValueError):
                raise
            raise ValueError(named(error)) from error

    def _show(self, rows):
        with self.drawing.hold_sync():
            self.drawing.rows = rows
            self.drawing.verdicts = self.verdicts(rows)
            self.drawing.sentence = self.sentence(rows)

    def _cells(self):
        return [[str(cell) for cell in row] for row in self.rows()]

    def verdicts(self, rows):
        """Whether each row is right, or nothing where that is no question."""
        return []

    def sentence(self, rows):
        """What stands under the table."""
        if not rows:
            return "There are no rows."
        values = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"The rows for {values}."

    def numbers_on_screen(self, shown):
        rows = [] if self.header.message else self._cells()
        cells = [*self.drawing.columns]
        for row in rows:
            cells += row
        return Numbers([], says=self.sentence(rows), cells=cells)
