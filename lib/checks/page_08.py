"""The exercises of notebook 8: what a decoder reads, writes and passes on."""

import numpy as np

from lib.checks.attention_mistakes import attend
from lib.checks.inputs import normal
from lib.checks.judge import check, right, wrong, wrongs
from lib.checks.page_07 import self_attention
from lib.layers import layer_norm as library_norm

SUBLAYERS = ("self-attention", "cross-attention", "the feed-forward network")


def words(B, T):
    """B sentences of T words, all different."""
    return np.random.default_rng(T).permutation(B * T).reshape(B, T) + 2


@check((words(2, 4), 1), (words(3, 5), 30))
def shift_right(target, start):
    """answer(target (B, T), start) -> (B, T) words: what the decoder reads."""
    first = np.full_like(target[:, :1], start)
    yield right(
        np.hstack([first, target[:, :-1]]),
        "start comes first, and each place holds the word before the one to be guessed.",
    )
    yield wrong(
        np.hstack([first, target[:, 1:]]),
        "start took the place of the first word; the words have to move on.",
    )
    yield wrong(
        np.hstack([first, target]),
        "start is in front, but a row has T + 1 words now; which one is never read?",
    )
    yield wrong(
        np.hstack([first, first, target[:, :-2]]),
        "the words moved by two places; one is enough.",
    )
    came_round = "the last word came round to the front."
    yield from wrongs(came_round, np.roll(target, 1, axis=1), np.roll(target, 1))
    to_the_left = "you shifted to the left."
    yield from wrongs(to_the_left, np.hstack([target[:, 1:], first]), np.roll(target, -1, axis=1))
    at_the_end = "start stands at the end; it comes first."
    yield from wrongs(at_the_end, np.hstack([target, first]), np.hstack([target[:, :-1], first]))
    yield wrong(
        np.vstack([np.full_like(target[:1], start), target[:-1]]),
        "the sentences moved; move the words, along axis 1.",
    )


def step_of_all_words(words):
    """Scores of the next of 6 words; they depend on all words so far."""
    seed = np.ravel(words).astype(int) + 1
    return np.random.default_rng(seed).standard_normal(6)


# In the third, end never comes, and from the fifth word on one word follows itself.
@check((step_of_all_words, 0, 1, 9), (step_of_all_words, 2, 5, 8), (step_of_all_words, 3, 5, 8))
def greedy(step, start, end, longest):
    """answer(step, start, end, longest) -> list of words; step(words so far) scores the next."""

    def write(most=longest, **changes):
        return _write(step, start, end, most, **changes)

    yield right(write(), "always the best word, until end or the longest allowed.")
    yield wrong(write(stops=False), "you go on after end; stop there.")
    prompt = "start is for step only; do not return it."
    yield from wrongs(prompt, [start, *write()], [start, *write(keeps_end=True)])
    yield wrong(write(keeps_end=True), "end stops the loop; do not return it.")
    count = "right where end comes; else return exactly longest words (start does not count)."
    yield from wrongs(count, write(longest - 1), write(longest + 1), write(99))
    yield wrong(
        write(sees=slice(-1, None)),
        "step saw the last word only; give it all the words so far.",
    )
    yield wrong(
        write(sees=slice(1, None)),
        "step did not see start; give it all the words so far, start first.",
    )
    yield wrong(
        write(choose=np.argmin), "you took the lowest score; the best word has the highest."
    )
    again = "right until a word follows itself; it may, and only end stops the loop."
    for repeats in ("stop before", "stop after", "next best"):
        yield wrong(write(repeats=repeats), again)


def _write(
    step,
    start,
    end,
    most,
    choose=np.argmax,
    sees=slice(None),
    stops=True,
    keeps_end=False,
    repeats="write",
):
    """The words that a loop writes, with switches for its mistakes.

    repeats: what happens where a word follows itself.
    """
    written = [start]
    while len(written) <= most:
        scores = step(written[sees])
        word = int(choose(scores))
        if word == written[-1] and repeats == "stop before":
            break
        if word == written[-1] and repeats == "next best":
            word = int(np.argsort(scores)[-2])
        is_repeat = word == written[-1]
        written.append(word)
        if (stops and word == end) or (is_repeat and repeats == "stop after"):
            break
    drops_end = stops and not keeps_end and written[-1] == end
    return written[1:-1] if drops_end else written[1:]


def cross_attention(h, memory):
    return attend(h, memory, memory)


def relu(h):
    return np.maximum(h, 0)


def decoder_inputs(T, S, d):
    """x (T, d), memory (S, d) and three sub-layers."""
    return normal(T, d), normal(S, d, seed=1), self_attention, cross_attention, relu


@check(decoder_inputs(3, 4, 5), decoder_inputs(4, 2, 6), square=decoder_inputs(4, 4, 5))
def decoder_sublayers(x, memory, self_attend, cross_attend, feed_forward):
    """answer(x (T, d), memory (S, d), self_attend, cross_attend, feed_forward) -> (T, d)"""
    after_self = x + self_attend(x)
    after_cross = after_self + cross_attend(after_self, memory)
    yield right(
        after_cross + feed_forward(after_cross),
        "each sub-layer adds to what the one before it left.",
    )
    yield from _left_out(x, memory, self_attend, cross_attend, feed_forward)

    def end(h):
        return h + feed_forward(h)

    crossed = x + cross_attend(x, memory)
    yield wrong(
        end(crossed + self_attend(crossed)),
        "self-attention comes first, then cross-attention.",
    )
    yield wrong(
        end(after_self + cross_attend(x, memory)),
        "cross-attention got x; give it what self-attention left.",
    )
    from_self = cross_attend(after_self, memory)
    yield wrong(
        x + feed_forward(x + from_self),
        "you added x each time; add each sub-layer's own input.",
    )
    yield wrong(
        end(x + from_self),
        "the residual of cross-attention added x; add what self-attention left.",
    )
    yield wrong(
        after_self + cross_attend(x, memory) + feed_forward(x),
        "all three got x; each takes what the one before left.",
    )
    yield wrong(
        end(after_self + cross_attend(after_self, after_self)),
        "cross-attention looked at its own side; it looks at memory.",
    )
    if len(x) == len(memory):
        yield wrong(
            end(after_self + cross_attend(memory, after_self)),
            "memory asked; the decoder's words ask, and memory answers.",
        )


def _left_out(x, memory, self_attend, cross_attend, feed_forward):
    """Rows for residuals and sub-layers that are missing."""

    def layer(no_residual=(), no_output=()):
        h = x
        for name in SUBLAYERS:
            if name in no_output:
                continue
            if name == "self-attention":
                output = self_attend(h)
            elif name == "cross-attention":
                output = cross_attend(h, memory)
            else:
                output = feed_forward(h)
            h = output if name in no_residual else h + output
        return h

    yield wrong(
        layer(no_residual=SUBLAYERS),
        "there is no residual; add each sub-layer's input to its output.",
    )
    for name in SUBLAYERS:
        yield wrong(
            layer(no_residual=[name]),
            f"the residual of {name} is missing; add its input to its output.",
        )
        yield wrong(layer(no_output=[name]), f"{name} is missing.")


def norms():
    """Three norms that can be told apart, and each from none."""

    def norm_1(h):
        return library_norm(h) + 0.3 * h

    def norm_2(h):
        return library_norm(h) + 0.5

    def norm_3(h):
        return 0.7 * library_norm(h)

    return norm_1, norm_2, norm_3


def layer_inputs(T, S, d):
    """x (T, d), memory (S, d), three sub-layers and three norms."""
    return *decoder_inputs(T, S, d), *norms()


@check(layer_inputs(3, 4, 5), layer_inputs(4, 2, 6), square=layer_inputs(4, 4, 5))
def decoder_layer(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    """answer(x (T, d), memory (S, d), look, ask, think, norm_1, norm_2, norm_3) -> (T, d)"""
    after_self = x + look(norm_1(x))
    after_cross = after_self + ask(norm_2(after_self), memory)
    yield right(
        after_cross + think(norm_3(after_cross)),
        "each sub-layer reads what its norm gives, and adds to what was there before.",
    )
    yield from _norms_elsewhere(x, memory, look, ask, think, norm_1, norm_2, norm_3)
    yield from _other_questions(x, after_self, memory, ask, think, norm_2, norm_3)
    yield from _one_residual_missing(x, memory, look, ask, think, norm_1, norm_2, norm_3)
    normed = norm_1(x)
    looked = normed + look(normed)
    asked = norm_2(looked) + ask(norm_2(looked), memory)
    yield wrong(
        norm_3(asked) + think(norm_3(asked)),
        "you added to the normed vectors; the residual path passes the norms by.",
    )
    crossed = x + ask(norm_2(x), memory)
    turned = crossed + look(norm_1(crossed))
    yield wrong(
        turned + think(norm_3(turned)),
        "self-attention comes first, then cross-attention.",
    )
    yield wrong(
        think(norm_3(ask(norm_2(look(norm_1(x))), memory))),
        "there is no residual; add each sub-layer's input to its output.",
    )
    yield wrong(
        after_cross + think(after_cross),
        "the feed-forward network got vectors that are not normed; norm_3 comes before it.",
    )
    yield wrong(after_cross, "the feed-forward network is missing.")


def _other_questions(x, after_self, memory, ask, think, norm_2, norm_3):
    """Rows for cross-attention that asks with something else, or asks somebody else."""

    def end(h):
        return h + think(norm_3(h))

    question = norm_2(after_self)
    yield wrong(
        end(after_self + ask(question, norm_2(memory))),
        "you normed the memory as well; norm_2 is for what asks, the memory stays as it is.",
    )
    yield wrong(
        end(after_self + ask(norm_2(x), memory)),
        "cross-attention got x; give it what self-attention left, normed.",
    )
    yield wrong(
        end(x + ask(question, memory)),
        "the residual of cross-attention added x; add what self-attention left.",
    )
    yield wrong(
        end(after_self + ask(question, question)),
        "cross-attention looked at its own side; it looks at memory.",
    )
    if len(x) == len(memory):
        yield wrong(
            end(after_self + ask(memory, question)),
            "memory asked; the decoder's words ask, and memory answers.",
        )


def _one_residual_missing(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    """Rows for a layer in which one sub-layer is not added to what was there before."""

    def ask_memory(h):
        return ask(h, memory)

    parts = tuple(zip(SUBLAYERS, (look, ask_memory, think), (norm_1, norm_2, norm_3), strict=True))
    for missing in SUBLAYERS:
        h = x
        for name, run, norm in parts:
            found = run(norm(h))
            h = found if name == missing else h + found
        yield wrong(h, f"the residual of {missing} is missing; add what was there before it.")


def _norms_elsewhere(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    """Rows for norms that stand after the sums, stand nowhere or are all one."""
    h = norm_1(x + look(x))
    h = norm_2(h + ask(h, memory))
    yield wrong(
        norm_3(h + think(h)),
        "this is post-norm, as in the paper; here each norm comes before its sub-layer.",
    )
    h = x + norm_1(look(x))
    h = h + norm_2(ask(h, memory))
    yield wrong(
        h + norm_3(think(h)),
        "you normed what the sub-layers return; norm what they are given.",
    )
    h = x + look(x)
    h = h + ask(h, memory)
    yield wrong(h + think(h), "no norm is used; each comes before its sub-layer.")
    h = x + look(norm_1(x))
    h = h + ask(norm_1(h), memory)
    yield wrong(
        h + think(norm_1(h)),
        "norm_1 stands before all three; each sub-layer has its own.",
    )
