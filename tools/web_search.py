"""What the search of the site looks through: the prose under each heading."""

import json
from html.parser import HTMLParser

HEADINGS = {"h1", "h2", "h3", "h4"}
# What is folded is an answer, and the others are no words.
PASSED_OVER = {"details", "pre", "math"}


class Sections(HTMLParser):
    """The sections of a page's body: [anchor, heading, words] of each."""

    def __init__(self, body):
        super().__init__()
        self.found, self.depth, self.in_heading = [], 0, False
        self.feed(body)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.depth += tag in PASSED_OVER
        if tag in HEADINGS and not self.depth:
            self.found.append([dict(attributes).get("id", ""), "", ""])
            self.in_heading = True
        elif tag == "a" and dict(attributes).get("class") == "anchor":
            self.in_heading = False  # the sign beside a heading

    def handle_endtag(self, tag):
        self.depth -= tag in PASSED_OVER
        if tag in HEADINGS:
            self.in_heading = False

    def handle_data(self, data):
        if self.depth or not self.found or data == "#":
            return
        part = 1 if self.in_heading else 2
        self.found[-1][part] += data if self.in_heading else f" {data}"


def index_of(pages):
    """The script that hands the index to the search: [page's address, its title, sections]."""
    rows = []
    for page in pages:
        sections = Sections(page.body).found
        texts = [[" ".join(part.split()) for part in section] for section in sections]
        rows.append([page.address, page.title, texts])
    written = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return f"window.courseIndex = {written};\n"
