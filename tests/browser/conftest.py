"""One browser and one server of each kind for the whole session; a page for each test that asks for one.

def test_drag(lab_page):
    lab_page.open("01_similarity.ipynb")
    lab_page.run_all()
    demo = lab_page.demos()[0]
"""

import os
import shutil

import pytest

from tests.browser import jupyter

# On the build machine a missing browser is an error (it comes from jupyter.chromium), elsewhere it is said and skipped.
collect_ignore_glob = []
if not shutil.which("chromium") and not os.environ.get("CI"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def browser():
    with jupyter.chromium() as running:
        yield running


@pytest.fixture(scope="session")
def lab():
    with jupyter.server("lab") as running:
        yield running


@pytest.fixture(scope="session")
def notebook7():
    with jupyter.server("notebook") as running:
        yield running


@pytest.fixture
def lab_page(lab, browser):
    with jupyter.page(lab, browser) as page:
        yield page


@pytest.fixture
def notebook7_page(notebook7, browser):
    with jupyter.page(notebook7, browser) as page:
        yield page
