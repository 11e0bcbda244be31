"""The widget Heads, and the rival that the benchmark compares it with."""

import ipywidgets
import matplotlib.pyplot as plt

from benchmarks.widgets import INTERACT
from lib.masks import causal_mask
from lib.widgets import Heads
from lib.widgets.heads import TOKENS


def test_heads_share_the_same_parameters_while_tied():
    demo = Heads()
    assert (demo.heads.value, demo.d_k.value) == (1, 16) and "parameters: 1,024" in demo.count.value
    before = demo.parameters
    for heads in (2, 4, 8, 16):
        demo.heads.value = heads
        assert demo.d_k.value == 16 // heads and demo.parameters is before
        assert demo.weights.shape == (heads, 11, 11)
    demo.d_k.value = 8
    assert demo.heads.value == 2
    demo.d_k.value = 64  # wider than d_model
    assert (demo.heads.value, demo.d_k.value) == (1, 16)
    demo.tied.value = False
    demo.heads.value, demo.d_k.value = 8, 32
    assert demo.parameters.count == 4 * 16 * 256 and "parameters: 16,384" in demo.count.value
    demo.tied.value = True
    assert (demo.heads.value, demo.d_k.value) == (8, 2)
    demo.reset()
    assert (
        repr(demo) == "Heads(heads=1, d_k=16, tokens=11, causal=False)"
        and "parameters: 1,024" in demo.count.value
    )


def test_heads_sends_one_picture_for_a_move():
    demo = Heads()
    sent = []
    demo.drawing.send_state = lambda key=None: sent.append(key)
    demo.heads.value = 8
    demo.tokens.value = 128
    demo.causal.value = True
    assert len(sent) == 3
    assert (demo.weights[:, ~causal_mask(128)] == 0).all() and len(demo.drawing.mask) == 128 * 128
    assert len(demo.drawing.weights) == 8 * 128 * 128


def test_never_fewer_tokens_than_it_says():
    demo = Heads()
    assert demo.tokens.options[-1] == len(TOKENS), (
        f"the slider ends at {demo.tokens.options[-1]} and TEXT has {len(TOKENS)} words: "
        "write more words into TEXT of lib/widgets/heads.py"
    )
    shown = repr(demo)
    demo.tokens.options = [11, len(TOKENS), 2 * len(TOKENS)]
    for demo.causal.value in (False, True):
        demo.tokens.value = 2 * len(TOKENS)
        assert demo.header.message == (
            f"tokens = {2 * len(TOKENS)}; the text has {len(TOKENS)} tokens, "
            "choose at most that many."
        )
        assert demo.weights.shape == (1, 11, 11) and repr(demo) == shown
    demo.causal.value = False
    demo.tokens.value = len(TOKENS)
    assert demo.header.message == "" and demo.weights.shape == (1, 128, 128)


def test_the_rival_of_the_benchmark_writes_the_words_on_both_axes(monkeypatch):
    figures = []
    monkeypatch.setattr(plt, "show", lambda: figures.append(plt.gcf()))
    monkeypatch.setattr(ipywidgets, "interact", lambda show, **_: show(16))
    exec(INTERACT.format(heads=4, tokens=16, named=True), {})
    maps = figures[0].axes[:4]
    for axes in maps:
        for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
            assert [label.get_text() for label in labels] == TOKENS[:16]
    plt.close("all")
