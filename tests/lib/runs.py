"""What the tests of lib.training share: a small corpus, small models, short runs."""

from functools import cache

import torch

from lib.corpus import make
from lib.modules import LanguageModel, Transformer
from lib.training import Recipe, Run, Translating, Writing

SHORT = Recipe(steps=7, batch=4, rate=1e-2, warm_up=3, every=3, gloss=1.0)


@cache
def material():
    return make(count=60, held_out=4)


def transformer(seed=0, dropout=0.1, gloss=True):
    torch.manual_seed(seed)
    words, glosses = material(), len(material().glosses)
    return Transformer(
        len(words.english),
        len(words.target),
        16,
        2,
        2,
        1,
        32,
        dropout,
        gloss_size=glosses if gloss else None,
    )


def language_model(dropout=0.1):
    torch.manual_seed(0)
    return LanguageModel(len(material().english), 16, 2, 2, 32, dropout)


def translating(recipe=SHORT, **options):
    return Run(transformer(**options), Translating(material()), recipe)


def writing(recipe=SHORT):
    return Run(language_model(), Writing(material()), recipe)


def numbers(reports):
    """All that the reports say, to be compared bit by bit."""
    return [
        (
            r.step,
            r.steps,
            r.loss,
            r.accuracy,
            {part: [w.tolist() for w in maps] for part, maps in r.weights.items()},
        )
        for r in reports
    ]


def same_parameters(one, other):
    pairs = zip(one.model.state_dict().items(), other.model.state_dict().items(), strict=True)
    return all(name == its and torch.equal(a, b) for (name, a), (its, b) in pairs)
