"""The course on attention.

    python3 start.py                   set up .venv, then open the notebooks in JupyterLab
    python3 start.py test              run every test; `test style unit` runs these layers alone:
                                       style unit javascript notebooks browser
    python3 start.py refresh [FILE]    execute the notebooks and write their outputs
    python3 start.py real              fetch the real models (84 and 93 MB) into real_model/
    python3 start.py site              make the site to read, into site/

`--help` after a word says more. Options that begin with - go to JupyterLab, for example `python3
start.py --port=9000`. If the port is in use, JupyterLab takes the next free one.
"""

# This file is only the door. Python 2.7 can read it, so that every Python can say what is wrong;
# all else is in tools/commands.py, and needs nothing but the standard library either.
import os
import subprocess
import sys

# The versions in requirements.txt are made for these; .github/workflows/tests.yml tries each.
OLDEST, NEWEST = (3, 11), (3, 14)
WITH_UV = "uv run --no-project --python 3.13 start.py"
PARTS = ("binder", "lib", "notebooks", "requirements.txt", "tools")


def check_python(version):
    """End with a sentence if this Python is too old or too new."""
    if not OLDEST <= tuple(version[:2]) <= NEWEST:
        sys.exit(
            "This course needs Python {}.{} to {}.{}, and this is Python {}.{}. ".format(
                *OLDEST + NEWEST + tuple(version[:2])
            )
            + other_python()
        )


def other_python():
    """What to type to have one of the right Pythons: the newest that is here, if one is."""
    if os.name == "nt":
        return (
            "`py --list` says which you have. If one of these is among them, for example: py -3.13 "
            "start.py   If none is, install one from python.org: it stands beside the others."
        )
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        name = "python3." + str(minor)
        if runs(name, "-c", ""):
            return "One of these is here. Type: " + name + " start.py"
    if runs("uv", "--version"):
        return "uv fetches one and starts the course with it: " + WITH_UV
    return (
        "Install one from python.org or your system's packages, it stands beside the others; then "
        "for example: python3.13 start.py"
    )


def runs(*command):
    """True if the command is here and succeeds; some only say which others would be."""
    with open(os.devnull, "w") as nowhere:
        try:
            return subprocess.call(command, stdout=nowhere, stderr=nowhere) == 0
        except OSError:
            return False


def check_folder(folder):
    """End with a sentence if this is not the whole course."""
    for name in PARTS:
        if not os.path.exists(os.path.join(folder, name)):
            sys.exit(
                "There is no " + name + " beside start.py: this is not the whole course. Copy the "
                "whole folder, or fetch it again."
            )


def main(arguments):
    check_python(sys.version_info)
    folder = os.path.dirname(os.path.abspath(__file__))
    check_folder(folder)
    sys.path.insert(0, folder)
    from tools import commands

    return commands.main(arguments, __doc__.strip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
