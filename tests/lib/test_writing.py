"""A language model writes: with and without its cache, to an end, the same for a seed."""

from copy import copy

import numpy as np
import pytest
import torch

from lib.decoding import LONGEST, CachedModel, generate
from lib.sampling import sample
from lib.tokens import END, END_ID, START_ID
from tests.lib.small_models import half_trained, material, prompt, writer

# -- the cache -------------------------------------------------------------------------------------


def heard(model, tokens, cache, longest=12):
    """(words, scores) of ``generate`` when the second best word but END is chosen every time."""
    scores = []

    def choose(row):
        scores.append(row.copy())
        return [word for word in np.argsort(row) if word != END_ID][-2]

    return list(generate(model, tokens, choose, longest, cache)), np.array(scores)


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_the_cache_changes_nothing_but_the_time(length):
    model = writer().model
    tokens = [START_ID, *material().english.encode(prompt(length - 1))]
    words, scores = heard(model, tokens, cache=True)
    again, recomputed = heard(model, tokens, cache=False)
    assert words == again and len(words) == 12
    np.testing.assert_allclose(scores, recomputed, atol=1e-5)
    with torch.no_grad():  # and both are those of the last place of the whole text
        logits = model(torch.tensor([[*tokens, *words[:-1]]]))[0, len(tokens) - 1 :]
    np.testing.assert_allclose(scores, logits.numpy(), atol=1e-5)


def test_with_the_cache_every_word_goes_through_the_model_once():
    model, lengths = writer().model, []
    with model.tokens.register_forward_hook(
        lambda module, given, output: lengths.append(output.shape[1])
    ):
        heard(model, [START_ID, 5, 6], cache=True, longest=4)
        heard(model, [START_ID, 5, 6], cache=False, longest=4)
    assert lengths == [3, 1, 1, 1] + [3, 4, 5, 6]


def hooks(model):
    """How many hooks are attached to the model and its parts."""
    return sum(len(module._forward_hooks) for module in model.modules())


@pytest.mark.parametrize("cache", [True, False])
def test_a_text_that_is_left_unfinished_changes_nobody_elses(cache):
    model, tokens = writer().model, torch.tensor([[START_ID, 5, 6]])
    with torch.no_grad():
        wanted = model(tokens)
    text = generate(model, [START_ID, 7, 8], lambda scores: 9, cache=cache)
    assert next(text) == 9 and hooks(model) == 0
    with torch.no_grad():
        assert torch.equal(model(tokens), wanted)
    assert next(text) == 9
    text.close()


@pytest.mark.parametrize("pieces", [[9], [3, 6], [1] * 9, [2, 1, 4, 2]])
def test_a_cache_goes_on_piece_by_piece(pieces):
    model = writer().model
    tokens = torch.randint(3, 20, (2, 9), generator=torch.Generator().manual_seed(0))
    kept, logits = CachedModel(model), []
    with torch.no_grad():
        for piece in tokens.split(pieces, 1):
            logits.append(kept.extend(piece))
        torch.testing.assert_close(torch.cat(logits, 1), model(tokens))
    assert (kept.length, kept.batch, hooks(model)) == (9, 2, 0)


@torch.no_grad()
def test_a_copy_of_a_cache_goes_on_from_the_same_place():
    kept = CachedModel(writer().model)
    kept.extend(torch.tensor([[START_ID, 5]]))
    one, other = copy(kept), copy(kept)
    assert torch.equal(one.extend(torch.tensor([[6]])), other.extend(torch.tensor([[6]])))
    assert (kept.length, one.length) == (2, 3)


@torch.no_grad()
def test_a_cache_keeps_nothing_of_a_run_that_fails():
    kept = CachedModel(writer().model)
    assert kept.length == kept.batch == 0
    kept.extend(torch.tensor([[START_ID, 5]]))
    before = copy(kept)
    for wrong, sentence in (
        (torch.tensor([[10_000]]), "tokens from 10000 to 10000; expected whole numbers"),
        (torch.tensor([[5], [6]]), "2 sequences; this cache holds tokens of 1"),
        (torch.full((1, 511), 5), r"tokens \(1, 511\) after 2 others"),
    ):
        with pytest.raises(ValueError, match=sentence):
            kept.extend(wrong)
    assert kept.length == 2 and hooks(kept.model) == 0
    assert torch.equal(kept.extend(torch.tensor([[6]])), before.extend(torch.tensor([[6]])))


def test_a_cache_is_for_a_language_model():
    with pytest.raises(ValueError, match="Transformer: a key-value cache needs a LanguageModel"):
        CachedModel(half_trained())


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cache", [True, False])
def test_a_text_begins_with_something(cache):
    with pytest.raises(ValueError, match=r"no token to begin with; expected at least .START_ID."):
        next(generate(writer().model, [], lambda scores: 7, cache=cache))


@pytest.mark.parametrize("cache", [True, False])
def test_generation_ends_with_the_end_token_or_after_the_longest(cache):
    plan = iter([7, 8, END_ID, 9])
    assert list(generate(writer().model, [START_ID], lambda scores: next(plan), cache=cache)) == [
        7,
        8,
        END_ID,
    ]
    assert (
        list(generate(writer().model, [START_ID], lambda scores: 7, longest=5, cache=cache))
        == [7] * 5
    )


def test_a_writer_scores_the_next_word():
    scores = writer().scores(prompt(3))
    assert scores.shape == (len(writer().words),) and writer().words == material().english.words
    words, rows = heard(
        writer().model, [START_ID, *material().english.encode(prompt(3))], True, longest=1
    )
    np.testing.assert_allclose(scores, rows[0], atol=1e-6)
    assert writer().scores([]).shape == scores.shape


def test_a_writer_draws_the_same_for_the_same_seed():
    texts = [writer().write(prompt(2), seed=seed) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    one_by_one, random = [], np.random.default_rng(1)
    while len(one_by_one) < len(texts[0]):
        scores = writer().scores([*prompt(2), *one_by_one])
        one_by_one.append(writer().words[sample(scores, random=random)])
    assert texts[0] == one_by_one
    assert writer().write(prompt(2), longest=3, seed=1) == texts[0][:3]
    assert END not in texts[0][:-1] and len(texts[0]) <= LONGEST


def test_a_writer_hands_on_how_to_sample():
    top = writer().write(top_k=1, longest=6)
    assert (
        top
        == writer().write(top_p=1e-9, longest=6)
        == writer().write(temperature=1e-6, longest=6, seed=7)
    )
    assert top[0] == writer().words[int(writer().scores([]).argmax())]
    with pytest.raises(ValueError, match="temperature = 0"):
        writer().write(temperature=0)


@pytest.mark.parametrize(
    "asked", [lambda words: writer().scores(words), lambda words: writer().write(words)]
)
def test_words_that_a_writer_does_not_know_are_named(asked):
    with pytest.raises(ValueError, match="I do not know 'dgo'.\nDid you mean 'dog'"):
        asked(["the", "dgo"])
