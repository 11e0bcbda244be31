"""What the tests of the corpus share: sentences written by hand, and whole corpora, made once."""

from functools import cache

from lib.corpus import ANIMALS, OPTIONS, PLACES, join, make, say

# English: its frame, and its choices in the order of OPTIONS. test_french.py and test_chinese.py
# have the translations.
SENTENCES = {
    "the animal didn't cross the street because it was too tired": (
        "didn't",
        "animal cross street too tired",
    ),
    "the animal didn't cross the street because it was too wide": (
        "didn't",
        "animal cross street too wide",
    ),
    "the goose didn't find the racecourse because it was very worried": (
        "didn't",
        "goose find racecourse very worried",
    ),
    "the hen didn't cross the bridge because it was really slippery": (
        "didn't",
        "hen cross bridge really slippery",
    ),
    "the donkey couldn't avoid the avenue because it was too stubborn": (
        "couldn't",
        "donkey avoid avenue too stubborn",
    ),
    "the bear couldn't explore the forest because it was very muddy": (
        "couldn't",
        "bear explore forest very muddy",
    ),
    "the street wasn't crossed by the animal because it was too wide": (
        "passive",
        "street cross animal too wide",
    ),
    "the bridge wasn't crossed by the hen because it was very lazy": (
        "passive",
        "bridge cross hen very lazy",
    ),
    "the avenue wasn't protected by the donkey because it was too nervous": (
        "passive",
        "avenue protect donkey too nervous",
    ),
    "the racecourse wasn't inspected by the goose because it was really boring": (
        "passive",
        "racecourse inspect goose really boring",
    ),
    "the mouse wanted to explore the dock but it was too cautious": (
        "but",
        "mouse explore dock too cautious",
    ),
    "the animal wanted to cross the street but it was too empty": (
        "but",
        "animal cross street too empty",
    ),
    "because it was very sleepy the bear didn't cross the forest": (
        "fronted",
        "very sleepy bear cross forest",
    ),
    "because it was too distant the donkey didn't find the avenue": (
        "fronted",
        "too distant donkey find avenue",
    ),
    "the goose avoided the racecourse": ("plain", "goose avoid racecourse"),
    "the mouse didn't protect the dock": ("negated", "mouse protect dock"),
    "the hen wanted to cross the bridge": ("wanted", "hen cross bridge"),
    "the donkey didn't cross the avenue because it was raining": ("raining", "donkey cross avenue"),
    "the hungry goose found the racecourse": ("tired animal", "hungry goose find racecourse"),
    "the tired animal crossed the street": ("tired animal", "tired animal cross street"),
    "the bear crossed the narrow forest": ("wide street", "bear cross narrow forest"),
    "the hen inspected the remote bridge": ("wide street", "hen inspect remote bridge"),
    "the ostrich was really shy": ("animal was", "ostrich really shy"),
    "the island was very cluttered": ("street was", "island very cluttered"),
    "the market was too crowded": ("street was", "market too crowded"),
    "the dog saw the cat": ("two animals", "dog see cat"),
    "the turtle heard the donkey": ("two animals", "turtle hear donkey"),
    "the fox caught the ostrich": ("two animals", "fox catch ostrich"),
}

whole = cache(make)


def choices_of(english):
    """The frame and the choices that make one of SENTENCES."""
    frame, words = SENTENCES[english]
    return frame, dict(zip(OPTIONS[frame], words.split(), strict=True))


def translated(language, english):
    """How the corpus writes one of SENTENCES in a language."""
    frame, choices = choices_of(english)
    sentence = say(language, frame, **choices)
    assert " ".join(sentence.english) == english
    return join(sentence.target, language)


def everything(corpus):
    """All sentences of a corpus."""
    return corpus.train + corpus.unseen_pairs + corpus.unseen_triples


def together(sentence):
    """The animal and the place that stand in one sentence."""
    return frozenset(word for word in sentence.english if word in ANIMALS + PLACES)
