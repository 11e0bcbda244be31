"""A question whose answer is seen only after a prediction (pages 1 to 15).

The cell shows the question, then runs the experiment, and keeps the result until the reader has
chosen. Why it came out so stands in the Markdown cell below, in a fold whose summary is WHY: the
choice opens it. It is no argument of the call: whoever sees the call reads it before the question.
Where no widget runs (GitHub, a page that nobody has run) result and reason are two folds.
"""

import base64
import hashlib
import io
from contextlib import redirect_stdout
from html import escape

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython
from IPython.display import HTML, clear_output, display

from lib.widgets.frame import sources
from lib.widgets.frame.letters import Letters, the_letters

WHY = "What came out, and why"  # frame.mjs looks for these words
NOT_YET = -1  # no choice
SHORT = 6  # letters of a fingerprint
MOST = 6  # choices: more cannot be weighed against each other, nor told by one digit


class Predict(anywidget.AnyWidget):
    """Ask, let the reader choose, then show what the experiment says.

    question: one sentence, without the answer in it; choices: two to six texts; right: the
    fingerprint of one of them, since the cell stands above the question (any other text is refused
    with a list of them all); experiment: a function of no arguments, run once, here, while the
    question can be read. What it prints is its result, and what it returns: a chart of lib.charts,
    or any object that has a text. Raises ValueError for choices that are none, and whatever the
    experiment raises.
    """

    _esm, _css = sources(__file__)
    question = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    right = traitlets.Int().tag(sync=True)  # a place in the choices, from 0
    guess = traitlets.Int(NOT_YET).tag(sync=True)  # the reader's first choice
    printed = traitlets.Unicode().tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)  # a data URI, or ""
    width = traitlets.Int(0).tag(sync=True)  # of the picture on the page, in pixels
    alt = traitlets.Unicode().tag(sync=True)  # the picture in words
    _letters = traitlets.Instance(Letters).tag(sync=True, **ipywidgets.widget_serialization)

    @traitlets.default("_letters")
    def _the_letters(self):
        return the_letters()

    def __init__(self, question, choices, experiment, *, right):
        choices = [str(choice) for choice in choices]
        check(question, choices, experiment, right)
        show_question(question, choices)
        printed, picture, look = result_of(experiment)
        take_question_away()
        super().__init__(
            question=question,
            choices=choices,
            right=fingerprints(question, choices).index(right),
            printed=printed,
            picture=picture,
            **look,
        )

    def __repr__(self):
        return f"{self.question}\n{' · '.join(self.choices)}"

    def folded(self):
        """The question, and below it in a fold what came out, as HTML."""
        parts = [
            in_html(self.question, self.choices),
            "<details><summary>Choose first; then see what came out.</summary>",
            f"<p>It came out: <b>{escape(self.choices[self.right])}</b></p>",
        ]
        if self.printed:
            parts.append(f"<pre>{escape(self.printed)}</pre>")
        if self.picture:
            words = escape(self.alt)
            parts.append(f'<img src="{self.picture}" width="{self.width}" alt="{words}">')
        return "\n".join([*parts, "</details>"])

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = repr(self)
        data["text/html"] = self.folded()
        return data, metadata


def check(question, choices, experiment, right):
    """Raise ValueError for what cannot be asked."""
    if not 2 <= len(choices) <= MOST or len(set(choices)) < len(choices):
        raise ValueError(f"{question!r} needs two to {MOST} different choices, not {choices}.")
    marks = fingerprints(question, choices)
    if right not in marks:
        pairs = zip(marks, choices, strict=True)
        known = "\n".join(f'right="{mark}": {choice}' for mark, choice in pairs)
        raise ValueError(f"right={right!r} is the fingerprint of no choice; these are:\n{known}")
    if not callable(experiment):
        raise ValueError(
            f"the experiment is a function without arguments, not {type(experiment).__name__}; "
            "write its name without brackets."
        )


def in_html(question, choices):
    """What is asked, without a word of the answer."""
    items = "".join(f"<li>{escape(choice)}</li>" for choice in choices)
    return f"<p><b>{escape(question)}</b></p>\n<ol>{items}</ol>"


def show_question(question, choices):
    """Let the question be read while its experiment runs. Without a kernel nobody is asked."""
    if get_ipython():
        display(HTML(in_html(question, choices)))


def take_question_away():
    """Make room for the panel, which asks it again: when it comes, and not before."""
    if get_ipython():
        clear_output(wait=True)


def fingerprints(question, choices):
    """A text of six letters and digits for each choice, which does not tell what it stands for."""
    texts = [f"{question} {choice}" for choice in choices]
    return [hashlib.sha256(text.encode()).hexdigest()[:SHORT] for text in texts]


def result_of(experiment):
    """(what it printed and returned as text, its picture as a data URI or "", how it is shown)."""
    printed, value = listened_to(experiment)
    if hasattr(value, "_repr_png_"):
        png, look = value._repr_png_()
        return printed, f"data:image/png;base64,{base64.b64encode(png).decode()}", look
    if value is not None:
        printed = "\n".join(line for line in (printed, str(value)) if line)
    return printed, "", {}


def listened_to(experiment):
    """(what it printed, what it returned); if it fails, what it printed is seen in the cell."""
    out = io.StringIO()
    try:
        with redirect_stdout(out):
            value = experiment()
    except BaseException:
        print(out.getvalue(), end="")  # whoever looks for the mistake needs it
        raise
    return out.getvalue().rstrip("\n"), value
