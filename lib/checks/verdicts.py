"""Which exercises of a page are right: ``checks.summary()``, as plain text to copy.

What each check last said is kept for as long as the kernel runs. The table below has the exercises
of each page with their headings, in the order of the page; tests/pages/test_summary.py holds it to
the pages.
"""

import functools
from dataclasses import dataclass

RIGHT, NOT_YET, NOT_TRIED = "right", "not yet", "not tried"
FORGOTTEN = (
    "Not tried: its check has not run since the kernel started. After a restart, run your cells "
    "again."
)
NOTHING_TRIED = (
    "No exercise has been checked since the kernel started: run the cells of your exercises, then "
    "this one again. checks.summary(5) lists the exercises of page 5."
)


@dataclass(frozen=True)
class Exercise:
    """An exercise: its heading, and the name of its check.

    answer: the name of the function that it is about, where one check serves several exercises.
    """

    heading: str
    check: str
    answer: str = ""


@dataclass(frozen=True)
class Page:
    title: str
    exercises: list[Exercise]


PAGES = {
    0: Page(
        "Start here: what does a Transformer do?",
        [Exercise("Exercise: does it know them by heart?", "pronoun")],
    ),
    1: Page(
        "Dot products: how well do two vectors match?",
        [
            Exercise("1 · A dot product with a ruler", "dot_product"),
            Exercise("2 · Cosine", "cosine"),
            Exercise("3 · The worse key that wins", "worse_but_winning"),
            Exercise("4 · All cosines", "all_cosines"),
        ],
    ),
    2: Page(
        "Softmax: from scores to shares",
        [
            Exercise("1 · A softmax that survives", "softmax"),
            Exercise("2 · Find the bug", "weighted_sum"),
            Exercise("3 · How large a lead?", "lead"),
        ],
    ),
    3: Page(
        "Scaling: why divide by √d_k?",
        [
            Exercise("1 · Write it yourself", "scaling"),
            Exercise("2 · Other spreads", "score_spread"),
            Exercise("3 · The Jacobian of softmax", "softmax_jacobian"),
        ],
    ),
    4: Page(
        "Queries, keys and values: attention, step by step",
        [
            Exercise("1 · Attention, from an empty cell", "attention"),
            Exercise("2 · Find the bug", "attention", answer="buggy"),
            Exercise("3 · Find the bug again", "attention", answer="still_buggy"),
            Exercise("4 · Cross-attention", "cross_attention"),
        ],
    ),
    5: Page(
        "Multi-head: several looks at once",
        [
            Exercise("1 · Find the bug: a split", "split_heads"),
            Exercise("2 · Merge", "merge_heads"),
            Exercise("3 · Count", "parameter_count"),
            Exercise("4 · All of it, from your own parts", "multi_head"),
        ],
    ),
    6: Page(
        "Positional encoding: where am I?",
        [
            Exercise("1 · The encoding", "positions"),
            Exercise("2 · Embedding: what goes into layer 1", "embedding"),
            Exercise("3 · Find the bug", "add_positions"),
            Exercise("4 · Find the bug: rotary positions", "rotary"),
        ],
    ),
    7: Page(
        "The encoder",
        [
            Exercise("1 · Layer norm", "layer_norm"),
            Exercise("2 · Find the bug: add and norm", "post_norm"),
            Exercise("3 · Count", "encoder_parameters"),
            Exercise("4 · Your encoder layer", "encoder_layer"),
        ],
    ),
    8: Page(
        "The decoder",
        [
            Exercise("1 · Find the bug: one place off", "shift_right"),
            Exercise("2 · The loop that writes", "greedy"),
            Exercise("3 · Your own layer, in a trained model", "decoder_layer"),
        ],
    ),
    9: Page(
        "Masking: who may look at whom",
        [
            Exercise("1 · A causal mask", "causal_mask"),
            Exercise("2 · A padding mask", "padding_mask"),
            Exercise("3 · Find the bug", "masked_softmax"),
            Exercise("4 · The test itself", "is_causal"),
        ],
    ),
    10: Page(
        "Translation: train one yourself",
        [
            Exercise("Your turn: one step", "training_step"),
            Exercise("1 · Find the bug: where did the rest go?", "label_smoothing"),
            Exercise("2 · Find the bug: the top of the hill", "learning_rate"),
            Exercise("3 · The loss of a batch", "batch_loss"),
        ],
    ),
    11: Page(
        "Is the picture true?",
        [
            Exercise("1 · Find the bug: a cut with a side effect", "cut_arrow"),
            Exercise("2 · Which of three maps is evidence?", "evidence"),
            Exercise("3 · Design the control", "control"),
        ],
    ),
    12: Page(
        "Generation: a GPT from an empty page",
        [
            Exercise("What does a character cost?", "bits"),
            Exercise("1 · Count pairs", "pair_shares"),
            Exercise("Let it write", "write_on"),
            Exercise("Learn, not count", "windows"),
            Exercise("2 · One head", "causal_head"),
            Exercise("4 · A block", "block"),
            Exercise("For the curious: top-p, from an empty cell (12 minutes more)", "top_p"),
        ],
    ),
    13: Page(
        "A real model",
        [
            Exercise("Exercise 1 · Pieces, from an empty cell", "pieces"),
            Exercise("Exercise 2 · All heads, from an empty cell", "biased_heads"),
            Exercise("Exercise 3 · A fair share, from an empty cell", "fair_share"),
        ],
    ),
}
CHECKS = [exercise.check for page in PAGES.values() for exercise in page.exercises]

_last_said: dict[Exercise, bool] = {}


def remembered(check):
    """The check; what it says is kept for ``summary``, in the place of what it said before."""

    @functools.wraps(check)
    def judged(*arguments, **named):
        result = check(*arguments, **named)
        _last_said[_exercise_of(check.__name__, arguments)] = result.ok
        return result

    return judged


def _exercise_of(check, arguments):
    """The exercise that asks for such an answer; else the first one with this check."""
    answer = getattr(arguments[0], "__name__", "") if arguments else ""
    found = [each for page in PAGES.values() for each in page.exercises if each.check == check]
    for exercise in found:
        if exercise.answer and exercise.answer == answer:
            return exercise
    return found[0]


@dataclass(frozen=True)
class Summary:
    """What ``summary`` says; it shows as plain text."""

    text: str

    def __repr__(self):
        return self.text


def summary(page=None):
    """Which exercises of a page are right, not yet right, or not tried; as text to copy.

    page: its number. Without it, every page whose checks ran since the kernel started.
    """
    if page is None:
        numbers = [number for number in PAGES if _is_tried(number)]
    elif type(page) is int and page in PAGES:
        numbers = [page]
    else:
        return Summary(
            f"checks.summary takes the number of a page, {min(PAGES)} to {max(PAGES)}, as in "
            f"checks.summary(5), not {page!r}."
        )
    if not numbers:
        return Summary(NOTHING_TRIED)
    parts = ["\n".join(_lines_of(PAGES[number], number)) for number in numbers]
    if any(f"- {NOT_TRIED}: " in part for part in parts):
        parts.append(FORGOTTEN)
    return Summary("\n\n".join(parts))


def _is_tried(number):
    return any(exercise in _last_said for exercise in PAGES[number].exercises)


def _lines_of(page, number):
    verdicts = [_verdict(exercise) for exercise in page.exercises]
    yield f"Page {number} · {page.title}"
    yield f"{verdicts.count(RIGHT)} of {len(verdicts)} exercises right"
    for verdict, exercise in zip(verdicts, page.exercises, strict=True):
        yield f"- {verdict}: {exercise.heading}"


def _verdict(exercise):
    if exercise not in _last_said:
        return NOT_TRIED
    return RIGHT if _last_said[exercise] else NOT_YET
