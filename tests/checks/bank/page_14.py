"""Page 14, a real model: answers to pieces, biased_heads, fair_share."""

import sys

import numpy as np
import torch
from torch import nn

import lib.pretrained.word_pieces
from lib.attention import MultiHeadParameters, multi_head_attention, softmax
from tests.checks.bank import right, wrong

# pieces

right("pieces")(lib.pretrained.word_pieces.pieces)


@right("pieces")
def _(word, vocabulary):
    found, rest = [], word
    while rest:
        mark = "##" if found else ""
        known = [mark + rest[:end] for end in range(1, len(rest) + 1)]
        known = [piece for piece in known if piece in vocabulary]
        if not known:
            return ["[UNK]"]
        found.append(known[-1])
        rest = rest[len(known[-1]) - len(mark) :]
    return found


@right("pieces")
def _(word, vocabulary, mark=""):
    for end in range(len(word), 0, -1):
        if vocabulary.get(mark + word[:end]) is not None:
            if end == len(word):
                return [mark + word]
            others = cut(word[end:], vocabulary)
            return ["[UNK]"] if "[UNK]" in others else [mark + word[:end], *others]
    return ["[UNK]"]


ANY = 100  # letters of a piece: more than a word has


def ends_of(word, start, longest, most):
    """Where a piece may end; longest or shortest first, and of at most so many letters."""
    last = min(len(word), start + most)
    return range(last, start, -1) if longest else range(start + 1, last + 1)


def cut(word, vocabulary, mark="##", longest=True, most=ANY):
    """The pieces of a rest, each with its mark."""
    found, start = [], 0
    while start < len(word):
        ends = ends_of(word, start, longest, most)
        known = [end for end in ends if mark + word[start:end] in vocabulary]
        if not known:
            return ["[UNK]"]
        found.append(mark + word[start : known[0]])
        start = known[0]
    return found


def from_the_first(word, vocabulary, mark="##", longest=True, whole=True, most=ANY):
    """The first piece without a mark; whole: an unknown rest makes the whole word unknown."""
    known = [end for end in ends_of(word, 0, longest, most) if word[:end] in vocabulary]
    if not known:
        return ["[UNK]"]
    others = cut(word[known[0] :], vocabulary, mark, longest, most)
    if others == ["[UNK]"]:
        return others if whole else [word[: known[0]], *others]
    return [word[: known[0]], *others]


def marked(found):
    return found[:1] + ["##" + piece for piece in found[1:]]


@wrong("pieces", "returns nothing yet")
def _(word, vocabulary): ...


wrong("pieces", "give its name, without ()")(["play"])
wrong("pieces", "a list of pieces is wanted")(lambda word, vocabulary: word)
wrong("pieces", "a list of pieces is wanted, not ('play',)")(  # the page compares with lists
    lambda word, vocabulary: tuple(from_the_first(word, vocabulary))
)
wrong("pieces", "stopped with SystemExit")(lambda word, vocabulary: sys.exit())
wrong("pieces", "behind the first piece it is '##ers'")(  # marked when they have been found
    lambda word, vocabulary: marked(cut(word, vocabulary, mark=""))
)
wrong("pieces", "'under' is in the vocabulary, and was never looked up")(
    lambda word, vocabulary: from_the_first(word, vocabulary, most=4)
)
wrong("pieces", "all its pieces were found")(
    lambda word, vocabulary: [word] if from_the_first(word, vocabulary) == [word] else ["[UNK]"]
)
wrong("pieces", "stopped with KeyError: 'playing'")(
    lambda word, vocabulary: [word] if vocabulary[word] else []
)
wrong("pieces", "all others begin with ##")(
    lambda word, vocabulary: [
        piece.removeprefix("##") for piece in from_the_first(word, vocabulary)
    ]
)
wrong("pieces", "known pieces, but not the longest")(
    lambda word, vocabulary: from_the_first(word, vocabulary, longest=False)
)
wrong("pieces", "a rest that no piece begins")(
    lambda word, vocabulary: from_the_first(word, vocabulary, whole=False)
)
wrong("pieces", "you stop after ['play']")(
    lambda word, vocabulary: from_the_first(word, vocabulary)[:1]
)
wrong("pieces", "are not all in the vocabulary")(
    lambda word, vocabulary: [word[:4], "##" + word[4:]] if word[4:] else [word]
)
wrong("pieces", "is not ['play']")(lambda word, vocabulary: list(word.upper()))


@wrong("pieces", "may be one letter long")
def _(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [
            end for end in range(len(word), start + 1, -1) if mark + word[start:end] in vocabulary
        ]
        if not ends:
            return ["[UNK]"]
        found.append(mark + word[start : ends[0]])
        start = ends[0]
    return found


def going_back(word, vocabulary, mark=""):
    """The longest known beginning whose rest can be cut too; None if there is none."""
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocabulary:
            rest = going_back(word[end:], vocabulary, "##") if word[end:] else []
            if rest is not None:
                return [mark + word[:end], *rest]
    return None


wrong("pieces", "greedy never goes back")(
    lambda word, vocabulary: going_back(word, vocabulary) or ["[UNK]"]
)


@wrong("pieces", "does your loop end")
def _(word, vocabulary):
    while word not in vocabulary:
        pass
    return [word]


# biased_heads


def split(x, heads):
    return x.reshape(len(x), heads, -1).swapaxes(0, 1)


def merge(x):
    return x.swapaxes(0, 1).reshape(x.shape[1], -1)


def attend(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5) @ v


@right("biased_heads")
def _(x, W, b, heads):
    return multi_head_attention(x, x, x, MultiHeadParameters(*W, *b), heads)[0]


wrong("biased_heads", "2 arrays; return the output alone")(  # as page 4 returns both
    lambda x, W, b, heads: multi_head_attention(x, x, x, MultiHeadParameters(*W, *b), heads)
)


@right("biased_heads")
def _(x, W, b, heads):
    T, d_model = x.shape
    found = []
    for head in range(heads):
        own = slice(head * d_model // heads, (head + 1) * d_model // heads)
        q, k, v = (x @ W[i][:, own] + b[i][own] for i in range(3))
        found.append(attend(q, k, v))
    return np.concatenate(found, 1) @ W[3] + b[3]


@right("biased_heads")
def _(x, W, b, heads):
    q, k, v = (split(x @ W[i] + b[i], heads) for i in range(3))
    output = nn.functional.scaled_dot_product_attention(*map(torch.as_tensor, (q, k, v)))
    return merge(output.numpy()) @ W[3] + b[3]


@right("biased_heads")
def _(x, W, b, heads):  # the bias of the keys cancels
    q, k, v = (split(rows, heads) for rows in (x @ W[0] + b[0], x @ W[1], x @ W[2] + b[2]))
    return merge(attend(q, k, v)) @ W[3] + b[3]


for together in (np.concatenate, lambda found: found.sum(0)):

    @wrong("biased_heads", "right for one head only; of several, what each found")
    def _(x, W, b, heads, together=together):
        q, k, v = (split(x @ W[i] + b[i], heads) for i in range(3))
        return together(attend(q, k, v)) @ W[3] + b[3]


# fair_share


@right("fair_share")
def _(right_pairs, choosing):
    best, chosen = -1, None
    for head, row in enumerate(right_pairs):
        count = sum(one for one, chooses in zip(row, choosing, strict=True) if chooses)
        if count > best:
            best, chosen = count, head
    others = [
        one for one, chooses in zip(right_pairs[chosen], choosing, strict=True) if not chooses
    ]
    return sum(others) / len(others)
