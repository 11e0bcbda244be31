"""Measure over five seeds what notebook 10 claims, write lib/saved/measured.json: `python tools/measure.py`.

    python tools/measure.py maps parts --seeds 0 1    some of the tables, some of the seeds

maps: the model trained on translation alone against the one that also glosses: where *it* looks, and what cutting the
arrow does. parts: French, translation alone, with one thing changed at a time. heads: each switched off, one by one.
Each model is trained in a process of its own, on one thread; half an hour on two cores.
"""

import argparse
import json
import multiprocessing
import sys
from dataclasses import replace
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, saved, training
from lib.decoding import greedy
from lib.interventions import Cut, Swap
from lib.modules import Transformer
from tools.train import GLOSSED, PLAIN, accuracy, configuration

FILE = saved.FOLDER / "measured.json"
RECIPE, OPTIONS = PLAIN
VARIANTS = {
    "nothing changed: 4 heads of 16": {},
    "one head of 64": {"heads": 1},
    "no scale, 4 heads of 16": {"without": ["scale"]},
    "no scale, one head of 64": {"heads": 1, "without": ["scale"]},
    "no positions": {"without": ["positions"]},
    "no residual": {"without": ["residual"]},
    "no causal mask": {"without": ["causal mask"]},
    "no warm-up": {"warm_up": 0},
    "layer norm after the addition": {"norm_first": False},
}


def train(language, recipe, options):
    """(model, corpus, steps to 95 % of the held-out sentences or None)."""
    material = corpus.make(language)
    torch.manual_seed(recipe.seed)
    model = Transformer(**configuration(material, options))
    reports = list(training.fit(training.Run(model, training.Translating(material), recipe)))
    return (
        model,
        material,
        next((report.step for report in reports if report.accuracy >= 0.95), None),
    )


class Referents:
    """Held-out sentences in which *it* stands for one of two nouns that differ in translation, and their twins.

    A twin has an adjective of the other kind, so that *it* is the other noun; ``key`` is the first word of the
    translation that differs.
    """

    def __init__(self, material, sentences, twins):
        self.batch = training.Sentences(sentences, material)
        keys = [
            differ(each.target, other.target) for each, other in zip(sentences, twins, strict=True)
        ]
        self.rows = torch.arange(len(keys)), torch.tensor(keys)
        self.right, self.wrong = (
            torch.tensor(
                material.target.encode([s.target[k] for s, k in zip(each, keys, strict=True)])
            )
            for each in (sentences, twins)
        )
        self.it, self.noun, self.other = (
            [getattr(s, name) for s in sentences] for name in ("it", "right", "wrong")
        )

    def key_words(self, model, changes=()):
        """The shares of sentences whose key word is right, and whose key word is that of the twin."""
        source, mask, target, _ = self.batch.take(range(len(self.it)))
        memory, _ = model.encode(source, mask, changes=changes)
        word = model.decode(target[:, :-1], memory, mask)[0].argmax(-1)[self.rows]
        return [share(word == self.right), share(word == self.wrong)]

    def looks(self, model):
        """(N, H, 2): what *it* gives to its noun and to the other one in the last encoder layer."""
        source, mask, _, _ = self.batch.take(range(len(self.it)))
        weights = model.encode(source, mask, need_weights=True)[1][-1]  # (N, H, S, S)
        row = weights[self.rows[0], :, self.it]  # (N, H, S)
        return torch.stack([row[self.rows[0], :, self.noun], row[self.rows[0], :, self.other]], -1)


def twin(language, sentence):
    """The same sentence with an adjective of the other kind, drawn by its place in its own list."""
    here, there = corpus.ANIMAL_ADJECTIVES, corpus.PLACE_ADJECTIVES
    here, there = (here, there) if sentence.adjective in here else (there, here)
    adjective = list(there)[list(here).index(sentence.adjective)]
    return corpus.say(language, sentence.frame, **sentence.choices | {"adjective": adjective})


def telling(language, sentence, other):
    """In French the nouns must differ in gender: otherwise the pronoun tells nothing."""
    key = differ(sentence.target, other.target)
    return language != "French" or {sentence.target[key], other.target[key]} == {"il", "elle"}


def differ(words, others):
    """The first place where two sentences differ."""
    return next(place for place, (a, b) in enumerate(zip(words, others, strict=False)) if a != b)


def share(booleans):
    return booleans.float().mean().item()


@torch.no_grad()
def maps(language, glossed, seed):
    """One row of the table of the two models."""
    recipe, options = GLOSSED if glossed else PLAIN
    model, material, _ = train(language, replace(recipe, seed=seed), options)
    pairs = [(each, twin(language, each)) for each in material.unseen_pairs]
    one, other = zip(*(pair for pair in pairs if telling(language, *pair)), strict=True)
    sentences, mirrored = (
        Referents(material, one, other),
        Referents(material, other, one).looks(model),
    )
    looks = sentences.looks(model)
    best = (
        (looks[..., 0] > looks[..., 1]).float().mean(0).argmax()
    )  # the head that finds the noun most often
    finds, finds_mirrored = (each[:, best, 0] > each[:, best, 1] for each in (looks, mirrored))
    it, noun, other = sentences.it, sentences.noun, sentences.other
    last = {"part": "encoder", "query": it, "layer": 1}
    return {
        "language": language, "glossed": glossed, "seed": seed, **accuracy(model, material),
        "looks at its noun": share(finds), "flips": share(finds & finds_mirrored),
        "weight": looks[:, best, 0].mean().item(),
        "key": sentences.key_words(model)[0],
        "key, cut it -> its noun": sentences.key_words(model, Cut(key=noun, **last))[0],
        "key, cut it -> other noun": sentences.key_words(model, Cut(key=other, **last))[0],
        "other noun's key, arrows swapped": sentences.key_words(model, Swap(key=noun, other=other, **last))[1],
        "crosses": crosses(model, material),
    }  # fmt: skip


def crosses(model, material):
    """How often the row that writes the adjective, in French after its noun, looks most at the English adjective."""
    random = torch.Generator().manual_seed(0)
    tests = [s for s in material.train if s.frame in ("tired animal", "wide street")]
    chosen = [tests[i] for i in torch.randperm(len(tests), generator=random)[:200]]
    batch = training.Sentences(chosen, material)
    source, mask, target, _ = batch.take(range(len(chosen)))
    weights = model.weights(source, target[:, :-1], mask)["cross"][-1].mean(1)  # (N, T, S)
    english = [sentence.english.index(sentence.adjective) for sentence in chosen]
    adjectives = corpus.LANGUAGES[material.language].ADJECTIVES
    forms = [adjectives[sentence.adjective] for sentence in chosen]
    there = [
        next(t for t, word in enumerate(s.target) if word in its)
        for s, its in zip(chosen, forms, strict=True)
    ]
    return share(weights[torch.arange(len(chosen)), there].argmax(-1) == torch.tensor(english))


@torch.no_grad()
def parts(variant, seed):
    """One row of the table of things left out."""
    changed = dict(VARIANTS[variant])
    recipe = replace(RECIPE, seed=seed, warm_up=changed.pop("warm_up", RECIPE.warm_up))
    model, material, steps = train("French", recipe, OPTIONS | changed)
    held_out = [*material.unseen_pairs, *material.unseen_triples]
    animals = [
        corpus.say("French", "two animals", subject=a, other=b)
        for a in corpus.ANIMALS
        for b in corpus.ANIMALS
        if a != b
    ]
    return {
        "variant": variant, "seed": seed, "steps to 95 %": steps,
        "taught": share(training.exact(model, training.Sentences(held_out, material))),
        "alone": written(model, held_out, material), "two animals": written(model, animals, material),
    }  # fmt: skip


def written(model, sentences, material):
    """The share of sentences that greedy writing translates without a mistake."""
    source, mask, target, _ = training.Sentences(sentences, material).take(range(len(sentences)))
    right = [[word for word in row[1:] if word] for row in target.tolist()]
    return sum(
        words == wanted for words, wanted in zip(greedy(model, source, mask), right, strict=True)
    ) / len(right)


@torch.no_grad()
def heads(seed):
    """What is right when one head is switched off, for each head of the French model."""
    model, material, _ = train("French", replace(RECIPE, seed=seed), OPTIONS)
    batch = training.Sentences(material.unseen_pairs, material)
    places = [("encoder", 0), ("encoder", 1), ("decoder", 0), ("cross", 0)]
    off = [
        share(training.exact(model, batch, [Cut(part, layer=layer, head=head)]))
        for part, layer in places
        for head in range(4)
    ]
    return {"seed": seed, "right without each head": off}


def job(work):
    torch.set_num_threads(1)
    table, arguments = work
    return table, {"maps": maps, "parts": parts, "heads": heads}[table](*arguments)


def jobs(tables, seeds):
    """All that there is to measure, as (table, arguments)."""
    work = {
        "maps": [
            (language, glossed, seed)
            for glossed in (True, False)
            for language in corpus.LANGUAGES
            for seed in seeds
        ],
        "parts": [(variant, seed) for variant in VARIANTS for seed in seeds],
        "heads": [(seed,) for seed in seeds],
    }
    return [(table, arguments) for table in tables for arguments in work[table]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "tables",
        nargs="*",
        default=[],
        metavar="TABLE",
        help="maps, parts, heads; all if not given",
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=range(5))
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    tables = arguments.tables or ["maps", "parts", "heads"]
    measured = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    measured |= {table: [] for table in tables}
    with multiprocessing.get_context("spawn").Pool(arguments.processes, maxtasksperchild=1) as pool:
        for table, row in pool.imap(job, jobs(tables, arguments.seeds)):
            print(table, json.dumps(row), flush=True)
            measured[table].append(row)
            FILE.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
