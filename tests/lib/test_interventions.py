"""Cuts and swaps: the right arrows and no others, equal to a mask, refused with a sentence where they do not fit."""

import numpy as np
import pytest
import torch

from lib.interventions import Cut, Swap, of_rows, within
from lib.modules import Transformer

B, H, T, S = 2, 3, 4, 5


def weights():
    return torch.softmax(torch.randn(B, H, T, S, generator=torch.Generator().manual_seed(0)), -1)


def model(**options):
    torch.manual_seed(0)
    return Transformer(11, 13, 12, 3, 2, 2, 20, dropout=0.0, **options).eval()


def tokens():
    draw = np.random.default_rng(0)
    return torch.tensor(draw.integers(3, 11, (B, S))), torch.tensor(draw.integers(3, 11, (B, T)))


def test_one_arrow_goes_and_the_rest_of_its_row_is_shared_anew():
    before, after = weights(), Cut("cross", head=1, query=2, key=3)(weights())
    assert (after[:, 1, 2, 3] == 0).all()
    rest = [0, 1, 2, 4]
    torch.testing.assert_close(
        after[:, 1, 2, rest], before[:, 1, 2, rest] / (1 - before[:, 1, 2, 3:4])
    )
    same = torch.ones(B, H, T, S, dtype=torch.bool)
    same[:, 1, 2] = False
    assert torch.equal(after[same], before[same]), "what was not named keeps every bit"


def test_every_sentence_can_have_its_own_place():
    after = Cut("encoder", query=[1, 3], key=[0, 4])(weights())
    assert (after == 0).nonzero().tolist() == [[0, h, 1, 0] for h in range(H)] + [
        [1, h, 3, 4] for h in range(H)
    ]


def test_a_head_without_arrows_is_switched_off():
    after = Cut("encoder", head=2)(weights())
    assert (after[:, 2] == 0).all() and torch.equal(after[:, :2], weights()[:, :2])


def test_a_swap_changes_two_weights_round_and_undoes_itself():
    before, swap = weights(), Swap("cross", query=1, key=[0, 2], other=[3, 4], head=0)
    after = swap(before)
    assert after[0, 0, 1, [0, 3]].tolist() == before[0, 0, 1, [3, 0]].tolist()
    assert after[1, 0, 1, [2, 4]].tolist() == before[1, 0, 1, [4, 2]].tolist()
    assert (after != before).sum() == 4
    assert torch.equal(swap(after), before)


def test_a_cut_is_the_mask_of_notebook_9():
    transformer, (source, target) = model(), tokens()
    mask = torch.ones(B, 1, S, S, dtype=torch.bool)
    mask[:, :, 2, 1] = False
    masked, _ = transformer.encode(source, mask)
    cut, shown = transformer.encode(
        source, need_weights=True, changes=Cut("encoder", query=2, key=1)
    )
    torch.testing.assert_close(cut, masked)
    assert all((layer[:, :, 2, 1] == 0).all() for layer in shown)
    assert not torch.allclose(cut, transformer.encode(source)[0])
    assert transformer.decode(target, cut)[0].shape == (B, T, 13)


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_named_layer_and_part_are_changed_and_no_other(part, layer):
    transformer, (source, target) = model(), tokens()
    maps = transformer.weights(source, target, changes=Cut(part, layer=layer, head=1))
    off = [(name, number) for name, layers in maps.items() for number, each in enumerate(layers)
           for head in range(H) if not each[:, head].any()]  # fmt: skip
    assert off == [(part, layer)]


def test_weights_of_every_part_and_layer_come_from_one_call():
    transformer, (source, target) = model(encoder_heads=[3, 1]), tokens()
    maps = transformer.weights(source, target)
    shapes = {part: [tuple(layer.shape) for layer in layers] for part, layers in maps.items()}
    assert shapes == {
        "encoder": [(B, 3, S, S), (B, 1, S, S)],
        "decoder": [(B, 3, T, T)] * 2,
        "cross": [(B, 3, T, S)] * 2,
    }
    for layers in maps.values():
        for layer in layers:
            torch.testing.assert_close(layer.sum(-1), torch.ones(layer.shape[:-1]))


def test_changes_to_words_that_are_not_yet_written_wait():
    early, late, row = Cut("cross", query=1), Cut("cross", query=5), Cut("decoder", query=1, key=4)
    assert within([early, late, row], 3) == [early]
    assert within(Cut("encoder", query=20), 1) == [Cut("encoder", query=20)]
    assert within([late, row], 6) == [late, row]


@pytest.mark.parametrize(
    "change, sentence",
    [
        (
            Cut("encoder", query=5),
            "query = 5 for weights .*expected a whole number from 0 to 4, or one for each",
        ),
        (Cut("encoder", head=3), "head = 3 for weights .*from 0 to 2"),
        (Cut("encoder", head=[0, 1]), "head = .*expected a whole number"),
        (Cut("encoder", key=-1), "key = -1"),
        (Cut("encoder", key=[0, 1, 2]), "key = .*one for each sequence"),
        (Cut("encoder", layer=2), "layer = 2 of the encoder; it has 2, counted from 0"),
        (Cut("self"), "part = 'self'; expected one of encoder, decoder, cross"),
    ],
)
def test_changes_that_do_not_fit_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        model().encode(tokens()[0], changes=[change])


@pytest.mark.parametrize("part", ["scale", "positions", "residual", "causal mask"])
def test_what_is_left_out_makes_a_difference(part):
    source, target = tokens()
    assert not torch.allclose(model()(source, target), model(without=[part])(source, target))


def test_left_out_parts_do_what_their_names_say():
    source, target = tokens()
    order = [3, 1, 4, 0, 2]
    plain = model(without=["positions"])
    torch.testing.assert_close(plain.encode(source[:, order])[0], plain.encode(source)[0][:, order])
    later = target.clone()
    later[:, -1] = 3
    sees, causal = (m.decode(target, m.encode(source)[0])[0][:, 0] - m.decode(later, m.encode(source)[0])[0][:, 0]
                    for m in (model(without=["causal mask"]), model()))  # fmt: skip
    assert sees.abs().max() > 1e-4 and (causal == 0).all()
    with pytest.raises(
        ValueError, match="without=.*'softmax'.*what can be left out: scale, positions"
    ):
        model(without=["softmax"])


def test_positions_of_some_sequences_are_picked_out():
    cut, swap = (
        Cut("encoder", query=[4, 5, 6], key=1),
        Swap("encoder", query=2, key=[1, 2, 3], other=[7, 8, 9]),
    )
    assert of_rows([cut, swap], [2, 0]) == [
        Cut("encoder", query=[6, 4], key=1),
        Swap("encoder", query=2, key=[3, 1], other=[9, 7]),
    ]
    assert of_rows(Cut("cross", head=1), [0]) == [Cut("cross", head=1)]


def test_writing_refuses_one_position_for_each_sentence():
    with pytest.raises(ValueError, match=r"query=\[1, 2\].*expected one position for all"):
        within(Cut("cross", query=[1, 2]), 3)
