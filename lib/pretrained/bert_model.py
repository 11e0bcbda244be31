"""BERT in the NumPy functions of pages 1 to 7. Devlin et al. 2018, arXiv:1810.04805.

B batch, T tokens; ids and segments are (T,) or (B, T), vectors (..., T, d_model).
"""

from dataclasses import dataclass

import numpy as np

from lib.activations import activation
from lib.attention import MultiHeadParameters, project
from lib.layers import (
    EncoderLayerParameters,
    FeedForwardParameters,
    NormParameters,
    encoder,
    layer_norm,
)
from lib.positions import learned_positions
from lib.pretrained.model_folder import ModelFolder
from lib.validation.arrays import whole_below
from lib.validation.attention import check_projection

# Heads for other tasks, and a list 0, 1, 2, ... that old files have.
OTHER_TASKS = (
    "position_ids",
    "pooler.dense.weight",
    "pooler.dense.bias",
    "cls.seq_relationship.weight",
    "cls.seq_relationship.bias",
    "classifier.weight",
    "classifier.bias",
    "qa_outputs.weight",
    "qa_outputs.bias",
)


@dataclass
class WordPredictor:
    """What turns a token's vector into one number for each word (BERT's masked words).

    inner (d_model, d_model) with its bias; norm; outer (d_model, words) with its bias.
    """

    inner: np.ndarray
    inner_bias: np.ndarray
    activation: str
    norm: NormParameters
    outer: np.ndarray
    outer_bias: np.ndarray


@dataclass
class Bert:
    """What a BERT has learned; ``layers`` go into lib.layers.encoder.

    words (size, d_model), positions (longest, d_model), segments (2, d_model): the tables whose
    rows are added for each token. predictor: None where the folder has none.
    """

    words: np.ndarray
    positions: np.ndarray
    segments: np.ndarray
    norm: NormParameters
    layers: list[EncoderLayerParameters]
    heads: int
    predictor: WordPredictor | None

    def embed(self, ids, segments=None, places=None):
        """ids -> (..., T, d_model): what goes into the first layer.

        segments: 0 for the tokens of the first text, 1 for those of the second; all 0 if not given.
        places: for each token its row of ``positions``; 0, 1, 2, ... if not given.
        Raises ValueError for ids that there are not and for more tokens than there are positions.
        """
        ids = whole_below(ids, "ids", len(self.words))
        segments = np.zeros_like(ids) if segments is None else segments
        segments = whole_below(segments, "segments", len(self.segments))
        if segments.shape != ids.shape:
            raise ValueError(f"segments {segments.shape} for ids {ids.shape}; give one for each.")
        if places is None:
            positions = learned_positions(self.positions, ids.shape[-1])  # (T, d_model)
        else:
            positions = self.positions[whole_below(places, "places", len(self.positions))]
        x = self.words[ids] + positions + self.segments[segments]  # (..., T, d_model)
        return layer_norm(x, self.norm.gain, self.norm.bias, self.norm.epsilon)

    def run(self, ids, segments=None, mask=None):
        """(output (..., T, d_model), [weights (..., H, T, T) of each layer]) as lib.layers.encoder.

        mask: boolean, True = may attend, as in lib.layers.encoder_layer.
        """
        return encoder(self.embed(ids, segments), self.layers, self.heads, mask)

    def logits(self, output):
        """output of ``run`` -> (..., T, size): one number for each word.

        Raises ValueError for a model without a predictor.
        """
        p = self.predictor
        if p is None:
            raise ValueError(
                "this model predicts no words: its folder has no arrays cls.predictions. "
                "Take one that was saved with its masked language model head."
            )
        check_projection(output.shape, p.inner, p.inner_bias, "output")
        x = activation(p.activation)(project(output, p.inner, p.inner_bias))
        x = layer_norm(x, p.norm.gain, p.norm.bias, p.norm.epsilon)
        check_projection(x.shape, p.outer, p.outer_bias, "normed vectors")
        return project(x, p.outer, p.outer_bias)


def bert(folder):
    """The Bert in a folder with config.json and model.safetensors, as float32.

    Equal to the usual library's BertModel and BertForMaskedLM; heads for other tasks are left out.
    Raises ValueError for what is no such folder and for a model that computes something else.
    """
    files = ModelFolder(folder, "bert", "bert.", OTHER_TASKS)
    files.refuse_other_than(
        position_embedding_type="absolute", is_decoder=False, add_cross_attention=False
    )
    size = files.count("vocab_size", 30522)
    d_model = files.count("hidden_size", 768)
    longest = files.count("max_position_embeddings", 512)
    kinds = files.count("type_vocab_size", 2)
    layers = files.count("num_hidden_layers", 12)
    words = files.take("embeddings.word_embeddings.weight", size, d_model)
    model = Bert(
        words=words,
        positions=files.take("embeddings.position_embeddings.weight", longest, d_model),
        segments=files.take("embeddings.token_type_embeddings.weight", kinds, d_model),
        norm=_norm(files, "embeddings.LayerNorm", d_model),
        layers=[_layer(files, f"encoder.layer.{number}", d_model) for number in range(layers)],
        heads=files.heads("num_attention_heads", d_model),
        predictor=_predictor(files, words),
    )
    files.refuse_the_rest()
    return model


def _layer(files, name, d_model):
    d_ff = files.count("intermediate_size", 3072)
    query, query_bias = _linear(files, f"{name}.attention.self.query", d_model, d_model)
    key, key_bias = _linear(files, f"{name}.attention.self.key", d_model, d_model)
    value, value_bias = _linear(files, f"{name}.attention.self.value", d_model, d_model)
    output, output_bias = _linear(files, f"{name}.attention.output.dense", d_model, d_model)
    inner, inner_bias = _linear(files, f"{name}.intermediate.dense", d_model, d_ff)
    outer, outer_bias = _linear(files, f"{name}.output.dense", d_ff, d_model)
    gelu = files.activation("hidden_act", "gelu")
    return EncoderLayerParameters(
        attention=MultiHeadParameters(
            query, key, value, output, query_bias, key_bias, value_bias, output_bias
        ),
        feed_forward=FeedForwardParameters(inner, inner_bias, outer, outer_bias, gelu),
        norm_1=_norm(files, f"{name}.attention.output.LayerNorm", d_model),
        norm_2=_norm(files, f"{name}.output.LayerNorm", d_model),
    )


def _linear(files, name, width, out):
    """Matrix (width, out) for row vectors, x @ matrix, and bias (out,).

    In the order of its rows: products with few tokens are a quarter quicker so.
    """
    matrix = files.take(f"{name}.weight", out, width)  # PyTorch keeps it the other way round
    return np.ascontiguousarray(matrix.T), files.take(f"{name}.bias", out)


def _norm(files, name, d_model):
    gain = files.take(f"{name}.weight", d_model)
    bias = files.take(f"{name}.bias", d_model)
    return NormParameters(gain, bias, files.above_zero("layer_norm_eps", 1e-12))


def _predictor(files, words):
    """The WordPredictor, its last matrix usually that of the words; None where there is none."""
    if not files.has("cls.predictions.transform.dense.weight"):
        return None
    size, d_model = words.shape
    inner, inner_bias = _linear(files, "cls.predictions.transform.dense", d_model, d_model)
    norm = _norm(files, "cls.predictions.transform.LayerNorm", d_model)
    outer, outer_bias = words, files.take("cls.predictions.bias", size)
    tied = files.setting("tie_word_embeddings", True)
    if not tied or files.has("cls.predictions.decoder.weight"):
        own = files.take("cls.predictions.decoder.weight", size, d_model)
        outer = words if tied else own
    if files.has("cls.predictions.decoder.bias"):
        own = files.take("cls.predictions.decoder.bias", size)
        outer_bias = outer_bias if tied else own
    gelu = files.activation("hidden_act", "gelu")
    return WordPredictor(inner, inner_bias, gelu, norm, outer.T, outer_bias)
