"""Is everything there that the course needs? (notebook 0)"""

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OLDEST = (3, 11)
LIST = Path(__file__).parents[1] / "requirements.txt"


def report(wanted=None):
    """Print each package with its version, and what to do about missing or different ones.

    wanted: {package: version}, those of requirements.txt unless given.
    """
    if wanted is None and not LIST.exists():
        print(
            f"There is no {LIST.name} beside the folder lib: "
            "copy the whole course, or clone it again."
        )
        return
    wanted = wanted or _wanted()
    old = sys.version_info < OLDEST
    oldest = ".".join(str(number) for number in OLDEST)
    print(f"Python {oldest} or newer: {'no' if old else 'yes'}")
    have = {name: _version(name) for name in wanted}
    for name, needed in wanted.items():
        found = have[name] or "missing"
        if found == needed:
            print(f"{name} {found}")
        else:
            print(f"{name} {found} (the course was made with {needed})")
    if old or None in have.values():
        print(
            "\nSomething is missing. Close this, run `python start.py` in the course's folder, "
            "use the page it opens."
        )
    elif have != wanted:
        print(
            "\nNothing is missing. Other versions mostly work; "
            "if something looks wrong, run `python start.py`."
        )
    else:
        print("\nEverything is there.")


def _wanted():
    """{package: version} of requirements.txt."""
    lines = LIST.read_text("utf-8").split()
    return dict(line.split("==") for line in lines if "==" in line)


def _version(name):
    """The version of a package that is here, without the +cpu of PyTorch; None if it is missing."""
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        return None
