"""Norms and parts at the wrong place in a block, for the check of notebook 12."""

from lib.checks.tables import wrong, wrongs


def norms_and_order(x, look, think, norm_1, norm_2):
    """Rows for norms that are missing or used twice, and parts that are missing or turned."""
    looked = x + look(norm_1(x))
    bare = x + look(x)
    yield from wrongs(
        "a norm is missing; each part has one before it.",
        bare + think(bare),
        looked + think(looked),
        bare + think(norm_2(bare)),
    )
    yield wrong(looked + think(norm_1(looked)), "norm_1 stands before both; each has its own.")
    other = x + look(norm_2(x))
    yield wrong(other + think(norm_1(other)), "norm_1 and norm_2 are swapped.")
    yield wrong(
        norm_2(looked + think(norm_2(looked))), "a norm too many: the last sum is not normed."
    )
    yield wrong(looked, "think is missing.")
    thought = x + think(norm_2(x))
    yield wrong(thought, "look is missing.")
    turned = x + think(norm_1(x))
    yield from wrongs(
        "look comes first, then think.",
        thought + look(norm_1(thought)),
        turned + look(norm_2(turned)),
    )


def post_norm(x, look, think, norm_1, norm_2):
    """Rows for norms that stand behind the sums: all of them, or the first alone."""
    summed, other = norm_1(x + look(x)), norm_2(x + look(x))
    yield from wrongs(
        "this is post-norm, as in the paper; here each norm comes before its part.",
        norm_2(summed + think(summed)),
        norm_1(other + think(other)),
        summed + think(summed),
        summed + think(norm_2(summed)),
    )
    thought = norm_1(x + think(x))
    other = norm_2(x + think(x))
    yield from wrongs(
        "this is post-norm, and think comes first; look comes first, each norm before its part.",
        norm_2(thought + look(thought)),
        norm_1(other + look(other)),
    )
