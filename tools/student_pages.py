"""Pages without what is for teachers: `tools/student.py` writes them into a folder or a ZIP."""

import json
import re
import subprocess

from tools.environment import ROOT

NOTEBOOKS = ROOT / "notebooks"
FOR_TEACHERS = re.compile(
    r"<details>\s*<summary>[^<]*(?:Solution|In class)[^<]*</summary>.*?</details>\s*", re.DOTALL
)
LINK = re.compile(r"(?<=\]\()[\w.-]+\.(?:ipynb|md)(?=[)#])")  # to what stands beside a page


def without_answers(notebook):
    """The notebook without folded solutions and boxes *In class*, and how many there were."""
    count = sum(len(FOR_TEACHERS.findall("".join(cell["source"]))) for cell in _prose(notebook))
    return with_text(notebook, lambda text: FOR_TEACHERS.sub("", text).rstrip()), count


def with_links_from(notebook, made):
    """The notebook for a folder beside notebooks/ that has the pages of these names."""

    def led(link):
        return link[0] if link[0] in made else f"../{NOTEBOOKS.name}/{link[0]}"

    return with_text(notebook, lambda text: LINK.sub(led, text))


def with_text(notebook, change):
    """The notebook with what ``change`` makes of each Markdown cell; an empty one is left out."""
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = change("".join(cell["source"]))
            if not text.strip():
                continue
            cell = cell | {"source": text.splitlines(keepends=True)}
        cells.append(cell)
    return notebook | {"cells": cells}


def _prose(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def read(page):
    return json.loads(page.read_text("utf-8"))


def written(notebook):
    """The bytes of the file, in the form in which tools/refresh.py writes it."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def own_code(page):
    """How many code cells of a page are others than git has, so perhaps answers of its reader."""
    try:
        command = ["git", "show", f"HEAD:./{NOTEBOOKS.name}/{page.name}"]
        committed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0  # the course came without git: nothing to compare with
    known = _code(json.loads(committed))
    return sum(source not in known for source in _code(read(page)))


def _code(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
