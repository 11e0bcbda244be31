"""Count a page: cells, words, decimals, code, predictions, demos, exercises, and its minutes.

    .venv/bin/python tools/count_page.py notebooks/05_multi_head.ipynb ...

The minutes are a formula: 150 words of prose a minute, 8 seconds a line of code, 1.5 minutes a
prediction, 4.5 a demo, and the minutes that the exercises state. What is read is the prose outside
of folds and inside the folds that an answer opens. What stands below "## Further" is counted apart,
each side path under its heading. An exercise's minutes are those that stand in italics at the
beginning of its task.
"""

import re
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.widgets.predict.predict import WHY
from tools import end_if_no_notebooks, help_if_asked

MAIN, FURTHER = "main path", "Further"
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
CODE = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
# In italics; where they are the page's or those of a whole section, it says so.
MINUTES = re.compile(r"(?<!\*)\*(\d+) minutes(?!\. You need)(?![^*\n]*section)[^*\n]*\*")
CHECK = re.compile(r"checks\.\w+\(.*\)(\.ok|\.quiet)?$")
WORDS_A_MINUTE, SECONDS_A_LINE = 150, 8
MINUTES_A_PREDICTION, MINUTES_A_DEMO = 1.5, 4.5


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def prose(text):
    """Without what nobody reads: code, and where links lead."""
    return LINK.sub(r"\1", CODE.sub("", text))


def words(text):
    return len(re.findall(r"[^\W_]+(?:['’-]\w+)*", re.sub("<[^>]+>", " ", prose(text))))


def read(text):
    """What a reader of the main path reads of a Markdown cell."""
    opened = [body for name, body in FOLD.findall(text) if name.strip() == WHY]
    return "\n\n".join([FOLD.sub("", text), *opened])


def count(cells):
    """{what: how many} of these cells; "formula" is their minutes."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    codes = [cell for cell in cells if cell.cell_type == "code" and cell.id != "colab"]
    outputs = [output for cell in codes for output in cell.outputs]
    lines = [[line for line in cell.source.splitlines() if line.strip()] for cell in codes]
    found = {
        "cells": len(cells),
        "words": sum(map(words, texts)),
        "read": sum(words(read(text)) for text in texts),
        "decimals": sum(len(re.findall(r"\d+\.\d+", prose(read(text)))) for text in texts),
        "code cells": len(codes),
        "lines": sum(map(len, lines)),
        "predictions": sum("widgets.Predict(" in cell.source for cell in codes),
        "demos": sum(map(is_demo, outputs)),
        "exercises": sum(bool(some and CHECK.match(some[-1])) for some in lines),
        "their minutes": sum(map(stated_by_exercises, texts)),
    }
    return found | {"formula": round(minutes_of(found))}


def is_demo(output):
    return "picture" in output.get("metadata", {})


def stated_by_exercises(text):
    return sum(map(int, MINUTES.findall(text)))


def minutes_of(found):
    return (
        found["read"] / WORDS_A_MINUTE
        + found["lines"] * SECONDS_A_LINE / 60
        + found["their minutes"]
        + found["predictions"] * MINUTES_A_PREDICTION
        + found["demos"] * MINUTES_A_DEMO
    )


def parts(cells):
    """{MAIN: cells, FURTHER: {heading: cells}}."""
    titles = [cell.source.partition("\n")[0] for cell in cells]
    end = titles.index("## Further") if "## Further" in titles else len(cells)
    further, title = {}, None
    for cell, heading in zip(cells[end + 1 :], titles[end + 1 :], strict=True):
        if cell.cell_type == "markdown" and heading.startswith(("## ", "### ")):
            title = heading if heading.startswith("### ") else None
        if title:
            further.setdefault(title, []).append(cell)
    return {MAIN: cells[:end], FURTHER: further}


def main(paths):
    end_if_no_notebooks(paths)
    for path in paths:
        found = parts(cells_of(path))
        print(f"{Path(path).name}: {count(found[MAIN])}")
        for title, cells in found[FURTHER].items():
            print(f"    {title}: {count(cells)['formula']}")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main(sys.argv[1:])
