"""The widget DecoderStepper; run as a script, this file writes the texts for its JavaScript."""

import numpy as np
import pytest

from lib.widgets import DecoderStepper
from lib.widgets.decoder_stepper.decoder_stepper import SOURCE, hand_set_step
from tests.widgets.golden import is_fresh, write

TARGET = ["<start>", "l'", "animal", "fatigué", "dormait", "<end>"]


def golden():
    """Each row of the translation in words."""
    demo = written(DecoderStepper(), 5)
    texts, last = [], 0
    for t, row in enumerate(demo.drawing.picture["rows"]):
        cross = row["cross"]
        most, crossing = int(np.argmax(cross)), ""
        where = f"most at “\u2068{SOURCE[most]}\u2069”"
        if np.ptp(cross) < 1e-6:
            where = "at all words above alike"
        elif most < last:
            where, crossing = where.replace("most", "back"), ": the lines cross"
        last = most
        read, name = (f"“\u2068{word}\u2069”".replace("'", "’") for word in TARGET[t : t + 2])
        texts.append(f"After {read} it looks {where}, and writes {name}{crossing}.")
    return {
        "source": SOURCE,
        "tokens": TARGET,
        "rows": demo.drawing.picture["rows"],
        "texts": texts,
    }


def written(demo, words):
    demo.drawing.veiled = False
    for _ in range(words):
        demo.drawing._handle_custom_msg({"type": "write"}, [])
    return demo


def press_enter(demo):
    """What the drawing sends when the answer is shown and Enter is pressed."""
    demo.drawing.veiled = False
    demo.drawing.presses += 1


def even_step(tokens):
    """Never ends, looks everywhere alike, never ahead."""
    T = len(tokens)
    weights = np.tri(T) / np.arange(1, T + 1)[:, None]
    return weights, np.full((T, 2), 0.5), {"da": 0.75, "<end>": 0.25}


def test_golden_sentences_are_fresh():
    assert is_fresh(__file__, golden())


def test_the_translation_with_its_crossing():
    demo = DecoderStepper()
    assert demo.target_tokens == ["<start>"], "the answer is not on the screen yet"
    looked = []
    for T in range(1, 6):
        assert demo.self_weights.shape == (T, T) and demo.cross_weights.shape == (T, 4)
        np.testing.assert_allclose(demo.self_weights.sum(axis=1), 1)
        assert not np.triu(demo.self_weights, 1).any(), "no row looks ahead"
        assert max(demo.probabilities.values()) > 0.6 and sum(
            demo.probabilities.values()
        ) == pytest.approx(1)
        looked.append(SOURCE[demo.cross_weights[-1].argmax()])
        written(demo, 1)
    assert demo.target_tokens == TARGET and looked[:4] == ["the", "animal", "tired", "slept"]
    assert demo.drawing.picture["stopped"] == "Stopped: “<end>” is the end token."
    written(demo, 3)
    assert demo.target_tokens == TARGET, "after the end nothing is written"


def test_old_rows_are_compared_bit_for_bit():
    demo = DecoderStepper()
    for T in range(2, 6):
        written(demo, 1)
        assert demo.drawing.picture["kept"] == "", "nothing leaks"
        for t in range(1, T):
            own, cross, _ = hand_set_step(TARGET[:t])
            np.testing.assert_array_equal(demo.self_weights[t - 1, :t], own[-1])
            np.testing.assert_array_equal(demo.cross_weights[t - 1], cross[-1])


@pytest.mark.parametrize(
    "size, says", [(0.1, "Earlier lines changed by up to 1e-01: later words leak in."), (1e-9, "")]
)
def test_rows_that_change_are_told_but_for_rounding(size, says):
    def leaky(tokens):
        own, cross, probabilities = even_step(tokens)
        return own, cross + size * len(tokens), probabilities

    assert says == written(DecoderStepper(["x", "y"], leaky), 1).drawing.picture["kept"]


def test_back_and_reset():
    demo = written(DecoderStepper(), 5)
    demo.drawing._handle_custom_msg({"type": "back"}, [])
    assert demo.target_tokens == TARGET[:-1] and demo.drawing.picture["stopped"] == ""
    for _ in range(9):
        demo.controls[0].click()
    assert demo.target_tokens == ["<start>"] and demo.drawing.picture["kept"] == ""
    written(demo, 1)
    assert demo.target_tokens == ["<start>", "l'"]
    demo.drawing._handle_custom_msg({"type": "other"}, [])
    demo.reset()
    assert demo.target_tokens == ["<start>"] and len(demo.drawing.picture["rows"]) == 1


def test_enter_asks_where_each_word_looks_and_the_end():
    demo = DecoderStepper()
    assert demo.drawing.veiled and demo.drawing.picture["rows"], "the first step is laid out"
    assert demo.header.question == "Where does it look to write the first word?"
    then = "It looked most at “{}”. Where does it look now?".format
    asked = [then("the"), then("animal"), then("tired"), then("slept")]
    for words, question in enumerate(asked, 2):
        assert demo.drawing.enter == "And then?"
        press_enter(demo)
        assert len(demo.target_tokens) == words and demo.drawing.veiled
        assert demo.header.question == question
    assert demo.drawing.enter == "" and demo.target_tokens == TARGET[:-1], "then comes the end"
    press_enter(demo)
    assert demo.target_tokens == ["<start>"] and demo.drawing.veiled
    demo.go("back")
    assert demo.drawing.veiled, "there is nothing to take back"
    for words in (1, 2):
        demo.go("write")
        assert demo.target_tokens == TARGET[:words], "each time one word more is seen"
        assert not demo.drawing.veiled


def test_the_readers_own_decoder_stops_at_the_limit():
    demo = written(
        DecoderStepper(["yes", "<script>"], even_step, title="Mine", question="Predict: da?"), 15
    )
    assert demo.target_tokens == ["<start>"] + ["da"] * 12
    assert (
        demo.self_weights.shape == (12, 12)
        and demo.drawing.picture["stopped"] == "Stopped: 12 words are the limit."
    )
    assert demo.header.question == "Predict: da?", "the question that was given stays"
    assert demo.header.title == "Mine" and not demo.drawing.by_hand
    assert demo.drawing.picture["kept"] == ""
    demo.reset()
    for words in range(2, 13):
        press_enter(demo)
        assert len(demo.target_tokens) == words and demo.drawing.veiled, "each is asked"


def test_what_goes_wrong_later_is_said_and_the_last_picture_stays():
    def fragile(tokens):
        if len(tokens) == 3:
            raise KeyError("da")
        return even_step(tokens)

    demo = written(DecoderStepper(["a", "b"], fragile), 2)
    assert "KeyError: 'da'" in demo.header.message
    assert (
        demo.target_tokens
        == demo.drawing.tokens
        == demo.drawing.picture["tokens"]
        == ["<start>", "da"]
    )
    demo.controls[0].click()
    assert demo.header.message == "" and demo.target_tokens == ["<start>"]


def test_answers_that_do_not_fit_are_named():
    own, cross, words = even_step(["<start>"])
    for answer in [
        (cross, own, words),
        (own, cross, {}),
        (own * np.nan, cross, words),
        (own[None], cross, words),
    ]:
        with pytest.raises(ValueError, match=r"expected finite numbers, \(1, 1\), \(1, 2\)"):
            DecoderStepper(["a", "b"], lambda _, answer=answer: answer)
    with pytest.raises(ValueError, match="failed: TypeError"):
        DecoderStepper(["a", "b"], lambda _: None)
    with pytest.raises(ValueError, match="belong together"):
        DecoderStepper(["a", "b"])


if __name__ == "__main__":
    write(__file__, golden())
