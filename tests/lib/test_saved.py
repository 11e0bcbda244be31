"""Saved models: every bit comes back, only numbers and text are read.

The shipped ones are what they say.
"""

import json
import math
import time
from functools import cache

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from lib import corpus, saved
from lib.decoding import TranslationModel, WritingModel
from lib.modules import LanguageModel, Transformer
from lib.tokens import Vocabulary
from lib.training import Sentences, Writing, exact
from tools.train import MODELS

MEGABYTE = 1_000_000
WORDS = Vocabulary("the dog didn't cross street because it was too tired wide".split())
FRENCH = Vocabulary("le chien n' a pas traversé la rue été fatigué".split())
OPTIONS = {"d_model": 12, "heads": 2, "d_ff": 20, "dropout": 0.3}


def transformer():
    more = {
        "encoder_layers": 2,
        "decoder_layers": 1,
        "encoder_heads": [2, 1],
        "gloss_size": 7,
    }
    made_with = {"source_size": len(WORDS), "target_size": len(FRENCH)} | OPTIONS | more
    torch.manual_seed(5)
    translator = TranslationModel(Transformer(**made_with), WORDS, FRENCH, "French", corpus.join)
    return translator, made_with


def writer(**options):
    made_with = {"size": len(WORDS), "layers": 2, "norm_first": False} | OPTIONS | options
    torch.manual_seed(5)
    return WritingModel(LanguageModel(**made_with), WORDS), made_with


def same_state(one, other):
    pairs = zip(one.state_dict().items(), other.state_dict().items(), strict=True)
    return all(
        name == its and a.dtype == b.dtype and torch.equal(a, b) for (name, a), (its, b) in pairs
    )


# -- there and back -------------------------------------------------------------------------------


def test_a_translator_comes_back_to_the_bit(tmp_path):
    ours, made_with = transformer()
    saved.save(tmp_path / "mine.safetensors", ours, made_with, exact=0.5)
    back = saved.load(tmp_path / "mine.safetensors")
    assert same_state(back.model, ours.model) and not back.model.training
    assert (back.english.words, back.target.words, back.language) == (
        WORDS.words,
        FRENCH.words,
        "French",
    )
    tokens = ["the", "dog", "was", "tired"]
    one, other = ours.translate(tokens), back.translate(tokens)
    assert (one.target, one.probabilities, one.text) == (
        other.target,
        other.probabilities,
        other.text,
    )
    for part in ("encoder", "decoder", "cross"):
        for mine, its in zip(getattr(one, part), getattr(other, part), strict=True):
            np.testing.assert_array_equal(mine, its)


def test_a_writer_comes_back_to_the_bit(tmp_path):
    ours, made_with = writer()
    saved.save(tmp_path / "mine.safetensors", ours, made_with)
    back = saved.load(str(tmp_path / "mine.safetensors"))
    assert (
        same_state(back.model, ours.model) and not back.model.training and back.words == WORDS.words
    )
    np.testing.assert_array_equal(back.scores(["the", "dog"]), ours.scores(["the", "dog"]))
    assert back.write(["the"], seed=3) == ours.write(["the"], seed=3)


def test_a_model_as_large_ones_are_made_comes_back(tmp_path):
    ours, made_with = writer(activation="gelu_tanh", positions="learned", scale=1.0, tied=True)
    saved.save(tmp_path / "mine.safetensors", ours, made_with)
    back = saved.load(tmp_path / "mine.safetensors")
    assert same_state(back.model, ours.model)
    assert back.model.output.weight is back.model.tokens.tokens.weight
    np.testing.assert_array_equal(back.scores(["the", "dog"]), ours.scores(["the", "dog"]))


def test_the_same_model_makes_the_same_file(tmp_path):
    ours, made_with = transformer()
    files = [tmp_path / name for name in "abcdef"]
    for file in files:
        saved.save(file, ours, made_with, first=1, second=2)
    assert len({file.read_bytes() for file in files}) == 1


def test_a_folder_of_models_has_names_and_facts(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.saved.models.FOLDER", tmp_path)
    for name, (model, made_with) in {"one": transformer(), "two": writer()}.items():
        saved.save(tmp_path / f"{name}.safetensors", model, made_with, known=0.25, name=name)
    assert saved.names() == ["one", "two"]
    assert type(saved.load("one")) is TranslationModel
    assert type(saved.load("two")) is WritingModel
    assert saved.facts("two") == {"known": 0.25, "name": "two"}
    for asked in (saved.load, saved.facts):
        with pytest.raises(
            ValueError, match="there is no trained model 'three'; there are: one, two"
        ):
            asked("three")
        with pytest.raises(ValueError, match="no trained model 'x{60}…'; there are: one, two"):
            asked("x" * 5000)


def test_what_was_measured_is_read_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.saved.models.FOLDER", tmp_path)
    (tmp_path / "measured.json").write_text(
        json.dumps({"maps": [{"seed": 0}], "heads": []}), "utf-8"
    )
    assert saved.measured("maps") == [{"seed": 0}]
    with pytest.raises(ValueError, match="there is no table 'parts'; there are: maps, heads"):
        saved.measured("parts")


def test_a_field_of_some_rows_and_how_far_it_reaches(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.saved.models.FOLDER", tmp_path)
    rows = [{"recipe": "a", "seed": 0, "weight": 0.5}, {"recipe": "a", "seed": 1, "weight": 0.25}]
    rows.append({"recipe": "b", "seed": 0, "weight": 1.0})
    (tmp_path / "measured.json").write_text(json.dumps({"maps": rows}), "utf-8")
    assert saved.numbers("maps", "weight", recipe="a") == [0.5, 0.25]
    assert saved.span("maps", "weight", recipe="a") == "0.25-0.50"
    with pytest.raises(ValueError, match="no row of the table 'maps' says {'recipe': 'c'}"):
        saved.span("maps", "weight", recipe="c")


@pytest.mark.parametrize("name", [None, 3, b"", [], object()])
def test_a_name_is_a_text_or_a_path(name):
    for asked in (saved.load, saved.facts):
        with pytest.raises(ValueError, match="there is no trained model .*; there are: chinese"):
            asked(name)


# -- nothing else is read -------------------------------------------------------------------------


class Trap:
    """Unpickled, it would write a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_file_is_numbers_and_text(tmp_path):
    ours, made_with = writer()
    saved.save(tmp_path / "mine", ours, made_with)
    content = (tmp_path / "mine").read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert json.loads(header.pop("__metadata__")["about"])["configuration"] == made_with
    assert len(content) == 8 + length + 4 * sum(
        parameter.numel() for parameter in ours.model.parameters()
    )
    assert set(header) == set(ours.model.state_dict())


def test_pickles_are_refused_unopened(tmp_path):
    torch.save(Trap(tmp_path / "sprung"), tmp_path / "pickle.safetensors")
    with pytest.raises(
        ValueError, match="pickle.safetensors is not a model of this course; make it again"
    ):
        saved.load(tmp_path / "pickle.safetensors")
    assert not (tmp_path / "sprung").exists()


def not_whole(content):
    """The bytes of files that are none of safetensors, by kind; content: those of a whole one."""
    return {
        "empty": b"",
        "three bytes": b"abc",
        "text": b"the dog didn't cross the street",
        "cut": content[:-1],
        "cut in the header": content[:100],
    }


def about_another_model(about):
    """What else may be said about a model of ours, by kind; about: what is true."""
    configurations = {
        "another size": {"d_model": 16},
        "heads that do not fit": {"heads": 5},
        "unknown option": {"colour": "red"},
        "too long": {"longest": 10**7},
        "endless": {"longest": float("inf")},
        "too many layers": {"layers": 10**7},
    }
    vocabularies = {
        "a vocabulary too short": WORDS.words[:-1],
        "a vocabulary too long": [*WORDS.words, "more"],
        "a word twice": [*WORDS.words[:-1], WORDS.words[3]],
        "numbers as words": [*WORDS.words[:3], *range(len(WORDS) - 3)],
        "words without END": ["<pad>", "<start>", "a", *WORDS.words[3:]],
        "no list of words": 7,
    }
    others = {
        "another kind": about | {"kind": "Painter"},
        "no vocabulary": about | {"words": {}},
        "a list": [],
        "no facts": {"kind": "Writer"},
        "a configuration that is none": about | {"configuration": [2, 3]},
    }
    for kind, changed in configurations.items():
        others[kind] = about | {"configuration": about["configuration"] | changed}
    for kind, words in vocabularies.items():
        others[kind] = about | {"words": {"vocabulary": words}}
    return others


def metadata(kind, about):
    """The words in a file's header."""
    if kind == "no words on it":
        return None
    if kind == "not ours":
        return {"format": "pt"}
    if kind == "not JSON":
        return {"about": "hello"}
    if kind == "nested too deeply":
        return {"about": "[" * 100_000}
    return {"about": json.dumps(about_another_model(about).get(kind, about))}


def spoiled(kind, file):
    """A file that is no model of ours."""
    (ours, made_with), whole = writer(), file.with_name("whole")
    saved.save(whole, ours, made_with)
    contents = not_whole(whole.read_bytes())
    if kind in contents:
        file.write_bytes(contents[kind])
        return
    state = ours.model.state_dict()
    if kind == "a parameter is missing":
        state = dict(list(state.items())[1:])
    elif kind in NUMBERS:
        state["output.bias"] = NUMBERS[kind](state["output.bias"])
    about = {
        "kind": "Writer",
        "configuration": made_with,
        "words": {"vocabulary": WORDS.words},
        "facts": {},
    }
    save_file(state, file, metadata(kind, about))


NUMBERS = {
    "NaN": lambda bias: bias.index_fill(0, torch.tensor([2]), math.nan),
    "infinity": lambda bias: bias.index_fill(0, torch.tensor([2]), math.inf),
    "whole numbers": lambda bias: bias.long(),
}
NO_FACTS = (
    "empty", "three bytes", "text", "cut in the header", "no words on it", "not ours", "not JSON",
    "nested too deeply", "a list", "no facts",
)  # fmt: skip


@pytest.mark.parametrize(
    "kind",
    [
        "empty", "three bytes", "text", "cut", "cut in the header", "no words on it", "not ours",
        "not JSON", "nested too deeply", "a configuration that is none",
        "another kind", "another size", "heads that do not fit", "unknown option",
        "no vocabulary", "a parameter is missing", "a list", "no facts", "too long", "endless",
        "too many layers", "a vocabulary too short", "a vocabulary too long", "a word twice",
        "numbers as words", "words without END", "no list of words", *NUMBERS,
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused_in_a_sentence(tmp_path, kind):
    spoiled(kind, tmp_path / "spoiled.safetensors")
    with pytest.raises(
        ValueError,
        match="^spoiled.safetensors is not a model of this course; make it again: .venv/",
    ):
        saved.load(tmp_path / "spoiled.safetensors")
    if kind in NO_FACTS:
        with pytest.raises(ValueError, match="^spoiled.safetensors is not a model of this course"):
            saved.facts(tmp_path / "spoiled.safetensors")


@pytest.mark.parametrize(
    "claim",
    [{"layers": 2000}, {"d_model": 9000, "heads": 1}, {"d_ff": 9000}, {"size": 9000}],
    ids=str,
)
def test_a_file_gets_no_more_than_it_has_arrays_for(tmp_path, claim):
    """2,000 layers took 18 s and 466 MB before they were refused."""
    ours, made_with = writer()
    saved.save(tmp_path / "claims", ours, made_with | claim)
    begin = time.process_time()
    with pytest.raises(ValueError, match="^claims is not a model of this course"):
        saved.load(tmp_path / "claims")
    assert time.process_time() - begin < 0.5


# -- what is shipped ------------------------------------------------------------------------------


@cache
def material(language):
    return corpus.make(language)


@pytest.mark.parametrize("name", MODELS)
def test_a_shipped_model_is_what_it_says(name):
    assert (saved.FOLDER / f"{name}.safetensors").stat().st_size <= MEGABYTE
    model, facts = saved.load(name), saved.facts(name)
    if name == "writer":
        assert model.words == material("French").english.words
        assert Writing(material("French")).perplexity(model.model) == pytest.approx(
            facts["perplexity"], rel=1e-3
        )
        return
    language = name.split("_")[0].capitalize()
    words = material(language)
    assert model.language == language
    assert (model.english.words, model.target.words) == (words.english.words, words.target.words)
    assert bool(model.model.gloss) == ("gloss" in name)
    for held_out, sentences in {
        "unseen pairs": words.unseen_pairs,
        "unseen triples": words.unseen_triples,
    }.items():
        right = exact(model.model, Sentences(sentences, words)).float().mean().item()
        assert right >= 0.99 and right == pytest.approx(facts[held_out], abs=2e-3), held_out


SAID = (
    ("didn't", {"adjective": "tired"}),
    ("didn't", {"adjective": "wide"}),
    ("two animals", {"subject": "dog", "other": "cat"}),
    ("two animals", {"subject": "cat", "other": "dog"}),
)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "writer"])
def test_shipped_translators_understand_the_sentences_of_the_course(name):
    translator = saved.load(name)
    for frame, choices in SAID:
        sentence = corpus.say(translator.language, frame, **choices)
        told = translator.translate(list(sentence.english))
        assert told.text == corpus.join(sentence.target, translator.language)


def test_from_it_the_model_of_page_0_looks_at_the_noun_that_it_means():
    translator = saved.load("french_gloss")
    for adjective, noun, other in (("tired", "animal", "street"), ("wide", "street", "animal")):
        english = list(corpus.say("French", "didn't", adjective=adjective).english)
        weights = translator.translate(english).encoder[1][0, english.index("it")]  # (S,)
        assert weights.argmax() == english.index(noun)
        assert weights[english.index(noun)] > 0.5 > 10 * weights[english.index(other)]
