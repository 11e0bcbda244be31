"""Translator with mouse, keys, buttons and typing; two models, long sentences and Chinese on a projector."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.look import KERNEL

HERE = Path(__file__).parent
MEASURE = (HERE / "measure.js").read_text("utf-8")
FAKE = (HERE.parent / "widgets" / "fake_translator.py").read_text("utf-8")
SHOW = """
arrow = {"it → animal": lambda translation: [("cut", translation.source.index("it"))]}
demo = Translator(FakeTranslator(), examples=["the street was too wide"], changes=arrow)
demo
"""
TWO = """
long = "the old animal and the child didn't cross the big street because it was incomprehensibly too wide"
models = {"French": FakeTranslator(), "中文": FakeTranslator("Chinese")}
Translator(models, sentence=long, changes=arrow)
"""
SAME = """
same = Translator({"one": FakeTranslator(), "another": FakeTranslator()})
same
"""
RESTS = "(demo) => Promise.all(demo.getAnimations({ subtree: true }).map((one) => one.finished))"  # words fade in
READ = "print(demo.drawing.line, demo.drawing.word, demo.translation.text)"


def opened(lab, page, name, *cells):
    """A page whose first cell holds the translator without a model; its demos."""
    first = f'import sys\n\nsys.path.insert(0, "..")\nfrom lib.widgets.translator import Translator\n\n{FAKE}'
    cells = [new_code_cell(cell.strip()) for cell in (first, *cells)]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), lab.notebooks / f"{name}.ipynb")
    page.open(f"{name}.ipynb")
    page.run_all()
    return page.demos()


def words(demo, kind=""):
    """The words of this kind that are drawn, from left to right; digits and text left out."""
    return demo.locator(f".words text{kind}:not(.digits):not(.told)").all_text_contents()


def test_point_swap_type_and_cut(lab, lab_page):
    (demo,) = opened(lab, lab_page, "translator", SHOW, READ)
    keyboard, svg = lab_page.browser.keyboard, demo.locator("svg[tabindex]")

    def says(text, kind="figcaption"):
        demo.locator(kind).filter(has_text=text).wait_for(timeout=5000)

    def word(text, nth=0):
        return demo.locator(".words text").get_by_text(text, exact=True).nth(nth)

    says("The row that wrote “animal” (probability 0.91) looked at “animal”")
    assert words(demo, ".asks") == ["animal"] and words(demo, ".asked") == ["animal"]
    svg.evaluate("svg => { svg.querySelector('.words text').kept = true; }")

    svg.focus()
    for _ in range(9):
        keyboard.press("ArrowRight")
    says("The row that wrote “il”")
    assert words(demo, ".asked") == ["animal", "it"]
    digits = demo.locator(".digits").all_text_contents()
    assert len(digits) == 11 and abs(sum(map(float, digits)) - 1) < 0.06
    demo.get_by_role("button", name="tired ↔ wide").click()
    says("The row that wrote “elle”")
    assert words(demo, ".asked") == ["street", "it"] and demo.locator("path").count() >= 11
    assert svg.evaluate("svg => svg.querySelector('.words text').kept"), (
        "the words are moved, not drawn anew"
    )

    svg.focus()
    keyboard.press("ArrowUp")
    keyboard.press("End")
    says("“wide” looks at “wide”")
    keyboard.press("Home")
    keyboard.press("ArrowDown")
    says("The row that wrote “l'”")
    word("animal", 1).hover()
    says("The row that wrote “animal”")
    word("it").hover()
    says("“it” looks at “street”")
    word("it").click()
    says("pinned · “it” looks at")
    word("was").hover()
    lab_page.cell(2).click()
    keyboard.press("Control+Enter")
    lab_page.cell(2).locator(
        ".jp-OutputArea-output", has_text="-1 7 L'animal n'a pas traversé la rue parce qu'elle"
    ).wait_for()
    says("pinned · “it” looks at")
    svg.focus()
    keyboard.press("Escape")
    says("“it” looks at “street”")

    field = demo.locator("input[type=text]")
    field.fill("the giraf was full of woe")
    keyboard.press("Enter")
    says("never seen “giraf”", ".demo-message")
    assert field.input_value() == "the giraf was full of woe" and "street" in words(demo)
    assert not lab_page.browser.evaluate("() => document.fullscreenElement"), "f is a letter here"
    demo.locator(".translator-examples select").select_option("the street was too wide")
    says("French: La rue était trop large.", ".told")
    assert demo.locator(".demo-message").first.inner_text() == ""
    assert field.input_value() == "the street was too wide"

    demo.locator(".demo-reset").click()
    says("The row that wrote “animal”")
    demo.locator(".widget-dropdown", has_text="cut").locator("select").select_option("it → animal")
    says("French, before the cut: L'animal n'a pas traversé la rue parce qu'il était", ".told")
    assert words(demo, ".changed") == ["elle"]
    assert "underline" in demo.locator(".changed").evaluate(
        "word => getComputedStyle(word).textDecorationLine"
    )
    with lab_page.full_screen(demo) as shown:
        shown.evaluate(RESTS)
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
        keyboard.press("ArrowRight")
        says("The row that wrote “n'”")
    assert lab_page.errors() == [] and lab_page.outside == []


def test_two_models_above_and_below(lab, lab_page):
    demo, same = opened(lab, lab_page, "translators", SHOW.replace("\ndemo\n", ""), TWO, SAME)
    keyboard = lab_page.browser.keyboard
    lab_page.browser.emulate_media(
        reduced_motion="reduce"
    )  # a word that fades in is faint for a moment
    caption = demo.locator("figcaption")
    with lab_page.full_screen(demo) as shown:
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
        caption.filter(has_text="French: the row that wrote").wait_for()
        keyboard.press("ArrowDown")
        keyboard.press("Home")
        caption.filter(has_text="“the” looks at").wait_for()
        caption.filter(
            has_text="(中文) · encoder self-attention, layer 2, mean of heads"
        ).wait_for()
        keyboard.press("ArrowDown")
        caption.filter(has_text="中文: the row that wrote “那”").wait_for()
        assert shown.evaluate(MEASURE, [24, 4.5, 1]) == []
    assert demo.locator("text[lang=zh-CN]").count() > 10
    assert words(same, ".asks") == ["animal", "animal"], (
        "two models of one language are compared word by word"
    )
    same.locator(".words text").get_by_text("il", exact=True).last.click()
    same.locator("figcaption", has_text="pinned · another: the row that wrote “il”").wait_for()
    assert words(same, ".asks") == ["il", "il"] and same.locator(".chips .pinned").count() == 2
    lab_page.theme("dark")
    lab_page.theme("light")
    assert lab_page.errors() == [] and lab_page.outside == []
