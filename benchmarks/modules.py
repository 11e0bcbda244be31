"""MultiHeadAttention without weights against nn.MultiheadAttention without weights: self-attention, two threads."""

import time
from statistics import median

from benchmarks.table import Row

SIZES = [(8, 64, 128, 4), (4, 128, 512, 8)]  # (B, T, d_model, H)
THREADS = 2
SECONDS = 10  # for each row


def pair(B, T, d_model, H, causal, backward):
    """Two functions without arguments, ours and theirs, with the same input, parameters and mask."""
    import torch

    from lib.masks import causal_mask
    from lib.modules import MultiHeadAttention, load_torch

    torch.manual_seed(0)
    theirs = torch.nn.MultiheadAttention(d_model, H, batch_first=True).train(backward)
    ours = MultiHeadAttention(d_model, H).train(backward)
    load_torch(ours, theirs)
    x = torch.randn(B, T, d_model)
    mask = torch.from_numpy(causal_mask(T)) if causal else None
    hidden = ~mask if causal else None

    def once(module, options):
        def run():
            with torch.set_grad_enabled(backward):
                output, _ = module(x, x, x, need_weights=False, **options)
            if backward:
                module.zero_grad()
                output.sum().backward()

        return run

    return once(ours, {"mask": mask}), once(theirs, {"attn_mask": hidden})


def measure(functions):
    """The median seconds of one run of each; they take turns run by run, so that a busy moment falls on both."""
    for run in functions:
        run()
    times, end = [], time.perf_counter() + SECONDS
    while len(times) < 50 or time.perf_counter() < end:
        times.append([timed(run) for run in functions])
    return [median(side) for side in zip(*times, strict=True)]


def timed(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def rows():
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(THREADS)
    try:
        for size in SIZES:
            for causal in (False, True):
                for backward in (False, True):
                    ours, theirs = measure(pair(*size, causal, backward))
                    way = "forward + backward" if backward else "forward"
                    yield Row(
                        f"MultiHeadAttention, {way}{', causal' * causal}, (B, T, d, H) = {size}, "
                        "and nn.MultiheadAttention",
                        f"{1000 * ours:.2f} ms", f"{1000 * theirs:.2f} ms", f"ratio {ours / theirs:.2f}",
                        "ratio ≤ 1.10", ours / theirs <= 1.1,
                    )  # fmt: skip
    finally:
        torch.set_num_threads(threads)
