"""Every notebook: the rules of a page, fresh outputs within Binder's limits, exercises that can be
solved.
"""

import ast
import base64
import difflib
import json
import os
import re
import shutil
from dataclasses import dataclass
from html.parser import HTMLParser
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from statistics import median
from urllib.parse import unquote

import nbformat
import pytest
from nbconvert import ScriptExporter
from nbformat import NotebookNode
from PIL import Image

from tests.pages.exercises import exercises, problems_of
from tools.course import NOTEBOOKS, ROOT, notebooks
from tools.page_pictures import Shown
from tools.real_model import FOLDER as REAL_MODEL
from tools.refresh import NotebookError, executed, memory_of, seconds_of, serialised

PATHS = notebooks()
NAMES = [path.relative_to(NOTEBOOKS).as_posix() for path in PATHS]
# Where their models are, these pages are executed once more as most readers have them.
BORROWED = ["14_a_real_model.ipynb", "15_a_model_of_today.ipynb", "16_who_copies.ipynb"]
WITHOUT_WEIGHTS = {f"without_weights.{name}": name for name in BORROWED}
# What Binder gives for certain is 450 MB; up to 100 of them are PyTorch's files.
SECONDS, MEGABYTES = 120, 350
# The chat model and PyTorch in one kernel: within what Binder gives, where no other kernel runs.
LARGE = {"16_who_copies.ipynb": 450}
WITHOUT_TORCH = 125  # megabytes until a page imports PyTorch
COURSE = 420  # seconds for all pages
REFRESH = "run: python3 start.py refresh"
IN_HTML = re.compile(r"data:image/png;base64,([\w+/=]+)")  # the chart of a prediction
ALT = re.compile(r'<img [^>]*alt="([^"]*)"')
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

IMPORTS = (ast.Import, ast.ImportFrom)
SETS_UP = ("sys.path.insert(", "torch.set_num_threads(")

by_page = pytest.mark.parametrize("path", PATHS, ids=NAMES)


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def sources(notebook: NotebookNode, kind: str) -> list[str]:
    """The cells of a kind; the one for Google Colab is not the page's (test_colab.py has it)."""
    return [cell.source for cell in notebook.cells if cell.cell_type == kind and cell.id != "colab"]


# -- execution: once for each notebook -------------------------------------------------------------


@dataclass
class Run:
    path: Path
    committed: NotebookNode
    fresh: NotebookNode
    seconds: float  # of one core
    megabytes: float
    exercise_problems: list[str]
    report: list[str]
    demos: list[Shown]


@pytest.fixture(scope="module")
def like_binder(tmp_path_factory):
    """The kernels that are started have one core each, and report to the file that is given."""
    report = tmp_path_factory.mktemp("kernels") / "report.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONSTARTUP", str(Path(__file__).with_name("watch_kernel.py")))
        patch.setenv("KERNEL_REPORT", str(report))
        patch.setenv("KERNEL_NUMBER", str(PROCESS))
        yield report


def without_weights(course: Path, name: str) -> Path:
    """A page in a course without real_model/, which this folder becomes."""
    python_makes = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "lib", course / "lib", ignore=python_makes)
    (course / "notebooks").mkdir()
    return Path(shutil.copy(NOTEBOOKS / name, course / "notebooks"))


# The last pages take longest: they come first, so that both processes end together.
EXECUTED = [*reversed(NAMES), *WITHOUT_WEIGHTS] if REAL_MODEL.is_dir() else NAMES


@pytest.fixture(scope="session")
def spent(tmp_path_factory, testrun_uid) -> Path:
    """A folder of all processes: for each page so far an empty file whose name has its seconds."""
    folder = tmp_path_factory.getbasetemp().parent / f"seconds-{testrun_uid}"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module", params=EXECUTED)
def page(request, like_binder, spent, tmp_path_factory) -> Run:
    """One notebook, executed once for all the tests that ask for it."""
    if request.param in WITHOUT_WEIGHTS:
        name = WITHOUT_WEIGHTS[request.param]
        path = without_weights(tmp_path_factory.mktemp("course"), name)
    else:
        path = NOTEBOOKS / request.param
    like_binder.write_text("")
    try:
        with executed(path) as (fresh, client, demos):
            seconds, megabytes = seconds_of(client), memory_of(client)
            problems = [
                line for exercise in exercises(fresh) for line in problems_of(exercise, client)
            ]
    except NotebookError as error:
        failure = str(error)
    else:
        if path.parent == NOTEBOOKS:
            (spent / f"{seconds:.1f} {path.name}").touch()
        return Run(
            path,
            read(path),
            fresh,
            seconds,
            megabytes,
            problems,
            like_binder.read_text("utf-8").splitlines(),
            demos,
        )
    pytest.fail(failure, pytrace=False)


def picture(data: str) -> Image.Image:
    return Image.open(BytesIO(base64.b64decode(data)))


def same_picture(committed: str, fresh: str) -> bool:
    """The same pixels; where another version of matplotlib made the committed picture, the same
    size.
    """
    old, new = picture(committed), picture(fresh)
    if old.info.get("Software") != new.info.get("Software"):
        return old.size == new.size
    return old.size == new.size and old.tobytes() == new.tobytes()


def as_text(cell: NotebookNode) -> tuple[str, list[str]]:
    """A cell's outputs as text with every picture replaced by a mark, and the pictures.

    Of a demo's picture only the key is compared: letters look different on every machine.
    """
    pictures = []
    outputs = json.loads(json.dumps(cell.outputs))
    for output in outputs:
        if "picture" in output.get("metadata", {}):
            output["data"] = "(a demo)"
            output["metadata"] = {"picture": output["metadata"]["picture"]}
        elif "image/png" in output.get("data", {}):
            pictures.append(output["data"]["image/png"])
            output["data"]["image/png"] = "(picture)"
        elif "text/html" in output.get("data", {}):
            pictures += IN_HTML.findall(output["data"]["text/html"])
            output["data"]["text/html"] = IN_HTML.sub("(picture)", output["data"]["text/html"])
    lines = json.dumps(
        [cell.execution_count, outputs], indent=1, sort_keys=True, ensure_ascii=False
    )
    return lines.replace("\\n", "\n"), pictures


def differences(committed: NotebookNode, fresh: NotebookNode) -> list[str]:
    """What a reader would see change, named by cell."""
    found = []
    for index, (old, new) in enumerate(zip(committed.cells, fresh.cells, strict=True)):
        if old.cell_type != "code":
            continue
        (old_text, old_pictures), (new_text, new_pictures) = as_text(old), as_text(new)
        if old_text != new_text:
            changes = difflib.unified_diff(
                old_text.splitlines(), new_text.splitlines(), "committed", "fresh", n=1, lineterm=""
            )
            found.append("\n".join([f"cell {index}:", *list(changes)[:14]]))
        elif not all(map(same_picture, old_pictures, new_pictures)):
            found.append(f"cell {index}: the picture differs")
    return found


def test_outputs_are_fresh(page):
    found = differences(page.committed, page.fresh)
    if found:
        pytest.fail("\n".join([f"{page.path.name} is stale; {REFRESH}", *found]), pytrace=False)


def test_every_demo_has_a_picture_with_words(page):
    for demo in page.demos:
        output = page.committed.cells[demo.cell].outputs[demo.place]
        where = f"{page.path.name}, cell {demo.cell}; {REFRESH}"
        assert "image/png" in output.data, f"no picture: {where}"
        look = output.metadata["image/png"]
        assert picture(output.data["image/png"]).width == 2 * look["width"], where
        assert len(look["alt"].split()) >= 8, f"no title, question and caption: {where}"
        assert output.data["text/plain"] == look["alt"], where


def test_every_picture_has_words(page):
    """Charts too, and those that a prediction folds away: for readers who do not see them."""
    for number, cell in enumerate(page.committed.cells):
        for output in cell.get("outputs", []):
            words = []
            if "image/png" in output.get("data", {}):
                words.append(output.metadata["image/png"].get("alt", ""))
            words += ALT.findall(output.get("data", {}).get("text/html", ""))
            for text in words:
                where = f"{page.path.name}, cell {number}: {text!r}"
                assert len(text.split()) >= 3, f"{where} says too little; {REFRESH}"


def test_file_is_in_normal_form(page):
    if page.path.read_bytes() != serialised(page.committed, page.path):
        pytest.fail(f"{page.path.name} is not in normal form; {REFRESH}", pytrace=False)
    assert page.committed.metadata == page.fresh.metadata, REFRESH
    assert [cell.metadata for cell in page.committed.cells] == [
        cell.metadata for cell in page.fresh.cells
    ], REFRESH


def test_page_stays_within_binders_limits(page, spent):
    before = [float(line.split()[-1]) for line in page.report if line.startswith("before torch")]
    if page.path.name in BORROWED:  # its own model comes first, or no PyTorch at all
        before = []
    elif not before:
        before = [page.megabytes]
    assert page.seconds <= SECONDS
    assert page.megabytes <= LARGE.get(page.path.name, MEGABYTES)
    assert max(before, default=0) <= WITHOUT_TORCH, "megabytes before PyTorch is imported"
    assert sum(float(path.name.split()[0]) for path in spent.iterdir()) <= COURSE
    assert page.report[0] in ("cores 1", "cores unknown")


def test_page_asks_nothing_of_the_outside(page):
    assert [line for line in page.report if line.startswith("outside")] == []


def test_exercises_can_be_solved_and_are_not_solved_yet(page):
    if page.exercise_problems:
        pytest.fail("\n".join([page.path.name, *page.exercise_problems]), pytrace=False)


# -- the rules of a page (DESIGN, "A notebook page"): nothing is executed --------------------------


def prose(notebook: NotebookNode) -> str:
    """The markdown without code blocks."""
    return re.sub(r"```.*?```", "", "\n\n".join(sources(notebook, "markdown")), flags=re.DOTALL)


def words(text: str) -> float:
    """Words as a reader counts them; a Chinese word has somewhat less than two characters."""
    text = re.sub(r"<[^>]+>|\]\([^)]*\)", " ", text)
    return len(re.findall(r"[^\W\u4e00-\u9fff]+(?:['’-]\w+)*", text)) + 0.6 * len(
        re.findall(r"[\u4e00-\u9fff]", text)
    )


EMPTY = "    # your lines\n    ..."


def code_lines(source: str) -> int:
    """Lines that are to be read: not the place of an answer, two lines in an empty cell."""
    places = source.count(EMPTY)
    return sum(bool(line.strip()) for line in source.splitlines()) - 2 * places


class Addresses(HTMLParser):
    """The links and the images in a text's HTML tags."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.images: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "img":
            self.images.append(values.get("src", ""))


@by_page
def test_every_exercise_has_a_heading_of_its_own(path):
    notebook = read(path)
    for exercise in exercises(notebook):
        before = notebook.cells[: exercise.index]
        texts = [cell.source for cell in before if cell.cell_type == "markdown"]
        asked = "\n".join(texts).rpartition("</details>")[2]
        assert re.search("^##+ ", asked, re.MULTILINE), f"{exercise.check} has no heading, no task"


@by_page
def test_as_a_script_a_page_is_python_with_its_text(path):
    script, files = ScriptExporter().from_filename(path)
    title = read(path).cells[0].source.partition("\n")[0]
    assert files["output_extension"] == ".py" and f"\n# {title}\n" in script, REFRESH


@by_page
def test_empty_cells_look_alike_and_have_a_line_to_write_on(path):
    for source in sources(read(path), "code"):
        for before, line in pairwise(source.splitlines()):
            if line.strip() == "..." or line.endswith(": ..."):
                assert re.match("    # yours?[ ,]", before) and line == "    ...", source


@by_page
def test_no_bug_hunt_shows_a_bare_false(path):
    for cell in read(path).cells:
        if cell.cell_type == "code" and "checks." in cell.source:
            shown = [output.get("data", {}).get("text/plain") for output in cell.outputs]
            assert not {"True", "False"} & set(shown), cell.source


@by_page
def test_first_cell_has_the_only_title(path):
    notebook = read(path)
    assert notebook.cells[0].cell_type == "markdown", (
        f"{path.name}: the first cell must be text that begins with '# N · Title'"
    )
    assert notebook.cells[0].source.startswith("# ")
    assert len(re.findall(r"^# ", prose(notebook), re.MULTILINE)) == 1


@by_page
def test_first_code_cell_finds_lib(path):
    up = "/".join([".."] * len(path.relative_to(NOTEBOOKS).parts))
    first = sources(read(path), "code")[0]
    assert re.match(rf'import sys(; |\n\n?)sys\.path\.insert\(0, "{re.escape(up)}"\)', first), first


def only_imports(source: str) -> bool:
    """True for code that imports, says where lib is and how many threads there are, and no more."""
    rest = [node for node in ast.parse(source).body if not isinstance(node, IMPORTS)]
    return bool(source.strip()) and all(ast.unparse(node).startswith(SETS_UP) for node in rest)


@by_page
def test_what_only_imports_is_folded_and_no_other_code(path):
    folded, open_ = [], []
    for cell in read(path).cells:
        if cell.cell_type == "code" and cell.id != "colab":
            hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
            (folded if hidden else open_).append(cell.source)
    wrong = [source for source in open_ if only_imports(source)]
    assert wrong == [], 'in the cell\'s metadata: "jupyter": {"source_hidden": true}'
    if path.stem == "00_start_here":
        assert "widgets.Translator(" in folded.pop(0), "else its demo is not on the first screen"
    wrong = [source for source in folded if not only_imports(source)]
    assert wrong == [], "a reader must see this code"


@by_page
def test_code_comes_in_small_portions_with_prose(path):
    notebook = read(path)
    lines = [code_lines(source) for source in sources(notebook, "code")]
    assert max(lines) <= 20, f"a code cell has {max(lines)} lines"
    assert median(lines) <= 6, (
        f"{path.name}: half of its code cells have more than {median(lines):.0f} lines, and 6 is "
        "the most: split a cell, or move a function to lib."
    )
    assert words(prose(notebook)) >= 10 * sum(lines), (
        f"{path.name}: {words(prose(notebook)):.0f} words for {sum(lines)} lines of code; each "
        "line needs 10 words: write more, or show less code."
    )


@by_page
def test_links_resolve_and_images_are_local(path):
    text = prose(read(path))
    addresses = Addresses(text)
    images = re.findall(r"!\[[^\]]*\]\(([^)\s]+)", text) + addresses.images
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)", text) + addresses.links
    for address in [*images, *links]:
        if re.match(r"https?:|mailto:|#", address):
            assert address not in images, f"the image {address} would be fetched"
            continue
        assert (path.parent / unquote(address.partition("#")[0])).exists(), (
            f"{address} leads nowhere"
        )
    assert not re.search(r"!\[\s*\]\(", text), "an image without a text for those who cannot see it"


@by_page
def test_nothing_is_fetched_or_executed_behind_the_page(path):
    notebook = read(path)
    for cell in notebook.cells:
        assert "<script" not in json.dumps(cell).lower(), f"cell {cell.id} contains a script"
    fetching = re.compile(
        r"https?://|^\s*[!%]\s*(pip|conda|curl|wget)|\burllib\b|\brequests\b", re.MULTILINE
    )
    for source in sources(notebook, "code"):
        assert not fetching.search(source), source


@by_page
def test_cell_ids_are_unique(path):
    ids = [cell.id for cell in read(path).cells]
    assert len(set(ids)) == len(ids)
