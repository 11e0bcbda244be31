"""Take the README's pictures from the live pages (needs Chromium).

python tools/figures.py [steps] [demo]
"""

import sys
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.browser import chromium, page, server
from tools.course import ROOT
from tools.film import Scene, film

FIGURES = ROOT / "figures"
# The translator of notebook 0. The film opens on "it", which looks at the animal; tired becomes
# wide: where will it look now? At the street.
TRANSLATOR = ("00_start_here.ipynb", 1)
HERO = [
    Scene(*TRANSLATOR, "", ("Enter",), 0),
    Scene(*TRANSLATOR, "", (), 3),
    Scene(*TRANSLATOR, "", ("Enter",), 2.5),
    Scene(*TRANSLATOR, "", ("Enter",), 4),
]


@contextmanager
def first_demo(notebook):
    """(page, the first demo of a notebook, its drawing), after Run All."""
    with server("lab") as running, chromium() as browser, page(running, browser) as p:
        p.open(notebook)
        p.run_all()
        demo = p.demos()[0]
        demo.scroll_into_view_if_needed()
        yield p, demo, demo.locator("svg[tabindex]")


def steps():
    """The attention steps of notebook 4 at the softmax, pointing at it -> tired."""
    with first_demo("04_queries_keys_values.ipynb") as (p, demo, drawing):
        demo.get_by_role("radio", name="5 softmax").or_(
            demo.get_by_role("button", name="5 softmax")
        ).click()
        p.settle()
        drawing.focus()
        drawing.press("End")
        p.settle()
        demo.screenshot(path=FIGURES / "steps.png")


def demo():
    """The film at the top of README."""
    film(HERO, FIGURES / "demo.webp")


if __name__ == "__main__":
    for name in sys.argv[1:] or ("steps", "demo"):
        {"steps": steps, "demo": demo}[name]()
