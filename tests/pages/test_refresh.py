"""A refresh that is killed loses nothing: the page is the old one, and the next refresh works."""

import os
import signal
import subprocess
import sys

import nbformat
import pytest

from tools.course import ROOT, write_notebook
from tools.page_pictures import QUESTION
from tools.refresh import refresh

KILLED = (
    "import os, signal, sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
    "from tools import refresh\n"
    "refresh.os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)\n"
    "refresh.refresh(Path(sys.argv[2]), camera=None)"
)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_refresh_that_is_killed_before_its_last_step_leaves_the_old_page(tmp_path):
    page = tmp_path / "page.ipynb"
    write_notebook(page, "print(1 + 1)")
    old = page.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(ROOT), str(page)])
    assert killed.returncode == -signal.SIGKILL and page.read_bytes() == old
    assert refresh(page, camera=None) and b'"2\\n"' in page.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [page.name], "nothing is left beside it"


class NoCamera:
    """It keeps the page of each demo, and takes no picture."""

    def __init__(self):
        self.pages = []

    def take(self, html):
        self.pages.append(html)
        return b"no picture", "in words"


def test_a_demo_below_a_cell_with_this_tag_is_taken_with_its_question_open(tmp_path):
    page = tmp_path / "page.ipynb"
    find_lib = f"sys.path.insert(0, {str(ROOT)!r})\n"
    write_notebook(page, f"{find_lib}from lib import widgets\n\nwidgets.Arrows()")
    told, asked = NoCamera(), NoCamera()
    refresh(page, told)
    notebook = nbformat.read(page, as_version=4)
    notebook.cells[0].metadata["tags"] = [QUESTION]
    nbformat.write(notebook, page)
    refresh(page, asked)
    assert '"veiled": false' in told.pages[0] and '"veiled": true' in asked.pages[0]
    assert not refresh(page, asked) and len(asked.pages) == 1, "the picture is up to date"
    assert nbformat.read(page, as_version=4).cells[0].metadata.tags == [QUESTION]
