"""The exercises of a page: a starter, its check, the folded solution, and what comes after it."""

import ast
import json
import re
from dataclasses import dataclass

from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from lib.widgets.live.cells import names_in, needed
from tools.course import NOTEBOOKS
from tools.refresh import run

DETAILS = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def code_of_pages():
    """{number of a page: all its code}."""
    pages = {}
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "code")
        pages[path.name[:2]] = code
    return pages


@dataclass
class Exercise:
    """A code cell that ends with `checks.NAME(...)`, the folded solution that follows it (None if
    missing), and the code cells from there to the next exercise: (place, source).
    """

    index: int
    check: str
    solution: str | None
    then: list[tuple[int, str]]


def check_of(source: str) -> str | None:
    """The last statement of a code cell if it is `checks.NAME(...)`, or `.quiet` of it, which tells
    less.
    """
    if "checks." not in source:
        return None
    last = ast.parse(source).body[-1]
    text = (ast.get_source_segment(source, last) or "").removesuffix(".quiet")
    return text if isinstance(last, ast.Expr) and re.match(r"checks\.\w+\(", text) else None


def exercises(notebook: NotebookNode) -> list[Exercise]:
    found: list[Exercise] = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and (check := check_of(cell.source)):
            found.append(Exercise(index, check, None, []))
        elif cell.cell_type == "code" and found:
            found[-1].then.append((index, cell.source))
        elif cell.cell_type == "markdown" and found and found[-1].solution is None:
            for summary, body in DETAILS.findall(cell.source):
                if re.search("Solution|答案", summary):
                    found[-1].solution = "\n".join(PYTHON_BLOCK.findall(body))
    return found


def verdict(client, code: str) -> tuple[bool, str]:
    """What the check that `code` leaves in `result` says: (ok, message)."""
    report = "import json\nprint()\nprint(json.dumps([bool(result.ok), str(result.message)]))"
    return tuple(json.loads(run(client, f"{code}\n{report}").splitlines()[-1]))


def problems_of(exercise: Exercise, client) -> list[str]:
    """Starter code must not pass its check, and the folded solution must; whoever has solved it
    goes on, so the cells up to the next exercise run with it.
    """
    where = f"cell {exercise.index}, {exercise.check}"
    if not exercise.solution:
        return [f'{where}: no <details> with "Solution" and a ```python block follows']
    try:
        passed, message = verdict(client, f"result = {exercise.check}")
        problems = [f"{where}: the starter code passes already: {message}"] if passed else []
        passed, message = verdict(client, f"{exercise.solution}\nresult = {exercise.check}")
        if not passed:
            return [*problems, f"{where}: the folded solution does not pass: {message}"]
    except CellExecutionError as error:
        return [f"{where}: {error.ename}: {error.evalue}"]
    return problems + problems_after(exercise, client)


def concerned(solution: str, cells: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Of these cells those that read what the solution made, or what such a cell made of it, and
    those that they need; the others have run on the page as they would here.
    """
    sources = [source for _, source in cells]
    reached, (touched, _, _) = set(), names_in(solution)
    for place, source in enumerate(sources):
        made, at_once, when_called = names_in(source)
        if touched & (at_once | when_called):
            touched |= made
            reached.update(needed(sources[: place + 1]))
    return [cells[place] for place in sorted(reached)]


def problems_after(exercise: Exercise, client) -> list[str]:
    """The first cell after a solved exercise that fails, if one does."""
    for index, source in concerned(exercise.solution, exercise.then):
        try:
            run(client, source)
        except CellExecutionError as error:
            return [
                f"cell {index} fails once {exercise.check} is solved: {error.ename}: {error.evalue}"
            ]
    return []
