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
SIZES = {"d_model": 96, "heads": 4, "layers": 3, "d_ff": 384}
OPTIONS = {"dropout": 0.0, "longest": 32, "positions": "learned", "scale": 1.0}


def load():
    """(LanguageModel in eval mode, the list of its characters)."""
    with safe_open(FILE, "pt") as file:
        characters = list(json.loads(file.metadata()["about"])["characters"])
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    model = LanguageModel(len(characters), **SIZES, **OPTIONS).eval()
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
