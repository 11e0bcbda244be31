"""Measure over five seeds what notebook 10 claims: `python tools/measure.py`.

    python tools/measure.py maps parts --seeds 0 1    some of the tables, some of the seeds

maps: the model trained on translation alone against the one that also glosses: where *it* looks,
and what cutting the arrow does. parts: French, translation alone, with one thing changed at a time.
heads: each switched off, one by one. Each model is trained in a process of its own, on one thread;
half an hour on two cores. The tables are written to lib/saved/measured.json.
"""

import argparse
import json
import multiprocessing
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, saved, training
from lib.ablations import leave_out
from lib.decoding import greedy
from lib.interventions import Cut, Swap, changing, listed, looking
from tools.train import accuracy, glossed, plain, share_exact, untrained

FILE = saved.FOLDER / "measured.json"
KNOWN = 0.95  # the share of held-out sentences at which a model counts as having learned
CROSSING = 200  # sentences in which the order of noun and adjective is looked at


@dataclass(frozen=True)
class Variant:
    """What is changed: the model's options, the recipe, and what is left out of the model."""

    options: dict = field(default_factory=dict)
    recipe: dict = field(default_factory=dict)
    without: tuple = ()


VARIANTS = {
    "nothing changed: 4 heads of 16": Variant(),
    "one head of 64": Variant({"heads": 1}),
    "no scale, 4 heads of 16": Variant(without=("scale",)),
    "no scale, one head of 64": Variant({"heads": 1}, without=("scale",)),
    "no positions": Variant(without=("positions",)),
    "no residual": Variant(without=("residual",)),
    "no causal mask": Variant(without=("causal mask",)),
    "no warm-up": Variant(recipe={"warm_up": 0}),
    "layer norm after the addition": Variant({"norm_first": False}),
}


def train(plan, material, without=()):
    """(model, steps until it had learned, or None if it never had)."""
    model = untrained(material, plan)
    leave_out(model, without)
    run = training.Run(model, training.Translating(material), plan.recipe)
    steps = None
    for report in training.fit(run):
        if steps is None and report.accuracy >= KNOWN:
            steps = report.step
    return model, steps


def with_seed(plan, seed):
    """The same plan from another beginning."""
    return replace(plan, recipe=replace(plan.recipe, seed=seed))


def share(booleans):
    """The share that is True."""
    return booleans.float().mean().item()


# -- maps: where *it* looks ------------------------------------------------------------------------


class Referents:
    """Sentences in which *it* stands for one of two nouns that differ in translation.

    twins: the same with an adjective of the other kind, so that *it* is the other noun. The key
    word is the first word of the translation that differs.
    """

    def __init__(self, material, sentences, twins):
        self.batch = training.Sentences(sentences, material)
        self.number = torch.arange(len(sentences))
        self.it = [sentence.it for sentence in sentences]
        self.noun = [sentence.right for sentence in sentences]
        self.other = [sentence.wrong for sentence in sentences]
        keys = []
        right = []
        wrong = []
        for sentence, twin in zip(sentences, twins, strict=True):
            key = first_difference(sentence.target, twin.target)
            keys.append(key)
            right.append(sentence.target[key])
            wrong.append(twin.target[key])
        self.key = torch.tensor(keys)
        self.right = torch.tensor(material.target.encode(right))
        self.wrong = torch.tensor(material.target.encode(wrong))

    def key_words(self, model, changes=()):
        """(N,) the number of the word that the model writes at the key's place."""
        source, mask, target, _ = self.batch.take(range(len(self.it)))
        with changing(model, *listed(changes)):
            logits = model(source, target[:, :-1], mask)  # (N, T, words)
        return logits.argmax(-1)[self.number, self.key]

    def key_right(self, model, changes=()):
        """The share of sentences whose key word is right."""
        return share(self.key_words(model, changes) == self.right)

    def key_wrong(self, model, changes=()):
        """The share of sentences whose key word is that of the twin."""
        return share(self.key_words(model, changes) == self.wrong)

    def looks(self, model):
        """Two (N, H): what *it* gives to its noun and to the other in the last encoder layer."""
        source, mask, _, _ = self.batch.take(range(len(self.it)))
        with looking(model) as found:
            model.encode(source, mask)
        weights = found["encoder"][-1]  # (N, H, S, S)
        row = weights[self.number, :, self.it]  # (N, H, S)
        return row[self.number, :, self.noun], row[self.number, :, self.other]


def first_difference(words, others):
    """The first place where two sentences differ."""
    pairs = zip(words, others, strict=False)
    return next(place for place, (word, other) in enumerate(pairs) if word != other)


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


@torch.no_grad()
def maps(language, with_gloss, seed):
    """One row of the table of the two models."""
    material = corpus.make(language)
    plan = glossed(language) if with_gloss else plain(language)
    model, _ = train(with_seed(plan, seed), material)
    about = {"language": language, "glossed": with_gloss, "seed": seed}
    reached = accuracy(model, material)
    return about | reached | looks_and_cuts(model, material) | {"crosses": crosses(model, material)}


@torch.no_grad()
def looks_and_cuts(model, material):
    """Where *it* looks in the best head, and what becomes of the key word without the arrow."""
    sentences, twins = referents(material)
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


@torch.no_grad()
def crosses(model, material):
    """How often the row that writes the adjective looks most at the English adjective.

    In French the adjective stands after its noun.
    """
    tests = [each for each in material.train if each.frame in ("tired animal", "wide street")]
    random = torch.Generator().manual_seed(0)
    chosen = [tests[number] for number in torch.randperm(len(tests), generator=random)[:CROSSING]]
    batch = training.Sentences(chosen, material)
    source, mask, target, _ = batch.take(range(len(chosen)))
    with looking(model) as found:
        model(source, target[:, :-1], mask)
    weights = found["cross"][-1].mean(1)  # (N, T, S): the mean of the heads
    adjectives = corpus.LANGUAGES[material.language].ADJECTIVES
    rows = torch.tensor([place_of(adjectives[each.adjective], each.target) for each in chosen])
    columns = torch.tensor([each.english.index(each.adjective) for each in chosen])
    return share(weights[torch.arange(len(chosen)), rows].argmax(-1) == columns)


def place_of(forms, words):
    """The place of the first word that is one of the forms of an adjective."""
    return next(place for place, word in enumerate(words) if word in forms)


# -- parts and heads: what a model is without them -------------------------------------------------


@torch.no_grad()
def parts(variant, seed):
    """One row of the table of things left out."""
    changed = VARIANTS[variant]
    plan = with_seed(plain("French"), seed)
    recipe = replace(plan.recipe, **changed.recipe)
    plan = replace(plan, recipe=recipe, options=plan.options | changed.options)
    material = corpus.make("French")
    model, steps = train(plan, material, changed.without)
    held_out = [*material.unseen_pairs, *material.unseen_triples]
    return {
        "variant": variant,
        "seed": seed,
        "steps to 95 %": steps,
        "taught": share_exact(model, material, held_out),
        "alone": written(model, material, held_out),
        "two animals": written(model, material, two_animals()),
    }


def two_animals():
    """Every sentence of two different animals."""
    sentences = []
    for subject in corpus.ANIMALS:
        for other in corpus.ANIMALS:
            if subject != other:
                choices = {"subject": subject, "other": other}
                sentences.append(corpus.say("French", "two animals", **choices))
    return sentences


def written(model, material, sentences):
    """The share of sentences that greedy writing translates without a mistake."""
    batch = training.Sentences(sentences, material)
    source, mask, target, _ = batch.take(range(len(sentences)))
    right = 0
    for words, row in zip(greedy(model, source, mask), target.tolist(), strict=True):
        right += words == [word for word in row[1:] if word]  # without START and padding
    return right / len(sentences)


@torch.no_grad()
def heads(seed):
    """What is right when one head is switched off, for each head of the French model."""
    material = corpus.make("French")
    model, _ = train(with_seed(plain("French"), seed), material)
    return {"seed": seed, "right without each head": without_each_head(model, material)}


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


# -- all of it -------------------------------------------------------------------------------------

TABLES = {"maps": maps, "parts": parts, "heads": heads}


def jobs(tables, seeds):
    """All that there is to measure, as (table, arguments of its function)."""
    work = {table: [] for table in TABLES}
    for with_gloss in (True, False):
        for language in corpus.LANGUAGES:
            work["maps"] += [(language, with_gloss, seed) for seed in seeds]
    for variant in VARIANTS:
        work["parts"] += [(variant, seed) for seed in seeds]
    work["heads"] = [(seed,) for seed in seeds]
    return [(table, arguments) for table in tables for arguments in work[table]]


def do(job):
    """(table, its row): what a process of its own measures."""
    torch.set_num_threads(1)
    table, arguments = job
    return table, TABLES[table](*arguments)


def arguments():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    about = f"{', '.join(TABLES)}; all if not given"
    parser.add_argument("tables", nargs="*", default=[], metavar="TABLE", help=about)
    parser.add_argument("--seeds", type=int, nargs="*", default=range(5))
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def main():
    asked = arguments()
    tables = asked.tables or list(TABLES)
    measured = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for table in tables:
        measured[table] = []
    context = multiprocessing.get_context("spawn")
    with context.Pool(asked.processes, maxtasksperchild=1) as pool:
        for table, row in pool.imap(do, jobs(tables, asked.seeds)):
            print(table, json.dumps(row), flush=True)
            measured[table].append(row)
            FILE.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
