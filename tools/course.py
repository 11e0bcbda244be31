"""Where things lie, and how a notebook is made: for the tools, the tests and the benchmarks."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# With these, `jupyter nbconvert --to script` writes a .py that has the page's text as comments.
LANGUAGE = {"file_extension": ".py", "name": "python", "nbconvert_exporter": "python"}
FIRST_LINES = 'import sys\n\nsys.path.insert(0, "..")\n'  # of every page's first code cell


def notebooks() -> list[Path]:
    """Every notebook of the course, in reading order."""
    paths = NOTEBOOKS.rglob("*.ipynb")
    return sorted(path for path in paths if ".ipynb_checkpoints" not in path.parts)


def name_of(path: Path) -> str:
    """The path as one writes it in the course's folder: notebooks/02_softmax.ipynb."""
    path = path.resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def page_name(path: Path) -> str:
    """The path of a page under notebooks/: 02_softmax.ipynb."""
    return path.relative_to(NOTEBOOKS).as_posix()


def write_notebook(path: Path, *sources: str) -> None:
    """Write a notebook of these code cells; the first one finds lib."""
    cells = [new_code_cell(source.strip()) for source in sources]
    cells[0].source = FIRST_LINES + cells[0].source
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    nbformat.write(notebook, path)
