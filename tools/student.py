"""Make pages without solutions, for students.

    python3 tools/student.py                        all pages, into handouts/
    python3 tools/student.py 5 6                    these pages
    python3 tools/student.py --to ../class/pages    into a folder of another copy of the course
    python3 tools/student.py --zip class.zip        the whole course with such pages, in one file

The folded solutions are taken out; hints, checks and all else stay. The pages with solutions are
those in notebooks/, which nothing here changes. A page in the folder that was changed since it was
made there is kept, and named. Needs the standard library alone; --zip needs git.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
SOLUTION = re.compile(
    r"<details>\s*<summary>[^<]*Solution[^<]*</summary>.*?</details>\s*", re.DOTALL
)
LINK = re.compile(r"(?<=\]\()[\w.-]+\.(?:ipynb|md)(?=[)#])")  # to what stands beside a page
# The bank of answers, and what a build machine would run with it.
LEFT_OUT = ("tests/", ".ci/", ".github/")
LINK_TO_TESTS = re.compile(r"\[([^\]]*)\]\(tests/[^)]*\)")
RECORD = ".made.json"  # in the folder: what was made there, {name of a page: its digest}


def main(arguments):
    options = _options(arguments)
    try:
        if options.zip:
            return write_zip(options.zip)
        return write_folder(options.to, pages_named(options.pages))
    except (ValueError, OSError) as sentence:
        print(sentence)
        return 1


def _options(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="its number or file; else all")
    parser.add_argument("--to", type=Path, default=ROOT / "handouts", metavar="FOLDER")
    parser.add_argument("--zip", type=Path, metavar="FILE", help="the whole course instead")
    options = parser.parse_args(arguments)
    if options.zip and options.pages:
        parser.error("--zip takes the whole course: name no pages with it.")
    return options


def pages_named(words):
    """The notebooks that are meant by numbers or file names; all of them for no words.

    Raises ValueError for what is none.
    """
    pages = sorted(NOTEBOOKS.glob("*.ipynb"))
    if not words:
        return pages
    found = []
    for word in words:
        meant = [page for page in pages if _is_meant(page, word)]
        if not meant:
            raise ValueError(
                f"There is no page {word}: give its number, as in 5, or its file, as in "
                "05_multi_head.ipynb."
            )
        found += meant
    return found


def _is_meant(page, word):
    if word.isdigit():
        return page.name.startswith(f"{int(word):02d}_")
    return page.name == Path(word).name


def without_solutions(notebook):
    """The notebook without its folded solutions, and how many there were."""
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text, here = SOLUTION.subn("", "".join(cell["source"]))
            count += here
            if here and not text.strip():
                continue  # nothing else stood in this cell
            cell = cell | {"source": text.rstrip().splitlines(keepends=True)}
        cells.append(cell)
    return notebook | {"cells": cells}, count


def with_links_from(notebook, made):
    """The notebook for a folder beside notebooks/ that has the pages of these names."""

    def led(link):
        return link[0] if link[0] in made else f"../{NOTEBOOKS.name}/{link[0]}"

    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = LINK.sub(led, "".join(cell["source"]))
            cell = cell | {"source": text.splitlines(keepends=True)}
        cells.append(cell)
    return notebook | {"cells": cells}


def read(page):
    return json.loads(page.read_text("utf-8"))


def written(notebook):
    """The bytes of the file, in the form in which tools/refresh.py writes it."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


# -- a folder --------------------------------------------------------------------------------------


def write_folder(folder, pages):
    """Write these pages; 1 if one of them was changed there, and so kept."""
    folder = folder.resolve()
    _require_place(folder)
    folder.mkdir(exist_ok=True)
    digests = _read_record(folder)
    made = {page.name for page in pages} | {path.name for path in folder.glob("*.ipynb")}
    kept = 0
    for page in pages:
        notebook, count = without_solutions(read(page))
        target = folder / page.name
        if _was_changed(target, digests.get(page.name)):
            kept += 1
            print(f"{target.name}: KEPT, it was changed here. Move it away to make it anew.")
            continue
        data = written(with_links_from(notebook, made))
        target.write_bytes(data)
        digests[page.name] = _digest(data)
        print(f"{target.name}: solutions taken out: {count}")
    (folder / RECORD).write_text(json.dumps(digests, indent=1) + "\n", "utf-8")
    print(f"\nFor students: {folder}\nWith solutions, for you: {NOTEBOOKS}")
    return int(kept > 0)


def _require_place(folder):
    if folder == NOTEBOOKS:
        raise ValueError("notebooks/ has the pages with solutions: give another folder.")
    if not (folder.parent / "lib" / "attention.py").exists():
        raise ValueError(
            f"A page looks for lib in the folder above its own, and beside {folder} there is none: "
            "give a folder that stands in the course, beside lib, or in a copy of it."
        )


def _read_record(folder):
    record = folder / RECORD
    return json.loads(record.read_text("utf-8")) if record.exists() else {}


def _was_changed(target, digest):
    return target.exists() and _digest(target.read_bytes()) != digest


def _digest(data):
    return hashlib.sha256(data).hexdigest()


# -- the whole course as one file ------------------------------------------------------------------


def write_zip(path):
    """Write the course without solutions, and without tests/, which has the bank of answers."""
    names = [name for name in _names_in_git() if not name.startswith(LEFT_OUT)]
    if path.exists():
        raise ValueError(f"{path} is there already: move it away, or give another name.")
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            file.writestr(_entry(path.stem, name), _contents(name))
    print(f"{path}: {len(names)} files, {path.stat().st_size / 1e6:.0f} MB")
    return 0


def _entry(folder, name):
    entry = zipfile.ZipInfo.from_file(ROOT / name, f"{folder}/{name}")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _contents(name):
    path = ROOT / name
    if path.parent == NOTEBOOKS and path.suffix == ".ipynb":
        return written(without_solutions(read(path))[0])
    if path.suffix == ".md":
        return LINK_TO_TESTS.sub(r"\1", path.read_text("utf-8")).encode()
    return path.read_bytes()


def _names_in_git():
    """What git lists in this folder, and is there. Raises ValueError if that is nothing."""
    try:
        found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
        listed = found.stdout.split("\0")
    except OSError:
        listed = []
    names = [name for name in listed if name and (ROOT / name).is_file()]
    if not names:
        raise ValueError(
            "--zip takes what git lists, and git lists nothing here. Zip the folder yourself, with "
            "the pages of handouts/ in the place of those in notebooks/, and without tests/."
        )
    return names


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
