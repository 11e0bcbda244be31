"""Page 10: answers to training_step."""

import torch
from torch.nn.functional import cross_entropy

from lib.checks.page_10 import STEP_MISTAKES, step_with
from lib.checks.readers_code.loops_and_steps import one_step
from lib.training import cross_entropy as loss_of
from tests.checks.bank import right, wrong

for sentence, answers in STEP_MISTAKES.items():
    for answer in answers:
        wrong("training_step", sentence)(answer)

# A step may forget the old gradients before the prediction or after it.


@right("training_step")
def _(model, optimizer, rate, source, mask, target):
    logits = model(source, target[:, :-1], mask)
    loss = loss_of(logits, target[:, 1:], 0.1)
    model.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss.item()


@right("training_step")
def _(model, optimizer, rate, source, mask, target):
    model.zero_grad()
    given, wanted = target[:, :-1], target[:, 1:]
    log_p = model(source, given, mask).log_softmax(-1)
    losses = -0.9 * log_p.gather(-1, wanted[..., None])[..., 0] - 0.1 * log_p.mean(-1)
    loss = losses[wanted != 0].mean()
    loss.backward()
    optimizer.step(rate)
    return float(loss)


@right("training_step")  # forgets at the end, for the next step
def _(model, optimizer, rate, source, mask, target):
    memory = model.encode(source, mask)
    logits = model.decode(target[:, :-1], memory, mask)
    loss = cross_entropy(logits.mT, target[:, 1:], ignore_index=0, label_smoothing=0.1)
    loss.backward()
    optimizer.step(rate)
    model.zero_grad()
    return loss.detach()


wrong("training_step", "nothing yet; end it with return")(
    lambda model, optimizer, rate, source, mask, target: ...
)
wrong("training_step", "takes 1 positional argument")(lambda model: 0)
wrong("training_step", "expected one number, the mean")(
    lambda model, optimizer, rate, source, mask, target: model(source, target, mask)
)
wrong("training_step", "stopped with RuntimeError")(  # logits of T - 1 places, T words wanted
    lambda model, optimizer, rate, source, mask, target: cross_entropy(
        model(source, target[:, :-1], mask).mT, target
    )
)


wrong("training_step", "no parameter moves")(step_with(order="loss, zero, step"))
wrong("training_step", "no parameter moves")(step_with(order="loss, zero, backward"))


@wrong("training_step", "The order counts: backward makes the gradients")
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    model.zero_grad()
    optimizer.step(rate)
    loss.backward()
    return loss.item()


@wrong("training_step", "nothing may cut them off")
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    loss.backward()
    model.zero_grad()
    optimizer.step(rate)
    return loss.item()


@wrong("training_step", "nothing may cut them off")
def _(model, optimizer, rate, source, mask, target):
    logits = model(source, target[:, :-1], mask).detach().requires_grad_()
    loss = loss_of(logits, target[:, 1:], 0.1)
    model.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss.item()


# Another loss: with two digits, the first of four steps would be 2.40 as expected.
@wrong(
    "training_step",
    "are 2.396 2.259 2.314 2.212 2.143; expected 2.401 2.248 2.285 2.179 2.130. The first differs: "
    "look at the slices, the mask and the loss, smoothed with 0.1 and before the step.",
)
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.2)
    model.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss.item()


@wrong("training_step", "does optimizer.step get rate itself, once?")  # a rate of its own
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    model.zero_grad()
    loss.backward()
    optimizer.step(0.003)
    return loss.item()


@wrong("training_step", "you make 3 steps in one call; make one, with the whole batch at once.")
def _(model, optimizer, rate, source, mask, target):
    losses = []
    for one in range(3):  # sentence by sentence
        row = slice(one, one + 1)
        loss = loss_of(model(source[row], target[row, :-1], mask[row]), target[row, 1:], 0.1)
        model.zero_grad()
        loss.backward()
        optimizer.step(rate)
        losses.append(loss.item())
    return sum(losses) / 3


def returned(change):
    """The page's step, with what ``change`` makes of its loss."""

    def step(*batch):
        return change(one_step(*batch))

    return step


wrong("training_step", "the losses are right, but rounded")(returned(lambda loss: round(loss, 2)))
wrong("training_step", "expected one number, without brackets")(returned(lambda loss: [loss]))


@wrong("training_step", "[the loss takes the scores first, then the words that are wanted].")
def _(model, optimizer, rate, source, mask, target):
    return loss_of(target[:, 1:], model(source, target[:, :-1], mask), 0.1)


@wrong("training_step", "takes the scores of all words, (B, T, words), not the likeliest word].")
def _(model, optimizer, rate, source, mask, target):
    return loss_of(model(source, target[:, :-1], mask).argmax(-1), target[:, 1:], 0.1)


@wrong("training_step", "'rate' [it takes the rate of this step].")
def _(model, optimizer, rate, source, mask, target):
    optimizer.step()


@wrong("training_step", "[loss.item() is a bare number; backward starts from the loss itself].")
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1).item()
    loss.backward()


@wrong("training_step", "stopped with RuntimeError")  # a loss without its history
def _(model, optimizer, rate, source, mask, target):
    with torch.no_grad():
        loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    loss.backward()


@right("training_step")  # as pages 7 and 8 write it
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss.item()


@wrong("training_step", "the loss is still a tensor; loss.item() is its number")
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    model.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss


@wrong("training_step", "takes (B, T, words) and (B, T), unflattened].")
def _(model, optimizer, rate, source, mask, target):
    logits = model(source, target[:, :-1], mask)
    return loss_of(logits.flatten(0, 1), target[:, 1:].flatten(), 0.1)


@wrong("training_step", "one slice leaves the last word out, the other the first].")
def _(model, optimizer, rate, source, mask, target):
    return loss_of(model(source, target, mask), target[:, 1:], 0.1)


@wrong("training_step", "cut axis 1 of target, the words].")
def _(model, optimizer, rate, source, mask, target):
    return loss_of(model(source, target[:-1], mask), target[1:], 0.1)


@wrong("training_step", "True = may attend [model takes source, words, mask: in this order].")
def _(model, optimizer, rate, source, mask, target):
    return loss_of(model(source, mask, target[:, :-1]), target[:, 1:], 0.1)


@wrong("training_step", "[backward comes before optimizer.step].")
def _(model, optimizer, rate, source, mask, target):
    loss = loss_of(model(source, target[:, :-1], mask), target[:, 1:], 0.1)
    optimizer.step(rate)
    loss.backward()
    return loss.item()


@wrong("training_step", "[cross_entropy takes the classes on axis 1: scores.transpose(1, 2)].")
def _(model, optimizer, rate, source, mask, target):
    return cross_entropy(model(source, target[:, :-1], mask), target[:, 1:])
