"""Try the course with the newest releases, to see early what a change of the pins will break.

    .venv/bin/python tools/newest.py [LAYER ...]    layers of `start.py test`; without any, all

Works on a copy in .newest/, made anew each time, with its own .venv: there the newest releases of
NEWEST that pip finds stand in the place of the pins, the pages are executed and saved (it says
which of them changed: new pictures are no fault), and the tests are run. The course itself is not
touched, and PyTorch stays as pinned: its size. tools/oldest.py is its twin.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.course import ROOT

NEWEST = ("anywidget", "ipywidgets", "jupyterlab", "matplotlib", "numpy")
PINNED_IN = ("requirements.txt", "binder/environment.yml")


def newest(name):
    """The newest release that pip finds for this Python and machine."""
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    found = subprocess.run(command, capture_output=True, text=True)
    version = re.match(r"\S+ \((\S+)\)", found.stdout)
    if not version:
        last = (found.stderr.strip() or "nothing").splitlines()[-1]
        sys.exit(f"pip finds no release of {name}: it said {last}. Is there a network?")
    return version[1]


def repinned(text, versions):
    """The lines of a file of pins, with these versions ({name: version}) in place of those that
    were tried: the exact ones, and the upper ends of ranges.
    """
    for name, version in versions.items():
        text = re.sub(
            rf"^(\W*{name}(?:-base)? ?(?:==|>=[\w.]+,<=))[\w.]+",
            rf"\g<1>{version}",
            text,
            flags=re.MULTILINE,
        )
    return text


def copied(to):
    """Copy what is under version control, as it is now."""
    shutil.rmtree(to, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def tried(versions, copy, layers):
    """Execute the pages and run these layers of tests with other versions, in the folder copy;
    what start.py returned.
    """
    copied(copy)
    for name in PINNED_IN:
        old = (copy / name).read_text("utf-8")
        (copy / name).write_text(repinned(old, versions), "utf-8")
    pins = (ROOT / "requirements.txt").read_text("utf-8").split()
    for name, version in versions.items():
        print(f"{name} {version}{', as pinned' * (f'{name}=={version}' in pins)}", flush=True)
    start = [sys.executable, str(copy / "start.py")]
    return subprocess.call([*start, "refresh"]) or subprocess.call([*start, "test", *layers])


def main(layers):
    return tried({name: newest(name) for name in NEWEST}, ROOT / ".newest", layers)


if __name__ == "__main__":
    help_if_asked(__doc__)
    sys.exit(main(sys.argv[1:]))
