"""The scaling dial and Random directions as a reader uses them: Enter, sliders, text."""


def test_the_dial_turns(live):
    shown = live("widgets.ScalingDial()", "print(demo.d_k.value, round(demo.scores.std(), 2))")
    shown.says("The 16 weights of the median query")
    shown.demo.get_by_role("slider").focus()
    shown.press("End")
    shown.svg.locator("[data-id=answer]").get_by_text("1.00").wait_for()
    shown.svg.focus()
    shown.press("ArrowRight", "ArrowRight")
    shown.says("Weight 2 of 16: score")
    shown.demo.locator("input[type=text]").fill("√d_k")
    shown.says("Each row: the 16 weights")
    assert shown.output(1) == "512 0.99"


def test_a_hall_says_what_to_divide_by(live):
    shown = live("widgets.ScalingDial()", "print(demo.divisor.value, round(demo.scale, 3))")
    field = shown.demo.locator("input[type=text]")
    field.fill("8")
    shown.svg.locator("[data-id='divided name']").get_by_text("÷ 8").wait_for()
    assert shown.output(1) == "8 0.125"
    assert shown.demo.get_by_text("divide by", exact=True).count() == 1, "it is set in one place"
    field.fill("kittens")
    shown.demo.get_by_text("I cannot divide by “kittens” here.").wait_for()
    assert shown.svg.locator("[data-id='divided name']").text_content() == "÷ 8", "it stays"


def test_in_full_screen_what_is_typed_takes_the_place_of_what_was_there(live):
    shown = live("widgets.ScalingDial()", "print(demo.divisor.value)")
    with shown.page.full_screen(shown.demo):
        shown.svg.focus()
        shown.press("Tab", "Tab", "Tab", "8")
    assert shown.output(1) == "8"


def test_enter_takes_what_was_typed_and_then_goes_on(live):
    shown = live("widgets.ScalingDial()", "print(demo.divisor.value, demo.drawing.done)")
    field = shown.demo.locator("input[type=text]")
    field.fill("8")
    field.press("Enter")
    shown.svg.locator("[data-id=answer]").get_by_text("not 8").wait_for()
    shown.page.wait_until_idle()
    assert shown.output(1) == "8 2"
    field.press("Enter")
    shown.demo.get_by_text("Try another").wait_for()
    assert shown.output(1) == "d_k 3"


def test_the_story_of_the_dial_hides_the_root_until_it_is_tried(live):
    shown = live("widgets.ScalingDial()", "print(demo.divisor.value, demo.drawing.done)")
    shown.svg.focus()
    shown.press("Enter")
    shown.says("Predict first")
    assert "√" not in shown.demo.inner_text()
    shown.press("Enter")
    shown.svg.locator("[data-id=answer]").get_by_text("0.92").wait_for()
    shown.press("Enter")
    shown.demo.get_by_text("stops mattering?").wait_for()
    assert "√" not in shown.demo.inner_text()
    shown.press("Enter")
    shown.svg.get_by_text("0.10 sinks to 0.07").wait_for()
    shown.press("Enter")
    shown.demo.get_by_text("Start over").wait_for()
    assert shown.output(1) == "√d_k 4"
    assert shown.svg.locator("[data-id='largest divided']").text_content() == "0.22"
    shown.demo.get_by_role("slider").focus()
    shown.press("End")
    shown.svg.locator("[data-id='largest divided']").get_by_text("0.23").wait_for()


def test_directions_narrow(live):
    shown = live("widgets.Directions()", "print(demo.d.value, round(demo.cosines.std(), 3))")
    shown.says("At d = 2 the angles average 90°, with a spread of 52°")
    shown.svg.focus()
    shown.press("Enter")
    shown.says("At d = 8 the angles")
    assert shown.svg.locator("[data-id=answer]").count() == 0
    shown.press("Enter")
    shown.says("Predict first")
    shown.press("Enter")
    shown.says("At d = 512: typically 90° ± 2.5°. Nearly all are close to 90°.")
    shown.svg.locator("[data-id=answer]").get_by_text("± 2.5°").wait_for()
    assert shown.demo.get_by_text("d = 8: ± 22°").count() == 1, "the fan before stays"
    assert shown.output(1) == "512 0.046"
