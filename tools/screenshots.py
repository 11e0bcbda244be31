"""Photograph the demos of a notebook, or of a few lines of Python, in a live JupyterLab.

    .venv/bin/python tools/screenshots.py notebooks/01_dot_products.ipynb --to shots
    .venv/bin/python tools/screenshots.py widget.py --to shots --cell 0 --notebook7

Each demo is photographed in the light theme, the dark theme and full screen at 1280 × 720; `--cell
N` adds a picture of the whole cell N (from 0). Exceptions, JavaScript errors and requests to the
outside are printed.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.widgets.frame.pictures import chromium
from tools.browser import VIEWPORT, Page, Server, page, server
from tools.course import NOTEBOOKS


def place(source: Path, running: Server) -> str:
    """Put the notebook, or one made of a .py file, where the server finds it; its name there."""
    if source.suffix == ".py":
        running.write(f"{source.stem}.ipynb", source.read_text())
        return f"{source.stem}.ipynb"
    if source.resolve().is_relative_to(NOTEBOOKS):
        return source.resolve().relative_to(NOTEBOOKS).as_posix()
    (running.notebooks / source.name).write_bytes(source.read_bytes())
    return source.name


def fit(p: Page, elements: list) -> None:
    """Make the window high enough: what is scrolled away is not photographed."""
    heights = [box["height"] for element in elements if (box := element.bounding_box())]
    p.browser.set_viewport_size(
        VIEWPORT | {"height": max(VIEWPORT["height"], int(max(heights, default=0)) + 200)}
    )
    p.settle()


def photograph(p: Page, folder: Path, stem: str, cells: list[int]) -> None:
    demos = [demo for demo in p.demos() if demo.is_visible()]  # not those of folded side paths
    print(f"{stem}: {p.cells()} cells, {len(demos)} demos")
    for theme in ("light", "dark"):
        p.theme(theme)
        for number, demo in enumerate(demos, 1):
            fit(p, [demo])
            demo.screenshot(path=folder / f"{stem}.demo{number}.{theme}.png")
        for index in cells:
            fit(p, [p.cell(index)])
            p.cell(index).screenshot(path=folder / f"{stem}.cell{index}.{theme}.png")
    p.theme("light")
    for number, demo in enumerate(demos, 1):
        if not demo.locator(".demo-full-screen").count():
            print(f"demo {number} has no button .demo-full-screen")
            continue
        with p.full_screen(demo):
            p.browser.screenshot(path=folder / f"{stem}.demo{number}.full.png")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, help="a notebook or a .py file")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="where the pictures go"
    )
    parser.add_argument(
        "--cell", type=int, nargs="*", default=[], metavar="N", help="photograph these cells too"
    )
    parser.add_argument(
        "--notebook7", action="store_true", help="use Notebook 7 and not JupyterLab"
    )
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    kind = "notebook" if arguments.notebook7 else "lab"
    with server(kind) as running, chromium() as browser, page(running, browser) as p:
        name = place(arguments.source, running)
        p.open(name)
        p.run_all()
        try:
            photograph(p, arguments.to, Path(name).stem, arguments.cell)
        finally:
            found = p.errors() + [f"outside request: {url}" for url in p.outside]
            print("\n".join(found) or "no errors, no outside requests")
    print(f"pictures in {arguments.to}")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
