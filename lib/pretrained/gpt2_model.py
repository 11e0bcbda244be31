"""GPT-2 as the language model of lib.modules. Radford et al. 2019 (no arXiv number)."""

import numpy as np

from lib.pretrained.model_folder import ModelFolder

# Old files keep the causal mask and what it puts in the place of a hidden score; the rest are heads
# for other tasks.
NOT_NEEDED = (
    ".attn.bias",
    ".attn.masked_bias",
    "score.weight",
    "multiple_choice_head.summary.weight",
    "multiple_choice_head.summary.bias",
)


def gpt2(folder):
    """The LanguageModel in a folder with config.json and model.safetensors, ready to use (eval).

    Equal to the usual library's GPT2LMHeadModel; heads for other tasks are left out.
    ``stack_from_torch(model.decoder)`` gives its layers to lib.layers.encoder. Raises ValueError
    for what is no such folder and for a model that computes something else.
    """
    files = ModelFolder(folder, "gpt2", "transformer.", NOT_NEEDED)
    files.refuse_other_than(
        scale_attn_weights=True, scale_attn_by_inverse_layer_idx=False, add_cross_attention=False
    )
    d_model = files.count("n_embd", 768)
    made_with = {
        "size": files.count("vocab_size", 50257),
        "d_model": d_model,
        "heads": files.heads("n_head", d_model),
        "layers": files.count("n_layer", 12),
        "d_ff": files.count("n_inner", 4 * d_model),
        "longest": files.count("n_positions", 1024),
        "activation": files.activation("activation_function", "gelu_new"),
        "epsilon": files.above_zero("layer_norm_epsilon", 1e-5),
        "tied": bool(files.setting("tie_word_embeddings", True)),
    }
    state = _state(files, made_with)  # read first: no size of config.json is believed without it
    files.refuse_the_rest()
    return _module(made_with, state)


def _module(made_with, state):
    import torch  # here, so that BERT can do without

    from lib.modules import LanguageModel

    model = LanguageModel(positions="learned", scale=1.0, norm_first=True, **made_with)
    tensors = {}
    for name, array in state.items():
        tensors[name] = torch.from_numpy(np.ascontiguousarray(array))
    model.load_state_dict(tensors)
    return model.eval()


def _state(files, made_with):
    """{name in our LanguageModel: array}."""
    size, d_model = made_with["size"], made_with["d_model"]
    state = {
        "tokens.tokens.weight": files.take("wte.weight", size, d_model),
        "tokens.positions": files.take("wpe.weight", made_with["longest"], d_model),
    }
    for number in range(made_with["layers"]):
        for name, array in _layer(files, f"h.{number}", d_model, made_with["d_ff"]).items():
            state[f"decoder.layers.{number}.{name}"] = array
    for name, array in _norm(files, "ln_f", d_model).items():
        state[f"decoder.norm.{name}"] = array
    if made_with["tied"]:
        if files.has("lm_head.weight"):
            files.take("lm_head.weight", size, d_model)  # that of the embedding once more
        state["output.weight"] = state["tokens.tokens.weight"]
    else:
        state["output.weight"] = files.take("lm_head.weight", size, d_model)
        state["output.bias"] = np.zeros(size, np.float32)
    return state


def _layer(files, name, d_model, d_ff):
    """{name in our EncoderLayer: array}."""
    packed = files.take(f"{name}.attn.c_attn.weight", d_model, 3 * d_model)
    packed_bias = files.take(f"{name}.attn.c_attn.bias", 3 * d_model)
    matrices = np.split(packed, 3, axis=1)  # query, key, value: (d_model, d_model) each
    biases = np.split(packed_bias, 3)
    found = {}
    for part, matrix, bias in zip(("query", "key", "value"), matrices, biases, strict=True):
        found[f"attention.{part}.weight"] = matrix.T
        found[f"attention.{part}.bias"] = bias
    for part, theirs, width, out in (
        ("attention.output", "attn.c_proj", d_model, d_model),
        ("feed_forward.inner", "mlp.c_fc", d_model, d_ff),
        ("feed_forward.outer", "mlp.c_proj", d_ff, d_model),
    ):
        # GPT-2 keeps its matrices for row vectors, PyTorch's linear maps the other way round.
        found[f"{part}.weight"] = files.take(f"{name}.{theirs}.weight", width, out).T
        found[f"{part}.bias"] = files.take(f"{name}.{theirs}.bias", out)
    for part, theirs in (("norm_1", "ln_1"), ("norm_2", "ln_2")):
        for kind, array in _norm(files, f"{name}.{theirs}", d_model).items():
            found[f"{part}.{kind}"] = array
    return found


def _norm(files, name, d_model):
    return {
        "weight": files.take(f"{name}.weight", d_model),
        "bias": files.take(f"{name}.bias", d_model),
    }
