"""The reader's multi-head attention inside a trained model: it translates as the model does."""

from functools import cache

import numpy as np
import pytest
import torch

from lib import saved
from lib.checks.drop_in import NotYetError, dropped_in, translation_by
from lib.modules import LanguageModel, Transformer
from lib.positions import sinusoidal_positions
from lib.tokens import tokenise
from tests.checks.bank import BANK, softmax

TIRED = "The animal didn't cross the street because it was too tired."
ANSWERS = [answer for (answer,) in BANK["multi_head"].right]


@cache
def french():
    return saved.load("french")


def my_multi_head(X, memory, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        B, T, width = x.shape
        return x.reshape(B, T, heads, width // heads).swapaxes(1, 2)

    q, k, v = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) @ v
    B, T, _ = X.shape
    return mixed.swapaxes(1, 2).reshape(B, T, -1) @ W_O


@pytest.mark.parametrize("adjective, pronoun", [("tired", "il"), ("wide", "elle")])
def test_the_model_translates_as_before(adjective, pronoun):
    words = tokenise(TIRED.replace("tired", adjective))
    text = translation_by(french(), words, multi_head=my_multi_head)
    assert text == french().translate(words).text
    assert pronoun in text.replace("'", " ").split()


@pytest.mark.parametrize("place", range(len(ANSWERS)))
def test_every_right_answer_of_the_bank_can_run_there(place):
    words = tokenise(TIRED)
    assert (
        translation_by(french(), words, multi_head=ANSWERS[place]) == french().translate(words).text
    )


def without_root(X, memory, W_Q, W_K, W_V, W_O, heads):
    root = np.sqrt(W_Q.shape[1] / heads)
    return my_multi_head(X, memory, W_Q * root, W_K, W_V, W_O, heads)


def without_output_matrix(X, memory, W_Q, W_K, W_V, W_O, heads):
    return my_multi_head(X, memory, W_Q, W_K, W_V, np.eye(*W_O.shape), heads)


def without_swap(X, memory, W_Q, W_K, W_V, W_O, heads):
    def split(x):
        B, T, width = x.shape
        return x.reshape(B, heads, T, width // heads)

    q, k, v = split(X @ W_Q), split(memory @ W_K), split(memory @ W_V)
    mixed = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) @ v
    B, T, _ = X.shape
    return mixed.swapaxes(1, 2).reshape(B, T, -1) @ W_O


@pytest.mark.parametrize(
    "adjective, unswapped",
    [("tired", "L'a pas protégé l'la rue."), ("wide", "L'a pas exploré l'avenue large.")],
)
def test_spoiled_parts_say_what_page_5_tells_of_them(adjective, unswapped):
    words = tokenise(TIRED.replace("tired", adjective))
    wanted = french().translate(words).text
    assert translation_by(french(), words, multi_head=without_root) == wanted
    assert translation_by(french(), words, multi_head=without_output_matrix) == "La le la le la."
    assert translation_by(french(), words, multi_head=without_swap) == unswapped


def test_all_attention_is_replaced_masks_and_biases_included():
    torch.manual_seed(0)
    model = Transformer(11, 13, 12, 3, 2, 2, 20, dropout=0.0, encoder_heads=[3, 1]).eval()
    writer = LanguageModel(11, 12, 3, 2, 20, dropout=0.0).eval()
    for parameter in [*model.parameters(), *writer.parameters()]:
        torch.nn.init.normal_(parameter, std=0.2)
    source, target = torch.tensor([[3, 4, 5, 6, 7]]), torch.tensor([[1, 8, 9, 10]])
    with torch.no_grad():
        wanted, written = model(source, target), writer(source)
        with (
            dropped_in(model, multi_head=my_multi_head),
            dropped_in(writer, multi_head=my_multi_head),
        ):
            torch.testing.assert_close(model(source, target), wanted)
            torch.testing.assert_close(writer(source), written)
        with dropped_in(model, multi_head=lambda X, memory, W_Q, W_K, W_V, W_O, heads: 0 * X):
            assert not torch.allclose(model(source, target), wanted)
        torch.testing.assert_close(model(source, target), wanted, rtol=0, atol=0)


def stops(X, memory, W_Q, W_K, W_V, W_O, heads):
    raise KeyError("q")


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (lambda X, memory, W_Q, W_K, W_V, W_O, heads: ..., "nothing yet"),
        (lambda X, memory, W_Q, W_K, W_V, W_O, heads: None, "nothing yet"),
        (lambda X, memory, W_Q, W_K, W_V, W_O, heads: X @ W_Q, "expected (1, 11, 65)"),
        (lambda X: X, "called with (X, memory"),
        (stops, "stopped with KeyError"),
    ],
)
def test_what_is_not_written_yet_is_a_sentence(answer, sentence):
    said = translation_by(french(), tokenise(TIRED), multi_head=answer)
    assert said.startswith("✗ Not yet: ") and sentence in said


def test_unfinished_functions_leave_no_hook_behind():
    words = tokenise(TIRED)
    before = french().translate(words).text
    with pytest.raises(NotYetError), dropped_in(french().model, multi_head=stops):
        french().translate(words)
    assert french().translate(words).text == before


# What page 6 says of the reader's embedding, and page 7 of the reader's encoder layer


@cache
def told():
    return saved.load("french_gloss")


def of_page_0(**answers):
    """What the model of page 0 writes with these parts, for "tired" and for "wide"."""
    texts = []
    for adjective in ("tired", "wide"):
        words = tokenise(TIRED.replace("tired", adjective))
        texts.append(translation_by(told(), words, **answers))
    return texts


def as_before():
    sentences = [TIRED, TIRED.replace("tired", "wide")]
    texts = [told().translate(tokenise(sentence)).text for sentence in sentences]
    assert "il était trop fatigué" in texts[0] and "elle était trop large" in texts[1]
    return texts


def my_embedding(ids, table):
    places = sinusoidal_positions(ids.shape[1], table.shape[1])
    return table[ids] * table.shape[1] ** 0.5 + places


@pytest.mark.parametrize("place", range(len(BANK["embedding"].right)))
def test_every_right_embedding_of_the_bank_can_run_there(place):
    ((answer,), before) = BANK["embedding"].right[place], told().translate(tokenise(TIRED)).text
    assert translation_by(told(), tokenise(TIRED), embedding=answer) == before


def test_an_embedding_and_attention_can_be_the_readers_at_once():
    assert of_page_0(embedding=my_embedding, multi_head=my_multi_head) == as_before()


def test_both_languages_are_embedded_by_the_reader():
    seen = []

    def spy(ids, table):
        seen.append(len(table))
        return my_embedding(ids, table)

    translation_by(told(), tokenise(TIRED), embedding=spy)
    assert set(seen) == {len(told().english.words), len(told().target.words)}


@pytest.mark.parametrize("place", range(len(BANK["encoder_layer"].right)))
def test_every_right_layer_of_the_bank_can_run_there(place):
    ((answer,), before) = BANK["encoder_layer"].right[place], told().translate(tokenise(TIRED)).text
    assert translation_by(told(), tokenise(TIRED), encoder_layer=answer) == before
