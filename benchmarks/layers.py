"""encoder_layer and decoder_layer in NumPy against torch.nn's in eval mode, and the cache against recomputing.

On one thread, as in the notebooks, and on two: NumPy computes products of matrices on both, all else on one.
"""

from math import log
from statistics import linear_regression, median

from benchmarks.attention import measure, processes
from benchmarks.table import Row

SIZES = [(8, 64, 128, 4, 512), (4, 128, 512, 8, 2048)]  # (B, T, d_model, H, d_ff)
KINDS = ("encoder", "decoder")
SIDES = ("ours", "torch")
THREADS = (1, 2)
LENGTHS = (32, 64, 128, 256, 512)
STACK = (2, 128, 4, 512)  # layers, d_model, H, d_ff
WAYS = ("cache", "recompute")


def layer(side, threads, kind, B, T, d_model, H, d_ff):  # noqa: N803
    """A function that runs one layer of the paper, post-norm. Ours returns every head's weights, torch.nn's none."""
    import torch

    from lib.layers import (
        DecoderLayerParameters,
        EncoderLayerParameters,
        decoder_layer,
        encoder_layer,
    )
    from lib.masks import causal_mask

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    kinds = {
        "encoder": torch.nn.TransformerEncoderLayer,
        "decoder": torch.nn.TransformerDecoderLayer,
    }
    module = kinds[kind](d_model, H, d_ff, batch_first=True).eval()
    x, memory, mask = torch.randn(B, T, d_model), torch.randn(B, T, d_model), causal_mask(T)
    if side == "torch":
        hidden = torch.from_numpy(~mask)
        run = {"encoder": lambda: module(x), "decoder": lambda: module(x, memory, tgt_mask=hidden)}[
            kind
        ]
        return torch.no_grad()(run)
    x, memory = x.numpy(), memory.numpy()
    if kind == "encoder":
        parameters = EncoderLayerParameters.from_torch(module)
        return lambda: encoder_layer(x, parameters, H)
    parameters = DecoderLayerParameters.from_torch(module)
    return lambda: decoder_layer(x, memory, parameters, H, mask)


def new_token(way, length):
    """A function that computes the output of the last of so many tokens in a causal stack."""
    import numpy as np
    import torch

    from lib.layers import KeyValueCache, encoder, stack_from_torch
    from lib.masks import causal_mask

    layers, d_model, H, d_ff = STACK
    module = torch.nn.TransformerEncoderLayer(d_model, H, d_ff)
    stack, _ = stack_from_torch(
        torch.nn.TransformerEncoder(module, layers, enable_nested_tensor=False)
    )
    x = np.random.default_rng(0).standard_normal((length, d_model)).astype(np.float32)
    if way == "recompute":
        mask = causal_mask(length)
        return lambda: encoder(x, stack, H, mask)
    caches = [KeyValueCache() for _ in stack]
    encoder(x[:-1], stack, H, causal_mask(length - 1), caches=caches)
    kept = [cache.tokens for cache in caches]

    def run():
        for cache, tokens in zip(caches, kept, strict=True):
            cache.tokens = tokens  # as before this token
        encoder(x[-1:], stack, H, caches=caches)

    return run


def layer_rows(threads):
    with processes(layer, SIDES, threads) as connections:
        for size in SIZES:
            for kind in KINDS:
                times = measure(connections, (threads, kind, *size))
                ours, theirs = (f"{1000 * median(times[side]):.2f} ms" for side in SIDES)
                ratio = median(a / b for a, b in zip(times["ours"], times["torch"], strict=True))
                yield Row(
                    f"{kind}_layer, (B, T, d, H, d_ff) = {size}, threads: {threads}, and torch.nn's", ours, theirs,
                    f"ratio {ratio:.2f}", "ratio ≤ 1.30", ratio <= 1.3,
                )  # fmt: skip


def cache_rows():
    found = {way: [] for way in WAYS}
    with processes(new_token, WAYS, threads=1) as connections:
        for length in LENGTHS:
            for way, times in measure(connections, (length,)).items():
                found[way].append(median(times))
            cached, recomputed = (found[way][-1] for way in WAYS)
            yield Row(
                f"a new token after {length - 1}, (layers, d, H, d_ff) = {STACK}, cache and recomputing everything",
                f"{1000 * cached:.2f} ms", f"{1000 * recomputed:.2f} ms", f"{recomputed / cached:.1f} × faster",
            )  # fmt: skip
    exponents = {
        way: linear_regression(list(map(log, LENGTHS)), list(map(log, found[way]))).slope
        for way in WAYS
    }
    yield Row(
        f"time grows as length to the power of, {LENGTHS[0]} to {LENGTHS[-1]}",
        *(f"{exponents[way]:.2f}" for way in WAYS), target="≤ 0.50", met=exponents["cache"] <= 0.5,
    )  # fmt: skip


def rows():
    for threads in THREADS:
        yield from layer_rows(threads)
    yield from cache_rows()
