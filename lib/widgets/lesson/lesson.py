"""A lesson: the order in which a presenter's clicker goes through the demos (demos.ipynb)."""

from typing import NamedTuple

import anywidget
import traitlets

from lib.widgets.arrows.arrows import Arrows
from lib.widgets.attention_steps.attention_steps import AttentionSteps
from lib.widgets.bars.bars import Bars
from lib.widgets.break_it.break_it import BreakIt
from lib.widgets.chat.chat import Chat
from lib.widgets.clocks.clocks import Clocks
from lib.widgets.copies.copies import Copies
from lib.widgets.decoder_stepper.decoder_stepper import DecoderStepper
from lib.widgets.depth.depth import Depth
from lib.widgets.directions.directions import Directions
from lib.widgets.frame import sources
from lib.widgets.heads.heads import Heads
from lib.widgets.mask_painter.mask_painter import MaskPainter
from lib.widgets.patches.patches import Patches
from lib.widgets.scaling_dial.scaling_dial import ScalingDial
from lib.widgets.training.training import Training
from lib.widgets.translator.translator import Translator
from lib.widgets.writer.writer import Writer
from lib.widgets.zoom.zoom import Zoom


class Step(NamedTuple):
    """One line of a plan.

    demo: the demo's class, "Translator 2" for the second Translator of the page, or "" where
    nothing is projected; title and ask: what the screen says, and asks first.
    """

    demo: str
    title: str
    ask: str
    minutes: int


# The second Translator of the page: two models beside each other.
TWO_MODELS = Step(
    "Translator 2",
    "Two models, one translation",
    "From “it”: at which word does each look most?",
    8,
)


def _step(demo):
    """What the lesson says of a demo."""
    return Step(demo.__name__, demo.title, *demo.in_class)


# In the order of demos.ipynb; the minutes are those of the demo alone.
DEMOS = [
    _step(Zoom),
    _step(Translator),
    _step(Arrows),
    _step(Directions),
    _step(Bars),
    _step(ScalingDial),
    _step(AttentionSteps),
    _step(Heads),
    _step(Patches),
    _step(Clocks),
    _step(Depth),
    _step(DecoderStepper),
    _step(MaskPainter),
    _step(Training),
    _step(BreakIt),
    TWO_MODELS,
    _step(Writer),
    _step(Chat),
    _step(Copies),
]
BY_NAME = {step.demo: step for step in DEMOS}


def _demo(name, minutes):
    """The demo of this name, for so many minutes."""
    return BY_NAME[name]._replace(minutes=minutes)


NINETY_MINUTES = [
    _demo("Translator", 5),
    _demo("Arrows", 5),
    _demo("Bars", 10),
    _demo("ScalingDial", 10),
    _demo("AttentionSteps", 25),
    Step("", "In pairs: page 4, Two bugs to find", "What is wrong?", 10),
    _demo("Heads", 10),
    _demo("Translator 2", 10),
    Step("", "Recap", "What would convince you that a map means something?", 5),
]
THREE_HOURS = [
    *NINETY_MINUTES,
    Step("", "A break", "", 15),
    _demo("Clocks", 10),
    _demo("Depth", 10),
    _demo("DecoderStepper", 5),
    _demo("MaskPainter", 5),
    _demo("Training", 15),
    _demo("BreakIt", 15),
    _demo("Writer", 10),
    Step("", "Recap", "What is missing from this to a large model?", 5),
]
FROM_IT_TO_A_CHAT_MODEL = [
    _demo("Translator", 6),
    _demo("AttentionSteps", 15),
    _demo("Heads", 5),
    _demo("Translator 2", 8),
    _demo("Writer", 5),
    _demo("Chat", 6),
]
PLANS = {
    "45 minutes": FROM_IT_TO_A_CHAT_MODEL,
    "90 minutes": NINETY_MINUTES,
    "3 hours": THREE_HOURS,
    "all demos": DEMOS,
}


class Lesson(anywidget.AnyWidget):
    """The panel of a lesson: its steps, each a button that opens its demo in full screen.

    plans: {name: list of Steps}; plan: the name of the one that the clicker follows.
    """

    _esm, _css = sources(__file__)
    plans = traitlets.Dict().tag(sync=True)  # {name: [{"demo", "title", "ask", "minutes"}, ...]}
    plan = traitlets.Unicode().tag(sync=True)

    def __init__(self, plans, plan):
        written = {name: [step._asdict() for step in steps] for name, steps in plans.items()}
        super().__init__(plans=written, plan=plan)

    def __repr__(self):
        lines = [self.plan]
        for step in self.plans[self.plan]:
            lines.append("{minutes:4} min  {title}".format(**step))
        return "\n".join(lines)

    def _in_words(self):
        """The plan for those who cannot run the page."""
        line = "1. {title}, {minutes} min"
        lines = [line.format(**step) for step in self.plans[self.plan]]
        return "\n".join([f"**{self.plan}**", "", *lines])

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = repr(self)  # whole: ipywidgets would cut it
        data["text/markdown"] = self._in_words()
        return data, metadata


def lesson(plan="90 minutes"):
    """Show a lesson: the clicker follows its order, in full screen, on the page where it stands.

    plan: "45 minutes", "90 minutes", "3 hours", "all demos", or your own list of demos, such as
    ["Bars", "ScalingDial", "Bars"]; "Translator 2" is the second Translator of the page. Raises
    ValueError for anything else.
    """
    if isinstance(plan, str):
        if plan not in PLANS:
            raise ValueError(
                f"there is no lesson {plan!r}; choose one of {', '.join(PLANS)}, "
                'or give a list of demos such as ["Bars", "Heads"].'
            )
        return Lesson(PLANS, plan)
    return Lesson({"my lesson": _own(plan)}, "my lesson")


def _own(names):
    """The Steps of a list of names."""
    if not isinstance(names, list | tuple) or not names:
        raise ValueError(
            f"a lesson is {', '.join(PLANS)} or a list of demos, not {names!r}; "
            'write for example widgets.lesson("90 minutes").'
        )
    unknown = [str(name) for name in names if name not in BY_NAME]
    if unknown:
        raise ValueError(
            f"a lesson has no demo {', '.join(unknown)}; choose from {', '.join(BY_NAME)}."
        )
    return [BY_NAME[name] for name in names]
