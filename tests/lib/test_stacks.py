"""Stacks of six layers against torch.nn and lib.modules, with every mask."""

import numpy as np
import pytest
import torch
from torch import nn

from lib import modules
from lib.interventions import looking
from lib.layers import decoder, encoder, stack_from_torch
from lib.masks import causal_mask, padding_mask
from tests.arrays import normal
from tests.lib.stacks import SELF_MASKS, STACKS, B, H, S, T, close, hidden, run, trained


@pytest.mark.parametrize("norm_first", [False, True])
def test_our_own_modules_give_the_same(norm_first):
    x, memory = normal(7, (2, 5, 24), (2, 3, 24))
    sizes = STACKS["d_model"], STACKS["heads"], STACKS["layers"], STACKS["d_ff"]
    module = trained(7, modules.Encoder(*sizes, norm_first=norm_first))
    layers, final = stack_from_torch(module)
    assert (final is not None) == norm_first
    output, weights = encoder(x, layers, 4, causal_mask(5), norm_first, final)
    with torch.no_grad(), looking(module) as maps:
        wanted = module(torch.from_numpy(x), causal_mask(5))
    close(output, wanted)
    close(np.stack(weights), torch.stack(maps["encoder"]))
    module = trained(8, modules.Decoder(*sizes, norm_first=norm_first))
    layers, final = stack_from_torch(module)
    ours = decoder(x, memory, layers, 4, causal_mask(5), padding_mask([3, 2], 3), norm_first, final)
    with torch.no_grad():
        tensors = torch.from_numpy(x), torch.from_numpy(memory)
        with looking(module) as maps:
            theirs = module(*tensors, causal_mask(5), padding_mask([3, 2], 3))
    close(ours[0], theirs)
    for mine, part in zip(ours[1:], ("decoder", "cross"), strict=True):
        close(np.stack(mine), torch.stack(maps[part]))


@pytest.mark.parametrize("name", SELF_MASKS)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("last_norm", [False, True])
def test_whole_stacks_agree(name, norm_first, batch_first, last_norm):
    d_model, d_ff, mask = STACKS["d_model"], STACKS["d_ff"], SELF_MASKS[name]
    shared = {"batch_first": batch_first, "norm_first": norm_first}
    norms = [nn.LayerNorm(d_model) if last_norm else None for _ in range(2)]
    layer = nn.TransformerEncoderLayer(d_model, H, d_ff, **shared)
    encoder_module = trained(
        1, nn.TransformerEncoder(layer, 6, norms[0], enable_nested_tensor=False)
    )
    layer = nn.TransformerDecoderLayer(d_model, H, d_ff, **shared)
    decoder_module = trained(2, nn.TransformerDecoder(layer, 6, norms[1]))
    x, memory = normal(3, (B, T, d_model), (B, S, d_model))
    blocked = None if mask is None else hidden(mask, B, H, T, T)
    layers, final = stack_from_torch(encoder_module)
    output, weights = encoder(x, layers, H, mask, norm_first, final)
    close(output, run(encoder_module, x, batch_first=batch_first, mask=blocked))
    assert len(weights) == 6 and weights[0].shape == (B, H, T, T)
    layers, final = stack_from_torch(decoder_module)
    cross_mask = padding_mask([5, 1, 3], S)
    output, looked_back, looked_across = decoder(
        x, memory, layers, H, mask, cross_mask, norm_first, final
    )
    padding = torch.from_numpy(~cross_mask[:, 0])
    options = {"batch_first": batch_first, "tgt_mask": blocked, "memory_key_padding_mask": padding}
    close(output, run(decoder_module, x, memory, **options))
    assert len(looked_back) == len(looked_across) == 6 and looked_across[0].shape == (B, H, T, S)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize("norm_first", [False, True])
def test_the_whole_transformer_agrees(norm_first):
    d_model, d_ff = STACKS["d_model"], STACKS["d_ff"]
    options = {"batch_first": True, "norm_first": norm_first}
    module = nn.Transformer(d_model, H, 6, 6, d_ff, **options)
    module.encoder.use_nested_tensor = False  # it would give zeros for the padding
    trained(4, module)
    source, target = normal(5, (B, S, d_model), (B, T, d_model))
    layers, final = stack_from_torch(module.encoder)
    real = padding_mask([5, 2, 3], S)
    memory, _ = encoder(source, layers, H, real, norm_first, final)
    layers, final = stack_from_torch(module.decoder)
    output, _, _ = decoder(target, memory, layers, H, causal_mask(T), real, norm_first, final)
    padding = torch.from_numpy(~real[:, 0])
    causal = torch.from_numpy(~causal_mask(T))
    masks = {
        "src_key_padding_mask": padding,
        "memory_key_padding_mask": padding,
        "tgt_mask": causal,
    }
    close(output, run(module, source, target, **masks))


def test_a_later_word_moves_no_earlier_row_by_one_bit():
    stack, _ = stack_from_torch(trained(6, modules.Encoder(24, H, 6, 40)))
    x = normal(6, (B, T, 24))
    changed = x.copy()
    changed[:, 4:] += 1
    before, after = (encoder(inputs, stack, H, causal_mask(T))[0] for inputs in (x, changed))
    assert np.array_equal(before[:, :4], after[:, :4]) and not np.array_equal(before, after)


def test_the_errors_name_the_shapes():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(7, (B, T, 24), (B, S, 24))
    for call, words in [
        (lambda: decoder(x[..., :20], memory, stack, H), ["(3, 7, 20)", "(24, 24)"]),
        (lambda: decoder(x, memory[..., :20], stack, H), ["(3, 5, 20)", "(24, 24)"]),
        (lambda: decoder(x, memory[:2], stack, H), ["(3, 4, 7, 6)", "(2, 4, 5, 6)"]),
        (lambda: decoder(x, memory, stack, 5), ["5 heads", "24"]),
        (lambda: decoder(x, memory, stack, H, causal_mask(S)), ["(5, 5)", "(T, S) = (7, 7)"]),
        (
            lambda: decoder(x, memory, stack, H, causal_mask(T), causal_mask(T)),
            ["(7, 7)", "(T, S) = (7, 5)"],
        ),
        (lambda: decoder(x, memory, stack, H, causal_mask(T) * 1.0), ["float64", "mask == 1"]),
        (lambda: decoder("words", memory, stack, H), ["x: expected numbers"]),
    ]:
        with pytest.raises(ValueError) as error:
            call()
        assert all(word in str(error.value) for word in words), error.value
