"""Copies: what Python computes for the drawing; run as a script, it writes golden.json."""

import numpy as np
import pytest

from lib.copying import best
from lib.pretrained import copying
from lib.pretrained.today import ChatModel
from lib.widgets import Copies
from lib.widgets.copies.copies import one_in
from tests.widgets.golden import is_fresh, write

SEEN = "words means cuts heads asks cut head place done veiled".split()


def seen(demo):
    """What the drawing shows, as JavaScript has it."""
    drawing = demo.drawing
    arrays = {
        name: np.frombuffer(getattr(drawing, name), np.float32) for name in ("bits", "shares")
    }
    numbers = {name: [round(float(each), 4) for each in array] for name, array in arrays.items()}
    looks = {"looks": list(drawing.looks)}
    return {name: getattr(drawing, name) for name in SEEN} | numbers | looks


class ThreeLayers:
    """What was recorded, but of layers 17 to 19 alone: the file is not to be large."""

    def measured(self, name, *_measure_and_inputs):
        recorded = ChatModel.recorded(copying.MEASURED)._recorded[name]
        layers = {"shares": 2, "looks": 1}
        return recorded.take([16, 17, 18], layers[name]) if name in layers else recorded


def golden():
    return seen(Copies(ThreeLayers()))


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-4)


class Counting:
    """A model of two layers of two heads, whose words cost what they are numbered."""

    def measured(self, name, measure, *inputs):
        N = copying.LONG
        if name == "shares":
            return np.array([[[[0.1, 0.9], [0.3, 0.2]], np.zeros((2, 2))]] * 3)
        if name == "word costs":
            return np.arange(len(inputs[0]) * 2 * N, dtype=np.float32).reshape(-1, 2 * N)
        if name == "looks":
            return np.zeros((2, 2, 2, N, copying.MOST), np.uint8)
        assert name == "thirty words"
        return np.array([[97, 98 + number] for number in range(N)], np.uint32)


def test_what_is_shown_is_what_the_model_gave():
    demo = Copies(Counting())
    assert demo.drawing.words[:2] == ["ab", "ac"] and demo.drawing.heads == 2
    assert demo.drawing.cuts[:2] == [[], [1, 2, 3, 0]]  # in the order of their shares
    assert demo.drawing.head == 1
    first, again = demo.drawing.means[1]
    assert (first, again) == (np.arange(61, 90).mean(), np.arange(91, 120).mean())


def test_the_four_are_those_that_the_page_cuts():
    chat = ChatModel.recorded(copying.MEASURED)
    shares = chat.measured("shares", copying.shares, copying.LONG, copying.CHOOSING)
    four = best(shares.mean(0)[0], 4)
    assert Copies().drawing.cuts[1] == [9 * layer + head for layer, head in four]


def test_the_bars_fall_and_rise_with_a_cut_but_not_with_a_cut_by_lot():
    [first, again], [_, cut], [_, lot] = Copies().drawing.means
    assert again < first / 5 and cut > 3 * again and lot < again + 0.5


def test_a_cost_in_bits_is_a_share_of_two_digits_at_most():
    assert [one_in(bits) for bits in (0.1, 2.168, 8.886, 17.67, 20)] == [
        "no surprise",
        "1 in 4",
        "1 in 470",
        "1 in 210,000",
        "1 in 1,000,000",
    ]


def test_the_words_are_thirty_different_ones():
    words = Copies().drawing.words
    assert len(words) == len(set(words)) == copying.LONG


def test_enter_tells_the_story():
    demo = Copies()
    told = []
    for _ in range(3):
        demo.drawing.veiled = False
        demo.next_step()
        told.append((demo.drawing.asks, demo.cut.value, demo.header.question))
        assert demo.drawing.veiled and demo.header.question.endswith("?")
    assert [asks for asks, _, _ in told] == ["look", "cost", "cost"]
    assert [cut for _, cut, _ in told] == ["nothing", "the four that copy", "four at random"]
    assert len({question for _, _, question in told}) == 3
    demo.next_step()  # over
    assert demo.drawing.veiled and demo.cut.value == "nothing" and demo.drawing.done == 0
    assert demo.header.question.startswith("30 random words")


def test_after_three_words_little_surprise_is_left():
    first, again = Copies().bits[0].reshape(2, -1)
    assert (again[:2] > 8).all() and (again[3:] < 7).all()
    assert again[3:].mean() < first.mean() / 8


def test_a_story_without_cuts_ends_where_a_head_looks():
    demo = Copies(cuts=False)
    demo.drawing.veiled = False
    demo.next_step()
    assert demo.drawing.asks == "look" and demo.drawing.enter == ""
    demo.cut.value = "the four that copy"  # the menu has them all the same
    assert demo.drawing.asks == "cost"


@pytest.mark.parametrize("name", ["the four that copy", "four at random"])
def test_whoever_cuts_asks_what_it_costs(name):
    demo = Copies()
    demo.drawing.set_state({"asks": "look", "cut": 0})  # what the browser sends
    look = demo.header.question
    assert "where does this head look" in look
    demo.cut.value = name
    assert demo.drawing.asks == "cost" and "how surprised now" in demo.header.question
    demo.drawing.set_state({"asks": "look", "cut": 0})
    assert demo.cut.value == "nothing" and demo.header.question == look
    demo.reset()
    assert demo.drawing.asks == "cost" and demo.header.question.startswith("30 random words")


def test_the_picture_shows_where_the_bars_fall():
    demo = Copies()
    demo.tell()
    assert not demo.drawing.veiled and demo.drawing.asks == "cost" and demo.drawing.cut == 0
    assert repr(demo) == "Copies(cut='nothing')"


if __name__ == "__main__":
    write(__file__, golden())
