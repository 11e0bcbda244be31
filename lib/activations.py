"""What stands between the two maps of a feed-forward network: ReLU, both GELUs, SiLU in NumPy.

The paper has ReLU; BERT has GELU, GPT-2 the approximation of it with tanh, Llama SiLU.
Source of the last three: Hendrycks and Gimpel 2016, arXiv:1606.08415.
"""

import math

import numpy as np

from lib.validation.arrays import blocks, widened

FAR = 40  # standard deviations: what lies beyond them is 0 in float64
# Hart et al. 1968, Computer Approximations, no. 5666; from the highest power down.
NUMERATOR = (
    0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
    221.213596169931, 220.206867912376,
)  # fmt: skip
DENOMINATOR = (
    0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
    637.333633378831, 793.826512519948, 440.413735824752,
)  # fmt: skip


def _relu(x):
    return np.maximum(x, 0, out=x)


def _gelu(x):
    """x times the share of a normal distribution that lies below x.

    That is the ReLU of x less |x| times the share beyond |x|. In float64 the error is at most
    1e-15, in float32 3e-7, or one unit in the last place where that is more.
    """
    for block in blocks(x):
        size = np.minimum(np.abs(widened(block)), FAR)
        bump = size * _share_beyond(size)
        _relu(block)
        block -= bump
    return x


def _share_beyond(x):
    """The share of a normal distribution that lies beyond x, for x from 0 to FAR."""
    return np.exp(-0.5 * x * x) * _polynomial(NUMERATOR, x) / _polynomial(DENOMINATOR, x)


def _polynomial(factors, x):
    """The sum of factors times powers of x, by Horner's rule."""
    total = factors[0] * x
    for factor in factors[1:-1]:
        total += factor
        total *= x
    total += factors[-1]
    return total


def _gelu_tanh(x):
    """The same to three digits, as GPT-2 was trained with it (there called gelu_new)."""
    wide = widened(x)
    x *= 0.5 * (1 + np.tanh((2 / math.pi) ** 0.5 * (wide + 0.044715 * wide * wide * wide)))
    return x


@np.errstate(over="ignore")  # exp of a large number is inf, and x / inf the right 0
def _silu(x):
    """x times the logistic function of x: a ReLU without a corner, also called swish."""
    for block in blocks(x):
        block /= 1 + np.exp(-widened(block))
    return x


# Each is written over its input.
ACTIVATIONS = {"relu": _relu, "gelu": _gelu, "gelu_tanh": _gelu_tanh, "silu": _silu}


def activation(name):
    """The function of that name. Raises ValueError for a name that is not in ACTIVATIONS."""
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise ValueError(f"activation = {name!r}; expected one of {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[name]
