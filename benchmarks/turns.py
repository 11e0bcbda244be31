"""Two sides that take turns, each in a process of its own, so that a busy moment falls on both."""

import multiprocessing
import os
import time
from statistics import median

ROUNDS = 9
TURN = 0.3  # seconds
SIDES = ("ours", "theirs")


def milliseconds(make, *size, threads=1):
    """(ours, theirs, ratio): medians of ROUNDS turns of what ``make(side, *size)`` gives.

    make: a function of a module, which returns a function to call. At one thread the processor's
    time is counted, which other programs hardly change, at several the time on the clock.

    Each side and each size has a process of its own. After a call the idle threads of NumPy's and
    of PyTorch's linear algebra keep spinning for a while and would take the processor from each
    other; and what earlier sizes freed decides whether memory is given back to the system after
    each call and taken anew, which moves the second size by a fifth.
    """
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(threads)  # read when the process imports NumPy
    try:
        times = _turns(make, size, threads)
    finally:
        os.environ.pop("OMP_NUM_THREADS")
        if before is not None:
            os.environ["OMP_NUM_THREADS"] = before
    ours, theirs = (times[side] for side in SIDES)
    ratio = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return 1000 * median(ours), 1000 * median(theirs), ratio


def _turns(make, size, threads):
    """{side: its medians, one for each round}"""
    context = multiprocessing.get_context("spawn")
    connections = {}
    started = []
    for side in SIDES:
        connections[side], others = context.Pipe()
        arguments = (others, make, side, size, threads)
        started.append(context.Process(target=_serve, args=arguments, daemon=True))
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


def _serve(connection, make, side, size, threads):
    """In a process of its own: the median seconds of one turn, as often as it is asked for."""
    import torch

    torch.set_num_threads(threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    run = make(side, *size)
    run()
    connection.send("ready")
    while connection.recv() == "turn":
        run()
        run()
        connection.send(_turn(run, clock))


def _turn(run, clock):
    """The median seconds of one call, over TURN seconds and at least three calls."""
    times = []
    end = time.perf_counter() + TURN
    while len(times) < 3 or time.perf_counter() < end:
        begin = clock()
        run()
        times.append(clock() - begin)
    return median(times)
