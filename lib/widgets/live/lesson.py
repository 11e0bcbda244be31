"""A lesson on one page without Python: the panel of plans, and all demos below it.

The clicker, the overview and the black screen are those of JupyterLab (lib/widgets/lesson): all
demos stand in one page, in the order of demos.ipynb.
"""

import json
from html import escape

from lib.widgets.frame.modules import common_style
from lib.widgets.frame.pictures import SCRIPT, common_modules, leaf_of, page_script
from lib.widgets.lesson.lesson import lesson
from lib.widgets.live import SHARED, SHEET, scripts_of, shown_alive_of

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A lesson</title>
{sheet}<style>
body {{ margin: 1em auto; max-width: 62em; font-family: sans-serif; }}
.demo {{ margin: 1em auto; }}
{styles}
</style>
<body data-jp-theme-light="true">
<p><a href="../demos.html">What to ask, and what a hall answers</a></p>
<div id="panel"></div>
<div id="demos"></div>
<script>window.lesson = {lesson};</script>
{scripts}<script type="module">
{script}
{start}
</script>
"""
START = """
const { panel, order } = window.lesson;
const find = (name) => import(loaded[name]);
const place = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.body.setAttribute("data-jp-theme-light", String(!dark.matches));
dark.addEventListener("change", follow);
follow();
for (const [name, text] of [...window.shared.modules, ...panel.modules]) load(name, text);
// demos.html#plan=90 minutes opens that plan, and the address follows another.
const asked = new URLSearchParams(location.hash.slice(1)).get("plan");
if (Object.hasOwn(panel.tree.traits.plans, asked)) panel.tree.traits.plan = asked;
async function open() {
  for (const demo of order) {
    const shown = await unpacked(window.demos[demo]);
    for (const [name, text] of shown.modules) load(name, text);
    await show({ ...window.shared, ...shown }, find, place("demos"));
  }
  const models = {};
  await build(panel.tree, place("panel"), find, models);
  models.panel.on("change:plan", (_, plan) =>
    history.replaceState(null, "", `#plan=${encodeURIComponent(plan)}`));
}
window.ready = open();
"""


def _panel(panel):
    """The panel as page.mjs builds it."""
    modules, shared = {}, common_modules()
    tree = leaf_of(panel, modules, []) | {"part": "panel"}
    own = [(name, text) for name, text in modules.items() if name not in shared]
    return {"modules": own, "tree": tree}


def page_of(demos, plan="90 minutes"):
    """The HTML of the lesson page. demos: their names in SUBJECTS, in their order."""
    panel = lesson(plan)
    sheets = [*(style for name in demos for style in shown_alive_of(name)[1]), str(panel._css)]
    styles = [style.removeprefix(common_style()) for style in dict.fromkeys(sheets)]
    scripts = [script for name in demos for script in scripts_of(name)]
    names = dict.fromkeys([SHARED, *scripts])  # two demos of a kind have one drawing
    return PAGE.format(
        sheet=SHEET,
        styles="\n".join(styles),
        lesson=json.dumps({"panel": _panel(panel), "order": demos}).replace("<", r"\u003c"),
        scripts="".join(SCRIPT.format(escape(name)) for name in names),
        script=page_script(),
        start=START,
    )
