"""Every prediction of pages 1 to 13 is asked by Predict, or by a demo's own frame."""

import ast
import re
from html import unescape

import nbformat
import pytest

from tools.course import NOTEBOOKS

PATHS = [
    path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if re.match(r"0[1-9]|1[0-3]", path.name)
]
by_page = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)

# What asks the reader to foresee something; a question in a class box is the teacher's.
ASKS = re.compile(
    r"[*_]*\b(predict|prediction|guess|foretell)\b[*_]*\s*[:—][*_]*"  # **Predict:** what ...
    r"|[*_]{1,3}(predict|guess|your (prediction|guess))\b(?!\.)"  # **Predict** what ...
    r"|(?m:^)(predict|guess)\b"  # Predict what ...
    r"|\b(first|now|so) (predict|guess)\b"
    r"|\bwhat (do|would|will) you (predict|guess|expect)\b"
    r"|\bbefore you (run|look|go on|open)\b",
    re.IGNORECASE,
)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def call_of(cell, name):
    """The call widgets.NAME(...) of a code cell, or None."""
    if cell.cell_type != "code" or f"widgets.{name}" not in cell.source:
        return None
    calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
    found = [call for call in calls if ast.unparse(call.func) == f"widgets.{name}"]
    return found[0] if found else None


def asked(path):
    """(place of its cell, the HTML in its output) of each Predict."""
    cells = cells_of(path)
    places = [place for place, cell in enumerate(cells) if call_of(cell, "Predict")]
    return [(place, html_of(cells[place])) for place in places]


def html_of(cell):
    shown = [output.data for output in cell.outputs if "text/html" in output.get("data", {})]
    text = shown[0]["text/html"] if shown else ""
    assert "<details>" in text and "<li>" in text, (
        f"no folded prediction below this cell; refresh the page\n{cell.source}"
    )
    return text


def question_of(text):
    return unescape(re.search("<p><b>(.*?)</b></p>", text)[1])


def choices_of(text):
    return [unescape(choice) for choice in re.findall("<li>(.*?)</li>", text)]


def right_of(text):
    return unescape(re.search("It came out: <b>(.*?)</b>", text)[1])


def is_demo(cell):
    """Whether a demo's frame stands below this cell: it asks, and keeps the answer veiled."""
    return any("picture" in output.get("metadata", {}) for output in cell.get("outputs", []))


@by_page
def test_no_prediction_is_asked_in_prose(path):
    cells = cells_of(path)
    for place, cell in enumerate(cells):
        if cell.cell_type != "markdown":
            continue
        found = ASKS.search(FOLDED.sub("", cell.source))
        below = cells[place + 1] if place + 1 < len(cells) else {}
        assert not found or is_demo(below), (
            f"{path.name}, cell {cell.id}: {found[0]!r} asks in prose, and the answer may stand "
            "right below; ask with widgets.Predict, or in a demo's frame."
        )


def test_the_rule_finds_what_asks_and_nothing_else():
    for text in (
        "**Predict:** which is larger?",
        "**Predict**: which?",
        "*Predict* which is larger.",
        "Some text.\n\nPredict which is larger.",
        "What do you expect?",
        "A guess: it grows.",
        "Now predict its size, before you run the cell.",
    ):
        assert ASKS.search(text), text
    for text in (
        "The model predicts the next word.",
        "Its prediction is wrong, and a guess would be better.",
        "a masked stack that predicts the next word",
        "1. **Predict.** 64 sequences go through the model.",
    ):
        assert not ASKS.search(text), text


@by_page
def test_a_page_asks_and_counts_before_its_recap(path):
    cells = cells_of(path)
    codes = [place for place, cell in enumerate(cells) if cell.cell_type == "code"]
    assert asked(path), f"{path.name} has no widgets.Predict"
    last = codes[-1]
    assert cells[last].source == "widgets.predictions()", f"{path.name}: its last code cell"
    after = "\n".join(cell.source for cell in cells[last + 1 :])
    assert "## Recap" in after, f"{path.name}: widgets.predictions() stands before the Recap"


@by_page
def test_questions_do_not_give_themselves_away(path):
    questions = [question_of(text) for _, text in asked(path)]
    assert len(set(questions)) == len(questions), "two questions are the same"
    for _, text in asked(path):
        question, right = question_of(text), right_of(text)
        assert question.rstrip("*_ ").endswith("?"), f"no question: {question!r}"
        told = (
            " " in right and right.lower() in question.lower()
        )  # one word may be what it is about
        assert not told, f"the question has its answer in it: {question!r}, {right!r}"
    places = {choices_of(text).index(right_of(text)) for _, text in asked(path)}
    assert len(places) > 1 or len(questions) < 3, "the right choice is always in the same place"


@by_page
def test_the_text_after_a_prediction_says_what_came_out(path):
    cells = cells_of(path)
    for place, text in asked(path):
        after = [cell for cell in cells[place + 1 : place + 3] if cell.cell_type == "markdown"]
        says = after and not after[0].source.startswith(("#", "<"))
        assert says, f"no text after {question_of(text)!r} that says what came out, and why"


@by_page
def test_at_most_one_question_is_named_as_missed(path):
    calls = [call_of(cell, "Predict") for cell in cells_of(path)]
    missed = [call for call in calls if call and "missed" in [each.arg for each in call.keywords]]
    assert len(missed) <= 1
