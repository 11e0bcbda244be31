"""The exercises of notebook 14: heads with biases, a head tried on new pairs, word pieces."""

import numpy as np

from lib.attention import merge_heads, split_heads
from lib.attention import softmax as library_softmax
from lib.checks.attention_mistakes import (
    NO_SCALING,
    NO_SOFTMAX,
    OVER_QUERIES,
    attend,
    largest_of_rows_and_sum_of_the_table,
    over_the_table,
    weigh,
)
from lib.checks.cases import normal
from lib.checks.exercises import Page
from lib.checks.judge import Result, right
from lib.checks.run import run, stopped

PAGE = Page(14, "A real model")

# -- heads with biases -----------------------------------------------------------------------------


def _parts(T, d_model, heads):
    """x (T, d_model), W (4, d_model, d_model), b (4, d_model), heads."""
    W = 0.9 * normal(4, d_model, d_model) / d_model**0.5
    return normal(T, d_model), W, normal(4, d_model, seed=1), heads


def without_the_keys_bias(answer):
    """What to say of a right answer that leaves b[1] out: an infinite one does it no harm."""
    x, W, b, heads = _parts(5, 12, 3)
    b[1] = np.inf
    found = run(answer, (x, W, b, heads), biased_heads.exercise.names).value
    is_left_out = found is not None and np.isfinite(found).all()
    return "you left out the keys' bias, b[1], and it makes no difference." if is_left_out else ""


@PAGE.exercise("Exercise 1 · All heads, with biases", kept="my_heads")
@right(
    "this is what each layer of the model does.",
    _parts(5, 12, 3),
    _parts(7, 10, 2),
    arrays=True,
    remark=without_the_keys_bias,
    easy=(
        (
            _parts(6, 14, 1),  # sizes of their own: what is written in as a number stays wrong
            "right for one head only; of several, what each found, (T, d_k), goes side by side "
            "again, (T, d_model), before W[3].",
        ),
    ),
)
def biased_heads(x, W, b, heads):
    """answer(x (T, d_model), W (4, d_model, d_model), b (4, d_model), heads) -> (T, d_model)."""
    return mixed(x, W, b, heads) @ W[3] + b[3]


def mixed(x, W, b, heads):
    """(T, d_model): what the heads found, side by side, before the output matrix."""
    return merge_heads(attend(*split_parts(x, W, b, heads)))


def past(scores):
    return np.tri(scores.shape[-1], dtype=bool)


def split_parts(x, W, b, heads):
    """Queries, keys and values, each (H, T, d_k)."""
    return [split_heads(x @ W[i] + b[i], heads) for i in range(3)]


def with_biases(*kept):
    """The right answer with some of the four biases; 0 leaves one out."""

    def answer(x, W, b, heads):
        return biased_heads.solution(x, W, b * np.array(kept)[:, None], heads)

    return answer


biased_heads.wrong("the last bias is missing, that of the output matrix.")(with_biases(1, 1, 1, 0))
biased_heads.wrong("no bias was added; each of the four matrices has one.")(with_biases(0, 0, 0, 0))
biased_heads.wrong("queries, keys and values have biases too: x @ W[0] + b[0].")(
    with_biases(0, 0, 0, 1)
)
biased_heads.wrong("the queries' bias is missing: x @ W[0] + b[0].")(with_biases(0, 1, 1, 1))
biased_heads.wrong("the values' bias is missing: x @ W[2] + b[2].")(with_biases(1, 1, 0, 1))
biased_heads.wrong("the values got b[0]; each matrix has a bias of its own: x @ W[2] + b[2].")(
    lambda x, W, b, heads: biased_heads.solution(x, W, b[[0, 1, 0, 3]], heads)
)
biased_heads.wrong("W[0] to W[3] stand as they are used: x @ W[0], without .T.")(
    lambda x, W, b, heads: biased_heads.solution(x, W.swapaxes(1, 2), b, heads),
    lambda x, W, b, heads: mixed(x, W, b, heads) @ W[3].T + b[3],
    lambda x, W, b, heads: mixed(x, W.swapaxes(1, 2), b, heads) @ W[3] + b[3],
)
biased_heads.wrong("the last bias came before the last matrix; add b[3] after @ W[3].")(
    lambda x, W, b, heads: (mixed(x, W, b, heads) + b[3]) @ W[3]
)
biased_heads.wrong("the output matrix is missing: the last of the four, with b[3].")(mixed)
biased_heads.wrong("there is one head only; split before attending.")(
    lambda x, W, b, heads: biased_heads.solution(x, W, b, heads=1)
)


def with_weights(weights_of):
    """The right answer, but for its weights. weights_of(queries, keys), each (H, T, d_k)"""

    def answer(x, W, b, heads):
        q, k, v = split_parts(x, W, b, heads)
        return merge_heads(weights_of(q, k) @ v) @ W[3] + b[3]

    return answer


def of_all_heads(share):
    """Shares of the tables of all heads as of one."""
    return lambda scores: share(scores.reshape(-1, scores.shape[-1])).reshape(scores.shape)


def with_cut(split, merge):
    """The right answer, cut and merged otherwise. split(x (T, d_model), heads), merge(found)"""

    def answer(x, W, b, heads):
        parts = [split(x @ W[i] + b[i], heads) for i in range(3)]
        return merge(attend(*parts)) @ W[3] + b[3]

    return answer


def cut_by_reshape(x, heads):
    return x.reshape(heads, len(x), -1)


def merge_by_reshape(found):
    return found.reshape(found.shape[1], -1)


def never_swapped(x, heads):
    return x.reshape(len(x), heads, -1)


def dealt(x, heads):
    """Column by column to one head after the other, like cards."""
    return x.reshape(len(x), -1, heads).transpose(2, 0, 1)


biased_heads.wrong(NO_SCALING)(with_weights(lambda q, k: weigh(q, k, 1)))
biased_heads.wrong("you divided by the root of d_model; take the width of one head, d_k.")(
    with_weights(lambda q, k: weigh(q, k, (len(q) * q.shape[-1]) ** 0.5))
)
biased_heads.wrong("you divided by d_k; divide by its square root.")(
    with_weights(lambda q, k: weigh(q, k, q.shape[-1]))
)
biased_heads.wrong("you divided by the root of T; take the width of one head, d_k.")(
    with_weights(lambda q, k: weigh(q, k, q.shape[1] ** 0.5))
)
biased_heads.wrong("you divided by the root of the number of heads; take the width of one, d_k.")(
    with_weights(lambda q, k: weigh(q, k, len(q) ** 0.5))
)
biased_heads.wrong(NO_SOFTMAX)(with_weights(lambda q, k: weigh(q, k, share=lambda scores: scores)))
biased_heads.wrong(OVER_QUERIES)(
    with_weights(lambda q, k: weigh(q, k, share=lambda scores: library_softmax(scores, axis=-2)))
)
over_one = (over_the_table, largest_of_rows_and_sum_of_the_table)
for over_tables in (*over_one, *map(of_all_heads, over_one)):
    biased_heads.wrong("the softmax runs over whole tables; each row on its own has to sum to 1.")(
        with_weights(lambda q, k, share=over_tables: weigh(q, k, share=share))
    )
biased_heads.wrong("the softmax runs over the heads; it belongs over the keys, axis -1.")(
    with_weights(lambda q, k: weigh(q, k, share=lambda scores: library_softmax(scores, axis=0)))
)
biased_heads.wrong("this model reads in both directions: nothing is masked.")(
    with_weights(
        lambda q, k: weigh(
            q, k, share=lambda scores: library_softmax(np.where(past(scores), scores, -np.inf))
        )
    )
)
biased_heads.wrong("queries and keys are swapped: W[0] makes the queries, W[1] the keys.")(
    lambda x, W, b, heads: biased_heads.solution(x, W[[1, 0, 2, 3]], b[[1, 0, 2, 3]], heads)
)
for mixed_up in ([0, 2, 1, 3], [0, 0, 0, 3]):
    biased_heads.wrong(
        "matrices are mixed up: W[0] makes queries, W[1] keys, W[2] values; b likewise."
    )(
        lambda x, W, b, heads, order=mixed_up: biased_heads.solution(x, W[order], b[order], heads),
        lambda x, W, b, heads, order=mixed_up: biased_heads.solution(x, W[order], b, heads),
    )
biased_heads.wrong("the last bias was added once for each head; add b[3] once, at the end.")(
    lambda x, W, b, heads: mixed(x, W, b, heads) @ W[3] + heads * b[3]
)
biased_heads.wrong("a bias comes after its matrix: x @ W[0] + b[0].")(
    lambda x, W, b, heads: (
        merge_heads(attend(*(split_heads((x + b[i]) @ W[i], heads) for i in range(3)))) @ W[3]
        + b[3]
    )
)
biased_heads.wrong("x was added; the sums stand around this, in the layer.")(
    lambda x, W, b, heads: biased_heads.solution(x, W, b, heads) + x
)
biased_heads.wrong(
    "you cut by reshape alone; reshape to (T, heads, d_k), then swap the first two axes."
)(with_cut(cut_by_reshape, merge_heads), with_cut(cut_by_reshape, merge_by_reshape))
biased_heads.wrong("right heads, wrong merge: swap heads and tokens back before you reshape.")(
    with_cut(split_heads, merge_by_reshape)
)
biased_heads.wrong(
    "each token looks at its own heads, not at the other tokens: after reshape(T, heads, d_k) swap "
    "the first two axes."
)(
    with_cut(never_swapped, lambda found: found.reshape(len(found), -1)),
    with_cut(never_swapped, lambda found: found.swapaxes(0, 1).reshape(len(found), -1)),
)
biased_heads.wrong(
    "the heads are not merged; put what they found side by side, (T, d_model), before W[3]."
)(with_cut(split_heads, lambda found: found))
biased_heads.wrong(
    "the columns were dealt like cards; a head has d_k neighbouring ones: reshape to (T, heads, "
    "d_k)."
)(
    with_cut(dealt, merge_heads),
    with_cut(dealt, lambda found: found.transpose(1, 2, 0).reshape(found.shape[1], -1)),
)


# -- a head tried on new pairs ---------------------------------------------------------------------


def heads_on_pairs(H, N, few, seed):
    """right_pairs (H, N) and choosing (N,), True for few of them."""
    random = np.random.default_rng([seed, H, N])
    return random.random((H, N)) < 0.5, random.permutation(N) < few


def best(pairs):
    """The head that is right most often; of several the first."""
    return pairs.mean(1).argmax()


@PAGE.exercise("Exercise 2 · A fair share, from an empty cell")
@right(  # no two mistakes come to the same share by chance; in the last, five heads are best
    "chosen on some pairs, tried on others.",
    heads_on_pairs(5, 14, few=6, seed=1340),
    heads_on_pairs(4, 19, few=8, seed=206),
    heads_on_pairs(7, 17, few=7, seed=18613),
)
def fair_share(right_pairs, choosing):
    """answer(right_pairs (H, N), choosing (N,)) -> number: the chosen head's share of the rest."""
    return right_pairs[best(right_pairs[:, choosing]), ~choosing].mean()


fair_share.wrong("you test on the pairs that chose the head: that flatters.")(
    lambda right_pairs, choosing: right_pairs[:, choosing].mean(1).max()
)
fair_share.wrong("the pairs of the test chose the head; let the others do.")(
    lambda right_pairs, choosing: right_pairs[:, ~choosing].mean(1).max()
)
fair_share.wrong("this is the best head on all pairs; part them first.")(
    lambda right_pairs, choosing: right_pairs.mean(1).max()
)
fair_share.wrong("the pairs of the test chose the head too; let the others do it alone.")(
    lambda right_pairs, choosing: right_pairs[best(right_pairs), ~choosing].mean()
)
fair_share.wrong("this is the number of the head; give its share of the other pairs.")(
    lambda right_pairs, choosing: best(right_pairs[:, choosing])
)
fair_share.wrong("this is 100 times the share; give it from 0 to 1.")(
    lambda right_pairs, choosing: 100 * fair_share.solution(right_pairs, choosing)
)
fair_share.wrong(
    "argmax of a table counts through all its cells; take the mean of each head's row first."
)(lambda right_pairs, choosing: right_pairs[right_pairs[:, choosing].argmax(), ~choosing].mean())
fair_share.wrong("this mean is one for each pair; one for each head is wanted: mean(1).")(
    lambda right_pairs, choosing: right_pairs[
        right_pairs[:, choosing].mean(0).argmax(), ~choosing
    ].mean()
)
fair_share.wrong("this is a count; give the share of the pairs.")(
    lambda right_pairs, choosing: right_pairs[best(right_pairs[:, choosing]), ~choosing].sum()
)
fair_share.wrong("right where one head is best; of equal heads take the first.")(
    lambda right_pairs, choosing: right_pairs[
        right_pairs[:, choosing].mean(1).argsort(kind="stable")[-1], ~choosing
    ].mean()
)
fair_share.wrong("this is the mean of all heads; take the head that was chosen.")(
    lambda right_pairs, choosing: right_pairs[:, ~choosing].mean(),
    lambda right_pairs, choosing: right_pairs.mean(),
)
fair_share.wrong("you test on all pairs; leave out those that chose the head.")(
    lambda right_pairs, choosing: right_pairs[best(right_pairs[:, choosing])].mean()
)
fair_share.wrong("choosing is turned round: its True pairs choose, the others test.")(
    lambda right_pairs, choosing: fair_share.solution(right_pairs, ~choosing)
)


# -- word pieces -----------------------------------------------------------------------------------

MOST_LOOKS = 10_000  # into the vocabulary: then a loop does not end
SHORT = 60  # letters of what an answer returned
PIECES = [
    "[UNK]", "p", "##l", "##y", "play", "##play", "##ing", "ing", "##er", "##ers", "##s", "##in",
    "##g", "un", "una", "##ff", "##ffa", "##ble", "##b", "able", "##able", "a", "##a", "##le",
    "##f", "##fabl", "under", "und", "##stand", "##st",
]  # fmt: skip
CUT = {  # word: its pieces
    "play": ["play"],
    "playing": ["play", "##ing"],
    "players": ["play", "##ers"],
    "unaffable": ["una", "##ffa", "##ble"],
    "playzz": ["[UNK]"],
    "zebra": ["[UNK]"],
    "py": ["p", "##y"],  # of one letter each
    "understand": ["under", "##stand"],  # five letters each
    "unfable": ["[UNK]"],  # un ##fabl is stuck, un ##f ##able would not be
}


class _Vocabulary(dict):
    """Keeps what it was asked for, and ends an endless loop."""

    def __init__(self):
        super().__init__(zip(PIECES, range(len(PIECES)), strict=True))
        self.asked = []

    def __contains__(self, piece):
        self.asked.append(piece)
        if len(self.asked) > MOST_LOOKS:
            raise RuntimeError("the vocabulary was asked too often; does your loop end?")
        return super().__contains__(piece)

    def get(self, piece, otherwise=None):
        return super().get(piece, otherwise) if piece in self else otherwise


@PAGE.exercise("Exercise 3 · Pieces, from an empty cell")
def pieces(answer):
    """answer(word, vocabulary) -> the list of its pieces, or ["[UNK]"]."""
    if not callable(answer):
        return Result(False, "this check takes your function; give its name, without ().")
    for word, wanted in CUT.items():
        vocabulary = _Vocabulary()
        try:
            found = answer(word, vocabulary)
        except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
            return Result(False, f"{stopped(error)} (word {word!r}).")
        if found is None or found is Ellipsis:
            return Result(False, "your function returns nothing yet; end it with return.")
        if not isinstance(found, list):
            return Result(False, f"{word!r}: a list of pieces is wanted, not {str(found)[:SHORT]}.")
        if found != wanted:
            return Result(False, _mistake(word, found, wanted, vocabulary.asked))
    return Result(True, "the longest known beginning, then the longest that goes on from there.")


def _mistake(word, found, wanted, asked):
    """The sentence for these pieces of a word. asked: what was looked up in the vocabulary."""
    bare = [str(piece).removeprefix("##") for piece in found]
    if wanted == ["[UNK]"] and "".join(bare) == word and all(piece in PIECES for piece in found):
        return f"{word!r}: greedy never goes back; where the longest is stuck, it is ['[UNK]']."
    if found == ["[UNK]"] != wanted and asked:
        return f"{word!r}: {_never_asked(wanted, asked)}"
    if wanted == ["[UNK]"]:
        return f"{word!r} has a rest that no piece begins: the whole word is ['[UNK]'] then."
    if bare == [piece.removeprefix("##") for piece in wanted]:
        return f"{word!r}: the first piece stands as it is; all others begin with ##."
    if "".join(bare) == word and len(found) > len(wanted):
        return f"{word!r}: {found} are known pieces, but not the longest ones."
    if "".join(bare) == word and any(piece not in PIECES for piece in found):
        return f"{word!r}: {found} are not all in the vocabulary; pieces behind the first have ##."
    if found == wanted[: len(found)]:
        return f"{word!r}: you stop after {found}; go on from there."
    return f"{word!r}: {str(found)[:SHORT]} is not {wanted}."


def _never_asked(wanted, asked):
    """Why a word is [UNK] though it has pieces: the first of them that was not looked up."""
    piece = next((piece for piece in wanted if piece not in asked), None)
    if piece is None:
        return "all its pieces were found; the word is not ['[UNK]'] then."
    if piece.removeprefix("##") in asked and piece.startswith("##"):
        return f"'{piece[2:]}' was looked up; behind the first piece it is '{piece}'."
    if len(piece.removeprefix("##")) == 1:
        return "a piece may be one letter long; your ends stop before that."
    return f"{piece!r} is in the vocabulary, and was never looked up."
