"""Cuts and swaps beside a key-value cache: the same numbers as in one run of the whole text."""

import numpy as np
import pytest
import torch

from lib.decoding import CachedModel, generate
from lib.interventions import Cut, Swap, changing, within
from lib.modules import LanguageModel


@pytest.mark.parametrize(
    "change",
    [
        Cut("decoder", query=0, key=1),
        Cut("decoder", query=2, key=1),
        Cut("decoder", query=4, key=1),
        Cut("decoder", head=1, key=0),
        Swap("decoder", query=4, key=1, other=3),
    ],
    ids=str,
)
def test_with_a_key_value_cache_a_query_is_a_place_in_the_text(change):
    torch.manual_seed(0)
    writer = LanguageModel(11, 12, 3, 2, 20, dropout=0.0).eval()
    text = torch.randint(3, 11, (2, 6))
    cache = CachedModel(writer)
    pieces = []
    with torch.no_grad():
        for start, end in ((0, 4), (4, 5), (5, 6)):
            with changing(writer, *within(change, end)):
                pieces.append(cache.extend(text[:, start:end]))
        with changing(writer, change):
            whole = writer(text)
    assert (torch.cat(pieces, 1) - whole).abs().max() <= 1e-6


def test_words_are_written_with_a_change_as_they_are_without_a_cache():
    torch.manual_seed(0)
    writer = LanguageModel(11, 12, 3, 2, 20, dropout=0.0).eval()
    written = []
    for cache in (True, False):
        seen = []

        def choose(scores, seen=seen):
            seen.append(scores)
            return 3 + len(seen)

        with changing(writer, Cut("decoder", query=2, key=1)):
            list(generate(writer, [1, 4, 5], choose, 4, cache))
        written.append(np.array(seen))
    assert np.abs(written[0] - written[1]).max() <= 1e-6
