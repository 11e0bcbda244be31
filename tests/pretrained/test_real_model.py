"""The real model of page 14, where `python3 start.py real` has put it."""

import numpy as np
import pytest

from lib.pretrained import bert
from lib.pretrained.word_pieces import read_vocabulary, tokens
from tests.pretrained.references import computed, near, usual_bert
from tools.real_model import FOLDER

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="python3 start.py real fetches the real model"
)
SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "Crème brûlée 😀 动物 unaffable?",
    "",
    "word " * 300,
]


@pytest.fixture(scope="module")
def models():
    """Ours, its vocabulary, and the usual library's."""
    return bert(FOLDER), read_vocabulary(FOLDER), usual_bert(FOLDER)


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda text: text[-20:])
def test_vectors_and_maps_are_those_of_the_usual_library(models, sentence):
    ours, vocabulary, theirs = models
    ids = [[vocabulary[piece] for piece in tokens(sentence, vocabulary)]]
    reference = computed(theirs, ids)
    output, maps = ours.run(ids)
    near(output, reference.last_hidden_state)
    for mine, other in zip(maps, reference.attentions, strict=True):
        near(mine, other)


def test_from_it_one_head_looks_at_the_animal(models):
    """Layer 4, head 2, counted from 1: it looks at the animal, less so where it is too wide."""
    ours, vocabulary, _ = models
    looks = {}
    for adjective in ("tired", "wide"):
        said = f"The animal didn't cross the street because it was too {adjective}."
        found = tokens(said, vocabulary)
        _, maps = ours.run([vocabulary[piece] for piece in found])
        row = maps[3][1, found.index("it")]
        looks[adjective] = row[[found.index("animal"), found.index("street")]]
    np.testing.assert_allclose(looks["tired"], [0.68, 0.05], atol=0.006)
    np.testing.assert_allclose(looks["wide"], [0.28, 0.12], atol=0.006)
