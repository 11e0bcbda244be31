"""The course's sentence and its hand-set head say what pages 1, 2, 4 and 5 say of them."""

import numpy as np
import pytest

from lib.attention import scaled_dot_product_attention
from lib.corpus.toy_embeddings import (
    AXES,
    FEW,
    LEXICON,
    SENTENCE,
    W_K,
    W_Q,
    W_V,
    WORDS,
    is_known,
    word_vector,
    word_vectors,
)

PARTS = [WORDS, FEW]


def attended(words):
    """(output, weights) of the head for these words."""
    X = word_vectors(words)  # (T, d_model)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)


def test_sentence_and_words_agree():
    assert SENTENCE.strip(".").split() == WORDS
    assert set(FEW) < set(WORDS)


def test_every_number_has_one_digit():
    numbers = np.concatenate([*LEXICON.values(), W_Q.ravel(), W_K.ravel()])
    assert (numbers == numbers.round(1)).all()
    assert {len(vector) for vector in LEXICON.values()} == {len(AXES)}


def test_unprojected_dot_products_match_little_words():
    """Page 1: "animal" above "street", and a little word above both."""
    products = word_vectors(WORDS) @ word_vector("it")
    it = dict(zip(WORDS, products, strict=True))
    assert it["because"] > it["was"] > it["animal"] > it["tired"] > it["street"]
    assert 3 * it["street"] > it["animal"], "a street three times as long wins"


@pytest.mark.parametrize("words", PARTS)
def test_it_finds_the_animal_and_collects_its_state(words):
    output, weights = attended(words)
    it = words.index("it")
    shares = dict(zip(words, weights[it], strict=True))
    assert sorted(shares, key=shares.get)[-2:] == ["tired", "animal"]
    assert shares["animal"] > 0.45 and shares["tired"] > 0.39
    own = word_vector("it")[:3]
    assert own.tolist() == [0.6, 0.4, 0.0]
    assert output[it].round(1).tolist() == [0.8, 0.1 if len(words) > 5 else 0.0, 0.5]


def test_one_layer_cannot_switch_to_the_street():
    words = [word.replace("tired", "wide") for word in WORDS]
    weights = attended(words)[1][words.index("it")]
    assert words[weights.argmax()] == "animal" and weights[words.index("street")] < 0.05


def test_words_are_found_as_they_are_written():
    assert word_vector("The").tolist() == word_vector("the").tolist()
    assert is_known("didn’t") and not is_known("cats")
    with pytest.raises(ValueError, match="'cats' has no vector in lib/corpus/toy_embeddings.py"):
        word_vectors(["cats", "it"])
