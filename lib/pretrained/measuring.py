"""What page 14 measures of a BERT: lengths of values, shares, like arrows, found pages."""

import numpy as np

from lib.attention import split_heads
from lib.layers import encoder, encoder_layer


def value_lengths(model, ids):
    """The length of each token's value vector, the mean over the heads: (layers, T)."""
    x, lengths = model.embed(ids), []
    for p in model.layers:
        values = x @ p.attention.value + p.attention.value_bias  # (T, d_model)
        by_head = split_heads(values, model.heads)  # (H, T, d_v)
        lengths.append(np.linalg.norm(by_head, axis=-1).mean(0))
        x, _ = encoder_layer(x, p, model.heads)
    return np.array(lengths)


def first_share(model, ids, places):
    """The share of their look that the tokens between the first and the last give to the first.

    The mean over the heads: (layers,). places: for each token, its row of the positions' table.
    """
    _, maps = encoder(model.embed(ids, places=places), model.layers, model.heads)
    return np.array(maps)[:, :, 1:-1, 0].mean((1, 2))


def arrow_like(weights, query, key):
    """(query, key) of another arrow of one head's map (T, T) with about the same weight.

    Not of [CLS] and [SEP], the first and the last token.
    """
    distances = np.abs(weights - weights[query, key])
    distances[query, key] = np.inf
    distances[[0, -1]] = np.inf
    distances[:, [0, -1]] = np.inf
    return np.unravel_index(distances.argmin(), distances.shape)


def found_pages(scores, pages, wanted, first):
    """In how many rows of scores (questions, titles) the first titles lead to a wanted page.

    pages: one for each title; wanted: for each question, the pages that answer it.
    """
    found = 0
    for row, right in zip(scores, wanted, strict=True):
        best = np.argsort(-np.asarray(row), kind="stable")[:first]
        found += any(pages[place] in right for place in best)
    return found
