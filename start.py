"""The course on attention.

    python3 start.py                   set up .venv, then open the notebooks in JupyterLab
    python3 start.py test              run every test; `test style unit` runs these layers alone:
                                       style unit javascript notebooks browser
    python3 start.py refresh [FILE]    execute the notebooks and write their outputs
    python3 start.py real              fetch the real model of page 13 (84 MB) into real_model/
    python3 start.py site              make the site to read, into site/

`--help` after a word says more. Options that begin with - go to JupyterLab, for example `python3
start.py --port=9000`. If the port is in use, JupyterLab takes the next free one.
"""

# This file is only the door. Python 2.7 can read it, so that every Python can say what is wrong;
# all else is in tools/commands.py, and needs nothing but the standard library either.
import os
import sys

OLDEST = (3, 11)
PARTS = ("binder", "lib", "notebooks", "requirements.txt", "tools")


def check_python(version):
    """End with a sentence if this Python is too old."""
    if tuple(version[:2]) < OLDEST:
        sys.exit(
            "This course needs Python 3.11 or newer, and this is Python {}.{}. Install a newer one "
            "from python.org or your system's packages, then run start.py with it, for example: "
            "python3.12 start.py".format(*version[:2])
        )


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
