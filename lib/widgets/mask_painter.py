"""Paint a mask cell by cell and watch scores, weights and outputs follow (notebook 9)."""

from functools import partial

import ipywidgets
import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention
from lib.masks import causal_mask, padding_mask, window_mask
from lib.widgets.frame import Demo, Drawing, button, sources

TOKENS = "it was too tired pad pad".split()
SCORES, VALUES = np.split(
    np.random.default_rng(343).standard_normal((6, 8)).round(1), [6], axis=1
)  # (T, S), (S, 2)
ALL = np.ones((6, 6), bool)
CAUSAL, PADDING = causal_mask(6), ALL & padding_mask([4], 6)[0]
PRESETS = {"all": ALL, "causal": CAUSAL, "padding": PADDING, "causal and padding": CAUSAL & PADDING}
PRESETS["window (width 1)"] = window_mask(6, 1)


class MaskPainterDrawing(Drawing):
    _esm, _css = sources("mask_painter")
    state = ("mask",)
    tokens = traitlets.List(TOKENS).tag(sync=True)
    mask = traitlets.List().tag(sync=True)  # (T, S), True = may attend
    shown = traitlets.Dict().tag(sync=True)


class MaskPainter(Demo):
    """Block and allow cells of a small map, before the softmax or after it.

    mask: (6, 6) booleans to start with, True = may attend; everything is allowed if not given. ``mask``, ``scores``,
    ``weights`` and ``output`` read what is on the screen. Raises ValueError for any other mask.
    """

    def __init__(self, mask=ALL):
        mask = np.asarray(mask)
        if mask.shape != ALL.shape or mask.dtype != bool:
            raise ValueError(
                f"the mask is {mask.shape} {mask.dtype}; expected (6, 6) booleans, True = may attend."
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
        return button(name, lambda: setattr(self.drawing, "mask", PRESETS[name].tolist()))

    def update(self):
        after = self.after.value
        renormalise = after and self.renormalise.value
        # With one-hot keys and scale 1 the queries are the scores.
        attend = partial(scaled_dot_product_attention, SCORES, np.eye(6), VALUES, scale=1)
        (self.output, self.weights), note = attend(mask=self.mask), ""
        if after:
            before, cut = self.weights, attend()[1] * self.mask  # (T, S) both
            sums = cut.sum(axis=-1, keepdims=True)  # (T, 1)
            self.weights = cut / np.where(sums > 0, sums, 1) if renormalise else cut
            self.output = self.weights @ VALUES  # (T, 2)
            difference = np.abs(self.weights - before).max()
            note = f"Rows sum to less than 1 (▾): not equal to masking before the softmax, by up to {difference:.2f}."
            if difference <= 1e-7:
                note = f"Equal to masking before the softmax, to 1e-7 (largest difference {difference:.0e})."
        self.renormalise.disabled = not after
        arrays = {
            "scores": SCORES,
            "weights": self.weights,
            "output": self.output,
            "values": VALUES,
        }
        arrays = {name: array.tolist() for name, array in arrays.items()}
        self.drawing.shown = arrays | {
            "after": after,
            "renormalise": renormalise,
            "note": note,
            "black": _black_row(),
        }

    @property
    def mask(self):
        """(T, S) booleans, True = may attend."""
        return np.array(self.drawing.mask)

    @property
    def scores(self):
        """(T, S): what the softmax sees, -inf where masked before it."""
        return np.where(self.mask | self.after.value, SCORES, -np.inf)

    def draw(self, figure):
        shown = {"scores": self.scores, "weights": self.weights, "output": self.output}
        for axes, (name, array) in zip(
            figure.subplots(1, 3, width_ratios=[6, 6, 2]), shown.items(), strict=True
        ):
            axes.imshow(
                array, cmap="cividis", vmin=0, vmax=1, alpha=float(name == "weights"), aspect="auto"
            )
            columns = "dimension" if name == "output" else "key (who is asked)"
            axes.set(title=name, xlabel=columns, ylabel="query (who asks)")
            axes.set_xticks(range(array.shape[1]), TOKENS if name != "output" else ["1", "2"])
            axes.set_yticks(range(6), TOKENS)
            for (i, j), x in np.ndenumerate(array):
                hatch = "" if name == "output" or self.mask[i, j] else "///"
                axes.bar(j, 1, 1, i - 0.5, fill=False, hatch=hatch, edgecolor="lightgrey")
                ink = "white" if name == "weights" and x < 0.5 else "black"
                axes.text(
                    j,
                    i,
                    f"{x:.{1 + (name != 'scores')}f}",
                    ha="center",
                    va="center",
                    size=8,
                    color=ink,
                )


def _black_row():
    """What becomes of a query that may attend to nothing, by the number that stands for a masked score."""
    rows = np.array([[-np.inf] * 6, [-1e9] * 6])
    with np.errstate(invalid="ignore"):
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    (nan, *_), (share, *_) = powers / powers.sum(axis=1, keepdims=True)
    return f"lib gives weights 0, output 0; a plain softmax of −∞ gives {nan}, of −1e9 gives {share:.2f} each"
