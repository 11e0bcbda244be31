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

import re

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
    "didn't": "the {subject} didn't {base} the {place} because {it} was {degree} {adjective}",
    "couldn't": (
        "the {subject} couldn't {infinitive} the {place} because {it} was {degree} {adjective}"
    ),
    "passive": "the {place} wasn't {done} by the {subject} because {it} was {degree} {adjective}",
    "but": "the {subject} wanted to {infinitive} the {place} but {it} was {degree} {adjective}",
    "fronted": "because {it} was {degree} {adjective} the {subject} didn't {base} the {place}",
    "plain": "the {subject} {past} the {place}",
    "negated": "the {subject} didn't {base} the {place}",
    "wanted": "the {subject} wanted to {infinitive} the {place}",
    "raining": "the {subject} didn't {base} the {place} because it {is} raining",
    "tired animal": "the {quality} {subject} {past} the {place}",
    "wide street": "the {subject} {past} the {quality} {place}",
    "animal was": "the {subject} was {degree} {adjective}",
    "street was": "the {place} was {degree} {adjective}",
    "two animals": "the {subject} {past} the {other}",
}
# The words of a choice, in the order in which they are drawn;
WORDS = {
    "subject": ANIMALS,
    "other": ANIMALS,
    "place": PLACES,
    "verb": PLACE_VERBS,
    "degree": DEGREES,
    "adjective": ADJECTIVES,
}
# those of the frames that take others.
OTHER_WORDS = {
    "tired animal": {"adjective": ANIMAL_ADJECTIVES},
    "wide street": {"adjective": PLACE_ADJECTIVES},
    "animal was": {"adjective": ANIMAL_ADJECTIVES},
    "street was": {"adjective": PLACE_ADJECTIVES},
    "two animals": {"verb": ANIMAL_VERBS},
}


def _options(frame):
    """{choice: its words} in the order in which the English pattern has them."""
    slots = re.findall(r"{(\w+)}", FRAMES[frame])
    choices = [CHOICES[slot] for slot in slots if slot in CHOICES]
    words = WORDS | OTHER_WORDS.get(frame, {})
    return {choice: words[choice] for choice in choices}


OPTIONS = {frame: _options(frame) for frame in FRAMES}
IT_FRAMES = tuple(frame for frame, pattern in FRAMES.items() if "{it}" in pattern)


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
