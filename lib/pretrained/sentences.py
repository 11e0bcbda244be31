"""The sentences, nouns and questions that page 14 asks its real model about."""

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

# What somebody might ask this course, and the pages that answer it; written before any was tried.
QUESTIONS = [
    ("why must the scores be made smaller before the softmax", [3]),
    ("the words in another order", [6]),
    ("who may not look at the future", [9]),
    ("how does the text end", [8, 12]),
    ("make the samples more random", [2, 12]),
    ("what happens to padding", [9]),
    ("do pictures work too", [5]),
    ("is the model cheating by looking ahead", [8, 9]),
    ("how many weights does it have to learn", [5, 7]),
    ("memorising instead of understanding", [10, 12]),
    ("save time by keeping old results", [9, 12]),
    ("angle between two vectors", [1]),
    ("how long does training take", [10]),
    ("does a heavy weight tell us the reason", [11, 12]),
    ("cut a connection", [11]),
    ("a language other than French", [10, 11]),
    ("one word asks all the others", [4]),
    ("a smooth version of the maximum", [2]),
    ("letters that follow each other", [12]),
    ("the size of a vector is normalised", [7]),
    ("numbers overflow", [2]),
    ("several looks at the same time", [5]),
    ("texts longer than those in training", [6]),
    ("what is the residual path good for", [7]),
]
