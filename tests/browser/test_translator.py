"""Translator with mouse, keys, buttons and typing; two models and Chinese on a projector."""

from pathlib import Path

from tests.browser.measuring import problems

FAKE = (Path(__file__).parents[1] / "widgets" / "fake_translator.py").read_text("utf-8")
ARROW = """
def it_to_animal(translation):
    return [("cut", translation.source.index("it"))]


arrow = {"it → animal": it_to_animal}
"""
ONE = 'widgets.Translator(FakeTranslator(), examples=["the street was too wide"], changes=arrow)'
LONG = """
long = (
    "the old animal and the child didn't cross the big street because it was incomprehensibly "
    "too wide"
)
models = {"French": FakeTranslator(), "中文": FakeTranslator("Chinese")}
"""
TWO = "widgets.Translator(models, sentence=long, changes=arrow)"
SAME = 'widgets.Translator({"one": FakeTranslator(), "another": FakeTranslator()})'
# Words fade in.
RESTS = "(demo) => Promise.all(demo.getAnimations({ subtree: true }).map((one) => one.finished))"
READ = "print(demo.drawing.line, demo.drawing.word, demo.translation.text)"


def words(demo, kind=""):
    """The words of this kind that are drawn, from left to right; digits and text left out."""
    return demo.locator(f".words text{kind}:not(.digits):not(.told)").all_text_contents()


def word(demo, text, nth=0):
    """The nth drawn word of this text."""
    return demo.locator(".words text").get_by_text(text, exact=True).nth(nth)


def test_walk_along_the_words_and_change_one(live):
    shown = live(ONE, before=FAKE + ARROW)
    demo, svg = shown.demo, shown.svg
    shown.says("The row that wrote “animal” (probability 0.91) looked at “animal”")
    assert words(demo, ".asks") == ["animal"] and words(demo, ".asked") == ["animal"]
    svg.evaluate("svg => { svg.querySelector('.words text').kept = true; }")

    svg.focus()
    shown.press(*["ArrowRight"] * 9)
    shown.says("The row that wrote “il”")
    assert words(demo, ".asked") == ["animal", "it"]
    digits = demo.locator(".digits").all_text_contents()
    assert len(digits) == 11 and abs(sum(map(float, digits)) - 1) < 0.06
    shown.button("tired ↔ wide")
    shown.says("The row that wrote “elle”")
    assert words(demo, ".asked") == ["street", "it"] and demo.locator("path").count() >= 11
    kept = svg.evaluate("svg => svg.querySelector('.words text').kept")
    assert kept, "the words are moved, not drawn anew"


def test_point_and_pin(live):
    shown = live(ONE, READ, before=FAKE + ARROW)
    demo, svg = shown.demo, shown.svg
    shown.button("tired ↔ wide")
    shown.says("The row that wrote")
    svg.focus()
    shown.press("ArrowUp", "End")
    shown.says("“wide” looks at “wide”")
    shown.press("Home", "ArrowDown")
    shown.says("The row that wrote “l'”")
    word(demo, "animal", 1).hover()
    shown.says("The row that wrote “animal”")
    word(demo, "it").hover()
    shown.says("“it” looks at “street”")
    word(demo, "it").click()
    shown.says("pinned · “it” looks at")
    word(demo, "was").hover()
    assert shown.output(1).startswith("-1 7 L'animal n'a pas traversé la rue parce qu'elle")
    shown.says("pinned · “it” looks at")
    svg.focus()
    shown.press("Escape")
    shown.says("“it” looks at “street”")


def test_type_choose_and_cut(live):
    shown = live(ONE, before=FAKE + ARROW)
    demo = shown.demo

    def says(text, kind):
        demo.locator(kind).filter(has_text=text).wait_for(timeout=5000)

    field = demo.locator("input[type=text]")
    field.fill("the giraf was full of woe")
    shown.press("Enter")
    says("never seen “giraf”", ".demo-message")
    assert field.input_value() == "the giraf was full of woe" and "street" in words(demo)
    full_screen = shown.page.browser.evaluate("() => document.fullscreenElement")
    assert not full_screen, "f is a letter here"
    demo.locator(".translator-examples select").select_option("the street was too wide")
    says("French: La rue était trop large.", ".told")
    assert demo.locator(".demo-message").first.inner_text() == ""
    assert field.input_value() == "the street was too wide"

    shown.reset()
    shown.says("The row that wrote “animal”")
    demo.locator(".widget-dropdown", has_text="cut").locator("select").select_option("it → animal")
    says("French, before the cut: L'animal n'a pas traversé la rue parce qu'il était", ".told")
    assert words(demo, ".changed") == ["elle"]
    line = "word => getComputedStyle(word).textDecorationLine"
    assert "underline" in demo.locator(".changed").evaluate(line)
    with shown.page.full_screen(demo) as screen:
        screen.evaluate(RESTS)
        assert problems(screen) == []
        shown.press("ArrowRight")
        shown.says("The row that wrote “n'”")


def test_two_languages_above_and_below(live):
    shown = live(TWO, before=FAKE + ARROW + LONG)
    demo = shown.demo
    # A word that fades in is faint for a moment.
    shown.page.browser.emulate_media(reduced_motion="reduce")
    with shown.page.full_screen(demo) as screen:
        assert problems(screen) == []
        shown.says("French: the row that wrote")
        shown.press("ArrowDown", "Home")
        shown.says("“the” looks at", "(中文) · encoder self-attention, layer 2, mean of heads")
        shown.press("ArrowDown")
        shown.says("中文: the row that wrote “那”")
        assert problems(screen) == []
    assert demo.locator("text[lang=zh-CN]").count() > 10


def test_two_models_of_one_language_are_compared_word_by_word(live):
    shown = live(SAME, before=FAKE)
    demo = shown.demo
    assert words(demo, ".asks") == ["animal", "animal"]
    demo.locator(".words text").get_by_text("il", exact=True).last.click()
    shown.says("pinned · another: the row that wrote “il”")
    assert words(demo, ".asks") == ["il", "il"] and demo.locator(".chips .pinned").count() == 2
    shown.page.theme("dark")
    shown.page.theme("light")
