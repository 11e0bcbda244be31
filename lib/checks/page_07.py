"""The exercises of notebook 7: layer norm, residuals, a layer's size, and the layer as a module."""

from dataclasses import replace

import numpy as np

from lib.attention import multi_head_attention
from lib.checks.attention_mistakes import attend
from lib.checks.exercises import Page
from lib.checks.inputs import normal
from lib.checks.judge import Result, judge
from lib.checks.modules import as_function, problem_in_training, problem_of, random_parameters
from lib.checks.tables import TableExercise, check, right, wrong, wrongs
from lib.layers import feed_forward
from lib.layers import layer_norm as library_norm

PAGE = Page(7, "The encoder")

EPSILON = 1e-5
W_O_MISSING = "W_O is missing; attention has four matrices."
CANNOT_LEARN = "the numbers are right, but the layer cannot learn: "


def rows_of_small_spread(T, d, spread):
    """x (T, d), gain (d,), bias (d,); epsilon counts beside such a variance."""
    gain, bias = normal(2, d)
    return spread * normal(T, d) + 0.02, gain, bias


@PAGE.exercise("1 · Layer norm")
@check(rows_of_small_spread(3, 5, 0.003), rows_of_small_spread(4, 6, 0.01))
def layer_norm(x, gain, bias):
    """answer(x (T, d), gain (d,), bias (d,)) -> (T, d), with an epsilon of 1e-5."""
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    centred = x - mean
    deviation = np.sqrt(variance)
    root = np.sqrt(variance + EPSILON)
    yield right(
        centred / root * gain + bias,
        "every word on its own: mean 0 and spread 1, then gain and bias.",
    )
    epsilon = "epsilon, 1e-5, goes inside the root, added to the variance, and nowhere else."
    for divisor in _with_other_epsilons(variance):
        yield wrong(centred / divisor * gain + bias, epsilon)
    shifted = centred + EPSILON
    yield from wrongs(
        epsilon, shifted / np.sqrt(variance) * gain + bias, shifted / root * gain + bias
    )
    ddof = "you divided by d - 1 in the variance (ddof=1, the habit of torch); divide by d."
    larger = x.var(-1, ddof=1, keepdims=True)
    for divisor in (np.sqrt(larger + EPSILON), *_with_other_epsilons(larger)):
        yield wrong(centred / divisor * gain + bias, ddof)
    yield wrong(x / root * gain + bias, "the mean is not subtracted.")
    yield from _other_norms(x, gain, bias)
    yield wrong(
        centred / (variance + EPSILON) * gain + bias,
        "you divided by the variance; divide by its root.",
    )
    twice = "you took the root of the standard deviation, which is a root already."
    for divisor in (deviation + EPSILON, root, deviation):
        yield wrong(centred / np.sqrt(divisor) * gain + bias, twice)
    yield wrong(
        centred / root,
        "gain and bias are missing; multiply by the one, then add the other.",
    )
    yield wrong(centred / root + bias, "the gain is missing.")
    yield wrong(centred / root * gain, "the bias is missing.")
    yield wrong(
        (centred / root + bias) * gain,
        "the bias came before the gain, which multiplied it; add it last.",
    )


def _other_norms(x, gain, bias):
    """Over the words, over the whole table, and without the mean."""
    yield wrong(
        (x - x.mean(0)) / np.sqrt(x.var(0) + EPSILON) * gain + bias,
        "mean and variance run over the words (axis 0); each word has its own, over its features.",
    )
    yield wrong(
        (x - x.mean()) / np.sqrt(x.var() + EPSILON) * gain + bias,
        "mean and variance are those of the whole table; each word has its own.",
    )
    squares = (x**2).mean(-1, keepdims=True)
    yield wrong(
        x / np.sqrt(squares + EPSILON) * gain + bias,
        "this is the RMS norm, which many models use today; layer norm subtracts the mean.",
    )


def _with_other_epsilons(variance):
    """Divisors: epsilon outside the root, in both places, of another size, or none."""
    deviation = np.sqrt(variance)
    return (
        deviation + EPSILON,
        np.sqrt(variance + EPSILON) + EPSILON,
        deviation + 1e-6,
        np.sqrt(variance + 1e-6),
        deviation,
    )


def self_attention(h):
    return attend(h, h, h)


def norm_that_keeps_some(h):
    """A layer norm alone could not tell x + run(x) from half of it, nor one norm from two."""
    return library_norm(h) + 0.3 * h


@PAGE.exercise("2 · Find the bug: add and norm")
@check(
    (normal(3, 5), self_attention, norm_that_keeps_some),
    (normal(4, 6), self_attention, norm_that_keeps_some),
)
def post_norm(x, run, norm):
    """answer(x (T, d), run, norm) -> (T, d): the sub-layer run with its residual, then norm."""
    yield right(norm(x + run(x)), "add, then norm, as the paper draws it.")
    yield wrong(
        x + run(norm(x)),
        "this is pre-norm, which most code has today; post-norm comes after the sum.",
    )
    yield wrong(x + run(x), "norm is missing.")
    lost = "x itself is lost; add it to what run returns."
    yield from wrongs(lost, norm(run(x)), run(norm(x)), run(x))
    last = "norm comes last, around the sum."
    yield from wrongs(last, x + norm(run(x)), norm(x) + run(x), run(norm(x + run(x))))
    once = "one norm is enough, at the end."
    yield from wrongs(once, norm(x + run(norm(x))), norm(norm(x) + run(x)), norm(norm(x + run(x))))
    total = x + run(x)
    yield from wrongs(
        "the sum changes its size before norm; norm takes x + run(x) as it is.",
        norm(total / 2),
        norm(2 * total),
        norm(total / 2**0.5),
    )
    own = "use the norm that is given, not one of your own."
    centred = total - total.mean(-1, keepdims=True)
    yield from wrongs(own, library_norm(total), norm(centred))


@PAGE.exercise("3 · Count")
@check((512, 2048), (12, 30))
def encoder_parameters(d_model, d_ff):
    """answer(d_model, d_ff) -> how many numbers an encoder layer learns, biases and norms too."""
    square = d_model * d_model
    widening = d_model * d_ff  # as large as the matrix that leads back
    matrices = 4 * square + 2 * widening
    attention_biases = norms = 4 * d_model
    inner_biases = d_ff + d_model  # of the feed-forward network
    vectors = attention_biases + inner_biases + norms
    yield right(
        matrices + vectors,
        "six matrices, each with a bias, and two norms, each with a gain and a bias.",
    )
    yield wrong(matrices, "these are the matrices; biases, and gains of norms, are learned too.")
    yield from _vectors_missing(matrices, d_model, d_ff)
    yield wrong(3 * square + 2 * widening + vectors - d_model, W_O_MISSING)
    for more in (0, vectors):
        yield from _other_matrices(square, widening, d_ff, more)
    for more in (0, attention_biases):
        yield wrong(
            4 * square + more, "this is attention alone; the feed-forward network learns too."
        )
    for more in (0, inner_biases):
        yield wrong(
            2 * widening + more, "this is the feed-forward network alone; attention learns too."
        )


def _vectors_missing(matrices, d_model, d_ff):
    """Rows: all matrices, but not all biases and gains."""
    yield wrong(
        matrices + 5 * d_model + d_ff,
        "4 · d_model too few: the biases of attention, or the two norms.",
    )
    yield wrong(
        matrices + 8 * d_model, "the biases of the feed-forward network are missing, one a map."
    )
    yield wrong(
        matrices + 7 * d_model + d_ff,
        "2 · d_model too few: there are two norms, and each has a gain and a bias.",
    )
    yield wrong(
        matrices + 4 * d_model,
        "beside the matrices you counted the vectors of one part only; "
        "attention, feed-forward network and norms all have some.",
    )
    yield wrong(
        matrices + d_model + d_ff,
        "only the feed-forward network has its biases; attention's and the norms are missing.",
    )


def _other_matrices(square, widening, d_ff, more):
    """Rows: one matrix too few, or too large; more: how many biases and gains were counted."""
    yield wrong(3 * square + 2 * widening + more, W_O_MISSING)
    yield wrong(
        4 * square + widening + more,
        "the feed-forward network has two matrices: to d_ff, and back.",
    )
    for matrices in (4 * square + d_ff**2, 4 * square + 2 * d_ff**2):
        yield wrong(matrices + more, "no matrix is d_ff × d_ff.")
    yield wrong(
        8 * 4 * square + 2 * widening + more,
        "you gave each of 8 heads matrices of full width; the heads share four.",
    )


@PAGE.exercise("4 · Your encoder layer")
def encoder_layer(answer):
    """Is this class, made as answer(d_model, heads, d_ff), a pre-norm encoder layer in PyTorch?"""
    problem = problem_of(answer)
    if problem:
        return Result(False, problem)
    result = judge(LAYER, as_function(answer))
    if not result.ok:
        other = judge(LAYER, as_function(answer, second_first=True))
        result = other if other.ok else result
    stopped = problem_in_training(answer) if result.ok else ""
    return Result(False, CANNOT_LEARN + stopped) if stopped else result


def norms_change_places(answer):
    """Whether this class is right, and uses first the layer norm that it makes last."""
    if judge(LAYER, as_function(answer)).ok:
        return False
    return judge(LAYER, as_function(answer, second_first=True)).ok


def layers(x, heads, d_ff):
    """What an encoder layer with random parameters returns for x (B, T, d_model), and mistakes."""
    p = random_parameters(x.shape[-1], d_ff)

    def norm_1(h):
        return library_norm(h, p.norm_1.gain, p.norm_1.bias)

    def norm_2(h):
        return library_norm(h, p.norm_2.gain, p.norm_2.bias)

    def look(h, heads=heads):
        return multi_head_attention(h, h, h, p.attention, heads)[0]

    def think(h):
        return feed_forward(h, p.feed_forward)

    looked = x + look(norm_1(x))
    layer = looked + think(norm_2(looked))
    yield right(layer, "norm, look around, add; norm, think, add: gains and biases too.")
    yield from _orders_of_norms(x, norm_1, norm_2, look, think)
    yield from _residuals(x, norm_1, norm_2, look, think)
    yield from _half_layers(x, norm_1, norm_2, look, think)
    yield from _other_attention(x, looked, norm_1, norm_2, look, think, p, heads)
    yield from _other_feed_forward(looked, norm_2, think, p.feed_forward)


def _orders_of_norms(x, norm_1, norm_2, look, think):
    """Rows: the norm in another place."""
    summed = norm_1(x + look(x))
    yield wrong(
        norm_2(summed + think(summed)),
        "this is post-norm, the layer of the page; here what goes into a sub-layer is normed.",
    )
    looked = x + look(norm_1(x))
    first_post = summed + think(norm_2(summed))
    second_post = norm_2(looked + think(looked))
    half = "one of the two sub-layers is still post-norm; here both norm what goes in."
    yield from wrongs(half, first_post, second_post)
    once = "norm_1 is used twice and norm_2 never; each sub-layer has its own."
    yield wrong(looked + think(norm_1(looked)), once)
    layer = looked + think(norm_2(looked))
    yield wrong(
        norm_2(layer),
        "one norm too many: the last sum stays as it is, and the stack norms it at its end.",
    )
    missing = "a norm is missing; what goes into each sub-layer is normed."
    bare = x + look(x)
    yield from wrongs(
        missing, bare + think(norm_2(bare)), looked + think(looked), bare + think(bare)
    )
    normed = "you add to the normed x; the plain x runs on, only what goes in is normed."
    first, second = norm_1(x) + look(norm_1(x)), norm_2(looked) + think(norm_2(looked))
    both = norm_2(first) + think(norm_2(first))
    yield from wrongs(normed, first + think(norm_2(first)), second, both)
    after = "you normed what comes out of a sub-layer; norm what goes in."
    out = x + norm_1(look(x))
    yield wrong(out + norm_2(think(out)), after)


def _residuals(x, norm_1, norm_2, look, think):
    """Rows: what is not added."""
    alone = look(norm_1(x))
    looked = x + alone
    lost = "a residual path is missing; each sub-layer is added to what came before it."
    yield from wrongs(
        lost, think(norm_2(alone)), alone + think(norm_2(alone)), think(norm_2(looked))
    )
    yield wrong(
        looked + think(norm_2(x)),
        "the feed-forward network works beside attention, on x; it works on the sum after it.",
    )
    yield wrong(
        x + think(norm_2(looked)),
        "the second sum forgets what attention found; add to the first sum, not to x.",
    )
    yield wrong(
        x + think(norm_2(alone)), "the first sum is missing; add what attention found to x."
    )


def _half_layers(x, norm_1, norm_2, look, think):
    """Rows: one sub-layer alone, or the two in the other order."""
    yield wrong(x + look(norm_1(x)), "the feed-forward network is made, but never used.")
    yield wrong(x + think(norm_2(x)), "attention is made, but never used.")
    thought = x + think(norm_2(x))
    turned = "attention comes first, then the feed-forward network."
    yield wrong(thought + look(norm_1(thought)), turned)


def _other_attention(x, looked, norm_1, norm_2, look, think, p, heads):
    """Rows: attention that is not what it should be."""

    def layer(found):
        return x + found + think(norm_2(x + found))

    normed = norm_1(x)
    yield wrong(layer(look(normed, heads=1)), "attention runs with one head; pass heads on.")
    over_sentences = look(normed.swapaxes(0, 1)).swapaxes(0, 1)
    yield wrong(
        layer(over_sentences),
        "attention runs over the sentences, not over the words; "
        "nn.MultiheadAttention wants batch_first=True.",
    )
    query_alone = multi_head_attention(normed, x, x, p.attention, heads)[0]
    keys_too = multi_head_attention(normed, normed, x, p.attention, heads)[0]
    three = "queries, keys and values all come from the normed x."
    yield from wrongs(three, layer(query_alone), layer(keys_too))


def _other_feed_forward(looked, norm_2, think, p):
    """Rows: another formula between the two maps."""
    normed = norm_2(looked)
    inner = normed @ p.inner + p.inner_bias
    nothing = "nothing stands between the two maps; ReLU is missing."
    yield wrong(looked + inner @ p.outer + p.outer_bias, nothing)
    gelu = "this is GELU, which BERT and GPT-2 have; here it is the paper's ReLU."
    for name in ("gelu", "gelu_tanh"):
        yield wrong(looked + feed_forward(normed, replace(p, activation=name)), gelu)
    outside = "ReLU stands between the two maps, and nowhere else."
    hidden = np.maximum(inner, 0)
    late = np.maximum(inner @ p.outer + p.outer_bias, 0)
    twice = np.maximum(hidden @ p.outer + p.outer_bias, 0)
    early = think(np.maximum(normed, 0))
    yield from wrongs(outside, looked + late, looked + twice, looked + early)


LAYER = TableExercise(layers, "", ((normal(2, 5, 12), 3, 20), (normal(3, 6, 8), 2, 10)))
