"""The words that one keeps by mistake in top-p, for the check of notebook 13.

WRONG_WORDS: functions(probabilities (words,), p) -> kept (words,), True or False, by the sentence.
"""

import numpy as np


def share_of(kept, probabilities):
    return kept * probabilities / (kept @ probabilities)


def ranks(probabilities):
    """The place of each word in falling order; 0 is the most probable."""
    return np.argsort(-probabilities).argsort()


def sums(probabilities):
    """What the most probable words have together: one, two, three of them, ..."""
    return np.cumsum(-np.sort(-probabilities))


def fewest(probabilities, p):
    """How many words it takes to reach p."""
    before = sums(probabilities) + np.sort(-probabilities)  # without the word itself
    return (before < p).sum()


def first(count_of):
    """Keep so many of the most probable words. count_of(probabilities, p)"""
    return lambda probabilities, p: ranks(probabilities) < count_of(probabilities, p)


def begun_with_the_least(probabilities, p):
    rising = np.sort(probabilities)
    less_probable = np.cumsum(rising) - rising  # what they have together
    return less_probable[::-1][ranks(probabilities)] < p


DROPPED = "you dropped the word that crosses p; the kept words have to reach it."
WRONG_WORDS = {
    "right unless words reach p exactly: then the word that reaches it is the last, "
    "and you keep one more.": [first(lambda words, p: 1 + (sums(words) <= p).sum())],
    DROPPED: [
        first(lambda words, p: fewest(words, p) - 1),
        first(lambda words, p: (sums(words) <= p).sum()),
    ],
    f"right where one word reaches p, but else {DROPPED}": [
        first(lambda words, p: max(1, fewest(words, p) - 1))
    ],
    f"right where words reach p exactly, but else {DROPPED}": [
        first(lambda words, p: max(1, (sums(words) <= p).sum()))
    ],
    "you kept one word too many; the word that crosses p is the last.": [
        first(lambda words, p: fewest(words, p) + 1)
    ],
    "you kept each word by its own share; p is what they reach together.": [
        lambda probabilities, p: probabilities >= p,
        lambda probabilities, p: probabilities >= 1 - p,
    ],
    "you kept words of at least p times the largest; p is what they reach together.": [
        lambda probabilities, p: probabilities >= p * probabilities.max()
    ],
    "right where one word reaches p, but else you keep a share of the words; "
    "p is one of their probability.": [first(lambda words, p: int(p * len(words)))],
    "you kept a share of the words; p is a share of their probability.": [
        first(lambda words, p: np.ceil(p * len(words)))
    ],
    "you kept what comes after p is reached; "
    "keep what comes before, and the word that reaches it.": [
        lambda probabilities, p: ranks(probabilities) >= fewest(probabilities, p) - 1,
        lambda probabilities, p: ranks(probabilities) >= fewest(probabilities, p),
    ],
    "you added up in the order of the vocabulary; begin with the most probable word.": [
        lambda probabilities, p: np.cumsum(probabilities) - probabilities < p,
        lambda probabilities, p: np.cumsum(probabilities) <= p,
        first(lambda words, p: 1 + (np.cumsum(words) < p).sum()),
    ],
    "what you keep is marked in sorted order, but the words are not sorted: "
    "which place has each of them?": [
        lambda probabilities, p: np.arange(len(probabilities)) < fewest(probabilities, p),
        lambda probabilities, p: np.arange(len(probabilities)) < fewest(probabilities, p) - 1,
        lambda probabilities, p: np.arange(len(probabilities)) < (sums(probabilities) <= p).sum(),
    ],
    "you began with the least probable word; begin with the most probable one.": [
        begun_with_the_least
    ],
}
