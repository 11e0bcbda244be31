"""The wheel has the package under a name of its own: a `lib` of somebody's would be another one.

Hatchling calls this when it builds. In the repository, and in the pages, it is `lib`.
"""

import re
import shutil
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "attention_course"
NOT_NEEDED = ("test_*.py", "*.test.mjs", "golden.json", "fake_*.py", "__pycache__")
IMPORTED = re.compile(r"\b(from|import) lib\b")
DOTTED = re.compile(r"\blib\.(?=[a-z])")  # in strings and docstrings, too: `lib.saved`


def renamed(text):
    """Python text in which `lib` is called by the wheel's name."""
    return DOTTED.sub(f"{NAME}.", IMPORTED.sub(rf"\1 {NAME}", text))


def copy(lib, package):
    """The package of the wheel, made from the folder lib."""
    shutil.copytree(lib, package, ignore=shutil.ignore_patterns(*NOT_NEEDED))
    for path in package.rglob("*.py"):
        path.write_text(renamed(path.read_text("utf-8")), "utf-8")


class Hook(BuildHookInterface):
    """Puts the renamed copy into the wheel."""

    def initialize(self, _version, build_data):
        self.folder = Path(tempfile.mkdtemp())
        copy(Path(self.root) / "lib", self.folder / NAME)
        build_data["force_include"][str(self.folder / NAME)] = NAME

    def finalize(self, _version, _build_data, _artifact):
        shutil.rmtree(self.folder)
