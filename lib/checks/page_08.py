"""The exercises of notebook 8: what a decoder reads, writes and passes on."""

import numpy as np

from lib.checks.attention_mistakes import attend
from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.page_07 import self_attention
from lib.checks.tables import check, right, wrong, wrongs
from lib.layers import layer_norm as library_norm

PAGE = Page(8, "The decoder")

SUBLAYERS = ("self-attention", "cross-attention", "the feed-forward network")


def words(B, T):
    """B sentences of T words, all different."""
    return np.random.default_rng(T).permutation(B * T).reshape(B, T) + 2


@PAGE.exercise("1 · Find the bug: one place off")
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


def scores_of(words):
    """Scores (T, 6): row t is of the word that follows words[t], and depends on all up to there."""
    numbers = np.ravel(words).astype(int) + 1
    if len(numbers) == 0:
        raise ValueError("decode got no word; start is the first.")
    rows = [np.random.default_rng(numbers[: t + 1]) for t in range(len(numbers))]
    return np.array([row.standard_normal(6) for row in rows])


# In the third, end never comes, and from the fifth word on one word follows itself.
@PAGE.exercise("2 · The loop that writes")
@check((scores_of, 0, 1, 9), (scores_of, 2, 5, 8), (scores_of, 3, 5, 8))
def greedy(decode, start, end, longest):
    """answer(decode, start, end, longest) -> list of words; decode(words) -> scores (T, words)"""

    def write(most=longest, **changes):
        return _write(decode, start, end, most, **changes)

    yield right(write(), "always the best word, until end or the longest allowed.")
    yield wrong(write(stops=False), "it goes on after end; nothing is said there, so stop.")
    prompt = "start is for decode only; do not return it."
    yield from wrongs(prompt, [start, *write()], [start, *write(keeps_end=True)])
    yield wrong(write(keeps_end=True), "end stops the loop; do not return it.")
    count = "right where end comes; else return exactly longest words (start does not count)."
    yield from wrongs(count, write(longest - 1), write(longest + 1), write(99))
    first = (
        "every word is the one that follows start: what was written does not come back, or you "
        "took the first row."
    )
    yield from wrongs(first, write(row=0), write(row=0, stops=False))
    yield wrong(
        write(sees=slice(-1, None)),
        "decode saw the last word only; give it all the words so far.",
    )
    yield from wrongs(
        "you took the largest of the whole table; each row scores the word after another place.",
        write(row=slice(None)),
        write(row=slice(None), stops=False),
    )
    yield wrong(
        write(choose=np.argmin), "you took the lowest score; the best word has the highest."
    )
    again = "right until a word follows itself; it may, and only end stops the loop."
    for repeats in ("stop before", "stop after", "next best"):
        yield wrong(write(repeats=repeats), again)


def _write(
    decode,
    start,
    end,
    most,
    choose=np.argmax,
    sees=slice(None),
    row=-1,
    stops=True,
    keeps_end=False,
    repeats="write",
):
    """The words that a loop writes, with switches for its mistakes.

    sees, row: which words decode is given, which of its rows is used. repeats: what happens where a
    word follows itself.
    """
    written = [start]
    while len(written) <= most:
        scores = decode(written[sees])[row]
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


@PAGE.exercise("3 · Your own layer, in a trained model")
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
    yield wrong(after_self + think(norm_3(after_self)), "cross-attention is missing.")
    right_layer = after_cross + think(norm_3(after_cross))
    yield from wrongs(
        "one norm too many: the last sum stays as it is.",
        *(norm(right_layer) for norm in (norm_1, norm_2, norm_3)),
    )
    asked_alone = x + ask(norm_2(after_self), memory)
    yield from wrongs(
        "add to the sum before, not to x.",
        x + think(norm_3(asked_alone)),
        x + think(norm_3(after_cross)),
    )


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
    yield from wrongs(
        "cross-attention looked at its own side; it looks at memory.",
        end(after_self + ask(question, question)),
        end(after_self + ask(question, after_self)),
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
