"""Page 16's models of attention alone, which learn to copy, and what they reached with each seed.

A sequence of SIZE random tokens in which a piece of PIECE tokens comes twice, at places drawn anew
each time. `tools/copiers.py` writes copiers.json: {layers: [the bits of each seed's second piece,
every EVERY steps]}.
"""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from lib.copying import next_of_last_time, one_back, twice
from lib.interventions import looking
from lib.masks import causal_mask
from lib.modules import LayerNorm, MultiHeadAttention

FILE = Path(__file__).parent / "copiers.json"
VOCABULARY, SIZE, PIECE = 50, 48, 16
D, HEADS, BATCH = 64, 2, 64
RATE, STEPS, EVERY, SEEDS = 3e-3, 800, 50, 3


class Look(nn.Module):
    """x = x + attention(norm(x)): a layer that looks, and does not think."""

    def __init__(self):
        super().__init__()
        self.norm = LayerNorm(D)
        self.attention = MultiHeadAttention(D, HEADS, bias=False)

    def forward(self, x):  # (B, T, D) -> (B, T, D)
        normed = self.norm(x)
        return x + self.attention(normed, normed, normed, causal_mask(x.shape[1]))


class Copier(nn.Module):
    """Tokens and places, added; so many layers that look; a norm and a map to the scores."""

    def __init__(self, layers):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, D)
        self.places = nn.Embedding(SIZE, D)
        self.looks = nn.Sequential(*[Look() for _ in range(layers)], LayerNorm(D))
        self.output = nn.Linear(D, VOCABULARY, bias=False)

    def forward(self, ids):  # (B, T) -> (B, T, VOCABULARY)
        return self.output(self.looks(self.tokens(ids) + self.places.weight[: ids.shape[1]]))


def draw(generator, batch=BATCH):
    """(ids (batch, SIZE), again (batch, SIZE)): again is True for the tokens of the second piece,
    but for its first, which nobody can know.
    """
    ids = torch.randint(VOCABULARY, (batch, SIZE), generator=generator)
    one = torch.randint(SIZE - 2 * PIECE + 1, (batch, 1), generator=generator)
    room = SIZE - 2 * PIECE - one + 1  # how many places are left for the second piece
    two = one + PIECE + (torch.rand(batch, 1, generator=generator) * room).long()
    steps = torch.arange(PIECE)
    ids.scatter_(1, two + steps, ids.gather(1, one + steps))
    again = torch.zeros(ids.shape, dtype=torch.bool).scatter_(1, two + steps[1:], True)
    return ids, again


def bits_of(model, ids):
    """(B, SIZE - 1): what each token but the first costs."""
    scores = model(ids)[:, :-1].transpose(1, 2)  # (B, VOCABULARY, SIZE - 1)
    return F.cross_entropy(scores, ids[:, 1:], reduction="none") / torch.tensor(2.0).log()


def made(layers, seed):
    """(a Copier, its generator): with this seed the same ones each time."""
    torch.manual_seed(seed)
    return Copier(layers), torch.Generator().manual_seed(seed)


def learn(model, generator, steps=STEPS):
    """Train; yields (step, bits of a token of a second piece) every EVERY steps, from 0 on."""
    adam = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    for step in range(steps + 1):
        ids, again = draw(generator)
        bits = bits_of(model, ids)
        if step % EVERY == 0:
            yield step, bits[again[:, 1:]].mean().item()
        adam.zero_grad()
        bits.mean().backward()
        adam.step()


def looks_of(model, ids):
    """[(HEADS, SIZE, SIZE) of each layer]: where it looks in one sequence (1, SIZE)."""
    with torch.no_grad(), looking(model) as seen:
        model(ids)
    return [weights[0] for weights in seen["encoder"]]


def recorded():
    """{layers: [[bits every EVERY steps] of each seed]}."""
    found = json.loads(FILE.read_text("utf-8"))
    return {int(layers): curves for layers, curves in found.items()}


# -- on the page ----------------------------------------------------------------------------------


def watched(frame, layers, ids, question, seed=0):
    """A frame (widgets.Training) in which a Copier learns at each press of its button.

    It shows where the last layer looks in ids (1, SIZE), and what copied tokens cost.
    """
    marks = [str(number) for number in ids[0].tolist()]

    def begin():
        model, generator = made(layers, seed)
        reports = (
            SimpleNamespace(step=step, steps=STEPS, bits=bits)
            for step, bits in learn(model, generator)
            if step
        )
        view.follow(reports, lambda _: looks_of(model, ids)[-1], copied=lambda report: report.bits)

    before = looks_of(made(layers, seed)[0], ids)[-1]
    view = frame(before, marks, None, STEPS, ["copied"], question, start=begin, answer="")
    return view


def of_gpt(model, characters, N, draws):
    """Of a GPT of page 12 that reads N small letters at random, twice: (bits of a letter the first
    time, the second time, and the largest mean share that a head gives to the letter that came
    after the last occurrence; to the one just before).
    """
    letters = [place for place, each in enumerate(characters) if "a" <= each <= "z"]
    ids = torch.tensor(np.array([twice(letters, N, seed) for seed in range(draws)]))
    with torch.no_grad(), looking(model) as seen:
        logs = model(ids)[:, :-1].log_softmax(-1)
    bits = -logs.gather(-1, ids[:, 1:, None])[..., 0].mean(0) / torch.tensor(2.0).log()  # (T - 1,)
    [part] = seen.values()
    weights = np.stack([layer.mean(0).numpy() for layer in part])  # (layers, H, T, T)
    started = np.pad(weights, ((0, 0), (0, 0), (1, 0), (1, 0)))  # as if a start stood before them
    after = next_of_last_time(started, N).max()
    return bits[: N - 1].mean().item(), bits[N:].mean().item(), after, one_back(weights).max()
