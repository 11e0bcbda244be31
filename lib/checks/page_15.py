"""The exercises of notebook 15: RMS norm, rotary positions, SwiGLU, keys for all heads."""

import numpy as np

from lib.activations import activation
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.judge import right
from lib.checks.page_06 import WRONG_TURNS, turning

PAGE = Page(15, "A model of today")

# -- RMS norm --------------------------------------------------------------------------------------


@PAGE.exercise("1 · RMS norm")
@right(
    "each token is divided by its own size, and no mean is taken away.",
    (normal(3, 5) + 0.5, normal(5, seed=1), 0.2),
    (3 * normal(2, 7) - 1, normal(7, seed=1), 0.7),
)
def rms_norm(x, gain, epsilon):
    """answer(x (T, d_model), gain (d_model,), epsilon) -> (T, d_model): mean square 1, then gain"""
    return x / np.sqrt(mean_square(x) + epsilon) * gain


def mean_square(x):
    """(T, 1): of each token"""
    return (x**2).mean(-1, keepdims=True)


rms_norm.wrong("you took each token's mean away: that is layer norm.")(
    lambda x, gain, epsilon: rms_norm.solution(x - x.mean(-1, keepdims=True), gain, epsilon)
)
rms_norm.wrong("you divided by the standard deviation, which measures from the mean.")(
    lambda x, gain, epsilon: x / np.sqrt(x.var(-1, keepdims=True) + epsilon) * gain,
    lambda x, gain, epsilon: x / x.std(-1, keepdims=True) * gain,
)
rms_norm.wrong("epsilon is missing; add it to the mean square, inside the root.")(
    lambda x, gain, epsilon: rms_norm.solution(x, gain, 0)
)
rms_norm.wrong("epsilon stands inside the root.")(
    lambda x, gain, epsilon: x / (np.sqrt(mean_square(x)) + epsilon) * gain
)
rms_norm.wrong("the gain is missing; multiply by it at the end.")(
    lambda x, gain, epsilon: rms_norm.solution(x, 1, epsilon)
)
rms_norm.wrong("the gain was added; multiply by it.")(
    lambda x, gain, epsilon: rms_norm.solution(x, 1, epsilon) + gain
)
rms_norm.wrong("@ adds up each token's numbers; the gain multiplies them one by one, with *.")(
    lambda x, gain, epsilon: rms_norm.solution(x, 1, epsilon) @ gain
)
rms_norm.wrong("this is the sum of the squares, as np.linalg.norm has it; take their mean.")(
    lambda x, gain, epsilon: x / np.sqrt((x**2).sum(-1, keepdims=True) + epsilon) * gain,
    lambda x, gain, epsilon: x / (np.linalg.norm(x, axis=-1, keepdims=True) + epsilon) * gain,
    lambda x, gain, epsilon: x / np.linalg.norm(x, axis=-1, keepdims=True) * gain,
)
rms_norm.wrong("this is the mean of absolute values; divide by the root of the mean square.")(
    lambda x, gain, epsilon: x / (np.abs(x).mean(-1, keepdims=True) + epsilon) * gain,
    lambda x, gain, epsilon: x / np.abs(x).mean(-1, keepdims=True) * gain,
    lambda x, gain, epsilon: x / np.sqrt(np.abs(x).mean(-1, keepdims=True) + epsilon) * gain,
)
rms_norm.wrong("this is the square of the mean; square the numbers first, then take their mean.")(
    lambda x, gain, epsilon: x / np.sqrt(x.mean(-1, keepdims=True) ** 2 + epsilon) * gain,
    lambda x, gain, epsilon: x / np.sqrt(x.mean() ** 2 + epsilon) * gain,
)
rms_norm.wrong("you divided by the gain; multiply by it.")(
    lambda x, gain, epsilon: rms_norm.solution(x, 1 / gain, epsilon)
)
rms_norm.wrong("the gain comes last, after the mean square.")(
    lambda x, gain, epsilon: rms_norm.solution(x * gain, 1, epsilon)
)
rms_norm.wrong("len(x) is the number of tokens; a token's mean is over its own numbers.")(
    lambda x, gain, epsilon: x / np.sqrt((x**2).sum(-1, keepdims=True) / len(x) + epsilon) * gain
)
rms_norm.wrong("the root is missing.")(
    lambda x, gain, epsilon: x / (mean_square(x) + epsilon) * gain
)
rms_norm.wrong("each token has a mean square of its own: mean(-1, keepdims=True).")(
    lambda x, gain, epsilon: x / np.sqrt((x**2).mean(0) + epsilon) * gain,
    lambda x, gain, epsilon: x / np.sqrt((x**2).mean() + epsilon) * gain,
)


# -- rotary positions ------------------------------------------------------------------------------


@PAGE.exercise("2 · Rotary positions")
@right(
    "each pair of neighbours turns by its own angle.",
    (normal(2, 5, 6), np.array([0, 2, 3, 7, 4]), 50.0),
    (normal(3, 4, 8), np.array([1, 0, 5, 9]), 300.0),
    tips=(
        (
            "for axis 1",
            "a position is no place in x: for place, position in enumerate(positions)",
        ),
    ),
)
def turned_heads(x, positions, base):
    """answer(x (H, T, d_k), positions (T,), base) -> (H, T, d_k): page 6's, from any position"""
    return turned(x, positions, base)


def turned(x, positions, base, turn=turning, exponents=None, split=None, join=None):
    """The answer; a mistake has another way to turn, other exponents or other pairs."""
    pairs = x.shape[-1] // 2
    exponents = 2 * np.arange(pairs) / x.shape[-1] if exponents is None else exponents
    angles = positions[:, None] / base**exponents  # (T, d_k / 2)
    one, other = split(x) if split else (x[..., 0::2], x[..., 1::2])
    both = turn(one, other, np.sin(angles), np.cos(angles))
    return join(both) if join else np.stack(both, -1).reshape(x.shape)


def turned_by(turn):
    return lambda x, positions, base: turned(x, positions, base, turn)


def halves(x):
    return np.split(x, 2, -1)


def side_by_side(both):
    return np.concatenate(both, -1)


for sentence, turns in WRONG_TURNS.items():
    turned_heads.wrong(sentence)(*map(turned_by, turns))
turned_heads.wrong(
    "you pair the first half with the second, as other files of such models have it; here pair "
    "neighbours, x[..., 0::2] and x[..., 1::2]."
)(lambda x, positions, base: turned(x, positions, base, split=halves, join=side_by_side))
MOVED_ALIKE = "The scores stay equal even so, for queries and keys are moved alike."
turned_heads.wrong(
    f"neighbours go in, and neighbours come out: put each pair back to its places. {MOVED_ALIKE}"
)(lambda x, positions, base: turned(x, positions, base, join=side_by_side))
turned_heads.wrong(f"the two new numbers have changed places. {MOVED_ALIKE}")(
    turned_by(lambda a, b, sin, cos: turning(a, b, sin, cos)[::-1])
)
turned_heads.wrong("you counted 0, 1, 2, ...; turn each token by its own position.")(
    lambda x, positions, base: turned(x, np.arange(x.shape[-2]), base)
)
turned_heads.wrong("you added 1 to the positions; position 0 is turned by 0.")(
    lambda x, positions, base: turned(x, positions + 1, base)
)
turned_heads.wrong("all pairs turn alike: base needs its exponent, 2i/d_k.")(
    lambda x, positions, base: turned(x, positions, base, exponents=np.ones(x.shape[-1] // 2))
)
turned_heads.wrong("np.cos and np.sin take radians, and the angles are in radians already.")(
    lambda x, positions, base: turned(x, np.radians(positions), base),
    lambda x, positions, base: turned(x, np.degrees(positions), base),
)
turned_heads.wrong("the base is 10,000 whatever is given; take the argument.")(
    lambda x, positions, base: turned(x, positions, 1e4)
)
turned_heads.wrong("the next pair has to be slower: divide by base to the power of 2i/d_k.")(
    lambda x, positions, base: turned(x, positions, base, exponents=np.zeros(x.shape[-1] // 2)),
    lambda x, positions, base: turned(x, positions, 1 / base),
)
turned_heads.wrong("the exponent needs brackets around all of it: ** comes before /.")(
    lambda x, positions, base: turned(
        x, positions / x.shape[-1], base, exponents=np.arange(0, x.shape[-1], 2)
    ),
    lambda x, positions, base: turned(
        x, positions, base**2 * x.shape[-1] / np.arange(x.shape[-1] // 2), exponents=1
    ),
)
turned_heads.wrong("only base is raised to a power; the position is divided by that.")(
    lambda x, positions, base: turned(x, np.ones(len(positions)), base / positions[:, None])
)
turned_heads.wrong("the exponent is 2i/d_k, where i counts the pairs.")(
    lambda x, positions, base: turned(
        x, positions, base, exponents=np.arange(x.shape[-1] // 2) / x.shape[-1]
    ),
    lambda x, positions, base: turned(
        x, positions, base, exponents=4 * np.arange(x.shape[-1] // 2) / x.shape[-1]
    ),
)


def added(positions_of, base_of):
    """Page 6's table is added to x."""
    return lambda x, positions, base: turned(
        x, positions_of(positions), base_of(base), lambda a, b, sin, cos: (a + sin, b + cos)
    )


turned_heads.wrong(
    "you added sines and cosines, as page 6 does; here each pair is turned by them."
)(
    *(
        added(positions_of, base_of)
        for positions_of in (np.asarray, lambda positions: np.arange(len(positions)))
        for base_of in (float, lambda base: 1e4)
    ),
    turned_by(lambda a, b, sin, cos: (a + cos, b + sin)),
)


# -- SwiGLU ----------------------------------------------------------------------------------------


def _network(T, d_model, d_ff):
    return normal(T, d_model), *normal(2, d_model, d_ff), normal(d_ff, d_model, seed=1)


def silu(x):
    return x * sigmoid(x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@PAGE.exercise("3 · SwiGLU")
@right(
    "one map opens the gate for the other.",
    _network(3, 4, 5),
    _network(2, 5, 7),
    easy=[(_network(3, 5, 5), "right where d_ff is d_model only; down takes d_ff numbers.")],
)
def gated(x, gate, up, down):
    """answer(x (T, d_model), gate, up, down) -> (T, d_model): up, through a gate, and down."""
    return (silu(x @ gate) * (x @ up)) @ down


gated.wrong("the gate has ReLU; SiLU is x times its sigmoid, 1 / (1 + e to the minus x).")(
    lambda x, gate, up, down: (np.maximum(x @ gate, 0) * (x @ up)) @ down
)
for gelu in (activation("gelu"), activation("gelu_tanh")):
    gated.wrong("the gate has GELU; SiLU is x times its sigmoid.")(
        lambda x, gate, up, down, gelu=gelu: (gelu(x @ gate) * (x @ up)) @ down
    )
gated.wrong("this is the sigmoid alone; SiLU is x times its sigmoid.")(
    lambda x, gate, up, down: (sigmoid(x @ gate) * (x @ up)) @ down
)
gated.wrong("SiLU goes over the product x @ gate, not over x or gate alone.")(
    lambda x, gate, up, down: ((x @ silu(gate)) * (x @ up)) @ down,
    lambda x, gate, up, down: ((silu(x) @ gate) * (x @ up)) @ down,
)
gated.wrong("/ comes before +: 1 + e to the minus x needs brackets around it.")(
    lambda x, gate, up, down: (x @ gate + np.exp(-x @ gate) * (x @ up)) @ down,
    lambda x, gate, up, down: ((x @ gate + np.exp(-x @ gate)) * (x @ up)) @ down,
    lambda x, gate, up, down: x @ gate + np.exp(-x @ gate) * (x @ up) @ down,
)
gated.wrong("SiLU goes over x @ gate, and x @ up stays as it is.")(
    lambda x, gate, up, down: (x @ gate * silu(x @ up)) @ down,
    lambda x, gate, up, down: (silu(x @ gate) * silu(x @ up)) @ down,
)
gated.wrong("SiLU goes over x @ gate before the two are multiplied.")(
    lambda x, gate, up, down: silu((x @ gate) * (x @ up)) @ down
)
gated.wrong("the two were added; the gate multiplies.")(
    lambda x, gate, up, down: (silu(x @ gate) + x @ up) @ down,
    lambda x, gate, up, down: silu(x @ gate) + x @ up @ down,
    lambda x, gate, up, down: (sigmoid(x @ gate) + x @ up) @ down,
    lambda x, gate, up, down: (x @ gate + x @ up) @ down,
)
gated.wrong("down comes last: multiply the two first, then their product goes down.")(
    lambda x, gate, up, down: silu(x @ gate) * (x @ up @ down),
    lambda x, gate, up, down: silu(x @ gate) @ down * (x @ up),
    lambda x, gate, up, down: silu(x @ gate) @ down * (x @ up @ down),
)
gated.wrong("down is missing: the product of the two goes through it.")(
    lambda x, gate, up, down: silu(x @ gate) * (x @ up)
)
gated.wrong("the gate is missing: multiply x @ up by SiLU of x @ gate.")(
    lambda x, gate, up, down: silu(x @ up) @ down, lambda x, gate, up, down: x @ up @ down
)
gated.wrong("x @ up is missing: multiply SiLU of x @ gate by it.")(
    lambda x, gate, up, down: silu(x @ gate) @ down
)
gated.wrong("SiLU is missing: x @ gate goes through it first.")(
    lambda x, gate, up, down: ((x @ gate) * (x @ up)) @ down
)
gated.wrong("the sign in SiLU is turned round: e to the minus x.")(
    lambda x, gate, up, down: ((x @ gate) * sigmoid(-x @ gate) * (x @ up)) @ down
)
gated.wrong("x was added; the sum stands around this, in the layer.")(
    lambda x, gate, up, down: gated.solution(x, gate, up, down) + x
)


# -- keys for all heads ----------------------------------------------------------------------------


@PAGE.exercise("4 · Keys for all heads")
@right(
    "neighbouring heads of queries share a head of keys.",
    (normal(2, 5, 4), 6),
    (normal(3, 4, 2), 12),
    tips=(
        ("cannot reshape", "reshape makes no new numbers: first repeat each head of keys"),
        ("for axis 0", "heads // G neighbours share: head h gets h // (heads // G)"),
    ),
)
def shared_keys(keys, heads):
    """answer(keys (G, S, d_k), heads) -> (heads, S, d_k): head h gets keys h // (heads / G)"""
    return keys.repeat(heads // len(keys), axis=0)


def folded(repeated, keys, heads):
    return repeated.reshape(heads, *keys.shape[1:])


shared_keys.wrong("this is head h % G; neighbours share, so head h gets h // (heads / G).")(
    lambda keys, heads: np.tile(keys, (heads // len(keys), 1, 1)),
    lambda keys, heads: np.tile(keys, (3, 1, 1)),  # the page has nine heads for three
)
shared_keys.wrong("the tokens were repeated; repeat whole heads, along axis 0.")(
    lambda keys, heads: folded(keys.repeat(heads // len(keys), axis=1), keys, heads),
    lambda keys, heads: keys.repeat(heads // len(keys), axis=1),
)
shared_keys.wrong("the numbers were repeated; repeat whole heads, along axis 0.")(
    lambda keys, heads: folded(keys.repeat(heads // len(keys), axis=2), keys, heads),
    lambda keys, heads: keys.repeat(heads // len(keys), axis=2),
    lambda keys, heads: folded(keys.repeat(heads // len(keys)), keys, heads),
)
shared_keys.wrong("all heads got the same keys; there are G heads of them.")(
    lambda keys, heads: np.array([keys[0]] * heads)
)
shared_keys.wrong("these are means of the heads; each keeps its own keys.")(
    lambda keys, heads: np.array([keys.mean(0)] * heads)
)
