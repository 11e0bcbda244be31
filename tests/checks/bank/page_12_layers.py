"""Page 12, a GPT: answers to causal_head and block, the GPT's layers."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

# causal_head


@right("causal_head")
def _(x, query, key, value):
    q, k = query(x), key(x)
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    past = torch.tril(torch.ones(x.shape[1], x.shape[1]))
    return scores.masked_fill(past == 0, -torch.inf).softmax(-1) @ value(x)


@right("causal_head")
def _(x, query, key, value):
    q, k, v = query(x), key(x), value(x)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ v


@right("causal_head")
def _(x, query, key, value):
    return F.scaled_dot_product_attention(query(x), key(x), value(x), is_causal=True)


@right("causal_head")
def _(x, query, key, value):
    rows = []
    for t in range(x.shape[1]):
        q, k, v = query(x[:, t : t + 1]), key(x[:, : t + 1]), value(x[:, : t + 1])
        rows.append(softmax(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5) @ v)
    return np.concatenate(rows, axis=1)


@right("causal_head")
def _(x, query, key, value):  # masked after the softmax, and made to add up to 1 again
    q, k, v = query(x), key(x), value(x)
    weights = softmax(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5) * np.tri(x.shape[1])
    return weights / weights.sum(-1, keepdims=True) @ v


def head(weights_of):
    """An answer that finds its weights from the scores and the mask, True = may attend."""

    def answer(x, query, key, value):
        q, k, v = query(x), key(x), value(x)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        return weights_of(scores, past) @ v

    return answer


wrong("causal_head", ".mT turns the last two axes round")(
    lambda x, query, key, value: (query(x) @ key(x).T).softmax(-1) @ value(x)
)
wrong("causal_head", "there is no mask")(head(lambda scores, past: scores.softmax(-1)))
wrong("causal_head", "the triangle is upside down")(
    head(lambda scores, past: scores.masked_fill(~past.T, -torch.inf).softmax(-1))
)
wrong("causal_head", "the triangle is upside down")(  # from page 9: this mask blocks its True
    head(lambda scores, past: scores.masked_fill(past.tril(-1), -torch.inf).softmax(-1))
)
wrong("causal_head", "the mask is the wrong way round")(
    head(lambda scores, past: scores.masked_fill(past, -torch.inf).softmax(-1))
)
wrong("causal_head", "the mask is the wrong way round")(
    head(lambda scores, past: torch.where(past, -torch.inf, scores).softmax(-1))
)
wrong("causal_head", "-inf stands among the weights")(
    head(lambda scores, past: scores.softmax(-1).masked_fill(~past, -torch.inf))
)
wrong("causal_head", "over the texts of the batch")(
    head(lambda scores, past: scores.masked_fill(~past, -torch.inf).softmax(0))
)
wrong("causal_head", "the first one sees nothing")(
    head(lambda scores, past: scores.masked_fill(~past.tril(-1), -torch.inf).softmax(-1))
)
wrong("causal_head", "the first one sees nothing")(
    head(lambda scores, past: scores.masked_fill(~past.tril(-1), -1e9).softmax(-1))
)
wrong("causal_head", "one place too far")(
    head(
        lambda scores, past: scores.masked_fill(~torch.ones_like(past).tril(1), -torch.inf).softmax(
            -1
        )
    )
)
wrong("causal_head", "you masked after the softmax")(
    head(lambda scores, past: scores.softmax(-1) * past)
)
wrong("causal_head", "a score of 0 is not nothing")(
    head(lambda scores, past: scores.masked_fill(~past, 0).softmax(-1))
)
wrong("causal_head", "a score of 0 is not nothing")(
    head(lambda scores, past: scores.tril().softmax(-1))
)
wrong("causal_head", "there is no softmax")(head(lambda scores, past: scores * past))
wrong("causal_head", "the softmax runs over the queries")(
    head(lambda scores, past: scores.masked_fill(~past, -torch.inf).softmax(1))
)
wrong("causal_head", "queries and keys are swapped")(
    head(lambda scores, past: scores.mT.masked_fill(~past, -torch.inf).softmax(-1))
)


@wrong("causal_head", "right for the first inputs, but not for others")  # two heads for granted
def _(x, query, key, value):
    scores = query(x) @ key(x).mT / (x.shape[-1] // 2) ** 0.5
    past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ value(x)


@wrong("causal_head", "The size of tensor")  # and not that an array has no masked_fill
def _(x, query, key, value):
    scores = query(x) @ key(x).mT
    past = torch.ones(len(x), len(x)).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ value(x)


# block


@right("block")
def _(x, look, think, norm_1, norm_2):
    found = look(norm_1(x))
    thought = think(norm_2(found + x))
    return x + found + thought


@wrong("block", "a residual is missing")
def _(x, look, think, norm_1, norm_2):
    y = look(norm_1(x))
    return x + think(norm_2(y))


@wrong("block", "changes its input x")
def _(x, look, think, norm_1, norm_2):
    x += look(norm_1(x))
    x += think(norm_2(x))
    return x
