"""Record what the real model's heads look at in four sentences: `python tools/record.py`.

It writes lib/pretrained/recorded.safetensors, at most 150 kB, from the model in real_model/, which
`python3 start.py real` fetches. Page 13 shows it where that model is not there.
"""

import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.pretrained import bert
from lib.pretrained.recorded import FILE
from lib.pretrained.word_pieces import read_vocabulary, tokens
from tools.real_model import FOLDER

LARGEST = 150_000  # bytes
SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The trophy didn't fit into the suitcase because it was too small.",
    "Unaffable tokenizers cut unknown words into pieces.",
]


def main():
    model, vocabulary = bert(FOLDER), read_vocabulary(FOLDER)
    arrays, about = {}, {}
    for number, text in enumerate(SENTENCES):
        found = tokens(text, vocabulary)
        _, maps = model.run([vocabulary[piece] for piece in found])
        arrays[str(number)] = np.array(maps, np.float16)  # (layers, H, T, T)
        about[str(number)] = {"text": text, "tokens": found}
    # One entry only: the order of several would vary.
    save_file(arrays, FILE, {"about": json.dumps(about, ensure_ascii=False)})
    size = FILE.stat().st_size
    if size > LARGEST:
        sys.exit(f"{FILE.name} has {size} bytes, and at most {LARGEST} are wanted: shorten them.")
    print(f"{FILE.name}: {len(SENTENCES)} sentences, {size} bytes.")


if __name__ == "__main__":
    main()
