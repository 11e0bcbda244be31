"""Maps and heads as a reader uses them: hover, pin, one head alone, layers, a long text."""

import pytest

MAPS = """
import numpy as np

from lib.attention import softmax

WORDS = "The animal didn't cross the street because it was too tired".split()
WEIGHTS = softmax(np.random.default_rng(3).standard_normal((4, 11, 11)))
LAYERS = softmax(np.random.default_rng(3).standard_normal((3, 1, 4, 11, 11)))
"""
READ = """
pointed = demo.drawing
print(demo.weights.shape, pointed.head, pointed.query, pointed.key, pointed.pinned)
"""
LONG = """
def long_text():
    demo = widgets.Heads()
    demo.source.value = "random"
    demo.heads.value, demo.tokens.value = 4, 128
    return demo
"""
MIDDLE = """(svg, [map, row, column, T, S]) => {
    const box = svg.querySelector(`[data-id="point ${map}"]`).getBoundingClientRect();
    return [box.x + (box.width * (column + 0.5)) / S, box.y + (box.height * (row + 0.5)) / T];
}"""
INK = """(canvas) => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.findLast((_, i) => i % 4 === 2 && pixels[i + 1] > 250);
}"""
BOX = """(node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height];
}"""


def hover(shown, map, row, column, length=11):
    shown.mouse.move(*shown.svg.evaluate(MIDDLE, [map, row, column, length, length]))


def mark(shown, name):
    return shown.svg.locator(f'[data-id="{name}"]')


def test_point_pin_and_one_head_alone(live):
    shown = live("widgets.AttentionMap(WEIGHTS, WORDS, at=(0, 0))", READ, before=MAPS)
    shown.says("Enter shows it.")
    shown.svg.focus()
    shown.press("Enter")
    shown.says("head 1: “The” looks")
    hover(shown, 1, 5, 3)
    shown.says("head 2: “street” looks at “cross”")
    shown.mouse.down()
    shown.mouse.up()
    shown.says("pinned · head 2: “street” looks at “cross”")
    hover(shown, 0, 0, 0)
    shown.svg.focus()
    shown.press("Shift+ArrowLeft", "ArrowDown")
    shown.says("pinned · head 1: “because” looks at “cross”")
    assert shown.output(1) == "(4, 11, 11) 0 6 3 True"
    shown.svg.focus()
    shown.press("Enter")
    mark(shown, "back").wait_for()
    mark(shown, "cell 1.0.0").wait_for(state="detached")
    assert "." in mark(shown, "cell 0.6.3").text_content(), "one head alone has its digits"
    shown.press("Escape", "Escape")
    mark(shown, "name 3").wait_for()
    shown.mouse.dblclick(*shown.svg.evaluate(MIDDLE, [2, 4, 4, 11, 11]))
    mark(shown, "back").wait_for()
    shown.says("head 3: “the” looks at “the”")
    shown.reset()
    shown.says("Enter shows it.")


def test_two_weights_are_compared_and_one_is_hidden(live):
    demo = "widgets.AttentionMap(WEIGHTS[0], WORDS, at=(8, 1), than=(7, 1))"
    shown = live(demo, before=MAPS)
    shown.says("Predict first: more, less, or as much? Enter shows it.")
    mark(shown, "cell 0.7.1").wait_for()
    shown.svg.focus()
    shown.press("ArrowUp")
    assert mark(shown, "cell 0.8.1").count() == 0, "no key leads away from what is asked"
    shown.press("Enter")
    shown.says("“was” looks at “animal”")
    assert mark(shown, "answer").text_content() == "less"
    numbers = [mark(shown, f"number of {place}").text_content() for place in (0, 1)]
    assert numbers == ["0.04", "0.02"]
    shown.svg.focus()
    shown.press("ArrowUp")
    assert mark(shown, "answer").text_content() == "as much"
    shown.demo.get_by_text("Is it → animal more than it → animal, or less?").wait_for()
    assert shown.problems() == []
    shown.press("Enter", "Enter")  # the story is over: it asks first
    shown.says("Predict first: more, less, or as much?")


def test_a_layer_is_chosen_in_the_menu_and_in_the_grid(live):
    demo = "widgets.AttentionMap(LAYERS, WORDS, at=(0, 0))"
    shown = live(demo, "print(demo.layers.layer)", before=MAPS)
    shown.says("Which layer, which head?")
    shown.svg.nth(1).focus()
    shown.press("Enter")
    shown.says("head 1: “The” looks", "layer 1, head 1 · most of 12: layer 3, head 2")
    shown.press("Enter")
    shown.says("head 2: “The” looks", "layer 3, head 2: the most of 12")
    assert shown.demo.locator("select").first.input_value() == "3 of 3"
    shown.demo.locator("select").first.focus()
    shown.press("ArrowUp")
    shown.says("layer 2, head 2 ·")
    mark(shown, "head 0.3").click()
    shown.says("head 4: “The” looks", "layer 1, head 4 ·")
    assert shown.problems() == []
    assert shown.output(1) == "0"


def test_heads_are_cut_one_after_the_other_and_one_is_large(live):
    shown = live("widgets.Heads()", "print(demo.heads.value, demo.drawing.solo)")
    shown.says("Predict: parameters, weights, or both?")
    shown.svg.focus()
    mark(shown, "answer-veil").wait_for()
    shown.press("Enter")
    mark(shown, "slice 16.1").wait_for()
    mark(shown, "times weights 16").get_by_text("16 × as many").wait_for()
    assert mark(shown, "times parameters 16").text_content() == ", as before"
    shown.says("Each slice makes a table of its own")
    shown.press("Enter")
    shown.says("Predict: each head looks most at one word. Do 4 heads choose the same?")
    shown.press("Enter")
    shown.says("Each row is a head; framed is the word that “too” looks at most")
    shown.demo.get_by_text("different words", exact=True).wait_for()
    assert mark(shown, "answer").text_content() == "4"
    shown.press("3")
    shown.says("Head 3: “too” looks at “animal”, 0.98 (as trained).")
    shown.press("z")
    cell = mark(shown, "cell 2.10.2")
    cell.wait_for()
    assert ".98" in cell.text_content()
    assert shown.output(1) == "4 2"
    shown.svg.focus()
    shown.press("Escape", "ArrowLeft")
    shown.says("Head 3: “was” looks at “animal”, 0.43")
    mark(shown, "pick 10").click()
    shown.says("Head 3: “too” looks at “animal”, 0.98")
    mark(shown, "point 4.1").hover()
    shown.says("Head 2: “too” looks at “because”, 0.84")
    mark(shown, "point 4.1").click()
    mark(shown, "cell 1.10.7").wait_for()
    shown.reset()
    shown.says("Predict: parameters, weights, or both?")
    assert shown.output(1) == "1 -1"


def test_a_long_text_in_both_themes_and_on_a_projector(live):
    shown = live("long_text()", before=LONG)
    demo = shown.demo
    demo.locator("canvas[width='128']").first.wait_for()
    shown.svg.focus()
    shown.press("3")
    mark(shown, "chosen map").wait_for()
    hover(shown, "4.2", 100, 70, 128)
    shown.says("Head 3: “tired” looks at “")
    canvas = mark(shown, "map 4.2").locator("canvas")
    assert canvas.evaluate(INK) == 0x90
    shown.page.theme("dark")
    assert canvas.evaluate(INK) == 0xE2
    with shown.page.full_screen(demo):
        frame = mark(shown, "paper 4.2").evaluate(BOX)
        cells = mark(shown, "map 4.2").locator("canvas").evaluate(BOX)
        assert frame == pytest.approx(cells, abs=2), "the cells lie in their frame"
    shown.page.theme("light")
