"""Folders that hold no such model, or half of one: each ends in a sentence that says what to do."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from lib.pretrained import bert, gpt2
from tests.pretrained.references import written_bert, written_gpt2

READERS = {"bert": (bert, written_bert), "gpt2": (gpt2, written_gpt2)}
both = pytest.mark.parametrize("kind", READERS)


def refused(kind, folder, sentence):
    """It is refused with this sentence, in one error."""
    read, _ = READERS[kind]
    with pytest.raises(ValueError, match=sentence):
        read(folder)


def written(kind, folder):
    _, write = READERS[kind]
    write(folder)
    return folder


def with_settings(folder, **changed):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changed), "utf-8")


def with_arrays(folder, change):
    """Write the arrays anew, after ``change`` has worked on them."""
    arrays = load_file(folder / "model.safetensors")
    change(arrays)
    save_file(arrays, folder / "model.safetensors")


# -- files that are missing or broken --------------------------------------------------------------


@both
def test_a_folder_that_there_is_not(kind, tmp_path):
    refused(kind, tmp_path / "none", "there is no folder .*none'.* python3 start.py real")


@both
def test_an_empty_folder(kind, tmp_path):
    refused(kind, tmp_path, "has no config.json. .* python3 start.py real")


@both
@pytest.mark.parametrize(
    "instead, sentence",
    [
        (None, "has no model.safetensors. .* python3 start.py real"),
        ("pytorch_model.bin", "may hold code and is not read; save the model as safetensors"),
        ("model.safetensors.index.json", "index.json in .* asks for no file; expected files of"),
    ],
)
def test_no_weights_and_what_stands_there_instead(kind, tmp_path, instead, sentence):
    written(kind, tmp_path)
    (tmp_path / "model.safetensors").unlink()
    if instead:
        (tmp_path / instead).write_text("{}")
    refused(kind, tmp_path, sentence)


# -- weights in several files ----------------------------------------------------------------------


def in_several_files(kind, folder):
    """The same model as ``written``, as large ones are kept."""
    _, write = READERS[kind]
    write(folder).save_pretrained(folder / "parts", max_shard_size="8KB")
    assert len(list((folder / "parts").glob("*.safetensors"))) > 2
    return folder / "parts"


@both
def test_weights_in_several_files_are_those_of_one(kind, tmp_path):
    read, _ = READERS[kind]
    several, one = read(in_several_files(kind, tmp_path)), read(tmp_path)
    if kind == "bert":
        ids = [3, 1, 4]
        assert np.array_equal(several.run(ids)[0], one.run(ids)[0])
    else:
        for mine, other in zip(several.parameters(), one.parameters(), strict=True):
            assert mine.equal(other)


@both
def test_a_part_that_is_missing_or_cut_off(kind, tmp_path):
    folder = in_several_files(kind, tmp_path)
    part = max(folder.glob("*.safetensors"))
    part.write_bytes(part.read_bytes()[:-1])
    refused(kind, folder, f"{part.name} in parts is cut off .* Copy or fetch it again")
    part.unlink()
    refused(kind, folder, f"index.json in parts asks for {part.name}; expected files of the same")


@both
@pytest.mark.parametrize("text", ["[" * 100_000, "[]", '{"weight_map": 3}'])
def test_an_index_that_is_none(kind, text, tmp_path):
    folder = in_several_files(kind, tmp_path)
    (folder / "model.safetensors.index.json").write_text(text)
    refused(kind, folder, "index.json in parts (cannot be read|holds no settings|asks for no file)")


@both
def test_an_index_reads_nothing_outside_of_its_folder(kind, tmp_path):
    folder = in_several_files(kind, tmp_path)
    outside = {"weight_map": {"a": "../model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(outside))
    refused(kind, folder, "asks for ../model.safetensors; expected files of the same folder")


@both
@pytest.mark.parametrize("share", [0, 0.0001, 0.02, 0.5, 0.9999])
def test_weights_that_are_cut_off(kind, tmp_path, share):
    file = written(kind, tmp_path) / "model.safetensors"
    contents = file.read_bytes()
    file.write_bytes(contents[: int(share * len(contents))])
    refused(kind, tmp_path, "model.safetensors in .* is cut off .* Copy or fetch it again")


@both
@pytest.mark.parametrize("text", [b"", b"{", b"hello", b"\xff\xfe", b"[" * 100_000])
def test_settings_that_are_no_json(kind, tmp_path, text):
    (written(kind, tmp_path) / "config.json").write_bytes(text)
    refused(kind, tmp_path, "config.json in .* cannot be read: .* Copy or fetch it again")


@both
@pytest.mark.parametrize("text", ["[]", "3", "null"])
def test_settings_that_are_no_settings(kind, tmp_path, text):
    (written(kind, tmp_path) / "config.json").write_text(text)
    refused(kind, tmp_path, "holds no settings")


# -- files that do not fit together ----------------------------------------------------------------


def test_another_kind_of_model(tmp_path):
    written("bert", tmp_path)
    refused("gpt2", tmp_path, "config.json in .* says model_type = 'bert'; expected 'gpt2'")
    with_settings(tmp_path, model_type="roberta")
    refused("bert", tmp_path, "model_type = 'roberta'; expected 'bert'")


SETTINGS = [
    ("bert", {"hidden_act": "tanh"}, "hidden_act = 'tanh'; expected one of relu, gelu, "),
    ("bert", {"hidden_act": ["gelu"]}, r"hidden_act = \['gelu'\]; expected one of relu"),
    ("bert", {"hidden_size": 0}, "hidden_size = 0; expected a whole number of at least 1"),
    ("bert", {"hidden_size": "24"}, "hidden_size = '24'; expected a whole number"),
    ("bert", {"num_hidden_layers": True}, "num_hidden_layers = True; expected a whole number"),
    ("bert", {"num_attention_heads": 5}, "= 5; expected a number that divides d_model = 24"),
    ("bert", {"layer_norm_eps": 0}, "layer_norm_eps = 0; expected a number above 0"),
    ("bert", {"layer_norm_eps": "1e-12"}, "layer_norm_eps = '1e-12'; expected a number above 0"),
    ("bert", {"position_embedding_type": "relative_key"}, "'relative_key'; expected 'absolute'"),
    ("bert", {"is_decoder": True}, "is_decoder = True; expected False"),
    ("gpt2", {"activation_function": "mish"}, "activation_function = 'mish'; expected one of"),
    ("gpt2", {"n_layer": -1}, "n_layer = -1; expected a whole number of at least 1"),
    ("gpt2", {"n_head": 7}, "n_head = 7; expected a number that divides d_model = 24"),
    ("gpt2", {"scale_attn_weights": False}, "scale_attn_weights = False; expected True"),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "= True; expected False"),
]


@pytest.mark.parametrize("kind, changed, sentence", SETTINGS, ids=str)
def test_settings_of_a_model_that_computes_something_else(kind, changed, sentence, tmp_path):
    with_settings(written(kind, tmp_path), **changed)
    refused(kind, tmp_path, f"config.json in .* says .*{sentence}")


SIZES = [
    ("bert", {"vocab_size": 42}, r"word_embeddings.weight has the shape \(41, 24\)"),
    ("bert", {"hidden_size": 28}, r"config.json asks for \(41, 28\). The two files are not of one"),
    ("bert", {"intermediate_size": 10**15}, r"asks for \(1000000000000000, 24\)"),
    ("bert", {"num_hidden_layers": 10**9}, r"has no array 'encoder.layer.3.attention"),
    ("bert", {"num_hidden_layers": 2}, "has 16 arrays that this model has no place for, first enc"),
    ("gpt2", {"n_positions": 14}, r"wpe.weight has the shape \(13, 24\)"),
    ("gpt2", {"n_inner": None}, r"c_fc.weight has the shape \(24, 36\), .* asks for \(24, 96\)"),
    ("gpt2", {"n_layer": 4}, r"has no array 'h.3.attn.c_attn.weight', which config.json asks for"),
    ("gpt2", {"n_layer": 2}, "has 12 arrays that this model has no place for, first h.2."),
]


@pytest.mark.parametrize("kind, changed, sentence", SIZES, ids=str)
def test_sizes_that_are_not_those_of_the_weights(kind, changed, sentence, tmp_path):
    with_settings(written(kind, tmp_path), **changed)
    refused(kind, tmp_path, f"model.safetensors in .*{sentence}")


@both
def test_an_array_that_is_missing(kind, tmp_path):
    written(kind, tmp_path)
    last = {"bert": "encoder.layer.2.output.dense.bias", "gpt2": "transformer.ln_f.bias"}[kind]
    with_arrays(tmp_path, lambda arrays: arrays.pop(last))
    refused(kind, tmp_path, f"has no array '{last.removeprefix('transformer.')}'")


@both
def test_an_array_that_nobody_knows(kind, tmp_path):
    written(kind, tmp_path)
    with_arrays(tmp_path, lambda arrays: arrays.update(gate=np.ones(3, np.float32)))
    refused(kind, tmp_path, "has 1 arrays that this model has no place for, first gate")


@both
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_no_training_leaves_behind(kind, tmp_path, number):
    def spoil(arrays):
        next(iter(arrays.values())).flat[0] = number

    with_arrays(written(kind, tmp_path), spoil)
    refused(kind, tmp_path, "holds NaN or infinity")


@both
def test_whole_numbers_as_weights(kind, tmp_path):
    def rounded(arrays):
        name = next(iter(arrays))
        arrays[name] = arrays[name].astype(np.int8)

    with_arrays(written(kind, tmp_path), rounded)
    refused(kind, tmp_path, "holds I8; expected floats")
