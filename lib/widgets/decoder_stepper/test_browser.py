"""DecoderStepper with keys, buttons and mouse; a long source of twelve words on a projector."""

READ = "print(demo.target_tokens[-1], demo.cross_weights.shape)"
LONG_STEP = """
import numpy as np

source = "The animal didn't cross the street because it was too tired <i>".split()


def step(tokens):
    T = len(tokens)
    back = np.tri(T) / np.arange(1, T + 1)[:, None]
    return back, np.full((T, 12), 1 / 12), {"<b>שלום</b>": 0.7, "动物太累了": 0.3}

"""


def test_write_look_back_and_read(live):
    shown = live("widgets.DecoderStepper()", READ)
    demo, svg = shown.demo, shown.svg
    shown.says("Predict first: Enter shows the word, and where it looks.")
    demo.get_by_text("Where does it look to write the first word?").wait_for()
    assert demo.locator("svg text", has_text="→").count() == 0, "an arrow would be a look"
    svg.focus()
    shown.press("Enter")
    shown.says("After “\u2068<start>\u2069” it looks most at “\u2068the\u2069”, and writes")
    shown.press("Enter")
    demo.get_by_text("It looked most at “the”. Where does it look now?").wait_for()
    shown.press("Enter")
    shown.says("After “\u2068l’\u2069” it looks most at “\u2068animal\u2069”")
    shown.press(*["ArrowRight"] * 3)
    demo.get_by_text("It looked most at “animal”. Where does it look now?").wait_for()
    shown.says("Predict first: Enter shows the word, and where it looks.")
    for key in ["Enter", "ArrowRight"] * 3:
        shown.press(key)
    shown.says("Stopped: “<end>” is the end token.")
    shown.press("Home")
    shown.says("and writes “\u2068l’\u2069”")
    shown.press("ArrowDown", "ArrowDown")
    demo.get_by_text("Where did it look to write “fatigué”?").wait_for()
    shown.says("looks back at “\u2068tired\u2069”, and writes", "”: the lines cross.")
    demo.locator("[data-id='hold target 1']").hover()
    shown.says("self-attention to \u2068l’\u2069 0.245")
    demo.locator("[data-id='hold source 0']").hover()
    shown.says("cross-attention to \u2068the\u2069 0.043")
    demo.locator("[data-id='hold target 2']").click()
    shown.says("and writes “\u2068animal\u2069”")
    shown.button("take one back")
    shown.says("it looks at all words above alike, and writes “\u2068<end>\u2069”")
    svg.focus()
    shown.press("Backspace")
    shown.says("it looks most at “\u2068slept\u2069”, and writes “\u2068dormait\u2069”")
    assert shown.output(1) == "fatigué (4, 4)"
    assert shown.problems() == []
    shown.reset()
    shown.says("Predict first: Enter shows the word, and where it looks.")
    assert shown.problems() == []


def test_twelve_words_of_any_kind_are_legible(live):
    shown = live("widgets.DecoderStepper(source, step)", before=LONG_STEP)
    shown.svg.focus()
    for _ in range(24):  # it shows and asks, twelve times
        shown.press("Enter")
    shown.says("Stopped: 12 words are the limit.")
    assert shown.problems() == []
