"""Held-out sentences in which *it* stands for one of two nouns, each with its twin.

A twin is the same sentence with an adjective of the other kind, so that *it* is the other noun.
"""

import numpy as np
import torch

from lib import corpus, saved, training
from lib.interventions import Cut, changing, listed, looking


class Referents:
    """Such sentences as a batch. Their answer is the first word of the translation that differs in
    the twin's: il or elle, or the noun that Chinese says once more.

    it, noun, other, adjective: positions in the English sentence; row: the row of the decoder that
    writes the answer; kind: what *it* stands for ("animal" or "place"); group: what the sentences
    are counted by ("il" or "elle"; in other languages the kind).
    """

    def __init__(self, material, sentences, twins):
        self.batch = training.Sentences(sentences, material)
        self.number = torch.arange(len(sentences))
        self.it = [sentence.it for sentence in sentences]
        self.noun = [sentence.right for sentence in sentences]
        self.other = [sentence.wrong for sentence in sentences]
        self.adjective = [each.english.index(each.adjective) for each in sentences]
        self.row = []
        self.kind = [kind_of(each) for each in sentences]
        self.group = []
        right = []
        wrong = []
        for sentence, twin in zip(sentences, twins, strict=True):
            row = first_difference(sentence.target, twin.target)
            self.row.append(row)
            right.append(sentence.target[row])
            wrong.append(twin.target[row])
            self.group.append(group_of(sentence, sentence.target[row]))
        self.right = torch.tensor(material.target.encode(right))
        self.wrong = torch.tensor(material.target.encode(wrong))

    def __len__(self):
        return len(self.it)

    def take(self):
        """(source, its padding mask, target) of all of them."""
        source, mask, target, _ = self.batch.take(range(len(self)))
        return source, mask, target

    def only_itself(self):
        """The Cuts after which *it* sees no other word in the encoder."""
        width = self.take()[0].shape[1]
        return [
            Cut("encoder", query=self.it, key=[(it + step) % width for it in self.it])
            for step in range(1, width)
        ]

    def states(self, model):
        """What the encoder makes of the sentences, (N, S, d_model)."""
        source, mask, _ = self.take()
        return model.encode(source, mask)

    @torch.no_grad()
    def answers(self, model, changes=(), states=None):
        """(N,) the number of the word that the model writes as its answer.

        states: what the decoder is to see in the place of the encoder's own result.
        """
        _, mask, target = self.take()
        with changing(model, *listed(changes)):
            memory = self.states(model) if states is None else states
            logits = model.decode(target[:, :-1], memory, mask)  # (N, T, words)
        return logits.argmax(-1)[self.number, self.row]

    def groups(self):
        """{name: (N,) True for its sentences}: by what *it* stands for, and by the pronoun."""
        kinds, pronouns = np.array(self.kind), np.array(self.group)
        found = {"all": np.ones(len(self), bool)}
        found |= {"animals": kinds == "animal", "places": kinds == "place"}
        return found | {"il": pronouns == "il", "elle": pronouns == "elle"}

    def is_right(self, model, *changes):
        """(N,) whether the answer of the model, with these changes, is right."""
        return (self.answers(model, changes) == self.right).numpy()

    def right_after(self, model, *changes):
        """The share of right answers in each of the groups, with these changes in the model."""
        right = self.is_right(model, *changes)
        return [right[group].mean() for group in self.groups().values()]

    def share_right(self, model, changes=()):
        """The share of sentences whose answer is right."""
        return share(self.answers(model, changes) == self.right)

    def share_wrong(self, model, changes=()):
        """The share of sentences whose answer is that of the twin."""
        return share(self.answers(model, changes) == self.wrong)

    @torch.no_grad()
    def maps(self, model):
        """{part: [(N, H, T, S) for each layer]}: where everything looks, in all sentences."""
        source, mask, target = self.take()
        with looking(model) as found:
            model(source, target[:, :-1], mask)
        return found

    def looks(self, model):
        """Two (N, H): what *it* gives to its noun and to the other in the last encoder layer."""
        weights = self.maps(model)["encoder"][-1]  # (N, H, S, S)
        row = weights[self.number, :, self.it]  # (N, H, S)
        return row[self.number, :, self.noun], row[self.number, :, self.other]

    def row_weights(self, model):
        """(N, S): where the row that writes the answer looks, the mean of the heads."""
        weights = self.maps(model)["cross"][-1].mean(1)  # (N, T, S)
        return weights[self.number, self.row]


def share(booleans):
    """The share that is True."""
    return booleans.float().mean().item()


def first_difference(words, others):
    """The first place where two sentences differ."""
    pairs = zip(words, others, strict=False)
    return next(place for place, (word, other) in enumerate(pairs) if word != other)


def group_of(sentence, answer):
    """The pronoun in French; elsewhere the kind of noun that *it* stands for."""
    if answer in ("il", "elle"):
        return answer
    return kind_of(sentence)


def kind_of(sentence):
    """The kind of noun that *it* stands for, by the adjective."""
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
    """Whether the answer tells the nouns apart: in French they must differ in gender."""
    if language != "French":
        return True
    row = first_difference(sentence.target, twin.target)
    return {sentence.target[row], twin.target[row]} == {"il", "elle"}


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


def two_models():
    """{name: translator}: A, the model of page 0, and B, trained on translations alone."""
    return {"A": saved.load("french_gloss"), "B": saved.load("french")}


# -- cuts for one translation, as a demo offers them ----------------------------------------------


def place_of(words, *wanted):
    """The place of the first of the words that is wanted; ValueError if there is none."""
    for place, word in enumerate(words):
        if word in wanted:
            return place
    raise ValueError(f"this sentence has no “{wanted[0]}”.")


def it_to_its_noun(told):
    it = place_of(told.source, "it")
    about = told.source[it:]
    adjective = about[place_of(about, *corpus.ADJECTIVES)]
    nouns = corpus.ANIMALS if adjective in corpus.ANIMAL_ADJECTIVES else corpus.PLACES
    return [Cut("encoder", layer=1, query=it, key=place_of(told.source, *nouns))]


def row_to_adjective(told):
    row = place_of(told.target, "il", "elle")
    return [Cut("cross", query=row, key=place_of(told.source, *corpus.ADJECTIVES))]


def row_to_it(told):
    row = place_of(told.target, "il", "elle")
    return [Cut("cross", query=row, key=place_of(told.source, "it"))]


CUTS = {  # name: a Translation -> the changes
    "the look of “it” at its noun": it_to_its_noun,
    "the pronoun’s look at the adjective": row_to_adjective,
    "the pronoun’s look at “it”": row_to_it,
}
