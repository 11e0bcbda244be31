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
        if description == "next word":  # a key of the drawing
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
    assert steps(demo)[0]["says"] == "“didn't” 0.56 leads. Left: 12 of 12 words."


def test_it_writes_what_the_model_writes():
    torch.manual_seed(0)
    vocabulary = SimpleNamespace(
        words=WORDS, encode=lambda tokens: [WORDS.index(token) for token in tokens]
    )
    writer = decoding.WritingModel(LanguageModel(len(WORDS), 8, 2, 1, 16), vocabulary)
    for seed, temperature, top_k, top_p in ((0, 1.0, len(WORDS), 1.0), (3, 0.5, 5, 0.9)):
        demo = Writer(writer, "the street", seed)
        demo.temperature.value, demo.top_k.value, demo.top_p.value = temperature, top_k, top_p
        press(demo, "to the end")
        assert demo.tokens[2:] == writer.write(["the", "street"], temperature, top_k, top_p, seed)
    assert Writer.limit == decoding.LONGEST


def test_a_word_taken_back_comes_again(demo):
    press(demo, "to the end")
    whole, seen = demo.tokens, [*steps(demo)]
    assert whole[-1] == "<end>" and demo.text == " ".join(whole[:-1]) and len(whole) > 4
    for step, so_far in zip(seen, range(2, len(whole)), strict=True):
        before = whole[:so_far]
        share = filtered(Fake().scores(before))[WORDS.index(whole[so_far])]
        assert step["word"] == whole[so_far] and step["digits"] == f"{share:.2f}"
        assert step["rows"][step["chosen"]]["word"] == whole[so_far]
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


def test_the_most_probable_word(demo):
    demo.temperature.value = 3.0
    press(demo, "most probable", 3)
    assert demo.tokens == ["the", "animal", "didn't", "cross", "the"]
    assert steps(demo)[0]["says"] == "“didn't” 0.22 came, the most probable of 12 words."


def test_cold_or_one_word_is_the_most_probable():
    for name, value in (("temperature", 0.1), ("top_k", 1), ("top_p", 0.1)):
        demo = Writer(Fake(), seed=5)
        getattr(demo, name).value = value
        press(demo, "next word", 3)
        assert demo.tokens == ["the", "animal", "didn't", "cross", "the"]


def test_sliders_change_what_comes_and_not_what_was(demo):
    press(demo, "next word", 2)
    kept = steps(demo)[:2]
    demo.temperature.value, demo.top_k.value, demo.top_p.value = 2.0, 3, 0.5
    assert steps(demo)[:2] == kept
    expected = filtered(np.array(Fake().scores(demo.tokens), float), 2.0, 3, 0.5)
    np.testing.assert_array_equal(demo.probabilities, expected)
    newest = steps(demo)[-1]
    assert f"Left: {np.count_nonzero(expected)} of 12 words." in newest["says"]
    left_out = newest["rows"][-2]
    assert left_out["now"] == 0 and left_out["now_digits"] == "0", "a word that is left out"
    for name in ("model", "now"):
        assert sum(row[name] for row in newest["rows"]) == pytest.approx(1)
    press(demo, "next word")
    assert "drawn at temperature 2.0 from " in steps(demo)[2]["says"]


def test_the_words_shown_are_the_most_probable_and_the_one_drawn():
    demo, rare = Writer(Fake(), "the animal"), 0
    demo.temperature.value = 3.0
    for _ in range(20):
        press(demo, "draw again")
        first = steps(demo)[0]
        names = [row["word"] for row in first["rows"]]
        assert (
            len(names) == 9 and names[-1] == "4 others" and names[first["chosen"]] == first["word"]
        )
        rare += first["chosen"] == 7
    assert rare > 1, "also one that is not among the eight most probable"


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
    press(demo, "most probable")
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
    assert first == "Which word comes next?" and demo.drawing.enter == "next word"
    demo.temperature.value = 3.0
    assert demo.drawing.enter == "next word"
    demo.temperature.value = 1.0
    press(demo, "to the end")
    assert demo.drawing.enter == "temperature 3?"
    press_enter(demo)
    assert demo.header.question == "At temperature 3: still sentences?"
    assert demo.drawing.veiled and demo.drawing.enter == "draw again"
    other = Writer(Fake())
    other.temperature.value = 3.0
    press(other, "to the end")
    assert demo.tokens == other.tokens, "the same random numbers"
    press_enter(demo)
    assert demo.drawing.seed == 1 and demo.drawing.picture["stopped"]
    demo.reset()
    assert demo.header.question == first and demo.temperature.value == 1.0
    assert demo.tokens == ["the", "animal"] and demo.drawing.veiled


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
    assert not demo.drawing.veiled and demo.header.question == "Which word comes next?"


def test_its_picture_shows_what_a_setting_does(demo):
    demo.tell()
    newest = steps(demo)[-1]
    assert not demo.drawing.veiled and newest["word"] == ""
    assert newest["rows"][0]["now"] > newest["rows"][0]["model"]


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
    press(demo, "next word", 2)
    picture = demo.drawing.picture
    press(demo, "next word")
    press(demo, "to the end")
    assert demo.header.message == "at most 4 words."
    assert (
        demo.drawing.picture == picture
        and [step["word"] for step in steps(demo)[:-1]] == demo.tokens[2:]
    )
    press(demo, "take one back")
    assert demo.header.message == "" and len(steps(demo)) == 2


def test_an_empty_prompt_writes_from_the_start():
    demo = Writer(Fake(), "")
    assert demo.tokens == [] and steps(demo)[0]["says"].startswith("“the” 0.8")
    press(demo, "most probable")
    assert demo.text == "the"


def test_scores_that_do_not_fit():
    with pytest.raises(
        ValueError, match=r"scores of shape \(13,\); expected one score for each of 14 words"
    ):
        Writer(SimpleNamespace(words=WORDS, scores=lambda tokens: np.zeros(13)))


def test_keys_are_heard(demo):
    press_enter(demo)
    for kind in ("write", "back", "other", None, "write"):
        demo.drawing._handle_custom_msg({"type": kind}, [])
    assert len(demo.tokens) == 4


def test_small_shares_are_not_written_as_nothing():
    demo = Writer(
        SimpleNamespace(words=["a", "b", "c"], scores=lambda tokens: np.array([9.0, 0.0, -np.inf])),
        "a",
    )
    assert [row["model_digits"] for row in steps(demo)[0]["rows"]] == [">.99", "<.01"], (
        "a word that cannot come has no bar"
    )
    demo.top_k.value = 1
    assert [row["now_digits"] for row in steps(demo)[0]["rows"]] == ["1.00", "0"]


def test_the_settings_are_said(demo):
    assert repr(demo) == "Writer(prompt=the animal, temperature=1.0, top-k=14, top-p=1.0)"


def test_it_needs_no_torch():
    code = "import sys, lib.widgets.writer.writer; print('torch' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"
