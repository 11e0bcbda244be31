"""What stands between the two maps of a feed-forward network: ReLU and both GELUs in NumPy.

The paper has ReLU; BERT has GELU, GPT-2 the approximation of it with tanh.
Source of both GELUs: Hendrycks and Gimpel 2016, arXiv:1606.08415.
"""

import math

import numpy as np


def _relu(x):
    return np.maximum(x, 0, out=x)


_erf = np.vectorize(math.erf, otypes=[np.float64])  # NumPy has none


def _gelu(x):
    """x times the share of a normal distribution that lies below x."""
    x *= 0.5 * (1 + _erf(x * 0.5**0.5))
    return x


def _gelu_tanh(x):
    """The same to three digits, as GPT-2 was trained with it (there called gelu_new)."""
    x *= 0.5 * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x)))
    return x


ACTIVATIONS = {"relu": _relu, "gelu": _gelu, "gelu_tanh": _gelu_tanh}  # written over their input


def activation(name):
    """The function of that name. Raises ValueError for a name that is not in ACTIVATIONS."""
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise ValueError(f"activation = {name!r}; expected one of {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[name]


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
