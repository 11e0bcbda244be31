"""Measure side by side and print one Markdown table; the exit code is 1 if a target was not met.

python benchmarks/run.py                       everything, about a quarter of an hour
python benchmarks/run.py attention start_up    some of: start_up, attention, training, widgets,
                                               notebooks
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.table import HEADER
from tools import help_if_asked

PARTS = ("start_up", "attention", "training", "widgets", "notebooks")


def main(chosen):
    unknown = set(chosen) - set(PARTS)
    if unknown:
        sys.exit(f"There is no {unknown.pop()!r} to measure; choose from {', '.join(PARTS)}.")
    print(HEADER, flush=True)
    missed = 0
    for part in chosen or PARTS:
        for row in importlib.import_module(f"benchmarks.{part}").rows():
            print(row, flush=True)
            missed += row.met is False
    return int(missed > 0)


if __name__ == "__main__":  # the measuring processes import this file again
    help_if_asked(__doc__)
    sys.exit(main(sys.argv[1:]))
