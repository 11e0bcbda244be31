"""Tasks: losses by hand, what is reported, what they need."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from lib.corpus import say
from lib.interventions import Cut
from lib.tokens import END_ID, PAD_ID, START_ID
from lib.training import Recipe, Run, Sentences, Translating, Writing, cross_entropy, exact, fit
from tests.lib.runs import (
    SHORT,
    language_model,
    material,
    numbers,
    transformer,
    translating,
    writing,
)

# -- losses by hand --------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.4])
def test_cross_entropy_is_the_definition(smoothing):
    draw = np.random.default_rng(0)
    logits, wanted = draw.normal(size=(2, 4, 7)), np.array([[3, 5, 2, 0], [6, 2, 0, 0]])
    log = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    aims = (1 - smoothing) * np.eye(7)[
        wanted
    ] + smoothing / 7  # P section 5.4: spread over all words
    losses = -(aims * log).sum(-1)[wanted != PAD_ID]
    assert len(losses) == 5
    ours = cross_entropy(torch.tensor(logits), torch.tensor(wanted), smoothing)
    assert ours.item() == pytest.approx(losses.mean(), rel=1e-12)


@pytest.mark.parametrize(
    "task, model", [(Translating, lambda: transformer(dropout=0.0)), (Writing, language_model)]
)
def test_padding_has_no_part_in_the_loss(task, model):
    """A batch's loss is the mean over the words of its sentences, as if each were alone."""
    task, model, recipe = task(material()), model().eval(), Recipe(smoothing=0.0)
    sentences = material().train
    words = [
        1 + len(s.target if isinstance(task, Translating) else s.english) for s in sentences[:9]
    ]  # and END
    assert len(set(words)) > 3
    alone = [task.loss(model, np.array([n]), recipe).item() for n in range(9)]
    together = task.loss(model, np.arange(9), recipe).item()
    assert together == pytest.approx(np.average(alone, weights=words), rel=1e-5)


def test_the_decoder_reads_the_words_before_and_predicts_the_next():
    """By hand for one sentence: START and all words go in, all words and END are wanted."""
    task, model, sentence = Translating(material()), transformer().eval(), material().train[0]
    source = torch.tensor([material().english.encode(sentence.english)])
    words = material().target.encode(sentence.target)
    log = model(source, torch.tensor([[START_ID, *words]]))[0].log_softmax(-1)
    wanted = -log[range(len(words) + 1), [*words, END_ID]].mean()
    assert task.loss(model, np.array([0]), Recipe(smoothing=0.0)).item() == pytest.approx(
        wanted.item(), rel=1e-5
    )
    log = model.gloss(model.encode(source))[0].log_softmax(-1)
    gloss = -log[range(len(sentence.english)), material().glosses.encode(sentence.gloss)].mean()
    both = task.loss(model, np.array([0]), Recipe(smoothing=0.0, gloss=2.0)).item()
    assert both == pytest.approx((wanted + 2 * gloss).item(), rel=1e-5)


def test_the_gloss_teaches_the_encoder():
    with_it, without, model = translating(), translating(replace(SHORT, gloss=0.0)), transformer()
    for run in (with_it, without):
        list(fit(run))
    encoders = [run.model.encoder.state_dict().values() for run in (with_it, without)]
    assert not any(torch.equal(one, other) for one, other in zip(*encoders, strict=True))
    assert torch.equal(without.model.gloss.weight, model.gloss.weight), (
        "nothing has been learned about the gloss"
    )
    assert not torch.equal(with_it.model.gloss.weight, model.gloss.weight)


def test_a_gloss_needs_a_model_that_has_one():
    with pytest.raises(
        ValueError, match="gloss = 1.0, but the model has no gloss; make it with gloss_size"
    ):
        list(fit(translating(gloss=False)))


# -- what is reported ------------------------------------------------------------------------------


def test_perplexity_and_the_share_of_right_words_by_hand():
    task, model = Writing(material()), language_model().eval()
    logs, right = [], []
    for sentence in [*material().unseen_pairs, *material().unseen_triples]:
        words = [*material().english.encode(sentence.english), END_ID]
        log = model(torch.tensor([[START_ID, *words[:-1]]]))[0].log_softmax(-1)
        logs += log[range(len(words)), words].tolist()
        right += (log.argmax(-1) == torch.tensor(words)).tolist()
    assert task.perplexity(model) == pytest.approx(math.exp(-np.mean(logs)), rel=1e-5)
    assert task.accuracy(model) == pytest.approx(np.mean(right))


def test_a_sentence_is_right_when_every_word_is():
    model, (first, *_) = transformer().eval(), material().train
    with torch.no_grad():
        model.output.bias[END_ID] = 1e3  # it writes END at every place
    sentences = [first, replace(first, target=()), replace(first, target=first.target[:1])]
    assert exact(model, Sentences(sentences, material())).tolist() == [False, True, False]


@pytest.mark.parametrize("made", [translating, writing])
def test_the_reported_weights_are_those_of_the_sample_sentence(made):
    run = made()
    sample = run.task.sample
    assert sample == material().unseen_pairs[0]
    before = run.task.weights(run.model)  # on a page before the first step
    *_, last = fit(run)
    S, T = len(sample.english), len(sample.target) + 1
    shapes = {"encoder": [(2, S, S)] * 2, "decoder": [(2, T, T)], "cross": [(2, T, S)]}
    if made is writing:
        shapes = {"decoder": [(2, S + 1, S + 1)] * 2}
    for weights in (before, last.weights):
        assert {part: [w.shape for w in layers] for part, layers in weights.items()} == shapes
        for layers in weights.values():
            for layer in layers:
                np.testing.assert_allclose(layer.sum(-1), 1, atol=1e-5)
    assert numbers([replace(last, weights=run.task.weights(run.model))]) == numbers([last])
    assert numbers([replace(last, weights=before)]) != numbers([last])


def test_a_sample_can_be_chosen():
    task = Translating(material(), sample=say("French", "two animals"))
    assert task.weights(transformer())["encoder"][0].shape == (2, 5, 5)


# -- what a task needs -----------------------------------------------------------------------------


def test_a_task_names_the_model_that_it_is_for():
    for use in (
        lambda task, model: Run(model, task),
        lambda task, model: task.weights(model),
    ):
        with pytest.raises(ValueError, match="LanguageModel has no encoder; Translating is for"):
            use(Translating(material()), language_model())
        with pytest.raises(ValueError, match="Transformer has an encoder; Writing is for a Lang"):
            use(Writing(material()), transformer())


def test_changes_need_a_position_for_each_sentence_or_one_for_all():
    sentences = Sentences(material().train[:5], material())
    plain = exact(transformer().eval(), sentences)
    assert exact(transformer().eval(), sentences, Cut("encoder", query=[0] * 5)).shape == (5,)
    assert plain.shape == (5,)
    for count in (4, 6):
        with pytest.raises(ValueError, match=f"query has {count} positions for 5 sentences"):
            exact(transformer(), sentences, Cut("encoder", query=[0] * count), at_once=2)


@pytest.mark.parametrize("at_once", [1.5, 0, None, "8"])
def test_sentences_go_through_the_model_in_whole_numbers(at_once):
    sentences = Sentences(material().train[:5], material())
    with pytest.raises(ValueError, match="at_once = .*; expected a whole number of at least 1"):
        exact(transformer(), sentences, at_once=at_once)


@pytest.mark.parametrize("task", [Translating, Writing])
def test_a_task_wants_something_to_test_with(task):
    with pytest.raises(ValueError, match="no sentence is held out"):
        task(replace(material(), unseen_pairs=[], unseen_triples=[]))
    assert (
        task(replace(material(), unseen_pairs=[], unseen_triples=[]), material().train[:2]).size
        == 60
    )
