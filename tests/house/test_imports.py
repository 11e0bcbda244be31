"""Arrows go one way, and what is NumPy needs NumPy alone."""

import ast
import subprocess
import sys

import pytest

from tests.house.source import LIBRARY, imported, tops
from tools.course import ROOT, name_of

NUMPY_ONLY = {"attention", "corpus", "layers", "masks", "positions", "sampling", "tokens"}
TORCH = {"decoding", "interventions", "modules", "saved", "training"}


def room(path):
    """The module or shelf of lib that a file belongs to: lib/saved/__init__.py to saved."""
    return path.relative_to(ROOT / "lib").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_arrows_go_one_way(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert not tops(imported(tree)) & {"tests", "tools", "benchmarks", "start"}
    at_once = tops(imported(tree, module_level=True))
    brings_torch = {"torch", *(f"lib.{stem}" for stem in TORCH)} & imported(tree, module_level=True)
    assert not brings_torch or room(path) in TORCH, (
        f"of lib, only {', '.join(sorted(TORCH))} import torch at once"
    )
    if path.parent.name == "lib" and path.stem in NUMPY_ONLY:
        assert at_once <= {"numpy", "lib"} | set(sys.stdlib_module_names)
        assert imported(tree) & {"lib"} == set()
        assert {
            dotted.split(".")[1] for dotted in imported(tree) if dotted.startswith("lib.")
        } <= NUMPY_ONLY
    if path.parent.name == "lib" and path.stem in {"checks", "plots", *NUMPY_ONLY, *TORCH}:
        assert not any(dotted.startswith("lib.widgets") for dotted in imported(tree))


@pytest.mark.parametrize("module", sorted(NUMPY_ONLY))
def test_what_is_numpy_needs_numpy_alone(module):
    heavy = {"torch", "matplotlib", "ipywidgets"}
    code = f"import sys, lib.{module}; print({heavy} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "set()"
