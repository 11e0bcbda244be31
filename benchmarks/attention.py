"""multi_head_attention in NumPy against nn.MultiheadAttention giving every head's weights.

Causal, float32, at one thread (the course's own setting) and at two.
"""

from benchmarks.table import Row
from benchmarks.turns import milliseconds

SIZES = [(50, 100, 64, 4), (1, 128, 512, 8), (32, 196, 768, 8), (1, 1024, 512, 8)]  # B, T, d, H
THREADS = (1, 2)


def attend(side, B, T, d_model, H):
    """A function that attends once; both sides have the same input, parameters and mask."""
    import torch

    from lib.attention import MultiHeadParameters, multi_head_attention
    from lib.masks import causal_mask

    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(d_model, H, batch_first=True).eval()
    x = torch.randn(B, T, d_model)
    mask = causal_mask(T)
    hidden = torch.from_numpy(~mask)
    array = x.numpy()
    parameters = MultiHeadParameters.from_torch(module)

    def ours():
        multi_head_attention(array, array, array, parameters, H, mask)

    @torch.no_grad()
    def theirs():
        module(x, x, x, attn_mask=hidden, need_weights=True, average_attn_weights=False)

    return ours if side == "ours" else theirs


def row(threads, size):
    ours, theirs, ratio = milliseconds(attend, *size, threads=threads)
    return Row(
        what=(
            f"multi_head_attention, (B, T, d, H) = {size}, threads: {threads}, "
            "and nn.MultiheadAttention"
        ),
        ours=f"{ours:.2f} ms",
        other=f"{theirs:.2f} ms",
        result=f"ratio {ratio:.2f}",
        target="ratio ≤ 1.00" if threads == 1 else "",
        met=ratio <= 1 if threads == 1 else None,
    )


def rows():
    for threads in THREADS:
        for size in SIZES:
            yield row(threads, size)
