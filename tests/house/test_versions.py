"""Exact versions, the same for Binder; scripts that can be executed."""

import os
import re

import pytest

import start
from tools import environment
from tools.course import ROOT
from tools.oldest import ENVIRONMENT, ranges


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def test_binder_may_have_the_same_versions_and_none_newer():
    wanted = dict(requirement.split("==") for requirement in environment.requirements("start"))
    del wanted["jupyterlab"]  # Binder's base image has its own
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
    assert tuple(numbers(python)) >= start.OLDEST


def test_every_version_is_exact():
    assert all(
        re.fullmatch(r"[\w-]+==[\w.]+", requirement)
        for requirement in environment.requirements("test")
    )


@pytest.mark.parametrize("script", ["binder/postBuild", "binder/start", ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)
