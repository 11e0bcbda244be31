"""start.py's words and messages, how it opens the course, and the layers of tests."""

import ast
import io
import logging
import os
import re
import sys
import tomllib
import types
from pathlib import Path

import pytest

import start
from lib import set_up
from tests.house.source import imported, tops
from tools import commands, environment, lab, layers
from tools.course import ROOT

PARTS = ["start.py", *(f"tools/{name}.py" for name in ("commands", "environment", "layers"))]
PARTS += ["lib/__init__.py", "lib/set_up/__init__.py"]
# What Python 2.7 cannot read; print with a keyword is the other trap.
TOO_NEW = (ast.JoinedStr, ast.AnnAssign, ast.AsyncFunctionDef, ast.NamedExpr, ast.Nonlocal)
TOO_NEW += (ast.YieldFrom, ast.MatMult)


@pytest.mark.parametrize("name", [*PARTS, "tools/installed.py"])
def test_start_uses_only_the_standard_library(name):
    modules = imported(ast.parse((ROOT / name).read_text("utf-8")))
    assert tops(modules) <= set(sys.stdlib_module_names) | {"tools", "lib"}
    ours = {module for module in modules if module.startswith(("tools.", "lib."))}
    names = (path.removesuffix(".py").removesuffix("/__init__") for path in PARTS)
    assert ours <= {name.replace("/", ".") for name in names}


def test_every_python_can_read_start_up_to_its_sentence():
    text = (ROOT / "start.py").read_bytes().decode("ascii")
    nodes = [*ast.walk(ast.parse(text))]
    for node in nodes:
        where = f"line {getattr(node, 'lineno', 0)}: Python 2.7 cannot read this"
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        assert not isinstance(node, TOO_NEW), where
        assert not (call and node.func.id == "print" and node.keywords), where
        if isinstance(node, ast.FunctionDef):
            assert not (node.returns or node.args.kwonlyargs or node.args.posonlyargs), where
            assert not any(one.annotation for one in node.args.args), where
    early = ast.parse(text.partition("def main")[0])
    assert imported(early) == {"os", "subprocess", "sys"}, "all that comes before the check"


@pytest.fixture
def here(monkeypatch):
    """here("uv"): the only program that runs; none at first."""

    def only(*programs):
        monkeypatch.setattr(start, "runs", lambda name, *words: name in programs)

    only()
    return only


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 1), (3, 15, 0)])
def test_a_wrong_python_is_told_which_ones_are_right(here, monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    came = "{}.{}".format(*version)
    with pytest.raises(SystemExit, match=f"needs Python 3.11 to 3.14, and this is Python {came}"):
        start.main([])


@pytest.mark.skipif(os.name == "nt", reason="Windows has the launcher py")
def test_the_command_for_a_right_python_is_the_newest_one_that_is_here(here):
    assert re.fullmatch("Install one .* python3.13 start.py", start.other_python())
    here("uv")
    assert start.other_python().endswith(start.WITH_UV)
    here("python3.10", "python3.12", "python3.14", "python3.15", "uv")
    assert start.other_python() == "One of these is here. Type: python3.14 start.py"


def test_on_windows_it_is_the_launchers(here, monkeypatch):
    monkeypatch.setattr(start.os, "name", "nt")
    assert "py -3.13 start.py" in start.other_python()


def test_a_program_that_is_there_and_only_says_what_could_be_does_not_count():
    """As pyenv's python3.13, where another version is chosen."""
    assert start.runs(sys.executable, "-c", "")
    assert not start.runs(sys.executable, "-c", "raise SystemExit(127)")
    assert not start.runs("no-such-program", "--version")


def test_the_python_of_every_place_is_one_of_these():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    after = (start.NEWEST[0], start.NEWEST[1] + 1)
    ends = "{}.{}".format(*start.OLDEST), "{}.{}".format(*after)
    assert project["requires-python"] == ">={},<{}".format(*ends)
    assert (set_up.OLDEST, set_up.NEWEST) == (start.OLDEST, start.NEWEST)
    said = "Python {}.{} to {}.{}".format(*start.OLDEST, *start.NEWEST)
    for name in ("README.md", "notebooks/instructors.md"):
        assert said in (ROOT / name).read_text("utf-8"), f"{name} names other Pythons"


def test_half_a_course_is_told(tmp_path):
    for name in start.PARTS[:3]:
        (tmp_path / name).mkdir()
    with pytest.raises(SystemExit, match="no requirements.txt beside start.py"):
        start.check_folder(str(tmp_path))


def test_without_venv_it_names_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(commands, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(commands, "find_spec", lambda module: None)
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        commands.check_modules()


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", ["--help", "-h", "help"])
def test_help_says_what_there_is(ask, capsys):
    assert start.main([ask]) == 0
    assert "start.py refresh" in capsys.readouterr().out


@pytest.mark.parametrize("word", commands.COMMANDS)
def test_every_word_has_help_and_does_nothing_then(word, monkeypatch, capsys):
    monkeypatch.setattr(commands, "install", None)
    assert start.main([word, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"python3 start.py {word}")
    assert word != "test" or all(f"{layer}  " in said for layer in layers.LAYERS)


def test_unknown_word_shows_the_usage(capsys):
    assert start.main(["tests"]) == 2
    said = capsys.readouterr().err
    assert "does not know the word 'tests'" in said and "python3 start.py refresh" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["test", "units"], "no layer 'units'; the layers are: style, javascript"),
        (["test", "--verbose"], "no layer '--verbose'"),
        (["test", "browser", "--part"], "as in --part 1/4; '' came"),
        (["test", "browser", "--part", "5/4"], "as in --part 1/4; '5/4' came"),
        (["test", "browser", "--part", "99/99"], "as in --part 1/4; '99/99' came"),
        (["refresh", "02_softmax"], "no notebook 02_softmax: give a file"),
        (["refresh", "README.md"], "README.md is no notebook: give a file"),
        (["real", "now"], "takes no more words, and 'now' came"),
        (["site", "x"], "takes no more words, and 'x' came"),
    ],
)
def test_what_a_word_does_not_know_is_named(words, sentence):
    with pytest.raises(SystemExit, match=sentence):
        start.main(words)


# -- opening the course ----------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """The commands that start.py would have become, with an environment that is whole."""
    became = []
    monkeypatch.setattr(commands, "install", lambda wanted: None)
    monkeypatch.setattr(commands, "become", lambda *command: became.append(command) or 0)
    return became


def test_one_document_is_opened_and_options_are_passed_on(opened):
    assert start.main(["--port=9000"]) == 0
    [command] = opened
    assert command[0] == environment.PYTHON and command[-1] == "--port=9000"
    [page] = [word for word in command[1:] if "default_url" in str(word)]
    assert page.endswith("=/doc/workspaces/attention/tree/notebooks/00_start_here.ipynb")


def test_without_a_display_the_reader_is_told_to_open_the_address(opened, monkeypatch, capsys):
    monkeypatch.setattr(commands, "can_show_a_browser", lambda: False)
    commands.start([])
    assert "--no-browser" in opened[0]
    assert "open the address yourself" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_said(opened, monkeypatch, capsys):
    monkeypatch.setattr(commands.os, "access", lambda path, mode: False)
    commands.start([])
    assert "what you change on a page is lost" in capsys.readouterr().out


class Server:
    """Of JupyterLab's server, what tools/lab.py uses."""

    ip = "localhost"
    local_url = "http://127.0.0.1:8888/doc/tree/notebooks/00_start_here.ipynb?token=1"
    public_url = "http://0.0.0.0:8888/doc"

    def __init__(self):
        self.web_app = types.SimpleNamespace(settings={"static_custom_path": ["the reader's"]})
        self.log, self.shown = logging.Logger("server"), io.StringIO()
        self.log.addHandler(logging.StreamHandler(self.shown))

    def start(self):
        self.log.critical("\n\nTo access the server, open this file in a browser:\n    file://x")
        self.log.warning("Notebook %s is not trusted", "notebooks/00_start_here.ipynb")
        self.log.warning("A warning.")


@pytest.fixture
def server(monkeypatch):
    """The server that lab.main starts; `options` are those that JupyterLab was given."""
    server = Server()

    def initialize(options):
        server.options = options
        return server

    app = types.SimpleNamespace(initialize_server=initialize)
    module = types.SimpleNamespace(LabApp=app)
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", module)
    return server


def test_pages_are_in_one_column_and_the_reader_may_say_otherwise(server):
    lab.main(["--LabApp.custom_css=False"])
    assert server.options == ["--LabApp.custom_css=True", "--LabApp.custom_css=False"]
    style, letters, theirs = server.web_app.settings["static_custom_path"]
    assert (Path(style) / "custom.css").exists() and theirs == "the reader's"
    assert (Path(letters) / "sans.woff2").exists()


def test_one_line_says_the_address_and_warnings_are_kept(server, capsys):
    lab.main([])
    assert capsys.readouterr().out == f"Open: {server.local_url}\n"
    assert server.shown.getvalue() == "A warning.\n"
    server.ip = "0.0.0.0"
    assert server.public_url in lab.address(server)


def test_a_jupyterlab_that_cannot_be_loaded_says_what_to_delete(monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    with pytest.raises(SystemExit, match="Delete the folder .venv"):
        lab.main([])


# -- layers ----------------------------------------------------------------------------------------


def test_missing_browser_is_a_failure_only_where_none_may_be_missing(monkeypatch):
    monkeypatch.setattr(layers.shutil, "which", lambda program: None)
    [(name, result_of), others] = layers.runs_of(["unit", "browser"], layers.WHOLE)
    monkeypatch.delenv("CI", raising=False)
    assert name == "browser" and result_of().startswith("skipped")
    monkeypatch.setenv("CI", "true")
    assert result_of().startswith("FAILED") and others[0] == "unit"


def test_failures_are_summed_up_at_the_end(monkeypatch, capsys):
    monkeypatch.setattr(commands, "install", lambda wanted: None)
    for name, result in {"style": "passed", "javascript": "passed", "tested": "FAILED"}.items():
        monkeypatch.setattr(layers, name, lambda *_, result=result: result)
    monkeypatch.setattr(layers.shutil, "which", lambda program: program)
    assert commands.test([]) == 1
    assert capsys.readouterr().out.count("3/3 unit, notebooks, browser: FAILED") == 2
    assert commands.test(["style"]) == 0


def test_each_test_belongs_to_one_layer_that_runs_it():
    """All at once, and each alone: no file is in two of them, none in no one."""
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")}
    files |= {path.relative_to(ROOT).as_posix() for path in ROOT.glob("lib/**/test_*.py")}

    def chosen(names):
        paths = layers.paths_of(names, layers.WHOLE)
        ignored = {path.removeprefix("--ignore=") for path in paths if path.startswith("--")}
        folders = {path for path in paths if "." not in path}
        inside = {path for path in files if path.split("/")[0] in folders}
        return sorted({*inside.difference(ignored), *set(paths).intersection(files)})

    every = ["unit", "notebooks", "browser"]
    assert chosen(every) == sorted(sum(map(chosen, ([name] for name in every)), []))
    assert chosen(every) == sorted(files)


def test_the_parts_of_the_browser_layer_are_all_of_it():
    parts = [layers.browser_tests((number, 4)) for number in (1, 2, 3, 4)]
    assert all(parts) and sorted(sum(parts, [])) == sorted(layers.browser_tests(layers.WHOLE))
