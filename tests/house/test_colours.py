"""Each colour of the course is written once, in lib/charts/colours.py."""

import re
from pathlib import Path

import pytest

from lib.charts import colours, plots
from lib.widgets.frame import Header

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "lib" / "charts" / "colours.py"
FOLDERS = ("lib", "tools", "benchmarks", "tests")
CODE = (".py", ".mjs", ".js", ".css")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in CODE and path != SOURCE
)
COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
OURS = {colour.lower() for colour in COLOUR.findall(SOURCE.read_text("utf-8"))}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_colour_of_the_course_is_written_a_second_time(path):
    found = {colour.lower() for colour in COLOUR.findall(path.read_text("utf-8"))} & OURS
    if found:
        pytest.fail(
            f"{path.relative_to(ROOT)} writes {', '.join(sorted(found))}; take it from "
            "lib.charts.colours, in CSS as var(--query) and so on.",
            pytrace=False,
        )


def test_charts_and_demos_have_the_same_colours():
    style = str(Header._css)
    for name in ("query", "key", "value", "position", "weight"):
        colour = getattr(plots, name.upper())
        assert f"  --{name}: {colour};" in style
        assert f"  --{name}: {colours.DARK[name]};" in style


def test_both_themes_name_the_same_colours():
    assert list(colours.LIGHT) == list(colours.DARK)


def brightness(colour):
    """The relative luminance of "#RRGGBB" (WCAG 2.2), with the light of a room added."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05


@pytest.mark.parametrize(
    "theme, paper", [(colours.LIGHT, "#ffffff"), (colours.DARK, "#212121")], ids=["light", "dark"]
)
def test_an_axis_is_seen_in_a_lit_room(theme, paper):
    for behind in (paper, theme["surface"]):
        pair = sorted([brightness(theme["axis"]), brightness(behind)])
        assert pair[1] / pair[0] >= 3
