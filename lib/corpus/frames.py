"""The kinds of sentences: the English pattern of each, and which words it takes.

A slot in braces stands for one English word. Another language may need different words for the
same English one, so there are more slots than English needs:

slot                       stands for             in English  and elsewhere
{subject} {place} {other}  a noun                 animal      {other} is a second animal
{base}                     the verb after didn't  cross       in French a participle
{infinitive}               the verb after to      cross       in French an infinitive
{past}                     the verb alone         crossed     in French avoir and a participle
{done}                     the verb in a passive  crossed     in French it agrees with the place
{degree}                   how much               too         in Chinese around the adjective
{adjective}                what *was* says        tired       in French it agrees
{quality}                  stands with its noun   tired       in Chinese another word
{it}                       a noun once more       it          the adjective decides which one
{is}                       that of *was raining*  was         in French and Chinese nothing

The order of the frames, and of the words that a frame takes, decides which sentences are drawn.
Any change here needs `tools/train.py`, `tools/measure.py` and
`python3 start.py refresh`.
"""

from lib.corpus.words import (
    ADJECTIVES,
    ANIMAL_ADJECTIVES,
    ANIMAL_VERBS,
    ANIMALS,
    DEGREES,
    PLACE_ADJECTIVES,
    PLACE_VERBS,
    PLACES,
    VERBS,
)

# The choice that decides the word of a slot; {it} and {is} are the same in all sentences.
CHOICES = {
    "subject": "subject",
    "place": "place",
    "other": "other",
    "base": "verb",
    "infinitive": "verb",
    "past": "verb",
    "done": "verb",
    "degree": "degree",
    "adjective": "adjective",
    "quality": "adjective",
}
NOUN_CHOICES = ("subject", "place", "other")
FRAMES = {
    "didn't": {
        "English": "the {subject} didn't {base} the {place} because {it} was {degree} {adjective}",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
            "degree": DEGREES,
            "adjective": ADJECTIVES,
        },
    },
    "couldn't": {
        "English": (
            "the {subject} couldn't {infinitive} the {place} because {it} was {degree} {adjective}"
        ),
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
            "degree": DEGREES,
            "adjective": ADJECTIVES,
        },
    },
    "passive": {
        "English": (
            "the {place} wasn't {done} by the {subject} because {it} was {degree} {adjective}"
        ),
        "takes": {
            "place": PLACES,
            "verb": PLACE_VERBS,
            "subject": ANIMALS,
            "degree": DEGREES,
            "adjective": ADJECTIVES,
        },
    },
    "but": {
        "English": (
            "the {subject} wanted to {infinitive} the {place} but {it} was {degree} {adjective}"
        ),
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
            "degree": DEGREES,
            "adjective": ADJECTIVES,
        },
    },
    "fronted": {
        "English": "because {it} was {degree} {adjective} the {subject} didn't {base} the {place}",
        "takes": {
            "degree": DEGREES,
            "adjective": ADJECTIVES,
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "plain": {
        "English": "the {subject} {past} the {place}",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "negated": {
        "English": "the {subject} didn't {base} the {place}",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "wanted": {
        "English": "the {subject} wanted to {infinitive} the {place}",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "raining": {
        "English": "the {subject} didn't {base} the {place} because it {is} raining",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "tired animal": {
        "English": "the {quality} {subject} {past} the {place}",
        "takes": {
            "adjective": ANIMAL_ADJECTIVES,
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "place": PLACES,
        },
    },
    "wide street": {
        "English": "the {subject} {past} the {quality} {place}",
        "takes": {
            "subject": ANIMALS,
            "verb": PLACE_VERBS,
            "adjective": PLACE_ADJECTIVES,
            "place": PLACES,
        },
    },
    "animal was": {
        "English": "the {subject} was {degree} {adjective}",
        "takes": {
            "subject": ANIMALS,
            "degree": DEGREES,
            "adjective": ANIMAL_ADJECTIVES,
        },
    },
    "street was": {
        "English": "the {place} was {degree} {adjective}",
        "takes": {
            "place": PLACES,
            "degree": DEGREES,
            "adjective": PLACE_ADJECTIVES,
        },
    },
    "two animals": {
        "English": "the {subject} {past} the {other}",
        "takes": {
            "subject": ANIMALS,
            "verb": ANIMAL_VERBS,
            "other": ANIMALS,
        },
    },
}
OPTIONS = {name: frame["takes"] for name, frame in FRAMES.items()}
IT_FRAMES = tuple(name for name, frame in FRAMES.items() if "{it}" in frame["English"])


def english_words(chosen):
    """{slot: its English word}, of the slots for which there is a choice."""
    words = {"it": "it", "is": "was"}
    for slot, choice in CHOICES.items():
        if choice in chosen:
            words[slot] = chosen[choice]
    if "verb" in chosen:
        past = VERBS[chosen["verb"]].past
        words |= {"past": past, "done": past}
    return words
