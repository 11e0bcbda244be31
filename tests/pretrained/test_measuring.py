"""What page 14 measures: a cut takes its look away, and nothing else; readings and shares."""

import numpy as np
import pytest

from lib.checks.readers_code.in_a_real_model import four_matrices, heads_that_run, how_equal
from lib.layers import encoder_layer
from lib.pretrained import bert, measuring
from tests.pretrained.references import some_ids, written_bert

IDS = some_ids((7,))
EITHER = pytest.mark.parametrize("is_shared_out", [True, False])


def near(ours, theirs):
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    written_bert(folder)
    return bert(folder)


def test_degrees():
    assert measuring.degrees(np.array([1, 0]), np.array([0, 3])) == pytest.approx(90)
    assert measuring.degrees(np.array([0.1] * 3), np.array([0.3] * 3)) == pytest.approx(0, abs=1e-5)


@EITHER
def test_nothing_cut_is_the_model_itself(model, is_shared_out):
    cut = np.zeros((len(model.layers), model.heads, 7, 7), bool)
    near(measuring.vectors(model, IDS, cut, is_shared_out), model.run(IDS)[0])


@EITHER
def test_a_cut_is_felt_by_the_token_that_looks(model, is_shared_out):
    """In the last layer by that one alone."""
    last = len(model.layers) - 1
    cut = measuring.cut_of(model, 7, query=2, key=5, head=(last, 1))
    assert cut.sum() == 1
    changed = measuring.vectors(model, IDS, cut, is_shared_out) - model.run(IDS)[0]
    assert np.flatnonzero(np.abs(changed).max(1) > 1e-4).tolist() == [2]


def test_the_weight_is_shared_out_or_held(model):
    """By hand, the first layer alone; the two differ, as a row adds up to 1 or does not."""
    p, x = model.layers[0], model.embed(IDS)
    gone = measuring.cut_of(model, 7, slice(None), 0)[0]  # (H, T, T)
    shared, weights = encoder_layer(x, p, model.heads, ~gone)
    near(weights.sum(-1), 1)
    held = measuring._layer_with_held_weights(x, p, model.heads, gone)
    assert np.abs(held - shared).max() > 1e-3
    empty = measuring._layer_with_held_weights(x, p, model.heads, np.zeros_like(gone))
    near(empty, encoder_layer(x, p, model.heads)[0])


def test_all_heads_or_one(model):
    layers, heads = len(model.layers), model.heads
    assert measuring.cut_of(model, 7, 2, 5).sum() == layers * heads
    assert measuring.cut_of(model, 7, [1, 2, 3], 0).sum() == 3 * layers * heads


def test_an_arrow_like_another_is_between_words():
    weights = np.array([[0.5, 0.1, 0.2, 0.2], [0.3, 0.3, 0.1, 0.3], [0.1, 0.28, 0.4, 0.22]] * 2)
    weights = weights[:4]  # (T, T); the last row is that of [SEP]
    assert measuring.arrow_like(weights, 1, 1) == (2, 1)


def test_the_best_of_coins_is_flattered():
    coins = np.random.default_rng(0).random((200, 72, 25)) < 0.25
    flattered, fair = measuring.many_splits(measuring.fair_share, coins, 5)
    assert flattered > 0.7 and fair == pytest.approx(0.25, abs=0.03)


def test_heads_run_right_spoilt_or_by_the_course(model, capsys):
    x, p = model.embed(IDS), model.layers[0]
    W, b = four_matrices(p.attention)
    attend = heads_that_run(lambda x, W, b, heads: None)
    assert "the course's" in capsys.readouterr().out
    attended = attend(x, W, b, model.heads)
    near(attended, measuring.multi_head_attention(x, x, x, p.attention, model.heads)[0])

    def spoilt(x, W, b, heads):
        return x

    assert heads_that_run(spoilt) is spoilt
    assert capsys.readouterr().out == "my_heads: yours\n"
    attend = heads_that_run(lambda x, W, b, heads: x @ W)
    assert attend is not spoilt
    assert "yours returns (4, 3, 8) where (3, 8) is expected" in capsys.readouterr().out

    def not_turned(x, W, b, heads):
        q, k = (each.reshape(len(x), heads, -1).swapaxes(0, 1) for each in (x @ W[0], x @ W[1]))
        return (q @ k.T)[0]

    assert heads_that_run(not_turned) is not not_turned
    assert "stopped with" in capsys.readouterr().out


@pytest.mark.parametrize("has_weights", [True, False])
def test_a_recorded_equality_is_not_that_of_your_heads(has_weights, capsys):
    for answer in (lambda x, W, b, heads: x, lambda x, W, b, heads: None):
        how_equal([[1e-7, 0.0], [2e-7, 0.4]], heads_that_run(answer), has_weights)
    yours, course = [line for line in capsys.readouterr().out.splitlines() if "equal" in line]
    assert yours.split("?")[1].startswith(" True" if has_weights else " recorded, yours not run")
    assert course == "equal to 0.00001? True vectors turn by 0°"
