"""Settings of all tests: the same examples on every run, no deadline on slow machines, nothing
skipped on the build machine; and one process for each notebook.
"""

import os
import re
import shutil

# Before NumPy is imported: the threads of its linear algebra would compete with the kernels and the
# browser.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What a test solves on a page is not kept in a mine.py, and nobody's own mine.py is read.
os.environ["LIB_MINE"] = "off"

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tools.course import ROOT
from tools.layers import FIRST

PAGE = re.compile(r"(\[[\w.]+\.ipynb)")
RECORDED = re.compile(r"test_live\.py::.*(\[\w+\])")
NOTEBOOK_7 = re.compile("[nN]otebook7")

pytest_plugins = ["tests.browser.fixtures"]
# On the build machine a missing browser is an error (tools.browser raises it), elsewhere it is said
# and skipped.
collect_ignore_glob = []
if not shutil.which("chromium") and not os.environ.get("CI"):
    collect_ignore_glob = ["tests/browser/test_*.py", "lib/widgets/*/test_browser.py"]

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")


def pytest_collection_modifyitems(items):
    """What takes longest comes first; pytest itself forgets files in a folder that it is given."""

    def place(item):
        path = item.path.relative_to(ROOT).as_posix()
        return FIRST.index(path) if path in FIRST else len(FIRST)

    items.sort(key=place)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """On the build machine a test that is skipped is a failure: what it needs must be installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


class ByPage(LoadScopeScheduling):
    """All tests of a page go to one process, where it is executed, or opened, once, those of a
    recorded demo, and those that ask Notebook 7; the others of a file or a class go together.
    """

    def _split_scope(self, nodeid):
        if NOTEBOOK_7.search(nodeid):
            return NOTEBOOK_7.pattern
        part = PAGE.search(nodeid) or RECORDED.search(nodeid)
        return super()._split_scope(nodeid) + (part[1] if part else "")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    # The marks for xdist's own groups do not reach it with this pytest: it reads a test's name.
    return ByPage(config, log) if config.getvalue("dist") == "loadscope" else None
