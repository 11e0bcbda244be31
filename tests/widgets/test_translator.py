"""The widget Translator, with a translator that needs no model."""

import numpy as np
import pytest

from lib.widgets.translator import LIMIT, Translator
from tests.widgets.fake_translator import FakeTranslator

TIRED = "the animal didn't cross the street because it was too tired"
WIDE = TIRED.replace("tired", "wide")


def panel(demo, which=0):
    return demo.drawing.picture["panels"][which]


def test_the_pronoun_is_not_pointed_at_before_anyone_predicts():
    demo = Translator(FakeTranslator())
    picture = demo.drawing.picture
    assert (
        picture["source"] == TIRED.split()
        and picture["panels"][0]["target"] == demo.translation.target
    )
    assert (
        demo.translation.text == "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."
    )
    assert panel(demo)["told"] == {"label": "French: ", "text": demo.translation.text}
    assert demo.translation.target[demo.drawing.word] == "animal" and demo.drawing.line == 0
    assert not any(panel(demo)["changed"]) and demo.uncut is demo.translation
    assert demo.cut not in demo.controls and demo.examples not in demo.controls


def test_an_english_word_can_be_pointed_at_first():
    demo = Translator(FakeTranslator(), word="it")
    assert demo.drawing.line == -1 and TIRED.split()[demo.drawing.word] == "it"
    demo.drawing.line = 0
    demo.reset()
    assert demo.drawing.line == -1, "reset points at it again"
    with pytest.raises(
        ValueError, match="“dog” is not in the sentence; expected one of: the, animal"
    ):
        Translator(FakeTranslator(), word="dog")


def test_the_button_swaps_the_word_whichever_is_there():
    demo = Translator(FakeTranslator(), swaps=[("tired", "wide"), ("animal", "child")])
    tired, animal = demo.swaps.values()
    demo.drawing.word = 10
    words = []
    for _ in range(3):
        words.append(demo.translation.target[demo.drawing.word])
        tired.click()
    assert words == ["il", "elle", "il"] and demo.sentence == WIDE
    demo.sentence = "The Street was too WIDE."
    assert (
        animal.disabled and "neither “animal” nor “child”" in animal.tooltip and not tired.disabled
    )
    tired.click()
    assert demo.sentence == "The Street was too tired." and demo.translation.source[-1] == "tired"
    assert demo.drawing.word == 10, "the drawing stays within the words, and comes back"


def test_an_unknown_word_is_said_and_the_last_picture_stays():
    demo = Translator(FakeTranslator())
    before = demo.drawing.picture
    for typed, says in [
        ("the giraf was too tired", "giraf"),
        (" ", "0 words"),
        ("too " * (LIMIT + 1), "1 to 18 words"),
    ]:
        demo.sentence = typed
        assert says in demo.header.message and demo.sentence == typed
        assert demo.drawing.picture == before and demo.translation.source == TIRED.split()
    demo.sentence = "x" * 100_000
    assert demo.header.message.startswith(f"The model has never seen “{'x' * 40}…”. It knows")
    demo.sentence = WIDE
    assert demo.header.message == "" and demo.translation.target[10] == "elle"


def test_a_page_that_begins_with_an_unknown_word_fails_at_once():
    with pytest.raises(ValueError, match="giraf"):
        Translator(FakeTranslator(), "the giraf was too tired")
    for translators in ({}, {name: FakeTranslator() for name in "abc"}):
        with pytest.raises(
            ValueError, match=f"{len(translators)} translators; there is room for one or two"
        ):
            Translator(translators)


def test_an_example_is_translated_and_the_list_follows_what_is_typed():
    demo = Translator(FakeTranslator(), examples=["the street was too wide", WIDE])
    assert demo.examples in demo.controls and demo.examples.value == ""
    demo.examples.value = "the street was too wide"
    assert demo.sentence == "the street was too wide" and demo.translation.target[-2] == "large"
    demo.sentence = WIDE
    assert demo.examples.value == WIDE
    demo.swaps["tired", "wide"].click()
    assert demo.examples.value == "" and demo.sentence == TIRED


def test_the_weights_are_those_of_the_layer_and_head_that_are_chosen():
    demo = Translator(FakeTranslator(layers=(4, 2)))
    assert [control.label for control in demo.weights.values()] == ["layer 2, mean"] * 2
    for part, control in demo.weights.items():
        weights = getattr(demo.translation, part)
        for value, expected in [
            ((0, 3), weights[0][3]),
            ((1, None), weights[1].mean(0)),
            ((1, 1), weights[1][1]),
        ]:
            control.value = value
            np.testing.assert_allclose(panel(demo)[part], expected)
    assert demo.drawing.picture["looks"]["cross"] == "cross-attention, layer 2, head 2"
    assert len(demo.translators["French"].asked) == 1, (
        "looking elsewhere is no reason to translate again"
    )
    one = Translator(FakeTranslator(layers=(4, 1)))
    assert one.drawing.picture["looks"]["encoder"] == "encoder self-attention, layer 2"


def arrow(translation):
    return [("it", translation.source.index("it"))]


def test_what_a_cut_changes_is_marked_and_the_uncut_translation_stays():
    demo = Translator(FakeTranslator(), changes={"it → animal": arrow, "none": lambda _: ()})
    demo.cut.value = "it → animal"
    assert demo.translators["French"].asked[-1] == (tuple(TIRED.split()), (("it", 7),))
    pairs = zip(demo.translation.target, panel(demo)["changed"], strict=True)
    assert [word for word, changed in pairs if changed] == ["elle"]
    assert demo.uncut.target[10] == "il"
    before = {"label": "French, before the cut: ", "text": demo.uncut.text}
    assert panel(demo)["told"] == before
    demo.cut.value = "none"
    assert demo.header.message == "“none”: there is nothing to cut in this sentence."
    assert demo.translation is demo.uncut and panel(demo)["told"]["label"] == "French: "
    demo.cut.value = "it → animal"
    demo.sentence = "the animal was too tired"
    assert (
        demo.header.message.startswith("“it → animal”: ") and demo.translation.source[1] == "animal"
    )
    assert panel(demo)["target"] == demo.translation.target, (
        "the sentence is translated without the cut"
    )


def test_two_models_translate_the_same_sentence():
    demo = Translator(
        {"French": FakeTranslator(), "Chinese": FakeTranslator("Chinese", layers=(3,))}
    )
    assert list(demo.translation) == ["French", "Chinese"] and demo.uncut == demo.translation
    assert [panel(demo, i)["language"] for i in range(2)] == ["fr", "zh-CN"]
    assert "".join(panel(demo, 1)["target"]) == "那动物没有穿过那街因为它太累了<end>"
    for control in demo.weights.values():
        assert [label for label, _ in control.options] == [
            "layer 1, mean",
            *(f"layer 1, head {i}" for i in (1, 2, 3)),
        ]
    demo = Translator(
        {"four heads": FakeTranslator(layers=(4,)), "one head": FakeTranslator(layers=(1,))}
    )
    assert [label for label, _ in demo.weights["cross"].options] == ["layer 1, mean"]


def test_reset_puts_everything_back():
    demo = Translator(FakeTranslator(), examples=[WIDE], changes={"it → animal": arrow})
    before, start = demo.drawing.picture, repr(demo)
    demo.examples.value, demo.cut.value, demo.weights["cross"].value = WIDE, "it → animal", (0, 2)
    demo.drawing.line, demo.drawing.word, demo.drawing.pinned = -1, 7, True
    assert repr(demo) != start
    demo.header._handle_custom_msg({"type": "reset"}, [])
    assert demo.drawing.picture == before and repr(demo) == start and demo.examples.value == ""
    assert (demo.drawing.line, demo.drawing.word, demo.drawing.pinned) == (0, 1, False)
