"""The environment .venv: what is found wrong in it, how it is mended, what is said otherwise."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tools import environment, installed
from tools.course import ROOT

ON_WINDOWS = os.name == "nt"
WORKS = environment.works


# -- what is found ---------------------------------------------------------------------------------


@pytest.fixture
def packages(monkeypatch, tmp_path):
    """Installed packages: numpy 2.4.6 and torch 2.13.0+cpu, each with one file; their folder."""
    for name, version in {"numpy": "2.4.6", "torch": "2.13.0+cpu"}.items():
        metadata = tmp_path / f"{name}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
        record = f'{name}/__init__.py,,\n"{name}/a,b.so",,\n{name}/__pycache__/gone.pyc,,\n'
        (metadata / "RECORD").write_text(record)
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "a,b.so").touch()
    monkeypatch.setattr(installed, "PACKAGES", tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def found(wanted="numpy==2.4.6 torch==2.13.0", earlier=None):
    """What is wrong, in words."""
    before = None if earlier is None else installed.pairs(earlier.split())
    report = installed.report(installed.pairs(wanted.split()), before)
    return [fault["words"] for fault in report["faults"]]


def test_all_is_there(packages):
    assert found() == []
    report = installed.report({}, None)
    assert report["all"] == ["numpy==2.4.6", "torch==2.13.0+cpu"]


def test_another_version_is_named(packages):
    assert found("numpy==1.26.0") == ["numpy is 2.4.6, and the course needs 1.26.0"]


def test_a_package_that_has_gone_is_named(packages):
    os.rename(packages / "numpy-2.4.6.dist-info", packages / "~umpy-2.4.6.dist-info")
    assert found() == ["numpy is missing"]


def test_what_others_need_may_have_another_version_but_may_not_go(packages):
    assert found("torch==2.13.0", "numpy==1.26.0") == []
    assert found("torch==2.13.0", "tornado==6.5") == ["tornado is missing"]


def test_one_file_that_has_gone_is_noticed(packages):
    (packages / "numpy" / "a,b.so").unlink()
    assert found() == ["numpy lacks numpy/a,b.so"]


def test_a_package_that_was_not_whole_at_first_is_left_alone(packages):
    (packages / "numpy" / "a,b.so").unlink()
    assert found("numpy==2.4.6", "torch==2.13.0") == []


def test_an_installation_that_was_killed_is_noticed_though_what_was_asked_for_is_there(packages):
    """uv installs side by side: what others need may be missing, or half there."""
    assert found("torch==2.13.0", earlier="") == ["the last installation was not finished"]
    (packages / "numpy" / "a,b.so").unlink()
    assert "numpy lacks numpy/a,b.so" in found("torch==2.13.0", earlier="")


@pytest.mark.parametrize("name", ["METADATA", "RECORD"])
def test_a_file_that_is_rubbish_is_noticed(packages, name):
    (packages / "numpy-2.4.6.dist-info" / name).write_bytes(b"\0\xff" * 9)
    [words] = found()
    assert words in ("numpy is missing", "numpy lacks numpy-2.4.6.dist-info/RECORD")


def test_the_python_that_is_asked_answers():
    command = (sys.executable, "-I", ROOT / "tools/installed.py", "none", "no-such-package==1.0")
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "no-such-package is missing" in said


def test_a_python_that_runs_but_fails_does_not_cost_the_environment(pip, monkeypatch):
    answer = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: answer)
    assert environment.look([]) == environment.UNREADABLE
    monkeypatch.setattr(environment, "works", lambda *command: False)
    assert environment.look([]) is None


# -- mending ---------------------------------------------------------------------------------------

WHOLE = {"faults": [], "all": ["a==1", "b==2"]}


def broken(kind="missing", words="a is missing", folder=""):
    """What is found where one package is wrong."""
    fault = {"name": "a", "kind": kind, "words": words, "folder": str(folder)}
    return {"faults": [fault], "all": ["a==1", "b==2"]}


class Pip:
    """What pip would have been asked to do; it succeeds unless `says` holds a reason.

    A command that holds one of the words `fails` finds no way to the network's other end.
    """

    def __init__(self):
        self.commands, self.says, self.fails = [], "", set()

    def __call__(self, *command, **_):
        if "download" in command:
            command[command.index("--dest") + 1].mkdir()
        words = [word for word in command[1:] if word != "-I"]
        self.commands.append(words)
        if self.fails.intersection(words) and words[-1] != "uv":
            return 1, "error: Request failed\n  cause: no route to the host\n"
        return int(bool(self.says)), self.says


@pytest.fixture
def pip(monkeypatch, tmp_path):
    """An environment that exists, in an own folder, on Linux; the pip that is called."""
    monkeypatch.setattr(environment, "ENVIRONMENT", tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    for name, file in {"LIST": "list", "LOG": "install.log", "LOCK": "lock"}.items():
        monkeypatch.setattr(environment, name, tmp_path / file)
    monkeypatch.setattr(environment, "works", lambda *command: True)
    monkeypatch.setattr(environment, "keep_jupyterlab_quiet", lambda: None)
    monkeypatch.setattr(sys, "platform", "linux")
    called = Pip()
    monkeypatch.setattr(environment, "logged", called)
    return called


@pytest.fixture
def looks(monkeypatch):
    """looks(first, second, ...): what is found from look to look; the last one stays."""

    def prepare(*reports):
        left = list(reports)
        monkeypatch.setattr(
            environment, "look", lambda wanted: left.pop(0) if len(left) > 1 else left[0]
        )

    return prepare


def test_a_whole_environment_is_left_alone_and_nothing_is_written(pip, looks, tmp_path):
    looks(WHOLE)
    environment.install(["a==1"])
    assert pip.commands == [] and list(tmp_path.iterdir()) == []


def test_a_missing_package_is_installed_and_what_is_there_is_written_down(pip, looks, capsys):
    looks(broken(), broken(), WHOLE)
    environment.install(["a==1"])
    assert pip.commands == [["-m", "pip", "install", "a==1"]]
    assert environment.LIST.read_text().split() == WHOLE["all"]
    assert "Mending .venv: a is missing." in capsys.readouterr().out


def test_a_damaged_package_is_forgotten_first(pip, looks, tmp_path):
    metadata = tmp_path / "a-1.dist-info"
    metadata.mkdir()
    damaged = broken("damaged", "a lacks a.so", metadata)
    looks(damaged, damaged, WHOLE)
    environment.install(["a==1"])
    assert not metadata.exists(), "pip would say that it is there already"


def test_until_the_end_an_installation_counts_as_not_finished(pip, looks, monkeypatch):
    """Killed at any moment, it leaves an empty list; at its end that holds what is there."""
    looks(broken(), broken(), WHOLE)
    environment.LIST.write_text("a==1\nb==2\n")
    during = []
    monkeypatch.setattr(
        environment,
        "logged",
        lambda *_, **__: during.append(environment.LIST.read_text()) or (0, ""),
    )
    environment.install(["a==1"])
    assert during == [""] and environment.LIST.read_text().split() == WHOLE["all"]


def test_what_cannot_be_mended_says_what_to_delete(pip, looks):
    looks(broken())
    with pytest.raises(SystemExit, match="a is missing. So delete the folder .venv"):
        environment.install(["a==1"])
    assert not environment.LIST.exists()


def test_a_file_that_never_was_there_is_said_once(pip, looks, capsys):
    damaged = broken("damaged", "a lacks a.so")
    looks(damaged, damaged, WHOLE, damaged)
    environment.install(["a==1"])
    assert "Still, a lacks a.so. If something fails, delete" in capsys.readouterr().out
    assert environment.LIST.read_text() == "b==2\n"


def test_without_network_another_version_is_no_reason_to_stop(pip, looks, capsys):
    looks(broken("another version", "a is 2, and the course needs 1"))
    pip.says = "NewConnectionError"
    environment.install(["a==1"])
    assert environment.LIST.read_text().split() == WHOLE["all"], "nor is it at the next start"
    said = capsys.readouterr().out
    assert "no network" in said and "goes on with what is here" in said


def test_nobody_deletes_what_would_come_back_the_same(pip, looks):
    looks(broken())
    pip.says = "ERROR: No matching distribution found for numpy==2.4.6"
    with pytest.raises(SystemExit, match=r"pip finds no numpy==2.4.6 for this computer \(.+\)\.$"):
        environment.install(["a==1"])


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("WARNING: Retrying ... Temporary failure in name resolution", "no network"),
        ("OSError: [Errno 28] No space left on device", "no room on the disk: .venv needs"),
        ("ERROR: No matching distribution found for torch==2", "no torch==2 for .* Intel Macs"),
        ("one\nERROR: Cannot do it", r"(?s)Cannot do it.*install.log.*delete the folder .venv"),
    ],
)
def test_a_failed_installation_says_why(pip, looks, said, sentence):
    looks(broken())
    pip.says = said
    with pytest.raises(SystemExit, match=sentence):
        environment.install(["a==1"])


def test_pytorch_comes_in_its_small_build_and_its_size_is_said(pip, looks, capsys):
    looks(None, None, WHOLE)
    environment.install(["torch==2"])
    [_, _, uv] = pip.commands  # the environment, uv itself, and what it installs
    assert uv[1] == "uv" and uv[uv.index("--torch-backend") + 1] == "cpu"
    assert "300 MB to download, 1.3 GB on the disk" in capsys.readouterr().out


def test_an_environment_of_a_wrong_python_is_made_anew(pip, looks, monkeypatch, tmp_path):
    """Of one that is too new, or was: pip would find nothing for it, now and later."""
    looks(broken(), broken(), WHOLE)
    (tmp_path / "pyvenv.cfg").touch()
    (tmp_path / "start.py").write_text("def check_python(version): raise SystemExit(str(version))")
    monkeypatch.setattr(environment, "works", WORKS)
    monkeypatch.setattr(environment, "PYTHON", sys.executable)
    environment.install(["a==1"])
    assert pip.commands[0] == ["-m", "venv", tmp_path] and not (tmp_path / "pyvenv.cfg").exists()


def test_pip_fetches_pytorch_where_uv_does_not_find_its_small_build(pip, looks, capsys, tmp_path):
    looks(None, None, WHOLE)
    pip.fails = {"--torch-backend"}
    environment.install(["a==1", "torch==2"])
    assert [words[1] for words in pip.commands] == ["venv", "pip", "uv", "pip", "uv"]
    folder = tmp_path / "fetched"
    fetched, installed = pip.commands[3:]
    assert fetched[2:] == ["download", "--no-deps", "--dest", folder, "torch==2"]
    assert installed[-4:] == ["--find-links", folder, "a==1", "torch==2"]
    assert not folder.exists(), "it is as large as what was installed from it"
    said = capsys.readouterr().out
    assert (
        "3 GB to download" in said and "uv cannot install them here (no route to the host)" in said
    )


def test_pip_takes_over_where_uv_fails(pip, looks):
    looks(None, None, WHOLE)
    pip.fails = {"uv"}
    environment.install(["a==1", "torch==2"])
    assert [words[1] for words in pip.commands] == ["venv", "pip", "uv", "pip", "uv", "pip"]
    assert pip.commands[-1][-2:] == ["a==1", "torch==2"]


def test_why_pytorch_cannot_be_installed_is_said(pip, looks):
    looks(None)
    pip.fails = {"torch==2"}
    with pytest.raises(SystemExit, match="no route to the host"):
        environment.install(["torch==2"])


# -- folders that refuse ---------------------------------------------------------------------------


def test_a_file_in_the_way_is_named(pip, looks, monkeypatch, tmp_path):
    looks(None)
    monkeypatch.setattr(environment, "ENVIRONMENT", tmp_path / ".venv")
    (tmp_path / ".venv").touch()
    with pytest.raises(SystemExit, match="not a folder. .* delete or rename it"):
        environment.install(["a==1"])


def test_a_folder_that_cannot_be_written_is_said(pip, looks, monkeypatch, tmp_path):
    looks(None)
    (tmp_path / "file").touch()
    monkeypatch.setattr(environment, "ENVIRONMENT", tmp_path / "file" / ".venv")
    with pytest.raises(SystemExit, match="cannot write in .* Copy the course into a folder"):
        environment.install(["a==1"])


def test_a_new_environment_takes_nothing_from_the_old_one(pip, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "list").touch()
    (tmp_path / "lock").touch()
    environment.make_environment()
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_the_second_start_waits_for_the_first(pip, monkeypatch, capsys):
    with environment.alone(), environment.LOCK.open("w") as second:
        assert not environment.lock(second)
    with environment.LOCK.open("w") as third:
        assert environment.lock(third)
        monkeypatch.setattr(environment.time, "sleep", lambda seconds: third.close())
        with environment.alone():
            assert "Another start.py is installing here" in capsys.readouterr().out


@pytest.mark.skipif(ON_WINDOWS, reason="there a lock ends with the process that has it")
def test_what_a_killed_start_has_left_behind_is_waited_for(tmp_path):
    """Its pip goes on, and two would write the same files."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "from tools import environment\n"
        "environment.LOCK, environment.LOG = Path(sys.argv[2]), Path(sys.argv[3])\n"
        "pip = 'print(\"Downloading a (1 MB)\", flush=True); input()'\n"
        "with environment.alone():\n"
        "    environment.logged(sys.executable, '-c', pip)"
    )
    lock = tmp_path / "lock"
    command = [sys.executable, "-uc", code, str(ROOT), str(lock), str(tmp_path / "log")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as killed:
        assert b"downloading a" in killed.stdout.readline()
        killed.kill()
        killed.wait()
        with lock.open("w") as second:
            assert not environment.lock(second), "pip still runs"
            killed.stdin.close()
            fcntl = pytest.importorskip("fcntl")
            fcntl.flock(second, fcntl.LOCK_EX)  # comes when pip has ended


# -- commands --------------------------------------------------------------------------------------


def test_packages_of_another_python_are_not_seen(monkeypatch):
    for name in environment.FOREIGN:
        monkeypatch.setenv(name, "/elsewhere")
    kept = environment.own_environment(OMP_NUM_THREADS="1")
    assert not set(environment.FOREIGN) & set(kept)
    assert kept["OMP_NUM_THREADS"] == "1" and kept["PATH"] == os.environ["PATH"]


@pytest.mark.skipif(ON_WINDOWS, reason="Windows cannot put a process in the place of another")
def test_jupyterlab_takes_the_place_of_start_so_that_signals_reach_it():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tools.environment import become\n"
        "become(sys.executable, '-c', 'import os; print(os.getpid())')"
    )
    command = [sys.executable, "-c", code, str(ROOT)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert int(process.communicate()[0]) == process.pid


@pytest.mark.skipif(ON_WINDOWS, reason="Windows has no SIGTERM that could be passed on")
def test_what_ends_start_ends_what_it_runs():
    code = (
        "import sys, signal; sys.path.insert(0, sys.argv[1])\n"
        "from tools import commands, environment\n"
        "signal.signal(signal.SIGTERM, commands.stop)\n"
        # What a shell starts in the background ignores Ctrl-C, and so does all that it starts.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "child = 'import os, time; print(os.getpid(), flush=True); time.sleep(60)'\n"
        "environment.run('-c', child, python=sys.executable)"
    )
    command = [sys.executable, "-c", code, str(ROOT)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, text=True, **pipes)
    child = int(process.stdout.readline())
    begin = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait() != 0 and time.monotonic() - begin < environment.PATIENCE
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
