"""What each version of notebook 12's program reached, with three seeds.

`tools/ladder.py` trains them all and writes lib/saved/ladder.json.
"""

import json
from pathlib import Path
from textwrap import fill

FILE = Path(__file__).parent / "ladder.json"
HEART = Path(__file__).parent / "by_heart.json"
LITTLE = 10_000  # characters, the first of the text
FIRST = 0  # the seed whose sample is shown
COLUMNS = 90
SHOWN = (1.8, 2.0)  # bits on the axis of a chart of three blocks, changed or not


def rows():
    """One for each version and seed: {version, seed, parameters, bits, sample}."""
    if not FILE.exists():
        return []
    return json.loads(FILE.read_text("utf-8"))["rows"]


def bits(version):
    """What each held-out character cost, seed by seed. Raises ValueError for another version."""
    return [row["bits"] for row in _of(version)]


def told(*versions):
    """The bits of these versions, a line each, as text. Raises ValueError as ``bits``."""
    width = max(len(version) for version in versions)
    lines = ["record, on the course's text: bits a character, three seeds"]
    for version in versions:
        numbers = "  ".join(f"{number:.2f}" for number in bits(version))
        lines.append(f"{version:{width}}  {numbers}")
    return "\n".join(lines)


def sample(version):
    """What the version of the first seed writes. Raises ValueError as ``bits``."""
    [text] = [row["sample"] for row in _of(version) if row["seed"] == FIRST]
    return fill(text, COLUMNS)


def words(version):
    """The whole words, with their marks, that all seeds of a version wrote. Raises as ``bits``."""
    found = []
    for row in _of(version):
        found += row["sample"].split()[1:-1]  # the first was given, the last may be cut off
    return found


def by_heart():
    """{seed: rows (step, bits of what is read, bits of new text)} of three blocks that read LITTLE.

    LITTLE is a number of characters, the first of the text.
    """
    return {int(seed): rows for seed, rows in json.loads(HEART.read_text("utf-8")).items()}


def told_of_little():
    """What both kinds of text cost those blocks in the end, a line for each seed."""
    lines = [f"record, three blocks that read {LITTLE:,} characters only"]
    for seed, rows in by_heart().items():
        _, read, new = rows[-1]
        lines.append(f"seed {seed}: what they read costs {read:.2f} bits, new text {new:.2f}")
    return "\n".join(lines)


def curves_of_little():
    """(steps, {name: bits at each}) of the first seed, to draw."""
    steps, read, new = zip(*by_heart()[FIRST], strict=True)
    return steps, {"what is read": read, "new text": new}


def _of(version):
    found = [row for row in rows() if row["version"] == version]
    if not found:
        known = ", ".join(dict.fromkeys(row["version"] for row in rows()))
        raise ValueError(f"nothing was measured of {version!r}; there are: {known}.")
    return found
