"""Writer: what is drawn, kept, taken back, refused; it writes what lib.decoding writes."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lib import decoding
from lib.modules import LanguageModel
from lib.sampling import filtered
from lib.widgets import Writer

WORDS = "<pad> <start> <end> the animal street didn't cross was tired wide old it too".split()
FOLLOWS = {
    None: "the",
    "the": "animal street old",
    "animal": "didn't was",
    "street": "was <end> didn't",
    "didn't": "cross",
    "cross": "the it",
    "was": "too tired wide old",
    "too": "tired wide",
}


class Fake:
    """Knows which words may follow which; the padding and the start never come."""

    words = WORDS

    def scores(self, tokens):
        unknown = [token for token in tokens if token not in WORDS]
        if unknown:
            raise ValueError(f"“{unknown[0]}” is not one of the {len(WORDS)} words.")
        scores = np.zeros(len(WORDS), np.float32)
        scores[:2] = -np.inf
        for place, word in enumerate(FOLLOWS.get(tokens[-1] if tokens else None, "<end>").split()):
            scores[WORDS.index(word)] = 4 - place / 2
        return scores


class Endless(Fake):
    def scores(self, tokens):
        scores = super().scores(tokens)
        scores[2] = -np.inf
        return scores


def press(demo, description, times=1):
    for _ in range(times):
        if description == "next word":  # a key of the drawing: it shows the strip, then draws
            for _ in range(1 if demo.drawing.opened else 2):
                demo.drawing._handle_custom_msg({"type": "write"}, [])
            continue
        next(button for button in demo.controls if description in button.description).click()


def press_enter(demo):
    """What the drawing sends when the answer is shown and Enter is pressed."""
    demo.drawing.veiled = False
    demo.drawing.presses += 1


def steps(demo):
    return demo.drawing.picture["steps"]


@pytest.fixture
def demo():
    return Writer(Fake())


def test_at_the_start_nothing_is_written(demo):
    assert demo.tokens == ["the", "animal"] and demo.text == "the animal"
    assert [step["word"] for step in steps(demo)] == [""] and demo.drawing.picture["stopped"] == ""
    np.testing.assert_allclose(demo.probabilities, filtered(Fake().scores(demo.tokens)), rtol=1e-5)
    assert demo.drawing.veiled and demo.header.message == ""
    assert steps(demo)[0]["says"] == "“didn't” leads with 0.56."


def test_each_word_stands_where_its_dart_fell():
    torch.manual_seed(0)
    vocabulary = SimpleNamespace(
        words=WORDS, encode=lambda tokens: [WORDS.index(token) for token in tokens]
    )
    writer = decoding.WritingModel(LanguageModel(len(WORDS), 8, 2, 1, 16), vocabulary)
    for seed, *settings in ((0, 1.0, len(WORDS), 1.0), (3, 0.5, 5, 0.9)):
        demo = Writer(writer, "the street", seed)
        demo.temperature.value, demo.top_k.value, demo.top_p.value = settings
        press(demo, "to the end")
        darts = np.random.default_rng(seed).random(Writer.limit)
        for i, step in enumerate(steps(demo)):
            scores = np.sort(writer.scores(demo.tokens[: 2 + i]))[::-1]
            ends = np.cumsum(filtered(scores, *settings))
            number = np.searchsorted(ends, darts[i])
            likely = np.argsort(-writer.scores(demo.tokens[: 2 + i]), kind="stable")
            assert step["fell"] == darts[i] and step["word"] == WORDS[likely[number]]
            start = sum(part["now"] for part in step["parts"][: step["chosen"]])
            share = step["parts"][step["chosen"]]["now"]
            assert start - 1e-6 <= darts[i] <= start + share + 1e-6
    assert Writer.limit == decoding.LONGEST


def test_a_word_taken_back_comes_again(demo):
    press(demo, "to the end")
    whole, seen = demo.tokens, [*steps(demo)]
    assert whole[-1] == "<end>" and demo.text == " ".join(whole[:-1]) and len(whole) > 4
    for step, so_far in zip(seen, range(2, len(whole)), strict=True):
        before = whole[:so_far]
        share = filtered(Fake().scores(before))[WORDS.index(whole[so_far])]
        assert step["word"] == whole[so_far] and step["says"].endswith(f" {share:.2f}.")
        assert step["parts"][step["chosen"]]["word"] == whole[so_far]
    press(demo, "take one back", 3)
    assert demo.tokens == whole[:-3] and demo.drawing.picture["stopped"] == ""
    press(demo, "next word", 5)
    assert demo.tokens == whole and steps(demo) == seen
    press(demo, "take one back", 40)
    assert demo.tokens == ["the", "animal"], "the prompt stays"


def test_the_seed_decides():
    texts = {}
    for seed in (0, 0, 1, 2, 3):
        demo = Writer(Fake(), seed=seed)
        press(demo, "to the end")
        assert texts.setdefault(seed, demo.text) == demo.text
    assert len(set(texts.values())) > 1


def test_cold_or_one_word_is_the_most_probable():
    for name, value in (("temperature", 0.1), ("top_k", 1), ("top_p", 0.1)):
        demo = Writer(Fake(), seed=5)
        getattr(demo, name).value = value
        press(demo, "next word", 3)
        assert demo.tokens == ["the", "animal", "didn't", "cross", "the"]


def test_sliders_change_what_comes_and_not_what_was(demo):
    press(demo, "next word", 3)
    press(demo, "take one back")
    kept = steps(demo)[:2]
    demo.temperature.value, demo.top_k.value, demo.top_p.value = 2.0, 3, 0.5
    assert steps(demo)[:2] == kept
    expected = filtered(np.array(Fake().scores(demo.tokens), float), 2.0, 3, 0.5)
    np.testing.assert_array_equal(demo.probabilities, expected)
    left, newest = np.count_nonzero(expected), steps(demo)[-1]
    assert f" {left} of 12 words are left." in newest["says"]
    assert newest["parts"][-1]["last"] == left, "what is left out has no part"
    assert sum(part["now"] for part in newest["parts"]) == pytest.approx(1)
    press(demo, "next word")
    assert f" {left} of 12 words are left." in steps(demo)[2]["says"]


def test_under_the_newest_dart_the_strip_is_cut_anew():
    demo = Writer(Endless())
    press(demo, "next word", 2)
    first, second = steps(demo)
    drawn = set()
    for demo.temperature.value in (0.1, 1.0, 3.0):
        assert steps(demo)[0] == first and steps(demo)[1]["fell"] == second["fell"]
        drawn.add(steps(demo)[1]["word"])
    assert len(drawn) > 1, "the dart stays, the word under it does not"


class Many:
    """Forty words, nearly alike."""

    words = [f"word{i}" for i in range(40)]

    def scores(self, tokens):
        return np.linspace(1, 0, 40)


def test_the_likely_words_and_the_one_drawn_have_a_part_of_their_own():
    demo, rare = Writer(Many(), "word0"), 0
    for _ in range(20):
        press(demo, "draw again")
        [step] = steps(demo)
        names = [part["word"] for part in step["parts"]]
        assert names[:16] == Many.words[:16] and names[step["chosen"]] == step["word"]
        others = [name for name in names if name.endswith(" others")]
        assert sum(int(name.split()[0]) for name in others) == len(Many.words) - len(names) + len(
            others
        )
        rare += step["chosen"] > 15
    assert rare > 1, "also one that is not among the sixteen most probable"
    demo.top_k.value = 5
    assert [part["word"] for part in steps(demo)[0]["parts"]] == Many.words[:5]


def test_drawing_again(demo):
    press(demo, "next word", 2)
    press(demo, "draw again")
    assert demo.drawing.seed == 1 and len(demo.tokens) == 4
    other = Writer(Fake(), seed=1)
    press(other, "next word", 2)
    assert demo.tokens == other.tokens
    press(demo, "to the end")
    press(demo, "draw again")
    assert demo.drawing.picture["stopped"] and demo.drawing.seed == 2
    demo.reset()
    assert demo.drawing.seed == 0 and demo.tokens == ["the", "animal"] and len(steps(demo)) == 1


def test_why_it_stops():
    demo = Writer(Fake(), "the street")
    demo.top_p.value = 0.1
    press(demo, "to the end")
    assert (
        demo.tokens[-1] == "<end>"
        and demo.drawing.picture["stopped"] == "Stopped: “<end>” is the end token."
    )
    stopped = demo.drawing.picture
    press(demo, "next word")
    assert demo.drawing.picture == stopped
    endless = Writer(Endless())
    press(endless, "to the end", 2)
    assert (
        len(endless.tokens) == 2 + Writer.limit
        and endless.drawing.picture["stopped"] == "Stopped: 24 words are the limit."
    )


def test_a_whole_text_is_written_again_with_other_settings(demo):
    press(demo, "to the end")
    warm = demo.text
    demo.temperature.value = 0.1
    assert demo.text != warm and demo.drawing.picture["stopped"]
    other = Writer(Fake())
    other.temperature.value = 0.1
    press(other, "to the end")
    assert demo.tokens == other.tokens, "the same random numbers, the settings of now"
    demo.temperature.value = 1.0
    assert demo.text == warm


def test_the_story_ends_hot_and_veiled(demo):
    first = demo.header.question
    assert first == "Which word comes next?" and demo.drawing.enter == "draw"
    press_enter(demo)
    assert len(steps(demo)) == len(demo.drawing.written) == 1
    press_enter(demo)
    press_enter(demo)
    assert demo.header.question == "Temperature 0.2: how often does the likeliest word come?"
    assert demo.drawing.picture["stopped"] and demo.drawing.veiled, "asked before it is seen"
    demo.temperature.value = 1.0
    assert demo.drawing.enter == "temperature 3?"
    press_enter(demo)
    assert demo.header.question == "Temperature 3: still sentences?"
    assert demo.drawing.veiled and demo.drawing.enter == "", "after this text the story is over"
    other = Writer(Fake())
    other.temperature.value = 3.0
    press(other, "to the end")
    assert demo.tokens == other.tokens, "the same random numbers"
    assert demo.drawing.picture["fits"] == "no"
    whole = "No: no training sentence is built like this. The likeliest came: {}."
    assert demo.drawing.picture["whole"] == whole.format(demo.drawing.picture["came"])
    press_enter(demo)
    assert demo.header.question == first and demo.temperature.value == 1.0
    assert demo.tokens == ["the", "animal"] and demo.drawing.veiled


def test_at_temperature_3_it_is_said_whether_the_text_is_a_sentence():
    class Knows(Fake):
        words, last = [*WORDS, "because"], "tired"
        text = "the animal didn't cross the street because it was too".split()

        def scores(self, tokens):
            scores = np.zeros(len(self.words), np.float32)
            after = [*self.text, self.last, "<end>"]
            scores[self.words.index(after[len(tokens)])] = 9
            return scores

    for last, fits in [("tired", "yes"), ("street", "no")]:
        demo = Writer(Knows())
        demo.writer.last = last
        demo.top_k.value = 1
        press(demo, "to the end")
        assert demo.drawing.picture["fits"] == "", "nobody asked"
        demo.temperature.value = 3.0
        assert demo.drawing.picture["fits"] == fits
        assert demo.header.question == "Temperature 3: still sentences?"


def test_the_dart_that_fell_is_asked_once_more_at_a_low_temperature(demo):
    press_enter(demo)
    [warm] = steps(demo)
    assert demo.drawing.enter == "temperature 0.2?"
    press_enter(demo)
    [cool] = steps(demo)
    assert demo.drawing.veiled and "first dart at temperature 0.2" in demo.header.question
    assert cool["fell"] == warm["fell"] and cool["parts"][0]["now"] > 0.9 > warm["parts"][0]["now"]
    demo.drawing.veiled = False
    demo.temperature.value = 0.5
    assert demo.header.question == "Which word comes next?", "of another temperature nobody asked"
    press(demo, "next word")
    assert [step["word"] for step in steps(demo)][1:] and not demo.drawing.veiled


def test_whatever_was_drawn_before_the_story_begins_with_the_first_dart():
    demo, cool = Writer(Endless()), Writer(Endless())
    press(demo, "next word", 3)
    first = steps(demo)[0]["fell"]
    press_enter(demo)
    assert [step["fell"] for step in steps(demo)] == [first] and demo.drawing.veiled
    demo.temperature.value = 3.0
    press(demo, "next word", 2)
    demo.temperature.value = 0.2
    press_enter(demo)
    assert demo.header.question.startswith("Temperature 0.2: how often") and demo.drawing.veiled
    cool.temperature.value = 0.2
    press(cool, "to the end")
    assert demo.drawing.picture == cool.drawing.picture, "no word of another temperature is counted"


def test_a_text_that_cannot_be_written_hot_stays_to_be_seen():
    class Cold(Fake):
        cold = True

        def scores(self, tokens):
            if not self.cold:
                raise ValueError("too hot.")
            return super().scores(tokens)

    demo = Writer(Cold())
    press(demo, "to the end")
    kept, demo.writer.cold = demo.tokens, False
    press_enter(demo)
    assert demo.header.message == "too hot." and demo.tokens == kept
    asked = "Temperature 1: how often does the likeliest word come?"
    assert not demo.drawing.veiled and demo.header.question == asked, "of the text that stays"


def test_its_picture_shows_a_dart_and_those_before():
    demo = Writer(Endless())
    demo.tell()
    assert not demo.drawing.veiled and len(steps(demo)) == 4
    assert all(step["word"] and 0 <= step["fell"] < 1 for step in steps(demo))


def test_an_unknown_word_is_named_and_the_picture_stays(demo):
    press(demo, "next word", 2)
    picture = demo.drawing.picture
    demo.prompt.value = "the elephant"
    press(demo, "next word")
    demo.temperature.value = 2.0
    assert demo.header.message == "“elephant” is not one of the 14 words."
    assert demo.drawing.picture == picture and demo.prompt.value == "the elephant"
    demo.prompt.value = "The old street."
    assert (
        demo.header.message == ""
        and demo.tokens == ["the", "old", "street"]
        and len(steps(demo)) == 1
    )
    with pytest.raises(ValueError, match="elephant"):
        Writer(Fake(), "elephant")


def test_a_pasted_book_does_not_fill_the_frame(demo):
    demo.prompt.value = "x" * 100_000
    assert demo.header.message.endswith(f" “{'x' * 40}” is not one of the 14 words.")
    demo.prompt.value = "the street"
    assert demo.header.message == ""


def test_a_writer_that_fails_on_the_way_loses_nothing():
    class Short(Endless):
        def scores(self, tokens):
            if len(tokens) > 4:
                raise ValueError("at most 4 words.")
            return super().scores(tokens)

    demo = Writer(Short())
    press(demo, "next word", 3)
    picture = demo.drawing.picture
    press(demo, "next word")
    press(demo, "to the end")
    assert demo.header.message == "at most 4 words."
    assert (
        demo.drawing.picture == picture
        and [step["word"] for step in steps(demo)] == demo.tokens[2:]
    )
    press(demo, "take one back")
    assert demo.header.message == "" and len(steps(demo)) == 3


def test_an_empty_prompt_writes_from_the_start():
    demo = Writer(Fake(), "")
    assert demo.tokens == [] and steps(demo)[0]["says"].startswith("“the” leads with 0.8")
    demo.top_k.value = 1
    press(demo, "next word")
    assert demo.text == "the"


def test_scores_that_do_not_fit():
    with pytest.raises(
        ValueError, match=r"scores of shape \(13,\); expected one score for each of 14 words"
    ):
        Writer(SimpleNamespace(words=WORDS, scores=lambda tokens: np.zeros(13)))


def test_keys_are_heard(demo):
    for kind in ("write", "write", "write", "back", "other", None, "write"):
        demo.drawing._handle_custom_msg({"type": kind}, [])
    assert len(demo.tokens) == 4


def test_small_shares_are_not_written_as_nothing():
    demo = Writer(
        SimpleNamespace(words=["a", "b", "c"], scores=lambda tokens: np.array([9.0, 0.0, -np.inf])),
        "a",
    )
    assert [part["word"] for part in steps(demo)[0]["parts"]] == ["a", "b"], (
        "a word that cannot come has no part"
    )
    press(demo, "next word")
    assert steps(demo)[0]["says"].endswith(" >.99.")
    demo.top_k.value = 1
    assert " 1.00." in steps(demo)[0]["says"]


def test_the_settings_are_said(demo):
    assert repr(demo) == "Writer(prompt=the animal, temperature=1.0, top-k=14, top-p=1.0)"


def test_it_needs_no_torch():
    code = "import sys, lib.widgets.writer.writer; print('torch' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"
