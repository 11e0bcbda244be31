"""multi_head_attention in NumPy against nn.MultiheadAttention giving every head's weights: causal, two threads."""

import multiprocessing
import os
import time
from contextlib import contextmanager
from statistics import median

from benchmarks.table import Row

SIZES = [
    (50, 100, 64, 4),
    (1, 128, 512, 8),
    (32, 196, 768, 8),
    (1, 1024, 512, 8),
]  # (B, T, d_model, H)
THREADS = 2
ROUNDS = 9
TURN = 0.3  # seconds
SIDES = ("ours", "torch", "float64")


def attend(side, B, T, d_model, H):  # noqa: N803
    """A function without arguments that attends once. All sides have the same input, parameters and mask."""
    import numpy as np
    import torch

    from lib.attention import MultiHeadParameters, multi_head_attention
    from lib.masks import causal_mask

    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(d_model, H, batch_first=True).eval()
    x, mask = torch.randn(B, T, d_model), causal_mask(T)
    if side == "torch":
        hidden = torch.from_numpy(~mask)

        def run():
            with torch.no_grad():
                module(x, x, x, attn_mask=hidden, need_weights=True, average_attn_weights=False)

        return run
    x, parameters = x.numpy(), MultiHeadParameters.from_torch(module)
    if side == "float64":
        return lambda: promoted(np, x, parameters, H, mask)
    return lambda: multi_head_attention(x, x, x, parameters, H, mask)


def promoted(np, x, p, heads, mask):
    """How it is often written: np.sqrt(d_k) is a float64 scalar and makes everything after it float64."""
    from lib.attention import merge_heads, split_heads

    q, k, v = (split_heads(x @ matrix, heads) for matrix in (p.query, p.key, p.value))
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    return merge_heads(weights @ v) @ p.output, weights


def serve(make, side, connection):
    """In a process of its own: for every size that is asked for, the median seconds of one turn."""
    while size := connection.recv():
        run = make(side, *size)
        run()
        connection.send(None)  # ready
        while connection.recv():
            run()
            run()
            connection.send(turn(run))


def turn(run):
    times, end = [], time.perf_counter() + TURN
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return median(times)


@contextmanager
def processes(make, sides, threads=THREADS):
    # After each call the idle threads of NumPy's and of PyTorch's linear algebra keep spinning for a while. In one
    # process they would take the processor from each other, and the result would depend on who slows down whom.
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    context, connections, started = multiprocessing.get_context("spawn"), {}, []
    for side in sides:
        connections[side], theirs = context.Pipe()
        started.append(context.Process(target=serve, args=(make, side, theirs), daemon=True))
        started[-1].start()
    try:
        yield connections
    finally:
        for connection in connections.values():
            connection.send(None)  # the end
        for process in started:
            process.join()
        os.environ.pop("OMP_NUM_THREADS")
        if before is not None:
            os.environ["OMP_NUM_THREADS"] = before


def measure(connections, size):
    """A list of medians for each side, one for each round; the sides take turns."""
    for connection in connections.values():
        connection.send(size)
        connection.recv()
    times = {side: [] for side in connections}
    for _ in range(ROUNDS):
        for side, connection in connections.items():
            connection.send(True)
            times[side].append(connection.recv())
    for connection in connections.values():
        connection.send(False)
    return times


def rows():
    with processes(attend, SIDES) as connections:
        for size in SIZES:
            times = measure(connections, size)
            ours, theirs, float64 = (f"{1000 * median(times[side]):.2f} ms" for side in SIDES)
            ratio = median(a / b for a, b in zip(times["ours"], times["torch"], strict=True))
            yield Row(
                f"multi_head_attention, (B, T, d, H) = {size}, and nn.MultiheadAttention", ours, theirs,
                f"ratio {ratio:.2f}", "ratio ≤ 1.00", ratio <= 1,
            )  # fmt: skip
            gain = median(a / b for a, b in zip(times["float64"], times["ours"], strict=True))
            yield Row(
                f"the same, and NumPy that np.sqrt turns into float64 {size}",
                ours,
                float64,
                f"{gain:.1f} × faster",
            )
