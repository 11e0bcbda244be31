"""Training: the same bits however it is interrupted, rates and losses by hand, it learns."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from lib.corpus import make, say
from lib.decoding import greedy
from lib.interventions import Cut
from lib.modules import LanguageModel, Transformer
from lib.tokens import END_ID, PAD_ID, START_ID
from lib.training import (
    AdamW,
    Recipe,
    Run,
    Sentences,
    Translating,
    Writing,
    cross_entropy,
    exact,
    fit,
    learning_rate,
    one_thread,
)

SHORT = Recipe(steps=7, batch=4, rate=1e-2, warm_up=3, every=3, gloss=1.0)
FAST = Recipe(steps=60, batch=4, rate=1e-2, warm_up=10, every=20)


@cache
def material():
    return make(count=60, held_out=4)


def by_heart():
    """A corpus of one sentence, which is its own test."""
    sentence = say("French", "didn't")
    return replace(material(), train=[sentence], unseen_pairs=[sentence], unseen_triples=[])


def transformer(seed=0, dropout=0.1, gloss=True):
    torch.manual_seed(seed)
    words, glosses = material(), len(material().glosses)
    return Transformer(
        len(words.english),
        len(words.target),
        16,
        2,
        2,
        1,
        32,
        dropout,
        gloss_size=glosses if gloss else None,
    )


def language_model(dropout=0.1):
    torch.manual_seed(0)
    return LanguageModel(len(material().english), 16, 2, 2, 32, dropout)


def translating(recipe=SHORT, **options):
    return Run(transformer(**options), Translating(material()), recipe)


def writing(recipe=SHORT):
    return Run(language_model(), Writing(material()), recipe)


def numbers(reports):
    """All that the reports say, to be compared bit by bit."""
    return [
        (
            r.step,
            r.steps,
            r.loss,
            r.accuracy,
            {part: [w.tolist() for w in maps] for part, maps in r.weights.items()},
        )
        for r in reports
    ]


def same_parameters(one, other):
    pairs = zip(one.model.state_dict().items(), other.model.state_dict().items(), strict=True)
    return all(name == its and torch.equal(a, b) for (name, a), (its, b) in pairs)


# -- the same every time --------------------------------------------------------------------------


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


# -- steps, reports, rates ------------------------------------------------------------------------


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


def test_the_rate_climbs_straight_and_falls_along_a_cosine():
    recipe = Recipe(steps=50, rate=0.4, warm_up=10)
    rates = [learning_rate(step, recipe) for step in range(1, 51)]
    np.testing.assert_allclose(rates[:10], 0.4 * np.arange(1, 11) / 10)
    np.testing.assert_allclose(
        rates[9:], 0.2 * (1 + np.cos(np.linspace(0, math.pi, 41))), atol=1e-12
    )
    assert max(rates) == rates[9] == 0.4 and rates[29] == pytest.approx(0.2) and rates[-1] == 0


def test_without_warm_up_the_first_rate_is_nearly_the_highest():
    rates = [learning_rate(step, Recipe(steps=50, rate=0.4, warm_up=0)) for step in range(1, 51)]
    assert 0.399 < rates[0] < 0.4 and rates == sorted(rates, reverse=True) and rates[-1] == 0


def test_every_step_is_made_at_its_rate():
    run, rates = translating(), []
    step = run.optimizer.step
    run.optimizer.step = lambda rate: rates.append(rate) or step(rate)
    list(fit(run))
    assert rates == [learning_rate(step, SHORT) for step in range(1, 8)]


def test_weight_decay_shrinks_what_is_not_used():
    """A word that no sentence has gets no gradient; AdamW takes rate * decay of it away."""
    run = translating(replace(SHORT, steps=2, weight_decay=0.5))
    (unused,) = material().english.encode(["<end>"])  # sources have none
    before = run.model.source.tokens.weight[unused].detach().clone()
    list(fit(run))
    kept = math.prod(1 - 0.5 * learning_rate(step, run.recipe) for step in (1, 2))
    torch.testing.assert_close(run.model.source.tokens.weight[unused].detach(), before * kept)


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": 0}, {"batch": 0}, {"every": 0}, {"warm_up": -1}, {"seed": -1},
        {"steps": 10.5}, {"steps": math.nan}, {"batch": 32.0}, {"seed": "1"},
    ],
)  # fmt: skip
def test_recipes_that_cannot_be_followed_are_refused(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(
        ValueError, match=f"{name}={value!r}.*expected steps, batch and every of at least 1"
    ):
        Recipe(**wrong)


@pytest.mark.parametrize("name", ["rate", "weight_decay", "gloss"])
@pytest.mark.parametrize("value", [-1, math.nan, math.inf])
def test_rates_are_numbers_of_0_or_more(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value}; expected 0 or more"):
        Recipe(**{name: value})


@pytest.mark.parametrize("smoothing", [-0.1, 1.5, math.nan])
def test_smoothing_is_a_share(smoothing):
    with pytest.raises(ValueError, match=f"smoothing = {smoothing}; expected a share from 0 to 1"):
        Recipe(smoothing=smoothing)


def test_numpys_whole_numbers_make_a_recipe():
    assert Recipe(steps=np.int64(5), seed=np.int32(1)) == Recipe(steps=5, seed=1)


def test_a_task_names_the_model_that_it_is_for():
    for use in (
        lambda task, model: Run(model, task),
        lambda task, model: task.weights(model),
    ):
        with pytest.raises(ValueError, match="LanguageModel has no encoder; Translating is for"):
            use(Translating(material()), language_model())
        with pytest.raises(ValueError, match="Transformer has an encoder; Writing is for a Lang"):
            use(Writing(material()), transformer())


@pytest.mark.parametrize("made", [translating, writing])
def test_a_training_that_is_left_changes_nobody_elses_runs(made):
    run = made()
    reports = fit(run)
    next(reports)
    assert not any(module._forward_hooks for module in run.model.modules())
    reports.close()


def test_changes_need_a_position_for_each_sentence_or_one_for_all():
    sentences = Sentences(material().train[:5], material())
    plain = exact(transformer().eval(), sentences)
    assert exact(transformer().eval(), sentences, Cut("encoder", query=[0] * 5)).shape == (5,)
    assert plain.shape == (5,)
    for count in (4, 6):
        with pytest.raises(ValueError, match=f"query has {count} positions for 5 sentences"):
            exact(transformer(), sentences, Cut("encoder", query=[0] * count), at_once=2)


# What the same seeds have always given: whoever changes these numbers changes every trained model.
LOSSES = {
    "translating": [9.42187531789144, 8.840415000915527, 8.346973419189453],
    "writing": [4.5392805735270185, 4.152457078297933, 3.9886186122894287],
}


@pytest.mark.parametrize("made", [translating, writing])
def test_training_goes_where_it_always_went(made):
    assert [report.loss for report in fit(made())] == pytest.approx(LOSSES[made.__name__], rel=1e-6)


@pytest.mark.parametrize("task", [Translating, Writing])
def test_a_task_wants_something_to_test_with(task):
    with pytest.raises(ValueError, match="no sentence is held out"):
        task(replace(material(), unseen_pairs=[], unseen_triples=[]))
    assert (
        task(replace(material(), unseen_pairs=[], unseen_triples=[]), material().train[:2]).size
        == 60
    )


# -- losses by hand -------------------------------------------------------------------------------


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


# -- what is learned, and how it is reported ------------------------------------------------------


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


def test_the_update_is_that_of_pytorchs_class_bit_for_bit():
    models = [transformer(), transformer()]
    ours = AdamW(models[0].parameters(), 0.3)
    theirs = torch.optim.AdamW(models[1].parameters(), lr=0.01, betas=(0.9, 0.98), weight_decay=0.3)
    for number in range(3):
        for model in models:
            model.zero_grad()
            torch.manual_seed(number)
            model.encode(torch.randint(3, 9, (2, 5))).square().sum().backward()
        ours.step(0.01)
        theirs.step()
    assert all(
        torch.equal(*pair) for pair in zip(*(m.state_dict().values() for m in models), strict=True)
    )
