"""Page 15, a model of today: answers to rms_norm, turned_heads, gated, shared_keys."""

import numpy as np
import torch
from torch.nn import functional as F

import lib.layers
import lib.positions
from tests.checks.bank import right, wrong

right("rms_norm")(lambda x, gain, epsilon: lib.layers.rms_norm(x, gain, epsilon))


@right("rms_norm")
def _(x, gain, epsilon):
    return F.rms_norm(torch.as_tensor(x), x.shape[-1:], torch.as_tensor(gain), epsilon)


@right("rms_norm")
def _(x, gain, epsilon):
    rows = []
    for token in x:
        length = (sum(number**2 for number in token) / len(token) + epsilon) ** 0.5
        rows.append(token / length * gain)
    return np.array(rows)


right("turned_heads")(lambda x, positions, base: lib.positions.rotary(x, positions, base))


@right("turned_heads")
def _(x, positions, base):
    d_k = x.shape[-1]
    hands = np.exp(1j * positions[:, None] / base ** (np.arange(0, d_k, 2) / d_k))
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * hands
    return np.stack([turned.real, turned.imag], -1).reshape(x.shape)


@right("turned_heads")
def _(x, positions, base):
    result = np.zeros(x.shape)
    for head in range(x.shape[0]):
        for t, position in enumerate(positions):
            for i in range(0, x.shape[-1], 2):
                angle = position / base ** (i / x.shape[-1])
                turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
                result[head, t, i : i + 2] = x[head, t, i : i + 2] @ turn
    return result


@right("gated")
def _(x, gate, up, down):
    x, gate, up, down = map(torch.as_tensor, (x, gate, up, down))
    return (F.silu(x @ gate) * (x @ up)) @ down


@right("gated")
def _(x, gate, up, down):
    asked = x @ gate
    return (asked / (1 + np.exp(-asked)) * (x @ up)) @ down


@right("shared_keys")
def _(keys, heads):
    group = heads // len(keys)
    return np.array([keys[head // group] for head in range(heads)])


@right("shared_keys")
def _(keys, heads):
    group = heads // len(keys)
    return np.broadcast_to(keys[:, None], (len(keys), group, *keys.shape[1:])).reshape(
        heads, *keys.shape[1:]
    )


wrong(
    "shared_keys", "the result is one row of 120 numbers; expected shape (6, 5, 4). Name an axis"
)(lambda keys, heads: np.repeat(keys, heads // len(keys)))
right("shared_keys")(
    lambda keys, heads: torch.as_tensor(keys).repeat_interleave(heads // len(keys), 0)
)


wrong("shared_keys", "[reshape makes no new numbers: first repeat each head of keys]")(
    lambda keys, heads: keys.reshape(heads, keys.shape[1], -1)
)
wrong("rms_norm", "each row is the right one times a number of its own, 2.57…7.97:")(
    lambda x, gain, epsilon: x / (x.mean() ** 2 + epsilon) * gain
)
wrong("shared_keys", "[heads // G neighbours share: head h gets h // (heads // G)]")(
    lambda keys, heads: np.array([keys[head // len(keys)] for head in range(heads)])
)
wrong("turned_heads", "[a position is no place in x: for place, position in enumerate(positions)]")(
    lambda x, positions, base: np.array([x[:, position] for position in positions])
)
wrong("rms_norm", "the result is shape (0, 5); expected shape (3, 5).")(
    lambda x, gain, epsilon: x[len(x) :]
)
