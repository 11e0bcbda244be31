"""Draw demos as pictures of 1280 × 720, without Jupyter, in a second or two.

    .venv/bin/python tools/demo_pictures.py "widgets.Bars()" --to shots
    .venv/bin/python tools/demo_pictures.py demos.py --to shots --dark --tell

Each expression is a demo; in it stand widgets, saved, np and lib. Of a .py file every demo that is
a name at its top level is drawn. As the picture holds it: title, question, drawings, caption.
"""

import argparse
import runpy
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import lib
from lib import saved, widgets
from lib.widgets.frame import Demo
from lib.widgets.frame.pictures import chromium, html_of, take


def demos_of(source):
    """The demos of an expression or of a .py file, {name: demo}."""
    if not source.endswith(".py"):
        names = {"widgets": widgets, "saved": saved, "np": np, "lib": lib}
        made = eval(source, names)
        return {type(made).__name__: made}
    found = runpy.run_path(source)
    return {name: one for name, one in found.items() if isinstance(one, Demo)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+", metavar="DEMO", help="an expression or a .py file")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR")
    parser.add_argument("--dark", action="store_true", help="in the dark theme's colours")
    parser.add_argument("--tell", action="store_true", help="in the state that makes the point")
    parser.add_argument("--svg", action="store_true", help="write the SVG too")
    parser.add_argument("--html", action="store_true", help="write the page too, to be opened")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    theme = "page" if arguments.dark else "light"
    with chromium() as browser:
        for source in arguments.sources:
            for name, demo in demos_of(source).items():
                if arguments.tell:
                    demo.tell()
                start = time.monotonic()
                page = html_of(demo, arguments.dark)
                made = take(browser, page, scale=1, theme=theme)
                place = arguments.to / name
                place.with_suffix(".png").write_bytes(made["png"])
                if arguments.svg:
                    place.with_suffix(".svg").write_text(made["svg"], "utf-8")
                if arguments.html:
                    place.with_suffix(".html").write_text(page, "utf-8")
                seconds = time.monotonic() - start
                print(f"{place}.png, {seconds:.1f} s: {made['caption']}", flush=True)


if __name__ == "__main__":
    main()
