"""What a French reader would write."""

import re
from collections import Counter

import pytest

from lib.corpus import ANIMAL_ADJECTIVES, ANIMALS, IT_FRAMES, PLACES, join, say
from lib.corpus.french import ADJECTIVES, FEMININE, MASCULINE, NOUNS, VOWELS
from tests.corpus.shared import SENTENCES, everything, translated, whole

TRANSLATIONS = {
    "the animal didn't cross the street because it was too tired": (
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."
    ),
    "the animal didn't cross the street because it was too wide": (
        "L'animal n'a pas traversé la rue parce qu'elle était trop large."
    ),
    "the goose didn't find the racecourse because it was very worried": (
        "L'oie n'a pas trouvé l'hippodrome parce qu'elle était très inquiète."
    ),
    "the hen didn't cross the bridge because it was really slippery": (
        "La poule n'a pas traversé le pont parce qu'il était vraiment glissant."
    ),
    "the donkey couldn't avoid the avenue because it was too stubborn": (
        "L'âne n'a pas pu éviter l'avenue parce qu'il était trop têtu."
    ),
    "the bear couldn't explore the forest because it was very muddy": (
        "L'ours n'a pas pu explorer la forêt parce qu'elle était très boueuse."
    ),
    "the street wasn't crossed by the animal because it was too wide": (
        "La rue n'a pas été traversée par l'animal parce qu'elle était trop large."
    ),
    "the bridge wasn't crossed by the hen because it was very lazy": (
        "Le pont n'a pas été traversé par la poule parce qu'elle était très paresseuse."
    ),
    "the avenue wasn't protected by the donkey because it was too nervous": (
        "L'avenue n'a pas été protégée par l'âne parce qu'il était trop nerveux."
    ),
    "the racecourse wasn't inspected by the goose because it was really boring": (
        "L'hippodrome n'a pas été inspecté par l'oie parce qu'il était vraiment ennuyeux."
    ),
    "the mouse wanted to explore the dock but it was too cautious": (
        "La souris voulait explorer le quai, mais elle était trop prudente."
    ),
    "the animal wanted to cross the street but it was too empty": (
        "L'animal voulait traverser la rue, mais elle était trop vide."
    ),
    "because it was very sleepy the bear didn't cross the forest": (
        "Comme il était très somnolent, l'ours n'a pas traversé la forêt."
    ),
    "because it was too distant the donkey didn't find the avenue": (
        "Comme elle était trop éloignée, l'âne n'a pas trouvé l'avenue."
    ),
    "the goose avoided the racecourse": "L'oie a évité l'hippodrome.",
    "the mouse didn't protect the dock": "La souris n'a pas protégé le quai.",
    "the hen wanted to cross the bridge": "La poule voulait traverser le pont.",
    "the donkey didn't cross the avenue because it was raining": (
        "L'âne n'a pas traversé l'avenue parce qu'il pleuvait."
    ),
    "the hungry goose found the racecourse": "L'oie affamée a trouvé l'hippodrome.",
    "the tired animal crossed the street": "L'animal fatigué a traversé la rue.",
    "the bear crossed the narrow forest": "L'ours a traversé la forêt étroite.",
    "the hen inspected the remote bridge": "La poule a inspecté le pont isolé.",
    "the ostrich was really shy": "L'autruche était vraiment timide.",
    "the island was very cluttered": "L'île était très encombrée.",
    "the market was too crowded": "Le marché était trop bondé.",
    "the dog saw the cat": "Le chien a vu le chat.",
    "the turtle heard the donkey": "La tortue a entendu l'âne.",
    "the fox caught the ostrich": "Le renard a attrapé l'autruche.",
}
GLOSSES = {
    ("didn't", "wide"): "le|animal|n'a pas|traversé|le|rue|parce que|rue|était|trop|large",
    ("couldn't", "tired"): (
        "le|animal|n'a pas pu|traverser|le|rue|parce que|animal|était|trop|fatigué"
    ),
    ("passive", "muddy"): (
        "le|rue|n'a pas été|traversé|par|le|animal|parce que|rue|était|trop|boueux"
    ),
    ("but", "tired"): "le|animal|voulait|–|traverser|le|rue|mais|animal|était|trop|fatigué",
    ("raining", None): "le|animal|n'a pas|traversé|le|rue|parce que|il|–|pleuvait",
    ("wide street", "narrow"): "le|animal|traversé|le|étroit|rue",
}


@pytest.mark.parametrize("english", SENTENCES)
def test_sentences_as_a_native_reader_would_write_them(english):
    assert translated("French", english) == TRANSLATIONS[english]


@pytest.mark.parametrize("frame, adjective", GLOSSES)
def test_glosses(frame, adjective):
    choices = {"adjective": adjective} if adjective else {}
    assert say("French", frame, **choices).gloss == tuple(GLOSSES[frame, adjective].split("|"))


def test_tokens_of_the_courses_sentence():
    target = "l' animal n' a pas traversé la rue parce qu' il était trop fatigué"
    assert say("French", "didn't").target == tuple(target.split())


@pytest.mark.parametrize("frame", IT_FRAMES)
def test_the_pronoun_has_the_gender_of_its_noun(frame):
    pronouns = []
    for adjective in ("tired", "wide"):
        target = say("French", frame, adjective=adjective).target
        pronouns.append([word for word in target if word in ("il", "elle")])
    assert pronouns == [["il"], ["elle"]]


def test_articles_and_elisions():
    genders = {noun.word: noun.gender for noun in NOUNS.values()}
    for sentence in everything(whole("French")):
        for word, following in zip(sentence.target, [*sentence.target[1:], ""], strict=True):
            vowel = following[:1] in tuple(VOWELS)
            if word in ("l'", "n'", "qu'"):
                assert vowel, sentence.target
            if word in ("le", "la", "ne", "que"):
                assert not vowel, sentence.target
            if following in genders:
                assert word in ("le", "la", "l'"), sentence.target
                feminine = genders[following] == FEMININE
                assert word == "l'" or (word == "la") == feminine, sentence.target


def test_pronouns_adjectives_and_participles_agree():
    for sentence in everything(whole("French")):
        if sentence.adjective:
            animal_is_meant = sentence.adjective in ANIMAL_ADJECTIVES
            noun = sentence.subject if animal_is_meant else sentence.place
            feminine = NOUNS[noun].gender == FEMININE
            adjective = ADJECTIVES[sentence.adjective]
            agreed = adjective.feminine if feminine else adjective.masculine
            assert agreed in sentence.target, sentence.target
            if sentence.frame in IT_FRAMES:
                pronouns = [word for word in sentence.target if word in ("il", "elle")]
                assert pronouns == ["elle" if feminine else "il"]
        if sentence.frame == "passive":
            participle = sentence.target[sentence.target.index("été") + 1]
            ending = "ée$" if NOUNS[sentence.place].gender == FEMININE else "[^e]$"
            assert re.search(ending, participle), sentence.target


@pytest.mark.parametrize("nouns", [ANIMALS, PLACES], ids=["animals", "places"])
def test_half_of_the_nouns_are_feminine(nouns):
    half = len(nouns) / 2
    assert Counter(NOUNS[noun].gender for noun in nouns) == {MASCULINE: half, FEMININE: half}


@pytest.mark.parametrize(
    "tokens, text",
    [
        ("l' âne n' a pas vu l' oie", "L'âne n'a pas vu l'oie."),
        ("comme il pleuvait , le chat n'", "Comme il pleuvait, le chat n'."),
        ("", ""),
    ],
)
def test_join(tokens, text):
    assert join(tokens.split(), "French") == text
