"""What the parameters of all layers have in common: they are counted, and read from PyTorch."""

from dataclasses import fields

from lib.activations import ACTIVATIONS
from lib.validation.arrays import read

# Our modules call their parts as the parameters of lib.layers do, torch.nn's call them so:
TORCH_NAMES = {
    "attention": "self_attn",
    "self_attention": "self_attn",
    "cross_attention": "multihead_attn",
    "norm_1": "norm1",
    "norm_2": "norm2",
    "norm_3": "norm3",
    "inner": "linear1",
    "outer": "linear2",
}


class Parameters:
    """What a dataclass of arrays inherits."""

    @property
    def count(self):
        """How many numbers there are to learn."""
        total = 0
        for field in fields(self):
            part = getattr(self, field.name)
            if isinstance(part, Parameters):
                total += part.count
            elif hasattr(part, "size"):  # an array, or a matrix of lib.pretrained in blocks
                total += part.size
        return total


def array_of(tensor):
    """A copy of a parameter of torch, or None; bfloat16 becomes float32."""
    if tensor is None:
        return None
    return read(tensor.detach().cpu(), "parameter").copy()


def part_of(module, name):
    """The part of a layer under our name or torch.nn's: norm_1 is the attribute norm1 there."""
    if name == "feed_forward":  # torch.nn's layers have its two maps themselves
        return getattr(module, name, module)
    for attribute in (name, TORCH_NAMES[name]):
        if hasattr(module, attribute):
            return getattr(module, attribute)
    raise ValueError(
        f"{type(module).__name__} has no {name} and no {TORCH_NAMES[name]}; "
        "expected a layer of torch.nn or of lib.modules."
    )


def activation_of(module):
    """The name of the activation of a layer or a feed-forward network, of torch.nn or of ours.

    ``module.activation`` may be that name, a function of that name, F.relu, F.gelu, a partial of
    F.gelu, nn.ReLU() or nn.GELU(); a module without the attribute has the paper's ReLU.
    Raises ValueError for everything else.
    """
    module = getattr(module, "feed_forward", module)
    chosen = getattr(module, "activation", "relu")
    function = getattr(chosen, "func", chosen)  # what a functools.partial is made of
    options = getattr(chosen, "keywords", {})
    if isinstance(function, str):
        name = function
    elif hasattr(function, "__name__"):  # a function
        name = function.__name__
    else:  # an nn.Module: its class names it
        name = type(function).__name__.lower()
        options = {"approximate": getattr(function, "approximate", "none")}
    if name == "gelu" and options.get("approximate", "none") == "tanh":
        name = "gelu_tanh"
    if name not in ACTIVATIONS:
        raise ValueError(
            f"{type(module).__name__} has the activation {chosen!r}; "
            f"known are {', '.join(ACTIVATIONS)}. Make the module with one of these."
        )
    return name
