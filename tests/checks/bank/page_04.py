"""Page 4, queries, keys and values: answers to attention, cross_attention."""

import numpy as np
import torch
import torch.nn.functional as F

from lib.attention import scaled_dot_product_attention
from lib.checks.attention_mistakes import attend
from tests.checks.bank import right, softmax, wrong


def scaled(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


# attention

right("attention")(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V)


@right("attention")
def _(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(queries.shape[-1]))
    return weights @ values


@right("attention")
def _(queries, keys, values):
    output = []
    for q in queries:
        scores = np.array([np.dot(q, k) for k in keys]) / len(q) ** 0.5
        shares = np.exp(scores) / np.exp(scores).sum()
        output.append(sum(share * value for share, value in zip(shares, values, strict=True)))
    return output


@right("attention")
def _(Q, K, V):
    scores = np.einsum("td,sd->ts", Q, K).astype(np.float32) / Q.shape[1] ** 0.5
    return np.einsum("ts,sv->tv", softmax(scores), V)


wrong("attention", "right for tensors")(lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V))


@wrong("attention", "right for tensors")
def _(query, key, value):
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.size(-1) ** 0.5
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value)


@wrong("attention", "right for tensors")
def _(Q, K, V):
    mask = torch.zeros(len(Q), len(K))  # float32, as torch makes them
    return torch.softmax(Q @ K.T / K.shape[1] ** 0.5 + mask, -1) @ V


wrong("attention", "you scaled after the softmax")(
    lambda Q, K, V: torch.softmax(Q @ K.T, dim=-1) * Q.shape[-1] ** -0.5 @ V
)
wrong("attention", "over the queries")(
    lambda Q, K, V: torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=0) @ V
)


wrong("attention", "goes to the best key")(lambda Q, K, V: [V[(K @ q).argmax()] for q in Q])
wrong("attention", "a cosine")(
    lambda Q, K, V: (
        softmax(
            F.cosine_similarity(torch.tensor(Q)[:, None], torch.tensor(K)[None], dim=-1).numpy()
        )
        @ V
    )
)
wrong("attention", "stopped with ValueError")(  # values used as keys
    lambda Q, K, V: softmax(Q @ V.T / np.sqrt(Q.shape[-1])) @ K
)
wrong("attention", "* goes cell by cell, @ is the matrix product")(
    lambda Q, K, V: softmax(Q * K / np.sqrt(Q.shape[-1])) @ V
)
wrong("attention", "* goes cell by cell, @ is the matrix product")(
    lambda Q, K, V: softmax(scaled(Q, K)) * V
)
wrong("attention", "Turn b with swapaxes(-1, -2), or swap a and b?")(
    lambda Q, K, V: softmax(Q @ K / np.sqrt(Q.shape[-1])) @ V
)
wrong("attention", "called with (queries, keys, values)")(
    lambda X: softmax(X @ X.T / np.sqrt(X.shape[-1])) @ X
)
wrong("attention", "you return values unchanged")(lambda Q, K, V: V)


@wrong("attention", "you have")  # nobody rounded: / in place of -, and the largest is near 1
def _(queries, keys, values):
    e = np.exp(scaled(queries, keys) / scaled(queries, keys).max())
    return e / e.sum(-1, keepdims=True) @ values


@wrong("attention", "2 arrays; return the output alone")  # page 5 builds on the output
def _(queries, keys, values):
    weights = softmax(scaled(queries, keys))
    return weights @ values, weights


@wrong("attention", "3 arrays; return the output alone")
def _(queries, keys, values):
    scores = scaled(queries, keys)
    return softmax(scores) @ values, softmax(scores), scores


@wrong("attention", "2 arrays; return the output alone")
def _(queries, keys, values):
    weights = softmax(scaled(queries, keys))
    return [weights @ values, weights]


@wrong("attention", "can be given by name only")
def _(*, queries, keys, values):
    return softmax(scaled(queries, keys)) @ values


@wrong("attention", "async")
async def _(queries, keys, values):
    return softmax(scaled(queries, keys)) @ values


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no text either")


@wrong("attention", "cannot be printed")
def _(queries, keys, values):
    raise UnprintableError


@wrong("attention", "a tensor that NumPy cannot read (torch.bfloat16")
def _(queries, keys, values):
    return torch.tensor(softmax(scaled(queries, keys)) @ values).bfloat16()


# cross_attention


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


right("cross_attention")(
    lambda target, source, W_Q, W_K, W_V: F.scaled_dot_product_attention(
        target @ W_Q, source @ W_K, source @ W_V
    )
)


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    scores = np.einsum("td,dk,ek,se->ts", target, W_Q, W_K, source)
    return np.einsum("ts,sd,dv->tv", softmax(scores * W_Q.shape[1] ** -0.5), source, W_V).astype(
        np.float32
    )


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    output = []
    for token in target:
        query = token @ W_Q
        scores = np.array([query @ (other @ W_K) for other in source]) / len(query) ** 0.5
        output.append(
            sum(w * (other @ W_V) for w, other in zip(softmax(scores), source, strict=True))
        )
    return output


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V


def not_written(*parts): ...


wrong("attention", "a part that you call returns nothing yet")(
    lambda Q, K, V: not_written(Q @ K.T / Q.shape[1] ** 0.5) @ V
)


wrong("cross_attention", "you return target unchanged")(
    lambda target, source, W_Q, W_K, W_V: target
)


wrong("cross_attention", "2 arrays; return the output alone")(
    lambda target, source, W_Q, W_K, W_V: scaled_dot_product_attention(
        target @ W_Q, source @ W_K, source @ W_V
    )
)


@wrong("cross_attention", "right where d_v is d_k only")
def _(target, source, W_Q, W_K, W_V):
    output = np.zeros((len(target), W_K.shape[1]))
    output += attend(target @ W_Q, source @ W_K, source @ W_V)
    return output


@wrong("attention", "name 'd_k' is not defined [d_k is queries.shape[-1]]")
def _(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(d_k)) @ values  # noqa: F821


V = np.ones((5, 3))  # what a page has, beside the function


@wrong("attention", "V stands outside your function; take what it is given]")
def _(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(queries.shape[-1])) @ V
