"""Watch a model learn: a map of its weights forming, a curve falling, a bar for the time left (notebooks 7, 8, 10)."""

import ipywidgets
import traitlets

from lib import plots
from lib.widgets.attention_map import MapDrawing
from lib.widgets.frame import Demo, Drawing, sources


class CurveDrawing(Drawing):
    _esm, _css = sources("curve")
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    x = traitlets.List(traitlets.Int()).tag(sync=True)
    ys = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    length = traitlets.Int(1).tag(sync=True)
    axis = traitlets.Unicode("step").tag(sync=True)
    waiting = traitlets.Unicode("Run the next cell to start.").tag(sync=True)


class Training(Demo):
    """A map and curves that ``show`` extends while a model is trained in another cell.

    weights: what the map shows before the first step, (H, T, S) or (T, S); steps: how many there will be;
    curves: names of the numbers to plot. ``history`` holds the numbers shown so far, {name: [...]}.
    """

    height = 3.6

    def __init__(self, weights, query_tokens, key_tokens=None, steps=100, curves=("loss",), question=""):
        self.map, self.curve = MapDrawing(), CurveDrawing(names=list(curves), length=steps, ys=[[] for _ in curves])
        self.tokens, self.before = (query_tokens, key_tokens), weights
        self.map.show(weights, *self.tokens)
        self.bar = ipywidgets.IntProgress(max=steps, description="step")
        super().__init__("Watch it learn", question, [], [self.map, ipywidgets.VBox([self.curve, self.bar])])
        self.add_class("abreast")

    def show(self, step, weights, **values):
        """Show the weights after this step and one new number for each curve."""
        if self.curve.x and step <= self.curve.x[-1]:  # the training began again
            self.reset()
        self.map.show(weights, *self.tokens)
        with self.curve.hold_sync():
            self.curve.x = [*self.curve.x, step]
            numbers = (values[name] for name in self.curve.names)
            self.curve.ys = [[*ys, float(number)] for ys, number in zip(self.curve.ys, numbers, strict=True)]
        self.bar.value = step

    def reset(self):
        """Show again what there was before the first step."""
        self.map.show(self.before, *self.tokens)
        with self.curve.hold_sync():
            self.curve.x, self.curve.ys = [], [[] for _ in self.curve.names]
        self.bar.value = 0
        super().reset()

    @property
    def history(self):
        return dict(zip(self.curve.names, self.curve.ys, strict=True))

    def draw(self, figure):
        left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
        self.map.draw(left)
        axes = right.subplots()
        for (name, ys), (color, dash, _) in zip(self.history.items(), plots.STYLES, strict=False):
            axes.plot(self.curve.x, ys, dash, color=color, label=name)
        axes.set(xlabel=self.curve.axis, ylabel=", ".join(self.curve.names), ylim=(0, None))
