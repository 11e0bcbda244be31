"""JavaScript has whole words for names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("lib", "tests", "benchmarks")
VENDORED = ROOT / "tests/vendored"  # others wrote it
SCRIPTS = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".mjs", ".js") and VENDORED not in path.parents
)

# The course's symbols (DESIGN, vocabulary), coordinates and indices, what a mark of the scene has
# (w and h of a box, r of a circle, t of a glide), words of two letters, and the name that anywidget
# gives the element it hands over. A parameter that is not used is _ or __.
SYMBOLS = {"B", "T", "S", "H", "Q", "K", "V", "q", "k", "v", "dK"}
SHORT = SYMBOLS | {"x", "y", "dx", "dy", "i", "j", "el", "_", "__"}
SHORT |= {"w", "h", "r", "t", "at", "by", "id", "of", "to"}

COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S
)
DECLARATION = re.compile(r"\b(?:const|let|var)\s+")
FUNCTION = re.compile(r"\bfunction\b\s*(\w*)\s*\(")
METHOD = re.compile(
    r"^\s+(?:async )?(?!if\b|for\b|while\b|switch\b|catch\b)(\w+)\((?=.*\) \{$)", re.M
)
CATCH = re.compile(r"\bcatch \(")
PAIRS = {")": "(", "]": "[", "}": "{"}


def code(path):
    """A script without comments and with empty strings; templates stay, they hold code."""
    return COMMENT_OR_STRING.sub('""', path.read_text("utf-8"))


def closing(text, start):
    """The place of the bracket that closes the one at ``start``."""
    depth = 0
    for place in range(start, len(text)):
        depth += text[place] in PAIRS.values()
        depth -= text[place] in PAIRS
        if depth == 0:
            return place
    raise ValueError(f"the bracket in {text[start : start + 40]!r} is never closed")


def opening(text, end):
    """The place of the bracket that opens the one at ``end``."""
    depth = 0
    for place in range(end, -1, -1):
        depth += text[place] in PAIRS
        depth -= text[place] in PAIRS.values()
        if depth == 0:
            return place
    raise ValueError(f"the bracket in {text[end - 40 : end + 1]!r} is never opened")


def parts(text, mark):
    """Split at a mark, but not inside brackets."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += letter in PAIRS.values()
        depth -= letter in PAIRS
        if letter == mark and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [*found, text[start:]]


def bound(pattern):
    """The names that a pattern declares: one name, or those of {key: name, ...} and [name, ...]."""
    names = []
    for part in parts(pattern, ","):
        target = parts(part, "=")[0].strip().removeprefix("...")
        if target.startswith("["):
            names += bound(target[1:-1])
        elif target.startswith("{"):
            for field in parts(target[1:-1], ","):
                names += bound(parts(field, ":")[-1])
        elif target:
            names.append(target)
    return names


def declared(text):
    """Every name that a script declares: variables, functions, parameters."""
    names = []
    for found in DECLARATION.finditer(text):
        start = found.end()
        if text[start] in "[{":
            names += bound(text[start : closing(text, start) + 1])
        else:
            names.append(re.match(r"\w+", text[start:])[0])
    for kind in (FUNCTION, METHOD, CATCH):
        for found in kind.finditer(text):
            names += [name for name in found.groups() if name]
            names += bound(text[found.end() : closing(text, found.end() - 1)])
    for found in re.finditer(r"\) =>", text):
        names += bound(text[opening(text, found.start()) + 1 : found.start()])
    names += re.findall(r"\b(\w+) =>", text)
    return names


def test_every_kind_of_declaration_is_seen():
    text = """
    const aa = 1; let [bb, { key: cc, dd = (1, 2) }] = ee; for (const ff of gg) {}
    function hh(ii, [jj, ...kk], { ll }) {}
    const object = {
      async mm([nn, oo], pp = 2) {
      },
    };
    one.map((qq, rr) => qq); two.map(ss => ss); try {} catch (tt) {}
    """
    expected = "aa bb cc dd ff hh ii jj kk ll mm nn oo pp qq rr ss tt".split()
    assert sorted(set(declared(text)) - {"object"}) == expected


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_names_are_whole_words(path):
    short = sorted({name for name in declared(code(path)) if len(name) <= 2} - SHORT)
    if short:
        pytest.fail(
            f"{path.relative_to(ROOT)} declares {', '.join(short)}: write whole words. "
            f"The only short names are {', '.join(sorted(SHORT))}.",
            pytrace=False,
        )
