"""The GPT of notebook 12's record: three blocks, trained on the course's text, seed 0.

`tools/ladder.py` writes it into the folder gpt/, with the list of its characters.
"""

import json
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from lib.modules import LanguageModel

FILE = Path(__file__).parent / "gpt" / "course.safetensors"
SIZES = {"D": 96, "heads": 4, "layers": 3, "length": 32}


def untrained(V, D, heads, layers, length):
    """A LanguageModel as page 12 builds its GPT, in eval mode, with random numbers."""
    options = {"dropout": 0.0, "longest": length, "positions": "learned", "scale": 1.0}
    return LanguageModel(V, D, heads, layers, 4 * D, **options).eval()


def load():
    """(LanguageModel in eval mode, the list of its characters)."""
    with safe_open(FILE, "pt") as file:
        characters = list(json.loads(file.metadata()["about"])["characters"])
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    model = untrained(len(characters), **SIZES)
    model.load_state_dict(state)
    return model.requires_grad_(False), characters


def save(model, characters):
    """Write such a LanguageModel; its numbers are cut to 16 bits, which no bit of a text shows."""
    state = {name: tensor.half().contiguous() for name, tensor in model.state_dict().items()}
    FILE.parent.mkdir(exist_ok=True)
    about = {"characters": "".join(characters)}
    save_file(state, FILE, {"about": json.dumps(about, ensure_ascii=False)})


def ids_of(text, characters):
    """The numbers of the characters of a text, (N,); those that are not among them are left out."""
    known = {character: place for place, character in enumerate(characters)}
    return torch.tensor([known[each] for each in text if each in known])
