"""What the tests of the house read: the text files, and what a module imports."""

import ast
from pathlib import Path

from tools.course import ROOT

FOLDERS = (
    ".ci",
    ".devcontainer",
    ".github",
    "benchmarks",
    "binder",
    "figures",
    "lib",
    "notebooks",
    "tests",
    "tools",
)
NOT_WRITTEN_HERE = {"__pycache__", ".ipynb_checkpoints", "vendored"}
NO_TEXT = {".png", ".gif", ".svg", ".webp", ".safetensors", ".woff2", ".ttf"}
OF_TESTS = ("test_", "fake_")  # beside the demos that they test
LIBRARY = sorted(
    path for path in (ROOT / "lib").rglob("*.py") if not path.name.startswith(OF_TESTS)
)


def texts() -> list[Path]:
    """Every text file of the repository, without what is generated or vendored."""
    paths = [path for path in ROOT.iterdir() if path.name not in (".git", ".DS_Store")]
    for folder in FOLDERS:
        paths += (ROOT / folder).rglob("*")
    files = [path for path in paths if path.is_file() and path.suffix not in NO_TEXT]
    return [path for path in files if not NOT_WRITTEN_HERE & set(path.parts)]


def imported(tree: ast.Module, module_level: bool = False) -> set[str]:
    """The dotted names that a module imports; `from lib import training` counts as lib.training."""
    nodes = tree.body if module_level else ast.walk(tree)
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports from lib in full: a reader finds the file"
            if node.module in ("lib", "lib.validation", "lib.widgets"):
                names |= {f"{node.module}.{alias.name}" for alias in node.names}
            else:
                names.add(node.module)
    return names


def names_taken(tree: ast.Module) -> list[tuple[str, str]]:
    """(module, name) of all that is imported by name, or written as module.name."""
    nodes = list(ast.walk(tree))
    taken = []
    modules = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            taken += [(node.module, alias.name) for alias in node.names]
            modules |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    for node in nodes:
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in modules:
            taken.append((modules[node.value.id], node.attr))
    return taken


def tops(names: set[str]) -> set[str]:
    """The packages of dotted names."""
    return {dotted.partition(".")[0] for dotted in names}
