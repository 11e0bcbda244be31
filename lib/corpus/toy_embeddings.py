"""The sentence of the course, and one set of vectors and matrices for it (pages 1, 2, 4 and 5).

Set by hand, so that every axis has a name and every number one digit. A trained model finds its
own axes, and they come without names.
"""

import numpy as np

SENTENCE = "The animal didn't cross the street because it was too tired."
WORDS = "The animal didn't cross the street because it was too tired".split()
FEW = ["animal", "street", "it", "was", "tired"]  # those of its words that the question is about
AXES = ["animate", "place", "state", "grammar"]  # d_model = 4
LEXICON = {
    # animate, place, state, grammar
    "the": [0.0, 0.0, 0.0, 0.9],
    "animal": [0.9, 0.0, 0.1, 0.0],
    "didn't": [0.0, 0.0, 0.1, 0.9],
    "cross": [0.2, 0.5, 0.3, 0.0],
    "street": [0.0, 0.9, 0.1, 0.0],
    "because": [0.0, 0.0, 0.0, 1.0],
    "it": [0.6, 0.4, 0.0, 0.8],  # an animal or a place: it is not decided yet
    "was": [0.0, 0.0, 0.3, 0.9],
    "too": [0.0, 0.0, 0.3, 0.7],
    "tired": [0.8, 0.0, 1.0, 0.0],
    "wide": [0.0, 0.8, 1.0, 0.0],
    # for other sentences
    "hungry": [0.9, 0.0, 0.9, 0.0],
    "long": [0.1, 0.7, 0.9, 0.0],
    "a": [0.0, 0.0, 0.0, 0.8],
    "not": [0.0, 0.0, 0.1, 0.8],
    "is": [0.0, 0.0, 0.4, 0.8],
    "on": [0.0, 0.6, 0.0, 0.8],
    "dog": [1.0, 0.0, 0.2, 0.0],
    "cat": [0.9, 0.0, 0.2, 0.0],
    "man": [0.9, 0.0, 0.1, 0.1],
    "woman": [0.9, 0.1, 0.1, 0.1],
    "bites": [0.5, 0.0, 0.6, 0.0],
    "sleeps": [0.5, 0.1, 0.9, 0.0],
    "river": [0.0, 1.0, 0.1, 0.0],
    "bank": [0.1, 0.8, 0.0, 0.0],
    "he": [0.8, 0.1, 0.0, 0.7],
    "she": [0.8, 0.1, 0.0, 0.7],
    "they": [0.7, 0.3, 0.0, 0.8],
    # French, for cross-attention
    "il": [0.7, 0.3, 0.0, 0.8],
    "était": [0.0, 0.0, 0.4, 0.8],
    "fatigué": [0.8, 0.0, 0.9, 0.0],
}
# One head, in which "it" finds the animate noun. Column 1 is about who, column 2 about what is
# said of it: little words ask "who?" (grammar, 2), and what is animate and no state answers.
W_Q = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [2.0, 1.0]])  # (d_model, d_k)
W_K = np.array([[2.0, 0.0], [-0.5, 0.5], [-1.1, 1.5], [-0.5, -1.0]])  # (d_model, d_k)
# Hands on animate, place and state as they are, so the values and the output have names.
W_V = np.eye(4)[:, :3]  # (d_model, d_v)


def is_known(word):
    """Whether the word has a vector here; capitals and the shape of an apostrophe do not count."""
    return _plain(word) in LEXICON


def word_vector(word):
    """The vector (d_model,) of a word. Raises ValueError for a word that has none here."""
    if not is_known(word):
        raise ValueError(
            f"{word!r} has no vector in lib/corpus/toy_embeddings.py; the words that have one are "
            f"{', '.join(LEXICON)}."
        )
    return np.array(LEXICON[_plain(word)])


def word_vectors(words):
    """The vectors of several words, (T, d_model), one row for each. Raises ValueError likewise."""
    return np.array([word_vector(word) for word in words])


def _plain(word):
    return word.lower().replace("’", "'")
