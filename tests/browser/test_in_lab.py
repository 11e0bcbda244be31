"""Every demo in JupyterLab, all on one page: its kernel, its keys, and a kernel that is gone.

What a demo does is tested in a plain page; here, that all of it comes through.
"""

import inspect
import json
import os
import signal
import time
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as NotYet

from tests.browser.walk import Walk, agree, read, twin_of
from tests.widgets import demos
from tests.widgets.demos import EXAMPLES
from tools import browser as jupyter

ACTIONS = 12
PATIENCE = 20  # seconds until the screen must agree: what was sent may still be on its way
START = f"""{Path(demos.__file__).read_text("utf-8")}
import json

import ipywidgets

{inspect.getsource(read)}"""
SOURCES = f"() => [...{jupyter.PANEL}.content.model.cells].map((cell) => cell.sharedModel.source)"
# What the kernel prints, or its traceback.
ASK = f"""async (code) => {{
    const {{ kernel }} = {jupyter.PANEL}.sessionContext.session;
    const said = [];
    const future = kernel.requestExecute({{ code, store_history: false }});
    future.onIOPub = ({{ content }}) =>
        said.push(content.text ?? content.traceback?.join("\\n") ?? "");
    await future.done;
    return said.join("");
}}"""
# What fails in the kernel while it answers a widget stands in no cell.
LISTEN = f"""() => {{
    window.complaints = [];
    {jupyter.PANEL}.sessionContext.iopubMessage.connect((_, {{ header, content }}) => {{
        if (header.msg_type === "error") complaints.push(content.traceback.join("\\n"));
        if (content.name === "stderr") complaints.push(content.text);
    }});
}}"""
MODULES = "() => Object.keys(globalThis.attentionCourse)"
TRIES = 12
ASKED_AGAIN = 5000  # milliseconds: longer than a demo waits for the kernel
GONE = "The kernel behind this demo is gone"


@pytest.fixture(scope="module")
def own_window(lab, browser):
    """What the end of a kernel leaves behind in JupyterLab ends with it."""
    with jupyter.page(lab, browser) as page:
        yield page


@pytest.fixture
def own_page(own_window):
    yield own_window
    own_window.close_all()


def test_a_kernel_that_is_gone_is_told(own_page):
    page, browser, server = own_page, own_page.browser, own_page.server
    server.write("gone.ipynb", "from lib import widgets\n\nwidgets.Bars()")
    page.open("gone.ipynb")
    page.run_all()
    notice = browser.locator(".demo").first.locator(".demo-notice", has_text=GONE)

    def use():
        browser.locator(".demo .noUi-handle").first.focus()
        browser.keyboard.press("ArrowRight")

    def is_answered():
        browser.locator(".demo-title").wait_for()  # the header, which asks the kernel
        use()
        page.wait_until_idle()
        page.settle()
        page.wait_until_idle()

    def is_told():
        for _ in range(TRIES):
            use()  # what came while the kernel or the cell changed may be lost
            try:
                return notice.wait_for(timeout=ASKED_AGAIN)
            except NotYet:
                continue
        return pytest.fail("a kernel that was restarted or shut down is not told of")

    is_answered()
    (kernel,) = server.api("kernels")
    server.api(f"kernels/{kernel['id']}/restart", "POST")
    browser.wait_for_function(jupyter.KERNEL_IS_IDLE)
    is_told()
    page.cell(0).locator(".cm-content").click()
    browser.keyboard.press("Control+Enter")
    notice.wait_for(state="detached")
    is_answered()
    browser.evaluate(f"() => {{ {jupyter.PANEL}.sessionContext.shutdown(); }}")
    browser.wait_for_function(f"() => !{jupyter.PANEL}.sessionContext.session?.kernel")
    is_told()


CHANGED = f"() => {{ const {{ model }} = {jupyter.PANEL}.context; model.dirty = true; }}"
UNSAVED = f"() => {jupyter.PANEL}.context.model.dirty"


def is_checkpoint(answer):
    """The last thing that JupyterLab does when it saves; until then it saves nothing else."""
    return answer.url.partition("?")[0].endswith("/checkpoints") and answer.request.method == "POST"


def test_the_key_that_saves_works_in_a_demo_and_a_letter_stays_its_own(live_in_lab):
    shown = live_in_lab("widgets.Bars()")
    cells = shown.page.cells()
    for part in ("svg[tabindex]", ".noUi-handle", ".demo-reset"):
        shown.page.browser.evaluate(CHANGED)
        shown.demo.locator(part).first.focus()
        with shown.page.browser.expect_response(is_checkpoint):
            shown.keyboard.press("Control+s")
        shown.page.settle()
        assert not shown.page.browser.evaluate(UNSAVED)
        shown.keyboard.press("x")
        shown.page.settle()
        assert shown.page.cells() == cells


TRAINING = """import os
import time

from lib import widgets


def train():
    view.curve.running = True
    time.sleep(600)


print(os.getpid())
view = widgets.Training([[[1.0]]], ["a"], ["b"], 9, question="How many steps?", start=train)
view"""


def test_a_kernel_that_is_killed_in_a_training_is_told_at_once(own_page):
    page, browser = own_page, own_page.browser
    page.server.write("killed.ipynb", TRAINING)
    page.open("killed.ipynb")
    page.run_all()
    demo = browser.locator(".demo").first
    demo.get_by_role("button", name="train").click()
    demo.get_by_role("button", name="Stop").wait_for()
    process = page.cell(0).locator(".jp-OutputArea-output").first.inner_text()
    os.kill(int(process), signal.SIGKILL)
    demo.locator(".demo-notice", has_text=GONE).wait_for()


# Of its answers the page hears the first alone; the kernel knows the demo still.
FORGETFUL = """from lib import widgets

demo = widgets.Bars()
tell, told = demo.header.send, []


def tell_once(message):
    if message not in told:
        told.append(message)
        tell(message)


demo.header.send = tell_once
demo"""
COUNT_QUESTIONS = f"""() => {{
    const {{ kernel }} = {jupyter.PANEL}.sessionContext.session;
    const ask = kernel.requestCommInfo.bind(kernel);
    window.answered = 0;
    kernel.requestCommInfo = async (about) => {{
        const answer = await ask(about);
        setTimeout(() => window.answered++); // after the demo has read it
        return answer;
    }};
}}"""


def test_a_kernel_whose_answer_is_lost_is_not_gone(lab_page):
    """A slow kernel is like that, too, for longer than a test can wait."""
    lab_page.server.write("lost.ipynb", FORGETFUL)
    lab_page.open("lost.ipynb")
    lab_page.run_all()
    lab_page.browser.locator(".demo-title").wait_for()
    lab_page.wait_for_kernel()
    lab_page.browser.evaluate(COUNT_QUESTIONS)
    lab_page.browser.locator(".demo .noUi-handle").first.press("ArrowRight")
    lab_page.browser.wait_for_function("() => window.answered > 0")
    assert lab_page.browser.locator(".demo-notice").text_content() == ""


@pytest.fixture(scope="module")
def page(lab, lab_window):
    """A cell for each demo, all of them run."""
    cells = [f"demo_{name} = EXAMPLES[{name!r}]()\ndemo_{name}" for name in EXAMPLES]
    lab.write("in_lab.ipynb", START, *cells)
    lab_window.open("in_lab.ipynb")
    # Until ipywidgets is there, the kernel does not know what JupyterLab asks it about widgets.
    lab_window.browser.evaluate(ASK, "import ipywidgets")
    lab_window.browser.evaluate(LISTEN)
    before = log_of(lab)
    lab_window.run_all()
    yield lab_window
    assert "Traceback" not in log_of(lab).removeprefix(before)
    lab_window.close_all()


def log_of(server):
    return (server.folder.parent / "server.log").read_text("utf-8", "replace")


class ShortWalk(Walk):
    """A few actions on one demo of the page, as Python and as the screen have them."""

    kinds = {"press": 34, "click": 14, "type": 6}

    def __init__(self, page, name):
        cell = 1 + list(EXAMPLES).index(name)
        super().__init__(page, name, 1, f'.jp-Cell[data-windowed-list-index="{cell}"] .demo')

    def check(self):
        said = self.page.browser.evaluate(ASK, f"print(json.dumps(read(demo_{self.name})))")
        state, shown = json.loads(said), self.shown()
        agree(twin_of(self.name, state), state, shown)

    def check_soon(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.check()
            except Exception:  # between two states anything may be missing
                if time.monotonic() > end:
                    raise


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_demo_works_and_keeps_its_keys(page, name):
    walk = ShortWalk(page, name)
    walk.check_soon()
    sources = page.browser.evaluate(SOURCES)
    try:
        while walk.actions < ACTIONS:
            walk.act()
        walk.check_soon()
    except Exception as error:
        pytest.fail(f"{error}\nactions:\n" + "\n".join(walk.log), pytrace=False)
    assert page.browser.evaluate(SOURCES) == sources, "a key or a click reached the cells"
    assert page.errors() == [] and page.outside == []
    assert page.browser.evaluate("() => complaints") == []


def test_all_demos_of_a_page_share_one_frame(page):
    loaded = [name.rpartition("-")[0] for name in page.browser.evaluate(MODULES)]
    for part in ("frame", "header", "scene", "stage"):
        assert loaded.count(part) == 1
