"""How long `import lib.attention` takes, in fresh processes, beyond `import numpy`."""

import subprocess
import sys
import time
from statistics import median

from benchmarks.table import Row
from tools.course import ROOT

ROUNDS = 7
MOST = 0.25  # seconds more than numpy alone
HEAVY = {"torch", "matplotlib", "ipywidgets"}


def seconds(code):
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return time.perf_counter() - begin


def heavy_modules():
    code = "import sys, lib.attention; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return HEAVY & set(answer.stdout.split())


def rows():
    # The two take turns, so that a busy moment of the machine falls on both.
    pairs = [(seconds("import lib.attention"), seconds("import numpy")) for _ in range(ROUNDS)]
    ours, bare = (median(times) for times in zip(*pairs, strict=True))
    more = ours - bare
    yield Row(
        "import lib.attention, beside import numpy",
        ours=f"{ours:.2f} s",
        other=f"{bare:.2f} s",
        result=f"+{more:.2f} s",
        target=f"≤ +{MOST} s",
        met=more <= MOST,
    )
    found = heavy_modules()
    yield Row(
        "heavy modules that import lib.attention loads",
        ours=", ".join(sorted(found)) or "none",
        target="not " + ", ".join(sorted(HEAVY)),
        met=not found,
    )
