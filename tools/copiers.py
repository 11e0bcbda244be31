"""Train page 16's models of attention alone with each seed, and write what their copies cost.

    .venv/bin/python tools/copiers.py

One layer and two, 800 steps each: four minutes on one core.
"""

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.saved import copiers
from tools import help_if_asked


def main():
    torch.set_num_threads(1)
    found = {}
    for layers in (1, 2):
        found[layers] = []
        for seed in range(copiers.SEEDS):
            curve = [round(bits, 3) for _, bits in copiers.learn(*copiers.made(layers, seed))]
            found[layers].append(curve)
            print(layers, seed, *curve, flush=True)
    copiers.FILE.write_text(json.dumps(found) + "\n", "utf-8")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main()
