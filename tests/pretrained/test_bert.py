"""A BERT read from a folder computes what the usual library computes: vectors, maps, logits."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from lib.layers import encoder_layer
from lib.masks import padding_mask
from lib.pretrained import bert
from tests.pretrained.references import computed, near, some_ids, written_bert
from tools.course import ROOT


def same_vectors_and_maps(ours, theirs, ids):
    """Every hidden state and every map, layer by layer."""
    reference = computed(theirs, np.atleast_2d(ids))
    x = ours.embed(np.atleast_2d(ids))
    near(x, reference.hidden_states[0])
    for number, layer in enumerate(ours.layers):
        x, weights = encoder_layer(x, layer, ours.heads)
        near(x, reference.hidden_states[number + 1])
        near(weights, reference.attentions[number])
    output, maps = ours.run(np.atleast_2d(ids))
    assert np.array_equal(output, x) and np.array_equal(maps[-1], weights)


@pytest.mark.parametrize("shape", [(7,), (2, 5), (1, 13)])
def test_every_vector_and_every_map_is_the_same(tmp_path, shape):
    theirs = written_bert(tmp_path)
    same_vectors_and_maps(bert(tmp_path), theirs, some_ids(shape))


@pytest.mark.parametrize(
    "activation",
    ["relu", "gelu", "gelu_python", "gelu_new", "gelu_fast", "gelu_pytorch_tanh"],
)
def test_every_activation_that_is_known_is_the_same(tmp_path, activation):
    theirs = written_bert(tmp_path, words=True, hidden_act=activation)
    ours, ids = bert(tmp_path), some_ids((1, 9))
    near(ours.logits(ours.run(ids)[0]), computed(theirs, ids).logits)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-5, 0.1])
def test_the_epsilon_is_that_of_the_folder(tmp_path, epsilon):
    theirs = written_bert(tmp_path, layer_norm_eps=epsilon)
    same_vectors_and_maps(bert(tmp_path), theirs, some_ids((2, 5)))


@pytest.mark.parametrize("tied", [True, False])
def test_logits_of_masked_words_are_the_same(tmp_path, tied):
    theirs = written_bert(tmp_path, words=True, tie_word_embeddings=tied)
    ours, ids = bert(tmp_path), some_ids((2, 6))
    reference = computed(theirs, ids)
    near(ours.logits(ours.run(ids)[0]), reference.logits)
    same_vectors_and_maps(ours, theirs, ids)


def test_two_texts_and_padding_are_the_same(tmp_path):
    theirs, ids = written_bert(tmp_path), some_ids((2, 8))
    segments = np.array([[0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0, 0]])
    told = {
        "token_type_ids": torch.as_tensor(segments),
        "attention_mask": torch.tensor([[1] * 8, [1] * 6 + [0] * 2]),
    }
    reference = computed(theirs, ids, **told)
    output, maps = bert(tmp_path).run(ids, segments, padding_mask([8, 6], 8))
    near(output[0], reference.last_hidden_state[0])
    near(output[1, :6], reference.last_hidden_state[1, :6])
    near(maps[2][1, :, :6], reference.attentions[2][1, :, :6])


@pytest.mark.parametrize("dtype, tolerance", [(torch.float16, 2e-2), (torch.bfloat16, 2e-1)])
def test_half_precision_becomes_float32(tmp_path, dtype, tolerance):
    theirs, ids = written_bert(tmp_path / "whole"), some_ids((1, 5))
    reference = computed(theirs, ids).last_hidden_state
    theirs.to(dtype).save_pretrained(tmp_path / "half")
    output, _ = bert(tmp_path / "half").run(ids)
    assert output.dtype == np.float32
    near(output, reference, tolerance)


def test_the_old_names_of_a_layer_norm_are_read(tmp_path):
    theirs = written_bert(tmp_path)
    file, old = tmp_path / "model.safetensors", {}
    for name, array in load_file(file).items():
        name = name.replace("LayerNorm.weight", "LayerNorm.gamma")
        old["bert." + name.replace("LayerNorm.bias", "LayerNorm.beta")] = array
    old["bert.embeddings.position_ids"] = np.arange(13)[None]
    save_file(old, file)
    same_vectors_and_maps(bert(tmp_path), theirs, some_ids((2, 5)))


def test_a_list_of_ids_is_a_text(tmp_path):
    written_bert(tmp_path)
    ours = bert(tmp_path)
    output, maps = ours.run([1, 2, 3])
    assert output.shape == (3, 24) and len(maps) == 3 and maps[0].shape == (4, 3, 3)
    assert np.array_equal(output, ours.run(torch.tensor([1, 2, 3]))[0])


BAD_IDS = [
    ([], r"ids: .* of shape \(0,\); expected whole numbers"),
    (3, r"ids: int64 of shape \(\); expected whole numbers, \(T,\) or \(B, T\)"),
    ([0.5, 1.0], "ids: float64 .* expected whole numbers"),
    (["the", "cat"], "ids: .* expected whole numbers"),
    ([1, 41], "ids from 1 to 41; this model has those from 0 to 40"),
    ([-1, 4], "ids from -1 to 4; this model has those from 0 to 40"),
    ([1] * 14, "14 positions from a table .* Shorten the text"),
]


@pytest.mark.parametrize("ids, sentence", BAD_IDS, ids=str)
def test_ids_that_do_not_fit_are_refused(tmp_path, ids, sentence):
    written_bert(tmp_path)
    with pytest.raises(ValueError, match=sentence):
        bert(tmp_path).run(ids)


def test_segments_that_do_not_fit_are_refused(tmp_path):
    written_bert(tmp_path)
    ours = bert(tmp_path)
    with pytest.raises(ValueError, match=r"segments \(2,\) for ids \(3,\); give one for each"):
        ours.run([1, 2, 3], [0, 1])
    with pytest.raises(ValueError, match="segments from 0 to 2; this model has those from 0 to 1"):
        ours.run([1, 2, 3], [0, 1, 2])


def test_a_model_without_the_head_says_so(tmp_path):
    written_bert(tmp_path)
    ours = bert(tmp_path)
    with pytest.raises(ValueError, match="this model predicts no words"):
        ours.logits(ours.run([1, 2])[0])


def test_bert_needs_no_torch(tmp_path):
    """The real model's page runs in little memory."""
    written_bert(tmp_path)
    code = (
        "import sys; from lib.pretrained import bert; "
        f"bert({str(tmp_path)!r}).run([1, 2]); print('torch' in sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"
