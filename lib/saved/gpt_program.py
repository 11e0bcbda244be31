"""What notebooks 12 and 13 do with a model of characters beside training it: measure, and write.

A model takes ids (B, T) with T <= length and returns scores (B, T, V): a module, or a function.
"""

import torch

from lib.saved.gpt_parts import bits
from lib.saved.gpt_parts import write_on as write_on_of_page


@torch.no_grad()
def cost(model, ids, length):
    """Bits a character of the text ids (N,); each that counts has half a window or more before it.

    The windows overlap by half. Raises ValueError for a text that is not longer than ``length``.
    """
    if len(ids) <= length:
        raise ValueError(f"{len(ids)} characters; a window takes {length + 1}.")
    half, total = length // 2, 0
    pieces = ids.unfold(0, length + 1, half)  # (pieces, length + 1)
    for some in pieces.split(50):  # all at once would take memory
        logits = model(some[:, :-1])  # (some, length, V)
        total += len(some) * float(bits(logits[:, half:], some[:, half + 1 :]))
    return total / len(pieces)


@torch.no_grad()
def says(
    model, characters, length, start="The ", count=160, temperature=0.8, write_on=None, draw=None
):  # fmt: skip
    """A text of ``count`` characters more than start, always drawn with the same luck.

    characters: the list of all; those of start that are not among them are left out.
    draw(shares (V,)) -> (1,): how a character is chosen, if not by luck.
    """
    chance = torch.Generator().manual_seed(0)

    def with_luck(shares):
        return torch.multinomial(shares, 1, generator=chance)

    begin = [characters.index(each) for each in start if each in characters] or [0]
    loop = write_on or write_on_of_page
    written = loop(torch.tensor(begin), model, draw or with_luck, count, length, temperature)
    return "".join(characters[int(place)] for place in written)
