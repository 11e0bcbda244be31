"""The environment .venv: is it whole, and if not, make or mend it.

Needs the standard library alone. Each misfortune ends in a sentence that says what to do.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from sysconfig import get_platform

from lib.set_up import NO_PYTORCH

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LIST = ENVIRONMENT / "installed.txt"  # every package after the last installation; empty during one
LOG = ENVIRONMENT / "install.log"
LOCK = ENVIRONMENT / "start.lock"
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|name resolution|Network is unreachable"
)
UNMADE = re.compile(r"No matching distribution found for (\S+)")
FULL = re.compile(r"No space left on device|not enough space on the disk|Disk quota exceeded")
# Of the user's own Python, or of pip elsewhere: packages of another Python would come first.
FOREIGN = (
    *"PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_USER".split(),
    "PYTHONDONTWRITEBYTECODE",  # without bytecode each kernel compiles anew all that it imports
)
DELETE = "delete the folder .venv and run start.py again: it then makes a new one."
SIZE = "1.3 GB on the disk"
SMALL = f"about 300 MB to download, {SIZE}; it takes a minute or more"
LARGE = "if PyTorch's large build comes with it, about 3 GB to download"
UNREADABLE = {
    "faults": [{"name": "", "folder": "", "kind": "missing", "words": "it cannot be read"}],
    "all": [],
}
RIGHT = (  # is this Python one that the course is made for?
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "import start; start.check_python(sys.version_info)"
)
SHOWN = 4  # of the packages that are wrong
PATIENCE = 10  # seconds for a command to end by itself
NO_NETWORK = (
    "The packages could not be downloaded: there seems to be no network. Connect (or set your "
    "proxy) and run start.py again; it goes on where it stopped."
)


def requirements(name):
    """The exact versions that a reader ("start") or a maintainer ("test") needs."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if name == "test":
        import tomllib

        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        wanted += project["optional-dependencies"]["test"]
    return wanted


# -- what is there ---------------------------------------------------------------------------------


def look(wanted):
    """What tools/installed.py says of .venv's packages; None where its Python does not run."""
    command = [str(PYTHON), "-I", str(ROOT / "tools" / "installed.py"), str(LIST), *wanted]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", env=own_environment()
        )
    except OSError:
        return None
    if answer.returncode == 0:
        return json.loads(answer.stdout)
    return UNREADABLE if works(PYTHON, "-I", "-c", "") else None


def is_whole(found):
    return found is not None and not found["faults"]


def install(wanted):
    """Make .venv hold these versions; where it does, this takes no time and writes nothing."""
    if is_whole(look(wanted)):
        return
    make_folder()
    with alone():
        found = look(wanted)  # another start.py may have been at work until now
        if not is_whole(found):
            mend(found, wanted)


def mend(found, wanted):
    """Make the environment anew, or install in it what is missing, damaged or another version."""
    begin = time.monotonic()
    has_pip = works(PYTHON, "-I", "-m", "pip", "--version")
    is_new = found is None or not has_pip or not works(PYTHON, "-I", "-c", RIGHT, ROOT)
    faults = [] if is_new else found["faults"]
    if is_new:
        make_environment()
    else:
        print(f"Mending .venv: {listed(faults)}.", flush=True)
        forget(faults)
    write_list([])  # until the end; if this is killed, the next start goes on with it
    failed = install_packages(wanted, is_new or "torch" in [one["name"] for one in faults])
    if failed and faults and all(one["kind"] == "another version" for one in faults):
        write_list(found["all"])
        print(f"{failed}\nUntil then it goes on with what is here.", flush=True)
        return
    if failed:
        sys.exit(failed)
    keep_jupyterlab_quiet()
    finish(wanted)
    print(f"Installed in {time.monotonic() - begin:.0f} s; the next start is quick.", flush=True)


def forget(faults):
    """Delete what says that a damaged package is there: then pip installs it anew."""
    for one in faults:
        if one["folder"] and one["kind"] != "another version":
            shutil.rmtree(one["folder"], ignore_errors=True)


def finish(wanted):
    """Look once more, and write down what is there now."""
    LIST.unlink(missing_ok=True)  # what has gone since, and nothing needs, is not missed
    found = look(wanted)
    faults = found["faults"] if found else [{"words": "its Python does not run", "kind": ""}]
    if any(one["kind"] != "damaged" for one in faults):
        sys.exit(f".venv could not be mended: {listed(faults)}. So {DELETE}")
    write_list(found["all"])
    damaged = look(wanted)["faults"]
    if damaged:
        # Said once: what its own package lists in vain must not be installed again at each start.
        names = [one["name"] for one in damaged]
        write_list([line for line in found["all"] if line.partition("==")[0] not in names])
        print(f"Still, {listed(damaged)}. If something fails, {DELETE}", flush=True)


def write_list(lines):
    LIST.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def listed(faults):
    """The first few faults, in one line."""
    words = [one["words"] for one in faults]
    rest = len(words) - SHOWN
    return ", ".join(words[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


# -- making and mending ----------------------------------------------------------------------------


def make_folder():
    """Make the folder .venv and write into it, or end with a sentence."""
    if os.path.lexists(ENVIRONMENT) and not ENVIRONMENT.is_dir():
        sys.exit(
            "Something named .venv is in the course's folder, and it is not a folder. start.py "
            "needs this name: delete or rename it, then run start.py again."
        )
    try:
        ENVIRONMENT.mkdir(exist_ok=True)
        LOCK.touch()
    except OSError as error:
        sys.exit(
            f"start.py cannot write in {ENVIRONMENT} ({error.strerror}). Copy the course into a "
            "folder of your own, and run start.py there."
        )


@contextmanager
def alone():
    """Inside, no other start.py changes .venv. The lock ends with the process, however it ends, and
    with the pip that it runs: killed, it leaves that behind, at work.
    """
    with LOCK.open("w") as file:
        os.set_inheritable(file.fileno(), True)
        if not lock(file):
            print("Another start.py is installing here: waiting for it ...", flush=True)
            while not lock(file):
                time.sleep(0.5)
        yield


def lock(file):
    """Lock an open file; False if another process has locked it."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass  # a file system that has no locks: go on without
    return True


def make_environment():
    """A new environment with nothing but pip, in place of what is left of an old one."""
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        sys.exit(f"This is .venv's own Python, and .venv is broken. With another Python, {DELETE}")
    print("Making an environment in .venv ...", flush=True)
    try:
        for path in ENVIRONMENT.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path != LOCK:
                path.unlink()
    except OSError as error:
        sys.exit(f"An old .venv is in the way ({error}). End what uses it, then {DELETE}")
    status, said = logged(sys.executable, "-m", "venv", ENVIRONMENT)
    if status:
        sys.exit(why(said, "The environment .venv could not be made. Python"))


def install_packages(wanted, with_torch):
    """Install with uv or pip; None, or what to tell the reader if that failed."""
    if not with_torch:
        print("Installing into .venv ...", flush=True)
    elif sys.platform == "linux":
        print(f"Installing into .venv, with PyTorch's small build: {SMALL}.", flush=True)
        # pip would bring PyTorch with several GB for graphics cards, which the course does not use;
        # uv knows where the small build is.
        status, said = install_with_pip("uv")
        if status and OFFLINE.search(said):
            return NO_NETWORK
        if status == 0:
            status, said = install_with_uv("--torch-backend", "cpu", *wanted)
            if status == 0:
                return None
        reason = said.strip().rpartition("\n")[2].strip().removeprefix("cause: ")
        print(f"uv cannot install them here ({reason}); pip does it instead: {LARGE}.", flush=True)
        failed, is_whole = install_fetched(wanted)
        if failed or is_whole:
            return failed
    else:
        print(f"Installing into .venv: {SMALL}.", flush=True)
    status, said = install_with_pip(*wanted)
    return why(said) if status else None


def install_fetched(wanted):
    """pip fetches PyTorch, from where it knows; uv unpacks it, in a third of the time.

    Returns what to tell the reader if pip failed, or None; and whether uv has installed them.
    """
    torch = [name for name in wanted if name.startswith("torch==")]
    folder = ENVIRONMENT / "fetched"  # what is there when this is killed is not fetched again
    fetch = ("-m", "pip", "download", "--no-deps", "--dest", folder, *torch)
    status, said = logged(PYTHON, "-I", *fetch)
    if status:
        return why(said), False
    status, _ = install_with_uv("--find-links", folder, *wanted)
    shutil.rmtree(folder, ignore_errors=True)
    return None, status == 0


def install_with_pip(*words):
    """Its status and words."""
    return logged(PYTHON, "-I", "-m", "pip", "install", *words)


def install_with_uv(*words):
    """Its status and words."""
    command = ("-m", "uv", "pip", "install", "--python", PYTHON)
    patience = {"UV_HTTP_TIMEOUT": "20", "UV_HTTP_RETRIES": "1"}
    return logged(PYTHON, "-I", *command, *words, environment=patience)


def keep_jupyterlab_quiet():
    """JupyterLab must neither ask about news nor look for updates: nothing is fetched."""
    settings = ENVIRONMENT / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "binder" / "overrides.json", settings)


def why(said, begins="The packages could not be installed. pip"):
    """What to tell the reader when a command failed with these words."""
    if OFFLINE.search(said):
        return NO_NETWORK
    if FULL.search(said):
        return f"There is no room on the disk: .venv needs {SIZE}. Make room, run start.py again."
    if unmade := UNMADE.search(said):
        came = f"pip finds no {unmade[1]} for this computer ({get_platform()})."
        return f"{came} {NO_PYTORCH}" if unmade[1].startswith("torch==") else came
    last = "".join("  " + line for line in said.splitlines(keepends=True)[-5:])
    return (
        f"{begins} said:\n{last}\nEverything it said is in {LOG.relative_to(ROOT).as_posix()}. "
        f"If you see no reason there, {DELETE}"
    )


# -- commands --------------------------------------------------------------------------------------


def own_environment(**more):
    """The variables for a command that must see .venv's packages and no others."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**kept, **more}


def works(*command):
    """True if the command can be run and succeeds."""
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, capture_output=True, env=own_environment()).returncode == 0
    except OSError:
        return False


def logged(*command, environment=None, to=None):
    """Run a command; show only its downloads, keep all it says in the log ``to`` (or LOG).

    Returns its status and its words.
    """
    said = []
    process = subprocess.Popen(
        [str(word) for word in command],
        env=own_environment(**(environment or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # the lock goes on
    )
    with ended(process), (to or LOG).open("a", encoding="utf-8") as log:
        for line in process.stdout:
            said.append(line)
            log.write(line)
            download = re.match(r"\s*Downloading (\S+) \(([\d.]+ ?[MG]i?B)\)", line)
            if download:
                print("  downloading {} ({})".format(*download.groups()), flush=True)
        status = process.wait()
    return status, "".join(said)


def run(*command, python=None):
    """Run a command in the course's folder with this Python (or .venv's); its status."""
    # One thread: NumPy's own threads would compete with the browser, and make small models slower.
    environment = own_environment(OMP_NUM_THREADS="1")
    process = subprocess.Popen([str(python or PYTHON), *command], cwd=ROOT, env=environment)
    with ended(process):
        return process.wait()


@contextmanager
def ended(process):
    """However this is left, the process does not stay behind, and has time to tidy up."""
    try:
        yield
    except BaseException as reason:
        # Ctrl-C has reached it, too; the SIGTERM that was sent to start.py has not.
        if isinstance(reason, SystemExit):
            process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        raise


def become(*command):
    """Run a command in the place of start.py: what is sent to one process reaches it.

    Windows cannot do that; there start.py waits, and Ctrl-C reaches both.
    """
    words = [str(word) for word in command]
    if os.name == "nt":
        return run(*words[1:], python=words[0])
    sys.stdout.flush()
    os.chdir(ROOT)
    os.execve(words[0], words, own_environment(OMP_NUM_THREADS="1"))
