"""Draw the README's picture from the live pages: `python tools/figures.py` (needs Chromium)."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser.jupyter import chromium, page, server  # noqa: E402


def steps_picture():
    """The attention steps of notebook 4 at the softmax, pointing at it -> tired."""
    with server("lab") as running, chromium() as browser, page(running, browser) as p:
        p.open("04_queries_keys_values.ipynb")
        p.run_all()
        demo = p.demos()[0]
        demo.get_by_role("radio", name="5 softmax").or_(demo.get_by_role("button", name="5 softmax")).click()
        p.settle()
        drawing = demo.locator("svg[tabindex]")
        drawing.focus()
        drawing.press("End")
        p.settle()
        demo.screenshot(path=ROOT / "figures" / "steps.png")


if __name__ == "__main__":
    steps_picture()
