"""The exercises of notebook 10: a training step, smoothed targets, the rate, a batch's loss."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.judge import Result, judge
from lib.checks.readers_code.loops_and_steps import loss_of, problem_of
from lib.checks.tables import TableExercise, check, right, wrong, wrongs
from lib.masks import padding_mask

PAGE = Page(10, "Translation: train one yourself")

right_row = right  # label_smoothing has an argument of that name
WANTED = np.array([[2, 5, 7, 3], [8, 1, 0, 0], [6, 0, 0, 0]])  # words to predict; 0 is padding


# A training step. Four of them are made with a small model, and the losses are looked up.

WORDS = 9  # of both languages; 0 is padding, 1 start, 2 end
RATES = (0.02, 0.05, 0.04, 0.01)  # one for each step


def sentences(B, S, T):
    """source (4 * B, S) and target (4 * B, T): B sentences for each step, padded."""
    random = np.random.default_rng(S)
    source = random.integers(3, WORDS, (4 * B, S))
    target = np.pad(random.integers(3, WORDS, (4 * B, T - 2)), ((0, 0), (1, 1)), constant_values=2)
    target[:, 0] = 1
    source[::2, -2:] = 0
    target[1::2, -3:] = [2, 0, 0]
    return source, target


@PAGE.exercise("Your turn: one step")
def training_step(answer):
    """Does answer(model, optimizer, rate, source, mask, target) make one step of training?"""
    if not callable(answer):
        return judge(STEP, answer)
    returned = []

    def kept(*arguments):
        returned.append(answer(*arguments))
        return returned[-1]

    first = STEP.run(_losses_of(kept), STEP.cases[0])
    if first.error is not None:
        return Result(False, problem_of(first.error))
    result = judge(STEP, _losses_of(answer))
    if result.ok and getattr(returned[0], "requires_grad", False):
        return Result(False, "right, but the loss is still a tensor; loss.item() is its number.")
    known = [row.message for row in STEP.tables[0]]
    if result.message in known:
        return result
    have, wanted = [_in_short(values) for values in (first.value, STEP.tables[0][0].value)]
    return Result(
        False,
        f"the losses of four steps, and of the model after them, are {have}; expected {wanted}. "
        "Does optimizer.step get rate, and is the loss one mean?",
    )


def _in_short(losses):
    return " ".join(f"{loss:.2f}" for loss in losses)


def steps(source, target):
    """The losses that four steps return, and that of the model they leave; and mistakes."""

    def after(**changes):
        return _losses_of(_step(**changes))(source, target)

    yield right_row(after(), "predict, compare, forget, go backward, move: it learns.")
    yield wrong(
        after(order="loss, backward"),
        "the loss does not fall, no parameter moves: a step needs backward, which makes the "
        "gradients, then optimizer.step(rate), and nothing between them that forgets.",
    )
    yield from wrongs(
        "it hardly learns: gradients pile up, each step moves by those of all steps before; "
        "forget them in every step.",
        after(order="loss, backward, step"),
    )
    yield from wrongs(
        "the loss falls to its floor, and alone it writes one word for ever: it reads the very "
        "word that it has to write. Shift.",
        after(given=slice(None), wanted=slice(None)),
        after(given=slice(1, None)),
        after(wanted=slice(None, -1)),
    )
    yield wrong(
        after(given=slice(1, None), wanted=slice(None, -1)),
        "it learns to write the word before the one it reads; the shift is the wrong way round.",
    )
    yield wrong(
        after(ignore=-100),
        "it learns to write padding: places where the target is 0 count in the loss; leave them "
        "out.",
    )
    yield wrong(
        after(hides=False),
        "the source's padding is looked at: give the model the mask.",
    )
    yield wrong(after(smoothing=0.0), "it learns, but nothing is smoothed; the page has ε = 0.1.")
    yield wrong(after(sign=-1), "the loss rises: the sign is turned round.")


def _step(
    order="loss, zero, backward, step",
    given=slice(None, -1),
    wanted=slice(1, None),
    ignore=0,
    hides=True,
    smoothing=0.1,
    sign=1,
):
    """A training step, with switches for its mistakes."""

    def one_step(model, optimizer, rate, source, mask, target):
        from torch.nn.functional import cross_entropy

        logits = model(source, target[:, given], mask if hides else None)
        loss = sign * cross_entropy(
            logits.flatten(0, 1),
            target[:, wanted].flatten(),
            ignore_index=ignore,
            label_smoothing=smoothing,
        )
        if "zero" in order:
            model.zero_grad()
        if "backward" in order:
            loss.backward()
        if "step" in order:
            optimizer.step(rate)
        return loss

    return one_step


def _losses_of(answer):
    """A training step as a function of the sentences: the losses of four steps, and one after."""

    def train(source, target):
        import torch

        from lib.modules import Transformer
        from lib.training import AdamW

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(len(source))
            model = Transformer(WORDS, WORDS, 8, 2, 1, 1, 12, dropout=0.0).double()
        optimizer = AdamW(model.parameters(), 0.01)
        source, target = torch.tensor(source.tolist()), torch.tensor(target.tolist())
        losses = []
        for rate, *batch in zip(RATES, source.chunk(4), target.chunk(4), strict=True):
            mask = padding_mask((batch[0] != 0).sum(1).numpy(), batch[0].shape[1])
            losses.append(loss_of(answer(model, optimizer, rate, batch[0], mask, batch[1])))
        with torch.no_grad():
            last = _step(order="loss")(model, optimizer, rate, batch[0], mask, batch[1])
        return [*losses, last.item()]

    return train


STEP = TableExercise(steps, "", (sentences(3, 5, 6), sentences(2, 6, 7)))


@PAGE.exercise("1 · Find the bug: where did the rest go?")
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
        "rows do not sum to 1: ε is spread over all words, and the right word has lost its part.",
    )
    yield wrong(
        (1 - epsilon) * hot + epsilon / (words - 1),
        "rows do not sum to 1: every word gets a part of ε, and you cut it into words - 1 parts.",
    )
    stretched = np.where(hot == 1, 1 - epsilon, epsilon / words)
    yield wrong(
        stretched / stretched.sum(-1, keepdims=True),
        "the sums are 1, but all was stretched; the right word gets 1 - ε + ε/words.",
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


@PAGE.exercise("2 · Find the bug: the top of the hill")
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
        d_model**-0.5 * warm_up**0.5 * rate, "right shape and top, but √warm_up times too high."
    )
    yield from wrongs(
        "the two terms meet too early: at step = warm_up they have to be equal. Which power of "
        "warm_up does that?",
        d_model**-0.5 * np.minimum(step * float(warm_up) ** -0.5, falling),
        d_model**-0.5 * np.minimum(step / warm_up, falling),
    )
    yield wrong(
        d_model**-0.5 * np.minimum(step * float(warm_up) ** -2, falling),
        "the two terms meet too late: at step = warm_up they have to be equal.",
    )
    yield wrong(
        d_model**-0.5 * np.minimum((step - 1) * float(warm_up) ** -1.5, falling),
        "steps count from 1, as given.",
    )


@PAGE.exercise("3 · The loss of a batch")
@check(
    (normal(2, 3, 7), np.array([[2, 5, 0], [4, 0, 0]]), 0.1),
    (normal(3, 4, 9), WANTED, 0.3),
    (normal(2, 3, 5) + 1000, np.array([[2, 3, 4], [1, 0, 0]]), 0.2),
)
def batch_loss(logits, wanted, epsilon):
    """answer(logits (B, T, words), wanted (B, T), epsilon) -> the mean smoothed loss."""
    words = logits.shape[-1]
    p = library_softmax(logits)
    hot = np.eye(words)[wanted]
    targets = (1 - epsilon) * hot + epsilon / words
    losses = -(targets * np.log(p)).sum(-1)  # (B, T)
    counts = wanted != 0
    yield right(losses[counts].mean(), "smoothed, averaged over the real words alone.")
    for log_p in _without_largest(logits):
        yield wrong(
            -(targets * log_p).sum(-1)[counts].mean(),
            "right for small logits, but exp(1000) is inf; subtract each row's largest first.",
        )
    lacking = np.where(hot == 1, 1 - epsilon, epsilon / words)
    yield wrong(
        -(lacking * np.log(p)).sum(-1)[counts].mean(),
        "the right word's part of ε is missing; is your my_targets right (exercise 1)?",
    )
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
    yield from _other_logarithms(logits, targets, p, counts)


def _without_largest(logits):
    """Logarithms of a softmax in two ways; large logits make them infinite or NaN."""
    powers = np.exp(logits)
    total = powers.sum(-1, keepdims=True)
    return logits - np.log(total), np.log(powers / total)


def _other_logarithms(logits, targets, p, counts):
    """Rows for a softmax over another axis, and for a logarithm of the whole."""
    over_places = -(targets * np.log(library_softmax(logits, axis=1))).sum(-1)
    yield wrong(
        over_places[counts].mean(), "the softmax goes over the words, the last axis of the logits."
    )
    yield wrong(
        -np.log((targets * p).sum(-1))[counts].mean(),
        "take the logarithm of each word's probability first, then weigh and add.",
    )
