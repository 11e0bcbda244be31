"""Page 8, decoder: answers to shift_right, greedy, decoder_sublayers."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.checks.bank import right, wrong

# shift_right

right("shift_right")(
    lambda target, start: np.concatenate([np.full((len(target), 1), start), target[:, :-1]], axis=1)
)


@right("shift_right")
def _(target, start):
    result = np.roll(target, 1, axis=1)
    result[:, 0] = start
    return result


right("shift_right")(
    lambda target, start: [[start, *sentence[:-1]] for sentence in target.tolist()]
)
right("shift_right")(lambda target, start: F.pad(target[:, :-1], (1, 0), value=start))

wrong("shift_right", "you return target unchanged")(lambda target, start: target)
wrong("shift_right", "you shifted to the left")(
    lambda target, start: np.concatenate([target[:, 1:], np.full((len(target), 1), start)], axis=1)
)
wrong("shift_right", "came round to the front")(lambda target, start: np.roll(target, 1, axis=1))
wrong("shift_right", "came round to the front")(lambda target, start: np.roll(target, 1))
wrong("shift_right", "start stands at the end")(
    lambda target, start: np.column_stack([target, [start] * len(target)])
)
wrong("shift_right", "start stands at the end")(
    lambda target, start: np.column_stack([target[:, :-1], [start] * len(target)])
)
wrong("shift_right", "T + 1 words")(lambda target, start: np.insert(target, 0, start, axis=1))


@wrong("shift_right", "start took the place of the first word")
def _(target, start):
    result = target.copy()
    result[:, 0] = start
    return result


@wrong("shift_right", "the sentences moved")
def _(target, start):
    result = np.roll(target, 1, axis=0)
    result[0] = start
    return result


@wrong("shift_right", "by two places")
def _(target, start):
    result = np.full_like(target, start)
    result[:, 2:] = target[:, :-2]
    return result


wrong("shift_right", "right for the first inputs")(
    lambda target, start: np.insert(target[:, :-1], 0, 1, axis=1)
)
wrong("shift_right", "; return the output alone")(
    lambda target, start: (np.full_like(target[:, :1], start), target[:, :-1])
)


# greedy


@right("greedy")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@right("greedy")
def _(step, start, end, longest):
    words = []
    while len(words) < longest:
        scores = list(step((start, *words)))
        best = scores.index(max(scores))
        if best == end:
            return words
        words += [best]
    return np.array(words)


@right("greedy")
def _(step, start, end, longest):
    words = torch.tensor([start])
    while len(words) <= longest and words[-1] != end:
        words = torch.cat([words, torch.argmax(step(words), keepdim=True)])
    return [int(word) for word in words[1:] if word != end]


@wrong("greedy", "you go on after end")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        words.append(np.argmax(step(words)))
    return words[1:]


@wrong("greedy", "do not return it")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "start is for step only")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(step(words)))
    return words


@wrong("greedy", "end stops the loop")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(step(words)))
    return words[1:]


@wrong("greedy", "right where end comes")
def _(step, start, end, longest):
    words = [start]
    while len(words) < longest:
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "right where end comes")  # longest is not used, and the third end comes late
def _(step, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(step(words)))
    return words[1:-1]


@wrong("greedy", "step was called 1000 times; does your loop end?")
def _(step, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(step(words[-1:])))
    return words[1:-1]


@wrong("greedy", "step saw the last word only")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(step(words[-1]))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "step did not see start")
def _(step, start, end, longest):
    words = []
    for _ in range(longest):
        word = np.argmax(step(words))
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "the lowest score")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmin(step(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "the result is shape")  # drawn, not chosen
def _(step, start, end, longest):
    words = [start]
    generator = np.random.default_rng(5)
    for _ in range(longest):
        chances = np.exp(step(words))
        words.append(generator.choice(len(chances), p=chances / chances.sum()))
        if words[-1] == end:
            break
    return words[1:-1]


wrong("greedy", "rows of different lengths")(  # the scores along with the words
    lambda step, start, end, longest: [start, step([start])]
)


@wrong("greedy", "right until a word follows itself")
def _(step, start, end, longest):
    words = [start]
    while len(words) <= longest:
        word = int(np.argmax(step(words)))
        if word in (end, words[-1]):
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "right until a word follows itself")
def _(step, start, end, longest):
    words = [start]
    for _ in range(longest):
        scores = np.array(step(words))
        scores[words[-1]] = -np.inf
        word = int(scores.argmax())
        if word == end:
            break
        words.append(word)
    return words[1:]


# decoder_sublayers


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h)


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = torch.clone(x)
    for run in (self_attend, lambda h: cross_attend(h, memory), feed_forward):
        h += run(h)
    return h


@right("decoder_sublayers")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(h=x)
    h = h + cross_attend(memory=memory, h=h)
    return h + feed_forward(h)


wrong("decoder_sublayers", "there is no residual")(
    lambda x, memory, self_attend, cross_attend, feed_forward: feed_forward(
        cross_attend(self_attend(x), memory)
    )
)


@wrong("decoder_sublayers", "the residual of self-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of cross-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of the feed-forward network is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return feed_forward(h)


@wrong("decoder_sublayers", "memory asked")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(memory, h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "self-attention comes first")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + cross_attend(x, memory)
    h = h + self_attend(h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the feed-forward network is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + cross_attend(h, memory)


@wrong("decoder_sublayers", "cross-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "cross-attention got x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(x, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "you added x each time")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = x + cross_attend(h, memory)
    return x + feed_forward(h)


@wrong("decoder_sublayers", "looked at its own side")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, h)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "missing a required argument: 'memory'")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    return h + feed_forward(h + cross_attend(h))


@wrong("decoder_sublayers", "self-attention is missing")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + cross_attend(x, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "the residual of cross-attention added x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = x + cross_attend(h, memory)
    return h + feed_forward(h)


@wrong("decoder_sublayers", "all three got x")
def _(x, memory, self_attend, cross_attend, feed_forward):
    return x + self_attend(x) + cross_attend(x, memory) + feed_forward(x)


@wrong("decoder_sublayers", "2 arrays; return the output alone")
def _(x, memory, self_attend, cross_attend, feed_forward):
    h = x + self_attend(x)
    h = h + cross_attend(h, memory)
    return h + feed_forward(h), h
