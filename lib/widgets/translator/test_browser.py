"""Translator with mouse, keys, buttons and typing; two models and Chinese on a projector."""

from pathlib import Path

from tests.browser.measuring import problems

FAKE = Path(__file__).with_name("fake_translator.py").read_text("utf-8")
ARROW = """
def it_to_animal(translation):
    return [("cut", translation.source.index("it"))]


arrow = {"it → animal": it_to_animal}
"""
ONE = 'widgets.Translator(FakeTranslator(), examples=["the street was too wide"])'
CUT = "widgets.Translator(FakeTranslator(), examples=(), changes=arrow)"
LONG = """
long = (
    "the old animal and the child didn't cross the big street because it was incomprehensibly "
    "too wide"
)
models = {"French": FakeTranslator(), "中文": FakeTranslator("Chinese")}
"""
TWO = "widgets.Translator(models, sentence=long)"
SAME = 'widgets.Translator({"one": FakeTranslator(), "another": FakeTranslator()})'
READ = "print(demo.drawing.line, demo.drawing.word, demo.translation.text)"

NAME_WIDTH = """(select) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(select).font;
    return pen.measureText(select.value).width;
}"""


def words(demo, kind):
    """The words of this kind that are drawn, in their order."""
    return demo.locator(f".drawing text{kind}").all_text_contents()


def word(demo, line, number):
    """Where the numbered word of a line is taken: "en", or "fr 0" of the first model."""
    return demo.locator(f'.drawing [data-id="pick {line} {number}"]')


def rests(shown):
    """Wait until nothing moves and nothing fades away."""
    shown.demo.locator("svg > g:not(.moving)").first.wait_for(timeout=5000)


def test_bet_see_and_go_through_the_story(live):
    shown = live(ONE, before=FAKE + ARROW)
    demo, svg = shown.demo, shown.svg
    shown.says("Predict: click a word")
    assert words(demo, ".weigh") == [] and words(demo, ".answer") == ["?"]
    svg.focus()
    shown.press("ArrowLeft", "ArrowLeft")
    shown.says("You say “street”")
    shown.press("Enter")
    shown.says("You said “street”. “it” gives “animal” 0.")
    rests(shown)
    digits = words(demo, ".weigh")
    assert len(digits) == 11 and abs(sum(map(float, digits)) - 1) < 0.06
    svg.evaluate("svg => { svg.querySelector('.arc[data-id^=strongest]').kept = true; }")
    shown.press("Enter")
    shown.says("Predict: click a word")
    shown.press("Enter")
    shown.says("“it” gives “street” 0.")
    kept = "svg => svg.querySelector('.arc[data-id^=strongest]').kept"
    assert svg.evaluate(kept), "the arc turns, it is not drawn anew"
    rests(shown)
    assert demo.locator('.changed[data-id="new fr 0 10"]').count() == 1, "il became elle"
    shown.press("Enter")
    demo.locator(".demo-question", has_text="wrote “elle”").wait_for()
    shown.press("Enter")
    shown.says("To write “elle” it gave “street” 0.")
    shown.press("Enter")
    demo.get_by_role("button", name="Sure? Start over").wait_for()
    shown.press("Enter")
    shown.says("Predict: click a word")
    assert demo.locator(".demo-next").inner_text().startswith("Show")


def test_point_and_pin(live):
    shown = live(ONE, READ, before=FAKE + ARROW)
    demo, svg = shown.demo, shown.svg
    svg.focus()
    shown.press("Enter")
    shown.says("“it” gives “animal”")
    shown.press("End")
    shown.says("“tired” gives “tired”")
    shown.press("Home", "ArrowDown")
    shown.says("To write “l'” it gave")
    word(demo, "fr 0", 1).hover()
    shown.says("To write “animal” it gave “animal”")
    word(demo, "en", 7).click()
    shown.says("pinned · “it” gives “animal”")
    word(demo, "en", 8).hover()
    assert shown.output(1).startswith("-1 7 L'animal n'a pas traversé la rue parce qu'il")
    shown.says("pinned · “it” gives “animal”")
    svg.focus()
    shown.press("Escape", "l", "4")
    shown.says("“it” gives", "(encoder, layer 1, head 4)")


def test_the_headline_follows_whoever_moves_on_and_enter_goes_on_with_the_story(live):
    shown = live(ONE, before=FAKE)
    asked = shown.demo.locator(".demo-question")
    shown.svg.focus()
    first = asked.inner_text()
    shown.press("ArrowLeft", "Enter")
    shown.says("“it” gives “animal”")
    assert asked.inner_text() == first, "a bet leads nowhere"
    shown.press("ArrowLeft", "ArrowLeft")
    asked.filter(has_text="Where does “street” look?").wait_for()
    shown.press("Enter")
    asked.filter(has_text="Now “wide”, not “tired”.").wait_for()
    shown.press("Enter", "ArrowRight")
    asked.filter(has_text="Where does “was” look?").wait_for()
    shown.reset()
    asked.filter(has_text=first).wait_for()


def test_cut_an_arrow_by_its_digits_and_by_a_key(live):
    shown = live(ONE, before=FAKE)
    demo, svg = shown.demo, shown.svg
    svg.focus()
    shown.press("Enter")
    shown.says("“it” gives “animal”")
    demo.locator('.drawing [data-id="scissors 0 1"]').click()
    demo.locator('.changed[data-id="new fr 0 10"]').wait_for()
    assert demo.locator('.drawing [data-id="cut 0 1"]').count() == 1
    svg.focus()
    shown.press("Shift+Home", "Shift+ArrowRight", "x")
    demo.locator('.drawing [data-id="cut 0 1"]').wait_for(state="detached")


def test_type_choose_and_take_known_words(live):
    shown = live(ONE, before=FAKE + ARROW)
    demo = shown.demo
    field = demo.locator("input[type=text]")
    field.fill("the giraf was too tired")
    shown.press("Enter")
    demo.locator(".demo-message", has_text="never seen “giraf”").wait_for()
    shown.says("in the place of “giraf”")
    rests(shown)
    assert words(demo, ".written") == [], "nothing of the last sentence stays"
    full_screen = shown.page.browser.evaluate("() => document.fullscreenElement")
    assert not full_screen, "f is a letter here"
    with shown.page.full_screen(demo) as screen:
        shown.page.wait_until_idle()
        rests(shown)
        assert problems(screen) == []
        demo.locator('.drawing [data-id="take animal"]').click()
        demo.locator('.written[data-id^="word fr 0 1 "]').wait_for()
    assert field.input_value() == "the animal was too tired"
    demo.locator(".translator-examples select").select_option("the street was too wide")
    demo.locator(".drawing text", has_text="large").wait_for()
    assert demo.locator(".demo-message").first.inner_text() == ""


def test_two_cuts_have_two_names(live):
    long = "arrow |= {'the pronoun’s look at the adjective': it_to_animal}"
    choice = live(CUT, before=FAKE + ARROW + long).demo.locator(".translator-cut select")
    choice.select_option("the pronoun’s look at the adjective")
    assert choice.evaluate(NAME_WIDTH) <= choice.evaluate("(node) => node.clientWidth")


def test_a_button_cuts_and_asks_what_is_written(live):
    shown = live(CUT, before=FAKE + ARROW)
    demo = shown.demo
    shown.svg.focus()
    shown.press("Enter")
    demo.locator(".demo-controls").get_by_role("button", name="cut it → animal").click()
    shown.says("Predict: “il” (the animal) or “elle” (the street).")
    assert demo.locator(".veil").count() >= 1 and words(demo, ".weigh") != []
    demo.locator('.drawing [data-id="veil fr 0 10"]').click()
    demo.locator('.changed[data-id="new fr 0 10"]').wait_for()
    with shown.page.full_screen(demo) as screen:
        shown.page.browser.emulate_media(reduced_motion="reduce")
        rests(shown)
        assert problems(screen) == []


def test_two_languages_above_and_below(live):
    shown = live(TWO, before=FAKE + ARROW + LONG)
    demo = shown.demo
    shown.page.browser.emulate_media(reduced_motion="reduce")
    with shown.page.full_screen(demo) as screen:
        assert problems(screen) == []
        shown.press("Enter")
        shown.says("In French “street” gets 0.")
        assert problems(screen) == []
        shown.press("ArrowDown")
        shown.says("中文: to write “")
        assert problems(screen) == []


def test_two_models_of_one_language_are_compared_word_by_word(live):
    shown = live(SAME, before=FAKE)
    demo = shown.demo
    shown.svg.focus()
    shown.press("Enter")
    shown.says("In one “animal” gets 0.")
    word(demo, "fr 1", 10).click()
    shown.says("pinned · In one “")
    assert words(demo, ".written.query") == ["il", "il"]
    shown.page.theme("dark")
    shown.page.theme("light")
