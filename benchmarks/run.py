"""Measure side by side and print one Markdown table; the exit code is 1 if a target was not met.

python benchmarks/run.py                       everything, the README's rows first; says how long
python benchmarks/run.py attention start_up    some of: widgets, training, start_up, attention,
                                               real_model, chat_model, notebooks
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.table import HEADER
from tools import help_if_asked

# Minutes on two cores that have nothing else to do; the README's rows are of the first two.
PARTS = {
    "widgets": 4,
    "training": 6,
    "start_up": 1,
    "attention": 3,
    "real_model": 1,
    "chat_model": 3,
    "notebooks": 6,
}


def main(chosen):
    unknown = set(chosen) - set(PARTS)
    if unknown:
        sys.exit(f"There is no {unknown.pop()!r} to measure; choose from {', '.join(PARTS)}.")
    parts = chosen or list(PARTS)
    print(how_long(parts), file=sys.stderr, flush=True)
    print(HEADER, flush=True)
    missed = 0
    for part in parts:
        for row in importlib.import_module(f"benchmarks.{part}").rows():
            print(row, flush=True)
            missed += row.met is False
    return int(missed > 0)


def how_long(parts):
    each = ", ".join(f"{part} {PARTS[part]}" for part in parts)
    total = sum(PARTS[part] for part in parts)
    return (
        f"About {total} min if nothing else runs, several times that on a busy machine ({each}). "
        "Each row is printed when it is measured."
    )


if __name__ == "__main__":  # the measuring processes import this file again
    help_if_asked(__doc__)
    sys.exit(main(sys.argv[1:]))
