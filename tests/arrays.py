"""What the tests of lib's arrays share: shapes with no two axes alike, numbers and masks for a
seed, closeness.
"""

import numpy as np
import torch
from hypothesis import strategies as st

seeds = st.integers(0, 2**32 - 1)
RESOLUTION = {np.float16: 2e-2, np.float32: 1e-6, np.float64: 1e-14}
dtypes = st.sampled_from(list(RESOLUTION))


def different(count, most=9):
    """Sizes of so many axes, no two alike: a transposed axis cannot go unnoticed."""
    return st.lists(st.integers(1, most), min_size=count, max_size=count, unique=True)


def normal(seed, *shapes, dtype=np.float32):
    generator = np.random.default_rng(seed)
    arrays = [generator.standard_normal(shape).astype(dtype) for shape in shapes]
    return arrays if len(arrays) > 1 else arrays[0]


def random_mask(seed, shape):
    """Booleans with at least one True in each row."""
    mask = np.random.default_rng(seed).random(shape) < 0.6
    mask[..., 0] = True
    return mask


def close(ours, reference, tolerance=1e-6):
    reference = np.asarray(reference.detach() if isinstance(reference, torch.Tensor) else reference)
    assert ours.shape == reference.shape and ours.dtype == reference.dtype
    assert np.abs(ours - reference).max() <= tolerance * max(1, np.abs(reference).max())
