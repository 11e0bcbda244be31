"""What maintainers run, and what start.py is made of.

This file makes the folder a package: without it, another `tools` on the path would win.
"""

import sys
from pathlib import Path


def help_if_asked(text):
    """End with what a tool says of itself, its docstring, where --help or -h is asked for."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(text.strip())
        sys.exit(0)


def end_if_no_notebooks(paths):
    """End with a sentence where one of the paths that were given is no notebook's."""
    example = "give a file, such as notebooks/02_softmax.ipynb."
    for path in map(Path, paths):
        if not path.is_file():
            sys.exit(f"There is no notebook {path}: {example}")
        if path.suffix != ".ipynb":
            sys.exit(f"{path} is no notebook: {example}")
