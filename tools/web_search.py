"""What the search of the site looks through: the text and the code under each heading."""

import json
import re
from html.parser import HTMLParser

HEADINGS = {"h1", "h2", "h3", "h4"}
# What is folded is an answer, small print stands on every page, the others are no words.
PASSED_OVER = {"details", "small", "math", "samp"}
# Words in these stand apart, in others, as in <b>a</b>., they may be followed by a full stop.
APART = {"p", "li", "td", "th", "pre", "div", "br", "summary"} | HEADINGS
BEFORE_A_STOP = re.compile(r" +(?=[.,;:!?)](?:\s|$))")  # room that a formula left


class Sections(HTMLParser):
    """The sections of a page's main part: [anchor, heading, words] of each."""

    def __init__(self, html):
        super().__init__()
        self.found, self.in_heading = [], False
        self.depth = 1  # of what is passed over: all but the main part
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        look = dict(attributes)
        self.depth += (tag in PASSED_OVER) - (tag == "main")
        if tag in HEADINGS and "id" in look and not self.depth:
            self.found.append([look["id"], "", ""])
            self.in_heading = True
        elif tag == "a" and look.get("class") == "anchor":
            self.in_heading = False  # the sign beside a heading
        self.stand_apart(tag)

    def handle_endtag(self, tag):
        self.depth += (tag == "main") - (tag in PASSED_OVER)
        if tag in HEADINGS:
            self.in_heading = False
        self.stand_apart(tag)

    def stand_apart(self, tag):
        if tag in APART:
            self.handle_data(" ")

    def handle_data(self, data):
        if self.depth or not self.found or data == "#":
            return
        self.found[-1][1 if self.in_heading else 2] += data


def tidy(text):
    return BEFORE_A_STOP.sub("", " ".join(text.split()))


def index_of(pages, written):
    """The script that hands the index to the search: [page's address, its title, sections].

    written: the HTML of the pages, by their addresses.
    """
    rows = []
    for page in pages:
        sections = Sections(written[page.address]).found
        texts = [[anchor, *map(tidy, words)] for anchor, *words in sections]
        rows.append([page.address, page.title, texts])
    index = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return f"window.courseIndex = {index};\n"
