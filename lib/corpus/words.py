"""The English words. The words of another language stand in its own file, under these.

The order of these words decides which sentences are drawn. Any change here needs
`tools/train.py`, `tools/measure.py` and `python3 start.py refresh`.
"""

from typing import NamedTuple


class Verb(NamedTuple):
    """An English verb is listed by its base; its past is its participle too, but for *see*."""

    past: str


ANIMALS = (
    "animal",
    "cow",
    "dog",
    "mouse",
    "cat",
    "goose",
    "horse",
    "turtle",
    "donkey",
    "goat",
    "rabbit",
    "hen",
    "bear",
    "ostrich",
    "fox",
    "giraffe",
)
PLACES = (
    "street",
    "park",
    "forest",
    "bridge",
    "avenue",
    "garden",
    "square",
    "field",
    "island",
    "path",
    "beach",
    "market",
    "valley",
    "racecourse",
    "meadow",
    "dock",
)
# What an animal can be and no place, and the other way round: the adjective decides what *it* is.
ANIMAL_ADJECTIVES = (
    "tired",
    "hungry",
    "scared",
    "sleepy",
    "worried",
    "lazy",
    "nervous",
    "cautious",
    "shy",
    "stubborn",
)
PLACE_ADJECTIVES = (
    "wide",
    "narrow",
    "crowded",
    "empty",
    "distant",
    "cluttered",
    "muddy",
    "slippery",
    "remote",
    "boring",
)
# What an animal can do to a place, and to another animal (of these no passive is made).
PLACE_VERBS = {
    "cross": Verb(past="crossed"),
    "avoid": Verb(past="avoided"),
    "find": Verb(past="found"),
    "explore": Verb(past="explored"),
    "protect": Verb(past="protected"),
    "inspect": Verb(past="inspected"),
}
ANIMAL_VERBS = {
    "see": Verb(past="saw"),
    "hear": Verb(past="heard"),
    "catch": Verb(past="caught"),
}
DEGREES = ("too", "very", "really")

ADJECTIVES = ANIMAL_ADJECTIVES + PLACE_ADJECTIVES
VERBS = PLACE_VERBS | ANIMAL_VERBS


def _verb_forms():
    """Each verb and its past."""
    forms = []
    for base, verb in VERBS.items():
        forms += [base, verb.past]
    return forms


# How the known words are listed to someone who typed an unknown one.
WORD_GROUPS = {
    "animals": ANIMALS,
    "places": PLACES,
    "verbs": _verb_forms(),
    "adjectives": ADJECTIVES,
}


def expect_known(what, given, known):
    """Raise ValueError for a word that is not among the known ones."""
    if given not in known:
        raise ValueError(f"{what} {given!r} is unknown; expected one of: {', '.join(known)}.")
