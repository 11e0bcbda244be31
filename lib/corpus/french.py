"""French: adjectives, pronouns and participles agree with the gender of a noun."""

from typing import NamedTuple

from lib.corpus.frames import CHOICES, NOUN_CHOICES

CODE = "fr"  # as web pages name the language
MASCULINE = "m"
FEMININE = "f"
VOWELS = "aeiouhâéêî"  # before which an article is elided; each h here is mute
# A subject and a place of every gender: with these nouns, each form of the other words is written.
NOUNS_OF_EVERY_GENDER = (("dog", "park"), ("dog", "street"), ("cow", "park"), ("cow", "street"))


class Noun(NamedTuple):
    word: str
    gender: str


class Adjective(NamedTuple):
    """All stand after their noun."""

    masculine: str
    feminine: str


class Verb(NamedTuple):
    """All make their past with *avoir*, and the feminine of the participle with an e."""

    infinitive: str
    participle: str


NOUNS = {
    "animal": Noun("animal", gender=MASCULINE),
    "cow": Noun("vache", gender=FEMININE),
    "dog": Noun("chien", gender=MASCULINE),
    "mouse": Noun("souris", gender=FEMININE),
    "cat": Noun("chat", gender=MASCULINE),
    "goose": Noun("oie", gender=FEMININE),
    "horse": Noun("cheval", gender=MASCULINE),
    "turtle": Noun("tortue", gender=FEMININE),
    "donkey": Noun("âne", gender=MASCULINE),
    "goat": Noun("chèvre", gender=FEMININE),
    "rabbit": Noun("lapin", gender=MASCULINE),
    "hen": Noun("poule", gender=FEMININE),
    "bear": Noun("ours", gender=MASCULINE),
    "ostrich": Noun("autruche", gender=FEMININE),
    "fox": Noun("renard", gender=MASCULINE),
    "giraffe": Noun("girafe", gender=FEMININE),
    "street": Noun("rue", gender=FEMININE),
    "park": Noun("parc", gender=MASCULINE),
    "forest": Noun("forêt", gender=FEMININE),
    "bridge": Noun("pont", gender=MASCULINE),
    "avenue": Noun("avenue", gender=FEMININE),
    "garden": Noun("jardin", gender=MASCULINE),
    "square": Noun("place", gender=FEMININE),
    "field": Noun("champ", gender=MASCULINE),
    "island": Noun("île", gender=FEMININE),
    "path": Noun("sentier", gender=MASCULINE),
    "beach": Noun("plage", gender=FEMININE),
    "market": Noun("marché", gender=MASCULINE),
    "valley": Noun("vallée", gender=FEMININE),
    "racecourse": Noun("hippodrome", gender=MASCULINE),
    "meadow": Noun("prairie", gender=FEMININE),
    "dock": Noun("quai", gender=MASCULINE),
}
ADJECTIVES = {
    "tired": Adjective(masculine="fatigué", feminine="fatiguée"),
    "hungry": Adjective(masculine="affamé", feminine="affamée"),
    "scared": Adjective(masculine="effrayé", feminine="effrayée"),
    "sleepy": Adjective(masculine="somnolent", feminine="somnolente"),
    "worried": Adjective(masculine="inquiet", feminine="inquiète"),
    "lazy": Adjective(masculine="paresseux", feminine="paresseuse"),
    "nervous": Adjective(masculine="nerveux", feminine="nerveuse"),
    "cautious": Adjective(masculine="prudent", feminine="prudente"),
    "shy": Adjective(masculine="timide", feminine="timide"),
    "stubborn": Adjective(masculine="têtu", feminine="têtue"),
    "wide": Adjective(masculine="large", feminine="large"),
    "narrow": Adjective(masculine="étroit", feminine="étroite"),
    "crowded": Adjective(masculine="bondé", feminine="bondée"),
    "empty": Adjective(masculine="vide", feminine="vide"),
    "distant": Adjective(masculine="éloigné", feminine="éloignée"),
    "cluttered": Adjective(masculine="encombré", feminine="encombrée"),
    "muddy": Adjective(masculine="boueux", feminine="boueuse"),
    "slippery": Adjective(masculine="glissant", feminine="glissante"),
    "remote": Adjective(masculine="isolé", feminine="isolée"),
    "boring": Adjective(masculine="ennuyeux", feminine="ennuyeuse"),
}
VERBS = {
    "cross": Verb(infinitive="traverser", participle="traversé"),
    "avoid": Verb(infinitive="éviter", participle="évité"),
    "find": Verb(infinitive="trouver", participle="trouvé"),
    "explore": Verb(infinitive="explorer", participle="exploré"),
    "protect": Verb(infinitive="protéger", participle="protégé"),
    "inspect": Verb(infinitive="inspecter", participle="inspecté"),
    "see": Verb(infinitive="voir", participle="vu"),
    "hear": Verb(infinitive="entendre", participle="entendu"),
    "catch": Verb(infinitive="attraper", participle="attrapé"),
}
DEGREES = {
    "too": "trop",
    "very": "très",
    "really": "vraiment",
}
PATTERNS = {
    "didn't": (
        "{the subject} n' a pas {participle} {the place} "
        "parce qu' {pronoun} était {degree} {adjective}"
    ),
    "couldn't": (
        "{the subject} n' a pas pu {infinitive} {the place} "
        "parce qu' {pronoun} était {degree} {adjective}"
    ),
    "passive": (
        "{the place} n' a pas été {agreed participle} par {the subject} "
        "parce qu' {pronoun} était {degree} {adjective}"
    ),
    "but": (
        "{the subject} voulait {infinitive} {the place} , mais {pronoun} était {degree} {adjective}"
    ),
    "fronted": (
        "comme {pronoun} était {degree} {adjective} "
        ", {the subject} n' a pas {participle} {the place}"
    ),
    "plain": "{the subject} a {participle} {the place}",
    "negated": "{the subject} n' a pas {participle} {the place}",
    "wanted": "{the subject} voulait {infinitive} {the place}",
    "raining": "{the subject} n' a pas {participle} {the place} parce qu' il pleuvait",
    "tired animal": "{the subject} {adjective} a {participle} {the place}",
    "wide street": "{the subject} a {participle} {the place} {adjective}",
    "animal was": "{the subject} était {degree} {adjective}",
    "street was": "{the place} était {degree} {adjective}",
    "two animals": "{the subject} a {participle} {the other}",
}
# The glosses of the words that every sentence of a frame has.
GLOSSES = {
    "the": "le",
    "didn't": "n'a pas",
    "couldn't": "n'a pas pu",
    "wasn't": "n'a pas été",
    "wanted": "voulait",
    "because": "parce que",
    "but": "mais",
    "by": "par",
    "was": "était",
    "it": "il",
    "raining": "pleuvait",
}


def forms(chosen, described):
    """{slot of PATTERNS: French words}.

    described: the choice ("subject" or "place") with whose noun adjective and pronoun agree.
    """
    words = {}
    for role in NOUN_CHOICES:
        if role in chosen:
            words[f"the {role}"] = _with_article(NOUNS[chosen[role]])
    if "verb" in chosen:
        verb = VERBS[chosen["verb"]]
        words["infinitive"] = verb.infinitive
        words["participle"] = verb.participle
        words["agreed participle"] = verb.participle
        if "place" in chosen and _is_feminine(chosen["place"]):
            words["agreed participle"] = verb.participle + "e"
    if "adjective" in chosen:
        adjective = ADJECTIVES[chosen["adjective"]]
        if _is_feminine(chosen[described]):
            words |= {"adjective": adjective.feminine, "pronoun": "elle"}
        else:
            words |= {"adjective": adjective.masculine, "pronoun": "il"}
    if "degree" in chosen:
        words["degree"] = DEGREES[chosen["degree"]]
    return words


def gloss(slot, chosen):
    """The French for a slot of the English pattern.

    As a dictionary lists it: in a gloss only nouns tell a gender.
    """
    choice = CHOICES[slot]
    word = chosen[choice]
    if choice in NOUN_CHOICES:
        return NOUNS[word].word
    if choice == "adjective":
        return ADJECTIVES[word].masculine
    if choice == "degree":
        return DEGREES[word]
    if slot == "infinitive":
        return VERBS[word].infinitive
    return VERBS[word].participle


def join(tokens):
    """A sentence to read: elisions closed up, a capital, a full stop."""
    text = " ".join(tokens).replace("' ", "'").replace(" ,", ",")
    return text[0].upper() + text[1:] + "."


def _is_feminine(noun):
    return NOUNS[noun].gender == FEMININE


def _with_article(noun):
    if noun.word[0] in VOWELS:
        return f"l' {noun.word}"
    if noun.gender == FEMININE:
        return f"la {noun.word}"
    return f"le {noun.word}"
