"""Look at a model's attention weights, and change them, from outside (notebooks 7, 8, 10-12).

    with looking(model) as maps:
        model(source, target)
    maps["cross"][0]  # (B, H, T, S): where the first layer's cross-attention looked

    with changing(model, Cut("encoder", layer=1, query=7, key=1)):
        model(source, target)  # without that arrow

``part`` is "encoder", "decoder" (its self-attention) or "cross"; layers, heads and positions count
from 0. Both attach PyTorch's forward hooks to a model's Weights (lib.modules) and remove them at
the end. They act for the thread that opened them. Never leave one open across a ``yield``: it would
act on everybody's runs until the generator ends. Copy, pickle and compile a model outside.
"""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from threading import get_ident

import torch
from torch.nn import Module

from lib.modules import Weights

PARTS = ("encoder", "decoder", "cross")
AXES = ("batch", "head", "query", "key")


# -- looking and changing -------------------------------------------------------------------------


def weights_of(model):
    """{part: [the Weights of each of its layers]}; a reader's own attention is found as well.

    Raises ValueError for a model that has none.
    """
    if not isinstance(model, Module):
        raise ValueError(_no_module(model))
    found = {}
    _find(model, "", found)
    if not found:
        raise ValueError(
            f"no attention in this {type(model).__name__} has a place to look at its weights; "
            "give it one: self.weights = Weights(), and weights = self.weights(weights)."
        )
    parts = {}
    for place, path in found.items():
        parts.setdefault(_part(path), []).append(place)
    return parts


def _no_module(model):
    """What to say of what is no PyTorch module, such as a TranslationModel with its words."""
    said = f"{type(model).__name__} is no PyTorch module"
    if isinstance(getattr(model, "model", None), Module):
        return f"{said}; give it its .model."
    return f"{said}; give it a Transformer, a LanguageModel or an attention of your own."


def _find(module, path, found):
    """Put {Weights: the path of the attention that has it} of all that is inside into ``found``."""
    for name, child in module.named_children():
        if isinstance(child, Weights):
            found.setdefault(child, path)
        else:
            _find(child, f"{path}.{name}", found)


def _part(path):
    """The part that an attention module belongs to, by its place in the model."""
    if path.endswith("cross_attention"):
        return "cross"
    if "decoder" in path or path.endswith("self_attention"):
        return "decoder"
    return "encoder"


@contextmanager
def looking(model):
    """``with looking(model) as maps:`` a run leaves its weights in maps[part][layer], (B, H, T, S).

    They are those that were used, after any ``changing``, before dropout, without gradients; None
    where a layer has not run. A second run takes the place of the first. Raises ValueError as
    ``weights_of``.
    """
    maps = {}
    with ExitStack() as hooks:
        for part, layers in weights_of(model).items():
            maps[part] = [None] * len(layers)
            for layer, place in enumerate(layers):
                keep = of_this_thread(_keeper(maps[part], layer))
                hooks.enter_context(place.register_forward_hook(keep))
        yield maps


def _keeper(maps, layer):
    def keep(module, given, weights):
        maps[layer] = weights.detach()

    return keep


@contextmanager
def changing(model, *changes):
    """``with changing(model, Cut(...), Swap(...)):`` runs use the weights that the changes leave.

    They act in the order given; an inner ``changing`` acts before an outer one. Raises ValueError
    for a part or a layer that the model does not have and, in the run, for places that do not fit.
    """
    with ExitStack() as hooks:
        if changes:
            parts = weights_of(model)
            for change in reversed(changes):  # each is put before those that are there
                act = of_this_thread(_actor(change))
                for place in _concerned(change, parts):
                    hooks.enter_context(place.register_forward_hook(act, prepend=True))
        yield


def _concerned(change, parts):
    """The Weights that a change is for."""
    if not isinstance(change, _Change):
        raise ValueError(f"{change!r} is no Cut and no Swap; write changing(model, *changes).")
    if change.part not in PARTS:
        raise ValueError(f"part = {change.part!r}; expected one of {', '.join(PARTS)}.")
    if change.part not in parts:
        raise ValueError(f"{change}; this model has only: {', '.join(parts)}.")
    layers = parts[change.part]
    if change.layer is None:
        return layers
    if not _is_whole(change.layer) or not 0 <= change.layer < len(layers):
        raise ValueError(
            f"layer = {change.layer} of the {change.part}; it has {len(layers)}, counted from 0."
        )
    return [layers[change.layer]]


def _actor(change):
    def act(module, given, weights):
        return change(weights)

    return act


def of_this_thread(hook):
    """The hook for runs of the thread that attaches it; others may use the model meanwhile."""
    owner = get_ident()

    def guarded(*given):
        return hook(*given) if get_ident() == owner else None

    return guarded


def of_sentence(maps, number=0):
    """The maps of one sentence of the batch as arrays: {part: [(H, T, S) for each layer]}.

    Raises ValueError if a layer has not run.
    """
    for part, layers in maps.items():
        if any(layer is None for layer in layers):
            raise ValueError(f"{part}: no run yet; run the model inside ``with looking(model)``.")
    return {part: [layer[number].numpy() for layer in layers] for part, layers in maps.items()}


# -- changes --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Change:
    """A place is one number, or one for each sequence of a batch: a list, an array or a tensor."""

    def __post_init__(self):
        for name, place in places(self).items():
            if hasattr(place, "tolist"):  # an array's or a tensor's numbers as Python's
                object.__setattr__(self, name, place.tolist())
            elif isinstance(place, tuple | range):
                object.__setattr__(self, name, list(place))


@dataclass(frozen=True)
class Cut(_Change):
    """Remove the arrow from ``query`` to ``key``; what is not named is everywhere.

    The rest of the row is shared again. A head without any arrow left is switched off:
    Cut("encoder", layer=1, head=0) adds nothing to any token.
    """

    part: str
    layer: int | None = None
    head: int | None = None
    query: int | list | None = None
    key: int | list | None = None

    def __call__(self, weights):
        """weights (B, H, T, S) -> weights without the arrows."""
        first = _first_row(self.part, weights)
        rows = _at(self.head, weights, 1) & _at(self.query, weights, 2, first)
        left = weights.masked_fill(rows & _at(self.key, weights, 3), 0)
        shares = left / left.sum(-1, keepdim=True).clamp(min=torch.finfo(left.dtype).tiny)
        return torch.where(rows, shares, weights)


@dataclass(frozen=True)
class Swap(_Change):
    """The weights that ``query`` gives to the keys ``key`` and ``other`` change places.

    Raises ValueError for a key or an other that is None: two words are needed.
    """

    part: str
    query: int | list
    key: int | list
    other: int | list
    layer: int | None = None
    head: int | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.key is None or self.other is None:
            raise ValueError(f"{self}; expected a key and another one to change places with.")

    def __call__(self, weights):
        """weights (B, H, T, S) -> weights with the two changed round."""
        first = _first_row(self.part, weights)
        rows = _at(self.head, weights, 1) & _at(self.query, weights, 2, first)
        one = rows & _at(self.key, weights, 3)
        another = rows & _at(self.other, weights, 3)
        on_one = (weights * one).sum(-1, keepdim=True)
        on_another = (weights * another).sum(-1, keepdim=True)
        return torch.where(one, on_another, torch.where(another, on_one, weights))


def _first_row(part, weights):
    """The place in the text of the first query; not 0 where a key-value cache holds those before.

    The decoder's self-attention has a key for each word so far, so the rest are earlier ones.
    """
    return weights.shape[3] - weights.shape[2] if part == "decoder" else 0


def _at(index, weights, axis, first=0):
    """Booleans that can be broadcast to weights (B, H, T, S): True at ``index`` of the axis.

    Everywhere for None. first: the number that the axis begins with.
    """
    shape = [1, 1, 1, 1]
    if index is None:
        return torch.ones(shape, dtype=torch.bool, device=weights.device)
    size = first + weights.shape[axis]
    numbers = index if isinstance(index, list) else [index]
    one_for_each = axis > 1 and len(numbers) == len(weights)
    fits = one_for_each or not isinstance(index, list)
    if not fits or not all(_is_whole(number) and 0 <= number < size for number in numbers):
        each = ", or one for each sequence" if axis > 1 else ""
        raise ValueError(
            f"{AXES[axis]} = {index} for weights {tuple(weights.shape)}; "
            f"expected a whole number from 0 to {size - 1}{each}."
        )
    shape[axis] = weights.shape[axis]
    chosen = torch.tensor(numbers, device=weights.device).view(-1, 1, 1, 1)
    return torch.arange(first, size, device=weights.device).view(shape) == chosen


def _is_whole(number):
    return isinstance(number, Integral) and not isinstance(number, bool)


# -- changes while sentences are written, and of some sentences of a batch ------------------------


def listed(changes):
    """A list of changes, also of a single one."""
    return [changes] if isinstance(changes, _Change) else list(changes)


def places(change):
    """Its places by name: query, key and, of a Swap, other."""
    names = ("query", "key", "other")
    return {name: getattr(change, name) for name in names if hasattr(change, name)}


def within(changes, T):
    """The changes that concern the first T words of a sentence that is being written.

    The others wait their turn. Raises ValueError for one position per sequence in "decoder" or
    "cross": sentences do not wait for each other.
    """
    changes = listed(changes)
    for change in changes:
        one_for_each = any(isinstance(place, list) for place in places(change).values())
        if change.part != "encoder" and one_for_each:
            raise ValueError(
                f"{change}; while sentences are written, expected one position for all of them."
            )
    return [change for change in changes if _is_written(change, T)]


def _is_written(change, T):
    """Whether the first T words have all the places of a change that are words of the target."""
    target_places = {"encoder": [], "cross": ["query"], "decoder": ["query", "key", "other"]}
    its = places(change)
    numbers = [its.get(name) for name in target_places.get(change.part, [])]
    return all(number is None or number < T for number in numbers)


def of_rows(changes, rows, count):
    """The same changes for some of ``count`` sequences: positions given for each are picked out.

    Raises ValueError for positions of fewer or more sequences than there are.
    """
    return [_of_rows(change, rows, count) for change in listed(changes)]


def _of_rows(change, rows, count):
    picked = {}
    for name, place in places(change).items():
        if isinstance(place, list):
            if len(place) != count:
                raise ValueError(
                    f"{name} has {len(place)} positions for {count} sentences; "
                    "expected one for each sentence, or one number for all."
                )
            picked[name] = [place[row] for row in rows]
    return replace(change, **picked)
