"""tools/train.py and tools/measure.py on a small corpus and with few steps: what they count."""

from dataclasses import replace
from functools import cache

import pytest
import torch

from lib import corpus, saved
from lib.ablations import BareEncoderLayer
from lib.interventions import Cut, changing, looking
from lib.training import Recipe, Sentences
from tools import measure, train

QUICK = Recipe(steps=2, batch=4, warm_up=1, gloss=0.0)


@cache
def material():
    return corpus.make(count=400, held_out=40)


@cache
def french():
    return saved.load("french_gloss").model


def test_what_is_measured_is_what_page_10_shows():
    """The shipped model on forty sentences: near to what five seeds gave on a thousand."""
    row = measure.looks_and_cuts(french(), material())
    assert set(row) < set(saved.measured("maps")[0])
    assert row["looks at its noun"] > 0.9 and row["flips"] > 0.9 and row["key"] > 0.95
    assert row["key, cut it -> its noun"] < row["key, cut it -> other noun"]
    assert row["other noun's key, arrows swapped"] > 0.9
    assert 0 <= measure.crosses(french(), material()) <= 1


def test_where_it_looks_is_read_from_the_map():
    sentences, twins = measure.referents(material())
    looks, _ = sentences.looks(french())
    assert len(looks) == len(sentences.it) > 5 and len(twins.it) == len(sentences.it)
    source, mask, target, _ = sentences.batch.take([0])
    with looking(french()) as maps:
        french()(source, target[:, :-1], mask)
    torch.testing.assert_close(
        looks[0], maps["encoder"][-1][0, :, sentences.it[0], sentences.noun[0]]
    )
    assert (sentences.noun, sentences.other) == (twins.other, twins.noun)


def test_each_head_is_switched_off_alone():
    few = replace(material(), unseen_pairs=material().unseen_pairs[:10])
    right = measure.without_each_head(french(), few)
    heads = french().encoder.layers[1].attention.heads
    assert len(right) == 4 + heads + 4 + 4
    batch = Sentences(few.unseen_pairs, few)
    source, mask, target, _ = batch.take(range(10))
    with torch.no_grad(), changing(french(), Cut("cross", layer=0, head=3)):
        words = french()(source, target[:, :-1], mask).argmax(-1)
    wanted = target[:, 1:]
    assert right[-1] == pytest.approx(((words == wanted) | (wanted == 0)).all(1).float().mean())


def test_what_is_written_is_compared_word_by_word():
    sentences = material().unseen_pairs[:8]
    assert measure.written(french(), material(), sentences) == 1.0
    wrong = [replace(sentence, target=sentence.target[1:]) for sentence in sentences[:2]]
    assert measure.written(french(), material(), [*wrong, *sentences[2:]]) == 0.75


@pytest.mark.parametrize("variant", measure.VARIANTS)
def test_every_variant_can_be_trained(variant):
    changed = measure.VARIANTS[variant]
    small = {"d_model": 16, "d_ff": 16} | changed.options
    plan = train.plain("French")
    plan = replace(plan, recipe=QUICK, options=plan.options | small)
    model, steps = measure.train(plan, material(), changed.without)
    layer = model.encoder.layers[0]
    assert steps is None
    assert isinstance(layer, BareEncoderLayer) == (variant == "no residual")
    assert layer.norm_first == (variant != "layer norm after the addition")


@pytest.mark.parametrize("name", train.MODELS)
def test_the_shipped_models_are_those_of_their_plans(name):
    plan = train.MODELS[name]
    shipped, _ = saved._read(saved._path(name))
    words = corpus.make(plan.language or "French", count=1, held_out=0)
    assert list(shipped["configuration"].items()) == list(train.configuration(words, plan).items())


def test_a_small_model_is_trained_saved_and_used(tmp_path):
    small = {"d_model": 16, "d_ff": 16, "heads": 2}
    for plan in (train.plain("French"), train.MODELS["writer"]):
        plan = replace(plan, recipe=QUICK, options=plan.options | small)
        model, reached = train.trained(plan, material(), report=lambda line: None)
        path = tmp_path / "mine.safetensors"
        saved.save(path, model, train.configuration(material(), plan), **reached)
        assert type(saved.load(path)) is type(model) and saved.facts(path) == reached


def test_jobs_are_every_table_row_by_row():
    work = measure.jobs(["heads", "maps"], [0, 3])
    assert work[:2] == [("heads", (0,)), ("heads", (3,))] and len(work) == 2 + 2 * 2 * 2
    assert work[2] == ("maps", ("French", True, 0))
    assert len(measure.jobs(["parts"], range(5))) == 5 * len(measure.VARIANTS)
