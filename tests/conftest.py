"""Settings of all tests: the same examples on every run, no deadline on slow machines, and nothing
skipped on the build machine.
"""

import os

# Before NumPy is imported: the threads of its linear algebra would compete with the kernels and the
# browser.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """On the build machine a test that is skipped is a failure: what it needs must be installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
