"""The bank: for each exercise, the answers that stand beside its check, and more of them.

What lib.checks stores, right answers and mistakes with their sentences, is in the bank by itself.
Written here is what is a second, independent spelling: other styles, PyTorch, loops that end too
early, other shapes, answers that stop. They are written as a learner would write them, one file for
each page, ``page_NN.py``. All that a new answer needs is one line there, and a new page needs a
file of that name, if any, and nothing else:

    right("cosine")(lambda q, k: q @ k / np.linalg.norm(q) / np.linalg.norm(k))
    wrong("cosine", "part of the sentence that must name it")(lambda q, k: np.sum(q * k))

    @wrong("cosine", "changes its input q")  # the same for an answer of more than one line
    def _(q, k):
        q /= np.linalg.norm(q)
        return q @ k / np.linalg.norm(k)

``from tests.checks.bank import BANK`` loads every page.
"""

from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np

from lib.checks.exercises import CHECKS
from lib.checks.judge import NumberExercise


class Answers:
    """The answers to one exercise, each as a tuple of the arguments that its check takes."""

    def __init__(self):
        self.right = []  # arguments
        self.wrong = []  # (arguments, part of the sentence that must name the mistake)


BANK = defaultdict(Answers)  # by the name of the check


def right(check):
    """Puts an answer that ``check`` has to accept into the bank."""

    def keep(*arguments):
        BANK[check].right.append(arguments)
        return arguments[0]

    return keep


def wrong(check, sentence):
    """Puts an answer that ``check`` has to reject, saying ``sentence``, into the bank."""

    def keep(*arguments):
        BANK[check].wrong.append((arguments, sentence))
        return arguments[0]

    return keep


def numbers(check, rights, wrongs):
    """The answers to an exercise that asks for one number; ``wrongs``: (number, sentence)."""
    for value in rights:
        right(check)(value)
    for value, sentence in wrongs:
        wrong(check, sentence)(value)


def softmax(scores, axis=-1):
    """For answers whose exercise is another one; a row of -inf alone gives NaN, as learners get."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def put_in(check, exercise):
    """What stands beside a check, as answers to it."""
    right(check)(exercise.solution() if isinstance(exercise, NumberExercise) else exercise.solution)
    for mistake in exercise.mistakes:
        wrong(check, mistake.sentence)(mistake.answer)


for check in CHECKS:
    exercise = getattr(CHECKS[check], "exercise", None)
    if exercise:
        put_in(check, exercise)

# At the end, because the pages import what stands above.
for page in sorted(Path(__file__).parent.glob("page_*.py")):
    import_module(f"{__name__}.{page.stem}")
