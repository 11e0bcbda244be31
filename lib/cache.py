"""The key-value cache of the NumPy layers: a step computes the row of the new token only.

Axes: H heads, G heads of keys where they are fewer, T queries, S keys. lib.layers gives each layer
its cache.
"""

from contextlib import contextmanager

import numpy as np

from lib.attention import attend_in_groups, merge, project, to_heads
from lib.validation.attention import fitting_by_head, mask_for_heads, projectable

NEW_CACHES = "write [KeyValueCache() for _ in layers]"
SHARED_CACHE = f"one cache stands for several layers; {NEW_CACHES}."


class KeyValueCache:
    """The keys and values of one layer, kept so that a step computes the row of the new token only.

    Write ``caches = [KeyValueCache() for _ in layers]`` for each text and give them to encoder or
    decoder at every step, with x the new tokens alone, x[..., t : t + 1, :], and the mask their
    rows, mask[..., t : t + 1, : t + 1] (None: they see all tokens so far). Right where old rows
    cannot change: under a causal mask. The memory must be the same at each step; its keys and
    values are computed at the first.
    """

    def __init__(self):
        self.parameters = None  # those of the self-attention that the keys and values are of
        self.tokens = None  # keys (..., G, S, d_k) and values (..., G, S, d_v) of all tokens so far
        self.memory = None  # the same of the encoder's output
        self.source = None  # the encoder's output itself, as keys and as values

    @property
    def length(self):
        """S, the number of tokens kept."""
        return 0 if self.tokens is None else self.tokens[0].shape[-2]

    def attend(self, queries, keys, values, parameters, heads, mask=None, key_heads=None):
        """multi_head_attention to these new keys and all the old ones.

        Raises ValueError also for parameters of another layer. A refused step keeps nothing.
        """
        p = parameters
        key_heads = heads if key_heads is None else key_heads
        mask = mask_for_heads(mask, queries)
        q = _by_head(queries, p.query, p.query_bias, heads, "queries")  # (..., H, T, d_k)
        k = _by_head(keys, p.key, p.key_bias, key_heads, "keys")  # (..., G, S, d_k), the new ones
        v = _by_head(values, p.value, p.value_bias, key_heads, "values")  # (..., G, S, d_v)
        k, v = self._after_the_old(k, v, parameters)
        attended = _attended(q, k, v, p, mask)
        self.tokens = (k, v)
        self.parameters = parameters
        return attended

    def append(self, keys, values, parameters):
        """Keep new keys (..., G, T, d_k) and values (..., G, T, d_v), and return all so far.

        For who turns the keys first: a key is turned by its own place, so it is kept turned.
        parameters: those that made them. Raises ValueError as ``attend``.
        """
        self.tokens = self._after_the_old(keys, values, parameters)
        self.parameters = parameters
        return self.tokens

    def _after_the_old(self, k, v, parameters):
        if self.tokens is None:
            return k, v
        if not _same_layer(self.parameters, parameters):
            raise ValueError(SHARED_CACHE)
        return _appended(self.tokens[0], k, "keys"), _appended(self.tokens[1], v, "values")

    def attend_across(self, queries, keys, values, parameters, heads, mask=None, key_heads=None):
        """multi_head_attention to keys and values that are the same at every step."""
        p = parameters
        key_heads = heads if key_heads is None else key_heads
        mask = mask_for_heads(mask, queries)
        q = _by_head(queries, p.query, p.query_bias, heads, "queries")  # (..., H, T, d_k)
        if self.memory is None:
            k = _by_head(keys, p.key, p.key_bias, key_heads, "keys")  # (..., G, S, d_k)
            v = _by_head(values, p.value, p.value_bias, key_heads, "values")  # (..., G, S, d_v)
        else:
            _refuse_another(self.source, (keys, values))
            k, v = self.memory
        attended = _attended(q, k, v, p, mask)
        self.memory = (k, v)
        self.source = (keys, values)
        return attended


def _by_head(x, matrix, bias, heads, name):
    """(..., tokens, d_model) -> (..., H, tokens, d_k): checked, projected and split."""
    return to_heads(projectable(x, matrix, bias, heads, name), matrix, bias, heads)


def _attended(q, k, v, parameters, mask):
    """What multi_head_attention does with queries, keys and values that are split into heads."""
    mask = fitting_by_head(q.shape, k.shape, v.shape, parameters, mask)
    output, weights = attend_in_groups(q, k, v, mask)
    return project(merge(output), parameters.output, parameters.output_bias), weights


def _same_layer(one, another):
    """Whether two MultiHeadParameters make the same keys and values, also if one is a copy."""
    if one is another:
        return True
    return np.array_equal(one.key, another.key) and np.array_equal(one.value, another.value)


def _appended(old, new, name):
    if old.shape[:-2] != new.shape[:-2] or old.shape[-1] != new.shape[-1]:
        raise ValueError(
            f"this cache holds {name} {old.shape} and got {new.shape}, both (..., H, S, d_k); only "
            f"the number of tokens may differ. For a new text {NEW_CACHES}."
        )
    return np.concatenate([old, new], axis=-2)


def _refuse_another(source, given):
    for old, new in zip(source, given, strict=True):
        if new is not old and not np.array_equal(new, old):
            raise ValueError(
                f"this cache holds the keys and values of another memory, {np.shape(old)} then and "
                f"{np.shape(new)} now. Give the same at every step; for a new text {NEW_CACHES}."
            )


@contextmanager
def all_or_nothing(layers, caches):
    """Pairs of a layer and its cache; a step that does not end leaves all caches as they were."""
    if caches is None:
        yield [(layer, None) for layer in layers]
        return
    if not isinstance(caches, list | tuple):
        raise ValueError(
            f"caches is one {type(caches).__name__}; expected a list with one for each layer: "
            f"{NEW_CACHES}."
        )
    if len(caches) != len(layers):
        raise ValueError(f"{len(caches)} caches for {len(layers)} layers; {NEW_CACHES}.")
    if len({id(cache) for cache in caches}) < len(caches):
        raise ValueError(SHARED_CACHE)
    before = [dict(vars(cache)) for cache in caches]
    try:
        yield list(zip(layers, caches, strict=True))
    except BaseException:  # refused, or interrupted
        for cache, state in zip(caches, before, strict=True):
            vars(cache).update(state)
        raise
