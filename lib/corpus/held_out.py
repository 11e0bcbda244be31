"""What no training sentence has: pairs and triples of words that are kept for the tests.

Any change here needs `tools/train.py`, `tools/measure.py` and
`python3 start.py refresh`: the models that the course ships must not have seen what tests them.
"""

from lib.corpus.words import expect_known

# The two places that stand with an animal in no training sentence. Each place stands here twice;
# in French an animal misses one place of its own gender and one of the other.
PLACES_KEPT_FROM = {
    "animal": ("street", "garden"),
    "cow": ("park", "square"),
    "dog": ("forest", "field"),
    "mouse": ("bridge", "island"),
    "cat": ("avenue", "path"),
    "goose": ("garden", "beach"),
    "horse": ("square", "market"),
    "turtle": ("field", "valley"),
    "donkey": ("island", "racecourse"),
    "goat": ("path", "meadow"),
    "rabbit": ("beach", "dock"),
    "hen": ("street", "market"),
    "bear": ("park", "valley"),
    "ostrich": ("forest", "racecourse"),
    "fox": ("bridge", "meadow"),
    "giraffe": ("avenue", "dock"),
}
# An animal, a place and an adjective are kept for the tests if the last digit of the sum of their
# numbers is 0, as in 5 goose + 21 field + 4 worried = 30. The numbers of the places are multiples
# of 3, so that neighbours in the table miss different adjectives.
ANIMAL_NUMBERS = {
    "animal": 0,
    "cow": 1,
    "dog": 2,
    "mouse": 3,
    "cat": 4,
    "goose": 5,
    "horse": 6,
    "turtle": 7,
    "donkey": 8,
    "goat": 9,
    "rabbit": 10,
    "hen": 11,
    "bear": 12,
    "ostrich": 13,
    "fox": 14,
    "giraffe": 15,
}
PLACE_NUMBERS = {
    "street": 0,
    "park": 3,
    "forest": 6,
    "bridge": 9,
    "avenue": 12,
    "garden": 15,
    "square": 18,
    "field": 21,
    "island": 24,
    "path": 27,
    "beach": 30,
    "market": 33,
    "valley": 36,
    "racecourse": 39,
    "meadow": 42,
    "dock": 45,
}
# Of each kind of adjective one stands for each last digit: two of twenty are kept from a pair.
ADJECTIVE_NUMBERS = {
    "tired": 0,
    "hungry": 1,
    "scared": 2,
    "sleepy": 3,
    "worried": 4,
    "lazy": 5,
    "nervous": 6,
    "cautious": 7,
    "shy": 8,
    "stubborn": 9,
    "wide": 0,
    "narrow": 1,
    "crowded": 2,
    "empty": 3,
    "distant": 4,
    "cluttered": 5,
    "muddy": 6,
    "slippery": 7,
    "remote": 8,
    "boring": 9,
}


def unseen(subject=None, place=None, adjective=None, **_):
    """Why no training sentence has these words together: "pair" or "triple"; None if one may.

    "pair": 32 of 256, animal + street among them. "triple": 2 of the 20 adjectives of every other
    pair. Other choices of a frame do not matter. Raises ValueError for unknown words.
    """
    if subject is None or place is None:
        return None
    expect_known("subject", subject, ANIMAL_NUMBERS)
    expect_known("place", place, PLACE_NUMBERS)
    if place in PLACES_KEPT_FROM[subject]:
        return "pair"
    if adjective is None:
        return None
    expect_known("adjective", adjective, ADJECTIVE_NUMBERS)
    number = ANIMAL_NUMBERS[subject] + PLACE_NUMBERS[place] + ADJECTIVE_NUMBERS[adjective]
    if number % 10 == 0:
        return "triple"
    return None
