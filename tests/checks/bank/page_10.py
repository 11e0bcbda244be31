"""Page 10, translation: answers to label_smoothing, learning_rate, batch_loss."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

# label_smoothing

right("label_smoothing")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon / words
)


@right("label_smoothing")
def _(right, words, epsilon):
    rows = []
    for word in right:
        row = [epsilon / words] * words
        row[int(word)] += 1 - epsilon
        rows.append(row)
    return rows


right("label_smoothing")(
    lambda right, words, epsilon: (
        F.one_hot(torch.as_tensor(right), words) * (1 - epsilon) + epsilon / words
    )
)

wrong("label_smoothing", "nothing is smoothed yet")(
    lambda right, words, epsilon: np.eye(words)[right]
)


@wrong("label_smoothing", "over the other words; over all")
def _(right, words, epsilon):
    result = np.full((len(right), words), epsilon / (words - 1))
    result[np.arange(len(right)), right] = 1 - epsilon
    return result


wrong("label_smoothing", "rows sum to 1 + ε")(
    lambda right, words, epsilon: np.eye(words)[right] + epsilon / words
)
wrong("label_smoothing", "rows sum to 1 - ε")(
    lambda right, words, epsilon: np.eye(words)[right] * (1 - epsilon)
)
wrong("label_smoothing", "the whole of ε")(
    lambda right, words, epsilon: np.eye(words)[right] * (1 - epsilon) + epsilon
)
wrong("label_smoothing", "changed places")(
    lambda right, words, epsilon: epsilon * np.eye(words)[right] + (1 - epsilon) / words
)
wrong("label_smoothing", "the right word has to stand out")(
    lambda right, words, epsilon: np.ones((len(right), words)) / words
)


@wrong("label_smoothing", "the right word has lost its part")
def _(right, words, epsilon):
    rows = np.full((len(right), words), epsilon / words)
    rows[np.arange(len(right)), right] = 1 - epsilon
    return rows


wrong("label_smoothing", "words - 1 parts")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon / (words - 1)
)
wrong("label_smoothing", "; return the output alone")(
    lambda right, words, epsilon: (
        (1 - epsilon) * np.eye(words)[right] + epsilon / words,
        epsilon,
    )
)


@wrong("label_smoothing", "the sums are 1, but all was stretched")
def _(right, words, epsilon):
    rows = np.full((len(right), words), epsilon / words)
    rows[np.arange(len(right)), right] = 1 - epsilon
    return rows / rows.sum(-1, keepdims=True)


# learning_rate

right("learning_rate")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
right("learning_rate")(
    lambda step, d_model, warm_up: [
        min(s**-0.5, s * warm_up**-1.5) / d_model**0.5 for s in step.tolist()
    ]
)


@right("learning_rate")
def _(step, d_model, warm_up):
    step = torch.as_tensor(step).double()
    return torch.where(step < warm_up, step / warm_up**1.5, step**-0.5) / d_model**0.5


wrong("learning_rate", "no warm-up")(lambda step, d_model, warm_up: d_model**-0.5 * step**-0.5)
wrong("learning_rate", "rises without end")(
    lambda step, d_model, warm_up: d_model**-0.5 * step * warm_up**-1.5
)
wrong("learning_rate", "the larger of the two")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.maximum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "d_model is not used")(
    lambda step, d_model, warm_up: np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "you multiply by √d_model")(
    lambda step, d_model, warm_up: d_model**0.5 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "divide by its root")(
    lambda step, d_model, warm_up: d_model**-1.0 * np.minimum(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "the two terms meet too early")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-0.5)
)
wrong("learning_rate", "the two terms meet too early")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-1.0)
)
wrong("learning_rate", "the two terms meet too late")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**-2.0)
)
wrong("learning_rate", "√warm_up times too high")(
    lambda step, d_model, warm_up: (
        d_model**-0.5 * np.minimum(step / warm_up, (warm_up / step) ** 0.5)
    )
)
wrong("learning_rate", "steps count from 1")(
    lambda step, d_model, warm_up: (
        d_model**-0.5 * np.minimum(step**-0.5, (step - 1) * warm_up**-1.5)
    )
)
wrong("learning_rate", "np.minimum")(
    lambda step, d_model, warm_up: d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5)
)
wrong("learning_rate", "has its power the minus")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.minimum(step**-0.5, step * warm_up**1.5)
)


# batch_loss


def log_softmax(logits):
    logits = logits - logits.max(-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def smoothed(wanted, words, epsilon):
    return (1 - epsilon) * np.eye(words)[wanted] + epsilon / words


def losses_of(logits, wanted, epsilon):
    """(B, T): the loss of each place, padding too."""
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * log_softmax(logits)).sum(-1)


right("batch_loss")(
    lambda logits, wanted, epsilon: losses_of(logits, wanted, epsilon)[wanted != 0].mean()
)


@right("batch_loss")
def _(logits, wanted, epsilon):
    losses = []
    for rows, words in zip(logits, wanted, strict=True):
        for row, word in zip(rows, words, strict=True):
            if word != 0:
                log_p = np.log(softmax(row))
                losses.append(-(1 - epsilon) * log_p[word] - epsilon * log_p.mean())
    return sum(losses) / len(losses)


@right("batch_loss")
def _(logits, wanted, epsilon):
    logits = torch.as_tensor(logits).flatten(0, 1)
    wanted = torch.as_tensor(wanted).flatten()
    return F.cross_entropy(logits, wanted, ignore_index=0, label_smoothing=epsilon)


wrong("batch_loss", "the padding is counted")(
    lambda logits, wanted, epsilon: losses_of(logits, wanted, epsilon).mean()
)
wrong("batch_loss", "its places still count")(
    lambda logits, wanted, epsilon: (losses_of(logits, wanted, epsilon) * (wanted != 0)).mean()
)
wrong("batch_loss", "nothing is smoothed")(
    lambda logits, wanted, epsilon: losses_of(logits, wanted, 0)[wanted != 0].mean()
)
wrong("batch_loss", "the sum over the words")(
    lambda logits, wanted, epsilon: losses_of(logits, wanted, epsilon)[wanted != 0].sum()
)


@wrong("batch_loss", "over the words of the vocabulary as well")
def _(logits, wanted, epsilon):
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * log_softmax(logits)).mean(-1)[wanted != 0].mean()


@wrong("batch_loss", "a word of a short one counts more")
def _(logits, wanted, epsilon):
    losses = losses_of(logits, wanted, epsilon)
    return np.mean([row[words != 0].mean() for row, words in zip(losses, wanted, strict=True)])


wrong("batch_loss", "the sign")(
    lambda logits, wanted, epsilon: -losses_of(logits, wanted, epsilon)[wanted != 0].mean()
)


@wrong("batch_loss", "the softmax is missing")
def _(logits, wanted, epsilon):
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * logits).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "the logarithm of the probabilities is missing")
def _(logits, wanted, epsilon):
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * softmax(logits)).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "over the words, the last axis")
def _(logits, wanted, epsilon):
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * np.log(softmax(logits, axis=1))).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "each word's probability first")
def _(logits, wanted, epsilon):
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -np.log((targets * softmax(logits)).sum(-1))[wanted != 0].mean()


@wrong("batch_loss", "subtract each row's largest first")
def _(logits, wanted, epsilon):
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * log_p).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "subtract each row's largest first")
def _(logits, wanted, epsilon):
    powers = np.exp(logits)
    log_p = np.log(powers / powers.sum(-1, keepdims=True))
    targets = smoothed(wanted, logits.shape[-1], epsilon)
    return -(targets * log_p).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "is your my_targets right (exercise 1)?")
def _(logits, wanted, epsilon):
    targets = np.full(logits.shape, epsilon / logits.shape[-1])
    np.put_along_axis(targets, wanted[..., None], 1 - epsilon, axis=-1)
    return -(targets * log_softmax(logits)).sum(-1)[wanted != 0].mean()


wrong("batch_loss", "expected one number")(losses_of)
