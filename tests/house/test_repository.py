"""What GitHub and its visitors read besides the pages: workflows, forms, citation, commands."""

import hashlib
import json
import re
import tomllib

import pytest
import yaml

import start
from tests.house.source import texts
from tools import commands
from tools.course import ROOT, name_of
from tools.layers import LAYERS

CC_BY = "LICENSE-CC-BY-4.0.txt"
CC_BY_DIGEST = "fd3a263fe19ed8faa9068b43abaebafc02c77897b0c6fc09abc04bb592e5f16e"
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
BINDER = ROOT / ".github/workflows/binder.yml"
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
# On Binder and on GitHub's machines `python` is the one that was set up.
THERE_IS_A_PYTHON = {".github", "binder", "test_repository.py"}
PLAIN_PYTHON = re.compile(r"(?:^|[^/\w.-])python (?:start\.py|tools/|-m )")


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def steps(path):
    """The steps of all jobs of a workflow."""
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_a_workflow_may_only_read_and_ends(path):
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 90 for job in workflow["jobs"].values())
    assert all("uses" in step or "run" in step for step in steps(path))


def test_what_the_workflows_run_is_there():
    runs = "\n".join(step.get("run", "") for path in WORKFLOWS for step in steps(path))
    wanted = {".ci/run ${{ matrix.layers }}", "python start.py --version", "python start.py site"}
    assert wanted <= set(runs.splitlines())
    solved = [step["with"] for step in steps(BINDER) if "environment-file" in step.get("with", {})]
    assert solved == [{"environment-file": "binder/environment.yml"}]


def test_every_layer_runs_on_github(monkeypatch):
    """Side by side, and the browser layer in parts that are all of it."""
    asked = []
    monkeypatch.setattr(commands, "install", lambda wanted: None)
    monkeypatch.setattr(commands, "run_layers", lambda chosen, part: asked.append((chosen, part)))
    jobs = read(ROOT / ".github/workflows/tests.yml")["jobs"]
    for row in jobs["layers"]["strategy"]["matrix"]["include"]:
        commands.test(row["layers"].split())
    assert {layer for chosen, _ in asked for layer in chosen} == set(LAYERS)
    parts = [part for chosen, part in asked if "browser" in chosen]
    assert parts == [(number, len(parts)) for number in range(1, len(parts) + 1)]


def test_what_the_weekly_workflow_tries_works(capsys):
    """The Python in it, run here: each week it runs on what conda-forge has."""
    [run] = [step["run"] for step in steps(BINDER) if "<<'END'" in step.get("run", "")]
    exec(run.partition("<<'END'\n")[2].removesuffix("END\n"), {})
    assert capsys.readouterr().out == "L'animal n'a pas traversé la rue.\n"


def test_the_first_command_is_tried_each_week_with_every_python_that_may_be():
    workflow = read(ROOT / ".github/workflows/tests.yml")
    rows = workflow["jobs"]["start"]["strategy"]["matrix"]["include"]
    (major, oldest), (_, newest) = start.OLDEST, start.NEWEST
    assert {row["python"] for row in rows} == {f"{major}.{n}" for n in range(oldest, newest + 1)}
    assert len({row["system"] for row in rows}) == 3
    assert "schedule" in workflow[True], "YAML reads the word on as True"


@pytest.mark.parametrize("path", FORMS, ids=name_of)
def test_a_form_asks_something(path):
    form = read(path)
    assert form["name"] and form["description"]
    names = [part["id"] for part in form["body"]]
    assert len(set(names)) == len(names)
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_the_container_has_a_python_that_will_do():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    python = container["image"].rpartition(":")[2]
    assert start.OLDEST <= tuple(map(int, python.split("."))) <= start.NEWEST
    interpreter = container["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    assert interpreter.endswith("/.venv/bin/python")


def test_the_citation_is_of_this_course():
    citation = read(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors", "version"} <= set(citation)
    assert (ROOT / "README.md").read_text("utf-8").startswith(f"# {citation['title']}\n")


def test_each_licence_is_there_in_full_and_named_wherever_one_looks():
    """The digest is of creativecommons.org's own text; who changes a word has another licence."""
    texts_of = {name: (ROOT / name).read_bytes() for name in ("LICENSE", CC_BY)}
    assert texts_of["LICENSE"].startswith(b"MIT License")
    assert hashlib.sha256(texts_of[CC_BY]).hexdigest() == CC_BY_DIGEST
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["license"] == "MIT AND CC-BY-4.0"
    assert set(project["license-files"]) == set(texts_of)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"]({name})" in readme for name in texts_of)


def test_commands_begin_with_a_program_that_exists():
    """Debian, Ubuntu and macOS have python3, Windows has py; `python` is missing on all three."""
    found = [
        f"{name_of(path)}: {line.strip()}"
        for path in texts()
        if not THERE_IS_A_PYTHON & set(path.parts)
        for line in path.read_text("utf-8").splitlines()
        if PLAIN_PYTHON.search(line)
    ]
    assert not found, f"{found}: write python3, py or .venv/bin/python"
