"""The exercises of notebook 5: several heads."""

from lib import attention
from lib.checks.attention_mistakes import (
    AFTER_VALUES,
    HIDES_LATER_KEYS,
    KEYS_ASK,
    MISTAKES,
    NO_EXP,
    attend,
    hiding_later_keys,
    sharing_late,
    weigh,
)
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.how_written import remark_on
from lib.checks.judge import right

PAGE = Page(5, "Multi-head: several looks at once")

X_AND_HEADS = [(normal(2, 5, 18), 3), (normal(4, 9, 14), 2)]  # (B, T, d_model); d_k is 6 and 7
ALL_TURNED = "x.T turns all four axes round; swap two of them, heads and tokens."
ALL_HEADS = "all heads stand side by side: the last axis is H * d_k long"


def in_heads(x, heads):
    """Each token's columns, cut in heads: (B, T, H, d_k)."""
    return x.reshape(*x.shape[:2], heads, -1)


def split(x, heads):
    """Each head with its columns of every token: (B, H, T, d_k)."""
    return in_heads(x, heads).swapaxes(1, 2)


def blind_split(x, heads):
    """Cut into heads by reshape alone: the right shape, the wrong contents."""
    return x.reshape(len(x), heads, x.shape[1], -1)


def cards(x, heads):
    """Heads that get every third column, say, as cards are dealt out."""
    d_k = x.shape[-1] // heads
    return in_heads(x, d_k).transpose(0, 3, 1, 2)


@PAGE.exercise("1 · The way back")
@right(
    "swap back, then side by side: the inverse of the split.",
    *[(split(x, heads),) for x, heads in X_AND_HEADS],
    arrays=True,
    remark=remark_on(attention.merge_heads),
    tips=tuple((says, ALL_HEADS) for says in ("cannot reshape", "is invalid for input of size")),
)
def merge_heads(x):
    """answer(x (B, H, T, d_k)) -> (B, T, H*d_k)."""
    return side_by_side(x.swapaxes(1, 2))


def side_by_side(x):
    """The last two axes as one: (B, T, H, d_k) -> (B, T, H*d_k)."""
    return x.reshape(*x.shape[:2], -1)


def blind_merge(x):
    """Merged by reshape alone."""
    B, H, T, d_k = x.shape
    return x.reshape(B, T, H * d_k)


def turned_merge(x):
    """Merged after a .T, which is (d_k, T, H, B)."""
    return x.T.reshape(len(x), x.shape[2], -1)


def merged_cards(x):
    """All first columns, then all second ones."""
    return side_by_side(x.transpose(0, 2, 3, 1))


merge_heads.wrong("right shape, wrong contents; swap H and T back before you reshape.")(
    blind_merge,
    lambda x: x.reshape(len(x), -1, x.shape[2]).swapaxes(1, 2),
)
merge_heads.wrong(
    "you dealt the columns out like cards; all of head 1's come first, then head 2's."
)(merged_cards)
merge_heads.wrong("you swapped the heads with their columns, axes 1 and 3; swap heads and tokens.")(
    lambda x: x.swapaxes(1, 3).reshape(len(x), x.shape[2], -1)
)
merge_heads.wrong("you swapped the heads with the batch, axes 0 and 1; swap heads and tokens.")(
    lambda x: x.swapaxes(0, 1).reshape(len(x), x.shape[2], -1)
)
merge_heads.wrong("you swapped tokens with their columns, axes 2 and 3; swap heads and tokens.")(
    lambda x: x.swapaxes(2, 3).reshape(len(x), x.shape[2], -1)
)
merge_heads.wrong(ALL_TURNED)(turned_merge)
merge_heads.wrong("you averaged the heads; put them side by side, and W_O mixes them.")(
    lambda x: x.mean(1)
)
merge_heads.wrong("you added the heads up; put them side by side, and W_O mixes them.")(
    lambda x: x.sum(1)
)
merge_heads.wrong("you joined the heads along T; join their columns, the last axis.")(
    lambda x: x.reshape(len(x), -1, x.shape[-1])
)
merge_heads.wrong("swapping is done; now put the heads' columns side by side with reshape.")(
    lambda x: x.swapaxes(1, 2)
)


def inputs_of_multi_head(B, T, S, d, width, heads):
    """X (B, T, d), memory (B, S, d), four matrices, the number of heads."""
    X, memory = normal(B, T, d), normal(B, S, d, seed=1)
    W_Q, W_K, W_V = 0.9 * normal(3, d, width) / d**0.5
    return X, memory, W_Q, W_K, W_V, normal(width, d) / width**0.5, heads


@PAGE.exercise("2 · Your multi-head attention", kept="my_multi_head")
@right(
    "multiply, split, attend, merge, multiply: from your own parts.",
    inputs_of_multi_head(2, 5, 7, 13, 18, 3),
    inputs_of_multi_head(4, 9, 6, 11, 14, 2),
    square=inputs_of_multi_head(2, 5, 5, 13, 18, 3),
    easy=(
        (inputs_of_multi_head(3, 7, 6, 24, 24, 6), "the heads share W_Q's columns, not X's."),
        (
            inputs_of_multi_head(3, 7, 6, 13, 16, 1),
            "right for one head only; with more of them: multiply, then split, attend, put them "
            "side by side, then W_O.",
        ),
    ),
    remark=remark_on(attention.multi_head_attention, attention.scaled_dot_product_attention),
    tips=(
        ("expected 4, got 3", "an axis is missing: split first; my_attention returns one array"),
    ),
)
def multi_head(X, memory, W_Q, W_K, W_V, W_O, heads):
    """answer(X (B, T, d), memory (B, S, d), W_Q, W_K, W_V (d, w), W_O (w, d), heads) -> like X"""
    return heads_found(X @ W_Q, memory @ W_K, memory @ W_V, heads) @ W_O


def heads_found(
    queries, keys, values, heads,
    split=split, attend=attend, merge=merge_heads.solution,
):  # fmt: skip
    """What the heads find, side by side; a mistake has another part in it."""
    return merge(attend(split(queries, heads), split(keys, heads), split(values, heads)))


def with_parts(**parts):
    """The answer with other parts in it."""

    def answer(X, memory, W_Q, W_K, W_V, W_O, heads):
        return heads_found(X @ W_Q, memory @ W_K, memory @ W_V, heads, **parts) @ W_O

    return answer


whole = multi_head.solution
multi_head.wrong("W_O is missing; multiply the merged heads by it.")(
    lambda X, memory, W_Q, W_K, W_V, W_O, heads: heads_found(
        X @ W_Q, memory @ W_K, memory @ W_V, heads
    )
)
multi_head.wrong("the heads are not merged; put them side by side, before W_O.")(
    lambda X, memory, W_Q, W_K, W_V, W_O, heads: (
        heads_found(X @ W_Q, memory @ W_K, memory @ W_V, heads, merge=lambda found: found) @ W_O
    )
)
multi_head.wrong("W_Q and W_K are swapped; queries are X @ W_Q, keys are memory @ W_K.")(
    lambda X, memory, W_Q, W_K, *rest: whole(X, memory, W_K, W_Q, *rest)
)


@multi_head.wrong(
    "keys and values come from the same side, the memory: each key comes with its value."
)
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    return heads_found(X @ W_Q, memory @ W_K, X @ W_V, heads) @ W_O


@multi_head.wrong("the keys come from X, the values from the memory; both come from the memory.")
def _(X, memory, W_Q, W_K, W_V, W_O, heads):
    return heads_found(X @ W_Q, X @ W_K, memory @ W_V, heads) @ W_O


multi_head.wrong("W_K and W_V are swapped; keys are compared with the queries, values are mixed.")(
    lambda X, memory, W_Q, W_K, W_V, *rest: whole(X, memory, W_Q, W_V, W_K, *rest)
)
multi_head.wrong("you never asked the memory; keys and values come from it.")(
    lambda X, memory, *rest: whole(X, X, *rest)
)
multi_head.wrong("the wrong side asks; queries come from X, keys and values from the memory.")(
    lambda X, memory, *rest: whole(memory, X, *rest),
    lambda X, memory, *rest: whole(memory, memory, *rest),
)
multi_head.wrong("there is one head only; split before attending.")(
    lambda *case: whole(*case[:-1], 1)
)
for number in (2, 3, 4, 6, 8, 12):
    multi_head.wrong(
        f"right with {number} heads only: you wrote {number} down; take the argument, heads."
    )(lambda *case, number=number: whole(*case[:-1], number))
multi_head.wrong("W_K made the values too; they have a matrix of their own, W_V.")(
    lambda X, memory, W_Q, W_K, W_V, *rest: whole(X, memory, W_Q, W_K, W_K, *rest)
)
multi_head.wrong("W_Q made the keys too; they have a matrix of their own, W_K.")(
    lambda X, memory, W_Q, W_K, W_V, *rest: whole(X, memory, W_Q, W_Q, W_V, *rest)
)


def weights(weigh):
    """The part of heads_found that has other weights: weigh(q, k), q and k (B, H, T or S, d_k)."""
    return {"attend": lambda q, k, v: weigh(q, k) @ v}


def softmax_over(axis):
    return weights(lambda q, k: weigh(q, k, share=lambda x: attention.softmax(x, axis=axis)))


def over_sentences(scores):
    return attention.softmax(scores.reshape(len(scores), -1)).reshape(scores.shape)


THEN_SWAP = "reshape to (B, T, H, d_k), then swap axes 1 and 2."

# What is done wrong between the four maps: the parts of heads_found that do it, by the sentence.
WRONG_PARTS = {
    "queries and keys are swapped, so the keys ask; scores are (B, H, T, S).": [
        weights(lambda q, k: weigh(k, q))
    ],
    "you divided by the root of all heads' width together; take one head's, d_k.": [
        weights(lambda q, k: weigh(q, k, (q.shape[1] * q.shape[-1]) ** 0.5))
    ],
    f"your split deals the columns out like cards; {THEN_SWAP}": [
        {"split": cards},
        {"split": cards, "merge": merged_cards},
    ],
    "your split takes the number of heads for d_k; there are as many as you are given.": [
        {"split": lambda x, heads: in_heads(x, x.shape[-1] // heads).swapaxes(1, 2)}
    ],
    "you split and merged with reshape alone; swap tokens and heads too, both times.": [
        {"split": blind_split, "merge": blind_merge}
    ],
    f"you split with reshape alone, so head 1 holds whole tokens; {THEN_SWAP}": [
        {"split": blind_split}
    ],
    "you merged with reshape alone; swap H and T back first.": [{"merge": blind_merge}],
    ALL_TURNED: [{"merge": turned_merge}],
    "you divided by the root of the number of heads; take their width d_k.": [
        weights(lambda q, k: weigh(q, k, q.shape[1] ** 0.5))
    ],
    "your softmax runs over axis 1, not -1: of one table that is the keys, here the heads.": [
        softmax_over(1)
    ],
    "your softmax runs over axis 0, here the sentences; the keys are axis -1.": [softmax_over(0)],
    "the rows of your softmax's loop are whole sentences here; share out along axis -1, no loop.": [
        weights(lambda q, k: weigh(q, k, share=over_sentences))
    ],
    AFTER_VALUES: [{"attend": sharing_late}],
}
for mistake in MISTAKES:
    # said above, of heads; and sums of scores are at times so near 0 that float32 gives others
    if mistake.sentence not in (KEYS_ASK, NO_EXP):
        WRONG_PARTS.setdefault(mistake.sentence, []).append(weights(mistake.answer))
for sentence, choices in WRONG_PARTS.items():
    multi_head.wrong(sentence)(*(with_parts(**parts) for parts in choices))


def divided_by(divisor):
    """The answer whose scores are divided by divisor(X, heads)."""

    def answer(X, memory, W_Q, W_K, W_V, W_O, heads):
        parts = weights(lambda q, k: weigh(q, k, divisor(X, heads)))
        return with_parts(**parts)(X, memory, W_Q, W_K, W_V, W_O, heads)

    return answer


multi_head.wrong(
    "you divided by the root of the width of X; take that of one head's queries, d_k."
)(divided_by(lambda X, heads: X.shape[-1] ** 0.5))
multi_head.wrong("you took d_k from the width of X; take it from one head's queries.")(
    divided_by(lambda X, heads: (X.shape[-1] / heads) ** 0.5)
)
multi_head.wrong("right for heads of width 6, but you divided by a constant; d_k differs.")(
    divided_by(lambda X, heads: 6**0.5)
)
multi_head.wrong(HIDES_LATER_KEYS)(with_parts(**weights(hiding_later_keys)))


@PAGE.exercise("Find the bug: a split (6 minutes)")
@right(
    "every head sees every token, and d_k of its columns.",
    *X_AND_HEADS,
    arrays=True,
    remark=remark_on(attention.split_heads),
)
def split_heads(x, heads):
    """answer(x (B, T, d_model), heads) -> (B, H, T, d_k)."""
    return split(x, heads)


split_heads.wrong(
    "right shape, wrong contents: head 1 holds whole tokens; "
    "it has to hold some columns of every token."
)(blind_split)
split_heads.wrong(
    "right shape, wrong contents: you swapped before you cut; "
    "after the swap a token's numbers no longer lie side by side."
)(lambda x, heads: blind_split(x.swapaxes(1, 2).reshape(x.shape), heads))
split_heads.wrong("heads and tokens are still in the order (B, T, H, d_k); swap axes 1 and 2.")(
    in_heads
)
split_heads.wrong(
    "you dealt the columns out like cards; neighbours stay together: (B, T, H, d_k)."
)(cards)
split_heads.wrong("the heads are in front of the batch; the order is (B, H, T, d_k).")(
    lambda x, heads: in_heads(x, heads).transpose(2, 0, 1, 3)
)
split_heads.wrong("the last two axes are swapped; the order is (B, H, T, d_k).")(
    lambda x, heads: in_heads(x, heads).transpose(0, 2, 3, 1)
)
split_heads.wrong("d_k and the number of heads are swapped; d_k = d_model / heads.")(
    lambda x, heads: in_heads(x, x.shape[-1] // heads).swapaxes(1, 2)
)
