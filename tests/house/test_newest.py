"""tools/newest.py and oldest.py: the pins of both files move, and nothing else of them does."""

import pytest

from tools import newest as tool
from tools import oldest
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


def test_the_oldest_are_tried_in_a_copy_and_the_course_stays(monkeypatch, tmp_path):
    """Nothing is installed: the calls of start.py are taken down."""
    here = {name: (ROOT / name).read_text("utf-8") for name in PINNED_IN}
    calls = []

    def copied(to):
        for name, text in here.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")

    monkeypatch.setattr(tool, "copied", copied)
    monkeypatch.setattr(tool.subprocess, "call", lambda command: calls.append(command) or 0)
    assert tool.tried(oldest.versions(), tmp_path, ["unit"]) == 0
    assert [command[2:] for command in calls] == [["refresh"], ["test", "unit"]]
    pins = (tmp_path / "requirements.txt").read_text("utf-8")
    low = oldest.versions()["numpy"]
    assert f"\nnumpy=={low}\n" in pins and f"\ntorch=={oldest.ranges()['torch'][1]}\n" in pins
    # The copy's own tests hold requirements.txt and the ranges together.
    assert f"numpy >={low},<={low}\n" in (tmp_path / "binder/environment.yml").read_text("utf-8")
    assert here == {name: (ROOT / name).read_text("utf-8") for name in PINNED_IN}
