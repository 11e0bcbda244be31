"""Page 5, multi-head: answers to split_heads, merge_heads, parameter_count."""

import numpy as np
import torch

import lib.attention
from tests.checks.bank import right, wrong

# split_heads


@right("split_heads")
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, heads, d_model // heads).transpose(0, 2, 1, 3)


right("split_heads")(lambda x, heads: np.stack(np.split(x, heads, axis=-1), axis=1))


@right("split_heads")
def _(x, heads):
    d_k = x.shape[-1] // heads
    out = np.zeros((x.shape[0], heads, x.shape[1], d_k), dtype=np.float32)
    for h in range(heads):
        out[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return out


right("split_heads")(
    lambda x, heads: np.einsum("bthd->bhtd", x.reshape(*x.shape[:2], heads, -1)).tolist()
)


@wrong("split_heads", "right for tensors")
def _(x, heads):
    B, T, d_model = x.size()
    return x.view(B, T, heads, d_model // heads).transpose(1, 2)


wrong("split_heads", "right for tensors")(
    lambda x, heads: torch.stack(x.chunk(heads, dim=-1), dim=1)
)


wrong("split_heads", "right shape, wrong contents")(
    lambda x, heads: x.view(x.size(0), heads, x.size(1), -1)
)


wrong("split_heads", "like cards")(
    lambda x, heads: np.stack([x[:, :, h::heads] for h in range(heads)], axis=1)
)


@wrong("split_heads", "stopped with TypeError")  # / gives a float
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, heads, d_model / heads).swapaxes(1, 2)


wrong("split_heads", "right for the first inputs")(
    lambda x, heads: x.reshape(2, 5, 3, 6).swapaxes(1, 2)
)


@wrong("split_heads", "you return x unchanged")
def _(x, heads):
    x.reshape(x.shape[0], x.shape[1], heads, -1)
    return x


wrong("split_heads", "called with (x, heads)")(lambda x: x.reshape(2, 5, 3, 6).swapaxes(1, 2))


@wrong("split_heads", "right for tensors; NumPy arrays need swapaxes(1, 2)")
def _(x, heads):
    B, T, d = x.shape
    return x.reshape(B, T, heads, d // heads).transpose(1, 2)


wrong("split_heads", "; return the output alone")(
    lambda x, heads: (lib.attention.split_heads(x, heads), x.shape[-1] // heads)
)


# merge_heads


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * d_k)


right("merge_heads")(lambda x: np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1))


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    out = np.zeros((B, T, H * d_k))
    for h in range(H):
        for t in range(T):
            out[:, t, h * d_k : (h + 1) * d_k] = x[:, h, t]
    return out.astype(np.float32)


@wrong("merge_heads", "right for tensors; NumPy arrays need swapaxes(1, 2)")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d_k)


wrong("merge_heads", "right for tensors")(lambda x: torch.einsum("bhtd->bthd", x).flatten(2))


wrong("merge_heads", "added the heads up")(lambda x: sum(x[:, h] for h in range(x.shape[1])))


@wrong("merge_heads", "RuntimeError")  # contiguous forgotten
def _(x):
    x = torch.as_tensor(x)
    return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)


@wrong("merge_heads", "view needs .contiguous() before it")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).view(B, T, H * d_k)


wrong("merge_heads", "; return the output alone")(lambda x: (lib.attention.merge_heads(x), x))


# parameter_count

right("parameter_count")(lambda d_model, heads: 4 * d_model**2)


@right("parameter_count")
def _(d_model, heads):
    d_k = d_model // heads
    return heads * 3 * d_model * d_k + heads * d_k * d_model


@right("parameter_count")
def _(d_model, heads):
    module = torch.nn.MultiheadAttention(d_model, heads, bias=False)
    return sum(p.numel() for p in module.parameters())


@right("parameter_count")
def _(d_model, heads):
    return float(sum(np.zeros((d_model, d_model)).size for _ in range(4)))


wrong("parameter_count", "biases")(
    lambda d_model, heads: sum(
        p.numel() for p in torch.nn.MultiheadAttention(d_model, heads).parameters()
    )
)
wrong("parameter_count", "right for the first inputs")(lambda d_model, heads: 1048576)
wrong("parameter_count", "you return d_model unchanged")(lambda d_model, heads: d_model)
wrong("parameter_count", "you have")(lambda d_model, heads: 4 * d_model ** (2 * heads))
wrong("parameter_count", "a number of about")(lambda d_model, heads: d_model ** (200 * heads))
