"""The exercises of notebook 12: the loss, perplexity, and top-p."""

import numpy as np

from lib.checks.inputs import shares
from lib.checks.judge import check, right, wrong, wrongs


@check((shares(4, 6), np.array([2, 0, 5, 3])), (shares(6, 5), np.array([1, 4, 0, 3, 2, 4])))
def next_word_loss(probabilities, text):
    """answer(probabilities (T, words), text (T,)) -> number: the mean -log p of each next word."""
    t = np.arange(len(text))
    losses = -np.log(probabilities[t[:-1], text[1:]])
    loss = losses.mean()
    yield right(loss, "row t is asked about word t + 1, and the last row about nothing.")
    yield from _other_words(probabilities, text)
    yield wrong(losses.sum(), "this is the sum, which grows with the text; take the mean.")
    yield wrong(losses.sum() / len(text), "you divided by T; only T - 1 words are predicted.")
    yield wrong(losses, "these are the losses of the single words; take their mean.")
    yield wrong(
        -loss, "the minus is missing: a loss falls when the right words become more probable."
    )
    p = np.exp(-losses)
    yield wrong(-np.log(p.mean()), "you took the log of the mean; take the mean of the logs.")
    yield wrong(p.mean(), "this is the mean probability; take the mean of -log p.")
    yield wrong(
        (1 - p).mean(), "this is the mean of 1 - p, never above 1; -log p grows without limit."
    )
    yield from wrongs(
        "right, but for the base of the logarithm; take the natural one, np.log.",
        loss / np.log(2),
        loss / np.log(10),
    )
    yield wrong(np.exp(loss), "this is the perplexity; the loss is its logarithm.")


def _other_words(probabilities, text):
    """Rows for asking row t about another word."""
    t = np.arange(len(text))

    def losses(asked):
        return -np.log(probabilities[t, asked])

    seen = "row t was asked about word t, which it has seen; ask it about word t + 1."
    itself = losses(text)
    yield from wrongs(seen, itself.mean(), itself[:-1].mean(), itself[1:].mean())
    back = "you shifted the wrong way: row t was asked about word t - 1; ask it about word t + 1."
    before = losses(np.roll(text, 1))
    yield from wrongs(back, before.mean(), before[1:].mean())
    yield wrong(
        losses(np.roll(text, -1)).mean(),
        "the last row was asked about the first word; leave that row out.",
    )
    yield wrong(
        -np.log(probabilities[:-1, text[1:]]).mean(),
        "every row met every word; row t is asked about one word only.",
    )
    yield wrong(
        -np.log(probabilities.max(-1))[:-1].mean(),
        "you took each row's largest; take the word that came.",
    )


@check((shares(4, 3)[:, 0],), (shares(7, 4)[:, 1],))
def perplexity(p):
    """answer(p (N,)) -> number: from the probabilities that N right words were given."""
    loss = -np.log(p).mean()
    yield right(np.exp(loss), "as uncertain as a choice among so many equally probable words.")
    yield wrong(loss, "this is the loss; perplexity is e to that power.")
    yield wrong(np.exp(-loss), "the minus is missing; a perplexity is never below 1.")
    yield wrong(
        p.prod(),
        "this is the probability of the whole text, which falls with every word; "
        "a perplexity is about one word, and never below 1.",
    )
    yield from wrongs(
        "you took the mean of the probabilities, which hides a bad miss; "
        "take the mean of their logarithms.",
        1 / p.mean(),
        p.mean(),
        -np.log(p.mean()),
    )
    yield wrong(
        (1 / p).mean(),
        "you took the mean of 1 / p, which one rare word rules; take the mean of the logarithms.",
    )
    yield from wrongs(
        "without the mean, a longer text is always worse.", 1 / p.prod(), loss * len(p)
    )
    yield from wrongs(
        "the logarithm and the power need the same base: np.log and np.exp, or np.log2 and 2 **.",
        2**loss,
        np.exp(loss / np.log(2)),
        loss / np.log(2),
    )


# In the second, one word reaches p; in the third, two words reach it exactly.
@check(
    (shares(7), 0.6),
    (shares(5), 0.29),
    (np.array([0.25, 0.03125, 0.5, 0.125, 0.09375]), 0.75),
)
def top_p(probabilities, p):
    """answer(probabilities (words,), p) -> (words,): the fewest that reach p, adding up to 1."""
    order = np.argsort(-probabilities)
    rank = order.argsort()  # 0 is the most probable
    reached = np.cumsum(probabilities[order])
    count = (reached - probabilities[order] < p).sum()
    kept = rank < count
    share = share_of(kept, probabilities)
    yield right(share, "the most probable words until they reach p, and what is left adds up to 1.")
    yield wrong(
        kept * probabilities,
        "the right words, but they no longer add up to 1; divide by their sum.",
    )
    yield wrong(
        kept * probabilities / p,
        "divide by what the kept words have together; that is more than p.",
    )
    yield from shared_or_not(
        rank < 1 + (reached <= p).sum(),
        probabilities,
        "right unless words reach p exactly: then the word that reaches it is the last, "
        "and you keep one more.",
    )
    yield from _wrong_counts(probabilities, p, rank, count)
    yield from _wrong_order(probabilities, p, rank, count)
    place = "the words are in sorted order; put each back in its own place."
    yield from wrongs(place, share[order], (kept * probabilities)[order])
    yield wrong(
        kept,
        "right where one word reaches p, but else return probabilities, not which words to keep.",
    )
    yield wrong(
        rank == 0,
        "right where one word reaches p, but else you keep it alone; add words until they reach p.",
    )


def share_of(kept, probabilities):
    return kept * probabilities / (kept @ probabilities)


def shared_or_not(kept, probabilities, message):
    """Rows for the wrong words, made to add up to 1 or not."""
    return wrongs(message, share_of(kept, probabilities), kept * probabilities)


def _wrong_counts(probabilities, p, rank, count):
    """Rows for too few or too many of the most probable words."""
    words = len(probabilities)
    dropped = "you dropped the word that crosses p; the kept words have to reach it."
    yield from shared_or_not(rank < count - 1, probabilities, dropped)
    yield from shared_or_not(
        rank < max(1, count - 1),
        probabilities,
        f"right where one word reaches p, but else {dropped}",
    )
    yield from shared_or_not(
        rank < count + 1,
        probabilities,
        "you kept one word too many; the word that crosses p is the last.",
    )
    yield from shared_or_not(
        probabilities >= p,
        probabilities,
        "you kept words of at least p each; p is what they reach together.",
    )
    yield from shared_or_not(
        probabilities >= p * probabilities.max(),
        probabilities,
        "you kept words of at least p times the largest; p is what they reach together.",
    )
    yield from shared_or_not(
        rank < int(p * words),
        probabilities,
        "right where one word reaches p, but else you keep a share of the words; "
        "p is one of their probability.",
    )
    yield from shared_or_not(
        rank < np.ceil(p * words),
        probabilities,
        "you kept a share of the words; p is a share of their probability.",
    )
    tail = (
        "you kept what comes after p is reached; "
        "keep what comes before, and the word that reaches it."
    )
    yield from shared_or_not(rank >= count - 1, probabilities, tail)
    yield from shared_or_not(rank >= count, probabilities, tail)


def _wrong_order(probabilities, p, rank, count):
    """Rows for adding up in another order than from the most probable word."""
    summed = np.cumsum(probabilities)
    line = "you added up in the order of the vocabulary; begin with the most probable word."
    for kept in (summed - probabilities < p, summed <= p, rank < 1 + (summed < p).sum()):
        yield from shared_or_not(kept, probabilities, line)
    place = np.arange(len(probabilities))
    unsorted = (
        "what you keep is marked in sorted order, but the words are not sorted: "
        "which place has each of them?"
    )
    yield from shared_or_not(place < count, probabilities, unsorted)
    yield from shared_or_not(place < count - 1, probabilities, unsorted)
    rising = np.sort(probabilities)
    before = np.cumsum(rising) - rising  # reached by the less probable words
    yield from shared_or_not(
        before[::-1][rank] < p,
        probabilities,
        "you began with the least probable word; begin with the most probable one.",
    )
