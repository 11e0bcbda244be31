"""Put the pictures of the live demos into a notebook's outputs, for tools/refresh.py.

A picture is taken anew only when its key changed. One browser serves a whole refresh; it starts
with the first picture that is stale. Below a cell with the tag "question" a demo is taken as it
starts, with its question open: who sees the picture before running the cell can still answer.
"""

import io
import json
import sys
import tempfile
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.widgets.frame.pictures import PAGE_SCALE, chromium, take

WIDGET = "application/vnd.jupyter.widget-view+json"
SHOWN_WIDTH = 672  # pixels on the page; the picture has twice as many
COLOURS = 128
# Around words that may be of another script: a browser needs these marks, a sentence does not.
ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))

QUESTION = "question"  # the tag of a cell whose demo must not be seen answered

TELL_LIMIT = 600  # seconds: some demos train before their picture is taken

# These run in the notebook's kernel, where the demos are.
FIND_KEYS = """
import json as _json
from ipywidgets.widgets.widget import _instances
_keys = {{}}
for _model in {models!r}:
    if hasattr(_instances.get(_model), "picture_key"):
        _keys[_model] = _instances[_model].picture_key()
print(_json.dumps(_keys))
"""
WRITE_PAGE = """
from pathlib import Path as _Path
from ipywidgets.widgets.widget import _instances
from lib.widgets.frame.pictures import html_of as _html_of
if {is_told}:
    _instances[{model!r}].tell()
_Path({path!r}).write_text(_html_of(_instances[{model!r}]), "utf-8")
"""


class Shown(NamedTuple):
    """A demo that a cell shows: its place in the notebook, its model, its key.

    is_told: whether its picture is taken where ``tell`` leaves it, or as it starts.
    """

    cell: int
    place: int
    model: str
    key: str
    is_told: bool


class Camera:
    """A browser that starts with the first picture."""

    def __enter__(self):
        # A thread of its own: nbclient's loop and Playwright's do not go together in one.
        self.thread = ThreadPoolExecutor(1)
        self.open = ExitStack()
        self.browser = None
        return self

    def __exit__(self, *_error):
        self.thread.submit(self.open.close).result()
        self.thread.shutdown()

    def take(self, html: str) -> tuple[bytes, str]:
        """The PNG of a demo's page, and its words. Raises RuntimeError without a browser."""
        return self.thread.submit(self._take, html).result()

    def _take(self, html: str) -> tuple[bytes, str]:
        if self.browser is None:
            self.browser = self.open.enter_context(chromium())
        made = take(self.browser, html, PAGE_SCALE)
        return in_few_colours(made["png"]), in_words(made)


def in_words(made: dict) -> str:
    """A picture for those who do not see it: the demo's title, its question, what it says."""
    sentences = []
    for text in (made["title"], made["question"], made["caption"]):
        text = text.translate(ISOLATES).strip()
        if text:
            sentences.append(text if text[-1] in ".?!…" else f"{text}.")
    return " ".join(sentences)


def in_few_colours(png: bytes) -> bytes:
    """The same picture, a third of the bytes.

    With these two settings no pixel of the six demos measured is more than 18 of 255 off, so hues
    keep their meaning; with the median cut it was 80, and faint letters turned green.
    """
    image = Image.open(io.BytesIO(png)).convert("RGB")
    method, dither = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE
    few = image.quantize(COLOURS, method=method, kmeans=2, dither=dither)
    buffer = io.BytesIO()
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def shown_demos(notebook: NotebookNode, client: NotebookClient, run) -> list[Shown]:
    """The demos in the outputs of a notebook that was just executed.

    run(client, source): runs code in its kernel, and returns what was printed.
    """
    places = []
    for index, cell in enumerate(notebook.cells):
        for place, output in enumerate(cell.get("outputs", [])):
            if WIDGET in output.get("data", {}):
                places.append((index, place, output.data[WIDGET]["model_id"]))
    if not places:
        return []
    keys = json.loads(run(client, FIND_KEYS.format(models=[model for *_, model in places])))
    found = []
    for cell, place, model in places:
        is_told = QUESTION not in notebook.cells[cell].metadata.get("tags", [])
        if model in keys:
            key = keys[model] if is_told else f"{keys[model]}-{QUESTION}"
            found.append(Shown(cell, place, model, key, is_told))
    return found


def kept(committed: NotebookNode, demo: Shown) -> NotebookNode | None:
    """The committed output in this place, if it has a picture."""
    outputs = committed.cells[demo.cell].get("outputs", [])
    if demo.place >= len(outputs):
        return None
    output = outputs[demo.place]
    return output if "image/png" in output.get("data", {}) else None


def put_pictures(notebook, committed, demos, client, camera, run) -> list[str]:
    """Give each demo its picture: the committed one, or a new one where that is stale.

    Returns a sentence for each picture that is stale and could not be taken.
    """
    problems = []
    for demo in demos:
        output = notebook.cells[demo.cell].outputs[demo.place]
        before = kept(committed, demo)
        if before:
            output.data, output.metadata = before.data, before.metadata
            if before.metadata.get("picture") == demo.key:
                continue
        try:
            png, words = camera.take(_page(demo, client, run))
        except RuntimeError as error:
            problems.append(f"cell {demo.cell}: its picture is stale. {error}")
            continue
        except CellExecutionError as error:
            problems.append(f"cell {demo.cell}: tell failed, {error.ename}: {error.evalue}")
            continue
        output.data = NotebookNode({"image/png": b64encode(png).decode(), "text/plain": words})
        look = NotebookNode({"alt": words, "width": SHOWN_WIDTH})
        output.metadata = NotebookNode({"image/png": look, "picture": demo.key})
    return problems


def _page(demo: Shown, client: NotebookClient, run) -> str:
    """The demo's page, in the state that makes its point, or with its question open."""
    with tempfile.TemporaryDirectory(prefix="picture-") as folder:
        path = Path(folder) / "demo.html"
        of_a_cell, client.timeout = client.timeout, TELL_LIMIT
        try:
            names = {"model": demo.model, "path": str(path), "is_told": demo.is_told}
            run(client, WRITE_PAGE.format(**names))
        finally:
            client.timeout = of_a_cell
        return path.read_text("utf-8")
