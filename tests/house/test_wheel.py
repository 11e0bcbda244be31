"""The wheel: one package with a name of its own, which needs no `lib` and meets none."""

import subprocess
import sys
import zipfile

import pytest

from tools.course import ROOT
from tools.wheel import NAME, renamed

TAKE_ONE = f"""
import sys

from {NAME} import mine, saved, widgets

widgets.Translator(saved.load("french_gloss"), "the street was too wide")
demo = widgets.AttentionMap([[1.0, 0.0], [0.5, 0.5]], ["a", "b"], veiled=False)
demo.save("map.html")
print([name for name in sys.modules if name.split(".")[0] == "lib"])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what the wheel holds, and somebody else's `lib` beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)
    (folder / "lib").mkdir()
    (folder / "lib" / "__init__.py").write_text("raise ImportError('another lib')", "utf-8")
    return folder


def test_it_has_one_package_and_no_tests(installed):
    names = {path.name for path in installed.iterdir()} - {"lib"}
    assert {name for name in names if not name.endswith((".whl", ".dist-info"))} == {NAME}
    assert not list(installed.rglob("test_*")) and not list(installed.rglob("*.test.mjs"))


def test_a_demo_is_taken_from_it_beside_another_lib(installed):
    command = [sys.executable, "-c", TAKE_ONE]
    said = subprocess.run(command, cwd=installed, capture_output=True, text=True)
    assert said.stdout.strip() == "[]", said.stderr
    assert (installed / "map.html").read_text("utf-8").startswith("<!doctype html>")


def test_only_the_package_is_renamed():
    text = 'from lib import x\nimport lib.mine\nimport pathlib\nHERE = "lib.saved", "/lib/a.py"\n'
    assert renamed(text) == text.replace("from lib", f"from {NAME}").replace(
        "import lib.mine", f"import {NAME}.mine"
    ).replace('"lib.saved"', f'"{NAME}.saved"')
