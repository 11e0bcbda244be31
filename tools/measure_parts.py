"""The French translator, translation only, trained with one thing changed at a time.

Tables: parts (700 steps, with the first mistake of each model), longer (1,600 steps, what is left
of the scale).
"""

from dataclasses import dataclass, field, replace

import torch

from lib import corpus, training
from lib.ablations import leave_out
from lib.decoding import greedy
from tools.train import plain, share_exact, untrained

KNOWN = 0.95  # the share of held-out sentences at which a model counts as having learned
LONGER = 1_600  # steps
SCALE = 8  # √d_k, with one head of 64


@dataclass(frozen=True)
class Variant:
    """What is changed: the model's options, the recipe, what is left out, W_Q's learning rate."""

    options: dict = field(default_factory=dict)
    recipe: dict = field(default_factory=dict)
    without: tuple = ()
    slower_queries: bool = False


SMALLER_QUERIES = "no scale, one head of 64, W_Q ÷ 8 at the start"
SLOWER_QUERIES = "no scale, one head of 64, W_Q and its rate ÷ 8"
WITH_SMALLER_QUERIES = {"options": {"heads": 1}, "without": ("scale, with smaller W_Q",)}
VARIANTS = {
    "nothing changed: 4 heads of 16": Variant(),
    "one head of 64": Variant({"heads": 1}),
    "no scale, 4 heads of 16": Variant(without=("scale",)),
    "no scale, one head of 64": Variant({"heads": 1}, without=("scale",)),
    SMALLER_QUERIES: Variant(**WITH_SMALLER_QUERIES),
    SLOWER_QUERIES: Variant(**WITH_SMALLER_QUERIES, slower_queries=True),
    "no positions": Variant(without=("positions",)),
    "no residual": Variant(without=("residual",)),
    "no causal mask": Variant(without=("causal mask",)),
    "no feed-forward": Variant(without=("feed-forward",)),
    "no ReLU": Variant(without=("ReLU",)),
    "no layer norm": Variant(without=("layer norm",)),
    "no warm-up": Variant(recipe={"warm_up": 0}),
    "layer norm after the addition": Variant({"norm_first": False}),
    "norm after the addition, no warm-up": Variant({"norm_first": False}, {"warm_up": 0}),
}
TRAINED_LONGER = ("one head of 64", "no scale, one head of 64", SMALLER_QUERIES)


class SlowerQueries:
    """AdamW with an eighth of the learning rate for W_Q and its bias, and the same decay.

    It stands in the place of ``training.Run``'s optimizer.
    """

    def __init__(self, model, weight_decay):
        queries = []
        others = []
        for name, parameter in model.named_parameters():
            chosen = queries if ".query." in name else others
            chosen.append(parameter)
        self.queries = training.AdamW(queries, SCALE * weight_decay)  # decay goes with the rate
        self.others = training.AdamW(others, weight_decay)

    def step(self, rate):
        self.queries.step(rate / SCALE)
        self.others.step(rate)


def plan_of(variant, seed, **recipe):
    """The Plan (tools.train) of a variant."""
    changed = VARIANTS[variant]
    plan = plain("French")
    how = replace(plan.recipe, seed=seed, **changed.recipe, **recipe)
    return replace(plan, recipe=how, options=plan.options | changed.options)


def training_of(plan, material, changed):
    """The Run of a model that is trained as a Variant says."""
    model = untrained(material, plan)
    leave_out(model, changed.without)
    run = training.Run(model, training.Translating(material), plan.recipe)
    if changed.slower_queries:
        run.optimizer = SlowerQueries(model, plan.recipe.weight_decay)
    return run


def train(plan, material, changed):
    """(model, steps until it had learned, or None if it never had)."""
    run = training_of(plan, material, changed)
    steps = None
    for report in training.fit(run):
        if steps is None and report.accuracy >= KNOWN:
            steps = report.step
    return run.model, steps


@torch.no_grad()
def parts(variant, seed):
    """One row of the table of things left out."""
    material = corpus.make("French")
    plan = plan_of(variant, seed)
    model, steps = train(plan, material, VARIANTS[variant])
    held_out = [*material.unseen_pairs, *material.unseen_triples]
    return {
        "variant": variant,
        "seed": seed,
        "steps to 95 %": steps,
        "taught": share_exact(model, material, held_out),
        "alone": written(model, material, held_out),
        "two animals": written(model, material, two_animals()),
        "mistake": first_mistake(model, material, held_out),
    }


def longer(variant, seed):
    """When a model has learned that is given more steps; it is trained no further than that."""
    material = corpus.make("French")
    plan = plan_of(variant, seed, steps=LONGER)
    about = {"variant": variant, "seed": seed, "steps": LONGER, "steps to 95 %": None}
    for report in training.fit(training_of(plan, material, VARIANTS[variant])):
        about["right at the last report"] = report.accuracy
        if report.accuracy >= KNOWN:
            return about | {"steps to 95 %": report.step}
    return about


def two_animals():
    """Every sentence of two different animals."""
    sentences = []
    for subject in corpus.ANIMALS:
        for other in corpus.ANIMALS:
            if subject != other:
                choices = {"subject": subject, "other": other}
                sentences.append(corpus.say("French", "two animals", **choices))
    return sentences


def written_right(model, material, sentences):
    """(N,) booleans: which of some sentences greedy writing translates without a mistake."""
    return training.written_right(model, training.Sentences(sentences, material))


def written(model, material, sentences):
    """The share of sentences that greedy writing translates without a mistake."""
    return written_right(model, material, sentences).double().mean().item()


def first_mistake(model, material, sentences):
    """The first sentence that greedy writing gets wrong, or None: what it read, wrote, was to."""
    right = written_right(model, material, sentences).tolist()
    if all(right):
        return None
    wrong = sentences[right.index(False)]
    source, mask, _, _ = training.Sentences([wrong], material).take([0])
    [words] = greedy(model, source, mask)
    return {
        "read": " ".join(wrong.english),
        "wrote": corpus.join(material.target.decode(words), "French"),
        "right": corpus.join(wrong.target, "French"),
    }
