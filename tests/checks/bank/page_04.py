"""Page 4, queries, keys and values: answers to attention, cross_attention."""

import numpy as np
import torch
import torch.nn.functional as F

from lib.attention import scaled_dot_product_attention
from tests.checks.bank import right, softmax, wrong
from tests.checks.bank.attention_weights import (
    WRONG_WEIGHTS,
    scaled,
    scored,
    swapped_weights,
    transposed_weights,
)

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


wrong("attention", "there is no scaling")(lambda Q, K, V: softmax(Q @ K.T) @ V)
wrong("attention", "you divided by d_k")(lambda Q, K, V: softmax(Q @ K.T / Q.shape[-1]) @ V)
wrong("attention", "you multiplied by sqrt(d_k)")(
    lambda Q, K, V: softmax(Q @ K.T * np.sqrt(Q.shape[-1])) @ V
)
wrong("attention", "you scaled after the softmax")(
    lambda Q, K, V: torch.softmax(Q @ K.T, dim=-1) * Q.shape[-1] ** -0.5 @ V
)
wrong("attention", "you scaled after the softmax")(
    lambda Q, K, V: softmax(Q @ K.T) @ V / np.sqrt(Q.shape[-1])
)
wrong("attention", "sqrt(d_v)")(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(V.shape[-1])) @ V)
wrong("attention", "sqrt(S)")(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(len(K))) @ V)
wrong("attention", "sqrt(T)")(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[0])) @ V)
wrong("attention", "over the queries")(
    lambda Q, K, V: torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=0) @ V
)


@wrong("attention", "whole table")
def _(queries, keys, values):
    e = np.exp(queries @ keys.T / np.sqrt(queries.shape[-1]))
    return e / np.sum(e) @ values


wrong("attention", "queries and keys are swapped")(  # stops, except where T = S
    lambda Q, K, V: softmax(K @ Q.T / np.sqrt(Q.shape[-1])) @ V
)
wrong("attention", "weights are transposed")(
    lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[-1])).T @ V
)
wrong("attention", "there is no softmax")(lambda Q, K, V: Q @ K.T / np.sqrt(Q.shape[-1]) @ V)
wrong("attention", "these are the weights")(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[-1])))
wrong("attention", "goes to the best key")(lambda Q, K, V: [V[(K @ q).argmax()] for q in Q])
wrong("attention", "same weight")(lambda Q, K, V: np.tile(V.mean(axis=0), (len(Q), 1)))
wrong("attention", "a cosine")(
    lambda Q, K, V: (
        softmax(
            F.cosine_similarity(torch.tensor(Q)[:, None], torch.tensor(K)[None], dim=-1).numpy()
        )
        @ V
    )
)
wrong("attention", "two mistakes: there is no scaling")(lambda Q, K, V: Q @ K.T @ V)
wrong("attention", "stopped with ValueError")(  # values used as keys
    lambda Q, K, V: softmax(Q @ V.T / np.sqrt(Q.shape[-1])) @ K
)
wrong("attention", "called with (queries, keys, values)")(
    lambda X: softmax(X @ X.T / np.sqrt(X.shape[-1])) @ X
)
wrong("attention", "you return values unchanged")(lambda Q, K, V: V)


def attention_with(make_weights):
    """Attention with weights of another kind."""

    def answer(queries, keys, values):
        return make_weights(queries, keys) @ values

    return answer


for sentence, make_weights in WRONG_WEIGHTS:
    wrong("attention", sentence)(attention_with(make_weights))
wrong("attention", "queries and keys are swapped")(attention_with(swapped_weights))
wrong("attention", "transposed")(attention_with(transposed_weights))


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


right("cross_attention")(
    lambda target, source, W_Q, W_K, W_V: F.scaled_dot_product_attention(
        target @ W_Q, source @ W_K, source @ W_V
    )
)


@right("cross_attention")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V


def not_written(*parts): ...


wrong("attention", "a part that you call returns nothing yet")(
    lambda Q, K, V: not_written(Q @ K.T / Q.shape[1] ** 0.5) @ V
)


def attend(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


wrong("cross_attention", "the wrong side asks")(
    lambda target, source, W_Q, W_K, W_V: attend(source @ W_Q, target @ W_K, target @ W_V)
)
wrong("cross_attention", "self-attention of the target")(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, target @ W_K, target @ W_V)
)
wrong("cross_attention", "self-attention of the source")(
    lambda target, source, W_Q, W_K, W_V: attend(source @ W_Q, source @ W_K, source @ W_V)
)
wrong("cross_attention", "W_Q and W_K are swapped")(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_K, source @ W_Q, source @ W_V)
)
wrong("cross_attention", "there is no scaling")(
    lambda target, source, W_Q, W_K, W_V: softmax(target @ W_Q @ (source @ W_K).T) @ (source @ W_V)
)
wrong("cross_attention", "project it with W_V")(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, source @ W_K, source)
)


@wrong("cross_attention", "these are the weights")
def _(target, source, W_Q, W_K, W_V):
    Q, K = target @ W_Q, source @ W_K
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]))


wrong("cross_attention", "sqrt(d), from the width of the tokens")(
    lambda target, source, W_Q, W_K, W_V: (
        softmax((target @ W_Q) @ (source @ W_K).T / np.sqrt(target.shape[-1])) @ (source @ W_V)
    )
)
wrong("cross_attention", "you scaled after the softmax")(
    lambda target, source, W_Q, W_K, W_V: (
        softmax((target @ W_Q) @ (source @ W_K).T) / np.sqrt(W_Q.shape[-1]) @ (source @ W_V)
    )
)


@wrong("cross_attention", "over the queries")
def _(target, source, W_Q, W_K, W_V):
    Q, K, V = target @ W_Q, source @ W_K, source @ W_V
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]), axis=0) @ V


wrong("cross_attention", "queries and keys are swapped")(
    lambda target, source, W_Q, W_K, W_V: attend(source @ W_K, target @ W_Q, source @ W_V)
)
wrong("cross_attention", "keys and values must come from the same side")(  # the target's values
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, source @ W_K, target @ W_V)
)
wrong("cross_attention", "you return target unchanged")(
    lambda target, source, W_Q, W_K, W_V: target
)


def cross_attention_with(make_weights):
    """Cross-attention with weights of another kind."""

    def answer(target, source, W_Q, W_K, W_V):
        return make_weights(target @ W_Q, source @ W_K) @ (source @ W_V)

    return answer


for sentence, make_weights in WRONG_WEIGHTS:
    wrong("cross_attention", sentence)(cross_attention_with(make_weights))
wrong("cross_attention", "queries and keys are swapped")(cross_attention_with(swapped_weights))
wrong("cross_attention", "transposed")(cross_attention_with(transposed_weights))


@wrong("cross_attention", "sqrt(d_v)")
def _(target, source, W_Q, W_K, W_V):
    scores = scored(target @ W_Q, source @ W_K)
    return softmax(scores / np.sqrt(W_V.shape[1])) @ (source @ W_V)


wrong("cross_attention", "2 arrays; return the output alone")(
    lambda target, source, W_Q, W_K, W_V: scaled_dot_product_attention(
        target @ W_Q, source @ W_K, source @ W_V
    )
)
wrong("cross_attention", "W_Q made the keys too")(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, source @ W_Q, source @ W_V)
)
