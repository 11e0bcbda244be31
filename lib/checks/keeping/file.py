"""mine.py as a file: where it lies, what stands in it, running it, and writing it in one step."""

import io
import os
import stat
import sys
import tempfile
import traceback
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType

from lib.checks.keeping.needs import MODULE
from lib.set_up import COLAB

NAME = "mine.py"
SWITCH = (
    "LIB_MINE"  # "off" in the environment: nothing is kept, and nothing of the reader's is read
)
COURSE = Path(__file__).resolve().parents[3]
_running = []  # the paths that are being run: a mine.py may import from lib.mine itself


class BrokenFileError(ValueError):
    """Why mine.py cannot be read, run or written, as a sentence. error: what it raised."""

    def __init__(self, sentence, error=""):
        super().__init__(sentence)
        self.error = error


def is_on():
    return os.environ.get(SWITCH) != "off"


def is_running():
    """Whether mine.py is being run just now."""
    return bool(_running)


def place():
    """The path of mine.py: beside the page. On Colab, where files are uploaded to."""
    if COLAB in sys.modules:
        return COURSE.parent / NAME
    folder = Path.cwd()
    if folder == COURSE:  # some editors start a page's kernel at the top
        folder = COURSE / "notebooks"
    return folder / NAME


def read():
    """The text of mine.py, with its line ends as they are; "" if there is none."""
    try:
        return place().read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise BrokenFileError(
            f"{NAME} is no text in UTF-8: save it so, or move it away; then run this cell again."
        ) from None
    except OSError as error:
        raise BrokenFileError(f"{NAME} cannot be read ({error.strerror}).") from None


def write(text):
    """Write mine.py in one step: whoever reads it finds the old text or the new one."""
    path = place().resolve()  # a link stays one
    if path.exists() and not path.stat().st_mode & stat.S_IWUSR:
        raise BrokenFileError(f"{NAME} is read-only; allow writing, and run this cell again.")
    try:
        handle, beside = tempfile.mkstemp(prefix=".mine-", dir=path.parent)
    except OSError as error:
        raise BrokenFileError(
            f"nothing can be written into {path.parent} ({error.strerror})."
        ) from None
    try:
        with open(handle, "wb") as file:
            file.write(text.encode("utf-8"))
        os.chmod(beside, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644)
        os.replace(beside, path)
    except OSError as error:
        Path(beside).unlink(missing_ok=True)
        raise BrokenFileError(f"{NAME} cannot be written ({error.strerror}).") from None


def run(text):
    """The module that this text of mine.py makes. It is called mine while it is looked at.

    Raises BrokenFileError with the line for what stops in it.
    """
    path = str(place())
    module = ModuleType(MODULE)
    module.__file__ = path
    try:
        code = compile(text.removeprefix("\ufeff"), path, "exec")
        with _as_module(module), silent():
            exec(code, vars(module))
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        raise _stopped(error, path) from None
    return module


@contextmanager
def _as_module(module):
    """While it is run, mine.py is known by its name, as a class or a dataclass in it asks for."""
    before = sys.modules.get(MODULE)
    sys.modules[MODULE] = module
    _running.append(module)
    try:
        yield
    finally:
        _running.pop()
        if before is None:
            del sys.modules[MODULE]
        else:
            sys.modules[MODULE] = before


@contextmanager
def silent():
    """What the reader's code prints when nobody has called it is not shown."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _stopped(error, path):
    says = " ".join(f"{type(error).__name__}: {getattr(error, 'msg', None) or error}".split())
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines.append(error.lineno)
    where = f" in line {lines[-1]}" if lines else ""
    sentence = f"{NAME} stops{where} ({says}): repair it there, and run this cell again."
    return BrokenFileError(sentence, says)
