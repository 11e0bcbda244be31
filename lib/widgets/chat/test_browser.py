"""Chat with a kernel: a long answer comes token by token, Stop ends it, the next token goes on."""

DEMO = "widgets.Chat(Endless(), 'Go on')"
ENDLESS = """
import itertools
import time

import numpy as np

from lib.pretrained.talk import Said, Talk


def said(number):
    time.sleep(0.2)  # slower than the page of a busy machine
    looks = np.zeros((2, 3, 1 + number), np.uint8)
    looks[..., -1] = 255
    return Said(f" word{number}", 0.25, [(f" word{number}", 0.25)], looks)


class Endless:
    def talk(self, question):
        return Talk([question], lambda: map(said, itertools.count()))

"""
RECORDED = "from lib.pretrained.today import ChatModel"
READ = "demo.text.split()[-1] == f'word{len(demo.drawing.words) - 1}', demo.drawing.running"


def test_stop_ends_an_answer_that_would_go_on_for_ever(live_in_lab):
    view = live_in_lab(DEMO, READ, before=ENDLESS)
    with view.page.full_screen(view.demo):
        view.demo.get_by_role("button", name="write to the end").click()
        view.demo.get_by_text("word9", exact=True).first.wait_for()  # while the kernel is busy
        view.demo.get_by_role("button", name="Stop").click()
        view.demo.get_by_text("The next token goes on").wait_for()
        view.demo.get_by_role("button", name="Next: next token").click()
    assert view.output(1) == "(True, False)"


def test_the_headline_is_about_the_heads_while_they_are_seen(live):
    shown = live("widgets.Chat(ChatModel.recorded())", before=RECORDED)
    asked = shown.demo.locator(".demo-question")
    shown.svg.focus()
    for key, asks in (
        ("Enter", "It answers token by token"),
        ("Enter", "“The” came. How far ahead of the runner-up was it?"),
        ("Enter", "“The” came. How far ahead of the runner-up was it?"),
        ("ArrowDown", "The head that looks most at “France”"),
        ("ArrowLeft", "What this head gives to “France”"),
        ("Backspace", "“The” came. How far ahead of the runner-up was it?"),
        ("Backspace", "It answers token by token"),
    ):
        shown.press(key)
        shown.page.settle()
        asked.filter(has_text=asks).wait_for()
    shown.says("Finished: “end” is the end token.")
