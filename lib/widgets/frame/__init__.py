"""The frame that every demo stands in: title, prediction question, controls, drawing, reset, full screen, picture.

Python computes, JavaScript draws. A Demo owns ipywidgets controls and anywidget drawings; when a control moves,
``update`` calls lib and hands the numbers to the drawings.
"""

import re
from base64 import b64encode
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from lib import colours, plots

HERE = Path(__file__).parent
WIDGETS = HERE.parent


# The scripts of the header, in the order in which they are joined; the last one has its render.
HEADER = ("full_screen", "clicker", "kernel", "shortcuts", "header")
IMPORT = re.compile(r'^import [^;]* from "\./(frame/)?\w+\.mjs";\n', re.MULTILINE)
DARK_THEMES = (
    'body[data-jp-theme-light="false"] .demo',  # JupyterLab and Notebook
    "body.vscode-dark .demo",
    'html[theme="dark"] .demo',
)


def custom_properties(selector, table):
    """A CSS rule with one custom property for each colour, as --query: #...;"""
    lines = [f"  --{name}: {colour};\n" for name, colour in table.items()]
    return f"{selector} {{\n{''.join(lines)}}}\n"


def sources(name):
    """The JavaScript and CSS of one drawing: what is shared, then NAME.mjs and NAME.css.

    A widget's module is loaded from a Blob and cannot import its neighbours, so the lines that
    import them (which the tests need) are replaced by the text of these files.
    """
    own = [WIDGETS / f"{name}.mjs"]
    if name == "header":
        own = [HERE / f"{part}.mjs" for part in HEADER]
    scripts = [path.read_text("utf-8") for path in (HERE / "frame.mjs", *own)]
    script = "".join(IMPORT.sub("", text) for text in scripts)
    light = custom_properties(".demo", colours.LIGHT)
    dark = custom_properties(",\n".join(DARK_THEMES), colours.DARK)
    styles = [HERE / "frame.css", WIDGETS / f"{name}.css"]
    texts = [path.read_text("utf-8") for path in styles if path.exists()]
    return script, "".join([light, dark, *texts])


def button(description, act):
    """A button that calls ``act()``."""
    made = ipywidgets.Button(description=description)
    made.on_click(lambda _: act())
    return made


class Drawing(anywidget.AnyWidget):
    """An anywidget whose traits named in ``state`` can be changed by the reader and are put back by Reset."""

    state = ()


class Header(anywidget.AnyWidget):
    _esm, _css = sources("header")
    title = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)


class Demo(ipywidgets.VBox):
    """One demo. Subclasses make controls and drawings, then override ``update`` and ``draw``.

    controls: ipywidgets, each with a value (or buttons); drawings: Drawing instances, or widgets that only show.
    """

    height = 3.2  # of the picture, in inches

    def __init__(self, title, question, controls, drawings):
        self.header = Header(title=title, question=question)
        self.header.on_msg(lambda _, content, __: self._answer(content.get("type")))
        self.controls, self.drawings = list(controls), list(drawings)
        columns = [_box(self.controls, "demo-controls")] if self.controls else []
        body = ipywidgets.HBox([*columns, _box(self.drawings, "demo-drawings")])
        body.add_class("demo-body")
        super().__init__(
            [body, self.header]
        )  # the Tab key's order; the style sheet shows the header on top
        self.add_class("demo")
        adjustable = [(control, "value") for control in self.controls if control.has_trait("value")]
        adjustable += [
            (drawing, name) for drawing in self.drawings for name in getattr(drawing, "state", ())
        ]
        self.refresh()
        self._start = [(widget, name, getattr(widget, name)) for widget, name in adjustable]
        for control in self.controls:
            if control.has_trait("value"):
                control.observe(self.refresh, "value")

    def refresh(self, _change=None):
        """Compute and show again; a ValueError becomes a sentence in the frame and the last picture stays."""
        try:
            self.header.message = self.update() or ""
        except ValueError as error:
            self.header.message = str(error)

    def reset(self):
        """Put every control and drawing back to where it was at the start."""
        for widget, name, value in self._start:
            setattr(widget, name, value)
        self.refresh()

    def _answer(self, kind):
        if kind == "reset":
            self.reset()
        elif kind == "ping":
            self.header.send({"type": "pong"})

    def update(self):
        """Read the controls, compute with lib, set the drawings' traits; may return a sentence for the frame."""

    def draw(self, figure):
        """Draw the present state on a matplotlib figure, for those who cannot run the page."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs)
        figure = plots.figure(7, self.height)
        figure.suptitle(self.header.title, fontweight="bold")
        self.draw(figure)
        data["image/png"] = b64encode(plots.png(figure)).decode()
        return data, {"image/png": {"width": 672}}

    def __repr__(self):
        values = (f"{c.description}={c.value}" for c in self.controls if c.has_trait("value"))
        return f"{type(self).__name__}({', '.join(values)})"


def _box(children, name):
    box = ipywidgets.VBox(children)
    box.add_class(name)
    return box
