"""A lesson: the order in which a presenter's clicker goes through the demos (demos.ipynb)."""

from typing import NamedTuple

import anywidget
import traitlets

from lib.widgets.frame import sources


class Step(NamedTuple):
    """One line of a plan.

    demo: the demo's class, "Translator 2" for the second Translator of the page, or "" where
    nothing is projected; title: what stands on the screen; ask: the question to the hall.
    """

    demo: str
    title: str
    ask: str
    minutes: int


# In the order of demos.ipynb; the minutes are those of the demo alone.
DEMOS = [
    Step(
        "Translator",
        "A Transformer translates, and shows where it looks",
        "What is too tired? How do you know?",
        5,
    ),
    Step(
        "Arrows",
        "The dot product: what score does a key get?",
        "I make k′ longer without turning it. Will it ever win?",
        3,
    ),
    Step(
        "Directions",
        "Random directions",
        "Two random arrows in 512 dimensions: which angle?",
        2,
    ),
    Step(
        "Bars",
        "Softmax: scores become shares",
        "I add 3 to every score. What happens?",
        5,
    ),
    Step(
        "ScalingDial",
        "The scaling dial",
        "What brings this back? Divide by what?",
        5,
    ),
    Step(
        "AttentionSteps",
        "Attention, step by step",
        "What will “it” collect from the other words?",
        15,
    ),
    Step(
        "Heads",
        "Several looks at once",
        "From 1 to 16 heads: more parameters? More scores?",
        5,
    ),
    Step(
        "Patches",
        "Tokens need not be words: patches",
        "I choose pale sky. Where will its weight go?",
        3,
    ),
    Step(
        "Clocks",
        "Clocks: where am I?",
        "I move both positions on by ten. Does their product change?",
        5,
    ),
    Step(
        "Depth",
        "Depth: do words stay apart?",
        "Three layers, nothing added back. How alike are eleven words?",
        5,
    ),
    Step(
        "DecoderStepper",
        "The decoder writes one word at a time",
        "It looks there. Which word does it write?",
        4,
    ),
    Step(
        "MaskPainter",
        "Paint a mask",
        "I block the largest score. Who gets its share?",
        5,
    ),
    Step(
        "Training",
        "Watch it learn",
        "How many steps until 99 of 100 new sentences are right?",
        4,
    ),
    Step(
        "BreakIt",
        "Break it, one switch at a time",
        "Breaks, slower, or nothing happens?",
        8,
    ),
    Step(
        "Translator 2",
        "Two models, one translation",
        "Which one understands the pronoun?",
        8,
    ),
    Step(
        "Writer",
        "A language model writes on",
        "What comes next?",
        6,
    ),
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
    Step("", "In pairs: page 4, exercises 2 and 3", "What is wrong?", 10),
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
PLANS = {"90 minutes": NINETY_MINUTES, "3 hours": THREE_HOURS, "all demos": DEMOS}


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

    plan: "90 minutes", "3 hours", "all demos", or your own list of demos, such as
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
