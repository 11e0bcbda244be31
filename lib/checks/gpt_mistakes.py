"""The mistakes that one makes in a GPT's parts, for the checks of notebooks 12 and 13."""

import numpy as np

from lib.attention import softmax as library_softmax

DRAWS = 400  # batches of windows: every start comes, unless it cannot
SIZES = ((4, 5), (3, 7))  # of a first trial of windows: batch and length
SKEWED = 1.6  # so many times the mean: by chance, six standard deviations from it


# One head that looks at the past


def hidden(scores, may):
    """Weights: the softmax among what may be attended to."""
    return library_softmax(np.where(may, scores, -np.inf))


def weights_of(x, query, key, share=hidden):
    """Weights (B, T, T). share(scores (B, T, T), past (T, T), True = may attend)"""
    q, k = query(x), key(x)
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    return share(scores, np.tri(x.shape[1], dtype=bool))


def head(share):
    """A head with other weights."""
    return lambda x, query, key, value: weights_of(x, query, key, share) @ value(x)


def divided_by(divisor_of):
    """A head with another divisor than the root of d_k. divisor_of(x, d_k, v)"""

    def answer(x, query, key, value):
        q, v = query(x), value(x)
        change = q.shape[-1] ** 0.5 / divisor_of(x, q.shape[-1], v)
        return weights_of(x, lambda x: change * query(x), key) @ v

    return answer


def bare_softmax(scores, axis=-1):
    """Gives NaN where everything is hidden."""
    powers = np.exp(scores)
    return powers / powers.sum(axis, keepdims=True)


def before(past):
    """A mask that hides a place from itself, too."""
    return np.tri(len(past), k=-1, dtype=bool)


HIDES_THE_PAST = "the mask is the wrong way round: the past is hidden, what comes after is seen."

# Where everything is hidden, the weights are NaN, all equal or 0: by -inf, by -1e9, in lib.
HEAD_MISTAKES = {
    "there is no mask: a place sees what it has to predict.": [
        head(lambda scores, past: library_softmax(scores))
    ],
    "the triangle is upside down: each place sees itself and what comes after it.": [
        head(lambda scores, past: hidden(scores, past.T))
    ],
    HIDES_THE_PAST: [
        head(lambda scores, past: bare_softmax(np.where(past, -np.inf, scores))),
        head(lambda scores, past: library_softmax(np.where(past, -1e9, scores))),
        head(lambda scores, past: hidden(scores, ~past)),
    ],
    "a place does not see itself, and the first one sees nothing; keep the diagonal.": [
        head(lambda scores, past: bare_softmax(np.where(before(past), scores, -np.inf))),
        head(lambda scores, past: library_softmax(np.where(before(past), scores, -1e9))),
        head(lambda scores, past: hidden(scores, before(past))),
    ],
    "each place sees one place too far, which is what it has to predict.": [
        head(lambda scores, past: hidden(scores, np.tri(len(past), k=1, dtype=bool)))
    ],
    "you masked after the softmax, so rows no longer add up to 1; mask the scores.": [
        head(lambda scores, past: library_softmax(scores) * past)
    ],
    "-inf stands among the weights; hide scores, before the softmax.": [
        head(lambda scores, past: np.where(past, library_softmax(scores), -np.inf))
    ],
    "a score of 0 is not nothing: e to the 0 is 1; what is hidden gets -inf.": [
        head(lambda scores, past: library_softmax(np.where(past, scores, 0)))
    ],
    "there is no scaling; divide the scores by √d_k.": [divided_by(lambda x, d_k, v: 1)],
    "you divided by d_k; divide by its root.": [divided_by(lambda x, d_k, v: d_k)],
    "you divided by d_k / 2: ** comes before /, so write ** 0.5 or ** (1 / 2).": [
        divided_by(lambda x, d_k, v: d_k / 2)
    ],
    "you multiplied by √d_k, which spreads the scores; divide.": [
        divided_by(lambda x, d_k, v: d_k**-0.5)
    ],
    "you divided by √d_model; a product has d_k terms, so divide by √d_k.": [
        divided_by(lambda x, d_k, v: x.shape[-1] ** 0.5)
    ],
    "you divided by √T; a product has d_k terms, so divide by √d_k.": [
        divided_by(lambda x, d_k, v: x.shape[1] ** 0.5)
    ],
    "you divided by √d_v; a product has d_k terms, so divide by √d_k.": [
        divided_by(lambda x, d_k, v: v.shape[-1] ** 0.5)
    ],
    "you divided after the softmax; divide the scores, before it.": [
        lambda x, query, key, value: (
            divided_by(lambda x, d_k, v: 1)(x, query, key, value) / query(x).shape[-1] ** 0.5
        )
    ],
    "there is no softmax; these are raw scores, not yet weights.": [
        head(lambda scores, past: np.where(past, scores, 0))
    ],
    "the softmax runs over the queries; each query shares out over the keys, axis -1.": [
        head(lambda scores, past: library_softmax(np.where(past, scores, -np.inf), axis=-2))
    ],
    "the softmax runs over the texts of the batch; it belongs over the keys, axis -1.": [
        head(lambda scores, past: bare_softmax(np.where(past, scores, -np.inf), axis=0))
    ],
    "queries and keys are swapped: q @ k.mT.": [
        head(lambda scores, past: hidden(scores.swapaxes(-1, -2), past))
    ],
    "queries are compared with queries, or keys with keys; each query asks the keys.": [
        lambda x, query, key, value: weights_of(x, query, query) @ value(x),
        lambda x, query, key, value: weights_of(x, key, key) @ value(x),
    ],
    "every place takes the plain mean of its past; the scores are not used.": [
        head(lambda scores, past: hidden(np.zeros_like(scores), past))
    ],
    "you added value(x); what was found comes back alone, the sums belong to the block.": [
        lambda x, query, key, value: weights_of(x, query, key) @ value(x) + value(x)
    ],
    "these are the weights; average the values with them.": [
        lambda x, query, key, value: weights_of(x, query, key)
    ],
    "you averaged x; average value(x).": [
        lambda x, query, key, value: weights_of(x, query, key) @ x
    ],
}


# Writing


def written_by(
    ids, model, draw, count, length, temperature,
    sees="end", row=-1, scale=None, share=library_softmax, draws=True, more=0, front=False,
):  # fmt: skip
    """The text that a loop writes, with switches for its mistakes."""
    text = ids
    scale = 1 / temperature if scale is None else scale
    for _ in range(count + more):
        parts = {
            "end": text[-length:],
            "all": text,
            "first": text[:length],
            "last": text[-1:],
            "short": text[1 - length :],
            "long": text[-length - 1 :],
            "start": ids[-length:],
        }
        logits = model(parts[sees][None])[0, row]  # (V,), or all rows
        logits = logits.reshape(-1, logits.shape[-1]).mean(0)  # (V,)
        shares = share(logits * scale)
        drawn = draw(shares) if draws else [shares.argmax()]
        text = np.concatenate([drawn, text] if front else [text, drawn])
    return text


# Windows


def problem_of_windows(answer):
    """Why this function draws no windows at all; "" if it does."""
    import torch  # only here: the checks of other pages need no torch

    if not callable(answer):
        kind = type(answer).__name__
        return f"this check takes your function, not {kind}; give its name, without ()."
    for batch, length in SIZES:
        try:
            pair = answer(torch.arange(20), batch, length)
        except (Exception, SystemExit):
            return ""  # judge says it
        problem = _problem_of_pair(pair, batch, length)
        if problem:
            return problem
    return ""


def _problem_of_pair(pair, batch, length):
    import torch

    if pair is None or pair is ...:
        return "your function returns nothing yet; end it with return read, to_write."
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return "return two tensors, read and to_write, each (batch, length)."
    for name, window in zip(("read", "to_write"), pair, strict=True):
        if not isinstance(window, torch.Tensor):
            kind = type(window).__name__
            return f"{name} is of type {kind}; the model wants a tensor: torch.stack makes one."
        if window.shape != (batch, length):
            shape, wanted = tuple(window.shape), (batch, length)
            return f"{name} is {shape} for batch {batch} and length {length}; expected {wanted}."
        if window.dtype != torch.long:
            return (
                f"{name} holds {window.dtype}; characters are whole numbers, to be looked up: "
                "dtype=torch.long."
            )
    return ""


RIGHT = 0
WINDOW_MISTAKES = {
    1: "the characters of a row do not stand side by side in the text; a row is one piece of it.",
    2: "read does not hold characters of ids; look them up at your places.",
    3: "read and to_write are the same; what is to be written stands one to the right.",
    4: "to_write stands one to the left of read; it comes after it.",
    5: "to_write begins where read ends; it stands only one to the right.",
    6: "to_write has to be read's piece of the text, all of it one to the right; it is another.",
    7: "the last window of the text is never drawn; randint leaves its upper end out already.",
    8: "no window begins at 0, the first character.",
    9: "all rows of a batch begin at one place; draw a start for each.",
    10: "each call gives the same windows; draw the starts anew.",
    11: "some windows are never drawn; every start that leaves room has to be possible.",
    12: "some starts of a batch always stand equally far from each other; draw each for itself.",
    13: "some starts come far more often than others; all are to be equally probable.",
}


def kind_of(answer):
    """The function as one of ids, batch and length that tells its first mistake: RIGHT or a key.

    ids: each number tells its own place.
    """

    def kind(ids, batch, length):
        import torch

        first, last = int(ids[0]), len(ids) - length - 1  # last: the greatest start
        ids = torch.as_tensor(ids, dtype=torch.long)
        drawn = [answer(ids, batch, length) for _ in range(DRAWS)]
        read = np.stack([np.asarray(pair[0]) for pair in drawn]) - first  # (draws, batch, length)
        to_write = np.stack([np.asarray(pair[1]) for pair in drawn]) - first
        return _of_pieces(read, to_write, length, len(ids)) or _of_starts(read[..., 0], last)

    return kind


def _of_pieces(read, to_write, length, characters):
    """A mistake in what a window is, or RIGHT."""
    if (np.diff(read) != 1).any():
        return 1
    if read.min() < 0 or read.max() >= characters:
        return 2
    shift = to_write - read
    for kind, wrong_shift in {3: 0, 4: -1, 5: length}.items():
        if (shift == wrong_shift).all():
            return kind
    return RIGHT if (shift == 1).all() else 6


def _of_starts(starts, last):
    """A mistake in how the starts (draws, batch) are drawn, or RIGHT."""
    if (starts == starts[:1]).all():
        return 10
    if (starts == starts[:, :1]).all():
        return 9
    # From each start of a batch to each other, also round the end.
    steps = (starts[:, :, None] - starts[:, None]) % (last + 1)  # (draws, batch, batch)
    if (steps == steps[:1]).all(0).sum() > starts.shape[1]:  # each stands equally far from itself
        return 12
    _, came = np.unique(starts, return_counts=True)
    if came.max() > SKEWED * came.mean():
        return 13
    missing = set(range(last + 1)) - set(starts.flat)
    only = {frozenset([last]): 7, frozenset([0]): 8}
    return only.get(frozenset(missing), 11) if missing else RIGHT
