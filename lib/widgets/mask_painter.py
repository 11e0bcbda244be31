"""Paint a mask cell by cell and watch scores, weights and outputs follow (notebook 9)."""

import ipywidgets
import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention
from lib.masks import causal_mask, padding_mask, window_mask
from lib.widgets.frame import Demo, Drawing, Numbers, button, sources

TOKENS = "it was too tired pad pad".split()
_NUMBERS = np.random.default_rng(343).standard_normal((6, 8)).round(1)
SCORES, VALUES = _NUMBERS[:, :6], _NUMBERS[:, 6:]  # (T, S), (S, 2)
ALL = np.ones((6, 6), bool)
CAUSAL = causal_mask(6)
PADDING = ALL & padding_mask([4], 6)[0]
PRESETS = {
    "all": ALL,
    "causal": CAUSAL,
    "padding": PADDING,
    "causal and padding": CAUSAL & PADDING,
    "window (width 1)": window_mask(6, 1),
}
EQUAL = 1e-7  # weights that differ by less are called equal


class MaskPainterDrawing(Drawing):
    _esm, _css = sources("mask_painter")
    state = ("mask",)
    tokens = traitlets.List(TOKENS).tag(sync=True)
    mask = traitlets.List().tag(sync=True)  # (T, S), True = may attend
    shown = traitlets.Dict().tag(sync=True)


class MaskPainter(Demo):
    """Block and allow cells of a small map, before the softmax or after it.

    mask: (6, 6) booleans to start with, True = may attend; everything is allowed if not given.
    ``mask``, ``scores``, ``weights`` and ``output`` read what is on the screen. Raises ValueError
    for any other mask.
    """

    def __init__(self, mask=ALL):
        mask = np.asarray(mask)
        if mask.shape != ALL.shape or mask.dtype != bool:
            raise ValueError(
                f"the mask is {mask.shape} {mask.dtype}; "
                "expected (6, 6) booleans, True = may attend."
            )
        self.drawing = MaskPainterDrawing(mask=mask.tolist())
        self.after = ipywidgets.Checkbox(description="mask after the softmax", indent=False)
        self.renormalise = ipywidgets.Checkbox(description="renormalise", indent=False)
        super().__init__(
            "Paint a mask",
            "Predict: block the largest score of a row. Who gets its share?",
            [*(self._preset(name) for name in PRESETS), self.after, self.renormalise],
            [self.drawing],
        )
        self.add_class("controls-above")
        self.drawing.observe(self.refresh, "mask")

    def _preset(self, name):
        def paint():
            self.drawing.mask = PRESETS[name].tolist()

        return button(name, paint)

    def update(self):
        after = self.after.value
        renormalise = after and self.renormalise.value
        self.output, self.weights = _attend(self.mask)
        note = ""
        if after:
            before = self.weights
            self.weights = self._masked_after(renormalise)
            self.output = self.weights @ VALUES  # (T, 2)
            note = _note(np.abs(self.weights - before).max())
        self.renormalise.disabled = not after
        self.drawing.shown = {
            "scores": SCORES.tolist(),
            "weights": self.weights.tolist(),
            "output": self.output.tolist(),
            "values": VALUES.tolist(),
            "after": after,
            "renormalise": renormalise,
            "note": note,
            "black": _black_row(),
        }

    def _masked_after(self, renormalise):
        """(T, S): the weights without a mask, those of blocked cells then set to 0."""
        cut = _attend(ALL)[1] * self.mask
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
        texts = []
        for i in range(len(SCORES)):
            weights = self.weights[i]
            texts += [*self.scores[i], *weights, *self.output[i], weights.sum()]
        row, column = divmod(shown["rings"][0], 2 * len(TOKENS) + VALUES.shape[1])
        caption = self._caption(row, column)
        if self.after.value:
            difference = np.abs(self.weights - _attend(self.mask)[1]).max()
            equal = difference <= EQUAL
            caption += [1e-7, difference] if equal else [1, difference]
        return Numbers(texts, caption)

    def _caption(self, i, column):
        """The numbers of the sentence about one cell: a score, a weight or an output of row i."""
        allowed, scores, weights = self.mask[i], SCORES[i], self.weights[i]
        shares = _attend(ALL)[1][i]  # (S,): the weights without a mask
        if not allowed.any():
            return [0, 0, -np.inf, -1e9, 1 / len(scores)]
        if column >= 2 * len(TOKENS):
            d = column - 2 * len(TOKENS)
            terms = []
            for weight, value in zip(weights, VALUES[:, d], strict=True):
                if weight > 0:
                    terms += [weight, value]
            return [d + 1, *terms, self.output[i, d]]
        j = column % len(TOKENS)
        if not self.after.value:
            return [scores[j], *scores[allowed], weights[j]] if allowed[j] else [0]
        if not allowed[j]:
            return [shares[j], 0, 0]
        if self.renormalise.value:
            return [shares[j], shares[allowed].sum(), weights[j]]
        return [scores[j], *scores, shares[j]]


def _attend(mask):
    """(output, weights); with one-hot keys and scale 1 the queries are the scores."""
    return scaled_dot_product_attention(SCORES, np.eye(len(SCORES)), VALUES, mask, scale=1)


def _note(difference):
    """How far masking after the softmax is from masking before it."""
    if difference <= EQUAL:
        return (
            f"Equal to masking before the softmax, to 1e-7 (largest difference {difference:.0e})."
        )
    return (
        "Rows sum to less than 1 (▾): not equal to masking before the softmax, "
        f"by up to {difference:.2f}."
    )


def _black_row():
    """What becomes of a query that may attend to nothing, by the number for a masked score."""
    rows = np.array([[-np.inf] * 6, [-1e9] * 6])
    with np.errstate(invalid="ignore"):
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    nan, share = (powers / powers.sum(axis=1, keepdims=True))[:, 0]
    return (
        "lib gives weights 0, output 0; a plain softmax of −∞ gives "
        f"{nan}, of −1e9 gives {share:.2f} each"
    )
