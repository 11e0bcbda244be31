"""The reader's own multi-head attention, running inside a trained model (notebook 5).

A model has biases and masks, the reader's function has neither, so both are brought into what it
has. A bias is one more row of its matrix, for a column of ones beside the tokens (so d is d_model
+ 1, and W_O has a last column of zeros). A masked row is asked alone, and given only the tokens
that it may attend to.
"""

from contextlib import ExitStack, contextmanager

import numpy as np

from lib.attention import MultiHeadParameters
from lib.checks.run import run

NAMES = ["X", "memory", "W_Q", "W_K", "W_V", "W_O", "heads"]


def translation_by(answer, translator, words):
    """The French that the model writes with the reader's function in every layer, or why not.

    answer(X (1, T, d), memory (1, S, d), W_Q, W_K, W_V, W_O, heads) -> (1, T, d);
    translator: a TranslationModel; words: English. Never raises for what the function does.
    """
    try:
        with dropped_in(translator.model, answer):
            return translator.translate(words).text
    except NotYetError as sentence:
        return f"✗ Not yet: {sentence}"


class NotYetError(ValueError):
    """What the reader's function did in place of attending."""


@contextmanager
def dropped_in(model, answer):
    """``with dropped_in(model, my_multi_head):`` it does the attention of every layer.

    One sentence at a time, masks (T, S). Raises NotYetError, a ValueError, in the run: for what the
    function raises, and for a result of another shape. Source: the hooks of lib.interventions.
    """
    from lib.interventions import of_this_thread
    from lib.modules import MultiHeadAttention

    with ExitStack() as hooks:
        for module in model.modules():
            if isinstance(module, MultiHeadAttention):
                replace = of_this_thread(_replacement(module, answer))
                hooks.enter_context(module.register_forward_hook(replace))
        yield


def _replacement(module, answer):
    """The hook that puts what ``answer`` finds in the place of what the module found."""
    p = MultiHeadParameters.from_torch(module)
    W_Q = _with_bias(p.query, p.query_bias)  # (d_model + 1, H*d_k)
    W_K = _with_bias(p.key, p.key_bias)
    W_V = _with_bias(p.value, p.value_bias)
    W_O = np.pad(p.output, [(0, 0), (0, 1)]).astype(float)  # (H*d_k, d_model + 1)

    def attend(X, memory):
        case = [X, memory, W_Q, W_K, W_V, W_O, module.heads]
        attempt = run(answer, case, NAMES, returns_weights=True)
        if attempt.problem:
            raise NotYetError(attempt.problem)
        if attempt.value.shape != X.shape:
            raise NotYetError(f"the result is shape {attempt.value.shape}; expected {X.shape}.")
        return attempt.value[..., :-1]

    def replace(module, given, output):
        X = _with_ones(given[0])  # (1, T, d_model + 1)
        memory = _with_ones(given[1])  # (1, S, d_model + 1)
        mask = given[3] if len(given) > 3 else None
        found = _row_by_row(attend, X, memory, mask)  # (1, T, d_model)
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
