"""All tests of a page go to one process, where it is executed once."""

import pytest
from xdist.scheduler import LoadScopeScheduling


class ByPage(LoadScopeScheduling):
    def _split_scope(self, nodeid):
        """What stands in the brackets: the page."""
        return nodeid.rpartition("[")[2]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    # The marks for xdist's own groups do not reach it with this pytest: it reads a test's name.
    return ByPage(config, log) if config.getvalue("dist") == "loadgroup" else None
