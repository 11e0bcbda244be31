"""A notebook, or a file of Markdown, as the body of a page of the site."""

import re
from pathlib import Path

import nbformat
from nbconvert.exporters import TemplateExporter
from nbconvert.filters import Highlight2HTML

from tools.course import name_of
from tools.web_course import SiteError
from tools.web_markdown import Prose, scrolls

CELLS = Path(__file__).parent / "website" / "cells.html.j2"
PRINTED = re.compile(r"<pre.*?</pre>", re.DOTALL)
# A notebook's last line, which the links below the page stand for, and what it says of the next.
WAY = re.compile(r"^(?:Back|Next): \[.*\Z", re.MULTILINE)
WHY_NEXT = re.compile(r"Next: \[[^]]+\]\([^)]+\), (.+)")
# What nbformat raises for a file that is not JSON, or is JSON of another kind.
NO_NOTEBOOK = (nbformat.ValidationError, AttributeError, KeyError, TypeError, ValueError)


def make(page, links, pictures):
    """Fill in the page's body and its headings."""
    prose = Prose(page, links, pictures)
    if page.runs:
        notebook = read(page.source)
        page.why_next = without_way(notebook)
        page.body = body_of(notebook, prose)
    else:
        page.body = prose.html(page.source.read_text("utf-8"))


def read(path):
    """A notebook. Raises SiteError for a file that is none."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError as error:
        raise SiteError(f"{name_of(path)} cannot be read: {error}.") from None
    except NO_NOTEBOOK as error:
        reason = str(error).partition("\n")[0]
        raise SiteError(
            f"{name_of(path)} is no notebook ({reason[:200]}). Get the file again, for example "
            f"with `git checkout {name_of(path)}`."
        ) from None
    return notebook


def without_way(notebook):
    """Take the line with the way back and on from the last cell; what it says of the next page."""
    last = notebook.cells[-1] if notebook.cells else {"source": ""}
    way = WAY.search(last["source"])
    if not way:
        return ""
    last["source"] = last["source"][: way.start()]
    why = WHY_NEXT.search(way[0])
    return why[1] if why else ""


def body_of(notebook, prose):
    """The HTML of a notebook's cells, by nbconvert and the template cells.html.j2."""
    exporter = TemplateExporter(template_name="base", template_file=str(CELLS))
    highlighted = Highlight2HTML(pygments_lexer="ipython3")
    filters = {
        "prose": prose.html,
        "code": lambda source: scrolls(highlighted(source)),
        "picture": lambda output, source: prose.pictures.of_output(output, prose.where, source),
        "with_files": lambda html: boxed(prose.pictures.in_html(html, prose.where)),
    }
    for name, one in filters.items():
        exporter.register_filter(name, one)
    return exporter.from_notebook_node(notebook)[0]


def boxed(html):
    """A cell's own HTML; what was printed in it scrolls where it is wider than its place."""
    return PRINTED.sub(lambda found: scrolls(found[0]), html)
