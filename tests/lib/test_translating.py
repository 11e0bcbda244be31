"""A translator's words, probabilities and maps against the model's own passes."""

import numpy as np
import pytest
import torch

from lib.decoding import LONGEST, beam, greedy
from lib.interventions import Cut, looking
from lib.tokens import END, START_ID
from lib.training import Sentences, exact, written_right
from tests.lib.small_models import half_trained, material, sources, translator


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


def test_a_sentence_counts_as_written_right_if_every_word_of_it_is():
    model, batch = half_trained(), Sentences(material().train, material())
    wanted = []
    for sentence in material().train:
        said = translator().translate(list(sentence.english))
        wanted.append(said.target == [*sentence.target, END])
    assert 0 < sum(wanted) < len(wanted)
    for at_once in (1, 3, 100):
        assert written_right(model, batch, at_once).tolist() == wanted
