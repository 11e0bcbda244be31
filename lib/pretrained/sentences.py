"""The sentences and nouns that page 14 asks its real model about."""

# Who does something, and where. Each word is one piece of the model's vocabulary.
PAIRS = [
    ("animal", "street"), ("dog", "road"), ("cat", "river"), ("horse", "bridge"),
    ("child", "garden"), ("driver", "tunnel"), ("cow", "field"), ("fox", "valley"),
    ("student", "square"), ("bird", "lake"), ("woman", "park"), ("soldier", "border"),
    ("goat", "stream"), ("sheep", "canal"), ("wolf", "forest"), ("boy", "room"),
    ("girl", "hall"), ("rabbit", "path"), ("duck", "pond"), ("elephant", "desert"),
    ("farmer", "yard"), ("tiger", "jungle"), ("bear", "mountain"), ("deer", "highway"),
    ("pig", "market"),
]  # fmt: skip

CROSS = "The {who} didn't cross the {where} because it was too {how}."

# Name: a sentence, and the adjectives for the first noun and for the second.
OTHERS = {
    "the same": (CROSS, "tired", "wide"),
    "sleepy, narrow": (CROSS, "sleepy", "narrow"),
    "hungry, wide": (CROSS, "hungry", "wide"),
    "tired, long": (CROSS, "tired", "long"),
    "stopped before": (
        "The {who} stopped before the {where} since it was very {how}.",
        "tired",
        "wide",
    ),
    "was not crossed by": (
        "The {where} wasn't crossed by the {who} because it was too {how}.",
        "tired",
        "wide",
    ),
}

PLAIN = [  # on any subject
    "The animal didn't cross the street because it was too tired.",
    "A cat sits on the mat.",
    "The stock market fell.",
    "I like green apples more than red ones.",
    "She gave him the book that he had lost.",
    "Tomorrow it will rain in Paris.",
    "Old dogs learn new tricks slowly.",
    "The bridge was closed for repairs.",
    "Two plus two is four.",
    "Why did nobody answer the phone?",
    "He plays the violin very well.",
    "The river froze in the cold winter.",
    "Please close the door quietly.",
    "My sister lives near the station.",
    "The recipe needs three eggs.",
    "Nobody knew where the keys were.",
    "The train left before we arrived.",
    "Children like stories about dragons.",
    "The window broke during the storm.",
    "It was too late to call him.",
]

LONG = [  # words that are no piece as a whole
    "unaffable", "tokenizers", "hedgehogs", "uncrossable", "unrecognizable", "backpropagation",
    "transformers", "overparameterized", "kittenish", "streetlamps",
]  # fmt: skip
