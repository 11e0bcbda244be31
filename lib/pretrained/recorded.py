"""What the real model's heads look at in a few sentences, for readers who have not fetched it.

`tools/record.py` makes the file; it holds the 6 × 12 maps of each sentence in half
precision, so three digits of each weight.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import safe_open

FILE = Path(__file__).parent / "recorded.safetensors"


@dataclass
class Recording:
    """A sentence, its word pieces and the maps (layers, H, T, T) of the real model, float32."""

    text: str
    tokens: list[str]
    maps: np.ndarray


def recordings():
    """The Recordings that the course ships, in the order of page 14."""
    found = []
    with safe_open(FILE, "np") as file:
        for name, about in json.loads(file.metadata()["about"]).items():
            maps = file.get_tensor(name).astype(np.float32)  # (layers, H, T, T)
            found.append(Recording(about["text"], about["tokens"], maps))
    return found
