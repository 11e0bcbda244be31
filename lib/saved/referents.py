"""Held-out sentences in which *it* stands for one of two nouns, each with its twin.

A twin is the same sentence with an adjective of the other kind, so that *it* is the other noun.
"""

import torch

from lib import corpus, training
from lib.interventions import changing, listed, looking


class Referents:
    """Such sentences as a batch. The key word is the first of the translation that differs in the
    twin's: il or elle, or the noun that Chinese says once more.

    it, noun, other, adjective: positions in the English sentence; key: the row of the decoder that
    writes the key word; group: what the sentences are counted by ("il" or "elle"; "animal" or
    "place").
    """

    def __init__(self, material, sentences, twins):
        self.batch = training.Sentences(sentences, material)
        self.number = torch.arange(len(sentences))
        self.it = [sentence.it for sentence in sentences]
        self.noun = [sentence.right for sentence in sentences]
        self.other = [sentence.wrong for sentence in sentences]
        self.adjective = [each.english.index(each.adjective) for each in sentences]
        self.key = []
        self.group = []
        right = []
        wrong = []
        for sentence, twin in zip(sentences, twins, strict=True):
            key = first_difference(sentence.target, twin.target)
            self.key.append(key)
            right.append(sentence.target[key])
            wrong.append(twin.target[key])
            self.group.append(group_of(sentence, sentence.target[key]))
        self.right = torch.tensor(material.target.encode(right))
        self.wrong = torch.tensor(material.target.encode(wrong))

    def __len__(self):
        return len(self.it)

    def take(self):
        """(source, its padding mask, target) of all of them."""
        source, mask, target, _ = self.batch.take(range(len(self)))
        return source, mask, target

    def states(self, model):
        """What the encoder makes of the sentences, (N, S, d_model)."""
        source, mask, _ = self.take()
        return model.encode(source, mask)

    def key_words(self, model, changes=(), states=None):
        """(N,) the number of the word that the model writes at the key's place.

        states: what the decoder is to see in the place of the encoder's own result.
        """
        _, mask, target = self.take()
        with changing(model, *listed(changes)):
            memory = self.states(model) if states is None else states
            logits = model.decode(target[:, :-1], memory, mask)  # (N, T, words)
        return logits.argmax(-1)[self.number, self.key]

    def key_right(self, model, changes=()):
        """The share of sentences whose key word is right."""
        return share(self.key_words(model, changes) == self.right)

    def key_wrong(self, model, changes=()):
        """The share of sentences whose key word is that of the twin."""
        return share(self.key_words(model, changes) == self.wrong)

    def looks(self, model):
        """Two (N, H): what *it* gives to its noun and to the other in the last encoder layer."""
        source, mask, _ = self.take()
        with looking(model) as found:
            model.encode(source, mask)
        weights = found["encoder"][-1]  # (N, H, S, S)
        row = weights[self.number, :, self.it]  # (N, H, S)
        return row[self.number, :, self.noun], row[self.number, :, self.other]

    def row(self, model):
        """(N, S): where the row that writes the key word looks, the mean of the heads."""
        source, mask, target = self.take()
        with looking(model) as found:
            model(source, target[:, :-1], mask)
        weights = found["cross"][-1].mean(1)  # (N, T, S)
        return weights[self.number, self.key]


def share(booleans):
    """The share that is True."""
    return booleans.float().mean().item()


def first_difference(words, others):
    """The first place where two sentences differ."""
    pairs = zip(words, others, strict=False)
    return next(place for place, (word, other) in enumerate(pairs) if word != other)


def group_of(sentence, key_word):
    """The pronoun in French; elsewhere the kind of noun that *it* stands for."""
    if key_word in ("il", "elle"):
        return key_word
    return "animal" if sentence.adjective in corpus.ANIMAL_ADJECTIVES else "place"


def twin_of(language, sentence):
    """The same sentence with an adjective of the other kind, drawn by its place in its own list."""
    own = list(corpus.ANIMAL_ADJECTIVES)
    others = list(corpus.PLACE_ADJECTIVES)
    if sentence.adjective not in own:
        own, others = others, own
    adjective = others[own.index(sentence.adjective)]
    return corpus.say(language, sentence.frame, **sentence.choices | {"adjective": adjective})


def tells(language, sentence, twin):
    """Whether the key word tells the nouns apart: in French they must differ in gender."""
    if language != "French":
        return True
    key = first_difference(sentence.target, twin.target)
    return {sentence.target[key], twin.target[key]} == {"il", "elle"}


def referents(material):
    """(Referents of the held-out sentences that tell, the same with their twins)."""
    sentences = []
    twins = []
    for sentence in material.unseen_pairs:
        twin = twin_of(material.language, sentence)
        if tells(material.language, sentence, twin):
            sentences.append(sentence)
            twins.append(twin)
    return Referents(material, sentences, twins), Referents(material, twins, sentences)
