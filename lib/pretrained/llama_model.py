"""A Llama, the kind of model that most chat models are, in the NumPy functions of lib.llama.

T tokens; ids are (T,) or (B, T), vectors (..., T, d_model). Touvron et al. 2023, arXiv:2302.13971.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lib.attention import MultiHeadParameters
from lib.cache import KeyValueCache
from lib.layers import SwiGLUParameters
from lib.llama import LlamaForm, LlamaLayerParameters, llama_layers
from lib.masks import causal_mask
from lib.positions import BASE
from lib.pretrained.byte_pairs import BytePairs, folder_byte_pairs, gguf_byte_pairs
from lib.pretrained.gguf_file import GGUFFile
from lib.pretrained.model_folder import ModelFolder
from lib.validation.arrays import floats, is_whole, whole_below
from lib.validation.attention import check_projection, fitting_mask

READ_AT_ONCE = 64  # tokens of a prompt: their weights are no longer needed when the next are read
MOST_WEIGHTS = 2**26  # numbers of all maps of one run: 270 MB
END_OF_TEXT = "<|endoftext|>"
GGUF_SETTINGS = {
    "d_model": "llama.embedding_length",
    "d_ff": "llama.feed_forward_length",
    "layers": "llama.block_count",
    "heads": "llama.attention.head_count",
    "key_heads": "llama.attention.head_count_kv",
    "d_k": "llama.attention.key_length",
    "epsilon": "llama.attention.layer_norm_rms_epsilon",
    "longest": "llama.context_length",
    "end": "tokenizer.ggml.eos_token_id",
}
FOLDER_SETTINGS = {
    "d_model": "hidden_size",
    "d_ff": "intermediate_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "key_heads": "num_key_value_heads",
    "d_k": "head_dim",
    "epsilon": "rms_norm_eps",
    "longest": "max_position_embeddings",
    "end": "eos_token_id",
}
# What stands before ".weight" in the names of arrays; {} is the layer.
GGUF_ARRAYS = {
    "embedding": "token_embd",
    "query": "blk.{}.attn_q",
    "key": "blk.{}.attn_k",
    "value": "blk.{}.attn_v",
    "output": "blk.{}.attn_output",
    "gate": "blk.{}.ffn_gate",
    "up": "blk.{}.ffn_up",
    "down": "blk.{}.ffn_down",
    "norm_1": "blk.{}.attn_norm",
    "norm_2": "blk.{}.ffn_norm",
    "norm": "output_norm",
    "unembedding": "output",
}
FOLDER_ARRAYS = {
    "embedding": "embed_tokens",
    "query": "layers.{}.self_attn.q_proj",
    "key": "layers.{}.self_attn.k_proj",
    "value": "layers.{}.self_attn.v_proj",
    "output": "layers.{}.self_attn.o_proj",
    "gate": "layers.{}.mlp.gate_proj",
    "up": "layers.{}.mlp.up_proj",
    "down": "layers.{}.mlp.down_proj",
    "norm_1": "layers.{}.input_layernorm",
    "norm_2": "layers.{}.post_attention_layernorm",
    "norm": "norm",
    "unembedding": "lm_head",
}
# Whoever says more of a Llama in a GGUF file computes something else.
KNOWN_SETTINGS = {
    *GGUF_SETTINGS.values(),
    "llama.attention.value_length",
    "llama.rope.dimension_count",
    "llama.rope.freq_base",
    "llama.rope.scaling.type",
    "llama.vocab_size",
}


@dataclass(frozen=True)
class Written:
    """A token that was written: its id, the scores (size,) of all that it was chosen from, and
    where the token before it looked to find them, weights (layers, H, S).
    """

    id: int
    scores: np.ndarray
    weights: np.ndarray


def most_probable(scores):
    """The id of the highest score: what ``Llama.write`` chooses unless told otherwise."""
    return int(np.argmax(scores))


@dataclass(frozen=True)
class Llama:
    """What a Llama has learned, and its form; ``layers`` go into lib.llama.llama_layers.

    words: its BytePairs. embedding: the table (size, d_model) of which each token gets its row;
    norm: the gain (d_model,) of the last RMS norm; unembedding (d_model, size), usually the table
    once more. longest: the most tokens that it was trained on. ends: ids at which it stops.
    """

    words: BytePairs
    embedding: np.ndarray
    layers: list[LlamaLayerParameters]
    norm: np.ndarray
    unembedding: np.ndarray
    form: LlamaForm
    longest: int
    ends: frozenset

    # -- run --------------------------------------------------------------------------------------

    def caches(self):
        """A new KeyValueCache for each layer: for one text."""
        return [KeyValueCache() for _ in self.layers]

    def run(self, text, caches=None, mask=None):
        """(output (..., T, d_model), [weights (..., H, T, S) of each layer]): look at a text.

        text: a text, or ids (T,) or (B, T). caches: those of the tokens before, from ``caches()``;
        these are kept as well. mask: boolean (T, S), True = may attend, beside the causal mask,
        which always holds. Raises ValueError for no token, ids that there are not, more tokens than
        it was trained on, maps that need too much memory, and as lib.llama.llama_layers.
        """
        ids = self._ids(text)
        T = ids.shape[-1]
        S = T + (caches[0].length if caches else 0)
        self._check_sizes(ids.size, S)
        seen = causal_mask(T, S)
        if mask is not None:
            seen = seen & fitting_mask(mask, (T, S))
        x = self.embedding[ids].astype(np.float32, copy=False)  # (..., T, d_model)
        return llama_layers(x, self.layers, self.form, seen, caches)

    def logits(self, output):
        """output of ``run`` (..., T, d_model) -> (..., T, size): a score for each next token."""
        output = floats(output, "output")
        check_projection(output.shape, self.unembedding, None, "output")
        return self.form.rms_norm(output, self.norm, self.form.epsilon) @ self.unembedding

    def _ids(self, text):
        ids = self.words.encode(text) if isinstance(text, str) else text
        if np.size(ids) == 0:
            raise ValueError("no token to begin with; expected a text, or one id at least.")
        return whole_below(ids, "ids", self.embedding.shape[0])

    def _check_sizes(self, tokens, S):
        if self.longest < S:
            raise ValueError(
                f"{S} tokens; this model was trained on {self.longest} at most. Shorten the text."
            )
        weights = len(self.layers) * self.form.heads * tokens * S
        if weights > MOST_WEIGHTS:
            raise ValueError(
                f"all maps of {tokens} tokens that look at {S} are {weights} weights; expected "
                f"{MOST_WEIGHTS} at most. Read the text in parts, with caches."
            )

    # -- write ------------------------------------------------------------------------------------

    def write(self, text, choose=most_probable, most=100):
        """Go on with a text: yields a Written for each new token, that of an end included.

        text: as in ``run``, one sequence. choose(scores (size,)) -> an id, for example
        lambda scores: sample(scores, 0.8) of lib.sampling. most: how many tokens at most. Each
        token goes through the model once, with a key-value cache. Raises ValueError as ``run``.
        """
        ids = self._ids(text)
        if ids.ndim != 1 or not is_whole(most, 1):
            raise ValueError(
                f"ids {ids.shape} and most = {most!r}; expected one sequence, (T,), and a whole "
                "number of at least 1."
            )
        caches = self.caches()
        for start in range(0, len(ids), READ_AT_ONCE):
            output, weights = self.run(ids[start : start + READ_AT_ONCE], caches)
        for count in range(1, int(most) + 1):
            scores = self.logits(output[-1:])[0]  # (size,)
            chosen = int(choose(scores))
            yield Written(chosen, scores, np.stack([one[:, -1] for one in weights]))
            if chosen in self.ends or count == most:
                return
            output, weights = self.run([chosen], caches)

    # -- change -----------------------------------------------------------------------------------

    def exchanged(self, **parts):
        """The same model with other parts in its form: exchanged(rms_norm=mine, base=10_000.0).

        Nothing is copied. parts: those of LlamaForm, functions or numbers.
        """
        return replace(self, form=replace(self.form, **parts))

    def without(self, heads):
        """The same model whose ``heads``, pairs (layer, head) from 0 on, give zeros.

        They still look, so their weights are still there. Raises ValueError for what is no head.
        """
        layers = list(self.layers)
        for layer, head in heads:
            right = is_whole(layer, 0) and is_whole(head, 0)
            if not right or layer >= len(layers) or head >= self.form.heads:
                raise ValueError(
                    f"layer {layer}, head {head}; this model has {len(layers)} layers with "
                    f"{self.form.heads} heads each, counted from 0."
                )
            attention = layers[int(layer)].attention
            output = np.array(attention.output, np.float32)  # (H*d_v, d_model)
            by_head = output.reshape(self.form.heads, -1, output.shape[1])
            by_head[int(head)] = 0
            cut = replace(attention, output=output)
            layers[int(layer)] = replace(layers[int(layer)], attention=cut)
        return replace(self, layers=layers)


# -- files ----------------------------------------------------------------------------------------


def llama(path):
    """The Llama in a GGUF file, or in a folder with config.json, model.safetensors, tokenizer.json.

    Equal to the usual library's LlamaForCausalLM. In a GGUF file arrays may be F32, F16, Q8_0 or
    Q4_1; float16 stays so, and blocks stay blocks (lib.pretrained.packed). Raises ValueError for
    what is no such file or folder and for a model that computes something else.
    """
    return _of_folder(path) if Path(path).is_dir() else _of_gguf(path)


def _of_gguf(path):
    file = GGUFFile(path, "llama")
    file.refuse_unknown("llama.", KNOWN_SETTINGS)
    words = gguf_byte_pairs(file)
    reader = _Reader(file, GGUF_SETTINGS, GGUF_ARRAYS, size=len(words.pieces))
    file.refuse_other_than(
        **{
            "llama.attention.value_length": reader.d_k,
            "llama.rope.dimension_count": reader.d_k,
            "llama.rope.scaling.type": "none",
            "llama.vocab_size": reader.size,
        }
    )
    # Whoever writes such a file puts the dimensions of a Llama in this order.
    form = reader.form(file.above_zero("llama.rope.freq_base", BASE), "neighbours")
    return reader.model(words, form, tied=not file.has("output.weight"))


def _of_folder(path):
    files = ModelFolder(path, "llama", "model.")
    files.refuse_other_than(
        hidden_act="silu", attention_bias=False, mlp_bias=False, rope_interleaved=False,
        rope_scaling=None,
    )  # fmt: skip
    words = folder_byte_pairs(path)
    reader = _Reader(files, FOLDER_SETTINGS, FOLDER_ARRAYS, size=files.count("vocab_size"))
    if len(words.pieces) > reader.size:
        files.refuse_setting("vocab_size", reader.size, f"{len(words.pieces)}, as its tokenizer")
    form = reader.form(_folder_base(files), "halves")
    return reader.model(words, form, tied=bool(files.setting("tie_word_embeddings", False)))


def _folder_base(files):
    """The base of the rotary positions: newer folders have it among other settings of them."""
    rotary = files.setting("rope_parameters")
    if rotary is None:
        return files.above_zero("rope_theta", BASE)
    known = {"rope_theta", "rope_type", "partial_rotary_factor"}
    right = isinstance(rotary, dict) and set(rotary) <= known
    right = right and rotary.get("rope_type", "default") == "default"
    if not right or rotary.get("partial_rotary_factor", 1) != 1:
        files.refuse_setting("rope_parameters", rotary, "rope_theta alone, of rope_type 'default'")
    return files.checked_above_zero("rope_theta", rotary.get("rope_theta", BASE))


class _Reader:
    """Takes a Llama out of files whose settings and arrays have these names."""

    def __init__(self, files, settings, arrays, size):
        self.files, self.settings, self.arrays, self.size = files, settings, arrays, size
        self.d_model = self._count("d_model")
        self.d_ff = self._count("d_ff")
        self.heads = self._count("heads")
        self.key_heads = self._count("key_heads", self.heads)
        if self.heads % self.key_heads:
            self._refuse("key_heads", self.key_heads, f"a number that divides {self.heads} heads")
        self.d_k = self._d_k()

    def _count(self, name, otherwise=None):
        return self.files.count(self.settings[name], otherwise)

    def _refuse(self, name, value, expected):
        self.files.refuse_setting(self.settings[name], value, expected)

    def _d_k(self):
        if self.files.setting(self.settings["d_k"]) is None:
            self.files.heads(self.settings["heads"], self.d_model)
        d_k = self._count("d_k", self.d_model // self.heads)
        if d_k % 2:
            self._refuse("d_k", d_k, "an even number, for each dimension is turned with another")
        return d_k

    def form(self, base, pairs):
        epsilon = self.files.above_zero(self.settings["epsilon"])
        return LlamaForm(self.heads, self.key_heads, base, pairs, epsilon)

    def model(self, words, form, tied):
        """The Llama; no array is left."""
        embedding = self._table("embedding")
        layers = [self._layer(number) for number in range(self._count("layers"))]
        norm = self._take("norm", self.d_model)
        if not tied:
            unembedding = _for_rows(self._table("unembedding"))
        else:
            unembedding = embedding.T
            if self.files.has(self._name("unembedding")):
                self._table("unembedding")  # that of the embedding once more
        self.files.refuse_the_rest()
        longest, ends = self._count("longest"), self._ends(words)
        return Llama(words, embedding, layers, norm, unembedding, form, longest, ends)

    def _layer(self, number):
        width, key_width = self.heads * self.d_k, self.key_heads * self.d_k
        return LlamaLayerParameters(
            attention=MultiHeadParameters(
                query=self._matrix("query", self.d_model, width, number),
                key=self._matrix("key", self.d_model, key_width, number),
                value=self._matrix("value", self.d_model, key_width, number),
                output=self._matrix("output", width, self.d_model, number),
            ),
            feed_forward=SwiGLUParameters(
                gate=self._matrix("gate", self.d_model, self.d_ff, number),
                up=self._matrix("up", self.d_model, self.d_ff, number),
                down=self._matrix("down", self.d_ff, self.d_model, number),
            ),
            norm_1=self._take("norm_1", self.d_model, number=number),
            norm_2=self._take("norm_2", self.d_model, number=number),
        )

    def _table(self, name):
        return self._take(name, self.size, self.d_model)

    def _matrix(self, name, width, out, number):
        """(width, out) for row vectors; files keep it the other way round."""
        return _for_rows(self._take(name, out, width, number=number))

    def _take(self, name, *shape, number=0):
        return self.files.take(self._name(name, number), *shape)

    def _name(self, name, number=0):
        return self.arrays[name].format(number) + ".weight"

    def _ends(self, words):
        """The ids at which a text ends: one, or a list of them."""
        said = self.files.setting(self.settings["end"], [])
        ends = said if isinstance(said, list) else [said]
        for end in ends:
            if isinstance(end, bool) or not is_whole(end, 0) or end >= self.size:
                self._refuse("end", end, f"an id below {self.size}")
        if END_OF_TEXT in words.special:
            ends = [*ends, words.ids[END_OF_TEXT]]
        return frozenset(map(int, ends))


def _for_rows(matrix):
    """A matrix (out, width) of a file as (width, out) for row vectors.

    Arrays in the order of their rows: products with one token are a third quicker so.
    """
    return np.ascontiguousarray(matrix.T) if isinstance(matrix, np.ndarray) else matrix.T
