"""A sequence that comes twice, and the two looks that copying needs."""

import numpy as np

from lib.copying import best, name, next_of_last_time, one_back, twice


def test_the_same_tokens_come_twice_in_one_order():
    ids = twice(range(10, 40), 7, seed=1, start=[3])
    assert ids[0] == 3 and len(ids) == 15 and len(set(ids[1:8])) == 7
    assert np.array_equal(ids[1:8], ids[8:]) and set(ids[1:]) <= set(range(10, 40))
    assert np.array_equal(ids, twice(range(10, 40), 7, seed=1, start=[3]))
    assert not np.array_equal(ids, twice(range(10, 40), 7, seed=2, start=[3]))


def test_a_head_that_copies_and_one_that_looks_one_back():
    N, T = 6, 13
    weights = np.zeros((2, T, T))  # head 0 copies, head 1 looks one back
    ids = twice(range(50), N, seed=0, start=[99])
    for place in range(1, T):
        weights[1, place, place - 1] = 1
        for asked in range(1, place):
            if place < T - 1 and ids[asked] == ids[place + 1] and ids[asked - 1] == ids[place]:
                weights[0, place, asked] = 1
    np.testing.assert_allclose(next_of_last_time(weights, N), [1, 0])
    np.testing.assert_allclose(one_back(weights), [0, 1])


def test_the_best_heads_have_names_that_count_from_1():
    shares = np.array([[0.1, 0.5, 0.2], [0.9, 0.0, 0.3]])
    assert best(shares, 3) == [[1, 0], [0, 1], [1, 2]]
    assert name([1, 0]) == "layer 2, head 1"
