"""Training: the same bits however it is interrupted, reports on time, and it learns."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from lib.corpus import say
from lib.decoding import greedy
from lib.training import Recipe, Run, Sentences, Translating, Writing, fit, one_thread
from tests.lib.runs import (
    SHORT,
    language_model,
    material,
    numbers,
    same_parameters,
    transformer,
    translating,
    writing,
)

# -- the same every time ---------------------------------------------------------------------------


@pytest.mark.parametrize("made", [translating, writing])
def test_a_seed_repeats_every_bit(made):
    first, second, other = made(), made(), made(replace(SHORT, seed=1))
    reports = []
    for disturbance, run in enumerate((first, second, other)):
        torch.manual_seed(disturbance)  # what the page drew before makes no difference
        before = torch.get_rng_state()
        reports.append(numbers(fit(run)))
        assert torch.equal(torch.get_rng_state(), before), (
            "what the page draws afterwards is what it drew before"
        )
    assert reports[0] == reports[1] and same_parameters(first, second)
    assert reports[0] != reports[2] and not same_parameters(first, other)


@pytest.mark.parametrize("made", [translating, writing])
def test_a_break_at_a_report_changes_nothing(made):
    whole, broken = made(), made()
    reports = list(fit(whole))
    first = next(fit(broken))
    assert broken.step == first.step == 3 and not broken.model.training
    assert numbers([first, *fit(broken)]) == numbers(reports)
    assert same_parameters(broken, whole)
    assert list(fit(broken)) == [], "a run that has had all its steps has none left"


def interrupting(function, call):
    """The function, but for a KeyboardInterrupt instead of its answer to that one call."""
    calls = iter(range(1, 1000))

    def interrupted(*given, **named):
        answer = function(*given, **named)
        if next(calls) == call:
            raise KeyboardInterrupt
        return answer

    return interrupted


@pytest.mark.parametrize(
    "where, call, reported",
    [
        ("loss", 1, []),
        ("loss", 5, [3]),
        ("loss", 7, [3, 6]),
        ("accuracy", 2, [3]),
        ("weights", 3, [3, 6]),
    ],
)
@pytest.mark.parametrize("made", [translating, writing])
def test_an_interrupt_anywhere_leaves_a_model_that_can_be_used_and_goes_on(
    monkeypatch, made, where, call, reported
):
    whole, broken = made(), made()
    wanted, reports = list(fit(whole)), []
    monkeypatch.setattr(broken.task, where, interrupting(getattr(broken.task, where), call))
    with pytest.raises(KeyboardInterrupt):
        for report in fit(broken):
            reports.append(report)
    assert [report.step for report in reports] == reported
    assert not broken.model.training
    assert 0 <= broken.task.accuracy(broken.model) <= 1
    reports += fit(broken)
    assert numbers(reports) == numbers(wanted), (
        "no step and no report is lost, and none comes twice"
    )
    assert same_parameters(broken, whole)


def test_training_works_where_gradients_are_switched_off():
    inside, outside = translating(), translating()
    with torch.no_grad():
        reports = list(fit(inside))
        assert not torch.is_grad_enabled()
    assert numbers(reports) == numbers(fit(outside)) and same_parameters(inside, outside)


def test_it_trains_on_one_thread_and_gives_the_others_back():
    run, before, inside = translating(), torch.get_num_threads(), []
    loss = run.task.loss
    run.task.loss = lambda *given: inside.append(torch.get_num_threads()) or loss(*given)
    torch.set_num_threads(2)
    try:
        between = [torch.get_num_threads() for _ in fit(run)]
        assert between == [2, 2, 2] and inside == [1] * 7 and torch.get_num_threads() == 2
        with pytest.raises(KeyboardInterrupt), one_thread():
            raise KeyboardInterrupt
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("made", [translating, writing])
def test_a_training_that_is_left_changes_nobody_elses_runs(made):
    run = made()
    reports = fit(run)
    next(reports)
    assert not any(module._forward_hooks for module in run.model.modules())
    reports.close()


# What the same seeds have always given: whoever changes these numbers changes every trained model.
LOSSES = {
    "translating": [9.289092381795248, 8.557207425435385, 8.333078384399414],
    "writing": [4.5392805735270185, 4.152457078297933, 3.9886186122894287],
}


@pytest.mark.parametrize("made", [translating, writing])
def test_training_goes_where_it_always_went(made):
    assert [report.loss for report in fit(made())] == pytest.approx(LOSSES[made.__name__], rel=1e-6)


# -- reports ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps, every, wanted", [(7, 3, [3, 6, 7]), (6, 3, [3, 6]), (2, 25, [2]), (3, 1, [1, 2, 3])]
)
def test_reports_come_when_they_should_with_the_mean_loss_since_the_last(steps, every, wanted):
    run = writing(replace(SHORT, steps=steps, every=every))
    losses, drawn, noise, loss = [], set(), set(), run.task.loss

    def recorded(model, chosen, recipe):
        answer = loss(model, chosen, recipe)
        losses.append(answer.item())
        drawn.add(tuple(chosen.tolist()))
        noise.add(torch.rand(1).item())
        return answer

    run.task.loss = recorded
    reports = list(fit(run))
    assert [(report.step, report.steps) for report in reports] == [(step, steps) for step in wanted]
    for begin, report in zip([0, *wanted], reports, strict=False):
        assert report.loss == pytest.approx(np.mean(losses[begin : report.step]), rel=1e-6)
    assert len(drawn) == len(noise) == steps, "every step has sentences and a dropout of its own"
    assert all(len(chosen) == 4 and set(chosen) <= set(range(60)) for chosen in drawn)


# -- what is learned -------------------------------------------------------------------------------


FAST = Recipe(steps=60, batch=4, rate=1e-2, warm_up=10, every=20)


def by_heart():
    """A corpus of one sentence, which is its own test."""
    sentence = say("French", "didn't")
    return replace(material(), train=[sentence], unseen_pairs=[sentence], unseen_triples=[])


def test_a_sentence_is_learned_by_heart():
    corpus = by_heart()
    run = Run(
        transformer(dropout=0.0), Translating(corpus), replace(FAST, gloss=1.0, smoothing=0.0)
    )
    reports = list(fit(run))
    assert reports[-1].accuracy == 1.0 and reports[-1].loss < 0.1 * reports[0].loss
    source, _, target, gloss = Sentences(corpus.train, corpus).take([0])
    assert greedy(run.model, source) == [target[0, 1:].tolist()]
    assert torch.equal(run.model.gloss(run.model.encode(source)).argmax(-1), gloss)


def test_a_text_is_learned_by_heart():
    run = Run(language_model(dropout=0.0), Writing(by_heart()), replace(FAST, smoothing=0.0))
    before = run.task.perplexity(run.model)
    reports = list(fit(run))
    assert reports[-1].accuracy == 1.0 and reports[-1].loss < 0.1 * reports[0].loss
    assert run.task.perplexity(run.model) < 1.2 < 20 < before
