"""How long `import lib.attention` takes, in fresh processes, beyond `import numpy`."""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.table import Row

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
HEAVY = {"torch", "matplotlib", "ipywidgets"}


def seconds(code):
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return time.perf_counter() - begin


def heavy_modules():
    code = "import sys, lib.attention; print(*sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return HEAVY & set(said.split())


def rows():
    # The two take turns, so that a busy moment of the machine falls on both.
    pairs = [(seconds("import lib.attention"), seconds("import numpy")) for _ in range(ROUNDS)]
    ours, bare = (median(times) for times in zip(*pairs, strict=True))
    yield Row(
        "import lib.attention, beside import numpy", f"{ours:.2f} s", f"{bare:.2f} s", f"+{ours - bare:.2f} s",
        "≤ +0.25 s", ours - bare <= 0.25,
    )  # fmt: skip
    found = heavy_modules()
    yield Row(
        "heavy modules that import lib.attention loads", ", ".join(sorted(found)) or "none",
        target="not " + ", ".join(sorted(HEAVY)), met=not found,
    )  # fmt: skip
