"""A GPT-2 read from a folder computes what the usual library computes, in PyTorch and in NumPy."""

import numpy as np
import pytest
import torch

from lib.decoding import generate
from lib.interventions import looking
from lib.layers import encoder, encoder_layer, layer_norm, stack_from_torch
from lib.masks import causal_mask
from lib.pretrained import gpt2
from tests.pretrained.references import computed, near, some_ids, written_gpt2


def same_logits_and_maps(folder, theirs, ids):
    """Logits and every map of the module."""
    ours, reference = gpt2(folder), computed(theirs, ids)
    with looking(ours) as maps, torch.no_grad():
        logits = ours(torch.as_tensor(ids))
    near(logits, reference.logits)
    for mine, other in zip(maps["decoder"], reference.attentions, strict=True):
        near(mine, other)


@pytest.mark.parametrize("shape", [(1, 7), (2, 5), (1, 13)])
def test_logits_and_every_map_are_the_same(tmp_path, shape):
    theirs = written_gpt2(tmp_path)
    same_logits_and_maps(tmp_path, theirs, some_ids(shape))


@pytest.mark.parametrize(
    "settings",
    [
        {"tie_word_embeddings": False},
        {"n_inner": None},
        {"layer_norm_epsilon": 0.1},
        *[{"activation_function": name} for name in ("relu", "gelu", "gelu_fast")],
    ],
    ids=str,
)
def test_every_setting_that_is_known_is_the_same(tmp_path, settings):
    theirs = written_gpt2(tmp_path, **settings)
    same_logits_and_maps(tmp_path, theirs, some_ids((2, 6)))


def test_a_file_without_the_last_matrix_and_with_old_masks_is_read(tmp_path):
    theirs = written_gpt2(tmp_path)
    for block in theirs.transformer.h:  # as files of 2019 have them
        block.attn.register_buffer("bias", torch.ones(1, 1, 13, 13).tril())
        block.attn.register_buffer("masked_bias", torch.tensor(-1e4))
    theirs.transformer.save_pretrained(tmp_path)
    same_logits_and_maps(tmp_path, theirs, some_ids((1, 6)))


@pytest.mark.parametrize("kind", ["GPT2DoubleHeadsModel", "GPT2ForSequenceClassification"])
def test_heads_for_other_tasks_are_left_out(tmp_path, kind):
    import transformers  # it takes seconds: only here

    theirs = written_gpt2(tmp_path)
    other = getattr(transformers, kind)(theirs.config)
    other.transformer.load_state_dict(theirs.transformer.state_dict())
    other.save_pretrained(tmp_path)
    same_logits_and_maps(tmp_path, theirs, some_ids((1, 6)))


def test_numpy_computes_the_same_vectors_and_maps(tmp_path):
    theirs, ids = written_gpt2(tmp_path), some_ids((2, 7))
    ours, reference = gpt2(tmp_path), computed(theirs, ids)
    layers, final_norm = stack_from_torch(ours.decoder)
    with torch.no_grad():
        x = start = ours.tokens(torch.as_tensor(ids)).numpy()
    for number, layer in enumerate(layers):
        near(x, reference.hidden_states[number])
        x, weights = encoder_layer(x, layer, 4, causal_mask(7), norm_first=True)
        near(weights, reference.attentions[number])
    normed = layer_norm(x, final_norm.gain, final_norm.bias, final_norm.epsilon)
    near(normed, reference.hidden_states[-1])  # the library gives the last one normed
    output, _ = encoder(start, layers, 4, causal_mask(7), norm_first=True, final_norm=final_norm)
    assert np.array_equal(output, normed)


def test_it_writes_what_the_library_writes(tmp_path):
    """Greedy, with our key-value cache."""
    theirs = written_gpt2(tmp_path)
    ours = gpt2(tmp_path)
    text = [5, 9, 2]
    written = list(generate(ours, text, lambda scores: int(np.argmax(scores)), longest=8))
    expected = list(text)
    for _ in written:
        expected.append(int(computed(theirs, [expected]).logits[0, -1].argmax()))
    assert expected[3:] == written and not ours.training
