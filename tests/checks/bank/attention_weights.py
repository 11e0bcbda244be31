"""Wrong weights from queries and keys: pages 3 to 5 make answers to their exercises of them."""

import numpy as np

from tests.checks.bank import softmax


def scored(q, k):
    return q @ np.swapaxes(k, -1, -2)


def scaled(q, k):
    return scored(q, k) / np.sqrt(q.shape[-1])


def of_the_best_key(q, k):
    return np.eye(k.shape[-2])[scored(q, k).argmax(-1)]


def of_unit_vectors(q, k):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    k = k / np.linalg.norm(k, axis=-1, keepdims=True)
    return softmax(scored(q, k))


def largest_of_rows_and_sums_of_columns(q, k):
    powers = np.exp(scaled(q, k) - scaled(q, k).max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


def over_the_table(q, k):
    powers = np.exp(scaled(q, k))
    return powers / powers.sum(axis=(-2, -1), keepdims=True)


def divided_by_their_sum(q, k):
    weights = softmax(scored(q, k)) / np.sqrt(q.shape[-1])
    return weights / weights.sum(-1, keepdims=True)


WRONG_WEIGHTS = [
    ("divided by d_k;", lambda q, k: softmax(scored(q, k) / q.shape[-1])),
    ("multiplied by sqrt(d_k)", lambda q, k: softmax(scored(q, k) * np.sqrt(q.shape[-1]))),
    ("sqrt(S)", lambda q, k: softmax(scored(q, k) / np.sqrt(k.shape[-2]))),
    ("sqrt(T)", lambda q, k: softmax(scored(q, k) / np.sqrt(q.shape[-2]))),
    ("divided by d_k / 2", lambda q, k: softmax(scored(q, k) / (q.shape[-1] ** 1 / 2))),
    ("divided by d_k and then by 2", lambda q, k: softmax(scored(q, k) / q.shape[-1] ** 1 / 2)),
    *[
        (f"by a constant, {c:.3g};", lambda q, k, c=c: softmax(scored(q, k) / c))
        for c in (np.sqrt(2), 2, np.sqrt(8), 3, 4, 16, 64)
    ],
    ("cancels itself", divided_by_their_sum),
    ("divided by 8", lambda q, k: softmax(scored(q, k) / 8)),
    ("a cosine", of_unit_vectors),
    ("over the queries", largest_of_rows_and_sums_of_columns),
    ("whole table", over_the_table),
    ("there is no softmax", scaled),
    ("the best key", of_the_best_key),
    ("the same weight", lambda q, k: softmax(0 * scored(q, k))),
    ("two mistakes: there is no scaling; the scores have to be divided", scored),
    ("And there is no softmax", scored),
    ("And the softmax runs over the queries", lambda q, k: softmax(scored(q, k), axis=-2)),
]


def swapped_weights(q, k):
    return softmax(scaled(k, q))


def transposed_weights(q, k):
    return np.swapaxes(softmax(scaled(q, k)), -1, -2)
