"""Execute the notebooks and write their outputs in one normal form.

    python3 start.py refresh [NOTEBOOK ...]

Running it twice changes no byte. What would differ from run to run or from machine to machine (a
memory address, a time, a path) is refused with a sentence. The tests compare the committed outputs
with what `executed` gives.

A demo's output is a picture of the live demo with its caption (tools/page_pictures.py). It is taken
anew only when its key changed; where there is no browser, the pictures stay as they are, and those
that are stale are named.
"""

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import nbformat
import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.course import KERNEL, LANGUAGE, ROOT, name_of, notebooks
from tools.page_pictures import WIDGET, Camera, Shown, put_pictures, shown_demos

LARGEST_FILE = 1_000_000  # bytes: GitHub shows a larger notebook slowly or not at all
TIME_LIMIT = 120  # seconds for one cell
# JupyterLab and Google Colab fold a cell whose metadata say so.
KEPT_CELL_METADATA = ("tags", "i18n", "jupyter", "cellView", "jp-MarkdownHeadingCollapsed")
PICTURE = re.compile(r"data:image/png;base64,[\w+/=]+")
REFUSED = {
    "a memory address (give the object a __repr__)": re.compile(r"\bat 0x[0-9a-fA-F]+"),
    "a time (it differs on every run)": re.compile(
        r"\d (?:[mµμun]?s|sec|seconds?)\b|\d[mµμn]s\b|Wall time|\dit/s"
    ),
    "a path of this machine": re.compile(
        "|".join(
            re.escape(f"{folder}{os.sep}")
            for folder in {ROOT, Path.home(), Path(tempfile.gettempdir())}
        )
        + "|site-packages"
    ),
}


class NotebookError(Exception):
    """Why a notebook cannot be committed as it is: its name, the cell and the reason."""


class Executed(NamedTuple):
    """A notebook that was run, with its kernel and the demos that it shows."""

    notebook: NotebookNode
    client: NotebookClient
    demos: list[Shown]


@contextmanager
def executed(path: Path) -> Iterator[Executed]:
    """Run the notebook and give it with fresh, normalised outputs.

    Of a demo there is only its key, metadata["picture"]. The kernel lives until the `with` block
    ends.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory(prefix="ipython-", ignore_cleanup_errors=True) as settings:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            extra_arguments=[
                "--log-level=40"
            ],  # errors: on start every kernel warns that it talks over TCP
            timeout=TIME_LIMIT,
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            resources={"metadata": {"path": str(path.parent)}},
        )
        client.reset_execution_trackers()
        with client.setup_kernel(env=_environment(settings)):
            for index, cell in enumerate(notebook.cells):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = (
                    [],
                    None,
                )  # an empty cell is skipped, and would keep what it had
                try:
                    client.execute_cell(cell, index)
                except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                    reason = (
                        f"{error.ename}: {error.evalue}"
                        if isinstance(error, CellExecutionError)
                        else error
                    )
                    raise NotebookError(_at(path, index, cell, str(reason).strip())) from None
            demos = shown_demos(notebook, client, run)
            _normalise(notebook, path, demos)
            yield Executed(notebook, client, demos)


def run(client: NotebookClient, source: str) -> str:
    """Run more code in the notebook's kernel, as its reader would below the last cell; what it
    printed.
    """
    cell = new_code_cell(source)
    client.nb = new_notebook(cells=[cell])
    client.execute_cell(cell, 0)
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


def memory_of(client: NotebookClient) -> float:
    """The most memory of its own that the client's kernel has held so far, in MB of 2**20 bytes
    (where there is no /proc: all that it holds now).

    Pages of files are not counted. They can be dropped at any time, and how many there are is
    decided by how the files came to the disk: PyTorch's are 100 MB, or 180 if just installed.
    """
    pid = client.km.provisioner.pid
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return psutil.Process(pid).memory_info().rss / 2**20
    held = dict(re.findall(r"(VmHWM|RssFile):\s+(\d+) kB", status.read_text()))
    return (int(held["VmHWM"]) - int(held["RssFile"])) / 1024


def seconds_of(client: NotebookClient) -> float:
    """How long the client's kernel has computed so far, whatever else the machine does."""
    times = psutil.Process(client.km.provisioner.pid).cpu_times()
    return times.user + times.system


def _environment(settings: str) -> dict[str, str]:
    """Nothing of the user's own set-up may show in an output."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "IPYTHONDIR": settings,
        "LIB_MINE": "off",  # nor may a maintainer's mine.py
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
    }


def _at(path: Path, index: int, cell: NotebookNode, reason: str) -> str:
    first = cell.source.strip().partition("\n")[0]
    return f"{name_of(path)}, cell {index} (`{first}`): {reason}"


def _normalise(notebook: NotebookNode, path: Path, demos: list[Shown]) -> None:
    for demo in demos:
        output = notebook.cells[demo.cell].outputs[demo.place]
        output.data, output.metadata = NotebookNode(), NotebookNode(picture=demo.key)
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info=LANGUAGE)
    for index, cell in enumerate(notebook.cells):
        cell.metadata = NotebookNode(
            {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        )
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise NotebookError(
                    _at(path, index, cell, f"writes to stderr: {output.text.strip()[:300]}")
                )
            if (
                output.output_type == "error"
            ):  # the traceback of an expected error names paths of this machine
                output.traceback = [f"{output.ename}: {output.evalue}"]
            data = output.get("data", {})
            if WIDGET in data and ("text/markdown" in data or "text/html" in data):
                del data[WIDGET]  # a panel that says what it shows without a widget too
            if WIDGET in output.get("data", {}):
                raise NotebookError(
                    _at(path, index, cell, "shows a widget that is no demo: it has no picture")
                )
            for what, pattern in REFUSED.items():
                if found := pattern.search(_text(output)):
                    raise NotebookError(
                        _at(path, index, cell, f"its output shows {what}: {found[0]!r}")
                    )


def _text(output: NotebookNode) -> str:
    """All that can be read in an output; the letters of a picture in HTML are no words."""
    shown = [value for kind, value in output.get("data", {}).items() if kind.startswith("text/")]
    text = "\n".join([output.get("text", ""), output.get("evalue", ""), *shown])
    return PICTURE.sub("", text)


def serialised(notebook: NotebookNode, path: Path) -> bytes:
    """The bytes of the file; a file that is too large is refused."""
    nbformat.validate(notebook)
    data = (nbformat.writes(notebook).rstrip("\n") + "\n").encode()
    if len(data) > LARGEST_FILE:
        raise NotebookError(
            f"{name_of(path)} would be {len(data):,} bytes; at most {LARGEST_FILE:,} are allowed."
        )
    return data


def refresh(path: Path, camera: Camera) -> bool:
    """Bring the outputs of one notebook up to date; True if the file changed.

    Raises NotebookError if pictures are stale and cannot be taken; all else is up to date then.
    """
    committed = nbformat.read(path, as_version=4)
    with executed(path) as (notebook, client, demos):
        problems = put_pictures(notebook, committed, demos, client, camera, run)
    data = serialised(notebook, path)
    changed = data != path.read_bytes()
    if changed:
        beside = path.with_suffix(".ipynb.new")
        beside.write_bytes(data)
        os.replace(beside, path)  # in one step: an interrupted refresh leaves the old file
    if problems:
        raise NotebookError("\n".join([f"{name_of(path)}:", *problems]))
    return changed


def main(arguments: list[str]) -> int:
    paths = [Path(argument).resolve() for argument in arguments] or notebooks()
    failures = 0
    with Camera() as camera:
        for path in paths:
            start = time.monotonic()
            try:
                state = "changed" if refresh(path, camera) else "unchanged"
                print(f"{name_of(path)}: {state}, {time.monotonic() - start:.0f} s", flush=True)
            except (NotebookError, OSError, nbformat.reader.NotJSONError) as error:
                failures += 1
                print(f"FAILED {error}", flush=True)
    return bool(failures)


if __name__ == "__main__":
    help_if_asked(__doc__)
    raise SystemExit(main(sys.argv[1:]))
