"""Every language has all that lib/corpus/languages.py promises, of its own, and is tested."""

import importlib
import re
from itertools import combinations
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
from lib.corpus import languages as languages_file
from lib.corpus.sentences import complete
from tests.corpus.shared import SENTENCES

NEEDED = {
    "NOUNS": ANIMALS + PLACES,
    "ADJECTIVES": ADJECTIVES,
    "VERBS": tuple(VERBS),
    "DEGREES": DEGREES,
    "PATTERNS": tuple(FRAMES),
}
PAIRS = list(combinations(LANGUAGES, 2))
NATIVE_TEST = "test_sentences_as_a_native_reader_would_write_them"
HERE = Path(__file__).parent


def slots(pattern):
    return re.findall("{(.*?)}", pattern)


def promised_names():
    """The names in the left column of the docstring of languages.py: NOUNS, ..., join."""
    names = []
    for line in languages_file.__doc__.splitlines():
        left, gap, _ = line.partition("  ")
        if gap and left:
            without_arguments = left.partition("(")[0]
            names += without_arguments.split(", ")
    return names


def file_of(language):
    """lib/corpus/french.py for French."""
    return LANGUAGES[language].__name__.replace(".", "/") + ".py"


def from_file(language, name):
    """One of the promised names of a language's file, or a sentence that says what is missing."""
    assert hasattr(LANGUAGES[language], name), (
        f"{file_of(language)} has no {name}: write it as the docstring of "
        "lib/corpus/languages.py says"
    )
    return getattr(LANGUAGES[language], name)


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


def test_the_promised_names_are_found_in_the_docstring():
    found = promised_names()
    known = [*NEEDED, "GLOSSES", "NOUNS_OF_EVERY_GENDER", "CODE", "forms", "gloss", "join"]
    lost = sorted(set(known) - set(found))
    assert not lost, (
        f"the docstring of lib/corpus/languages.py no longer lists {', '.join(lost)}: a line "
        "begins with the names, and two spaces or more before what they are"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", promised_names())
def test_a_file_has_every_promised_name(language, name):
    from_file(language, name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", NEEDED)
def test_a_language_has_everything(language, table):
    have = set(from_file(language, table))
    missing = sorted(set(NEEDED[table]) - have)
    surplus = sorted(have - set(NEEDED[table]))
    assert not missing, f"{language}: {table} has no entry for {', '.join(missing)}"
    assert not surplus, f"{language}: {table} has {', '.join(surplus)}, which English has not"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("frame", FRAMES)
def test_forms_fills_every_slot_of_a_pattern(language, frame):
    chosen = complete(frame, {})
    described = "subject" if chosen.get("adjective") in ANIMAL_ADJECTIVES else "place"
    given = from_file(language, "forms")(chosen, described)
    patterns = from_file(language, "PATTERNS")
    assert frame in patterns, f"{file_of(language)}: PATTERNS has no entry for {frame!r}"
    unknown = sorted(set(slots(patterns[frame])) - set(given))
    assert not unknown, (
        f"{file_of(language)}: the pattern of {frame!r} has the slots {unknown}, but forms() gives "
        f"only {sorted(given)} there: rename the slot, or let forms() give it"
    )


@pytest.mark.parametrize("language, other", PAIRS)
def test_two_languages_do_not_share_a_code(language, other):
    code = from_file(language, "CODE")
    assert code != from_file(other, "CODE"), (
        f"{file_of(language)} and {file_of(other)} both have CODE = {code!r}: each needs the code "
        "by which web pages name its own language"
    )


@pytest.mark.parametrize("language, other", PAIRS)
def test_two_languages_do_not_share_most_of_their_nouns(language, other):
    nouns = sorted(set(from_file(language, "NOUNS")) & set(from_file(other, "NOUNS")))
    gloss = from_file(language, "gloss")
    gloss_of_other = from_file(other, "gloss")
    same = []
    for noun in nouns:
        chosen = {"subject": noun}
        if gloss("subject", chosen) == gloss_of_other("subject", chosen):
            same.append(noun)
    assert len(same) <= len(nouns) / 2, (
        f"{file_of(language)} and {file_of(other)} have the same word for {len(same)} of "
        f"{len(nouns)} nouns ({', '.join(same[:3])}, ...): one is still a copy of the other, "
        "so write the nouns of its own language"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_nouns_do_not_share_a_translation(language):
    words = {}
    for noun, word in from_file(language, "NOUNS").items():
        words.setdefault(word, []).append(noun)
    shared = [english for english in words.values() if len(english) > 1]
    assert not shared, f"{language}: one translation for {shared}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_tested(language):
    name = f"test_{language.lower()}.py"
    assert (HERE / name).exists(), (
        f"write tests/corpus/{name}: the sentences of shared.py as a native reader would write them"
    )
    tests = importlib.import_module(f"tests.corpus.{Path(name).stem}")
    translations = getattr(tests, "TRANSLATIONS", {})
    missing = [english for english in SENTENCES if english not in translations]
    assert not missing, (
        f"tests/corpus/{name} translates {len(SENTENCES) - len(missing)} of the {len(SENTENCES)} "
        f"sentences of shared.py: add {missing[0]!r} and the others to its table TRANSLATIONS, "
        f"{{English: {language} as a native reader would write it}}, as test_french.py does"
    )
    assert hasattr(tests, NATIVE_TEST), (
        f"tests/corpus/{name} does not compare TRANSLATIONS with what the corpus writes: "
        f"add {NATIVE_TEST}, as in test_french.py"
    )
