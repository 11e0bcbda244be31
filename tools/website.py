"""Make the site to read: static pages from the notebooks, into site/.

    python3 start.py site

Every page and what it shows lies in that folder: nothing is asked of another place, and nothing
needs a server. Formulas are MathML, pictures are files. Building twice gives the same bytes.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.charts.colours import DARK, INK, LIGHT, LINE, SOFT
from lib.widgets.lesson.lesson import PLANS
from lib.widgets.live import lesson
from tools import address, help_if_asked
from tools.course import ROOT
from tools.web_course import README, TITLE, SiteError, pages
from tools.web_markdown import Links, Prose
from tools.web_page import make
from tools.web_pictures import PROJECTED, Pictures, written_as
from tools.web_search import index_of

HERE = Path(__file__).parent / "website"
SITE = ROOT / "site"
LETTERS = ROOT / "lib" / "letters"
FACES = [  # file, family, weight, style
    ("sans.woff2", "Course Sans", "400 700", "normal"),
    ("mathematics.woff2", "Course Mathematics", "400", "italic"),
]
SHEETS = ("text.css", "around.css", "pieces.css", "windows.css")
MAP = re.compile(r"^!\[The map.*$", re.MULTILINE)
PICTURE = re.compile(r'<span class="picture.*?</span>', re.DOTALL)
MARK = "search-index.js"  # a folder that has it was made by this
LESSON = "live/lesson.html"
PREVIEW = "preview.png"  # what other sites show beside a link
SECTIONS = [(2, "course", "The course"), (2, "map", "The map"), (2, "run", "Run it")]
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="6" fill="{weight}"/>
<path d="M7 23Q16 2 25 23" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
<circle cx="7" cy="24" r="3" fill="#fff"/><circle cx="25" cy="24" r="3" fill="#fff"/>
</svg>
"""
FACE = """@font-face {{
  font-family: "{1}";
  font-weight: {2};
  font-style: {3};
  font-display: swap;
  src: url("{0}") format("woff2");
}}
"""
RUN_IT = (
    '<p class="live"><small>You are reading. To write code and have your exercises checked, run '
    'this page: <a href="index.html#run"><code>python3 start.py</code></a></small></p>'
)
# Without Jupyter; demos.html#plan=90 minutes leads there, too (site.js).
LESSONS = (
    "<p><strong>Open a lesson</strong>, to project it without installing anything: "
    + ", ".join(f'<a href="{LESSON}#plan={quote(plan)}">{plan}</a>' for plan in PLANS)
    + ". Press <strong>Start</strong> there. In full screen <strong>Enter</strong> shows the "
    "answer and goes on; <strong>Page Down</strong> and <strong>Page Up</strong>, the keys of a "
    "presenter’s clicker, lead to the next demo and back; <code>o</code> is an overview, "
    "<code>b</code> a black screen, and <code>f</code> leaves.</p>"
)
NOTES = "instructors.md"
# What the page of demos begins with is for those who run it.
IN_JUPYTER = re.compile(r"<p>Choose <strong>Run.*?</p>", re.DOTALL)
WHAT_TO_ASK = '<p><a href="instructors.html">What to ask, and what a hall answers</a>.</p>'


def files():
    """The whole site: {name of the file: bytes}. Raises SiteError."""
    here = address.stated()
    course, pictures = pages(), Pictures()
    links = Links(course, here)
    for page in course[1:]:
        make(page, links, pictures)
        if page.runs:
            page.body = page.body.replace("</h1>\n", f"</h1>\n{RUN_IT}\n", 1)
        if page.source.name == PROJECTED:
            page.body = IN_JUPYTER.sub(WHAT_TO_ASK, page.body, count=1)
        if page.source.name in (PROJECTED, NOTES):
            page.body = page.body.replace("</h1>\n", f"</h1>\n{LESSONS}\n", 1)
    front = overview(course, links, pictures)
    found = {"style.css": style(), "site.js": (HERE / "site.js").read_text("utf-8")}
    found["icon.svg"] = ICON.format(**LIGHT)
    html = written(course, front, here)
    found[MARK] = index_of(course, html)
    found |= html
    letters = {name: (LETTERS / name).read_bytes() for name, *_ in FACES}
    found[LESSON] = lesson.page_of(pictures.demos)
    return {name: text.encode() for name, text in found.items()} | letters | pictures.files


# -- the pages -------------------------------------------------------------------------------------


def overview(course, links, pictures):
    """What only the first page shows; its body is what the README says makes the course different.

    {hero: the picture of page 0; map: the picture of the course; parts: its pages by part}
    """
    index, first = course[:2]
    prose = Prose(index, links, pictures)
    readme = README.read_text("utf-8")
    told = section(readme, "What makes this different")
    words, _, gallery = told.partition("\n| | |\n|---|---|\n")
    shown = [line for line in gallery.splitlines() if line.startswith("|")]
    cells = [cell.strip() for line in shown for cell in line.strip("|").split("|")]
    index.body = prose.html(f"## What makes this different\n\n{words}")
    index.body += f'<div class="gallery">\n{"".join(map(prose.html, cells))}</div>\n'
    course_and_map, run = SECTIONS[:2], SECTIONS[2:]
    index.headings = [*course_and_map, *index.headings, *run]  # in the order of index.html.j2
    the_map = first_of(MAP, readme, "README.md: a picture of the map of the course")
    hero = first_of(PICTURE, first.body, f"{first.source.name}: a picture to begin with")
    own = pictures.files[re.search(r'src="([^"]+)"', hero)[1]]
    pictures.files[PREVIEW] = written_as(own, "png")  # not every site shows a WebP
    pictured = {"hero": hero, "map": prose.html(the_map)}
    return pictured | {"parts": by_part(course)}


def first_of(pattern, text, what):
    """The first match, which the first page shows."""
    found = pattern.search(text)
    if not found:
        raise SiteError(f"{what} is missing, and the first page of the site shows it.")
    return found[0]


def section(text, heading):
    """What stands under a heading of the README."""
    _, found, rest = text.partition(f"\n## {heading}\n")
    if not found:
        raise SiteError(f"The README has no heading {heading!r}, which the first page shows.")
    return rest.partition("\n## ")[0]


def by_part(course):
    """[(name of the part, its pages)] in reading order, without the index."""
    found = {}
    for page in course[1:]:
        found.setdefault(page.part, []).append(page)
    return list(found.items())


def written(course, front, here):
    """The HTML of all pages, {name: text}."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined
    )
    common = {
        "title": TITLE,
        "pages": course,
        "version": here.version,
        "repository": here.repository,
        "published": here.site(),
        "preview": PREVIEW,
        "folder": here.name.partition("/")[2],
        "archive": here.archive("zip") if here.name else "",
        "binder": here.binder(address.FIRST_PAGE) if here.name else "",
    }
    found = {}
    for number, page in enumerate(course):
        template = environment.get_template("page.html.j2" if number else "index.html.j2")
        about = {
            "page": page,
            "full_title": f"{page.title} · {TITLE}" if number else TITLE,
            "sections": [(anchor, words) for level, anchor, words in page.headings if level == 2],
            "previous": course[number - 1] if number else None,
            "next": course[number + 1] if number + 1 < len(course) else None,
        }
        found[page.address] = template.render(**common, **about, **front) + "\n"
    return found


def style():
    """The style sheet, with the colours of lib/charts/colours.py."""
    light = LIGHT | {"ink": INK, "soft": SOFT, "line": LINE}
    sheets = [(HERE / name).read_text("utf-8") for name in SHEETS]
    colours = f":root {{\n{variables(light)}}}\n{in_the_dark(variables(DARK))}"
    faces = "".join(FACE.format(*face) for face in FACES)
    return "\n".join([faces, colours, *sheets])


def variables(colours):
    return "".join(f"  --{name}: {colour};\n" for name, colour in colours.items())


def in_the_dark(rules):
    return f"@media (prefers-color-scheme: dark) {{\n:root {{\n{rules}}}\n}}\n"


# -- writing ---------------------------------------------------------------------------------------


def write(folder):
    """Make the site in a folder, in the place of what was there; {name: bytes} of its files.

    Raises SiteError where the folder holds something else; then nothing is touched.
    """
    there = folder.exists() or folder.is_symlink()
    if there and not (folder.is_dir() and ((folder / MARK).is_file() or not any(folder.iterdir()))):
        raise SiteError(f"{folder.name}/ is not a site made here: move it away or delete it.")
    found = files()
    with tempfile.TemporaryDirectory(prefix=".site-", dir=folder.parent) as beside:
        made = Path(beside) / "site"
        for name, data in found.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if there:
            shutil.rmtree(folder)
        os.replace(made, folder)
    return found


def main():
    try:
        found = write(SITE)
    except (SiteError, OSError) as error:
        sys.exit(f"The site was not made. {error}")
    count = sum(name.endswith(".html") for name in found)
    size = sum(map(len, found.values())) / 1e6
    print(f"{count} pages, {size:.1f} MB. Open them in a browser: site/index.html")
    print(f"Lessons to project, also from a stick: site/{LESSON}")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main()
