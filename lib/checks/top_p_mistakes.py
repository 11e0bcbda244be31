"""The words that one keeps by mistake in top-p, for the check of notebook 12."""

import numpy as np

from lib.checks.tables import wrongs


def share_of(kept, probabilities):
    return kept * probabilities / (kept @ probabilities)


def shared_or_not(kept, probabilities, message):
    """Rows for the wrong words, made to add up to 1 or not."""
    return wrongs(message, share_of(kept, probabilities), kept * probabilities)


def wrong_counts(probabilities, p, rank, count):
    """Rows for too few or too many of the most probable words."""
    words = len(probabilities)
    dropped = "you dropped the word that crosses p; the kept words have to reach it."
    yield from shared_or_not(rank < count - 1, probabilities, dropped)
    yield from shared_or_not(
        rank < max(1, count - 1),
        probabilities,
        f"right where one word reaches p, but else {dropped}",
    )
    yield from shared_or_not(
        rank < count + 1,
        probabilities,
        "you kept one word too many; the word that crosses p is the last.",
    )
    yield from shared_or_not(
        probabilities >= p,
        probabilities,
        "you kept words of at least p each; p is what they reach together.",
    )
    yield from shared_or_not(
        probabilities >= p * probabilities.max(),
        probabilities,
        "you kept words of at least p times the largest; p is what they reach together.",
    )
    yield from shared_or_not(
        rank < int(p * words),
        probabilities,
        "right where one word reaches p, but else you keep a share of the words; "
        "p is one of their probability.",
    )
    yield from shared_or_not(
        rank < np.ceil(p * words),
        probabilities,
        "you kept a share of the words; p is a share of their probability.",
    )
    tail = (
        "you kept what comes after p is reached; "
        "keep what comes before, and the word that reaches it."
    )
    yield from shared_or_not(rank >= count - 1, probabilities, tail)
    yield from shared_or_not(rank >= count, probabilities, tail)


def wrong_order(probabilities, p, rank, count):
    """Rows for adding up in another order than from the most probable word."""
    summed = np.cumsum(probabilities)
    line = "you added up in the order of the vocabulary; begin with the most probable word."
    for kept in (summed - probabilities < p, summed <= p, rank < 1 + (summed < p).sum()):
        yield from shared_or_not(kept, probabilities, line)
    place = np.arange(len(probabilities))
    unsorted = (
        "what you keep is marked in sorted order, but the words are not sorted: "
        "which place has each of them?"
    )
    yield from shared_or_not(place < count, probabilities, unsorted)
    yield from shared_or_not(place < count - 1, probabilities, unsorted)
    rising = np.sort(probabilities)
    before = np.cumsum(rising) - rising  # reached by the less probable words
    yield from shared_or_not(
        before[::-1][rank] < p,
        probabilities,
        "you began with the least probable word; begin with the most probable one.",
    )
