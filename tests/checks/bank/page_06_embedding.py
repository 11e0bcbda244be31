"""Page 6, positions: answers to embedding; it takes those to positions as a part."""

import numpy as np
import torch

import tests.checks.bank.page_06  # noqa: F401, its answers come first
from lib.positions import sinusoidal_positions as PE
from tests.checks.bank import BANK, right, wrong


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


wrong("embedding", "hardly heard beside the positions")(
    lambda ids, table: table[ids] + PE(ids.shape[1], table.shape[1])
)
wrong("embedding", "you multiplied the positions too")(
    lambda ids, table: (table[ids] + PE(*table[ids].shape[1:])) * table.shape[1] ** 0.5
)
wrong("embedding", "you multiplied the positions; the factor is for the words")(
    lambda ids, table: table[ids] + PE(*table[ids].shape[1:]) * table.shape[1] ** 0.5
)
FACTORS = [
    lambda ids, table: table.shape[1],
    lambda ids, table: table.shape[1] ** -0.5,
    lambda ids, table: ids.shape[1] ** 0.5,
    lambda ids, table: len(table) ** 0.5,
    lambda ids, table: len(ids) ** 0.5,
    *[lambda ids, table, c=c: c for c in (np.sqrt(8), 2, 3, 4, 6, 8, 16, np.sqrt(512))],
]
for factor in FACTORS:
    wrong("embedding", "the rows have another factor")(
        lambda ids, table, factor=factor: (
            table[ids] * factor(ids, table) + PE(ids.shape[1], table.shape[1])
        )
    )
wrong("embedding", "their positions are missing")(embedded(lambda x: x))
wrong("embedding", "the rows of the table alone")(lambda ids, table: table[ids])
wrong("embedding", "not its number in the table")(
    lambda ids, table: table[ids] * table.shape[1] ** 0.5 + PE(*table.shape)[ids]
)
wrong("embedding", "all words of sentence b got place b")(
    embedded(lambda x: x + PE(len(x), x.shape[2])[:, None])
)
wrong("embedding", "all words got the same place")(embedded(lambda x: x + PE(1, x.shape[2])))
wrong("embedding", "all words got the same place")(
    embedded(lambda x: x + PE(x.shape[1] + 1, x.shape[2])[-1])
)
wrong("embedding", "you multiplied by the positions")(embedded(lambda x: x * PE(*x.shape[1:])))
wrong("embedding", "the positions alone")(lambda ids, table: PE(ids.shape[1], table.shape[1]))
wrong("embedding", "the positions alone")(embedded(lambda x: 0 * x + PE(*x.shape[1:])))
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


KINDS = ("expected shape", "whole numbers only", "return the output alone")  # no formula
for (places,), sentence in list(BANK["positions"].wrong):
    if not any(kind in sentence for kind in KINDS):
        wrong("embedding", sentence)(embedded(lambda x, places=places: x + places(*x.shape[1:])))
