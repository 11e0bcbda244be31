"""Paint a mask cell by cell and watch scores and weights follow (notebook 9)."""

import ipywidgets
import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention
from lib.masks import causal_mask, padding_mask, window_mask
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, button, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import ASKED, Alive

TOKENS = "it was too tired pad pad".split()
SCORES = np.random.default_rng(343).standard_normal((6, 8)).round(1)[:, :6]  # (T, S)
ALL = np.ones((6, 6), bool)
CAUSAL = causal_mask(6)
PADDING = ALL & padding_mask([4], 6)[0]
PRESETS = {
    "all": ALL,
    "causal": CAUSAL,
    "padding": PADDING,
    "both": CAUSAL & PADDING,
    "window": window_mask(6, 1),
}
LARGEST = "Block the largest share of a row. Who gets it?"
AFTER = "Blocked after the softmax instead: who gets its share?"
LEGIBLE = 0.08  # a shorter piece of a strip has no digits


class MaskPainterDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("mask", "here")
    tokens = traitlets.List(TOKENS).tag(sync=True)
    mask = traitlets.List().tag(sync=True)  # (T, S), True = may attend
    # The row that is drawn large, and the cell or the key that is pointed at.
    here = traitlets.List(traitlets.Int(), [0, 3]).tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)


class MaskPainter(Demo):
    """Block and allow cells of a small map, before the softmax or after it.

    mask: (6, 6) booleans to start with, True = may attend; everything is allowed if not given.
    ``mask``, ``scores`` and ``weights`` read what is on the screen. Raises ValueError for any other
    mask.
    """

    title = "Paint a mask"
    alive = Alive(changes=(ASKED,), computed=("d0.shown",))
    in_class = InClass(LARGEST, 5)
    where = ATTENTION

    def __init__(self, mask=ALL):
        mask = np.asarray(mask)
        if mask.shape != ALL.shape or mask.dtype != bool:
            raise ValueError(
                f"the mask is {mask.shape} {mask.dtype}; "
                "expected (6, 6) booleans, True = may attend."
            )
        self.drawing = MaskPainterDrawing(mask=mask.tolist())
        self.after = ipywidgets.Checkbox(description="after softmax", indent=False)
        self.renormalise = ipywidgets.Checkbox(description="renormalise", indent=False)
        super().__init__(
            LARGEST,
            [*(self._preset(name) for name in PRESETS), self.after, self.renormalise],
            [self.drawing],
        )
        self.tell_story(
            Step("Block the largest", self._block, LARGEST),
            Step("Mask after softmax", self._mask_after, AFTER),
        )
        self.drawing.observe(self.refresh, "mask")

    def _preset(self, name):
        def paint():
            with self.drawing.hold_sync():
                self.drawing.mask = PRESETS[name].tolist()
                if self.drawing.done == 0 and not self.mask.all():
                    self.drawing.done = 1
                    self.drawing.veiled = True

        return button(name, paint)

    @property
    def _row(self):
        """The row that is drawn large: the story is told of it."""
        return self.drawing.here[0]

    def _block(self):
        mask = self.mask
        mask[self._row, SCORES[self._row].argmax()] = False
        self.drawing.mask = mask.tolist()

    def _mask_after(self):
        if self.mask[self._row].all():
            self._block()
        self.after.value = True
        self.renormalise.value = False

    def tell(self):
        """Block the largest share of the first row, and show who gets it."""
        self.reset()
        self.next_step()
        super().tell()

    def update(self):
        after = self.after.value
        renormalise = after and self.renormalise.value
        self.weights = self._masked_after(renormalise) if after else _attend(self.mask)
        self.renormalise.disabled = not after
        self.drawing.shown = {
            "scores": SCORES.tolist(),
            "weights": self.weights.tolist(),
            "shares": _attend(ALL).tolist(),
            "after": after,
            "renormalise": renormalise,
        }

    def _masked_after(self, renormalise):
        """(T, S): the weights without a mask, those of blocked cells then set to 0."""
        cut = _attend(ALL) * self.mask
        if not renormalise:
            return cut
        sums = cut.sum(axis=-1, keepdims=True)  # (T, 1)
        return cut / np.where(sums > 0, sums, 1)

    @property
    def mask(self):
        """(T, S) booleans, True = may attend."""
        return np.array(self.drawing.mask)

    @property
    def scores(self):
        """(T, S): what the softmax sees, -inf where masked before it."""
        return np.where(self.mask | self.after.value, SCORES, -np.inf)

    def numbers_on_screen(self, shown):
        row = shown["here"][0]
        shares, weights = _attend(ALL)[row], self.weights[row]
        is_cut = self.after.value and self.renormalise.value
        texts = [*(shares * self.mask[row] if is_cut else shares)]  # of the upper strip
        is_unasked = self.drawing.done == 0 and self.mask.all()
        is_told = not (self.drawing.veiled or is_unasked)
        texts += [*weights] if is_told else []
        texts = [weight for weight in texts if weight >= LEGIBLE]
        texts += self._numbers_below(row) if is_told else []
        return Numbers(texts, self._caption(row, shown))

    def _numbers_below(self, row):
        """What is written below the answer to a row."""
        allowed = self.mask[row]
        if allowed.all():
            return []
        left = _attend(ALL)[row][allowed].sum()
        return [left if self.after.value or not left else 1 / left]

    def _caption(self, row, shown):
        """The numbers of the sentence: of a sum that is pointed at, or of what holds for all."""
        if self.drawing.veiled:
            return []
        if not self.mask[row].any():
            return [] if self.after.value else [0, 0]
        is_sum = shown["caption"].startswith("weight(")
        return self._sum_of_weight(row, shown["here"][1]) if is_sum else []

    def _sum_of_weight(self, row, j):
        allowed, scores, weights = self.mask[row], SCORES[row], self.weights[row]
        shares = _attend(ALL)[row]
        if not self.after.value:
            return [scores[j], *scores[allowed], weights[j]] if allowed[j] else [0]
        if not allowed[j]:
            return [shares[j], 0, 0]
        if self.renormalise.value:
            return [shares[j], shares[allowed].sum(), weights[j]]
        return [scores[j], *scores, shares[j]]


def _attend(mask):
    """(T, S): the weights; with one-hot keys and scale 1 the queries are the scores."""
    one_hot = np.eye(len(SCORES))
    _, weights = scaled_dot_product_attention(SCORES, one_hot, one_hot, mask, scale=1)
    return weights
