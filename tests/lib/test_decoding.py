"""From scores to words: greedy, beams, sampling, the cache, each against a second way to them."""

import itertools
from copy import copy
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from lib.corpus import join, make
from lib.decoding import (
    LONGEST,
    KeyValueCache,
    TranslationModel,
    WritingModel,
    beam,
    generate,
    greedy,
)
from lib.interventions import Cut, Swap, looking
from lib.modules import LanguageModel, Transformer
from lib.sampling import sample
from lib.tokens import END, END_ID, START_ID
from lib.training import Recipe, Run, Sentences, Translating, exact, fit

COUNT = 24


@cache
def material():
    corpus = make(count=60, held_out=2)
    return replace(corpus, train=corpus.train[:COUNT])


@cache
def half_trained():
    """A Transformer that knows about half of its training sentences by heart."""
    torch.manual_seed(0)
    words, recipe = material(), Recipe(steps=100, batch=16, rate=2e-2, warm_up=10, every=50)
    model = Transformer(
        len(words.english), len(words.target), 16, 2, 2, 2, 32, dropout=0.1, encoder_heads=[4, 1]
    )
    next(fit(Run(model, Translating(words), recipe)))
    return model


@cache
def translator():
    return TranslationModel(half_trained(), material().english, material().target, "French", join)


@cache
def writer():
    torch.manual_seed(0)
    return WritingModel(LanguageModel(len(material().english), 16, 2, 2, 32), material().english)


def rows():
    """(source, its mask, the words wanted) of all training sentences in one padded batch."""
    source, mask, target, _ = Sentences(material().train, material()).take(range(COUNT))
    assert len(set(mask.sum((1, 2)).tolist())) > 2
    return source, mask, [[word for word in row[1:] if word] for row in target.tolist()]


def sources():
    return [
        torch.tensor([material().english.encode(sentence.english)]) for sentence in material().train
    ]


def prompt(count):
    return material().train[0].english[:count]


class Table:
    """In place of a Transformer: the next word's scores are looked up by the words before it."""

    def __init__(self, scores):
        self.scores, self.asked = scores, 0  # scores(words after START) -> (words,)

    def encode(self, source, source_mask=None):
        return torch.zeros(len(source), 1, 1)

    def decode(self, target, memory, source_mask=None):
        assert memory.shape == (len(target), 1, 1)
        self.asked += 1
        last = [self.scores(tuple(words[1:])) for words in target.tolist()]
        logits = torch.full(
            (*target.shape, len(last[0])), float("nan")
        )  # only the last row is to be read
        logits[:, -1] = torch.tensor(np.array(last, np.float32))
        return logits


@cache
def drawn(words):
    return np.random.default_rng([len(words), *words]).normal(size=5) * 2


SOURCE = torch.zeros(1, 1, dtype=torch.long)


# -- greedy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        (),
        Cut("encoder", layer=1, head=0),
        [
            Cut("encoder", query=[n % 5 for n in range(COUNT)], layer=0),
            Cut("cross", layer=1, head=1),
        ],
        [Cut("cross", query=2)],
        [Cut("decoder", query=3, key=1), Cut("cross", key=1, layer=0)],
        [Swap("cross", query=3, key=1, other=4), Cut("decoder", key=2)],
    ],
    ids=str,
)
def test_what_is_right_when_taught_is_what_greedy_writes_without_a_mistake(changes):
    source, mask, wanted = rows()
    taught = exact(half_trained(), Sentences(material().train, material()), changes).tolist()
    written = greedy(half_trained(), source, mask, changes=changes)
    assert [words == its for words, its in zip(written, wanted, strict=True)] == taught
    assert True in taught and False in taught, "a test of both"


def test_a_padded_batch_is_written_as_its_sentences_one_by_one():
    source, mask, _ = rows()
    together = greedy(half_trained(), source, mask)
    assert together == [greedy(half_trained(), each)[0] for each in sources()]
    assert len({len(words) for words in together}) > 2


def test_greedy_ends_with_the_end_token_or_after_the_longest():
    source, mask, _ = rows()
    for words in greedy(half_trained(), source, mask):
        assert words.index(END_ID) == len(words) - 1 < LONGEST
    short = greedy(half_trained(), source, mask, longest=4)
    assert short == [words[:4] for words in greedy(half_trained(), source, mask)]
    never = Table(lambda words: [0, 0, -9, 1, 0])
    assert greedy(never, torch.zeros(2, 1, dtype=torch.long)) == [[3] * LONGEST] * 2
    at_once = Table(lambda words: [0, 0, 9, 1, 0])
    assert greedy(at_once, SOURCE) == [[END_ID]] and at_once.asked == 1


# -- beams ----------------------------------------------------------------------------------------


def all_sentences(longest, penalty):
    """Every way to reach END within ``longest`` of five words, best first, by definition."""
    found = []
    for length in range(1, longest + 1):
        for words in itertools.product([0, 1, 3, 4], repeat=length - 1):
            words, total = [*words, END_ID], 0
            for t, word in enumerate(words):
                scores = drawn(tuple(words[:t]))
                total += scores[word] - np.log(np.exp(scores).sum())
            found.append((total / ((5 + length) / 6) ** penalty, words))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("penalty", [0, 0.6, 2])
def test_a_beam_that_is_wide_enough_finds_every_sentence(penalty):
    wanted = all_sentences(4, penalty)
    found = beam(Table(drawn), SOURCE, width=1000, longest=4, penalty=penalty)
    assert [words for _, words in found] == [words for _, words in wanted]
    np.testing.assert_allclose(
        [score for score, _ in found], [score for score, _ in wanted], rtol=1e-5
    )


def test_two_beginnings_find_what_one_misses():
    """0.6 * 0.5 for the word that seems best, 0.4 * 0.9 for the other."""
    shares = {(): [0, 0, 0, 0.6, 0.4], (3,): [0, 0, 0.5, 0.3, 0.2], (4,): [0, 0, 0.9, 0.1, 0]}
    table = Table(lambda words: np.log(np.maximum(shares.get(words, [0, 0, 1, 0, 0]), 1e-30)))
    assert greedy(table, SOURCE) == [[3, END_ID]]
    (score, words), *_ = beam(table, SOURCE, width=2, penalty=0)
    assert words == [4, END_ID] and score == pytest.approx(np.log(0.36), rel=1e-5)


def test_one_beginning_is_greedy():
    for source in sources():
        ((_, words),) = beam(half_trained(), source, width=1)
        assert words == greedy(half_trained(), source)[0]
        ((_, words),) = beam(half_trained(), source, width=1, changes=Cut("cross", query=2))
        assert words == greedy(half_trained(), source, changes=Cut("cross", query=2))[0]


@torch.no_grad()
def log_probability(source, words):
    """Of a whole sentence, in one pass."""
    log = half_trained()(source, torch.tensor([[START_ID, *words[:-1]]]))[0].log_softmax(-1)
    return log[range(len(words)), words].sum().item()


@pytest.mark.parametrize("penalty", [0, 0.6])
def test_beams_are_sorted_say_their_probability_and_beat_greedy(penalty):
    different = 0
    for source in sources():
        found = beam(half_trained(), source, width=4, penalty=penalty)
        scores = [score for score, _ in found]
        assert scores == sorted(scores, reverse=True)
        assert 4 <= len({tuple(words) for _, words in found}) == len(found) < 8, (
            "it ends when four are finished"
        )
        for score, words in found:
            assert words.index(END_ID) == len(words) - 1
            by_hand = log_probability(source, words) / ((5 + len(words)) / 6) ** penalty
            assert score == pytest.approx(by_hand, rel=1e-4, abs=1e-4)
        (single,) = greedy(half_trained(), source)
        assert (
            scores[0] >= log_probability(source, single) / ((5 + len(single)) / 6) ** penalty - 1e-4
        )
        different += found[0][1] != single
    assert different, "a test of more than greedy"


def test_beams_without_an_end_stop_at_the_longest():
    never = Table(lambda words: [0, 0, -50, 1, 0.5])
    found = beam(never, SOURCE, width=3, longest=5)
    assert [len(words) for _, words in found] == [5] * 3 and found[0][1] == [3] * 5


def test_a_beam_without_width_is_refused():
    with pytest.raises(ValueError, match="width = 0; expected at least 1"):
        beam(half_trained(), sources()[0], width=0)
    with pytest.raises(ValueError, match="width = 0"):
        translator().translate(["the", "dog"], beams=0)


def test_a_beam_takes_one_sentence():
    with pytest.raises(ValueError, match=r"source \(2, 3\); expected \(1, S\), one sentence"):
        beam(half_trained(), torch.full((2, 3), 5))


def test_changes_of_absent_parts_and_places_are_refused():
    with pytest.raises(ValueError, match="part = 'self'"):
        greedy(half_trained(), sources()[0], changes=Cut("self"))
    with pytest.raises(ValueError, match="head = 9 for weights"):
        translator().translate(prompt(4), Cut("cross", head=9))
    with pytest.raises(ValueError, match=r"query=\[1, 2\].*expected one position for all"):
        greedy(half_trained(), sources()[0], changes=Cut("cross", query=[1, 2]))


# -- a language model writes ----------------------------------------------------------------------


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
    kept, logits = KeyValueCache(model), []
    with torch.no_grad():
        for piece in tokens.split(pieces, 1):
            logits.append(kept.extend(piece))
        torch.testing.assert_close(torch.cat(logits, 1), model(tokens))
    assert (kept.length, kept.batch, hooks(model)) == (9, 2, 0)


@torch.no_grad()
def test_a_copy_of_a_cache_goes_on_from_the_same_place():
    kept = KeyValueCache(writer().model)
    kept.extend(torch.tensor([[START_ID, 5]]))
    one, other = copy(kept), copy(kept)
    assert torch.equal(one.extend(torch.tensor([[6]])), other.extend(torch.tensor([[6]])))
    assert (kept.length, one.length) == (2, 3)


@torch.no_grad()
def test_a_cache_keeps_nothing_of_a_run_that_fails():
    kept = KeyValueCache(writer().model)
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
        KeyValueCache(half_trained())


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


# -- a translator ---------------------------------------------------------------------------------


@pytest.mark.parametrize("beams", [1, 3])
def test_a_translation_tells_which_row_wrote_each_word(beams):
    """By hand: word t is written by the row whose input is the word before, START for the first."""
    model, sentence = half_trained(), material().train[1]
    said = translator().translate(list(sentence.english), beams=beams)
    ids = [material().target.words.index(word) for word in said.target]
    S, T = len(sentence.english), len(ids)
    assert said.source == list(sentence.english) and said.target[-1] == END and T > 3
    with torch.no_grad():
        source = torch.tensor([material().english.encode(sentence.english)])
        for t in range(T):
            before = torch.tensor([[START_ID, *ids[:t]]])
            with looking(model) as maps:
                logits = model(source, before)
            share = logits[0, -1].softmax(-1)[ids[t]].item()
            assert said.probabilities[t] == pytest.approx(share, abs=1e-5)
            for layer in range(2):
                np.testing.assert_allclose(
                    said.cross[layer][:, t], maps["cross"][layer][0, :, -1], atol=1e-5
                )
                own = maps["decoder"][layer][0, :, -1]
                np.testing.assert_allclose(said.decoder[layer][:, t, : t + 1], own, atol=1e-5)
                assert not said.decoder[layer][:, t, t + 1 :].any()
                np.testing.assert_allclose(
                    said.encoder[layer], maps["encoder"][layer][0], atol=1e-5
                )
    shapes = [
        [weights.shape for weights in layers] for layers in (said.encoder, said.decoder, said.cross)
    ]
    assert shapes == [[(4, S, S), (1, S, S)], [(2, T, T)] * 2, [(2, T, S)] * 2]
    assert len(said.probabilities) == T


def test_a_translation_is_what_greedy_and_beam_write():
    for sentence, source in zip(material().train, sources(), strict=True):
        for beams, words in (
            (1, greedy(half_trained(), source)[0]),
            (3, beam(half_trained(), source, 3)[0][1]),
        ):
            said = translator().translate(list(sentence.english), beams=beams)
            assert said.target == [material().target.words[word] for word in words]


def test_a_translation_can_be_read():
    known = exact(half_trained(), Sentences(material().train, material())).tolist().index(True)
    sentence = material().train[known]
    said = translator().translate([sentence.english[0].upper(), *sentence.english[1:]])
    assert said.target == [*sentence.target, END]
    assert (
        said.text[0].isupper()
        and said.text[-1] == "."
        and "' " not in said.text
        and "<" not in said.text
    )


@pytest.mark.parametrize("beams", [1, 3])
def test_changes_take_effect_and_the_maps_show_them(beams):
    tokens = list(material().train[0].english)
    plain = translator().translate(tokens, beams=beams)
    changes = [
        Cut("encoder", layer=0, query=2, key=1),
        Cut("cross", query=1, key=4),
        Cut("decoder", head=1, layer=1),
        Cut("cross", query=LONGEST + 9),
    ]
    cut = translator().translate(tokens, changes, beams)
    assert all((layer[:, 1, 4] == 0).all() for layer in cut.cross)
    assert (cut.encoder[0][:, 2, 1] == 0).all() and (plain.encoder[0][:, 2, 1] > 0).all()
    assert (cut.decoder[1][1] == 0).all() and (plain.decoder[1][1].sum(-1) > 0.99).all()
    assert (cut.target, cut.probabilities) != (plain.target, plain.probabilities)
    one = translator().translate(tokens, changes[0], beams)
    assert (one.encoder[0][:, 2, 1] == 0).all(), "a single change needs no list"
    assert translator().translate(tokens, beams=beams).probabilities == plain.probabilities, (
        "nothing is left behind"
    )


def test_translating_needs_known_words():
    with pytest.raises(ValueError, match="no word to translate"):
        translator().translate([])
    with pytest.raises(ValueError, match="I do not know 'elephant'"):
        translator().translate(["the", "elephant"])
    with pytest.raises(ValueError, match="a list of words"):
        translator().translate("the dog")
