"""Writer with buttons, keys, mouse and sliders; a long text on a projector."""

ROUNDS = """
import numpy as np

TEXT = "the animal didn't cross the street because it was too tired <end>".split()
OTHERS = "wide old <b>".split()


class Rounds:
    \"\"\"Knows one sentence, and says it again and again when it has missed the end.\"\"\"

    words = ["<pad>", "<start>", "<end>", *dict.fromkeys(TEXT[:-1]), *OTHERS]

    def scores(self, tokens):
        for token in tokens:
            if token not in self.words:
                raise ValueError(f"“{token}” is not one of the words: {', '.join(self.words[3:])}.")
        length = len(TEXT) - 1
        place = length if len(tokens) == length else len(tokens) % length
        scores = np.linspace(1, 0, len(self.words))
        scores[:3] = -np.inf
        scores[self.words.index(TEXT[place])] = 9.0
        return scores

"""
READ = """
left = np.count_nonzero(demo.probabilities)
print(demo.text, '|', demo.tokens[-1], demo.temperature.value, left)
"""
# Draws, and answers with the milliseconds after which each was seen: the dart, the word in flight,
# the number, no question mark any more, the sentence.
WATCH = """async (svg) => {
    const sentence = svg.closest(".stage").querySelector("figcaption");
    const seen = (id) => Number(svg.querySelector(`[data-id^="${id}"]`)?.style.opacity || 1) > 0.05
        && svg.querySelector(`[data-id^="${id}"]`) !== null;
    const events = {
        dart: () => seen("dart 0"), word: () => seen("written 0"),
        number: () => svg.querySelector("[data-id=answer]") !== null && seen("answer"),
        open: () => !seen("answer-veil"),
        sentence: () => sentence.textContent.includes("fell"),
    };
    const times = {}, start = performance.now();
    svg.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    while (Object.keys(times).length < 5 && performance.now() - start < 9000) {
        const now = await new Promise(requestAnimationFrame);
        for (const [name, happens] of Object.entries(events))
            if (!(name in times) && happens()) times[name] = now - start;
    }
    return times;
}"""


def test_the_dart_falls_before_anything_is_said(live):
    shown = live("widgets.Writer(Rounds())", before=ROUNDS)
    shown.page.let_glide()
    shown.svg.focus()
    shown.press("Enter")
    shown.says("leads with")
    times = shown.svg.evaluate(WATCH)
    assert times["dart"] < times["word"] < min(times["number"], times["sentence"]), times
    assert times["open"] >= times["number"], f"no empty room after the question mark: {times}"
    shown.says("The dart fell at 0.64")


def test_write_look_back_and_read(live):
    shown = live("widgets.Writer(Rounds())", READ, before=ROUNDS)
    demo, svg = shown.demo, shown.svg
    assert svg.count() == 1 and shown.problems() == []
    svg.focus()
    shown.press("Enter")  # shows what could come
    shown.says("“didn't” leads with >.99.")
    shown.press("Enter")
    shown.says("The dart fell at 0.64: “didn't” >.99.")
    assert demo.locator("text.written").all_text_contents() == ["didn't"]
    shown.press("ArrowRight")  # the next word's strip
    shown.says("“cross” leads with >.99.")
    shown.press("ArrowRight", "ArrowRight")  # past the newest word it is drawn, and so on
    shown.says("“the” leads with >.99.")
    shown.press("ArrowLeft")
    shown.says("“cross” >.99.")
    shown.press("Home")
    shown.says("“didn't” >.99.")
    shown.press("Escape")
    shown.says("“the” leads with >.99.")
    shown.press("Backspace", "x")
    shown.says("“cross” leads with >.99.")

    shown.button("write to the end")
    shown.says("Stopped: “<end>” is the end token.")
    word = demo.locator(".spot").nth(3)
    assert demo.locator("[data-id^=another\\ ]").count() == 0, "each was the likeliest"
    word.hover()
    shown.says("“street” >.99.")
    shown.mouse.move(5, 5)
    shown.says("Stopped: “<end>” is the end token.")
    word.click()
    shown.mouse.move(5, 5)
    shown.says("“street” >.99.")
    assert demo.locator(".spot.here").count() == 1
    svg.focus()
    shown.press("Escape")
    shown.says("Stopped: “<end>” is the end token. The likeliest came: 10 of 10.")
    shown.button("take one back")
    shown.says("“<end>” leads with >.99")
    assert shown.output(1).endswith("tired | tired 1.0 14")


def test_enter_asks_the_same_dart_at_a_low_temperature(live):
    shown = live("widgets.Writer(Rounds())", READ, before=ROUNDS)
    shown.svg.focus()
    shown.press("Enter", "Enter")
    shown.says("The dart fell at 0.64")
    shown.press("Enter")
    shown.says("Predict: the dart stays where it fell.")
    assert shown.demo.locator("text.written").count() == 0, "the word is asked for"
    shown.demo.get_by_text("0.64", exact=True).wait_for()
    shown.press("Enter")
    shown.says("The dart fell at 0.64")
    assert shown.output(1).endswith("didn't 0.2 13")


def test_enter_asks_for_temperature_3(live):
    shown = live("widgets.Writer(Rounds())", READ, before=ROUNDS)
    demo, svg = shown.demo, shown.svg
    shown.button("write to the end")
    shown.says("Stopped: “<end>” is the end token.")
    svg.focus()
    shown.press("Enter")
    shown.says("Predict: does it still write sentences?")
    demo.locator(".demo-question", has_text="Temperature 3: still sentences?").wait_for()
    assert demo.locator("text.written").count() == 0, "the text is veiled"
    shown.press("Enter")
    demo.locator("text.written").first.wait_for()
    demo.locator(".demo-next", has_text="Start over").wait_for()
    shown.says("No: no training sentence is built like this.")
    demo.locator("[data-id=answer]", has_text="no").wait_for()
    demo.locator("[data-id='came 0']").wait_for()  # what was hit on the first word's strip
    shown.reset()
    demo.locator(".demo-question", has_text="Which word comes next?").wait_for()
    assert shown.problems() == []


def test_on_a_projector_the_controls_take_two_lines(live):
    shown = live("widgets.Writer(Rounds())", before=ROUNDS)
    with shown.page.full_screen(shown.demo):
        shown.svg.focus()
        shown.press("Enter")
        shown.says("leads with")
        tops = [
            {round(part.bounding_box()["y"]) for part in shown.demo.locator(kind).all()}
            for kind in (".demo-controls > .widget-hslider", ".demo-controls > .widget-button")
        ]
        assert [len(lines) for lines in tops] == [1, 1]
        height = int(shown.svg.get_attribute("viewBox").split()[-1])
        assert height > 300, "below it the letters would shrink"


def test_few_words_are_left_and_an_unknown_one_is_named(live):
    shown = live("widgets.Writer(Rounds())", before=ROUNDS)
    demo = shown.demo
    shown.button("write to the end")
    shown.button("take one back")
    shown.says("“<end>” leads with >.99")
    demo.get_by_role("slider").nth(1).focus()  # top-k
    shown.press("Home", "ArrowRight", "ArrowRight")
    shown.says("3 of 14 words are left.")
    shown.svg.focus()
    shown.press("Enter")
    shown.says("Stopped: “<end>” is the end token. The likeliest came: ")

    field = demo.locator("input[type=text]")
    field.fill("the elephant")
    field.press("Enter")
    demo.locator(".demo-message", has_text="“elephant” is not one of the words").wait_for()
    assert field.input_value() == "the elephant" and demo.locator("text.written").count() == 10
    assert shown.problems() == []


def test_a_long_text_on_a_projector(live):
    shown = live("widgets.Writer(Rounds())", READ, before=ROUNDS)
    demo = shown.demo
    field = demo.locator("input[type=text]")
    field.fill(" ".join(["the animal"] * 12))
    field.press("Enter")
    shown.svg.locator("[data-id=veil]").click()
    shown.says("“didn't” leads with >.99.")
    shown.button("write to the end")
    shown.says("Stopped: 24 words are the limit.")
    assert demo.get_by_text("…", exact=True).count() == 2, "there are lines before and after"
    assert shown.problems() == []
    shown.svg.focus()
    shown.press("Home")
    shown.says("The dart fell at 0.64: ")
    shown.reset()
    shown.says("Predict: which word comes next?")
    assert shown.output(1) == "the animal | animal 1.0 13"
