"""The exercises of notebook 7: layer norm, residuals, and what an encoder layer learns."""

import numpy as np

from lib.checks.attention_mistakes import attend
from lib.checks.inputs import normal
from lib.checks.judge import check, right, wrong, wrongs
from lib.layers import layer_norm as library_norm

EPSILON = 1e-5


def rows_of_small_spread(T, d, spread):
    """x (T, d), gain (d,), bias (d,); epsilon counts beside such a variance."""
    gain, bias = normal(2, d)
    return spread * normal(T, d) + 0.02, gain, bias


@check(rows_of_small_spread(3, 5, 0.003), rows_of_small_spread(4, 6, 0.01))
def layer_norm(x, gain, bias):
    """answer(x (T, d), gain (d,), bias (d,)) -> (T, d), with an epsilon of 1e-5."""
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    centred = x - mean
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
    yield wrong(
        (x - x.mean(0)) / np.sqrt(x.var(0) + EPSILON) * gain + bias,
        "mean and variance run over the words (axis 0); each word has its own, over its features.",
    )
    yield wrong(
        (x - x.mean()) / np.sqrt(x.var() + EPSILON) * gain + bias,
        "mean and variance are those of the whole table; each word has its own.",
    )
    yield wrong(x / root * gain + bias, "the mean is not subtracted.")
    squares = (x**2).mean(-1, keepdims=True)
    yield wrong(
        x / np.sqrt(squares + EPSILON) * gain + bias,
        "this is the RMS norm, which many models use today; layer norm subtracts the mean.",
    )
    yield wrong(
        centred / (variance + EPSILON) * gain + bias,
        "you divided by the variance; divide by its root.",
    )
    yield wrong(centred / root + bias, "the gain is missing.")
    yield wrong(centred / root * gain, "the bias is missing.")
    yield wrong(
        (centred / root + bias) * gain,
        "the bias came before the gain, which multiplied it; add it last.",
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


@check((512, 2048), (12, 30))
def encoder_parameters(d_model, d_ff):
    """answer(d_model, d_ff) -> how many numbers an encoder layer learns, no biases or norms."""
    square = d_model * d_model
    widening = d_model * d_ff  # as large as the matrix that leads back
    layer = 4 * square + 2 * widening
    yield right(layer, "four matrices in attention, two in the feed-forward network.")
    yield wrong(3 * square + 2 * widening, "W_O is missing; attention has four matrices.")
    yield wrong(
        4 * square + widening, "the feed-forward network has two matrices: to d_ff, and back."
    )
    yield from wrongs("no matrix is d_ff × d_ff.", 4 * square + d_ff**2, 4 * square + 2 * d_ff**2)
    yield wrong(4 * square, "this is attention alone; the feed-forward network learns too.")
    yield wrong(2 * widening, "this is the feed-forward network alone; attention learns too.")
    yield wrong(
        8 * 4 * square + 2 * widening,
        "you gave each of 8 heads matrices of full width; the heads share four.",
    )
    norms = 4 * d_model
    biases = d_model + d_ff  # of the feed-forward network; attention has 4 * d_model
    for more in (norms, norms + biases, 2 * norms + biases, biases):
        yield wrong(layer + more, "you counted biases or norms; this exercise asks without.")
