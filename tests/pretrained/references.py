"""Small models with random weights, written to a folder by the usual library, and what it computes.

Their weights are far larger than those that a training begins with, so that a wrong place, scale or
activation cannot hide.
"""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # tests fetch nothing; it reads this when it is imported

import numpy as np
import torch

# No two alike, so that a transposed matrix cannot go unnoticed.
BERT_SIZES = {
    "vocab_size": 41,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 36,
    "max_position_embeddings": 13,
}
GPT2_SIZES = {
    "vocab_size": 41,
    "n_embd": 24,
    "n_layer": 3,
    "n_head": 4,
    "n_inner": 36,
    "n_positions": 13,
    "bos_token_id": 0,
    "eos_token_id": 1,
}
LLAMA_SIZES = {
    "vocab_size": 41,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 36,
    "max_position_embeddings": 13,
    "bos_token_id": None,
    "eos_token_id": 1,
}
SPREAD = 0.25  # of the random weights


def shaken(model, seed=3):
    """The model with random weights: nothing at its starting value, norms near 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(SPREAD * torch.randn(parameter.shape, generator=generator))
            if parameter.ndim == 1 and name.endswith("weight"):  # the gain of a layer norm
                parameter += 1
    return model.eval()


def written_bert(folder, words=False, **settings):
    """A BERT that was written to the folder; words: with the head that predicts masked words."""
    from transformers import BertConfig, BertForMaskedLM, BertModel  # it takes seconds: only here

    config = BertConfig(**(BERT_SIZES | settings), attn_implementation="eager")
    made = BertForMaskedLM(config) if words else BertModel(config)
    model = shaken(made)
    model.save_pretrained(folder)
    return model


def written_gpt2(folder, **settings):
    """A GPT-2 that was written to the folder."""
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(**(GPT2_SIZES | settings), attn_implementation="eager")
    model = shaken(GPT2LMHeadModel(config))
    model.save_pretrained(folder)
    return model


def written_llama(folder, **settings):
    """A Llama that was written to the folder, with a tokenizer of 41 pieces."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(**(LLAMA_SIZES | settings), attn_implementation="eager")
    model = shaken(LlamaForCausalLM(config))
    model.save_pretrained(folder)
    write_byte_pairs(folder)
    return model


def write_byte_pairs(folder):
    """A tokenizer.json: an end, every letter from A to z but for some, two merges."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    letters = [chr(number) for number in range(ord("a"), ord("z") + 1)]
    pieces = ["<|endoftext|>", "<end>", *letters, *"ABCDEFGHIJK", "th", "the"]
    merges = [("t", "h"), ("th", "e")]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(numbers, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(["<|endoftext|>", "<end>"])
    tokenizer.save(str(folder / "tokenizer.json"))


def usual_bert(folder):
    """The usual library's model of a folder."""
    from transformers import BertModel

    return BertModel.from_pretrained(folder, attn_implementation="eager").eval()


def computed(model, ids, **inputs):
    """What the model computes: its output, with the maps and the vectors before each layer."""
    with torch.no_grad():
        return model(
            torch.as_tensor(ids), output_attentions=True, output_hidden_states=True, **inputs
        )


def some_ids(shape, size=41, seed=0):
    return np.random.default_rng(seed).integers(size, size=shape)


def near(ours, theirs, tolerance=1e-5):
    """The same shape, and nowhere further apart than the tolerance."""
    ours, theirs = np.asarray(ours), theirs.numpy()
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= tolerance
