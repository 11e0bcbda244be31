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
