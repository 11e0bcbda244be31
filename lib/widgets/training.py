"""Watch a model learn: a map of its weights forming, curves, a bar, the time left and Stop (notebooks 7, 8, 10, 11)."""

import time

import ipywidgets
import traitlets

from lib import plots
from lib.widgets.attention_map import MapDrawing
from lib.widgets.frame import Demo, Drawing, button, sources


class CurveDrawing(Drawing):
    _esm, _css = sources("training")
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    x = traitlets.List(traitlets.Int()).tag(sync=True)
    ys = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    tops = traitlets.List(traitlets.Float()).tag(
        sync=True
    )  # of each curve's axis; 0: its largest number
    length = traitlets.Int(1).tag(sync=True)
    axis = traitlets.Unicode("step").tag(sync=True)
    waiting = traitlets.Unicode("Run the next cell to start.").tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)


class Training(Demo):
    """A map and curves that ``show`` or ``follow`` extends while a model is trained in another cell.

    weights: what the map shows before the first step, (H, T, S) or (T, S); steps: how many there will be;
    curves: names of the numbers to plot; shares: names of numbers from 0 to 1, drawn on that scale; head_names: one
    for each head of the map; start: what a button *train* calls, where no other cell does it.
    ``history`` holds the numbers shown so far, {name: [...]}.
    """

    height = 3.6

    def __init__(
        self,
        weights,
        query_tokens,
        key_tokens=None,
        steps=100,
        curves=("loss",),
        question="",
        shares=(),
        head_names=None,
        start=None,
    ):
        names, tops = [*curves, *shares], [0.0] * len(curves) + [1.0] * len(shares)
        self.map, self.curve = (
            MapDrawing(),
            CurveDrawing(names=names, tops=tops, length=steps, ys=[[] for _ in names]),
        )
        self.tokens, self.before = (query_tokens, key_tokens, None, head_names), weights
        self.map.show(weights, *self.tokens)
        self.bar = ipywidgets.IntProgress(max=steps, description="step")
        self.curve.on_msg(lambda *_: setattr(self, "stopping", True))
        controls = [self._train(start)] if start else []
        super().__init__(
            "Watch it learn",
            question,
            controls,
            [self.map, ipywidgets.VBox([self.curve, self.bar])],
        )
        self.add_class("abreast")
        if start:
            self.add_class("controls-above")

    def _train(self, start):
        """The button that calls ``start``; it waits for its end, or a second click would train once more."""
        self.curve.waiting = "Press train to start."

        def clicked():
            train.disabled = True
            try:
                start()
            finally:
                train.disabled = False

        train = button("train", clicked)
        return train

    def show(self, step, weights, **values):
        """Show the weights after this step and one new number for each curve."""
        if self.curve.x and step <= self.curve.x[-1]:  # the training began again
            self.reset()
        self.map.show(weights, *self.tokens)
        with self.curve.hold_sync():
            self.curve.x = [*self.curve.x, step]
            numbers = (values[name] for name in self.curve.names)
            self.curve.ys = [
                [*ys, float(number)] for ys, number in zip(self.curve.ys, numbers, strict=True)
            ]
        self.bar.value = step

    def follow(self, reports, weights, **values):
        """Show the reports of ``training.fit`` until they end, or Stop or an interrupt ends them; the last one.

        weights(report) -> the map; values: for each curve a function of the report. The model can be used however it
        ended, and following ``fit`` of the same run again goes on.
        """
        begin, first, report = time.monotonic(), None, None
        self.stopping, self.curve.running = False, True
        try:
            for report in reports:
                self.show(
                    report.step,
                    weights(report),
                    **{name: value(report) for name, value in values.items()},
                )
                first = first or (time.monotonic(), report.step)
                self.header.message = self._left(report, begin, *first)
                if self.stopping:
                    break
        except KeyboardInterrupt:  # Stop in the frame, or in Jupyter's own bar
            self.stopping = True
        self.curve.running = False
        self.header.message = self._ended(report)
        return report

    def _left(self, report, begin, since, step):
        """The time left, as the steps after the first report foretell it."""
        steps = report.step - step or report.step
        left = (
            (time.monotonic() - (since if report.step > step else begin))
            / steps
            * (report.steps - report.step)
        )
        return f"about {left:.0f} s left; Stop leaves a model that can be used"

    def _ended(self, report):
        if report is None:
            done = "This run has had all its steps. Make a new one to train again."
            return (
                done
                if self.curve.x and not self.stopping
                else "Interrupted. Run the cell again to go on."
            )
        if self.stopping and report.step < report.steps:
            return (
                f"Stopped after step {report.step} of {report.steps}. Run the cell again to go on."
            )
        return ""

    def reset(self):
        """Show again what there was before the first step."""
        self.map.show(self.before, *self.tokens)
        with self.curve.hold_sync():
            self.curve.x, self.curve.ys = [], [[] for _ in self.curve.names]
        self.bar.value = 0
        super().reset()

    def _names(self, top):
        return [
            name
            for name, its_top in zip(self.curve.names, self.curve.tops, strict=True)
            if its_top == top
        ]

    @property
    def history(self):
        return dict(zip(self.curve.names, self.curve.ys, strict=True))

    def draw(self, figure):
        left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
        self.map.draw(left)
        axes = right.subplots()
        shares = axes.twinx() if any(self.curve.tops) else axes
        for (name, ys), top, (color, dash, _) in zip(
            self.history.items(), self.curve.tops, plots.STYLES, strict=False
        ):
            (shares if top else axes).plot(self.curve.x, ys, dash, color=color, label=name)
        axes.set(xlabel=self.curve.axis, ylabel=", ".join(self._names(0)), ylim=(0, None))
        if shares is not axes:
            shares.set(ylabel=", ".join(self._names(1)), ylim=(0, 1.02))
