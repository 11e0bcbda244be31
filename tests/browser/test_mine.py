"""The link of mine.show() saves the reader's program, in JupyterLab and in Notebook."""

from pathlib import Path

import pytest

from tools import browser as jupyter

KEPT = """import os

import numpy as np

from lib import checks, mine

os.environ["LIB_MINE"] = "on"


def my_causal(T):
    return np.tri(T, dtype=bool)


print(checks.causal_mask(my_causal))"""


@pytest.mark.parametrize("kind", ["lab", "notebook7"])
def test_the_link_saves_the_program(kind, browser, request):
    server = request.getfixturevalue(kind)
    server.write("mine.ipynb", KEPT, "mine.show()")
    with jupyter.page(server, browser) as page:
        page.open("mine.ipynb")
        page.run_all()
        page.browser.get_by_text("Kept in mine.py.").wait_for()
        with page.browser.expect_download() as saved:
            page.browser.get_by_role("link", name="Save mine.py").click()
        assert saved.value.suggested_filename == "mine.py"
        beside = server.notebooks / "mine.py"
        assert Path(saved.value.path()).read_bytes() == beside.read_bytes()
        assert page.outside == [] and page.errors() == []
        page.browser.get_by_text("Read it").click()
        page.browser.locator("pre", has_text="np.tri(T, dtype=bool)").last.wait_for()
    beside.unlink()
