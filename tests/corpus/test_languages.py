"""Every language has a word for every English word and a pattern for every frame."""

import re
from pathlib import Path

import pytest

from lib.corpus import (
    ADJECTIVES,
    ANIMAL_ADJECTIVES,
    ANIMALS,
    DEGREES,
    FRAMES,
    LANGUAGES,
    OPTIONS,
    PLACE_ADJECTIVES,
    PLACES,
    VERBS,
)
from lib.corpus.frames import CHOICES

NEEDED = {
    "NOUNS": ANIMALS + PLACES,
    "ADJECTIVES": ADJECTIVES,
    "VERBS": tuple(VERBS),
    "DEGREES": DEGREES,
    "PATTERNS": tuple(FRAMES),
}
HERE = Path(__file__).parent


def slots(pattern):
    return re.findall("{(.*?)}", pattern)


def test_there_are_as_many_words_as_promised():
    counts = {
        "animals": len(ANIMALS),
        "places": len(PLACES),
        "verbs": len(OPTIONS["plain"]["verb"]),
        "adjectives of animals": len(ANIMAL_ADJECTIVES),
        "adjectives of places": len(PLACE_ADJECTIVES),
    }
    promised = {
        "animals": 16,
        "places": 16,
        "verbs": 6,
        "adjectives of animals": 10,
        "adjectives of places": 10,
    }
    assert counts == promised, (
        "held_out.py says 32 of 256 pairs and 2 of 20 adjectives; look for numbers on the pages too"
    )


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_takes_the_words_of_its_slots_and_no_others(frame):
    wanted = [CHOICES[slot] for slot in slots(FRAMES[frame]["English"]) if slot in CHOICES]
    assert list(FRAMES[frame]["takes"]) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", NEEDED)
def test_a_language_has_everything(language, table):
    have = set(getattr(LANGUAGES[language], table))
    missing = sorted(set(NEEDED[table]) - have)
    surplus = sorted(have - set(NEEDED[table]))
    assert not missing, f"{language}: {table} has no entry for {', '.join(missing)}"
    assert not surplus, f"{language}: {table} has {', '.join(surplus)}, which English has not"


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_nouns_do_not_share_a_translation(language):
    words = {}
    for noun, word in LANGUAGES[language].NOUNS.items():
        words.setdefault(word, []).append(noun)
    shared = [english for english in words.values() if len(english) > 1]
    assert not shared, f"{language}: one translation for {shared}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_tested(language):
    name = f"test_{language.lower()}.py"
    assert (HERE / name).exists(), (
        f"write tests/corpus/{name}: the sentences of shared.py as a native reader would write them"
    )
