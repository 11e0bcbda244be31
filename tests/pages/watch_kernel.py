"""Run by every kernel before its notebook (as PYTHONSTARTUP): it writes to the file KERNEL_REPORT
what the tests ask, and has one core.

A line `cores N`, a line `before torch MB` with what the kernel holds of its own when PyTorch is
first imported, and a line `outside ...` for each attempt to reach another computer, which then
fails.
"""


def _watch():  # everything is local: a notebook must not find names that it did not make
    import os
    import re
    import sys

    seen = set()

    def report(line):
        with open(os.environ["KERNEL_REPORT"], "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def hook(event, arguments):
        if event == "import" and arguments[0] == "torch" and not seen and sys.platform == "linux":
            seen.add("torch")
            with open("/proc/self/status") as status:
                held = int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) * 1024 / 1e6
            report(f"before torch {held:.0f}")
        if event in (
            "socket.connect",
            "socket.sendto",
            "socket.getaddrinfo",
            "socket.gethostbyname",
        ):
            report(f"outside {event} {arguments[:2]}")
            raise OSError("The course must not need a network.")

    if hasattr(os, "sched_setaffinity"):  # here, since a process that has threads gives them others
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(os.environ["KERNEL_NUMBER"]) % len(cores)]})
        report(f"cores {len(os.sched_getaffinity(0))}")
    else:
        report("cores unknown")
    sys.addaudithook(hook)


_watch()
del _watch
