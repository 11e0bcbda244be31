"""Chat: what Python computes for the drawing, with the recorded answer."""

import numpy as np
import pytest

from lib.pretrained.chat import END
from lib.pretrained.talk import FULL, Said, Talk
from lib.pretrained.today import FRANCE, ChatModel
from lib.widgets import Chat
from tests.widgets.golden import is_fresh, write

PARIS = 5  # the place of the token in the answer


class Spoken:
    """A model that answers "a", "b" and so on, without an end, to any question but "bad"."""

    def talk(self, question):
        if question == "bad":
            raise ValueError("This question is refused.")
        return Talk([question], lambda: map(self.said, range(4)))

    def said(self, number):
        word = "abcd"[number]
        looks = np.zeros((2, 3, 1 + number), np.uint8)
        looks[..., -1] = FULL
        return Said(word, 0.25, [(word, 0.25), ("x", 0.004)], looks)


@pytest.fixture
def recorded(tmp_path):
    return Chat(ChatModel(tmp_path / "none"))


def seen(demo):
    """What the drawing shows, as JavaScript has it."""
    names = "places words shares seen best heads layer head aim stopped".split()
    drawing = demo.drawing
    return {name: getattr(drawing, name) for name in names} | {"looks": list(drawing.looks)}


def golden():
    demo = Chat(ChatModel.recorded())
    demo.tell()
    whole = seen(demo)
    demo.drawing.chosen = PARIS
    return {"whole": whole, "paris": seen(demo)}


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden(), 1e-9)


def test_the_story_asks_where_it_was_least_sure_and_how_close_it_was(recorded):
    asked = recorded.header.question
    assert recorded.text == "The capital of France is Paris." and recorded.drawing.veiled
    assert asked == "It answers token by token. Of which was it least sure?"
    assert recorded.drawing.words[-1] == END and "Finished" in recorded.drawing.stopped
    shares = [each["share"] for each in recorded.drawing.shares]
    assert min(shares) == shares[0] and recorded.drawing.shares[0]["digits"] == "0.15"
    recorded.drawing.veiled = False
    assert recorded.drawing.enter == "How close?"
    recorded.next_step()
    assert recorded.header.question == "“The” came. How far ahead of the runner-up was it?"
    assert recorded.drawing.chosen == 0 and recorded.drawing.veiled
    assert recorded.drawing.enter == "And “Paris”?"
    recorded.next_step()
    assert recorded.drawing.chosen == PARIS and recorded.drawing.veiled
    assert recorded.drawing.enter == ""  # Enter starts over
    recorded.next_step()
    assert recorded.header.question == asked and recorded.drawing.veiled


def test_a_chosen_token_is_told_and_the_next_one_shows_the_whole_answer_again(recorded):
    recorded.go("back")
    recorded.drawing.chosen = PARIS
    assert recorded.header.question == "“Paris” came. How far ahead of the runner-up was it?"
    assert recorded.drawing.best[0]["digits"] == recorded.drawing.shares[PARIS]["digits"] == "0.95"
    recorded.go("write")
    assert recorded.drawing.seen == -1 and recorded.drawing.looks == b""
    assert "least sure" in recorded.header.question and not recorded.drawing.veiled


def test_a_token_is_taken_back_and_comes_again(recorded):
    recorded.go("back")
    assert recorded.text == "The capital of France is Paris."
    recorded.go("back")
    without = seen(recorded)
    assert recorded.text == "The capital of France is Paris" and recorded.drawing.stopped == ""
    recorded.go("write")
    recorded.go("back")
    assert seen(recorded) == without
    for _ in range(8):
        recorded.go("back")
    assert recorded.text == "The", "the first token stays"
    recorded.go("end")
    assert recorded.drawing.words[-1] == END


def test_a_look_is_shared_out_over_all_places(recorded):
    recorded.drawing.chosen = PARIS
    looks = np.frombuffer(recorded.drawing.looks, np.uint8).reshape(30, 9, -1)
    count = len(recorded.drawing.places) + PARIS
    assert looks.shape[-1] == count
    assert np.abs(looks.sum(-1, dtype=int) - FULL).max() <= count / 2


def test_the_heads_are_shown_for_france_and_stays_with_it(recorded):
    assert recorded.drawing.places[recorded.drawing.aim] == " France"
    assert recorded.drawing.layer == recorded.drawing.head == -1, "none is chosen"
    recorded.drawing.chosen = PARIS
    assert recorded.drawing.places[recorded.drawing.aim] == " France", "it stays"


def test_the_question_is_about_the_token_that_is_chosen(recorded):
    recorded.drawing.chosen = PARIS
    recorded.drawing.looked = recorded.drawing.aim
    recorded.drawing.chosen = 0
    assert recorded.header.question == "“The” came. How far ahead of the runner-up was it?"
    assert recorded.drawing.looked < 0
    recorded.drawing.looked = recorded.drawing.aim
    recorded.go("back")
    assert "least sure" in recorded.header.question and recorded.drawing.looked < 0


def test_the_form_of_a_chat_is_told_by_who_speaks(recorded):
    places = recorded.drawing.places
    assert places[:2] == ["start", "user"] and places[-1] == "assistant"


def test_without_weights_another_question_says_how_to_get_them(recorded):
    recorded.go("back")
    before = recorded.text
    recorded.asked.value = "Who wrote Hamlet?"
    assert "python3 start.py real" in recorded.header.message and FRANCE in recorded.header.message
    assert recorded.text == before


def test_another_question_begins_anew_and_a_refused_one_keeps_the_answer():
    demo = Chat(Spoken(), "one")
    demo.go("write")
    demo.asked.value = "two"
    assert demo.drawing.places == ["two"] and demo.text == "a"
    assert not demo.drawing.veiled and demo.drawing.enter == "next token"
    for refused in ("bad", "  "):
        demo.go("write")
        demo.asked.value = refused
        assert demo.header.message and demo.drawing.places == ["two"]
    demo.asked.value = "two"
    assert demo.header.message == ""


def test_beside_a_refused_question_the_answer_is_the_one_of_before(recorded):
    recorded.asked.value = "Who wrote Hamlet?"
    recorded.drawing.count = 3  # as Reset and the page set it
    recorded.refresh()
    assert recorded.text == "The capital of" and recorded.header.message


def test_what_has_no_end_stops_with_a_sentence():
    demo = Chat(Spoken(), "one")
    demo.drawing.layer, demo.drawing.head = 23, 4
    demo.go("end")
    assert demo.text == "abcd"
    assert (demo.drawing.layer, demo.drawing.head) == (1, 2), "the last of 2 layers, of 3 heads"
    assert demo.drawing.stopped == "It stops here: 4 tokens are the limit."
    demo.drawing.chosen = 3
    assert [entry["digits"] for entry in demo.drawing.best] == ["0.25", "<.01"]


def test_an_interrupt_says_so_and_the_next_token_goes_on():
    spoken, calls = Spoken(), []

    def interrupted(number):
        calls.append(number)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return Spoken.said(spoken, number)

    spoken.said = interrupted
    demo = Chat(spoken, "one")
    running = []
    demo.drawing.observe(lambda change: running.append(change.new), "running")
    demo.attempt(demo.go, "end")
    assert demo.header.message.startswith("Interrupted.") and demo.text == "ab"
    assert running == [True, False] and demo.drawing.enter == "next token"
    demo.go("end")
    assert demo.text == "abcd" and demo.drawing.enter == ""


def test_a_second_interrupt_while_the_first_one_ends_leaves_no_demo_without_enter():
    spoken, interrupts = Spoken(), [KeyboardInterrupt, KeyboardInterrupt]

    def interrupted(number):
        if number == 3 and interrupts:
            raise interrupts.pop()
        return Spoken.said(spoken, number)

    spoken.said = interrupted
    demo = Chat(spoken, "one")

    def again(change):
        if not change.new and interrupts:
            raise interrupts.pop()

    demo.drawing.observe(again, "running")
    demo.attempt(demo.go, "end")
    assert interrupts == [] and not demo.drawing.running
    assert demo.header.message.startswith("Interrupted.") and demo.drawing.enter == "next token"


if __name__ == "__main__":
    write(__file__, golden())
