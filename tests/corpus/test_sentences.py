"""One sentence: what stands where, and what is refused."""

import pytest

from lib.corpus import ANIMAL_ADJECTIVES, FRAMES, IT_FRAMES, LANGUAGES, join, say
from lib.tokens import tokenise
from tests.corpus.shared import SENTENCES, choices_of, everything


def test_every_frame_is_among_the_sentences_written_by_hand():
    assert {frame for frame, _ in SENTENCES.values()} == set(FRAMES)
    for frame in IT_FRAMES:
        kinds = set()
        for english in SENTENCES:
            name, choices = choices_of(english)
            if name == frame:
                kinds.add(choices["adjective"] in ANIMAL_ADJECTIVES)
        assert kinds == {True, False}, (
            f"{frame}: it must stand for the animal once and for the place once"
        )


def test_words_of_the_courses_sentence():
    sentence = say("French", "didn't")
    english = "the animal didn't cross the street because it was too tired"
    assert sentence.english == tuple(english.split())
    assert (sentence.subject, sentence.place, sentence.adjective) == ("animal", "street", "tired")


def test_gloss_has_one_entry_for_each_word_and_it_is_glossed_by_its_noun(corpus):
    gloss = LANGUAGES[corpus.language].gloss
    for sentence in everything(corpus):
        assert len(sentence.gloss) == len(sentence.english)
        if sentence.frame not in IT_FRAMES:
            assert sentence.it is sentence.right is sentence.wrong is None
            continue
        meant, other = "place", "subject"
        if sentence.adjective in ANIMAL_ADJECTIVES:
            meant, other = other, meant
        words = ["it", sentence.choices[meant], sentence.choices[other]]
        positions = [sentence.english.index(word) for word in words]
        assert [sentence.it, sentence.right, sentence.wrong] == positions
        assert sentence.gloss[sentence.it] == gloss(meant, sentence.choices)
        assert sentence.gloss[sentence.it] == sentence.gloss[sentence.right]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("frame", IT_FRAMES)
def test_the_adjective_alone_decides(language, frame):
    tired = say(language, frame, adjective="tired")
    wide = say(language, frame, adjective="wide")
    assert sum(one != other for one, other in zip(tired.english, wide.english, strict=True)) == 1
    assert (tired.it, tired.right, tired.wrong) == (wide.it, wide.wrong, wide.right)
    assert tired.gloss[tired.it] != wide.gloss[wide.it]


def test_say_goes_back_from_the_choices_of_a_sentence(corpus):
    for sentence in everything(corpus)[::37]:
        assert say(corpus.language, sentence.frame, **sentence.choices) == sentence


def test_what_is_said_can_be_typed(corpus):
    for sentence in corpus.train[::41]:
        assert tokenise(" ".join(sentence.english).capitalize() + ".") == list(sentence.english)


@pytest.mark.parametrize(
    "language, frame, choices, message",
    [
        ("German", "plain", {}, "language 'German' is unknown; expected one of: French, Chinese"),
        (
            "French",
            "question",
            {},
            "frame 'question' is unknown; expected one of: didn't, couldn't, passive",
        ),
        (
            "French",
            "plain",
            {"animal": "dog"},
            "'plain' the choice 'animal' is unknown; expected .* subject, verb, place",
        ),
        (
            "French",
            "plain",
            {"subject": "elephant"},
            "the subject 'elephant' is unknown; expected .* animal, cow, dog",
        ),
        (
            "French",
            "animal was",
            {"adjective": "wide"},
            "the adjective 'wide' is unknown; expected .* tired, hungry",
        ),
        (
            "French",
            "two animals",
            {"subject": "dog", "other": "dog"},
            "both 'dog'; expected two different animals",
        ),
    ],
)
def test_say_refuses(language, frame, choices, message):
    with pytest.raises(ValueError, match=message):
        say(language, frame, **choices)


def test_join_refuses_other_languages():
    with pytest.raises(ValueError, match="language 'German' is unknown"):
        join(["der"], "German")
