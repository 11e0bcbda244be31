"""The set-up check of notebook 0 tells what is there, what differs and what to do."""

import re
import sys

import pytest

from lib import set_up


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    monkeypatch.delenv(set_up.IMAGE, raising=False)


def said(capsys, wanted=None):
    set_up.report(wanted)
    return capsys.readouterr().out


def test_all_is_there(capsys):
    text = said(capsys)
    assert "Everything is there." in text and "Python 3.11 to 3.14: yes" in text
    assert re.search(r"^numpy \d", text, re.MULTILINE) and "made with" not in text


def test_another_version_is_named_and_is_no_alarm(capsys):
    text = said(capsys, {"numpy": "0.1"})
    assert "(the course was made with 0.1)" in text and "Nothing is missing" in text


def test_a_missing_package_is_named_with_what_to_do(capsys):
    text = said(capsys, {"numpy": "0.1", "no-such-package": "2.0"})
    assert "no-such-package missing" in text and set_up.START in text


@pytest.mark.parametrize("version", [(3, 10, 14), (3, 15, 0)])
def test_a_wrong_python_is_said_with_what_names_a_right_one(capsys, monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    text = said(capsys)
    assert "Python 3.11 to 3.14: no, this is 3.1" in text and "names one that will do" in text
    assert "Everything is there" not in text
    monkeypatch.setenv(set_up.IMAGE, "./binder/start")
    assert "names one" not in said(capsys), "who reads this has not chosen the server's Python"


def test_where_pytorch_is_missing_it_says_for_which_computers_it_is_not_made(capsys, monkeypatch):
    monkeypatch.setattr(set_up, "_version", {"numpy": "2.4.6"}.get)
    assert "Intel Macs, nor for Windows on ARM" in said(capsys)
    assert "Intel" not in said(capsys, {"numpy": "2.4.6", "no-such-package": "2.0"})


def test_a_folder_that_is_not_whole_is_said(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(set_up, "LIST", tmp_path / "requirements.txt")
    assert "copy the whole course" in said(capsys)


def test_on_binder_nobody_is_sent_to_install_anything(capsys, monkeypatch):
    """There start.py would install all of it once more, beside the server that runs."""
    monkeypatch.setenv(set_up.IMAGE, "./binder/start")
    text = said(capsys, {"numpy": "0.1", "jupyterlab": "0.1"})
    assert "Nothing is missing" in text and "jupyterlab" not in text
    assert "start.py" not in text
    text = said(capsys, {"no-such-package": "2.0"})
    assert "Start this server again" in text and "start.py" not in text


def test_on_colab_nobody_is_sent_to_repair_what_google_installed(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, set_up.COLAB, object())
    text = said(capsys, {"numpy": "0.1", "jupyterlab": "0.1"})
    assert "versions of its own" in text and "jupyterlab" not in text
    text = said(capsys, {"no-such-package": "2.0"})
    assert "Run the first cell of the page again" in text and "start.py" not in text


def test_what_is_lacking_is_what_is_missing(monkeypatch):
    """Not what has another version: Colab's PyTorch and NumPy belong together."""
    wanted = {"numpy": "0.1", "no-such-package": "2.0", "jupyterlab": "0.1"}
    monkeypatch.setattr(set_up, "_wanted", lambda: wanted)
    monkeypatch.setattr(set_up, "_version", {"numpy": "9.9"}.get)
    assert set_up.lacking() == ["no-such-package==2.0"]
