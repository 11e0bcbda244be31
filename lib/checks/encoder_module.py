"""An encoder layer written as a PyTorch module, judged like a function (notebook 7).

Its parameters are filled with random numbers, gains and biases too. Then what it returns depends on
its formula alone, and can be looked up in a table.
"""

import numpy as np

from lib.attention import MultiHeadParameters
from lib.checks.cases import normal
from lib.checks.readers_class import lost_by, made_of
from lib.layers import EncoderLayerParameters, FeedForwardParameters, NormParameters

SIZES = {"d_model": 12, "heads": 3, "d_ff": 20}  # of a first layer, to see how it is made
OTHER_SIZES = {"d_model": 10, "heads": 2, "d_ff": 15}  # to see what is written in
ORDER = "have d_model and heads changed places? d_model comes first"
TIPS = (
    ("heads do not divide", ORDER),
    ("divisible by num_heads", ORDER),
    ("MyEncoderLayer.__init__() takes 3", "__init__ takes self, then d_model, heads, d_ff"),
)
SPREAD = 0.3  # of the other random numbers: no softmax is near one-hot

# The last part of a parameter's name, and what it is; nn.MultiheadAttention packs three in one.
ATTENTION = {
    "query": ("query",),
    "key": ("key",),
    "value": ("value",),
    "output": ("output",),
    "out_proj": ("output",),
    "in_proj_weight": ("query", "key", "value"),
    "in_proj_bias": ("query", "key", "value"),
}


def random_parameters(d_model, d_ff):
    """The same random EncoderLayerParameters each time; other sizes give others."""
    matrices = normal(4, d_model, d_model) / d_model**0.5
    biases = SPREAD * normal(4, d_model)
    attention = MultiHeadParameters(*matrices, *biases)
    inner, outer = SPREAD * normal(d_model, d_ff), SPREAD * normal(d_ff, d_model)
    inner_bias, outer_bias = SPREAD * normal(d_ff), SPREAD * normal(d_model, seed=1)
    norms = SPREAD * normal(4, d_model, seed=1)
    return EncoderLayerParameters(
        attention,
        FeedForwardParameters(inner, inner_bias, outer, outer_bias),
        NormParameters(1 + norms[0], norms[1]),
        NormParameters(1 + norms[2], norms[3]),
    )


def course_layer():
    """The class that the exercise asks for, made as (d_model, heads, d_ff)."""
    from lib.modules import EncoderLayer

    class MyEncoderLayer(EncoderLayer):
        """A pre-norm encoder layer without dropout, the course's."""

        def __init__(self, d_model, heads, d_ff):
            super().__init__(d_model, heads, d_ff, dropout=0.0, norm_first=True)

    return MyEncoderLayer


def problem_of(answer):
    """Why no encoder layer can be made of this class; "" if one can."""
    return _problem_with(answer, SIZES, TIPS) or _problem_with(answer, OTHER_SIZES)


def _problem_with(answer, sizes, tips=()):
    module, problem = made_of(answer, sizes, "layer", tips)
    d_model, _, d_ff = sizes.values()
    if not problem:
        problem = _problem_of_parts(_parts(module, d_model, d_ff), d_model, d_ff)
        problem = problem and (lost_by(module) or problem)
    return problem


def _problem_of_parts(parts, d_model, d_ff):
    if not parts:
        return "your layer has no parts: make them in __init__, self.NAME = ...; forward uses them."
    if not {"query", "key", "value", "output"} <= parts.keys():
        return (
            "attention is missing, or its maps have other names; "
            "the check looks for query, key, value and output."
        )
    if not {"inner", "outer"} <= parts.keys():
        sizes = f"d_model = {d_model} to d_ff = {d_ff}"
        return f"no feed-forward network from {sizes} and back; it is missing or takes other sizes."
    norms = len([name for name in parts if name.startswith("norm")])
    if norms != 2:
        return _problem_of_norms(norms, *parts.get("unknown", []))
    if "unknown" in parts:
        return f"your layer learns {parts['unknown'][0]} as well; leave it out."
    for name, part in parts.items():
        if len(part) < 2:
            return f"{name} has no bias; nn.Linear and nn.LayerNorm make one."
        if len(part) > 2:
            return f"there is more than one map of the kind {name}; a layer has one."
        if d_model not in part[0].shape:
            made_for = f"{name} is made for {part[0].shape[-1]} numbers a word"
            return f"{made_for}, and d_model is {d_model} here; make it with d_model."
    return ""


def _problem_of_norms(norms, other=None):
    """Of another number than two; other: the name of a part that learns, and is no known one."""
    if other:
        there = "is 1 layer norm" if norms == 1 else f"are {norms} layer norms"
        return f"there {there} (nn.LayerNorm), and {other} is none; expected two, one a branch."
    if norms == 1:
        return "there is one layer norm for both branches; each has its own."
    made = "" if norms else ", made in __init__"
    return f"there are {norms} layer norms (nn.LayerNorm); expected two, one a branch{made}."


def as_function(answer, second_first=False):
    """The class as a function of x, heads and d_ff, for a layer with the random parameters.

    second_first: as in with_parameters.
    """

    def layer(x, heads, d_ff):
        return with_parameters(answer, random_parameters(x.shape[-1], d_ff), heads, second_first)(x)

    return layer


def with_parameters(answer, parameters, heads, second_first=False):
    """A layer of this class, with these EncoderLayerParameters, as a function of x (B, T, d_model).

    second_first: the layer norm that was made last is the first to be used.
    """
    import torch

    d_model, d_ff = parameters.feed_forward.inner.shape
    module = answer(d_model, heads, d_ff).eval()  # without dropout
    parts = _parts(module, d_model, d_ff)
    if second_first:
        parts["norm_1"], parts["norm_2"] = parts["norm_2"], parts["norm_1"]
    with torch.no_grad():
        _fill(parts, parameters)

    def layer(x):
        with torch.no_grad():
            return module(torch.tensor(x, dtype=torch.float32))

    return layer


def problem_in_training(answer, d_model, heads, d_ff):
    """Why a layer of this class cannot learn; "" if a gradient comes through one step.

    The gradient has to reach all of its parameters, and what comes before it.
    """
    import torch

    try:
        module = answer(d_model, heads, d_ff)
        x = torch.tensor(normal(2, 5, d_model), dtype=torch.float32, requires_grad=True)
        (module(x) ** 2).sum().backward()
    except Exception as error:  # the reader's own code may fail in any way
        text = str(error)
        stopped = " ".join(text.split())[:100].rstrip(".")
        return what_breaks_gradients(text) or f"one step stopped with {stopped}."
    for name, tensor in (*module.named_parameters(), ("what comes before the layer", x)):
        if tensor.grad is None:
            return f"no gradient reaches {name}; .detach() and .data cut it off."
    return ""


def what_breaks_gradients(text):
    """What PyTorch says of NumPy or of +=, in a plain sentence; "" of anything else."""
    if "numpy" in text:
        return "NumPy's functions leave PyTorch and its gradients; torch.exp stays."
    if "inplace" in text or "in-place" in text:
        return "+= writes over numbers that the gradients need; write x = x + ..."
    return ""


def _parts(module, d_model, d_ff):
    """{part: [its weight, its bias]} of a layer; "unknown": [the name of what is none of them]."""
    from torch import nn

    parts = {}
    norms = [part for part in module.modules() if isinstance(part, nn.LayerNorm)]
    for number, norm in enumerate(norms, start=1):
        parts[f"norm_{number}"] = list(norm.parameters())
    of_norms = {id(parameter) for norm in norms for parameter in norm.parameters()}
    maps = {}  # by the name of the module that has them: weight first, then bias
    for name, parameter in module.named_parameters():
        if id(parameter) not in of_norms:
            maps.setdefault(_owner(name), []).append(parameter)
    for owner, parameters in maps.items():
        _put(parts, owner, parameters, d_model, d_ff)
    return parts


def _owner(name):
    """feed_forward.inner for feed_forward.inner.weight; packed names stay as they are."""
    owner, _, last = name.rpartition(".")
    return name if last.startswith("in_proj") else owner


def _put(parts, owner, parameters, d_model, d_ff):
    """Put the parameters of one module where they belong."""
    names = ATTENTION.get(owner.rpartition(".")[2], ())
    if parameters[0].shape == (d_ff, d_model):
        names = ("inner",)
    elif parameters[0].shape == (d_model, d_ff):
        names = ("outer",)
    if not names:
        parts["unknown"] = [owner or "a parameter of its own"]
    for parameter in parameters:
        for name, piece in zip(names, parameter.chunk(len(names) or 1), strict=False):
            parts.setdefault(name, []).append(piece)


def _fill(parts, numbers):
    """Copy the numbers into the module's parameters; PyTorch keeps matrices turned."""
    import torch

    attention, maps = numbers.attention, numbers.feed_forward
    wanted = {
        "query": (attention.query, attention.query_bias),
        "key": (attention.key, attention.key_bias),
        "value": (attention.value, attention.value_bias),
        "output": (attention.output, attention.output_bias),
        "inner": (maps.inner, maps.inner_bias),
        "outer": (maps.outer, maps.outer_bias),
        "norm_1": (numbers.norm_1.gain, numbers.norm_1.bias),
        "norm_2": (numbers.norm_2.gain, numbers.norm_2.bias),
    }
    for name, pair in wanted.items():
        for parameter, array in zip(parts[name], pair, strict=True):
            parameter.copy_(torch.as_tensor(np.transpose(array)))
