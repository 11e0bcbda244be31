"""Make pages without solutions, for students.

    python3 tools/student.py                        all pages, into handouts/
    python3 tools/student.py 5 6                    these pages
    python3 tools/student.py --to ../class/pages    into a folder of another copy of the course
    python3 tools/student.py --zip class.zip        the whole course with such pages, in one file

The folded solutions and the boxes *In class* are taken out; hints, checks and all else stay. The
pages with solutions are those in notebooks/, which nothing here changes. A page in the folder that
was changed since it was made there is kept, and named. If your own code stands on a page of
notebooks/, it says so: your students would get it. Needs the standard library alone.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.student_pages import (
    NOTEBOOKS,
    ROOT,
    own_code,
    read,
    with_links_from,
    without_answers,
    written,
)
from tools.student_zip import write_zip

RECORD = ".made.json"  # in the folder: what was made there, {name of a page: its digest}


def main(arguments):
    options = _options(arguments)
    try:
        pages = pages_named(options.pages)
        if options.zip:
            count = write_zip(options.zip)
            print(f"{options.zip}: {count} files, {options.zip.stat().st_size / 1e6:.0f} MB")
            status = 0
        else:
            status = write_folder(options.to, pages)
    except (ValueError, OSError) as sentence:
        print(sentence)
        return 1
    warn_of_own_code(pages)
    return status


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
        name = f"{int(word):02d}_" if word.isdigit() else Path(word).name
        meant = [page for page in pages if page.name == name or page.name[:3] == name]
        if not meant:
            raise ValueError(
                f"There is no page {word}: give its number, as in 5, or its file, as in "
                "05_multi_head.ipynb."
            )
        found += meant
    return found


def write_folder(folder, pages):
    """Write these pages; 1 if one of them was changed there, and so kept."""
    folder = folder.resolve()
    _require_place(folder)
    folder.mkdir(exist_ok=True)
    digests = _read_record(folder)
    made = {page.name for page in pages} | {path.name for path in folder.glob("*.ipynb")}
    kept = 0
    for page in pages:
        notebook, count = without_answers(read(page))
        target = folder / page.name
        if _was_changed(target, digests.get(page.name)):
            kept += 1
            print(
                f"{target.name}: KEPT, it is not as it was made here. Move it away, and run again."
            )
            continue
        data = written(with_links_from(notebook, made))
        target.write_bytes(data)
        digests[page.name] = _digest(data)
        print(f"{target.name}: solutions and notes for the class taken out: {count}")
    (folder / RECORD).write_text(json.dumps(digests, indent=1) + "\n", "utf-8")
    print(f"\nFor students: {folder}\nWith solutions: {NOTEBOOKS}")
    return int(kept > 0)


def _require_place(folder):
    if folder == NOTEBOOKS:
        raise ValueError("notebooks/ has the pages with solutions: give another folder.")
    if not (folder.parent / "lib" / "attention.py").exists():
        raise ValueError(
            f"A page looks for lib in the folder above its own, and beside {folder} there is none: "
            "give a folder that stands in the course, beside lib, or in a copy of it."
        )
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: give a folder.")
    is_ours = folder.exists() and ((folder / RECORD).exists() or not any(folder.iterdir()))
    if folder.exists() and not is_ours:
        raise ValueError(
            f"{folder} has other files in it: give a new folder, or one that was made here."
        )


def _read_record(folder):
    record = folder / RECORD
    return json.loads(record.read_text("utf-8")) if record.exists() else {}


def _was_changed(target, digest):
    return target.exists() and _digest(target.read_bytes()) != digest


def _digest(data):
    return hashlib.sha256(data).hexdigest()


def warn_of_own_code(pages):
    """Name the pages of notebooks/ with code that git does not know: perhaps their answers."""
    for page in pages:
        if count := own_code(page):
            print(
                f"LOOK: {count} code cells of notebooks/{page.name} are not as they came, and your "
                "students get them so. If these are your answers, move your page away, fetch it "
                f"again (git checkout notebooks/{page.name}), and run this once more."
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
