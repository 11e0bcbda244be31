"""What a hall could not read in a demo: letters too small or too pale, too much empty room."""

from pathlib import Path

from playwright.sync_api import TimeoutError as NeverRight

SMALLEST = 24  # pixels at 1280 × 720: what the last row of a hall can read
CONTRAST = 4.5  # of letters against what lies behind them (WCAG AA)
ANY = 1  # share of the screen that may be empty: all of it, so this is not measured
TRIES = 5
SCRIPT = (Path(__file__).parent / "measure.js").read_text("utf-8")


SETTLED = 2000  # milliseconds in which a drawing finds its place on a busy machine
NO_PROBLEM = f"""([demo, limits]) => {{
    const measure = {SCRIPT}
    return measure(demo, limits).length === 0;
}}"""


def problems(demo, smallest=SMALLEST, empty=ANY):
    """A sentence for each thing that stays wrong; none if everybody can read it."""
    limits = [smallest, CONTRAST, empty]
    what = [demo.element_handle(), limits]
    try:
        demo.page.wait_for_function(NO_PROBLEM, arg=what, timeout=SETTLED, polling=100)
    except NeverRight:
        return demo.evaluate(SCRIPT, limits)
    return []


def quickest(measure, enough):
    """The least of what measure() gives: what else a machine does can only make it slower.

    It is tried again only while that is not below ``enough``.
    """
    least = measure()
    for _ in range(TRIES - 1):
        if least < enough:
            break
        least = min(least, measure())
    return least
