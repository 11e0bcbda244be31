"""The exercises of notebook 7: the layer as a module, layer norm, residuals, a layer's size."""

from dataclasses import replace
from itertools import permutations

import numpy as np

from lib.attention import multi_head_attention
from lib.checks.attention_mistakes import attend, weigh
from lib.checks.cases import normal
from lib.checks.encoder_module import (
    SIZES,
    as_function,
    course_layer,
    problem_in_training,
    problem_of,
    random_parameters,
)
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on
from lib.checks.judge import Result, judge, right
from lib.checks.page_05 import WRONG_PARTS, heads_found, weights
from lib.layers import feed_forward
from lib.layers import layer_norm as library_norm

PAGE = Page(7, "The encoder")

EPSILON = 1e-5
CANNOT_LEARN = "the numbers are right, but the layer cannot learn: "
IS_OF_SELF = "what __init__ made is called self.NAME"


@PAGE.exercise("Your encoder layer", kept="MyEncoderLayer", course=course_layer)
def encoder_layer(answer):
    """Is this class, made as answer(d_model, heads, d_ff), a pre-norm encoder layer in PyTorch?"""
    problem = problem_of(answer)
    if problem:
        return Result(False, problem)
    result = judge(layers.exercise, as_function(answer))
    if not result.ok:
        other = judge(layers.exercise, as_function(answer, second_first=True))
        result = other if other.ok else result
    if not result.ok:
        return result
    stopped = problem_in_training(answer, *SIZES.values())
    return Result(False, CANNOT_LEARN + stopped) if stopped else _with_remark(result, answer)


def _with_remark(result, answer):
    from lib.modules import EncoderLayer  # only here: the checks of other pages need no torch

    return replace(result, message=remark_on(EncoderLayer)(answer) or result.message)


def rows_of_small_spread(T, d, spread):
    """x (T, d), gain (d,), bias (d,); epsilon counts beside such a variance."""
    gain, bias = normal(2, d)
    return spread * normal(T, d) + 0.02, gain, bias


def centred(x):
    return x - x.mean(-1, keepdims=True)


def root(variance):
    return np.sqrt(variance + EPSILON)


def divided_by(divisor, ddof=0):
    """A layer norm that divides by divisor(variance)."""

    def answer(x, gain, bias):
        return centred(x) / divisor(x.var(-1, ddof=ddof, keepdims=True)) * gain + bias

    return answer


@PAGE.exercise("Layer norm")
@right(
    "every word on its own: mean 0 and spread 1, then gain and bias.",
    rows_of_small_spread(3, 5, 0.003),
    rows_of_small_spread(4, 7, 0.01),
    remark=remark_on(library_norm),
)
def layer_norm(x, gain, bias):
    """answer(x (T, d), gain (d,), bias (d,)) -> (T, d), with an epsilon of 1e-5."""
    return normed(x) * gain + bias


def normed(x):
    return centred(x) / root(x.var(-1, keepdims=True))


OTHER_EPSILONS = (
    lambda variance: np.sqrt(variance) + EPSILON,
    lambda variance: root(variance) + EPSILON,
    lambda variance: np.sqrt(variance) + 1e-6,
    lambda variance: np.sqrt(variance + 1e-6),
    np.sqrt,
)

layer_norm.wrong("epsilon, 1e-5, goes inside the root, added to the variance, and nowhere else.")(
    *(divided_by(divisor) for divisor in OTHER_EPSILONS),
    lambda x, gain, bias: (centred(x) + EPSILON) / x.std(-1, keepdims=True) * gain + bias,
    lambda x, gain, bias: (centred(x) + EPSILON) / root(x.var(-1, keepdims=True)) * gain + bias,
)
layer_norm.wrong("you divided by d - 1 in the variance (ddof=1, the habit of torch); divide by d.")(
    *(divided_by(divisor, ddof=1) for divisor in (root, *OTHER_EPSILONS))
)
layer_norm.wrong("the mean is not subtracted.")(
    lambda x, gain, bias: x / root(x.var(-1, keepdims=True)) * gain + bias
)
layer_norm.wrong(
    "mean and variance run over the words (axis 0); each word has its own, over its features."
)(lambda x, gain, bias: (x - x.mean(0)) / root(x.var(0)) * gain + bias)
layer_norm.wrong("mean and variance are those of the whole table; each word has its own.")(
    lambda x, gain, bias: (x - x.mean()) / root(x.var()) * gain + bias
)
layer_norm.wrong(
    "this is the RMS norm, which many models use today; layer norm subtracts the mean."
)(lambda x, gain, bias: x / root((x**2).mean(-1, keepdims=True)) * gain + bias)
layer_norm.wrong("you divided by the variance; divide by its root.")(
    divided_by(lambda variance: variance + EPSILON)
)
layer_norm.wrong("you took the root of the standard deviation, which is a root already.")(
    divided_by(lambda variance: np.sqrt(np.sqrt(variance) + EPSILON)),
    divided_by(lambda variance: np.sqrt(root(variance))),
    divided_by(lambda variance: variance**0.25),
)
layer_norm.wrong("gain and bias are missing; multiply by the one, then add the other.")(
    lambda x, gain, bias: normed(x)
)
layer_norm.wrong("the gain is missing.")(lambda x, gain, bias: normed(x) + bias)
layer_norm.wrong("the bias is missing.")(lambda x, gain, bias: normed(x) * gain)
layer_norm.wrong("the bias came before the gain, which multiplied it; add it last.")(
    lambda x, gain, bias: (normed(x) + bias) * gain
)


def self_attention(h):
    return attend(h, h, h)


def norm_that_keeps_some(h):
    """A layer norm alone could not tell x + run(x) from half of it, nor one norm from two."""
    return library_norm(h) + 0.3 * h


@PAGE.exercise("Find the bug: add and norm (5 minutes)")
@right(
    "add, then norm, as the paper draws it.",
    (normal(3, 5), self_attention, norm_that_keeps_some),
    (normal(4, 7), self_attention, norm_that_keeps_some),
)
def post_norm(x, run, norm):
    """answer(x (T, d), run, norm) -> (T, d): the sub-layer run with its residual, then norm."""
    return norm(x + run(x))


post_norm.wrong("this is pre-norm, which most code has today; post-norm comes after the sum.")(
    lambda x, run, norm: x + run(norm(x))
)
post_norm.wrong("norm is missing.")(lambda x, run, norm: x + run(x))
post_norm.wrong("x itself is lost; add it to what run returns.")(
    lambda x, run, norm: norm(run(x)),
    lambda x, run, norm: run(norm(x)),
    lambda x, run, norm: run(x),
)
post_norm.wrong("norm comes last, around the sum.")(
    lambda x, run, norm: x + norm(run(x)),
    lambda x, run, norm: norm(x) + run(x),
    lambda x, run, norm: run(norm(x + run(x))),
)
post_norm.wrong("one norm is enough, at the end.")(
    lambda x, run, norm: norm(x + run(norm(x))),
    lambda x, run, norm: norm(norm(x) + run(x)),
    lambda x, run, norm: norm(norm(x + run(x))),
)
post_norm.wrong("the sum changes its size before norm; norm takes x + run(x) as it is.")(
    lambda x, run, norm: norm((x + run(x)) / 2),
    lambda x, run, norm: norm(2 * (x + run(x))),
    lambda x, run, norm: norm((x + run(x)) / 2**0.5),
)
post_norm.wrong("use the norm that is given, not one of your own.")(
    lambda x, run, norm: normed(x + run(x)),
)
post_norm.wrong("you subtracted the mean before norm; norm takes x + run(x) as it is.")(
    lambda x, run, norm: norm(centred(x + run(x))),
    lambda x, run, norm: norm(x + run(x) - (x + run(x)).mean()),
)


def all_matrices(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff


def all_vectors(d_model, d_ff):
    """Biases of attention, biases of the feed-forward network, gains and biases of both norms."""
    return 4 * d_model + (d_ff + d_model) + 4 * d_model


@PAGE.exercise("Count")
@right(
    "six matrices, each with a bias, and two norms, each with a gain and a bias.",
    (16, 64),
    (12, 30),
)
def encoder_parameters(d_model, d_ff):
    """answer(d_model, d_ff) -> how many numbers an encoder layer learns, biases and norms too."""
    return all_matrices(d_model, d_ff) + all_vectors(d_model, d_ff)


def without_and_with(vectors, matrices):
    """Counts of these matrices, without the vectors, and with them."""
    return matrices, lambda *sizes: matrices(*sizes) + vectors(*sizes)


encoder_parameters.wrong("these are the matrices; biases, and gains of norms, are learned too.")(
    all_matrices
)
encoder_parameters.wrong("4 · d_model too few: the biases of attention, or the two norms.")(
    lambda d_model, d_ff: all_matrices(d_model, d_ff) + 5 * d_model + d_ff
)
encoder_parameters.wrong("the biases of the feed-forward network are missing, one a map.")(
    lambda d_model, d_ff: all_matrices(d_model, d_ff) + 8 * d_model
)
encoder_parameters.wrong("a bias is as long as what its map returns: d_ff, then d_model.")(
    lambda d_model, d_ff: all_matrices(d_model, d_ff) + 10 * d_model
)
encoder_parameters.wrong("right where d_ff is 4 · d_model; use d_ff as it is given.")(
    lambda d_model, d_ff: encoder_parameters.solution(d_model, 4 * d_model)
)
encoder_parameters.wrong(
    "2 · d_model too few: there are two norms, and each has a gain and a bias."
)(lambda d_model, d_ff: all_matrices(d_model, d_ff) + 7 * d_model + d_ff)
encoder_parameters.wrong(
    "beside the matrices you counted the vectors of one part only; "
    "attention, feed-forward network and norms all have some."
)(lambda d_model, d_ff: all_matrices(d_model, d_ff) + 4 * d_model)
encoder_parameters.wrong(
    "only the feed-forward network has its biases; attention's and the norms are missing."
)(lambda d_model, d_ff: all_matrices(d_model, d_ff) + d_model + d_ff)
encoder_parameters.wrong("W_O is missing; attention has four matrices.")(
    lambda d_model, d_ff: encoder_parameters.solution(d_model, d_ff) - d_model**2 - d_model,
    *without_and_with(all_vectors, lambda d_model, d_ff: 3 * d_model**2 + 2 * d_model * d_ff),
)
encoder_parameters.wrong("the feed-forward network has two matrices: to d_ff, and back.")(
    lambda d_model, d_ff: encoder_parameters.solution(d_model, d_ff) - d_model * d_ff - d_model,
    lambda d_model, d_ff: encoder_parameters.solution(d_model, d_ff) - d_model * d_ff - d_ff,
    *without_and_with(all_vectors, lambda d_model, d_ff: 4 * d_model**2 + d_model * d_ff),
)
encoder_parameters.wrong("no matrix is d_ff × d_ff.")(
    *without_and_with(all_vectors, lambda d_model, d_ff: 4 * d_model**2 + d_ff**2),
    *without_and_with(all_vectors, lambda d_model, d_ff: 4 * d_model**2 + 2 * d_ff**2),
)
encoder_parameters.wrong("you gave each of 8 heads matrices of full width; the heads share four.")(
    *without_and_with(all_vectors, lambda d_model, d_ff: 32 * d_model**2 + 2 * d_model * d_ff)
)
encoder_parameters.wrong("this is attention alone; the feed-forward network learns too.")(
    lambda d_model, d_ff: 4 * d_model**2,
    lambda d_model, d_ff: 4 * d_model**2 + 4 * d_model,
)
encoder_parameters.wrong("this is the feed-forward network alone; attention learns too.")(
    lambda d_model, d_ff: 2 * d_model * d_ff,
    lambda d_model, d_ff: 2 * d_model * d_ff + d_ff + d_model,
)


def norms_change_places(answer):
    """Whether this class is right, and uses first the layer norm that it makes last."""
    if judge(layers.exercise, as_function(answer)).ok:
        return False
    return judge(layers.exercise, as_function(answer, second_first=True)).ok


class Parts:
    """What a layer is made of, in NumPy and with random parameters, under the names of a module."""

    def __init__(self, d_model, heads, d_ff, activation="relu"):
        self.heads, self.parameters = heads, random_parameters(d_model, d_ff)
        self.maps = replace(self.parameters.feed_forward, activation=activation)

    def norm_1(self, h):
        return library_norm(h, self.parameters.norm_1.gain, self.parameters.norm_1.bias)

    def norm_2(self, h):
        return library_norm(h, self.parameters.norm_2.gain, self.parameters.norm_2.bias)

    def attention(self, q, k, v):
        return multi_head_attention(q, k, v, self.parameters.attention, self.heads)[0]

    def look(self, h):
        return self.attention(h, h, h)

    def inner(self, h):
        return h @ self.maps.inner + self.maps.inner_bias

    def outer(self, h):
        return h @ self.maps.outer + self.maps.outer_bias

    def think(self, h):
        return feed_forward(h, self.maps)


def looked(self, x):
    """What the first branch leaves, as it should be."""
    return x + self.look(self.norm_1(x))


def thought(self, h):
    """What the second branch leaves, as it should be."""
    return h + self.think(self.norm_2(h))


@right("norm, look around, add; norm, think, add: gains and biases too.")
def forward(self, x):
    """answer(self, x): the forward of a layer, self has the methods of Parts -> as large as x."""
    return thought(self, looked(self, x))


@forward.wrong("this is post-norm, the layer of the page; here what goes into a branch is normed.")
def _(self, x):
    h = self.norm_1(x + self.look(x))
    return self.norm_2(h + self.think(h))


forward.wrong("one of the two branches is still post-norm; here both norm what goes in.")(
    lambda self, x: thought(self, self.norm_1(x + self.look(x))),
    lambda self, x: self.norm_2(looked(self, x) + self.think(looked(self, x))),
)
forward.wrong("norm_1 is used twice and norm_2 never; each branch has its own.")(
    lambda self, x: looked(self, x) + self.think(self.norm_1(looked(self, x)))
)
forward.wrong(
    "one norm too many: what goes into a branch is normed once, and the sums stay as they are."
)(
    lambda self, x: self.norm_2(thought(self, looked(self, x))),
    lambda self, x: thought(self, self.norm_1(looked(self, x))),
    lambda self, x: self.norm_2(thought(self, self.norm_1(looked(self, x)))),
    lambda self, x: looked(self, x) + self.think(self.norm_2(self.norm_1(looked(self, x)))),
)
forward.wrong("a norm is missing; what goes into each branch is normed.")(
    lambda self, x: thought(self, x + self.look(x)),
    lambda self, x: looked(self, x) + self.think(looked(self, x)),
    lambda self, x: x + self.look(x) + self.think(x + self.look(x)),
)


def normed_and_looked(self, x):
    h = self.norm_1(x)
    return h + self.look(h)


def normed_and_thought(self, h):
    h = self.norm_2(h)
    return h + self.think(h)


forward.wrong("you add to the normed x; the plain x runs on, only what goes in is normed.")(
    lambda self, x: thought(self, normed_and_looked(self, x)),
    lambda self, x: normed_and_thought(self, looked(self, x)),
    lambda self, x: normed_and_thought(self, normed_and_looked(self, x)),
)


@forward.wrong("you normed what comes out of a branch; norm what goes in.")
def _(self, x):
    h = x + self.norm_1(self.look(x))
    return h + self.norm_2(self.think(h))


forward.wrong("a residual path is missing; each branch is added to what came before it.")(
    lambda self, x: self.think(self.norm_2(self.look(self.norm_1(x)))),
    lambda self, x: thought(self, self.look(self.norm_1(x))),
    lambda self, x: self.think(self.norm_2(looked(self, x))),
)
forward.wrong(
    "the feed-forward network works beside attention, on x; it works on the sum after it."
)(lambda self, x: looked(self, x) + self.think(self.norm_2(x)))
forward.wrong("the second sum forgets what attention found; add to the first sum, not to x.")(
    lambda self, x: x + self.think(self.norm_2(looked(self, x)))
)
forward.wrong("the first sum is missing; add what attention found to x.")(
    lambda self, x: x + self.think(self.norm_2(self.look(self.norm_1(x))))
)
forward.wrong("the feed-forward network is made, but never used.")(looked)
forward.wrong("attention is made, but never used.")(thought)
forward.wrong("attention comes first, then the feed-forward network.")(
    lambda self, x: looked(self, thought(self, x)),
)


@forward.wrong("attention comes first, then the feed-forward network.")
def _(self, x):
    h = x + self.think(self.norm_1(x))
    return h + self.look(self.norm_2(h))


forward.wrong(
    "attention runs over the sentences, not over the words; "
    "nn.MultiheadAttention wants batch_first=True."
)(lambda self, x: thought(self, x + self.look(self.norm_1(x).swapaxes(0, 1)).swapaxes(0, 1)))
forward.wrong("queries, keys and values all come from the normed x.")(
    lambda self, x: thought(self, x + self.attention(self.norm_1(x), x, x)),
    lambda self, x: thought(self, x + self.attention(self.norm_1(x), self.norm_1(x), x)),
)


def with_second(think):
    """Forwards whose second branch does this with what its norm gives it."""

    def answer(self, x):
        h = looked(self, x)
        return h + think(self, self.norm_2(h))

    return answer


forward.wrong("nothing stands between the two maps; ReLU is missing.")(
    with_second(lambda self, h: self.outer(self.inner(h)))
)
forward.wrong("ReLU stands between the two maps, and nowhere else.")(
    with_second(lambda self, h: self.outer(self.inner(h)).clip(0)),
    with_second(lambda self, h: self.think(h).clip(0)),
    with_second(lambda self, h: self.think(h.clip(0))),
)


def in_numpy(method, **options):
    """A layer of the Parts with this forward, as a function of x, heads and d_ff."""

    def layer(x, heads, d_ff):
        return method(Parts(x.shape[-1], heads, d_ff, **options), x)

    return layer


@right(
    forward.exercise.praise,
    (normal(3, 4, 10), 2, 11),
    (normal(2, 8, 21), 3, 14),
    tips=(
        (
            "mat1 and mat2",
            "rows of another width; FeedForward(d_model, d_ff) is made in this order",
        ),
        ("takes 1 positional argument but 2", "self comes first: forward(self, x)"),
        *((f"name '{part}", IS_OF_SELF) for part in ("attention", "norm", "feed_forward")),
        (
            "Attention.forward() takes 2",
            "this page's Attention takes x once; queries, keys and values all come from it",
        ),
    ),
)
def layers(x, heads, d_ff):
    """answer(x (B, T, d_model), heads, d_ff) -> as large: what a layer returns, random inside."""
    return in_numpy(forward.solution)(x, heads, d_ff)


for mistake in forward.exercise.mistakes:
    layers.wrong(mistake.sentence)(in_numpy(mistake.answer))
layers.wrong("attention runs with one head; pass heads on.")(
    lambda x, heads, d_ff: layers.solution(x, 1, d_ff)
)


def own_attention(change=lambda p: p, **parts):
    """answer(h, MultiHeadParameters, heads): an attention of page 5 with these parts in it."""

    def answer(h, p, heads):
        p = change(p)
        q, k, v = h @ p.query + p.query_bias, h @ p.key + p.key_bias, h @ p.value + p.value_bias
        return heads_found(q, k, v, heads, **parts) @ p.output + p.output_bias

    return answer


def around(attention):
    """A forward with such an attention."""

    def answer(self, x):
        found = attention(self.norm_1(x), self.parameters.attention, self.heads)
        return thought(self, x + found)

    return answer


def without_output(p):
    return replace(p, output=np.eye(len(p.output)), output_bias=0 * p.output_bias)


def same_map(to, source):
    """The map ``source`` in the place of the map ``to`` as well."""

    def change(p):
        taken = {to: getattr(p, source), f"{to}_bias": getattr(p, f"{source}_bias")}
        return replace(p, **taken)

    return change


# What is done wrong in an attention of one's own: answers(h, parameters, heads) by the sentence.
WRONG_ATTENTION = {
    "right for heads of one width, but you divided by a constant; d_k differs.": [
        own_attention(**weights(lambda q, k: weigh(q, k, 5**0.5)))
    ],
    "the output map is missing; the merged heads go through it.": [own_attention(without_output)],
    "one map does the work of two; queries, keys and values have one each.": [
        own_attention(same_map(to, source))
        for to, source in permutations(("query", "key", "value"), 2)
    ],
    "the maps key and value are swapped; keys are compared, values are mixed.": [
        own_attention(
            lambda p: replace(
                p, key=p.value, key_bias=p.value_bias, value=p.key, value_bias=p.key_bias
            )
        )
    ],
}
SAME_WITH_T_AND_S = "you divided by sqrt(T)"  # in self-attention there are as many keys as queries
CONSTANT = "you divided by a constant,"  # said above, for the width of the first heads
for sentence, choices in WRONG_PARTS.items():
    if not sentence.startswith((SAME_WITH_T_AND_S, CONSTANT)):
        of_page_5 = sentence.replace("exercise 1", "exercise 1 of page 5")
        WRONG_ATTENTION[of_page_5] = [own_attention(**parts) for parts in choices]
for sentence, answers in WRONG_ATTENTION.items():
    layers.wrong(sentence)(*(in_numpy(around(answer)) for answer in answers))
layers.wrong("this is GELU, which BERT and GPT-2 have; here it is the paper's ReLU.")(
    in_numpy(forward.solution, activation="gelu"),
    in_numpy(forward.solution, activation="gelu_tanh"),
)
