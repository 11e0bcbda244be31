"""JupyterLab and Notebook 7 in a real browser, for tests, tools/screenshots.py and the benchmarks.

    with server("lab") as lab, chromium() as browser, page(lab, browser) as p:
        p.open("01_dot_products.ipynb")
        p.run_all()
        assert p.errors() == []

The server works on a copy of `notebooks/`, `lib/` and `figures/` in a temporary folder, so a
committed notebook never changes. Every request that does not go to this server is aborted and
listed in `Page.outside`. Nothing here sleeps for a fixed time: each step waits for a state.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Locator, Route
from playwright.sync_api import Page as BrowserPage

from tools.course import ROOT, write_notebook

COPIED = ("notebooks", "lib", "figures")
VIEWPORT = {"width": 1280, "height": 900}
PROJECTOR = {"width": 1280, "height": 720}
TIMEOUT = 60_000  # milliseconds, for a slow machine; a good run needs a few seconds
# Milliseconds: a page that trains models, on a machine that does other things too.
SLOWEST = 240_000
# The notebook panel is the current widget both in JupyterLab and in Notebook 7.
PANEL = "window.jupyterapp?.shell?.currentWidget"
KERNEL_IS_IDLE = f"() => {PANEL}?.sessionContext?.session?.kernel?.status === 'idle'"
# Asked after whatever the page has sent, so answered after it.
KERNEL_ANSWERS = f"""async () => {{
    await {PANEL}.sessionContext.session.kernel.requestKernelInfo();
}}"""
# The promise is kept on `window`: a promise returned by `commands.execute` cannot travel to Python.
COMMAND = """([name, args]) => {
    window.commandState = "running";
    window.jupyterapp.commands.execute(name, args).then(
        () => { window.commandState = "done"; },
        (error) => { window.commandState = String(error); });
}"""
COMMAND_IS_OVER = "() => window.commandState !== 'running'"
# One demo may lie above another: a presenter's clicker goes from demo to demo in full screen.
LEAVE_FULL_SCREEN = (
    "async () => { while (document.fullscreenElement) await document.exitFullscreen(); }"
)
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
NOTHING_RUNS = f"""() => {{
    const all = (selector) => [...document.querySelectorAll(selector)];
    const texts = (selector) => all(selector).map((one) => one.textContent);
    return {PANEL}.sessionContext.session.kernel.status === "idle"
        && !texts(".jp-InputPrompt").some((text) => text.includes("[*]"))
        && !texts(".jp-OutputArea-output").includes("Loading widget...");
}}"""
OPENED = f"""(path) => {{
    const {{ context, content }} = {PANEL} ?? {{}};
    return context?.path === path && context.isReady && content.widgets.length > 0;
}}"""
# Its kernel is ended by Jupyter itself, which would look for it otherwise. Disposed of, not closed:
# a notebook that was changed would ask whether to save it.
CLOSE_ALL = """async () => {
    for (const widget of [...(window.jupyterapp?.shell.widgets("main") ?? [])]) {
        await widget.sessionContext?.shutdown();
        widget.dispose();
    }
}"""
FAILED_OUTPUTS = f"""() => {{
    const found = [];
    const cells = {PANEL}.content.model.cells;
    for (let i = 0; i < cells.length; i++) {{
        const cell = cells.get(i);
        const tags = cell.getMetadata("tags") ?? [];
        if (cell.type !== "code" || tags.includes("raises-exception")) continue;
        for (let j = 0; j < cell.outputs.length; j++) {{
            const {{ output_type, ename, evalue, name, text }} = cell.outputs.get(j).toJSON();
            if (output_type === "error") found.push(`cell ${{i}}: ${{ename}}: ${{evalue}}`);
            if (name === "stderr") found.push(`cell ${{i}}: stderr: ${{[text].flat().join("")}}`);
        }}
    }}
    return found;
}}"""


@dataclass(frozen=True)
class Server:
    """A running server.

    `kind` is "lab", "notebook" or "voila", `folder` its root, `url` ends without a slash.
    """

    kind: str
    url: str
    token: str
    folder: Path

    @property
    def notebooks(self) -> Path:
        return self.folder / "notebooks"

    def write(self, name: str, *sources: str) -> None:
        """Write a notebook of these code cells, the first of which finds lib."""
        write_notebook(self.notebooks / name, *sources)

    def address(self, notebook: str) -> str:
        """The page of a notebook given by its path under `notebooks/`."""
        if self.kind == "lab":
            return f"{self.url}/doc/tree/notebooks/{notebook}?token={self.token}"
        return f"{self.url}/notebooks/notebooks/{notebook}?token={self.token}"

    def api(self, path: str, method: str = "GET"):
        """Call the server's REST interface and return the decoded answer (None if it is empty)."""
        request = urllib.request.Request(
            f"{self.url}/api/{path}",
            method=method,
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or "null")

    def interrupt_kernels(self) -> None:
        for kernel in self.api("kernels"):
            self.api(f"kernels/{kernel['id']}/interrupt", "POST")

    def stop_kernels(self) -> None:
        for kernel in self.api("kernels"):
            self.api(f"kernels/{kernel['id']}", "DELETE")


@contextmanager
def server(kind: str = "lab") -> Iterator[Server]:
    """Run JupyterLab ("lab"), Notebook 7 ("notebook") or the demos in Voila ("voila").

    It works on a copy of the course and has no settings but its own.
    """
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as temporary:
        private = Path(temporary)
        folder = private / "course"
        folder.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(
                    ROOT / name,
                    folder / name,
                    ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"),
                )
        (folder / "notebooks").mkdir(exist_ok=True)
        _switch_off_autosave(private)
        running = Server(kind, f"http://127.0.0.1:{_free_port()}", "course", folder)
        log = private / "server.log"
        with log.open("w") as stream:
            process = subprocess.Popen(
                _command(running),
                cwd=folder,
                env=_environment(private),
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_until_up(running, process, log)
            yield running
        finally:
            process.terminate()  # the server stops its kernels before it ends
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _switch_off_autosave(private: Path) -> None:
    """A page that a test has run must not be saved: a fresh one is not trusted."""
    setting = private / "settings/@jupyterlab/docmanager-extension/plugin.jupyterlab-settings"
    setting.parent.mkdir(parents=True)
    setting.write_text('{"autosave": false}', "utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _command(running: Server) -> list[str]:
    port = running.url.rpartition(":")[2]
    if running.kind == "voila":
        return [
            sys.executable,
            "-m",
            "voila",
            "notebooks/demos.ipynb",
            "--no-browser",
            f"--port={port}",
        ]
    # What start.py runs, so that the tests see what a reader sees.
    lab = ("LabApp", "-I", str(ROOT / "tools" / "lab.py"))
    notebook = ("JupyterNotebookApp", "-m", "notebook")
    app, *program = {"lab": lab, "notebook": notebook}[running.kind]
    return [
        *(sys.executable, *program, "--no-browser", "--allow-root"),
        # Not the short `--expose-app-in-browser`: Notebook shares that name with Lab.
        f"--{app}.expose_app_in_browser=True",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={running.token}",
        f"--ServerApp.root_dir={running.folder}",
        "--LabApp.news_url=",
    ]


def _environment(private: Path) -> dict[str, str]:
    foreign = ("PYTHONPATH", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH")
    return {name: value for name, value in os.environ.items() if name not in foreign} | {
        "JUPYTER_CONFIG_DIR": str(private / "config"),
        "JUPYTER_DATA_DIR": str(private / "data"),
        "JUPYTER_RUNTIME_DIR": str(private / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(private / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(private / "workspaces"),
        "IPYTHONDIR": str(private / "ipython"),
        "LIB_MINE": "off",  # what a test solves is not kept
        "OMP_NUM_THREADS": "1",
    }


def _wait_until_up(running: Server, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            running.api("status")
            return
        except urllib.error.HTTPError:
            return  # Voila has no such page, but it answers
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)  # between two questions: the server cannot say that it is up
    raise RuntimeError(f"Jupyter ({running.kind}) did not start:\n{log.read_text()[-2000:]}")


@contextmanager
def page(running: Server, browser: Browser) -> Iterator["Page"]:
    """A fresh page for one notebook, where nothing glides; its kernel is stopped at the end."""
    options = {"viewport": VIEWPORT, "service_workers": "block", "reduced_motion": "reduce"}
    context = browser.new_context(**options)
    context.set_default_timeout(TIMEOUT)
    try:
        yield Page(running, context.new_page())
    finally:
        context.close()
        running.stop_kernels()


@dataclass
class Page:
    """One notebook in the browser.

    `browser` is the Playwright page, for everything not offered here.
    """

    server: Server
    browser: BrowserPage
    outside: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.browser.context.route("**/*", self._only_this_server)
        self.browser.on(
            "websocket",
            lambda socket: self._is_inside(socket.url) or self.outside.append(socket.url),
        )
        self.browser.on(
            "pageerror", lambda error: self.problems.append(f"uncaught: {error.stack or error}")
        )
        self.browser.on("console", self._note_console)

    def _is_inside(self, url: str) -> bool:
        host = self.server.url.partition("://")[2]
        return url.startswith((f"http://{host}/", f"ws://{host}/", "data:", "blob:"))

    def _only_this_server(self, route: Route) -> None:
        if self._is_inside(route.request.url):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()

    def _note_console(self, message: ConsoleMessage) -> None:
        # A missing file is a problem of the course only when a page asks for it, and that shows up
        # as an outside request, a broken link in tests/pages or an exception; Jupyter itself asks
        # for optional files.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")

    # -- the notebook ------------------------------------------------------------------------------

    def open(self, notebook: str) -> None:
        """Open `notebooks/NOTEBOOK`, in the JupyterLab that is there, and wait until it is idle."""
        if self.browser.url.startswith(f"{self.server.url}/doc"):
            self.command("docmanager:open", {"path": f"notebooks/{notebook}"})
        else:
            self.browser.goto(self.server.address(notebook))
        self.browser.wait_for_function(OPENED, arg=f"notebooks/{notebook}")
        self.browser.wait_for_selector(".jp-NotebookPanel .jp-Cell", state="attached")
        self.browser.wait_for_function(KERNEL_IS_IDLE)
        self.browser.wait_for_selector("#jupyterlab-splash", state="detached")
        self.problems.clear()  # nothing of the course has run yet: these are of Jupyter's own start

    def close_all(self) -> None:
        """Close what is open in JupyterLab, unsaved, and end its kernels."""
        self.reset_window()
        self.browser.evaluate(CLOSE_ALL)
        self.server.stop_kernels()

    def reset_window(self) -> None:
        """Set back what a test may have changed of the window."""
        self.browser.evaluate(LEAVE_FULL_SCREEN)
        self.browser.set_viewport_size(VIEWPORT)
        self.browser.emulate_media(
            reduced_motion="reduce", forced_colors="none", color_scheme="light"
        )
        self.browser.mouse.move(0, 0)
        self.outside.clear()

    def let_glide(self) -> None:
        """From here on marks glide, as on a reader's screen."""
        self.browser.emulate_media(reduced_motion="no-preference")

    def command(self, name: str, args: dict | None = None) -> None:
        """Execute a command of the Jupyter application and wait until it is over."""
        self.browser.evaluate(COMMAND, [name, args or {}])
        self.browser.wait_for_function(COMMAND_IS_OVER, timeout=SLOWEST, polling=100)
        state = self.browser.evaluate("() => window.commandState")
        if state != "done":
            raise RuntimeError(f"The command {name} failed: {state}")

    def run_all(self) -> None:
        """Run every cell, and wait until nothing runs and every widget is drawn."""
        self.command("notebook:run-all-cells")
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until no cell runs, the kernel is idle and no widget is loading."""
        self.browser.wait_for_function(NOTHING_RUNS, timeout=SLOWEST, polling=100)

    def wait_for_kernel(self) -> None:
        """Wait until the kernel has done what the page asked of it, and the page shows it."""
        self.browser.evaluate(KERNEL_ANSWERS)
        self.settle()

    def theme(self, name: str) -> None:
        """Choose the "dark" or the "light" theme, and wait until the page has it."""
        self.command("apputils:change-theme", {"theme": f"JupyterLab {name.title()}"})
        light = "false" if name == "dark" else "true"
        self.browser.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")
        # Two themes within the life of the splash screen: JupyterLab would remove it twice.
        self.browser.wait_for_selector("#jupyterlab-splash", state="detached")
        self.settle()

    def settle(self) -> None:
        """Wait for two animation frames, so that what was changed is drawn."""
        self.browser.evaluate(TWO_FRAMES)

    # -- what is on it -----------------------------------------------------------------------------

    def cells(self) -> int:
        return self.browser.evaluate(f"() => {PANEL}.content.model.cells.length")

    def cell(self, index: int) -> Locator:
        """The cell of this index (from 0, markdown cells counted), scrolled into view."""
        self.browser.evaluate(f"(i) => {{ {PANEL}.content.scrollToItem(i); }}", index)
        return self.browser.locator(f'.jp-Cell[data-windowed-list-index="{index}"]')

    def demos(self) -> list[Locator]:
        """Every demo on the page."""
        return self.browser.locator(".jp-OutputArea-output .demo").all()

    def errors(self) -> list[str]:
        """Tracebacks and warnings in the outputs, JavaScript errors: empty when all is well."""
        return self.browser.evaluate(FAILED_OUTPUTS) + self.problems

    @contextmanager
    def full_screen(self, demo: Locator) -> Iterator[Locator]:
        """Inside, `demo` fills a projector of 1280 × 720. Yields what is in full screen."""
        before = self.browser.viewport_size
        self.browser.set_viewport_size(PROJECTOR)
        demo.locator(".demo-full-screen").press("Enter")
        self.browser.wait_for_function("() => document.fullscreenElement")
        self.settle()
        try:
            yield self.browser.locator(":fullscreen").last
        finally:
            self.browser.evaluate(LEAVE_FULL_SCREEN)
            self.browser.set_viewport_size(before)
            self.settle()
