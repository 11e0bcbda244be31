"""The widget Zoom; run as a script, this file writes its states for its JavaScript."""

import numpy as np
import pytest
import torch

from lib import corpus, saved
from lib.interventions import Cut
from lib.saved.referents import referents
from lib.saved.zoom import ADJECTIVES, IT, OPENING, recorded
from lib.widgets import Zoom
from lib.widgets.zoom.zoom import NAMES, changed, tellings
from tests.widgets.golden import is_fresh, write
from tools import zoom as recorder
from tools.course import NOTEBOOKS


def golden():
    """What each word changes."""
    return {word: told["changes"] for word, told in tellings().items()}


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-6)


def flat(found):
    """All that is in nested lists and dicts, one after the other."""
    if isinstance(found, dict):
        return [one for name in sorted(found) for one in [name, *flat(found[name])]]
    if isinstance(found, (list, tuple)):
        return [one for part in found for one in flat(part)]
    return [found]


def test_what_is_recorded_is_what_the_models_give():
    kept, now = flat(recorded()), flat(recorder.numbers())
    assert len(kept) == len(now)
    for one, other in zip(kept, now, strict=True):
        assert one == (pytest.approx(other, abs=0.0101) if isinstance(other, float) else other)


@pytest.mark.parametrize("word", ADJECTIVES)
def test_its_weights_are_those_of_translate(word):
    told, kept = saved.load("french_gloss").translate([*OPENING, word]), recorded()[word]
    np.testing.assert_allclose(kept["layer1"], told.encoder[0][:, IT], atol=1e-5)
    np.testing.assert_allclose(kept["layer2"], told.encoder[1][0, IT], atol=1e-5)


def test_what_reaches_it_adds_up_to_what_attention_gave_out():
    model = saved.load("french_gloss")
    told = model.translate([*OPENING, "tired"])
    kept, maps, _ = recorder.run(model, told)
    row = torch.tensor(maps["encoder"][1][0, IT])
    given = row[:, None] * recorder.offered(model.model, kept)  # (S, d_model)
    np.testing.assert_allclose(given.sum(0), kept["collected"][IT], atol=1e-5)


@pytest.mark.parametrize("word", ADJECTIVES)
def test_behind_the_network_it_means_its_noun(word):
    kept = recorded()[word]
    assert kept["gloss"] == {"tired": "animal", "wide": "rue"}[word]
    assert kept["means"] > 0.8
    pronoun = {"masculine": "il", "feminine": "elle"}[kept["genders"][kept["gloss"]]]
    assert kept["target"][kept["target"].index("qu'") + 1] == pronoun


@pytest.mark.parametrize("word", ADJECTIVES)
def test_the_sum_has_all_that_it_is_made_of(word):
    kept = recorded()[word]
    share = kept["layer2"][kept["noun"]]
    came = share * np.array(kept["value"]) + (1 - share) * np.array(kept["rest"])
    had, has = (kept["tiles"][row][IT] for row in ("layer1", "attended"))
    np.testing.assert_allclose(had + came, has, atol=0.02)  # of numbers with two digits
    assert share * np.linalg.norm(kept["value"]) > 0.9 * np.linalg.norm(came)


@pytest.mark.parametrize("word", ADJECTIVES)
def test_the_sentences_are_true(word):
    kept = recorded()[word]
    assert max(kept["layer2"]) > 0.9 and kept["source"][kept["noun"]] in ("animal", "street")
    ours, other = kept["models"]
    assert ours["text"] == other["text"]
    theirs = np.array(other["rows"])
    assert theirs.shape[0] == 4 and theirs[:, kept["noun"]].max() < 0.05, "not one of its heads"
    others = np.array(kept["layer1"])[:3]
    assert others.max() < 0.25, "three heads of layer 1 look everywhere"


def test_without_its_look_at_it_the_decoder_writes_il():
    material = corpus.make("French")
    sentences, _ = referents(material)
    translator = saved.load("french_gloss")
    look = Cut("cross", query=sentences.row, key=sentences.it)
    il = material.target.words.index("il")
    answers = sentences.answers(translator.model, [look])
    assert (answers == il).all(), "in all sentences, and half of them have elle"
    for word, kept in recorded().items():
        slot = kept["target"].index("qu'") + 1
        hidden = Cut("cross", query=slot, key=IT)
        assert_is_written(translator, word, slot, kept["hidden"], [hidden])


def assert_is_written(translator, word, slot, odds, cuts):
    told = translator.translate([*OPENING, word], changes=cuts)
    assert recorder.PRONOUNS[int(np.argmax(odds))] == told.target[slot]
    assert max(odds) == pytest.approx(told.probabilities[slot], abs=1e-4)


def test_where_it_sees_only_itself_only_the_first_model_writes_another_word():
    sentences, _ = referents(corpus.make("French"))
    assert len(sentences) == 490
    width = sentences.take()[0].shape[1]
    others = [
        Cut("encoder", query=sentences.it, key=[(it + step) % width for it in sentences.it])
        for step in range(1, width)
    ]
    models = [saved.load(name) for name in (recorder.OURS, recorder.OTHER)]
    assert [sentences.share_right(model.model) for model in models] == [1, 1], "uncut"
    one, two = [sentences.share_right(model.model, others) for model in models]
    assert one == pytest.approx(0.5, abs=0.05) and two == 1
    counts = [told["right"] for told in recorded()["wide"]["models"]]
    assert counts == [round(share * len(sentences)) for share in (one, two)]
    for word, kept in recorded().items():
        slot = kept["target"].index("qu'") + 1
        alone = [Cut("encoder", query=IT, key=key) for key in range(11) if key != IT]
        for model, told in zip(models, kept["models"], strict=True):
            assert_is_written(model, word, slot, told["odds"], [])
            assert_is_written(model, word, slot, told["cut"], alone)


def test_what_changes_is_it_and_the_slot_that_asks():
    changes = tellings()["wide"]["changes"]
    strong = {
        name: [i for i, share in enumerate(row) if share > 0.5] for name, row in changes.items()
    }
    assert strong["embedded"] == [10] and strong["memory"] == [IT, 10]
    assert strong["slots"] == [] and strong["written"] == [10]
    assert changed([[3, 4]], [[3, 4]]) == [0] and changed([[3, 4]], [[0, 0]]) == [1]


def test_enter_tells_the_story():
    demo = Zoom()
    for place, name in enumerate(NAMES):
        assert demo.drawing.done == place
        assert "?" in demo.header.question, name
        assert (NOTEBOOKS / f"{demo.header.page}.ipynb").is_file(), name
        demo.drawing.veiled = False
        assert demo.drawing.word == ("wide" if place >= NAMES.index("changed") else "tired")
        demo.drawing.presses += 1
    assert demo.drawing.done == 0 and demo.drawing.word == "tired", "it starts over"


def test_a_key_goes_back_and_the_question_follows():
    demo = Zoom("arc")
    question = demo.header.question
    assert demo.drawing.veiled and demo.header.page.startswith("04")
    demo.drawing.set_state({"word": "wide"})
    demo.drawing._handle_custom_msg({"type": "back"}, [])
    assert demo.drawing.done == NAMES.index("arc") - 1 and not demo.drawing.veiled
    assert demo.header.question != question and demo.drawing.enter == "layer 2"
    assert demo.header.page.startswith("05")
    demo.reset()
    assert demo.header.question == question and demo.drawing.word == "tired"
    start = Zoom()
    start.drawing._handle_custom_msg({"type": "back"}, [])
    assert start.drawing.done == 0 and start.header.message == ""


def test_a_flight_may_end_before_the_last_scene():
    demo = Zoom("changed", last="changed")
    demo.drawing.veiled = False
    assert demo.drawing.enter == "", "the next Enter starts over"
    demo.tell()
    assert demo.drawing.done == demo.drawing.last == NAMES.index("changed")
    later = Zoom("models")
    later.tell()
    assert later.drawing.done == NAMES.index("models") and later.drawing.word == "tired"


def test_its_picture_shows_what_one_word_changes():
    demo = Zoom()
    demo.tell()
    assert demo.drawing.done == NAMES.index("changed") and not demo.drawing.veiled
    assert demo.drawing.word == "wide"


@pytest.mark.parametrize("arguments", [("inside",), ("box", "old"), ("cut", "wide", "box")])
def test_other_scenes_and_words_are_refused(arguments):
    with pytest.raises(ValueError, match="expected"):
        Zoom(*arguments)


if __name__ == "__main__":
    write(__file__, golden())
