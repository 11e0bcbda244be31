"""What page 12 says of its versions: the numbers of three seeds, and a sample."""

import pytest

from lib.saved import gpt, ladder
from lib.saved.gpt_program import cost
from tools.course_text import FILE


def test_bits_are_those_of_three_seeds():
    assert len(ladder.bits("one head")) == 3
    assert all(0 < number < 7 for number in ladder.bits("one head"))


def test_told_has_one_line_for_each_version():
    _, *lines = ladder.told("one head", "pairs, trained").splitlines()
    assert [line.split("  ")[0].strip() for line in lines] == ["one head", "pairs, trained"]
    assert f"{ladder.bits('one head')[0]:.2f}" in lines[0]


def test_a_sample_begins_as_all_do():
    assert ladder.sample("one head").startswith("The ")


def test_words_are_whole_and_those_of_all_seeds():
    written = ladder.words("three blocks")
    assert len(written) > 50 and not any(" " in word or "\n" in word for word in written)


def test_an_unknown_version_is_named():
    with pytest.raises(ValueError, match="'two heads'; there are: .*one head"):
        ladder.bits("two heads")


def test_by_heart_is_known_to_all_seeds_and_ends_dear():
    for rows in ladder.by_heart().values():
        steps, read, new = zip(*rows, strict=True)
        assert steps == tuple(range(100, 1301, 100))
        assert read[-1] < 0.02 and new[-1] > 5 and min(new) < 3
    assert ladder.told_of_little().count("seed") == 3
    steps, curves = ladder.curves_of_little()
    assert len(steps) == len(curves["new text"])


def test_the_saved_gpt_costs_what_the_record_says():
    model, characters = gpt.load()
    text = FILE.read_text("utf-8")
    ids = gpt.ids_of(text, characters)
    assert len(ids) == len(text)
    assert cost(model, ids[len(ids) * 9 // 10 :], 32) == pytest.approx(
        ladder.bits("three blocks")[0],
        abs=0.01,  # as another machine rounds
    )


def test_a_text_that_is_shorter_than_a_window_costs_nothing_and_is_refused():
    model, characters = gpt.load()
    with pytest.raises(ValueError, match="a window takes 33"):
        cost(model, gpt.ids_of("short", characters), 32)
