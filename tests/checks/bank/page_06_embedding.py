"""Page 6, positions: answers to embedding."""

import numpy as np
import torch

from lib.positions import sinusoidal_positions as PE
from tests.checks.bank import right, wrong


@right("embedding")
def _(ids, table):
    T, d_model = ids.shape[1], table.shape[1]
    return table[ids] * np.sqrt(d_model) + PE(T, d_model)


@right("embedding")
def _(ids, table):
    output = []
    for sentence in ids:
        rows = [table[word] * len(table[0]) ** 0.5 for word in sentence]
        output.append([row + PE(len(sentence), len(row))[t] for t, row in enumerate(rows)])
    return output


@right("embedding")
def _(ids, table):  # a row is picked by a product
    one_hot = np.eye(len(table))[ids]
    scaled = np.einsum("btw,wd->btd", one_hot, table) * table.shape[-1] ** 0.5
    return (scaled + PE(ids.shape[-1], table.shape[-1])[None]).astype(np.float32)


@right("embedding")
def _(ids, table):
    x = np.take(table, ids, axis=0)
    x *= table.shape[1] ** 0.5
    x += PE(x.shape[1], x.shape[2])
    return x


@right("embedding")
def _(ids, table):
    x = torch.nn.functional.embedding(ids, table) * table.size(1) ** 0.5
    return x + torch.from_numpy(PE(ids.size(1), table.size(1))).float()


@right("embedding")
def _(ids, table):
    words = torch.nn.Embedding.from_pretrained(torch.as_tensor(table))
    x = words(torch.as_tensor(ids)) * words.embedding_dim**0.5
    return x + torch.as_tensor(PE(x.shape[1], x.shape[2]))


def embedded(place):
    """rows (B, T, d_model) of the table, times the root, with what ``place(rows)`` does to them."""
    return lambda ids, table: place(table[ids] * table.shape[1] ** 0.5)


wrong("embedding", "line the axes up")(embedded(lambda x: x + PE(len(x), x.shape[2])))
wrong("embedding", "stopped with IndexError")(lambda ids, table: table[:, ids])
wrong("embedding", "expected shape (2, 5, 6)")(  # side by side
    embedded(lambda x: np.concatenate([x, 0 * x + PE(*x.shape[1:])], axis=-1))
)
wrong("embedding", "your function returns nothing yet")(lambda ids, table: ...)
wrong("embedding", "a part that you call returns nothing yet")(embedded(lambda x: x + None))


@wrong("embedding", "changes its input table")
def _(ids, table):
    table *= table.shape[1] ** 0.5
    return table[ids] + PE(ids.shape[1], table.shape[1])
