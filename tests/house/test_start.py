"""start.py's messages, what it installs, and the layers of tests."""

import ast
import sys

import pytest

import start
from tests.house.source import imported, tops
from tools.course import ROOT


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
    assert "python3 start.py refresh" in capsys.readouterr().err


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
