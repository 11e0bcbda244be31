"""tools/newest.py: the pins of both files move, and nothing else of them does."""

import pytest

from tools.course import ROOT
from tools.newest import NEWEST, PINNED_IN, newest, repinned


@pytest.mark.parametrize("name", PINNED_IN)
def test_only_the_named_pins_move(name):
    old = (ROOT / name).read_text("utf-8").splitlines()
    new = repinned("\n".join(old), dict.fromkeys(NEWEST, "99.1")).splitlines()
    moved = {before: after for before, after in zip(old, new, strict=True) if before != after}
    assert all(
        after.endswith("=99.1") and any(name in after for name in NEWEST)
        for after in moved.values()
    )
    # Binder's base image has a JupyterLab of its own.
    assert len(moved) == len(NEWEST) - (name != "requirements.txt"), moved


def test_without_a_network_it_says_so(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(SystemExit, match="no release of numpy.*network"):
        newest("numpy")
