"""What the demos with random vectors share: ScalingDial and Directions."""

from functools import cache

import numpy as np

SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]


@cache
def normal_numbers(seed, shape, dtype):
    """4 MB of normal numbers, made once: Jupyter keeps the demos of all earlier runs of a cell."""
    numbers = np.random.default_rng(seed).standard_normal(shape, dtype)
    numbers.flags.writeable = False
    return numbers
