"""Page 8's pair of little models, one line apart: they learn to write six digits in reverse.

``pair`` gives the trained pair of the first seed, ``rows`` what was measured of ten seeds.
`tools/reversal.py` makes both. Tokens 0 to 9 are the digits.
"""

import json
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import torch
from safetensors.torch import load_file
from torch.nn.functional import cross_entropy

from lib.interventions import looking
from lib.modules import Transformer
from lib.training import one_thread

WEIGHTS, RECORD = (Path(__file__).parent / name for name in ("pair.safetensors", "record.json"))
START, END, DIGITS = 10, 11, 6
STEPS, EVERY = 160, 10  # steps of a training, and from one report to the next
LONGEST = 10  # as many tokens a model may write alone
NAMES = ("with mask", "without")
READ = ["start", "1st", "2nd", "3rd", "4th", "5th", "6th"]  # what the decoder is given
ROWS = [f"{one} → {other}" for one, other in zip(READ, [*READ[1:], "end"], strict=True)]


def batch(count, draw=None):
    """Sources (count, 6) of random digits, and their targets with start and end (count, 8)."""
    source = torch.randint(10, (count, DIGITS), generator=draw)
    start, end = torch.full((count, 1), START), torch.full((count, 1), END)
    return source, torch.cat([start, source.flip(1), end], 1)


def new(seed=99, count=100):
    """Sources and targets as ``batch`` that no training has seen: the same ones for a seed."""
    return batch(count, torch.Generator().manual_seed(seed))


def no_mask(T):
    """In the place of a causal mask: every place may look at every place."""
    return None


def untrained(seed=0):
    """{name: model}: a model of one layer each, and its copy without the causal mask."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        honest = Transformer(12, 12, 32, 2, 1, 1, 64, dropout=0.0)
    cheat = deepcopy(honest)
    cheat.self_mask = no_mask
    return dict(zip(NAMES, (honest, cheat), strict=True))


def learn(models, seed=0, steps=STEPS):
    """Train {name: model} on the same batches; yields step, steps and losses every ten steps."""
    draw = torch.Generator().manual_seed(1000 + seed)
    optimizers = {}
    for name, model in models.items():
        optimizers[name] = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(1, steps + 1):
        source, target = batch(64, draw)
        losses = {}
        for name, model in models.items():
            losses[name] = _one_step(model, optimizers[name], source, target)
        if step % EVERY == 0:
            yield SimpleNamespace(step=step, steps=steps, losses=losses)


def _one_step(model, optimizer, source, target):
    """The loss before it. What goes in and what is wanted are one place apart."""
    with one_thread():
        logits = model(source, target[:, :-1])  # (B, T, 12), T = 7
        loss = cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


@torch.no_grad()
def taught(model, source, given, target):
    """The share of the digits that are right when these are given: given (B, T)."""
    guesses = model(source, given).argmax(-1)[:, :DIGITS]  # the end is not counted
    return (guesses == target[:, 1 : DIGITS + 1]).float().mean().item()


@torch.no_grad()
def written(model, source):
    """What the model writes alone, the likeliest token each time: (B, 10), the end token too."""
    memory = model.encode(source)
    words = torch.full((len(source), 1), START)
    for _ in range(LONGEST):
        best = model.decode(words, memory)[:, -1:].argmax(-1)  # (B, 1)
        words = torch.cat([words, best], 1)
    return words[:, 1:]


def up_to_end(words):
    """The digits that stand before the end token, as a list."""
    words = words.tolist()
    return words[: words.index(END)] if END in words else words


def alone(model, source, target):
    """How many sequences the model writes without a mistake, the end included."""
    right = target[:, 1:]
    return (written(model, source)[:, : right.shape[1]] == right).all(1).sum().item()


@torch.no_grad()
def maps_of(model, source, given):
    """Where it looks, averaged over sequences and heads: cross (T, S), decoder (T, T)."""
    with looking(model) as maps:
        model(source, given)
    return tuple(maps[part][0].mean((0, 1)).numpy() for part in ("cross", "decoder"))


def decoder_of(model):
    """The model's decoder alone, as a function of NumPy: x (T, 32) -> (T, 32), one new source."""
    source, _ = new(count=1)

    @torch.no_grad()
    def run(x):
        given = torch.as_tensor(x, dtype=torch.float32)[None]  # (1, T, d_model)
        return model.decoder(given, model.encode(source), model.self_mask(len(x)))[0].numpy()

    return run


def pair():
    """{name: model}: the pair of the first seed, trained."""
    models = untrained()
    state = load_file(WEIGHTS)
    for name, model in models.items():
        own = {key.removeprefix(f"{name}."): state[key] for key in state if key.startswith(name)}
        model.load_state_dict(own)
    return models


def rows(name):
    """What was measured of the models of this name, a row {field: number} for each seed.

    losses: every ten steps; alone: of 100; another_source, nothing_to_copy: shares of digits;
    right_looks: of the six rows that write a digit. Raises ValueError for another name.
    """
    if name not in NAMES:
        raise ValueError(f"there is no model {name!r}; there are: {', '.join(NAMES)}.")
    return [row for row in json.loads(RECORD.read_text("utf-8"))["rows"] if row["name"] == name]
