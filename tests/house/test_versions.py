"""Exact versions, the same for Binder; tools/versions.py, which tries others; scripts that can be
executed.
"""

import os
import re

import pytest

import start
from tools import environment, versions
from tools.course import ROOT
from tools.versions import ENVIRONMENT, NEWEST, PINNED_IN, newest_of, ranges, repinned


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def test_binder_may_have_the_same_versions_and_none_newer():
    wanted = dict(requirement.split("==") for requirement in environment.requirements("start"))
    del wanted["jupyterlab"], wanted["jsonschema"]  # Binder's base image has its own
    found = ranges()
    assert set(found) == set(wanted), "binder/environment.yml has a range for each of these"
    for name, (oldest, newest) in found.items():
        assert newest == wanted[name], (
            f"{name}: requirements.txt has {wanted[name]}, and binder/environment.yml goes up to "
            f"{newest}: write the same in both, and refresh (page 0 prints it)."
        )
        assert numbers(oldest) <= numbers(newest), f"{name}: no version is in its range"


def test_binder_has_a_python_that_will_do():
    [python] = re.findall(r"^  - python=([\d.]+)$", ENVIRONMENT.read_text("utf-8"), re.MULTILINE)
    assert start.OLDEST <= tuple(numbers(python)) <= start.NEWEST


def test_every_version_is_exact():
    assert all(
        re.fullmatch(r"[\w-]+==[\w.]+", requirement)
        for requirement in environment.requirements("test")
    )


@pytest.mark.parametrize("script", ["binder/postBuild", "binder/start", ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)


# -- tools/versions.py: the pins of both files move, and nothing else of them does ----------------


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
        newest_of("numpy")


@pytest.mark.parametrize(("words", "came"), [([], "nothing"), (["unit"], "'unit'")])
def test_which_versions_must_be_said(words, came):
    with pytest.raises(SystemExit, match=f"Say newest or oldest; {came} came"):
        versions.main(words)


def test_the_oldest_are_tried_in_a_copy_and_the_course_stays(monkeypatch, tmp_path):
    """Nothing is installed: the calls of start.py are taken down."""
    here = {name: (ROOT / name).read_text("utf-8") for name in PINNED_IN}
    calls = []

    def copied(to):
        for name, text in here.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")

    monkeypatch.setattr(versions, "copied", copied)
    monkeypatch.setattr(versions.subprocess, "call", lambda command: calls.append(command) or 0)
    assert versions.tried(versions.oldest(), tmp_path, ["unit"]) == 0
    assert [command[2:] for command in calls] == [["refresh"], ["test", "unit"]]
    pins = (tmp_path / "requirements.txt").read_text("utf-8")
    low = versions.oldest()["numpy"]
    assert f"\nnumpy=={low}\n" in pins and f"\ntorch=={versions.ranges()['torch'][1]}\n" in pins
    # The copy's own tests hold requirements.txt and the ranges together.
    assert f"numpy >={low},<={low}\n" in (tmp_path / "binder/environment.yml").read_text("utf-8")
    assert here == {name: (ROOT / name).read_text("utf-8") for name in PINNED_IN}
