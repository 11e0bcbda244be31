"""What holds the house together: no network, versions that agree, imports that go one way, start.py's messages."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import start

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (".ci", "benchmarks", "binder", "figures", "lib", "notebooks", "tests", "tools")
NETWORK_MODULES = {"aiohttp", "ftplib", "http", "httpx", "requests", "socket", "urllib", "urllib3"}
ADDRESS = re.compile(r"https?://(?!www\.w3\.org/|127\.0\.0\.1|localhost)")
LIBRARY = sorted((ROOT / "lib").rglob("*.py"))


def texts() -> list[Path]:
    """Every text file of the repository, without what is generated."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    skipped = {"__pycache__", ".ipynb_checkpoints"}
    others = {".png", ".gif", ".svg", ".webp", ".safetensors"}
    top = [path for path in ROOT.iterdir() if path.name not in (".git", ".DS_Store")]
    return [
        p
        for p in [*top, *inside]
        if p.is_file() and not skipped & set(p.parts) and p.suffix not in others
    ]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(tree: ast.Module, module_level: bool = False) -> set[str]:
    """The dotted names that a module imports; `from lib import plots` counts as lib.plots."""
    nodes = tree.body if module_level else ast.walk(tree)
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                "write imports from lib in full, so that a reader can find the file"
            )
            whole = node.module in ("lib", "lib.widgets")
            names |= (
                {f"{node.module}.{alias.name}" for alias in node.names} if whole else {node.module}
            )
    return names


def tops(names: set[str]) -> set[str]:
    return {dotted.partition(".")[0] for dotted in names}


# -- no network -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", LIBRARY, ids=name)
def test_python_of_lib_uses_no_network(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert not tops(imported(tree)) & NETWORK_MODULES
    documented = [
        n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    docstrings = {
        id(n.body[0].value) for n in documented if n.body and isinstance(n.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            assert not ADDRESS.search(node.value), f"line {node.lineno}: {node.value}"


@pytest.mark.parametrize(
    "path", [p for p in (ROOT / "lib").rglob("*") if p.suffix in (".mjs", ".css")], ids=name
)
def test_widgets_fetch_nothing(path):
    text = path.read_text("utf-8")
    fetching = r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|@import|url\((?!['\"]?(data:|#))"
    assert not re.search(fetching, text)
    assert not ADDRESS.search(text)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").rglob("*.ipynb")), ids=name)
def test_notebooks_import_no_network(path):
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert not tops(imported(ast.parse("".join(cell["source"])))) & NETWORK_MODULES


def test_no_text_names_a_machine_or_a_package_index():
    hosts = r"pypi\.org|pythonhosted|download\.pytorch|anaconda\.org|jsdelivr|unpkg\.com|cdnjs|--(extra-)?index-url"
    private = re.compile(rf"{re.escape(str(ROOT))}/|/home/\w|/Users/\w|[A-Z]:\\\\Users|{hosts}")
    for path in texts():
        if path == Path(__file__):
            continue
        found = private.search(path.read_text("utf-8"))
        assert not found, f"{name(path)} contains {found[0]!r}"


# -- versions -------------------------------------------------------------------------------------------------------


def versions(requirements: list[str]) -> dict[str, str]:
    return dict(requirement.split("==") for requirement in requirements)


def test_binder_has_the_same_versions():
    lines = (ROOT / "binder/environment.yml").read_text("utf-8").splitlines()
    binder = dict(re.findall(r"^  - ([\w-]+)=([\d.]+)", "\n".join(lines), re.MULTILINE))
    python = binder.pop("python")
    assert tuple(map(int, python.split("."))) >= start.OLDEST
    conda_names = {"pytorch": "torch", "matplotlib-base": "matplotlib"}
    wanted = versions(start.requirements("start"))
    del wanted["jupyterlab"]  # Binder's base image has its own
    assert {
        conda_names.get(package, package): version for package, version in binder.items()
    } == wanted


def test_every_version_is_exact():
    assert all(
        re.fullmatch(r"[\w-]+==[\w.]+", requirement) for requirement in start.requirements("test")
    )


@pytest.mark.parametrize("script", ["binder/postBuild", "binder/start", ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)


# -- imports go one way ---------------------------------------------------------------------------------------------

NUMPY_ONLY = {
    "activations",
    "attention",
    "corpus",
    "layers",
    "masks",
    "positions",
    "sampling",
    "tokens",
}
TORCH = {
    "decoding",
    "interventions",
    "modules",
    "refusals",
    "saved",
    "torch_nn",
    "training",
}


def room(path):
    """The module or shelf of lib that a file belongs to: lib/saved/__init__.py to saved."""
    return path.relative_to(ROOT / "lib").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", LIBRARY, ids=name)
def test_arrows_go_one_way(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert not tops(imported(tree)) & {"tests", "tools", "benchmarks", "start"}
    at_once = tops(imported(tree, module_level=True))
    brings_torch = {"torch", *(f"lib.{stem}" for stem in TORCH)} & imported(tree, module_level=True)
    assert not brings_torch or room(path) in TORCH, (
        f"of lib, only {', '.join(sorted(TORCH))} import torch at once"
    )
    if room(path) in NUMPY_ONLY:
        assert at_once <= {"numpy", "lib"} | set(sys.stdlib_module_names)
        assert imported(tree) & {"lib"} == set()
        assert {
            dotted.split(".")[1] for dotted in imported(tree) if dotted.startswith("lib.")
        } <= NUMPY_ONLY
    if path.parent.name == "lib" and path.stem in {"checks", "plots", *NUMPY_ONLY, *TORCH}:
        assert not any(dotted.startswith("lib.widgets") for dotted in imported(tree))


@pytest.mark.parametrize("module", sorted(NUMPY_ONLY))
def test_what_is_numpy_needs_numpy_alone(module):
    code = f"import sys, lib.{module}; print({{'torch', 'matplotlib', 'ipywidgets'}} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "set()"


# -- start.py -------------------------------------------------------------------------------------------------------


def test_start_uses_only_the_standard_library():
    assert tops(imported(ast.parse((ROOT / "start.py").read_text("utf-8")))) <= set(
        sys.stdlib_module_names
    )


def test_an_old_python_can_read_start_and_is_told_what_to_do():
    ast.parse((ROOT / "start.py").read_text("utf-8"), feature_version=(3, 7))
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is Python 3.9"):
        start.check_python((3, 9, 1))


def test_without_venv_it_names_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(start, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(start, "find_spec", lambda module: None)
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        start.check_python((3, 12, 0))


def test_without_network_it_says_so():
    assert "no network" in start.why("WARNING: Retrying ... Temporary failure in name resolution")


def test_another_failure_shows_pips_last_words():
    message = start.why("one\ntwo\nERROR: No space left on device\n")
    assert "No space left on device" in message
    assert "install.log" in message


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """An environment that exists, and a record of the commands that would have run."""
    python = tmp_path / "python"
    python.touch()
    for attribute, value in {
        "PYTHON": python,
        "STAMP": tmp_path / "stamp",
        "LOG": tmp_path / "log",
    }.items():
        monkeypatch.setattr(start, attribute, value)
    monkeypatch.setattr(start, "works", lambda *command: True)
    commands = []
    monkeypatch.setattr(
        start, "logged", lambda *command, **_: commands.append(command[2:]) or (0, "")
    )
    return commands


def test_second_start_installs_nothing(environment):
    start.install(["a==1", "b==2"])
    assert environment
    environment.clear()
    start.install(["b==2"])
    assert not environment


def test_another_version_is_installed(environment):
    start.install(["a==1"])
    environment.clear()
    start.install(["a==2"])
    assert any("a==2" in command for command in environment)


def test_pip_takes_over_where_uv_fails(environment, monkeypatch, capsys):
    def logged(*command, **_):
        environment.append(command[2:])
        return ("uv" in command[:3], "no such package")

    monkeypatch.setattr(start, "logged", logged)
    monkeypatch.setattr(sys, "platform", "linux")
    start.install(["a==1"])
    assert [command[0] for command in environment] == ["pip", "uv", "pip"]
    assert start.STAMP.exists()


def test_failed_install_leaves_no_stamp(environment, monkeypatch):
    monkeypatch.setattr(start, "logged", lambda *command, **_: (1, "NewConnectionError"))
    with pytest.raises(SystemExit, match="no network"):
        start.install(["a==1"])
    assert not start.STAMP.exists()


def test_unknown_word_shows_the_usage(capsys):
    assert start.main(["tests"]) == 2
    assert "python start.py refresh" in capsys.readouterr().err


def test_unknown_layer_is_named():
    with pytest.raises(SystemExit, match="no layer 'units'"):
        start.test(["units"])


def test_missing_browser_is_a_failure_only_where_none_may_be_missing(monkeypatch):
    monkeypatch.setattr(start.shutil, "which", lambda program: None)
    monkeypatch.delenv("CI", raising=False)
    assert start.run_layer("browser").startswith("skipped")
    monkeypatch.setenv("CI", "true")
    assert start.run_layer("browser").startswith("FAILED")


def test_without_a_display_the_address_is_printed(environment, monkeypatch, capsys):
    monkeypatch.setattr(start, "install", lambda wanted: None)
    monkeypatch.setattr(start, "can_show_a_browser", lambda: False)
    monkeypatch.setattr(start, "run", lambda *command: environment.append(command) or 0)
    assert start.start(["--port=9000"]) == 0
    assert {"--no-browser", "--port=9000"} <= set(environment[0])
    assert "open the address" in capsys.readouterr().out


def test_failures_are_summed_up_at_the_end(monkeypatch, capsys):
    monkeypatch.setattr(start, "install", lambda wanted: None)
    monkeypatch.setattr(start, "run_layer", lambda layer: "FAILED" if layer == "unit" else "passed")
    assert start.test([]) == 1
    assert capsys.readouterr().out.count("2/5 unit: FAILED") == 2
    assert start.test(["style"]) == 0
