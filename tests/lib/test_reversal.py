"""Page 8's pair: what was kept is what was measured, and its training trains."""

import numpy as np
import pytest
import torch

from lib.saved import reversal
from tools import reversal as tool

NAMES = reversal.NAMES


@pytest.fixture(scope="module")
def pair():
    return reversal.pair()


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_pair_is_that_of_the_record(pair, name):
    row = reversal.rows(name)[0]
    found = tool.measured(name, pair[name])
    assert found == pytest.approx({field: row[field] for field in found}, abs=0.01)
    assert row["seed"] == 0


def test_the_record_has_ten_seeds_of_both():
    seeds = [[row["seed"] for row in reversal.rows(name)] for name in NAMES]
    assert seeds == [list(range(10))] * 2
    steps = reversal.STEPS // reversal.EVERY
    assert all(len(row["losses"]) == steps for name in NAMES for row in reversal.rows(name))
    with pytest.raises(ValueError, match="no model 'cheat'; there are: with mask, without"):
        reversal.rows("cheat")


def test_the_mask_is_the_only_thing_that_differs():
    honest, cheat = reversal.untrained(3).values()
    assert honest.self_mask(4) is not None and cheat.self_mask(4) is None
    state = cheat.state_dict()
    assert all(torch.equal(own, state[key]) for key, own in honest.state_dict().items())


def test_a_target_is_the_source_in_reverse_and_new_ones_are_always_the_same():
    torch.manual_seed(0)
    source, target = reversal.new(count=4)
    assert source.shape == (4, 6) and target.shape == (4, 8)
    assert torch.equal(target[:, 1:7], source.flip(1))
    assert (target[:, 0] == 10).all() and (target[:, 7] == 11).all()
    torch.manual_seed(1)
    assert torch.equal(source, reversal.new(count=4)[0])


def test_training_lowers_the_loss_and_leaves_random_numbers_alone():
    before = torch.random.get_rng_state()
    reports = list(reversal.learn(reversal.untrained(), steps=20))
    assert torch.equal(before, torch.random.get_rng_state())
    assert [report.step for report in reports] == [10, 20]
    for name in NAMES:
        assert reports[1].losses[name] < reports[0].losses[name] < 2.6


def test_writing_alone_goes_on_to_the_limit_and_is_cut_at_the_end(pair):
    source, target = reversal.new(count=3)
    words = reversal.written(pair["with mask"], source)
    assert words.shape == (3, reversal.LONGEST)
    assert [reversal.up_to_end(row) for row in words] == source.flip(1).tolist()
    assert reversal.up_to_end(torch.tensor([4, 4])) == [4, 4]
    assert reversal.alone(pair["with mask"], source, target) == 3


def test_a_later_word_moves_the_rows_of_the_one_without_mask_alone():
    x = np.random.default_rng(0).standard_normal((7, 32))
    changed = x.copy()
    changed[4] = 99
    for name, model in reversal.untrained().items():
        run = reversal.decoder_of(model)
        moved = (run(x) != run(changed)).any(1)  # (7,)
        assert moved.tolist() == [name == "without"] * 4 + [True] * 3
