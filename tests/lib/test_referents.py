"""Page 11's double dissociation, on the models that the course ships."""

import pytest
import torch

from lib import corpus, saved
from lib.interventions import Cut
from lib.saved.referents import referents

HABIT = 0.6  # a pronoun that is written without its evidence is right in about half of them


@pytest.fixture(scope="module")
def french():
    return referents(corpus.make("French"))


@torch.no_grad()
def right_after(name, sentences, place):
    """The share of pronouns that are right when their row cannot look at a word."""
    cut = Cut("cross", query=sentences.key, key=getattr(sentences, place))
    return sentences.key_right(saved.load(name).model, cut)


def test_a_twin_is_the_same_sentence_with_the_other_pronoun(french):
    sentences, twins = french
    assert len(sentences) == len(twins) > 400
    assert sentences.it == twins.it and sentences.noun == twins.other
    assert torch.equal(sentences.right, twins.wrong)


@pytest.mark.parametrize(
    "name, needed, other",
    [
        ("french", "adjective", "it"),
        ("french_gloss", "it", "adjective"),
        ("french_gloss_only", "it", "adjective"),
    ],
)
def test_each_cut_breaks_one_model_and_leaves_the_other(french, name, needed, other):
    sentences, _ = french
    assert right_after(name, sentences, needed) < HABIT
    assert right_after(name, sentences, other) > 0.99


@pytest.mark.parametrize(
    "name, place", [("french", "adjective"), ("french_gloss", "it"), ("french_gloss_only", "it")]
)
@torch.no_grad()
def test_the_twins_vector_brings_the_twins_pronoun(french, name, place):
    sentences, twins = french
    model = saved.load(name).model
    places = getattr(sentences, place)
    states = sentences.states(model)
    states[sentences.number, places] = twins.states(model)[sentences.number, places]
    words = sentences.key_words(model, states=states)
    assert (words == sentences.wrong).float().mean() > 0.95


@torch.no_grad()
def test_the_gloss_alone_makes_the_look_twice(french):
    sentences, _ = french
    model = saved.load("french_gloss_only").model
    it = {"part": "encoder", "query": sentences.it, "key": sentences.noun}
    assert sentences.key_right(model, Cut(layer=0, **it)) > 0.9
    assert sentences.key_right(model, Cut(layer=1, **it)) > 0.9
    assert sentences.key_right(model, Cut(**it)) < HABIT
