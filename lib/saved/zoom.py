"""What two models of the course do with "it", tired or wide, as the demo Zoom shows it.

``tools/zoom.py`` records it from the models in this folder; reading it needs no PyTorch.
"""

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("zoom.json")
ADJECTIVES = ("tired", "wide")
OPENING = tuple("the animal didn't cross the street because it was too".split())
IT = OPENING.index("it")


@cache
def recorded():
    """{adjective: what tools/zoom.py records of its sentence}."""
    return json.loads(FILE.read_text("utf-8"))
