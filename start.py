"""The course on attention.

    python3 start.py                   set up .venv, then open the notebooks in JupyterLab
    python3 start.py test              run every test; `test style unit` runs these layers alone:
                                       style unit javascript notebooks browser
    python3 start.py refresh [FILE]    execute the notebooks and write their outputs
    python3 start.py real              fetch the real model of page 13 (84 MB) into real_model/

Options that begin with - go to JupyterLab, for example `python3 start.py --port=9000`. If the port
is in use, JupyterLab takes the next free one and says so.
"""

# Only the standard library, and syntax that an old Python can read, so that it can say what is
# wrong.
import os
import re
import shutil
import subprocess
import sys
import time
import webbrowser
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = ENVIRONMENT / "installed.txt"
LOG = ENVIRONMENT / "install.log"
OLDEST = (3, 11)
WORDS = ("test", "refresh", "real")
LAYERS = ("style", "unit", "javascript", "notebooks", "browser")
NOTEBOOK_TESTS = "tests/pages/test_notebooks.py"
NPM_OPTIONS = ("--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|name resolution|Network is unreachable"
)


def check_python(version):
    """End with a sentence if this Python is too old or cannot make an environment."""
    if tuple(version[:2]) < OLDEST:
        sys.exit(
            "This course needs Python 3.11 or newer, and this is Python {}.{}. Install a newer one "
            "from python.org or your system's packages, then run start.py with it, for example: "
            "python3.12 start.py".format(*version[:2])
        )
    if PYTHON.exists():
        return
    missing = [name for name in ("venv", "ensurepip") if find_spec(name) is None]
    if missing:
        sys.exit(
            f"This Python comes without the module {missing[0]!r}, which makes the environment. "
            "On Debian and Ubuntu install it with: sudo apt install python3-venv   Then run "
            "start.py again."
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


def install(wanted):
    """Make .venv hold these versions; a second call takes no time, and an interrupted one is taken
    up again.
    """
    have = STAMP.read_text().splitlines() if STAMP.exists() and PYTHON.exists() else []
    if set(wanted) <= set(have):
        return
    begin = time.monotonic()
    if not works(PYTHON, "-m", "pip", "--version"):
        print("Making an environment in .venv ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    print(
        "Installing into .venv. The first time takes a minute or more: PyTorch is large.",
        flush=True,
    )
    # On Linux the default PyTorch brings several GB of CUDA; uv picks the small build where there
    # is no such card.
    if not (sys.platform == "linux" and install_with_uv(wanted)):
        status, said = logged(PYTHON, "-m", "pip", "install", *wanted)
        if status:
            sys.exit(why(said))
    # JupyterLab must neither ask about news nor look for updates: nothing is fetched while the
    # course runs.
    settings = ENVIRONMENT / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "binder" / "overrides.json", settings)
    STAMP.write_text("\n".join(wanted) + "\n")
    print(
        f"Installed in {time.monotonic() - begin:.0f} s. From now on this step is skipped.",
        flush=True,
    )


def install_with_uv(wanted):
    """Try uv; False where it cannot be had or misses a package: then pip does the work."""
    status, said = logged(PYTHON, "-m", "pip", "install", "uv")
    if status and OFFLINE.search(said):
        sys.exit(why(said))
    if status:
        return False
    command = ("-m", "uv", "pip", "install", "--python", PYTHON, "--torch-backend", "auto")
    patience = {"UV_HTTP_TIMEOUT": "20", "UV_HTTP_RETRIES": "1"}
    status, _ = logged(PYTHON, *command, *wanted, environment=patience)
    if status:
        print("  uv does not find every package here; pip installs them instead.", flush=True)
    return status == 0


def works(*command):
    """True if the command can be run and succeeds."""
    try:
        return subprocess.run([str(word) for word in command], capture_output=True).returncode == 0
    except OSError:
        return False


def logged(*command, environment=None, to=None):
    """Run a command; show only its downloads, keep all it says in the log ``to`` (or LOG).

    Returns its status and its words.
    """
    said = []
    process = subprocess.Popen(
        [str(word) for word in command],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    with (to or LOG).open("a", encoding="utf-8") as log:
        for line in process.stdout:
            said.append(line)
            log.write(line)
            download = re.match(r"\s*Downloading (\S+) \(([\d.]+ ?[MG]i?B)\)", line)
            if download:
                print("  downloading {} ({})".format(*download.groups()), flush=True)
    return process.wait(), "".join(said)


def why(said):
    """What to tell the reader when pip failed with these words."""
    if OFFLINE.search(said):
        return (
            "The packages could not be downloaded: there seems to be no network. Connect (or set "
            "your proxy) and run start.py again; it goes on where it stopped."
        )
    last = "".join("  " + line for line in said.splitlines(keepends=True)[-5:])
    return (
        f"The packages could not be installed. pip said:\n{last}\n"
        f"Everything it said is in {LOG.relative_to(ROOT)}."
    )


def can_show_a_browser():
    """False on a server without a display: there the address is printed and nothing is opened."""
    if sys.platform == "linux" and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def first_page():
    """The address that is opened: the first notebook in reading order, which is 00_start_here."""
    pages = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")
    )
    return "/lab/tree/" + pages[0] if pages else "/lab"


def run(*command, python=None):
    """Run a command in the course's folder with this Python (or .venv's); its status.

    Ctrl-C ends both, tidily.
    """
    # One thread: NumPy's own threads would compete with the browser, and make small models slower.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen([str(python or PYTHON), *command], cwd=ROOT, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the command has received it too, and is ending


def start(options):
    """Open the first notebook in JupyterLab and stay until it ends."""
    install(requirements("start"))
    # Not the file as an argument: the address that is printed without a browser would not lead to
    # it.
    options = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url={first_page()}", *options]
    options.insert(0, "--ServerApp.answer_yes=True")  # Ctrl-C ends at once, without a question
    if not can_show_a_browser():
        options.insert(0, "--no-browser")
        print(
            "No browser can be opened from here: open the address that JupyterLab prints.",
            flush=True,
        )
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.insert(0, "--allow-root")  # in a container there is often no other user
    print("Starting JupyterLab. Press Ctrl-C here to end it.", flush=True)
    return run("-m", "jupyterlab", *options)


def test(chosen):
    """Run the layers of tests, fast first; 1 if any failed."""
    unknown = set(chosen) - set(LAYERS)
    if unknown:
        sys.exit(f"There is no layer {unknown.pop()!r}; the layers are: {', '.join(LAYERS)}.")
    install(requirements("test"))
    layers = [layer for layer in LAYERS if layer in chosen or not chosen]
    summary = []
    for number, layer in enumerate(layers, 1):
        print(f"\n{number}/{len(layers)} {layer} ...", flush=True)
        begin = time.monotonic()
        result = run_layer(layer)
        summary.append(
            f"{number}/{len(layers)} {layer}: {result}, {time.monotonic() - begin:.0f} s"
        )
        print(summary[-1], flush=True)
    print("\n" + "\n".join(summary), flush=True)
    return int(any(": FAILED" in line for line in summary))


def run_layer(layer):
    """Run one layer; "passed", "FAILED", or "skipped" and why."""
    if layer == "style":
        return style()
    if layer == "javascript":
        return javascript()
    if layer == "browser" and not shutil.which("chromium"):
        return without("chromium")
    pytest = {
        "unit": ["-n", "2", f"--ignore={NOTEBOOK_TESTS}", "--ignore=tests/browser"],
        "notebooks": ["-n", "2", "--dist", "loadgroup", NOTEBOOK_TESTS],
        # Two at a time: while a page trains a model on one core, another browser goes on.
        "browser": ["-n", "2", "--dist", "loadscope", "tests/browser"],
    }
    return verdict([run("-m", "pytest", "-q", *pytest[layer])])


def style():
    """Format and rules of Python and notebooks, then those of JavaScript and CSS."""
    python = [
        run("-m", "ruff", "check", "--output-format=concise"),
        run("-m", "ruff", "format", "--check"),
        run("-m", "pytest", "-q", "tests/house/test_plain_files.py"),
    ]
    if any(python):
        return "FAILED"
    if not shutil.which("npm"):
        return without("npm")
    npm = shutil.which("npm")  # npm.cmd on Windows
    installed = subprocess.run([npm, "install", *NPM_OPTIONS], cwd=ROOT).returncode
    return verdict(
        [installed or subprocess.run([npm, "run", "--silent", "style"], cwd=ROOT).returncode]
    )


def javascript():
    """The exported functions of the widgets, tested by Node."""
    if not shutil.which("node"):
        return without("node")
    files = sorted(str(path) for path in (ROOT / "tests" / "widgets").glob("*.test.mjs"))
    return verdict([subprocess.run(["node", "--test", *files], cwd=ROOT).returncode])


def verdict(statuses):
    """What the exit codes of a layer's commands mean."""
    return "FAILED" if any(statuses) else "passed"


def without(program):
    """The verdict where a program is missing: on the build machine nothing may go unseen."""
    if os.environ.get("CI"):
        return f"FAILED (no {program})"
    return f"skipped (no {program} on this machine)"


def refresh(paths):
    """Bring the notebooks' outputs up to date."""
    install(requirements("test"))  # Playwright too, for the pictures of demos
    return run("tools/refresh.py", *(str(Path(path).resolve()) for path in paths))


def real():
    """Fetch the real model of page 13, with .venv's pip or, as on Binder, with this Python's."""
    python = PYTHON if works(PYTHON, "-m", "pip", "--version") else sys.executable
    return run("tools/real_model.py", python=python)


def main(arguments):
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    if command and not command.startswith("-") and command not in WORDS:
        print(f"start.py does not know the word {command!r}.\n\n{__doc__.strip()}", file=sys.stderr)
        return 2
    check_python(sys.version_info)
    if command == "test":
        return test(rest)
    if command == "refresh":
        return refresh(rest)
    if command == "real":
        return real()
    return start(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run start.py again to go on from here.")
