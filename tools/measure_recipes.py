"""Translators trained by several recipes: what their arrows at *it* say, and what cutting one does.

Tables: maps (the encoder's *it*), rows (the decoder's row that writes the pronoun, or the noun that
Chinese says once more), row weights (where that row looks), heads (each switched off), fair cuts
(the arrows of *it* to one noun and to both).
"""

from dataclasses import dataclass

import torch

from lib import corpus, training
from lib.interventions import Cut, Swap, looking
from lib.saved.referents import referents, share
from tools.train import GLOSSED, PLAIN, Plan, accuracy, share_exact, untrained

CROSSING = 200  # sentences in which the order of noun and adjective is looked at
STRONG_DECAY = {"weight_decay": 1.0}
LONG_WARM_UP = {"warm_up": 400}


@dataclass(frozen=True)
class Ingredients:
    """In what a recipe differs from translation only."""

    gloss: bool = False
    one_head: bool = False  # in the last encoder layer
    decay: bool = False  # 1 in place of 0.01
    warm_up: bool = False  # 400 steps in place of 200


RECIPES = {
    "translation only": Ingredients(),
    "gloss only": Ingredients(gloss=True),
    "gloss, one head": Ingredients(gloss=True, one_head=True),
    "one head, decay and warm-up": Ingredients(one_head=True, decay=True, warm_up=True),
    "gloss, one head, decay and warm-up": Ingredients(True, True, True, True),
    "gloss, one head, warm-up": Ingredients(True, True, warm_up=True),
    "gloss, one head, decay": Ingredients(True, True, decay=True),
    "gloss, decay and warm-up": Ingredients(True, decay=True, warm_up=True),
}
FRENCH_ALONE = list(RECIPES)[5:]  # they part decay and warm-up
WITHOUT_GLOSS = "translation only"


def plan_of(recipe, language, seed):
    """The Plan (tools.train) of a recipe."""
    ingredients = RECIPES[recipe]
    changes = {}
    if ingredients.decay:
        changes |= STRONG_DECAY
    if ingredients.warm_up:
        changes |= LONG_WARM_UP
    if ingredients.gloss:
        changes["gloss"] = 1.0
    options = GLOSSED if ingredients.one_head else PLAIN
    how = training.Recipe(seed=seed, **changes)
    return Plan(language, how, options, glossed=ingredients.gloss)


def trained_by(recipe, material, seed):
    """The model after its last step."""
    plan = plan_of(recipe, material.language, seed)
    model = untrained(material, plan)
    for _ in training.fit(training.Run(model, training.Translating(material), plan.recipe)):
        pass
    return model


@torch.no_grad()
def of_model(model, material, recipe, seed):
    """{table: its rows} of one trained model."""
    about = {"language": material.language, "recipe": recipe, "seed": seed}
    sentences, twins = referents(material)
    maps = about | {"glossed": RECIPES[recipe].gloss} | accuracy(model, material)
    maps |= looks_and_cuts(model, sentences, twins) | {"crosses": crosses(model, material)}
    tables = {
        "maps": [maps],
        "rows": [about | row for row in rows(model, sentences, twins)],
        "row weights": [about | row_weights(model, sentences)],
    }
    if recipe == WITHOUT_GLOSS and material.language == "French":
        right = without_each_head(model, material)
        tables["heads"] = [{"seed": seed, "right without each head": right}]
    if RECIPES[recipe].gloss and material.language == "French":
        tables["fair cuts"] = [about | fair_cut(model, sentences)]
    return tables


# -- maps: where *it* looks ------------------------------------------------------------------------


def looks_and_cuts(model, sentences, twins):
    """Where *it* looks in the best head, and what becomes of the answer without the arrow."""
    to_noun, to_other = sentences.looks(model)  # (N, H) each
    best = share_of_heads(to_noun > to_other).argmax()
    finds = to_noun[:, best] > to_other[:, best]
    twin_to_noun, twin_to_other = twins.looks(model)
    twin_finds = twin_to_noun[:, best] > twin_to_other[:, best]
    last = {"part": "encoder", "query": sentences.it, "layer": len(model.encoder.layers) - 1}
    cut_noun = Cut(key=sentences.noun, **last)
    cut_other = Cut(key=sentences.other, **last)
    swap = Swap(key=sentences.noun, other=sentences.other, **last)
    return {
        "looks at its noun": share(finds),
        "turns": share(finds & twin_finds),
        "weight": to_noun[:, best].mean().item(),
        "right": sentences.share_right(model),
        "right, it -> its noun cut": sentences.share_right(model, cut_noun),
        "right, it -> other noun cut": sentences.share_right(model, cut_other),
        "other noun's answer, arrows swapped": sentences.share_wrong(model, swap),
    }


def fair_cut(model, sentences):
    """What is right without the arrow, and without the one to the rival, which gets its weight."""
    last = {"part": "encoder", "query": sentences.it, "layer": len(model.encoder.layers) - 1}
    cut_noun = Cut(key=sentences.noun, **last)
    cut_other = Cut(key=sentences.other, **last)
    return {
        "right, its noun cut": sentences.share_right(model, cut_noun),
        "right, both nouns cut": sentences.share_right(model, [cut_noun, cut_other]),
    }


def share_of_heads(found):
    """(H,) the share of the sentences, of booleans (N, H)."""
    return found.float().mean(0)


def crosses(model, material):
    """How often the row that writes the adjective looks most at the English adjective.

    In French the adjective stands after its noun.
    """
    tests = [each for each in material.train if each.frame in ("tired animal", "wide street")]
    random = torch.Generator().manual_seed(0)
    chosen = [tests[number] for number in torch.randperm(len(tests), generator=random)[:CROSSING]]
    batch = training.Sentences(chosen, material)
    source, mask, target, _ = batch.take(range(len(chosen)))
    with torch.no_grad(), looking(model) as found:
        model(source, target[:, :-1], mask)
    weights = found["cross"][-1].mean(1)  # (N, T, S): the mean of the heads
    adjectives = corpus.LANGUAGES[material.language].ADJECTIVES
    rows = torch.tensor([place_of(adjectives[each.adjective], each.target) for each in chosen])
    columns = torch.tensor([each.english.index(each.adjective) for each in chosen])
    return share(weights[torch.arange(len(chosen)), rows].argmax(-1) == columns)


def place_of(forms, words):
    """The place of the first word that is one of the forms of an adjective."""
    return next(place for place, word in enumerate(words) if word in forms)


# -- rows: what the row that writes the answer reads ---------------------------------------------


def rows(model, sentences, twins):
    """One row for each change: how often the answer is still right, and by group.

    A cut shares the arrow's weight among the others; in the encoder it is made in both layers, if
    none is named. *mean* and *twin* are its controls: the decoder sees, at one word, the mean of
    what the encoder makes of such words, or what it makes of that word in the twin. Key and value
    both come from that vector, so the row's weights may move too.
    """
    found = []
    for change, words in answers_after(model, sentences, twins).items():
        right = words == sentences.right
        row = {"change": change, "sentences": len(sentences), "right": share(right)}
        for group in sorted(set(sentences.group), reverse=True):  # il before elle
            chosen = torch.tensor([each == group for each in sentences.group])
            row[group] = share(right[chosen])
        row["twin's answer"] = share(words == sentences.wrong)
        found.append(row)
    return found


def answers_after(model, sentences, twins):
    """{change: (N,) the words written}."""
    row = {"part": "cross", "query": sentences.row}
    adjective = {"part": "encoder", "query": sentences.adjective}
    it = {"part": "encoder", "query": sentences.it}
    cuts = {
        "nothing": (),
        "cut row -> adjective": Cut(key=sentences.adjective, **row),
        "cut row -> it": Cut(key=sentences.it, **row),
        "cut adjective -> its noun": Cut(key=sentences.noun, **adjective),
        "cut it -> adjective": Cut(key=sentences.adjective, **it),
        "cut it -> its noun": Cut(key=sentences.noun, **it),
        "cut it -> its noun, layer 1": Cut(key=sentences.noun, layer=0, **it),
        "cut it -> its noun, layer 2": Cut(key=sentences.noun, layer=1, **it),
    }
    words = {change: sentences.answers(model, cut) for change, cut in cuts.items()}
    states = sentences.states(model)  # (N, S, d_model)
    twin_states = twins.states(model)
    for name, places in {"adjective": sentences.adjective, "it": sentences.it}.items():
        own = states[sentences.number, places]  # (N, d_model)
        mean = own.mean(0).expand_as(own)
        twin = twin_states[sentences.number, places]
        for kind, vectors in {"mean": mean, "twin": twin}.items():
            changed = states.clone()
            changed[sentences.number, places] = vectors
            words[f"{kind} at {name}"] = sentences.answers(model, states=changed)
    return words


def row_weights(model, sentences):
    """Where the row that writes the answer looks, the mean of the heads."""
    weights = sentences.row_weights(model)  # (N, S)
    places = {
        "adjective": sentences.adjective,
        "it": sentences.it,
        "its noun": sentences.noun,
    }
    largest = weights.argmax(-1)
    found = {}
    for name, columns in places.items():
        found[f"largest on {name}"] = share(largest == torch.tensor(columns))
        found[f"weight on {name}"] = weights[sentences.number, columns].mean().item()
    return found


# -- heads: what a model is without them -----------------------------------------------------------


def without_each_head(model, material):
    """The share of unseen pairs that is right without each head, stack by stack."""
    right = []
    parts = {
        "encoder": [layer.attention for layer in model.encoder.layers],
        "decoder": [layer.self_attention for layer in model.decoder.layers],
        "cross": [layer.cross_attention for layer in model.decoder.layers],
    }
    for part, attentions in parts.items():
        for layer, attention in enumerate(attentions):
            for head in range(attention.heads):
                cut = Cut(part, layer=layer, head=head)
                right.append(share_exact(model, material, material.unseen_pairs, cut))
    return right
