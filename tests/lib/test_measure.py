"""tools/train.py and tools/measure.py on a small corpus and with few steps: what they count."""

import json
from dataclasses import replace
from functools import cache

import pytest
import torch

from lib import corpus, saved
from lib.ablations import BareEncoderLayer, leave_out
from lib.interventions import Cut, changing, looking
from lib.saved import models
from lib.saved.referents import referents
from lib.training import AdamW, Recipe, Sentences, cross_entropy
from tools import measure, measure_parts, measure_recipes, train

QUICK = Recipe(steps=2, batch=4, warm_up=1, gloss=0.0)
ALL = "gloss, one head, decay and warm-up"
RIGHT = 0.97  # at least so many pronouns of those that a cut does not concern


@cache
def material():
    return corpus.make(count=400, held_out=40)


@cache
def french(name="french_gloss"):
    return saved.load(name).model


@cache
def rows_of(name):
    """{change: its row} of a shipped French model, on 300 held-out sentences."""
    sentences, twins = referents(corpus.make(count=1, held_out=300))
    with torch.no_grad():
        rows = measure_recipes.rows(french(name), sentences, twins)
    return {row["change"]: row for row in rows}


# -- what page 11 shows ---------------------------------------------------------------------------


def test_what_is_measured_is_what_page_11_shows():
    """The shipped model on forty sentences: near to what five seeds gave on a thousand."""
    tables = measure_recipes.of_model(french(), material(), ALL, 0)
    [row] = tables["maps"]
    assert list(tables) == ["maps", "rows", "row weights", "fair cuts"]
    [fair] = tables["fair cuts"]
    assert fair["right, its noun cut"] < 0.2 < 0.3 < fair["right, both nouns cut"] < 0.8
    for table, rows in tables.items():
        assert set(rows[0]) == set(saved.measured(table)[0])
    assert row["looks at its noun"] > 0.9 and row["turns"] > 0.9 and row["right"] > 0.95
    assert row["right, it -> its noun cut"] < row["right, it -> other noun cut"]
    assert row["other noun's answer, arrows swapped"] > 0.9
    assert 0 <= row["crosses"] <= 1


def test_each_model_needs_the_arrow_that_the_other_does_not():
    """The double dissociation: where it is cut, no more than about half are right."""
    plain, gloss = rows_of("french"), rows_of("french_gloss")
    assert plain["nothing"]["right"] == gloss["nothing"]["right"] == 1.0
    for needs, broken, whole in (("adjective", plain, gloss), ("it", gloss, plain)):
        cut = f"cut row -> {needs}"
        assert whole[cut]["right"] > RIGHT
        assert 0.3 < broken[cut]["right"] < 0.7
    assert gloss["cut row -> it"]["il"] > 0.9 and gloss["cut row -> it"]["elle"] < 0.1


def test_the_word_that_a_model_needs_carries_the_answer():
    """With the state of the twin's word, and no weight changed, it writes the twin's pronoun."""
    plain, gloss = rows_of("french"), rows_of("french_gloss")
    assert plain["twin at adjective"]["twin's answer"] > 0.7
    assert plain["twin at it"]["right"] > RIGHT
    assert gloss["twin at it"]["twin's answer"] > 0.7
    assert gloss["twin at adjective"]["right"] > RIGHT


def test_a_mean_at_a_word_tells_nothing_of_it():
    gloss = rows_of("french_gloss")
    assert 0.3 < gloss["mean at it"]["right"] < 0.7
    assert gloss["mean at adjective"]["right"] > RIGHT


def test_where_it_looks_is_read_from_the_map():
    sentences, twins = referents(material())
    looks, _ = sentences.looks(french())
    assert len(looks) == len(sentences.it) > 5 and len(twins.it) == len(sentences.it)
    source, mask, target, _ = sentences.batch.take([0])
    with looking(french()) as maps:
        french()(source, target[:, :-1], mask)
    torch.testing.assert_close(
        looks[0], maps["encoder"][-1][0, :, sentences.it[0], sentences.noun[0]]
    )
    row = maps["cross"][-1][0, :, sentences.row[0]].mean(0)
    torch.testing.assert_close(sentences.row_weights(french())[0, : len(row)], row)
    assert (sentences.noun, sentences.other) == (twins.other, twins.noun)


def test_what_a_row_writes_is_compared_by_pronoun():
    sentences, twins = referents(material())
    words = corpus.make(count=1, held_out=0).target.words
    assert sentences.group == [words[number] for number in sentences.right]
    assert twins.group == [words[number] for number in sentences.wrong]
    rows = measure_recipes.rows(french(), sentences, twins)
    counts = {group: sentences.group.count(group) for group in ("il", "elle")}
    for row in rows:
        right = sum(row[group] * count for group, count in counts.items())
        assert row["right"] * len(sentences) == pytest.approx(right, abs=1e-3)


def test_in_chinese_the_row_is_that_of_the_repeated_noun():
    chinese = corpus.make("Chinese", count=1, held_out=20)
    sentences, _ = referents(chinese)
    assert len(sentences) == 20 and set(sentences.group) == {"animal", "place"}
    for number, sentence in enumerate(chinese.unseen_pairs):
        noun = sentence.target[sentences.row[number]]
        assert sentence.target.count(noun) == 2


def test_each_head_is_switched_off_alone():
    few = replace(material(), unseen_pairs=material().unseen_pairs[:10])
    right = measure_recipes.without_each_head(french(), few)
    heads = french().encoder.layers[1].attention.heads
    assert len(right) == 4 + heads + 4 + 4
    batch = Sentences(few.unseen_pairs, few)
    source, mask, target, _ = batch.take(range(10))
    with torch.no_grad(), changing(french(), Cut("cross", layer=0, head=3)):
        words = french()(source, target[:, :-1], mask).argmax(-1)
    wanted = target[:, 1:]
    assert right[-1] == pytest.approx(((words == wanted) | (wanted == 0)).all(1).float().mean())


# -- what is trained ------------------------------------------------------------------------------


def test_what_is_written_is_compared_word_by_word():
    sentences = material().unseen_pairs[:8]
    assert measure_parts.written(french(), material(), sentences) == 1.0
    wrong = [replace(sentence, target=sentence.target[1:]) for sentence in sentences[:2]]
    assert measure_parts.written(french(), material(), [*wrong, *sentences[2:]]) == 0.75


def test_the_first_mistake_is_kept_as_it_was_written():
    sentences = material().unseen_pairs[:8]
    assert measure_parts.first_mistake(french(), material(), sentences) is None
    wrong = replace(sentences[2], target=sentences[2].target[1:])
    mistake = measure_parts.first_mistake(french(), material(), [*sentences[:2], wrong, wrong])
    assert mistake["read"] == " ".join(wrong.english)
    assert mistake["wrote"] == corpus.join(sentences[2].target, "French")
    assert mistake["right"] == corpus.join(wrong.target, "French")


@pytest.mark.parametrize("variant", measure_parts.VARIANTS)
def test_every_variant_can_be_trained(variant):
    changed = measure_parts.VARIANTS[variant]
    small = {"d_model": 16, "d_ff": 16} | changed.options
    plan = train.plain("French")
    plan = replace(plan, recipe=QUICK, options=plan.options | small)
    model, steps = measure_parts.train(plan, material(), changed)
    layer = model.encoder.layers[0]
    assert steps is None
    assert isinstance(layer, BareEncoderLayer) == (variant == "no residual")
    assert layer.norm_first == ("after the addition" not in variant)


def scores_after_five_steps(without, optimizer_of):
    """What a model with one head of 64 says when it has learned a little."""
    sentences = Sentences(material().train[:8], material())
    source, mask, target, _ = sentences.take(range(8))
    plan = train.plain("French")
    plan = replace(plan, options=plan.options | {"heads": 1})
    model = train.untrained(material(), plan)
    leave_out(model, without)
    optimizer = optimizer_of(model)
    for _ in range(5):
        loss = cross_entropy(model(source, target[:, :-1], mask), target[:, 1:])
        model.zero_grad()
        loss.backward()
        optimizer.step(0.01)
    return model(source, target[:, :-1], mask)


def test_an_eighth_of_the_rate_for_smaller_queries_learns_as_with_the_scale():
    """Page 10: begun alike, the scale is nothing else."""

    def adam(model):
        return AdamW(model.parameters(), 0.01)

    def slower(model):
        return measure_parts.SlowerQueries(model, 0.01)

    smaller = ["scale, with smaller W_Q"]
    scaled = scores_after_five_steps([], adam)
    same = scores_after_five_steps(smaller, slower)
    torch.testing.assert_close(same, scaled, atol=1e-3, rtol=0)
    assert (scores_after_five_steps(smaller, adam) - scaled).abs().max() > 0.1


@pytest.mark.parametrize("variant", measure_parts.TRAINED_LONGER)
def test_longer_is_the_same_but_for_the_steps(variant):
    plan = measure_parts.plan_of(variant, 3, steps=measure_parts.LONGER)
    short = measure_parts.plan_of(variant, 3)
    assert plan == replace(short, recipe=replace(short.recipe, steps=1600))
    assert short.recipe == Recipe(seed=3)


@pytest.mark.parametrize("language", corpus.LANGUAGES)
def test_the_shipped_recipes_are_among_those_that_are_measured(language):
    plans = {
        "translation only": train.plain(language),
        "gloss only": train.gloss_only(language),
        ALL: train.glossed(language),
    }
    for recipe, plan in plans.items():
        assert measure_recipes.plan_of(recipe, language, 0) == plan
    assert len(set(measure_recipes.RECIPES.values())) == 8


@pytest.mark.parametrize("name", train.MODELS)
def test_the_shipped_models_are_those_of_their_plans(name):
    plan = train.MODELS[name]
    shipped, _ = models._read(models._path(name))
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


def test_jobs_are_every_model_seed_by_seed():
    work = measure.jobs(["longer", "recipes"], [0, 3])
    assert work[:2] == [("longer", ("one head of 64", 0)), ("longer", ("one head of 64", 3))]
    assert work[6] == ("recipes", ("French", "translation only", 0))
    assert len(work) == 3 * 2 + (8 + 5) * 2, "three recipes are for French alone"
    assert len(measure.jobs(["parts"], range(5))) == 5 * len(measure_parts.VARIANTS)


def test_new_rows_take_the_place_of_the_old_ones_of_the_same_model():
    old = {"variant": "no ReLU", "seed": 0, "alone": 0.1}
    other = {"variant": "one head of 64", "seed": 1, "alone": 0.2}
    new = old | {"alone": 0.3}
    tables = measure.merged({"parts": [old, other], "maps": []}, {"parts": [new]})
    assert tables == {"parts": [other, new], "maps": []}


def saved_tables():
    return json.loads(measure.FILE.read_text("utf-8"))


def test_what_is_measured_is_written_and_read():
    tables = {"parts": [{"variant": "no ReLU", "seed": 0}, {"seed": 1}], "maps": [{"weight": 0.1}]}
    assert json.loads(measure.text_of(tables)) == tables
    assert json.loads(measure.text_of({"maps": []})) == {"maps": []}
    assert measure.FILE.read_text("utf-8") == measure.text_of(saved_tables())


@pytest.mark.parametrize("table", ["maps", "rows", "row weights", "heads", "parts"])
def test_no_seed_of_a_model_is_left_out(table):
    seeds = {}
    for row in saved.measured(table):
        *names, seed, change = measure.names_of(row)
        seeds.setdefault((*names, change), []).append(seed)
    assert all(each == list(range(len(each))) for each in seeds.values())
