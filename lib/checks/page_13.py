"""The exercises of notebook 13: the loop that writes, and top-p."""

import numpy as np

from lib.attention import softmax as library_softmax
from lib.checks.cases import shares
from lib.checks.exercises import Page
from lib.checks.gpt_mistakes import written_by
from lib.checks.judge import and_then, right
from lib.checks.run import run
from lib.checks.top_p_mistakes import WRONG_WORDS, fewest, ranks, share_of

PAGE = Page(13, "It writes")


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
    if (shares < 0).any():
        raise ValueError("draw takes shares, none below 0; is there a softmax?")
    if not np.allclose(shares.sum(-1), 1, atol=1e-4):
        raise ValueError(
            f"draw takes shares, together 1; these have {shares.sum(-1).max():.3g}. Is there a "
            "softmax over the last axis, and nothing after it? Divide by the temperature before it."
        )
    place = (shares.cumsum(-1) < 0.6).sum(-1)
    return np.atleast_1d(place) if shares.ndim == 1 else place[:, None]


AXES = "ids is (T,), a row of scores (V,), and what draw gives (1,): one axis each"


def write_on_of_page():
    from lib.saved.gpt_parts import PARTS  # only here: the checks of other pages need no torch

    return PARTS["write_on"]


@PAGE.exercise("1 · Your loop", kept="my_write_on", course=write_on_of_page)
@right(
    "the last row's shares, one draw, behind the text, and again.",
    (np.array([3, 1, 4, 6]), scores_of_a_text, draw_at_sixty, 9, 6, 0.5),
    (np.array([2, 6]), scores_of_a_text, draw_at_sixty, 10, 5, 1.6),
    (np.array([5, 0, 3, 6, 1, 2, 4]), scores_of_a_text, draw_at_sixty, 8, 3, 0.9),
    tensors=True,
    easy=(
        (
            (np.array([3, 1, 4, 6]), scores_of_a_text, draw_at_sixty, 9, 6, 0.001),
            "right where one character has all the shares; else it draws by itself, and the draw "
            "that is given is to choose: draw(shares).",
        ),
    ),
    tips=(
        (
            "same number of dimensions",
            "the model gives (1, T, V): [0, -1] is the last row, of which draw gives (1,); that "
            "stands behind ids as it is",
        ),
        ("too many indices", AXES),
        ("Dimension out of range", AXES),
        ("as element 1", "cat takes tensors: what draw gives, without .item() or int()"),
        ("attribute 'append'", "a tensor cannot grow; torch.cat([ids, ...]) makes a longer one"),
        ("zero-dimensional", "draw gives (1,) already, which stands behind ids as it is"),
    ),
)
def write_on(ids, model, draw, count, length, temperature):
    """answer(ids (T,), model, draw, count, length, temperature) -> (T + count,): a longer text."""
    return written_by(ids, model, draw, count, length, temperature)


write_on.wrong(
    "the model was given the whole text; it has places for `length` characters, the last ones."
)(lambda *case: written_by(*case, sees="all"))
write_on.wrong("the model saw the beginning of the text; give it the end.")(
    lambda *case: written_by(*case, sees="first")
)
write_on.wrong("the model saw the last character alone; give it up to `length` of them.")(
    lambda *case: written_by(*case, sees="last")
)
write_on.wrong("the model saw one character too few; give it the last `length`.")(
    lambda *case: written_by(*case, sees="short")
)
write_on.wrong("the model saw the same text each time; put what was drawn behind it.")(
    lambda *case: written_by(*case, sees="start")
)
write_on.wrong("you took the mean of all rows; only the last one is about the next character.")(
    lambda *case: written_by(*case, row=slice(None))
)
write_on.wrong("what was drawn stands before the text; put it behind the last character.")(
    lambda *case: written_by(*case, front=True)
)
write_on.wrong("you took the first row of logits; the last one says what is next.")(
    lambda *case: written_by(*case, row=0)
)
write_on.wrong("you multiplied by the temperature; divide the logits by it.")(
    lambda *case: written_by(*case, scale=case[-1])
)
write_on.wrong(
    "the temperature has no effect: it is not used, or you divided shares, and adding up to 1 "
    "takes it out again; divide the logits by it."
)(lambda *case: written_by(*case, scale=1))
write_on.wrong("softmax twice: what the model gives are logits; share out once.")(
    lambda *case: written_by(*case, share=lambda logits: library_softmax(library_softmax(logits)))
)
write_on.wrong("you took the row before the last; the last one says what is next.")(
    lambda *case: written_by(*case, row=-2)
)
write_on.wrong("the model saw one character too many; give it the last `length`.")(
    lambda *case: written_by(*case, sees="long")
)
write_on.wrong("you took the largest share; let draw choose.")(
    lambda *case: written_by(*case, draws=False)
)
write_on.wrong("what you were given is missing; the text begins with it.")(
    lambda ids, *others: written_by(ids, *others)[len(ids) :],
    lambda ids, *others: written_by(ids, *others)[len(ids) - 1 :],
)
write_on.wrong("only the end of the text came back; cut what the model reads.")(
    lambda ids, model, draw, count, length, temperature: written_by(
        ids, model, draw, count, length, temperature
    )[-length:]
)
write_on.wrong("right for a short text; of a longer one the beginning is lost. Cut what is read.")(
    lambda *case: written_by(case[0][-case[4] :], *case[1:])
)
write_on.wrong(
    "only one character was drawn: a return inside a loop ends it at once; write it below the loop."
)(lambda *case: written_by(*case[:3], 1, *case[4:]))
write_on.wrong("count characters are to be drawn, no more and no fewer.")(
    lambda *case: written_by(*case, more=-1),
    lambda *case: written_by(*case, more=1),
    lambda ids, model, draw, count, length, temperature: written_by(
        ids, model, draw, count, length, temperature
    )[:count],
)


def with_equals(answer):
    """With equal words at the border any of them may be kept."""
    kept = run(answer, EQUALS, top_p.exercise.names).value
    return "" if np.count_nonzero(kept) == 2 else TOO_MANY_EQUALS


EQUALS = (np.array([0.125, 0.5, 0.125, 0.125, 0.125]), 0.6)
TOO_MANY_EQUALS = (
    "right unless equally probable words stand at the border; the fewest are wanted: of 0.4, 0.2, "
    "0.2 and 0.2 two words reach 0.5."
)


# In the second, one word reaches p; in the third, two words reach it exactly; in the fourth, four.
@PAGE.exercise("2 · Top-p")
@and_then(with_equals)
@right(
    "the most probable words until they reach p, and what is left adds up to 1.",
    (shares(7), 0.6),
    (shares(5), 0.29),
    (np.array([0.25, 0.03125, 0.5, 0.125, 0.09375]), 0.75),
    (np.array([0.16, 0.30, 0.07, 0.22, 0.05, 0.20]), 0.75),
    arrays=True,
)
def top_p(probabilities, p):
    """answer(probabilities (words,), p) -> (words,): the fewest that reach p, adding up to 1."""
    return share_of(kept_words(probabilities, p), probabilities)


def kept_words(probabilities, p):
    """(words,): True for the fewest words that reach p."""
    return ranks(probabilities) < fewest(probabilities, p)


top_p.wrong("the right words, but they no longer add up to 1; divide by their sum.")(
    lambda probabilities, p: kept_words(probabilities, p) * probabilities
)
top_p.wrong("divide by what the kept words have together; that is more than p.")(
    lambda probabilities, p: kept_words(probabilities, p) * probabilities / p
)


def keeping(kept):
    """Two answers that keep these words: adding up to 1, and not. kept(probabilities, p)"""

    def shared(probabilities, p):
        return share_of(kept(probabilities, p), probabilities)

    return shared, lambda probabilities, p: kept(probabilities, p) * probabilities


def softmax_of_kept(probabilities, p):
    kept = kept_words(probabilities, p)
    return share_of(kept, np.exp(probabilities))


top_p.wrong(
    "right where one word reaches p, but else a softmax shares out anew; divide by the sum."
)(softmax_of_kept)

for sentence, choices in WRONG_WORDS.items():
    for kept in choices:
        top_p.wrong(sentence)(*keeping(kept))


def sorted_words(values, probabilities):
    return values[np.argsort(-probabilities)]


top_p.wrong("the words are in sorted order; put each back in its own place.")(
    lambda probabilities, p: sorted_words(top_p.solution(probabilities, p), probabilities),
    lambda probabilities, p: sorted_words(
        kept_words(probabilities, p) * probabilities, probabilities
    ),
)
top_p.wrong(
    "right where one word reaches p, but else return probabilities, not which words to keep."
)(kept_words)
top_p.wrong(
    "right where one word reaches p, but else you keep it alone; add words until they reach p."
)(lambda probabilities, p: ranks(probabilities) == 0)
