"""JupyterLab with one plain line, its address, in place of 25 lines of log; start.py runs this.

It shows the pages in one column (lab_style/custom.css). The reader's own settings are not touched.

Warnings are still shown. `--Application.log_level=INFO` shows everything.
"""

import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1]
SERVED = [str(COURSE / "tools/lab_style"), str(COURSE / "lib/letters")]  # both as /custom/
# The address in five lines, which our line replaces; what is said of every page that comes from a
# clone; and what is said of every server with JupyterLab's own settings.
USUAL = ("To access the server", "is not trusted", "websocket_ping_timeout")


def is_news(record):
    """False for a message that comes each time, and that nobody can do anything about."""
    return not any(words in record.getMessage() for words in USUAL)


def address(server):
    """Where a browser finds the page; on other machines too, if the server is open to them."""
    if server.ip in ("localhost", "127.0.0.1", "::1"):
        return server.local_url
    return f"{server.local_url} (from another machine: {server.public_url})"


def main(options):
    try:
        from jupyterlab.labapp import LabApp
    except ImportError as error:
        sys.exit(
            f"JupyterLab cannot be loaded ({error}). Delete the folder .venv and run start.py "
            "again: it then makes a new one."
        )
    server = LabApp.initialize_server(["--LabApp.custom_css=True", *options])
    server.web_app.settings["static_custom_path"][:0] = SERVED
    for handler in server.log.handlers:
        handler.addFilter(is_news)
    print(f"Open: {address(server)}", flush=True)
    server.start()


if __name__ == "__main__":
    main(sys.argv[1:])
