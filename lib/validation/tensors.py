"""What the modules are given: tensors that fit, or a sentence before PyTorch's own (ValueError)."""

from numbers import Integral

import numpy as np
import torch

from lib.validation import attention
from lib.validation.arrays import is_number, read


def refuse_counts(least=1, **counts):
    """Refuse what is not a whole number of at least ``least``; NumPy's integers are."""
    for name, count in counts.items():
        if not isinstance(count, Integral) or isinstance(count, bool) or count < least:
            raise ValueError(f"{name} = {count!r}; expected a whole number of at least {least}.")


def refuse_share(**shares):
    """Refuse what is not a number from 0 to 1."""
    for name, share in shares.items():
        if not is_number(share) or not 0 <= share <= 1:
            raise ValueError(f"{name} = {share!r}; expected a share from 0 to 1.")


def refuse_vectors(name, x, weight):
    """Refuse x that is not (..., d_model) of the dtype of ``weight`` (..., d_model)."""
    _refuse_no_tensor(name, x)
    d_model = weight.shape[-1]
    if x.ndim == 0 or x.shape[-1] != d_model:
        raise ValueError(f"{name} {tuple(x.shape)}; expected (..., {d_model}).")
    if x.dtype != weight.dtype:
        _refuse_dtype(name, x, weight.dtype)


def refuse_tokens(queries, keys, values, weight):
    """Refuse what is not (B, T, d_model), (B, S, d_model) and (B, S, d_model)."""
    for name, x in (("queries", queries), ("keys", keys), ("values", values)):
        _refuse_no_tensor(name, x)
    d_model = weight.shape[-1]
    one, two = queries.shape, keys.shape
    fits = len(one) == len(two) == 3 and one[0] == two[0] and one[2] == two[2] == d_model
    if not fits or two != values.shape or 0 in one or 0 in two:
        raise ValueError(
            f"queries {tuple(one)}, keys {tuple(two)} and values {tuple(values.shape)} do not fit; "
            f"expected (B, T, {d_model}), (B, S, {d_model}) and (B, S, {d_model}) with the same B "
            "and at least one token."
        )
    for name, x in (("queries", queries), ("keys", keys), ("values", values)):
        if x.dtype != weight.dtype:
            _refuse_dtype(name, x, weight.dtype)


def _refuse_no_tensor(name, x):
    if not isinstance(x, torch.Tensor):
        raise ValueError(
            f"{name}: {type(x).__name__}; expected a tensor: write torch.as_tensor({name})."
        )


def _refuse_dtype(name, x, dtype):
    if torch.is_autocast_enabled(x.device.type):  # it may mix them
        return
    advice = f"write {name}.to({dtype})"
    if x.dtype.is_floating_point:  # a module cannot compute in whole numbers
        advice += f", or module.to({x.dtype})"
    raise ValueError(f"{name}: {x.dtype}, but this module computes in {dtype}; {advice}.")


def fitting_mask(mask, shape, device):
    """``mask`` as a tensor that can be broadcast to the shape (B, H, T, S) of the scores."""
    if isinstance(mask, np.ndarray) and not mask.flags.writeable:
        mask = mask.copy()  # PyTorch warns of arrays that it may not write to
    mask = _as_tensor(mask, device)
    if mask.ndim == 3:
        mask = mask[:, None]  # the same for every head
    while mask.ndim < 2:
        mask = mask[None]  # the same for every query
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    fits = all(size in (1, wanted) for size, wanted in sizes)
    if mask.dtype != torch.bool or mask.ndim > 4 or not fits:
        _refuse_mask(mask, shape)
    return mask


def _as_tensor(mask, device):
    try:
        return torch.as_tensor(mask, device=device)
    except (RuntimeError, TypeError, ValueError):  # text, rows that differ in length, reversed rows
        array = read(mask, "mask")
    if array.dtype != bool:
        attention.refuse_mask_of(array.dtype)
    return torch.as_tensor(array.copy(), device=device)


def _refuse_mask(mask, shape):
    if mask.dtype != torch.bool:
        attention.refuse_mask_of(str(mask.dtype).removeprefix("torch."))
    if tuple(mask.shape) == (shape[0], shape[-1]):
        raise ValueError(
            f"the mask {tuple(mask.shape)} does not fit the scores {shape}; "
            "for padding, (B, S), write mask[:, None]."
        )
    attention.fitting_mask(mask.cpu().numpy(), shape)  # raises the sentence for arrays
