"""Bars as a reader uses them: drag, keys, buttons, sliders, and the next cell."""

from tests.browser.measuring import quickest

FRAME = 17  # milliseconds from one picture to the next on a screen of 60 a second

FRAMES = """(svg) => new Promise((done) => {
    const box = svg.querySelector(".hold").getBoundingClientRect(), times = [];
    const send = (type, y) => svg.querySelector(".hold").dispatchEvent(new PointerEvent(type, {
        bubbles: true, pointerId: 1, buttons: 1, clientX: box.x + box.width / 2, clientY: y }));
    svg.setPointerCapture = () => {};
    send("pointerdown", box.y + box.height / 3);
    const frame = (time) => {
        times.push(time);
        const share = 0.2 + 0.2 * Math.abs(Math.sin(times.length / 9));
        send("pointermove", box.y + box.height * share);
        if (times.length < 61) return requestAnimationFrame(frame);
        send("pointerup", box.y);
        done(times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b)[30]);
    };
    requestAnimationFrame(frame);
})"""


def test_bars_follow_the_hand(live):
    shown = live(
        "widgets.Bars()", "print(demo.scores[:2], round(demo.weights.max(), 3), len(demo.weights))"
    )
    shown.says("“animal” has score 2.0 and gets 0.40")
    took = quickest(lambda: shown.svg.evaluate(FRAMES), FRAME)
    assert took < FRAME, "half of the frames take longer than the screen needs"
    shown.reset()
    shown.says("“animal” has score 2.0")
    box = shown.svg.locator(".hold").first.bounding_box()
    middle = box["x"] + box["width"] / 2
    shown.drag((middle, box["y"] + box["height"] * 0.4), (middle, box["y"] + 1))
    shown.says("“animal” has score 9.0 and gets 0.999")
    shown.press("ArrowRight", "ArrowUp", "Shift+ArrowUp")
    shown.says("“didn't” has score −0.4")
    assert shown.output(1) == "[ 9.  -0.4] 0.999 8"
    for _ in range(5):  # asked and shown in turn, until one leads by 2
        shown.press("Enter")
        shown.page.settle()
    shown.demo.get_by_role("slider").first.focus()
    shown.press("End")
    shown.demo.get_by_text("4,089 others").wait_for()
    assert shown.output(1) == "[2. 0.] 0.002 4096"
    shown.reset()
    shown.demo.get_by_text("4,089 others").wait_for(state="detached")
    assert shown.output(1) == "[ 2. -1.] 0.403 8"


def test_the_story_asks_of_the_leader_wherever_one_has_looked(live):
    shown = live("widgets.Bars()")
    asked = shown.demo.locator(".demo-question")
    shown.svg.focus()
    for key in ("Enter", "Enter", "Enter", "Enter", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        shown.press(key)
        shown.page.settle()
    shown.says("“animal” counts", "≈ 7.4, each other key")
    asked.filter(has_text="One word leads by 2. How large is its share?").wait_for()
    shown.press("ArrowRight")
    asked.filter(has_text="How large is the share of “didn't”?").wait_for()
    shown.press("Enter")
    asked.filter(has_text="A lead of 2 among 4,096 keys").wait_for()
    shown.press("Enter")
    shown.demo.get_by_text("0.998: the other 4,095").wait_for()
    assert shown.svg.locator("[data-id=answer]").text_content() == "0.002"
