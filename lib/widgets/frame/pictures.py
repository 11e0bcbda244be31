"""Pictures of demos: a page without Jupyter, a browser that draws it, and when to draw anew.

``html_of`` writes a demo as one HTML page that needs neither Python nor a network; picture.mjs, in
that page, turns it into an SVG and a PNG. ``key_of`` says in a few letters what a picture depends
on: it is taken anew only when these change.
"""

import json
import math
import shutil
from base64 import b64decode, b64encode
from contextlib import contextmanager
from pathlib import Path

import anywidget

HERE = Path(__file__).parent
VERSION = 1  # raise it to take every picture anew
WINDOW = {"width": 1280, "height": 720}
ADDRESS = "http://127.0.0.1/"  # of the page; it is handed over, no server is asked
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

# The colours of JupyterLab Dark.
DARK_THEME = """background: #111; --jp-ui-font-color0: #fff; --jp-layout-color1: #111;
--jp-layout-color2: #212121; --jp-border-color1: #424242"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 0; {theme} }}
.demo {{ margin: auto }}
{styles}
</style>
<body data-jp-theme-light="{light}">
<script type="application/json" id="shown">{shown}</script>
<script type="module">
{script}
// Each module from a Blob, as anywidget does it.
function load(text) {{
  return import(URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }})));
}}
window.ready = show(JSON.parse(document.getElementById("shown").textContent), load);
</script>
"""
TAKE = """async (options) => {
    const header = await window.ready;
    const made = await header.picture(document.querySelector(".demo"), options);
    const bytes = new Uint8Array(await made.png.arrayBuffer());
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte));
    return { ...made, png: btoa(letters.join("")) };
}"""


# -- the page --------------------------------------------------------------------------------------


def html_of(demo, dark=False):
    """A page that shows the demo's drawings as they are now, without its controls.

    dark: in the dark theme's colours.
    """
    modules, styles = [], []
    tree = _tree(demo, modules, styles)
    shown = json.dumps({"modules": modules, "tree": tree}).replace("<", r"\u003c")
    return PAGE.format(
        title=demo.header.title.replace("<", "&lt;"),
        theme=DARK_THEME if dark else "",
        styles="\n".join(styles),
        light="false" if dark else "true",
        shown=shown,
        script=(HERE / "still.mjs").read_text("utf-8"),
    )


def _tree(demo, modules, styles):
    """The demo as still.mjs builds it: boxes in boxes, with the traits of each drawing."""
    header = _leaf(demo.header, modules, styles)  # the first of the modules: it has the picture
    drawings = [_branch(drawing, modules, styles) for drawing in demo.drawings]
    body = {
        "classes": ["demo-body"],
        "children": [{"classes": ["demo-drawings"], "children": drawings}],
    }
    return {"classes": list(demo._dom_classes), "children": [body, header]}


def _branch(widget, modules, styles):
    if isinstance(widget, anywidget.AnyWidget):
        return _leaf(widget, modules, styles)
    children = [_branch(child, modules, styles) for child in getattr(widget, "children", ())]
    return {"classes": list(widget._dom_classes), "children": children}


def _leaf(widget, modules, styles):
    script, style = str(widget._esm), str(widget._css)
    for text, known in ((script, modules), (style, styles)):
        if text not in known:
            known.append(text)
    traits = {name: _in_json(value) for name, value in traits_of(widget).items()}
    return {
        "classes": list(widget._dom_classes),
        "module": modules.index(script),
        "traits": traits,
    }


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
    """The browser's page of a demo, drawn. Raises RuntimeError for what failed in the page."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error.stack or error)))
    page.route("**/*", lambda route: _serve(route, html))
    try:
        page.goto(ADDRESS)
        page.evaluate("async () => { await window.ready }")
        yield page
        if problems:
            raise RuntimeError("\n".join(["The page of the demo failed:", *problems]))
    finally:
        context.close()


def _serve(route, html):
    """Only the page itself is served; nothing comes from a network."""
    if route.request.url == ADDRESS:
        route.fulfill(body=html, content_type="text/html; charset=utf-8")
    else:
        route.abort()


def take(browser, html, scale=1.5, theme="light"):
    """The picture in a page of ``html_of``: {"svg", "png" (bytes), "caption", "title"}.

    scale: of 1280 x 720 pixels; theme: "light", or "page" for the colours of the page.
    """
    with opened(browser, html) as page:
        made = page.evaluate(TAKE, {"scale": scale, "theme": theme})
    return {**made, "png": b64decode(made["png"])}
