"""Translators trained by five recipes: what their arrows at *it* say, and what cutting one does.

Tables: maps (the encoder's *it*), rows (the decoder's row that writes the pronoun, or the noun that
Chinese says once more), row weights (where that row looks), heads (each switched off).
"""

from dataclasses import dataclass

import torch

from lib import corpus, training
from lib.interventions import Cut, Swap, looking
from lib.saved.referents import referents, share
from tools.train import GLOSSED, PLAIN, Plan, accuracy, share_exact, untrained

CROSSING = 200  # sentences in which the order of noun and adjective is looked at
STRONG = {"weight_decay": 1.0, "warm_up": 400}


@dataclass(frozen=True)
class Ingredients:
    """In what a recipe differs from translation only."""

    gloss: bool = False
    one_head: bool = False  # in the last encoder layer
    strong_decay: bool = False  # and the longer warm-up that it needs


RECIPES = {
    "translation only": Ingredients(),
    "gloss only": Ingredients(gloss=True),
    "gloss, one head": Ingredients(gloss=True, one_head=True),
    "one head, strong decay": Ingredients(one_head=True, strong_decay=True),
    "gloss, one head, strong decay": Ingredients(True, True, True),
}
WITHOUT_GLOSS = "translation only"


def plan_of(recipe, language, seed):
    """The Plan (tools.train) of a recipe."""
    ingredients = RECIPES[recipe]
    changes = dict(STRONG) if ingredients.strong_decay else {}
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
    return tables


# -- maps: where *it* looks ------------------------------------------------------------------------


def looks_and_cuts(model, sentences, twins):
    """Where *it* looks in the best head, and what becomes of the key word without the arrow."""
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
        "flips": share(finds & twin_finds),
        "weight": to_noun[:, best].mean().item(),
        "key": sentences.key_right(model),
        "key, cut it -> its noun": sentences.key_right(model, cut_noun),
        "key, cut it -> other noun": sentences.key_right(model, cut_other),
        "other noun's key, arrows swapped": sentences.key_wrong(model, swap),
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


# -- rows: what the row that writes the key word reads ---------------------------------------------


def rows(model, sentences, twins):
    """One row for each change: how often the key word is still right, and by group.

    A cut shares the arrow's weight among the others; in the encoder it is made in both layers, if
    none is named. *mean* and *twin* are its controls: the decoder sees, at one word, the mean of
    what the encoder makes of such words, or what it makes of that word in the twin. Key and value
    both come from that vector, so the row's weights may move too.
    """
    found = []
    for change, words in key_words_after(model, sentences, twins).items():
        right = words == sentences.right
        row = {"change": change, "sentences": len(sentences), "right": share(right)}
        for group in sorted(set(sentences.group), reverse=True):  # il before elle
            chosen = torch.tensor([each == group for each in sentences.group])
            row[group] = share(right[chosen])
        row["other noun's key"] = share(words == sentences.wrong)
        found.append(row)
    return found


def key_words_after(model, sentences, twins):
    """{change: (N,) the words written}."""
    row = {"part": "cross", "query": sentences.key}
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
    words = {change: sentences.key_words(model, cut) for change, cut in cuts.items()}
    states = sentences.states(model)  # (N, S, d_model)
    twin_states = twins.states(model)
    for name, places in {"adjective": sentences.adjective, "it": sentences.it}.items():
        own = states[sentences.number, places]  # (N, d_model)
        mean = own.mean(0).expand_as(own)
        twin = twin_states[sentences.number, places]
        for kind, vectors in {"mean": mean, "twin": twin}.items():
            changed = states.clone()
            changed[sentences.number, places] = vectors
            words[f"{kind} at {name}"] = sentences.key_words(model, states=changed)
    return words


def row_weights(model, sentences):
    """Where the row that writes the key word looks, the mean of the heads."""
    weights = sentences.row(model)  # (N, S)
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
