"""Copies as a class sees it: the bars fall, a head is asked where it looks, four heads are cut."""

READ = "print(demo.drawing.asks, demo.cut.value, demo.drawing.words[demo.drawing.place])"


def test_enter_tells_the_story(live):
    shown = live("widgets.Copies()", READ)
    answer = shown.svg.locator("[data-id=answer]")
    shown.svg.focus()
    for text, state in (
        ("1 in 4", "cost nothing posed"),
        ("stack", "look nothing posed"),
        ("1 in 470", "cost the four that copy posed"),
        ("1 in 6", "cost four at random posed"),
    ):
        shown.svg.locator("[data-id=answer-veil]").wait_for()
        assert answer.count() == 0
        assert shown.problems() == []
        shown.svg.focus()
        shown.press("Enter")
        answer.filter(has_text=text).wait_for()
        assert shown.output(1) == state
        assert shown.problems() == []
        shown.svg.focus()
        shown.press("Enter")
    shown.press("Enter")  # the story is over: it asks first
    shown.says("Predict first")


def test_a_word_and_a_head_are_chosen_by_key_and_by_pointer(live):
    shown = live("widgets.Copies()", READ)
    shown.svg.focus()
    shown.press("ArrowRight")
    assert shown.output(1) == "cost nothing posed", "under the veil nothing moves"
    shown.svg.focus()
    shown.press("Enter", "ArrowRight")
    shown.says("“stack” again: layer 19, head 7 looks at what came after it")
    shown.press("Shift+ArrowLeft")
    shown.says("layer 18, head 7")
    shown.press("ArrowUp")
    shown.says("layer 18, head 6")
    shown.press(" ")
    shown.says("Yellow: the surprise that the cut adds")
    assert shown.output(1) == "cost the four that copy stack"
    box = shown.svg.locator("[data-id='hold heads']").bounding_box()
    layer, head = 17, 1  # looks at the word just before
    x = box["x"] + box["width"] * (layer - 0.5) / 30
    shown.mouse.click(x, box["y"] + box["height"] * (head - 0.5) / 9)
    shown.says("“stack” again: layer 17, head 1 looks at the word just before")
    assert shown.output(1) == "look nothing stack", "a look is that of the whole model"
    shown.svg.locator("[data-id='pick 36']").click()
    shown.says("“venues” again: layer 17, head 1")
    shown.demo.locator("select").select_option("four at random")
    shown.says("Nothing cut: 1 in 4. The four that copy: 1 in 470. These four: 1 in 6.")
    bar = shown.svg.locator("[data-id='bar 41']").bounding_box()
    shown.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] - 1)
    shown.says("the first time")
    assert shown.output(1) == "cost four at random venues"
    shown.reset()
    shown.says("Predict first")
