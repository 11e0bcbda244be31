"""Maps of attention weights, one for each head: point at a cell to read it (notebooks 4, 5 and all that follow)."""

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.widgets.frame import Demo, Drawing, sources

EXACT = 10_000  # cells; a larger picture travels as one byte for each, digits are asked for cell by cell
COLOURS = ("automatic", "0 to 1", "0 to the largest")


class MapDrawing(Drawing):
    """``show`` replaces what is seen; head, query and key (from 0) are the cell that the reader points at.

    weights: float32, or uint8 in steps of top / 255 where there are more than EXACT cells.
    exact: then the query and key that it is about, and for every head its weight there, its row's
    leader (the key it looks at most) and that key's weight, the row's largest.
    """

    _esm, _css = sources("attention_map")
    state = ("head", "query", "key", "pinned", "solo")
    weights = traitlets.Bytes().tag(sync=True)
    shape = traitlets.List(traitlets.Int()).tag(sync=True)
    top = traitlets.Float(1.0).tag(sync=True)
    limit = traitlets.Float(1.0).tag(
        sync=True
    )  # a weight of this size or more gets the full colour
    mask = traitlets.Bytes().tag(sync=True)  # T x S, 1 = may attend; empty without a mask
    exact = traitlets.Dict().tag(sync=True)
    query_tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    key_tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    key = traitlets.Int(0).tag(sync=True)
    pinned = traitlets.Bool(False).tag(sync=True)
    solo = traitlets.Int(-1).tag(sync=True)  # the head that has the whole picture, or -1
    colours = traitlets.Enum(COLOURS, COLOURS[0])
    array = np.ones((1, 1, 1), np.float32)  # (H, T, S) as shown

    def show(self, weights, query_tokens, key_tokens=None, mask=None, head_names=None):
        """Show weights (H, T, S) or (T, S) from 0 to 1, in one message; key_tokens are query_tokens if not given.

        mask: boolean (T, S), True = may attend. head_names: one for each head.
        Raises ValueError for shapes that do not fit, for weights outside 0 to 1 and for masked weights above 0.
        """
        array = np.asarray(weights, np.float32)
        array = array[None] if array.ndim == 2 else array
        rows, columns = list(query_tokens), list(query_tokens if key_tokens is None else key_tokens)
        if array.ndim != 3 or array.shape[1:] != (len(rows), len(columns)) or 0 in array.shape:
            raise ValueError(
                f"weights {np.shape(weights)} do not fit {len(rows)} query tokens and {len(columns)} key tokens; "
                f"expected (heads, {len(rows)}, {len(columns)}) or ({len(rows)}, {len(columns)})."
            )
        top = float(array.max())
        if not (array.min() >= 0 and top <= 1 + 1e-5):  # written so that NaN is refused too
            raise ValueError(
                f"weights go from {array.min()} to {top}; expected 0 to 1. Show what comes out of the softmax."
            )
        names = (
            [f"head {head + 1}" for head in range(len(array))]
            if head_names is None
            else list(head_names)
        )
        if len(names) != len(array):
            raise ValueError(
                f"{len(names)} names for weights {array.shape}; expected one name for each head."
            )
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != bool or mask.shape != array.shape[1:] or array[:, ~mask].any():
                raise ValueError(
                    f"mask {mask.shape} of {mask.dtype} for weights {array.shape}; expected booleans (T, S), "
                    "True = may attend, and weights of exactly 0 where it is False."
                )
        with self.hold_sync():
            self.array, self.top = array, top
            self.shape, self.query_tokens, self.key_tokens, self.names = (
                list(array.shape),
                rows,
                columns,
                names,
            )
            self.mask = b"" if mask is None else mask.tobytes()
            small = array.size <= EXACT
            self.weights = (
                array if small else np.round(array * (255 / (top or 1))).astype(np.uint8)
            ).tobytes()
            self.solo = self.solo if self.solo < len(array) else -1
            self._answer()
            self._scale()

    @traitlets.observe("query", "key")
    def _answer(self, _change=None):
        _, T, S = self.array.shape
        query, key = min(self.query, T - 1), min(self.key, S - 1)
        if self.array.size <= EXACT:
            self.exact = {}
            return
        row = self.array[:, query]  # (H, S)
        self.exact = {
            "query": query,
            "key": key,
            "weights": row[:, key].tolist(),
            "leaders": row.argmax(-1).tolist(),
            "largest": row.max(-1).tolist(),
        }

    @traitlets.observe("colours")
    def _scale(self, _change=None):
        keys, top = self.array.shape[2], self.top or 1.0
        # Among many keys one large weight would make all others pale: full colour from ten times the even share on.
        automatic = 1.0 if keys <= 16 else min(top, 10 / keys)
        self.limit = dict(zip(COLOURS, (automatic, 1.0, top), strict=True))[self.colours]

    def control(self):
        """A control for the colour scale: to 1, to the largest weight, or what suits the number of keys."""
        dropdown = ipywidgets.Dropdown(options=COLOURS, value=self.colours, description="colours")
        traitlets.link((dropdown, "value"), (self, "colours"))
        return dropdown

    def draw(self, figure):
        """The maps on a matplotlib figure."""
        H, T, S = self.array.shape
        columns = min(H, 8 if H > 10 else 5 if H > 4 else 4)
        axes = figure.subplots(-(-H // columns), columns, squeeze=False)
        for head, ax in enumerate(axes.flat):
            if head >= H:
                ax.set_axis_off()
                continue
            image = ax.imshow(
                self.array[head], cmap="cividis", vmin=0, vmax=self.limit, aspect="auto"
            )
            ax.set_title(plots.latin(self.names[head], 24), fontsize=8)
            labelled = H <= 4 and max(T, S) <= 16
            ax.set_xticks(
                range(S * labelled),
                map(plots.latin, self.key_tokens[: S * labelled]),
                rotation=90,
                fontsize=7,
            )
            ax.set_yticks(
                range(T * labelled), map(plots.latin, self.query_tokens[: T * labelled]), fontsize=7
            )
        figure.supxlabel("key (who is asked)", fontsize=8)
        figure.supylabel("query (who asks)", fontsize=8)
        figure.colorbar(image, ax=axes, label="weight")


class AttentionMap(Demo):
    """Weights (H, T, S) or (T, S) as a grid of maps; the arguments and errors are those of ``MapDrawing.show``.

    ``weights`` reads what is shown; ``drawing.head``, ``.query`` and ``.key`` the cell pointed at, from 0.
    """

    def __init__(
        self, weights, query_tokens, key_tokens=None, title="Who looks at whom",
        question="Predict: where does each row put most of its weight?", head_names=None, mask=None, controls=(),
    ):  # fmt: skip
        self.drawing = MapDrawing()
        self.show(weights, query_tokens, key_tokens, mask, head_names)
        super().__init__(title, question, [*controls, self.drawing.control()], [self.drawing])
        self.add_class("controls-above-full")

    def show(self, weights, query_tokens, key_tokens=None, mask=None, head_names=None):
        """Replace what is shown."""
        self.drawing.show(weights, query_tokens, key_tokens, mask, head_names)

    @property
    def weights(self):
        """(H, T, S)"""
        return self.drawing.array

    def draw(self, figure):
        self.drawing.draw(figure)

    def __repr__(self):
        heads, queries, keys = self.weights.shape
        return f"{type(self).__name__}({heads} head{'s' * (heads > 1)} × {queries} queries × {keys} keys)"
