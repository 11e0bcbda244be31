"""The exercises of notebook 12: the six parts of a GPT, and top-p."""

import functools

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.block_mistakes import norms_and_order, post_norm
from lib.checks.exercises import Page
from lib.checks.gpt_mistakes import (
    RIGHT,
    WINDOW_MISTAKES,
    causal_heads,
    kind_of,
    problem_of_windows,
    written_by,
)
from lib.checks.inputs import normal, shares
from lib.checks.judge import Result, judge
from lib.checks.page_07 import self_attention
from lib.checks.page_08 import norms, relu
from lib.checks.run import run
from lib.checks.tables import TableExercise, check, right, wrong, wrongs
from lib.checks.top_p_mistakes import share_of, shared_or_not, wrong_counts, wrong_order

PAGE = Page(12, "Generation: a GPT from an empty page")

LOG_2 = np.log(2)


def characters(*shape, V):
    """The same whole numbers below V each time."""
    return np.random.default_rng([*shape, V]).integers(0, V, shape)


@PAGE.exercise("What does a character cost?")
@check(
    (normal(2, 3, 5), characters(2, 3, V=5)),
    (2 * normal(4, 6, 7), characters(4, 6, V=7)),
    tensors=True,
)
def bits(logits, to_write):
    """answer(logits (B, T, V), to_write (B, T)) -> number: the mean -log2 of what came."""
    B, T, V = logits.shape
    hot = np.eye(V)[to_write]  # (B, T, V)
    share = library_softmax(logits)
    came = (hot * share).sum(-1)  # (B, T)
    cost = -np.log2(came)
    yield right(cost.mean(), "what each character cost on average, in bits.")
    base = "right, but for the base of the logarithm; divide by the logarithm of 2."
    yield from wrongs(base, cost.mean() * LOG_2, cost.mean() * np.log10(2))
    yield wrong(cost.mean() * LOG_2**2, "you multiplied by the logarithm of 2; divide by it.")
    yield wrong(-cost.mean(), "the minus is missing: a share is below 1, its logarithm below 0.")
    yield wrong(cost.sum(), "this is the sum; take the mean over all characters.")
    yield wrong(cost, "these are the bits of the single characters; take their mean.")
    yield wrong(cost.mean() / V, "the mean runs over all V characters; only one of them came.")
    yield wrong(
        -np.log2(came.mean()), "you took the logarithm of the mean; take the mean of logarithms."
    )
    yield wrong(came.mean(), "this is the mean share of what came; take the mean of -log2.")
    yield wrong(2 ** cost.mean(), "this is the perplexity; its logarithm is what you want.")
    yield wrong(
        -np.log2(share.max(-1)).mean(),
        "you took the largest share of each row; take the share of what came.",
    )
    yield wrong(
        -np.log2(share[:, :, to_write]).mean(),
        "each row was asked about all characters that came; gather picks one for each row.",
    )
    yield wrong(
        -np.log2((hot[:, 1:] * share[:, :-1]).sum(-1)).mean(),
        "shifted once too often: row t of to_write is already what came after row t.",
    )
    yield from _other_softmax(logits, hot, share)


def _other_softmax(logits, hot, share):
    """Rows for shares that are none, or are taken along another axis."""

    def of(other):
        with np.errstate(all="ignore"):
            cost = -np.log2((hot * other).sum(-1)).mean()
        return [cost, cost * LOG_2]

    yield from wrongs(
        "the softmax runs over the places; each row shares out over the V characters.",
        *of(library_softmax(logits, axis=1)),
    )
    yield from wrongs(
        "the softmax runs over the texts of the batch; each row shares out over the V characters.",
        *of(library_softmax(logits, axis=0)),
    )
    yield from wrongs(
        "softmax twice: F.cross_entropy wants logits, and makes the shares itself.",
        *of(library_softmax(share)),
    )
    bare = -(hot * logits).sum(-1).mean()
    yield from wrongs("these are logits, not logarithms of shares.", bare, bare / LOG_2)
    yield wrong(
        np.nan,
        "the result holds NaN. Was a logarithm taken of logits? Make shares of them first.",
    )


def by_row(table):
    """The shares of each row."""
    return table / table.sum(1, keepdims=True)


# The last character of the alphabet never stands first, some pairs come twice, (0, 1) more often
# than (1, 0), and the text does not end as it begins. In the third, characters 3 to 5 never come.
@PAGE.exercise("1 · Count pairs")
@check(
    (np.array([0, 1, 2, 0, 1, 0, 1, 1, 3]), 4, 0.5),
    (np.array([2, 0, 3, 3, 0, 1, 2, 0, 3, 1, 0, 3, 4]), 5, 0.1),
    (np.array([0, 1, 0, 1, 2, 2, 1]), 6, 0.3),
    tensors=True,
)
def pair_shares(ids, V, add):
    """answer(ids (N,), V, add) -> (V, V): row: what was read; each column's share."""
    counts = np.zeros((V, V))
    np.add.at(counts, (ids[:-1], ids[1:]), 1)
    more = counts + add
    yield right(by_row(more), "row: what was read; each row adds up to 1.")
    yield wrong(more, "these are counts; divide each row by its sum.")
    yield wrong(by_row(more.T), "rows and columns are swapped: the row is the character read.")
    yield wrong(
        more / more.sum(0, keepdims=True),
        "your columns add up to 1; divide each row by its own sum.",
    )
    yield wrong(
        more / more.sum(1),
        "the sums of the rows stand in a row, so they divide columns; keepdim=True keeps a column.",
    )
    yield wrong(more / more.sum(), "you divided by the sum of the whole table, not of each row.")
    yield wrong(
        by_row((counts > 0) + add),
        "a pair that comes twice counts once: counts[a, b] += 1 with two equal pairs writes the "
        "same number twice.",
    )
    yield wrong(
        by_row(np.where(counts > 0, 1, add)),
        "a pair that came has 1, however often it came; index_put_ adds with accumulate=True.",
    )
    yield wrong(
        more / counts.sum(1, keepdims=True),
        "your rows add up to more than 1; divide by sums in which add is counted too.",
    )
    yield from wrongs(
        "add is not used; a pair that never came gets 0, and a row without a pair 0/0.",
        by_row(counts),
        by_row(np.maximum(counts, 1e-12 * (counts.sum(1, keepdims=True) == 0))),
    )
    yield wrong(by_row(counts + 1), "you added 1 to each pair; add what is given.")
    before = "add comes to the counts, before the division."
    yield from wrongs(before, by_row(counts) + add, np.nan_to_num(by_row(counts)) + add)
    logs = "these are logarithms; give the shares."
    yield from wrongs(logs, np.log(by_row(more)), np.log2(by_row(more)))
    yield from wrongs(
        "a softmax of counts is no share: 3 of 4 are 0.75; divide by the sum.",
        library_softmax(more),
        library_softmax(counts),
    )
    yield from _other_pairs(ids, counts, add)


def _other_pairs(ids, counts, add):
    """Rows for pairs that there are not in the text, and for a table of those that came alone."""
    came = ids.max() + 1
    yield wrong(
        by_row(counts[:came, :came] + add),
        "right for a text in which all V characters come; in others make the table (V, V) as well.",
    )
    ring = counts.copy()
    ring[ids[-1], ids[0]] += 1
    yield wrong(
        by_row(ring + add), "the last character came before no other; you let the first follow it."
    )
    fewer = counts.copy()
    fewer[ids[-2], ids[-1]] -= 1
    yield wrong(by_row(fewer + add), "the last pair of the text is missing.")
    same, short = np.zeros_like(counts), np.zeros_like(counts)
    np.add.at(same, (ids, ids), 1)
    np.add.at(short, (ids[:-1], ids[:-1]), 1)
    yield from wrongs(
        "each character is paired with itself; pair it with the next one.",
        by_row(same + add),
        by_row(short + add),
    )


def scores_of_a_text(characters):
    """(1, T) -> logits (1, T, 7); row t depends on the characters up to t."""
    if characters.ndim != 2 or len(characters) != 1:
        raise ValueError(f"the model takes (1, T), and was given {characters.shape}; ids[None]")
    rows = []
    for t in range(characters.shape[1]):
        seed = characters[0, : t + 1].astype(int) + 1
        rows.append(np.random.default_rng(seed).standard_normal(7))
    return 2 * np.array(rows)[None]


def draw_at_sixty(shares):
    """The character at which the shares reach 0.6, in the place of chance."""
    if (shares < 0).any() or not np.allclose(shares.sum(-1), 1, atol=1e-4):
        raise ValueError("draw takes shares: none below 0, and together 1; is there a softmax?")
    place = (shares.cumsum(-1) < 0.6).sum(-1)
    return np.atleast_1d(place) if shares.ndim == 1 else place[:, None]


@PAGE.exercise("Let it write")
@check(
    (np.array([3, 1, 4, 6]), scores_of_a_text, draw_at_sixty, 9, 6, 0.5),
    (np.array([2, 6, 5]), scores_of_a_text, draw_at_sixty, 8, 5, 1.6),
    tensors=True,
)
def write_on(ids, model, draw, count, length, temperature):
    """answer(ids (T,), model, draw, count, length, temperature) -> (T + count,): a longer text."""

    def write(**changes):
        return written_by(ids, model, draw, count, length, temperature, **changes)

    text = write()
    yield right(text, "the last row's shares, one draw, behind the text, and again.")
    yield wrong(
        write(sees="all"),
        "the model was given the whole text; it has places for `length` characters, the last ones.",
    )
    yield wrong(write(sees="first"), "the model saw the beginning of the text; give it the end.")
    yield wrong(
        write(sees="last"),
        "the model saw the last character alone; give it up to `length` of them.",
    )
    yield wrong(
        write(sees="short"), "the model saw one character too few; give it the last `length`."
    )
    yield wrong(
        write(sees="start"), "the model saw the same text each time; put what was drawn behind it."
    )
    yield wrong(
        write(row=slice(None)),
        "you took the mean of all rows; only the last one is about the next character.",
    )
    yield wrong(
        write(front=True),
        "what was drawn stands before the text; put it behind the last character.",
    )
    yield wrong(write(row=0), "you took the first row of logits; the last one says what is next.")
    yield wrong(
        write(scale=temperature), "you multiplied by the temperature; divide the logits by it."
    )
    yield wrong(write(scale=1), "the temperature is not used; divide the logits by it.")
    yield wrong(write(draws=False), "you took the largest share; let draw choose.")
    yield from wrongs(
        "what you were given is missing; the text begins with it.",
        text[len(ids) :],
        text[len(ids) - 1 :],
    )
    yield wrong(text[-length:], "only the end of the text came back; cut what the model reads.")
    number = "count characters are to be drawn, no more and no fewer."
    yield from wrongs(number, text[:-1], write(more=1), text[:count])


@PAGE.exercise("Learn, not count")
def windows(answer):
    """answer(ids (N,), batch, length) -> read, to_write, both (batch, length)."""
    problem = problem_of_windows(answer)
    return Result(False, problem) if problem else judge(WINDOWS, kind_of(answer))


def window_kinds(ids, batch, length):
    """A row for each kind of windows that kind_of tells apart."""
    yield right(
        RIGHT, "what is to be written stands one to the right, and every start is possible."
    )
    for kind, message in WINDOW_MISTAKES.items():
        yield wrong(kind, message)


WINDOWS = TableExercise(
    window_kinds, "", ((100 + np.arange(20), 4, 5), (200 + np.arange(17), 3, 6))
)


def head_inputs(B, T, d_model, d_k, d_v):
    """x (B, T, d_model) and three maps; those of query and key lead to d_k, of value to d_v."""
    W_Q, W_K = normal(2, d_model, d_k) / d_model**0.25
    W_V = normal(d_model, d_v)

    def query(x):
        return x @ W_Q

    def key(x):
        return x @ W_K

    def value(x):
        return x @ W_V

    return normal(B, T, d_model), query, key, value


@PAGE.exercise("2 · One head")
@check(head_inputs(2, 4, 6, 3, 5), head_inputs(3, 5, 8, 4, 7), tensors=True)
def causal_head(x, query, key, value):
    """answer(x (B, T, d_model), query, key, value) -> (B, T, d_v): none looks ahead."""
    yield from causal_heads(x, query(x), key(x), value(x))


@PAGE.exercise("4 · A block")
@check(
    (normal(2, 3, 5), self_attention, relu, *norms()[:2]),
    (normal(3, 4, 6), self_attention, relu, *norms()[:2]),
    tensors=True,
)
def block(x, look, think, norm_1, norm_2):
    """answer(x (B, T, d), look, think, norm_1, norm_2) -> (B, T, d)."""
    looked = x + look(norm_1(x))
    yield right(looked + think(norm_2(looked)), "what there was stays; each part adds to it.")
    yield from post_norm(x, look, think, norm_1, norm_2)
    found = x + norm_1(look(x))
    yield wrong(
        found + norm_2(think(found)),
        "you normed what the parts return; norm what they are given.",
    )
    normed = norm_1(x) + look(norm_1(x))
    yield from wrongs(
        "you added to the normed x; x itself runs on, only what the parts are given is normed.",
        norm_2(normed) + think(norm_2(normed)),
        normed + think(norm_2(normed)),
        norm_2(looked) + think(norm_2(looked)),
    )
    yield wrong(
        looked + think(norm_2(x)),
        "think reads the old x, beside look; such models exist, but here it reads the sum.",
    )
    yield wrong(
        x + think(norm_2(looked)), "the second sum forgets what look found; add to the first sum."
    )
    alone = look(norm_1(x))
    yield from wrongs(
        "a residual is missing; each part is added to what was there before it.",
        think(norm_2(alone)),
        alone + think(norm_2(alone)),
        think(norm_2(looked)),
    )
    yield from norms_and_order(x, look, think, norm_1, norm_2)


def fewest_of_equals(judged):
    """The check, and then a trial with equal words at the border: any of them may be kept."""

    @functools.wraps(judged)
    def then(answer):
        result = judged(answer)
        if not result.ok:
            return result
        kept = run(answer, EQUALS, judged.exercise.names).value
        return result if np.count_nonzero(kept) == 2 else Result(False, TOO_MANY_EQUALS)

    return then


EQUALS = (np.array([0.125, 0.5, 0.125, 0.125, 0.125]), 0.6)
TOO_MANY_EQUALS = (
    "right unless equally probable words stand at the border; the fewest are wanted: of 0.4, 0.2, "
    "0.2 and 0.2 two words reach 0.5."
)


# In the second, one word reaches p; in the third, two words reach it exactly.
@PAGE.exercise("For the curious: top-p, from an empty cell (12 minutes more)")
@fewest_of_equals
@check(
    (shares(7), 0.6),
    (shares(5), 0.29),
    (np.array([0.25, 0.03125, 0.5, 0.125, 0.09375]), 0.75),
)
def top_p(probabilities, p):
    """answer(probabilities (words,), p) -> (words,): the fewest that reach p, adding up to 1."""
    order = np.argsort(-probabilities)
    rank = order.argsort()  # 0 is the most probable
    reached = np.cumsum(probabilities[order])
    count = (reached - probabilities[order] < p).sum()
    kept = rank < count
    share = share_of(kept, probabilities)
    yield right(share, "the most probable words until they reach p, and what is left adds up to 1.")
    yield wrong(
        kept * probabilities,
        "the right words, but they no longer add up to 1; divide by their sum.",
    )
    yield wrong(
        kept * probabilities / p,
        "divide by what the kept words have together; that is more than p.",
    )
    yield from shared_or_not(
        rank < 1 + (reached <= p).sum(),
        probabilities,
        "right unless words reach p exactly: then the word that reaches it is the last, "
        "and you keep one more.",
    )
    yield from wrong_counts(probabilities, p, rank, count)
    yield from wrong_order(probabilities, p, rank, count)
    place = "the words are in sorted order; put each back in its own place."
    yield from wrongs(place, share[order], (kept * probabilities)[order])
    yield wrong(
        kept,
        "right where one word reaches p, but else return probabilities, not which words to keep.",
    )
    yield wrong(
        rank == 0,
        "right where one word reaches p, but else you keep it alone; add words until they reach p.",
    )
