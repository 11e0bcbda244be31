"""The exercises of notebook 10: smoothed targets, the learning rate, the loss of a batch."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.inputs import normal
from lib.checks.judge import check, right, wrong

right_row = right  # label_smoothing has an argument of that name
WANTED = np.array([[2, 5, 7, 3], [8, 1, 0, 0], [6, 0, 0, 0]])  # words to predict; 0 is padding


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


@check((normal(2, 3, 7), np.array([[2, 5, 0], [4, 0, 0]]), 0.1), (normal(3, 4, 9), WANTED, 0.3))
def batch_loss(logits, wanted, epsilon):
    """answer(logits (B, T, words), wanted (B, T), epsilon) -> the mean smoothed loss."""
    words = logits.shape[-1]
    p = library_softmax(logits)
    hot = np.eye(words)[wanted]
    targets = (1 - epsilon) * hot + epsilon / words
    losses = -(targets * np.log(p)).sum(-1)  # (B, T)
    counts = wanted != 0
    yield right(losses[counts].mean(), "smoothed, averaged over the real words alone.")
    yield wrong(losses.mean(), "the padding is counted as words; leave out where wanted is 0.")
    yield wrong(
        losses[counts].sum() / wanted.size,
        "the padding's loss is left out of the sum, but its places still count in the mean.",
    )
    yield wrong(
        -(hot * np.log(p)).sum(-1)[counts].mean(),
        "nothing is smoothed: epsilon is not used.",
    )
    yield wrong(
        losses[counts].mean() / words,
        "you averaged over the words of the vocabulary as well; add those up, as a loss has it.",
    )
    yield wrong(losses[counts].sum(), "this is the sum over the words; take their mean.")
    yield wrong(
        np.mean([row[kept].mean() for row, kept in zip(losses, counts, strict=True)]),
        "you averaged each sentence first, so that a word of a short one counts more; "
        "one mean over all words.",
    )
    yield wrong(-losses[counts].mean(), "the sign: a probability's logarithm is negative.")
    yield wrong(
        -(targets * logits).sum(-1)[counts].mean(),
        "these are logits, not logarithms of probabilities; the softmax is missing.",
    )
    yield wrong(
        -(targets * p).sum(-1)[counts].mean(), "the logarithm of the probabilities is missing."
    )
    over_places = -(targets * np.log(library_softmax(logits, axis=1))).sum(-1)
    yield wrong(
        over_places[counts].mean(), "the softmax goes over the words, the last axis of the logits."
    )
    yield wrong(
        -np.log((targets * p).sum(-1))[counts].mean(),
        "take the logarithm of each word's probability first, then weigh and add.",
    )
