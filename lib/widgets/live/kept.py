"""Recordings are kept in .recordings/: the layers of a test run and the site make each once.

A file's name has a hash of all that a recording comes from: every file of lib, the page, a fetched
model, and the versions of what computes. Where one of these changes it is made anew.
"""

import hashlib
import json
import platform
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lib.widgets.frame.record import Recording
from lib.widgets.live.cells import NOTEBOOKS

ROOT = NOTEBOOKS.parent
FOLDER = ROOT / ".recordings"
MODELS = ROOT / "real_model"  # a page shows the recorded maps where there is none
COMPUTES = ("numpy", "torch", "ipywidgets", "traitlets")


def recording(name, page, make):
    """The Recording that ``make`` makes, or the one that it made of the same sources."""
    path = FOLDER / f"{name}-{key_of(page)}.json"
    try:
        return Recording(**json.loads(path.read_text("utf-8")))
    except OSError:
        made = make()
    _keep(path, made.text())
    return made


def _keep(path, text):
    """Whole, or not at all: others may read it meanwhile; what it replaces goes."""
    try:
        FOLDER.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=FOLDER, delete=False, encoding="utf-8") as file:
            file.write(text)
        Path(file.name).replace(path)
        for old in FOLDER.glob(f"{path.name.partition('-')[0]}-*.json"):
            if old != path:
                old.unlink(missing_ok=True)
    except OSError:  # a folder that cannot be written keeps nothing
        return


def key_of(page):
    """What a demo of this page, or of none, comes from, in 16 letters."""
    found = hashlib.sha256(_of_course())
    if page:
        found.update((NOTEBOOKS / f"{page}.ipynb").read_bytes())
    return found.hexdigest()[:16]


@cache
def _of_course():
    found = hashlib.sha256(repr([platform.python_version(), platform.machine()]).encode())
    found.update(repr([version(each) for each in COMPUTES]).encode())
    for path in sorted(path for folder in (ROOT / "lib", MODELS) for path in folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(ROOT)}\n".encode())
            of_lib = MODELS not in path.parents
            found.update(path.read_bytes() if of_lib else repr(path.stat().st_mtime_ns).encode())
    return found.digest()
