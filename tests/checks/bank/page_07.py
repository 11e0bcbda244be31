"""Page 7, encoder: answers to layer_norm, post_norm, encoder_parameters."""

import numpy as np
import torch
import torch.nn.functional as F

import lib.layers
from tests.checks.bank import right, wrong

# layer_norm


@right("layer_norm")
def _(x, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


right("layer_norm")(
    lambda x, gain, bias: np.stack(
        [(row - row.mean()) / (row.var() + 1e-5) ** 0.5 * gain + bias for row in x]
    )
)
right("layer_norm")(lambda x, gain, bias: F.layer_norm(x, x.shape[-1:], gain, bias))
right("layer_norm")(lib.layers.layer_norm)

wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(
    lambda x, gain, bias: F.layer_norm(x, x.shape[-1:], gain, bias, eps=1e-6)
)
wrong("layer_norm", "ddof=1")(  # and outside the root
    lambda x, gain, bias: (
        gain * (x - torch.mean(x, -1, True)) / (torch.std(x, -1, keepdim=True) + 1e-5) + bias
    )
)
wrong("layer_norm", "keepdims=True keeps a column")(
    lambda x, gain, bias: (x - x.mean(-1)) / np.sqrt(x.var(-1) + 1e-5) * gain + bias
)
wrong("layer_norm", "; return the output alone")(
    lambda x, gain, bias: (lib.layers.layer_norm(x) * gain + bias, x.mean(-1))
)


# post_norm

right("post_norm")(lambda x, run, norm: torch.clone(norm(torch.add(x, run(x)))))

wrong("post_norm", "something of type function, not real numbers; return its result")(
    lambda x, run, norm: norm
)


@wrong("post_norm", "your loop does not end: it called run 300 times")
def _(x, run, norm):
    while True:
        x = norm(x + run(x))


wrong("post_norm", "TypeError: too many positional arguments (inputs: x (3, 5), run, norm)")(
    lambda x, run, norm: norm(x, run(x))
)
wrong("post_norm", "; return the output alone")(lambda x, run, norm: (norm(x + run(x)), run(x)))


# encoder_parameters


@right("encoder_parameters")
def _(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return attention + feed_forward + 4 * d_model


@right("encoder_parameters")
def _(d_model, d_ff):
    layer = torch.nn.TransformerEncoderLayer(d_model, 1, d_ff)
    return sum(p.numel() for p in layer.parameters())


wrong("encoder_parameters", "right where d_ff is 4 · d_model")(  # d_ff is not always 4 d_model
    lambda d_model, d_ff: 12 * d_model**2 + 13 * d_model
)
wrong("encoder_parameters", "a number of about")(  # it hung with the paper's sizes
    lambda d_model, d_ff: (4 * d_model**2) ** (2 * d_model * d_ff)
)
