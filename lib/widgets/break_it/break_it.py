"""Take one part of the Transformer away: what is left, row by row, after a bet (notebook 10)."""

from collections import Counter
from difflib import SequenceMatcher
from statistics import median

import numpy as np
import traitlets

from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.places import ATTENTION, EVERYWHERE, FEED_FORWARD, INPUTS
from lib.widgets.frame.record import Alive

TOLD = 0.1  # by which a model that is told the words before must beat one that writes alone
BETS = 4  # so many rows the story asks for, one by one, before it uncovers the rest
# The variants that are shown of those that were measured, as the screen calls them: first those
# that the story asks for.
NAMES = {
    "nothing changed: 4 heads of 16": "the whole model",
    "no positions": "no positions",
    "no residual": "no residual",
    "no feed-forward": "no feed-forward",
    "no warm-up": "no warm-up",
    "one head of 64": "only 1 head",
    "no scale, 4 heads of 16": "no scale, 4 heads",
    "no scale, one head of 64": "no scale, 1 head",
    "no causal mask": "no causal mask",
    "no layer norm": "no layer norm",
}
# Where that is taken away which has a place of its own in the Transformer.
PLACES = {
    "no positions": INPUTS,
    "no causal mask": ("decoder attention",),
    "no feed-forward": FEED_FORWARD,
    **dict.fromkeys(["only 1 head", "no scale, 4 heads", "no scale, 1 head"], ATTENTION),
}
UNCOVER = "Uncover"
NEXT = "Next part"
WORST = "And the worst?"
ASKS = "{name}: how many new sentences stay right?"
MOST = "What breaks it most?"  # at the end; the row that has least left is covered until then
NOTHING = "Nothing breaks."
# What the sentence beside it shows: what the model writes first that is not right.
DOES = {
    "replace": "It writes “{wrote}”, not “{right}”.",
    "begin": "Order lost: it writes as if the reason came first.",
    "insert": "It adds “{wrote}”.",
    "delete": "It leaves out “{right}”.",
}
MOST_WORDS = 2  # of what it writes
ALONE = "In training it could see the next word; now there is none to see."
TWO = "{often} in {many}, {other} in {few}"
DIFFER = "{count} models: {low:.2f} to {high:.2f}"
ALIKE = 0.05  # shares that differ by less are told as one


class BreakItDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("shown", "bets", "chosen", "by_damage", "veiled")
    # [{"name", "shares": of each seed, "share": their median, "where": its place, "asks" and
    # "says": sentences, "told": how its seeds differ, "mistake": what a model wrote, or None if
    # none was wrong}, ...]
    rows = traitlets.List().tag(sync=True)
    shown = traitlets.List(traitlets.Bool()).tag(sync=True)
    bets = traitlets.List(traitlets.Float(allow_none=True)).tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    by_damage = traitlets.Bool(False).tag(sync=True)  # the rows with least left come first


class BreakIt(Demo):
    """What was measured with one part taken away at a time; Enter asks for a row, then uncovers it.

    After four bets it asks what breaks it most, for that row was not asked about; then it uncovers
    and sorts all, least left first.
    rows: those of ``measured_rows``, or some of them, the whole first, which is not covered: what
    `tools/measure.py parts` found, the share that a model translates right when it writes alone, a
    dot for each model that was trained so. ``bets`` {name: bet, or None} reads what the reader
    said.
    """

    title = "Break it, one switch at a time"
    alive = Alive(
        computed=("d0.enter", "h.question", "h.where"),
        given=lambda: {
            "uncover": UNCOVER,
            "next": NEXT,
            "worst": WORST,
            "bets": BETS,
            "most": MOST,
            "where": EVERYWHERE,
        },
    )
    in_class = InClass(ASKS.format(name="No positions"), 8)
    where = EVERYWHERE

    def __init__(self, rows=None):
        rows = rows or measured_rows()
        covered = len(rows) - 1
        self.worst = int(np.argmin([row["share"] for row in rows]))
        chosen = 2 if self.worst == 1 and covered > 1 else 1
        self.drawing = BreakItDrawing(
            rows=rows,
            shown=[True] + covered * [False],
            bets=len(rows) * [None],
            chosen=chosen,
        )
        super().__init__(rows[chosen]["asks"], [], [self.drawing])
        self.tell_story()
        self.drawing.observe(self._ask, ["chosen", "by_damage"])
        self._ask(None)
        self.drawing.observe(self.offer, ["shown", "chosen", "by_damage"])
        self.drawing.observe(self._show_all, "veiled")

    def coming(self):
        """Uncover the chosen row, then choose the next; after four bets ask for the worst.

        Who has uncovered the worst already is not asked.
        """
        shown, chosen = self.drawing.shown, self.drawing.chosen
        if not shown[chosen]:
            return Step(UNCOVER, self._uncover, veils=False)
        covered = [i for i, is_shown in enumerate(shown) if not is_shown]
        if not covered and self.drawing.by_damage:
            return None
        others = [i for i in covered if i != self.worst]
        if not others or sum(shown) > BETS:
            return Step(WORST, self._finish, veils=self.worst in covered)
        row = next((i for i in others if i > chosen), others[0])
        return Step(NEXT, lambda: self.drawing.set_trait("chosen", row), veils=False)

    def _ask(self, _change):
        rows, here = self.drawing.rows, self.drawing.rows[self.drawing.chosen]
        is_worst = self.drawing.by_damage and here["share"] == rows[self.worst]["share"]
        self.header.question = MOST if is_worst else here["asks"]
        self.header.where = list(EVERYWHERE if is_worst else here["where"])

    def _uncover(self):
        shown = list(self.drawing.shown)
        shown[self.drawing.chosen] = True
        self.drawing.shown = shown

    def _finish(self):
        """Those with least left first, and the first of them chosen: seen without the veil."""
        self.drawing.by_damage = True
        self.drawing.chosen = self.worst
        if self.drawing.shown[self.worst]:
            self._show_all()

    def _show_all(self, _change=None):
        if self.drawing.by_damage and not self.drawing.veiled:
            self.drawing.shown = len(self.drawing.rows) * [True]

    @property
    def bets(self):
        """{name: what the reader said, or None}."""
        names = [row["name"] for row in self.drawing.rows]
        return dict(zip(names, self.drawing.bets, strict=True))

    def tell(self):
        """Uncover and sort all, with the row chosen that has least left."""
        self._finish()
        self._show_all()
        super().tell()

    def numbers_on_screen(self, _shown):
        drawing = self.drawing
        shown = [row for row, is_shown in zip(drawing.rows, drawing.shown, strict=True) if is_shown]
        texts = [row["share"] for row in shown]
        here = drawing.rows[drawing.chosen]
        if drawing.veiled:
            return Numbers(texts)
        if not drawing.shown[drawing.chosen]:
            return Numbers(texts, says="Enter uncovers it")
        return Numbers([*texts, here["share"]], says=here["says"])


def _row(name, shares, says="", mistake=None):
    """A row as the drawing reads it."""
    return {
        "name": name,
        "shares": shares,
        "share": median(shares),
        "where": PLACES.get(name, EVERYWHERE),
        "asks": ASKS.format(name=name[0].upper() + name[1:]),
        "says": says,
        "told": _told(shares),
        "mistake": mistake,
    }


def _told(shares):
    """How trainings differ, in a few words; None where they hardly do."""
    low, high = min(shares), max(shares)
    if high - low < ALIKE:
        return None
    counts = Counter(f"{share:.2f}" for share in shares).most_common()
    if len(counts) > 2:
        return DIFFER.format(count=len(shares), low=low, high=high)
    (often, many), (other, few) = counts
    return TWO.format(often=often, many=many, other=other, few=few)


def measured_rows():
    """The rows of lib/saved/measured.json in the order of NAMES, the whole model first."""
    from lib import saved  # brings PyTorch, which most pages do without

    measured = saved.measured("parts")
    variants = {
        name: [run for run in measured if run["variant"] == variant]
        for variant, name in NAMES.items()
    }
    rows = []
    for name, runs in variants.items():
        shares = [run["alone"] for run in runs]
        mistake = _typical(runs, median(shares))
        rows.append(_row(name, shares, _says(runs, shares, mistake), mistake))
    return rows


def _typical(runs, share):
    """The first mistake of the model that is nearest to this share, of those that make any."""
    wrong = [run for run in runs if run["mistake"]]
    if not wrong:
        return None
    run = min(wrong, key=lambda run: abs(run["alone"] - share))
    mistake = run["mistake"]
    words = mistake["wrote"].split(), mistake["right"].split()
    return mistake | {"seed": runs.index(run), "wrote": _compared(*words), "does": _does(*words)}


def _compared(wrote, right):
    """[[word, whether the right sentence has it, wherever]], in the order of what was written."""
    left = Counter(map(_plain, right))
    compared = []
    for word in wrote:
        compared.append([word, left[_plain(word)] > 0])
        left[_plain(word)] -= 1
    return compared


def _does(wrote, right):
    """What is written first that is not right, in a sentence."""
    for kind, *(start, end, first, last) in _matcher(wrote, right).get_opcodes():
        if kind == "insert" and first == 0:
            kind = "begin"
        if kind != "equal":
            return DOES[kind].format(wrote=_few(wrote[first:last]), right=_few(right[start:end]))


def _few(words):
    """The first words, without a comma or a full stop at the end."""
    more = " …" if len(words) > MOST_WORDS else ""
    return " ".join(words[:MOST_WORDS]).rstrip(",.") + more


def _matcher(wrote, right):
    """It goes from what is right to what was written."""
    plain = [[*map(_plain, words)] for words in (right, wrote)]
    return SequenceMatcher(None, *plain, autojunk=False)


def _plain(word):
    return word.strip(",.").lower()


def _says(runs, shares, mistake):
    """What was measured of one variant, in a sentence."""
    taught = median([run["taught"] for run in runs])
    if taught - median(shares) > TOLD:
        return ALONE
    return mistake["does"] if mistake else NOTHING
