"""Is everything there that the course needs? (notebook 0)"""

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)
LIST = Path(__file__).parents[2] / "requirements.txt"
START = "py start.py" if os.name == "nt" else "python3 start.py"
IMAGE = "R2D_ENTRYPOINT"  # set in what Binder and hubs build of the course, by repo2docker
NO_PYTORCH = (
    "PyTorch is no longer made for Intel Macs, nor for Windows on ARM: there open the course on "
    "Binder, or read it as a site (README.md, under Start)."
)
COLAB = "google.colab"  # Google Colab's own package: imported there before the reader's first cell


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
    if _elsewhere():
        wanted = {name: needed for name, needed in wanted.items() if name != "jupyterlab"}
    fits = OLDEST <= sys.version_info[:2] <= NEWEST
    print(f"Python {_dotted(OLDEST)} to {_dotted(NEWEST)}: {'yes' if fits else _not_this()}")
    have = {name: _version(name) for name in wanted}
    for name, needed in wanted.items():
        found = have[name] or "missing"
        if found == needed:
            print(f"{name} {found}")
        else:
            print(f"{name} {found} (the course was made with {needed})")
    print("\n" + _what_to_do(None in have.values(), not fits or have != wanted))
    if have.get("torch", "not asked for") is None and not _elsewhere():
        print(NO_PYTORCH)


def _dotted(version):
    return ".".join(str(number) for number in version)


def _not_this():
    """No, and what to do: on a server that others have built, nothing."""
    came = f"no, this is {_dotted(sys.version_info[:2])}"
    return came if _elsewhere() else f"{came}; `{START}` names one that will do"


def lacking():
    """What is missing here but for JupyterLab, as pip installs it: ["numpy==2.4.6"]."""
    return [
        f"{name}=={needed}"
        for name, needed in _wanted().items()
        if name != "jupyterlab" and _version(name) is None
    ]


def _elsewhere():
    """Whether others have built the server, which has a JupyterLab of its own, or none."""
    return IMAGE in os.environ or COLAB in sys.modules


def _what_to_do(missing, different):
    """The last sentences of the report; a server that others have built cannot be repaired here."""
    if missing and COLAB in sys.modules:
        return (
            "Something is missing. Run the first cell of the page again: it installs what Google "
            "Colab does not have."
        )
    if missing and IMAGE in os.environ:
        return (
            "Something is missing. Start this server again (on Binder: open its link once more). "
            "If it is missing then, too, tell those who gave you the link."
        )
    if missing:
        return (
            f"Something is missing. Close this, run `{START}` in the course's folder, "
            "use the page it opens."
        )
    if different and COLAB in sys.modules:
        return (
            "Nothing is missing. Google Colab has versions of its own; if something looks wrong, "
            f"use Binder or your own computer (`{START}`)."
        )
    if different and IMAGE in os.environ:
        return "Nothing is missing. This server has other versions, from a range that was tried."
    if different:
        return (
            "Nothing is missing. Other versions mostly work; "
            f"if something looks wrong, run `{START}`."
        )
    return "Everything is there."


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
