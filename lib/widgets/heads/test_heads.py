"""The widget Heads, and the rival that the benchmark compares it with."""

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import torch

from benchmarks.widgets import INTERACT
from lib import saved
from lib.interventions import looking
from lib.masks import causal_mask
from lib.tokens import START_ID
from lib.widgets import Heads
from lib.widgets.heads.heads import SENTENCE, TOKENS


def random_heads():
    demo = Heads()
    demo.source.value = "random"
    return demo


def test_the_heads_are_those_of_the_trained_writer():
    demo = Heads()
    demo.heads.value = 4
    writer = saved.load("writer")
    tokens = [START_ID, *writer.vocabulary.encode(SENTENCE)]
    with torch.no_grad(), looking(writer.model) as maps:
        writer.model(torch.tensor([tokens]))
    np.testing.assert_allclose(demo.weights, maps["decoder"][1][0], atol=1e-5)
    assert demo.drawing.trained == 4 and demo.parameters.count == 16_640


def test_trained_parameters_stay_when_they_are_cut_again():
    demo = Heads()
    for heads in (1, 2, 4, 8, 16):
        demo.heads.value = heads
        assert demo.weights.shape == (heads, 12, 12) and demo.drawing.parameters == 16_640
        assert demo.drawing.d_k == 64 // heads
        assert (demo.weights[:, ~causal_mask(12)] == 0).all()
        np.testing.assert_allclose(demo.weights.sum(-1), 1, atol=1e-5)


def test_enter_cuts_16_heads_then_asks_of_those_that_were_trained():
    demo = Heads()
    assert not demo.drawing.moved and demo.drawing.enter == "16 heads"
    demo.drawing.presses += 1
    assert demo.heads.value == 16 and demo.drawing.moved and not demo.drawing.veiled
    demo.source.value, demo.drawing.query = "random", 0
    assert demo.drawing.enter == "4 heads"
    demo.drawing.presses += 1
    assert demo.header.question == "How many different words do the heads look at?"
    assert demo.heads.value == 4 and demo.is_trained and demo.drawing.veiled
    assert demo.drawing.query_tokens[demo.drawing.query] == "too"
    assert demo.drawing.enter == "", "Enter starts over"
    demo.drawing.presses += 1
    assert demo.heads.value == 1 and not demo.drawing.moved and not demo.drawing.veiled


def test_telling_shows_four_trained_heads_with_four_answers():
    demo = random_heads()
    demo.tell()
    assert demo.is_trained and not demo.drawing.veiled and "different words" in demo.header.question
    row = demo.weights[:, demo.drawing.query]
    assert len(set(row.argmax(-1))) == 4


def test_only_random_parameters_have_a_width_and_a_length_to_choose():
    demo = Heads()
    free = (demo.d_k, demo.tied, demo.tokens, demo.causal)
    assert {control.layout.display for control in free} == {"none"}
    demo.source.value = "random"
    assert {control.layout.display for control in free} == {None}
    assert demo.drawing.query_tokens[demo.drawing.query] == "it"


def test_heads_share_the_same_parameters_while_tied():
    demo = random_heads()
    assert (demo.heads.value, demo.d_k.value, demo.drawing.parameters) == (1, 16, 1024)
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
    assert demo.parameters.count == demo.drawing.parameters == 4 * 16 * 256
    assert demo.drawing.usual == 1024
    demo.tied.value = True
    assert (demo.heads.value, demo.d_k.value) == (8, 2)
    demo.reset()
    assert repr(demo) == "Heads(trained, heads=1, d_k=64, tokens=12, causal=True)"


def test_heads_sends_one_picture_for_a_move():
    demo = random_heads()
    sent = []
    demo.drawing.send_state = lambda key=None: sent.append(key)
    demo.heads.value = 8
    demo.tokens.value = 128
    demo.causal.value = True
    assert len(sent) == 3
    assert (demo.weights[:, ~causal_mask(128)] == 0).all() and len(demo.drawing.mask) == 128 * 128
    assert len(demo.drawing.weights) == 8 * 128 * 128


def test_never_fewer_tokens_than_it_says():
    demo = random_heads()
    assert demo.tokens.options[-1] == len(TOKENS), (
        f"the slider ends at {demo.tokens.options[-1]} and TEXT has {len(TOKENS)} words: "
        "write more words into TEXT of lib/widgets/heads/heads.py"
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
    monkeypatch.setattr("lib.widgets.heads.heads.TOKENS", [*TOKENS])  # it makes this list longer
    exec(INTERACT.format(heads=4, tokens=16, named=True), {})
    maps = figures[0].axes[:4]
    for axes in maps:
        for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
            assert [label.get_text() for label in labels] == TOKENS[:16]
    plt.close("all")
