"""What a hall could not read in a demo: letters too small or too pale, too much empty room."""

from pathlib import Path

from playwright.sync_api import TimeoutError as NeverRight

from tools.browser import PROJECTOR

SMALLEST = 24  # pixels at 1280 × 720: what the last row of a hall can read
CONTRAST = 4.5  # of letters against what lies behind them (WCAG AA)
EMPTY = 0.35  # share of the screen that nothing fills, at most
ANY = 1  # all of it: this is not measured
LARGE = {"width": 1920, "height": 1080}  # the other projector
LARGER = LARGE["width"] / PROJECTOR["width"]
STEPS = 5  # of a story, at most: the next word, pinned, masked
DRAWINGS = "svg[tabindex='0'], canvas[tabindex='0']"
DRAWN_DIFFERS = """([demo, before]) => {
    const now = demo.querySelector(".demo-drawings").innerHTML;
    return now !== before && now;
}"""
SOON = 500  # milliseconds in which Enter changes the drawing, if it does
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


def changes_at_enter(demo) -> bool:
    """Press Enter; True if the drawing is another one soon."""
    if not demo.locator(DRAWINGS).count():
        return False
    element = demo.element_handle()
    before = demo.page.evaluate(DRAWN_DIFFERS, [element, None])
    demo.page.keyboard.press("Enter")
    try:
        demo.page.wait_for_function(DRAWN_DIFFERS, arg=[element, before], timeout=SOON, polling=50)
    except NeverRight:
        return False
    return True


def problems_in_a_hall(demo, measure=problems):
    """What is wrong with a demo in full screen, at first and after Enter, on two projectors."""
    found = [f": {line}" for line in problems(demo, empty=EMPTY)]
    for _ in range(STEPS):
        if not changes_at_enter(demo):
            break
        found += [f" after Enter: {line}" for line in measure(demo)]
    demo.page.set_viewport_size(LARGE)
    found += [f" at 1920 × 1080: {line}" for line in problems(demo, SMALLEST * LARGER)]
    demo.page.set_viewport_size(PROJECTOR)
    return sorted(set(found))


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
