"""One example of every demo, for all that is tested of every demo.

A demo that needs no arguments is found from lib/widgets/__init__.py; any other has a function here.
tests/browser/test_in_lab.py pastes this file into a page, so it imports nothing but lib.
"""

import numpy as np

from lib import saved, widgets
from lib.attention import softmax
from lib.pretrained.today import ChatModel

# Nine steps of a training: two heads, three queries, four keys.
WEIGHTS = softmax(np.random.default_rng(0).standard_normal((9, 2, 3, 4)))
QUERIES, KEYS = "it was too".split(), "cross street animal tired".split()


def attention_map():
    return widgets.AttentionMap(WEIGHTS[0], QUERIES, KEYS)


def chat():
    return widgets.Chat(ChatModel.recorded())  # the recorded answer


def equal_table():
    def compare(n):
        return {"sum": (np.ones(n), np.ones(n % 3))}

    return widgets.EqualTable(compare, n=(2, [1, 2, 3, 4]))


def live_table():
    def divide(n):
        return [["n", 6 // n]]

    return widgets.LiveTable(divide, "n", "Predict: n?", ["", "6 // n"], n=(2, [0, 1, 2]))


def training():
    return widgets.Training(WEIGHTS[0], QUERIES, KEYS, 8, question="Predict: ?")


def train_on(demo):
    """The next step of the training, after the last one the first again."""
    step = 1
    if demo.curve.x:
        step = demo.curve.x[-1] % 8 + 1
    demo.show(step, WEIGHTS[step], loss=step / 7)


def writer():
    return widgets.Writer(saved.load("writer"), seed=59)


EXAMPLES = {name: getattr(widgets, name) for name in widgets.__all__} | {
    "AttentionMap": attention_map,
    "Chat": chat,
    "EqualTable": equal_table,
    "LiveTable": live_table,
    "Training": training,
    "Writer": writer,
}
# What another cell of a page does to a demo.
FROM_BELOW = {"Training": train_on}
