"""What page 12 says of its versions: the numbers of three seeds, and a sample."""

import pytest

from lib.saved import ladder


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
