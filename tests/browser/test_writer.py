"""Writer with buttons, keys, mouse and sliders; a long text on a projector."""

from pathlib import Path

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
DEMO = """0

import numpy as np
from lib.widgets.writer import Writer


class Rounds:
    \"\"\"Knows one sentence, and says it again and again when it has missed the end.\"\"\"

    words = "<pad> <start> <end> the animal didn't cross street because it was too tired wide old <b>".split()
    text = "the animal didn't cross the street because it was too tired <end>".split()

    def scores(self, tokens):
        unknown = [token for token in tokens if token not in self.words]
        if unknown:
            raise ValueError(f"“{unknown[0]}” is not one of the words: {', '.join(self.words[3:])}.")
        scores = np.linspace(1, 0, len(self.words))
        scores[:3] = -np.inf
        scores[self.words.index(self.text[len(tokens) if len(tokens) == 11 else len(tokens) % 11])] = 9.0
        return scores


demo = Writer(Rounds())"""
READ = "print(demo.text, '|', demo.tokens[-1], demo.temperature.value, np.count_nonzero(demo.probabilities))"


def test_write_look_back_and_read(live):
    shown = live(DEMO, READ)
    demo, svg = shown.demo, shown.svg

    def button(name):
        demo.get_by_role("button", name=name).click()

    def sizes():
        with shown.page.full_screen(demo) as screen:
            return screen.evaluate(MEASURE, [24, 4.5, 1])

    shown.says("After “animal”: “didn't” >.99 is the most probable. Left: 13 of 13 words.")
    assert svg.count() == 1 and sizes() == []
    svg.focus()
    shown.press("Enter", "ArrowRight")  # past the newest word the next is written
    shown.says("After “cross”: “the”")
    shown.press("ArrowLeft")
    shown.says("After “didn't” came “cross” >.99, drawn at temperature 1.0 from 13 of 13 words.")
    shown.press("Home")
    shown.says("After “animal” came “didn't”")
    shown.press("Escape")
    shown.says("After “cross”: “the”")
    shown.press("Backspace", "x")
    shown.says("After “didn't”: “cross”")
    assert shown.page.cells() == 2, "x has cut no cell"

    button("write to the end")
    shown.says("Stopped: “<end>” is the end token.")
    word = demo.locator(".spot").nth(3)
    word.hover()
    shown.says("After “the” came “street”")
    shown.mouse.move(5, 5)
    shown.says("Stopped: “<end>” is the end token.")
    word.click()
    shown.mouse.move(5, 5)
    shown.says("After “the” came “street”")
    assert demo.locator(".spot.here").count() == 1
    button("take one back")
    shown.says("After “tired”: “<end>” >.99")
    assert shown.output(1).endswith("tired | tired 1.0 14")

    demo.get_by_role("slider").nth(1).focus()  # top-k
    shown.press("Home", "ArrowRight", "ArrowRight")
    shown.says("Left: 3 of 14 words.")
    assert demo.locator("text.out").count() == 6, "five words and the others are struck through"
    button("most probable")
    shown.says("After “tired” came “<end>” >.99, the most probable of 14 words. Stopped")

    field = demo.locator("input[type=text]")
    field.fill("the elephant")
    field.press("Enter")
    demo.locator(".demo-message", has_text="“elephant” is not one of the words").wait_for()
    assert field.input_value() == "the elephant" and demo.locator("text.written").count() == 10
    assert sizes() == []
    field.fill(" ".join(["the animal"] * 12))
    field.press("Enter")
    shown.says("After “animal”: “didn't” >.99 is the most probable. Left: 3 of 13")
    demo.get_by_role("slider").first.focus()
    shown.press("End")
    button("write to the end")
    shown.says("Stopped: 24 words are the limit.")
    assert demo.get_by_text("…", exact=True).count() == 1, "the lines before are scrolled away"
    assert sizes() == []
    svg.focus()
    shown.press("Home")
    shown.says("After “animal” came")
    demo.locator(".demo-reset").click()
    shown.says("After “animal”: “didn't” >.99 is the most probable. Left: 13 of 13 words.")
    assert shown.output(1) == "the animal | animal 1.0 13"
