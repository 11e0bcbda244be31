"""Make the README's pictures: the film of the live translator, and stills of the demos.

.venv/bin/python tools/figures.py [film] [stills]

The film needs Chromium. The stills are the pictures in demos.ipynb: refresh it first.
"""

import sys
from base64 import b64decode
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.course import NOTEBOOKS, ROOT
from tools.film import Scene
from tools.film import film as record

FIGURES = ROOT / "figures"
# The translator of notebook 0. The film opens on "it", which looks at the animal; tired becomes
# wide: where will it look now? At the street.
TRANSLATOR = ("00_start_here.ipynb", 0)
HERO = [
    Scene(*TRANSLATOR, "", ("Enter",), 0),
    Scene(*TRANSLATOR, "", (), 3),
    Scene(*TRANSLATOR, "", ("Enter",), 2.5),
    Scene(*TRANSLATOR, "", ("Enter",), 4),
]
# The file of each still, and how its cell in demos.ipynb begins to show it.
STILLS = {
    "two-models": "widgets.Translator(both",
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


def film():
    record(HERO, FIGURES / "demo.webp")


if __name__ == "__main__":
    help_if_asked(__doc__)
    for name in sys.argv[1:] or ("film", "stills"):
        {"film": film, "stills": stills}[name]()
