"""Ours beside PyTorch's in a table that follows sliders (notebooks 1 to 12)."""

import sys
from contextlib import contextmanager

import numpy as np

from lib.widgets.live_table.live_table import LiveTable


class EqualTable(LiveTable):
    """The largest error of ours beside PyTorch's, following the sliders.

    compare(**values) -> {what: (ours, theirs)}, two arrays each; "equal" means within
    ``tolerance`` everywhere.
    """

    def __init__(self, compare, question=None, tolerance=1e-6, **sliders):
        self.tolerance = tolerance
        self.limit = f"{tolerance:.0e}".replace("e-0", "e-")
        if not question:
            question = f"All sliders to the right: is the error below {self.limit}?"
        columns = ["", "shape", "largest error", "equal?"]
        super().__init__(compare, "Equal to PyTorch", question, columns, **sliders)

    def rows(self):
        with _same_draws():
            pairs = super().rows()
        for what, (ours, theirs) in pairs.items():
            yield self._row(what, _array(ours), _array(theirs))

    def _row(self, what, ours, theirs):
        if ours.shape != theirs.shape:
            return what, f"{ours.shape} and {theirs.shape}", "-", "no: the shapes differ"
        shape = " × ".join(str(size) for size in ours.shape)
        error = float(np.abs(ours - theirs).max())
        equal = error <= self.tolerance  # False for NaN
        verdict = f"yes, ≤ {self.limit}" if equal else f"NO, > {self.limit}"
        return what, shape, f"{error:.1e}", verdict

    def verdicts(self, rows):
        return [row[-1].startswith("yes") for row in rows]

    def sentence(self, rows):
        if not rows:
            return super().sentence(rows)
        verdicts, limit = self.verdicts(rows), self.limit
        if all(verdicts):
            count = "The row agrees" if len(rows) == 1 else f"All {len(rows)} rows agree"
            return f"{count} with PyTorch to {limit}."
        differing = f"{verdicts.count(False)} of {len(rows)} rows"
        return f"Not equal to PyTorch within {limit}: {differing}."


@contextmanager
def _same_draws():
    """Inside, torch draws the same numbers each time: the same sliders have the same error."""
    torch = sys.modules.get("torch")  # what it was not imported for draws nothing
    if torch is None:
        yield
        return
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def _array(x):
    """An array or a tensor, also one that requires grad, as an array.

    JupyterLab moves sliders in a thread of its own, where a page's set_grad_enabled(False) has no
    say.
    """
    return np.asarray(x.detach() if hasattr(x, "detach") else x)
