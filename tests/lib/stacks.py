"""What the tests of lib.layers share: torch.nn's modules after some training, sizes, masks."""

import numpy as np
import torch

from lib.masks import causal_mask, padding_mask, window_mask
from tests.arrays import close as near

STACKS = {"layers": 6, "d_model": 24, "heads": 4, "d_ff": 40}
T, S, B, H = 7, 5, 3, STACKS["heads"]
SELF_MASKS = {
    "none": None,
    "causal": causal_mask(T),
    "padding": padding_mask([7, 4, 1], T),
    "window": window_mask(T, 2),
    "causal and padding": causal_mask(T) & padding_mask([7, 4, 1], T),
    "causal and window": causal_mask(T) & window_mask(T, 2),
    "all three": causal_mask(T) & padding_mask([7, 6, 5], T) & window_mask(T, 3),
}


def close(ours, reference, tolerance=1e-5):
    near(ours, reference, tolerance)  # six layers add up their rounding


def trained(seed, module, size=0.2):
    """The module as it is after some training: nothing at its starting value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += size * torch.randn(parameter.shape, generator=generator)
    return module.eval()


def hidden(mask, B, H, T, S):
    """Our mask as torch.nn wants it: True = may NOT attend, (B*H, T, S)."""
    mask = mask[:, None] if mask.ndim == 3 else mask
    return torch.tensor(~np.broadcast_to(mask, (B, H, T, S)).reshape(B * H, T, S))


def run(module, *arrays, batch_first=True, **masks):
    """The module's output for arrays (B, T, d_model), whichever axis it wants first."""
    tensors = [
        torch.from_numpy(x) if batch_first else torch.from_numpy(x).transpose(0, 1) for x in arrays
    ]
    with torch.no_grad():
        output = module(*tensors, **masks)
    return output if batch_first else output.transpose(0, 1)
