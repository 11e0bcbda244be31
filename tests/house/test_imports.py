"""Arrows go one way, and what is NumPy needs NumPy alone."""

import ast
import subprocess
import sys

import pytest

from tests.house.source import LIBRARY, imported, names_taken, tops
from tools.course import ROOT, name_of

# The floors of lib, from the ground up: a room imports from its own floor and those below it.
FLOORS = [
    {"activations", "attention", "cache", "layers", "llama", "masks", "parameters", "positions"}
    | {"copying", "counting", "sampling", "jacobian", "tokens", "validation"},
    {"ablations", "decoding", "interventions", "modules", "torch_weights", "training"},
    {"charts", "corpus", "pretrained", "saved", "set_up"},
    {"checks", "widgets"},
    {"mine"},
]
NUMPY_ONLY = FLOORS[0] | {"corpus"}
BRING_TORCH = FLOORS[1] | {"saved"}
NEEDS_TORCH = "lib.validation.tensors"  # beside lib.validation.arrays, which is NumPy
OUTSIDE_LIB = {"tests", "tools", "benchmarks", "start"}


def room(path):
    """The module or shelf of lib that a file belongs to: lib/saved/__init__.py to saved."""
    return path.relative_to(ROOT / "lib").parts[0].removesuffix(".py")


def floor(name):
    """The number of the floor that a room is on."""
    for number, rooms in enumerate(FLOORS):
        if name in rooms:
            return number
    raise AssertionError(f"lib/{name} is on no floor: say in FLOORS what it may import.")


def rooms_of_lib(names):
    """The rooms among dotted names: of lib.widgets.bars.bars, widgets."""
    return {name.split(".")[1] for name in names if name.startswith("lib.")}


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_arrows_go_one_way(path):
    if path.parent == ROOT / "lib" and path.name == "__init__.py":
        return
    names = imported(ast.parse(path.read_text("utf-8")))
    assert not tops(names) & OUTSIDE_LIB, "lib must work without the rest of the repository"
    for other in rooms_of_lib(names):
        assert floor(other) <= floor(room(path)), (
            f"{name_of(path)} imports lib.{other}, which stands above it: hand over what it needs "
            "as an argument, or move it down."
        )


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_torch_comes_only_where_it_is_needed(path):
    at_once = imported(ast.parse(path.read_text("utf-8")), module_level=True)
    if name_of(path) == f"{NEEDS_TORCH.replace('.', '/')}.py":
        return
    if room(path) not in BRING_TORCH:
        brings = {"torch", NEEDS_TORCH, *(f"lib.{name}" for name in BRING_TORCH)} & at_once
        assert not brings, f"{name_of(path)} imports {brings} at once: do it where it is used"
    if room(path) in NUMPY_ONLY:
        assert tops(at_once) <= {"numpy", "lib"} | set(sys.stdlib_module_names)


def test_private_names_stay_in_their_file():
    taken = []
    for path in LIBRARY:
        for module, name in names_taken(ast.parse(path.read_text("utf-8"))):
            if module.startswith("lib") and name.startswith("_") and not name.endswith("__"):
                taken.append(f"{name_of(path)} takes {name} from {module}")
    assert not taken, "give it a name without _ where it belongs, or move it"


@pytest.mark.parametrize("module", sorted(NUMPY_ONLY))
def test_what_is_numpy_needs_numpy_alone(module):
    heavy = {"torch", "matplotlib", "ipywidgets"}
    code = f"import sys, lib.{module}; print({heavy} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "set()"
