"""Every tool says what it does, and does nothing else, where it is asked for help."""

import re
import sys
from types import SimpleNamespace

import pytest

from benchmarks import run
from benchmarks.table import Row
from tools import count_page, help_if_asked
from tools.course import ROOT, name_of

NOT_FOR_PEOPLE = {"installed.py", "lab.py"}  # start.py runs them
TOOLS = [
    path
    for path in [*sorted((ROOT / "tools").glob("*.py")), ROOT / "benchmarks" / "run.py"]
    if "\nif __name__" in path.read_text("utf-8") and path.name not in NOT_FOR_PEOPLE
]


@pytest.mark.parametrize("path", TOOLS, ids=name_of)
def test_a_tool_answers_when_it_is_asked_for_help(path):
    text = path.read_text("utf-8")
    first = re.search(r"\nif __name__ == .*\n +(.*)", text)[1]
    assert "argparse" in text or first == "help_if_asked(__doc__)"


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_ends_the_tool(word, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tool", "film", word])
    with pytest.raises(SystemExit) as end:
        help_if_asked("What it does.\n")
    assert end.value.code == 0 and capsys.readouterr().out == "What it does.\n"


def test_without_the_word_it_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tool", "film"])
    assert help_if_asked("What it does.") is None and capsys.readouterr().out == ""


@pytest.mark.parametrize("path", ["notebooks/02.ipynb", "README.md"])
def test_what_is_no_notebook_is_said_and_not_counted(path):
    with pytest.raises(SystemExit, match="no notebook .*: give a file|is no notebook: give a file"):
        count_page.main([str(ROOT / path)])


def test_the_benchmarks_say_how_long_they_take_before_they_begin(monkeypatch, capsys):
    said = []

    def rows():
        said.append(capsys.readouterr().err)
        return [Row("rows", "1 ms")]

    monkeypatch.setattr(run.importlib, "import_module", lambda name: SimpleNamespace(rows=rows))
    assert run.main(["start_up", "attention"]) == 0
    minutes = run.PARTS["start_up"] + run.PARTS["attention"]
    assert f"About {minutes} min" in said[0]


def test_every_measurement_has_its_minutes_and_a_word_in_the_help():
    folder = ROOT / "benchmarks"
    parts = [path.stem for path in folder.glob("*.py") if "\ndef rows()" in path.read_text("utf-8")]
    assert set(run.PARTS) == set(parts)
    assert all(part in run.__doc__ for part in parts)
