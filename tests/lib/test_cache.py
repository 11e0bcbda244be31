"""The key-value cache of lib.layers: steps against the full pass; what it refuses."""

import copy

import numpy as np
import pytest
from torch import nn

from lib import modules
from lib.cache import KeyValueCache
from lib.layers import (
    EncoderLayerParameters,
    decoder,
    encoder,
    encoder_layer,
    stack_from_torch,
)
from lib.masks import causal_mask, padding_mask
from tests.arrays import normal
from tests.lib.stacks import SELF_MASKS, B, H, S, T, close, trained

CAUSAL = [name for name in SELF_MASKS if "causal" in name or name == "all three"]


def steps(x, chunks):
    """The places t to end of each step."""
    ends = np.cumsum(chunks)
    assert ends[-1] == x.shape[-2]
    return zip(ends - chunks, ends, strict=True)


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize(
    "chunks", [[1] * T, [3, 1, 1, 1, 1], [2, 5]], ids=["one", "prompt", "chunks"]
)
def test_steps_of_a_causal_stack_are_the_full_pass(name, norm_first, chunks):
    stack, final = stack_from_torch(
        trained(8, modules.Encoder(24, H, 6, 40, norm_first=norm_first), 0.1)
    )
    x, mask = normal(8, (B, T, 24)), SELF_MASKS[name]
    wanted, wanted_weights = encoder(x, stack, H, mask, norm_first, final)
    caches = [KeyValueCache() for _ in stack]
    for t, end in steps(x, chunks):
        row, weights = encoder(
            x[:, t:end], stack, H, mask[..., t:end, :end], norm_first, final, caches
        )
        close(row, wanted[:, t:end], 1e-6)
        for layer, layer_weights in zip(wanted_weights, weights, strict=True):
            close(layer_weights, layer[:, :, t:end, :end], 1e-6)


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("norm_first", [False, True])
def test_steps_of_a_decoder_are_the_full_pass(name, norm_first):
    stack, final = stack_from_torch(
        trained(9, modules.Decoder(24, H, 6, 40, norm_first=norm_first), 0.1)
    )
    x, memory = normal(9, (B, T, 24), (B, S, 24))
    mask, cross_mask = SELF_MASKS[name], padding_mask([5, 1, 3], S)
    wanted = decoder(x, memory, stack, H, mask, cross_mask, norm_first, final)
    caches = [KeyValueCache() for _ in stack]
    for t in range(T):
        if t == 1:
            memory[:] = np.nan  # its keys and values are computed once
        step = (
            x[:, t : t + 1],
            memory,
            stack,
            H,
            mask[..., t : t + 1, : t + 1],
            cross_mask,
            norm_first,
            final,
            caches,
        )
        row, looked_back, looked_across = decoder(*step)
        close(row, wanted[0][:, t : t + 1], 1e-6)
        close(looked_back[-1], wanted[1][-1][:, :, t : t + 1, : t + 1], 1e-6)
        close(looked_across[-1], wanted[2][-1][:, :, t : t + 1], 1e-6)


def test_one_token_needs_no_mask_and_no_batch():
    stack, _ = stack_from_torch(trained(10, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(10, (T, 24)), [KeyValueCache() for _ in stack]
    rows = [encoder(x[t : t + 1], stack, H, caches=caches)[0] for t in range(T)]
    close(np.concatenate(rows), encoder(x, stack, H, causal_mask(T))[0], 1e-6)


def test_old_keys_are_kept_and_not_computed_again():
    stack, _ = stack_from_torch(trained(11, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(11, (B, T, 24)), [KeyValueCache() for _ in stack]
    for t in range(T):
        before = [cache.tokens for cache in caches]
        encoder(x[:, t : t + 1], stack, H, caches=caches)
        for cache, old in zip(caches, before, strict=True):
            assert [array.shape for array in cache.tokens] == [(B, H, t + 1, 6)] * 2
            assert t == 0 or all(
                np.array_equal(a[..., :t, :], b) for a, b in zip(cache.tokens, old, strict=True)
            )


def test_a_refused_step_keeps_nothing():
    stack, _ = stack_from_torch(trained(12, modules.Encoder(24, H, 2, 40)))
    x, caches = normal(12, (B, T, 24)), [KeyValueCache() for _ in stack]
    encoder(x[:, :3], stack, H, causal_mask(3), caches=caches)
    for wrong, mask in (
        (x[:, 3:4], causal_mask(3)),
        (x[:, 3:3], None),
        (x[:2, 3:4], None),
        (x[:, 3:4, :20], None),
    ):
        with pytest.raises(ValueError):
            encoder(wrong, stack, H, mask, caches=caches)
    row, _ = encoder(x[:, 3:4], stack, H, caches=caches)
    close(row, encoder(x[:, :4], stack, H, causal_mask(4))[0][:, 3:], 1e-6)
    with pytest.raises(
        ValueError, match=r"1 caches for 2 layers; write \[KeyValueCache\(\) for _ in layers\]"
    ):
        encoder(x, stack, H, caches=caches[:1])


def test_a_cache_that_stands_for_several_layers_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    x = normal(17, (B, 1, 24))
    with pytest.raises(ValueError) as error:
        encoder(x, stack, H, caches=[KeyValueCache()] * 2)
    assert "one cache stands for several layers" in str(error.value)
    assert "write [KeyValueCache() for _ in layers]" in str(error.value)


def test_a_cache_that_is_given_to_two_layers_by_hand_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    x, cache = normal(17, (B, 2, 24)), KeyValueCache()
    row, _ = encoder_layer(x[:, :1], stack[0], H, cache=cache)
    with pytest.raises(ValueError, match="one cache stands for several layers; write"):
        encoder_layer(row, stack[1], H, cache=cache)
    row, _ = encoder_layer(x[:, 1:], copy.deepcopy(stack[0]), H, cache=cache)
    close(row, encoder_layer(x, stack[0], H, causal_mask(2))[0][:, 1:], 1e-6)


def test_a_single_cache_in_place_of_a_list_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    with pytest.raises(ValueError, match="one KeyValueCache; expected a list with one for each"):
        encoder(normal(17, (B, 1, 24)), stack, H, caches=KeyValueCache())


def test_a_cache_of_another_batch_is_refused():
    stack, _ = stack_from_torch(modules.Encoder(24, H, 2, 40))
    caches = [KeyValueCache() for _ in stack]
    encoder(normal(18, (3, 2, 24)), stack, H, causal_mask(2), caches=caches)
    for x, shape in ((normal(18, (2, 1, 24)), "(2, 4, 1, 6)"), (normal(18, (1, 24)), "(4, 1, 6)")):
        with pytest.raises(ValueError) as error:
            encoder(x, stack, H, caches=caches)
        assert f"holds keys (3, 4, 2, 6) and got {shape}" in str(error.value)
        assert "For a new text write [KeyValueCache() for _ in layers]" in str(error.value)


def test_another_memory_is_refused_and_the_same_numbers_are_not():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(19, (B, T, 24), (B, S, 24))
    caches = [KeyValueCache() for _ in stack]
    decoder(x[:, :1], memory, stack, H, caches=caches)
    for other, shape in ((memory + 1, (B, S, 24)), (memory[:, :2], (B, 2, 24))):
        with pytest.raises(ValueError) as error:
            decoder(x[:, 1:2], other, stack, H, caches=caches)
        assert "keys and values of another memory" in str(error.value)
        assert f"{(B, S, 24)} then and {shape} now" in str(error.value)
    row, _, _ = decoder(x[:, 1:2], memory.copy(), stack, H, caches=caches)
    wanted, _, _ = decoder(x[:, :2], memory, stack, H, causal_mask(2))
    close(row, wanted[:, 1:], 1e-6)


def test_a_step_that_the_cross_attention_refuses_keeps_nothing():
    stack, _ = stack_from_torch(modules.Decoder(24, H, 2, 40))
    x, memory = normal(20, (B, T, 24), (B, S, 24))
    caches = [KeyValueCache() for _ in stack]
    for t in range(3):
        with pytest.raises(ValueError, match=r"the mask \(7, 7\) does not fit"):
            decoder(x[:, t : t + 1], memory, stack, H, None, causal_mask(T), caches=caches)
        row, _, _ = decoder(x[:, t : t + 1], memory, stack, H, caches=caches)
    wanted, _, _ = decoder(x[:, :3], memory, stack, H, causal_mask(3))
    close(row, wanted[:, 2:], 1e-6)


def test_a_mask_is_refused_in_the_same_words_with_and_without_a_cache():
    layer = EncoderLayerParameters.from_torch(nn.TransformerEncoderLayer(8, 2, 16))
    x = normal(21, (3, 2, 5, 8))  # two leading axes: would (2, 5, 5) be for sequences or for heads?
    said = []
    for cache in (None, KeyValueCache()):
        with pytest.raises(ValueError, match=r"too few axes for queries \(3, 2, 5, 8\)") as error:
            encoder_layer(x, layer, 2, np.ones((2, 5, 5), bool), cache=cache)
        said.append(str(error.value))
    assert said[0] == said[1]
