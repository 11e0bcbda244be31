"""The layers of tests that `start.py test` runs, fast ones first."""

import os
import shutil
import subprocess
import time
from functools import partial

from tools.environment import ROOT, run

LAYERS = {
    "style": "format and rules of Python, notebooks, JavaScript and CSS",
    "javascript": "the widgets' JavaScript, by Node",
    "unit": "lib, the exercise checks, the widgets' Python, and the house rules (4 minutes)",
    "notebooks": "every page from top to bottom",
    "browser": "every page and every demo in Chromium",
}
# A room of its own, and a file in the folder of each demo.
BROWSER_TESTS = ("tests/browser/test_*.py", "lib/widgets/*/test_browser.py")
WHOLE = (1, 1)  # the first of one part
NOTEBOOK_TESTS = "tests/pages/test_notebooks.py"
# What asks Jupyter takes longest: early, so that all processes end together.
JUPYTER_TESTS = (
    "tests/browser/test_pages.py",
    "lib/widgets/lesson/test_browser.py",
    "tests/browser/test_in_lab.py",
    "tests/browser/test_robust.py",
    "lib/widgets/training/test_browser.py",
    "lib/widgets/predict/test_browser.py",
    "tests/browser/test_voila.py",
)
# In this order, before all others (conftest.py): first the recordings, each made where it is
# tested, since the site and the demos that play without Python need them all.
FIRST = (
    "tests/pages/test_live.py",
    *JUPYTER_TESTS,
    NOTEBOOK_TESTS,
    "tests/pages/test_colab.py",
    "tests/pages/test_site.py",
)
# Processes on two cores: now and then each waits for a kernel, a browser or a disk.
WAITING = "3"
IN_ORDER = ("--dist", "loadscope", "--no-loadscope-reorder")  # as collected
NPM_OPTIONS = ("--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")


def run_layers(chosen, part=WHOLE):
    """Run these layers, or all, of the browser's this part; 1 if any failed."""
    runs = runs_of([layer for layer in LAYERS if layer in chosen or not chosen], part)
    summary = []
    for number, (layers, result_of) in enumerate(runs, 1):
        print(f"\n{number}/{len(runs)} {layers} ...", flush=True)
        begin = time.monotonic()
        result = result_of()
        seconds = time.monotonic() - begin
        summary.append(f"{number}/{len(runs)} {layers}: {result}, {seconds:.0f} s")
        print(summary[-1], flush=True)
    print("\n" + "\n".join(summary), flush=True)
    return int(any(": FAILED" in line for line in summary))


def runs_of(layers, part):
    """[names of layers, what runs them], those of pytest in one: none waits for another's last."""
    alone = {"style": style, "javascript": javascript}
    if not shutil.which("chromium"):
        alone["browser"] = partial(without, "chromium")
    together = [layer for layer in layers if layer not in alone]
    runs = [(layer, alone[layer]) for layer in layers if layer in alone]
    return [*runs, *([(", ".join(together), partial(tested, together, part))] if together else [])]


def tested(layers, part):
    """Run these layers in one pytest."""
    options = ("-q", "-n", WAITING, *IN_ORDER, "--durations=30")
    return verdict([run("-m", "pytest", *options, *paths_of(layers, part))])


def paths_of(layers, part):
    """What pytest is given for these layers."""
    files = {*(browser_tests(part) if "browser" in layers else [])}
    files |= {NOTEBOOK_TESTS} if "notebooks" in layers else set()
    if "unit" not in layers:
        return sorted(files)
    others = {NOTEBOOK_TESTS, *browser_tests(WHOLE)} - files
    return ["lib", "tests", *(f"--ignore={path}" for path in sorted(others))]


def browser_tests(part):
    """The files of the browser layer that are in a part (number, of how many)."""
    number, parts = part
    paths = [path for pattern in BROWSER_TESTS for path in ROOT.glob(pattern)]
    others = {path.relative_to(ROOT).as_posix() for path in paths}.difference(JUPYTER_TESTS)
    return [*JUPYTER_TESTS, *sorted(others)][number - 1 :: parts]


def style():
    """Format and rules of Python and notebooks, then those of JavaScript and CSS."""
    python = [
        run("-m", "ruff", "check", "--output-format=concise"),
        run("-m", "ruff", "format", "--check"),
        run("-m", "pytest", "-q", "tests/house/test_plain_files.py"),
    ]
    if any(python):
        return "FAILED"
    if not shutil.which("npm"):
        return without("npm")
    npm = shutil.which("npm")  # npm.cmd on Windows
    installed = subprocess.run([npm, "install", *NPM_OPTIONS], cwd=ROOT).returncode
    return verdict(
        [installed or subprocess.run([npm, "run", "--silent", "style"], cwd=ROOT).returncode]
    )


def javascript():
    """The exported functions of the widgets, tested by Node."""
    if not shutil.which("node"):
        return without("node")
    files = sorted(str(path) for path in (ROOT / "lib" / "widgets").glob("*/*.test.mjs"))
    return verdict([subprocess.run(["node", "--test", *files], cwd=ROOT).returncode])


def verdict(statuses):
    """What the exit codes of a layer's commands mean."""
    return "FAILED" if any(statuses) else "passed"


def without(program):
    """The verdict where a program is missing: on the build machine nothing may go unseen."""
    if os.environ.get("CI"):
        return f"FAILED (no {program})"
    return f"skipped (no {program} on this machine)"
