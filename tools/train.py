"""Train the models that the course ships, state what they reach, and write them.

`python tools/train.py [NAME ...]`. Each is a safetensors file in lib/saved, at most 1 MB, made on
one thread from seed 0. About three minutes for all.
"""

import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, decoding, saved, training
from lib.modules import LanguageModel, Transformer
from lib.training import Recipe

LARGEST = 1_000_000  # bytes
SIZES = {"d_model": 64, "encoder_layers": 2, "decoder_layers": 1, "d_ff": 256}
PLAIN = Recipe(), {"heads": 4, "dropout": 0.0}
GLOSSED = (
    Recipe(warm_up=400, weight_decay=1.0, gloss=1.0),
    {"heads": 4, "encoder_heads": [4, 1], "dropout": 0.0},
)
WRITER = (
    Recipe(smoothing=0.0),
    {"d_model": 64, "heads": 4, "layers": 2, "d_ff": 256, "dropout": 0.0},
)


def models():
    """{name: (language or None, recipe, options)}: two for each language of the corpus."""
    wanted = {}
    for language in corpus.LANGUAGES:
        wanted[language.lower()] = (language, *PLAIN)
        wanted[f"{language.lower()}_gloss"] = (language, *GLOSSED)
    return wanted | {"writer": (None, *WRITER)}


MODELS = models()


def configuration(material, options):
    """What a Transformer for this corpus is made with."""
    gloss = {"gloss_size": len(material.glosses)} if "encoder_heads" in options else {}
    return (
        {"source_size": len(material.english), "target_size": len(material.target)}
        | SIZES
        | options
        | gloss
    )


def translator(language, recipe, options, report=print):
    """(Translator, its configuration, what it reached)."""
    material = corpus.make(language)
    made_with = configuration(material, options)
    torch.manual_seed(recipe.seed)
    model = Transformer(**made_with)
    trained(training.Run(model, training.Translating(material), recipe), report)
    return (
        decoding.Translator(model, material.english, material.target, language),
        made_with,
        accuracy(model, material),
    )


def writer(recipe, options, report=print):
    """(Writer, its configuration, what it reached)."""
    material = corpus.make()
    made_with = {"size": len(material.english)} | options
    torch.manual_seed(recipe.seed)
    model, task = LanguageModel(**made_with), training.Writing(material)
    trained(training.Run(model, task, recipe), report)
    return (
        decoding.Writer(model, material.english),
        made_with,
        {"perplexity": task.perplexity(model)},
    )


def trained(run, report):
    for progress in training.fit(run):
        if progress.step % 100 == 0:
            report(
                f"  step {progress.step}: loss {progress.loss:.3f}, "
                f"held out {progress.accuracy:.3f}"
            )


@torch.no_grad()
def accuracy(model, material):
    """The shares of the two held-out sets that are right from the first word to the end."""
    held_out = {"unseen pairs": material.unseen_pairs, "unseen triples": material.unseen_triples}
    return {
        name: training.exact(model, training.Sentences(sentences, material)).float().mean().item()
        for name, sentences in held_out.items()
    }


def main(names):
    if unknown := set(names) - set(MODELS):
        sys.exit(f"There is no model {unknown.pop()!r}; there are: {', '.join(MODELS)}.")
    saved.FOLDER.mkdir(exist_ok=True)
    for name in names or MODELS:
        print(f"{name}:", flush=True)
        begin, (language, *how) = time.monotonic(), MODELS[name]
        model, made_with, reached = translator(language, *how) if language else writer(*how)
        path = saved.FOLDER / f"{name}.safetensors"
        saved.save(path, model, made_with, **reached)
        if path.stat().st_size > LARGEST:
            sys.exit(
                f"{path.name} has {path.stat().st_size:,} bytes; at most {LARGEST:,} are allowed."
            )
        print(
            f"  {time.monotonic() - begin:.0f} s, {path.stat().st_size:,} bytes: {reached}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
