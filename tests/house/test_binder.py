"""What Binder builds from binder/: as repo2docker tells it where that is installed, and what its
scripts do here.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import LIBRARY
from tools.course import ROOT

ENVIRONMENT = (ROOT / "binder/environment.yml").read_text("utf-8")
CONDA_NAMES = {"torch": "pytorch", "matplotlib": "matplotlib-base", "PIL": "pillow"}


@pytest.fixture(scope="module")
def steps():
    """The lines of the Dockerfile that repo2docker makes; nothing is built and nothing fetched."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = shutil.which("jupyter-repo2docker", path=beside)
    assert program, "repo2docker is not installed: python3 start.py test installs it"
    command = [program, "--no-build", "--debug", str(ROOT)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return (answer.stdout + answer.stderr).splitlines()


def where(steps, *parts):
    """The number of the only line that has all these parts."""
    [number] = [
        i
        for i, line in enumerate(steps)
        if all(part in line for part in parts) and not line.startswith("#")
    ]
    return number


def test_conda_makes_the_environment(steps):
    [python] = re.findall(r"python=([\d.]+)", ENVIRONMENT)
    where(steps, f"Building conda environment for python={python}")
    where(steps, "env update", '--file "binder/environment.yml"')
    assert not any("requirements.txt" in line for line in steps)


def test_a_change_of_a_page_does_not_install_the_environment_again(steps):
    """Layers are kept up to the first COPY of what has changed: before the environment only its own
    file is copied.
    """
    install, everything = where(steps, "env update"), where(steps, "COPY", " src/ ")
    copied = [
        line.split()[-2]
        for line in steps[:everything]
        if line.startswith("COPY") and " src/" in line
    ]
    assert copied == ["src/binder/environment.yml"] and install < everything


def test_the_scripts_run_when_the_course_is_there(steps):
    everything = where(steps, "COPY", " src/ ")
    assert everything < where(steps, "RUN ./binder/postBuild")
    assert everything < where(steps, "R2D_ENTRYPOINT", "binder/start")


def test_start_has_one_thread_and_passes_the_command_on():
    command = [
        "binder/start",
        sys.executable,
        "-c",
        "import os; print(os.environ['OMP_NUM_THREADS'])",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    answer = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "1\n"


def test_post_build_installs_the_package_and_sets_jupyterlab_up(tmp_path):
    python = tmp_path / "python"
    python.write_text(
        f"#!/bin/sh\n"
        f'if [ "$1" = -c ]; then echo "{tmp_path}"\n'
        f'else echo "$@" >> "{tmp_path}/log"; fi\n'
    )
    python.chmod(0o755)
    home = {"HOME": str(tmp_path / "home")}
    environment = os.environ | home | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["binder/postBuild"], cwd=ROOT, env=environment, check=True)
    commands = (tmp_path / "log").read_text().splitlines()
    assert commands == ["-m pip install --no-deps -e .", "start.py real"]
    settings = json.loads((tmp_path / "share/jupyter/lab/settings/overrides.json").read_text())
    [notification] = settings.values()
    assert notification["fetchNews"] == "false" and notification["checkForUpdates"] is False
    style = tmp_path / "home/.jupyter/custom/custom.css"
    assert style.read_bytes() == (ROOT / "tools/lab_style/custom.css").read_bytes()
    assert (style.parent / "sans.woff2").exists(), "custom.css names it"
    config = json.loads((tmp_path / "etc/jupyter/jupyter_lab_config.json").read_text())
    assert config == {"LabApp": {"custom_css": True}}, "else JupyterLab does not ask for it"


def imported(source):
    """The first part of every module that Python code imports."""
    nodes = [*ast.walk(ast.parse(source))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def test_a_hub_that_uses_the_image_has_what_the_notes_link_needs():
    notes = (ROOT / "notebooks/instructors.md").read_text("utf-8")
    assert "git-pull?repo=" in notes and "- nbgitpuller" in ENVIRONMENT


def test_everything_that_is_imported_is_in_the_environment():
    sources = [path.read_text("utf-8") for path in LIBRARY]
    for path in (ROOT / "notebooks").rglob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        sources += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    # Demo.save, for maintainers, says in a sentence that Playwright is missing.
    here = set(sys.stdlib_module_names) | {"lib", "tools", "IPython", "playwright"}
    wanted = set().union(*map(imported, sources)) - here
    installed = set(re.findall(r"^  - ([\w-]+)", ENVIRONMENT, re.MULTILINE))
    assert {CONDA_NAMES.get(name, name) for name in wanted} <= installed
