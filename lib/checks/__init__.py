"""Exercise checks: ``checks.scaling(my_function)`` answers in one line, and names the mistake.

One file for each page's exercises, ``page_NN.py``; ``judge.py`` says how to add one.
``checks.summary()`` says which exercises are right.
"""

from importlib import import_module
from pathlib import Path

from lib.checks.exercises import CHECKS, summary
from lib.checks.judge import Result

for _path in sorted(Path(__file__).parent.glob("page_*.py")):
    import_module(f"{__name__}.{_path.stem}")  # registers its exercises

globals().update(CHECKS)
__all__ = ["Result", "summary", *sorted(CHECKS)]
