"""The pages for those who cannot run them: as HTML (nbconvert, nbviewer, GitHub), with pictures,
links and formulas.
"""

import ast
import html
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import nbformat
import pytest
from markdown_it import MarkdownIt
from nbconvert import HTMLExporter

from lib import widgets
from tools.course import NOTEBOOKS, notebooks

ROOT = NOTEBOOKS.parent
PATHS = notebooks()
BROKEN = re.compile(
    r"Invalid Notebook|Traceback|object at 0x|Loading widget|Error displaying "
    r"widget|widget-view\+json"
)
# What GitHub, nbviewer and JupyterLab all draw; before another command joins, look at it in all
# three.
COMMANDS = r"""
    \text \mathrm \mathbf \mathbb \mathcal \operatorname \frac \sqrt \sum \prod \int \max \min
    \exp \log \sin \cos \tan \left \right \big \Big \bigl \bigr \cdot \cdots \ldots \dots \times
    \div \pm \le \leq \ge \geq \ne \neq \approx \sim \equiv \propto \to \mapsto \in \infty
    \partial \nabla \top \circ \odot \oplus \quad \qquad \, \; \! \: \% \{ \} \_ \| \hat \bar
    \tilde \vec \overline \underline \underbrace \overbrace \begin \end \\ \alpha \beta \gamma
    \delta \epsilon \varepsilon \eta \theta \lambda \mu \pi \rho \sigma \tau \phi \varphi \omega
    \Delta \Sigma \Theta \Omega
""".split()

by_page = pytest.mark.parametrize(
    "path", PATHS, ids=[path.relative_to(NOTEBOOKS).as_posix() for path in PATHS]
)


class Page(HTMLParser):
    """What an HTML page refers to and what a reader of it reads; its scripts and styles are passed
    over.
    """

    def __init__(self, text):
        super().__init__()
        self.links, self.images, self.words, self.hidden = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.hidden += tag in ("script", "style")
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "img":
            self.images.append(values["src"])

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)


@pytest.fixture(
    scope="module", params=PATHS, ids=[path.relative_to(NOTEBOOKS).as_posix() for path in PATHS]
)
def page(request):
    """A notebook and its HTML page, made once for all the tests below."""
    notebook = nbformat.read(request.param, as_version=4)
    text, _ = HTMLExporter(template_name="lab").from_notebook_node(notebook)
    return request.param, notebook, Page(text)


def prose(cells):
    """The texts of the Markdown cells, without code."""
    texts = (cell.source for cell in cells if cell.cell_type == "markdown")
    return [re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL) for text in texts]


@by_page
def test_notebook_is_valid(path):
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))


def test_page_shows_no_failure(page):
    _, _, shown = page
    assert not BROKEN.search("".join(shown.words))


def shows_a_demo(tree, names):
    """True if the last line of a cell is a demo; the names of demos that the cell makes are added
    to `names`.
    """

    def makes(node):
        """widgets.Bars(), or a function that is given the demo's class, as page 12's frame is."""
        named = [node.func, *node.args] if isinstance(node, ast.Call) else []
        found = [re.fullmatch(r"widgets\.(\w+)", ast.unparse(each)) for each in named]
        return any(each and each[1] in widgets.__all__ for each in found)

    for node in tree.body:
        if isinstance(node, ast.Assign) and makes(node.value):
            names |= {ast.unparse(target) for target in node.targets}
    last = tree.body[-1]
    return isinstance(last, ast.Expr) and bool(
        makes(last.value) or ast.unparse(last.value) in names
    )


def test_every_demo_has_its_picture(page):
    path, notebook, shown = page
    names = set()
    demos = 0
    pictures = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        here = [output.data for output in cell.outputs if "image/png" in output.get("data", {})]
        folded = [output.data.get("text/html", "") for output in cell.outputs if "data" in output]
        pictures += len(here) + sum(text.count("<img ") for text in folded)
        if shows_a_demo(ast.parse(cell.source), names):
            demos += 1
            assert len(here) == 1, f"{cell.source}\nshows {len(here)} pictures"
    assert demos, f"{path.name} has no demo: end a cell with one, for example widgets.Bars()"
    assert sum(source.startswith("data:image/png") for source in shown.images) == pictures


def test_links_and_images_lead_somewhere(page):
    path, _, shown = page
    for address in [*shown.links, *shown.images]:
        if re.match("https?:|data:|mailto:", address):
            continue
        file, _, anchor = unquote(address).partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists() and target.is_relative_to(ROOT), f"{address} leads nowhere"
        if anchor:
            text = "\n".join(prose(nbformat.read(target, as_version=4).cells))
            headings = {
                title.strip().replace(" ", "-").replace("*", "")
                for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            }
            assert anchor in headings, f"there is no heading {address}"


def test_links_of_the_readme_lead_somewhere():
    text = (ROOT / "README.md").read_text("utf-8")
    local = [
        address
        for address in re.findall(r"\]\(([^)\s]+)\)", text)
        if not address.startswith("http")
    ]
    assert local and all((ROOT / address).exists() for address in local)


# -- formulas --------------------------------------------------------------------------------------

DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)((?:[^$\\]|\\.)+?)\$")


def formulas(text):
    """The formulas of a text, [(formula, displayed?)], and what is left without them."""
    found = [(formula, True) for formula in DISPLAYED.findall(text)]
    rest = DISPLAYED.sub(" ", text)
    found += [(formula, False) for formula in INLINE.findall(rest)]
    return found, INLINE.sub(" ", rest)


def problems_of(formula, displayed):
    """Why a formula is not drawn, or not everywhere."""
    found = []
    commands = re.findall(r"\\(?:[a-zA-Z]+|.)", formula)
    found += [
        f"the command {command} is not on the list"
        for command in commands
        if command not in COMMANDS
    ]
    bare = re.sub(r"\\[{}]", "", formula)
    depths = [bare[:i].count("{") - bare[:i].count("}") for i in range(len(bare) + 1)]
    if min(depths) < 0 or depths[-1]:
        found.append("braces do not match")
    if commands.count(r"\left") != commands.count(r"\right"):
        found.append(r"\left and \right do not match")
    if re.findall(r"\\begin\{(\w+)", formula) != re.findall(r"\\end\{(\w+)", formula):
        found.append(r"\begin and \end do not match")
    if not displayed and r"\\" in commands:
        found.append(r"a line break \\ in the middle of a sentence")
    if not displayed and formula != formula.strip():
        found.append("GitHub takes a $ beside a space for a dollar")
    if "<" in formula:
        found.append(r"< begins an HTML tag; write \lt with spaces, or turn it round")
    if "|" in formula and not displayed:
        found.append("| ends a column of a table")
    return found


def swallowed(text):
    """The formulas that Markdown changes, since an underscore or a star in them begins or ends
    emphasis.
    """
    marked = re.sub(r"</?(em|strong)>", "\0", MarkdownIt().render(text))
    return re.findall(
        r"\$[^$]*\0[^$]*\$", html.unescape(re.sub(r"\$[^$\0]*\$|<[^>]*>", "", marked))
    )


@by_page
def test_formulas_are_drawn_everywhere(path):
    for text in prose(nbformat.read(path, as_version=4).cells):
        found, rest = formulas(text)
        assert not re.search(r"(?<!\\)\$", rest), f"a $ without its partner:\n{text}"
        problems = [
            f"{formula}: {problem}"
            for formula, displayed in found
            for problem in problems_of(formula, displayed)
        ]
        assert problems + swallowed(text) == []


def test_formulas_reach_the_html_page_unchanged(page):
    _, notebook, shown = page
    words = "".join(shown.words)
    for text in prose(notebook.cells):
        for formula, _ in formulas(text)[0]:
            assert formula in words


@pytest.mark.parametrize(
    "text, problem",
    [
        (r"$\frac{1}{2$", "braces"),
        (r"$\left( x$", "right"),
        (r"$\foo$", "not on the list"),
        (r"$ x $", "dollar"),
        (r"$a \\ b$", "line break"),
        (r"$a < b$", "tag"),
        (r"$|x|$", "column"),
        (r"$$\begin{aligned}x$$", "begin"),
    ],
)
def test_a_bad_formula_is_named(text, problem):
    [(formula, displayed)], _ = formulas(text)
    assert any(problem in found for found in problems_of(formula, displayed))


def test_emphasis_inside_a_formula_is_seen():
    assert swallowed(r"$\text{x}_1 + \text{y}_2$ and $*a*$")
    assert swallowed(r"$x_1 + y_2$ and *this*, $z_3$") == []
