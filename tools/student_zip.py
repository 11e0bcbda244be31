"""The whole course as one file for students, without what answers its exercises.

`tools/student.py --zip class.zip` calls it.
"""

import re
import subprocess
import zipfile
from itertools import chain

from tools.student_pages import NOTEBOOKS, ROOT, read, with_text, without_answers, written

# The bank of answers, what a build machine would run with it, and the notes with usual answers.
LEFT_OUT = ("tests/", ".ci/", ".github/", "notebooks/instructors.md")
LINK_TO_LEFT_OUT = re.compile(
    r"\[([^\]]*)\]\((?:\.\./)?(?:tests/|(?:notebooks/)?instructors)[^)]*\)"
)
# What only works with the tests.
FOR_ENGINEERS = re.compile(r"^## For the next engineer\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
# What the course is made of, where git does not say it: a ZIP that was downloaded.
FOLDERS = (".devcontainer", "benchmarks", "binder", "figures", "lib", "notebooks", "tools")
KINDS = ".cff .css .ipynb .j2 .js .json .md .mjs .png .py .safetensors .svg .toml .ttf .txt .webp"
KINDS += " .woff2 .yml"


def write_zip(path):
    """Write the course without solutions; how many files went into it.

    Raises ValueError for a place where it cannot stand.
    """
    if path.suffix != ".zip":
        raise ValueError(f"{path} is no name of a ZIP file: let it end in .zip.")
    if path.exists():
        raise ValueError(f"{path} is there already: move it away, or give another name.")
    if not path.resolve().parent.is_dir():
        raise ValueError(f"There is no folder {path.parent}: make it first.")
    names = [name for name in names_of_course() if not name.startswith(LEFT_OUT)]
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            file.writestr(_entry(path.stem, name), _contents(name))
    return len(names)


def _entry(folder, name):
    entry = zipfile.ZipInfo.from_file(ROOT / name, f"{folder}/{name}")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _contents(name):
    path = ROOT / name
    if path.parent == NOTEBOOKS and path.suffix == ".ipynb":
        notebook, _ = without_answers(read(path))
        return written(with_text(notebook, without_links))
    if path.suffix == ".md":
        return without_links(FOR_ENGINEERS.sub("", path.read_text("utf-8"))).encode()
    return path.read_bytes()


def without_links(text):
    """The text, with the words of links to what is left out, and no such link."""
    return LINK_TO_LEFT_OUT.sub(r"\1", text)


def names_of_course():
    """Its files, as git lists them; of a course without git, those in its folders."""
    try:
        found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
        listed = found.stdout.split("\0")
    except OSError:
        listed = []
    names = [name for name in listed if name and (ROOT / name).is_file()]
    return names or sorted(_names_in_folders())


def _names_in_folders():
    folders = [(ROOT / folder).rglob("*") for folder in FOLDERS]
    for path in chain(ROOT.iterdir(), *folders):
        made = {"__pycache__", ".ipynb_checkpoints"}.intersection(path.parts)
        own = path.name == "mine.py" and path.parent != ROOT / "lib"  # what a reader has solved
        if path.is_file() and path.suffix in ["", *KINDS.split()] and not made and not own:
            yield path.relative_to(ROOT).as_posix()
