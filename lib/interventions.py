"""Change where a model looks, to learn what its maps are evidence for (notebook 10).

Handed to a model's ``changes``, or to a translator's. ``part`` is "encoder", "decoder" (its self-attention) or "cross";
layers, heads and positions count from 0. A position is one number, or one for each sequence of a batch.
"""

from dataclasses import dataclass, replace

import torch

PARTS = ("encoder", "decoder", "cross")


@dataclass(frozen=True)
class Cut:
    """Remove the arrow from ``query`` to ``key``; what is not named is everywhere. The rest of the row is shared anew.

    A head without any arrow left is switched off: Cut("encoder", layer=1, head=0) adds nothing to any token.
    """

    part: str
    layer: int | None = None
    head: int | None = None
    query: int | list | None = None
    key: int | list | None = None

    def __call__(self, weights):
        """weights (B, H, T, S) -> weights without the arrows."""
        rows = _at(self.head, weights, 1) & _at(self.query, weights, 2)
        left = weights.masked_fill(rows & _at(self.key, weights, 3), 0)
        shares = left / left.sum(-1, keepdim=True).clamp(min=torch.finfo(left.dtype).tiny)
        return torch.where(rows, shares, weights)


@dataclass(frozen=True)
class Swap:
    """The weights that ``query`` gives to the keys ``key`` and ``other`` change places."""

    part: str
    query: int | list
    key: int | list
    other: int | list
    layer: int | None = None
    head: int | None = None

    def __call__(self, weights):
        """weights (B, H, T, S) -> weights with the two changed round."""
        rows = _at(self.head, weights, 1) & _at(self.query, weights, 2)
        first, second = (rows & _at(key, weights, 3) for key in (self.key, self.other))
        on_first, on_second = (
            (weights * chosen).sum(-1, keepdim=True) for chosen in (first, second)
        )
        return torch.where(first, on_second, torch.where(second, on_first, weights))


def _at(index, weights, axis):
    """Booleans that can be broadcast to weights (B, H, T, S): True at ``index`` of the axis; everywhere for None."""
    size, shape = weights.shape[axis], [1, 1, 1, 1]
    if index is None:
        return torch.ones(shape, dtype=torch.bool, device=weights.device)
    index = torch.as_tensor(index, device=weights.device)
    fits = index.ndim == 0 or (index.ndim == 1 and axis > 1 and len(index) == len(weights))
    if not fits or index.is_floating_point() or (index < 0).any() or (index >= size).any():
        name = ("batch", "head", "query", "key")[axis]
        raise ValueError(
            f"{name} = {index.tolist()} for weights {tuple(weights.shape)}; expected a whole number from 0 to "
            f"{size - 1}" + (", or one for each sequence." if axis > 1 else ".")
        )
    shape[axis] = size
    return torch.arange(size, device=weights.device).view(shape) == index.view(-1, 1, 1, 1)


def selected(changes, part, layers):
    """For each layer of a part, what its changes do to its weights one after another; None where there is none."""
    changes = _listed(changes)
    for change in changes:
        if change.part not in PARTS:
            raise ValueError(f"part = {change.part!r}; expected one of {', '.join(PARTS)}.")
        if change.part == part and change.layer is not None and not 0 <= change.layer < layers:
            raise ValueError(
                f"layer = {change.layer} of the {part}; it has {layers}, counted from 0."
            )
    chosen = [
        [c for c in changes if c.part == part and c.layer in (None, layer)]
        for layer in range(layers)
    ]
    return [_one_after_another(mine) if mine else None for mine in chosen]


def _listed(changes):
    return [changes] if isinstance(changes, Cut | Swap) else list(changes)


def _one_after_another(changes):
    def change(weights):
        for each in changes:
            weights = each(weights)
        return weights

    return change


def within(changes, T):
    """The changes that concern the first T words of a sentence that is being written; the others wait their turn.

    Raises ValueError for one position per sequence in "decoder" or "cross": sentences do not wait for each other.
    """
    changes = _listed(changes)
    for change in changes:
        if change.part != "encoder" and any(
            isinstance(place, list) for place in _places(change).values()
        ):
            raise ValueError(
                f"{change}; while sentences are written, expected one position for all of them."
            )
    return [
        c
        for c in changes
        if c.part == "encoder" or _last(c.query) < T and (c.part == "cross" or _reach(c) < T)
    ]


def of_rows(changes, rows):
    """The same changes for some sequences of the batch only: positions given for each are picked out."""
    changes = _listed(changes)
    picked = (
        {k: [v[i] for i in rows] for k, v in _places(c).items() if isinstance(v, list)}
        for c in changes
    )
    return [replace(change, **places) for change, places in zip(changes, picked, strict=True)]


def _places(change):
    return {
        name: getattr(change, name) for name in ("query", "key", "other") if hasattr(change, name)
    }


def _reach(change):
    return max(_last(change.key), _last(getattr(change, "other", None)))


def _last(index):
    return -1 if index is None else index
