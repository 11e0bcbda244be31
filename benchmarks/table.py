"""The one table that all measurements end up in."""

from dataclasses import dataclass


@dataclass
class Row:
    """What was measured, for us and for what we compare with.

    met: whether a target was met; None where there is none.
    """

    what: str
    ours: str
    other: str = ""
    result: str = ""
    target: str = ""
    met: bool | None = None

    def __str__(self):
        verdict = {True: "met", False: "NOT MET", None: ""}[self.met]
        cells = self.what, self.ours, self.other, self.result, self.target, verdict
        return "| " + " | ".join(cells) + " |"


HEADER = "| measurement | ours | compared with | result | target | |\n|---|---|---|---|---|---|"
