"""Embeddings and whole models: dropout, seeds, causality, padding; they learn."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib import layers as in_numpy
from lib.masks import causal_mask, padding_mask
from lib.modules import (
    DecoderLayer,
    Embedding,
    EncoderLayer,
    FeedForward,
    LanguageModel,
    Transformer,
)
from lib.positions import sinusoidal_positions
from tests.lib.tensors import D_FF, B, D, H, S, T, close, disturbed, run


def models():
    source, target = torch.randint(0, 11, (B, S)), torch.randint(0, 13, (B, T))
    for norm_first in (False, True):
        transformer = Transformer(11, 13, D, H, 2, 3, D_FF, 0.3, norm_first)
        yield disturbed(transformer), (source, target)
        yield disturbed(LanguageModel(13, D, H, 2, D_FF, 0.3, norm_first)), (target,)


# -- dropout and seeds -----------------------------------------------------------------------------


def test_dropout_is_where_the_paper_has_it():
    assert not any(isinstance(part, nn.Dropout) for part in FeedForward(D, D_FF).modules())
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    before = EncoderLayer(D, H, D_FF, dropout=1.0, norm_first=True)
    before_decoder = DecoderLayer(D, H, D_FF, dropout=1.0, norm_first=True)
    assert torch.equal(before(x), x)  # only what is added is dropped
    assert torch.equal(before_decoder(x, memory), x)
    after = EncoderLayer(D, H, D_FF, dropout=1.0)
    assert torch.equal(after(x), F.layer_norm(F.layer_norm(x, (D,)), (D,)))
    assert not Embedding(9, D, dropout=1.0)(torch.zeros(B, T, dtype=torch.long)).any()


def test_dropout_acts_in_training_only_and_a_seed_repeats_it():
    for model, tokens in models():
        torch.manual_seed(1)
        first, second = model(*tokens), model(*tokens)
        assert not torch.equal(first, second)
        torch.manual_seed(1)
        assert torch.equal(model(*tokens), first)
        model.eval()
        assert torch.equal(model(*tokens), model(*tokens))
        assert not torch.equal(model(*tokens), first)


def test_a_seed_repeats_a_model():
    for made in (
        lambda: Transformer(11, 13, D, H, 2, 2, D_FF),
        lambda: LanguageModel(13, D, H, 2, D_FF),
    ):
        states = []
        for _ in range(2):
            torch.manual_seed(3)
            states.append(made().state_dict())
        assert all(
            torch.equal(one, other)
            for one, other in zip(*(s.values() for s in states), strict=True)
        )


# -- embeddings ------------------------------------------------------------------------------------


def test_embedding_is_that_of_the_paper():
    embedding = Embedding(50, 64, dropout=0.1, longest=100).eval()
    tokens = torch.randint(0, 50, (B, T))
    wanted = (
        embedding.tokens.weight[tokens].detach() * 8
        + torch.tensor(sinusoidal_positions(T, 64)).float()
    )
    close(embedding(tokens).detach(), wanted)
    assert 0.9 < (embedding.tokens.weight * 8).std() < 1.1
    assert list(embedding.state_dict()) == ["tokens.weight"]
    with pytest.raises(ValueError, match=r"tokens \(3, 101\); expected \(B, T\) with T <= 100"):
        embedding(torch.zeros(3, 101, dtype=torch.long))
    with pytest.raises(ValueError, match=r"tokens \(5,\); expected \(B, T\)"):
        embedding(tokens[0])
    with pytest.raises(ValueError, match=r"tokens \(3, 0\); .* at least one token"):
        embedding(tokens[:, :0])


def test_positions_can_be_learned_and_the_scale_be_set():
    embedding = Embedding(50, D, dropout=0.0, longest=9, positions="learned", scale=1.0)
    tokens = torch.randint(0, 50, (B, T))
    close(embedding(tokens), embedding.tokens.weight[tokens] + embedding.positions[:T])
    close(embedding(tokens[:, :2], 3), embedding.tokens(tokens[:, :2]) + embedding.positions[3:5])
    assert sorted(embedding.state_dict()) == ["positions", "tokens.weight"]
    assert embedding.positions.requires_grad
    with pytest.raises(ValueError, match="positions = 'none'; expected 'sinusoidal' or 'learned'"):
        Embedding(50, D, positions="none")


# -- whole models ----------------------------------------------------------------------------------


def test_a_tied_model_has_one_matrix_for_words_in_and_words_out():
    model = LanguageModel(13, D, H, 2, D_FF, 0.0, tied=True)
    assert model.output.weight is model.tokens.tokens.weight and model.output.bias is None
    x = model.decoder(model.tokens(torch.zeros(1, 3, dtype=torch.long)), causal_mask(3))
    close(model(torch.zeros(1, 3, dtype=torch.long)), x @ model.tokens.tokens.weight.T)
    own = LanguageModel(13, D, H, 2, D_FF, 0.0)
    counts = [sum(p.numel() for p in each.parameters()) for each in (own, model)]
    assert counts[0] - counts[1] == 13 * D + 13


def test_a_model_as_large_ones_are_made_is_numpys():
    """GPT-2's way: learned positions, no factor, GELU by tanh, tied, another epsilon."""
    model = LanguageModel(
        13, D, H, 2, D_FF, 0.0, longest=9, activation="gelu_tanh", epsilon=1e-4,
        positions="learned", scale=1.0, tied=True,
    )  # fmt: skip
    disturbed(model).eval()
    tokens = torch.randint(0, 13, (B, T))
    layers, norm = in_numpy.stack_from_torch(model.decoder)
    words = model.tokens.tokens.weight.detach().numpy()  # (13, d_model)
    x = words[tokens] + model.tokens.positions.detach().numpy()[:T]
    x, maps = in_numpy.encoder(x, layers, H, causal_mask(T), True, norm)
    logits, seen = run(model, tokens)
    close(logits.detach(), x @ words.T)
    for one, other in zip(seen["decoder"], maps, strict=True):
        close(one, other)


def test_models_put_the_parts_together():
    (transformer, (source, target)), (language, _) = list(models())[2:]
    transformer.eval(), language.eval()
    mask = padding_mask([7, 4, 1], S)
    memory = transformer.encoder(transformer.source(source), mask)
    x = transformer.decoder(transformer.target(target), memory, causal_mask(T), mask)
    assert torch.equal(transformer(source, target, mask), transformer.output(x))
    x = language.decoder(language.tokens(target), causal_mask(T))
    assert torch.equal(language(target), language.output(x))


@pytest.mark.parametrize("training", [False, True])
def test_the_weights_of_every_layer_can_be_seen(training):
    for model, tokens in models():
        model.train(training)
        logits, maps = run(model, *tokens)
        counts = {part: len(layers) for part, layers in maps.items()}
        several = isinstance(model, Transformer)
        assert counts == ({"encoder": 2, "decoder": 3, "cross": 3} if several else {"decoder": 2})
        for weights in sum(maps.values(), []):
            close(weights.sum(-1), torch.ones(weights.shape[:-1]))
        assert not any(weights.triu(1).any() for weights in maps["decoder"])
        if not training:
            close(logits.detach(), model(*tokens).detach())


def test_later_tokens_never_change_earlier_outputs():
    for model, (*source, target) in models():
        model.eval()
        logits = model(*source, target)
        for t in range(1, T):
            changed = target.clone()
            changed[:, t:] = (changed[:, t:] + 1) % 13
            others = model(*source, changed)
            assert torch.equal(others[:, :t], logits[:, :t])
            assert not torch.isclose(others[:, t:], logits[:, t:]).all(-1).any()
        made = []
        embedding = model.target if source else model.tokens
        with embedding.register_forward_hook(
            lambda module, given, output, made=made: made.append(output)
        ):
            logits = model(*source, target)
        (gradient,) = torch.autograd.grad(logits[:, 2].square().sum(), made)
        assert gradient[:, :3].any(-1).all() and not gradient[:, 3:].any()


def test_padding_of_the_source_is_never_seen():
    transformer, (source, target) = next(models())
    transformer.eval()
    mask = padding_mask([7, 4, 1], S)
    padded = torch.where(torch.from_numpy(mask[:, 0]), source, (source + 1) % 11)
    assert torch.equal(transformer(source, target, mask), transformer(padded, target, mask))
    assert not torch.equal(transformer(source, target), transformer(padded, target))
    shorter = transformer(source[1:2, :4], target[1:2])
    close(transformer(source, target, mask)[1:2].detach(), shorter.detach())


@pytest.mark.parametrize("norm_first", [False, True])
def test_models_learn(norm_first):
    """Four words: the Transformer learns to say them backwards, the language model again."""
    words = torch.randint(3, 9, (32, 4))
    target = torch.cat([torch.ones(32, 1, dtype=torch.long), words.flip(1)], 1)  # 1 begins
    again = torch.cat([words, words], 1)
    transformer = Transformer(9, 9, 32, 4, 1, 1, 64, 0.0, norm_first)
    language = LanguageModel(9, 32, 4, 2, 64, 0.0, norm_first)
    for model, given, wanted in [
        (transformer, (words, target[:, :-1]), target[:, 1:]),
        (language, (again[:, :-1],), again[:, 4:]),
    ]:
        optimizer = torch.optim.Adam(model.parameters(), 5e-3)
        for _ in range(80):
            logits = model(*given)[:, -4:]  # (B, 4, size)
            loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert loss < 0.2
