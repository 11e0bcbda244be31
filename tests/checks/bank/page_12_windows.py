"""Page 12, a GPT: answers to windows, which draws what the GPT learns from."""

import numpy as np
import torch

from tests.checks.bank import right, wrong


@right("windows")
def _(ids, batch, length):
    starts = torch.randint(len(ids) - length, (batch, 1))
    window = ids[starts + torch.arange(length + 1)]
    return window[:, :-1], window[:, 1:]


@right("windows")
def _(ids, batch, length):
    starts = np.random.randint(0, len(ids) - length, batch)
    read = torch.stack([ids[start : start + length] for start in starts])
    to_write = torch.stack([ids[start + 1 : start + 1 + length] for start in starts])
    return read, to_write


@right("windows")
def _(ids, batch, length):
    pieces = ids.unfold(0, length + 1, 1)
    chosen = pieces[torch.randint(len(pieces), (batch,))]
    return [chosen[:, :-1], chosen[:, 1:]]


@right("windows")
def _(ids, batch, length):  # no start twice in a batch
    starts = torch.randperm(len(ids) - length)[:batch, None]
    return cut(ids, starts, length)


def cut(ids, starts, length, shift=1):
    places = starts + torch.arange(length)
    return ids[places], ids[places + shift]


wrong("windows", "read and to_write are the same")(
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - length, (batch, 1)), length, 0)
)
wrong("windows", "one to the left")(
    lambda ids, batch, length: cut(
        ids, 1 + torch.randint(len(ids) - length, (batch, 1)), length, -1
    )
)
wrong("windows", "to_write begins where read ends")(
    lambda ids, batch, length: cut(
        ids, torch.randint(len(ids) - 2 * length, (batch, 1)), length, length
    )
)
wrong("windows", "the last window of the text is never drawn")(
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - length - 1, (batch, 1)), length)
)
wrong("windows", "no window begins at 0")(
    lambda ids, batch, length: cut(ids, torch.randint(1, len(ids) - length, (batch, 1)), length)
)
wrong("windows", "all rows of a batch begin at one place")(
    lambda ids, batch, length: cut(
        ids, torch.randint(len(ids) - length, (1, 1)).expand(batch, 1), length
    )
)
wrong("windows", "stand equally far from each other")(
    lambda ids, batch, length: cut(
        ids,
        torch.randint(len(ids) - length - batch + 1, (1,)) + torch.arange(batch)[:, None],
        length,
    )
)
wrong("windows", "stand equally far from each other")(  # the same, round the end
    lambda ids, batch, length: cut(
        ids,
        (torch.randint(len(ids) - length, (1,)) + torch.arange(batch)[:, None])
        % (len(ids) - length),
        length,
    )
)
wrong("windows", "some starts come far more often")(
    lambda ids, batch, length: cut(
        ids, ((len(ids) - length) * torch.rand(batch, 1) ** 3).long(), length
    )
)
wrong("windows", "some starts come far more often")(
    lambda ids, batch, length: cut(
        ids, ((len(ids) - length) * torch.rand(batch, 1) ** 0.3).long(), length
    )
)
wrong("windows", "each call gives the same windows")(
    lambda ids, batch, length: cut(ids, torch.arange(batch)[:, None], length)
)
wrong("windows", "do not stand side by side")(
    lambda ids, batch, length: (ids[torch.randint(len(ids), (batch, length))],) * 2
)
wrong("windows", "read does not hold characters of ids")(
    lambda ids, batch, length: cut(
        torch.arange(len(ids)), torch.randint(len(ids) - length, (batch, 1)), length
    )
)


@wrong("windows", "all of it one to the right")  # the last of a row is followed by its first
def _(ids, batch, length):
    read, _ = cut(ids, torch.randint(len(ids) - length, (batch, 1)), length)
    return read, read.roll(-1, 1)


wrong("windows", "all of it one to the right")(
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - length - 1, (batch, 1)), length, 2)
)
wrong("windows", "some windows are never drawn")(  # pieces side by side, as of page 10's sentences
    lambda ids, batch, length: cut(
        ids, length * torch.randint((len(ids) - 1) // length, (batch, 1)), length
    )
)
wrong("windows", "some windows are never drawn")(
    lambda ids, batch, length: cut(
        ids, length * torch.randint(len(ids) // length - 1, (batch, 1)), length
    )
)
wrong("windows", "no room for its piece and one character more")(  # out of bounds
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - length + 1, (batch, 1)), length)
)


@wrong("windows", "no room for its piece and one character more")  # of unequal length
def _(ids, batch, length):
    starts = torch.randint(len(ids) - length + 1, (batch,))
    read = torch.stack([ids[start : start + length] for start in starts])
    return read, torch.stack([ids[start + 1 : start + length + 1] for start in starts])


wrong("windows", "a size is a tuple, as in (batch, 1)")(
    lambda ids, batch, length: torch.randint(len(ids) - length, batch)
)
wrong("windows", "returns nothing yet")(lambda ids, batch, length: None)
wrong("windows", "return two tensors")(lambda ids, batch, length: ids[None, :length])
wrong("windows", "torch.stack makes one")(lambda ids, batch, length: ([1], [2]))
wrong("windows", "for batch 4 and length 5; expected (4, 5)")(
    lambda ids, batch, length: (ids[:length], ids[1 : length + 1])
)
wrong("windows", "read is (4, 7) for batch 3 and length 7; expected (3, 7)")(
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - length, (4, 1)), length)
)
wrong("windows", "read is (3, 5) for batch 3 and length 7; expected (3, 7)")(
    lambda ids, batch, length: cut(ids, torch.randint(len(ids) - 5, (batch, 1)), 5)
)
wrong("windows", "some starts of a batch always stand equally far")(  # in pairs
    lambda ids, batch, length: cut(
        ids, pairs_of(torch.randint(len(ids) - length, (batch, 1)), len(ids) - length), length
    )
)


def pairs_of(starts, count):
    """(batch, 1): behind each start of even place the next one."""
    starts[1::2] = (starts[:-1:2] + 1)[: len(starts[1::2])] % count
    return starts


@wrong("windows", "read holds torch.float32; characters are whole numbers")
def _(ids, batch, length):
    read, to_write = torch.zeros(batch, length), torch.zeros(batch, length)
    for row, start in enumerate(torch.randint(len(ids) - length, (batch,))):
        read[row] = ids[start : start + length]
        to_write[row] = ids[start + 1 : start + length + 1]
    return read, to_write


wrong("windows", "give its name, without ()")(3)
