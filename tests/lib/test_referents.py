"""Page 11's double dissociation, on the models that the course ships."""

import pytest
import torch

from lib import corpus, saved
from lib.interventions import Cut, looking
from lib.saved.referents import CUTS, place_of, referents

HABIT = 0.6  # a pronoun that is written without its evidence is right in about half of them


@pytest.fixture(scope="module")
def french():
    return referents(corpus.make("French"))


@torch.no_grad()
def written_after(name, sentences, place):
    """The numbers of the pronouns that a model writes when their row cannot look at a word."""
    cut = Cut("cross", query=sentences.row, key=getattr(sentences, place))
    return sentences.answers(saved.load(name).model, cut)


def right_after(name, sentences, place):
    return (written_after(name, sentences, place) == sentences.right).float().mean()


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
    sentences, twins = french
    assert right_after(name, sentences, needed) < HABIT
    assert right_after(name, sentences, other) > 0.99
    with_twins_adjective = written_after(name, twins, needed)
    assert torch.equal(written_after(name, sentences, needed), with_twins_adjective)


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
    words = sentences.answers(model, states=states)
    assert (words == sentences.wrong).float().mean() > 0.95


@torch.no_grad()
def test_without_the_adjective_it_is_the_place_every_time(french):
    """Half of the pronouns are right, but no coin is tossed."""
    sentences, _ = french
    source, _, _ = sentences.take()
    words = corpus.make("French").english.words
    model = saved.load("french").model
    cut = Cut("cross", query=sentences.row, key=sentences.adjective)
    right = (sentences.answers(model, cut) == sentences.right).tolist()
    for each, word in zip(right, source[sentences.number, sentences.adjective], strict=True):
        assert each == (words[word] not in corpus.ANIMAL_ADJECTIVES)


@torch.no_grad()
def test_the_needed_look_is_in_one_head_and_thick_where_it_is_needed(french):
    sentences, _ = french
    source, mask, target = sentences.take()
    is_elle = torch.tensor([group == "elle" for group in sentences.group])
    model = saved.load("french_gloss").model
    with looking(model) as maps:
        model(source, target[:, :-1], mask)
    rows = maps["cross"][0][sentences.number, :, sentences.row]  # (N, H, S)
    weights = rows[sentences.number, :, sentences.it]  # (N, H)
    head = int(weights[is_elle].mean(0).argmax())
    assert weights[is_elle, head].mean() > 0.6 and weights[~is_elle, head].mean() < 0.2
    for number in range(4):
        cut = Cut("cross", head=number, query=sentences.row, key=sentences.it)
        right = sentences.answers(model, cut) == sentences.right
        assert right[~is_elle].all()
        assert not right[is_elle].any() if number == head else right[is_elle].all()


@torch.no_grad()
def test_the_gloss_alone_makes_the_look_twice(french):
    sentences, _ = french
    model = saved.load("french_gloss_only").model
    it = {"part": "encoder", "query": sentences.it, "key": sentences.noun}
    in_one_layer = [sentences.share_right(model, Cut(layer=layer, **it)) for layer in (0, 1)]
    in_both = sentences.share_right(model, Cut(**it))
    assert in_one_layer[0] > 0.9
    assert in_both < HABIT < min(in_one_layer)
    assert in_both < min(in_one_layer) - 0.2


@pytest.mark.parametrize(
    "name, cut, pronouns",
    [
        ("french", "the pronoun’s look at the adjective", ["elle", "elle"]),
        ("french", "the pronoun’s look at “it”", ["il", "elle"]),
        ("french_gloss", "the look of “it” at its noun", ["elle", "il"]),
        ("french_gloss", "the pronoun’s look at “it”", ["il", "il"]),
    ],
)
def test_each_cut_of_the_sentence_changes_what_it_should(name, cut, pronouns):
    translator, written = saved.load(name), []
    for adjective in ("tired", "wide"):
        words = f"the animal didn't cross the street because it was too {adjective}".split()
        changes = CUTS[cut](translator.translate(words))
        told = translator.translate(words, changes=changes)
        written.append(told.target[place_of(told.target, "il", "elle")])
    assert written == pronouns


def test_a_cut_of_a_word_that_is_not_there_says_so():
    told = saved.load("french").translate("the dog saw the cat".split())
    with pytest.raises(ValueError, match="no “it”"):
        CUTS["the look of “it” at its noun"](told)


def test_sentences_are_told_apart_by_what_it_stands_for(french):
    sentences, twins = french
    assert set(sentences.kind) == {"animal", "place"}
    assert all(one != other for one, other in zip(sentences.kind, twins.kind, strict=True))


def test_groups_part_all_sentences_and_each_has_its_share(french):
    sentences, _ = french
    model = saved.load("french").model
    groups = sentences.groups()
    for one, other in (("animals", "places"), ("il", "elle")):
        assert (groups[one] ^ groups[other]).all() and groups[one].any() and groups[other].any()
    cut = Cut("cross", query=sentences.row, key=sentences.adjective)
    shares = dict(zip(groups, sentences.right_after(model, cut), strict=True))
    right = sentences.is_right(model, cut)
    assert shares["all"] == right.mean() < 1
    assert shares["elle"] == right[groups["elle"]].mean()
