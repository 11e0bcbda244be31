"""The real model of page 14 in our NumPy against the usual library's giving the maps; GELU alone.

One thread. Needs the model's weights (python3 start.py real) and the library of the tests.
"""

import importlib.util
import os

from benchmarks.table import Row
from benchmarks.turns import milliseconds
from tools.real_model import FOLDER

PIECES = (14, 64, 256)
MOST = 1.5  # times the library's time
GELUS = (256, 1536)  # what goes into the GELU of one layer for 256 pieces


def sentence(side, pieces):
    """A function that runs the model once: both sides give the vectors and all maps."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is fetched
    import numpy as np
    import torch

    ids = np.random.default_rng(0).integers(1000, 20_000, (1, pieces))  # whole words, any
    if side == "ours":
        from lib.pretrained import bert

        model = bert(FOLDER)
        return lambda: model.run(ids)
    from transformers import BertModel

    model = BertModel.from_pretrained(FOLDER, attn_implementation="eager").eval()
    tensor = torch.from_numpy(ids)

    @torch.no_grad()
    def theirs():
        model(tensor, output_attentions=True)

    return theirs


def gelu(side, *shape):
    """A function that computes the GELU of float32 numbers, written over them on our side."""
    import numpy as np
    import torch

    from lib.activations import activation

    x = 2 * np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    ours, theirs = activation("gelu"), torch.nn.functional.gelu
    tensor = torch.from_numpy(x)
    return (lambda: ours(x.copy())) if side == "ours" else (lambda: theirs(tensor))


def rows():
    ours, theirs, ratio = milliseconds(gelu, *GELUS)
    yield Row(
        f"GELU of {GELUS} numbers, and F.gelu",
        f"{ours:.2f} ms",
        f"{theirs:.2f} ms",
        f"ratio {ratio:.1f}",
    )
    if not FOLDER.is_dir() or importlib.util.find_spec("transformers") is None:
        yield Row(f"the real model: not measured. {__doc__.splitlines()[2]}", "")
        return
    for pieces in PIECES:
        ours, theirs, ratio = milliseconds(sentence, pieces)
        yield Row(
            f"the real model, {pieces} pieces with all maps, and transformers' BertModel",
            f"{ours:.1f} ms",
            f"{theirs:.1f} ms",
            f"ratio {ratio:.2f}",
            target=f"ratio ≤ {MOST}",
            met=ratio <= MOST,
        )
