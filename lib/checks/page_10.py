"""The exercises of notebook 10: a training step, smoothed targets, a batch's loss, the rate."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.judge import Result, judge, right
from lib.checks.readers_code.loops_and_steps import loss_of, problem_of
from lib.checks.readers_code.loops_and_steps import one_step as one_step_of_page
from lib.checks.unnamed_mistakes import PLACES_OF_SUMS, is_rounded
from lib.masks import padding_mask

PAGE = Page(10, "Translation: train one yourself")

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


@PAGE.exercise("1 · One step", kept="my_step", course=lambda: one_step_of_page)
def training_step(answer):
    """Does answer(model, optimizer, rate, source, mask, target) make one step of training?"""
    if not callable(answer):
        return judge(STEP, answer)
    returned, steps = [], []

    def kept(model, optimizer, *others):
        returned.append(answer(model, optimizer, *others))
        steps.append(int(max(optimizer.steps)))
        return returned[-1]

    first = STEP.run(losses_of(kept), STEP.cases[0])
    if first.error is not None:
        return Result(False, problem_of(first.error))
    if steps[0] > 1:
        return Result(
            False, f"you make {steps[0]} steps in one call; make one, with the whole batch at once."
        )
    result = judge(STEP, losses_of(answer))
    if result.ok and getattr(returned[0], "requires_grad", False):
        return Result(False, "right, but the loss is still a tensor; loss.item() is its number.")
    known = [row.message for row in STEP.tables[0]]
    if result.message in known:
        return result
    return Result(False, _where_it_differs(first.value, np.array(STEP.tables[0][0].value)))


def _where_it_differs(have, wanted):
    """The sentence about a mistake without a name."""
    if is_rounded(have[:-1], wanted[:-1]):
        return "the losses are right, but rounded; return all of loss.item()."
    if np.isclose(have[0], wanted[0], rtol=1e-4):
        hint = "The first is right, before it moved: does optimizer.step get rate itself, once?"
    else:
        hint = (
            "The first differs: look at the slices, the mask and the loss, smoothed with 0.1 and "
            "before the step."
        )
    have, wanted = _in_short(have, wanted)
    return (
        f"the losses of four steps, and of the model after them, are {have}; expected {wanted}. "
        f"{hint}"
    )


def _in_short(*both):
    """Both in one line each, with as many digits as it takes to see which losses differ."""
    differ = ~np.isclose(*both, rtol=1e-4)
    for places in PLACES_OF_SUMS:
        have, wanted = np.array([[f"{loss:.{places}f}" for loss in losses] for losses in both])
        if (have != wanted)[differ].all():
            break
    return " ".join(have), " ".join(wanted)


def step_with(
    order="loss, zero, backward, step",
    given=slice(None, -1),
    wanted=slice(1, None),
    ignore=0,
    seen=lambda mask: mask,
    smoothing=0.1,
    sign=1,
    scored=lambda logits: logits,
):
    """A training step, with switches for its mistakes."""

    def one_step(model, optimizer, rate, source, mask, target):
        from torch.nn.functional import cross_entropy

        logits = model(source, target[:, given], seen(mask))
        loss = sign * cross_entropy(
            scored(logits).flatten(0, 1),
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


def losses_of(answer):
    """A training step as a function of the sentences: the losses of four steps, and one after."""

    def train(source, target):
        from lib.training import one_thread

        with one_thread():  # on two, beside another program, it takes a minute
            return _losses_of(answer, source, target)

    return train


def _losses_of(answer, source, target):
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
        last = step_with(order="loss")(model, optimizer, rate, batch[0], mask, batch[1])
    return [*losses, last.item()]


@right(
    "predict, compare, forget, go backward, move: it learns.",
    sentences(3, 5, 7),
    sentences(2, 4, 6),
)
def steps(source, target):
    """The losses that four steps return, and that of the model they leave."""
    return losses_of(step_with())(source, target)


STEP = steps.exercise
STEP_MISTAKES = {  # sentence: answers to training_step
    "the loss does not fall, no parameter moves. The order counts: backward makes the gradients, "
    "then optimizer.step(rate) moves; nothing may cut them off, or forget them in between.": [
        step_with(order="loss, backward")
    ],
    "it hardly learns: gradients pile up, each step moves by those of all steps before; "
    "forget them in every step.": [step_with(order="loss, backward, step")],
    "the loss falls fast, and alone it writes one word for ever: it reads the very word that it "
    "has to write. Shift.": [
        step_with(given=slice(None), wanted=slice(None)),
        step_with(given=slice(1, None)),
        step_with(wanted=slice(None, -1)),
    ],
    "it learns to write the word before the one it reads; the shift is the wrong way round.": [
        step_with(given=slice(1, None), wanted=slice(None, -1))
    ],
    "it learns to write padding: places where the target is 0 count in the loss; leave them out.": [
        step_with(ignore=-100)
    ],
    "the source's padding is looked at: give the model the mask.": [
        step_with(seen=lambda mask: None)
    ],
    "the mask is turned round: True = may attend, as it comes.": [
        step_with(seen=lambda mask: ~mask)
    ],
    "it learns, but nothing is smoothed; the page smooths with 0.1.": [step_with(smoothing=0.0)],
    "it learns little: 0.9 of each target is spread; the part that is spread is 0.1.": [
        step_with(smoothing=0.9)
    ],
    "two mistakes in the loss: nothing is smoothed (the page smooths with 0.1), and places where "
    "the target is 0 count; leave them out.": [step_with(ignore=-100, smoothing=0.0)],
    "the scores go into the loss as they come: it makes the softmax and the logarithm itself.": [
        step_with(scored=lambda logits: logits.softmax(-1)),
        step_with(scored=lambda logits: -logits.log_softmax(-1)),
    ],
    "the loss rises: the sign is turned round.": [step_with(sign=-1)],
}
for sentence, answers in STEP_MISTAKES.items():
    steps.wrong(sentence)(*map(losses_of, answers))


@PAGE.exercise("2 · Find the bug: where did the rest go?")
@right(
    "1 - ε on the right word, and ε spread evenly over all words.",
    (np.array([2, 0, 3]), 5, 0.1),
    (np.array([1, 6]), 7, 0.4),
)
def label_smoothing(right, words, epsilon):
    """answer(right (B,), words, epsilon) -> (B, words): the distributions to aim at."""
    return (1 - epsilon) * np.eye(words)[right] + epsilon / words


def without_its_part(right, words, epsilon):
    """Rows whose right word lacks its own part of ε."""
    return np.where(np.eye(words)[right], 1 - epsilon, epsilon / words)


def over_the_others(right, words, epsilon):
    return np.where(np.eye(words)[right], 1 - epsilon, epsilon / (words - 1))


label_smoothing.wrong("you spread ε over the other words; over all of them.")(over_the_others)
label_smoothing.wrong(
    "rows do not sum to 1: ε is spread over all words, and the right word has lost its part."
)(without_its_part)
label_smoothing.wrong(
    "rows do not sum to 1: every word gets a part of ε, and you cut it into words - 1 parts."
)(lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon / (words - 1))


@label_smoothing.wrong(
    "[:, right] is every row's place, once for each word; [range(len(right)), right] is one a row."
)
def _(right, words, epsilon):
    rows = np.full((len(right), words), epsilon / words)
    rows[:, right] += 1 - epsilon
    return rows


@label_smoothing.wrong(
    "the sums are 1, but all was stretched; the right word gets 1 - ε + ε/words."
)
def _(right, words, epsilon):
    rows = without_its_part(right, words, epsilon)
    return rows / rows.sum(-1, keepdims=True)


label_smoothing.wrong("one-hot rows; nothing is smoothed yet.")(
    lambda right, words, epsilon: np.eye(words)[right]
)
label_smoothing.wrong("rows sum to 1 + ε: what is spread has to be taken from the right word.")(
    lambda right, words, epsilon: np.eye(words)[right] + epsilon / words
)
label_smoothing.wrong("rows sum to 1 - ε: what you took from the right word has to be spread.")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right]
)
label_smoothing.wrong("every word gets the whole of ε; they have to share it.")(
    lambda right, words, epsilon: (1 - epsilon) * np.eye(words)[right] + epsilon
)
label_smoothing.wrong("ε and 1 - ε have changed places.")(
    lambda right, words, epsilon: epsilon * np.eye(words)[right] + (1 - epsilon) / words
)
label_smoothing.wrong("each of them is 1 / words: the right word has to stand out.")(
    lambda right, words, epsilon: np.full((len(right), words), 1 / words)
)


@PAGE.exercise("3 · The loss of a batch")
@right(
    "smoothed, averaged over the real words alone.",
    (normal(2, 3, 7), np.array([[2, 5, 0], [4, 0, 0]]), 0.1),
    (normal(3, 4, 9), WANTED, 0.3),
    (normal(4, 2, 5) + 1000, np.array([[2, 3], [1, 0], [4, 0], [3, 1]]), 0.2),
    arrays=True,
)
def batch_loss(logits, wanted, epsilon):
    """answer(logits (B, T, words), wanted (B, T), epsilon) -> the mean smoothed loss."""
    return losses_of_places(logits, wanted, epsilon)[wanted != 0].mean()


def losses_of_places(
    logits,
    wanted,
    epsilon,
    log_p=lambda logits: np.log(library_softmax(logits)),
    targets=label_smoothing.solution,
):
    """The loss (B, T) of each place, padding too; with parts to replace."""
    return -(targets(wanted, logits.shape[-1], epsilon) * log_p(logits)).sum(-1)


def loss_with(**parts):
    """The right loss, but for a part."""

    def loss(logits, wanted, epsilon):
        return losses_of_places(logits, wanted, epsilon, **parts)[wanted != 0].mean()

    return loss


def log_of_shares(logits):
    """The logarithm of a softmax; large logits make it NaN."""
    powers = np.exp(logits)
    return np.log(powers / powers.sum(-1, keepdims=True))


batch_loss.wrong(
    "right for small logits, but exp(1000) is inf; subtract each row's largest first."
)(
    loss_with(log_p=lambda logits: logits - np.log(np.exp(logits).sum(-1, keepdims=True))),
    loss_with(log_p=log_of_shares),
)
batch_loss.wrong("the right word's part of ε is missing; is your my_targets right (exercise 2)?")(
    loss_with(targets=without_its_part)
)
batch_loss.wrong("you spread ε over the other words; over all of them.")(
    loss_with(targets=over_the_others)
)
batch_loss.wrong("the padding is counted as words; leave out where wanted is 0.")(
    lambda *batch: losses_of_places(*batch).mean()
)
batch_loss.wrong(
    "the padding's loss is left out of the sum, but its places still count in the mean."
)(
    lambda logits, wanted, epsilon: (
        losses_of_places(logits, wanted, epsilon) * (wanted != 0)
    ).mean()
)
batch_loss.wrong("nothing is smoothed: epsilon is not used.")(
    lambda logits, wanted, epsilon: batch_loss.solution(logits, wanted, 0)
)
batch_loss.wrong(
    "you averaged over the words of the vocabulary as well; add those up, as a loss has it."
)(lambda logits, wanted, epsilon: batch_loss.solution(logits, wanted, epsilon) / logits.shape[-1])
batch_loss.wrong("this is the sum over the words; take their mean.")(
    lambda logits, wanted, epsilon: losses_of_places(logits, wanted, epsilon)[wanted != 0].sum()
)


@batch_loss.wrong(
    "you averaged each sentence first, so that a word of a short one counts more; "
    "one mean over all words."
)
def _(logits, wanted, epsilon):
    losses = losses_of_places(logits, wanted, epsilon)
    return np.mean([row[words != 0].mean() for row, words in zip(losses, wanted, strict=True)])


@batch_loss.wrong(
    "you added up each sentence and averaged over sentences; one mean over all words."
)
def _(logits, wanted, epsilon):
    return (losses_of_places(logits, wanted, epsilon) * (wanted != 0)).sum(-1).mean()


batch_loss.wrong("these are bits; the loss takes the natural logarithm.")(
    lambda *batch: batch_loss.solution(*batch) / np.log(2)
)
batch_loss.wrong("the sign: a probability's logarithm is negative.")(
    lambda *batch: -batch_loss.solution(*batch)
)
batch_loss.wrong("these are logits, not logarithms of probabilities; the softmax is missing.")(
    loss_with(log_p=lambda logits: logits)
)
batch_loss.wrong(
    "you take the logarithm of scores, and some are negative; the softmax comes first."
)(loss_with(log_p=np.log))
batch_loss.wrong("the logarithm of the probabilities is missing.")(loss_with(log_p=library_softmax))
batch_loss.wrong("the softmax goes over the words, the last axis of the logits.")(
    loss_with(log_p=lambda logits: np.log(library_softmax(logits, axis=1))),
    loss_with(log_p=lambda logits: np.log(library_softmax(logits.ravel()).reshape(logits.shape))),
)


@batch_loss.wrong("take the logarithm of each word's probability first, then weigh and add.")
def _(logits, wanted, epsilon):
    targets = label_smoothing.solution(wanted, logits.shape[-1], epsilon)
    return -np.log((targets * library_softmax(logits)).sum(-1))[wanted != 0].mean()


@PAGE.exercise("4 · Find the bug: the top of the hill")
@right(
    "a straight line up to warm_up, then down like 1/√step.",
    (np.arange(1, 8), 64, 3),
    (np.arange(1, 12.0), 512, 5),
)
def learning_rate(step, d_model, warm_up):
    """answer(step (N,), d_model, warm_up) -> (N,) rates: the paper's equation 3."""
    return d_model**-0.5 * smaller_term(step, warm_up)


def smaller_term(step, warm_up, power=-1.5):
    """The smaller of the two terms: one rises with the steps, the other falls."""
    return np.minimum(step * warm_up**power, step**-0.5)


learning_rate.wrong(
    "there is no warm-up: the highest rate comes at the first step. "
    "Is the term with warm_up there, and has its power the minus?"
)(lambda step, d_model, warm_up: d_model**-0.5 * step**-0.5)
learning_rate.wrong("it rises without end; after warm_up the other term has to take over.")(
    lambda step, d_model, warm_up: d_model**-0.5 * step * warm_up**-1.5
)
learning_rate.wrong("you took the larger of the two terms; take the smaller one.")(
    lambda step, d_model, warm_up: d_model**-0.5 * np.maximum(step * warm_up**-1.5, step**-0.5)
)
learning_rate.wrong("d_model is not used; a wider model gets a smaller rate.")(
    lambda step, d_model, warm_up: smaller_term(step, warm_up)
)
learning_rate.wrong("you multiply by √d_model; divide by it.")(
    lambda step, d_model, warm_up: d_model**0.5 * smaller_term(step, warm_up)
)
learning_rate.wrong("you divide by d_model; divide by its root.")(
    lambda step, d_model, warm_up: smaller_term(step, warm_up) / d_model
)
learning_rate.wrong("right shape and top, but √warm_up times too high.")(
    lambda step, d_model, warm_up: (
        d_model**-0.5 * np.minimum(step / warm_up, (warm_up / step) ** 0.5)
    )
)
learning_rate.wrong(
    "the two terms meet too early: at step = warm_up they have to be equal. Which power of "
    "warm_up does that?"
)(
    lambda step, d_model, warm_up: d_model**-0.5 * smaller_term(step, warm_up, power=-0.5),
    lambda step, d_model, warm_up: d_model**-0.5 * smaller_term(step, warm_up, power=-1),
)
learning_rate.wrong("the two terms meet too late: at step = warm_up they have to be equal.")(
    lambda step, d_model, warm_up: d_model**-0.5 * smaller_term(step, warm_up, power=-2)
)
learning_rate.wrong("steps count from 1, as given.")(
    lambda step, d_model, warm_up: (
        d_model**-0.5 * np.minimum((step - 1) * warm_up**-1.5, step**-0.5)
    )
)
