"""A lesson on one page without Python: the panel of plans, and all demos below it.

The clicker, the overview and the black screen are those of JupyterLab (lib/widgets/lesson): all
demos stand in one page, in the order of demos.ipynb.
"""

import json
from html import escape

from lib.widgets.frame import Demo
from lib.widgets.frame.modules import common_style
from lib.widgets.frame.pictures import SCRIPT, common_modules, leaf_of, page_script, shown_of
from lib.widgets.lesson.lesson import lesson
from lib.widgets.live import SHARED, SHEET, scripts_of, shown_alive_of

PICTURE_SAYS = "Its picture: this demo moves where the page runs."
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A lesson</title>
{sheet}<style>
body {{ margin: 1em auto; max-width: 62em; font-family: sans-serif; }}
.demo {{ margin: 1em auto; }}
.pictured {{ width: 100%; min-height: 0; object-fit: contain; }}
.pictured[hidden], .demo .pictured + .demo-next[hidden] {{ display: none; }}
.demo.demo .demo-drawings > .pictured + .demo-next {{ flex: none; align-self: end; }}
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
/** A picture holds the answer: it is shown when it is asked for. */
function addPicture(demo, { address, says }) {
  const image = document.createElement("img");
  Object.assign(image, { src: address, alt: says, className: "pictured", hidden: true });
  const button = document.createElement("button");
  Object.assign(button, { className: "demo-next", textContent: "Show" });
  button.addEventListener("click", () => {
    image.hidden = false;
    button.hidden = true;
  });
  demo.addEventListener("demo-reset", () => {
    image.hidden = true;
    button.hidden = false;
  });
  demo.querySelector(".demo-drawings").append(image, button);
}
// So that Enter shows it.
document.addEventListener("fullscreenchange", () =>
  document.fullscreenElement?.querySelector(".pictured[hidden] + .demo-next")?.focus());
async function open() {
  for (const { data, picture } of order) {
    const shown = window.demos[data] ?? picture;
    for (const [name, text] of shown.modules) load(name, text);
    await show({ ...window.shared, ...shown }, find, place("demos"));
    if (picture) addPicture(place("demos").lastElementChild, picture);
  }
  const models = {};
  await build(panel.tree, place("panel"), find, models);
  models.panel.on("change:plan", (_, plan) =>
    history.replaceState(null, "", `#plan=${encodeURIComponent(plan)}`));
}
window.ready = open();
"""


class Pictured(Demo):
    """A demo of which there is only a picture."""

    def __init__(self, title, question):
        super().__init__(question, [], [], title)

    def update(self):
        return PICTURE_SAYS


def _pictured(kind, address, says):
    """A demo's frame, in which its picture stands."""
    title, _, rest = says.partition(". ")
    demo = Pictured(title, rest[: rest.rindex("?") + 1])
    shown, styles = shown_of(demo)
    classes = [f"demo-{kind}" if one == "demo-Pictured" else one for one in demo._dom_classes]
    tree = shown["tree"] | {"classes": classes}
    of_its_own = {"modules": [], "tree": tree, "address": address, "says": says}
    return shown | of_its_own, styles  # its header is among the modules that all share


def _panel(panel):
    """The panel as page.mjs builds it."""
    modules, shared = {}, common_modules()
    tree = leaf_of(panel, modules, []) | {"part": "panel"}
    own = [(name, text) for name, text in modules.items() if name not in shared]
    return {"modules": own, "tree": tree}


def page_of(demos, plan="90 minutes"):
    """The HTML of the lesson page.

    demos: of each demo, in their order: (its class's name if it has no file, the name of its file
    or "", the address of its picture, its alternative text).
    """
    order, sheets = [], []
    for kind, data, address, says in demos:
        if data:
            shown, styles = shown_alive_of(data)
            order.append({"data": data})
        else:
            shown, styles = _pictured(kind, address, says)
            order.append({"picture": shown})
        sheets += [style for style in styles if style not in sheets]
    panel = lesson(plan)
    styles = [style.removeprefix(common_style()) for style in [*sheets, str(panel._css)]]
    scripts = [name for one in order if "data" in one for name in scripts_of(one["data"])]
    names = dict.fromkeys([SHARED, *scripts])  # two demos of a kind have one drawing
    return PAGE.format(
        sheet=SHEET,
        styles="\n".join(styles),
        lesson=json.dumps({"panel": _panel(panel), "order": order}).replace("<", r"\u003c"),
        scripts="".join(SCRIPT.format(escape(name)) for name in names),
        script=page_script(),
        start=START,
    )
