"""A little English grammar with translations, in which *it* must be understood to be translated.

"The animal didn't cross the street because it was too tired": for French one must know the gender
of the noun that *it* stands for (il, elle); the Chinese of this corpus repeats the noun. The
adjective alone decides: animals are tired, streets are wide. Used by notebooks 10 to 12.

words.py      the English words
frames.py     the kinds of sentences, and which words each takes
french.py     a language is one file: its words, agreement, patterns, glosses, joining
chinese.py
languages.py  the list of them, and what a language's file must have
held_out.py   which words no training sentence has together
grammar.py    whether a sentence belongs to it, and how many a frame can make
sentences.py  one sentence
splits.py     many sentences: to learn from and to test with

beside them: toy_embeddings.py, vectors set by hand for that sentence (pages 1, 2, 4 and 5), and
course.txt, the frozen prose that page 12 learns from
"""

from lib.corpus.frames import FRAMES, IT_FRAMES, OPTIONS
from lib.corpus.french import NOUNS  # French: page 10 asks for their gender
from lib.corpus.grammar import belongs, how_many
from lib.corpus.held_out import unseen
from lib.corpus.languages import LANGUAGES
from lib.corpus.sentences import NOTHING, Sentence, join, say
from lib.corpus.splits import Batch, Corpus, batch, make
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
    WORD_GROUPS,
)

__all__ = [
    "ADJECTIVES",
    "ANIMALS",
    "ANIMAL_ADJECTIVES",
    "ANIMAL_VERBS",
    "Batch",
    "Corpus",
    "DEGREES",
    "FRAMES",
    "IT_FRAMES",
    "LANGUAGES",
    "NOTHING",
    "NOUNS",
    "OPTIONS",
    "PLACES",
    "PLACE_ADJECTIVES",
    "PLACE_VERBS",
    "Sentence",
    "VERBS",
    "WORD_GROUPS",
    "batch",
    "belongs",
    "how_many",
    "join",
    "make",
    "say",
    "unseen",
]
