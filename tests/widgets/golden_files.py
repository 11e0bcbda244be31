"""The numbers that lib computed for the JavaScript tests: golden/NAME.json, beside this file.

A test module NAME makes them in ``golden()``, asserts that the file is fresh, and writes it when
it is run: .venv/bin/python -m tests.widgets.test_NAME
"""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def write(name, numbers):
    text = json.dumps(numbers, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


def is_fresh(name, numbers, tolerance=0.0):
    """True if the file holds these numbers, each within the tolerance."""
    stored = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return _same(stored, numbers, tolerance)


def _same(stored, fresh, tolerance):
    if isinstance(fresh, dict):
        return stored.keys() == fresh.keys() and all(
            _same(stored[name], value, tolerance) for name, value in fresh.items()
        )
    if isinstance(fresh, (list, tuple)):
        return len(stored) == len(fresh) and all(
            _same(one, other, tolerance) for one, other in zip(stored, fresh, strict=True)
        )
    if isinstance(fresh, float) and stored is not None:
        return abs(stored - fresh) <= tolerance
    return stored == fresh
