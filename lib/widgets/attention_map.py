"""Maps of attention weights, one for each head: point at a cell to read it (notebooks 4, 12).

The drawing is also that of Heads (notebook 5) and of Training (notebooks 7, 8, 10, 12).
"""

import re

import ipywidgets
import numpy as np
import traitlets

from lib.widgets.frame import Demo, Drawing, Numbers, sources

# Cells; a larger picture travels as one byte for each, and digits are asked for cell by cell.
EXACT = 10_000
COLOURS = ("automatic", "0 to 1", "0 to the largest")


class MapDrawing(Drawing):
    """``show`` replaces what is seen; head, query and key (from 0) are the cell pointed at.

    weights: float32, or uint8 in steps of top / 255 where there are more than EXACT cells.
    exact: then the query and key that it is about, and for every head its weight there, its row's
    leader (the key it looks at most) and that key's weight, the row's largest.
    """

    _esm, _css = sources("attention_map", also=("map_plan", "map_cells"))
    state = ("head", "query", "key", "pinned", "solo")
    # Pixels of the stage, of 1280 in full screen: less where another drawing stands beside it.
    room_width = traitlets.Int(1216).tag(sync=True)
    weights = traitlets.Bytes().tag(sync=True)
    shape = traitlets.List(traitlets.Int()).tag(sync=True)
    top = traitlets.Float(1.0).tag(sync=True)
    # A weight of this size or more gets the full colour.
    limit = traitlets.Float(1.0).tag(sync=True)
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
        """Show weights (H, T, S) or (T, S) from 0 to 1, in one message.

        key_tokens are query_tokens if not given; mask: boolean (T, S), True = may attend;
        head_names: one for each head. Raises ValueError for shapes that do not fit, for weights
        outside 0 to 1 and for masked weights above 0.
        """
        array = np.asarray(weights, np.float32)
        array = array[None] if array.ndim == 2 else array
        rows = list(query_tokens)
        columns = list(query_tokens if key_tokens is None else key_tokens)
        _check_weights(array, np.shape(weights), rows, columns)
        if head_names is None:
            head_names = [f"head {head + 1}" for head in range(len(array))]
        names = list(head_names)
        if len(names) != len(array):
            raise ValueError(
                f"{len(names)} names for weights {array.shape}; expected one name for each head."
            )
        if mask is not None:
            mask = _check_mask(np.asarray(mask), array)
        with self.hold_sync():
            self.array, self.top = array, float(array.max())
            self.shape, self.names = list(array.shape), names
            self.query_tokens, self.key_tokens = rows, columns
            self.mask = b"" if mask is None else mask.tobytes()
            self.weights = self._packed()
            self.solo = self.solo if self.solo < len(array) else -1
            self._answer()
            self._scale()

    def _packed(self):
        if self.array.size <= EXACT:
            return self.array.tobytes()
        return np.round(self.array * (255 / (self.top or 1))).astype(np.uint8).tobytes()

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
        # Among many keys one large weight would make all others pale: full colour from ten times
        # the even share on.
        automatic = 1.0 if keys <= 16 else min(top, 10 / keys)
        limits = {"automatic": automatic, "0 to 1": 1.0, "0 to the largest": top}
        self.limit = limits[self.colours]

    def control(self):
        """A control for the colour scale: to 1, to the largest weight, or what suits the keys."""
        dropdown = ipywidgets.Dropdown(options=COLOURS, value=self.colours, description="colours")
        traitlets.link((dropdown, "value"), (self, "colours"))
        return dropdown

    def numbers_on_screen(self, shown):
        """Those of the caption; the texts hold every weight that is seen, where they fit."""
        if self.veiled:
            return Numbers([], says="Enter shows it.")
        heads, queries, keys = self.array.shape
        head, query = min(self.head, heads - 1), min(self.query, queries - 1)
        key, caption = min(self.key, keys - 1), shown["captions"][0]
        row = self.array[:, query]  # (H, S)
        numbers = []
        if heads > 1:
            numbers.append(head + 1)
        numbers.append(0 if "masked" in caption else row[head, key])
        numbers.append(row[head].max())
        for name in re.findall(r"head\s(\d+)", caption)[1:]:  # the other heads that it names
            numbers += [int(name), row[int(name) - 1, key]]
        visible = self.array if self.solo < 0 else self.array[self.solo]
        says = f"{self.query_tokens[query]} → {self.key_tokens[key]} "
        return Numbers([*visible.ravel()], numbers, says)


class AttentionMap(Demo):
    """Weights (H, T, S) or (T, S) as a grid of maps.

    The arguments and errors are those of ``MapDrawing.show``. ``weights`` reads what is shown;
    ``drawing.head``, ``.query`` and ``.key`` the cell pointed at, from 0. The weights are veiled
    until the reader asks for them; ``drawing.veiled = False`` shows them at once.
    """

    where = ("encoder attention", "decoder attention", "cross-attention")

    def __init__(
        self,
        weights,
        query_tokens,
        key_tokens=None,
        title="Who looks at whom",
        question="Where does each row put most of its weight?",
        head_names=None,
        mask=None,
        controls=(),
    ):
        self.drawing = MapDrawing(veiled=True)
        self.show(weights, query_tokens, key_tokens, mask, head_names)
        super().__init__(title, question, [*controls, self.drawing.control()], [self.drawing])

    def show(self, weights, query_tokens, key_tokens=None, mask=None, head_names=None):
        """Replace what is shown."""
        self.drawing.show(weights, query_tokens, key_tokens, mask, head_names)

    @property
    def weights(self):
        """(H, T, S)"""
        return self.drawing.array

    def __repr__(self):
        heads, queries, keys = self.weights.shape
        plural = "head" if heads == 1 else "heads"
        return f"{type(self).__name__}({heads} {plural} × {queries} queries × {keys} keys)"

    def numbers_on_screen(self, shown):
        return self.drawing.numbers_on_screen(shown)


def _check_weights(array, shape, rows, columns):
    if array.ndim != 3 or array.shape[1:] != (len(rows), len(columns)) or 0 in array.shape:
        raise ValueError(
            f"weights {shape} do not fit {len(rows)} query tokens and {len(columns)} key tokens; "
            f"expected (heads, {len(rows)}, {len(columns)}) or ({len(rows)}, {len(columns)})."
        )
    lowest, highest = array.min(), float(array.max())
    if not (lowest >= 0 and highest <= 1 + 1e-5):  # written so that NaN is refused too
        raise ValueError(
            f"weights go from {lowest} to {highest}; expected 0 to 1. "
            "Show what comes out of the softmax."
        )


def _check_mask(mask, array):
    if mask.dtype != bool or mask.shape != array.shape[1:] or array[:, ~mask].any():
        raise ValueError(
            f"mask {mask.shape} of {mask.dtype} for weights {array.shape}; expected booleans "
            "(T, S), True = may attend, and weights of exactly 0 where it is False."
        )
    return mask
