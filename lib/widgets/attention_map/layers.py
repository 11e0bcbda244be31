"""Every layer and head of a model in one small grid: which of them look from here to there."""

import numpy as np
import traitlets

from lib.widgets.frame import Drawing, sources

WIDTH = 524  # pixels of the stage, beside the maps


class LayersDrawing(Drawing):
    """One cell for each layer (row) and head (column), and the place of the maps that are shown.

    The reader changes ``layer`` and ``head`` (from 0); ``show`` gives the cells their weights.
    """

    _esm, _css = sources(__file__)
    state = ("layer", "head")
    layer = traitlets.Int(0).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    heads = traitlets.List(traitlets.Int()).tag(sync=True)  # of each layer
    weights = traitlets.Bytes().tag(sync=True)  # float32, of layer after layer
    hidden = traitlets.Bool(False).tag(sync=True)  # veiled with the maps, whose button shows it
    asks = traitlets.Unicode().tag(sync=True)  # the query and the key that the weights are of
    asked = traitlets.Unicode().tag(sync=True)

    def show(self, columns, asks, asked):
        """Show what every layer's heads put on one key: columns holds (H,) for each layer."""
        with self.hold_sync():
            self.heads = [len(column) for column in columns]
            self.weights = np.concatenate(columns).astype(np.float32).tobytes()
            self.asks, self.asked = asks, asked
