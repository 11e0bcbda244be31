"""Page 5, multi-head: answers to split_heads, merge_heads, multi_head, parameter_count."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

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


@right("split_heads")
def _(x, heads):
    B, T, d_model = x.size()
    return x.view(B, T, heads, d_model // heads).transpose(1, 2)


right("split_heads")(lambda x, heads: torch.stack(x.chunk(heads, dim=-1), dim=1))


@wrong("split_heads", "right shape, wrong contents")  # view without transpose
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, heads, T, d_model // heads)


wrong("split_heads", "right shape, wrong contents")(
    lambda x, heads: x.view(x.size(0), heads, x.size(1), -1)
)


@wrong("split_heads", "still in the order")
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, heads, d_model // heads)


wrong("split_heads", "like cards")(
    lambda x, heads: np.stack([x[:, :, h::heads] for h in range(heads)], axis=1)
)
wrong("split_heads", "in front of the batch")(
    lambda x, heads: np.stack(np.split(x, heads, axis=-1))
)


@wrong("split_heads", "last two axes")
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, heads, d_model // heads).transpose(0, 2, 3, 1)


@wrong("split_heads", "d_k and the number of heads are swapped")
def _(x, heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, d_model // heads, heads).swapaxes(1, 2)


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


@right("merge_heads")
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d_k)


right("merge_heads")(lambda x: torch.einsum("bhtd->bthd", x).flatten(2))


@wrong("merge_heads", "right shape, wrong contents")
def _(x):
    B, H, T, d_k = x.shape
    return x.reshape(B, T, H * d_k)


wrong("merge_heads", "averaged the heads")(lambda x: np.mean(x, axis=1))
wrong("merge_heads", "added the heads up")(lambda x: sum(x[:, h] for h in range(x.shape[1])))
wrong("merge_heads", "swapping is done")(lambda x: x.transpose(0, 2, 1, 3))


@wrong("merge_heads", "the shape is right, but at")  # columns dealt out like cards
def _(x):
    B, H, T, d_k = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, T, H * d_k)


@wrong("merge_heads", "RuntimeError")  # contiguous forgotten
def _(x):
    x = torch.as_tensor(x)
    return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)


wrong("merge_heads", "you joined the heads along T")(  # the heads below each other
    lambda x: x.reshape(x.shape[0], -1, x.shape[3])
)


# multi_head


def cut(x, heads):
    """(B, T, d_model) to (B, H, T, d_k)."""
    return np.stack(np.split(x, heads, axis=-1), axis=1)


def glue(x):
    """(B, H, T, d_k) to (B, T, d_model)."""
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)


def attend(q, k, v, root=None, axis=-1):
    """Attention, divided by another root or with the softmax over another axis if one is given."""
    if root is None:
        root = np.sqrt(q.shape[-1])
    return softmax(q @ k.swapaxes(-1, -2) / root, axis) @ v


def look(X, W_Q, W_K, W_V, heads, root=None, axis=-1):
    """What each head finds, before it is merged: (B, H, T, d_k)."""
    q = cut(X @ W_Q, heads)
    k = cut(X @ W_K, heads)
    v = cut(X @ W_V, heads)
    return attend(q, k, v, root, axis)


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape

    def split(x):
        return x.reshape(B, T, heads, d // heads).swapaxes(1, 2)

    q, k, v = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    weights = softmax(q @ k.swapaxes(2, 3) / np.sqrt(d // heads))
    return (weights @ v).swapaxes(1, 2).reshape(B, T, d) @ W_O


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    output = np.zeros_like(X)
    d_k = X.shape[-1] // heads
    for b, x in enumerate(X):
        parts = []
        for h in range(heads):
            mine = slice(h * d_k, (h + 1) * d_k)
            q, k, v = x @ W_Q[:, mine], x @ W_K[:, mine], x @ W_V[:, mine]
            parts.append(softmax(q @ k.T / d_k**0.5) @ v)
        output[b] = np.hstack(parts) @ W_O
    return output


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    d = X.shape[-1]

    def project(W):
        return np.einsum("btd,dhk->bhtk", X, W.reshape(d, heads, -1))

    q, k, v = project(W_Q), project(W_K), project(W_V)
    weights = softmax(np.einsum("bhtk,bhsk->bhts", q, k) / np.sqrt(q.shape[-1]))
    output = np.einsum("bhts,bhsk,hkd->btd", weights, v, W_O.reshape(heads, -1, d))
    return output.astype(np.float32), weights


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    output = F.scaled_dot_product_attention(split(X @ W_Q), split(X @ W_K), split(X @ W_V))
    return output.transpose(1, 2).flatten(2) @ W_O


@right("multi_head")
def _(X, W_Q, W_K, W_V, W_O, heads):
    d = X.shape[-1]
    module = torch.nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([W_Q.T, W_K.T, W_V.T]))
        module.out_proj.weight.copy_(W_O.T)
    return module(X, X, X)


wrong("multi_head", "W_O is missing")(
    lambda X, W_Q, W_K, W_V, W_O, heads: glue(look(X, W_Q, W_K, W_V, heads))
)
wrong("multi_head", "W_O is transposed")(
    lambda X, W_Q, W_K, W_V, W_O, heads: F.linear(
        torch.tensor(glue(look(X, W_Q, W_K, W_V, heads))), torch.tensor(W_O)
    )
)
wrong("multi_head", "sqrt(d_model)")(
    lambda X, W_Q, W_K, W_V, W_O, heads: (
        glue(look(X, W_Q, W_K, W_V, heads, root=np.sqrt(X.shape[-1]))) @ W_O
    )
)
wrong("multi_head", "there is no scaling")(
    lambda X, W_Q, W_K, W_V, W_O, heads: glue(look(X, W_Q, W_K, W_V, heads, root=1)) @ W_O
)
wrong("multi_head", "you divided by d_k")(
    lambda X, W_Q, W_K, W_V, W_O, heads: (
        glue(look(X, W_Q, W_K, W_V, heads, root=X.shape[-1] // heads)) @ W_O
    )
)
wrong("multi_head", "one head only")(
    lambda X, W_Q, W_K, W_V, W_O, heads: attend(X @ W_Q, X @ W_K, X @ W_V) @ W_O
)


@wrong("multi_head", "split and merged with reshape alone")
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape

    def split(x):
        return x.reshape(B, heads, T, d // heads)

    q, k, v = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    return attend(q, k, v).reshape(B, T, d) @ W_O


@wrong("multi_head", "split with reshape alone")  # view without transpose
def _(X, W_Q, W_K, W_V, W_O, heads):
    B, T, d = X.shape

    def split(x):
        return x.view(B, heads, T, d // heads)

    q, k, v = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, d) @ W_O


wrong("multi_head", "merged with reshape alone")(
    lambda X, W_Q, W_K, W_V, W_O, heads: look(X, W_Q, W_K, W_V, heads).reshape(X.shape) @ W_O
)
wrong("multi_head", "over the queries")(
    lambda X, W_Q, W_K, W_V, W_O, heads: glue(look(X, W_Q, W_K, W_V, heads, axis=-2)) @ W_O
)
wrong("multi_head", "W_Q and W_K are swapped")(
    lambda X, W_Q, W_K, W_V, W_O, heads: glue(look(X, W_K, W_Q, W_V, heads)) @ W_O
)
wrong("multi_head", "the values are X itself")(
    lambda X, W_Q, W_K, W_V, W_O, heads: (
        glue(attend(cut(X @ W_Q, heads), cut(X @ W_K, heads), cut(X, heads))) @ W_O
    )
)


@wrong("multi_head", "you scaled after the softmax")
def _(X, W_Q, W_K, W_V, W_O, heads):
    q, k, v = cut(X @ W_Q, heads), cut(X @ W_K, heads), cut(X @ W_V, heads)
    return glue(softmax(q @ k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1]) @ v) @ W_O


wrong("multi_head", "expected shape (2, 5, 18)")(  # never merged
    lambda X, W_Q, W_K, W_V, W_O, heads: look(X, W_Q, W_K, W_V, heads) @ W_O[: X.shape[-1] // heads]
)
wrong("multi_head", "you return X unchanged")(lambda X, W_Q, W_K, W_V, W_O, heads: X)
wrong("multi_head", "called with (X, W_Q, W_K, W_V, W_O, heads)")(lambda X, heads: X)


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


wrong("parameter_count", "full width")(lambda d_model, heads: heads * (4 * d_model * d_model))
wrong("parameter_count", "forgot W_O")(
    lambda d_model, heads: 3 * heads * d_model * (d_model // heads)
)
wrong("parameter_count", "you counted one head")(
    lambda d_model, heads: 4 * d_model * (d_model // heads)
)
wrong("parameter_count", "W_O is not one for each head")(
    lambda d_model, heads: heads * (3 * d_model * (d_model // heads) + d_model * d_model)
)
wrong("parameter_count", "biases")(
    lambda d_model, heads: sum(
        p.numel() for p in torch.nn.MultiheadAttention(d_model, heads).parameters()
    )
)
wrong("parameter_count", "right for the first inputs")(lambda d_model, heads: 1048576)
wrong("parameter_count", "you return d_model unchanged")(lambda d_model, heads: d_model)
