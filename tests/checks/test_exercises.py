"""checks.summary(): what each check last said, by page, and a sentence where there is nothing."""

import numpy as np
import pytest

from lib import checks
from lib.checks import exercises
from tests.checks.asking import NAMES
from tests.checks.bank import BANK


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    monkeypatch.setattr(exercises, "_last_said", {})


def said(page=None):
    return str(checks.summary(page)).splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_what_every_check_says_is_kept(name):
    assert BANK[name].wrong, f"{name} has no mistake yet: add one, {name}.wrong(sentence)(answer)"
    getattr(checks, name)(*BANK[name].right[0])
    assert sum(line.startswith("- right: ") for line in said()) == 1
    wrong, _sentence = BANK[name].wrong[0]
    getattr(checks, name)(*wrong)
    assert sum(line.startswith("- not yet: ") for line in said()) == 1


def test_a_page_is_listed_with_its_name_its_exercises_and_their_count():
    checks.lead(np.log(63))
    checks.weighted_sum(lambda scores, values: None)
    title, count, *listed, empty, last = said()
    assert title == "Page 2 · Softmax: from scores to shares"
    assert count == f"1 of {len(listed)} exercises right" and len(listed) >= 3
    assert {
        "- right: 1 · How large a lead?",
        "- not tried: 2 · A softmax that survives",
        "- not yet: Find the bug (5 minutes)",
    } <= set(listed)
    assert (empty, last) == ("", exercises.FORGOTTEN)
    assert repr(checks.summary()) == str(checks.summary())


def test_the_last_verdict_counts():
    for answer, verdict in [(1, "not yet"), (24, "right"), (576, "not yet")]:
        checks.score_spread(answer)
        assert f"- {verdict}: 1 · Other spreads" in said()


def test_several_pages_are_listed_in_their_order():
    checks.evidence("Z")
    checks.score_spread(24)
    titles = [line for line in said() if line.startswith("Page ")]
    assert titles == [
        "Page 3 · Scaling: before anything is learned",
        "Page 11 · Is the picture true?",
    ]
    assert said().count(exercises.FORGOTTEN) == 1


def test_one_check_of_several_exercises_tells_them_apart_by_the_function():
    def still_buggy(queries, keys, values):
        return values

    right, *_rest = BANK["attention"].right
    checks.attention(*right)
    checks.attention(still_buggy)
    assert said()[2:5] == [
        "- right: 1 · Attention, from an empty cell",
        "- not tried: 2 · Find the bug",
        "- not yet: 3 · Find the bug again",
    ]


def test_a_page_can_be_asked_for():
    assert said(0) == [
        "Page 0 · Start here: what does a Transformer do?",
        "0 of 1 exercises right",
        "- not tried: Exercise: does the model know its sentences by heart?",
        "",
        exercises.FORGOTTEN,
    ]
    checks.score_spread(24)
    assert said(0)[2].startswith("- not tried: ")


def test_when_all_were_tried_nothing_more_is_said():
    checks.pronoun("no translator", "a", "b")
    assert said()[-1].startswith("- not yet: ")


@pytest.mark.parametrize("page", [99, -1, "x", "5", 5.5, [5], True])
def test_what_is_no_page_gets_a_sentence(page):
    assert said(page) == [
        f"checks.summary takes the number of a page, 0 to {max(exercises.PAGES)}, as in "
        f"checks.summary(5), not {page!r}."
    ]


def test_a_page_without_exercises_is_said_to_have_none(monkeypatch):
    monkeypatch.delitem(exercises.PAGES, 3)
    assert said(3) == ["Page 3 has no exercises."]


def test_before_any_check_it_says_what_to_do():
    assert said() == [exercises.NOTHING_TRIED]
