"""The six parts of notebook 12's program, line for line as its folded solutions have them.

tools/ladder.py trains the versions of the program with them, and lib.checks.readers_code puts them
where the reader's own are not right yet. What they take and return, the checks of the page say.
"""

import math

import torch
from torch import nn


def pair_shares(ids, V, add):
    counts = torch.full((V, V), float(add))  # row: the character read; column: the one after it
    one = torch.tensor(1.0)
    counts.index_put_((ids[:-1], ids[1:]), one, accumulate=True)
    return counts / counts.sum(1, keepdim=True)


def bits(logits, to_write):
    logs = logits.log_softmax(-1)  # (B, T, V)
    came = logs.gather(-1, to_write[..., None])  # (B, T, 1)
    return -came.mean() / torch.tensor(2.0).log()


def write_on(ids, model, draw, count, length, temperature):
    for _ in range(count):
        logits = model(ids[None, -length:])[0, -1]  # (V,)
        shares = (logits / temperature).softmax(-1)
        ids = torch.cat([ids, draw(shares)])
    return ids


def windows(ids, batch, length):
    starts = torch.randint(len(ids) - length, (batch, 1))
    window = ids[starts + torch.arange(length + 1)]  # (batch, length + 1)
    return window[:, :-1], window[:, 1:]


def causal_head(x, query, key, value):
    q, k, v = query(x), key(x), value(x)  # (B, T, d_k) each
    scores = q @ k.mT / q.shape[-1] ** 0.5  # (B, T, T)
    past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ v  # (B, T, d_k)


def block(x, look, think, norm_1, norm_2):
    x = x + look(norm_1(x))
    return x + think(norm_2(x))


def share_of_rate(step, steps=1300):
    """The part of the highest rate at a step, from 0: up over 100 steps, down along half a cosine.

    The last of ``steps`` has none left.
    """
    return min(1, (step + 1) / 100) * (1 + math.cos(math.pi * (step + 1) / steps)) / 2


PARTS = {
    "pair_shares": pair_shares,
    "bits": bits,
    "write_on": write_on,
    "windows": windows,
    "causal_head": causal_head,
    "block": block,
}


# The whole model, line for line as the folded solution of the last exercise has it.


class Layer(nn.Module):
    def __init__(self, D, heads):
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.query, self.key = nn.Linear(D, D), nn.Linear(D, D)
        self.value, self.output = nn.Linear(D, D), nn.Linear(D, D)
        self.think = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (B, H, T, d_k)

    def look(self, x):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # (B, H, T, T)
        past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        found = scores.masked_fill(~past, -torch.inf).softmax(-1) @ v  # (B, H, T, d_k)
        return self.output(found.transpose(1, 2).flatten(2))  # (B, T, D)

    def forward(self, x):
        x = x + self.look(self.norm_1(x))
        return x + self.think(self.norm_2(x))


class GPT(nn.Module):
    def __init__(self, V, D, heads, layers, length):
        super().__init__()
        self.tokens, self.places = nn.Embedding(V, D), nn.Embedding(length, D)
        self.layers = nn.Sequential(*[Layer(D, heads) for _ in range(layers)])
        self.norm, self.output = nn.LayerNorm(D), nn.Linear(D, V)

    def forward(self, ids):  # (B, T)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]  # (B, T, D)
        return self.output(self.norm(self.layers(x)))  # (B, T, V)
