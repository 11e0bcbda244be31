"""The numbers that lib computed for the JavaScript tests: golden.json in a demo's folder.

The demo's test module makes them in ``golden()``, asserts that the file is fresh, and writes it
when it is run: .venv/bin/python -m lib.widgets.NAME.test_NAME
"""

import json
from pathlib import Path


def beside(test):
    return Path(test).with_name("golden.json")


def write(test, numbers):
    beside(test).write_text(json.dumps(numbers, ensure_ascii=False) + "\n", "utf-8")


def is_fresh(test, numbers, tolerance=0.0):
    """True if the file beside the test module holds these numbers, each within the tolerance."""
    stored = json.loads(beside(test).read_text("utf-8"))
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
