"""What readers have of their own models, shown or refused in a sentence."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn

from lib.attention import softmax
from lib.pretrained import attention_maps
from lib.widgets import AttentionMap
from lib.widgets.attention_map.attention_map import EXACT

WORDS = ["[CLS]", "it", "was", "tired", "[SEP]"]
IDS = [101, 2009, 2001, 5458, 102]


def weights(*shape):
    return softmax(np.random.default_rng(3).standard_normal(shape).astype(np.float32))


def tensor(*shape):
    return torch.tensor(weights(*shape))


@pytest.mark.parametrize(
    "given, shape",
    [
        (weights(5, 5), (1, 5, 5)),
        (weights(1, 2, 5, 5), (2, 5, 5)),
        (weights(2, 5, 5).tolist(), (2, 5, 5)),
        (weights(2, 5, 5).astype(np.float16), (2, 5, 5)),
        (tensor(1, 2, 5, 5).requires_grad_(), (2, 5, 5)),
        (tensor(2, 5, 5).bfloat16(), (2, 5, 5)),
        (tensor(5, 5).half().requires_grad_(), (1, 5, 5)),
        (tensor(5, 5).double(), (1, 5, 5)),
        ((tensor(1, 2, 5, 5),), (2, 5, 5)),  # a tuple of one layer is one layer
        (torch.eye(5, dtype=torch.long), (1, 5, 5)),
    ],
)
def test_one_layer_of_any_kind(given, shape):
    demo = AttentionMap(given, WORDS)
    assert demo.weights.shape == shape and demo.weights.dtype == np.float32
    assert demo.layers is None and not demo.header.message


@pytest.mark.parametrize(
    "given",
    [
        tuple(tensor(1, 2, 5, 5).requires_grad_() for _ in range(3)),
        [weights(2, 5, 5), tensor(2, 5, 5).bfloat16(), tensor(1, 2, 5, 5)],
        list(weights(3, 5, 5)),
        weights(3, 1, 2, 5, 5),
    ],
)
def test_several_layers_have_a_menu(given):
    demo = AttentionMap(given, WORDS)
    assert demo.layer.options == ("1 of 3", "2 of 3", "3 of 3") and demo.controls[0] is demo.layer
    for layer, shown in enumerate(given):
        demo.layer.index = layer
        shown = shown.detach().float() if isinstance(shown, torch.Tensor) else shown
        expected = np.asarray(shown).reshape(-1, 5, 5)
        np.testing.assert_array_equal(demo.weights, expected)
    assert repr(demo).startswith("AttentionMap(3 layers × ")


@pytest.mark.parametrize(
    "tokens, shown",
    [
        (WORDS, WORDS),
        (tuple(IDS), [str(one) for one in IDS]),
        (torch.tensor(IDS), [str(one) for one in IDS]),
        (torch.tensor([IDS]), [str(one) for one in IDS]),  # a batch of one
        (list(torch.tensor(IDS)), [str(one) for one in IDS]),
        (np.array(IDS, np.int32), [str(one) for one in IDS]),
        ([IDS], [str(one) for one in IDS]),
        (np.array(WORDS), WORDS),
        (None, ["0", "1", "2", "3", "4"]),
    ],
)
def test_tokens_are_words_or_ids_or_places(tokens, shown):
    drawing = AttentionMap(weights(5, 5), tokens).drawing
    assert drawing.query_tokens == drawing.key_tokens == shown


def test_cross_attention_has_tokens_of_its_own():
    drawing = AttentionMap(tensor(1, 2, 3, 5), key_tokens=torch.tensor([IDS])).drawing
    assert drawing.query_tokens == ["0", "1", "2"] and drawing.key_tokens[0] == "101"
    drawing = AttentionMap([weights(2, 3, 5)] * 2, ["a", "b", "c"], WORDS).drawing
    assert drawing.query_tokens == ["a", "b", "c"] and drawing.key_tokens == WORDS
    drawing = AttentionMap(weights(3, 5)).drawing
    assert (len(drawing.query_tokens), len(drawing.key_tokens)) == (3, 5)


WITH_NAN = weights(3, 2, 5, 5)
WITH_NAN[1, 0, 4] = np.nan


@pytest.mark.parametrize(
    "given, tokens, message",
    [
        (tensor(2, 3, 5, 5), WORDS, r"\(2, 3, 5, 5\), a batch of 2 .*one sequence.* weights\[0\]"),
        ((tensor(2, 3, 5, 5),) * 2, WORDS, "layer 1 of 2: .* a batch of 2"),
        (list(WITH_NAN), WORDS, "layer 2 of 3: NaN at head 1, row 5 .*all masked"),
        (3 * tensor(5, 5) - 1, WORDS, "expected 0 to 1. If these are scores, take the softmax"),
        (tensor(5, 5) / tensor(5, 5).max() * 1.1, WORDS, r"to 1\.1; .*model\.eval\(\)"),
        (weights(5, 5), WORDS[1:4], r"\(1, 5, 5\) do not fit 3 query .*expected 5 and 5.*\[CLS\]"),
        (weights(5, 5), "it was tired", r"12 query tokens .*text\.split\(\)"),
        (weights(5, 5), [WORDS, WORDS], r"number 1 is .*\(list\); expected the words or the ids"),
        (weights(5, 5), torch.rand(5), r"\(float\); expected the words or the ids"),
        ((None, None), WORDS, r'layer 1 of 2: None.*attn_implementation="eager"'),
        (None, WORDS, r'weights: None.*attn_implementation="eager"'),
        ((), WORDS, r'an empty tuple.*attn_implementation="eager"'),
        ({"encoder": [weights(5, 5)]}, WORDS, r"a dict with encoder.*output\.attentions"),
        (((tensor(1, 2, 5, 5),),) * 3, WORDS, r"layer 1 of 3: a tuple of 1.*generate\(\)"),
        ("weights", WORDS, "str of <U7; expected an array or a tensor"),
        ([[0.5, 0.5], [1.0]], ["a", "b"], "the rows differ in length"),
        (weights(5), WORDS, r"\(5,\); expected \(queries, keys\) or"),
        (
            [weights(2, 5, 5), weights(2, 5, 3)],
            WORDS,
            r"layer 1 is \(2, 5, 5\) but layer 2 is \(2, 5, 3\); .*AttentionMap of their own",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(given, tokens, message):
    with pytest.raises(ValueError, match=message) as refused:
        AttentionMap(given, tokens)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_rows_that_do_not_sum_to_1_are_shown_with_a_sentence():
    words = WORDS[1:4]
    without_cls = AttentionMap([weights(2, 3, 3), weights(2, 5, 5)[:, 1:4, 1:4]], words)
    assert "(layer 2 of 2, head 1, row 1: 0." in without_cls.header.message
    assert "such as [CLS]" in without_cls.header.message
    turned = AttentionMap(weights(5, 5).T, WORDS)
    assert "The columns do" in turned.header.message
    turned.show(weights(5, 5), WORDS)
    assert turned.header.message == ""
    rough = AttentionMap(tensor(12, 200, 200).bfloat16())
    assert rough.header.message == "", "bfloat16 rounds, and that is no mistake"
    mask = np.tri(3, 3, -1, dtype=bool)
    masked = AttentionMap(weights(3, 3) * 0 + [[0, 0, 0], [1, 0, 0], [0.5, 0.5, 0]], mask=mask)
    assert masked.header.message == "", "a query without keys has a row of zeros"


# -- several layers --------------------------------------------------------------------------------


def test_the_grid_has_what_every_head_puts_on_the_key_pointed_at():
    layers = [weights(4, 5, 5), weights(2, 5, 5), weights(4, 5, 5)]
    demo = AttentionMap(layers, WORDS)
    demo.drawing.query, demo.drawing.key = 1, 3
    grid = demo.layers
    assert (grid.heads, grid.asks, grid.asked) == ([4, 2, 4], "it", "tired")
    expected = np.concatenate([layer[:, 1, 3] for layer in layers])
    np.testing.assert_array_equal(np.frombuffer(grid.weights, np.float32), expected)


def test_menu_grid_and_maps_go_together():
    demo = AttentionMap([weights(4, 5, 5), weights(2, 5, 5)], WORDS)
    demo.drawing.veiled = False
    assert not demo.layers.hidden
    demo.layers.set_state({"layer": 1, "head": 1})  # what the browser sends
    assert demo.layer.index == 1 and demo.drawing.head == 1 and demo.weights.shape == (2, 5, 5)
    demo.layer.index = 0
    assert demo.layers.layer == 0
    demo.drawing.set_state({"head": 2, "solo": 2})
    demo.layers.set_state({"head": 3})
    assert demo.drawing.solo == 3, "the head chosen takes the place of the one that is alone"
    demo.reset()
    assert (demo.layer.index, demo.layers.layer, demo.layers.head) == (0, 0, 0)
    assert (demo.drawing.solo, demo.drawing.veiled, demo.layers.hidden) == (-1, True, True)


def test_other_layers_take_the_place_of_those_shown():
    demo = AttentionMap([weights(4, 5, 5)] * 3, WORDS)
    demo.layer.index = 2
    demo.show([weights(2, 3, 3)] * 2, IDS[:3])
    assert demo.layer.options == ("1 of 2", "2 of 2") and demo.layers.heads == [2, 2]
    assert demo.weights.shape == (2, 3, 3) and demo.layers.layer == demo.layer.index
    demo.layer.index = 1
    later = [weights(2, 4, 4), weights(4, 4)[None].repeat(2, 0)]
    demo.show(later)
    np.testing.assert_array_equal(demo.weights, later[1])  # the same layer of another text
    with pytest.raises(ValueError, match="1 names for weights"):
        demo.show([weights(1, 4, 4), weights(2, 4, 4)], head_names=["one"])
    np.testing.assert_array_equal(demo.weights, later[1])
    with pytest.raises(ValueError, match="3 layers for a demo that was made of one"):
        AttentionMap(weights(5, 5), WORDS).show([weights(5, 5)] * 3, WORDS)
    with pytest.raises(ValueError, match="do not fit"):
        demo.show([weights(2, 3, 3)] * 2, WORDS)
    assert demo.drawing.query_tokens == ["0", "1", "2", "3"], "what was shown is still there"


def test_only_the_chosen_layer_travels_and_all_have_one_scale():
    layers = list(weights(5, 12, 40, 40))
    layers.append(np.broadcast_to(np.eye(40), (12, 40, 40)))  # with a weight of 1
    demo = AttentionMap(layers, list(range(40)))
    drawing = demo.drawing
    assert drawing.array.size > EXACT and len(drawing.weights) == 12 * 40 * 40
    assert drawing.top == 1, "colours mean the same in every layer"
    sent = []
    drawing.send_state = lambda key=None: sent.append(set(key))
    demo.layer.index = 2
    assert sum("weights" in names for names in sent) == 1
    sent.clear()
    demo.controls[-1].value = "0 to 1"
    assert not any("weights" in names for names in sent), "the colours alone are new"


# -- models of others ------------------------------------------------------------------------------


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_maps_of_a_torch_encoder(norm_first, training):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, 0.0, norm_first=norm_first, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False).train(training)
    x = torch.randn(1, 5, 16)
    maps = attention_maps(encoder, x)
    assert list(maps) == [f"layers.{i}.self_attn" for i in range(3)]
    demo = AttentionMap(list(maps.values()), WORDS)
    assert len(demo.layer.options) == 3 and demo.weights.shape == (4, 5, 5)
    assert not demo.header.message
    first = encoder.layers[0]
    given = first.norm1(x) if norm_first else x
    with torch.no_grad():
        _, expected = first.self_attn(given, given, given, average_attn_weights=False)
    torch.testing.assert_close(maps["layers.0.self_attn"], expected)
    assert not first.self_attn._forward_hooks and torch.backends.mha.get_fastpath_enabled()


def test_maps_of_a_whole_torch_transformer_with_padding():
    torch.manual_seed(0)
    model = nn.Transformer(16, 4, 2, 2, 32, batch_first=True).eval()
    source, target = torch.randn(2, 5, 16), torch.randn(2, 3, 16)
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    maps = attention_maps(model, source, target, src_key_padding_mask=padding)
    assert maps["encoder.layers.1.self_attn"].shape == (2, 4, 5, 5)
    assert not maps["encoder.layers.1.self_attn"][1, :, :, 3:].any()
    cross = [found for name, found in maps.items() if "multihead" in name]
    demo = AttentionMap([found[0] for found in cross], key_tokens=WORDS)
    assert demo.weights.shape == (4, 3, 5)
    with pytest.raises(ValueError, match="no nn.MultiheadAttention in this Linear"):
        attention_maps(nn.Linear(2, 2), torch.ones(2))


def test_maps_of_a_library_with_output_attentions():
    import transformers  # slow: only here

    config = transformers.BertConfig(
        vocab_size=2048 * 3,
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=32,
    )
    config._attn_implementation = "eager"
    model = transformers.BertModel(config).eval()
    ids = torch.tensor([IDS])
    output = model(ids, output_attentions=True)
    demo = AttentionMap(output.attentions, ids)
    assert demo.layers.heads == [4, 4, 4] and demo.drawing.query_tokens[1] == "2009"
    with pytest.raises(ValueError, match=r"output\.attentions"):
        AttentionMap(output, ids)
    model.set_attn_implementation("sdpa")
    with pytest.raises(ValueError, match='attn_implementation="eager"'):
        AttentionMap(model(ids, output_attentions=True).attentions, ids)


ALONE = """
import sys
sys.modules |= dict.fromkeys(["torch", "PIL", "matplotlib"])  # importing one of them now fails
import numpy as np
from lib import widgets
widgets.AttentionMap(np.eye(3), ["a", "b", "c"], veiled=False).save(sys.argv[1])
"""


def test_a_map_needs_neither_torch_nor_what_draws_charts(tmp_path):
    path = tmp_path / "map.html"
    run = subprocess.run([sys.executable, "-c", ALONE, str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert path.stat().st_size < 300_000
