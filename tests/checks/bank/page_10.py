"""Page 10, translation: answers to label_smoothing, learning_rate, batch_loss."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, softmax, wrong

# label_smoothing


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

wrong("label_smoothing", "; return the output alone")(
    lambda right, words, epsilon: (
        (1 - epsilon) * np.eye(words)[right] + epsilon / words,
        epsilon,
    )
)


# learning_rate

right("learning_rate")(
    lambda step, d_model, warm_up: [
        min(s**-0.5, s * warm_up**-1.5) / d_model**0.5 for s in step.tolist()
    ]
)


@right("learning_rate")
def _(step, d_model, warm_up):
    step = torch.as_tensor(step).double()
    return torch.where(step < warm_up, step / warm_up**1.5, step**-0.5) / d_model**0.5


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


def losses_of(logits, wanted, epsilon):
    """(B, T): the loss of each place, padding too."""
    words = logits.shape[-1]
    targets = (1 - epsilon) * np.eye(words)[wanted] + epsilon / words
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


wrong("batch_loss", "expected one number")(losses_of)


@wrong("batch_loss", "some are negative; the softmax comes first")
def _(logits, wanted, epsilon):
    targets = (1 - epsilon) * np.eye(logits.shape[-1])[wanted] + epsilon / logits.shape[-1]
    return -(targets * np.log(logits)).sum(-1)[wanted != 0].mean()


@wrong("batch_loss", "x.reshape(-1) puts all of them in a row")
def _(logits, wanted, epsilon):
    targets = np.full(logits.shape[1:], epsilon / logits.shape[-1])
    targets[range(len(wanted)), wanted] += 1 - epsilon
    return -(targets * np.log(softmax(logits))).sum(-1).mean()
