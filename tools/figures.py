"""Make the README's pictures: the film of the zoom, a page, and stills of the demos.

The film is light and dark, each with its last picture for whoever wants nothing to move.

.venv/bin/python tools/figures.py [film] [page] [stills]

The film and the page need Chromium. The stills are the pictures in demos.ipynb: refresh it first.
"""

import sys
from base64 import b64decode
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.widgets.frame.pictures import chromium
from tools import help_if_asked
from tools.browser import PANEL, page, server
from tools.course import NOTEBOOKS, ROOT
from tools.film import Look, Scene
from tools.film import film as record

FIGURES = ROOT / "figures"
COLOURS = 128  # of a still
WINDOW = {"width": 1280, "height": 1600}  # in which all that is shown of a page fits
MARGIN = 16  # pixels above and below what is shown of a page
# The flight of notebook 0, from the black box to the word that "wide" changes. A scene of no
# seconds is passed through before the camera runs on, so that the film takes twelve.
ZOOM = ("00_start_here.ipynb", 1)
ON, SHOW = ("Enter",), ("Enter", "Enter")  # the second Enter uncovers what is asked
HERO = [
    Scene(*ZOOM, "", (), 0.5),
    Scene(*ZOOM, "", ON, 1.5),
    Scene(*ZOOM, "", SHOW, 0),  # four heads
    Scene(*ZOOM, "", SHOW, 2),  # where "it" looks
    Scene(*ZOOM, "", ON, 1.4),  # the value
    Scene(*ZOOM, "", ON, 1.8),  # each word alone
    Scene(*ZOOM, "", SHOW, 2.2),  # tired becomes wide
]
# Only the question, the drawing and what is said of it, and the question larger.
HERO_STYLE = """
.demo :is(.demo-where, .demo-title, .demo-tools, .demo-controls, .demo-line button) {
    display: none;
}
.demo.demo.demo .demo-question { font-size: 1.4em; }
"""
HERO_HEIGHT = 720
# The files of the film in each theme: demo.webp and demo.png, demo-dark.webp and demo-dark.png.
FILMS = {"light": "demo", "dark": "demo-dark"}
# An exercise of page 2, answered as most readers do first, and what its check says.
EXERCISE = ("02_softmax.ipynb", "checks.softmax(my_softmax)")
ANSWER = """\
def my_softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


checks.softmax(my_softmax)"""
PUT = f"""([place, source]) => {{
    {PANEL}.content.model.cells.get(place).sharedModel.setSource(source);
}}"""
# The file of each still, and how its cell in demos.ipynb begins to show it.
STILLS = {
    "two-models": "widgets.Translator(models, changes=CUTS",
    "steps": "widgets.AttentionSteps(",
    "heads": "widgets.Heads(",
    "decoder": "widgets.DecoderStepper(",
    "depth": "widgets.Depth(",
    "break-it": "widgets.BreakIt(",
}


def still(source: str) -> bytes:
    """The picture in demos.ipynb below the cell with this in its source."""
    for cell in nbformat.read(NOTEBOOKS / "demos.ipynb", as_version=4).cells:
        if source not in cell.source:
            continue
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                return b64decode(output.data["image/png"])
    raise LookupError(f"demos.ipynb has no picture of {source}...): refresh it first.")


def stills():
    for name, source in STILLS.items():
        (FIGURES / f"{name}.png").write_bytes(still(source))


def exercise():
    """The task, the reader's answer, what its check says, and the folds below."""
    name, call = EXERCISE
    cells = nbformat.read(NOTEBOOKS / name, as_version=4).cells
    place = next(i for i, cell in enumerate(cells) if cell.source.endswith(call))
    with server("lab") as running, chromium() as browser, page(running, browser) as p:
        p.browser.set_viewport_size(WINDOW)
        p.open(name)
        p.browser.evaluate(PUT, [place, ANSWER])
        p.run_all()
        first, answer, last = (p.cell(place + step) for step in (-1, 0, 1))
        p.settle()
        task = first.locator("h3").last.bounding_box()
        end = last.locator("details").last.bounding_box()
        box = answer.bounding_box()
        top, bottom = task["y"] - MARGIN, end["y"] + end["height"] + MARGIN
        clip = {"x": box["x"], "width": box["width"], "y": top, "height": bottom - top}
        p.browser.screenshot(path=FIGURES / "page.png", clip=clip)


def film():
    for theme, name in FILMS.items():
        last = record(HERO, FIGURES / f"{name}.webp", Look(theme, HERO_STYLE, HERO_HEIGHT))
        last.quantize(COLOURS).save(FIGURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    help_if_asked(__doc__)
    for name in sys.argv[1:] or ("film", "page", "stills"):
        {"film": film, "page": exercise, "stills": stills}[name]()
