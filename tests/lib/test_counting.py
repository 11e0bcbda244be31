"""The table that counts: its shares add up to 1, more memory helps it, and a text is held to."""

import numpy as np
import pytest

from lib.counting import Table

TEXT = "the cat sat on the mat and the cat ate the rat that sat on the mat " * 3
LONG = TEXT + "".join(np.random.default_rng(0).choice(list("abcdefgh "), 3000))


@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("back", [0, 1, 4])
@pytest.mark.parametrize("before", ["", "t", "the c", "never seen zq"])
def test_shares_add_up_to_one(text, back, before):
    table = Table(text, back)
    assert sum(table.share(before, each) for each in set(text)) == pytest.approx(1)
    assert all(table.share(before, each) > 0 for each in set(text))


def test_without_memory_a_share_is_near_the_frequency():
    table = Table(LONG, 0)
    for character in "t ":
        assert table.share("", character) == pytest.approx(LONG.count(character) / len(LONG), 0.01)


def test_a_longer_memory_pays_less_for_a_text_that_repeats():
    costs = [Table(TEXT, back).bits(TEXT, 100) for back in (0, 1, 3)]
    assert costs == sorted(costs, reverse=True)


def test_rows_and_what_was_met_are_counted():
    table = Table("abcabd", 2)
    assert table.rows == 3  # ab, bc, ca
    assert table.met("abcxbc", 2) == 0.5  # ab and bc, not cx and xb
    assert table.told("abcabd", 2).startswith("table, 2 back: ")


@pytest.mark.parametrize("back", [-1, 6])
def test_a_memory_that_no_text_fills_is_refused(back):
    with pytest.raises(ValueError, match="expected 0 or more"):
        Table("abcabd", back)
