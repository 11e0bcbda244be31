"""What the tests of lib.decoding share: a half trained model, a writer, a table as a model."""

from dataclasses import replace
from functools import cache

import numpy as np
import torch

from lib.corpus import join, make
from lib.decoding import TranslationModel, WritingModel
from lib.modules import LanguageModel, Transformer
from lib.training import Recipe, Run, Sentences, Translating, fit

COUNT = 24


@cache
def material():
    corpus = make(count=60, held_out=2)
    return replace(corpus, train=corpus.train[:COUNT])


@cache
def half_trained():
    """A Transformer that knows about half of its training sentences by heart."""
    torch.manual_seed(0)
    words, recipe = material(), Recipe(steps=100, batch=16, rate=2e-2, warm_up=10, every=50)
    model = Transformer(
        len(words.english), len(words.target), 16, 2, 2, 2, 32, dropout=0.1, encoder_heads=[4, 1]
    )
    next(fit(Run(model, Translating(words), recipe)))
    return model


@cache
def translator():
    return TranslationModel(half_trained(), material().english, material().target, "French", join)


@cache
def writer():
    torch.manual_seed(0)
    return WritingModel(LanguageModel(len(material().english), 16, 2, 2, 32), material().english)


def rows():
    """(source, its mask, the words wanted) of all training sentences in one padded batch."""
    source, mask, target, _ = Sentences(material().train, material()).take(range(COUNT))
    assert len(set(mask.sum((1, 2)).tolist())) > 2
    return source, mask, [[word for word in row[1:] if word] for row in target.tolist()]


def sources():
    return [
        torch.tensor([material().english.encode(sentence.english)]) for sentence in material().train
    ]


def prompt(count):
    return material().train[0].english[:count]


class Table:
    """In place of a Transformer: the next word's scores are looked up by the words before it."""

    def __init__(self, scores):
        self.scores, self.asked = scores, 0  # scores(words after START) -> (words,)

    def encode(self, source, source_mask=None):
        return torch.zeros(len(source), 1, 1)

    def decode(self, target, memory, source_mask=None):
        assert memory.shape == (len(target), 1, 1)
        self.asked += 1
        last = [self.scores(tuple(words[1:])) for words in target.tolist()]
        logits = torch.full(
            (*target.shape, len(last[0])), float("nan")
        )  # only the last row is to be read
        logits[:, -1] = torch.tensor(np.array(last, np.float32))
        return logits


SOURCE = torch.zeros(1, 1, dtype=torch.long)
