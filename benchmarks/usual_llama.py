"""A Llama of lib.pretrained as a model of the usual library, with the same numbers in float32."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is fetched; it reads this when it is imported

import numpy as np


def usual_llama(ours, attention="eager"):
    """LlamaForCausalLM with the numbers of a lib.pretrained.Llama; "eager" can give its maps."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    form, first = ours.form, ours.layers[0]
    size, d_model = ours.embedding.shape
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=d_model,
        intermediate_size=first.feed_forward.up.shape[1],
        num_hidden_layers=len(ours.layers),
        num_attention_heads=form.heads,
        num_key_value_heads=form.key_heads,
        head_dim=first.attention.query.shape[1] // form.heads,
        max_position_embeddings=ours.longest,
        rms_norm_eps=form.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": form.base},
        tie_word_embeddings=False,
        attn_implementation=attention,
    )
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    state = {name: torch.from_numpy(array) for name, array in _state(ours)}
    model.load_state_dict(state, assign=True)
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # computed, not loaded
    return model.eval()


def _state(ours):
    """(name in the usual library, array) of all that a Llama has learned."""
    yield "model.embed_tokens.weight", np.asarray(ours.embedding, np.float32)
    yield "lm_head.weight", _turned(ours.unembedding)
    yield "model.norm.weight", ours.norm
    for number, layer in enumerate(ours.layers):
        name = f"model.layers.{number}"
        attention, gate = layer.attention, layer.feed_forward
        yield f"{name}.self_attn.q_proj.weight", _in_halves(attention.query, ours.form)
        yield f"{name}.self_attn.k_proj.weight", _in_halves(attention.key, ours.form, key=True)
        yield f"{name}.self_attn.v_proj.weight", _turned(attention.value)
        yield f"{name}.self_attn.o_proj.weight", _turned(attention.output)
        for part in ("gate", "up", "down"):
            yield f"{name}.mlp.{part}_proj.weight", _turned(getattr(gate, part))
        yield f"{name}.input_layernorm.weight", layer.norm_1
        yield f"{name}.post_attention_layernorm.weight", layer.norm_2


def _turned(matrix):
    return np.ascontiguousarray(np.asarray(matrix, np.float32).T)


def _in_halves(matrix, form, key=False):
    """(out, width), each head's dimensions in the order in which the usual library pairs them."""
    rows = _turned(matrix)
    if form.pairs == "halves":
        return rows
    by_pair = rows.reshape(form.key_heads if key else form.heads, -1, 2, rows.shape[1])
    return np.ascontiguousarray(by_pair.swapaxes(1, 2)).reshape(rows.shape)
