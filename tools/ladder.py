"""Train every version of page 12's program, and page 15's, with three seeds: `tools/ladder.py`.

    .venv/bin/python tools/ladder.py --seeds 0 --versions "one head" "four heads"   some of the work

The program is that of the page: its cells are read and run, with the page's own parts in place of
the reader's. What came out takes the place of what was there, in lib/saved/ladder.json, together
with a fingerprint of the text; beside it by_heart.json and gpt/, the model that page 13 lets write.
Half an hour and more, on one thread.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import torch
from torch import nn

from lib.modules import MultiHeadAttention, RMSNorm, SwiGLU, rotary
from lib.saved import gpt
from lib.saved.gpt_parts import PARTS, share_of_rate
from lib.saved.gpt_program import cost, says
from lib.saved.ladder import FILE, FIRST, HEART, LITTLE, rows
from lib.training import AdamW
from tools.course import NOTEBOOKS
from tools.course_text import FILE as TEXT

PAGE = NOTEBOOKS / "12_a_gpt.ipynb"
CELLS = ("text", "train", "head", "writer", "heads", "block", "stack")
SEEDS = (0, 1, 2)
WHOLE = "three blocks"


def program():
    """The names that the page's program defines, its parts being the page's own."""
    sources = {cell.id: cell.source for cell in nbformat.read(PAGE, as_version=4).cells}
    names = {"text": TEXT.read_text("utf-8"), "share_of_rate": share_of_rate, **PARTS}
    names |= {"torch": torch, "nn": nn, "AdamW": AdamW}
    for cell in CELLS:
        exec(sources[f"gpt-{cell}"], names)
    return names


class Nothing(nn.Module):
    """In the place of a part that is taken out: adds nothing."""

    def forward(self, x):
        return torch.zeros_like(x)


def without_places(writer):
    """All places alike, and they stay so."""
    writer.places.weight.requires_grad_(False).zero_()
    return writer


def without(part, writer):
    """Blocks that only think, or only look: ``part`` of each adds nothing."""
    for block in writer.middle[:-1]:
        setattr(block, part, Nothing())
    return writer


def large(writer):
    """The first vectors of characters and places with a spread of 1, as for the bare heads."""
    nn.init.normal_(writer.tokens.weight)
    nn.init.normal_(writer.places.weight)
    return writer


def without_the_sum(x, look, think, norm_1, norm_2):
    """A block that keeps nothing of what came in."""
    return think(norm_2(look(norm_1(x))))


class Looks(nn.Module):
    """The attention of a block with fewer heads of keys, or with turned places."""

    def __init__(self, D, key_heads=None, turn=None):
        super().__init__()
        self.attention = MultiHeadAttention(D, 4, key_heads=key_heads)
        if turn:
            self.attention.turn = turn

    def forward(self, x):
        T = x.shape[1]
        return self.attention(x, x, x, torch.ones(T, T).tril().bool())


def with_rms_norm(writer, D):
    for block in writer.middle[:-1]:
        block.norm_1, block.norm_2 = RMSNorm(D), RMSNorm(D)
    writer.middle[-1] = RMSNorm(D)
    return writer


def with_a_gate(writer, D):
    """As many parameters, but for the biases: three matrices of two thirds of the width."""
    for block in writer.middle[:-1]:
        block.think = SwiGLU(D, 4 * D * 2 // 3)
    return writer


def with_looks(writer, D, **how):
    for block in writer.middle[:-1]:
        block.look = Looks(D, **how)
    return writer


def of_today(writer, D):
    """All four changes of page 15."""
    writer = with_looks(without_places(writer), D, key_heads=2, turn=rotary)
    return with_a_gate(with_rms_norm(writer, D), D)


def versions(page):
    """{name: (how it is made, its highest learning rate)}."""
    V, D, Writer, Head, Heads, stack = (
        page[name] for name in ("V", "D", "Writer", "Head", "Heads", "stack")
    )
    return {
        "pairs, trained": (lambda: nn.Embedding(V, V), 0.1),
        "one head": (lambda: Writer(Head(D)), 1e-2),
        "one head, no places": (lambda: without_places(Writer(Head(D))), 1e-2),
        "one head, mixed": (lambda: Writer(Heads(1)), 1e-2),
        "four heads": (lambda: Writer(Heads(4)), 1e-2),
        "a block that only thinks": (lambda: without("look", stack(1)), 3e-3),
        "a block that only looks": (lambda: without("think", stack(1)), 3e-3),
        "one block": (lambda: stack(1), 3e-3),
        "one block, one head": (lambda: stack(1, heads=1), 3e-3),
        "three blocks": (lambda: stack(3), 3e-3),
        "three blocks, large start": (lambda: large(stack(3)), 3e-3),
        "three blocks, nothing kept": (lambda: stack(3), 3e-3),
        "RMS norm": (lambda: with_rms_norm(stack(3), D), 3e-3),
        "rotary": (lambda: with_looks(without_places(stack(3)), D, turn=rotary), 3e-3),
        "SwiGLU": (lambda: with_a_gate(stack(3), D), 3e-3),
        "two key heads": (lambda: with_looks(stack(3), D, key_heads=2), 3e-3),
        "all four": (lambda: of_today(stack(3), D), 3e-3),
    }


def made(page, name, seed):
    """The model of one version before its training, and its highest learning rate."""
    make, rate = versions(page)[name]
    page["block"] = without_the_sum if name.endswith("nothing kept") else PARTS["block"]
    torch.manual_seed(seed)
    return make(), rate


def trained(page, name, seed):
    """The row of one version; of the whole GPT's first seed the model is kept as well."""
    model, rate = made(page, name, seed)
    for _ in page["train"](model, rate):
        pass
    if (name, seed) == (WHOLE, FIRST):
        gpt.save(in_library(page, model), page["characters"])
    return {
        "version": name,
        "seed": seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "bits": round(cost(model, page["held_out"], page["LENGTH"]), 4),
        "sample": says(model, page["characters"], page["LENGTH"]),
    }


def by_heart(seed):
    """[step, bits of what is read, bits of new text] of the whole GPT that reads LITTLE."""
    page = program()
    model, rate = made(page, WHOLE, seed)
    page["seen"] = few = page["seen"][:LITTLE]
    found = []
    for step in page["train"](model, rate):
        if step % 100 == 0:
            costs = [cost(model, ids, page["LENGTH"]) for ids in (few, page["held_out"])]
            found.append([step, *(round(bits, 4) for bits in costs)])
    return found


def in_library(page, model):
    """The LanguageModel with the numbers of the page's stack of blocks."""
    from lib.checks import gpt_module

    sizes = page["V"], page["D"], 4, len(model.middle) - 1, page["LENGTH"]
    return gpt_module.in_library(model, *sizes)


def fingerprint():
    """Of the text that the versions are trained on."""
    return hashlib.sha256(TEXT.read_bytes()).hexdigest()


def write(new):
    """Put this row into the file, in the place of the one of the same version and seed."""
    kept = [row for row in rows() if (row["version"], row["seed"]) != (new["version"], new["seed"])]
    found = sorted([*kept, new], key=lambda row: (row["version"], row["seed"]))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    text = f'{{"text": "{fingerprint()}", "rows": [\n{lines}\n]}}\n'
    FILE.write_text(text, "utf-8", newline="\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--versions", nargs="+")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    page = program()
    for seed in chosen.seeds:
        for name in chosen.versions or versions(page):
            row = trained(page, name, seed)
            write(row)
            print(f"{name}, seed {seed}: {row['bits']:.2f} bits\n    {row['sample']}", flush=True)
    if not chosen.versions:
        found = {seed: by_heart(seed) for seed in chosen.seeds}
        HEART.write_text(json.dumps(found) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
