"""Markdown as the site shows it: anchors, links to its own pages, formulas as MathML."""

import re
from html import escape, unescape
from urllib.parse import quote, unquote

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from tools.course import ROOT, name_of
from tools.web_course import SiteError

ELSEWHERE = re.compile(r"https?://|mailto:")
TAG = re.compile(r"<[^>]*>")
FUNCTION = re.compile(r"(<mi>[a-z]{2,}</mi>)(?=<mfrac>|<mi>)")  # sin of a fraction, without room
ROOM = '<mspace width="0.17em"/>'
# Where a formula has much room, it may go on in the next line.
ROOM_TO_BREAK = re.compile(r"\\q?quad\b")
UNKNOWN = re.compile(r"\\[a-zA-Z]+")  # a command that was not understood is written as it came


def plain(html):
    """The words of a piece of HTML."""
    return " ".join(unescape(TAG.sub("", html)).split())


def formula(latex, display, where):
    """A formula as MathML, which browsers draw without a script."""
    try:
        found = convert(latex.strip(), display=display)
    except Exception as error:  # the converter has a class of its own for each of its stumbles
        raise SiteError(f"{where}: the formula {latex.strip()} cannot be drawn: {error}") from None
    unknown = UNKNOWN.search(found)
    if unknown:
        raise SiteError(f"{where}: the site cannot draw {unknown[0]} of {latex.strip()}.")
    return FUNCTION.sub(rf"\1{ROOM}", found)


def scrolls(html):
    """A piece that may be wider than a phone: it scrolls in a box of its own."""
    return f'<div class="scrolls">{html}</div>\n'


class Links:
    """Where the links of the course's files lead on the site.

    pages: the pages of the site; address: where the course lives, a tools.address.Address.
    """

    def __init__(self, pages, address):
        self.pages = {page.source: page.address for page in pages}
        self.address = address

    def target(self, url, source):
        """Where a link in the file ``source`` leads; None for a file that is on no site."""
        if ELSEWHERE.match(url):
            return url
        file, _, anchor = unquote(url).partition("#")
        path = (source.parent / file).resolve() if file else source
        after = f"#{quote(anchor)}" if anchor else ""
        if not path.exists():
            raise SiteError(f"{name_of(source)}: the link {url} leads nowhere.")
        if path == source:
            return after or self.pages[path]
        if path in self.pages:
            return self.pages[path] + after
        if not self.address.name or not path.is_relative_to(ROOT):
            return None
        kind = "tree" if path.is_dir() else "blob"
        inside = quote(path.relative_to(ROOT).as_posix())
        return f"{self.address.repository}/{kind}/{self.address.tag}/{inside}"


class Prose(IPythonRenderer):
    """What one page's Markdown becomes. Its headings are noted on the page."""

    def __init__(self, page, links, pictures):
        super().__init__(escape=False)
        self.page, self.links, self.pictures = page, links, pictures
        self.where = name_of(page.source)

    def heading(self, text, level, **attributes):
        """With the anchor that Jupyter gives it, so that a link works in both places."""
        words = plain(text)
        anchor = words.replace(" ", "-")
        taken = [known for _, known, _ in self.page.headings]
        count = taken.count(anchor) + sum(known.startswith(f"{anchor}-again-") for known in taken)
        anchor += f"-again-{count}" if count else ""
        self.page.headings.append((level, anchor, words))
        sign = f'<a class="anchor" href="#{quote(anchor)}" aria-label="Link to this place">#</a>'
        return f'<h{level} id="{escape(anchor)}">{text}{sign if level > 1 else ""}</h{level}>\n'

    def link(self, text, url, title=None):
        target = self.links.target(url, self.page.source)
        return text if target is None else f'<a href="{escape(target)}">{text}</a>'

    def image(self, text, url, title=None):
        path = (self.page.source.parent / unquote(url)).resolve()
        return self.pictures.of_file(path, plain(text), self.where)

    def paragraph(self, text):
        """What stands alone in its paragraph, a picture or a formula, may be wider than text."""
        alone = re.fullmatch(r'<span class="(picture|formula)((?!</span>).)*</span>', text, re.S)
        return f"{text}\n" if alone else super().paragraph(text)

    def inline_math(self, body):
        return formula(body, "inline", self.where)

    def block_math(self, body):
        parts = [body] if r"\begin" in body else ROOM_TO_BREAK.split(body)
        drawn = "".join(formula(part, "block", self.where) for part in parts)
        return f'<span class="formula scrolls">{drawn}</span>'

    def latex_environment(self, name, body):
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")

    def table(self, text):
        return scrolls(f"<table>\n{text}</table>")

    def table_cell(self, text, align=None, head=False):
        """A cell without a word is no heading of its column."""
        side = f' class="{align}"' if align else ""
        if head and text.strip():
            return f'<th scope="col"{side}>{text}</th>\n'
        return f"<td{side}>{text}</td>\n"

    def block_code(self, code, info=None):
        return scrolls(super().block_code(code, info))

    def html(self, text):
        """The HTML of a Markdown text."""
        return MarkdownWithMath(renderer=self).render(text)
