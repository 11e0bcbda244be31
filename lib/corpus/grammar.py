"""The grammar as one pattern: whether a sentence belongs to it, and how many a frame can make."""

import re
from functools import cache
from itertools import product

from lib.corpus.frames import FRAMES, OPTIONS
from lib.corpus.held_out import unseen
from lib.corpus.words import VERBS


@cache
def grammar():
    """A pattern that matches the English sentences of every frame, and nothing else.

    It has one weakness: it lets an animal see itself.
    """
    return re.compile("|".join(_pattern(frame) for frame in FRAMES))


def belongs(words):
    """Whether these English words are a sentence of the grammar."""
    return grammar().fullmatch(" ".join(words)) is not None


@cache
def how_many(frame):
    """How many sentences of a frame can come in training: without the pairs that are kept out."""
    options = OPTIONS[frame]
    count = 0
    for words in product(*options.values()):
        chosen = dict(zip(options, words, strict=True))
        count += unseen(**chosen) is None and len(set(words)) == len(words)
    return count


def _pattern(frame):
    """The frame's English text, with all words that a slot takes in its place."""
    verbs = OPTIONS[frame].get("verb", [])
    pasts = [VERBS[verb][0] for verb in verbs]
    words = {"it": ["it"], "is": ["was"], **OPTIONS[frame]}
    words |= {"base": verbs, "infinitive": verbs, "past": pasts, "done": pasts}
    words["quality"] = words.get("adjective")

    def choice(slot):
        return f"({'|'.join(words[slot[1]])})"

    return re.sub("{(.*?)}", choice, FRAMES[frame])
