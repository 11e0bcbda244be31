"""Page 5, multi-head: answers to split_heads, merge_heads, multi_head."""

import numpy as np
import torch
import torch.nn.functional as F

import lib.attention
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


# multi_head


def cut(x, heads):
    """(B, T, d_model) to (B, H, T, d_k)."""
    return np.stack(np.split(x, heads, axis=-1), axis=1)


def glue(x):
    """(B, H, T, d_k) to (B, T, d_model)."""
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)


def attend(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) @ v


def look(X, memory, W_Q, W_K, W_V, heads):
    """What each head finds, before it is merged: (B, H, T, d_k)."""
    q = cut(X @ W_Q, heads)
    k = cut(memory @ W_K, heads)
    v = cut(memory @ W_V, heads)
    return attend(q, k, v)


@right("multi_head")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        B, T, width = x.shape
        return x.reshape(B, T, heads, width // heads).swapaxes(1, 2)

    q, k, v = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
    weights = softmax(q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1]))
    B, T, _ = X.shape
    return (weights @ v).swapaxes(1, 2).reshape(B, T, -1) @ W_O


@right("multi_head")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    output = np.zeros_like(X)
    d_k = W_Q.shape[-1] // heads
    for b in range(len(X)):
        parts = []
        for h in range(heads):
            mine = slice(h * d_k, (h + 1) * d_k)
            q, k, v = X[b] @ W_Q[:, mine], memory[b] @ W_K[:, mine], memory[b] @ W_V[:, mine]
            parts.append(softmax(q @ k.T / d_k**0.5) @ v)
        output[b] = np.hstack(parts) @ W_O
    return output


@right("multi_head")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    def project(x, W):
        return np.einsum("btd,dhk->bhtk", x, W.reshape(len(W), heads, -1))

    q, k, v = project(X, W_Q), project(memory, W_K), project(memory, W_V)
    weights = softmax(np.einsum("bhtk,bhsk->bhts", q, k) / np.sqrt(q.shape[-1]))
    rows = W_O.reshape(heads, -1, W_O.shape[-1])
    output = np.einsum("bhts,bhsk,hkd->btd", weights, v, rows)
    return output.astype(np.float32)


@right("multi_head")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    q, k, v = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ W_O


@right("multi_head")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    width = W_Q.shape[1]
    module = torch.nn.MultiheadAttention(width, heads, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.eye(width).repeat(3, 1))
        module.out_proj.weight.copy_(torch.eye(width))
    return module(X @ W_Q, memory @ W_K, memory @ W_V)[0] @ W_O


wrong("multi_head", "stopped with ValueError")(  # W_O transposed
    lambda X, memory, W_Q, W_K, W_V, W_O, heads: glue(look(X, memory, W_Q, W_K, W_V, heads)) @ W_O.T
)


@wrong("multi_head", "split with reshape alone")  # view without transpose
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        B, T, width = x.shape
        return x.view(B, heads, T, width // heads)

    q, k, v = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
    found = F.scaled_dot_product_attention(q, k, v)
    return found.transpose(1, 2).flatten(2) @ W_O


@wrong("multi_head", "2 arrays; return the output alone")  # page 2 and page 4 want it alone, too
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    q, k, v = cut(X @ W_Q, heads), cut(memory @ W_K, heads), cut(memory @ W_V, heads)
    return glue(attend(q, k, v)) @ W_O, softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))


@wrong("multi_head", "the heads share W_Q's columns, not X's")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    w = X.shape[-1] // heads

    def split(x):
        return x.reshape(*x.shape[:2], heads, w).swapaxes(1, 2)

    return glue(attend(split(X @ W_Q), split(memory @ W_K), split(memory @ W_V))) @ W_O


@wrong("multi_head", "the heads share W_Q's columns, not X's")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    w, outputs = X.shape[-1] // heads, []
    for h in range(heads):
        mine = slice(h * w, (h + 1) * w)
        outputs.append(attend(X @ W_Q[:, mine], memory @ W_K[:, mine], memory @ W_V[:, mine]))
    return np.concatenate(outputs, axis=-1) @ W_O


@wrong("multi_head", "the heads share W_Q's columns, not X's")  # does not stop
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    w, output = X.shape[-1] // heads, 0
    for h in range(heads):
        mine = slice(h * w, (h + 1) * w)
        found = attend(X @ W_Q[:, mine], memory @ W_K[:, mine], memory @ W_V[:, mine])
        output = output + found @ W_O[mine]
    return output


@wrong("merge_heads", "the last axis is H * d_k long")
def _(x):
    B, _, T, d_k = x.shape
    return x.swapaxes(1, 2).reshape(B, T, d_k)


wrong("multi_head", "or swap a and b?")(
    lambda X, memory, W_Q, W_K, W_V, W_O, heads: W_O @ glue(look(X, memory, W_Q, W_K, W_V, heads))
)


@wrong("multi_head", "with more of them: multiply, then split, attend")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    X, memory = (x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2) for x in (X, memory))
    return glue(attend(X @ W_Q, memory @ W_K, memory @ W_V)) @ W_O


@wrong("multi_head", "put them side by side, then W_O")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    q, k, v = cut(X @ W_Q, heads), cut(memory @ W_K, heads), cut(memory @ W_V, heads)
    for h in range(heads):
        found = attend(q[:, h], k[:, h], v[:, h])
    return found @ W_O


@wrong("multi_head", "you wrote 4 down; take the argument")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    return glue(attend(*(cut(x, 4) for x in (X @ W_Q, memory @ W_K, memory @ W_V)))) @ W_O


@wrong("multi_head", "an axis is missing: split first; my_attention returns one array")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    B, H, T, d_k = attend(X @ W_Q, memory @ W_K, memory @ W_V).shape


@wrong("multi_head", "put them side by side, then W_O")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    return look(X, memory, W_Q, W_K, W_V, heads).mean(1) @ W_O


def merged(x):
    """As glue, by the sizes of the four axes."""
    B, H, T, d_k = x.shape
    return x.swapaxes(1, 2).reshape(B, T, H * d_k)


@wrong("multi_head", "my_attention returns one array")  # a batch of two unpacks
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    found, _ = look(X, memory, W_Q, W_K, W_V, heads)
    return merged(found) @ W_O


@wrong("multi_head", "my_attention returns one array")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    return merged(look(X, memory, W_Q, W_K, W_V, heads)[0]) @ W_O


@wrong("multi_head", "2 arrays; return the output alone")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    q, k, v = cut(X @ W_Q, heads), cut(memory @ W_K, heads), cut(memory @ W_V, heads)
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])), glue(attend(q, k, v)) @ W_O


wrong("multi_head", "expected shape (2, 5, 13)")(  # never merged
    lambda X, memory, W_Q, W_K, W_V, W_O, heads: (
        look(X, memory, W_Q, W_K, W_V, heads) @ W_O[: len(W_O) // heads]
    )
)
wrong("multi_head", "you return X unchanged")(lambda X, memory, W_Q, W_K, W_V, W_O, heads: X)
wrong("multi_head", "called with (X, memory, W_Q, W_K, W_V, W_O, heads)")(lambda X, heads: X)


@wrong("multi_head", ".T turns all axes round")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    q, k, v = cut(X @ W_Q, heads), cut(memory @ W_K, heads), cut(memory @ W_V, heads)
    return glue(softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v) @ W_O
