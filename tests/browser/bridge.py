"""Demos in a plain page of Chromium, their Python objects in the process of the test: no kernel.

The page has the real controls of ipywidgets and the real anywidget, from the installed packages.
What a widget's model sends is handled at once, and what Python changes travels back as the answer:
when ``settle`` returns, the page shows all that came of the last action.
"""

import ast
import io
import json
import logging
import sys
import warnings
from base64 import b64decode, b64encode
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from types import ModuleType
from unittest import mock

import anywidget
import comm
import widgetsnbextension
from comm.base_comm import BaseComm
from jupyter_client.session import json_packer

from lib.widgets.frame.letters import forget
from tools import browser as jupyter

HERE = Path(__file__).parent
THEMES = Path(sys.prefix, "share/jupyter/lab/themes/@jupyterlab")
FILES = {
    "": HERE / "page.html",
    "bridge.js": HERE / "bridge.js",
    "ipywidgets.js": Path(widgetsnbextension.__file__).parent / "static/extension.js",
    "anywidget.js": Path(anywidget.__file__).parent / "nbextension/index.js",
    "light.css": THEMES / "theme-light-extension/index.css",
    "dark.css": THEMES / "theme-dark-extension/index.css",
}
ADDRESS = "http://127.0.0.1"  # handed over by the test, no server is asked
THEME = """async (name) => {
    const answer = await fetch(`${name}.css`);
    document.querySelector("#theme").textContent = await answer.text();
    document.body.dataset.jpThemeLight = String(name === "light");
}"""


class BridgedComm(BaseComm):
    """The way of one widget to the page: what it sends is kept until the page is ready for it."""

    def __init__(self, bridge, **opened):
        self.bridge = bridge
        super().__init__(**opened)
        bridge.comms[self.comm_id] = self

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_):
        letters = [b64encode(buffer).decode() for buffer in buffers or []]
        message = {"type": msg_type, "comm": self.comm_id, "data": data, "buffers": letters}
        self.bridge.sent.append(json_packer(message).decode())  # what is sent may change later


class Bridge(logging.Handler):
    """The messages between the widgets that are made meanwhile and a page, and what failed."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.sent, self.comms, self.complaints = [], {}, []

    def emit(self, record):
        """ipywidgets logs what fails in a callback."""
        self.complaints.append(self.format(record))

    @contextmanager
    def listening(self):
        """Inside, new widgets can be shown in the page, and what fails or warns is a complaint."""
        log = logging.getLogger("traitlets")
        log.addHandler(self)
        try:
            with (
                mock.patch.object(comm, "create_comm", partial(BridgedComm, self)),
                warnings.catch_warnings(record=True) as caught,
            ):
                warnings.simplefilter("default")
                yield
        finally:
            log.removeHandler(self)
        self.complaints += [str(warning.message) for warning in caught]

    def take(self):
        """What was sent since the last time, as JSON."""
        messages = f"[{','.join(self.sent)}]"
        self.sent.clear()
        return messages

    def answer(self, text):
        """Hand a message of the page to its widget; what the widgets send meanwhile."""
        message = json.loads(text)
        buffers = [memoryview(b64decode(letters)) for letters in message["buffers"]]
        with self.listening():
            to = self.comms[message["comm"]]
            to.handle_msg({"content": {"data": message["data"]}, "buffers": buffers})
        return self.take()


class PlainPage(jupyter.Page):
    """A page of demos, with the face of a page of Jupyter."""

    def __init__(self, window):
        super().__init__(jupyter.Server("plain", ADDRESS, "", HERE), window)
        window.expose_function("askPython", lambda message: self.bridge.answer(message))
        self.load()

    def load(self):
        """Load the page: no demo, no memory."""
        self.bridge = Bridge()
        forget()
        self.browser.goto(f"{ADDRESS}/")
        self.theme("light")

    def clear(self):
        """No demo, and the window as at first: a fresh page, in a tenth of its time."""
        self.browser.mouse.up()
        self.reset_window()
        if self.errors():
            self.load()  # what has failed may have left anything behind
        else:
            self.settle()
            self.bridge = Bridge()
            self.browser.evaluate("() => bridge.clear()")
            self.theme("light")
        self.problems.clear()

    def _only_this_server(self, route):
        path = FILES.get(route.request.url.removeprefix(f"{ADDRESS}/"))
        if path is None:
            super()._only_this_server(route)
        else:
            route.fulfill(path=path)

    def show(self, *makers):
        """Show the demos that these functions make instead of those before; a list of them."""
        with self.bridge.listening():
            demos = [make() for make in makers]
        shown = [self.bridge.take(), [demo.model_id for demo in demos]]
        self.browser.evaluate("([messages, ids]) => bridge.show(messages, ids)", shown)
        self.settle()
        return demos

    def run(self, act):
        """What ``act()`` returns, a function that reads or changes demos, as a cell would do it."""
        self.settle()
        with self.bridge.listening():
            result = act()
        self.browser.evaluate("(messages) => bridge.apply(messages)", self.bridge.take())
        self.settle()
        return result

    def settle(self):
        """Wait until Python has done what the page asked of it, and the page shows it."""
        self.browser.evaluate("() => bridge.settled()")

    wait_until_idle = wait_for_kernel = settle

    def theme(self, name):
        self.browser.evaluate(THEME, name)
        self.settle()

    def demos(self):
        return self.browser.locator("main .demo").all()

    def errors(self):
        """What failed in Python or in JavaScript: empty when all is well."""
        return self.problems + self.bridge.complaints


@contextmanager
def plain(browser):
    """A fresh page without Jupyter and without a kernel, where nothing glides."""
    with browser.new_context(viewport=jupyter.VIEWPORT, reduced_motion="reduce") as context:
        context.set_default_timeout(jupyter.TIMEOUT)
        yield PlainPage(context.new_page())


class Cells:
    """Code that shares its names, as the cells of a notebook do."""

    def __init__(self):
        self.names = vars(ModuleType("cells"))

    def run(self, code):
        """Run the code; the value of its last line, if that has one."""
        body = ast.parse(code).body
        last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), self.names)
        return last and eval(compile(last, "<cell>", "eval"), self.names)

    def output(self, code):
        """Run the code; what a notebook would show under it."""
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = self.run(code)
            if value is not None:
                print(repr(value))
        return printed.getvalue().strip()
