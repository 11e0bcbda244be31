"""The recorded maps: small, whole, and those of the real model where it is there."""

import numpy as np
import pytest

from lib.pretrained import bert
from lib.pretrained.recorded import FILE, recordings
from lib.pretrained.word_pieces import read_vocabulary, tokens
from tools.real_model import FOLDER
from tools.record import LARGEST, SENTENCES

HALF = 5e-4  # half precision of a number below 1


def test_the_file_is_small_and_has_every_sentence():
    assert FILE.stat().st_size <= LARGEST
    assert [recording.text for recording in recordings()] == SENTENCES


def test_every_map_is_a_map():
    """Each token's shares, over all tokens from [CLS] to [SEP], add up to 1."""
    for recording in recordings():
        T = len(recording.tokens)
        assert recording.tokens[0] == "[CLS]" and recording.tokens[-1] == "[SEP]"
        assert recording.maps.shape == (6, 12, T, T) and recording.maps.dtype == np.float32
        assert recording.maps.min() >= 0
        np.testing.assert_allclose(recording.maps.sum(-1), 1, atol=4 * HALF)


def test_from_it_one_head_looks_at_the_animal():
    """Layer 4, head 2, counted from 1; to three digits what the real model computes."""
    expected = {"tired.": (0.677, 0.050), "wide.": (0.281, 0.121)}
    for recording in recordings()[:2]:
        row = recording.maps[3, 1, recording.tokens.index("it")]
        looks = [row[recording.tokens.index(noun)] for noun in ("animal", "street")]
        adjective = recording.text.split()[-1]
        np.testing.assert_allclose(looks, expected[adjective], atol=2 * HALF)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="python3 start.py real fetches the real model")
def test_the_real_model_computes_the_same():
    model, vocabulary = bert(FOLDER), read_vocabulary(FOLDER)
    for recording in recordings():
        assert tokens(recording.text, vocabulary) == recording.tokens
        _, maps = model.run([vocabulary[piece] for piece in recording.tokens])
        np.testing.assert_allclose(recording.maps, maps, atol=HALF)
