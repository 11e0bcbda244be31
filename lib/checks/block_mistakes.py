"""The mistakes that one makes in a block with its norms and sums, for the check of notebook 12.

MISTAKES: answers(x, look, think, norm_1, norm_2) by their sentence.
"""


def as_it_is(x):
    return x


def pre(x, part, norm=as_it_is):
    """A part that is added, with its norm before it."""
    return x + part(norm(x))


def post(x, part, norm):
    """A part that is added, and a norm of the sum."""
    return norm(x + part(x))


def inner(x, part, norm):
    """A part that is added, with a norm of what it returns."""
    return x + norm(part(x))


MISTAKES = {
    "this is post-norm, as in the paper; here each norm comes before its part.": [
        lambda x, look, think, norm_1, norm_2: post(post(x, look, norm_1), think, norm_2),
        lambda x, look, think, norm_1, norm_2: post(post(x, look, norm_2), think, norm_1),
        lambda x, look, think, norm_1, norm_2: pre(post(x, look, norm_1), think),
        lambda x, look, think, norm_1, norm_2: pre(post(x, look, norm_1), think, norm_2),
    ],
    "this is post-norm, and think comes first; look comes first, each norm before its part.": [
        lambda x, look, think, norm_1, norm_2: post(post(x, think, norm_1), look, norm_2),
        lambda x, look, think, norm_1, norm_2: post(post(x, think, norm_2), look, norm_1),
    ],
    "you normed what the parts return; norm what they are given.": [
        lambda x, look, think, norm_1, norm_2: inner(inner(x, look, norm_1), think, norm_2),
    ],
    "you added to the normed x; x itself runs on, only what the parts are given is normed.": [
        lambda x, look, think, norm_1, norm_2: pre(norm_2(pre(norm_1(x), look)), think),
        lambda x, look, think, norm_1, norm_2: pre(pre(norm_1(x), look), think, norm_2),
        lambda x, look, think, norm_1, norm_2: pre(norm_2(pre(x, look, norm_1)), think),
    ],
    "think reads the old x, beside look; such models exist, but here it reads the sum.": [
        lambda x, look, think, norm_1, norm_2: x + look(norm_1(x)) + think(norm_2(x)),
        lambda x, look, think, norm_1, norm_2: x + look(norm_1(x)) + think(norm_1(x)),
    ],
    "the second sum forgets what look found; add to the first sum.": [
        lambda x, look, think, norm_1, norm_2: x + think(norm_2(pre(x, look, norm_1))),
    ],
    "a residual is missing; each part is added to what was there before it.": [
        lambda x, look, think, norm_1, norm_2: think(norm_2(look(norm_1(x)))),
        lambda x, look, think, norm_1, norm_2: pre(look(norm_1(x)), think, norm_2),
        lambda x, look, think, norm_1, norm_2: think(norm_2(pre(x, look, norm_1))),
        lambda x, look, think, norm_1, norm_2: x + think(norm_2(look(norm_1(x)))),
    ],
    "a norm is missing; each part has one before it.": [
        lambda x, look, think, norm_1, norm_2: pre(pre(x, look), think),
        lambda x, look, think, norm_1, norm_2: pre(pre(x, look, norm_1), think),
        lambda x, look, think, norm_1, norm_2: pre(pre(x, look), think, norm_2),
    ],
    "one norm stands before both parts; each has its own.": [
        lambda x, look, think, norm_1, norm_2: pre(pre(x, look, norm_1), think, norm_1),
    ],
    "norm_1 and norm_2 are swapped.": [
        lambda x, look, think, norm_1, norm_2: pre(pre(x, look, norm_2), think, norm_1),
    ],
    "a norm too many: the last sum is not normed.": [
        lambda x, look, think, norm_1, norm_2: norm_2(pre(pre(x, look, norm_1), think, norm_2)),
    ],
    "think is missing.": [lambda x, look, think, norm_1, norm_2: pre(x, look, norm_1)],
    "look is missing.": [lambda x, look, think, norm_1, norm_2: pre(x, think, norm_2)],
    "look comes first, then think.": [
        lambda x, look, think, norm_1, norm_2: pre(pre(x, think, norm_2), look, norm_1),
        lambda x, look, think, norm_1, norm_2: pre(pre(x, think, norm_1), look, norm_2),
    ],
}
