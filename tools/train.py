"""Train the models that the course ships and write them: `tools/train.py [NAME ...]`.

Each is a safetensors file in lib/saved/, at most 1 MB, made on one thread from seed 0, with what it
reaches on held-out sentences. About three minutes for all.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, saved, training
from lib.decoding import TranslationModel, WritingModel
from lib.modules import LanguageModel, Transformer
from lib.training import Recipe
from tools import help_if_asked

LARGEST = 1_000_000  # bytes
SAY_EVERY = 100  # steps


@dataclass(frozen=True)
class Plan:
    """How a model is made and trained. language: what to translate into; None: it writes English.

    options: what else the model is made with; glossed: whether it learns to gloss as well.
    """

    language: str | None
    recipe: Recipe
    options: dict
    glossed: bool = False


SIZES = {"d_model": 64, "encoder_layers": 2, "decoder_layers": 1, "d_ff": 256}
PLAIN = {**SIZES, "heads": 4, "dropout": 0.0}
GLOSSED = {**SIZES, "heads": 4, "encoder_heads": [4, 1], "dropout": 0.0}
LANGUAGE_MODEL = {"d_model": 64, "heads": 4, "layers": 2, "d_ff": 256, "dropout": 0.0}
GLOSS_RECIPE = Recipe(warm_up=400, weight_decay=1.0, gloss=1.0)


def plain(language):
    """A model that learns to translate, and nothing else."""
    return Plan(language, Recipe(), PLAIN)


def glossed(language):
    """A model that learns to translate and to gloss; one head in its last encoder layer."""
    return Plan(language, GLOSS_RECIPE, GLOSSED, glossed=True)


def gloss_only(language):
    """As ``plain``, but it learns to gloss as well."""
    return Plan(language, Recipe(gloss=1.0), PLAIN, glossed=True)


def models():
    """{name: Plan}: for each language with gloss and without, a third for French, a writer."""
    wanted = {}
    for language in corpus.LANGUAGES:
        wanted[language.lower()] = plain(language)
        wanted[f"{language.lower()}_gloss"] = glossed(language)
    wanted["french_gloss_only"] = gloss_only("French")
    return wanted | {"writer": Plan(None, Recipe(smoothing=0.0), LANGUAGE_MODEL)}


MODELS = models()


def configuration(material, plan):
    """What the plan's model is made with for this corpus."""
    if plan.language is None:
        return {"size": len(material.english)} | plan.options
    sizes = {"source_size": len(material.english), "target_size": len(material.target)}
    gloss = {"gloss_size": len(material.glosses)} if plan.glossed else {}
    return sizes | plan.options | gloss


def untrained(material, plan):
    """The plan's model before its first step."""
    torch.manual_seed(plan.recipe.seed)
    kind = LanguageModel if plan.language is None else Transformer
    return kind(**configuration(material, plan))


def trained(plan, material, report=print):
    """(TranslationModel or WritingModel, what it reached)."""
    model = untrained(material, plan)
    if plan.language is None:
        task = training.Writing(material)
        follow(training.Run(model, task, plan.recipe), report)
        return WritingModel(model, material.english), {"perplexity": task.perplexity(model)}
    follow(training.Run(model, training.Translating(material), plan.recipe), report)
    translator = TranslationModel(
        model, material.english, material.target, plan.language, corpus.join
    )
    return translator, accuracy(model, material)


def follow(run, report):
    """Train to the end, and say now and then how far it is."""
    for progress in training.fit(run):
        if progress.step % SAY_EVERY == 0:
            loss, right = f"{progress.loss:.3f}", f"{progress.accuracy:.3f}"
            report(f"  step {progress.step}: loss {loss}, held out {right}")


def accuracy(model, material):
    """The shares of the two held-out sets that are right from the first word to the end."""
    return {
        "unseen pairs": share_exact(model, material, material.unseen_pairs),
        "unseen triples": share_exact(model, material, material.unseen_triples),
    }


def share_exact(model, material, sentences, changes=()):
    """The share of some sentences whose every word is right."""
    right = training.exact(model, training.Sentences(sentences, material), changes)
    return right.float().mean().item()


def make(name):
    """Train the model of that name and write its file."""
    begin = time.monotonic()
    plan = MODELS[name]
    material = corpus.make(plan.language or "French")
    model, reached = trained(plan, material)
    path = saved.FOLDER / f"{name}.safetensors"
    saved.save(path, model, configuration(material, plan), **reached)
    size = path.stat().st_size
    if size > LARGEST:
        sys.exit(f"{path.name} has {size:,} bytes; at most {LARGEST:,} are allowed.")
    print(f"  {time.monotonic() - begin:.0f} s, {size:,} bytes: {reached}", flush=True)


def main(names):
    unknown = set(names) - set(MODELS)
    if unknown:
        sys.exit(f"There is no model {unknown.pop()!r}; there are: {', '.join(MODELS)}.")
    for name in names or MODELS:
        print(f"{name}:", flush=True)
        make(name)


if __name__ == "__main__":
    help_if_asked(__doc__)
    main(sys.argv[1:])
