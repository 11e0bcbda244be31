"""Watch a model learn: a map of its weights forming, curves, the time left and Stop.

Notebooks 7, 8, 10 and 12 show it.
"""

import inspect
import re
import time
from functools import partial
from pathlib import Path

import traitlets

from lib.widgets.attention_map.attention_map import MapDrawing
from lib.widgets.frame import (
    Demo,
    Drawing,
    InClass,
    Numbers,
    named,
    readers_function,
    sources,
)
from lib.widgets.frame.pictures import traits_of
from lib.widgets.frame.record import Alive, written

MAP_WIDTH = 468  # pixels of the stage; what is written and the curves have the rest
POINTED = ("d1.query", "d1.key")  # of the map, as a recording names them
ANSWERS = ("reached", "last", "gap", "")
LIB = Path(__file__).parents[2]
GOAL = 0.99  # as in training.mjs
AGAIN = "Press train to begin again."
# What lessons ask of it: there it learns French (learns_french.py).
FRENCH = "How many steps until 99 % of new sentences are right?"


class CurveDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("x", "bets")
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    x = traitlets.List(traitlets.Int()).tag(sync=True)
    ys = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    # Of each curve's axis; 0: its largest number.
    tops = traitlets.List(traitlets.Float()).tag(sync=True)
    length = traitlets.Int(1).tag(sync=True)
    waiting = traitlets.Unicode("Run the next cell to start.").tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)
    can_train = traitlets.Bool(False).tag(sync=True)  # at a press of its button
    left = traitlets.Unicode().tag(sync=True)  # how long it will take
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)  # what the model writes, by report
    reads = traitlets.List(traitlets.Unicode()).tag(sync=True)  # the words that it translates
    wanted = traitlets.List(traitlets.Unicode()).tag(sync=True)  # those that it should write
    alone = traitlets.Bool(False).tag(sync=True)  # without a map it has the whole stage
    answer = traitlets.Enum(ANSWERS, "last").tag(sync=True)
    bets = traitlets.List(traitlets.Int(min=0)).tag(sync=True)  # steps, of the hall


class Training(Demo):
    """A map and curves that ``show`` or ``follow`` extends while another cell trains a model.

    weights: what the map shows before the first step, (H, T, S) or (T, S); None, there and in
    ``show`` and ``follow``, where no map serves the question. steps: how many there will be;
    curves: names of the numbers to plot; shares: names of numbers from 0 to 1, drawn on
    that scale; head_names: one for each head of the map; start: what a button *train* calls, where
    no other cell does it. Of a single share 99 % is marked, and until it starts the hall bets on
    the step with it. answer: the large number, "reached" (that step, the default of a single
    share), "last" (the first curve's newest number, the default elsewhere), "gap" (between the
    first two, at the end) or "" (the map is the answer). ``history`` holds the numbers shown so
    far, {name: [...]}.
    """

    title = "Watch it learn"
    in_class = InClass(FRENCH, 4)

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
        answer=None,
    ):
        names = [*curves, *shares]
        tops = [1.0 if name in shares else 0.0 for name in names]
        ys = [[] for _ in names]
        if answer is None:
            answer = "reached" if len(shares) == 1 else "last"
        self.curve = CurveDrawing(names=names, tops=tops, length=steps, ys=ys, answer=answer)
        self.tokens = (query_tokens, key_tokens, None, head_names)
        self.before = weights
        self.map = None
        if weights is None:
            self.curve.alone = True
            self.curve.reads, self.curve.wanted = key_tokens, query_tokens
        else:
            self._make_map()
        self._marked = self._pointed()
        self.start = start
        self.reports = []  # what was shown since the beginning
        self._last = None  # of the reports that are followed
        if start:
            self.curve.can_train = True
            self.curve.waiting = "Press train to start."
        self.curve.on_msg(self._hear)
        super().__init__(question, [], [self.curve, *([self.map] if self.map else [])])
        self.curve.observe(self._offer, ["x", "running"])
        self.curve.observe(lambda _press: self.attempt(self.reset), "presses")

    def _make_map(self):
        self.map = MapDrawing(room_width=MAP_WIDTH, has_digits=False)
        self.map.show(self.before, *self.tokens)
        self.curve.reads, self.curve.wanted = self.map.key_tokens, self.map.query_tokens
        self.map.query = self.map.shape[1] // 2  # the first row of a decoder has no choice
        self.add_class("abreast")

    def _show_map(self, weights):
        if self.map:
            self.map.show(weights, *self.tokens)
            self._mark()

    def _hear(self, _drawing, content, _buffers):
        if content.get("type") == "stop":
            self.stopping = True
        if content.get("type") == "train" and self.curve.can_train:
            self.attempt(self._train)

    def _offer(self, _change):
        """After its last step Enter starts over; until then the drawing says what Enter does."""
        curve = self.curve
        is_over = self.start and not curve.running and curve.x and curve.x[-1] >= curve.length
        curve.enter = "" if is_over else None

    def _train(self):
        """Call ``start``; meanwhile the button does nothing, or it would train once more."""
        self.curve.can_train, self._last = False, None
        try:
            self.start()
        finally:
            self.curve.can_train = True
            self._rest()  # once more: a second interrupt may come while the first one ends

    def _rest(self):
        self.curve.running, self.curve.left = False, ""

    def sentence_for(self, error):
        if isinstance(error, KeyboardInterrupt):
            self.stopping = True
            return self._ended(self._last)
        name = readers_function(error)
        where = f" in {name}" if name else ""
        return (
            f"Training stopped{where}: {named(error)}. Mend it, run its cell and those below it, "
            "then press train."
        )

    def show(self, step, weights, writes="", **values):
        """Show the weights after this step, one new number for each curve, what is written now."""
        if self.curve.x and step <= self.curve.x[-1]:  # the training began again
            bets = self.curve.bets
            self.reset()
            self.curve.bets = bets  # they were made for this run
        self._show_map(weights)
        self.reports.append((step, weights, writes, values))
        with self.curve.hold_sync():
            self.curve.x = [*self.curve.x, step]
            self.curve.texts = [*self.curve.texts, writes]
            numbers = (values[name] for name in self.curve.names)
            self.curve.ys = [
                [*ys, float(number)] for ys, number in zip(self.curve.ys, numbers, strict=True)
            ]

    def _pointed(self):
        """The row and the column of the map that are pointed at."""
        return (self.map.query, self.map.key) if self.map else None

    @property
    def _is_marked(self):
        """Whether the reader points nowhere else than the frame."""
        return self._pointed() == self._marked

    def _mark(self):
        """Point at the row's largest weight, unless the reader points elsewhere."""
        if self._is_marked:
            self.map.key = int(self.map.array[self.map.head, self.map.query].argmax())
            self._marked = self._pointed()

    def follow(self, reports, weights, writes=None, **values):
        """Show the reports of ``training.fit`` until they end, or Stop or an interrupt ends them.

        weights(report) -> the map; writes(report) -> a sentence that the model writes at this step;
        values: for each curve a function of the report. Returns the last report. The model can be
        used however it ended, and following ``fit`` of the same run again goes on.
        """
        begin, first, report = time.monotonic(), None, None
        self.stopping, self.curve.running, self._last = False, True, None
        try:
            for report in reports:
                self._last = report
                numbers = {name: value(report) for name, value in values.items()}
                text = writes(report) if writes else ""
                seen = weights(report) if weights else None
                self.show(report.step, seen, text, **numbers)
                first = first or (time.monotonic(), report.step)
                self.curve.left = self._left(report, begin, *first)
                if self.stopping:
                    break
        except KeyboardInterrupt:  # Stop in the frame, or in Jupyter's own bar
            self.stopping = True
        finally:
            self._rest()
        self.say(self._ended(report))
        return report

    def _left(self, report, begin, since, step):
        """The time left, predicted from the steps after the first report where there are some."""
        if report.step > step:
            pace = (time.monotonic() - since) / (report.step - step)  # seconds for each step
        else:
            pace = (time.monotonic() - begin) / report.step
        left = pace * (report.steps - report.step)
        return f"{left:.0f} s left"

    def _ended(self, report):
        if report is None and self.curve.x and not self.stopping:
            return "This run has had all its steps. Make a new one to train again."
        again = AGAIN if self.start else "Run the cell again to go on."
        if report is None:
            return f"Interrupted. {again}"
        if self.stopping and report.step < report.steps:
            return f"Stopped after step {report.step} of {report.steps}. {again}"
        return ""

    def reset(self):
        """Show again what there was before the first step."""
        self.reports = []
        self._show_map(self.before)
        with self.curve.hold_sync():
            self.curve.x, self.curve.ys = [], [[] for _ in self.curve.names]
            self.curve.texts = []
        super().reset()
        self._marked = self._pointed()

    def tell(self):
        """Train, where no other cell of the page does it."""
        super().tell()
        if self.start and not self.curve.x:
            self.start()

    # -- on a page without Python ------------------------------------------------------------------

    @property
    def alive(self):
        """A training that a button starts is played back: what was shown, or else a new one."""
        return Alive(given=partial(self._given, self.reports)) if self.start else None

    def kept(self):
        return self.reports

    def restore(self, kept):
        for step, weights, writes, values in kept:
            self.show(step, weights, writes, **values)

    def _given(self, reports):
        """What live.mjs plays: of each report its numbers, and what is new on the map."""
        if not reports:
            self.start()
            reports = self.reports
        self.reset()
        before = last = self._map_sent()
        played = []
        for step, weights, writes, values in reports:
            self.show(step, weights, writes, **values)
            now = self._map_sent()
            new = {path: value for path, value in now.items() if value != last[path]}
            numbers = [float(values[name]) for name in self.curve.names]
            played.append({"step": step, "writes": writes, "numbers": numbers, "map": new})
            last = now
        self.reset()
        changed = set().union(*(each["map"] for each in played))
        pointed = [path for path in POINTED if path in before]
        given = {"reports": played, "pointed": pointed}
        return given | {"before": {path: before[path] for path in changed}}

    def _map_sent(self):
        names = traits_of(self.map) if self.map else []
        return {f"d1.{name}": written(getattr(self.map, name)) for name in names}

    def picture_state(self):
        """What goes into the training, and what is pointed at: the numbers come out of it."""
        pointed = {name: getattr(self.map, name) for name in self.map.state} if self.map else {}
        if self.map and self._is_marked:
            pointed["key"] = None  # it comes out of the training
        begins = inspect.getsource(self.start) if self.start else ""
        learns = [path.read_text("utf-8") for path in _what_learns()]
        curve = self.curve
        shown = [curve.names, curve.tops, curve.length, curve.answer]
        return [*shown, self.tokens, pointed, begins, *learns]

    @property
    def history(self):
        return dict(zip(self.curve.names, self.curve.ys, strict=True))

    def numbers_on_screen(self, shown):
        texts, caption, says = [], [], ""
        if self.map:
            of_map = {**shown, "captions": shown["captions"][1:]}
            texts, caption, says, _ = self.map.numbers_on_screen(of_map)
        step = re.search(r"step (\d+)", shown["captions"][0])
        if step is None:  # nothing was trained yet
            return Numbers(texts, caption, says)
        step = int(step[1])
        place = self.curve.x.index(step)
        values = [numbers[place] for numbers in self.history.values()]
        tops = self.curve.tops
        told = [100 * value if top else value for value, top in zip(values, tops, strict=True)]
        return Numbers([*self._large(step, values), *texts], [step, *told, *caption], says)

    def _large(self, step, values):
        """The number at the place of the answer, in a list; none where that is "?"."""
        curve = self.curve
        if curve.answer == "reached":
            shares = next((ys for ys, top in zip(curve.ys, curve.tops, strict=True) if top), [])
            reached = [step for step, share in zip(curve.x, shares, strict=False) if share >= GOAL]
            return reached[:1] or [step] * curve.running
        return values[:1] if curve.answer == "last" else []


def _what_learns():
    """The files with the words and with the way to learn them: other files, other numbers."""
    return [*sorted((LIB / "corpus").glob("*.py")), LIB / "modules.py", LIB / "training.py"]
