"""Every prediction from page 1 on is asked by Predict, or by a demo's own frame."""

import ast
import re
from html import unescape

import nbformat
import pytest

from lib.widgets.predict.predict import WHY
from tools.course import NOTEBOOKS

PATHS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
by_every_page = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
by_page = pytest.mark.parametrize("path", PATHS[1:], ids=lambda path: path.stem)

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
# The text below a question is the fold that its answer opens, and nothing stands before it.
REASON = re.compile(rf"<details><summary>{WHY}</summary>\n\n(.*?)\n</details>", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\])")  # with a point; those of a link are none


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
def test_a_page_asks_and_its_recap_begins_a_cell(path):
    assert asked(path), f"{path.name} has no widgets.Predict"
    titles = [cell.source.partition("\n")[0] for cell in cells_of(path)]
    assert "## Recap" in titles, f"{path.name}: the Recap begins a cell of its own"


@by_page
def test_side_paths_stand_at_the_end_and_are_folded(path):
    cells = cells_of(path)
    titles = [cell.source.partition("\n")[0] for cell in cells]
    if "## Further" not in titles:
        return
    place = titles.index("## Further")
    assert "## Recap" in titles[:place]
    for cell, title in zip(cells[place:], titles[place:], strict=True):
        if title.startswith("### "):
            assert cell.metadata.get("jp-MarkdownHeadingCollapsed"), f"{title} stands open"
            assert re.search(r"\(\d+ minutes\)$", title), f"{title} does not say its minutes"


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


def text_below(cells, place):
    """The first Markdown cell below a cell."""
    return next(cell.source for cell in cells[place + 1 :] if cell.cell_type == "markdown")


@by_page
def test_the_text_after_a_prediction_says_what_came_out(path):
    cells = cells_of(path)
    for place, text in asked(path):
        below = text_below(cells, place)
        assert REASON.match(below), f"no fold {WHY!r} right below {question_of(text)!r}"


@by_every_page
def test_the_text_after_a_demo_that_asks_is_folded_too(path):
    cells = cells_of(path)
    for place, cell in enumerate(cells):
        if is_demo(cell) and "Equal to PyTorch" not in str(cell.outputs):
            assert REASON.match(text_below(cells, place)), f"below cell {cell.id}"


@by_every_page
def test_a_reason_has_no_number_that_the_result_does_not_show(path):
    """What else was measured belongs into the fold "How sure are we?"."""
    cells = cells_of(path)
    for place, html in asked(path):
        reason = REASON.match(text_below(cells, place))[1]
        wrong = set(NUMBER.findall(without_links(reason))) - set(NUMBER.findall(unescape(html)))
        assert not wrong, f"{question_of(html)!r}: {sorted(wrong)} is not in what came out"


def without_links(text):
    return re.sub(r"\[[^]]*\]\([^)]*\)|section \d[\d.]*", "", text)
