"""The typeface of the demos, which a page is sent once.

Every header names the one widget that has the letters; the first header on a page hands them to the
browser (letters.mjs). In the style sheets, which travel with each drawing, they would come many
times.
"""

from base64 import b64encode
from functools import cache
from pathlib import Path

import ipywidgets
import traitlets

LETTERS = Path(__file__).parents[2] / "letters"
FACES = ("sans", "mathematics", "mathematics-bold")  # letters.mjs says which family each is of


@cache
def bytes_of(face):
    """The bytes of a face, woff2."""
    return (LETTERS / f"{face}.woff2").read_bytes()


class Letters(ipywidgets.Widget):
    """The faces as bytes; nothing of it is seen."""

    faces = traitlets.Dict().tag(sync=True)


@cache
def _made():
    return Letters(faces={face: bytes_of(face) for face in FACES})


def the_letters():
    """The one widget of this kernel that has the letters; a new one, should it have been closed."""
    if _made().comm is None:
        _made.cache_clear()
    return _made()


def forget():
    """Let the next demo bring the letters along: its page knows no widget of another page."""
    _made.cache_clear()


def as_text():
    """{face: base64}, for a page without a kernel."""
    return {face: b64encode(bytes_of(face)).decode() for face in FACES}
