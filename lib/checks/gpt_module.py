"""A GPT written as a PyTorch module: its parts, filled with given numbers (notebooks 12 and 13).

The course's numbers, or random ones, are copied into the reader's class. Then the scores depend on
its formula alone, and one real step shows whether it can learn.
"""

import functools
import io
import re
from contextlib import redirect_stdout

from lib.checks.cases import normal
from lib.checks.encoder_module import SPREAD, what_breaks_gradients
from lib.checks.readers_class import lost_by, made_of
from lib.checks.run import said_by

SIZES = {"V": 13, "D": 12, "heads": 3, "layers": 2, "length": 9}  # of a first model: is it one?
TIPS = (("MyGPT.__init__() takes 5", "__init__ takes self, then V, D, heads, layers, length"),)
FOUR = 4  # times D is the width of the feed-forward networks

# What readers call a map: without "proj", "to" and the like, its first letter.
MAPS = {
    "q": "query", "query": "query", "queries": "query",
    "k": "key", "key": "key", "keys": "key",
    "v": "value", "value": "value", "values": "value",
    "o": "output", "out": "output", "output": "output",
}  # fmt: skip
NO_NAME = re.compile(r"proj(ection)?|linear|map|^w|^to|_", re.IGNORECASE)
PACKED = ("query", "key", "value")  # in one matrix, in PyTorch's order
IN_WORDS = {"inner": "the map from D to 4 · D", "outer": "the map from 4 · D back to D"}
LAYER = (*PACKED, "output", "inner", "outer", "norm_1", "norm_2")


@functools.cache
def random_model(V, D, heads, layers, length):
    """One with the same random numbers each time, gains and biases too."""
    import torch  # only here: the checks of other pages need no torch

    from lib.saved.gpt import untrained

    model = untrained(V, D, heads, layers, length)
    with torch.no_grad():
        for number, (name, each) in enumerate(model.named_parameters()):
            spread = each.shape[-1] ** -0.5 if each.ndim == 2 else SPREAD
            each.copy_(torch.as_tensor(spread * normal(*each.shape, seed=number)))
            if "tokens" in name:
                each.mul_(each.shape[-1] ** 0.5)
            if "norm" in name and name.endswith("weight"):
                each.add_(1)
    return model


class NoGPTError(ValueError):
    """Why a module is no GPT: a part is missing, or is not known."""


def problem_of(answer):
    """Why no GPT can be made of this class; "" if one can."""
    module, problem = made_of(answer, SIZES, "GPT", TIPS)
    if problem:
        return problem
    made = _made_at_work(module)
    if made:
        return f"forward makes a new {made} at each call, never trained; make it in __init__."
    try:
        parts_of(module, **SIZES)
    except NoGPTError as error:
        return lost_by(module) or str(error)
    return ""


def _made_at_work(module):
    """The kind of module that one call makes anew, with numbers to be learned; "" if none."""
    import torch
    from torch.nn.modules import module as hooks

    kept, made, owners = set(module.modules()), [], {}

    def note(owner, _name, parameter):
        if parameter is not None:
            made.append(owner)

    def note_owner(owner, _name, part):
        if owner not in kept:
            owners[part] = owner

    several = (
        hooks.register_module_parameter_registration_hook(note),
        hooks.register_module_module_registration_hook(note_owner),
    )
    try:
        with torch.no_grad(), redirect_stdout(io.StringIO()):
            module(torch.zeros(2, 7, dtype=torch.long))
    except (Exception, SystemExit):  # the check says it later
        pass
    finally:
        for hook in several:
            hook.remove()
    if not made:
        return ""
    whole = made[0]
    while whole in owners:  # what the reader wrote holds what was made first
        whole = owners[whole]
    return type(whole).__name__


def with_numbers(answer, model, second_first=False):
    """A model of this class, in eval mode, with the numbers of the course's model in it.

    second_first: of a layer's two norms the one that was made last is the first to be used. Raises
    NoGPTError for what is no GPT, and whatever making it raises.
    """
    import torch

    sizes = sizes_of(model)
    theirs = answer(*sizes.values()).eval()  # without dropout
    with torch.no_grad():
        for parts, tensor in _pairs(theirs, model, sizes, second_first):
            for part, piece in zip(parts, tensor.chunk(len(parts)), strict=True):
                part.copy_(piece.reshape(part.shape))
    return theirs


def drops(answer):
    """Whether a model of this class sets numbers to 0 while it is trained."""
    from torch import nn

    parts = answer(*SIZES.values()).modules()
    return any(isinstance(each, nn.Dropout) and each.p > 0 for each in parts)


def works_as(answer, model):
    """A model of this class with the numbers of the course's model, if it gives the same scores.

    Else None. Raises as ``with_numbers``.
    """
    import torch

    length = len(model.tokens.positions)
    ids = torch.arange(length)[None] % len(model.tokens.tokens.weight)
    for second_first in (False, True):
        theirs = with_numbers(answer, model, second_first)
        with torch.no_grad():
            if torch.allclose(theirs(ids), model(ids), rtol=1e-3, atol=1e-4):
                return theirs
    return None


def in_library(theirs, V, D, heads, layers, length):
    """The course's model with the numbers that a reader's model has now. Raises NoGPTError.

    Which of a layer's norms comes first is seen from what the reader's model does.
    """
    import torch

    from lib.saved.gpt import untrained

    sizes = {"V": V, "D": D, "heads": heads, "layers": layers, "length": length}
    ids = torch.arange(min(V, length))[None]
    with torch.no_grad():
        for second_first in (True, False):
            model = untrained(**sizes)
            for parts, tensor in _pairs(theirs, model, sizes, second_first):
                tensor.copy_(torch.cat(parts).reshape(tensor.shape))
            if torch.allclose(model(ids), theirs.eval()(ids), atol=1e-4):
                break
    return model


def sizes_of(model):
    """{name: size} of the course's model, in the order in which a GPT takes them."""
    V, D = model.tokens.tokens.weight.shape
    layers = model.decoder.layers
    heads = layers[0].attention.heads
    return {
        "V": V, "D": D, "heads": heads, "layers": len(layers), "length": len(model.tokens.positions)
    }  # fmt: skip


def _pairs(theirs, model, sizes, second_first=False):
    """(the tensors of each part of a reader's model, the one of the course's)."""
    of_course = dict(model.named_parameters())
    for name, parts in parts_of(theirs, **sizes).items():
        if second_first:
            name = re.sub("norm_[12]", lambda norm: f"norm_{3 - int(norm[0][-1])}", name)
        yield parts, of_course[_in_course(name)]


def _in_course(name):
    """What the course's model calls a part: "0 query bias" is its first layer's."""
    whole = name.removesuffix(" bias")
    kind = "bias" if name.endswith("bias") else "weight"
    number, _, part = whole.rpartition(" ")
    if number:
        owner = {"inner": "feed_forward.", "outer": "feed_forward."}.get(part, "attention.")
        owner = "" if part.startswith("norm") else owner
        return f"decoder.layers.{number}.{owner}{part}.{kind}"
    known = {"tokens": "tokens.tokens.weight", "places": "tokens.positions"}
    return known.get(whole) or {"norm": "decoder.norm", "output": "output"}[whole] + f".{kind}"


SLICES = ((7, None), (1, 1), (3, 4))  # batch and length; None: as long as the model allows
CLOSE = {"rtol": 1e-3, "atol": 1e-5}


def problem_in_training(answer, second_first=False):
    """What goes wrong in one real step: slices, several sizes, the gradient; "" if nothing does."""
    course = random_model(*SIZES.values())
    try:
        theirs = with_numbers(answer, course, second_first)
        for batch, length in SLICES:
            problem = _problem_of_step(theirs, course, batch, length or SIZES["length"])
            if problem:
                return problem
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        return _why_it_stopped(error)
    return ""


def _problem_of_step(theirs, course, batch, length):
    import torch
    from torch.nn import functional as F

    ids = torch.as_tensor(normal(batch, length + 1).argsort(0 if batch > 1 else 1))
    ids = ids % SIZES["V"]  # (batch, length + 1)
    read, to_write = ids[:, :-1], ids[:, 1:]
    losses = []
    for model in (theirs, course):
        model.zero_grad()
        logits = model(read)
        if tuple(logits.shape) != (batch, length, SIZES["V"]):
            return f"of texts {tuple(read.shape)} it makes scores {tuple(logits.shape)}."
        losses.append(F.cross_entropy(logits.transpose(1, 2), to_write))
        losses[-1].backward()
    if not torch.allclose(*losses, **CLOSE):
        return f"with texts {tuple(read.shape)} it computes something else: a size is fixed."
    return _problem_of_gradients(theirs, course)


def _problem_of_gradients(theirs, course):
    import torch

    for name, parameter in theirs.named_parameters():
        if parameter.grad is None:
            return f"no gradient reaches {name}; .detach() and .data cut it off."
    tokens = parts_of(theirs, **SIZES)["tokens"][0]
    if not torch.allclose(tokens.grad, course.tokens.tokens.weight.grad, **CLOSE):
        return "a part of the gradient is lost on its way down; .detach() and .data cut it off."
    return ""


def _why_it_stopped(error):
    text = str(error)
    if broken := what_breaks_gradients(text):
        return broken
    if "view size" in text:
        return "it is given slices, whose numbers do not lie side by side: .reshape for .view."
    if "does not require grad" in text:
        return "no gradient comes through no_grad, .detach() and .data."
    return f"one step stopped with {' '.join(said_by(error).split())}."


# The parameters of a model by the names of its parts, each a list of tensors that are stacked:
# "tokens", "places", "0 query", "0 query bias", ..., "norm", "norm bias", "output", "output bias".


def parts_of(model, V, D, heads, layers, length):
    """{name: its tensors} of a reader's model. Raises NoGPTError, a sentence."""
    rest = dict(model.named_parameters())  # what is used twice comes once
    parts = _vectors_and_scores(model, rest, V, D, length)
    _norms_and_layers(model, rest, parts, D, layers)
    if rest:
        raise NoGPTError(f"your GPT learns {next(iter(rest))} as well; leave it out.")
    return parts


def _vectors_and_scores(model, rest, V, D, length):
    tables = [name for name, each in rest.items() if tuple(each.shape) == (V, D)]
    if not any(_is_embedding(model, name) for name in tables):
        _raise_for_other_sizes(model, rest, V, D, length)
    if not tables or _is_scores_alone(model, tables):
        raise NoGPTError("no vectors for the characters: nn.Embedding(V, D) is missing.")
    if len(tables) < 2:
        raise NoGPTError(
            "no map to the scores, nn.Linear(D, V); or it is the embedding once more, and here it "
            "has numbers of its own."
        )
    by_kind = sorted(tables, key=lambda name: not _is_embedding(model, name))  # embeddings first
    tokens, output = by_kind[0], by_kind[-1]
    bias = f"{output.rpartition('.')[0]}.bias"
    if bias not in rest:
        raise NoGPTError("the map to the scores has no bias; nn.Linear makes one.")
    places = [
        name
        for name, each in rest.items()
        if tuple(each.shape[-2:]) == (length, D) and each.numel() == length * D
    ]
    if not places:
        raise NoGPTError("no learned vectors for the places, of size (length, D).")
    return {
        "tokens": [rest.pop(tokens)],
        "places": [rest.pop(places[0])],
        "output": [rest.pop(output)],
        "output bias": [rest.pop(bias)],
    }


def _raise_for_other_sizes(model, rest, V, D, length):
    """Raise NoGPTError if there is an nn.Embedding that is of no size it could have."""
    for name, each in rest.items():
        if not _is_embedding(model, name) or tuple(each.shape) == (length, D):
            continue
        rows, width = each.shape
        if (rows, width) == (D, V):
            raise NoGPTError(
                "the embedding is turned round, nn.Embedding(D, V); it has a row for each "
                "character: nn.Embedding(V, D)."
            )
        raise NoGPTError(
            f"an nn.Embedding is ({rows}, {width}) for V={V}, D={D}, length={length}; take the "
            "sizes that __init__ is given: (V, D)."
        )


def _is_scores_alone(model, tables):
    """Whether the one table is the map to the scores, and no embedding shares its numbers."""
    from torch import nn

    if len(tables) > 1:
        return False
    table = model.get_parameter(tables[0])
    owners = [each for each in model.modules() if getattr(each, "weight", None) is table]
    return bool(owners) and all(isinstance(each, nn.Linear) for each in owners)


def _is_embedding(model, name):
    from torch import nn

    return isinstance(model.get_submodule(name.rpartition(".")[0]), nn.Embedding)


def _norms_and_layers(model, rest, parts, D, layers):
    from torch import nn

    found = _layers_in(model, D)
    if len(found) != layers:
        raise NoGPTError(_problem_of_layers(model, found, layers, D))
    inside = set()
    for number, (name, layer) in enumerate(found):
        _take_layer(name, layer, number, rest, parts, D)
        inside |= {id(each) for each in layer.modules()}
    norms = [
        (name, each)
        for name, each in model.named_modules()
        if isinstance(each, nn.LayerNorm) and id(each) not in inside
    ]
    if not norms:
        raise NoGPTError(
            "the last norm is missing: in pre-norm nothing else norms the last sum; one "
            "nn.LayerNorm after all layers."
        )
    if len(norms) > 1:
        raise NoGPTError(f"there are {len(norms)} layer norms outside the layers; expected one.")
    name, _norm = norms[0]
    parts["norm"], parts["norm bias"] = [rest.pop(f"{name}.weight")], [rest.pop(f"{name}.bias")]


def _layers_in(model, D):
    """[(name, module)] of the smallest modules that have all that a layer has."""
    found = []
    for name, each in model.named_modules():
        if each is not model and not _problem_of_layer(_maps_of(each, D)):
            found.append((name, each))
    return [
        (name, each)
        for name, each in found
        if not any(other.startswith(f"{name}.") for other, _ in found)
    ]


def _maps_of(layer, D):
    """{part: [its weights, its biases, by name]} of a layer; "unknown": names of what is none."""
    from torch import nn

    maps, rows, norms = {}, {}, 0
    for name, module in layer.named_modules():
        own = dict(module.named_parameters(name, recurse=False))
        if isinstance(module, nn.LayerNorm):
            norms += 1
            maps[f"norm_{norms}"] = list(own)
        elif own:
            kind = _kind_of(name, own, D)
            maps.setdefault(kind, []).extend(own)
            rows[kind] = rows.get(kind, 0) + len(next(iter(own.values())))
    for kind in rows.keys() - {"unknown"}:
        if rows[kind] > _rows_of(kind, D):
            maps["twice"] = kind
    if "output" not in maps and len(maps.get("unknown", ())) == 2:
        maps["output"] = maps.pop("unknown")
    return maps


def _kind_of(name, own, D):
    """Which part of a layer a module with these parameters is."""
    shape = tuple(next(iter(own.values())).shape)
    if shape == (FOUR * D, D):
        return "inner"
    if shape == (D, FOUR * D):
        return "outer"
    if shape == (3 * D, D):
        return "packed"
    if len(shape) != 2 or shape[1] != D:
        return "unknown"
    words = [each for each in name.split(".") if not each.isdigit()] or [""]
    return MAPS.get(NO_NAME.sub("", words[-1]).lower(), "unknown")


def _problem_of_layer(maps):
    if "unknown" in maps:
        return f"{maps['unknown'][0].rpartition('.')[0]} is no part that the check knows"
    if "twice" in maps:
        return f"there is more than one map of the kind {maps['twice']}"
    wanted = [name for name in LAYER if not ("packed" in maps and name in PACKED)]
    missing = [name for name in wanted if name not in maps]
    if missing:
        return f"{IN_WORDS.get(missing[0], missing[0])} is missing"
    return "" if len(maps) == len(wanted) + ("packed" in maps) else "there are too many norms"


def _problem_of_layers(model, found, layers, D):
    """Why there are not so many layers."""
    if len(found) == 1 and layers > 1:
        return (
            f"there is one set of numbers for layers={layers}; make each layer anew: [Layer(...) "
            "for _ in range(layers)]."
        )
    if found:
        return f"there are {len(found)} layers for layers={layers}."
    hidden = _plain_list(model)
    if hidden:
        return (
            f"self.{hidden} is a plain list, in which PyTorch finds no layers; put them into an "
            "nn.ModuleList."
        )
    if _has_other_width(model, D):
        return (
            f"no layer is whole: {IN_WORDS['inner']} is missing. The third number of EncoderLayer "
            "is the width between its two maps, 4 * D."
        )
    nearest = max(
        # From the inside out: what holds several layers has each map more than once.
        (_maps_of(each, D) for each in reversed(list(model.modules())) if each is not model),
        key=lambda maps: len(set(LAYER) & set(maps)) - 2 * ("unknown" in maps or "twice" in maps),
        default={},
    )
    return (
        f"no layer is whole: {_problem_of_layer(nearest)}. The check looks for modules with four "
        "maps, query, key, value and output, two more, from D to 4 · D and back, and two "
        "nn.LayerNorm."
    )


def _has_other_width(model, D):
    """Whether there is a layer of the course's whose network is not 4 * D wide."""
    from lib.modules import EncoderLayer

    layers = [each for each in model.modules() if isinstance(each, EncoderLayer)]
    return any(each.feed_forward.inner.out_features != FOUR * D for each in layers)


def _plain_list(model):
    """The name of a list of modules that is no module itself, or None."""
    from torch import nn

    for name, held in vars(model).items():
        if isinstance(held, list) and any(isinstance(each, nn.Module) for each in held):
            return name
    return None


def _take_layer(name, layer, number, rest, parts, D):
    """Move the parameters of one layer from ``rest`` to ``parts``."""
    for kind, names in _maps_of(layer, D).items():
        weights = [each for each in names if not each.endswith("bias")]
        biases = [each for each in names if each.endswith("bias")]
        if len(biases) != len(weights):
            raise NoGPTError(f"{kind} has no bias; nn.Linear and nn.LayerNorm make one.")
        for what, some in ((kind, weights), (f"{kind} bias", biases)):
            tensors = [rest.pop(f"{name}.{each}") for each in some]
            if kind != "packed":
                parts[f"{number} {what}"] = tensors
                continue
            for one, piece in zip(PACKED, tensors[0].chunk(3), strict=True):
                parts[f"{number} {what.replace('packed', one)}"] = [piece]


def _rows_of(kind, D):
    return {"packed": 3 * D, "inner": FOUR * D}.get(kind, D)
