"""The reader's own parts, running inside a trained model (notebooks 2 and 5 to 9).

    translation_by(french, words, multi_head=my_multi_head, embedding=my_embedding)

The model's own part still runs, and a forward hook puts what the reader's found in its place. To
add a part: a function of (model, answer) that is a context manager, and its name in PARTS;
``replacing`` attaches the hooks, ``ask`` calls the reader's function.
"""

import inspect
from contextlib import ExitStack, contextmanager

import numpy as np

from lib import corpus
from lib.attention import MultiHeadParameters, merge_heads, split_heads
from lib.checks.run import run, said_by, same_random_numbers

TO_TRAIN = 32, 1, 64  # d_model, heads and d_ff of the layer that page 7 trains
NOT_YET = "✗ Not yet: "
NOTHING = "(not one word: the model ends the sentence at once)"


class NotYetError(ValueError):
    """What the reader's function did in place of its work."""


@same_random_numbers()
def translation_by(translator, words, **answers):
    """The French that the model writes with the reader's parts in it, or why there is none.

    translator: a TranslationModel; words: English; answers: by the names of PARTS. Never raises
    for what the reader's functions do.
    """
    try:
        with dropped_in(translator.model, **answers):
            return translator.translate(words).text or NOTHING
    except NotYetError as sentence:
        return f"{NOT_YET}{sentence}"


def new_ones_right(translator, count=40, **answers):
    """How many of ``count`` new sentences come out right with the reader's parts: "38 of 40".

    The sentences have pairs of words that no training showed; as translation_by, and where it has
    no French, neither has this.
    """
    sentences = corpus.make(translator.language, count, count, seed=7).unseen_pairs
    right = 0
    for each in sentences:
        written = translation_by(translator, each.english, **answers)
        if written.startswith(NOT_YET):
            return written
        right += written == corpus.join(each.target, translator.language)
    return f"{right} of {count} new sentences"


@contextmanager
def dropped_in(model, **answers):
    """``with dropped_in(model, multi_head=my_multi_head):`` it does the attention of every layer.

    One sentence at a time. Raises NotYetError, a ValueError, in the run: for what an answer raises,
    and for a result of another shape. Source: the hooks of lib.interventions.
    """
    with ExitStack() as parts:
        for name, answer in answers.items():
            parts.enter_context(PARTS[name](model, answer))
        yield


@contextmanager
def replacing(modules, replacement, answer):
    """Each of the modules gives what the hook ``replacement(module, answer)`` returns."""
    from lib.interventions import of_this_thread

    with ExitStack() as hooks:
        for module in modules:
            hook = of_this_thread(replacement(module, answer))
            hooks.enter_context(module.register_forward_hook(hook))
        yield


def ask(answer, case, names, shape, ends=None):
    """What the reader's function returns for this case, as an array of this shape.

    Raises NotYetError with a sentence for everything else. ends: how that of another shape ends,
    by the shape.
    """
    attempt = run(answer, case, names)
    if attempt.problem:
        raise NotYetError(attempt.problem)
    found = attempt.value.shape
    if found != shape:
        end = (ends or {}).get(found, ".")
        raise NotYetError(f"the result is shape {found}; expected {shape}{end}")
    if not np.isfinite(attempt.value).all():
        raise NotYetError("the result holds NaN or inf; look for 0/0, or exp of a large number.")
    return attempt.value


# Attention. A model has biases and masks, the reader's function has neither, so both are brought
# into what it has. A bias is one more row of its matrix, for a column of ones beside the tokens (so
# d is d_model + 1, and W_O has a last column of zeros). A masked row is asked alone, and given only
# the tokens that it may attend to.

MULTI_HEAD = ["X", "memory", "W_Q", "W_K", "W_V", "W_O", "heads"]


def multi_head(model, answer):
    """answer(X (1, T, d), memory (1, S, d), W_Q, W_K, W_V, W_O, heads) -> (1, T, d), everywhere."""

    def attend(*case):
        X, W_O = case[0], case[5]
        merged = (*X.shape[:2], len(W_O))
        return ask(answer, [*case], MULTI_HEAD, X.shape, {merged: ": is W_O missing?"})

    return replacing(_attentions(model), _attention, attend)


def softmax(model, answer):
    """answer(scores (T, S)) -> weights, as large: every look is shared out by it."""

    def attend(X, memory, W_Q, W_K, W_V, W_O, heads):
        queries = split_heads(X @ W_Q, heads)  # (1, H, T, d_k)
        keys, values = split_heads(memory @ W_K, heads), split_heads(memory @ W_V, heads)
        scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])  # (1, H, T, S)
        weights = [ask(answer, [table], ["scores"], table.shape) for table in scores[0]]
        return merge_heads(weights @ values) @ W_O

    return replacing(_attentions(model), _attention, attend)


def _attentions(model):
    from lib.modules import MultiHeadAttention

    return [module for module in model.modules() if isinstance(module, MultiHeadAttention)]


def _attention(module, attend):
    """The hook that puts what ``attend`` finds in the place of what the module found."""
    p = MultiHeadParameters.from_torch(module)
    W_Q = _with_bias(p.query, p.query_bias)  # (d_model + 1, H*d_k)
    W_K = _with_bias(p.key, p.key_bias)
    W_V = _with_bias(p.value, p.value_bias)
    W_O = np.pad(p.output, [(0, 0), (0, 1)]).astype(float)  # (H*d_k, d_model + 1)

    def attend_here(X, memory):
        return attend(X, memory, W_Q, W_K, W_V, W_O, module.heads)[..., :-1]

    def replace(module, given, output):
        X = _with_ones(given[0])  # (1, T, d_model + 1)
        memory = _with_ones(given[1])  # (1, S, d_model + 1)
        mask = given[3] if len(given) > 3 else None
        found = _row_by_row(attend_here, X, memory, mask)  # (1, T, d_model)
        found = output.new_tensor(found)
        return found if module.output.bias is None else found + module.output.bias

    return replace


def _row_by_row(attend, X, memory, mask):
    """What attend finds; with a mask (T, S), each query alone, among what it may attend to."""
    if mask is None:
        return attend(X, memory)
    rows = []
    for query, may_attend in enumerate(np.asarray(mask)):
        rows.append(attend(X[:, query : query + 1], memory[:, may_attend]))
    return np.concatenate(rows, axis=1)


def _with_bias(matrix, bias):
    """(d, width) -> (d + 1, width): the bias as the last row."""
    last = np.zeros(matrix.shape[1]) if bias is None else bias
    return np.vstack([matrix, last]).astype(float)


def _with_ones(tokens):
    """A tensor (1, T, d) -> an array (1, T, d + 1): a last column of ones."""
    array = tokens.detach().numpy().astype(float)
    return np.concatenate([array, np.ones((*array.shape[:2], 1))], axis=-1)


# Embedding: rows of the table, and positions, of both languages.


def embedding(model, answer):
    """answer(ids (1, T), table (words, d_model)) -> (1, T, d_model): positions and all."""
    from lib.modules import Embedding

    places = [module for module in model.modules() if isinstance(module, Embedding)]
    return replacing(places, _embedding, answer)


def _embedding(module, answer):
    table = module.tokens.weight.detach().numpy().astype(float)  # (words, d_model)

    def replace(module, given, output):
        ids = given[0].numpy()  # (1, T)
        return output.new_tensor(ask(answer, [ids, table], ["ids", "table"], tuple(output.shape)))

    return replace


# The encoder's layers: the reader's class, with the parameters of the trained one.


def encoder_layer(model, answer):
    """answer: a class, made as answer(d_model, heads, d_ff); its layers take x (1, T, d_model)."""
    return replacing(model.encoder.layers, _encoder_layer, answer)


def _encoder_layer(module, answer):
    from lib.checks.encoder_module import problem_of, with_parameters
    from lib.checks.page_07 import norms_change_places
    from lib.layers import EncoderLayerParameters

    problem = problem_of(answer)
    if problem:
        raise NotYetError(problem)
    parameters = EncoderLayerParameters.from_torch(module)
    heads = module.attention.heads
    try:
        layer = with_parameters(answer, parameters, heads, norms_change_places(answer))
    except (Exception, SystemExit) as error:  # whatever fails there, the page goes on
        d_model, d_ff = parameters.feed_forward.inner.shape
        sizes = f"d_model={d_model}, heads={heads}, d_ff={d_ff}"
        raise NotYetError(
            f"making your layer with {sizes} stopped with {said_by(error)}."
        ) from None

    def replace(module, given, output):
        x = given[0].detach().numpy()  # (1, T, d_model)
        return output.new_tensor(ask(layer, [x], ["x"], x.shape))

    return replace


@same_random_numbers()
def layer_to_train(answer, pages_own):
    """The reader's class where it is right, learns and has a map to look at, else the page's.

    Says which.
    """
    from lib.checks.encoder_module import problem_in_training
    from lib.checks.page_07 import encoder_layer
    from lib.interventions import weights_of

    if not inspect.unwrap(encoder_layer)(answer).ok:  # summary() is about the exercise's cell
        print("the page's layer, until yours is right")
        return pages_own
    problem = problem_in_training(answer, *TO_TRAIN)
    if problem:
        print(f"the page's layer: yours is right, but with one head it cannot learn: {problem}")
        return pages_own
    try:
        weights_of(answer(*TO_TRAIN))
    except ValueError:
        print("the page's layer: yours is right, but has no self.weights = Weights() to look at")
        return pages_own
    print("your layer")
    return answer


# The decoder's layers: the reader's formula, with the trained attention, norms and maps.

DECODER_LAYER = ["x", "memory", "look", "ask", "think", "norm_1", "norm_2", "norm_3"]


def decoder_layer(model, answer):
    """answer(x (T, d_model), memory (S, d_model), look, ask, think, and three norms)."""
    return replacing(model.decoder.layers, _decoder_layer, answer)


def _decoder_layer(module, answer):
    def replace(module, given, output):
        x, memory, self_mask, cross_mask = given

        def look(h):
            h = x.new_tensor(h)[None]
            return module.self_attention(h, h, h, self_mask)[0].detach().numpy()

        def ask_memory(h, memory):
            h, memory = x.new_tensor(h)[None], x.new_tensor(memory)[None]
            return module.cross_attention(h, memory, memory, cross_mask)[0].detach().numpy()

        parts = (module.feed_forward, module.norm_1, module.norm_2, module.norm_3)
        case = [x[0].detach().numpy(), memory[0].detach().numpy(), look, ask_memory]
        case += [_on_arrays(part) for part in parts]
        return output.new_tensor(ask(answer, case, DECODER_LAYER, tuple(x[0].shape)))[None]

    return replace


def _on_arrays(module):
    def function(h):
        import torch

        return module(torch.tensor(h, dtype=torch.float32)).detach().numpy()

    return function


# The decoder's mask.


@contextmanager
def causal_mask(model, answer):
    """answer(T) -> (T, T) booleans: who may look at whom while the model writes."""

    def mask(T):
        return mask_of(answer, [T], ["T"], (T, T))

    before = model.self_mask
    model.self_mask = mask
    try:
        yield
    finally:
        model.self_mask = before


def mask_of(answer, case, names, *shapes):
    """What the reader's mask is for this case: booleans of one of these shapes, or NotYetError."""
    attempt = run(answer, case, names)
    if attempt.problem:
        raise NotYetError(attempt.problem)
    if attempt.value.shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise NotYetError(f"the mask is shape {attempt.value.shape}; expected {wanted}.")
    if attempt.value.dtype != bool:
        raise NotYetError("the mask holds numbers; expected True and False.")
    return attempt.value


PARTS = {
    "softmax": softmax,
    "multi_head": multi_head,
    "embedding": embedding,
    "encoder_layer": encoder_layer,
    "decoder_layer": decoder_layer,
    "causal_mask": causal_mask,
}
