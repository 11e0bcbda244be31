"""MultiHeadAttention against torch.nn's after some training: masks, dropout, memory."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from lib.attention import MultiHeadParameters, multi_head_attention
from lib.masks import causal_mask, padding_mask
from lib.modules import MultiHeadAttention
from lib.torch_weights import load_torch
from tests.lib.tensors import (
    B,
    D,
    H,
    S,
    T,
    close,
    disturbed,
    hidden,
    random_mask,
    run,
    same_gradients,
)

MASKS = {
    "none": None,
    "(T, S)": (T, S),
    "(B, 1, S)": (B, 1, S),
    "(B, T, S)": (B, T, S),
    "(B, H, T, S)": (B, H, T, S),
}


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", MASKS.values(), ids=MASKS)
def test_attention_is_torch_attention(shape, bias, training):
    theirs = disturbed(nn.MultiheadAttention(D, H, bias=bias, batch_first=True)).train(training)
    queries, keys, values, mask = (
        torch.randn(B, T, D),
        torch.randn(B, S, D),
        torch.randn(B, S, D),
        random_mask(shape),
    )
    wanted, wanted_weights = theirs(
        queries, keys, values, attn_mask=hidden(mask), average_attn_weights=False
    )
    wanted.square().sum().backward()
    modules = []
    for seen in (False, True):
        ours = MultiHeadAttention(D, H, bias=bias).train(training)
        load_torch(ours, theirs)
        output, maps = run(ours, queries, keys, values, mask, seen=seen)
        close(output, wanted.detach())
        output.square().sum().backward()
        modules.append(ours)
    (weights,) = maps["encoder"]
    close(weights, wanted_weights.detach())
    if mask is not None:
        assert not weights[
            ~(mask[:, None] if mask.ndim == 3 else mask).expand_as(weights)
        ].any()  # exactly 0
    by_numpy = multi_head_attention(
        *(x.numpy() for x in (queries, keys, values)), MultiHeadParameters.from_torch(ours), H,
        None if mask is None else mask.numpy(),
    )  # fmt: skip
    close(output.detach(), by_numpy[0])
    close(weights, by_numpy[1])
    for ours in modules:
        same_gradients(ours, theirs)


def test_masks_of_lib_masks_are_taken_as_they_are():
    ours, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = causal_mask(T) & padding_mask([5, 2, 1], T)
    for seen in (False, True):
        output, _ = run(ours, x, x, x, mask, seen=seen)
        assert torch.equal(output, run(ours, x, x, x, torch.tensor(mask), seen=seen)[0])
        assert not torch.allclose(output, run(ours, x, x, x, None, seen=seen)[0])
        for row in (np.arange(T) < 3, torch.arange(T) < 3):  # the same for every query
            assert torch.equal(
                run(ours, x, x, x, row, seen=seen)[0],
                run(ours, x, x, x, padding_mask([3] * B, T), seen=seen)[0],
            )
        for everything in (True, np.True_, torch.tensor(True)):
            close(run(ours, x, x, x, everything, seen=seen)[0], ours(x, x, x))


def test_a_mask_that_may_not_be_written_to_gives_no_warning():
    ours, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = np.broadcast_to(causal_mask(T), (B, T, T))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.equal(ours(x, x, x, mask), ours(x, x, x, causal_mask(T)))


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_query_that_may_attend_to_nothing_gets_zeros(dtype, training):
    ours = MultiHeadAttention(D, H, dropout=0.1).to(dtype).train(training)
    ours.output = nn.Identity()
    mask = random_mask((B, T, S))
    mask[0, 2] = mask[1] = False
    for seen in (False, True):
        queries, keys = (torch.randn(B, n, D, dtype=dtype, requires_grad=True) for n in (T, S))
        with torch.autograd.set_detect_anomaly(True):  # an error for NaN anywhere in backward
            output, maps = run(ours, queries, keys, keys, mask, seen=seen)
            output.square().sum().backward()
        assert output.dtype == dtype
        assert not output[0, 2].any() and not output[1].any() and output[0, :2].all()
        assert not queries.grad[1].any() and not keys.grad[1].any() and keys.grad[0].any()
        assert all(p.grad.isfinite().all() for p in (queries, keys, *ours.parameters()))
    (weights,) = maps["encoder"]
    assert not weights[0, :, 2].any() and not weights[1].any()


@pytest.mark.parametrize("seen", [False, True])
def test_dropout_of_the_weights_is_that_of_torch(seen):
    theirs = disturbed(nn.MultiheadAttention(D, H, dropout=0.4, batch_first=True))
    ours = MultiHeadAttention(D, H, dropout=0.4)
    load_torch(ours, theirs)
    queries, keys = torch.randn(B, T, D), torch.randn(B, S, D)
    torch.manual_seed(1)
    wanted, _ = theirs(queries, keys, keys, need_weights=seen)
    torch.manual_seed(1)
    output, maps = run(ours, queries, keys, keys, seen=seen)
    close(output.detach(), wanted.detach())
    assert not torch.allclose(output, ours.eval()(queries, keys, keys), atol=1e-2)
    if seen:  # before dropout
        (weights,) = maps["encoder"]
        close(weights.sum(-1), torch.ones(B, H, T))
        close(weights, run(ours, queries, keys, keys)[1]["encoder"][0])


MEMORY = """
import re
from pathlib import Path
import torch
from lib.interventions import looking
from lib.masks import causal_mask
from lib.modules import MultiHeadAttention
torch.set_num_threads(1)
T, H = 2048, 4
attention, x, mask = MultiHeadAttention(32, H), torch.randn(1, T, 32), causal_mask(T)

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1])

with torch.set_grad_enabled(TRAINS), looking(attention) as maps:
    attention(x[:, :64], x[:, :64], x[:, :64], mask[:64, :64])  # what is loaded at first use
    before = peak()
    attention(x, x, x, mask)
    print((peak() - before) / maps["encoder"][0].nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
@pytest.mark.parametrize("trains", [False, True])
def test_weights_and_a_mask_take_hardly_more_than_scores_and_weights(trains):
    """The peak of a process of its own, in sizes of the weights; one more copy would be 3.1."""
    answer = subprocess.run(
        [sys.executable, "-c", MEMORY.replace("TRAINS", str(trains))],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert 1.9 < float(answer.stdout) < 2.2
