"""Tables that follow sliders: equality with PyTorch on every page, the walk through the shapes in notebook 5."""

import ipywidgets
import numpy as np
import traitlets

from lib.widgets.frame import Demo, Drawing, sources


class TableDrawing(Drawing):
    _esm, _css = sources("live_table")
    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)


class LiveTable(Demo):
    """Run ``function`` with the sliders' values each time one moves, and show the rows that it returns.

    function(**values) -> rows, each a sequence of cells; columns: their names; sliders: name=(start, options).
    What goes wrong in the function is said in the frame, and the table is emptied.
    """

    def __init__(self, function, title, question, columns, **sliders):
        self.function = function
        self.sliders = {
            name: ipywidgets.SelectionSlider(options=options, value=start, description=name)
            for name, (start, options) in sliders.items()
        }
        self.drawing = TableDrawing(columns=list(columns))
        super().__init__(title, question, list(self.sliders.values()), [self.drawing])
        self.add_class("controls-above")

    def rows(self):
        return self.function(**{name: slider.value for name, slider in self.sliders.items()})

    def update(self):
        try:
            self.drawing.rows = [[str(cell) for cell in row] for row in self.rows()]
        except (
            Exception
        ) as error:  # the reader's own code may fail in any way; the page must say how
            self.drawing.rows = []  # the old numbers would stand beside the new sliders
            raise ValueError(
                str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            ) from error

    @property
    def height(self):
        return 0.9 + 0.28 * len(self.drawing.rows)

    def draw(self, figure):
        axes = figure.subplots()
        axes.axis("off")
        table = axes.table(
            self.drawing.rows,
            colLabels=self.drawing.columns,
            loc="center",
            cellLoc="left",
            edges="B",
        )
        table.auto_set_font_size(False)
        table.set_fontsize(9)
        table.scale(1, 1.35)


class EqualTable(LiveTable):
    """Ours beside PyTorch's: the largest error, following the sliders.

    compare(**values) -> {what: (ours, theirs)}, two arrays each; "equal" means within ``tolerance`` everywhere.
    """

    def __init__(self, compare, question=None, tolerance=1e-6, **sliders):
        self.tolerance, self.limit = tolerance, f"{tolerance:.0e}".replace("e-0", "e-")
        question = (
            question
            or f"Predict: all sliders to the right. Does the largest error stay below {self.limit}?"
        )
        super().__init__(
            compare,
            "Equal to PyTorch",
            question,
            ["", "shape", "largest error", "equal?"],
            **sliders,
        )

    def rows(self):
        for what, (ours, theirs) in super().rows().items():
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            if ours.shape != theirs.shape:
                yield what, f"{ours.shape} and {theirs.shape}", "-", "no: the shapes differ"
                continue
            error = float(np.abs(ours - theirs).max())  # NaN is not within the tolerance
            verdict = f"yes, ≤ {self.limit}" if error <= self.tolerance else f"NO, > {self.limit}"
            yield what, " × ".join(map(str, ours.shape)), f"{error:.1e}", verdict
