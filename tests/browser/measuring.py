"""What a hall could not read in a demo: letters too small or too pale, too much empty room."""

from pathlib import Path

SMALLEST = 24  # pixels at 1280 × 720: what the last row of a hall can read
CONTRAST = 4.5  # of letters against what lies behind them (WCAG AA)
ANY = 1  # share of the screen that may be empty: all of it, so this is not measured
SCRIPT = (Path(__file__).parent / "measure.js").read_text("utf-8")


def problems(demo, smallest=SMALLEST, empty=ANY):
    """A sentence for each thing that is wrong; none if everybody can read it."""
    return demo.evaluate(SCRIPT, [smallest, CONTRAST, empty])
