"""Take the README's pictures from the live pages (needs Chromium).

python tools/figures.py [steps] [demo]
"""

import io
import sys
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.browser import chromium, page, server
from tools.course import ROOT

FIGURES = ROOT / "figures"


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
    """The translator of notebook 0 as an animation: il, it, tired becomes wide, it again, elle."""
    frames, lasts = [], []
    with first_demo("00_start_here.ipynb") as (p, demo, drawing):

        def take(milliseconds):
            p.settle()
            frames.append(Image.open(io.BytesIO(demo.screenshot())).convert("RGB"))
            lasts.append(milliseconds)

        def go_to(text):
            """Walk along the line until the caption names the word."""
            drawing.press("Home")
            for _ in range(24):
                said = demo.locator("figcaption").first.inner_text()
                if said.removeprefix("The row that wrote ").startswith(f"“{text}”"):
                    return
                drawing.press("ArrowRight")
                p.settle()
            raise RuntimeError(f"the word {text!r} was not reached")

        drawing.focus()
        take(1500)
        for pronoun in ("il", "elle"):
            go_to(pronoun)
            take(2200)
            drawing.press("ArrowUp")
            go_to("it")
            take(2600)
            drawing.press("ArrowDown")
            if pronoun == "il":
                go_to("il")
                demo.get_by_role("button", name="tired ↔ wide").click()
                p.wait_until_idle()
                drawing.focus()
                take(1800)
    frames[0].save(
        FIGURES / "demo.webp",
        save_all=True,
        append_images=frames[1:],
        duration=lasts,
        loop=0,
        quality=85,
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or ("steps", "demo"):
        {"steps": steps, "demo": demo}[name]()
