"""Pictures of demos: a page without Jupyter, a browser that draws it, and when to draw anew.

``html_of`` writes a demo as one HTML page that needs neither Python nor a network; picture.mjs, in
that page, turns it into an SVG and a PNG. ``key_of`` says in a few letters what a picture depends
on: it is taken anew only when these change.
"""

import hashlib
import inspect
import io
import json
import math
import re
import shutil
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import anywidget
import numpy as np

from lib.widgets.frame.letters import as_text
from lib.widgets.frame.modules import LINK, SCRIPTS, linked

HERE = Path(__file__).parent
VERSION = 1  # raise it to take every picture anew
WINDOW = {"width": 1280, "height": 720}
# Beside what each drawing has.
PICTURE_SCRIPTS = ("svg_copy.mjs", "letters.mjs", "picture.mjs")
PNG_ADDRESS = "data:image/png;base64,"
SLIDE, PAGE_SCALE = 1.5, 1.05  # of 1280 pixels: 1920, and 1344 for pages, where it is shown at 672
ADDRESS = "http://127.0.0.1/"  # of the page; it is handed over, no server is asked
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# As in JupyterLab Dark, on a paper as dark as letters on the colour of any weight allow (4.5 to 1).
DARK_THEME = """background: #1c1c1c; --jp-ui-font-color0: #fff; --jp-layout-color1: #1c1c1c;
--jp-layout-color2: #212121; --jp-border-color1: #424242"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
{sheet}<style>
body {{ margin: 0; {theme} }}
.demo {{ margin: auto }}
{styles}
</style>
<body data-jp-theme-light="{light}">
{waits}{data}{run}"""
RUN = """
async function begin() {{
  const shown = {taken};
  const modules = [...(window.shared?.modules ?? []), ...shown.modules];
  for (const [name, text] of modules) load(name, text);
  return show({{ ...window.shared, ...shown }}, (name) => import(loaded[name]));
}}
window.ready = begin();
"""
MODULE = '<script type="module">\n{}</script>\n'
# The script of all pages is a text in the file that they share: a file that is opened from a folder
# may import no module.
SHARED_MODULE = """<script>
const run = Object.assign(document.createElement("script"), {{ type: "module" }});
run.textContent = window.shared.script + {};
document.body.append(run);
</script>
"""
INLINE = '<script type="application/json" id="shown">{}</script>\n'
PARSED = 'JSON.parse(document.getElementById("shown").textContent)'
SCRIPT = '<script src="{}"></script>\n'
# What all demos have, or may have: their header, their drawings and what makes them alive.
COMMON = ("header.mjs", "stage.mjs", "live.mjs")
WAITS = "<p>This demo needs its scripts, and the page that shows it does not let them run.</p>\n"
# A live page has the reader's theme, fills a phone, and tells the page around it how high it is.
ALIVE = """
document.querySelector("body > p").remove();
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.body.setAttribute("data-jp-theme-light", String(!dark.matches));
dark.addEventListener("change", follow);
follow();
const heightNow = () => Math.ceil(document.querySelector(".demo").getBoundingClientRect().bottom);
const tell = () => parent.postMessage({ height: heightNow() }, "*");
new ResizeObserver(() => window.ready?.then(tell)).observe(document.body);
const fill = ({ fillPhone }) => fillPhone(document.querySelector(".demo"));
queueMicrotask(() => window.ready.then(fill));
"""
TAKE = """async (options) => {
    const header = await window.ready;
    const made = await header.picture(document.querySelector(".demo"), options);
    const bytes = new Uint8Array(await made.png.arrayBuffer());
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte));
    return { ...made, png: btoa(letters.join("")) };
}"""
# A letter that no font has is drawn as one that is no letter: as an empty box.
EMPTY_BOXES = """(svg) => {
    const family = getComputedStyle(document.querySelector(".demo")).fontFamily;
    const pen = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
    pen.font = `28px ${family}`;
    function drawn(letter) {
        pen.clearRect(0, 0, 40, 40);
        pen.fillText(letter, 4, 32);
        return pen.getImageData(0, 0, 40, 40).data.join();
    }
    const box = drawn("\\u{3fffd}");
    const letters = [...new Set(svg.match(/\\p{Script=Han}/gu))];
    return letters.filter((letter) => drawn(letter) === box).join("");
}"""
NO_FONT = (
    "This picture has Chinese letters, {letters}, that no font of this machine has: they would be "
    "empty boxes. Install a font with them, such as Noto Sans CJK, and take it again."
)


# -- is the picture stale? -------------------------------------------------------------------------


def key_of(demo):
    """What the demo's picture depends on, in 16 letters; the demo itself is left as it is.

    That is what it shows at the moment, how ``tell`` goes on from there, and the sources of what
    draws it. What ``tell`` computes is not in it: a training is not run to see that its picture is
    up to date, and its last digits are others on another processor.
    """
    parts = [
        VERSION,
        type(demo).__name__,
        demo.header.title,
        demo.header.question,
        without_last_digits(demo.picture_state()),
        inspect.getsource(type(demo).tell),
        *_sources(demo),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _sources(demo):
    """The JavaScript, CSS and letters that the picture is made of."""
    texts = [*as_text().values()]
    texts += [(HERE / name).read_text("utf-8") for name in PICTURE_SCRIPTS]
    for drawing in drawings_in(demo.drawings):
        texts += [str(drawing._esm), str(drawing._css)]
    return texts


def drawings_in(widgets):
    """The drawings among the widgets and in their boxes, as one list."""
    found = []
    for widget in widgets:
        if isinstance(widget, anywidget.AnyWidget):
            found.append(widget)
        found += drawings_in(getattr(widget, "children", ()))
    return found


def state_of(demo):
    """The values of the demo's controls and all that its drawings were sent."""
    controls = [control.value for control in demo.settings]
    return {
        "controls": controls,
        "drawings": [traits_of(one) for one in drawings_in(demo.drawings)],
    }


def without_last_digits(value):
    """The value as JSON can hold it, the same on processors that round differently.

    Several numbers are turned into a few sums of them, which are rounded. Were each rounded by
    itself, one of thousands would always lie where two machines round to different sides.
    """
    if isinstance(value, bytes):
        return _of_bytes(value)
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, float):
        return _sums([value])
    if isinstance(value, dict):
        return {str(name): without_last_digits(one) for name, one in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    if any(isinstance(one, float) for one in value) and not _has_others(value):
        return _sums(value)
    return [without_last_digits(one) for one in value]


def _has_others(values):
    return any(not isinstance(one, (int, float)) for one in values)


def _of_text(text):
    """A picture by its pixels; an error such as 4.8e-07 is "tiny", as it differs everywhere."""
    if not text.startswith(PNG_ADDRESS):
        return re.sub(r"\d(\.\d+)?e-\d+", "tiny", text)
    from PIL import Image  # where a chart made the picture, it is there

    image = Image.open(io.BytesIO(b64decode(text.removeprefix(PNG_ADDRESS))))
    return [*image.size, _sums(np.asarray(image) / 255)]


def _of_bytes(data):
    """Bytes are float32, or one number from 0 to 255 each, or a mask of zeros and ones."""
    if len(data) % 4 == 0:
        numbers = np.nan_to_num(np.frombuffer(data, np.float32), nan=np.inf)
        if 1e-6 < np.abs(numbers).max(initial=0) < 1e6:
            return _sums(numbers)
    numbers = np.frombuffer(data, np.uint8)
    if numbers.max(initial=0) > 1:
        return _sums(numbers / 255)
    return hashlib.sha256(data).hexdigest()


def _sums(numbers):
    """How many numbers there are, and a few sums of them, in whole steps of about 1 %."""
    numbers = np.nan_to_num(np.asarray(numbers, float)).ravel()
    # The square root of 2 keeps usual numbers, such as 1 and 10, away from the edge of a decade.
    decade = math.log10(max(np.abs(numbers).max(initial=0) / math.sqrt(2), 1))
    step = 0.01 * 10 ** math.ceil(decade) * math.sqrt(max(1, len(numbers)))
    places = np.arange(1, len(numbers) + 1)
    sums = [float(numbers @ (2 * np.cos(turn * places))) for turn in range(1, 5)]
    return [len(numbers), *[round(total / step) for total in sums]]


# -- the page --------------------------------------------------------------------------------------


def html_of(demo, dark=False, recording=None):
    """A page that shows the demo's drawings as they are now, without its controls.

    dark: in the dark theme's colours. recording: of all its states; then the page is alive, with
    its controls, and follows the reader's theme. What it computes itself is the demo's live.mjs.
    """
    shown, styles = shown_of(demo, recording)
    shown["letters"] = as_text()
    inline = INLINE.format(json.dumps(shown).replace("<", r"\u003c"))
    return page_with(demo.header.title, styles, inline, PARSED, dark, is_alive=bool(recording))


def shown_of(demo, recording=None):
    """What page.mjs shows of a demo, but for the letters, and the style sheets that it needs."""
    modules, styles = {}, []
    shown = {"tree": _tree(demo, modules, styles), "header": _name(demo.header)}
    if recording:
        own = Path(inspect.getfile(type(demo))).with_name("live.mjs")
        for name, script in (("live", HERE / "live.mjs"), ("own", own)):
            if script.exists():
                modules |= linked(script)
                shown[name] = list(linked(script))[-1]
        styles.append((HERE / "native.css").read_text("utf-8"))
        shown["recording"] = recording
        styles.append(f'body[data-jp-theme-light="false"] {{ {DARK_THEME} }}')
    return {"modules": list(modules.items()), **shown}, styles


def page_with(title, styles, data, taken, dark=False, is_alive=True, sheet=""):
    """The HTML of one demo; data: the element that holds what is shown, taken: how it is read.

    sheet: the element that brings a style sheet beside the page, where ``what_pages_share`` is too.
    """
    run = RUN.format(taken=taken)
    script = page_script() + (ALIVE if is_alive else "")
    return PAGE.format(
        title=title.replace("<", "&lt;"),
        theme=DARK_THEME if dark else "",
        styles="\n".join(styles),
        light="false" if dark else "true",
        sheet=sheet,
        data=data,
        waits=WAITS if is_alive else "",
        run=SHARED_MODULE.format(json.dumps(run)) if sheet else MODULE.format(script + run),
    )


def page_script():
    """What shows demos on a page without Jupyter."""
    return LINK + (HERE / "page.mjs").read_text("utf-8")


def what_pages_share():
    """The script that live pages share: the modules of the frame, the letters, what they run."""
    shared = {"modules": list(common_modules().items()), "letters": as_text()}
    shared["script"] = page_script() + ALIVE
    return f"window.shared = {json.dumps(shared)};\n"


def common_modules():
    """{name: text} of the modules that all demos have."""
    found = {}
    for name in COMMON:
        found |= linked(HERE / name)
    return found


def _tree(demo, modules, styles):
    """The demo as page.mjs builds it: boxes in boxes, with the traits of each drawing."""
    header = leaf_of(demo.header, modules, styles)
    header["part"] = "h"
    drawings = [_branch(drawing, modules, styles) for drawing in demo.drawings]
    for number, leaf in enumerate(_leaves(drawings)):
        leaf["part"] = f"d{number}"
    body = {
        "classes": ["demo-body"],
        "children": [{"classes": ["demo-drawings"], "children": drawings}],
    }
    return {"classes": list(demo._dom_classes), "children": [header, body]}


def _leaves(widgets):
    """Those of these boxes and of the boxes in them that have a drawing."""
    for widget in widgets:
        if "traits" in widget:
            yield widget
        yield from _leaves(widget.get("children", ()))


def _branch(widget, modules, styles):
    if isinstance(widget, anywidget.AnyWidget):
        return leaf_of(widget, modules, styles)
    children = [_branch(child, modules, styles) for child in getattr(widget, "children", ())]
    return {"classes": list(widget._dom_classes), "children": children}


def leaf_of(widget, modules, styles):
    """A widget as page.mjs builds it; its modules and its style sheet are added to these."""
    modules |= linked(_script(widget))
    style = str(widget._css)
    if style not in styles:
        styles.append(style)
    traits = {name: _in_json(value) for name, value in traits_of(widget).items()}
    return {"classes": list(widget._dom_classes), "module": _name(widget), "traits": traits}


def _script(widget):
    return SCRIPTS[str(widget._esm)]


def _name(widget):
    """The name of the module that draws it."""
    return list(linked(_script(widget)))[-1]


def traits_of(widget):
    """The traits of a drawing that its JavaScript sees, {name: value}."""
    common = anywidget.AnyWidget.class_traits()
    names = [name for name in widget.traits(sync=True) if name not in common]
    return {name: getattr(widget, name) for name in names if not name.startswith("_")}


def _in_json(value):
    if isinstance(value, bytes):
        return {"base64": b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: _in_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_json(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # as Jupyter sends it
    return value


# -- the browser -----------------------------------------------------------------------------------


@contextmanager
def chromium():
    """A browser without a window. Raises RuntimeError if there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise RuntimeError(
            "Pictures of demos need Playwright, which is not installed. In a browser the demo's "
            "own button Picture saves the same picture."
        ) from None
    path = shutil.which("chromium")
    if path is None:
        raise RuntimeError(
            "Pictures of demos need a program named `chromium`, which is not on this machine: "
            "install it with the system's package manager."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, html):
    """A new page of the browser with a demo, as ``drawn`` has it."""
    context = browser.new_context(viewport=WINDOW)
    try:
        with drawn(context.new_page(), html) as page:
            yield page
    finally:
        context.close()


@contextmanager
def drawn(page, html):
    """The browser's page with a demo, drawn. Raises RuntimeError for what failed in the page."""
    from playwright.sync_api import Error

    problems = []

    def note(error):
        problems.append(str(error.stack or error))

    def serve(route):
        _serve(route, html)

    page.on("pageerror", note)
    page.route("**/*", serve)
    try:
        page.goto(ADDRESS)
        page.evaluate("async () => { await window.ready }")
        yield page
    except Error as error:
        problems.append(error.message)
    finally:
        page.unroute("**/*", serve)
        page.remove_listener("pageerror", note)
    if problems:
        raise RuntimeError("\n".join(["The page of the demo failed:", *problems]))


def _serve(route, html):
    """Only the page itself is served; nothing comes from a network."""
    if route.request.url == ADDRESS:
        route.fulfill(body=html, content_type="text/html; charset=utf-8")
    else:
        route.abort()


def take(browser, html, scale=SLIDE, theme="light"):
    """The picture in a page of ``html_of``, as ``taken`` has it.

    Raises RuntimeError for what failed in the page, and for Chinese letters that no font has.
    """
    with opened(browser, html) as page:
        return taken(page, scale, theme)


def taken(page, scale=SLIDE, theme="light"):
    """The picture of a page that is drawn: {"svg", "png" (bytes), "caption", "question", "title"}.

    scale: of 1280 x 720 pixels; theme: "light", or "page" for the colours of the page.
    """
    made = page.evaluate(TAKE, {"scale": scale, "theme": theme})
    missing = page.evaluate(EMPTY_BOXES, made["svg"])
    if missing:
        raise RuntimeError(NO_FONT.format(letters=missing))
    return {**made, "png": b64decode(made["png"])}


def save(demo, path):
    """Write the demo's picture as it is now, an .svg or a .png of 1920 x 1080.

    Raises ValueError for another kind of file, RuntimeError where there is no browser.
    """
    kind = path.suffix.removeprefix(".")
    if kind not in ("svg", "png"):
        raise ValueError(
            f"{path.name} is no kind of picture; expected a name with .html, .svg or .png."
        )

    def draw():
        with chromium() as browser:
            return take(browser, html_of(demo))

    # In a thread of its own: a notebook's own loop does not let Playwright wait.
    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(draw).result()
    content = made[kind]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
