"""One real step of notebook 12's program, in small, with any of its parts replaced.

It gives them what a check does not: slices that are not contiguous, whole numbers that go into an
embedding, gradients, a batch of one, a text longer than what the model sees.
"""

import torch
from torch import nn

from lib.training import AdamW

V, D, D_K = 11, 12, 5  # characters, and the widths of their vectors and of the head
BATCH, LENGTH = 7, 9  # texts, and characters of each
TEXT = 60  # characters to learn from
RATE, ADD, TEMPERATURE = 0.01, 0.1, 0.8
RESULTS = ("loss", "cost", "shares", "looks")  # of a step, beside the gradients


class Head(nn.Module):
    def __init__(self, attend):
        super().__init__()
        self.attend = attend
        self.query, self.key, self.value = (nn.Linear(D, D_K) for _ in range(3))

    def forward(self, x):  # (B, T, D)
        return self.attend(x, self.query, self.key, self.value)  # (B, T, D_K)


class Writer(nn.Module):
    """A block with one head between an embedding and the scores."""

    def __init__(self, parts):
        super().__init__()
        self.tokens, self.places = nn.Embedding(V, D), nn.Embedding(LENGTH, D)
        self.look = nn.Sequential(Head(parts["causal_head"]), nn.Linear(D_K, D))
        self.think = nn.Sequential(nn.Linear(D, D), nn.ReLU(), nn.Linear(D, D))
        self.norm_1, self.norm_2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.block, self.output = parts["block"], nn.Linear(D, V)

    def forward(self, ids):  # (B, T)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]  # (B, T, D)
        x = self.block(x, self.look, self.think, self.norm_1, self.norm_2)
        return self.output(x)  # (B, T, V)


def one_step(parts):
    """{name: tensor} of what the page does once: train, then measure, count, write and look.

    parts: functions by the names of lib.saved.gpt_parts.PARTS. First comes the loss, then the
    gradients by the names of the parameters, then the other RESULTS. Raises whatever they raise.
    """
    torch.manual_seed(0)
    model, ids = Writer(parts), torch.randint(V, (TEXT,))
    found = _learned(model, parts, ids)
    with torch.no_grad():
        pieces = ids.unfold(0, LENGTH + 1, LENGTH // 2)  # (pieces, LENGTH + 1)
        logits = model(pieces[:, :-1])[:, LENGTH // 2 :]
        cost = float(parts["bits"](logits, pieces[:, LENGTH // 2 + 1 :]))
        shares = parts["pair_shares"](ids, V, ADD)  # (V, V)
        for writer in (model, nn.Embedding.from_pretrained(shares.log())):
            _write(writer, parts, ids)
        weights = _looks(model.look[0], model.tokens(ids[None, :LENGTH]))
    return found | {"cost": torch.tensor(cost), "shares": shares.float(), "looks": weights}


def _learned(model, parts, ids):
    """The loss and each parameter's gradient, which have moved the model."""
    read, to_write = parts["windows"](ids, BATCH, LENGTH)
    loss = parts["bits"](model(read), to_write)
    loss.backward()
    AdamW(model.parameters(), 0).step(RATE)
    gradients = {}
    for name, parameter in model.named_parameters():
        gradients[name] = torch.zeros(1) if parameter.grad is None else parameter.grad
    return {"loss": loss.detach(), **gradients}


def _write(model, parts, ids):
    """As many characters more as the model sees, so that the first ones leave its sight."""

    def draw(shares):
        return torch.multinomial(shares, 1)

    text = parts["write_on"](ids[:2], model, draw, LENGTH, LENGTH, TEMPERATURE)
    characters = range(V)
    return [characters[place] for place in text]


def _looks(head, x):
    """(1, T, T): where the head looks in x (1, T, D); each place is its own value."""
    return head.attend(x, head.query, head.key, lambda _x: torch.eye(LENGTH)[None])
