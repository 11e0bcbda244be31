"""Parameters from torch.nn into our modules and back (notebooks 7, 10 and 12)."""

import torch

from lib.parameters import TORCH_NAMES, activation_of


@torch.no_grad()
def load_torch(ours, theirs):
    """Copy the state of torch.nn's module into ours; both then give the same numbers.

    theirs: nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerDecoderLayer,
    nn.TransformerEncoder or nn.TransformerDecoder. Raises ValueError where the two are not made
    alike. Of nn.GELU("tanh") see EncoderLayerParameters.from_torch.
    """
    for mine, other in _pairs(ours, theirs):
        mine.copy_(other)


@torch.no_grad()
def store_torch(ours, theirs):
    """Copy our state into torch.nn's module: load_torch the other way round."""
    for mine, other in _pairs(ours, theirs):
        other.copy_(mine)


def _pairs(ours, theirs):
    """[(parameter of ours, the one of theirs)]; a packed parameter of theirs is cut in pieces."""
    for module in (ours, theirs):
        if not isinstance(module, torch.nn.Module):
            raise ValueError(f"{type(module).__name__}; expected a module of ours and torch.nn's.")
    mine, others = _named(ours), _named(theirs)
    left, right = _described(ours, mine), _described(theirs, others)
    if left != right:
        raise ValueError(
            f"the modules are not made alike. Only ours has: {_first_few(left - right)}. "
            f"Only theirs has: {_first_few(right - left)}."
        )
    return [(mine[name], others[name]) for name in mine]


def _first_few(described):
    return ", ".join(sorted(described)[:4]) or "nothing"


def _named(module):
    """Its parameters under torch.nn's names, query, key and value cut out of the packed one.

    Ours "layers.0.attention.query.weight" and a third of theirs "layers.0.self_attn.in_proj_weight"
    are both "layers.0.self_attn.query.weight".
    """
    found = {}
    for name, parameter in module.named_parameters():
        path = [part for part in name.split(".") if part != "feed_forward"]
        path = [TORCH_NAMES.get(part, part) for part in path]
        name = ".".join(path).replace("output.", "out_proj.")
        if "in_proj_" in name:
            for part, piece in zip(("query", "key", "value"), parameter.chunk(3), strict=True):
                found[name.replace("in_proj_", f"{part}.")] = piece
        else:
            found[name] = parameter
    return found


def _described(module, named):
    """The names and shapes of its parameters, and the settings that they do not show."""
    described = {f"{name} {tuple(parameter.shape)}" for name, parameter in named.items()}
    for part in module.modules():
        for setting in ("heads", "num_heads", "norm_first", "eps", "add_zero_attn"):
            value = getattr(part, setting, None)
            if value:
                described.add(f"{setting.removeprefix('num_')} = {value}")
        if hasattr(part, "activation"):
            described.add(f"activation = {activation_of(part)}")
    return described
