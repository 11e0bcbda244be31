"""tools/student.py: no solution is left, nothing else is lost, and nobody's work is overwritten."""

import re
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from tests.pages.exercises import DETAILS, exercises
from tools import student, student_zip
from tools.course import NOTEBOOKS, ROOT, notebooks
from tools.refresh import executed, serialised

PATHS = notebooks()
LINK = re.compile(r"\]\(([^)\s]+)\)")
by_page = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def handouts(tmp_path_factory):
    """All pages, made in a course that has nothing else but what they ask for."""
    course = tmp_path_factory.mktemp("course")
    for name in ("lib", "figures", "notebooks"):
        (course / name).symlink_to(ROOT / name)
    assert student.main(["--to", str(course / "handouts")]) == 0
    return course / "handouts"


def text_of(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def read(path):
    return nbformat.read(path, as_version=4)


@by_page
def test_no_solution_is_left_and_nothing_else_is_lost(path, handouts):
    before, after = read(path), read(handouts / path.name)
    assert len(exercises(after)) == len(exercises(before))
    assert not any(exercise.solution for exercise in exercises(after))
    folds = DETAILS.findall(text_of(before))
    kept = [fold for fold in folds if not re.search("Solution|In class", fold[0])]
    assert len(kept) < len(folds) or path.stem == "demos", (
        f'{path.name} has no fold "Solution" or "In class"'
    )
    assert DETAILS.findall(text_of(after)) == kept
    prose_before = DETAILS.sub("", text_of(before)).split()
    prose_after = DETAILS.sub("", text_of(after)).replace("../notebooks/", "").split()
    assert prose_after == prose_before
    code_before = [cell for cell in before.cells if cell.cell_type == "code"]
    assert [cell for cell in after.cells if cell.cell_type == "code"] == code_before


@by_page
def test_no_sentence_tells_of_a_solution_that_is_not_there(path, handouts):
    found = re.findall(r"[^\n.]*\bsolutions?\b[^\n.]*", text_of(read(handouts / path.name)))
    said = [sentence for sentence in found if "without solutions" not in sentence]
    assert not said, f"{path.name}: {said}: say it so that it holds without the solution, too"


@by_page
def test_a_page_keeps_its_form(path, handouts):
    made = handouts / path.name
    assert made.read_bytes() == serialised(read(made), made)


@by_page
def test_links_lead_somewhere(path, handouts):
    for address in LINK.findall(text_of(read(handouts / path.name))):
        name = address.partition("#")[0]
        if not name.startswith("http"):
            assert (handouts / name).exists(), f"{path.name}: {address} leads nowhere"


def test_a_page_runs_where_it_was_made(handouts):
    """Of all starters each page's test takes care: their cells are the same."""
    with executed(handouts / "00_start_here.ipynb") as (_notebook, client, _demos):
        assert client.code_cells_executed > 3


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lib").symlink_to(ROOT / "lib")
    return tmp_path / "pages"


def test_a_page_alone_leads_to_the_others_in_notebooks(folder):
    assert student.main(["3", "--to", str(folder)]) == 0
    text = text_of(read(folder / "03_scaling.ipynb"))
    assert "](../notebooks/04_queries_keys_values.ipynb)" in text
    assert "](../lib/jacobian.py)" in text


def test_what_somebody_changed_is_kept_and_named(folder, capsys):
    assert student.main(["5", "6", "--to", str(folder)]) == 0
    page = folder / "05_multi_head.ipynb"
    page.write_text(page.read_text("utf-8").replace("Multi-head", "My heads"), "utf-8")
    changed = page.read_bytes()
    (folder / "06_positions.ipynb").unlink()
    capsys.readouterr()
    assert student.main(["5", "6", "--to", str(folder)]) == 1
    assert "05_multi_head.ipynb: KEPT" in capsys.readouterr().out
    assert page.read_bytes() == changed and (folder / "06_positions.ipynb").exists()


def test_a_page_that_came_from_elsewhere_is_kept(folder, capsys):
    folder.mkdir()
    shutil.copy(NOTEBOOKS / "05_multi_head.ipynb", folder)
    assert student.main(["5", "--to", str(folder)]) == 1
    assert "has other files in it" in capsys.readouterr().out
    original = (NOTEBOOKS / "05_multi_head.ipynb").read_bytes()
    assert (folder / "05_multi_head.ipynb").read_bytes() == original


def test_what_nobody_changed_is_made_anew(folder):
    assert student.main(["05_multi_head.ipynb", "--to", str(folder)]) == 0
    assert student.main(["notebooks/05_multi_head.ipynb", "--to", str(folder)]) == 0


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["99"], "There is no page 99"),
        (["lib"], "There is no page lib"),
        (["--to", str(NOTEBOOKS)], "give another folder"),
        (["--to", str(ROOT / "figures" / "pages")], "stands in the course, beside lib"),
        (["--to", str(ROOT / "figures")], "has other files in it"),
        (["--to", str(ROOT / "README.md")], "is a file"),
        (["--zip", str(ROOT / "README.md")], "end in .zip"),
        (["--zip", str(ROOT / "nowhere" / "class.zip")], "There is no folder"),
    ],
)
def test_a_wrong_word_gets_a_sentence(arguments, sentence, capsys):
    assert student.main(arguments) == 1
    assert sentence in capsys.readouterr().out


def test_pages_and_the_whole_course_are_not_asked_for_at_once(capsys):
    with pytest.raises(SystemExit):
        student.main(["5", "--zip", "class.zip"])
    assert "name no pages" in capsys.readouterr().err


# -- the course as one file ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    place = tmp_path_factory.mktemp("student")
    assert student.main(["--zip", str(place / "class.zip")]) == 0
    with zipfile.ZipFile(place / "class.zip") as file:
        file.extractall(place)
    return place / "class"


def test_the_file_has_the_course_without_its_answers(unpacked):
    assert not (unpacked / "tests").exists()
    assert not (unpacked / ".github").exists()  # its workflows would fail without the tests
    pages = sorted((unpacked / "notebooks").glob("*.ipynb"))
    assert [page.name for page in pages] == [path.name for path in PATHS]
    for page in pages:
        assert "<summary>Solution" not in page.read_text("utf-8")


def test_the_file_is_whole(unpacked):
    """start.py finds all its parts, and no link leads to what was left out."""
    asked = [sys.executable, "start.py", "--help"]
    assert subprocess.run(asked, cwd=unpacked, capture_output=True).returncode == 0
    for text in [unpacked / "README.md", *(unpacked / "notebooks").glob("*.md")]:
        for address in LINK.findall(text.read_text("utf-8")):
            if not address.startswith("http"):
                assert (text.parent / address.partition("#")[0]).exists(), address


def test_no_answer_to_an_exercise_is_left_in_prose(unpacked):
    """The notes for instructors tell what is wrong in page 4's bugs; nothing leads to them."""
    assert not (unpacked / "notebooks" / "instructors.md").exists()
    texts = [unpacked / "README.md", *(unpacked / "notebooks").iterdir()]
    for text in texts:
        said = text.read_text("utf-8")
        assert "](instructors.md" not in said and "notebooks/instructors.md)" not in said
        assert "In class (" not in said and "start.py test" not in said, text.name


def test_a_course_that_came_as_a_zip_is_packed_too(unpacked, monkeypatch, tmp_path):
    """Without git it is what its folders have."""
    monkeypatch.setattr(student_zip, "ROOT", unpacked)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(unpacked.parent))
    (unpacked / ".venv").mkdir()
    solved = [unpacked / ".venv" / "mine.py", unpacked / "notebooks" / "mine.py"]
    for path in solved:
        path.touch()
    found = set(student_zip.names_of_course())
    for path in solved:
        path.unlink()
    (unpacked / ".venv").rmdir()
    there = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")}
    files = {name for name in there if (unpacked / name).is_file() and "__pycache__" not in name}
    assert files - found <= {".gitattributes", ".gitignore"}, "no file of the course is missing"
    assert not any(name.startswith(".venv") for name in found)
    assert "lib/mine.py" in found and "notebooks/mine.py" not in found, "a teacher's own answers"


def test_answers_of_ones_own_are_named(monkeypatch, tmp_path, capsys):
    """A teacher who has gone through a page has its answers in it."""
    page = tmp_path / "05_multi_head.ipynb"
    text = (NOTEBOOKS / page.name).read_text("utf-8")
    page.write_text(text, "utf-8")
    student.warn_of_own_code([page])
    assert capsys.readouterr().out == ""
    page.write_text(text.replace("def my_merge", "def my_own_merge"), "utf-8")
    student.warn_of_own_code([page])
    said = capsys.readouterr().out
    assert said.startswith("LOOK: ") and "05_multi_head.ipynb" in said
