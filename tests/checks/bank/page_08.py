"""Page 8, decoder: answers to shift_right, greedy and decoder_layer."""

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
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words[1:]


@right("greedy")
def _(decode, start, end, longest):
    words = []
    while len(words) < longest:
        scores = list(decode((start, *words))[len(words)])
        best = scores.index(max(scores))
        if best == end:
            return words
        words += [best]
    return np.array(words)


@right("greedy")
def _(decode, start, end, longest):
    words = torch.tensor([start])
    while len(words) <= longest and words[-1] != end:
        scores = decode(words)  # (T, words)
        words = torch.cat([words, torch.argmax(scores[-1:], -1)])
    return [int(word) for word in words[1:] if word != end]


@right("greedy")
def _(decode, start, end, longest):
    def write_on(words):
        word = int(decode(words).argmax(axis=1)[-1])
        if word == end or len(words) > longest:
            return words[1:]
        return write_on([*words, word])

    return write_on([start])


wrong("greedy", "nothing yet; end it with return")(lambda decode, start, end, longest: ...)


@wrong("greedy", "it goes on after end")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        words.append(np.argmax(decode(words)[-1]))
    return words[1:]


@wrong("greedy", "do not return it")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "start is for decode only")
def _(decode, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(decode(words)[-1]))
    return words


@wrong("greedy", "end stops the loop")
def _(decode, start, end, longest):
    words = [start]
    while len(words) <= longest and words[-1] != end:
        words.append(np.argmax(decode(words)[-1]))
    return words[1:]


@wrong("greedy", "there your function ends without a return; write one at its end, too.")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = int(np.argmax(decode(words)[-1]))
        if word == end:
            return words[1:]
        words.append(word)


@wrong("greedy", "only the first word is there")
def _(decode, start, end, longest):
    words = []
    for row in decode([start]):
        if row.argmax() == end:
            break
        words.append(row.argmax())
    return words


@wrong("greedy", "right where end comes")
def _(decode, start, end, longest):
    words = [start]
    while len(words) < longest:
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong(
    "greedy", "stop after longest words, too"
)  # longest is not used, and the third end comes late
def _(decode, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(decode(words)[-1]))
    return words[1:-1]


@wrong(
    "greedy",
    "loop does not end: it called decode 300 times [end may never come: stop after longest",
)
def _(decode, start, end, longest):
    words = [start]
    while words[-1] != end:
        words = [start, np.argmax(decode([start])[-1])]
    return words[1:-1]


@wrong("greedy", "loop does not end")  # the largest of the whole table, and no limit
def _(decode, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(decode(words)))
    return words[1:]


@wrong("greedy", "return neither")
def _(decode, start, end, longest):
    words = [start]
    while words[-1] != end:
        words.append(np.argmax(decode(words)[-1]))
    return words


@wrong("greedy", "decode got [2]; it takes all the words so far, start first")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode([words[-1]]))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "every word is the one that follows start")  # the first row, not the last
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[0])
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "what was written does not come back")  # and no end
def _(decode, start, end, longest):
    words = []
    for _ in range(longest):
        words.append(np.argmax(decode([start])[-1]))
    return words


@wrong("greedy", "the largest of the whole table")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "decode got []; it takes all the words so far, start first")
def _(decode, start, end, longest):
    words = []
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words


@wrong("greedy", "the lowest score")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmin(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "decode takes the numbers of all words so far, (T,), not (1, 1)")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = int(np.argmax(decode([words])[-1]))
        if word == end:
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "decode takes the numbers of all words so far, (T,), not one number")
def _(decode, start, end, longest):
    return [np.argmax(decode(start)[-1])]


@wrong("greedy", "numbers where ")  # drawn, not chosen
def _(decode, start, end, longest):
    words = [start]
    generator = np.random.default_rng(5)
    for _ in range(longest):
        chances = np.exp(decode(words)[-1])
        words.append(generator.choice(len(chances), p=chances / chances.sum()))
        if words[-1] == end:
            break
    return words[1:-1]


@wrong("greedy", "end was never in the list")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words.append(word)
    return words[1:-1]


@wrong("greedy", "the result is one number")  # one step, and no loop
def _(decode, start, end, longest):
    return np.argmax(decode([start])[-1])


@wrong("greedy", "your loop asks on after end")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word != end:
            words.append(word)
    return words[1:]


@wrong("greedy", "[words.append(word) changes words, and returns None]")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            break
        words = words.append(word)
    return words[1:]


@wrong("greedy", "[rows count from 0; the last one is [-1]]")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        words.append(np.argmax(decode(words)[len(words)]))
    return words[1:]


@wrong("greedy", "start is for decode only; do not return it")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        word = np.argmax(decode(words)[-1])
        if word == end:
            return words
        words.append(word)
    return words[1:]


wrong("greedy", "single values and rows in one list")(  # the scores along with the words
    lambda decode, start, end, longest: [start, decode([start])[-1]]
)


@wrong("greedy", "right until a word follows itself")
def _(decode, start, end, longest):
    words = [start]
    while len(words) <= longest:
        word = int(np.argmax(decode(words)[-1]))
        if word in (end, words[-1]):
            break
        words.append(word)
    return words[1:]


@wrong("greedy", "right until a word follows itself")
def _(decode, start, end, longest):
    words = [start]
    for _ in range(longest):
        scores = np.array(decode(words)[-1])
        scores[words[-1]] = -np.inf
        word = int(scores.argmax())
        if word == end:
            break
        words.append(word)
    return words[1:]


# decoder_layer


@right("decoder_layer")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = torch.clone(x)
    h += look(norm_1(h))
    h += ask(h=norm_2(h), memory=memory)
    h += think(norm_3(h))
    return h


@right("decoder_layer")
def _(x, memory, look, ask, think, *norms):
    def ask_memory(h):
        return ask(h, memory)

    for run, norm in zip((look, ask_memory, think), norms, strict=True):
        x = x + run(norm(x))
    return x


wrong("decoder_layer", "nothing yet; end it with return")(
    lambda x, memory, look, ask, think, norm_1, norm_2, norm_3: ...
)


@wrong("decoder_layer", "2 arrays; return the output alone")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(norm_3(h)), h


@wrong("decoder_layer", "missing a required argument: 'memory'")
def _(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h))
    return h + think(norm_3(h))
