"""What a page without Python needs so that the model itself writes there (model.mjs, live.mjs)."""

import numpy as np

SEEDS = 64  # so often "draw again" has other random numbers
NAME = "{names}"
STAND_IN = "{0}"  # a word that no vocabulary has, nor one that is like it


def is_plain_gpt(writer):
    """Whether model.mjs can run it: a lib.decoding.WritingModel of the kind that lib.saved has."""
    from lib.decoding import WritingModel
    from lib.modules import ACTIVATIONS, LanguageModel

    model = getattr(writer, "model", None)
    if not isinstance(writer, WritingModel) or not isinstance(model, LanguageModel):
        return False
    has_plain_layers = all(
        layer.norm_first and layer.feed_forward.activation is ACTIVATIONS["relu"]
        for layer in model.decoder.layers
    )
    parameters = dict(model.named_parameters())
    return has_plain_layers and "tokens.positions" not in parameters and "output.bias" in parameters


def model_in_bytes(model):
    """The parameters as bytes of float32, one after the other, and what model.mjs reads them by."""
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    layers = model.decoder.layers
    return {
        "numbers": b"".join(tensor.astype("<f4").tobytes() for tensor in state.values()),
        "shapes": [[name, *tensor.shape] for name, tensor in state.items()],
        "layers": len(layers),
        "heads": layers[0].attention.heads,
        "scale": model.tokens.scale,
        "epsilon": layers[0].norm_1.eps,
    }


def randoms(seed, count):
    """The bytes of so many random numbers of this seed and of those after it."""
    of_seeds = [np.random.default_rng(seed + i).random(count) for i in range(SEEDS)]
    return np.array(of_seeds, "<f8").tobytes()


def refusal(vocabulary):
    """What is said of unknown words, with a place for their NAME."""
    try:
        vocabulary.encode([STAND_IN])
    except ValueError as error:
        return str(error).replace(repr(STAND_IN), NAME)
    raise AssertionError(f"{STAND_IN} is a word of this vocabulary.")
