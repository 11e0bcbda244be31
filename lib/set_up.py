"""Is everything there that the course needs? (notebook 0)"""

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OLDEST = (3, 11)
LIST = Path(__file__).parents[1] / "requirements.txt"


def report(wanted=None):
    """Print each package with its version, and what to do about those that are missing or different.

    wanted: {package: version}, those of requirements.txt unless given.
    """
    if wanted is None and not LIST.exists():
        print(
            f"There is no {LIST.name} beside the folder lib: copy the whole course, or clone it again."
        )
        return
    wanted = wanted or dict(
        line.split("==") for line in LIST.read_text("utf-8").split() if "==" in line
    )
    old = sys.version_info < OLDEST
    print(f"Python {'.'.join(map(str, OLDEST))} or newer: {'no' if old else 'yes'}")
    have = {name: _version(name) for name in wanted}
    for name, needed in wanted.items():
        found = have[name] or "missing"
        print(f"{name} {found}" + f" (the course was made with {needed})" * (found != needed))
    if old or None in have.values():
        print(
            "\nSomething is missing. Close this, run `python start.py` in the course's folder, use the page it opens."
        )
    elif have != wanted:
        print(
            "\nNothing is missing. Other versions mostly work; if something looks wrong, run `python start.py`."
        )
    else:
        print("\nEverything is there.")


def _version(name):
    try:
        return version(name).partition("+")[0]  # without the +cpu of PyTorch
    except PackageNotFoundError:
        return None
