"""The pictures of the site: files beside the pages, each with its size, so that nothing jumps.

They are lossless WebP, which takes a quarter less than the PNG of the notebooks.
"""

import binascii
import hashlib
import io
import re
from base64 import b64decode
from functools import cache
from html import escape, unescape
from pathlib import PurePath

from PIL import Image, UnidentifiedImageError

from lib.widgets.live import files_of, subject_of
from tools.web_course import SiteError

FOLDER = "pictures"
EFFORT = 100  # of the encoder: nothing is lost at any, and files are smallest at the most
RECORDED = (
    '<p class="recorded"><small>The demo as recorded. It moves where the page runs: '
    '<a href="index.html#run">how to run it</a>.</small></p>'
)
LIVE = "live"
PROJECTED = "demos.ipynb"
ALIVE = (
    '<div class="alive" data-live="{name}">{picture}'
    '<p class="recorded"><small><a href="{name}">Move it</a>. With values of your own it moves '
    'where the page runs: <a href="index.html#run">how to run it</a>.</small></p></div>'
)
PHONE = (
    320  # pixels that a phone has for a picture in a box; a wider one shrinks, a tap enlarges it
)
SHARPER = 2  # pixels of a drawing's file for each that is shown
IN_HTML = re.compile(r'<img src="data:image/png;base64,(?P<data>[^"]+)"(?P<rest>[^>]*)>')


class Pictures:
    """All pictures of the site, {name of the file: bytes}; the same picture is there once."""

    def __init__(self):
        self.files = {}
        self.demos = []  # the names of those of the page that is projected

    def of_output(self, output, where, source=""):
        """The HTML of a cell's picture; a demo's is as large as the page allows.

        source: of the cell; a demo that can be alive without Python has its own page beside it.
        """
        look = output.get("metadata", {}).get("image/png", {})
        if not look.get("alt"):
            raise SiteError(
                f"{where}: a picture has no alternative text. A chart of lib.charts and a demo "
                f"have one: run python3 start.py refresh {where}."
            )
        data = decoded(output["data"]["image/png"], where)
        demo = "picture" in output.get("metadata", {})
        if not demo:
            return self.shown(data, look["alt"], look.get("width"), where)
        alive = subject_of(source, PurePath(where).stem)
        if where.endswith(f"/{PROJECTED}"):
            if not alive:
                raise SiteError(
                    f"{where}: a lesson has no place for a demo that needs Python, as {source!r}. "
                    "Enter it in SUBJECTS of lib/widgets/live/__init__.py."
                )
            self.demos.append(alive)
        if not alive:
            return self.shown(data, look["alt"], None, where, "demo-picture") + RECORDED
        name = f"{LIVE}/{alive}.html"
        if name not in self.files:
            made = files_of(alive).items()
            self.files |= {f"{LIVE}/{each}": text.encode() for each, text in made}
        picture = self.shown(data, look["alt"], None, where, "demo-picture", opens=name)
        return ALIVE.format(name=name, picture=picture)

    def in_html(self, text, where):
        """An output's HTML, with its pictures as files."""

        def shown(found):
            look = dict(re.findall(r'(\w+)="([^"]*)"', found["rest"]))
            data = decoded(found["data"], where)
            return self.shown(data, unescape(look.get("alt", "")), look.get("width"), where)

        return IN_HTML.sub(shown, text)

    def of_file(self, path, alt, where):
        """The HTML of a drawing in figures/."""
        if not path.is_file():
            raise SiteError(f"{where}: there is no picture {path.name}.")
        data = path.read_bytes()
        return self.shown(data, alt, size_of(data, where)[0] // SHARPER, where)

    def shown(self, data, alt, width, where, kind="", opens=""):
        """The HTML of PNG bytes, shown ``width`` pixels wide, or as they are where it is None.

        opens: the page that the picture leads to, if it is not the picture alone.
        """
        if not alt:
            raise SiteError(f"{where}: a picture has no alternative text.")
        wide, high = size_of(data, where)
        width = int(width or wide)
        name = name_of(data)
        self.files[name] = written_as(data, "webp", lossless=True, quality=EFFORT)
        kinds = f"picture {kind}".strip() + " shrinks" * (width > PHONE)
        title = "Open the demo" if opens else "Open the picture alone"
        return (
            f'<span class="{kinds}" style="--width: {width}px">'
            f'<a href="{opens or name}" title="{title}"><img src="{name}" '
            f'alt="{escape(alt)}" width="{width}" height="{round(high * width / wide)}" '
            f'loading="lazy"></a></span>'
        )


def name_of(data):
    """The file of a picture."""
    return f"{FOLDER}/{hashlib.sha256(data).hexdigest()[:16]}.webp"


@cache  # the encoder takes half of the time in which a site is made
def written_as(data, kind, **how):
    """A picture's bytes in another format."""
    file = io.BytesIO()
    Image.open(io.BytesIO(data)).save(file, kind, **how)
    return file.getvalue()


def decoded(text, where):
    try:
        return b64decode("".join(text))
    except (binascii.Error, ValueError):
        raise SiteError(
            f"{where}: a picture is not in base64. Run python3 start.py refresh {where}."
        ) from None


def size_of(data, where):
    """Width and height in pixels."""
    try:
        return Image.open(io.BytesIO(data)).size
    except UnidentifiedImageError:
        raise SiteError(
            f"{where}: a picture cannot be read. Run python3 start.py refresh {where}."
        ) from None
