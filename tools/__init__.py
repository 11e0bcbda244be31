"""What maintainers run, and what start.py is made of.

This file makes the folder a package: without it, another `tools` on the path would win.
"""

import sys


def help_if_asked(text):
    """End with what a tool says of itself, its docstring, where --help or -h is asked for."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(text.strip())
        sys.exit(0)
