"""Exact versions, the same for Binder; scripts that can be executed."""

import os
import re

import pytest

import start
from tools import environment
from tools.course import ROOT


def versions(requirements: list[str]) -> dict[str, str]:
    return dict(requirement.split("==") for requirement in requirements)


def test_binder_has_the_same_versions():
    lines = (ROOT / "binder/environment.yml").read_text("utf-8").splitlines()
    binder = dict(re.findall(r"^  - ([\w-]+)=([\d.]+)", "\n".join(lines), re.MULTILINE))
    python = binder.pop("python")
    assert tuple(map(int, python.split("."))) >= start.OLDEST
    for conda, name in {"pytorch": "torch", "matplotlib-base": "matplotlib"}.items():
        binder[name] = binder.pop(conda)
    wanted = versions(environment.requirements("start"))
    del wanted["jupyterlab"]  # Binder's base image has its own
    for name in sorted(wanted | binder):
        assert wanted.get(name) == binder.get(name), (
            f"{name}: requirements.txt has {wanted.get(name)}, binder/environment.yml has "
            f"{binder.get(name)}: write the same in both, and refresh (page 0 prints it)."
        )


def test_every_version_is_exact():
    assert all(
        re.fullmatch(r"[\w-]+==[\w.]+", requirement)
        for requirement in environment.requirements("test")
    )


@pytest.mark.parametrize("script", ["binder/postBuild", "binder/start", ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)
