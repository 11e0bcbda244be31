"""Try the course with the oldest versions that Binder may install: is its range as wide as it says?

    .venv/bin/python tools/oldest.py [LAYER ...]    layers of `start.py test`; without any, all

As tools/newest.py, in a copy in .oldest/ with its own .venv: there the lower ends of the ranges in
binder/environment.yml stand in the place of the pins. What fails needs a higher end there. Two stay
as pinned: PyTorch, since the package index has no older one without CUDA, and safetensors, since
the transformers that the tests compare with want no older one.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.course import ROOT
from tools.newest import tried

ENVIRONMENT = ROOT / "binder" / "environment.yml"
RANGE = re.compile(r"^  - ([\w-]+?)(?:-base)? >=([\w.]+),<=([\w.]+)", re.MULTILINE)
AS_PINNED = {"torch", "safetensors"}


def ranges():
    """{package: (oldest, newest)} of what Binder installs, by the names of the package index."""
    found = {name: ends for name, *ends in RANGE.findall(ENVIRONMENT.read_text("utf-8"))}
    found["torch"] = found.pop("pytorch")  # conda's name for it
    return found


def versions():
    """{package: the oldest version that Binder may install}, but for those that stay."""
    return {name: oldest for name, (oldest, _) in ranges().items() if name not in AS_PINNED}


def main(layers):
    return tried(versions(), ROOT / ".oldest", layers)


if __name__ == "__main__":
    help_if_asked(__doc__)
    sys.exit(main(sys.argv[1:]))
