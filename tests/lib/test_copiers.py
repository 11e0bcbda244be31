"""Page 16's models of attention alone: their task, their training and what was recorded of it."""

import numpy as np
import torch

from lib.saved import copiers


def test_a_piece_comes_twice_and_only_its_second_copy_counts():
    ids, again = copiers.draw(torch.Generator().manual_seed(0), batch=200)
    assert ids.shape == again.shape == (200, copiers.SIZE)
    assert (again.sum(1) == copiers.PIECE - 1).all()
    starts = set()
    for row, counts in zip(ids.tolist(), again, strict=True):
        first = int(counts.nonzero()[0]) - 1  # where the second piece begins
        piece = row[first : first + copiers.PIECE]
        earlier = [
            at for at in range(first - copiers.PIECE + 1) if row[at : at + copiers.PIECE] == piece
        ]
        assert earlier
        starts.add((earlier[0], first))
    assert len(starts) > 50  # no distance can be learned by heart


def test_the_record_is_what_the_first_steps_give():
    torch.set_num_threads(1)
    for layers, curves in copiers.recorded().items():
        steps = copiers.learn(*copiers.made(layers, seed=1), steps=copiers.EVERY)
        bits = [bits for _, bits in steps]
        np.testing.assert_allclose(bits, curves[1][:2], atol=2e-3)
        assert len(curves) == copiers.SEEDS
        assert {len(curve) for curve in curves} == {copiers.STEPS // copiers.EVERY + 1}


def test_what_the_page_says_of_one_layer_and_two():
    recorded = copiers.recorded()
    assert min(curve[-1] for curve in recorded[1]) > 4
    assert max(curve[-1] for curve in recorded[2]) < 1


def test_a_looks_map_is_that_of_each_layer():
    model, generator = copiers.made(2, seed=0)
    ids, _ = copiers.draw(generator, batch=1)
    looks = copiers.looks_of(model, ids)
    assert [look.shape for look in looks] == 2 * [(copiers.HEADS, copiers.SIZE, copiers.SIZE)]
    assert torch.allclose(looks[0].sum(-1), torch.ones(copiers.HEADS, copiers.SIZE))
    assert not looks[1].triu(1).any()
