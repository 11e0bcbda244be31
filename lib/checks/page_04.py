"""The exercises of notebook 4: attention and cross-attention."""

from lib.checks.attention_mistakes import attend, mistakes, shares_of
from lib.checks.exercises import Page
from lib.checks.inputs import queries_keys_values
from lib.checks.tables import check, right, wrong, wrongs

PAGE = Page(4, "Queries, keys and values: attention, step by step")


@PAGE.exercise(
    "1 · Attention, from an empty cell",
    buggy="2 · Find the bug",
    still_buggy="3 · Find the bug again",
)
@check(
    queries_keys_values(3, 4, 6, 5),
    queries_keys_values(5, 7, 11, 3),
    square=queries_keys_values(4, 4, 6, 5),
    arrays=True,
)
def attention(queries, keys, values):
    """answer(queries (T, d_k), keys (S, d_k), values (S, d_v)) -> output (T, d_v)."""
    yield right(attend(queries, keys, values), "each query's weights sum to 1 and mix the values.")
    yield wrong(shares_of(queries, keys), "these are the weights; multiply them by the values.")
    yield from mistakes(queries, keys, values)


def two_sides(T, S, d, d_k, d_v):
    """target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)."""
    target, source, _ = queries_keys_values(T, S, d, 1)
    W_Q, W_K, W_V = queries_keys_values(d, d, d_k, d_v)
    return target, source, W_Q.reshape(d, d_k) / 2, W_K.reshape(d, d_k) / 2, W_V / 2


@PAGE.exercise("4 · Cross-attention")
@check(
    two_sides(3, 4, 6, 5, 2),
    two_sides(2, 6, 7, 3, 5),
    square=two_sides(4, 4, 6, 3, 5),
)
def cross_attention(target, source, W_Q, W_K, W_V):
    """answer(target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)) -> (T, d_v)"""
    queries, keys, values = target @ W_Q, source @ W_K, source @ W_V
    yield right(
        attend(queries, keys, values),
        "the target asks, the source answers: one row of output for each target token.",
    )
    yield from _wrong_sides(target, source, W_Q, W_K, W_V)
    yield wrong(
        attend(target @ W_K, source @ W_Q, values),
        "W_Q and W_K are swapped; W_Q is for the target, W_K for the source.",
    )
    yield wrong(
        attend(queries, source @ W_Q, values),
        "W_Q made the keys too; the source has a matrix of its own for its keys.",
    )
    yield wrong(
        shares_of(queries, keys),
        "these are the weights; multiply them by the values, source @ W_V.",
    )
    yield wrong(
        attend(queries, keys, source),
        "you mixed the source itself; project it with W_V first.",
    )
    too_small = (W_Q.shape[1] / len(W_Q)) ** 0.5
    yield wrong(
        attend(queries * too_small, keys, values),
        "you divided by sqrt(d), from the width of the tokens; take d_k.",
    )
    yield from mistakes(queries, keys, values)


def _wrong_sides(target, source, W_Q, W_K, W_V):
    yield wrong(
        attend(source @ W_Q, target @ W_K, target @ W_V),
        "the wrong side asks; queries come from the target, keys and values from the source.",
    )
    mixed = (
        "keys and values must come from the same side, the source: each key comes with its value."
    )
    if len(target) == len(source):
        yield from wrongs(
            mixed,
            attend(target @ W_Q, target @ W_K, source @ W_V),
            attend(target @ W_Q, source @ W_K, target @ W_V),
        )
    yield wrong(
        attend(target @ W_Q, target @ W_K, target @ W_V),
        "this is self-attention of the target; keys and values come from the source.",
    )
    yield wrong(
        attend(source @ W_Q, source @ W_K, source @ W_V),
        "this is self-attention of the source; queries come from the target.",
    )
