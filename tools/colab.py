"""What is left to do on Google Colab when the first cell of a page has fetched the course there.

Every page has that cell. Colab opens a page alone, in a folder where there is no lib; the cell
unpacks the course beside it and calls `settle`. Where the course is it does nothing, and where else
a page is alone it ends with a sentence.
"""

import os
import subprocess
import sys
from pathlib import Path

# Nothing of the course is imported here: its lib may still be hidden by another.
ROOT = Path(__file__).resolve().parents[1]
LIMITS = (
    "The course is here. Google Colab keeps each demo in a frame of its own: there Page Down does "
    "not lead from demo to demo, and Full screen may fill that frame only. What you write is kept "
    "by File → Save a copy in Drive. Each page has a machine of its own: to go on with functions "
    "of an earlier page, put your mine.py into the folder at the left edge."
)


def settle():
    """Make Colab's kernel as one that was started in the course's folder, and tell the reader."""
    os.chdir(ROOT / "notebooks")
    _forget("lib")
    from lib import set_up

    if lacking := set_up.lacking():
        _install(lacking)
    print(LIMITS)


def _forget(package):
    """Let Python look for a package again.

    Colab starts in /content, and there a page's `sys.path.insert(0, "..")` finds the system's /lib:
    a reader who begins with the second cell has imported that one.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    sys.path_importer_cache.pop("..", None)


def _install(packages):
    """Install them beside what Colab has; say what pip said if it could not."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", *packages]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(f"{' '.join(packages)} could not be installed. Run this cell again. pip said:")
        print(result.stderr.strip())
