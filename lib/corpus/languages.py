"""The languages: one file each, and one entry here.

A language's file has, for every English word of words.py and every frame of frames.py:

NOUNS, ADJECTIVES, VERBS, DEGREES  {English word: what the file's functions need of it}; an
                                   adjective is a tuple of all its forms
PATTERNS                           {frame: the sentence, with slots in braces}
GLOSSES                            {other English word: its gloss}; one without has NOTHING
NOUNS_OF_EVERY_GENDER              pairs of subject and place with which all forms are written
CODE                               the language as web pages name it
forms(chosen, described)           {slot of PATTERNS: words}, agreeing with chosen[described]
gloss(slot, chosen)                the word for a slot of the English pattern
join(tokens)                       the sentence as one writes it, from at least one token

Patterns are written in tokens with spaces between them. tests/corpus/test_languages.py says what
is missing in a language.
"""

from lib.corpus import chinese, french

LANGUAGES = {
    "French": french,
    "Chinese": chinese,
}
