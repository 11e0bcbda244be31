"""The exercises of notebook 8: what a decoder reads, writes and passes on."""

from collections import namedtuple
from functools import cache
from itertools import accumulate, combinations, permutations, product

import numpy as np

from lib.checks.attention_mistakes import attend
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on
from lib.checks.judge import and_then, right
from lib.checks.page_07 import self_attention
from lib.checks.readers_code import loops_and_steps
from lib.checks.run import MOST_CALLS, run_again
from lib.layers import layer_norm as library_norm

PAGE = Page(8, "The decoder")


@cache
def row_after(number):
    return np.random.default_rng(number).standard_normal(6)


def decode_after(start):
    """A decode that takes start and the words after it."""

    def decode(words):
        """Scores (T, 6): row t is of the word after words[t], and depends on all up to there."""
        words = np.asarray(words).astype(int)
        if words.ndim != 1:
            shape = words.shape or "one number"
            raise ValueError(f"decode takes the numbers of all words so far, (T,), not {shape}.")
        words = words.tolist()
        if words[:1] != [start]:
            raise ValueError(f"decode got {words}; it takes all the words so far, start first")
        numbers = accumulate(words, lambda number, word: (129 * number + word) % 2**32)
        return np.array([row_after(number) for number in numbers])

    return decode


def stops_at_end(answer):
    """Where end has come, a loop need not ask again."""
    case = decode_after(4), 4, 5, MOST_CALLS + 1
    goes_on = run_again(answer, case, greedy.exercise.names).problem
    return (
        "the words are right, but your loop asks on after end; leave it there." if goes_on else ""
    )


# In the third, end comes too late, and from the fifth word on one word follows itself.
@PAGE.exercise("The loop that writes", kept="my_greedy", course=lambda: loops_and_steps.greedy)
@and_then(stops_at_end)
@right(
    "always the best word, until end or the longest allowed.",
    (decode_after(4), 4, 5, 9),
    (decode_after(3), 3, 4, 8),
    (decode_after(2), 2, 5, 10),
    remark=remark_on(loops_and_steps.greedy),
    tips=(
        ("loop does not end", "end may never come: stop after longest words, too"),
        ("out of bounds", "rows count from 0; the last one is [-1]"),
        ("got None", "words.append(word) changes words, and returns None"),
    ),
)
def greedy(decode, start, end, longest):
    """answer(decode, start, end, longest) -> list of words; decode(words) -> scores (T, words)"""
    return _write(decode, start, end, longest)


def with_both(words, end):
    """What is returned of the words, start and end among them."""
    return words


def with_start(words, end):
    return words[:-1] if words[-1] == end else words


def with_end(words, end):
    return words[1:]


def with_neither(words, end):
    return with_start(words, end)[1:]


def with_start_where_it_ends(words, end):
    return words[:-1] if words[-1] == end else words[1:]


def without_ends(words, end):
    return [word for word in words[1:] if word != end]


def without_start_and_end(words, end):
    return [word for word in words if word not in (words[0], end)]


def without_first_and_last(words, end):
    return words[1:-1]


def with_neither_nor_last(words, end):
    return with_neither(words, end)[:-1]


def _write(
    decode,
    start,
    end,
    most,
    choose=np.argmax,
    taken=lambda scores: scores[-1],
    stops=True,
    gives=with_neither,
    repeats="write",
):
    """The words that a loop writes, with switches for its mistakes.

    taken: what is used of decode's scores. gives(words, end): what is returned. repeats: what
    happens where a word follows itself.
    """
    written = [start]
    while len(written) <= most:
        scores = taken(decode(written))
        word = choose(scores)
        if word == written[-1] and repeats == "stop before":
            break
        if word == written[-1] and repeats == "next best":
            word = np.argsort(scores)[-2]
        is_repeat = word == written[-1]
        written.append(word)
        if (stops and word == end) or (is_repeat and repeats == "stop after"):
            break
    return gives(written, end)


def writes(more=0, **changes):
    """An answer with these changes, which writes so many words more than longest at most."""
    return lambda decode, start, end, longest: _write(decode, start, end, longest + more, **changes)


NO_LIMIT = 99  # words more than longest
WRONG_LENGTHS = (-1, 1, NO_LIMIT)


def at_any_length(**changes):
    """Such answers with the right limit, and with a wrong one."""
    return [writes(more, **changes) for more in (0, *WRONG_LENGTHS)]


def however_returned(**changes):
    """Such answers that stop at end or do not, and return more or less than they should."""
    gives = (with_neither, with_both, with_end, without_first_and_last)
    going_on = [writes(more, stops=False, gives=with_end, **changes) for more in (0, -1)]
    stopping = [writes(more, gives=given, **changes) for given in gives for more in (0, -1)]
    return *stopping, *going_on


greedy.wrong("it goes on after end; nothing is said there, so stop.")(
    writes(stops=False, gives=with_end)
)
greedy.wrong("you took out end, but not what was written after it; end stops the loop.")(
    writes(stops=False, gives=without_ends), writes(stops=False, gives=without_start_and_end)
)
greedy.wrong("you took the highest score itself; np.argmax gives its place, the word's number.")(
    *however_returned(choose=np.max), *however_returned(choose=lambda scores: int(np.max(scores)))
)
greedy.wrong(
    "two mistakes: start is for decode only, and nothing is said after end, so stop there."
)(writes(stops=False, gives=with_both))
greedy.wrong("start is for decode only, and end stops the loop; return neither.")(
    *at_any_length(gives=with_both)
)
greedy.wrong("start is for decode only; do not return it.")(
    *at_any_length(gives=with_start), writes(gives=with_start_where_it_ends)
)
greedy.wrong("end stops the loop; do not return it.")(*at_any_length(gives=with_end))
greedy.wrong("right where end comes; it may never come: stop after longest words, too.")(
    writes(NO_LIMIT)
)
greedy.wrong(
    "right where end comes; else return exactly longest words: start does not count, and [:-1] "
    "would cut off a word."
)(
    *(writes(more) for more in (-1, 1)),
    *(writes(more, gives=without_first_and_last) for more in (0, -1)),
)
greedy.wrong("end was never in the list, so [:-1] cuts off a word; return words[1:].")(
    writes(gives=with_neither_nor_last)
)
greedy.wrong(
    "you took the first row, so every word is the one that follows start; or what was written "
    "does not come back to decode."
)(*however_returned(taken=lambda scores: scores[0]))
greedy.wrong("you took the row before the last; the last one is of the word to come.")(
    *however_returned(taken=lambda scores: scores[len(scores) - 2])
)
greedy.wrong("only the first word is there; put it behind start, and ask decode again.")(
    lambda decode, start, end, longest: _write(decode, start, end, 1)
)
greedy.wrong("you took the last column, [:, -1]; the last row, [-1], is of the word to come.")(
    *however_returned(taken=lambda scores: scores[:, -1])
)
greedy.wrong("the rows are added up or averaged; only the last one is of the word to come.")(
    *however_returned(taken=lambda scores: scores.mean(0))
)
greedy.wrong("you took the word of the second highest score; the best has the highest.")(
    *however_returned(choose=lambda scores: np.argsort(scores)[-2])
)
greedy.wrong(
    "you took the largest of the whole table; each row scores the word after another place."
)(*however_returned(taken=lambda scores: scores))
greedy.wrong("you took the lowest score; the best word has the highest.")(
    *however_returned(choose=np.argmin)
)
greedy.wrong("right until a word follows itself; it may, and only end stops the loop.")(
    writes(repeats="stop before"), writes(repeats="stop after"), writes(repeats="next best")
)


def words(B, T):
    """B sentences of T words, all different."""
    return np.random.default_rng(T).permutation(B * T).reshape(B, T) + 2


def column(target, start):
    """The word start for each sentence: (B, 1)."""
    return np.full_like(target[:, :1], start)


@PAGE.exercise("Find the bug: one place off (4 minutes)")
@right(
    "start comes first, and each place holds the word before the one to be guessed.",
    (words(2, 4), 1),
    (words(3, 7), 30),
)
def shift_right(target, start):
    """answer(target (B, T), start) -> (B, T) words: what the decoder reads."""
    return np.hstack([column(target, start), target[:, :-1]])


shift_right.wrong("start took the place of the first word; the words have to move on.")(
    lambda target, start: np.hstack([column(target, start), target[:, 1:]])
)
shift_right.wrong("start is in front, but a row has T + 1 words now; which one is never read?")(
    lambda target, start: np.hstack([column(target, start), target])
)
shift_right.wrong("start is missing; it comes first.")(lambda target, start: target[:, :-1])
shift_right.wrong("the words moved by two places; one is enough.")(
    lambda target, start: np.hstack([column(target, start)] * 2 + [target[:, :-2]])
)
shift_right.wrong("the last word came round to the front.")(
    lambda target, start: np.roll(target, 1, axis=1),
    lambda target, start: np.roll(target, 1),
)
shift_right.wrong("you shifted to the left.")(
    lambda target, start: np.hstack([target[:, 1:], column(target, start)]),
    lambda target, start: np.roll(target, -1, axis=1),
)
shift_right.wrong("start stands at the end; it comes first.")(
    lambda target, start: np.hstack([target, column(target, start)]),
    lambda target, start: np.hstack([target[:, :-1], column(target, start)]),
)
shift_right.wrong("the sentences moved; move the words, along axis 1.")(
    lambda target, start: np.vstack([np.full_like(target[:1], start), target[:-1]])
)


def cross_attention(h, memory):
    return attend(h, memory, memory)


def relu(h):
    return np.maximum(h, 0)


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
    return (
        normal(T, d),
        normal(S, d, seed=1),
        self_attention,
        cross_attention,
        relu,
        *norms(),
    )


@PAGE.exercise("Your own layer, in a trained model (18 minutes)")
@right(
    "each sub-layer reads what its norm gives, and adds to what was there before.",
    layer_inputs(3, 4, 5),
    layer_inputs(4, 2, 6),
    square=layer_inputs(4, 4, 5),
)
def decoder_layer(x, memory, look, ask, think, norm_1, norm_2, norm_3):
    """answer(x (T, d), memory (S, d), look, ask, think, norm_1, norm_2, norm_3) -> (T, d)"""
    h = x + look(norm_1(x))
    h = h + ask(norm_2(h), memory)
    return h + think(norm_3(h))


class Layer(namedtuple("Layer", decoder_layer.exercise.names[1:])):
    """What is given beside x. What each sub-layer finds, and what it leaves, as it should be."""

    def finds_itself(self, h):
        return self.look(self.norm_1(h))

    def finds_memory(self, h):
        return self.ask(self.norm_2(h), self.memory)

    def finds_thought(self, h):
        return self.think(self.norm_3(h))

    def looked(self, h):
        return h + self.finds_itself(h)

    def asked(self, h):
        return h + self.finds_memory(h)

    def thought(self, h):
        return h + self.finds_thought(h)

    def whole(self, x):
        return self.thought(self.asked(self.looked(x)))


def wrong_layer(sentence):
    """As decoder_layer.wrong, for answers that take a Layer and x."""
    keep_all = decoder_layer.wrong(sentence)

    def keep(*answers):
        keep_all(*(with_layer(answer) for answer in answers))

    return keep


def with_layer(answer):
    return lambda x, *others: answer(Layer(*others), x)


def plain(h):
    """No norm."""
    return h


def with_norms(order):
    """The right layer with other norms: their places, 0 to 2, before the three sub-layers."""

    def answer(layer, x):
        norms = layer.norm_1, layer.norm_2, layer.norm_3
        norm_1, norm_2, norm_3 = (norms[place] for place in order)
        return layer._replace(norm_1=norm_1, norm_2=norm_2, norm_3=norm_3).whole(x)

    return answer


@wrong_layer("this is post-norm, as in the paper; here each norm comes before its sub-layer.")
def _(layer, x):
    h = layer.norm_1(x + layer.look(x))
    h = layer.norm_2(h + layer.ask(h, layer.memory))
    return layer.norm_3(h + layer.think(h))


@wrong_layer("you normed what the sub-layers return; norm what they are given.")
def _(layer, x):
    h = x + layer.norm_1(layer.look(x))
    h = h + layer.norm_2(layer.ask(h, layer.memory))
    return h + layer.norm_3(layer.think(h))


wrong_layer("no norm is used; each comes before its sub-layer.")(
    lambda layer, x: layer._replace(norm_1=plain, norm_2=plain, norm_3=plain).whole(x)
)
wrong_layer("norm_1 stands before all three; each sub-layer has its own.")(
    lambda layer, x: layer._replace(norm_2=layer.norm_1, norm_3=layer.norm_1).whole(x)
)
wrong_layer("you normed the memory as well; norm_2 is for what asks, the memory stays as it is.")(
    lambda layer, x: layer._replace(memory=layer.norm_2(layer.memory)).whole(x)
)
wrong_layer("cross-attention got x; give it what self-attention left, normed.")(
    lambda layer, x: layer.thought(layer.looked(x) + layer.finds_memory(x))
)
wrong_layer("the residual of cross-attention added x; add what self-attention left.")(
    lambda layer, x: layer.thought(x + layer.finds_memory(layer.looked(x)))
)
wrong_layer("cross-attention looked at its own side; it looks at memory.")(
    lambda layer, x: layer._replace(memory=layer.norm_2(layer.looked(x))).whole(x),
    lambda layer, x: layer._replace(memory=layer.looked(x)).whole(x),
)
wrong_layer("memory asked; the decoder's words ask, and memory answers.")(
    lambda layer, x: layer._replace(ask=lambda h, memory: layer.ask(memory, h)).whole(x)
)
wrong_layer("the residual of self-attention is missing; add what was there before it.")(
    lambda layer, x: layer.thought(layer.asked(layer.finds_itself(x)))
)
wrong_layer("the residual of cross-attention is missing; add what was there before it.")(
    lambda layer, x: layer.thought(layer.finds_memory(layer.looked(x)))
)
wrong_layer("the residual of the feed-forward network is missing; add what was there before it.")(
    lambda layer, x: layer.finds_thought(layer.asked(layer.looked(x)))
)


def adding_to_the_normed(which):
    """The layer in which these sub-layers, 0 to 2, add to what they read."""

    def answer(layer, x):
        branches = (
            (layer.norm_1, layer.look),
            (layer.norm_2, lambda h: layer.ask(h, layer.memory)),
            (layer.norm_3, layer.think),
        )
        for place, (norm, branch) in enumerate(branches):
            normed = norm(x)
            x = (normed if place in which else x) + branch(normed)
        return x

    return answer


wrong_layer("you added to the normed vectors; the residual path passes the norms by.")(
    *(adding_to_the_normed(which) for size in (3, 2, 1) for which in combinations(range(3), size))
)
wrong_layer("the sub-layers work side by side; each one reads the sum that the one before left.")(
    lambda layer, x: x + layer.finds_itself(x) + layer.finds_memory(x) + layer.finds_thought(x),
    lambda layer, x: (
        layer.looked(x) + layer.finds_memory(layer.looked(x)) + layer.finds_thought(layer.looked(x))
    ),
)


def turned_round(layer, x):
    return layer.thought(layer.looked(layer.asked(x)))


wrong_layer("self-attention comes first, then cross-attention.")(
    turned_round,
    lambda layer, x: turned_round(layer._replace(norm_1=layer.norm_2, norm_2=layer.norm_1), x),
)
wrong_layer("there is no residual; add each sub-layer's input to its output.")(
    lambda layer, x: layer.finds_thought(layer.finds_memory(layer.finds_itself(x)))
)
wrong_layer("the feed-forward network got vectors that are not normed; norm_3 comes before it.")(
    lambda layer, x: layer._replace(norm_3=plain).whole(x)
)
wrong_layer("self-attention got vectors that are not normed; norm_1 comes before it.")(
    lambda layer, x: layer._replace(norm_1=plain).whole(x)
)
wrong_layer("cross-attention asks with vectors that are not normed; norm_2 comes before it.")(
    lambda layer, x: layer._replace(norm_2=plain).whole(x)
)
wrong_layer("the norms have changed places; look, ask and think have norm_1, norm_2 and norm_3.")(
    *(with_norms(order) for order in list(permutations(range(3)))[1:])
)
wrong_layer("a norm stands before two sub-layers, and another before none; each has its own.")(
    *(with_norms(order) for order in product(range(3), repeat=3) if len(set(order)) == 2)
)
wrong_layer("the feed-forward network is missing.")(lambda layer, x: layer.asked(layer.looked(x)))
wrong_layer("cross-attention is missing.")(lambda layer, x: layer.thought(layer.looked(x)))
wrong_layer("one norm too many: the last sum stays as it is.")(
    lambda layer, x: layer.norm_1(layer.whole(x)),
    lambda layer, x: layer.norm_2(layer.whole(x)),
    lambda layer, x: layer.norm_3(layer.whole(x)),
)
wrong_layer("add to the sum before, not to x.")(
    lambda layer, x: x + layer.finds_thought(x + layer.finds_memory(layer.looked(x))),
    lambda layer, x: x + layer.finds_thought(layer.asked(layer.looked(x))),
)
