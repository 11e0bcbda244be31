"""The JavaScript and CSS of a drawing, as anywidget takes them: ``sources``."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from lib.charts import colours

HERE = Path(__file__).parent
STYLES = ("frame", "controls", "stage")
IMPORT = re.compile(r'from "(\.[./\w]+\.mjs)"')
# A widget's module is loaded from a Blob, which has no neighbours to import: each of them becomes a
# Blob too, the first time that a demo of the page needs it.
LINK = """const loaded = (globalThis.attentionCourse ??= {});
function load(name, text) {
  if (loaded[name]) return;
  const linked = text.replace(/from "@(.+?)"/g, (_, other) => `from "${loaded[other]}"`);
  loaded[name] = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
}
"""
LOADER = """{link}for (const [name, text] of {modules}) load(name, text);
// Not awaited here: anywidget gives a module two seconds, and a busy machine may need more.
export const drawing = import(loaded[{name}]);
async function render(given) {{
  const made = await drawing;
  if (!given.signal.aborted) made.default.render(given);
}}
export default {{ render }};
"""
SCRIPTS = {}  # by the text that loads it
DARK_THEMES = (
    'body[data-jp-theme-light="false"] .demo',  # JupyterLab and Notebook
    "body.vscode-dark .demo",
    'html[theme="dark"] .demo',
)
# The colours of Jupyter's theme; without them frame.css has light ones.
PAGE_COLOURS = {
    "jp-ui-font-color0": "initial",
    "jp-layout-color1": "initial",
    "jp-layout-color2": "initial",
    "jp-border-color1": "initial",
}
# Where the system forces its colours, it says whether its paper is dark; the page's theme does not.
FORCED = "@media (forced-colors: active) and (prefers-color-scheme: {scheme}) {{\n{rule}}}\n"
PICTURE = ".demo.picture-host.picture-host"  # always light: it overrules the dark themes


def custom_properties(selector, table):
    """A CSS rule with one custom property for each colour, as --query: #...;"""
    lines = [f"  --{name}: {colour};\n" for name, colour in table.items()]
    return f"{selector} {{\n{''.join(lines)}}}\n"


def forced_colours():
    """CSS rules with the colours of data on the system's light or dark paper."""
    rules = []
    for scheme, table in (("light", colours.LIGHT), ("dark", colours.DARK)):
        rule = custom_properties(".demo.demo", table)
        rules.append(FORCED.format(scheme=scheme, rule=rule))
    return "".join(rules)


@cache
def linked(path):
    """{name: text} of a module and of all that it imports, the module itself last.

    A name ends in letters made of the text, and of what it imports: pages with two versions of the
    course share no module by mistake.
    """
    found, names = {}, {}
    text = path.read_text("utf-8")
    for other in IMPORT.findall(text):
        below = linked((path.parent / other).resolve())
        found |= below
        names[other] = list(below)[-1]
    text = IMPORT.sub(lambda one: f'from "@{names[one[1]]}"', text)
    letters = hashlib.sha256(text.encode()).hexdigest()[:8]
    return found | {f"{path.stem}-{letters}": text}


def loader(script):
    """The text of a module that loads this one and all that it imports, each once a page."""
    modules = linked(script)
    named = {"modules": json.dumps(list(modules.items())), "name": json.dumps(list(modules)[-1])}
    text = LOADER.format(link=LINK, **named)
    SCRIPTS[text] = script
    return text


def sources(file):
    """The JavaScript and CSS of one drawing: those beside its Python file, of the same name.

    file: the drawing's ``__file__``.
    """
    script = Path(file).resolve().with_suffix(".mjs")
    own = script.with_suffix(".css")
    return loader(script), common_style() + (own.read_text("utf-8") if own.exists() else "")


@cache
def common_style():
    """The CSS with which that of every drawing begins."""
    light = custom_properties(".demo", colours.LIGHT)
    dark = custom_properties(",\n".join(DARK_THEMES), colours.DARK)
    picture = custom_properties(PICTURE, {**PAGE_COLOURS, **colours.LIGHT})
    texts = [(HERE / f"{part}.css").read_text("utf-8") for part in STYLES]
    return "".join([light, dark, forced_colours(), picture, *texts])
