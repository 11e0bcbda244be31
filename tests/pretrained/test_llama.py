"""A Llama read from a folder or a GGUF file computes and writes what the usual library does."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from benchmarks.usual_llama import usual_llama
from lib.llama import LlamaForm, llama_layer
from lib.masks import causal_mask
from lib.modules import LlamaLayer
from lib.pretrained import chat_form, llama
from lib.pretrained.packed import PackedTransposed
from lib.sampling import sample
from tests.pretrained.gguf_writer import gguf_bytes, packed
from tests.pretrained.references import computed, near, some_ids, written_llama

GRID = [
    {},
    {"num_attention_heads": 6, "num_key_value_heads": 3},
    {"num_attention_heads": 6, "num_key_value_heads": 1},
    {"num_attention_heads": 3, "num_key_value_heads": 3},
    {"num_attention_heads": 1, "num_key_value_heads": 1},
    {"head_dim": 10},
    {"hidden_size": 40, "intermediate_size": 20, "num_hidden_layers": 1},
    {"tie_word_embeddings": True},
    {"rms_norm_eps": 0.1},
    {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0}},
    {"rope_parameters": {"rope_type": "default", "rope_theta": 5e6}},
    {"vocab_size": 50},  # more rows than pieces
]


def same(ours, theirs, ids, logits=1e-3, maps=1e-5):
    """Logits and every map are those of the usual library."""
    reference = computed(theirs, ids)
    output, weights = ours.run(ids)
    near(ours.logits(output), reference.logits, logits)
    assert len(weights) == len(reference.attentions)
    for mine, other in zip(weights, reference.attentions, strict=True):
        near(mine, other, maps)


# -- a folder --------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", GRID, ids=str)
@pytest.mark.parametrize("shape", [(1, 7), (2, 5), (1, 13)], ids=str)
def test_logits_and_every_map_are_the_same(tmp_path, settings, shape):
    theirs = written_llama(tmp_path, **settings)
    same(llama(tmp_path), theirs, some_ids(shape), 2e-5)


def test_old_names_of_settings_and_an_embedding_that_is_there_twice(tmp_path):
    theirs = written_llama(tmp_path, tie_word_embeddings=True)
    with_settings(tmp_path, rope_parameters=None, rope_theta=500.0, rope_scaling=None)
    arrays = load_file(tmp_path / "model.safetensors")
    arrays["lm_head.weight"] = arrays["model.embed_tokens.weight"].copy()
    save_file(arrays, tmp_path / "model.safetensors")
    ours = llama(tmp_path)
    assert ours.form.base == 500.0
    theirs.model.rotary_emb.inv_freq = torch.tensor(500.0 ** -(np.arange(0, 6, 2) / 6)).float()
    same(ours, theirs, some_ids((1, 9)), 2e-5)


def test_a_layer_is_that_of_the_modules(tmp_path):
    """The usual library's numbers in our PyTorch: the same vectors and gradients flow."""
    written_llama(tmp_path)
    ours = llama(tmp_path)
    module = LlamaLayer(24, 4, 36, 2, ours.form.base, ours.form.pairs, ours.form.epsilon)
    for name, array in flat(ours.layers[0]).items():
        linear = name.startswith(("attention", "feed_forward"))
        module.get_parameter(f"{name}.weight").data = torch.tensor(array.T if linear else array)
    x = np.random.default_rng(0).standard_normal((2, 7, 24)).astype(np.float32)
    wanted, _ = llama_layer(x, ours.layers[0], ours.form, causal_mask(7))
    near(wanted, module(torch.from_numpy(x), causal_mask(7)).detach())


def flat(parameters):
    """{dotted name: array} of a layer's parameters."""
    found = {}
    for name, part in vars(parameters).items():
        if isinstance(part, np.ndarray):
            found[name] = part
        elif part is not None:
            found |= {f"{name}.{inner}": array for inner, array in flat(part).items()}
    return found


# -- a GGUF file -----------------------------------------------------------------------------------

GGUF = {
    "general.architecture": "llama",
    "llama.block_count": 2,
    "llama.context_length": 13,
    "llama.embedding_length": 96,
    "llama.feed_forward_length": 64,
    "llama.attention.head_count": 6,
    "llama.attention.head_count_kv": 2,
    "llama.attention.layer_norm_rms_epsilon": 0.001,
    "llama.rope.freq_base": 500.0,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "gpt-2",
    "tokenizer.ggml.tokens": [
        "<|endoftext|>",
        *map(chr, range(ord("a"), ord("z") + 1)),
        "the",
        "th",
    ],
    "tokenizer.ggml.token_type": [3] + [1] * 28,
    "tokenizer.ggml.merges": ["t h", "th e"],
    "tokenizer.ggml.eos_token_id": 5,
}
KINDS = ("F32", "F16", "Q8_0", "Q4_1")
TOLERANCE = {"F32": 2e-5, "F16": 2e-5, "Q8_0": 1e-4, "Q4_1": 1e-4}


def gguf(folder, kind="F32", tied=True, without=(), more=(), **changed):
    """A GGUF file with random arrays of that kind."""
    settings = GGUF | {f"llama.{name}": value for name, value in changed.items()}
    settings = {name: value for name, value in settings.items() if value is not None}
    draw = np.random.default_rng(4)
    shapes = {"token_embd": (29, 96), "output_norm": (96,)}
    for layer in range(2):
        block = {"attn_q": (96, 96), "attn_k": (32, 96), "attn_v": (32, 96)}
        block |= {"attn_output": (96, 96), "attn_norm": (96,), "ffn_norm": (96,)}
        block |= {"ffn_gate": (64, 96), "ffn_up": (64, 96), "ffn_down": (96, 64)}
        shapes |= {f"blk.{layer}.{name}": shape for name, shape in block.items()}
    if not tied:
        shapes["output"] = (29, 96)
    arrays = {}
    for name, shape in (shapes | dict(more)).items():
        numbers = 0.15 * draw.standard_normal(shape) + (len(shape) == 1)
        array, _ = packed("F32" if len(shape) == 1 else kind, numbers)
        arrays[f"{name}.weight"] = array
    for name in without:
        del arrays[f"{name}.weight"]
    path = folder / "model.gguf"
    path.write_bytes(gguf_bytes(settings, arrays))
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tied", [True, False], ids=["tied", "not tied"])
def test_a_gguf_file_of_every_kind_computes_the_same(tmp_path, kind, tied):
    ours = llama(gguf(tmp_path, kind, tied))
    assert ours.form.pairs == "neighbours" and ours.longest == 13 and ours.ends == {0, 5}
    query = ours.layers[0].attention.query
    assert isinstance(query, PackedTransposed) == kind.startswith("Q")
    assert query.dtype == (np.float16 if kind == "F16" else np.float32)
    assert ours.layers[0].count == 96 * (2 * 96 + 2 * 32 + 3 * 64 + 2)
    theirs = usual_llama(ours)
    for shape in ((1, 7), (2, 5), (1, 13)):
        same(ours, theirs, some_ids(shape, 29), TOLERANCE[kind])


def test_settings_that_may_be_left_out_or_said(tmp_path):
    plain = {"attention.head_count_kv": None, "rope.freq_base": None}
    with pytest.raises(ValueError, match=r"attn_k.weight has the shape \(32, 96\)"):
        llama(gguf(tmp_path, **plain))
    wide = [(f"blk.{layer}.attn_{part}", (96, 96)) for layer in (0, 1) for part in "kv"]
    form = llama(gguf(tmp_path, more=wide, **plain)).form
    assert form.key_heads == 6 and form.base == 10_000
    said = {"attention.key_length": 16, "attention.value_length": 16, "vocab_size": 29}
    said |= {"rope.dimension_count": 16, "rope.scaling.type": "none"}
    llama(gguf(tmp_path, **said))


# -- steps and writing -----------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path):
    return llama(gguf(tmp_path, "Q4_1"))


@pytest.mark.parametrize("chunks", [[1] * 9, [4, 1, 4], [8, 1]])
def test_steps_with_caches_are_the_full_pass(small, chunks):
    ids = some_ids((9,), 29)
    wanted, wanted_weights = small.run(ids)
    caches, end = small.caches(), 0
    for chunk in chunks:
        start, end = end, end + chunk
        output, weights = small.run(ids[start:end], caches)
        assert np.abs(output - wanted[start:end]).max() < 1e-4
        for mine, other in zip(weights, wanted_weights, strict=True):
            assert np.abs(mine - other[:, start:end, :end]).max() < 1e-5


def test_a_mask_hides_and_the_causal_mask_holds_as_well(small):
    ids = some_ids((6,), 29)
    mask = np.ones((6, 6), bool)
    mask[2:, 0] = False
    _, weights = small.run(ids, mask=mask)
    _, free = small.run(ids)
    for one, other in zip(weights, free, strict=True):
        assert not one[:, 2:, 0].any() and one[:, 1, 0].all() and not np.triu(one, 1).any()
        assert other[:, 2:, 0].all()
    with pytest.raises(ValueError, match=r"the mask \(5, 6\) does not fit the scores \(6, 6\)"):
        small.run(ids, mask=mask[1:])
    with pytest.raises(ValueError, match="the mask holds float64; expected booleans"):
        small.run(ids, mask=mask * 1.0)


def test_it_writes_what_the_library_writes(tmp_path):
    theirs = written_llama(tmp_path)
    ours = llama(tmp_path)
    ours = replace(ours, ends=frozenset())
    written = list(ours.write("thef", most=9))
    text = ours.words.encode("thef")
    assert text == [40, 7] and len(written) == 9
    for step in written:
        reference = computed(theirs, [text])
        near(step.scores, reference.logits[0, -1], 2e-5)
        near(step.weights, torch.stack([one[0, :, -1] for one in reference.attentions]))
        assert step.id == int(reference.logits[0, -1].argmax())
        text = [*text, step.id]


def test_writing_ends_at_an_end_and_as_it_is_told(small):
    assert [step.id for step in small.write([3, 4], lambda scores: 5)] == [5]
    assert [step.id for step in small.write([3, 4], lambda scores: 7, most=4)] == [7] * 4
    random = np.random.default_rng(0)
    endless = replace(small, ends=frozenset())
    drawn = [step.id for step in endless.write("th", lambda s: sample(s, 5.0, random=random), 9)]
    assert len(drawn) == 9 and len(set(drawn)) > 3
    first = next(small.write("the"))
    assert first.weights.shape == (2, 6, 1) and first.scores.shape == (29,)


def test_a_long_prompt_is_read_in_parts(small, monkeypatch):
    monkeypatch.setattr("lib.pretrained.llama_model.READ_AT_ONCE", 4)
    ids = some_ids((11,), 29)
    step = next(small.write(ids))
    output, weights = small.run(ids)
    assert np.abs(step.scores - small.logits(output)[-1]).max() < 1e-4
    assert np.abs(step.weights - np.stack(weights)[:, :, -1]).max() < 1e-5


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda m: m.run(""), "no token to begin with; expected a text, or one id at least"),
        (lambda m: m.run([29]), "ids from 29 to 29; this model has those from 0 to 28"),
        (lambda m: m.run([0.5]), "ids: float64 of shape"),
        (lambda m: m.run([1] * 14), "14 tokens; this model was trained on 13 at most. Shorten"),
        (lambda m: list(m.write([1] * 12, lambda s: 7, 9)), "14 tokens; this model was trained"),
        (lambda m: next(m.write([[1, 2]])), r"ids \(1, 2\) and most = 100; expected one sequence"),
        (lambda m: next(m.write("a", most=0)), "and most = 0; expected one sequence"),
        (lambda m: m.logits(np.ones((2, 5))), r"output \(2, 5\) do not fit the matrix \(96, 29\)"),
        (lambda m: m.exchanged(pairs="thirds"), "pairs = 'thirds'; expected one of neighbours"),
        (lambda m: m.without([(2, 0)]), "layer 2, head 0; this model has 2 layers with 6 heads"),
        (lambda m: m.without([(0, 6)]), "layer 0, head 6; this model has"),
        (lambda m: m.without([(-1, 0)]), "layer -1, head 0; .* counted from 0"),
    ],
)
def test_what_it_refuses(small, call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(small)


def test_maps_that_need_too_much_memory_are_refused(small):
    large = replace(small, longest=10**6)
    with pytest.raises(ValueError, match="weights; expected 67108864 at most. Read the text in p"):
        large.run(np.ones(10_000, int))


# -- changes ---------------------------------------------------------------------------------------


def test_heads_that_are_cut_give_zeros_and_still_look(small):
    ids = some_ids((6,), 29)
    cut = small.without([(0, 2), (1, 5), (0, 4)])
    theirs = usual_llama(small)
    for layer, head in ((0, 2), (1, 5), (0, 4)):
        columns = theirs.model.layers[layer].self_attn.o_proj.weight.data
        columns[:, head * 16 : (head + 1) * 16] = 0
    same(cut, theirs, ids[None], 1e-4)
    assert np.array_equal(cut.run(ids)[1][0], small.run(ids)[1][0])
    same(small.without([]), usual_llama(small), ids[None], 1e-4)


def test_parts_are_exchanged_without_a_copy(small):
    ids = some_ids((6,), 29)
    wanted = small.logits(small.run(ids)[0])
    calls = []

    def mine(x, gain, epsilon):
        calls.append(x.shape)
        return small.form.rms_norm(x, gain, epsilon)

    other = small.exchanged(rms_norm=mine)
    assert np.array_equal(other.logits(other.run(ids)[0]), wanted)
    assert len(calls) == 2 * 2 + 1 and other.layers is small.layers
    for parts in ({"base": 10.0}, {"pairs": "halves"}, {"key_heads": 2, "epsilon": 1.0}):
        changed = small.exchanged(**parts)
        difference = np.abs(changed.logits(changed.run(ids)[0]) - wanted).max()
        assert difference > 1e-2, parts


def test_what_a_reader_writes_takes_plain_products(small):
    """x @ matrix works with the matrices in blocks, also in np.dot and einsum."""
    ids = some_ids((6,), 29)

    def mine(x, p):
        gate = np.einsum("td,df->tf", x, p.gate)
        return (gate / (1 + np.exp(-gate)) * np.dot(x, p.up)) @ p.down

    other = small.exchanged(swiglu=mine)
    near(other.run(ids)[0], torch.from_numpy(small.run(ids)[0]), 1e-4)


# -- what is refused -------------------------------------------------------------------------------


def with_settings(folder, **changed):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changed), "utf-8")


FOLDERS = [
    ({"model_type": "mistral"}, "says model_type = 'mistral'; expected 'llama'"),
    ({"hidden_act": "gelu"}, "says hidden_act = 'gelu'; expected 'silu'"),
    ({"attention_bias": True}, "says attention_bias = True; expected False"),
    ({"mlp_bias": True}, "says mlp_bias = True; expected False"),
    ({"rope_scaling": {"factor": 2}}, "says rope_scaling = .*; expected None"),
    ({"rope_parameters": {"rope_type": "linear"}}, "rope_parameters = .*; expected rope_theta al"),
    ({"rope_parameters": {"rope_theta": 0}}, "says rope_theta = 0; expected a number above 0"),
    ({"rope_parameters": {"factor": 8.0}}, "rope_parameters = .*; expected rope_theta alone"),
    ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "rope_parameters = .*; expected"),
    ({"rope_parameters": 3}, "rope_parameters = 3; expected rope_theta alone"),
    ({"num_key_value_heads": 3}, "says num_key_value_heads = 3; expected a number that divides 4"),
    (
        {"num_attention_heads": 5, "num_key_value_heads": 1, "head_dim": None},
        "= 5; expected a number that divides d_model = 24",
    ),
    ({"head_dim": 5}, "says head_dim = 5; expected an even number"),
    ({"head_dim": 8}, r"q_proj.weight has the shape \(24, 24\), and config.json asks for \(32, "),
    ({"hidden_size": 10**15}, "asks for|expected a number that divides"),
    ({"num_hidden_layers": 10**9}, "has no array 'layers.3.self_attn.q_proj.weight'"),
    ({"num_hidden_layers": 2}, "has 9 arrays that this model has no place for"),
    ({"vocab_size": 40}, "says vocab_size = 40; expected 41, as its tokenizer"),
    ({"eos_token_id": 41}, "says eos_token_id = 41; expected an id below 41"),
    ({"eos_token_id": [0, "1"]}, "says eos_token_id = '1'; expected an id below 41"),
    ({"rms_norm_eps": None}, "says rms_norm_eps = None; expected a number above 0"),
]


@pytest.mark.parametrize("changed, sentence", FOLDERS, ids=str)
def test_folders_that_are_refused(tmp_path, changed, sentence):
    written_llama(tmp_path)
    with_settings(tmp_path, **changed)
    with pytest.raises(ValueError, match=sentence):
        llama(tmp_path)


def test_a_folder_without_a_tokenizer(tmp_path):
    written_llama(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ValueError, match="there is no tokenizer.json in"):
        llama(tmp_path)


FILES = [
    ({"rope.scaling.type": "yarn"}, "says llama.rope.scaling.type = 'yarn'; expected 'none'"),
    ({"rope.scaling.factor": 2.0}, "says llama.rope.scaling.factor, which is not known here"),
    ({"expert_count": 8}, "says llama.expert_count, which is not known here, so its model may"),
    ({"attention.sliding_window": 8}, "says llama.attention.sliding_window, which is not known"),
    ({"rope.dimension_count": 8}, "says llama.rope.dimension_count = 8; expected 16"),
    ({"attention.value_length": 8}, "says llama.attention.value_length = 8; expected 16"),
    ({"attention.key_length": 15}, "says llama.attention.key_length = 15; expected an even"),
    ({"attention.head_count": 0}, "says llama.attention.head_count = 0; expected a whole number"),
    ({"attention.head_count": [6, 6]}, "head_count = .*; expected a whole number of at least 1"),
    ({"attention.head_count_kv": 4}, "head_count_kv = 4; expected a number that divides 6 heads"),
    ({"attention.layer_norm_rms_epsilon": None}, "epsilon = None; expected a number above 0"),
    ({"embedding_length": 2**31}, "asks for|expected a number that divides d_model"),
    ({"feed_forward_length": 2**40}, r"has the shape \(64, 96\), and its header asks for \(10995"),
    ({"block_count": 2**31}, "has no array 'blk.2.attn_q.weight', which its header asks for"),
    ({"block_count": 1}, "has 9 arrays that this model has no place for, first blk.1"),
    ({"vocab_size": 30}, "says llama.vocab_size = 30; expected 29"),
    ({"context_length": "long"}, "says llama.context_length = 'long'; expected a whole number"),
    ({"without": ["blk.1.ffn_up"]}, "has no array 'blk.1.ffn_up.weight'"),
    ({"more": [("rope_freqs", (8,))]}, "has 1 arrays that this model has no place for, first rope"),
]


@pytest.mark.parametrize("changed, sentence", FILES, ids=str)
def test_gguf_files_that_are_refused(tmp_path, changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        llama(gguf(tmp_path, **changed))


# -- the chat form ---------------------------------------------------------------------------------


def test_a_conversation_is_a_text():
    assert chat_form("Hi", "Hello!", "Why?", system="Be kind.") == (
        "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
        "<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    for turns in ((), ("Hi", "Hello!")):
        with pytest.raises(ValueError, match=f"{len(turns)} turns; expected question, answer"):
            chat_form(*turns)


def test_the_forms_defaults_are_those_of_a_small_llama():
    assert LlamaForm(4, 2).base == 10_000 and LlamaForm(4, 2).pairs == "neighbours"
