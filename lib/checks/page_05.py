"""The exercises of notebook 5: several heads."""

import numpy as np

from lib.attention import merge_heads as library_merge
from lib.attention import split_heads as library_split
from lib.checks.attention_mistakes import attend, mistakes
from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.tables import check, right, wrong, wrongs

PAGE = Page(5, "Multi-head: several looks at once")

X_AND_HEADS = [(normal(2, 5, 18), 3), (normal(3, 4, 10), 2)]  # (B, T, d_model); d_k is 6 and 5


def blind_split(x, heads):
    """Cut into heads by reshape alone: the right shape, the wrong contents."""
    B, T, d_model = x.shape
    return x.reshape(B, heads, T, d_model // heads)


def blind_merge(x):
    B, H, T, d_k = x.shape
    return x.reshape(B, T, H * d_k)


@PAGE.exercise("1 · Find the bug: a split")
@check(*X_AND_HEADS, arrays=True)
def split_heads(x, heads):
    """answer(x (B, T, d_model), heads) -> (B, H, T, d_k)."""
    by_head = library_split(x, heads)
    B, H, T, d_k = by_head.shape
    exchanged = library_split(x, d_k)  # d_k heads of width H
    yield right(by_head, "every head sees every token, and d_k of its columns.")
    yield wrong(
        blind_split(x, heads),
        "right shape, wrong contents: head 1 holds whole tokens; "
        "it has to hold some columns of every token.",
    )
    yield wrong(
        x.swapaxes(1, 2).reshape(B, H, T, d_k),
        "right shape, wrong contents: you swapped before you cut; "
        "after the swap a token's numbers no longer lie side by side.",
    )
    yield wrong(
        by_head.swapaxes(1, 2),
        "heads and tokens are still in the order (B, T, H, d_k); swap axes 1 and 2.",
    )
    yield wrong(
        exchanged.swapaxes(1, 3),
        "you dealt the columns out like cards; neighbours stay together: (B, T, H, d_k).",
    )
    yield wrong(
        by_head.swapaxes(0, 1),
        "the heads are in front of the batch; the order is (B, H, T, d_k).",
    )
    yield wrong(
        by_head.swapaxes(2, 3), "the last two axes are swapped; the order is (B, H, T, d_k)."
    )
    yield wrong(exchanged, "d_k and the number of heads are swapped; d_k = d_model / heads.")


@PAGE.exercise("2 · Merge")
@check(*[(library_split(x, heads),) for x, heads in X_AND_HEADS], arrays=True)
def merge_heads(x):
    """answer(x (B, H, T, d_k)) -> (B, T, H*d_k)."""
    B, H, T, d_k = x.shape
    yield right(library_merge(x), "swap back, then side by side: the inverse of the split.")
    yield wrong(
        blind_merge(x), "right shape, wrong contents; swap H and T back before you reshape."
    )
    yield wrong(
        x.transpose(0, 2, 3, 1).reshape(B, T, H * d_k),
        "you dealt the columns out like cards; all of head 1's come first, then head 2's.",
    )
    yield wrong(
        x.swapaxes(1, 3).reshape(B, T, H * d_k),
        "you swapped the heads with their columns, axes 1 and 3; swap heads and tokens.",
    )
    yield wrong(x.mean(1), "you averaged the heads; put them side by side, and W_O mixes them.")
    yield wrong(x.sum(1), "you added the heads up; put them side by side, and W_O mixes them.")
    yield wrong(
        np.concatenate(list(x.swapaxes(0, 1)), axis=1),
        "you joined the heads along T; join their columns, the last axis.",
    )
    yield wrong(
        x.swapaxes(1, 2),
        "swapping is done; now put the heads' columns side by side with reshape.",
    )


@PAGE.exercise("3 · Count")
@check((512, 8), (12, 3))
def parameter_count(d_model, heads):
    """answer(d_model, heads) -> how many numbers multi-head attention learns, without biases."""
    square = d_model * d_model
    yield right(4 * square, "four matrices of d_model × d_model, whatever the number of heads.")
    yield wrong(
        4 * square * heads,
        "you gave each head the full width; how wide is one head's query?",
    )
    yield wrong(3 * square, "you forgot W_O; there are four matrices.")
    yield wrong(
        4 * square // heads,
        "you counted one head, or heads of d_k × d_k; each of the heads reads all d_model columns.",
    )
    yield wrong(
        3 * square + square * heads,
        "W_O is not one for each head: the heads share one, of d_model × d_model.",
    )
    yield wrong(
        (3 * heads + 1) * square,
        "you gave each head W_Q, W_K and W_V of full width; how wide is one head's query?",
    )
    yield wrong(4 * square + 4 * d_model, "you counted biases too; this exercise asks without.")


def inputs_of_multi_head(B, T, S, d, width, heads):
    """X (B, T, d), memory (B, S, d), four matrices, the number of heads."""
    X, memory = normal(B, T, d), normal(B, S, d, seed=1)
    W_Q, W_K, W_V = 0.9 * normal(3, d, width) / d**0.5
    return X, memory, W_Q, W_K, W_V, normal(width, d) / width**0.5, heads


@PAGE.exercise("4 · All of it, from your own parts")
@check(
    inputs_of_multi_head(2, 5, 7, 13, 18, 3),
    inputs_of_multi_head(3, 4, 6, 11, 10, 2),
    square=inputs_of_multi_head(2, 5, 5, 13, 18, 3),
    easy=(inputs_of_multi_head(2, 5, 7, 18, 18, 3), "the heads share W_Q's columns, not X's."),
)
def multi_head(X, memory, W_Q, W_K, W_V, W_O, heads):
    """answer(X (B, T, d), memory (B, S, d), W_Q, W_K, W_V (d, w), W_O (w, d), heads) -> like X"""
    split, merge = library_split, library_merge
    q, k, v = split(X @ W_Q, heads), split(memory @ W_K, heads), split(memory @ W_V, heads)
    merged = merge(attend(q, k, v))
    yield right(merged @ W_O, "project, split, attend, merge, project: from your own parts.")
    yield wrong(merged, "W_O is missing; multiply the merged heads by it.")
    yield from _wrong_sources(X, memory, W_Q, W_K, W_V, W_O, heads)
    yield wrong(
        attend(X @ W_Q, memory @ W_K, memory @ W_V) @ W_O,
        "there is one head only; split before attending.",
    )
    yield wrong(
        merge(attend(q / heads**0.5, k, v)) @ W_O,
        "you divided by the root of all heads' width together; take one head's, d_k.",
    )
    too_wide = (q.shape[-1] / X.shape[-1]) ** 0.5
    yield wrong(
        merge(attend(q * too_wide, k, v)) @ W_O,
        "you divided by the root of the width of X; take that of one head's queries, d_k.",
    )
    yield wrong(
        merge(attend(q * (too_wide * heads**0.5), k, v)) @ W_O,
        "you took d_k from the width of X; take it from one head's queries.",
    )
    yield from _dealt_out(X @ W_Q, memory @ W_K, memory @ W_V, W_O, heads)
    yield from _reshaped_alone(X @ W_Q, memory @ W_K, memory @ W_V, W_O, heads)

    def finish(output):
        return merge(output) @ W_O

    yield from mistakes(q, k, v, finish)


def _wrong_sources(X, memory, W_Q, W_K, W_V, W_O, heads):
    """Queries, keys and values that come from the wrong tokens or the wrong matrices."""

    def found(queries, keys, values):
        q, k, v = (library_split(x, heads) for x in (queries, keys, values))
        return library_merge(attend(q, k, v)) @ W_O

    yield wrong(
        found(X @ W_K, memory @ W_Q, memory @ W_V),
        "W_Q and W_K are swapped; queries are X @ W_Q, keys are memory @ W_K.",
    )
    if X.shape == memory.shape:
        yield wrong(
            found(memory @ W_K, X @ W_Q, memory @ W_V),
            "queries and keys are swapped, so the keys ask; scores are (B, H, T, S).",
        )
        yield wrong(
            found(X @ W_Q, memory @ W_K, X @ W_V),
            "keys and values come from the same side, the memory: each key comes with its value.",
        )
    yield wrong(
        found(X @ W_Q, memory @ W_V, memory @ W_K),
        "W_K and W_V are swapped; keys are compared with the queries, values are mixed.",
    )
    yield wrong(
        found(X @ W_Q, X @ W_K, X @ W_V),
        "you never asked the memory; keys and values come from it.",
    )
    yield wrong(
        found(memory @ W_Q, X @ W_K, X @ W_V),
        "the wrong side asks; queries come from X, keys and values from the memory.",
    )


def _dealt_out(queries, keys, values, W_O, heads):
    """Heads that get every third column, say, as in exercise 1; merged rightly, or back again."""

    def cards(x):
        return library_split(x, x.shape[-1] // heads).swapaxes(1, 3)  # (B, H, T, d_k)

    found = attend(cards(queries), cards(keys), cards(values))
    B, _, T, _ = found.shape
    yield from wrongs(
        "your split deals the columns out like cards; see exercise 1.",
        library_merge(found) @ W_O,
        found.transpose(0, 2, 3, 1).reshape(B, T, -1) @ W_O,
    )


def _reshaped_alone(queries, keys, values, W_O, heads):
    """Heads that are cut or merged without a swap."""
    blind = attend(
        blind_split(queries, heads), blind_split(keys, heads), blind_split(values, heads)
    )
    seeing = attend(
        library_split(queries, heads), library_split(keys, heads), library_split(values, heads)
    )
    yield wrong(
        blind_merge(blind) @ W_O,
        "you split and merged with reshape alone; swap tokens and heads too, both times.",
    )
    yield wrong(
        library_merge(blind) @ W_O,
        "you split with reshape alone, so head 1 holds whole tokens; see exercise 1.",
    )
    yield wrong(
        blind_merge(seeing) @ W_O,
        "you merged with reshape alone; swap H and T back first.",
    )
