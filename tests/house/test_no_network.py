"""Nothing is fetched while the course runs, and no text names a machine."""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.house.source import LIBRARY, imported, texts, tops
from tools.course import ROOT, name_of

NETWORK_MODULES = {"aiohttp", "ftplib", "http", "httpx", "requests", "socket", "urllib", "urllib3"}
ADDRESS = re.compile(r"https?://(?!www\.w3\.org/|127\.0\.0\.1|localhost)")


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_python_of_lib_uses_no_network(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert not tops(imported(tree)) & NETWORK_MODULES
    documented = [
        n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    docstrings = {
        id(n.body[0].value) for n in documented if n.body and isinstance(n.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            assert not ADDRESS.search(node.value), f"line {node.lineno}: {node.value}"


@pytest.mark.parametrize(
    "path", [p for p in (ROOT / "lib").rglob("*") if p.suffix in (".mjs", ".css")], ids=name_of
)
def test_widgets_fetch_nothing(path):
    text = path.read_text("utf-8")
    fetching = (
        r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|@import|"
        r"url\((?!['\"]?(data:|#))"
    )
    assert not re.search(fetching, text)
    assert not ADDRESS.search(text)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").rglob("*.ipynb")), ids=name_of)
def test_notebooks_import_no_network(path):
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert not tops(imported(ast.parse("".join(cell["source"])))) & NETWORK_MODULES


def test_no_text_names_a_machine_or_a_package_index():
    hosts = (
        r"pypi\.org|pythonhosted|download\.pytorch|anaconda\.org|jsdelivr|unpkg\.com|cdnjs|"
        r"registry\.npmjs|--(extra-)?index-url"
    )
    private = re.compile(rf"{re.escape(str(ROOT))}/|/home/\w|/Users/\w|[A-Z]:\\\\Users|{hosts}")
    for path in texts():
        if path == Path(__file__):
            continue
        found = private.search(path.read_text("utf-8"))
        assert not found, f"{name_of(path)} contains {found[0]!r}"
