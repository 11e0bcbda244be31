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


def centred(x):
    return x - x.mean(-1, keepdims=True)


def variance(x):
    return x.var(-1, keepdims=True)


wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(
    lambda x, gain, bias: centred(x) / (x.std(-1, keepdims=True) + 1e-5) * gain + bias
)
wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(  # none
    lambda x, gain, bias: centred(x) / x.std(-1, keepdims=True) * gain + bias
)
wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(
    lambda x, gain, bias: F.layer_norm(x, x.shape[-1:], gain, bias, eps=1e-6)
)
wrong("layer_norm", "ddof=1")(
    lambda x, gain, bias: (
        centred(x) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-5) * gain + bias
    )
)
wrong("layer_norm", "ddof=1")(  # and outside the root
    lambda x, gain, bias: (
        gain * (x - torch.mean(x, -1, True)) / (torch.std(x, -1, keepdim=True) + 1e-5) + bias
    )
)
wrong("layer_norm", "over the words (axis 0)")(
    lambda x, gain, bias: (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * gain + bias
)
wrong("layer_norm", "those of the whole table")(
    lambda x, gain, bias: (x - x.mean()) / np.sqrt(x.var() + 1e-5) * gain + bias
)
wrong("layer_norm", "the mean is not subtracted")(
    lambda x, gain, bias: x / np.sqrt(variance(x) + 1e-5) * gain + bias
)
wrong("layer_norm", "the gain is missing")(
    lambda x, gain, bias: centred(x) / np.sqrt(variance(x) + 1e-5) + bias
)
wrong("layer_norm", "gain and bias are missing")(
    lambda x, gain, bias: centred(x) / np.sqrt(variance(x) + 1e-5)
)
wrong("layer_norm", "which is a root already")(
    lambda x, gain, bias: centred(x) / np.sqrt(x.std(-1, keepdims=True) + 1e-5) * gain + bias
)
wrong("layer_norm", "which is a root already")(
    lambda x, gain, bias: centred(x) / (variance(x) + 1e-5) ** 0.25 * gain + bias
)
wrong("layer_norm", "the bias is missing")(
    lambda x, gain, bias: centred(x) / np.sqrt(variance(x) + 1e-5) * gain
)
wrong("layer_norm", "divide by its root")(
    lambda x, gain, bias: centred(x) / (variance(x) + 1e-5) * gain + bias
)
wrong("layer_norm", "the bias came before the gain")(
    lambda x, gain, bias: (centred(x) / np.sqrt(variance(x) + 1e-5) + bias) * gain
)
wrong("layer_norm", "keepdims=True keeps a column")(
    lambda x, gain, bias: (x - x.mean(-1)) / np.sqrt(x.var(-1) + 1e-5) * gain + bias
)
wrong("layer_norm", "RMS norm")(
    lambda x, gain, bias: x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * gain + bias
)
wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(  # twice
    lambda x, gain, bias: centred(x) / (np.sqrt(variance(x) + 1e-5) + 1e-5) * gain + bias
)
wrong("layer_norm", "epsilon, 1e-5, goes inside the root")(
    lambda x, gain, bias: (centred(x) + 1e-5) / np.sqrt(variance(x)) * gain + bias
)
wrong("layer_norm", "; return the output alone")(
    lambda x, gain, bias: (lib.layers.layer_norm(x) * gain + bias, x.mean(-1))
)


# post_norm

right("post_norm")(lambda x, run, norm: norm(x + run(x)))
right("post_norm")(lambda x, run, norm: torch.clone(norm(torch.add(x, run(x)))))

wrong("post_norm", "norm comes last")(lambda x, run, norm: x + norm(run(x)))
wrong("post_norm", "norm comes last")(lambda x, run, norm: norm(x) + run(x))
wrong("post_norm", "norm comes last")(lambda x, run, norm: run(norm(x + run(x))))
wrong("post_norm", "x itself is lost")(lambda x, run, norm: norm(run(x)))
wrong("post_norm", "x itself is lost")(lambda x, run, norm: run(norm(x)))
wrong("post_norm", "this is pre-norm")(lambda x, run, norm: x + run(norm(x)))
wrong("post_norm", "norm is missing")(lambda x, run, norm: x + run(x))
wrong("post_norm", "one norm is enough")(lambda x, run, norm: norm(x + run(norm(x))))
wrong("post_norm", "something of type function, not real numbers; return its result")(
    lambda x, run, norm: norm
)


@wrong("post_norm", "run was called 1000 times; does your loop end?")
def _(x, run, norm):
    while True:
        x = norm(x + run(x))


wrong("post_norm", "TypeError: too many positional arguments (inputs: x (3, 5), run, norm)")(
    lambda x, run, norm: norm(x, run(x))
)
wrong("post_norm", "changes its size")(lambda x, run, norm: norm((x + run(x)) / 2))
wrong("post_norm", "changes its size")(lambda x, run, norm: norm(2 * (x + run(x))))
wrong("post_norm", "changes its size")(lambda x, run, norm: norm((x + run(x)) / np.sqrt(2)))
wrong("post_norm", "one norm is enough")(lambda x, run, norm: norm(norm(x + run(x))))
wrong("post_norm", "use the norm that is given")(
    lambda x, run, norm: centred(x + run(x)) / np.sqrt(variance(x + run(x)) + 1e-5)
)
wrong("post_norm", "use the norm that is given")(lambda x, run, norm: norm(centred(x + run(x))))
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


wrong("encoder_parameters", "these are the matrices")(
    lambda d_model, d_ff: 4 * d_model**2 + 2 * d_model * d_ff
)
wrong("encoder_parameters", "the biases of attention, or the two norms")(
    lambda d_model, d_ff: 4 * d_model**2 + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
)
wrong("encoder_parameters", "biases of the feed-forward network are missing")(
    lambda d_model, d_ff: 4 * (d_model**2 + d_model) + 2 * d_model * d_ff + 4 * d_model
)
wrong("encoder_parameters", "each has a gain and a bias")(  # gains alone
    lambda d_model, d_ff: (
        4 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + d_model + 2 * d_model
    )
)
wrong("encoder_parameters", "you counted the vectors of one part only")(
    lambda d_model, d_ff: 4 * d_model**2 + 2 * d_model * d_ff + 2 * 2 * d_model
)
wrong("encoder_parameters", "only the feed-forward network has its biases")(
    lambda d_model, d_ff: 4 * d_model**2 + (d_model + 1) * d_ff + (d_ff + 1) * d_model
)
wrong("encoder_parameters", "W_O is missing")(
    lambda d_model, d_ff: 3 * d_model * (d_model + 1) + 2 * d_model * d_ff + d_ff + 5 * d_model
)
wrong("encoder_parameters", "W_O is missing")(
    lambda d_model, d_ff: 3 * d_model**2 + 2 * d_model * d_ff
)
wrong("encoder_parameters", "to d_ff, and back")(
    lambda d_model, d_ff: 4 * d_model**2 + d_model * d_ff
)
wrong("encoder_parameters", "no matrix is d_ff × d_ff")(
    lambda d_model, d_ff: 4 * d_model**2 + d_ff**2
)
wrong("encoder_parameters", "no matrix is d_ff × d_ff")(
    lambda d_model, d_ff: 4 * d_model**2 + 2 * d_ff * d_ff
)
wrong("encoder_parameters", "this is attention alone")(lambda d_model, d_ff: 4 * d_model**2)
wrong("encoder_parameters", "this is attention alone")(
    lambda d_model, d_ff: 4 * d_model * (d_model + 1)
)
wrong("encoder_parameters", "this is the feed-forward network alone")(
    lambda d_model, d_ff: d_model * d_ff + d_ff * d_model
)
wrong("encoder_parameters", "this is the feed-forward network alone")(
    lambda d_model, d_ff: (d_model + 1) * d_ff + (d_ff + 1) * d_model
)
wrong("encoder_parameters", "the heads share four")(
    lambda d_model, d_ff, heads=8: heads * 4 * d_model**2 + 2 * d_model * d_ff
)
wrong("encoder_parameters", "right for the first inputs")(  # d_ff is not always 4 d_model
    lambda d_model, d_ff: 12 * d_model**2 + 13 * d_model
)
