"""The exercises of notebook 10: smoothed targets, the learning rate, and a cut arrow."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.inputs import shares
from lib.checks.judge import check, right, wrong, wrongs

right_row = right  # label_smoothing has an argument of that name


@check((np.array([2, 0, 3]), 5, 0.1), (np.array([1, 6]), 7, 0.4))
def label_smoothing(right, words, epsilon):
    """answer(right (B,), words, epsilon) -> (B, words): the distributions to aim at."""
    hot = np.eye(words)[right]
    yield right_row(
        (1 - epsilon) * hot + epsilon / words,
        "1 - ε on the right word, and ε spread evenly over all words.",
    )
    yield wrong(
        (1 - epsilon) * hot + (1 - hot) * epsilon / (words - 1),
        "you spread ε over the other words; over all of them.",
    )
    yield wrong(
        np.where(hot == 1, 1 - epsilon, epsilon / words),
        "rows do not sum to 1: the right word has its part of ε too; "
        "add 1 - ε there, do not write over it.",
    )
    yield wrong(
        (1 - epsilon) * hot + epsilon / (words - 1),
        "rows do not sum to 1: every word gets a part of ε, and you cut it into words - 1 parts.",
    )
    yield wrong(hot, "one-hot rows; nothing is smoothed yet.")
    yield wrong(
        hot + epsilon / words,
        "rows sum to 1 + ε: what is spread has to be taken from the right word.",
    )
    yield wrong(
        (1 - epsilon) * hot,
        "rows sum to 1 - ε: what you took from the right word has to be spread.",
    )
    yield wrong(
        (1 - epsilon) * hot + epsilon,
        "every word gets the whole of ε; they have to share it.",
    )
    yield wrong(epsilon * hot + (1 - epsilon) / words, "ε and 1 - ε have changed places.")
    yield wrong(
        np.full_like(hot, 1 / words),
        "each of them is 1 / words: the right word has to stand out.",
    )


@check((np.arange(1, 8), 64, 3), (np.arange(1, 10.0), 512, 5))
def learning_rate(step, d_model, warm_up):
    """answer(step (N,), d_model, warm_up) -> (N,) rates: the paper's equation 3."""
    rising = step * float(warm_up) ** -1.5
    falling = step**-0.5
    rate = np.minimum(rising, falling)
    yield right(d_model**-0.5 * rate, "a straight line up to warm_up, then down like 1/√step.")
    yield wrong(
        d_model**-0.5 * falling,
        "there is no warm-up: the highest rate comes at the first step. "
        "Is the term with warm_up there, and has its power the minus?",
    )
    yield wrong(
        d_model**-0.5 * rising,
        "it rises without end; after warm_up the other term has to take over.",
    )
    yield wrong(
        d_model**-0.5 * np.maximum(rising, falling),
        "you took the larger of the two terms; take the smaller one.",
    )
    yield wrong(rate, "d_model is not used; a wider model gets a smaller rate.")
    yield wrong(d_model**0.5 * rate, "you multiply by √d_model; divide by it.")
    yield wrong(rate / d_model, "you divide by d_model; divide by its root.")
    yield wrong(
        d_model**-0.5 * np.minimum(step * float(warm_up) ** -0.5, falling),
        "the power of warm_up is -1.5, not -0.5.",
    )
    yield wrong(
        d_model**-0.5 * np.minimum((step - 1) * float(warm_up) ** -1.5, falling),
        "steps count from 1, as given.",
    )


def shared_again(weights, axis=-1):
    return weights / weights.sum(axis, keepdims=True)


@check((shares(2, 3, 5), 1, 2), (shares(3, 4, 6), 0, 2))
def cut_arrow(weights, query, key):
    """answer(weights (H, T, S), query, key) -> the same without that arrow, shared out again."""
    H, T, S = weights.shape
    row = np.arange(T)[:, None] == query
    arrow = row & (np.arange(S) == key)
    cut = np.where(arrow, 0, weights)
    answer = shared_again(cut)
    yield right(answer, "the arrow is gone, and the other keys of that query share what it had.")
    yield wrong(
        cut, "the row no longer sums to 1: its other keys have to share what the arrow had."
    )
    part = weights[:, query, key][:, None, None] / (S - 1)
    yield from wrongs(
        "the others got equal parts; they keep their proportions if you divide by the new sum.",
        np.where(row & ~arrow, weights + part, cut),
        np.where(row & ~arrow, 1 / (S - 1), cut),
    )
    yield from _other_arrows(weights, query, key)
    yield wrong(np.where(row, 0, weights), "the whole row is gone; remove one arrow of it.")
    yield wrong(shared_again(cut, axis=-2), "you shared out over the queries; over the keys.")
    yield from wrongs(
        "you divided by the sum of the whole head; divide the row by its own sum.",
        shared_again(cut, axis=(-2, -1)),
        np.where(row, shared_again(cut, axis=(-2, -1)), weights),
    )
    softened = library_softmax(np.where(arrow, -np.inf, weights))
    yield from wrongs(
        "a softmax over weights is not what a mask does: it makes them nearly equal. Divide.",
        softened,
        np.where(row, softened, weights),
    )
    is_first_head = np.arange(H)[:, None, None] == 0
    yield wrong(
        np.where(is_first_head, answer, weights),
        "only the first head was changed; the arrow has to go in all.",
    )


def _other_arrows(weights, query, key):
    """Rows for cutting something else than that arrow in every head."""
    H, T, S = weights.shape
    column_closed = weights.copy()
    column_closed[:, :, key] = 0
    closed = "you closed the key to every query; one arrow only."
    yield from wrongs(closed, column_closed, shared_again(column_closed))
    turned = weights.copy()
    turned[:, key, query] = 0
    places = "query and key have changed places: rows are queries."
    yield from wrongs(places, turned, shared_again(turned))
    row_of_a_head = weights.copy()
    row_of_a_head[query, key] = 0
    first_axis = (
        "you took query for the head and key for the row: the first axis of weights is the heads."
    )
    yield from wrongs(first_axis, row_of_a_head, shared_again(row_of_a_head))
