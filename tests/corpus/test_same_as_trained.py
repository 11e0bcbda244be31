"""The shipped models, measurements and outputs belong to these very words, drawn in this order."""

import json
from itertools import product

import pytest

from lib.corpus import LANGUAGES
from tests.corpus import digests

WRITTEN = json.loads(digests.FILE.read_text("utf-8"))
WHAT_TO_DO = (
    "the words or their order changed: train, measure, refresh. The shipped models learned other "
    "sentences: run tools/train.py, tools/measure.py, python3 start.py refresh, "
    "and at last .venv/bin/python -m tests.corpus.digests."
)
NEW_MODEL = (
    "a shipped model is another one than was measured: run tools/measure.py, "
    "python3 start.py refresh, and at last .venv/bin/python -m tests.corpus.digests."
)


@pytest.mark.parametrize("language, name", list(product(LANGUAGES, digests.CORPORA)))
def test_the_sentences_are_those_that_the_models_learned(language, name):
    found = digests.of_corpus(language, digests.CORPORA[name])
    assert found == WRITTEN.get(f"{language}, {name}"), WHAT_TO_DO


def test_choices_are_drawn_from_the_same_lists_in_the_same_order():
    assert digests.of_choices() == WRITTEN["choices"], WHAT_TO_DO


def test_the_same_words_are_held_out():
    assert digests.of_held_out() == WRITTEN["held out"], WHAT_TO_DO


def test_the_models_are_those_that_were_measured():
    assert digests.of_models() == WRITTEN["models"], NEW_MODEL
