"""One sentence: its English, its translation, its gloss."""

from dataclasses import dataclass, field
from sys import intern

from lib.corpus.frames import FRAMES, OPTIONS, english_words
from lib.corpus.languages import LANGUAGES
from lib.corpus.words import ANIMAL_ADJECTIVES, expect_known

NOTHING = "–"  # the gloss of an English word for which the other language writes nothing


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English sentence, its translation and its gloss.

    The gloss has one entry for each English word; that of *it* is the noun it means. ``it``,
    ``right`` and ``wrong`` are positions in ``english``: of *it*, of the noun it stands for and of
    the other noun; all None where no *it* stands for a noun. ``choices`` are the English words
    from which ``say`` made it.
    """

    english: tuple[str, ...]
    target: tuple[str, ...]
    gloss: tuple[str, ...]
    frame: str
    subject: str | None = None
    place: str | None = None
    adjective: str | None = None
    it: int | None = None
    right: int | None = None
    wrong: int | None = None
    choices: dict = field(default_factory=dict, compare=False)


def say(language, frame, **choices):
    """One Sentence in one of FRAMES.

    Left to itself *the animal didn't cross the street because it was too tired*. ``choices`` are
    English words: OPTIONS[frame] lists them for subject, verb, place, degree, adjective and other.
    Raises ValueError for an unknown language, frame, choice or word, and for an animal that meets
    itself.
    """
    expect_known("language", language, LANGUAGES)
    expect_known("frame", frame, FRAMES)
    for choice, word in choices.items():
        expect_known(f"in the frame {frame!r} the choice", choice, OPTIONS[frame])
        expect_known(f"in the frame {frame!r} the {choice}", word, OPTIONS[frame][choice])
    chosen = complete(frame, choices)
    if meets_itself(chosen):
        raise ValueError(
            f"subject and other are both {chosen['other']!r}; expected two different animals."
        )
    return sentence(language, frame, chosen)


def join(tokens, language):
    """A sentence to read, as one writes it in its language. Raises ValueError for an unknown one.

    French closes up elisions; Chinese has no spaces and its own full stop.
    """
    expect_known("language", language, LANGUAGES)
    if not tokens:
        return ""
    return LANGUAGES[language].join(tokens)


def complete(frame, choices):
    """All choices of a frame: the given ones, and for the others the first word that is free."""
    chosen = {}
    for choice, words in OPTIONS[frame].items():
        if choice in choices:
            chosen[choice] = choices[choice]
        else:
            chosen[choice] = next(word for word in words if word not in chosen.values())
    return chosen


def meets_itself(chosen):
    return "other" in chosen and chosen["other"] == chosen["subject"]


def sentence(language, frame, chosen):
    """The Sentence of a frame and all its choices.

    Its words are interned: each is in memory once, however many sentences have it.
    """
    described, other = "place", "subject"
    if chosen.get("adjective") in ANIMAL_ADJECTIVES:
        described, other = "subject", "place"
    slots = FRAMES[frame].split()
    words = english_words(chosen)
    forms = LANGUAGES[language].forms(chosen, described)
    positions = {}
    if "{it}" in slots:
        positions["it"] = slots.index("{it}")
        positions["right"] = slots.index("{" + described + "}")
        positions["wrong"] = slots.index("{" + other + "}")
    return Sentence(
        english=tuple(intern(slot.format(**words)) for slot in slots),
        target=tuple(map(intern, LANGUAGES[language].PATTERNS[frame].format(**forms).split())),
        gloss=tuple(intern(_gloss(language, slot, chosen, described)) for slot in slots),
        frame=frame,
        subject=chosen.get("subject"),
        place=chosen.get("place"),
        adjective=chosen.get("adjective"),
        choices=chosen,
        **positions,
    )


def _gloss(language, word, chosen, described):
    """The gloss of one word of an English pattern: a word, or a slot in braces."""
    if word == "{it}":
        return LANGUAGES[language].gloss(described, chosen)
    if word == "{is}":
        return NOTHING
    if word.startswith("{"):
        return LANGUAGES[language].gloss(word.strip("{}"), chosen)
    return LANGUAGES[language].GLOSSES.get(word, NOTHING)
