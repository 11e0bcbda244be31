"""multi_head_attention in NumPy against nn.MultiheadAttention giving every head's weights.

Causal, float32, at one thread (the course's own setting) and at two.
"""

import multiprocessing
import os
import time
from statistics import median

from benchmarks.table import Row

SIZES = [(50, 100, 64, 4), (1, 128, 512, 8), (32, 196, 768, 8), (1, 1024, 512, 8)]  # B, T, d, H
THREADS = (1, 2)
ROUNDS = 9
TURN = 0.3  # seconds
SIDES = ("ours", "torch")


def attend(side, threads, B, T, d_model, H):
    """A function that attends once; both sides have the same input, parameters and mask."""
    import torch

    from lib.attention import MultiHeadParameters, multi_head_attention
    from lib.masks import causal_mask

    torch.set_num_threads(threads)
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


def serve(connection, side, threads, size):
    """In a process of its own: the median seconds of one turn, as often as it is asked for."""
    run = attend(side, threads, *size)
    run()
    connection.send("ready")
    while connection.recv() == "turn":
        run()
        run()
        connection.send(turn(run))


def turn(run):
    """The median seconds of one call, over TURN seconds and at least three calls."""
    times = []
    end = time.perf_counter() + TURN
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return median(times)


def measure(threads, size):
    """{side: its medians, one for each round}; the two sides take turns.

    Each side and each size has a process of its own. After a call the idle threads of NumPy's and
    of PyTorch's linear algebra keep spinning for a while and would take the processor from each
    other; and what earlier sizes freed decides whether memory is given back to the system after
    each call and taken anew, which moves the second size by a fifth.
    """
    os.environ["OMP_NUM_THREADS"] = str(threads)  # read when the process imports NumPy
    context = multiprocessing.get_context("spawn")
    connections = {}
    started = []
    for side in SIDES:
        connections[side], theirs = context.Pipe()
        arguments = (theirs, side, threads, size)
        started.append(context.Process(target=serve, args=arguments, daemon=True))
        started[-1].start()
    for connection in connections.values():
        assert connection.recv() == "ready"
    times = {side: [] for side in SIDES}
    for _ in range(ROUNDS):
        for side, connection in connections.items():
            connection.send("turn")
            times[side].append(connection.recv())
    for connection in connections.values():
        connection.send("end")
    for process in started:
        process.join()
    return times


def row(threads, size):
    times = measure(threads, size)
    ours = 1000 * median(times["ours"])
    theirs = 1000 * median(times["torch"])
    ratio = median(mine / other for mine, other in zip(times["ours"], times["torch"], strict=True))
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
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        for threads in THREADS:
            for size in SIZES:
                yield row(threads, size)
    finally:
        os.environ.pop("OMP_NUM_THREADS", None)
        if before is not None:
            os.environ["OMP_NUM_THREADS"] = before
