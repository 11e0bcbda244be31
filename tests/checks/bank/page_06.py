"""Page 6, positions: answers to positions, add_positions, rotary, embedding."""

import numpy as np
import torch

import lib.positions
from lib.positions import sinusoidal_positions as PE
from tests.checks.bank import right, wrong

# positions


@right("positions")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, 2 * i] = np.sin(angle)
            table[p, 2 * i + 1] = np.cos(angle)
    return table


@right("positions")
def _(length, d_model):
    speeds = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, d_model)


@right("positions")
def _(length, d_model):
    table = torch.zeros(length, d_model)
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


right("positions")(lib.positions.sinusoidal_positions)


@wrong("positions", "sin and cos are swapped")
def _(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((length, d_model))
    table[:, 0::2] = np.cos(angles)
    table[:, 1::2] = np.sin(angles)
    return table


@wrong("positions", "by the position; choose by the dimension")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for j in range(d_model):
            angle = p / 10000 ** (2 * (j // 2) / d_model)
            table[p, j] = np.sin(angle) if p % 2 == 0 else np.cos(angle)
    return table


@wrong("positions", "[turned round: each position is a row")
def _(length, d_model):
    table = np.zeros((length, d_model))
    angles = np.outer(10000 ** (-np.arange(0, d_model, 2) / d_model), np.arange(length))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


@wrong("positions", "[length comes first")
def _(d_model, length):
    table = np.zeros((length, d_model))
    angles = np.outer(np.arange(length), 10000 ** (-np.arange(0, d_model, 2) / d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


wrong("positions", "[a power is written **")(
    lambda length, d_model: np.outer(np.arange(length), 10000 ^ (-np.arange(d_model) / d_model))
)


@wrong("positions", "there are d_model / 2 of them")  # and not d_model
def _(length, d_model):
    table = np.zeros((length, d_model))
    for i in range(d_model):
        angles = np.arange(length) / 10000 ** (2 * i / d_model)
        table[:, 2 * i], table[:, 2 * i + 1] = np.sin(angles), np.cos(angles)
    return table


@wrong("positions", "each column has a speed of its own")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for i in range(d_model):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, i] = np.cos(angle) if i % 2 else np.sin(angle)
    return table


@wrong("positions", "some columns are left empty")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for i in range(0, d_model // 2, 2):
        angles = np.arange(length) / 10000 ** (i / d_model)
        table[:, i], table[:, i + 1] = np.sin(angles), np.cos(angles)
    return table


@wrong("positions", "whole numbers only")
def _(length, d_model):
    table = np.zeros((length, d_model), dtype=int)
    table[:] = lib.positions.sinusoidal_positions(length, d_model)
    return table


@wrong("positions", "a pair shares one speed")
def _(length, d_model):
    table = np.zeros((length, d_model))
    angles = np.outer(np.arange(length), 10000 ** (-np.arange(d_model) / d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


@wrong("positions", "a return inside a loop ends it at once")
def _(length, d_model):
    table = np.zeros((length, d_model))
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, 2 * i : 2 * i + 2] = np.sin(angle), np.cos(angle)
        return table


@wrong("positions", "a return inside a loop ends it at once")  # after the first pair of columns
def _(length, d_model):
    table = np.zeros((length, d_model))
    for i in range(d_model // 2):
        angles = np.arange(length) / 10000 ** (2 * i / d_model)
        table[:, 2 * i], table[:, 2 * i + 1] = np.sin(angles), np.cos(angles)
        return table


wrong("positions", "[a shape is one tuple: np.zeros((2, 3))]")(
    lambda length, d_model: np.zeros(length, d_model)
)
wrong("positions", "so a quotient in the exponent needs brackets around it (and /, not //)")(
    lambda length, d_model: np.outer(
        np.arange(length), 10000 ** (-np.arange(0, d_model, 2) // d_model)
    )
)
wrong("positions", "; return the output alone")(
    lambda length, d_model: (
        lib.positions.sinusoidal_positions(length, d_model),
        np.arange(length),
    )
)


# add_positions

right("add_positions")(lambda x, table: x + table[: x.shape[1]])


@right("add_positions")
def _(x, table):
    result = x.copy()
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            result[b, t] += table[t]
    return result


right("add_positions")(lambda x, table: torch.add(x, table[: x.shape[-2]].unsqueeze(0)))

wrong("add_positions", "by the batch axis")(
    lambda x, table: np.stack(
        [sentence + row for sentence, row in zip(x, table[: len(x)], strict=True)]
    )
)
wrong("add_positions", "the result is shape (2, 4, 12); expected shape (2, 4, 6)")(
    lambda x, table: np.concatenate([x, np.broadcast_to(table[: x.shape[1]], x.shape)], axis=-1)
)
wrong("add_positions", "None puts an axis of 1 behind the words")(
    lambda x, table: x + table[: x.shape[1], None]
)
wrong("add_positions", "cut the longer")(lambda x, table: x + table)


@wrong("add_positions", "your function changes its input x")
def _(x, table):
    x += table[: x.shape[1]]
    return x


wrong("add_positions", "; return the output alone")(
    lambda x, table: (x + table[: x.shape[1]], table)
)


# rotary


@right("rotary")
def _(x):
    result = np.zeros(x.shape)
    for p in range(len(x)):
        for i in range(x.shape[1] // 2):
            angle = p / 10000 ** (2 * i / x.shape[1])
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            result[p, 2 * i : 2 * i + 2] = x[p, 2 * i : 2 * i + 2] @ turn
    return result


@right("rotary")
def _(x):
    z = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * hands(x))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


@right("rotary")
def _(x):
    angles = torch.arange(len(x))[:, None] * 10000 ** (-torch.arange(0, x.shape[1], 2) / x.shape[1])
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack(
        [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1
    ).flatten(-2)


right("rotary")(lambda x: lib.positions.rotary(x, np.arange(len(x))))


def hands(x):
    """The angles (T, d_k / 2)."""
    return np.arange(len(x))[:, None] / 10000 ** (np.arange(0, x.shape[1], 2) / x.shape[1])


def turn(x, angles):
    result = np.empty(x.shape)
    result[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    result[:, 1::2] = x[:, 1::2] * np.cos(angles) + x[:, 0::2] * np.sin(angles)
    return result


@wrong("rotary", "needs both old ones")
def _(x):
    result = x.copy()
    result[:, 0::2] *= np.cos(hands(x))
    result[:, 1::2] *= np.sin(hands(x))
    return result


@wrong("rotary", "you wrote over the first number")
def _(x):
    result = x.copy()
    a, b = result[:, 0::2], result[:, 1::2]
    a[:] = a * np.cos(hands(x)) - b * np.sin(hands(x))
    b[:] = b * np.cos(hands(x)) + a * np.sin(hands(x))
    return result


wrong("rotary", "you return x unchanged")(lambda x: x)


@wrong("rotary", "ValueError")
def _(x):
    T, d = x.shape
    return turn(x, np.arange(T)[:, None] / 10000 ** (np.arange(0, T, 2) / d))


wrong("rotary", "; return the output alone")(
    lambda x: (lib.positions.rotary(x, np.arange(len(x))), np.arange(len(x)))
)


# embedding


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


wrong("embedding", "a sentence has T words, along axis 1")(
    embedded(lambda x: x + PE(len(x), x.shape[2]))
)
wrong("embedding", "d_model is the table's width")(embedded(lambda x: x + PE(x.shape[1], 8)))
wrong("embedding", "d_model is the table's width")(embedded(lambda x: x + PE(8, x.shape[1])))
wrong("embedding", "[ids are numbers of rows: pick those rows")(lambda ids, table: ids @ table)
wrong("embedding", "square ones pick, as in x[0]")(lambda ids, table: table(ids))
wrong("embedding", "[ids are numbers of rows, axis 0")(lambda ids, table: table[:, ids])
wrong("embedding", "your function returns nothing yet")(lambda ids, table: ...)
wrong("embedding", "a part that you call returns nothing yet")(embedded(lambda x: x + None))


@wrong("embedding", "changes its input table")
def _(ids, table):
    table *= table.shape[1] ** 0.5
    return table[ids] + PE(ids.shape[1], table.shape[1])
