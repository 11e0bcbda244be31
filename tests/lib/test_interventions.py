"""Looking, cuts and swaps: the right arrows and no others, in this thread and in no other run.

A cut is equal to a mask; what does not fit is refused with a sentence.
"""

import ast
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from lib.interventions import (
    Cut,
    Swap,
    changing,
    looking,
    of_rows,
    of_sentence,
    within,
)
from lib.modules import LanguageModel, MultiHeadAttention, Transformer, Weights
from tests.lib.small_models import translator

B, H, T, S = 2, 3, 4, 5


def weights():
    return torch.softmax(torch.randn(B, H, T, S, generator=torch.Generator().manual_seed(0)), -1)


def model(**options):
    torch.manual_seed(0)
    return Transformer(11, 13, 12, 3, 2, 2, 20, dropout=0.0, **options).eval()


def maps_of(transformer, source, target):
    with looking(transformer) as maps:
        transformer(source, target)
    return maps


def tokens():
    draw = np.random.default_rng(0)
    return torch.tensor(draw.integers(3, 11, (B, S))), torch.tensor(draw.integers(3, 11, (B, T)))


def test_one_arrow_goes_and_the_rest_of_its_row_is_shared_again():
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
    masked = transformer.encode(source, mask)
    with changing(transformer, Cut("encoder", query=2, key=1)), looking(transformer) as maps:
        cut = transformer.encode(source)
    torch.testing.assert_close(cut, masked)
    assert all((layer[:, :, 2, 1] == 0).all() for layer in maps["encoder"])
    assert not torch.allclose(cut, transformer.encode(source))
    assert transformer.decode(target, cut).shape == (B, T, 13)


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_named_layer_and_part_are_changed_and_no_other(part, layer):
    transformer, (source, target) = model(), tokens()
    with changing(transformer, Cut(part, layer=layer, head=1)):
        maps = maps_of(transformer, source, target)
    off = [(name, number) for name, layers in maps.items() for number, each in enumerate(layers)
           for head in range(H) if not each[:, head].any()]  # fmt: skip
    assert off == [(part, layer)]


def test_weights_of_every_part_and_layer_come_from_one_call():
    transformer, (source, target) = model(encoder_heads=[3, 1]), tokens()
    maps = maps_of(transformer, source, target)
    shapes = {part: [tuple(layer.shape) for layer in layers] for part, layers in maps.items()}
    assert shapes == {
        "encoder": [(B, 3, S, S), (B, 1, S, S)],
        "decoder": [(B, 3, T, T)] * 2,
        "cross": [(B, 3, T, S)] * 2,
    }
    for layers in maps.values():
        for layer in layers:
            torch.testing.assert_close(layer.sum(-1), torch.ones(layer.shape[:-1]))
    of_second = of_sentence(maps, 1)
    for part, layers in of_second.items():
        for array, tensor in zip(layers, maps[part], strict=True):
            np.testing.assert_array_equal(array, tensor[1].numpy())


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
        (Cut("encoder", layer=0.5), "layer = 0.5 of the encoder; it has 2"),
        (Cut("encoder", layer=True), "layer = True of the encoder; it has 2"),
        (Cut("encoder", key=True), "key = True for weights .*expected a whole number"),
        (Cut("encoder", key=1.0), "key = 1.0 for weights .*expected a whole number"),
        (Cut("encoder", query=[1, None]), "query = .*expected a whole number"),
        ([Cut("encoder")], r"is no Cut and no Swap; write changing\(model, \*changes\)"),
    ],
)
def test_changes_that_do_not_fit_are_refused(change, sentence):
    transformer = model()
    with pytest.raises(ValueError, match=sentence), changing(transformer, change):
        transformer.encode(tokens()[0])
    assert untouched(transformer)


@pytest.mark.parametrize("places", [{"key": None, "other": 1}, {"key": 1, "other": None}])
def test_a_swap_needs_two_words(places):
    with pytest.raises(ValueError, match="expected a key and another one to change places with"):
        Swap("encoder", query=1, **places)


def test_a_change_of_a_part_that_the_model_does_not_have_is_refused():
    language = LanguageModel(11, 12, 3, 1, 20)
    with (
        pytest.raises(ValueError, match="Cut.part='cross'.*this model has only: decoder"),
        changing(language, Cut("cross")),
    ):
        pass
    with (
        pytest.raises(ValueError, match="no attention in this Linear has a place"),
        looking(nn.Linear(2, 2)),
    ):
        pass


# -- attached from outside, and gone again --------------------------------------------------------


def untouched(transformer):
    """Whether no hook is left anywhere."""
    return not any(module._forward_hooks for module in transformer.modules())


def test_looking_changes_no_number_and_leaves_nothing_behind():
    transformer, (source, target) = model(), tokens()
    before = transformer(source, target)
    with looking(transformer) as maps:
        assert maps == {"encoder": [None] * 2, "decoder": [None] * 2, "cross": [None] * 2}
        torch.testing.assert_close(transformer(source, target), before)
        first = maps["cross"][0]
        transformer(source.flip(1), target)
        assert not torch.equal(maps["cross"][0], first), "a second run takes the first one's place"
    last = maps["cross"][0]
    assert torch.equal(transformer(source, target), before) and maps["cross"][0] is last
    assert not last.requires_grad and untouched(transformer)
    pickle.dumps(transformer)


@pytest.mark.parametrize("context", [looking, lambda model: changing(model, Cut("cross"))])
def test_an_error_inside_leaves_nothing_behind(context):
    transformer = model()
    with pytest.raises(KeyboardInterrupt), context(transformer):
        raise KeyboardInterrupt
    assert untouched(transformer)


def test_changes_act_in_their_order_an_inner_one_before_an_outer_one_and_lookers_see_them_all():
    transformer, (source, target) = model(), tokens()
    cut, swap = Cut("cross", query=1, key=0), Swap("cross", query=1, key=0, other=4)
    plain = maps_of(transformer, source, target)["cross"][0]
    seen = []
    for outer, inner in (((cut, swap), ()), ((swap,), (cut,)), ((swap, cut), ())):
        with (
            looking(transformer) as early,
            changing(transformer, *outer),
            changing(transformer, *inner),
            looking(transformer) as late,
        ):
            transformer(source, target)
        assert torch.equal(early["cross"][0], late["cross"][0])
        seen.append(early["cross"][0])
    torch.testing.assert_close(seen[0], swap(cut(plain)))
    assert torch.equal(seen[1], seen[0]), "cut inside, swapped outside"
    torch.testing.assert_close(seen[2], cut(swap(plain)))
    assert not torch.allclose(seen[0], seen[2])


def test_a_second_thread_is_neither_changed_nor_seen():
    transformer, (source, target) = model(), tokens()
    other_source = source.flip(1)
    with torch.no_grad():
        wanted = transformer(other_source, target)
    inside, finished, answers = threading.Event(), threading.Event(), []

    @torch.no_grad()
    def other():
        inside.wait(10)
        answers.append(transformer(other_source, target))
        finished.set()

    thread = threading.Thread(target=other)
    thread.start()
    with looking(transformer) as maps, changing(transformer, Cut("encoder", head=1)):
        transformer(source, target)
        before = maps["encoder"][0].clone()
        inside.set()
        assert finished.wait(10)
        assert torch.equal(maps["encoder"][0], before)
        assert not before[:, 1].any()
    thread.join()
    torch.testing.assert_close(answers[0], wanted)


class Learned(nn.Module):
    """A reader's own attention: other names inside, one head, and a place for its weights."""

    def __init__(self, attention):
        super().__init__()
        self.theirs = attention
        self.look = Weights()

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (
            matrix(x).unflatten(2, (3, 4)).transpose(1, 2)
            for matrix, x in (
                (self.theirs.query, queries),
                (self.theirs.key, keys),
                (self.theirs.value, values),
            )
        )
        scores = q @ k.mT / 2
        if mask is not None:
            scores = scores.masked_fill(~torch.as_tensor(mask), -torch.inf)
        return self.theirs.output((self.look(scores.softmax(-1)) @ v).transpose(1, 2).flatten(2))


def opens_a_context(statement):
    """Whether a ``with`` looks at weights or changes them."""
    calls = [item.context_expr for item in statement.items]
    names = [getattr(call.func, "id", "") for call in calls if isinstance(call, ast.Call)]
    return bool({"looking", "changing"} & set(names))


def test_no_context_is_open_across_a_yield():
    """It would act on everybody's runs until the generator ends."""
    for path in (Path(__file__).parents[2] / "lib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.With) and opens_a_context(node):
                yields = [each for each in ast.walk(node) if isinstance(each, ast.Yield)]
                assert not yields, f"{path.name}, line {node.lineno}"


def test_an_attention_of_ones_own_is_seen_and_changed_as_well():
    transformer, (source, target) = model(), tokens()
    wanted = maps_of(transformer, source, target)
    cut = Cut("decoder", layer=1, query=2, key=0)
    with changing(transformer, cut):
        wanted_logits = transformer(source, target)
    for layer in transformer.decoder.layers:
        own = Learned(layer.self_attention)
        own.theirs.weights = nn.Identity()  # its place is the new one's
        layer.self_attention = own
    maps = maps_of(transformer, source, target)
    assert {part: len(layers) for part, layers in maps.items()} == dict.fromkeys(wanted, 2)
    for part, layers in maps.items():
        for one, other in zip(layers, wanted[part], strict=True):
            torch.testing.assert_close(one, other)
    with changing(transformer, cut):
        torch.testing.assert_close(transformer(source, target), wanted_logits)


def test_parts_have_names_without_a_model_around_them():
    attention, x = MultiHeadAttention(12, 3), torch.randn(B, T, 12)
    with looking(attention) as maps, changing(attention, Cut("encoder", head=0)):
        attention(x, x, x)
    ((weights,),) = maps.values()
    assert weights.shape == (B, 3, T, T) and not weights[:, 0].any()


def test_positions_of_some_sequences_are_picked_out():
    cut, swap = (
        Cut("encoder", query=[4, 5, 6], key=1),
        Swap("encoder", query=2, key=[1, 2, 3], other=[7, 8, 9]),
    )
    assert of_rows([cut, swap], [2, 0], 3) == [
        Cut("encoder", query=[6, 4], key=1),
        Swap("encoder", query=2, key=[3, 1], other=[9, 7]),
    ]
    assert of_rows(Cut("cross", head=1), [0], 1) == [Cut("cross", head=1)]
    for count in (2, 4):
        with pytest.raises(ValueError, match=f"query has 3 positions for {count} sentences"):
            of_rows(cut, [0], count)


@pytest.mark.parametrize(
    "numbers", [np.array([4, 5, 6]), torch.tensor([4, 5, 6]), (4, 5, 6), range(4, 7)]
)
def test_positions_may_be_an_array(numbers):
    cut = Cut("encoder", query=numbers, key=np.int64(1))
    assert cut == Cut("encoder", query=[4, 5, 6], key=1)
    assert of_rows(cut, [1], 3) == [Cut("encoder", query=[5], key=1)]
    assert within(cut, 1) == [cut]


def test_writing_refuses_one_position_for_each_sentence():
    with pytest.raises(ValueError, match=r"query=\[1, 2\].*expected one position for all"):
        within(Cut("cross", query=[1, 2]), 3)


@pytest.mark.parametrize("attach", [looking, lambda model: changing(model, Cut("encoder"))])
def test_a_model_with_its_words_is_asked_for_its_model(attach):
    sentence = r"TranslationModel is no PyTorch module; give it its \.model"
    with pytest.raises(ValueError, match=sentence), attach(translator()):
        pass
    sentence = "str is no PyTorch module; give it a Transformer"
    with pytest.raises(ValueError, match=sentence), attach("french"):
        pass


def test_before_a_run_there_are_no_maps_of_a_sentence():
    transformer = model()
    source, _ = tokens()
    with looking(transformer) as maps:
        with pytest.raises(ValueError, match="encoder: no run yet; run the model inside"):
            of_sentence(maps)
        transformer.encode(source)
        with pytest.raises(ValueError, match="no run yet"):
            of_sentence(maps)
