"""Maps of attention weights, one for each head: point at a cell to read it (notebooks 4, 12).

The drawing is also that of Heads (notebook 5) and of Training (notebooks 7, 8, 10, 12).
"""

from math import prod

import ipywidgets
import numpy as np
import traitlets

from lib.widgets.attention_map.input import (
    array_of,
    check_tokens,
    check_weights,
    layers_of,
    said_of_rows,
    tokens_of,
)
from lib.widgets.attention_map.layers import LayersDrawing
from lib.widgets.frame import Demo, Drawing, Numbers, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import Alive

# Cells; a larger picture travels as one byte for each, and digits are asked for cell by cell.
EXACT = 10_000
MAP_WIDTH = 660  # pixels of the stage, beside the grid of several layers
PALE = 16  # keys; beside one large weight of more than these, all others would be pale
HALF = 0.5  # the grid counts the heads of all layers that look with more
ONE_LAYER = " Save one layer: AttentionMap(weights[0], ...)."
COLOURS = ("automatic", "0 to 1", "0 to the largest")


class MapDrawing(Drawing):
    """``show`` replaces what is seen; head, query and key (from 0) are the cell pointed at.

    weights: float32, or uint8 in steps of top / 255 where there are more than EXACT cells.
    exact: then the query and key that it is about, and for every head its weight there, its row's
    leader (the key it looks at most) and that key's weight, the row's largest.
    """

    _esm, _css = sources(__file__)
    state = ("head", "query", "key", "pinned", "solo")
    # Pixels of the stage, of 1280 in full screen: less where another drawing stands beside it.
    room_width = traitlets.Int(1216).tag(sync=True)
    has_digits = traitlets.Bool(True).tag(sync=True)  # where the cells have room for them
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
    # [query, key] of the cell that the one pointed at is compared with, or nothing
    than = traitlets.List(traitlets.Int()).tag(sync=True)
    colours = traitlets.Enum(COLOURS, COLOURS[0])
    array = np.ones((1, 1, 1), np.float32)  # (H, T, S) as shown

    def show(
        self, weights, query_tokens, key_tokens=None, mask=None, head_names=None, largest=None
    ):
        """Show one layer's weights (H, T, S) or (T, S) from 0 to 1, in one message.

        key_tokens are query_tokens if not given; mask: boolean (T, S), True = may attend;
        head_names: one for each head; largest: the largest weight that the colours must tell
        apart, if there are other layers beside this one. Raises ValueError for shapes that do not
        fit, for weights outside 0 to 1 and for masked weights above 0.
        """
        layers = layers_of(weights)
        if len(layers) > 1:
            raise ValueError(f"weights of {len(layers)} layers; expected one: choose it.")
        array = array_of(layers[0])
        rows = list(query_tokens)
        columns = list(query_tokens if key_tokens is None else key_tokens)
        check_tokens(array.shape, rows, columns)
        check_weights(array)
        names = _names(head_names, array.shape)
        if mask is not None:
            mask = _check_mask(np.asarray(mask), array)
        with self.hold_sync():
            self.array, self.top = array, float(array.max() if largest is None else largest)
            self.shape, self.names = list(array.shape), names
            self.query_tokens, self.key_tokens = rows, columns
            self.mask = b"" if mask is None else mask.tobytes()
            self.weights = self._packed()
            if self.solo >= len(array):
                self.solo = -1
            self.than = self.than if _is_in(self.than or (0, 0), array.shape) else []
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
        # Among many keys the full colour is from ten times the even share on.
        automatic = 1.0 if keys <= PALE else min(top, 10 / keys)
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
        numbers.append(0 if "may not" in caption else row[head, key])
        if ", most at" in caption:
            numbers.append(row[head].max())
        visible = self.array if self.solo < 0 else self.array[[self.solo]]
        is_read = np.zeros(visible.shape, bool)
        compared = []
        if self.than:
            is_read[:, query, [key, row[head].argmax()]] = is_read[:, *self.than] = True
            compared = [row[head, key], self.array[(head, *self.than)]]
        else:
            is_read[:, query] = True
        says = f"at “{self.key_tokens[key]}”"
        texts = [*visible[is_read], *compared] if self.has_digits else []
        return Numbers(texts, numbers, says)


class AttentionMap(Demo):
    """Weights as a grid of maps, one for each head; of several layers one is shown.

    weights: (T, S), (H, T, S) or a batch of one, (1, H, T, S), an array or a tensor of any dtype,
    with a gradient or without; or a tuple or list of such layers, as ``output_attentions=True``
    gives it. query_tokens: T words, or ids, as numbers or a tensor; key_tokens: S of them, if they
    are others than the queries'; without tokens the places are shown, from 0.
    mask: boolean (T, S), True = may attend; head_names: one for each head. The weights are veiled
    until the reader asks for them; veiled=False shows them at once. at: (query, key), the cell that
    is pointed at first, from 0, else the first row's largest; than: the cell that it is compared
    with.

    ``weights`` reads what is shown; ``drawing.head``, ``.query`` and ``.key`` the cell pointed at,
    from 0. Of several layers ``layer.index``, from 0, is the one shown, and ``layers`` the grid of
    all layers and heads: arrow keys or a click choose one, Enter the one that looks most from the
    query to the key that are pointed at. Rows that do not sum to 1 are shown, with a sentence.
    Raises ValueError for a batch of several sequences, for NaN, for numbers outside 0 to
    1, for tokens or a cell that do not fit, and for layers that are None or differ in T or S.
    """

    title = "Who looks at whom"
    where = ATTENTION
    alive = Alive()
    layer, layers = None, None

    def __init__(
        self,
        weights,
        query_tokens=None,
        key_tokens=None,
        title=None,
        question="Where does each row put most of its weight?",
        head_names=None,
        mask=None,
        controls=(),
        veiled=True,
        at=None,
        than=None,
    ):
        self.drawing = MapDrawing(veiled=veiled)
        self._take(weights, query_tokens, key_tokens, mask, head_names)
        if at is None:
            at = 0, int(self.weights[0, 0].argmax())
        self.drawing.query, self.drawing.key = self._cell("at", at)
        if than is not None:
            self.drawing.than = self._cell("than", than)
            self.drawing.colours = COLOURS[-1]  # two weights are compared, not two maps
            self.tell_story()
        controls, drawings = list(controls), [self.drawing]
        if self.weights.shape[2] > PALE:
            controls.append(self.drawing.control())
        if len(self._given) > 1:
            self.alive, self.instead = self._alive(), ONE_LAYER
            self._add_layers()
            controls, drawings = [self.layer, *controls], [self.drawing, self.layers]
        super().__init__(question, controls, drawings, title)
        if self.layers:
            self.add_class("abreast")

    def _cell(self, name, cell):
        """Its [query, key], if the weights have this cell."""
        _, T, S = self.weights.shape
        query, key = cell
        if not _is_in(cell, self.weights.shape):
            raise ValueError(
                f"{name} = {cell!r}; expected (query, key) from (0, 0) to ({T - 1}, {S - 1}): "
                "which word asks, and which is asked."
            )
        return [query, key]

    def show(self, weights, query_tokens=None, key_tokens=None, mask=None, head_names=None):
        """Replace what is shown; several layers only where there were several at first."""
        self._take(weights, query_tokens, key_tokens, mask, head_names)
        if self.layers:
            self.layer.options = self._layer_names()
            self._point()
        self.refresh()

    def _take(self, weights, query_tokens, key_tokens, mask, head_names):
        """Read and check all layers, one after the other, and show the one that is chosen."""
        layers = layers_of(weights)
        if len(layers) > 1 and self._is_made and not self.layers:
            raise ValueError(
                f"weights of {len(layers)} layers for a demo that was made of one; make a new "
                "AttentionMap of them."
            )
        _, queries, keys = layers[0].shape
        rows = tokens_of(query_tokens, queries, "query_tokens")
        columns = rows
        if key_tokens is not None or query_tokens is None:
            columns = tokens_of(key_tokens, keys, "key_tokens")
        text = query_tokens if isinstance(query_tokens, str) else None
        check_tokens(layers[0].shape, rows, columns, text)
        mask = None if mask is None else np.asarray(mask)
        for layer in layers:
            _names(head_names, tuple(layer.shape))
        largest, said = _checked(layers, mask)
        self._given, self._said, self._shown = layers, said, None
        self._with = (rows, columns, mask, head_names, largest)
        index = self.layer.index if self.layer else 0
        self._show_layer(min(index, len(layers) - 1))

    def _add_layers(self):
        """The menu of layers, and the grid of all layers and heads beside the maps."""
        self.drawing.room_width = MAP_WIDTH
        self.layers = LayersDrawing()
        self.layer = ipywidgets.Dropdown(
            options=self._layer_names(), description="layer", tooltip="Whose maps are shown"
        )
        self._point()
        traitlets.link((self.drawing, "head"), (self.layers, "head"))
        traitlets.link((self.drawing, "veiled"), (self.layers, "hidden"))
        self.layers.observe(self._choose, "layer")
        self.drawing.observe(self._follow, ["query", "key", "head"])

    @property
    def _is_made(self):
        return hasattr(self, "header")

    def _layer_names(self):
        count = len(self._given)
        return [f"{layer + 1} of {count}" for layer in range(count)]

    def _choose(self, _change):
        self.layer.index = min(self.layers.layer, len(self._given) - 1)

    def _follow(self, change):
        """Another cell is pointed at; of one head alone the other head takes its place."""
        if change.name == "head" and self.drawing.solo >= 0:
            self.drawing.solo = change.new
        self._point()

    def _point(self):
        """Give the grid what every head of every layer puts on the key that is pointed at."""
        rows, columns, *_ = self._with
        query, key = self._pointed()
        self.layers.show(self._columns(), rows[query], columns[key])

    def _pointed(self):
        rows, columns, *_ = self._with
        return min(self.drawing.query, len(rows) - 1), min(self.drawing.key, len(columns) - 1)

    def _columns(self):
        """[(H,) for each layer]: the weights at the query and the key that are pointed at."""
        query, key = self._pointed()
        return [array_of(layer[:, query, key]) for layer in self._given]

    def update(self):
        if self.layer:
            self._show_layer(self.layer.index)
            self.layers.layer = self.layer.index
        return self._said

    def _alive(self):
        """On a page without Python: the maps of all layers, unless their digits are asked for."""
        if any(prod(layer.shape) > EXACT for layer in self._given):
            return None
        computed = ("d0.weights", "d1.weights", "d1.asks", "d1.asked")
        return Alive(told=True, computed=computed, given=self._all_maps)

    def _all_maps(self):
        maps = [array_of(layer) for layer in self._given]
        weights = np.concatenate(maps).astype(np.float32)
        return {"heads": [len(layer) for layer in maps], "weights": weights.tobytes()}

    def _show_layer(self, layer):
        """Send this layer's maps, unless they are there."""
        if layer == self._shown:
            return
        *tokens, mask, head_names, largest = self._with
        self.drawing.show(array_of(self._given[layer]), *tokens, mask, head_names, largest)
        self._shown = layer

    @property
    def weights(self):
        """(H, T, S), of the layer that is shown"""
        return self.drawing.array

    def __repr__(self):
        heads, queries, keys = self.weights.shape
        plural = "head" if heads == 1 else "heads"
        layers = f"{len(self._given)} layers × " if self.layers else ""
        return f"{type(self).__name__}({layers}{heads} {plural} × {queries} queries × {keys} keys)"

    def numbers_on_screen(self, shown):
        maps = self.drawing.numbers_on_screen(shown)
        if not self.layers or self.drawing.veiled:
            return maps
        columns = self._columns()
        layer = self.layers.layer
        head = min(self.layers.head, len(columns[layer]) - 1)
        every = np.concatenate(columns)
        first = [column.max() for column in columns].index(every.max())
        best = (first, columns[first].argmax())
        there = [] if best == (layer, head) else [best[0] + 1, best[1] + 1]
        here = [layer + 1, head + 1]
        count = (every > HALF).sum()
        texts = [*maps.texts, *here[::-1], count, len(every), columns[layer][head]]
        caption = [*maps.caption, *here, len(every), *there, every.max()]
        return Numbers(texts, caption, maps.says)


def _is_in(cell, shape):
    """Whether maps (H, T, S) have this cell (query, key)."""
    query, key = cell
    _, T, S = shape
    return query in range(T) and key in range(S)


def _names(head_names, shape):
    """One for each head of maps (H, T, S)."""
    if head_names is None:
        return [f"head {head + 1}" for head in range(shape[0])]
    if len(head_names) != shape[0]:
        raise ValueError(
            f"{len(head_names)} names for weights {shape}; expected one name for each head."
        )
    return list(head_names)


def _checked(layers, mask):
    """The largest weight of all layers, and the first sentence about rows that do not sum to 1."""
    largest, said = 0.0, ""
    for i, layer in enumerate(layers):
        name = f"layer {i + 1} of {len(layers)}" if len(layers) > 1 else "weights"
        array = array_of(layer)
        check_weights(array, name)
        if mask is not None:
            _check_mask(mask, array)
        largest = max(largest, float(array.max()))
        said = said or said_of_rows(array, name, mask)
    return largest, said


def _check_mask(mask, array):
    if mask.dtype != bool or mask.shape != array.shape[1:] or array[:, ~mask].any():
        raise ValueError(
            f"mask {mask.shape} of {mask.dtype} for weights {array.shape}; expected booleans "
            "(T, S), True = may attend, and weights of exactly 0 where it is False."
        )
    return mask
