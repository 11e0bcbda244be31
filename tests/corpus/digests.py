"""A digest of all that the shipped models, measurements and outputs belong to.

`.venv/bin/python -m tests.corpus.digests` writes digests.json: after training, never instead of it.
"""

import hashlib
import json
from itertools import product
from pathlib import Path

from lib.corpus import ADJECTIVES, ANIMALS, LANGUAGES, OPTIONS, PLACES, make, unseen

FILE = Path(__file__).with_name("digests.json")
MODELS = Path(__file__).resolve().parents[2] / "lib" / "saved"
CORPORA = {
    "whole": {},
    "seed 1": {"count": 400, "held_out": 60, "seed": 1},
    "seed 2": {"count": 400, "held_out": 60, "seed": 2},
}
SENTENCES = ("train", "unseen_pairs", "unseen_triples")
VOCABULARIES = ("english", "target", "glosses")
FIELDS = (
    "english target gloss frame subject place adjective it right wrong".split()
)  # of a Sentence, beside its choices


def of_bytes(data):
    """The first 16 hexadecimal digits of the SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]


def of(data):
    """The digest of what JSON can write."""
    return of_bytes(json.dumps(data, ensure_ascii=False).encode())


def of_corpus(language, options):
    """{part: digest} of one corpus: sentences with all their fields, words in their order."""
    corpus = make(language, **options)
    digests = {}
    for part in SENTENCES:
        rows = []
        for sentence in getattr(corpus, part):
            fields = [getattr(sentence, name) for name in FIELDS]
            rows.append([*fields, list(sentence.choices.items())])
        digests[part] = of(rows)
    for part in VOCABULARIES:
        digests[part] = of(getattr(corpus, part).words)
    return digests


def of_choices():
    """Which lists are drawn from for each frame, and their order."""
    lists = []
    for frame, options in OPTIONS.items():
        lists.append([frame, [[choice, list(words)] for choice, words in options.items()]])
    return of(lists)


def of_held_out():
    """What ``unseen`` says of all words, which does not depend on the order of the words."""
    answers = []
    for subject, place in product(sorted(ANIMALS), sorted(PLACES)):
        for adjective in (None, *sorted(ADJECTIVES)):
            answers.append([subject, place, adjective, unseen(subject, place, adjective)])
    return of(answers)


def of_models():
    """{file: digest of its bytes} for the shipped models."""
    return {path.name: of_bytes(path.read_bytes()) for path in sorted(MODELS.glob("*.safetensors"))}


def of_everything():
    """All digests as digests.json keeps them."""
    digests = {"choices": of_choices(), "held out": of_held_out(), "models": of_models()}
    for language, name in product(LANGUAGES, CORPORA):
        digests[f"{language}, {name}"] = of_corpus(language, CORPORA[name])
    return digests


if __name__ == "__main__":
    FILE.write_text(json.dumps(of_everything(), indent=2) + "\n", "utf-8")
