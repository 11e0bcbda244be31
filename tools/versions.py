"""Try the course with other versions than the pinned ones: what will a change of the pins break?

    .venv/bin/python tools/versions.py newest [LAYER ...]    layers of `start.py test`, or all
    .venv/bin/python tools/versions.py oldest [LAYER ...]    is Binder's range as wide as it says?

Works on a copy in .newest/ or .oldest/, made anew each time, with its own .venv: there other
versions stand in the place of the pins, the pages are executed and saved (it says which of them
changed: new pictures are no fault), and the tests are run. The course itself is not touched.

newest: the newest releases of NEWEST that pip finds; PyTorch stays as pinned: its size.
oldest: the lower ends of the ranges in binder/environment.yml; what fails needs a higher end there.
Two stay as pinned: PyTorch, since the package index has no older one without CUDA, and safetensors,
since the transformers that the tests compare with want no older one.
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
ENVIRONMENT = ROOT / "binder" / "environment.yml"
RANGE = re.compile(r"^  - ([\w-]+?)(?:-base)? >=([\w.]+),<=([\w.]+)", re.MULTILINE)
AS_PINNED = {"torch", "safetensors"}


def newest_of(name):
    """The newest release that pip finds for this Python and machine."""
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    found = subprocess.run(command, capture_output=True, text=True)
    version = re.match(r"\S+ \((\S+)\)", found.stdout)
    if not version:
        last = (found.stderr.strip() or "nothing").splitlines()[-1]
        sys.exit(f"pip finds no release of {name}: it said {last}. Is there a network?")
    return version[1]


def newest():
    """{package: its newest release}."""
    return {name: newest_of(name) for name in NEWEST}


def ranges():
    """{package: (oldest, newest)} of what Binder installs, by the names of the package index."""
    found = {name: ends for name, *ends in RANGE.findall(ENVIRONMENT.read_text("utf-8"))}
    found["torch"] = found.pop("pytorch")  # conda's name for it
    return found


def oldest():
    """{package: the oldest version that Binder may install}, but for those that stay."""
    return {name: lower for name, (lower, _) in ranges().items() if name not in AS_PINNED}


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


def main(words):
    which = {"newest": newest, "oldest": oldest}
    if not words or words[0] not in which:
        came = repr(words[0]) if words else "nothing"
        sys.exit(f"Which versions? Say newest or oldest; {came} came.")
    return tried(which[words[0]](), ROOT / f".{words[0]}", words[1:])


if __name__ == "__main__":
    help_if_asked(__doc__)
    sys.exit(main(sys.argv[1:]))
