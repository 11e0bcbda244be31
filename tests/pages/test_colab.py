"""A page that is alone, without its course, says so; on Google Colab it fetches it."""

import os
import subprocess
import sys
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from lib import set_up
from start import PARTS
from tools import colab
from tools.course import NOTEBOOKS, ROOT, notebooks
from tools.page_pictures import WIDGET

PAGE = "00_start_here.ipynb"
COURSE = "attention-course-9.1.tar.gz"  # GitHub puts all of it into one folder: NAME-VERSION
HALF = "half.tar.gz"
MANAGER = "the manager of widgets"
FAKE = f"""
class _widgets:
    _installed_url = "{MANAGER}"


def enable_custom_widget_manager():
    pass
"""


def colab_cell(path):
    """The cell of a page that fetches the course."""
    found = [cell for cell in nbformat.read(path, as_version=4).cells if cell.id == "colab"]
    assert len(found) == 1, f"{path.name}: its first code cell is that of page 0, with the id colab"
    return found[0]


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_every_page_begins_with_the_same_cell_and_folds_it(path):
    notebook = nbformat.read(path, as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell = colab_cell(path)
    assert first == cell == colab_cell(NOTEBOOKS / PAGE), f"{path.name}: take page 0's first cell"
    assert cell.outputs == [], "where the course is, it says nothing"
    assert cell.metadata == {"cellView": "form", "jupyter": {"source_hidden": True}}


# -- a stand-in for Colab: a folder with one page, and a kernel that has google.colab --------------


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a folder with the course's archive and the half of one."""
    folder = tmp_path_factory.mktemp("server")
    with tarfile.open(folder / COURSE, "w:gz", compresslevel=1) as archive:
        for name in [*PARTS, "start.py"]:
            archive.add(ROOT / name, f"attention-course-9.1/{name}", filter=written)
    whole = (folder / COURSE).read_bytes()
    (folder / HALF).write_bytes(whole[: len(whole) // 2])
    handler = partial(Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        """It says nothing."""


def written(entry):
    """What an archive has: all but what Python makes."""
    return None if "__pycache__" in entry.name else entry


class Colab:
    """A kernel in a folder that has nothing but a page; beside that folder another `lib`."""

    def __init__(self, folder, address, imports="google.colab.output", python_path=""):
        self.page = nbformat.read(NOTEBOOKS / PAGE, as_version=4)
        for cell in self.page.cells:
            cell.source = cell.source.replace('COURSE = ""', f'COURSE = "{address}"')
        content = folder / "content"
        for made in (content, folder / "lib", folder / "site" / "google" / "colab"):
            made.mkdir(parents=True, exist_ok=True)
        (folder / "site" / "google" / "colab" / "__init__.py").write_text("")
        (folder / "site" / "google" / "colab" / "output.py").write_text(FAKE)
        (folder / "startup.py").write_text(f"import {imports}\n")
        nbformat.write(self.page, content / PAGE)
        self.environment = os.environ | {
            "IPYTHONDIR": str(folder / "ipython"),
            "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(python_path)]),
            "PYTHONSTARTUP": str(folder / "startup.py"),
        }
        self.client = NotebookClient(
            self.page,
            kernel_name="python3",
            extra_arguments=["--log-level=40"],
            timeout=120,
            resources={"metadata": {"path": str(content)}},
        )

    def __enter__(self):
        self.kernel = self.client.setup_kernel(env=self.environment)
        self.kernel.__enter__()
        return self

    def __exit__(self, *problem):
        return self.kernel.__exit__(*problem)

    def run(self, place):
        """Run the code cell with this place among them; what it printed."""
        codes = [index for index, cell in enumerate(self.page.cells) if cell.cell_type == "code"]
        cell = self.page.cells[codes[place]]
        cell.outputs = []
        self.client.execute_cell(cell, codes[place])
        return "".join(output.text for output in cell.outputs if "text" in output)

    def fetch_from(self, address):
        """Another address in the first cell."""
        cell = next(cell for cell in self.page.cells if cell.id == "colab")
        line = next(line for line in cell.source.splitlines() if line.startswith("COURSE = "))
        cell.source = cell.source.replace(line, f'COURSE = "{address}"')


def test_a_page_alone_fetches_the_course_and_shows_its_demos(server, tmp_path):
    with Colab(tmp_path, f"{server}/{COURSE}") as kernel:
        assert kernel.run(0) == f"{colab.LIMITS}\n"
        codes = [cell for cell in kernel.page.cells if cell.cell_type == "code"]
        said = [kernel.run(place) for place in range(1, len(codes))]
        assert kernel.run(0) == "", "run again, it does nothing"
    [report] = [text for text in said if text.startswith("Python ")]
    assert "jupyterlab" not in report and "Something is missing" not in report
    outputs = [
        output for cell in codes for output in cell.outputs if WIDGET in output.get("data", {})
    ]
    assert outputs, "no demo is shown"
    for output in outputs:
        assert output.metadata[WIDGET]["colab"]["custom_widget_manager"]["url"] == MANAGER
    # The kernel has ended, as after an hour without its reader; the folder may still be there.
    with Colab(tmp_path, f"{server}/{COURSE}") as kernel:
        assert kernel.run(0) == f"{colab.LIMITS}\n"
        kernel.run(1)


def test_who_begins_with_the_second_cell_is_not_lost(server, tmp_path):
    with Colab(tmp_path, f"{server}/{COURSE}") as kernel:
        with pytest.raises(CellExecutionError, match="ImportError"):
            kernel.run(1)
        kernel.run(0)
        kernel.run(1)


def test_an_archive_that_does_not_come_is_one_sentence_and_breaks_nothing(server, tmp_path):
    with Colab(tmp_path, "") as kernel:
        for address in ["", f"{server}/nothing.tar.gz", f"{server}/{HALF}", "http://127.0.0.1:9"]:
            kernel.fetch_from(address)
            said = kernel.run(0)
            assert said.startswith("The course did not come") and said.count("\n") == 1
            assert f"'{address}'" in said
        kernel.fetch_from(f"{server}/{COURSE}")
        assert kernel.run(0) == f"{colab.LIMITS}\n"
        kernel.run(1)


@pytest.mark.parametrize("address", ["", "https://example.org/course.tar.gz"])
def test_a_page_alone_says_what_is_missing_and_where_to_get_it(address, tmp_path):
    """As who fetches the one file, or has it on a server of others: nothing is fetched there."""
    with Colab(tmp_path, address, imports="os") as kernel:
        with pytest.raises(CellExecutionError):
            kernel.run(0)
        [output] = kernel.page.cells[1].outputs
    [said] = output.traceback
    assert said.startswith("This page needs its course") and str(tmp_path / "content") in said
    assert f"from {address or 'where you found this page'}, unpack it" in said
    assert sorted(path.name for path in (tmp_path / "content").iterdir()) == [PAGE]


def test_a_page_alone_is_content_where_lib_is_installed(tmp_path):
    """As on Binder, from a folder of the reader's own."""
    with Colab(tmp_path, "", imports="os", python_path=ROOT) as kernel:
        assert kernel.run(0) == ""


@pytest.mark.parametrize("failure", ["", "no network"])
def test_what_colab_lacks_is_installed_and_nothing_else(failure, monkeypatch, capsys):
    asked = []

    def pip(command, **options):
        asked.append(command)
        return subprocess.CompletedProcess(command, bool(failure), "", failure)

    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setattr(set_up, "lacking", lambda: ["anywidget==0.11.0"])
    monkeypatch.setattr(colab, "_forget", lambda package: None)
    monkeypatch.chdir(ROOT)
    colab.settle()
    [command] = asked
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert command[-1] == "anywidget==0.11.0"
    assert ("anywidget==0.11.0 could not be installed" in capsys.readouterr().out) == bool(failure)
