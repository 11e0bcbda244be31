"""The reader's loop, masks, layer and step at work; what is spoiled shows."""

from functools import cache

import numpy as np
import pytest
import torch

from lib import checks, corpus, saved
from lib.checks.page_10 import STEP
from lib.checks.readers_code import translation_by
from lib.checks.readers_code.loops_and_steps import (
    greedy,
    one_step,
    reversed_by,
    right_after_cut,
    trained_by,
    translations_by,
    written_by,
)
from lib.masks import causal_mask, padding_mask
from lib.modules import Transformer
from lib.saved.referents import referents
from lib.tokens import tokenise
from lib.training import Sentences
from tests.checks.asking import assert_each_row_is_earned, assert_rows_differ, heard_by_right
from tests.checks.bank import BANK

TIRED = "The animal didn't cross the street because it was too tired."
PAIR = [tokenise(TIRED), tokenise(TIRED.replace("tired", "wide"))]
SHORT = tokenise("The dog saw the cat.")


@cache
def french():
    return saved.load("french")


def named(check, sentence):
    """The answers that the bank has under these words; if none, the stored ones that hear them."""
    wrong = BANK[check].wrong
    written = [answer for (answer,), part in wrong if part == sentence]
    return written or [answer for (answer,), part in wrong if sentence in part]


def test_every_sentence_about_a_step_is_earned_by_an_answer_of_the_bank():
    assert_each_row_is_earned("training_step", STEP.tables[0])


@pytest.mark.parametrize("place", range(len(STEP.judged)))
def test_rows_of_a_step_differ_from_right_and_from_each_other(place):
    assert_rows_differ(STEP.tables[place])


def test_a_check_of_a_step_leaves_random_numbers_as_they_were():
    torch.manual_seed(3)
    wanted = torch.rand(2)
    torch.manual_seed(3)
    heard_by_right.__wrapped__("training_step", 0)
    assert torch.equal(torch.rand(2), wanted)


# The loop that writes


def test_the_pages_loop_is_right():
    assert checks.greedy(greedy).ok and checks.training_step(one_step).ok


@pytest.mark.parametrize("place", range(len(BANK["greedy"].right)))
def test_every_right_loop_writes_what_the_model_writes(place):
    (answer,) = BANK["greedy"].right[place]
    for words in PAIR:
        assert written_by(french(), words, answer) == french().translate(words).text


@pytest.mark.parametrize(
    "mistake, text",
    [
        ("every word is the one that follows start", "L'l'l'"),
        ("it goes on after end", "<end> <end>"),
        ("decode got [2]; it takes all the words so far, start first", "L'animal n'a"),
        ("nothing yet; end it with return", "✗ Not yet: your function returns nothing yet"),
        ("the largest of the whole table", "✗ Not yet: your function stopped with"),
        (
            "decode got []; it takes all the words so far, start first",
            "✗ Not yet: your function stopped with",
        ),
    ],
)
def test_a_spoiled_loop_writes_nonsense_or_a_sentence(mistake, text):
    [answer] = named("greedy", mistake)
    written = written_by(french(), PAIR[0], answer)
    assert text in written and written != french().translate(PAIR[0]).text


def test_a_loop_that_writes_no_words_is_said():
    assert "not one word" in written_by(french(), SHORT, lambda decode, start, end, longest: [])
    text = written_by(french(), SHORT, lambda decode, start, end, longest: [3, 500])
    assert text.startswith("✗ Not yet: 500 is no word; the model knows 0 to ")


# The decoder's layer


@pytest.mark.parametrize("place", range(len(BANK["decoder_layer"].right)))
def test_every_right_layer_translates_as_the_model(place):
    (answer,) = BANK["decoder_layer"].right[place]
    for words in PAIR:
        text = translation_by(french(), words, decoder_layer=answer)
        assert text == french().translate(words).text


def test_a_spoiled_layer_translates_nonsense():
    post_norm = "this is post-norm, as in the paper; here each norm comes before its sub-layer."
    [answer] = named("decoder_layer", post_norm)
    text = translation_by(french(), PAIR[0], decoder_layer=answer)
    assert text != french().translate(PAIR[0]).text and "Not yet" not in text
    text = translation_by(french(), PAIR[0], decoder_layer=lambda x: x)
    assert text.startswith("✗ Not yet: your function is called with (x, memory")


# Masks


def everything(T):
    return np.ones((T, T), dtype=bool)


def strict(T):
    return np.tri(T, k=-1, dtype=bool)


def no_padding(lengths, S):
    return np.ones((len(lengths), 1, S), dtype=bool)


def test_right_masks_translate_a_batch_as_the_model():
    sentences = [*PAIR, SHORT]
    wanted = [french().translate(words).text for words in sentences]
    for (padding,) in BANK["padding_mask"].right:
        for (causal,) in BANK["causal_mask"].right:
            assert translations_by(french(), sentences, padding, causal) == wanted


def test_spoiled_masks_translate_otherwise():
    assert french().model.self_mask is causal_mask
    wanted = [french().translate(words).text for words in [*PAIR, SHORT]]
    cow = translations_by(french(), [*PAIR, SHORT], no_padding, causal_mask)
    assert cow[-1] == "Le chien a vu la vache." and wanted[-1] == "Le chien a vu le chat."
    assert translations_by(french(), PAIR, padding_mask, strict) != wanted[:2]
    assert translations_by(french(), PAIR, padding_mask, everything) == wanted[:2]
    assert french().model.self_mask is causal_mask


@pytest.mark.parametrize(
    "padding, causal, sentence",
    [
        (padding_mask, lambda T: ..., "nothing yet"),
        (lambda lengths, S: ..., causal_mask, "nothing yet"),
        (padding_mask, lambda T: np.ones((T, T + 1)), "expected (1, 1)"),
        (padding_mask, lambda T: np.where(causal_mask(T), 0, -np.inf), "expected True and False"),
        (lambda lengths, S: np.ones((2, S), bool), causal_mask, "expected (2, 1, 24) or"),
    ],
)
def test_masks_that_are_none_are_a_sentence(padding, causal, sentence):
    [text] = translations_by(french(), PAIR, padding, causal)
    assert text.startswith("✗ Not yet: ") and sentence in text


def test_a_leaky_mask_learns_to_cheat():
    honest, cheat = reversed_by(causal_mask), reversed_by(everything)
    assert "alone 9" in honest or "alone 100" in honest
    assert "taught 100%" in cheat and "alone 0 of 100" in cheat
    assert "✗ Not yet" in reversed_by(lambda T: ...)


# The step that trains


@cache
def material():
    return corpus.make("French")


def lines_of(step, steps):
    torch.manual_seed(0)
    sizes = dict(d_model=64, heads=4, encoder_layers=2, decoder_layers=1, d_ff=256, dropout=0.0)
    model = Transformer(len(material().english), len(material().target), **sizes)
    few = Sentences(material().train[:500], material())
    return list(trained_by(step, model, few, material(), steps))


def losses(lines):
    return [float(line.split()[3]) for line in lines]


def test_a_right_step_trains():
    lines = lines_of(one_step, 60)
    first, *_, last = losses(lines)
    assert len(lines) == 3 and first > 4.5 and last < 2.5
    assert lines[0].startswith("step   1   loss 4.") and lines[-1].startswith("step  60")


def test_spoiled_steps_are_told_by_what_they_do():
    [pile] = named("training_step", "gradients pile up")
    assert losses(lines_of(pile, 60))[-1] > 2.5
    still = named("training_step", "no parameter moves")[0]
    assert min(losses(lines_of(still, 30))) > 4.5
    copies = named("training_step", "it reads the very word that it has to write")[0]
    lines = lines_of(copies, 60)
    assert losses(lines)[-1] < 1.2 and "<start> <start>" in lines[-1]


def test_a_step_that_stops_is_a_sentence():
    [line] = lines_of(lambda *batch: ..., 5)
    assert (
        line == "✗ Not yet: your function returns nothing yet; end it with return and the result."
    )
    [line] = lines_of(lambda model: 0, 5)
    assert line.startswith("✗ Not yet: your step stopped with TypeError")


# The cut


@pytest.mark.parametrize(
    "sentence, text",
    [("no longer sums to 1", "0.77 right"), ("what all heads have together", "0.75 right")],
)
def test_a_careless_cut_changes_the_finding(sentence, text):
    sentences, _ = referents(material())
    for (answer,) in BANK["cut_arrow"].right:
        assert right_after_cut(answer, french(), sentences) == "0.52 right"
    wrong = named("cut_arrow", sentence)[0]
    assert right_after_cut(wrong, french(), sentences) == text


def test_a_cut_that_stops_is_a_sentence():
    sentences, _ = referents(material())
    text = right_after_cut(lambda weights, query, key: ..., french(), sentences)
    assert text.startswith("✗ Not yet: your function returns nothing yet")
