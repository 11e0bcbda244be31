"""The exercises of notebook 4: attention and cross-attention."""

from lib.attention import scaled_dot_product_attention
from lib.checks.attention_mistakes import (
    AFTER_VALUES,
    HIDES_LATER_KEYS,
    MISTAKES,
    ROOT_OF_D_V,
    TIPS,
    attend,
    hiding_later_keys,
    sharing_late,
    weigh,
)
from lib.checks.cases import queries_keys_values
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on, remark_on_tables
from lib.checks.judge import right

PAGE = Page(4, "Queries, keys and values: attention, step by step")

TWO_TABLES = [table.reshape(2, -1, table.shape[-1]) for table in queries_keys_values(6, 10, 7, 5)]
FOR_ONE_TABLE = (
    "for one table. Page 5 brings several at once: shape[-1], axis=-1 and keys.swapaxes(-1, -2) "
    "take them; shape[1], len(keys[0]), axis=1, keys.T, swapaxes(0, 1) and a loop over the rows do "
    "not."
)


@PAGE.exercise(
    "1 · Attention, from an empty cell",
    kept="my_attention",
    buggy="2 · Find the bug",
    still_buggy="3 · Find the bug again",
)
@right(
    "each query's weights sum to 1 and mix the values.",
    queries_keys_values(3, 4, 6, 5),
    queries_keys_values(5, 7, 11, 3),
    square=queries_keys_values(4, 4, 6, 5),
    arrays=True,
    remark=remark_on_tables(attend, TWO_TABLES, FOR_ONE_TABLE, scaled_dot_product_attention),
    tips=TIPS,
)
def attention(queries, keys, values):
    """answer(queries (T, d_k), keys (S, d_k), values (S, d_v)) -> output (T, d_v)."""
    return attend(queries, keys, values)


attention.wrong(HIDES_LATER_KEYS)(
    lambda queries, keys, values: hiding_later_keys(queries, keys) @ values
)
attention.wrong("these are the weights; multiply them by the values.")(
    lambda queries, keys, values: weigh(queries, keys)
)
attention.wrong("you mixed the keys; multiply the weights by the values.")(
    lambda queries, keys, values: weigh(queries, keys) @ keys
)
attention.wrong(AFTER_VALUES)(sharing_late)
attention.wrong(ROOT_OF_D_V)(
    lambda queries, keys, values: weigh(queries, keys, values.shape[-1] ** 0.5) @ values
)
for mistake in MISTAKES:
    attention.wrong(mistake.sentence)(
        lambda queries, keys, values, weigh=mistake.answer: weigh(queries, keys) @ values
    )


def two_sides(T, S, d, d_k, d_v):
    """target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)."""
    target, source, _ = queries_keys_values(T, S, d, 1)
    W_Q, W_K, W_V = queries_keys_values(d, d, d_k, d_v)
    return target, source, W_Q.reshape(d, d_k) / 2, W_K.reshape(d, d_k) / 2, W_V / 2


@PAGE.exercise("4 · Cross-attention")
@right(
    "the target asks, the source answers: one row of output for each target token.",
    two_sides(3, 4, 6, 5, 2),
    two_sides(2, 6, 7, 3, 5),
    square=two_sides(4, 4, 6, 3, 5),
    easy=[(two_sides(3, 7, 6, 4, 4), "right where d_v is d_k only; a value has d_v numbers.")],
    remark=remark_on(scaled_dot_product_attention),
)
def cross_attention(target, source, W_Q, W_K, W_V):
    """answer(target (T, d), source (S, d), W_Q (d, d_k), W_K (d, d_k), W_V (d, d_v)) -> (T, d_v)"""
    return attend(target @ W_Q, source @ W_K, source @ W_V)


cross = cross_attention.solution
cross_attention.wrong(HIDES_LATER_KEYS)(
    lambda target, source, W_Q, W_K, W_V: (
        hiding_later_keys(target @ W_Q, source @ W_K) @ source @ W_V
    )
)
cross_attention.wrong(
    "the wrong side asks; queries come from the target, keys and values from the source."
)(lambda target, source, *W: cross(source, target, *W))
cross_attention.wrong(
    "keys and values must come from the same side, the source: each key comes with its value."
)(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, target @ W_K, source @ W_V),
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, source @ W_K, target @ W_V),
)
cross_attention.wrong(
    "this is self-attention of the target; keys and values come from the source."
)(lambda target, source, *W: cross(target, target, *W))
cross_attention.wrong("this is self-attention of the source; queries come from the target.")(
    lambda target, source, *W: cross(source, source, *W)
)
cross_attention.wrong("W_Q and W_K are swapped; W_Q is for the target, W_K for the source.")(
    lambda target, source, W_Q, W_K, W_V: cross(target, source, W_K, W_Q, W_V)
)
cross_attention.wrong("W_Q made the keys too; the source has a matrix of its own for its keys.")(
    lambda target, source, W_Q, W_K, W_V: cross(target, source, W_Q, W_Q, W_V)
)
cross_attention.wrong("W_K and W_V are swapped; W_K makes the keys, W_V the values.")(
    lambda target, source, W_Q, W_K, W_V: cross(target, source, W_Q, W_V, W_K)
)
cross_attention.wrong("these are the weights; multiply them by the values, source @ W_V.")(
    lambda target, source, W_Q, W_K, W_V: weigh(target @ W_Q, source @ W_K)
)
cross_attention.wrong("you mixed the source itself; project it with W_V first.")(
    lambda target, source, W_Q, W_K, W_V: attend(target @ W_Q, source @ W_K, source)
)


cross_attention.wrong(AFTER_VALUES)(
    lambda target, source, W_Q, W_K, W_V: sharing_late(target @ W_Q, source @ W_K, source @ W_V)
)


def cross_attention_with(weigh):
    """The answer with other weights."""

    def answer(target, source, W_Q, W_K, W_V):
        return weigh(target @ W_Q, source @ W_K) @ source @ W_V

    return answer


@cross_attention.wrong("you divided by sqrt(d), from the width of the tokens; take d_k.")
def _(target, source, W_Q, W_K, W_V):
    return weigh(target @ W_Q, source @ W_K, target.shape[-1] ** 0.5) @ source @ W_V


@cross_attention.wrong(ROOT_OF_D_V)
def _(target, source, W_Q, W_K, W_V):
    return weigh(target @ W_Q, source @ W_K, W_V.shape[-1] ** 0.5) @ source @ W_V


for mistake in MISTAKES:
    cross_attention.wrong(mistake.sentence)(cross_attention_with(mistake.answer))
