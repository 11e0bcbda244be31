"""What lib.modules refuses, when a module is made and when it runs."""

import numpy as np
import pytest
import torch

from lib import activations
from lib.modules import (
    ACTIVATIONS,
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
    LanguageModel,
    MultiHeadAttention,
    Transformer,
)
from tests.lib.tensors import D_FF, B, D, H, S, T, run

# -- when it is made -------------------------------------------------------------------------------


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="5 heads do not divide d_model = 12; choose one of"):
        MultiHeadAttention(12, 5)


MADE = {
    "attention": lambda d_model, heads: MultiHeadAttention(d_model, heads),
    "layer": lambda d_model, heads: DecoderLayer(d_model, heads, D_FF),
    "encoder": lambda d_model, heads: Encoder(d_model, heads, 2, D_FF),
    "decoder": lambda d_model, heads: Decoder(d_model, heads, 2, D_FF),
    "transformer": lambda d_model, heads: Transformer(9, 9, d_model, heads, 1, 1, D_FF),
    "language model": lambda d_model, heads: LanguageModel(9, d_model, heads, 2, D_FF),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_whole_numbers_of_numpy_are_whole_numbers(made):
    state = made(np.int64(D), np.int32(H)).state_dict()
    assert {name: tensor.shape for name, tensor in state.items()} == {
        name: tensor.shape for name, tensor in made(D, H).state_dict().items()
    }


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
@pytest.mark.parametrize("d_model, heads", [(D, 2.0), (D, True), (D, 0), (-8, 2), (D, "4")])
def test_what_is_no_count_is_refused_when_the_module_is_made(made, d_model, heads):
    with pytest.raises(ValueError, match="expected a whole number of at least 1"):
        made(d_model, heads)


@pytest.mark.parametrize("dropout", ["a", None, -0.1, 1.5, float("nan"), [0.1]])
@pytest.mark.parametrize(
    "made",
    [
        lambda dropout: MultiHeadAttention(D, H, dropout),
        lambda dropout: EncoderLayer(D, H, D_FF, dropout),
        lambda dropout: DecoderLayer(D, H, D_FF, dropout),
        lambda dropout: Embedding(9, D, dropout),
        lambda dropout: Transformer(9, 9, D, H, 1, 1, D_FF, dropout),
    ],
)
def test_dropout_is_a_share(made, dropout):
    with pytest.raises(ValueError, match=r"dropout = .*; expected a share from 0 to 1"):
        made(dropout)


@pytest.mark.parametrize("gloss_size", [-1, 0, 2.5, "7"])
def test_a_gloss_has_a_whole_number_of_words(gloss_size):
    with pytest.raises(ValueError, match="gloss_size = .*; expected a whole number of at least 1"):
        Transformer(9, 9, D, H, 1, 1, D_FF, gloss_size=gloss_size)


@pytest.mark.parametrize("start", [-1, 1.5, "1", None])
def test_tokens_start_at_a_position(start):
    with pytest.raises(ValueError, match="start = .*; expected a whole number of at least 0"):
        LanguageModel(9, D, H, 1, D_FF)(torch.zeros(1, 2, dtype=torch.long), start=start)


def test_activations_are_those_of_numpy_and_others_are_refused():
    assert list(ACTIVATIONS) == list(activations.ACTIVATIONS), (
        "an activation stands in lib/activations.py and in ACTIVATIONS of lib/modules.py"
    )
    with pytest.raises(ValueError, match="activation = 'hardswish'; expected one of relu, gelu"):
        EncoderLayer(D, H, D_FF, activation="hardswish")


# -- when it runs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, words",
    [
        ({"mask": torch.zeros(T, S)}, ["float32", "mask == 0", "mask == 1"]),
        ({"mask": torch.ones(T, S, dtype=torch.int64)}, ["int64", "True = may attend"]),
        (
            {"mask": torch.ones(S, T, dtype=torch.bool)},
            [f"({S}, {T})", f"(T, S) = ({T}, {S})"],
        ),
        ({"mask": torch.ones(H, T, S, dtype=torch.bool)}, [f"({H}, 1, {T}, {S})", "Leading axes"]),
        (
            {"mask": torch.ones(1, B, H, T, S, dtype=torch.bool)},
            [f"(1, {B}, {H}, {T}, {S})", f"({B}, {H}, {T}, {S})"],
        ),
        ({"mask": np.ones((T, S))}, ["float64", "mask == 0"]),
        (
            {"queries": torch.zeros(B, T, D + 1)},
            [f"({B}, {T}, {D + 1})", f"({B}, {S}, {D})", f"(B, T, {D})"],
        ),
        ({"queries": torch.zeros(1, T, D)}, [f"(1, {T}, {D})", "the same B"]),
        ({"queries": torch.zeros(T, D)}, [f"({T}, {D})", f"(B, T, {D})"]),
        ({"values": torch.zeros(B, S + 1, D)}, [f"({B}, {S}, {D})", f"({B}, {S + 1}, {D})"]),
        (
            {"keys": torch.zeros(B, 0, D), "values": torch.zeros(B, 0, D)},
            [f"({B}, 0, {D})", "at least one token"],
        ),
        (
            {"queries": torch.zeros(B, T, D, dtype=torch.float64)},
            ["queries: torch.float64", "computes in torch.float32", "queries.to(torch.float32)"],
        ),
        (
            {"values": torch.zeros(B, S, D, dtype=torch.int64)},
            ["values: torch.int64", "computes in torch.float32"],
        ),
        (
            {"mask": torch.ones(B, S, dtype=torch.bool)},
            [f"({B}, {S})", "for padding", "write mask[:, None]"],
        ),
        ({"mask": torch.ones(S + 1, dtype=torch.bool)}, [f"{S + 1})", f"(T, S) = ({T}, {S})"]),
        ({"mask": 1.0}, ["float32", "mask == 1"]),
        ({"mask": "no"}, ["the mask holds <U2", "expected booleans"]),
        ({"mask": [[True], [True, False]]}, ["mask: the rows differ in length"]),
        ({"mask": torch.ones(T, S, dtype=torch.bfloat16)}, ["the mask holds bfloat16"]),
        ({"mask": torch.ones(T, S, requires_grad=True)}, ["the mask holds float32"]),
    ],
)
@pytest.mark.parametrize("seen", [False, True])
def test_attention_refuses(change, words, seen):
    given = {
        "queries": torch.zeros(B, T, D),
        "keys": torch.zeros(B, S, D),
        "values": torch.zeros(B, S, D),
        "mask": None,
    } | change
    with pytest.raises(ValueError) as error:
        run(MultiHeadAttention(D, H), *given.values(), seen=seen)
    assert all(word in str(error.value) for word in words), error.value


def test_a_mask_may_be_a_list_of_arrays_or_of_tensors_or_turned_round():
    attention, x = MultiHeadAttention(D, H), torch.randn(B, T, D)
    mask = torch.rand(T, T) < 0.5
    wanted = attention(x, x, x, mask)
    for same in (mask.tolist(), list(mask), mask.flip(0).numpy()[::-1]):
        assert torch.equal(attention(x, x, x, same), wanted)


@pytest.mark.parametrize(
    "module, x",
    [
        (EncoderLayer(D, H, D_FF), torch.zeros(B, T, D, dtype=torch.float64)),
        (EncoderLayer(D, H, D_FF, norm_first=True), torch.zeros(B, T, D, dtype=torch.float64)),
        (FeedForward(D, D_FF), torch.zeros(B, T, D, dtype=torch.float64)),
        (EncoderLayer(D, H, D_FF, norm_first=True), torch.zeros(B, T, D + 1)),
        (FeedForward(D, D_FF), torch.zeros(B, T, D + 1)),
    ],
)
def test_vectors_that_do_not_fit_are_refused_in_a_sentence(module, x):
    sentence = "computes in torch.float32; write" if x.dtype == torch.float64 else "expected "
    with pytest.raises(ValueError, match=sentence):
        module(x)


@pytest.mark.parametrize("x", [np.zeros((B, T, D), np.float32), [[[0.0] * D] * T] * B])
@pytest.mark.parametrize("module", [EncoderLayer(D, H, D_FF), FeedForward(D, D_FF)])
def test_arrays_and_lists_are_answered_with_what_to_write(module, x):
    with pytest.raises(ValueError, match=r"expected a tensor: write torch\.as_tensor\("):
        module(x)
    with pytest.raises(ValueError, match=r"values: .*torch\.as_tensor\(values\)"):
        MultiHeadAttention(D, H)(torch.zeros(B, T, D), torch.zeros(B, T, D), x)


def test_modules_are_not_to_compute_in_whole_numbers():
    with pytest.raises(ValueError, match=r"x: torch.int64, .* write x\.to\(torch\.float32\)\.$"):
        FeedForward(D, D_FF)(torch.zeros(B, T, D, dtype=torch.int64))


@pytest.mark.parametrize(
    "tokens, sentence",
    [
        (torch.tensor([[3, 50]]), "tokens from 3 to 50; expected whole numbers from 0 to 49"),
        (torch.tensor([[-1, 3]]), "tokens from -1 to 3; expected whole numbers from 0 to 49"),
        (torch.tensor([[1.0, 3.0]]), r"tokens are torch.float32; .*tokens.long\(\)"),
        (torch.tensor([[True]]), "tokens are torch.bool; expected whole numbers"),
    ],
)
def test_tokens_that_are_no_words_are_refused(tokens, sentence):
    with pytest.raises(ValueError, match=sentence):
        Embedding(50, D)(tokens)
