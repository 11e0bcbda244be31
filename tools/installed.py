"""What is wrong with the packages of the Python that runs this: start.py asks .venv's.

    .venv/bin/python tools/installed.py LIST numpy==2.4.6 ...

Answers in JSON: {"faults": [...], "all": ["numpy==2.4.6", ...]}. LIST is a file of what was there
after the last installation, whole: a package of it that has gone is missing, too. It is empty from
the beginning of an installation to its end: if it is so now, any package may be half there.
Two looks, since each sees what the other does not: names and versions, as importlib.metadata reads
them, and every file that a package brought (30,000 of them, by listing their folders: 0.1 s).
"""

import csv
import json
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from sysconfig import get_path

PACKAGES = Path(get_path("purelib"))


def installed():
    """{name: folder of its metadata} of all packages; names as in a list of requirements."""
    found = {}
    for folder in sorted(PACKAGES.glob("*.dist-info")):
        name = folder.name.removesuffix(".dist-info").rpartition("-")[0]
        if not name.startswith("~"):  # what pip leaves behind when it is interrupted
            found[normal(name)] = folder
    return found


def normal(name):
    return name.lower().replace("_", "-").replace(".", "-")


def version_of(name):
    """The version that is here; None if there is none."""
    try:
        return version(name)
    except (PackageNotFoundError, KeyError, TypeError, ValueError):  # gone, or its text is broken
        return None


def lacking(folder, listed):
    """The files that a package brought and that have gone; listed: what was listed already."""
    try:
        with (folder / "RECORD").open(encoding="utf-8", newline="") as record:
            names = [row[0] for row in csv.reader(record) if row]
    except (OSError, ValueError, csv.Error):
        names = []
    if not names:
        return [f"{folder.name}/RECORD"]
    return [name for name in names if not name.endswith(".pyc") and not is_here(name, listed)]


def is_here(name, listed):
    folder, _, file = name.rpartition("/")
    if folder not in listed:
        try:
            listed[folder] = set(os.listdir(PACKAGES / folder))
        except OSError:
            listed[folder] = set()
    # Some systems write a name in another way than the record: there the file is asked for.
    return file in listed[folder] or (PACKAGES / name).exists()


def report(wanted, earlier):
    """wanted: {name: version}; earlier: {name: version} after the last installation, {} if that was
    killed, None if there was none.
    """
    here, listed, faults = installed(), {}, []
    if earlier == {}:
        faults.append(fault("", None, "killed", "the last installation was not finished"))
        earlier = dict.fromkeys(here)
    whole = earlier or wanted  # what had all its files then
    for name in {**(earlier or {}), **wanted}:
        found, needed, folder = version_of(name), wanted.get(name), here.get(name)
        lost = lacking(folder, listed) if folder and name in whole else []
        if not found:
            faults.append(fault(name, folder, "missing", f"{name} is missing"))
        elif needed and found.partition("+")[0] != needed:  # 2.13.0+cpu is 2.13.0
            words = f"{name} is {found}, and the course needs {needed}"
            faults.append(fault(name, folder, "another version", words))
        elif lost:
            faults.append(fault(name, folder, "damaged", f"{name} lacks {lost[0]}"))
    return {"faults": faults, "all": [f"{name}=={version_of(name)}" for name in here]}


def fault(name, folder, kind, words):
    return {"name": name, "folder": str(folder or ""), "kind": kind, "words": words}


def pairs(lines):
    """{name: version} of lines like numpy==2.4.6."""
    split = [line.strip().split("==") for line in lines if "==" in line]
    return {normal(name): needed for name, needed in split}


def main(arguments):
    file, *wanted = arguments
    earlier = pairs(Path(file).read_text("utf-8").splitlines()) if Path(file).exists() else None
    print(json.dumps(report(pairs(wanted), earlier)))


if __name__ == "__main__":
    main(sys.argv[1:])
