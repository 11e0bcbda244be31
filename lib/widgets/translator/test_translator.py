"""The widget Translator, with a translator that needs no model."""

import re

import numpy as np
import pytest

from lib.interventions import Cut
from lib.saved.referents import two_models
from lib.widgets.translator.fake_translator import FakeTranslator
from lib.widgets.translator.translator import LIMIT, Translator

TOP_LEVEL = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", re.M)
TIRED = "the animal didn't cross the street because it was too tired"
WIDE = TIRED.replace("tired", "wide")


def panel(demo, which=0):
    return demo.drawing.picture["panels"][which]


def press_enter(demo):
    """What the drawing sends when the answer is shown and Enter is pressed."""
    demo.drawing.veiled = False
    demo.drawing.presses += 1


def pointed(demo):
    """The word that is pointed at."""
    picture, line = demo.drawing.picture, demo.drawing.line
    words = picture["source"] if line < 0 else picture["panels"][line]["target"]
    return words[demo.drawing.word]


def test_it_is_pointed_at_and_veiled_before_anyone_predicts():
    demo = Translator(FakeTranslator())
    picture = demo.drawing.picture
    assert picture["source"] == TIRED.split()
    assert picture["panels"][0]["target"] == demo.translation.target
    told = "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."
    assert demo.translation.text == told
    assert pointed(demo) == "it" and demo.drawing.line == -1 and demo.drawing.veiled
    assert panel(demo)["target"][panel(demo)["pronoun"]] == "il"
    assert panel(demo)["either"] == "“il” (the animal) or “elle” (the street)"
    assert "plain" not in panel(demo) and demo.uncut is demo.translation
    assert demo.cut not in demo.controls and demo.language not in demo.controls
    assert not Translator(FakeTranslator(), "the street was wide").drawing.veiled


def test_any_word_can_be_asked_about_first():
    demo = Translator(FakeTranslator(), word="too")
    assert pointed(demo) == "too" and demo.drawing.line == -1
    demo = Translator(FakeTranslator(), word="il")
    assert pointed(demo) == "il" and demo.drawing.line == 0 and "“il”" in demo.header.question
    demo.drawing.line = -1
    demo.reset()
    assert pointed(demo) == "il", "reset points at it again"
    demo.swaps["tired", "wide"].click()
    assert pointed(demo) == "elle" and demo.drawing.veiled
    with pytest.raises(
        ValueError, match="“dog” is not in the sentence; expected one of: the, animal"
    ):
        Translator(FakeTranslator(), word="dog")


def test_enter_tells_the_story():
    demo = Translator(FakeTranslator())
    start = demo.header.question
    assert demo.drawing.enter == "tired → wide"
    press_enter(demo)
    assert demo.sentence == WIDE and demo.drawing.veiled and pointed(demo) == "it"
    assert demo.header.question == "Now “wide”, not “tired”. Where will “it” look?"
    assert demo.drawing.enter == "and “elle”?"
    press_enter(demo)
    assert pointed(demo) == "elle" and demo.drawing.asked == "where" and demo.drawing.veiled
    assert "look when it wrote “elle”?" in demo.header.question and demo.drawing.enter == ""
    press_enter(demo)
    assert demo.sentence == TIRED and pointed(demo) == "it" and demo.drawing.veiled
    assert demo.header.question == start and demo.drawing.enter == "tired → wide"


def test_the_button_swaps_the_word_whichever_is_there():
    demo = Translator(FakeTranslator(), swaps=[("tired", "wide"), ("animal", "child")])
    tired, animal = demo.swaps.values()
    words = []
    for _ in range(3):
        words.append(demo.translation.target[10])
        tired.click()
        assert demo.drawing.veiled and pointed(demo) == "it"
    assert words == ["il", "elle", "il"] and demo.sentence == WIDE
    demo.sentence = "The Street was too WIDE."
    assert (
        animal.disabled and "neither “animal” nor “child”" in animal.tooltip and not tired.disabled
    )
    tired.click()
    assert demo.sentence == "The Street was too tired." and demo.translation.source[-1] == "tired"
    assert not demo.drawing.veiled, "nothing is asked of a sentence without it"


def test_an_unknown_word_is_said_and_the_last_picture_stays():
    demo = Translator(FakeTranslator())
    before = demo.drawing.picture
    assert demo.drawing.refused == {}
    for typed, says in [
        ("the giraf was too tired", "giraf"),
        (" ", "0 words"),
        ("too " * (LIMIT + 1), "1 to 18 words"),
    ]:
        demo.sentence = typed
        assert says in demo.header.message and demo.sentence == typed
        assert demo.drawing.picture == before and demo.translation.source == TIRED.split()
        assert demo.drawing.refused, "another drawing covers the last one"
        assert demo.drawing.enter is None, "Enter takes a word of that drawing"
    demo.sentence = "x" * 100_000
    assert f"cut: a word may have 40, a text 1,000. The model has never seen “{'x' * 40}”" in (
        demo.header.message
    )
    demo.sentence = WIDE
    assert demo.header.message == "" and demo.translation.target[10] == "elle"
    assert demo.drawing.refused == {} and pointed(demo) == "it"


def test_known_words_take_the_place_of_unknown_ones():
    demo = Translator(FakeTranslator())
    demo.sentence = "the giraf was too happy"
    refused = demo.drawing.refused
    assert refused["typed"] == "the giraf was too happy".split() and refused["unknown"] == [1, 4]
    assert "street" in refused["words"] and "<pad>" not in refused["words"]

    def take(word):
        demo.drawing._handle_custom_msg({"type": "word", "word": word}, [])

    take("street")
    assert demo.sentence == "the street was too happy" and demo.drawing.refused["unknown"] == [4]
    take("wide")
    assert demo.drawing.refused == {} and demo.translation.text == "La rue était trop large."
    demo.sentence = ""
    take("street")
    assert demo.sentence == "street" and demo.drawing.refused == {}
    demo.sentence = "giraf"
    demo.drawing._handle_custom_msg({"type": "restore"}, [])
    assert demo.sentence == "street"


def test_the_first_word_that_is_offered_is_the_nearest():
    demo = Translator(FakeTranslator())
    demo.sentence = "the streat was too tired"
    words = demo.drawing.refused["words"]
    assert words[0] == "street" and len(words) == len(set(words)) == len(demo._known())


def test_one_chooses_between_languages_without_a_dead_end():
    demo = Translator([FakeTranslator(), FakeTranslator("Chinese")])
    assert demo.language in demo.controls
    demo.drawing.veiled = False
    demo.language.value = "Chinese"
    assert panel(demo)["language"] == "zh-CN" and demo.drawing.veiled and pointed(demo) == "it"
    demo.reset()
    assert panel(demo)["language"] == "fr"


def test_the_course_s_models_come_of_themselves_and_surprise():
    demo = Translator()
    assert list(demo.offered) == ["French", "Chinese"]
    seen = set()
    for _ in range(3):
        demo.surprise.click()
        assert demo.drawing.refused == {} and demo.drawing.veiled and pointed(demo) == "it"
        seen.add(demo.sentence)
    assert len(seen) == 3
    first = Translator()
    first.surprise.click()
    assert first.sentence in seen, "everybody walks the same way"


def test_a_page_that_begins_with_an_unknown_word_fails_at_once():
    with pytest.raises(ValueError, match="giraf"):
        Translator(FakeTranslator(), "the giraf was too tired")
    for translators in ({}, {name: FakeTranslator() for name in "abc"}):
        with pytest.raises(
            ValueError, match=f"{len(translators)} translators; there is room for one or two"
        ):
            Translator(translators)


def test_an_example_is_translated_and_the_menu_stays_a_menu():
    demo = Translator(FakeTranslator(), examples=["the street was too wide", WIDE])
    assert demo.examples in demo.controls and demo.examples.value == ""
    demo.examples.value = "the street was too wide"
    assert demo.sentence == "the street was too wide" and demo.translation.target[-2] == "large"
    assert not demo.drawing.veiled and demo.examples.value == ""
    demo.examples.value = WIDE
    assert demo.sentence == WIDE and demo.drawing.veiled and pointed(demo) == "it"


def test_the_weights_are_those_of_the_layer_and_head_that_are_chosen():
    demo = Translator(FakeTranslator(layers=(4, 2)))
    assert demo.drawing.looks == {"encoder": [1, -1], "cross": [1, -1]}
    for part in ("encoder", "cross"):
        weights = getattr(demo.translation, part)
        for value, expected in [
            ([0, 3], weights[0][3]),
            ([1, -1], weights[1].mean(0)),
            ([1, 1], weights[1][1]),
        ]:
            demo.drawing.looks = {**demo.drawing.looks, part: value}
            np.testing.assert_allclose(panel(demo)[part], expected, atol=5.1e-5)
    assert demo.drawing.picture["looks"]["cross"] == "layer 2, head 2"
    assert demo.drawing.picture["heads"] == {"encoder": [4, 2], "cross": [4, 2]}
    assert len(demo.translators["French"].asked) == 1, (
        "looking elsewhere is no reason to translate again"
    )
    alone = Translator(FakeTranslator(layers=(4, 1)))
    assert alone.drawing.picture["looks"]["encoder"] == "encoder, layer 2"


def arrow(translation):
    return [("it", translation.source.index("it"))]


def test_what_a_cut_changes_is_told_and_the_uncut_translation_stays():
    demo = Translator(FakeTranslator(), changes={"it → animal": arrow, "none": lambda _: ()})
    demo.cut.value = "it → animal"
    assert demo.translators["French"].asked[-1] == (tuple(TIRED.split()), (("it", 7),))
    assert panel(demo)["target"][10] == "elle" and panel(demo)["plain"]["target"][10] == "il"
    assert demo.uncut.target[10] == "il"
    demo.cut.value = "none"
    assert demo.header.message == "Cut none: there is nothing to cut in this sentence."
    assert demo.translation is demo.uncut and "plain" not in panel(demo)
    demo.cut.value = "it → animal"
    demo.sentence = "the animal was too tired"
    assert (
        demo.header.message.startswith("Cut it → animal: ")
        and demo.translation.source[1] == "animal"
    )
    assert panel(demo)["target"] == demo.translation.target, (
        "the sentence is translated without the cut"
    )


def test_a_button_and_enter_cut_and_ask_what_is_written():
    demo = Translator(FakeTranslator(), changes={"it → animal": arrow})
    assert demo.drawing.enter == "Cut it → animal"
    press_enter(demo)
    assert demo.cut.value == "it → animal" and demo.drawing.veiled
    assert demo.drawing.asked == "words" and demo.drawing.enter == "tired → wide"
    demo.cuts["it → animal"].click()
    assert demo.cut.value == "cut nothing" and demo.translation is demo.uncut
    assert demo.header.question == "Nothing is cut. Where will “it” look?"
    assert demo.drawing.asked == "where", "nothing speaks of the cut any more"


def test_enter_goes_through_two_cuts_or_takes_a_single_one_to_the_other_sentence():
    labels = ["it → animal", "the same", "the menu has it"]
    demo = Translator(FakeTranslator(), changes=dict.fromkeys(labels, arrow))
    for label in labels[:2]:
        assert demo.drawing.enter == f"Cut {label}"
        press_enter(demo)
        assert demo.cut.value == label and demo.sentence == TIRED
    assert demo.drawing.enter == "", "it starts over"
    demo = Translator(FakeTranslator(), changes={"the same": arrow})
    press_enter(demo)
    press_enter(demo)
    assert demo.sentence == WIDE and demo.cut.value == "the same" and demo.drawing.veiled
    assert demo.header.question == "Now “wide”, with the same cut: what is written?"
    assert panel(demo)["plain"]["target"][10] == "elle", "the other sentence, uncut"
    assert demo.drawing.enter == "", "it starts over"


def test_a_swap_makes_whole_what_was_cut_and_asks_where_it_looks():
    demo = Translator(FakeTranslator(), changes={"it → animal": arrow})
    press_enter(demo)
    demo.drawing.cuts = [["encoder", 1, -1, 7, 1]]
    [swap] = demo.swaps.values()
    swap.click()
    assert demo.sentence == WIDE and demo.translation is demo.uncut and demo.drawing.cuts == []
    assert demo.header.question == "Now “wide”, not “tired”. Where will “it” look?"
    assert demo.drawing.asked == "where" and demo.drawing.enter == "Cut it → animal"
    press_enter(demo)
    demo.sentence = TIRED
    assert demo.cut.value == "it → animal"
    assert demo.header.question == "Cut it → animal: what is written?", "as the screen shows"


@pytest.mark.parametrize(
    "part, line, word, named, asks",
    [
        ("encoder", -1, 7, "“it”", "Cut the look of {} at “animal”: what is written?"),
        ("cross", 0, 10, "“il”", "Cut the look of {} at “animal”: what is written?"),
    ],
)
def test_a_cut_is_pointed_at_and_asked_about(part, line, word, named, asks):
    def cut(_):
        return [Cut(part, layer=1, query=word, key=1)]

    demo = Translator(FakeTranslator(), changes={"this arrow": cut})
    demo.cut.value = "this arrow"
    demo.sentence = WIDE
    assert (demo.drawing.line, demo.drawing.word) == (line, word), "a typed sentence, the same cut"
    assert demo.header.question == asks.format(named.replace("il", "elle"))
    demo.reset()
    demo.drawing.line, demo.drawing.word = 0, 3
    demo.cut.value = "this arrow"
    assert panel(demo)["cuts"] == [[part, 1, -1, word, 1]]
    assert (demo.drawing.line, demo.drawing.word) == (line, word)
    assert demo.header.question == asks.format(named), "its words, not their kinds"
    demo.cut.value = "cut nothing"
    assert panel(demo)["cuts"] == []


def test_any_arrow_is_cut_by_hand_and_comes_back():
    demo = Translator(FakeTranslator())

    def cut(key):
        demo.drawing._handle_custom_msg({"type": "cut", "key": key}, [])

    cut(1)
    assert demo.drawing.cuts == [["encoder", 1, -1, 7, 1]]
    [made] = demo.translators["French"].asked[-1][1]
    assert (made.part, made.layer, made.head, made.query, made.key) == ("encoder", 1, None, 7, 1)
    assert panel(demo)["target"][10] == "elle"
    demo.drawing.line, demo.drawing.word = 0, 3
    cut(2)
    assert len(demo.drawing.cuts) == 2
    demo.sentence = "street"
    assert demo.translation.text, "cuts beyond a short sentence do not hurt"
    demo.sentence = TIRED
    demo.drawing.line, demo.drawing.word = 0, 3
    cut(2)
    demo.drawing.line, demo.drawing.word = -1, 7
    cut(1)
    assert demo.drawing.cuts == [] and demo.translation is demo.uncut


def test_enter_takes_back_what_was_cut_by_hand_and_another_layer():
    demo = Translator(FakeTranslator(layers=(4, 2)), changes={"it → animal": arrow})
    looks = demo.drawing.looks
    demo.drawing.cuts = [["encoder", 1, -1, 7, 6]]
    demo.drawing.looks = {**looks, "encoder": [0, -1]}
    press_enter(demo)
    assert demo.drawing.cuts == [] and demo.drawing.looks == looks
    assert demo.translators["French"].asked[-1][1] == (("it", 7),), "the story's cut alone"
    demo = Translator(FakeTranslator())
    press_enter(demo)
    demo.drawing.cuts = [["encoder", 1, -1, 7, 4]]
    press_enter(demo)
    assert "elle" in demo.header.question and demo.translation is demo.uncut


def test_two_models_translate_the_same_sentence():
    demo = Translator(
        {"French": FakeTranslator(), "Chinese": FakeTranslator("Chinese", layers=(3,))}
    )
    assert list(demo.translation) == ["French", "Chinese"] and demo.uncut == demo.translation
    assert [panel(demo, i)["language"] for i in range(2)] == ["fr", "zh-CN"]
    assert "".join(panel(demo, 1)["target"]) == "那动物没有穿过那街因为它太累了<end>"
    assert demo.drawing.picture["heads"] == {"encoder": [3], "cross": [3]}
    assert pointed(demo) == "it" and demo.drawing.veiled
    demo = Translator(
        {"four heads": FakeTranslator(layers=(4,)), "one head": FakeTranslator(layers=(1,))}
    )
    assert demo.drawing.picture["heads"]["cross"] == [1]
    assert demo.drawing.picture["looks"]["cross"] == "layer 1, mean"


def test_of_two_models_of_the_course_it_is_said_what_each_learned():
    demo = Translator(two_models())
    learned = [panel(demo, i)["learned"] for i in range(2)]
    assert learned == ["also learned meanings", "learned only to translate"]
    assert panel(Translator(two_models()["A"]))["learned"] == "", "nothing to tell it from"


def test_reset_puts_everything_back():
    demo = Translator(FakeTranslator(), examples=[WIDE], changes={"it → animal": arrow})
    before, start = demo.drawing.picture, repr(demo)
    demo.examples.value, demo.cut.value = WIDE, "it → animal"
    demo.drawing.looks = {"encoder": [0, 2], "cross": [0, 2]}
    demo.drawing.line, demo.drawing.word, demo.drawing.pinned = 0, 3, True
    demo.drawing.cuts = [["encoder", 1, -1, 7, 1]]
    assert repr(demo) != start
    demo.header._handle_custom_msg({"type": "reset"}, [])
    assert demo.drawing.picture == before and repr(demo) == start and demo.drawing.cuts == []
    assert pointed(demo) == "it" and demo.drawing.veiled and not demo.drawing.pinned
