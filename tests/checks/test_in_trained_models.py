"""The reader's multi-head attention inside a trained model: it translates as the model does."""

from functools import cache

import numpy as np
import pytest
import torch
from torch.nn import TransformerEncoderLayer

from lib import checks, saved
from lib.checks.page_07 import forward, norms_change_places
from lib.checks.readers_code import (
    dropped_in,
    layer_to_train,
    new_ones_right,
    translation_by,
)
from lib.checks.readers_code.in_trained_models import NotYetError
from lib.interventions import looking
from lib.modules import EncoderLayer, LanguageModel, Transformer
from lib.positions import sinusoidal_positions
from lib.tokens import tokenise
from tests.checks.bank import BANK, softmax
from tests.checks.bank.page_07_module import Parts, layer

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


def test_new_sentences_show_what_one_sentence_hides():
    """Divided by d_k, and not by its root, the sentence survives, and few others do."""

    def too_flat(X, memory, W_Q, W_K, W_V, W_O, heads):
        d_k = W_Q.shape[1] / heads
        return my_multi_head(X, memory, W_Q / np.sqrt(d_k), W_K, W_V, W_O, heads)

    assert new_ones_right(french(), 6, multi_head=my_multi_head) == "6 of 6 new sentences"
    right, _, count = new_ones_right(french(), 6, multi_head=too_flat).partition(" of ")
    assert int(right) < 6 and count == "6 new sentences"


def test_where_there_is_no_french_no_sentence_is_counted():
    said = new_ones_right(french(), 6, multi_head=lambda *parts: None)
    assert said == translation_by(french(), tokenise(TIRED), multi_head=lambda *parts: None)


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


def squares(scores):
    return scores**2 / (scores**2).sum(-1, keepdims=True)


def powers_alone(scores):
    return np.exp(scores)


def powers_of_ten(scores):
    powers = 10.0 ** (scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize(
    "adjective, undivided", [("tired", "A très le il souris."), ("wide", "A têtue large.")]
)
def test_a_softmax_shares_out_every_look_and_spoiled_ones_say_what_page_2_tells(
    adjective, undivided
):
    words = tokenise(TIRED.replace("tired", adjective))
    wanted = french().translate(words).text
    assert translation_by(french(), words, softmax=softmax) == wanted
    assert translation_by(french(), words, softmax=powers_of_ten) == wanted
    assert translation_by(french(), words, softmax=squares) == "L'animal n'a pas traversé la rue."
    assert translation_by(french(), words, softmax=powers_alone) == undivided
    said = translation_by(french(), words, softmax=lambda scores: scores[0])
    assert said == "✗ Not yet: the result is shape (11,); expected (11, 11)."


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


def test_an_embedding_without_positions_writes_what_page_6_tells():
    french = saved.load("french")
    for adjective in ("tired", "wide"):
        words = tokenise(TIRED.replace("tired", adjective))
        text = translation_by(french, words, embedding=lambda ids, table: 8 * table[ids])
        assert text.startswith("L'animal n'a pas traversé l'animal parce qu")


def test_places_from_1_do_not_disturb_these_sentences():
    def from_1(ids, table):
        return 8 * table[ids] + sinusoidal_positions(ids.shape[1] + 1, 64)[1:]

    assert of_page_0(embedding=from_1) == as_before()


def test_a_translation_without_a_word_is_a_sentence():
    def without_root(ids, table):
        return table[ids] + sinusoidal_positions(ids.shape[1], 64)

    assert translation_by(french(), tokenise(TIRED), embedding=without_root).startswith("(not one")


class Layer(Parts):
    """The answer of page 7, and what it says of spoiled ones."""

    def forward(self, x):
        x = x + self.look(self.norm_1(x))
        return x + self.think(self.norm_2(x))


class PostNorm(Parts):
    def forward(self, x):
        x = self.norm_1(x + self.look(x))
        return self.norm_2(x + self.think(x))


class WithoutFirstPath(Layer):
    def forward(self, x):
        x = self.look(self.norm_1(x))
        return x + self.think(self.norm_2(x))


class WithoutAttention(Layer):
    def look(self, x):
        return 0


class WithoutReLU(Layer):
    def think(self, x):
        return self.outer(self.inner(x))


def test_spoiled_layers_say_what_page_7_tells_of_them():
    assert of_page_0(encoder_layer=Layer) == as_before()
    assert of_page_0(encoder_layer=PostNorm) == as_before()
    avenue = "L'avenue l'avenue l'avenue l'avenue l'avenue l'encombrée."
    assert of_page_0(encoder_layer=WithoutFirstPath) == [avenue, avenue]
    for spoiled in (WithoutAttention, WithoutReLU):
        tired, wide = of_page_0(encoder_layer=spoiled)
        assert "qu'il était trop fatigué" in tired and "qu'il était trop large" in wide


def test_all_parts_can_be_the_readers_at_once():
    parts = {"embedding": my_embedding, "multi_head": my_multi_head, "encoder_layer": Layer}
    assert of_page_0(**parts) == as_before()


class WrongShape(Layer):
    def forward(self, x):
        return self.inner(x)


@pytest.mark.parametrize(
    "part, answer, sentence",
    [
        ("embedding", lambda ids, table: ..., "nothing yet"),
        ("embedding", lambda ids, table: table[ids[0]], "shape (11, 64); expected (1, 11, 64)"),
        ("embedding", lambda ids: ids, "called with (ids, table)"),
        ("embedding", lambda ids, table: table[ids] * np.nan, "holds NaN"),
        ("encoder_layer", torch.nn.Module, "your class is not written yet"),
        ("encoder_layer", 3, "takes your class, not int"),
        ("encoder_layer", Parts, 'missing the required "forward" function'),
        ("encoder_layer", WrongShape, "shape (1, 11, 256); expected (1, 11, 64)"),
    ],
)
def test_parts_that_are_not_written_yet_are_a_sentence(part, answer, sentence):
    said = translation_by(told(), tokenise(TIRED), **{part: answer})
    assert said.startswith("✗ Not yet: ") and sentence in said


def test_the_encoder_layers_check_knows_which_norm_comes_first():
    told_by_bank = [norms_change_places(answer) for (answer,) in BANK["encoder_layer"].right]
    assert told_by_bank[:2] == [False, True]


@pytest.mark.parametrize(
    "answer, said",
    [
        (Layer, "your layer"),
        (PostNorm, "until yours is right"),
        (lambda *sizes: TransformerEncoderLayer(*sizes, norm_first=True), "until yours is right"),
        (
            lambda *sizes: TransformerEncoderLayer(*sizes, batch_first=True, norm_first=True),
            "has no self.weights = Weights()",
        ),
    ],
)
def test_the_layer_that_is_trained_on_page_7_says_whose_it_is(answer, said, capsys):
    chosen = layer_to_train(answer, EncoderLayer)
    assert said in capsys.readouterr().out
    assert chosen is (answer if said == "your layer" else EncoderLayer)


def one_head_alone(self, x):
    """Right for several heads; a single one is taken for no axis at all."""
    h, maps = self.norm_1(x), self.attention
    q, k, v = (p(h).unflatten(-1, (maps.heads, -1)) for p in (maps.query, maps.key, maps.value))
    q, k, v = (each.transpose(1, 2).squeeze(1) for each in (q, k, v))  # (B, H, T, d_k)
    found = maps.weights((q @ k.mT * maps.scale).softmax(-1)) @ v
    x = x + maps.output(found.transpose(1, 2).flatten(2))
    return x + self.think(self.norm_2(x))


def test_a_layer_that_cannot_be_trained_as_page_7_does_is_not_taken(capsys):
    answer = layer(one_head_alone)
    assert checks.encoder_layer(answer).ok
    assert layer_to_train(answer, EncoderLayer) is EncoderLayer
    assert "yours is right, but with one head it cannot learn: " in capsys.readouterr().out


def test_a_layer_that_cuts_what_comes_before_it_off_cannot_learn():
    answer = layer(lambda self, x: forward.solution(self, x.detach()))
    assert "no gradient reaches what comes before the layer" in checks.encoder_layer(answer).message


def test_a_translation_leaves_the_readers_random_numbers_as_they_are():
    translator = french()  # making a model draws numbers
    before = torch.get_rng_state()
    (answer,) = BANK["encoder_layer"].right[0]
    translation_by(translator, tokenise(TIRED), encoder_layer=answer)
    layer_to_train(answer, EncoderLayer)
    assert torch.equal(torch.get_rng_state(), before)


def arrays_alone(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x.copy()
    h += look(norm_1(h))
    h += ask(norm_2(h), memory)
    return h + think(norm_3(h))


def test_a_decoder_layer_for_arrays_alone_is_watched_at_work():
    """As in page 8's stepper."""
    assert checks.decoder_layer(arrays_alone).ok
    model = french().model
    memory = model.encode(torch.tensor([[4, 5, 6]])).detach()
    target = torch.tensor([[1, 7]])
    wanted = model.decode(target, memory)
    with torch.no_grad(), looking(model) as maps, dropped_in(model, decoder_layer=arrays_alone):
        found = model.decode(target, memory)
    assert torch.allclose(found, wanted, atol=1e-4)
    assert maps["decoder"][0].shape[-2:] == (2, 2) and maps["cross"][0].shape[-2:] == (2, 3)


@pytest.mark.parametrize("error", [RuntimeError("no four"), SystemExit()])
def test_a_layer_that_cannot_be_made_as_large_as_the_models_is_a_sentence(error):
    class NoFourHeads(Layer):
        def __init__(self, d_model, heads, d_ff):
            if heads == 4:
                raise error
            super().__init__(d_model, heads, d_ff)

    said = translation_by(french(), tokenise(TIRED), encoder_layer=NoFourHeads)
    kind = type(error).__name__
    assert said.startswith(
        f"✗ Not yet: making your layer with d_model=64, heads=4, d_ff=256 stopped with {kind}"
    )
